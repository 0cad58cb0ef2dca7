// `node server.cjs PORT GAME...`: Colyseus as it comes, everything in memory, a table of each game named. Prints, by table
// and seat, where each connects.

const { Room, Server, matchMaker } = require("@colyseus/core");
const { WebSocketTransport } = require("@colyseus/ws-transport");
const { SEATS, Table } = require("./table.cjs");

class TableRoom extends Room {
  maxClients = SEATS;
  autoDispose = false;
  patchRate = null;
  seatReservationTimeout = 120;

  onCreate({ game }) {
    this.table = new Table(game);
    this.onMessage("move", (client, [name, ...values]) => {
      if (!this.table.play(client.seat, name, values)) return client.send("refused");
      for (const other of this.clients) other.send("told", this.table.told(other.seat));
    });
  }

  onJoin(client, { seat }) {
    client.seat = seat;
  }
}

async function main() {
  const server = new Server({ transport: new WebSocketTransport({}), greet: false });
  server.define("table", TableRoom);
  await server.listen(Number(process.argv[2]), "127.0.0.1");
  const paths = [];
  for (const game of process.argv.slice(3)) {
    const room = await matchMaker.createRoom("table", { game });
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
