// `node script.cjs GAME LENGTH` plays the game by itself and prints the moves, one JSON array a line: [seat, frame], the
// frame as Colyseus's own client would write it, in hexadecimal digits.

const { Protocol, getMessageBytes } = require("@colyseus/core");
const { chance, games } = require("./rules.cjs");
const { Table } = require("./table.cjs");

const [game, length] = process.argv.slice(2);
const table = new Table(game);
const { draw } = chance(2);

for (let number = 0; number < Number(length); number++) {
  const [seat, name, ...values] = games[game].choice(table.G, table.current, draw);
  if (!table.play(seat, name, values)) throw new Error(`${name} was refused`);
  const frame = getMessageBytes.raw(Protocol.ROOM_DATA, "move", [name, ...values]);
  console.log(JSON.stringify([seat, Buffer.from(frame).toString("hex")]));
}
process.exit(0);
