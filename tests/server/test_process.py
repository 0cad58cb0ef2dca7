"""The real command in a process of its own: how it begins, how it ends, and what is left of it."""

import asyncio
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from aiohttp import ClientSession, DummyCookieJar, WSCloseCode

from tests.server.client import Client, Refused
from tests.server.sites import dice, opened, plays, terms_of
from whodunit.deduce.native import SLOW, load
from whodunit.server.people import COOKIE, People, house_key

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
SERVE = [sys.executable, "-m", "whodunit.cli", "serve", "--no-browser", "--no-cases", "--haste", "0"]


class Server:
    def __init__(self, process: "subprocess.Popen[str]", address: str, data: Path) -> None:
        self.process = process
        self.address = address
        self.data = data

    def cookie(self) -> str:
        return People(house_key(self.data)).new()


FULL = ("bash", "-c", 'ulimit -f 1 && trap "" XFSZ && exec "$@"', "bash")
"""What runs a command whose files stay below a kilobyte, as on a full disk: no page of a database fits into that."""


@contextmanager
def serving(data: Path, run_by: tuple[str, ...] = ()) -> Iterator[Server]:
    command = [*run_by, *SERVE, "--port", "0", "--data", str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = re.fullmatch(r"Whodunit is open: (http://127\.0\.0\.1:\d+)\n", line)
            assert found, line
            yield Server(process, found[1], data)
        finally:
            process.kill()


async def page_on(session: ClientSession, server: Server, cookie: str) -> Client:
    headers = {"Origin": server.address, "Cookie": f"{COOKIE}={cookie}"}
    return Client(await session.ws_connect(f"{server.address}/ws", headers=headers), server.address)


def failed(*more: str) -> tuple[int, str]:
    """Run the command, which should not begin; return its status and the one thing it says."""
    ended = subprocess.run([*SERVE, *more], capture_output=True, text=True, timeout=30, check=False)
    assert ended.stdout == ""
    return ended.returncode, ended.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_told_to_stop_says_goodbye_and_keeps_what_it_acknowledged(
    number: signal.Signals, tmp_path: Path
) -> None:
    async def scene(server: Server) -> tuple[str, str, int]:
        async with ClientSession(cookie_jar=DummyCookieJar()) as session:
            cookie = server.cookie()
            ada, lobby = await page_on(session, server, cookie), await page_on(session, server, server.cookie())
            await lobby.ask("watch_lobby")
            terms = terms_of(chairs=[None, "rookie", "rookie"], start=True)
            table = (await ada.ask("create_table", **terms))["table"]
            await ada.ask("watch_table", table=table)
            playing = asyncio.ensure_future(plays(ada, table, dice(1)))
            await ada.until(lambda told: told.seq > 15)
            began = time.monotonic()
            server.process.send_signal(number)
            codes = {await ada.ended(), await lobby.ended()}
            playing.cancel()
            status = await asyncio.to_thread(server.process.wait, 10)

            assert time.monotonic() - began < 5
            assert codes == {WSCloseCode.GOING_AWAY}
            assert [page.told.last["goodbye"]["reason"] for page in (ada, lobby)] == ["restarting"] * 2
            assert status == 0
            return table, cookie, ada.told.seq

    async def after(table: str, cookie: str, seq: int) -> None:
        async with opened(tmp_path) as house:
            house.site.people = People(house_key(tmp_path))
            page = await house.page(cookie)
            await page.ask("watch_table", table=table)
            assert page.told.seq >= seq
            assert page.told.room["me"] == 0

    with serving(tmp_path) as server:
        kept = asyncio.run(scene(server))
        assert server.process.stderr is not None
        assert server.process.stderr.read() == ("" if load() else f"WARNING whodunit.deduce.native: {SLOW}\n")
    asyncio.run(after(*kept))


def test_a_second_server_on_the_same_data_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        status, told = failed("--port", "0", "--data", str(tmp_path))

        assert status == 2
        assert re.fullmatch(
            rf"whodunit: another server already runs on this database: process {server.process.pid} holds .*\n", told
        )
        assert server.process.poll() is None


def test_a_port_in_use_is_told_plainly(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        status, told = failed("--port", str(port), "--data", str(tmp_path))

    assert status == 2
    assert told.count("\n") == 1
    assert re.search(rf"whodunit: .*{port}.*address already in use", told)


def test_haste_on_an_open_address_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    status, told = failed("--host", "0.0.0.0", "--port", "0", "--data", str(tmp_path / "data"))  # noqa: S104

    assert status == 2
    assert told == "whodunit: --haste is for this machine alone: a site that others reach keeps its pauses\n"
    assert not (tmp_path / "data").exists()


def test_a_database_that_cannot_be_used_is_told_plainly(cluster: str, tmp_path: Path) -> None:
    told = [
        failed("--data", str(tmp_path / "data"), "--database", address)
        for address in (cluster.replace("/postgres?", "/nowhere?"), "mysql://ann@host/house")
    ]

    assert told == [
        (2, 'whodunit: cannot open the database on this machine/nowhere: database "nowhere" does not exist\n'),
        (2, "whodunit: --database begins with postgresql://; without it, tables are kept in the folder --data\n"),
    ]
    assert not (tmp_path / "data").exists()


def test_a_house_opens_on_a_full_disk_to_be_read_and_says_so(tmp_path: Path) -> None:
    async def begin(server: Server, cookie: str) -> str:
        async with ClientSession(cookie_jar=DummyCookieJar()) as session:
            ada = await page_on(session, server, cookie)
            terms = terms_of(chairs=[None, "rookie", "rookie"], start=True)
            return str((await ada.ask("create_table", **terms))["table"])

    async def read(server: Server, cookie: str, table: str) -> tuple[int, str]:
        async with ClientSession(cookie_jar=DummyCookieJar()) as session:
            ada = await page_on(session, server, cookie)
            await ada.ask("watch_table", table=table)
            await ada.until(lambda told: told.seq > 0)
            with pytest.raises(Refused, match="not_stored"):
                await ada.ask("jot", table=table, text="hm")
            health = await session.get(f"{server.address}/health")
            return health.status, await health.text()

    with serving(tmp_path) as server:
        cookie = server.cookie()
        table = asyncio.run(begin(server, cookie))  # and it is killed: what it stored is in the write-ahead log
    with serving(tmp_path, FULL) as server:
        status, told = asyncio.run(read(server, cookie, table))
        server.process.terminate()
        assert server.process.stderr is not None
        logged = server.process.stderr.read()
    assert (status, "the disk was full" in told) == (503, True)
    assert "the disk was full" in logged
    with serving(tmp_path) as server:
        assert asyncio.run(begin(server, cookie))
