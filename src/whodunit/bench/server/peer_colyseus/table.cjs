// The peers' games as Colyseus would have it: a room a table, each seat sent its own view after every move, no schema.

const { frames } = require("./frames.cjs");
const { chance, games, play, setup } = require("./rules.cjs");

const SEATS = 4;
const SEED = 1;

class Table {
  // Options: those of our own game, where a frame is to have what ours have; null: as users of Colyseus would have it.
  constructor(game, room = 0, options = null) {
    const random = chance(SEED);
    this.game = game;
    this.room = room;
    this.options = options;
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

  // Return what tells a seat how things are now.
  telling() {
    const { view } = games[this.game];
    if (this.options) {
      const frame = frames(this);
      return (seat) => frame(seat, view(this.G, seat));
    }
    return (seat) => ({ seq: this.seq, current: this.current, view: view(this.G, seat) });
  }
}

module.exports = { SEATS, Table };
