// A game like Perfect Alibi, as four play it: a missing card, three to a hand and three open, chips that say whom to ask
// about what, five assistants, and the log of all questions that everybody reads. Nobody slams, nobody doubts.

const LOCATIONS = ["Bar", "Restaurant", "SunDeck", "Library"];
const TIMES = ["3", "6", "9", "12"];
const OF = { wheel: LOCATIONS, clock: TIMES };
const PACK = LOCATIONS.flatMap((location) => TIMES.map((time) => `${location}-${time}`));
const ASSISTANTS = ["Journalist", "Captain", "Psychiatrist", "Priest", "Cook"];
const COLOURS = ["yellow", "blue", "green", "red"];
const CHIPS = COLOURS.flatMap((colour) =>
  Object.keys(OF).flatMap((symbol) => [false, false, true].map((arrows) => ({ colour, symbol, arrows }))),
);
const HAND = 3;
const ROW = 4;
const MOST = 3; // elements of a question

function setup(players, first, random) {
  const [missing, ...deck] = random.Shuffle(PACK);
  const stack = random.Shuffle(CHIPS);
  return {
    colours: COLOURS,
    missing,
    hands: Array.from({ length: players }, (_, seat) => deck.slice(seat * HAND, (seat + 1) * HAND)),
    open: deck.slice(players * HAND),
    sizes: Array(players).fill(HAND),
    assistants: Array(players).fill(null),
    pool: ASSISTANTS,
    row: stack.slice(0, ROW),
    stack: stack.slice(ROW),
    discard: [],
    phase: "picking",
    awaited: (first + players - 1) % players, // counter-clockwise, so that the first to ask picks last
    taken: null,
    log: [],
    out: Array(players).fill(false),
    last: null,
  };
}

const matching = (hand, elements) => hand.filter((card) => card.split("-").some((part) => elements.includes(part)));

const matchingOf = (G) => matching(G.hands[G.awaited], G.log[G.log.length - 1].elements);

function hold(G, seat, assistant) {
  G.assistants[seat] = assistant;
  G.pool = G.pool.filter((other) => other !== assistant);
}

// The question is done with: its chip is replaced, and the next one's turn begins.
function conclude(G, { endTurn, random }) {
  G.discard.push(G.row[G.taken - 1]);
  [G.row[G.taken - 1]] = G.stack.splice(random.Die(G.stack.length) - 1, 1);
  if (!G.stack.length) [G.stack, G.discard] = [G.discard, []];
  G.taken = null;
  G.phase = "beginning";
  endTurn();
}

const moves = {
  pick(G, seat, current, _, assistant) {
    if (G.phase !== "picking" || seat !== G.awaited || !G.pool.includes(assistant)) return false;
    hold(G, seat, assistant);
    G.awaited = (seat + G.hands.length - 1) % G.hands.length;
    if (seat === current) G.phase = "beginning";
    G.last = { type: "AssistantPicked", seat, assistant };
    return true;
  },
  take(G, seat, current, _, place, answerer) {
    const chip = G.row[place - 1];
    if (G.phase !== "beginning" || seat !== current || !chip || answerer === seat) return false;
    const owner = COLOURS.indexOf(chip.colour);
    if (owner !== answerer && !G.row.every(({ colour }) => COLOURS.indexOf(colour) === seat)) return false;
    G.taken = place;
    G.awaited = answerer;
    G.phase = chip.arrows ? "changing" : "asking";
    G.last = { type: "ChipTaken", seat, place, chip, answerer };
    return true;
  },
  change(G, seat, current, _, assistant) {
    if (G.phase !== "changing" || seat !== current) return false;
    const gave = G.assistants[seat];
    const lost = G.assistants[G.awaited] === assistant;
    if (!lost && !G.pool.includes(assistant)) return false;
    if (lost) G.assistants[G.awaited] = null;
    hold(G, seat, assistant);
    G.pool = [...G.pool, gave];
    G.phase = lost ? "replacing" : "asking";
    G.last = { type: "AssistantChanged", seat, gave, took: assistant, taken_from: lost ? G.awaited : null };
    return true;
  },
  replace(G, seat, _current, _, assistant) {
    if (G.phase !== "replacing" || seat !== G.awaited || !G.pool.includes(assistant)) return false;
    hold(G, seat, assistant);
    G.phase = "asking";
    G.last = { type: "ReplacementTaken", seat, assistant };
    return true;
  },
  ask(G, seat, current, _, elements) {
    if (G.phase !== "asking" || seat !== current || !elements.length || elements.length > MOST) return false;
    const all = OF[G.row[G.taken - 1].symbol];
    if (new Set(elements).size !== elements.length || !elements.every((one) => all.includes(one))) return false;
    const asked = { asker: seat, answerer: G.awaited, elements, holding: [...G.assistants], answered: false, said: null };
    G.log.push(asked);
    G.phase = "answering";
    G.last = { type: "Asked", question: G.log.length, seat, answerer: asked.answerer, elements, holding: asked.holding };
    return true;
  },
  answer(G, seat, current, means, number) {
    if (G.phase !== "answering" || seat !== G.awaited) return false;
    const asked = G.log[G.log.length - 1];
    if (number !== matching(G.hands[seat], asked.elements).length) return false;
    asked.answered = true;
    asked.said = number;
    const due = number >= 2 && asked.holding[seat] !== "Psychiatrist";
    G.last = { type: "Answered", question: G.log.length, seat, said: number, due };
    if (!due) conclude(G, means);
    else if (asked.holding[current] !== "Cook") G.phase = "showing";
    else {
      const card = G.hands[seat][means.random.Die(G.hands[seat].length) - 1];
      G.last = { type: "CardDrawn", question: G.log.length, seat: current, answerer: seat, card, said: number };
      conclude(G, means);
    }
    return true;
  },
  show(G, seat, current, means, card) {
    if (G.phase !== "showing" || seat !== G.awaited || !G.hands[seat].includes(card)) return false;
    if (!matching([card], G.log[G.log.length - 1].elements).length) return false;
    G.last = { type: "CardShown", question: G.log.length, seat, to: current, card };
    conclude(G, means);
    return true;
  },
};

