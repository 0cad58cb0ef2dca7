// The peers' games for boardgame.io: everybody active all the time, undo off.

const { ActivePlayers, INVALID_MOVE } = require("boardgame.io/core");
const { games, play, setup } = require("./rules.cjs");

const legal =
  (name, move) =>
  ({ G, ctx, playerID, random, events }, ...values) => {
    const means = { random, endTurn: () => events.endTurn() };
    if (!play(name, G, Number(playerID), Number(ctx.currentPlayer), means, move, values)) return INVALID_MOVE;
  };

const game = (name) => ({
  name,
  seed: "whodunit",
  setup: ({ ctx, random }) => setup(name, ctx.numPlayers, random),
  moves: Object.fromEntries(Object.keys(games[name].moves).map((move) => [move, legal(name, move)])),
  playerView: ({ G, playerID }) =>
    games[name].view(G, playerID === null || playerID === undefined ? -1 : Number(playerID)),
  disableUndo: true,
  turn: { activePlayers: ActivePlayers.ALL },
});

module.exports = { game };
