"""A game's first case as data: which staged deal it is, and what is said at which moment of it.

The learner sits in seat 0. A page shows the steps; it needs to know nothing of the game for that.
"""

from typing import Any, Literal, TypeAlias

from msgspec import Struct

from whodunit.core.notes import Assistance

Place: TypeAlias = Literal["now", "board", "hand", "notes", "log"]


class When(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A moment that can be seen without knowing a rule: all that is named here holds."""

    offer: str | None = None
    """This action is on offer to the learner."""
    event: str | None = None
    """An event of this type has been told."""
    fields: dict[str, tuple[Any, ...]] = {}
    """Of such an event: these of its fields have one of these values."""
    last: bool = False
    """Such an event is the last one told."""
    certain: tuple[str, int] | None = None
    """So many entries of this column of the learner's notes are a certain yes."""


class Step(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One thing that the guide says, once."""

    text: str
    """A key of the lesson's texts."""
    when: When
    at: Place


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """A staged game that ends early and shows every kind of moment worth teaching; `tests/lessons.py` chooses it."""

    seed: str
    """Of the seal, so that the deal and the bots are the same for everybody; hence nothing about it is promised."""
    bots: tuple[str, ...]
    """Their levels, from seat 1 on."""
    options: dict[str, Any]
    assistance: Assistance
    steps: tuple[Step, ...]
    answer: tuple[str, int] | None = None
    """With so many certain entries in this column of the notes the case is solved; None: it is not solved by notes."""
    advice: dict[str, dict[str, Any]] = {}
    """By the last event told, as long as everything happens as it was staged: a good way for the learner to go on."""
