"""A game's first case as data: which staged deal it is, and what is said at which moment of it.

The learner sits in seat 0. A page shows the steps; it needs to know nothing of the game for that.
"""

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from whodunit.core.notes import Assistance

Place: TypeAlias = Literal["now", "board", "notes", "log"]


class When(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A moment that can be seen without knowing a rule: all that is named here holds."""

    offer: str | None = None
    """This action is on offer to the learner."""
    least: int = 1
    """In so many ways at least: whoever has no choice is not told to choose."""
    event: str | None = None
    """An event of this type has been told."""
    fields: Mapping[str, tuple[Any, ...]] = {}
    """Of such an event: these of its fields have one of these values."""
    last: bool = False
    """Such an event is the last one told."""
    certain: tuple[str, int] | None = None
    """So many entries of this column of the learner's notes are a certain yes."""


class Sentence(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something that a step says besides, where it is so."""

    text: str
    when: When


class Step(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One thing that the guide says, once: of an event beside its line, else as long as the moment lasts."""

    text: str
    """A key of the lesson's texts. Whatever it states as a fact is so whenever the moment is there."""
    when: When
    at: Place
    more: tuple[Sentence, ...] = ()
    """What is so at some of these moments only."""


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """A staged game that ends early and shows every kind of moment worth teaching; `tests/lessons.py` chooses it."""

    seed: str
    """Of the seal, so that the deal and the bots are the same for everybody; hence nothing about it is promised."""
    bots: tuple[str, ...]
    """Their levels, from seat 1 on."""
    options: dict[str, Any]
    """Those that are not chosen at random alone and differ from the usual ones have a text `differs.<option>`."""
    assistance: Assistance
    steps: tuple[Step, ...]
    answer: tuple[str, int] | None = None
    """With so many certain entries in this column of the notes the case is solved; None: it is not solved by notes, so
    the guide advises nothing either."""
    claim: str | None = None
    """The event by which a player says what the solution is: what is proved only after it was a guess."""

    @property
    def taught(self) -> frozenset[str]:
        """What the guide explains how to do."""
        return frozenset(step.when.offer for step in self.steps if step.when.offer is not None)
