// `node script.cjs LENGTH` plays the game by itself and prints the moves, one JSON array a line: [seat, frame], the frame
// as Colyseus's own client would write it, in hexadecimal digits.

const { Protocol, getMessageBytes } = require("@colyseus/core");
const { chance, choice } = require("./rules.cjs");
const { Clue } = require("./table.cjs");

const table = new Clue();
const { draw } = chance(2);

for (let number = 0; number < Number(process.argv[2]); number++) {
  const [seat, name, ...values] = choice(table.G, table.current, draw);
  if (!table.play(seat, name, values)) throw new Error(`${name} was refused`);
  const frame = getMessageBytes.raw(Protocol.ROOM_DATA, "move", [name, ...values]);
  console.log(JSON.stringify([seat, Buffer.from(frame).toString("hex")]));
}
process.exit(0);
