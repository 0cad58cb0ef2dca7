"""What each person and each household may use of the house: counted on every node, and told to the others."""

import hashlib
import hmac
from collections.abc import Collection, Mapping
from functools import lru_cache
from math import ceil
from typing import Final

from whodunit.core.errors import Refusal
from whodunit.core.ports import Leases
from whodunit.server.limits import Limits
from whodunit.server.rate_limit import RateLimits

PRACTICE: Final = (1.0, 4)
"""How many falls a second a person may practise with, after so many at once."""
PERSON_TABLES: Final = 20
"""So many tables a person may lay at once."""
HOUSEHOLD_TABLES: Final = 100
"""And all who share a line: a new person is only a cookie away, and a school has one line."""
BURST_S: Final = 300
"""What may be written within so many seconds may be written at once."""
SPARE: Final = 0.25
"""The share of what may be written at once that is kept for moves of running games."""
TABLE_BYTES: Final = 36_000
"""What a new table is counted as: with it comes a game, most of it written by bots and the house."""
MOVE_BYTES: Final = 1_500
"""What a move is counted as, however long: the answers it asks for, and the moves of bots behind it. Were its length
counted, whoever shares the household could learn from what is left how long the name of a card is."""
BOT_BYTES: Final = 500
"""What a bot's move is counted as at a table where no person plays."""
WORD_BYTES: Final = 300
"""What anything else is counted as, beyond its own length."""
STEP_BYTES: Final = 256
"""A length is counted in whole steps of this, as pages fill up what they ask."""


class Quotas:
    """Counts by digests: who somebody is, and where from, is nobody's business, not even on the way to other nodes."""

    def __init__(self, key: bytes, limits: Limits, nodes: Leases) -> None:
        self._key = key
        self._limits = {
            "tries": RateLimits(rate=0.5, burst=20),
            "cases": RateLimits(rate=0.2, burst=20),
            "falls for a person": RateLimits(*PRACTICE),
            "falls for a household": RateLimits(limits.practice_household, limits.practice_burst),
            "tables of a person": RateLimits(limits.tables_person / 60, PERSON_TABLES),
            "tables of a household": RateLimits(limits.tables_household / 60, HOUSEHOLD_TABLES),
            "written by a person": RateLimits(limits.written_person, BURST_S * limits.written_person),
            "written by a household": RateLimits(limits.written_household, BURST_S * limits.written_household),
        }
        nodes.take_used = self.take_used
        nodes.hear_used = self.hear_used

    def admits(self, what: str, who: str, cost: float = 1.0, *, spare: float = 0.0) -> bool:
        """Count what this costs for somebody, or say that it is too much."""
        return self._limits[what].admits(_digest(self._key, what, who), cost, spare=spare)

    def admit_table(self, person: str, household: str) -> None:
        """Count one more table, or refuse it."""
        if not (
            self.admits("tables of a person", person)
            and self.admits("tables of a household", household)
            and self._may_write(person, household, TABLE_BYTES, SPARE)
        ):
            raise Refusal("too_many_tables")

    def admits_practice(self, person: str, household: str) -> bool:
        """Count one more fall to train an ear on, or say that it is too much."""
        return self.admits("falls for a person", person) and self.admits("falls for a household", household)

    def admits_move(self, person: str, household: str) -> bool:
        """Count a move of a running game, or say that it is too much."""
        return self._may_write(person, household, MOVE_BYTES, 0.0)

    def admits_bots(self, households: Collection[str]) -> bool:
        """Count a bot's move where no person plays, for whoever has the table open; or say that it must wait."""
        counted = [each for each in households if each]  # not the host's own
        return all(self.admits("written by a household", each, BOT_BYTES, spare=SPARE) for each in counted)

    def admits_words(self, person: str, household: str, length: int) -> bool:
        """Count something that is said, noted or set, or say that it is too much: that gives way to moves."""
        return self._may_write(person, household, WORD_BYTES + STEP_BYTES * ceil(length / STEP_BYTES), SPARE)

    def _may_write(self, person: str, household: str, cost: float, spare: float) -> bool:
        mine = self.admits("written by a person", person, cost, spare=spare)
        return mine and self.admits("written by a household", household, cost, spare=spare)

    def take_used(self) -> dict[str, dict[str, float]]:
        """Return what has been used here since this was last asked, by limit and digest."""
        told = {what: limits.take_used() for what, limits in self._limits.items()}
        return {what: used for what, used in told.items() if used}

    def hear_used(self, told: Mapping[str, Mapping[str, float]]) -> None:
        """Count what has been used on another node."""
        for what, used in told.items():
            if what in self._limits:  # another version may have others
                self._limits[what].take(used)


@lru_cache(maxsize=8192)
def _digest(key: bytes, what: str, who: str) -> str:
    return hmac.new(key, f"{what} {who}".encode(), hashlib.sha256).hexdigest()[:16]
