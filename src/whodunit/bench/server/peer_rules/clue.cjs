// A game like Clue: hands, an envelope, rooms round a corridor, questions answered by the players to the left, each card
// shown seen by two. A plain corridor is cheaper than a board.

const SUSPECTS = ["Scarlet", "Mustard", "White", "Green", "Peacock", "Plum"];
const WEAPONS = ["Candlestick", "Dagger", "LeadPipe", "Revolver", "Rope", "Wrench"];
const ROOMS = [
  "Hall", "Lounge", "DiningRoom", "Kitchen", "Ballroom", "Conservatory", "BilliardRoom", "Library", "Study",
];
const CORRIDOR = 36; // four squares to a room's door

function setup(players, _first, random) {
  const draw = (cards) => cards[random.Die(cards.length) - 1];
  const envelope = [draw(SUSPECTS), draw(WEAPONS), draw(ROOMS)];
  const deck = random.Shuffle([...SUSPECTS, ...WEAPONS, ...ROOMS].filter((card) => !envelope.includes(card)));
  const hands = Array.from({ length: players }, (_, seat) => deck.filter((_, place) => place % players === seat));
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
  roll(G, seat, current, { random }) {
    if (G.phase !== "beginning" || seat !== current) return false;
    G.throw = random.Die(6);
    G.phase = "walking";
    G.last = { type: "DiceThrown", seat, dice: [G.throw] };
    return true;
  },
  move(G, seat, current, _, to) {
    if (G.phase !== "walking" || seat !== current || !ends(G, seat).includes(to)) return false;
    G.places[seat] = to;
    G.phase = typeof to === "string" ? "arrived" : "concluding";
    G.last = { type: "Moved", seat, to };
    return true;
  },
  suggest(G, seat, current, _, suspect, weapon) {
    if (G.phase !== "arrived" || seat !== current || !SUSPECTS.includes(suspect) || !WEAPONS.includes(weapon)) return false;
    const room = G.places[seat];
    G.places[SUSPECTS.indexOf(suspect)] = room;
    G.weapons[WEAPONS.indexOf(weapon)] = room;
    G.trio = [suspect, weapon, room];
    G.asked = (seat + 1) % G.hands.length;
    G.phase = "answering";
    G.last = { type: "Suggested", seat, trio: G.trio };
    return true;
  },
  show(G, seat, current, _, card) {
    if (G.phase !== "answering" || G.asked !== seat || !G.trio.includes(card) || !G.hands[seat].includes(card)) return false;
    if (!G.shown.some((one) => one.by === seat && one.to === current && one.card === card))
      G.shown.push({ by: seat, to: current, card });
    conclude(G);
    G.last = { type: "CardShown", seat, to: current, card };
    return true;
  },
  pass(G, seat, current) {
    if (G.phase !== "answering" || G.asked !== seat || G.trio.some((card) => G.hands[seat].includes(card))) return false;
    G.asked = (seat + 1) % G.hands.length;
    if (G.asked === current) conclude(G);
    G.last = { type: "CouldNotShow", seat };
    return true;
  },
  end(G, seat, current, { endTurn }) {
    if (G.phase !== "concluding" || seat !== current) return false;
    G.phase = "beginning";
    G.last = { type: "TurnBegan" };
    endTurn();
    return true;
  },
};

function view(G, seat) {
  const last = G.last?.type === "CardShown" && seat !== G.last.seat && seat !== G.last.to ? { ...G.last, card: null } : G.last;
  return {
    ...G,
    envelope: null,
    hands: G.hands.map((hand, owner) => (owner === seat ? hand : null)),
    shown: G.shown.filter((one) => one.by === seat || one.to === seat),
    last,
  };
}

const one = (of) => ({ type: "one", of });
const TRIO = { suspect: one(SUSPECTS), weapon: one(WEAPONS) };
const ACCUSE = ["accuse", { ...TRIO, room: one(ROOMS) }];

function offers(G, seat, current) {
  if (G.phase === "answering") {
    if (seat !== G.asked) return [];
    const matching = G.trio.filter((card) => G.hands[seat].includes(card));
    return [matching.length ? ["show", { card: one(matching) }] : ["pass"]];
  }
  if (seat !== current) return [];
  switch (G.phase) {
    case "beginning":
      return [["roll"], ACCUSE];
    case "walking":
      return [["move", { to: one(ends(G, seat)) }]];
    case "arrived":
      return [["suggest", { ...TRIO, room: one([G.places[seat]]) }], ACCUSE, ["end"]];
    default:
      return [ACCUSE, ["end"]];
  }
}

function choice(G, current, draw) {
  switch (G.phase) {
    case "beginning":
      return [current, "roll"];
    case "walking": {
      const all = ends(G, current);
      const rooms = all.filter((end) => typeof end === "string");
      return [current, "move", draw(rooms.length ? rooms : all)];
    }
    case "arrived":
      return [current, "suggest", draw(SUSPECTS), draw(WEAPONS)];
    case "answering": {
      const matching = G.trio.filter((card) => G.hands[G.asked].includes(card));
      return matching.length ? [G.asked, "show", draw(matching)] : [G.asked, "pass"];
    }
    default:
      return [current, "end"];
  }
}

module.exports = { choice, moves, offers, setup, view };
