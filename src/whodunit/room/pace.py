"""How fast a table plays: when an asked seat answers, drawn before anybody looks at a hand, and how long turns take."""

import hmac
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from msgspec import Meta, Struct

from whodunit.core.offer import Offer
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Action, Game, Seat
from whodunit.table.table import Table

Pace: TypeAlias = Literal["at_once", "brisk", "quick", "normal", "steady", "slow", "unhurried"]
"""How fast a table plays. Unhurried: every person who is asked takes as long as they like, choice or none."""
SOLO: Final[frozenset[Pace]] = frozenset({"at_once", "brisk"})
"""For one person among bots, whom nobody watches: bots do not dawdle, and the person is waited for."""


class Tempo(NamedTuple):
    """The moments of a pace, in milliseconds; least and most, between which one is drawn before anybody thinks."""

    beat: int
    """What a bot thinks of late is made known at whole beats, so that nobody reads how long it thought."""
    answer: tuple[int, int]
    """How long an asked seat takes to answer."""
    turn: tuple[int, int] = (900, 2200)
    """How long a bot takes over a move of its own turn."""


TEMPI: Final[Mapping[Pace, Tempo]] = MappingProxyType(
    {
        "at_once": Tempo(beat=100, answer=(100, 100), turn=(100, 100)),
        "brisk": Tempo(beat=500, answer=(500, 500), turn=(500, 500)),
        "quick": Tempo(beat=1000, answer=(2000, 5000)),
        "normal": Tempo(beat=1000, answer=(4000, 10_000)),
        "steady": Tempo(beat=1000, answer=(15_000, 30_000)),
        "slow": Tempo(beat=1000, answer=(120_000, 600_000)),
        "unhurried": Tempo(beat=1000, answer=(4000, 10_000)),
    }
)

DAY_S: Final = 24 * 60 * 60


class Untimed(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="untimed"):
    """Everybody takes as long as they like over a move."""


class Bank(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="bank"):
    """Everybody has so much time for all their moves together, and gets some more with each."""

    bank_s: Annotated[int, Meta(ge=10, le=3 * 60 * 60)]
    increment_s: Annotated[int, Meta(ge=0, le=600)]
    answer_s: Annotated[int, Meta(ge=10, le=60 * 60)] = 60
    """The answer clock: how long an answer that must be typed, or is unhurried, is waited for."""

    @property
    def whole(self) -> int:
        """With how many milliseconds everybody begins."""
        return 1000 * self.bank_s

    def after_move(self, left: int) -> int:
        """Return how much somebody has left after a move that took them down to `left`."""
        return left + 1000 * self.increment_s


class Days(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="days"):
    """Everybody has so many days for each move; such a table never sleeps."""

    days: Annotated[int, Meta(ge=1, le=14)]
    answer_s: Annotated[int, Meta(ge=10, le=14 * DAY_S)] = DAY_S

    @property
    def whole(self) -> int:
        """With how many milliseconds every move begins."""
        return 1000 * DAY_S * self.days

    def after_move(self, left: int) -> int:  # noqa: ARG002  (as of a bank)
        """Return how much somebody has left for the next move."""
        return self.whole


Allowance: TypeAlias = Untimed | Bank | Days
"""How much time a table gives for moves; answers have their own clock."""


def answer_offers(game: Game, offers: tuple[Offer, ...]) -> tuple[Offer, ...]:
    """Return the answers that are due, without the interrupts that stand beside them."""
    return tuple([offer for offer in offers if offer.action in game.INFO.answers])


def waited_since(table: Table, seat: Seat) -> int | None:
    """Return since when the game waits for something of the seat's that is no interrupt."""
    interrupts = table.game.INFO.interrupts
    return min((offer.since for offer in table.offers[seat] if offer.action not in interrupts), default=None)


def delay(tempo: Tempo, haste: float, rng: Rng) -> int:
    """Draw after how many milliseconds an asked seat answers."""
    least, most = tempo.answer
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


def limit(table: Table, action: type[Action], allowance: Allowance, haste: float) -> int:
    """Return after how many milliseconds time does this."""
    if isinstance(allowance, Days) and table.awaiting != {TABLE}:
        return allowance.whole  # a game's own limits are meant for people who sit there
    seconds: int = getattr(table.views[TABLE].options, table.game.INFO.limits[action])
    return round(1000 * haste * seconds)


def answer_limit(
    table: Table, due: tuple[Offer, ...], allowance: Allowance, haste: float, *, patient: bool
) -> int | None:
    """Return after how many milliseconds an answer is given for a player who has not given it; None: at its moment.

    That an answer is typed is the same in every world, and so is that the table is patient: that it waits for the
    player, whether or not there is a choice.
    """
    kind = typed(table.game, due)
    if kind is None and not patient:
        return None
    if not isinstance(allowance, Untimed):
        return round(1000 * haste * allowance.answer_s)
    return None if kind is None else limit(table, kind, allowance, haste)
