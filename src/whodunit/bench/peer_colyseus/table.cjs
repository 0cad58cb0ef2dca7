// The peers' game as Colyseus would have it: a room a table, each seat sent its own view after every move, no schema.

const { chance, moves, setup, view } = require("./rules.cjs");

const SEATS = 4;
const SEED = 1;

class Clue {
  constructor() {
    const random = chance(SEED);
    this.G = setup(SEATS, random);
    this.seq = 0;
    this.current = 0;
    this.means = { random, endTurn: () => (this.current = (this.current + 1) % SEATS) };
  }

  play(seat, name, values) {
    if (!Object.hasOwn(moves, name) || !moves[name](this.G, seat, this.current, this.means, ...values)) return false;
    this.seq++;
    return true;
  }

  told(seat) {
    return { seq: this.seq, current: this.current, view: view(this.G, seat) };
  }
}

module.exports = { Clue, SEATS };
