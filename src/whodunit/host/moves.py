"""Makes moves: plans one, has it decided, and stores it if the table is still the one it was planned for.

Most games decide at once, while the table is locked. Where deciding takes seconds (`INFO.sounds`), it happens in
another process and no lock is held: the room goes on, other moves wait. The move is published at a moment that tells
nothing. If the house stops in between, nothing was acknowledged and the offer still stands.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

from whodunit import games
from whodunit.core.errors import BadOptions, Conflict, Illegal, NotHeld, NotStored, Refusal
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Action, Seat
from whodunit.host import clip_release
from whodunit.host.live import Live
from whodunit.host.tasks import Tasks
from whodunit.host.timers import until
from whodunit.host.writer import TRIES, Writer
from whodunit.room import pauses
from whodunit.room.entries import AnyEntry, Began
from whodunit.room.room import Room
from whodunit.table.case import Header
from whodunit.table.table import Decision, Table

LOG = logging.getLogger(__name__)
EXPECTED: Final = (BadOptions, Conflict, Illegal, NotHeld, NotStored, Refusal)

LISTENING_MS: Final = 600_000
"""How long bots wait for whoever plays alone to have heard what fell, and perhaps to note it."""
DEAF_MS: Final = 30_000
"""The same where nobody has ever said so: a page does, other clients may not."""
LISTENS_MS: Final = 100
"""How often it is looked whether they have."""

Draws: TypeAlias = Callable[[bytes, int], Rng]
"""Makes the chance of a batch, from the table's seed and the number of its first event."""
Work: TypeAlias = Callable[[], Decision]
"""Decides a move; it and what it returns can be pickled."""
Making: TypeAlias = Coroutine[Any, Any, None]
"""A move that is made when this is awaited."""
Decider: TypeAlias = Callable[[str, Work], Awaitable[Decision]]
"""Runs the work of a table, wherever it likes."""


class Plan(NamedTuple):
    """A move that may be made as things stand."""

    basis: object
    """What it rests on: if that is another one when the move is stored, it must be decided again."""
    work: Work
    entries: tuple[AnyEntry, ...] = ()
    """What the room gains with it."""


async def here(_: str, work: Work) -> Decision:
    """Decide at once, in this process: for whoever has nobody waiting."""
    return work()


