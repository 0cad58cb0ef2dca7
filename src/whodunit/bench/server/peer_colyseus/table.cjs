// The peers' games as Colyseus would have it: a room a table, each seat sent its own view after every move, no schema.

const { chance, games, play, setup } = require("./rules.cjs");

const SEATS = 4;
const SEED = 1;

class Table {
  constructor(game) {
    const random = chance(SEED);
    this.game = game;
    this.G = setup(game, SEATS, random);
    this.seq = 0;
    this.current = 0;
    this.means = { random, endTurn: () => (this.current = (this.current + 1) % SEATS) };
  }

  play(seat, name, values) {
    if (!Object.hasOwn(games[this.game].moves, name)) return false;
    if (!play(this.game, this.G, seat, this.current, this.means, name, values)) return false;
    this.seq++;
    return true;
  }

  told(seat) {
    return { seq: this.seq, current: this.current, view: games[this.game].view(this.G, seat) };
  }
}

module.exports = { SEATS, Table };
