"""`whodunit serve`: one process, one port, and one folder of data or a database that it shares with other nodes."""

import asyncio
import ctypes
import gc
import logging
import os
import secrets
import signal
import sys
import traceback
import webbrowser
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from aiohttp.http_exceptions import HttpProcessingError
from msgspec import Struct

from whodunit import games
from whodunit.core.errors import BadOptions
from whodunit.core.ports import Bus, Leases, Store
from whodunit.deduce import best
from whodunit.host.leases import SingleNode
from whodunit.host.timers import WallClock
from whodunit.infra.memory import NoBus
from whodunit.infra.postgres_schema import SCHEMES, prepared
from whodunit.infra.sqlite import SqliteStore
from whodunit.server.app import Site
from whodunit.server.case_shelf import games_with_cases
from whodunit.server.limits import Limits
from whodunit.server.network import is_loopback, names, networks, read_host
from whodunit.server.people import house_key

LOG = logging.getLogger(__name__)
PAST_DAYS: Final = 6
"""Of so many days before it was opened a house has cases, too: a week with the day itself."""
M_ARENA_MAX: Final = -8
"""As malloc.h has it."""


class Settings(Struct, frozen=True):
    """How the site is started."""

    host: str = "127.0.0.1"
    port: int = 8080
    data: Path = Path("data")
    public_url: str | None = None
    haste: float = 1.0
    """What every pause is multiplied by: 0 in tests."""
    browser: bool = True
    """Whether to open the page, where there is a screen."""
    lanes: int = 0
    """How many processes think for bots, and how many for people; 0: as many as there are cores, less one."""
    database: str | None = None
    """The address of a PostgreSQL that many nodes share, instead of the folder of data."""
    proxies: tuple[str, ...] = ()
    """Whose word is taken for where a request comes from."""
    monitors: tuple[str, ...] = ()
    """Who may read the metrics, besides this machine."""
    local: tuple[str, ...] = ()
    """Who counts as the host; without `public_url`, this machine does."""
    names: tuple[str, ...] = ()
    """Under which names others reach the site, besides its addresses and what the machine is called."""
    cases: bool = True
    """Whether there are cases of the day to solve."""
    limits: Limits = Limits()
    """How much one person or household may take."""


class Discreet(logging.Formatter):
    """Says of an error what it is and where in the code it arose; its message could name a card."""

    def formatException(self, ei: Any) -> str:  # noqa: N802  (logging's own name)
        """Return the lines of code that led there, and nothing that stood in a variable."""
        error: BaseException | None = ei[1]
        told: list[str] = []
        met: set[int] = set()
        while error is not None and id(error) not in met:  # what is raised from itself is its own cause
            met.add(id(error))
            told.append("".join(traceback.format_tb(error.__traceback__)) + type(error).__name__)
            error = error.__cause__ or error.__context__
        return "\n".join(reversed(told))


class OwnFaults(logging.Filter):
    """Leaves out what clients do wrong: whoever sends rubbish, or hangs up in the middle, shall not fill the disk."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether this concerns us."""
        error = record.exc_info[1] if record.exc_info else None
        return not isinstance(error, HttpProcessingError | ConnectionError)


def log_discreetly() -> None:
    """Log what goes wrong here, and nothing that anybody holds, says or sends."""
    handler = logging.StreamHandler()
    handler.setFormatter(Discreet("%(levelname)s %(name)s: %(message)s"))
    handler.addFilter(OwnFaults())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])


def report(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log what nobody waited for; the loop's own words describe the task, and with it the message of its error."""
    error: BaseException | None = context.get("exception")
    if error is None:
        LOG.error("%s", context["message"])
    else:
        LOG.error("nobody waited for what ended with %s", type(error).__name__, exc_info=error)


def serve(settings: Settings) -> None:
    """Run the site until it is told to stop."""
    check(settings)
    log_discreetly()
    for name, reason in games.broken().items():
        LOG.warning("left out: %s: %s", name, reason)
    spare_memory()
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(_serve(settings))


def spare_memory() -> None:
    """Look for cycles seldom, and let all threads share one heap.

    A move leaves no cycles, and what it replaces is gone by then. glibc gives each thread, such as the store's, a heap
    of its own, whose gaps nobody else fills.
    """
    gc.set_threshold(10_000, 10, 10)
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:  # musl has none
        mallopt(M_ARENA_MAX, 1)


def check(settings: Settings) -> None:
    """Refuse settings that do not go together."""
    if settings.haste < 0:
        raise BadOptions("--haste must not be negative")
    if settings.haste != 1 and not (is_loopback(settings.host) and settings.public_url is None):
        raise BadOptions("--haste is for this machine alone: a site that others reach keeps its pauses")
    if settings.public_url is not None and not settings.public_url.startswith(("http://", "https://")):
        raise BadOptions("--public-url begins with http:// or https://")
    if settings.public_url is not None and read_host(urlsplit(settings.public_url).netloc) is None:
        raise BadOptions(f"--public-url names no host: {settings.public_url}")
    networks((*settings.proxies, *settings.monitors, *settings.local))
    names(settings.names)
    if settings.database is not None and not settings.database.startswith(SCHEMES):
        raise BadOptions(f"--database begins with {SCHEMES[0]}; without it, tables are kept in the folder --data")


def _loop_factory() -> "type[asyncio.AbstractEventLoop] | None":
    try:
        import uvloop  # noqa: PLC0415  (not there on Windows)
    except ImportError:
        return None
    return uvloop.Loop


async def _serve(settings: Settings) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(report)
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    store, bus, leases, key = await opened(settings)
    site = Site(
        store,
        bus,
        WallClock(),
        key,
        haste=settings.haste,
        lanes=settings.lanes or max(1, (os.cpu_count() or 2) - 1),
        leases=leases,
        proxies=networks(settings.proxies),
        monitors=networks(settings.monitors),
        local_networks=networks(settings.local),
        names=names(settings.names),
        limits=settings.limits,
        folder=settings.data if settings.database is None else None,
        case_games=games_with_cases if settings.cases else tuple,
        past_cases=PAST_DAYS,
    )
    try:
        network = await site.start(settings.host, settings.port, settings.public_url)
        print(f"Whodunit is open: {network.address}", flush=True)
        site.health.faults()  # which logs what is wrong from the start
        best()  # if Python counts alone, this says it for all workers
        if settings.browser and _has_screen():
            webbrowser.open(network.address)
        await stop.wait()
    finally:
        await site.stop()


async def opened(settings: Settings) -> tuple[Store, Bus, Leases, bytes]:
    """Open what the tables are kept in: a folder for one process, or a database for many."""
    if settings.database is None:
        settings.data.mkdir(parents=True, exist_ok=True)
        kept = SqliteStore(settings.data / "whodunit.sqlite")  # first: it lets one process in
        try:
            return kept, NoBus(), SingleNode(), house_key(settings.data)
        except (BadOptions, OSError):
            await kept.close()
            raise
    key = await prepared(settings.database, secrets.token_bytes(32))
    from whodunit.infra.postgres import PostgresStore  # noqa: PLC0415  (its driver is an extra)
    from whodunit.infra.switchboard import Switchboard  # noqa: PLC0415

    node = secrets.token_hex(8)
    store = await PostgresStore(settings.database, node).open()
    board = await Switchboard(settings.database, node).open()
    return store, board, board, key


def _has_screen() -> bool:
    return sys.platform in {"darwin", "win32"} or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
