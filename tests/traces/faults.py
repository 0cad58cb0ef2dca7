"""Tells, put back on purpose: each is a way in which the house once told what is hidden, or easily could."""

import asyncio
from collections.abc import Callable
from typing import Any, Final

import pytest

from whodunit.bots.thinker import Thinker
from whodunit.core.types import Action, Seat
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.room import answers, entries, pace, reminders
from whodunit.room.entries import Asked, Selected
from whodunit.server.bot_runner import Runner
from whodunit.server.feeds import Feeds, Page
from whodunit.table.table import Table

Fault = Callable[[pytest.MonkeyPatch], None]


def chooses(table: Table, seat: Seat) -> bool:
    """Say whether an asked seat has a choice."""
    return sum(offer.count for offer in pace.answers(table.game, table.offers[seat])) > 1


async def kept(host: Host, live: Live, seat: Seat, since: int) -> None:
    """Store what an asked seat will answer, now."""
    async with live.lock:
        await host._keep(live, seat, since)


def separate_habit_commit(patch: pytest.MonkeyPatch) -> None:
    """Choose by habit for whoever has a choice, in a commit of its own."""
    honest = Host._store

    async def store(self: Host, live: Live, table: Any, batch: Any, new: Any = (), **how: bool) -> None:
        before = live.table
        await honest(self, live, table, batch, new, **how)
        if live.table is not None and live.table is not before:
            for seat in live.table.asked:
                due = live.room.chairs[seat].due
                if due is not None and live.plays(seat) is None and chooses(live.table, seat):
                    self.spawn(self.quietly(kept(self, live, seat, due.since)))

    patch.setattr(Host, "_store", store)


def early_return(patch: pytest.MonkeyPatch) -> None:
    """Let a bot that has but one answer imagine nothing."""
    honest = Thinker.act

    def act(self: Thinker) -> Action:
        action = honest(self)
        assert self._update is not None
        if sum(offer.count for offer in pace.answers(self._game, self._update.offers)) == 1:
            self.imagined = 0
        return action

    patch.setattr(Thinker, "act", act)


def stored_at_the_tap(patch: pytest.MonkeyPatch) -> None:
    """Store a choice when it is made."""
    honest = Host.select

    def select(
        self: Host, live: Live, seat: Seat, since: int, action: Action, *, leased: bool = False
    ) -> "asyncio.Future[None]":
        stored = honest(self, live, seat, since, action, leased=leased)
        self.spawn(self.quietly(kept(self, live, seat, since)))
        return stored

    patch.setattr(Host, "select", select)


def notice_by_choice(patch: pytest.MonkeyPatch) -> None:
    """Tell only those that it is their turn who have a choice."""
    honest = reminders.called

    def called(live: Live, seat: Seat, now: int) -> int | None:
        if live.table is not None and seat in live.table.asked and not chooses(live.table, seat):
            return None
        return honest(live, seat, now)

    patch.setattr(reminders, "called", called)


def watch_under_the_lock(patch: pytest.MonkeyPatch) -> None:
    """Let whoever watches wait for what the table is busy with."""
    honest = Feeds.watch

    async def watch(self: Feeds, page: Page, live: Live, after: int) -> None:
        async with live.lock:
            await honest(self, page, live, after)

    patch.setattr(Feeds, "watch", watch)


def answered_when_thought(patch: pytest.MonkeyPatch) -> None:
    """Give a bot's late answer when its thought ends, and not on a beat."""
    honest = Host.select

    def select(
        self: Host, live: Live, seat: Seat, since: int, action: Action, *, leased: bool = False
    ) -> "asyncio.Future[None]":
        stored = honest(self, live, seat, since, action, leased=leased)
        self.spawn(self.quietly(self._due(live, seat, since)))
        return stored

    patch.setattr(Host, "select", select)


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

    def padded(entry: Asked | Selected) -> Asked | Selected:
        return entry if isinstance(entry, Selected) else honest(entry)

    patch.setattr(answers, "padded", padded)


def waited_for_by_choice(patch: pytest.MonkeyPatch) -> None:
    """Wait only for those who have a choice."""
    honest = answers.patience

    def patience(live: Live, seat: Seat) -> int | None:
        return honest(live, seat) if live.table is not None and chooses(live.table, seat) else None

    patch.setattr(answers, "patience", patience)


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
