"""What one person has made of a deal that others play, too, as it is kept on a leaf; and who is how good at it."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from whodunit.core.ports import Leaf
from whodunit.core.wire import encode
from whodunit.review.figures import Figures
from whodunit.room.entries import SharedDeal


class Result(Struct, frozen=True):
    """How somebody did."""

    name: str
    """As the table had it."""
    figures: Figures
    left: bool
    """Whether a bot played for them at some time: then they have no place among the others."""
    late: bool
    """Whether the day of the challenge was over before."""
    luck: float | None = None
    """In bits, what answers and others' turns told beyond what could be expected; None: it is not known yet."""
    skill: float | None = None
    """What the questions could be expected to tell, as a share of the most on offer; None: not known, or none asked."""

    @property
    def counts(self) -> bool:
        return not (self.left or self.late)


class Tried(Struct, frozen=True):
    """One person's one try."""

    table: str
    result: Result | None = None


_TRIED: Final = msgspec.json.Decoder(Tried)


def leaf_of(deal: SharedDeal, person: str, version: int, tried: Tried) -> Leaf:
    """Return the leaf on which a try is kept."""
    return Leaf(
        shelf=deal.kind,
        item=deal.item,
        person=person,
        version=version,
        done=tried.result is not None,
        body=encode(tried),
    )


def tried_on(leaf: Leaf) -> Tried:
    """Return the try that is kept on a leaf."""
    return _TRIED.decode(leaf.body)


class Ranked(NamedTuple):
    """A try with its place; None: it has none."""

    place: int | None
    leaf: Leaf
    tried: Tried
    result: Result


def ranked(leaves: Sequence[Leaf]) -> list[Ranked]:
    """Rank tries that are done: by the win, then winners by own turns, then all by the chance given to the truth.

    Points decide where no truth is named. Luck never does. Who is as good as another has the same place; whoever let a
    bot play, or came too late, has none.
    """
    done = [(leaf, tried, tried.result) for leaf in leaves for tried in [tried_on(leaf)] if tried.result is not None]
    done.sort(key=lambda one: (not one[2].counts, _order(one[2].figures), one[2].name))
    orders = [_order(result.figures) for _, _, result in done]
    return [
        Ranked(orders.index(_order(result.figures)) + 1 if result.counts else None, leaf, tried, result)
        for leaf, tried, result in done
    ]


def _order(figures: Figures) -> tuple[bool, int, int, int]:
    """Order by who won, and among those by turns: who lost has not been quick."""
    turns = figures.turns if figures.won else 0
    return not figures.won, turns, -(figures.chance or 0), -(figures.points or 0)


# --- Days -----------------------------------------------------------------------------------------------------------


def day_of(now: int) -> str:
    """Return the UTC day of a moment."""
    return datetime.fromtimestamp(now / 1000, UTC).date().isoformat()


def ends(day: str) -> int:
    """Return when a UTC day is over."""
    midnight = datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC) + timedelta(days=1)
    return int(midnight.timestamp() * 1000)
