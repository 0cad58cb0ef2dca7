// The peers' game for boardgame.io: everybody active all the time, undo off.

const { ActivePlayers, INVALID_MOVE } = require("boardgame.io/core");
const { moves, setup, view } = require("./rules.cjs");

const legal =
  (move) =>
  ({ G, ctx, playerID, random, events }, ...values) => {
    const means = { random, endTurn: () => events.endTurn() };
    if (!move(G, Number(playerID), Number(ctx.currentPlayer), means, ...values)) return INVALID_MOVE;
  };

const game = {
  name: "clue",
  seed: "whodunit",
  setup: ({ ctx, random }) => setup(ctx.numPlayers, random),
  moves: Object.fromEntries(Object.entries(moves).map(([name, move]) => [name, legal(move)])),
  playerView: ({ G, playerID }) => view(G, playerID === null || playerID === undefined ? -1 : Number(playerID)),
  disableUndo: true,
  turn: { activePlayers: ActivePlayers.ALL },
};

module.exports = { game };
