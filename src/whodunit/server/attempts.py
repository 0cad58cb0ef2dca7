"""What one person has done of a case to solve, and on how many days in a row: values, and what changes them.

How a case is judged is not decided here: each claim and mark comes with its ruling.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from whodunit.cases.ruling import Heard, Proved, Ruling
from whodunit.core.cutting import Entry
from whodunit.core.errors import Refusal

MOST_TRIES: Final = 40
"""So many claims a case allows, and so many marks to be checked: what is kept of it has an end."""


class Tried(Struct, frozen=True):
    """A claim, after so many lines, and what was said of it."""

    turned: int
    claim: tuple[Entry, ...]
    ruling: Ruling | Heard


class CheckedMark(Struct, frozen=True):
    """A mark that was to be checked, after so many lines, and what was said of it."""

    turned: int
    row: str
    column: str
    held: bool
    ruling: Ruling


class Attempt(Struct, frozen=True):
    """A case as far as somebody has come with it."""

    started_at: int
    turned: int = 1
    """A claim may be made after any line, so the first is turned from the start."""
    tries: tuple[Tried, ...] = ()
    hints: tuple[CheckedMark, ...] = ()
    ended_at: int | None = None
    solved: bool = False

    @property
    def state(self) -> Literal["begun", "solved", "missed"]:
        return "begun" if self.ended_at is None else "solved" if self.solved else "missed"

    @property
    def guesses(self) -> int:
        """How many claims were not what solved it."""
        return len(self.tries) - (self.solved and bool(self.tries))


def turn(attempt: Attempt, total: int) -> Attempt:
    """Turn one line more."""
    if attempt.turned >= total:
        raise Refusal("last_line")
    return replace(attempt, turned=attempt.turned + 1)


def claim(attempt: Attempt, tried: Tried, total: int, now: int, *, is_right: Callable[[], bool]) -> Attempt:
    """Take in a claim with its ruling; it ends the case when it is proved, is the last that can be, or is only heard.

    Whether it is right is asked where nothing can be proved, and so the one claim has ended the case in any event.
    """
    tried_now = replace(attempt, tries=(*attempt.tries, tried))
    match tried.ruling:
        case Proved():
            return replace(tried_now, ended_at=now, solved=True)
        case Heard():
            return replace(tried_now, ended_at=now, solved=is_right())
        case _:
            return give_up(tried_now, now) if attempt.turned >= total else tried_now


def check(attempt: Attempt, checked: CheckedMark) -> Attempt:
    """Take in a mark with its ruling."""
    return replace(attempt, hints=(*attempt.hints, checked))


def give_up(attempt: Attempt, now: int) -> Attempt:
    """End it unsolved."""
    return replace(attempt, ended_at=now)


def refuse_too_many(done: tuple[object, ...]) -> None:
    """Refuse one claim or mark more than a case allows."""
    if len(done) >= MOST_TRIES:
        raise Refusal("too_many_tries")


# --- Days -----------------------------------------------------------------------------------------------------------


def day_at(now: int) -> str:
    """Return the date in UTC at a moment in milliseconds."""
    return datetime.fromtimestamp(now // 1000, UTC).date().isoformat()


def day_after(day: str, days: int = 1) -> str:
    """Return the date so many days later."""
    return (date.fromisoformat(day) + timedelta(days)).isoformat()


def begins_at(day: str) -> int:
    """Return the moment, in milliseconds, at which a date begins in UTC."""
    return int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()) * 1000


class Streak(Struct, frozen=True):
    """On how many days in a row somebody has solved a case of the day on that very day."""

    last: str = ""
    """The last of these days; empty: there is none."""
    length: int = 0
    best: int = 0

    def on(self, day: str) -> "Streak":
        """Return it with one day more."""
        if day <= self.last:
            return self
        length = self.length + 1 if self.last and day == day_after(self.last) else 1
        return Streak(day, length, max(self.best, length))

    def running(self, today: str) -> int:
        """Return how long it is now: today's may still come."""
        return self.length if self.last and today <= day_after(self.last) else 0
