// Every move kept before it is told: SQLite with a write-ahead log, and a commit returns when the disk has it. What comes
// in one turn of the loop is committed together, as somebody would do it who wants this to be quick.

const { DatabaseSync } = require("node:sqlite"); // since Node 22.5

class Log {
  constructor(path) {
    this.database = new DatabaseSync(path);
    this.database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      CREATE TABLE move (room INTEGER, seq INTEGER, seat INTEGER, body TEXT, PRIMARY KEY (room, seq)) WITHOUT ROWID;
    `);
    this.insert = this.database.prepare("INSERT INTO move VALUES (?, ?, ?, ?)");
    this.due = [];
  }

  // Keep a move; tell of it when it is kept.
  keep(room, seq, seat, move, tell) {
    if (!this.due.length) setImmediate(() => this.commit());
    this.due.push([tell, room, seq, seat, JSON.stringify(move)]);
  }

  commit() {
    const { due } = this;
    this.due = [];
    this.database.exec("BEGIN IMMEDIATE");
    for (const [, ...row] of due) this.insert.run(...row);
    this.database.exec("COMMIT");
    for (const [tell] of due) tell();
  }
}

module.exports = { Log };
