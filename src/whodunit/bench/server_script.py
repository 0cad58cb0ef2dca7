"""What is played in `bench server`: tables with a known seal, and the moves that their seats will send.

A game is the same again for its seal and salts, also in what the house answers, so every script is found beforehand by
playing it through a Host. The load has no need to know a rule: it sends what is written.
"""

import asyncio
from collections.abc import Callable, Sequence

from msgspec import Struct

from whodunit import games
from whodunit.core.offer import Offer
from whodunit.core.rng import Stream
from whodunit.core.types import Action, Batch
from whodunit.core.wire import encode
from whodunit.games.clue.model import Accuse, Move, StayAndSuggest, Suggest, TakePassage
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.table import manners
from whodunit.table.clock import Timer
from whodunit.table.entries import Laid, Sat
from whodunit.table.host import Host
from whodunit.table.live import Change, Live
from whodunit.table.seal import Seal

GAME = "clue"
SEATS = 4
NAMES = ("Ann", "Ben", "Cleo", "Dan")
HOUSE = -1
"""In place of a seat: the house gives the answer that is due."""


class Step(Struct, frozen=True):
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


async def lay(host: Host, number: int, deal: int, people: Sequence[str]) -> Live:
    """Lay a table with these people at it and begin; the same deal gives the same game."""
    laid = Laid(
        at=0,
        game=GAME,
        options={},
        levels=(None,) * SEATS,
        public=False,
        assistance="paper",
        pace="normal",
        code=f"CODE{number}",
        keys=tuple(f"key {number} {seat}" for seat in range(SEATS)),
        seal=Seal.from_seed(f"bench server {deal}"),
    )
    sat = (Sat(at=0, seat=seat, person=people[seat], name=NAMES[seat], salt=f"{seat:032x}") for seat in range(SEATS))
    live = await host.lay(table_id(number), laid, *sat)
    rules = games.get(GAME).INFO.rules
    await host.begin(live, lambda room: manners.start(room, people[0], "random", rules, 1, 0))
    return live


async def script(deal: int, length: int) -> list[Step]:
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
    answers = live.game.INFO.answers
    draws = Stream(b"bench server %d" % deal)
    steps: list[Step] = []
    while True:
        (seat,) = live.table.awaiting
        offers = live.table.offers[seat]
        if len(steps) >= length and offers[0].action not in answers:
            break  # not while the house has still to answer: it would do so when the next game has begun
        before = len(batches)
        if offers[0].action in answers:
            while len(batches) == before:  # the house answers; before that it may note what it will answer
                grown.clear()
                await asyncio.wait_for(grown.wait(), 5)
        else:
            action = choose(offers, draws)
            since = next(offer.since for offer in offers if offer.admits(action))
            await host.act(live, seat, since, action)
            steps.append(Step(seat, since, encode(action), batches[before].last))
            before += 1
        # However many answers the house has given meanwhile, each is a step.
        steps += [Step(HOUSE, 0, b"", batch.last) for batch in batches[before:]]
    await host.close()
    return steps


def choose(offers: Sequence[Offer], draws: Stream) -> Action:
    """Choose as people do who want to hear something: into a room where possible, and there a question."""
    kinds = {offer.action: offer for offer in offers}
    for keen in (Suggest, StayAndSuggest, TakePassage):
        if keen in kinds:
            return kinds[keen].sample(draws)
    if Move in kinds:
        ends = kinds[Move].actions()
        rooms = [end for end in ends if isinstance(end, Move) and isinstance(end.to, str)]
        return rooms[draws.below("room", len(rooms))] if rooms else kinds[Move].sample(draws)
    quiet = [offer for offer in offers if offer.action is not Accuse]  # which would end the game some day
    return quiet[draws.below("offer", len(quiet))].sample(draws)


def scripts(deals: int, length: int) -> list[list[Step]]:
    """Return the script of every deal."""

    async def all_of_them() -> list[list[Step]]:
        return [await script(deal, length) for deal in range(deals)]

    return asyncio.run(all_of_them())
