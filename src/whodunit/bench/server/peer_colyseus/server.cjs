// `node server.cjs PORT STORE OPTIONS GAME...`: a table of each game named. Store: `memory`, or the database in which every
// move is kept before it is told. Options: `null`, and seats are told what users of Colyseus would tell; or our own games'
// options by game, as JSON, and they are told all that ours are. Prints, by table and seat, where each connects.

const { Room, Server, matchMaker } = require("@colyseus/core");
const { WebSocketTransport } = require("@colyseus/ws-transport");
const { Log } = require("./log.cjs");
const { SEATS, Table } = require("./table.cjs");

const [port, store, options, ...tables] = process.argv.slice(2);
const allOptions = JSON.parse(options);
const log = store === "memory" ? null : new Log(store);

class TableRoom extends Room {
  maxClients = SEATS;
  autoDispose = false;
  patchRate = null;
  seatReservationTimeout = 120;

  onCreate({ game, number }) {
    this.table = new Table(game, number, allOptions && allOptions[game]);
    this.onMessage("move", (client, [name, ...values]) => {
      if (!this.table.play(client.seat, name, values)) return client.send("refused");
      if (!log) this.tell();
      else log.keep(number, this.table.seq, client.seat, [name, ...values], () => this.tell());
    });
  }

  tell() {
    const telling = this.table.telling();
    for (const other of this.clients) other.send("told", telling(other.seat));
  }

  onJoin(client, { seat }) {
    client.seat = seat;
  }
}

async function main() {
  const server = new Server({ transport: new WebSocketTransport({}), greet: false });
  server.define("table", TableRoom);
  await server.listen(Number(port), "127.0.0.1");
  const paths = [];
  for (const [number, game] of tables.entries()) {
    const room = await matchMaker.createRoom("table", { game, number });
    const four = [];
    for (let seat = 0; seat < SEATS; seat++) {
      const { sessionId } = await matchMaker.reserveSeatFor(room, { seat });
      four.push(`/${room.processId}/${room.roomId}?sessionId=${sessionId}`);
    }
    paths.push(four);
  }
  console.log(JSON.stringify({ paths }));
}

main();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(0));
