"""When an asked seat answers: at a moment drawn before anybody looks at a hand, so that it tells nothing about one."""

import hmac
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from whodunit.core.offer import Offer
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Action, Game, Seat
from whodunit.table.table import Table

Pace: TypeAlias = Literal["quick", "normal", "steady", "unhurried"]
"""How long answers take; unhurried: whoever can choose takes as long as they like, which can be read."""

SECONDS: Final[dict[Pace, tuple[int, int]]] = {
    "quick": (2, 5),
    "normal": (4, 10),
    "steady": (15, 30),
    "unhurried": (4, 10),
}


def answers(game: Game, offers: tuple[Offer, ...]) -> tuple[Offer, ...]:
    """Return the answers that are due, without the interrupts that stand beside them."""
    return tuple([offer for offer in offers if offer.action in game.INFO.answers])


def forced(due: tuple[Offer, ...]) -> Action | None:
    """Return the only one of these answers, or None where the seat has a choice."""
    return due[0].at(0) if len(due) == 1 and due[0].count == 1 else None


def moment(pace: Pace, haste: float, rng: Rng) -> int:
    """Draw after how many milliseconds an asked seat answers."""
    least, most = (1000 * seconds for seconds in SECONDS[pace])
    return round(haste * (least + rng.below("moment", most - least + 1)))


def chance(table: Table, seat: Seat) -> Rng:
    """Return draws for a seat's answer, from a seed of its own: they say nothing about the deal."""
    return Rng(_seed(table.seed, seat), table.seq)


@lru_cache(maxsize=4096)
def _seed(seed: bytes, seat: Seat) -> bytes:
    return hmac.digest(seed, f"pace|{seat}".encode(), "sha256")


# --- Limits ----------------------------------------------------------------------------------------------------------


def by_time(table: Table) -> Offer | None:
    """Return what time does if nobody acts before, or None where no time runs."""
    return None if table.outcome else next(iter(table.offers[TABLE]), None)


def typed(game: Game, due: tuple[Offer, ...]) -> type[Action] | None:
    """Return which of these answers is typed: a choice in every world, so its player is waited for."""
    return next((offer.action for offer in due if offer.action in game.INFO.limits), None)


def limit(table: Table, action: type[Action], haste: float) -> int:
    """Return after how many milliseconds time does this."""
    seconds: int = getattr(table.views[TABLE].options, table.game.INFO.limits[action])
    return round(1000 * haste * seconds)
