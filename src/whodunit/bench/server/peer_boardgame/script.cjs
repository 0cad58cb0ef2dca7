// `node script.cjs GAME LENGTH` plays the game by itself and prints the moves, one JSON array a line:
// [the state's number before it, the state's number after it, player, move, ...arguments].
// The game's seed is fixed, so a server's matches go the same way.

const { Client } = require("boardgame.io/client");
const { game } = require("./game.cjs");
const { chance, games } = require("./rules.cjs");

const [name, length] = process.argv.slice(2);
const client = Client({ game: game(name), numPlayers: 4, debug: false });
client.start();
const { draw } = chance(1);

for (let number = 0; number < Number(length); number++) {
  const before = client.store.getState(); // the client's own view would hide the hands
  const [seat, move, ...values] = games[name].choice(before.G, Number(before.ctx.currentPlayer), draw);
  client.updatePlayerID(String(seat));
  client.moves[move](...values);
  const after = client.store.getState();
  if (after._stateID === before._stateID) throw new Error(`${move} was refused`);
  console.log(JSON.stringify([before._stateID, after._stateID, String(seat), move, ...values]));
}
