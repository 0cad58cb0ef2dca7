"""The shelf of cases to solve: one for each day and game, made ahead, kept for ever, and proved again when it is read.

A day's cases follow from its date, so of several nodes any may make them; who comes second takes what is kept. What is
kept is never made again, also not when it is damaged: then it is left out, and whoever watches over the house is told.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from typing import Final, NamedTuple

from whodunit import games
from whodunit.cases.days import GENERATIONS
from whodunit.core.errors import Conflict, Damaged, NotStored, Refusal
from whodunit.core.ports import Leaf, Store
from whodunit.server.attempts import day_after, day_at
from whodunit.server.case_work import Kept, Ordered, Proven, Rejected, make, prove
from whodunit.server.housekeeping import survived
from whodunit.server.workers import Workers

LOG = logging.getLogger(__name__)
SHELF: Final = "case"
AT_HAND: Final = 64
"""So many cases stay in memory, whole; of all others that were read only what a card says."""
AGAIN_MS: Final = 60 * 60 * 1000
"""After how long it is tried again to make a case, or to read a damaged one: somebody may have seen to it."""
DAYS: Final = 31
"""So many past days are read after the start, before anybody asks."""


class Facts(NamedTuple):
    """What a card says of a case, and its par, which it says later."""

    seats: int
    total: int
    par: int


class CaseName(NamedTuple):
    """What a case of a day is called by: its date and its game."""

    day: str
    game: str

    def __str__(self) -> str:
        return f"{self.day}.{self.game}"

    @property
    def weekday(self) -> int:
        """Return the day of the week, from Monday as 1."""
        return date.fromisoformat(self.day).isoweekday()


def named(case: str) -> CaseName | None:
    """Return what a case is called by; None, if none can be called so."""
    day, _, game = case.partition(".")
    with suppress(ValueError):
        if date.fromisoformat(day).isoformat() == day and game:
            return CaseName(day, game)
    return None


def games_with_cases() -> tuple[str, ...]:
    """Return the games from which cases can be made here, in the order of their doors."""
    return tuple(id for id in games.playable() if getattr(games.get(id), "CUTS", None) is not None)


class _Fault(NamedTuple):
    since: int
    what: str


class Shelf:
    """Has the cases of days made, and reads them."""

    def __init__(
        self, store: Store, workers: Workers, now: Callable[[], int], games: Callable[[], Sequence[str]], back: int = 0
    ) -> None:
        self._store = store
        self._workers = workers
        self._now = now
        self.games = games
        """Of which games there are cases of the day, in the order of their doors."""
        self._back = back
        """Of so many days before today the cases are made, too, where none were kept: so a new house has some."""
        self._at_hand: OrderedDict[CaseName, Proven] = OrderedDict()
        self._facts: dict[CaseName, Facts] = {}
        """Of all that have been read: small, and four a day."""
        self._reading: dict[CaseName, asyncio.Task[Proven | None]] = {}
        self._unkept: dict[CaseName, bytes] = {}
        """What was made, and could not be stored yet."""
        self._faults: dict[CaseName, _Fault] = {}
        self._looked_back = False
        self._task: asyncio.Task[None] | None = None

    @property
    def today(self) -> str:
        return day_at(self._now())

    def of_day(self, day: str) -> tuple[CaseName, ...]:
        """Return the cases that a day should have here."""
        return tuple(CaseName(day, game) for game in self.games())

    def facts(self, name: CaseName) -> Facts | None:
        """Return what a card says of a case that has been read; never waits."""
        return self._facts.get(name)

    def is_faulty(self, name: CaseName) -> bool:
        """Say whether a case could not be made or read."""
        return name in self._faults

    def fault(self) -> str | None:
        """Say which case could not be made or read, and why."""
        if not self._faults:
            return None
        name, fault = next(iter(self._faults.items()))
        others = len(self._faults) - 1
        return f"the case {name} {fault.what}" + (f"; and {others} more" if others else "")

    # --- Reading --------------------------------------------------------------------------------------------------

    async def read(self, name: CaseName) -> Proven | None:
        """Return a case that is kept, proved again; None: there is none. Refused, if it is damaged."""
        if (found := self._at_hand.get(name)) is not None:
            self._at_hand.move_to_end(name)
            return found
        if (reading := self._reading.get(name)) is None:
            reading = self._reading[name] = asyncio.get_running_loop().create_task(self._read(name))
            reading.add_done_callback(partial(self._has_read, name))
        return await asyncio.shield(reading)

    def _has_read(self, name: CaseName, reading: "asyncio.Task[Proven | None]") -> None:
        del self._reading[name]
        if not reading.cancelled():
            reading.exception()  # whoever waited for it may be gone

    async def past(self, before: str, most: int) -> Sequence[CaseName]:
        """Return the cases that are kept of the days before one, the last first."""
        leaves = await self._store.leaves(SHELF, before, most)
        return [name for leaf in leaves if (name := named(leaf.item)) is not None]

    async def _read(self, name: CaseName) -> Proven | None:
        self._forgive(name)
        if name in self._faults:
            raise Refusal("case_damaged")
        body = await self._body(name)
        return None if body is None else await self._prove(name, body)

    async def _body(self, name: CaseName) -> bytes | None:
        try:
            leaf = await self._store.leaf(SHELF, str(name))
        except Damaged as damaged:
            self._blame(name, f"is damaged: {damaged.what}")
            raise Refusal("case_damaged") from damaged
        return None if leaf is None else leaf.body

    async def _prove(self, name: CaseName, body: bytes) -> Proven:
        proven = await self._workers.prove_case(prove, Kept(name.day, name.game, body))
        if isinstance(proven, Rejected):
            self._blame(name, f"is not what was kept: {proven.why}")
            raise Refusal("case_damaged")
        assert isinstance(proven, Proven)
        puzzle = proven.puzzle
        self._faults.pop(name, None)
        self._facts[name] = Facts(puzzle.posed.seats, puzzle.posed.total, puzzle.par)
        self._at_hand[name] = proven
        while len(self._at_hand) > AT_HAND:
            self._at_hand.popitem(last=False)
        return proven

    def _blame(self, name: CaseName, what: str) -> None:
        self._faults[name] = _Fault(self._now(), what)
        self._facts.pop(name, None)
        LOG.warning("the case %s %s", name, what)

    def _forgive(self, name: CaseName) -> None:
        """Let it be tried again, after a while."""
        if (fault := self._faults.get(name)) and not 0 <= self._now() - fault.since < AGAIN_MS:
            del self._faults[name]

    # --- Making ---------------------------------------------------------------------------------------------------

    def see_to_days(self) -> None:
        """See that today's cases are there and tomorrow's will be, and then to past days; nobody waits for it."""
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._see_to_days())

    async def _see_to_days(self) -> None:
        today = self.today
        for day in (today, day_after(today)):
            for name in self.of_day(day):
                await self._see_to(name)
        if not self._looked_back:
            with survived("past cases"):
                self._looked_back = await self._look_back(today)
        first = GENERATIONS[0].since
        for day in (day_after(today, -number) for number in range(1, self._back + 1)):
            for name in self.of_day(day) if day >= first else ():
                await self._see_to(name)

    async def _see_to(self, name: CaseName) -> None:
        self._forgive(name)
        if name in self._facts or name in self._faults:
            return
        try:
            body = await self._body(name) or await self._made(name)
            await self._prove(name, body)
        except (NotStored, Refusal):
            pass  # the store or the processes are at fault, and say so themselves; or the case, and it has been blamed
        except Exception as error:
            LOG.exception("the case %s cannot be made", name)
            self._blame(name, f"cannot be made: {type(error).__name__}")

    async def _made(self, name: CaseName) -> bytes:
        """Make a case and keep it; or take what another node has kept meanwhile."""
        body = self._unkept.get(name)
        if body is None:
            body = self._unkept[name] = await self._workers.make_case(make, Ordered(name.day, name.game))
        try:
            await self._store.keep_leaf(Leaf(SHELF, str(name), body=body))
        except Conflict:
            body = await self._body(name) or body
        del self._unkept[name]
        return body

    async def _look_back(self, today: str) -> bool:
        """Read the days before, so that nobody waits for their cards; say whether that is done."""
        try:
            for name in await self.past(today, DAYS * len(self.games())):
                if self.facts(name) is None:
                    with suppress(Refusal):
                        await self.read(name)
        except NotStored:
            return False
        return True

    async def close(self) -> None:
        """Make nothing more."""
        tasks = [task for task in (self._task, *self._reading.values()) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