function view(G, seat) {
  const hears = ({ asker, answerer, holding }) => holding[asker] !== "Priest" || seat === asker || seat === answerer;
  const log = G.log.map((asked) => (hears(asked) ? asked : { ...asked, said: null }));
  let last = G.last;
  if (last?.card && ![last.seat, last.to, last.answerer].includes(seat)) {
    const captain = last.type === "CardShown" && log[last.question - 1].holding[seat] === "Captain";
    if (!captain) last = { ...last, card: null };
  }
  if (last && "said" in last) last = { ...last, said: log[last.question - 1].said };
  return { ...G, missing: null, hands: G.hands.map((hand, owner) => (owner === seat ? hand : null)), log, last };
}

const one = (of) => ({ type: "one", of });
const some = (of) => ({ type: "some", of, least: 1, most: MOST });
const SLAM = ["slam", { card: one(PACK) }];

function offers(G, seat, current) {
  const mine = seat === current;
  const due = seat === G.awaited;
  switch (G.phase) {
    case "picking":
      return due ? [["pick", { assistant: one(G.pool) }]] : [];
    case "beginning": {
      if (!mine) return [SLAM];
      const others = COLOURS.map((_, other) => other).filter((other) => other !== seat);
      const free = G.row.every(({ colour }) => COLOURS.indexOf(colour) === seat);
      const takes = others.flatMap((other) => {
        const places = G.row.flatMap(({ colour }, at) => (free || COLOURS.indexOf(colour) === other ? [at + 1] : []));
        return places.length ? [["take", { place: one(places), answerer: one([other]) }]] : [];
      });
      const lasts = Object.values(OF).map((all) => ["ask_last", { answerer: one(others), elements: some(all) }]);
      return [...takes, ...lasts, SLAM];
    }
    case "changing":
      return mine ? [["change", { assistant: one([...G.pool, G.assistants[G.awaited]]) }], SLAM] : [SLAM];
    case "replacing":
      return due ? [["replace", { assistant: one(G.pool) }], SLAM] : [SLAM];
    case "asking":
      return mine ? [["ask", { elements: some(OF[G.row[G.taken - 1].symbol]) }], SLAM] : [SLAM];
    default: {
      if (!due) return [];
      const matching = matchingOf(G);
      return [G.phase === "answering" ? ["answer", { number: one([matching.length]) }] : ["show", { card: one(matching) }]];
    }
  }
}

function choice(G, current, draw) {
  switch (G.phase) {
    case "picking":
      return [G.awaited, "pick", draw(G.pool)];
    case "beginning": {
      const places = G.row.map((_, at) => at + 1).filter((at) => COLOURS.indexOf(G.row[at - 1].colour) !== current);
      if (!places.length) return [current, "take", 1, (current + 1) % G.hands.length];
      const place = draw(places);
      return [current, "take", place, COLOURS.indexOf(G.row[place - 1].colour)];
    }
    case "changing":
      return [current, "change", draw([...G.pool, G.assistants[G.awaited]])];
    case "replacing":
      return [G.awaited, "replace", draw(G.pool)];
    case "asking": {
      const all = OF[G.row[G.taken - 1].symbol];
      const from = all.indexOf(draw(all));
      return [current, "ask", [...all, ...all].slice(from, from + draw([1, 2, 3]))];
    }
    case "answering":
      return [G.awaited, "answer", matchingOf(G).length];
    default:
      return [G.awaited, "show", draw(matchingOf(G))];
  }
}

module.exports = { choice, moves, offers, setup, view };
