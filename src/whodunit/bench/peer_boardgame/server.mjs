// `node server.mjs PORT`: boardgame.io as it comes, everything in memory.

import boardgame from "boardgame.io/server";
import { game } from "./game.mjs";

const port = Number(process.argv[2]);
const server = boardgame.Server({ games: [game], origins: [`http://127.0.0.1:${port}`] });
const listen = server.app.listen.bind(server.app);
server.app.listen = (number, ...rest) => listen(number, "127.0.0.1", ...rest); // nobody else's business
await server.run({ port, callback: () => console.log("{}") });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(0));
