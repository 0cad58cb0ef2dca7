"""What is played in `bench server`: tables with a known seal, and the moves that their seats will send.

A game is the same again for its seal and salts, also in what the house answers, so every script is found beforehand by
playing it through a Host. The load has no need to know a rule: it sends what is written.
"""

import asyncio
from collections.abc import Callable, Sequence

from msgspec import Struct

from whodunit import bots
from whodunit.core.notes import Assistance
from whodunit.core.offer import Offer
from whodunit.core.rng import Stream
from whodunit.core.types import Action, Batch, Game
from whodunit.core.wire import encode
from whodunit.games.clue.model import Move, StayAndSuggest, Suggest, TakePassage
from whodunit.host.host import Host
from whodunit.host.live import Change, Live
from whodunit.host.timers import Timer
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.room import manners
from whodunit.room.entries import HandedOver, Laid, Sat
from whodunit.table.codec import read_action
from whodunit.table.seal import Seal

GAMES = ("clue", "perfect_alibi")
"""What is played, by turns: even deals are the first one's."""
SEATS = 4
NAMES = ("Ann", "Ben", "Cleo", "Dan")
HOUSE = -1
"""In place of a seat: the house gives the answer that is due."""
CLOSED = 100_000
"""From here on tables are numbered that are over."""
CLUE = tuple(range(0, 50, 2))
MIXED = tuple(range(25))
"""Deals of Clue alone, and of both."""


class BotTable(Struct, frozen=True):
    """A table at which bots alone play: one of them in the place of a person, the first of a group, who looks on."""

    table: str
    group: int
    game: str = "clue"
    options: dict[str, object] = {}
    level: str = "detective"


class WorldTables(Struct, frozen=True):
    """Tables in the worlds of `bench.server.worlds`, each with its question still to be asked."""

    kind: str
    first: int
    """The number of the first world."""
    count: int
    habit: bool = False
    """Whether the habit of whoever has a choice is stored apart from the question: a leak, put back to be found."""


class Staging(Struct, frozen=True):
    """How the site is to be found by a benchmark: what `stage.py` is told in one line of JSON."""

    store: str
    """`memory`, the path of a database, or the address of one that other nodes share."""
    port: int
    groups: int = 0
    """Of four people each."""
    games: int = 0
    """How many tables each group has ready: one after another, so that none becomes longer than games are."""
    seated: int | None = None
    """How many of the groups have tables, if not all."""
    deals: tuple[int, ...] = MIXED
    """What the tables play, by turns."""
    played: int = 0
    """How many moves each table has behind it; then they are forgotten, and have to be read when somebody comes."""
    spread: bool = False
    """Whether that is how many the oldest has, and the others are of every age below."""
    assisted: int = 0
    """How many of the tables show probabilities."""
    bots: tuple[BotTable, ...] = ()
    closed: int = 0
    """How many groups have a closed case of Clue besides."""
    played_out: int = 0
    """How many moves were made there."""
    worlds: WorldTables | None = None
    """By turns each group has a pair: three of its people play there, the fourth looks on."""
    haste: float = 0
    rate: float = 10_000.0
    """The limit on asks is in force, but no limit to a load."""
    limits: dict[str, object] = {}
    """As `--limit` sets them."""
    proxies: tuple[str, ...] = ()
    """Whose word is taken for where a visitor comes from: so visitors come from anywhere, and are not local."""
    ahead_ms: int = 0
    """How far the server's clock is ahead."""
    sweep_s: float | None = None
    """How often the house looks after what is due by the clock alone, if not as ever."""


class ScriptedMove(Struct, frozen=True):
    """One batch of a game: whose move brings it about, since when that is on offer, and the event it ends with."""

    seat: int
    since: int
    action: bytes
    last: int


class Hurried:
    """A clock for a house without pauses; what is due rings as soon as the loop is free."""

    def now(self) -> int:
        return 0

    def after(self, milliseconds: int, ring: Callable[[], object]) -> Timer:
        assert milliseconds == 0
        return asyncio.get_running_loop().call_soon(ring)


def table_id(number: int) -> str:
    return f"bench{number}"


def closed_id(number: int) -> str:
    return table_id(CLOSED + number)


def game_of(deal: int) -> str:
    return GAMES[deal % len(GAMES)]


async def lay(host: Host, number: int, deal: int, people: Sequence[str], assistance: Assistance = "paper") -> Live:
    """Lay a table with these people at it and begin; the same deal gives the same game."""
    sat = [Sat(at=0, seat=seat, person=people[seat], name=NAMES[seat], salt=f"{seat:032x}") for seat in range(SEATS)]
    laid = _laid(table_id(number), game_of(deal), f"bench server {deal}", (None,) * SEATS, assistance)
    return await _begun(host, await host.lay(table_id(number), laid, *sat), people[0])


