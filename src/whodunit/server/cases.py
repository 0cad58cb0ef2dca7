"""Cases to solve: what a person turns, claims and has checked, and how they stand.

All that is told before the end is made from the posed case and the person's own attempt; at the end the puzzle is
opened. What somebody has done is one leaf, written with the version that was read: of two pages the slower one is told
how it stands.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from whodunit.cases.posed import cuts_of
from whodunit.core.cutting import Weighed
from whodunit.core.errors import Conflict, Damaged, NotStored, Overtaken, Refusal
from whodunit.core.ports import Leaf, Store
from whodunit.core.wire import blobs_of, encode
from whodunit.server import attempts, case_frames, protocol
from whodunit.server.attempts import Attempt, CheckedMark, Streak, Tried, begins_at, day_after, day_at
from whodunit.server.case_shelf import DAYS, CaseName, Shelf, named
from whodunit.server.case_work import Claimed, Marked, Proven, Question, Rejected, ruled
from whodunit.server.fair_queue import Claim
from whodunit.server.workers import Workers

T = TypeVar("T")
TRIES: Final = "try"
PEOPLE: Final = "person"
STREAK: Final = "streak"
COUNTED_MS: Final = 20_000
"""For how long a number of those who have solved a case is told again: to count a million rows takes time."""
COUNTS: Final = 4096
"""So many such numbers are kept."""


class _Begun(NamedTuple):
    """A case that somebody has begun, as it is stored."""

    name: CaseName
    proven: Proven
    attempt: Attempt
    version: int


class _Count(NamedTuple):
    at: int
    number: int


class Cases:
    """Answers what pages ask about cases to solve."""

    def __init__(
        self, store: Store, workers: Workers, now: Callable[[], int], games: Callable[[], Sequence[str]], back: int = 0
    ) -> None:
        self.shelf = Shelf(store, workers, now, games, back)
        self._store = store
        self._workers = workers
        self._now = now
        self._counts: dict[CaseName, _Count] = {}

    # --- Lists ----------------------------------------------------------------------------------------------------

    async def today(self, person: str) -> protocol.Today:
        """Tell the cases of the day: from memory, but for what the person has done."""
        day, now = self.shelf.today, self._now()
        names = self.shelf.of_day(day)
        there = [name for name in names if self.shelf.facts(name) is not None]
        tries, cards, is_whole = await self._cards(there, person)
        streak = await self._streak(person)
        if any(one is not None and _solved_on(one, day) for one in tries):
            streak = streak.on(day)  # also where it could not be written down
        return protocol.Today(
            day=day,
            now=now,
            next_at=begins_at(day_after(day)),
            cards=cards,
            streak=streak.running(day),
            best_streak=streak.best,
            making=any(name not in there and not self.shelf.is_faulty(name) for name in names),
            fault=not is_whole or any(self.shelf.is_faulty(name) for name in names),
        )

    async def archive(self, person: str, before: str | None) -> protocol.Archive:
        """Tell the cases of the days before one; today's is none of them."""
        end = min(before or self.shelf.today, self.shelf.today)
        most = (DAYS + 1) * max(1, len(self.shelf.games()))
        names = await self.shelf.past(end, most)
        days = [(day, [*of_day]) for day, of_day in groupby(names, lambda name: name.day)]
        if len(names) == most:
            days.pop()  # perhaps not all of it
        days = days[:DAYS]
        read = await asyncio.gather(*(self._is_readable(name) for _, of_day in days for name in of_day))
        readable = {name for (name, can) in zip((n for _, of_day in days for n in of_day), read, strict=True) if can}
        told, is_whole = [], len(readable) == len(read)
        for day, of_day in days:
            _, cards, all_there = await self._cards(
                [name for name in self._by_door(of_day) if name in readable], person
            )
            told.append(protocol.ArchiveDay(day, cards))
            is_whole &= all_there
        return protocol.Archive(tuple(told), fault=not is_whole)

    async def _is_readable(self, name: CaseName) -> bool:
        if self.shelf.facts(name) is not None:
            return True
        try:
            return await self.shelf.read(name) is not None
        except NotStored:
            raise
        except Refusal:
            return False

    async def _cards(
        self, names: Sequence[CaseName], person: str
    ) -> tuple[list[Attempt | None], tuple[protocol.CaseCard, ...], bool]:
        """Return what somebody has done of cases, and their cards; and whether none had to be left out."""
        tries, cards = [], []
        for name in names:
            facts = self.shelf.facts(name)
            try:
                begun = await self._attempt(name, person)
            except Damaged:
                continue  # the store has logged which
            if facts is not None:
                attempt = None if begun is None else begun[0]
                tries.append(attempt)
                cards.append(case_frames.card(name, facts, attempt, await self._solved_here(name)))
        return tries, tuple(cards), len(cards) == len(names)

    def _by_door(self, names: Sequence[CaseName]) -> list[CaseName]:
        """Return a day's cases as the front page shows their games."""
        order = self.shelf.games()
        return sorted(names, key=lambda name: (order.index(name.game) if name.game in order else len(order), name.game))

    # --- One case -------------------------------------------------------------------------------------------------

    async def open(self, person: str, case: str) -> protocol.CaseFrame:
        """Tell a case as far as it is turned; the first time, begin it."""
        name, proven = await self._proven(case)
        if await self._attempt(name, person) is None:
            with suppress(Conflict):  # another page has begun it
                await self._keep(_Begun(name, proven, Attempt(self._now()), 0), person)
        return await self._frame(await self._begun(name, proven, person))

    async def turn(self, person: str, ask: protocol.TurnLine) -> protocol.CaseFrame:
        """Turn the next line."""
        begun = await self._running(person, ask.case, ask.turned)
        return await self._changed(begun, person, attempts.turn(begun.attempt, begun.proven.puzzle.posed.total))

    async def claim(self, person: str, ask: protocol.ClaimCase, account: Claim) -> protocol.CaseFrame:
        """Have it ruled on an answer."""
        begun = await self._running(person, ask.case, ask.turned)
        attempts.refuse_too_many(begun.attempt.tries)
        puzzle = begun.proven.puzzle
        ruling = await self._ruled(begun.name, Claimed(puzzle.at(ask.turned), ask.claim), account)
        after = attempts.claim(
            begun.attempt,
            Tried(ask.turned, ask.claim, ruling),
            puzzle.posed.total,
            self._now(),
            is_right=lambda: ask.claim == puzzle.answer,
        )
        return await self._changed(begun, person, after)

    async def check(self, person: str, ask: protocol.CheckMark, account: Claim) -> protocol.CaseFrame:
        """Have it ruled on a mark."""
        begun = await self._running(person, ask.case, ask.turned)
        attempts.refuse_too_many(begun.attempt.hints)
        if isinstance(cuts_of(begun.name.game), Weighed):
            raise Refusal("only_heard")
        marked = Marked(begun.proven.puzzle.at(ask.turned), ask.row, ask.column, ask.held)
        ruling = await self._ruled(begun.name, marked, account)
        checked = CheckedMark(ask.turned, ask.row, ask.column, ask.held, ruling)
        return await self._changed(begun, person, attempts.check(begun.attempt, checked))

    async def give_up(self, person: str, ask: protocol.GiveUp) -> protocol.CaseFrame:
        """End it unsolved."""
        begun = await self._running(person, ask.case, ask.turned)
        return await self._changed(begun, person, attempts.give_up(begun.attempt, self._now()))

    async def clip(self, person: str, case: str, clip: str) -> tuple[str, bytes] | None:
        """Return a sound of a line that the person has turned, or of any once it is over; None: there is none."""
        try:
            begun = await self._begun(*await self._proven(case), person)
        except NotStored:
            raise
        except Refusal:
            return None
        puzzle, attempt = begun.proven.puzzle, begun.attempt
        posed = puzzle.at(attempt.turned if attempt.ended_at is None else puzzle.posed.total)
        blobs = [blob for line in (posed.given, *posed.lines) for event in line for blob in blobs_of(event).values()]
        cuts = cuts_of(posed.game)
        found = next((blob for blob in blobs if blob.id == clip), None)
        if found is None or not isinstance(cuts, Weighed):
            return None
        data = cuts.clip(found.id)
        return None if data is None else (found.media, data)

    # --- How it is read and written ---------------------------------------------------------------------------------

    async def _proven(self, case: str) -> tuple[CaseName, Proven]:
        """Return a case whose day has come, or refuse; of one that is still to come nothing is even looked up."""
        name = named(case)
        if name is None or name.day > self.shelf.today:
            raise Refusal("no_case")
        proven = await self.shelf.read(name)
        if proven is None:
            raise Refusal("no_case")
        return name, proven

    async def _attempt(self, name: CaseName, person: str) -> tuple[Attempt, int] | None:
        leaf = await self._store.leaf(TRIES, str(name), person)
        return None if leaf is None else (msgspec.json.decode(leaf.body, type=Attempt), leaf.version)

    async def _begun(self, name: CaseName, proven: Proven, person: str) -> _Begun:
        found = await self._attempt(name, person)
        if found is None:
            raise Refusal("not_begun")
        return _Begun(name, proven, *found)

    async def _running(self, person: str, case: str, turned: int) -> _Begun:
        """Return a case that somebody has begun and not ended, as far turned as they think; or refuse."""
        begun = await self._begun(*await self._proven(case), person)
        if begun.attempt.ended_at is not None:
            raise Overtaken("case_over", await self._frame(begun))
        if begun.attempt.turned != turned:
            raise Overtaken("stale", await self._frame(begun))
        return begun

    async def _ruled(self, name: CaseName, question: Question, account: Claim) -> Any:
        ruling = await self._workers.once(str(name), ruled, question, account)
        if isinstance(ruling, Rejected):
            raise Refusal("bad_claim", ruling.why)
        return ruling

    async def _changed(self, begun: _Begun, person: str, after: Attempt) -> protocol.CaseFrame:
        """Keep what has become of a case, and tell it; who was slower than another page is told what that has done."""
        try:
            await self._keep(begun._replace(attempt=after), person)
        except Conflict as conflict:
            now = await self._begun(begun.name, begun.proven, person)
            raise Overtaken("stale", await self._frame(now)) from conflict
        if after.solved:
            await self._count_one_more(begun.name)
            if _solved_on(after, begun.name.day):
                await self._prolong(person, begun.name.day)
        return await self._frame(begun._replace(attempt=after))

    async def _keep(self, begun: _Begun, person: str) -> None:
        attempt = begun.attempt
        body = encode(attempt)
        leaf = Leaf(TRIES, str(begun.name), person, begun.version + 1, done=attempt.solved, body=body)
        await self._store.keep_leaf(leaf)

    async def _frame(self, begun: _Begun) -> protocol.CaseFrame:
        attempt, puzzle = begun.attempt, begun.proven.puzzle
        result = None
        if attempt.ended_at is not None:
            result = case_frames.result(puzzle, attempt, await self._solved_here(begun.name))
        return case_frames.frame(begun.name, puzzle.at(attempt.turned), begun.proven.sheet, attempt, result)

    # --- Numbers ----------------------------------------------------------------------------------------------------

    async def _solved_here(self, name: CaseName) -> int:
        """Return how many have solved a case, as it was counted some seconds ago."""
        now, known = self._now(), self._counts.get(name)
        if known is None or not 0 <= now - known.at < COUNTED_MS:
            number = await self._store.count_leaves(TRIES, str(name))
            if len(self._counts) >= COUNTS:
                self._counts.clear()
            known = self._counts[name] = _Count(now, number)
        return known.number

    async def _count_one_more(self, name: CaseName) -> None:
        if (known := self._counts.get(name)) is not None:
            self._counts[name] = known._replace(number=known.number + 1)

    async def _streak(self, person: str) -> Streak:
        leaf = await self._store.leaf(PEOPLE, STREAK, person)
        return Streak() if leaf is None else msgspec.json.decode(leaf.body, type=Streak)

    async def _prolong(self, person: str, day: str) -> None:
        """Write down that somebody has solved a case on its day; today's list counts it in any event."""
        with suppress(NotStored, Conflict):  # another page has done it, or nothing can be
            leaf = await self._store.leaf(PEOPLE, STREAK, person)
            before = Streak() if leaf is None else msgspec.json.decode(leaf.body, type=Streak)
            if (after := before.on(day)) != before:
                version = 1 if leaf is None else leaf.version + 1
                await self._store.keep_leaf(Leaf(PEOPLE, STREAK, person, version, body=encode(after)))


def _solved_on(attempt: Attempt, day: str) -> bool:
    """Say whether a case was solved on this day."""
    return attempt.solved and attempt.ended_at is not None and day_at(attempt.ended_at) == day
