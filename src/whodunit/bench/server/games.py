"""Games that people and bots play on servers which may be killed, and what must be true of each when it is over."""

import asyncio
import os
import signal
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from typing import Any

import msgspec
from aiohttp import ClientError, ClientSession
from msgspec import Struct

import whodunit
from whodunit.bench import report
from whodunit.bench.server.people import Lost, Page, Person, Refused
from whodunit.bench.server.script import Staging
from whodunit.bench.server.speed import staged
from whodunit.core.rng import Stream
from whodunit.games import get
from whodunit.table.case import Case
from whodunit.table.verify import verify

GAMES: tuple[tuple[str, dict[str, object], tuple[str | None, ...]], ...] = (
    ("clue", {"max_turns": 10}, (None, None, None, "random")),
    ("perfect_alibi", {}, (None, None, "random")),
    ("crime_hotel", {"rounds": 2}, (None, None, None, "random")),
    ("arosa", {"tower": "surrogate"}, (None,)),
)
"""What is played: the game, its options, and who sits where (None: a person). In Arosa bots have all seats."""
STUCK_S = 180.0
"""A game in which nothing has happened for so long is stuck: on a busy machine bots take a minute to come back."""


class Nodes:
    """Servers on one database, of which each can be killed and comes back under its address."""

    def __init__(self, stagings: Sequence[Staging], stack: ExitStack) -> None:
        self._stack = stack
        self._stagings = stagings
        self._servers = [stack.enter_context(staged(staging, pinned=False)) for staging in stagings]
        self.cookies: list[list[str]] = self._servers[0].told["cookies"]
        """They hold on every node."""
        self.addresses = [f"http://127.0.0.1:{staging.port}" for staging in stagings]

    async def kill(self, number: int) -> None:
        """Kill a node without warning, and start it again."""
        process, staging = self._servers[number].process, self._stagings[number]
        os.killpg(process.pid, signal.SIGKILL)
        await asyncio.to_thread(process.wait)
        started = staged(Staging(staging.store, staging.port, haste=staging.haste), pinned=False)
        self._servers[number] = await asyncio.to_thread(self._stack.enter_context, started)


class Outcome(Struct):
    """What became of it all."""

    games: int
    moves: int
    kills: int
    faults: list[str]
    pending: int = 0
    """How many answers were due when a server was killed."""
    chosen: int = 0
    """How many times a player chose an answer, and was told that it is kept."""

    @property
    def ended(self) -> int:
        """How many games have come to an end, good or bad."""
        return self.games + len(self.faults)


def bots_id(number: int) -> str:
    return f"bots{number}"


async def play_one(
    session: ClientSession,
    nodes: Nodes,
    number: int,
    group: int,
    done: Outcome,
    seated: dict[int, list[Person]] | None = None,
) -> None:
    game, options, chairs = GAMES[number % len(GAMES)]
    people = [seat for seat, level in enumerate(chairs) if level is None]
    pages = [[Page(session, address, nodes.cookies[group][seat]) for address in nodes.addresses] for seat in people]
    answers = {kind.__name__ for kind in get(game).INFO.answers}
    players = [
        Person(own, seat, Stream(b"%d %d" % (number, seat)), answers) for own, seat in zip(pages, people, strict=True)
    ]
    if seated is not None:
        seated[group] = players
    try:
        if game == "arosa":
            table = bots_id(number)
            await _watched(players, table)
        else:
            table = await asyncio.wait_for(_begun(players, game, options, chairs), STUCK_S)
        await _until_over(players, table)
        moves = await _checked(session, nodes, players, table, nodes.cookies[group], done.faults)
        done.moves += moves  # not across an await: others add theirs meanwhile
        done.chosen += sum(player.promises.chosen for player in players)
        done.games += 1
    except Exception as error:  # noqa: BLE001  (one game's fault is counted, and the others go on)
        done.faults.append(f"game {number} of {game}: {type(error).__name__} {error}")
        report.progress(done.faults[-1])
    finally:
        await asyncio.gather(*(page.close() for own in pages for page in own))
    if not done.ended % 50:
        report.progress(f"{done.games} games, {len(done.faults)} faults, {done.kills} nodes killed")