async def lay_for_bots(host: Host, wanted: BotTable, person: str) -> Live:
    """Lay a table at which bots alone play."""
    sat = Sat(at=0, seat=0, person=person, name=NAMES[0], salt=f"{0:032x}")
    levels = (None, *(wanted.level,) * (SEATS - 1))
    laid = _laid(wanted.table, wanted.game, f"bots {wanted.table}", levels, options=wanted.options)
    live = await host.lay(wanted.table, laid, sat, HandedOver(at=0, seat=0, level=wanted.level, called=False))
    return await _begun(host, live, person)


def _laid(
    table: str,
    game: str,
    seed: str,
    levels: tuple[str | None, ...],
    assistance: Assistance = "paper",
    options: dict[str, object] | None = None,
) -> Laid:
    return Laid(
        at=0,
        game=game,
        options=options or {},
        levels=levels,
        public=False,
        assistance=assistance,
        pace="normal",
        code=f"CODE {table}",
        keys=tuple(f"key {table} {seat}" for seat in range(SEATS)),
        seal=Seal.from_seed(seed),
    )


async def _begun(host: Host, live: Live, person: str) -> Live:
    rules = live.game.INFO.rules
    await host.moves.begin(live, lambda room: manners.start(room, person, "random", rules, bots.VERSION, 0))
    return live


async def script(deal: int, length: int) -> list[ScriptedMove]:
    """Play a deal with random players until there are so many batches; return them without the opening one."""
    host = Host(MemoryStore(), MemoryBus(), Hurried(), haste=0)
    batches: list[Batch] = []
    grown = asyncio.Event()

    def note(change: Change) -> None:
        batches.extend(change.batches)
        grown.set()

    host.listeners.append(note)
    live = await lay(host, 0, deal, [f"person {seat}" for seat in range(SEATS)])
    assert live.table is not None
    draws = Stream(b"bench server %d" % deal)
    steps: list[ScriptedMove] = []
    while True:
        (seat,) = live.table.awaiting
        offers = live.table.offers[seat]
        if len(steps) >= length and not live.table.asked:
            break  # not while the house has still to answer: it would do so when the next game has begun
        before = len(batches)
        if live.table.asked:
            while len(batches) == before:  # the house answers; before that it may note what it will answer
                grown.clear()
                await asyncio.wait_for(grown.wait(), 5)
        else:
            action = choose(live.game, offers, draws)
            since = next(offer.since for offer in offers if offer.admits(action))
            await host.moves.act(live, seat, since, action)
            steps.append(ScriptedMove(seat, since, encode(action), batches[before].last))
            before += 1
        # However many answers the house has given meanwhile, each is a step.
        steps += [ScriptedMove(HOUSE, 0, b"", batch.last) for batch in batches[before:]]
    await host.close()
    return steps


def choose(game: Game, offers: Sequence[Offer], draws: Stream) -> Action:
    """Choose as people do who want to hear something: in Clue into a room where possible, and there a question."""
    kinds = {offer.action: offer for offer in offers}
    for keen in (Suggest, StayAndSuggest, TakePassage):
        if keen in kinds:
            return kinds[keen].sample(draws)
    if Move in kinds:
        ends = kinds[Move].actions()
        rooms = [end for end in ends if isinstance(end, Move) and isinstance(end.to, str)]
        return rooms[draws.below("room", len(rooms))] if rooms else kinds[Move].sample(draws)
    loud = (*game.INFO.final, *game.INFO.interrupts)  # which would end the game some day
    quiet = [offer for offer in offers if offer.action not in loud]
    return quiet[draws.below("offer", len(quiet))].sample(draws)


async def play(host: Host, live: Live, steps: Sequence[ScriptedMove]) -> None:
    """Do at a table what its script says; the house answers by itself."""
    for step in steps:
        if step.seat == HOUSE:
            host.leases.consider(live)  # nobody is there, and on a shared database no node answers without it
            while live.table is None or live.table.seq < step.last:  # noqa: ASYNC110  (one turn of the loop is enough)
                await asyncio.sleep(0)
        else:
            await host.moves.act(live, step.seat, step.since, read_action(step.action, live.game))


def ages(tables: int, played: int, *, spread: bool) -> list[int]:
    """Return how many moves each of so many tables has behind it."""
    return [number * played // tables if spread else played for number in range(tables)]


def parted(steps: Sequence[ScriptedMove], age: int) -> tuple[Sequence[ScriptedMove], Sequence[ScriptedMove]]:
    """Part a script in what has been played at an age, with the answers that the house gives to it, and the rest."""
    while age < len(steps) and steps[age].seat == HOUSE:
        age += 1
    return steps[:age], steps[age:]


def scripts(deals: Sequence[int], length: int) -> dict[int, list[ScriptedMove]]:
    """Return the script of every deal."""

    async def all_of_them() -> dict[int, list[ScriptedMove]]:
        return {deal: await script(deal, length) for deal in deals}

    return asyncio.run(all_of_them())
