"""When an asked seat answers: at a moment drawn before anybody looks at a hand, so that it tells nothing about one."""

from typing import Final, Literal, TypeAlias

from whodunit.core.offer import Offer
from whodunit.core.rng import Rng
from whodunit.core.types import Action, Game

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
