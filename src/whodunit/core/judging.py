"""What a decision promised and what else was on offer, as data: a game weighs actions in it, a review grades them.

Everything here follows from what one seat had seen before it decided; how things came out is no part of it.
"""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from whodunit.core.types import Action, Event, Message

EVEN: Final = 1e-9
"""What differs by less promises the same."""
MOST_SHOWN: Final = 3
Unit: TypeAlias = Literal["bits", "points", "chance"]
"""What a choice is measured in: information about the case, the game's own points, or the chance to win."""
Weighing: TypeAlias = Literal["likely", "logic"]
"""How worlds count: each with its likelihood, or each that is possible once."""
Showing: TypeAlias = Literal["even", "seen_first"]
"""What a belief takes for granted of whoever chooses among cards to show: an even choice, or first what was seen."""


class Reply(Struct, frozen=True):
    """One way in which an action may be answered, as a viewer would see it."""

    events: tuple[Event, ...]
    """What is then seen, as the belief learns it and `tell` tells it."""
    chance: float
    left: float
    """How many bits are then missing to know the solution."""
    top: float
    """How likely the likeliest solution then is."""
    line: Message | None = None
    """What happens then in a few words, where the line of its last event does not say it."""


class Prospect(Struct, frozen=True):
    """What one action promises."""

    action: Action
    value: float
    """In the unit of the choice: what it brings, and what it leads to."""
    gain: float = 0.0
    """How many bits about the case it may be expected to tell at once."""
    error: float = 0.0
    """The standard error of the value where it rests on samples; 0: the value is exact."""


class Measure(Struct, frozen=True):
    """From where on a loss is called a blunder; the milder labels follow from it (`review/labels.py`)."""

    loss: float
    """A blunder loses more than this."""
    share: float
    """And keeps less than this share of what was on offer."""
    least: float = 0.2
    """What is on offer counts for no less than this, when shares are taken: of nearly nothing nothing is lost."""
    stroke: float | None = None
    """The best is a masterstroke if it is so much above the average of all that was on offer; None: never."""


class Choice(Struct, frozen=True):
    """A decision, and what else was on offer when it was made."""

    kind: str
    """What was chosen: the review says it in words under `review.kind.<kind>`."""
    unit: Unit
    taken: Prospect
    best: tuple[Prospect, ...]
    """The most promising ones on offer, the best first, what was done among them if it is one of these; three, if as
    many that differ were on offer."""
    spread: float
    """How much the best is above the worst on offer: where that is nothing, there was nothing to decide."""
    typical: float
    """What all on offer promise on average: as if one of them had been drawn."""
    offered: float
    """The most bits that could be had at once in this turn, from where the decision was made."""
    measure: Measure
    stake: float | None = None
    """What a loss is measured by; None: what the best promises."""
    replies: tuple[Reply, ...] = ()
    """How what was done may be answered."""
    assumes: tuple[Message, ...] = ()
    """What this takes for granted, where it is no plain counting."""


class Trace(Struct, frozen=True):
    """Of an event of a closed case that could be heard: what was true, and what the trained listener makes of it."""

    seq: int
    truth: str
    """As a word of the game."""
    guess: str | None
    """What the listener would say; None: nobody can hear it any more, as the case no longer carries it."""
    chance: float
    """How likely the listener calls what was true."""


def gained(before: float, replies: tuple[Reply, ...]) -> float:
    """Return how many bits replies may be expected to tell, if so many are missing before."""
    return before - sum(reply.chance * reply.left for reply in replies) if replies else 0.0


def three_best(prospects: Sequence[Prospect], taken: Prospect) -> tuple[Prospect, ...]:
    """Return the three most promising ones that differ in what they promise; of equals what was done, or the first."""
    found: list[Prospect] = []
    for prospect in sorted(prospects, key=lambda prospect: (-prospect.value, prospect.action != taken.action)):
        if not found or found[-1].value - prospect.value > EVEN:
            found.append(prospect)
        if len(found) == MOST_SHOWN:
            break
    if abs(found[0].value - taken.value) <= EVEN:
        found[0] = taken
    return tuple(found)