async def _begun(players: Sequence[Person], game: str, options: dict[str, object], chairs: Sequence[str | None]) -> str:
    """Lay a table through one node, let each person sit down through the next, and begin."""
    first = players[0].pages[0]
    terms = {"game": game, "options": options, "chairs": chairs, "public": True, "assistance": "paper"}
    laid = await first.surely("create_table", name="Person 0", salt=f"{0:032x}", **terms)
    table: str = laid["table"]
    for player in players:
        name, page = f"Person {player.seat}", player.pages[player.seat % len(player.pages)]
        if player is not players[0]:
            await _once(page, "sit_down", table=table, seat=player.seat, name=name, salt=f"{player.seat:032x}")
        await _watched([player], table)
    await _once(first, "start", table=table)
    return table


async def _watched(players: Sequence[Person], table: str) -> None:
    for page in [page for player in players for page in player.pages]:
        await page.watch(table)


async def _once(page: Page, kind: str, **fields: Any) -> None:
    """Ask for what can be done once: that it has been done already is told as a refusal."""
    try:
        await page.ask(kind, **fields)
    except Lost:
        with suppress(Refused):
            await page.surely(kind, **fields)


async def _until_over(players: Sequence[Person], table: str) -> None:
    playing = asyncio.gather(*(player.play(table) for player in players))
    seq = -1
    try:
        while not playing.done():
            await asyncio.wait([playing], timeout=STUCK_S)
            now = max(page.seq for player in players for page in player.pages)
            if not playing.done() and now == seq:
                raise TimeoutError(f"{table} is stuck at event {now}")
            seq = now
        await playing
    finally:
        playing.cancel()


async def _checked(
    session: ClientSession,
    nodes: Nodes,
    players: Sequence[Person],
    table: str,
    cookies: Sequence[str],
    faults: list[str],
) -> int:
    """Compare what everybody saw and was promised with the closed case; return how many moves it has."""
    for player in players:
        views = [msgspec.json.encode(page.table and page.table["view"], order="sorted") for page in player.pages]
        if len({*views}) > 1:
            faults.append(f"{table}: seat {player.seat} sees two games")
    bodies = []
    for address in nodes.addresses:
        while True:
            try:
                async with session.get(
                    f"{address}/t/{table}/case", headers={"Cookie": f"whodunit={cookies[0]}"}
                ) as got:
                    got.raise_for_status()
                    bodies.append(await got.read())
                    break
            except (ClientError, OSError):
                await asyncio.sleep(0.2)
    if len({*bodies}) > 1:
        faults.append(f"{table}: two nodes tell two cases")
    case = _loaded(bodies[0])
    faults += [f"{table}: {each.text}" for each in verify(case) if each.holds is False]
    interrupts = case.table.game.INFO.interrupts
    waited = max(
        batch.last for batch in case.batches if batch.cause is None or type(batch.cause.action) not in interrupts
    )
    causes: Counter[tuple[int, bytes]] = Counter()
    for batch in case.batches:
        if batch.cause is not None:
            told = msgspec.json.encode(msgspec.to_builtins(batch.cause.action), order="sorted")
            causes[batch.cause.seat, told] += 1
    for player in players:
        for told in player.acknowledged | player.unknown:
            stored, promised = causes[player.seat, told], player.acknowledged[told]
            if not promised <= stored <= promised + player.unknown[told]:
                faults.append(
                    f"{table}: seat {player.seat} was promised {promised} and got {stored} of {told.decode()}"
                )
        given = [
            (batch.seq, batch.cause.action)
            for batch in case.batches
            if batch.cause is not None
            and batch.cause.seat == player.seat
            and type(batch.cause.action) in case.table.game.INFO.answers
        ]
        broken = player.promises.broken(given, case.table.game, waited)
        faults += [f"{table}: seat {player.seat}, {fault}" for fault in broken]
    return len(case.batches)


def _loaded(body: bytes) -> Case:
    with tempfile.NamedTemporaryFile(suffix=".case") as kept:
        kept.write(body)
        kept.flush()
        return whodunit.load(kept.name)
