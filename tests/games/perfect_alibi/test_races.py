"""Slams, confirmations, accusations and ordinary moves in every order: settled as they arrive."""

from collections.abc import Iterator
from itertools import permutations
from typing import Any, Final, NamedTuple

import pytest

from whodunit.core.errors import Illegal
from whodunit.core.offer import Offer
from whodunit.core.rng import Rng
from whodunit.core.types import Action, Seat
from whodunit.games import get
from whodunit.games.perfect_alibi.facts import PACK
from whodunit.games.perfect_alibi.model import Accuse, Confirm, Over, Slam
from whodunit.table.table import Table

ALIBI: Final = get("perfect_alibi")
RACES: Final = 1000
SETTINGS: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"rival": True},
    {"answer_mode": "by_hand"},
    {"answer_mode": "by_hand", "rival": True},
    {"answer_mode": "by_hand", "unforgiving": True, "rival": True},
    {"cook_optional": True, "guess_limit_s": 20},
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
    awaited = next(iter(now.awaiting))
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


def run(now: Table, order: tuple[Wish, ...]) -> list[bool]:
    """Send the wishes in this order; check that each is settled at once or refused for one of the few good reasons."""
    done: list[bool] = []
    acted: set[Seat] = set()
    for wish in order:
        before = now
        try:
            now, batch = now.act(wish.seat, wish.since, wish.action)
        except Illegal:
            assert _may_be_refused(before, wish, acted), f"{wish} was refused after {acted}"
            done.append(False)
            continue
        assert batch.cause is not None
        assert (batch.cause.seat, batch.cause.action) == (wish.seat, wish.action)
        acted.add(wish.seat)
        done.append(True)
    return done


def _may_be_refused(now: Table, wish: Wish, acted: set[Seat]) -> bool:
    """The game is over, the player is out, it is no longer his move, or he has himself acted meanwhile."""
    if isinstance(now.state.phase, Over) or wish.seat in acted:
        return True
    if isinstance(wish.action, Slam | Accuse):
        return bool(now.state.out[wish.seat])
    if isinstance(wish.action, Confirm):
        return wish.action.question not in {n for some in now.state.challengeable for n in some}
    return bool(now.state.out[wish.seat]) or wish.seat not in now.awaiting


@pytest.mark.parametrize("part", range(10))
def test_a_thousand_races_are_settled_in_the_order_of_arrival(part: int) -> None:
    """ALIBI-50, 51, 61, 69, 70: refused only because the game is over or the player is out."""
    raced = 0
    number = part
    while raced < RACES // 10:
        now = table(number)
        number += 10
        if now.outcome is not None or not any(offer.action is Slam for o in now.offers for offer in o):
            continue
        sent = tuple(wishes(now, number))
        for order in permutations(sent):
            settled = run(now, order)
            assert settled[0], "the first to come is never refused"
        raced += 1


def test_a_move_composed_before_an_interrupt_is_still_accepted() -> None:
    """ALIBI-51: whoever was in the middle of a question loses nothing by another's slam or doubt."""
    kept = 0
    for number in range(60):
        now = table(number)
        if now.outcome is not None:
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
