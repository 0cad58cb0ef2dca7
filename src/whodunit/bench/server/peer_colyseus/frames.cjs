// What our own server tells a seat after a move, of the peers' games: the event with the line of the log that says it, the
// view with the game's options, and what the seat may do now.

const { offers } = require("./rules.cjs");

const SEATED = ["seat", "to", "asker", "answerer", "taken_from"];

function param(name, value) {
  if (Array.isArray(value)) return value.map((each) => param("", each));
  if (SEATED.includes(name) && typeof value === "number") return { type: "who", seat: value };
  return typeof value === "string" ? { type: "term", word: value } : value;
}

// The line that says an event: a key and what is said in it, for whichever language is read.
function line({ type, ...fields }) {
  const params = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === null) continue;
    if (typeof value === "object" && !Array.isArray(value))
      for (const [part, each] of Object.entries(value)) params[part] = param(part, each);
    else params[name] = param(name, value);
  }
  return { key: type.replace(/(?<!^)[A-Z]/g, "_$&").toLowerCase(), params };
}

const SECRET = ["CardShown", "CardDrawn"];
const knowing = ({ type, seat, to, answerer }) => (SECRET.includes(type) ? [seat, to ?? answerer] : []);

// Return what makes a frame of a seat and its view. Where a new game has just begun, nothing has happened in it.
function frames({ game, room, seq, current, options, G }) {
  const at = Date.now();
  const may = G.hands.map((_, seat) => offers(game, G, seat, current));
  const awaiting = G.hands.flatMap((_, seat) => (may[seat].some(({ action }) => action !== "slam") ? [seat] : []));
  return (seat, { last, ...seen }) => ({
    type: "table",
    table: room,
    after: seq - 1,
    seq,
    awaiting,
    outcome: null,
    informed: [],
    closed: false,
    clips: [],
    events: last ? [{ seq, batch: seq, at, event: { ...last, known_to: knowing(last) }, line: line(last) }] : [],
    view: { options, on_turn: current, ...seen },
    offers: may[seat].map((offer) => ({ ...offer, since: seq })),
    may_undo: false,
  });
}

module.exports = { frames, line };
