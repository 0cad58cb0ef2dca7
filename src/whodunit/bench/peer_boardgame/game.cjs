// A game like Clue for boardgame.io, for `whodunit bench server`: hands, an envelope, rooms round a corridor, questions
// answered by the players to the left, each card shown seen by two. Whatever can be done in two ways is done in the
// cheaper one: a plain corridor, everybody active all the time, undo off, no patches.

const { ActivePlayers, INVALID_MOVE } = require("boardgame.io/core");

const SUSPECTS = ["Scarlet", "Mustard", "White", "Green", "Peacock", "Plum"];
const WEAPONS = ["Candlestick", "Dagger", "LeadPipe", "Revolver", "Rope", "Wrench"];
const ROOMS = [
  "Hall", "Lounge", "DiningRoom", "Kitchen", "Ballroom", "Conservatory", "BilliardRoom", "Library", "Study",
];
const CORRIDOR = 36; // four squares to a room's door

function setup({ ctx, random }) {
  const draw = (cards) => cards[random.Die(cards.length) - 1];
  const envelope = [draw(SUSPECTS), draw(WEAPONS), draw(ROOMS)];
  const deck = random.Shuffle([...SUSPECTS, ...WEAPONS, ...ROOMS].filter((card) => !envelope.includes(card)));
  const hands = Array.from({ length: ctx.numPlayers }, (_, seat) =>
    deck.filter((_, place) => place % ctx.numPlayers === seat),
  );
  return {
    envelope,
    hands,
    sizes: hands.map((hand) => hand.length),
    places: SUSPECTS.map((_, token) => token * 6),
    weapons: random.Shuffle(ROOMS).slice(0, WEAPONS.length),
    out: hands.map(() => false),
    phase: "beginning",
    throw: 0,
    trio: null,
    asked: null,
    shown: [],
    last: null,
  };
}

const onTurn = (G, ctx, playerID, phase) => G.phase === phase && playerID === ctx.currentPlayer;

function ends(G, seat) {
  const place = G.places[seat];
  const from = typeof place === "string" ? ROOMS.indexOf(place) * 4 : place;
  const found = new Set();
  for (let steps = 1; steps <= G.throw; steps++) {
    for (const square of [(from + steps) % CORRIDOR, (from - steps + CORRIDOR) % CORRIDOR]) {
      if (square % 4 === 0 && ROOMS[square / 4] !== place) found.add(ROOMS[square / 4]);
      if (steps === G.throw && !G.places.includes(square)) found.add(square);
    }
  }
  return [...found];
}

function conclude(G) {
  G.phase = "concluding";
  G.asked = null;
}

const moves = {
  roll({ G, ctx, playerID, random }) {
    if (!onTurn(G, ctx, playerID, "beginning")) return INVALID_MOVE;
    G.throw = random.D6();
    G.phase = "walking";
    G.last = { type: "DiceThrown", seat: Number(playerID), dice: [G.throw] };
  },
  move({ G, ctx, playerID }, to) {
    if (!onTurn(G, ctx, playerID, "walking") || !ends(G, Number(playerID)).includes(to)) return INVALID_MOVE;
    G.places[Number(playerID)] = to;
    G.phase = typeof to === "string" ? "arrived" : "concluding";
    G.last = { type: "Moved", seat: Number(playerID), to };
  },
  suggest({ G, ctx, playerID }, suspect, weapon) {
    if (!onTurn(G, ctx, playerID, "arrived") || !SUSPECTS.includes(suspect) || !WEAPONS.includes(weapon))
      return INVALID_MOVE;
    const room = G.places[Number(playerID)];
    G.places[SUSPECTS.indexOf(suspect)] = room;
    G.weapons[WEAPONS.indexOf(weapon)] = room;
    G.trio = [suspect, weapon, room];
    G.asked = (Number(playerID) + 1) % ctx.numPlayers;
    G.phase = "answering";
    G.last = { type: "Suggested", seat: Number(playerID), trio: G.trio };
  },
  show({ G, ctx, playerID }, card) {
    const seat = Number(playerID);
    if (G.phase !== "answering" || G.asked !== seat || !G.trio.includes(card) || !G.hands[seat].includes(card))
      return INVALID_MOVE;
    const to = Number(ctx.currentPlayer);
    if (!G.shown.some((one) => one.by === seat && one.to === to && one.card === card)) G.shown.push({ by: seat, to, card });
    conclude(G);
    G.last = { type: "CardShown", seat, to, card };
  },
  pass({ G, ctx, playerID }) {
    const seat = Number(playerID);
    if (G.phase !== "answering" || G.asked !== seat || G.trio.some((card) => G.hands[seat].includes(card)))
      return INVALID_MOVE;
    G.asked = (seat + 1) % ctx.numPlayers;
    if (G.asked === Number(ctx.currentPlayer)) conclude(G);
    G.last = { type: "CouldNotShow", seat };
  },
  end({ G, ctx, playerID, events }) {
    if (!onTurn(G, ctx, playerID, "concluding")) return INVALID_MOVE;
    G.phase = "beginning";
    G.last = { type: "TurnBegan" };
    events.endTurn();
  },
};

function playerView({ G, playerID }) {
  const seat = playerID === null || playerID === undefined ? -1 : Number(playerID);
  const last = G.last?.type === "CardShown" && seat !== G.last.seat && seat !== G.last.to ? { ...G.last, card: null } : G.last;
  return {
    ...G,
    envelope: null,
    hands: G.hands.map((hand, owner) => (owner === seat ? hand : null)),
    shown: G.shown.filter((one) => one.by === seat || one.to === seat),
    last,
  };
}

const game = {
  name: "clue",
  seed: "whodunit",
  setup,
  moves,
  playerView,
  disableUndo: true,
  turn: { activePlayers: ActivePlayers.ALL },
};

module.exports = { SUSPECTS, WEAPONS, ends, game };