class Moves:
    """Makes the moves of every table. `draws` makes the chance of a batch; `decide` runs what takes long to decide."""

    def __init__(self, writer: Writer, tasks: Tasks, draws: Draws, decide: Decider) -> None:
        self._writer = writer
        self._tasks = tasks
        self._draws = draws
        self._decide = decide
        self._waiting: set[asyncio.Task[None]] = set()
        """What may be given up when the house closes: nothing of it is being stored."""

    # `act`, `_make` and `decide_and_store` are plain functions that return a coroutine: every move passes through them,
    # and a coroutine for each would be felt in `bench server`.

    def act(self, live: Live, seat: Seat, since: int, action: Action, *, leased: bool = False) -> Making:
        """Do what the seat wishes, or a bot for it (leased), if an offer of `since` admits it, else raise Illegal."""

        def plan() -> Plan:
            table = pauses.played(live.room, live.table, seat, action, leased=leased)
            return self.plan(table, seat, since, action, bot=leased and seat != TABLE)

        return self._make(live, seat, plan, leased=leased)

    def begin(self, live: Live, decide: Callable[[Room], tuple[Header, Sequence[AnyEntry]]]) -> Making:
        """Close the doors and deal; `decide` may refuse by raising, and may set chairs first."""

        def plan() -> Plan:
            header, entries = decide(live.room)
            laid = live.room.laid
            options = live.game.INFO.parse(header.seats, laid.options)
            seed = laid.seal.seed(header.salts)
            work = partial(_opened, live.game.INFO.id, header.seats, options, seed, self._draws(seed, 1))
            return Plan(header, work, (*entries, Began(at=self._writer.clock.now(), header=header)))

        return self._make(live, TABLE, plan)

    async def undo(self, live: Live, seat: Seat) -> None:
        """Take the seat's last action back, or raise Illegal."""

        async def change() -> None:
            table = pauses.played(live.room, live.table, seat, "undo")
            if live.undoer != seat:
                raise Illegal(seat, "undo", table.offers_of(seat))
            await self._writer.append(live, *table.undo(seat))

        await self._writer.change(live, change)

    def plan(self, table: Table, seat: Seat, since: int, action: Action, *, bot: bool = False) -> Plan:
        """Return the move if an offer of `since` admits it, else raise Illegal."""
        if not table.admits(seat, since, action):
            raise Illegal(seat, action, table.offers_of(seat))
        rng = self._draws(table.seed, table.seq + 1)
        return Plan(table.seq, partial(table.decide, seat, action, rng, bot=bot))

    def decide_and_store(self, live: Live, plan: Plan, *, leased: bool = False, joint: bool = False) -> Making:
        """Decide a move here and now and store it, while the table is locked."""
        return self._writer.append(live, *plan.work(), plan.entries, leased=leased, joint=joint)

    def _make(self, live: Live, seat: Seat, plan: Callable[[], Plan], *, leased: bool = False) -> Making:
        """Make a move: at once, or where deciding takes long aside."""
        if live.game.INFO.sounds is None:
            return self._writer.change(live, lambda: self.decide_and_store(live, plan(), leased=leased))
        return self._make_aside(live, seat, plan, leased=leased)

    # --- What takes long ---

    async def calm(self, live: Live) -> None:
        """Wait until nothing is being decided at the table and every clip that it brought may be heard."""
        async with live.turn:
            await until(self._writer.clock, clip_release.ends(live, self._writer.haste))

    def close(self) -> None:
        """Give up what is being decided."""
        for task in self._waiting:
            task.cancel()

    async def _make_aside(self, live: Live, seat: Seat, plan: Callable[[], Plan], *, leased: bool) -> None:
        """See a move through, whether or not whoever wished it stays; one of each seat at a time."""
        plan()  # what is not on offer is refused at once
        if seat in live.deciding:
            raise Conflict(f"seat {seat} of {live.id} has a move that waits")
        live.deciding |= {seat}
        task = self._tasks.spawn(self._alone(live, seat, plan, leased=leased))
        self._waiting.add(task)
        task.add_done_callback(self._ended)
        await asyncio.shield(task)

    async def _alone(self, live: Live, seat: Seat, plan: Callable[[], Plan], *, leased: bool) -> None:
        try:
            async with live.turn:
                await self._seen_through(live, plan, leased=leased)
        finally:
            live.deciding -= {seat}
            live.wished = None

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._waiting.discard(task)
        if task.cancelled() or isinstance(task.exception(), EXPECTED):
            return
        if error := task.exception():  # whoever wished it may have gone
            LOG.error("a move did not come to an end: %s", type(error).__name__, exc_info=error)

    async def _seen_through(self, live: Live, plan: Callable[[], Plan], *, leased: bool) -> None:
        clock, haste = self._writer.clock, self._writer.haste
        # Everybody has heard what came before, and from then on nobody's clock runs.
        wished = live.wished = max(clock.now(), clip_release.ends(live, haste))
        await until(clock, wished)
        for _ in range(TRIES):
            planned = plan()
            decided = await self._decide(live.id, planned.work)
            await until(clock, clip_release.published(live, decided[1], wished, clock.now(), haste))
            if leased and haste:  # a house without pauses waits for nobody
                await self._listened(live)
            if await self._store_if_same(live, plan, planned.basis, decided, leased=leased):
                return
        raise Conflict(f"{live.id} changes faster than a move is decided")

    async def _listened(self, live: Live) -> None:
        """Hold a bot's move back until whoever plays alone has heard what fell before; not for long if nobody says so.

        Meanwhile it was thought of and decided, so nobody waits for that.
        """
        last, clock, waited = live.last_noise, self._writer.clock, 0
        most = LISTENING_MS if any(chair.heard for chair in live.room.chairs) else DEAF_MS
        while live.room.pace == "brisk" and last is not None and waited < most and not _heard(live, last.seq):
            waited += LISTENS_MS
            await until(clock, clock.now() + round(self._writer.haste * LISTENS_MS))

    async def _store_if_same(
        self, live: Live, plan: Callable[[], Plan], basis: object, decided: Decision, *, leased: bool
    ) -> bool:
        """Store a move that was decided aside if it rests on how things stand now; return whether it does."""
        same = False

        async def change() -> None:
            nonlocal same
            planned = plan()  # there may be a pause by now, or somebody has sat down and brought a salt
            same = planned.basis == basis
            if same:
                await self._writer.append(live, *decided, planned.entries, leased=leased)

        task = asyncio.current_task()
        assert task is not None
        self._waiting.discard(task)
        await self._writer.change(live, change)
        return same


def _opened(game: str, seats: int, options: Any, seed: bytes, rng: Rng) -> Decision:
    return Table.open(games.get(game), seats, options, seed, rng)


def _heard(live: Live, seq: int) -> bool:
    """Say whether every person who plays has been played the clips up to this event."""
    return all(chair.heard >= seq for chair in live.room.chairs if chair.people and chair.bot_level is None)
