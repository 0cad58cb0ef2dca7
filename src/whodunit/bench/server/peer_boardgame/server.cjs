// `node server.cjs PORT`: boardgame.io as it comes, everything in memory.

const { Server } = require("boardgame.io/server");
const { game } = require("./game.cjs");
const { games } = require("./rules.cjs");

const port = Number(process.argv[2]);
const server = Server({ games: Object.keys(games).map(game), origins: [`http://127.0.0.1:${port}`] });
const listen = server.app.listen.bind(server.app);
server.app.listen = (number, ...rest) => listen(number, "127.0.0.1", ...rest); // nobody else's business
server.run({ port, callback: () => console.log("{}") });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(0));
