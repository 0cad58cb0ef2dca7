"""Slams, confirmations, accusations and ordinary moves in every order: settled as they arrive."""

import asyncio
from collections.abc import Iterator, Sequence
from itertools import count, islice
from math import factorial
from typing import Any, Final, NamedTuple

import pytest

from tests.server.sites import FakeClock
from tests.server.worlds import begun
from whodunit.core.errors import Illegal
from whodunit.core.offer import Offer
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Action, Cause, Seat
from whodunit.games import get
from whodunit.games.perfect_alibi.facts import PACK
from whodunit.games.perfect_alibi.model import Accuse, Confirm, Over, Slam
from whodunit.host.host import Host
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.table.table import Table

ALIBI: Final = get("perfect_alibi")
RACES: Final = 1000
PEOPLE: Final = ("ada", "bob", "cleo", "dora", "emil")
SETTINGS: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"rival": True},
    {"answer_mode": "by_hand"},
    {"answer_mode": "by_hand", "rival": True},
    {"answer_mode": "by_hand", "unforgiving": True, "rival": True},
    {"cook_optional": True, "guess_limit_s": 20},
    {"rival": True, "slam_window_s": 5, "turn_limit_s": 30},
)


class Wish(NamedTuple):
    """What a seat sends, composed from an offer that stood when the race began."""

    seat: Seat
    since: int
    action: Action


def table(number: int) -> Table:
    """Play some moves, no two games alike, so that races are run in every phase."""
    options = SETTINGS[number % len(SETTINGS)]
    seats = 3 + number % 3
    now, _ = Table.open(ALIBI, seats, ALIBI.INFO.parse(seats, options), number.to_bytes(4, "big"))
    rng = Rng(b"race", number)
    moves = seats + 1 + rng.below("moves", 30)
    for move in range(moves):
        if now.outcome is not None:
            break
        (seat,) = now.awaiting
        offers = _calm(now, seat)
        offer = offers[rng.below(f"offer {move}", len(offers))]
        now, _ = now.act(seat, offer.since, offer.at(rng.below(f"action {move}", offer.count)))
    return now


def _calm(now: Table, seat: Seat) -> list[Offer]:
    calm = [offer for offer in now.offers[seat] if offer.action not in (Slam, Accuse)]
    return [offer for offer in calm if offer.action.__name__ not in ("AskLast", "Confirm")] or calm


def wishes(now: Table, number: int) -> Iterator[Wish]:
    """Return up to four wishes that are all on offer: slams, a confirmation or accusation, and the move waited for."""
    rng = Rng(b"wishes", number)
    (awaited,) = now.awaiting
    if awaited != TABLE:
        offer = _calm(now, awaited)[0]
        yield Wish(awaited, offer.since, offer.at(rng.below("move", offer.count)))
    active = [seat for seat in range(now.seats) if any(offer.action is Slam for offer in now.offers[seat])]
    for place, seat in enumerate(rng.shuffled("slammers", active)[:2]):
        slam = next(offer for offer in now.offers[seat] if offer.action is Slam)
        yield Wish(seat, slam.since, Slam(PACK[rng.below(f"card {place}", len(PACK))]))
    for seat in rng.shuffled("doubters", range(now.seats)):
        doubts = [offer for offer in now.offers[seat] if offer.action in (Confirm, Accuse)]
        if doubts:
            yield Wish(seat, doubts[0].since, doubts[0].at(rng.below("doubt", doubts[0].count)))
            return


def sent(now: Table, wish: Wish) -> Table | None:
    """Send one wish; return what comes of it, or None if it is refused: the game is over or the player is out."""
    try:
        after, batch = now.act(*wish)
    except Illegal:
        assert isinstance(now.state.phase, Over) or now.state.out[wish.seat], f"{wish} was refused"
        return None
    assert batch.cause == Cause(wish.seat, wish.action)
    return after


def race(now: Table, rest: tuple[Wish, ...]) -> int:
    """Send the wishes in every order; return how many orders there are."""
    if not rest:
        return 1
    return sum(race(sent(now, wish) or now, (*rest[:place], *rest[place + 1 :])) for place, wish in enumerate(rest))


def races(number: int, step: int) -> Iterator[tuple[int, Table, tuple[Wish, ...]]]:
    """Yield tables at which something can race, without end, and what is wished for there."""
    for each in count(number, step):
        now = table(each)
        if now.outcome is None and any(offer.action is Slam for offers in now.offers for offer in offers):
            yield each, now, tuple(wishes(now, each))


class Forgetful(MemoryStore):
    """Keeps nothing, so that a table can be put before the host as it stands in the middle of a game."""

    async def append(self, *_: Any, **__: Any) -> None:
        pass


async def through(host: Host, number: int, now: Table, order: Sequence[Wish]) -> None:
    """Send the wishes to the host, all at once in this order: stored one by one, they come out as they should."""
    people, options = PEOPLE[: now.seats], SETTINGS[number % len(SETTINGS)]
    live = await begun(host, people, number, game="perfect_alibi", options=options)
    live.table = now
    done = await asyncio.gather(*(host.moves.act(live, *wish) for wish in order), return_exceptions=True)
    for wish, refused in zip(order, done, strict=True):
        after = sent(now, wish)
        assert isinstance(refused, Illegal) == (after is None), refused
        now = after or now
    assert live.table == now


@pytest.mark.parametrize("part", range(10))
def test_a_thousand_races_are_settled_in_the_order_of_arrival(part: int) -> None:
    """ALIBI-50, 51, 61, 69, 70: in every order, and one order through the host, which draws answers' moments too.

    Refused only because the game is over or the player is out.
    """

    async def scene() -> None:
        host = Host(Forgetful(), MemoryBus(), FakeClock())
        for number, now, wished in islice(races(part, 10), RACES // 10):
            assert all(sent(now, wish) is not None for wish in wished), "the first to come is never refused"
            assert race(now, wished) == factorial(len(wished))
            await through(host, number, now, Rng(b"order", number).shuffled("order", wished))
        await host.close()

    asyncio.run(scene())


def test_a_move_composed_before_an_interrupt_is_still_accepted() -> None:
    """ALIBI-51: whoever was in the middle of a question loses nothing by another's slam or doubt."""
    kept = 0
    for number in range(60):
        now = table(number)
        if now.outcome is not None:
            continue
        if now.awaiting == {TABLE}:
            continue
        move, *others = wishes(now, number)
        for other in others:
            if other.seat == move.seat:
                continue
            after, _ = now.act(other.seat, other.since, other.action)
            if after.outcome is None:
                after.act(move.seat, move.since, move.action)
                kept += 1
    assert kept > 40
