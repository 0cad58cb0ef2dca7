"""Games of random players, for tests that need a whole one."""

from typing import Any

from whodunit.arena import play_case
from whodunit.bots import VERSION
from whodunit.core.types import Seat
from whodunit.table.case import Bot, Case, open_case
from whodunit.table.seal import Seal


def opened(seats: int = 3, *, seed: str = "test", salts: tuple[str, ...] = (), **options: Any) -> Case:
    return open_case("clue", seats, options, Seal.from_seed(seed), salts)


def played(seats: int = 3, *, seed: str = "test", salts: tuple[str, ...] = (), **options: Any) -> Case:
    """Play a game to its end, soon."""
    bots = tuple(Bot(seat, "random", VERSION) for seat in range(seats))
    case = open_case("clue", seats, {"max_turns": 30, **options}, Seal.from_seed(seed), salts, bots)
    return play_case(case, lambda *_: None)


def any_step(case: Case, seat: Seat | None = None) -> Case:
    """Do the first thing on offer."""
    seat = case.awaiting[0] if seat is None else seat
    return case.step(seat, case.legal(seat)[0].at(0))
