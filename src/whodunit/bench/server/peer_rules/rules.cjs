// The games of the peers of `whodunit bench server`, played as both of them let one: whatever can be done in two ways is
// done in the cheaper one: everybody active all the time, no undo, no patches.
//
// A game has setup(players, first, random), view(G, seat), and moves, each of which takes the game, the seat that moves,
// the seat on turn, what chance and the turn's end need, and its values, and says whether it was legal. `random` has
// Die(sides) and Shuffle(list), as boardgame.io's has. choice(G, current, draw) is what somebody who wants to hear
// something does: [seat, move, ...values]; `draw` picks one of a list. offers(G, seat, current) is what a seat may do, as
// our own server tells it (also what nobody does here: to accuse, to slam); one peer alone is asked for it.

const games = { clue: require("./clue.cjs"), alibi: require("./alibi.cjs") };
const LENGTH = 150; // so many moves, and the next one's turn begins a new game: none becomes longer than games are

function setup(name, players, random) {
  return { ...games[name].setup(players, 0, random), moved: 0 };
}

function play(name, G, seat, current, { random, endTurn }, move, values) {
  let over = false;
  const means = { random, endTurn: () => (over = true) };
  if (!games[name].moves[move](G, seat, current, means, ...values)) return false;
  G.moved++;
  if (!over) return true;
  if (G.moved >= LENGTH) {
    const players = G.hands.length;
    Object.assign(G, games[name].setup(players, (current + 1) % players, random), { moved: 0 });
  }
  endTurn();
  return true;
}

// What a seat may do: [{ action, choices }], each choice exactly one of some values, or several.
const offers = (name, G, seat, current) =>
  games[name].offers(G, seat, current).map(([action, choices = {}]) => ({ action, choices }));

// A small generator, the same for every table: they all go the same way.
function chance(seed) {
  let drawn = seed;
  const next = () => (drawn = (drawn * 48271) % 2147483647);
  const Die = (sides) => (next() % sides) + 1;
  const Shuffle = (list) => {
    const rest = [...list];
    return list.map(() => rest.splice(Die(rest.length) - 1, 1)[0]);
  };
  return { Die, Shuffle, draw: (values) => values[next() % values.length] };
}

module.exports = { chance, games, offers, play, setup };
