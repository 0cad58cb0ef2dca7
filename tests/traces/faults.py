"""Tells, put back on purpose: each is a way in which the house once told what is hidden, or easily could."""

import asyncio
from collections.abc import Callable
from typing import Any, Final

import pytest
from msgspec.structs import replace

from whodunit.bots.thinker import Thinker
from whodunit.core.types import Action, Seat
from whodunit.host.answering import Answering
from whodunit.host.leases import SingleNode, TableLeases
from whodunit.host.live import Live
from whodunit.host.moves import Moves, Plan
from whodunit.host.tasks import quietly
from whodunit.room import answers, entries, pace, reminders
from whodunit.room.entries import QuestionPut, Selected
from whodunit.room.room import Room
from whodunit.server.bot_runner import Runner
from whodunit.server.feeds import Feeds, Page
from whodunit.table.table import Table

Fault = Callable[[pytest.MonkeyPatch], None]


def chooses(table: Table, seat: Seat) -> bool:
    """Say whether an asked seat has a choice."""
    return sum(offer.count for offer in pace.answer_offers(table.game, table.offers[seat])) > 1


async def kept(answering: Answering, live: Live, seat: Seat, since: int) -> None:
    """Store what an asked seat will answer, now."""
    async with live.lock:
        await answering._keep(live, seat, since)


def separate_habit_commit(patch: pytest.MonkeyPatch) -> None:
    """Choose by habit for whoever has a choice, in a commit of its own."""
    honest = Moves.decide_and_store

    async def store(self: Moves, live: Live, plan: Plan, **how: bool) -> None:
        before = live.table
        await honest(self, live, plan, **how)
        if live.table is not None and live.table is not before:
            for seat in live.table.asked:
                due = live.room.chairs[seat].due
                if due is not None and live.bot_level(seat) is None and chooses(live.table, seat):
                    answering = Answering(self._writer, self, TableLeases(SingleNode(), self._tasks), self._tasks)
                    self._tasks.spawn(quietly(kept(answering, live, seat, due.since)))

    patch.setattr(Moves, "decide_and_store", store)


def early_return(patch: pytest.MonkeyPatch) -> None:
    """Let a bot that has but one answer imagine nothing."""
    honest = Thinker.act

    def act(self: Thinker) -> Action:
        action = honest(self)
        if sum(offer.count for offer in pace.answer_offers(self.game, self.update.offers)) == 1:
            self.imagined = 0
        return action

    patch.setattr(Thinker, "act", act)


def stored_at_the_tap(patch: pytest.MonkeyPatch) -> None:
    """Store a choice when it is made."""
    honest = Answering.select

    def select(
        self: Answering, live: Live, seat: Seat, since: int, action: Action, *, leased: bool = False
    ) -> "asyncio.Future[None]":
        stored = honest(self, live, seat, since, action, leased=leased)
        self._tasks.spawn(quietly(kept(self, live, seat, since)))
        return stored

    patch.setattr(Answering, "select", select)


def notice_by_choice(patch: pytest.MonkeyPatch) -> None:
    """Tell only those that it is their turn who have a choice."""
    honest = reminders.waited_since

    def waited_since(room: Room, table: Table | None, seat: Seat, now: int) -> int | None:
        if table is not None and seat in table.asked and not chooses(table, seat):
            return None
        return honest(room, table, seat, now)

    patch.setattr(reminders, "waited_since", waited_since)


def watch_under_the_lock(patch: pytest.MonkeyPatch) -> None:
    """Let whoever watches wait for what the table is busy with."""
    honest = Feeds.watch

    async def watch(self: Feeds, page: Page, live: Live, after: int) -> None:
        async with live.lock:
            await honest(self, page, live, after)

    patch.setattr(Feeds, "watch", watch)


def answered_when_thought(patch: pytest.MonkeyPatch) -> None:
    """Give a bot's late answer when its thought ends, and not on a beat."""
    honest = Answering.select

    def select(
        self: Answering, live: Live, seat: Seat, since: int, action: Action, *, leased: bool = False
    ) -> "asyncio.Future[None]":
        stored = honest(self, live, seat, since, action, leased=leased)
        self._tasks.spawn(quietly(self._due(live, seat, since)))
        return stored

    patch.setattr(Answering, "select", select)


def moved_when_thought(patch: pytest.MonkeyPatch) -> None:
    """Let a bot move as soon as it has thought, however long that took beyond its pause."""

    async def beats(self: Runner, live: Live, table: Table, start: int, ready: Callable[[], bool]) -> None:
        rested = asyncio.Event()
        self._host.clock.after(start - self._host.clock.now(), rested.set)
        await rested.wait()
        await self._until(live, table, ready)

    patch.setattr(Runner, "_beats", beats)


def unpadded(patch: pytest.MonkeyPatch) -> None:
    """Write down what was chosen in as many bytes as that takes."""
    honest = entries.padded

    def padded(entry: QuestionPut | Selected) -> QuestionPut | Selected:
        return entry if isinstance(entry, Selected) else honest(entry)

    patch.setattr(answers, "padded", padded)


def waited_for_by_choice(patch: pytest.MonkeyPatch) -> None:
    """Wait only for those who have a choice."""
    overdue, given = answers.overdue, answers.given

    def hurried(room: Room, table: Table, seat: Seat) -> Room:
        due = room.chairs[seat].due
        if due is None or chooses(table, seat):
            return room
        chair = replace(room.chairs[seat], due=replace(due, until=None, latest=None, patient=False))
        return replace(room, chairs=(*room.chairs[:seat], chair, *room.chairs[seat + 1 :]))

    def overdue_now(room: Room, table: Table | None, *rest: Any) -> tuple[Seat, int] | None:
        for seat in table.asked if table is not None else ():
            assert table is not None
            if late := overdue(hurried(room, table, seat), replace(table, asked=(seat,)), *rest):
                return late
        return None

    def given_now(room: Room, table: Table | None, seat: Seat, *rest: Any) -> Action | None:
        return given(room if table is None else hurried(room, table, seat), table, seat, *rest)

    patch.setattr(answers, "overdue", overdue_now)
    patch.setattr(answers, "given", given_now)


FAULTS: Final[dict[str, Fault]] = {
    fault.__name__: fault
    for fault in (
        separate_habit_commit,
        early_return,
        stored_at_the_tap,
        notice_by_choice,
        watch_under_the_lock,
        answered_when_thought,
        moved_when_thought,
        unpadded,
        waited_for_by_choice,
    )
}
