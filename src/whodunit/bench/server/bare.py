"""What the stack alone can do: `python -m whodunit.bench.server.bare KIND PORT` echoes, or fans out, without a thought.

Echo sends every frame back. Fan-out answers each frame with one of 600 bytes to all four who connected to the same
path. The same aiohttp, uvloop and settings as the site's.
"""

import asyncio
import signal
import sys
from collections import defaultdict
from contextlib import suppress

import uvloop
from aiohttp import WSMsgType, web

ECHO_BYTES = 64
FANOUT_BYTES = 600


async def serve(kind: str, port: int) -> None:
    """Serve until a signal comes; prints a line when it can be reached."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    tables: defaultdict[str, list[web.WebSocketResponse]] = defaultdict(list)
    frame = b"x" * FANOUT_BYTES

    async def handle(request: web.Request) -> web.WebSocketResponse:
        ws = web.WebSocketResponse(compress=False, decode_text=False)
        await ws.prepare(request)
        here = tables[request.path]
        here.append(ws)
        with suppress(ConnectionResetError):  # the load ends without a goodbye
            async for message in ws:
                if kind == "echo":
                    await ws.send_frame(message.data, WSMsgType.TEXT)
                else:
                    for other in here:
                        await other.send_frame(frame, WSMsgType.TEXT)
        return ws

    app = web.Application()
    app.add_routes([web.get("/{table}", handle)])
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1, handler_cancellation=True)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    print("{}", flush=True)
    await stop.wait()
    await runner.cleanup()


if __name__ == "__main__":
    uvloop.run(serve(sys.argv[1], int(sys.argv[2])))
