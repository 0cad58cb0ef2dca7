// `node script.cjs LENGTH` plays the game by itself and prints the moves, one JSON array a line:
// [the state's number before it, the state's number after it, player, move, ...arguments].
// The game's seed is fixed, so a server's matches go the same way.

const { Client } = require("boardgame.io/client");
const { SUSPECTS, WEAPONS, ends, game } = require("./game.cjs");

const client = Client({ game, numPlayers: 4, debug: false });
client.start();
let drawn = 1;
const draw = (values) => values[(drawn = (drawn * 48271) % 2147483647) % values.length];

function choice(G, ctx) {
  const seat = Number(ctx.currentPlayer);
  switch (G.phase) {
    case "beginning":
      return [ctx.currentPlayer, "roll"];
    case "walking": {
      const all = ends(G, seat);
      const rooms = all.filter((end) => typeof end === "string");
      return [ctx.currentPlayer, "move", draw(rooms.length ? rooms : all)];
    }
    case "arrived":
      return [ctx.currentPlayer, "suggest", draw(SUSPECTS), draw(WEAPONS)];
    case "answering": {
      const matching = G.trio.filter((card) => G.hands[G.asked].includes(card));
      return matching.length ? [String(G.asked), "show", draw(matching)] : [String(G.asked), "pass"];
    }
    default:
      return [ctx.currentPlayer, "end"];
  }
}

for (let number = 0; number < Number(process.argv[2]); number++) {
  const before = client.store.getState(); // the client's own view would hide the hands
  const [player, move, ...values] = choice(before.G, before.ctx);
  client.updatePlayerID(player);
  client.moves[move](...values);
  const after = client.store.getState();
  if (after._stateID === before._stateID) throw new Error(`${move} was refused`);
  console.log(JSON.stringify([before._stateID, after._stateID, player, move, ...values]));
}
