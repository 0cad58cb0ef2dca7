"""When an asked seat answers: at a moment drawn before anybody looks at a hand, so that it tells nothing about one."""

from typing import Final, Literal, TypeAlias

from whodunit.core.offer import Offer
from whodunit.core.rng import Rng
from whodunit.core.types import Action, Game, Seat
from whodunit.table.table import Table

Pace: TypeAlias = Literal["quick", "normal", "steady", "unhurried"]
"""How long answers take; unhurried: whoever can choose takes as long as they like, which can be read."""

SECONDS: Final[dict[Pace, tuple[int, int]]] = {
    "quick": (2, 5),
    "normal": (4, 10),
    "steady": (15, 30),
    "unhurried": (4, 10),
}


def is_asked(game: Game, offers: tuple[Offer, ...]) -> bool:
    """Say whether a seat with these offers is asked; the same in every world, as the offered types are."""
    return any(offer.action in game.INFO.answers for offer in offers)


def answers(game: Game, offers: tuple[Offer, ...]) -> tuple[Offer, ...]:
    """Return the answers that are due, without the interrupts that stand beside them."""
    return tuple(offer for offer in offers if offer.action in game.INFO.answers)


def asked(table: Table) -> tuple[Seat, ...]:
    """Return the seats that are asked for an answer."""
    return tuple(seat for seat in sorted(table.awaiting) if is_asked(table.game, table.offers[seat]))


def forced(game: Game, offers: tuple[Offer, ...]) -> Action | None:
    """Return the only answer there is, or None where the seat has a choice."""
    due = answers(game, offers)
    return due[0].at(0) if len(due) == 1 and due[0].count == 1 else None


def moment(pace: Pace, haste: float, rng: Rng) -> int:
    """Draw after how many milliseconds an asked seat answers."""
    least, most = (1000 * seconds for seconds in SECONDS[pace])
    return round(haste * (least + rng.below("moment", most - least + 1)))
