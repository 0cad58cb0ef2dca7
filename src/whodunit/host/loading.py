"""Reads tables from the store into memory: one after the other, a little at a time, while others are played at.

When a node has died another one reads hundreds of its tables, and whoever plays there shall not notice. In threads they
would take the interpreter from the loop for longer than a move takes.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final

from whodunit import games
from whodunit.core.errors import Damaged, NoGame, NoTable, NotInstalled, NotStored
from whodunit.core.ports import Bus, Record, Store
from whodunit.host.live import Live
from whodunit.room import own_notes
from whodunit.room import room as rooms
from whodunit.room.entries import Laid, decode
from whodunit.room.room import Room, grown
from whodunit.table.codec import unpack
from whodunit.table.table import Table

LOG = logging.getLogger(__name__)
A_LITTLE: Final = 16
"""After so many records moves have their turn: about a millisecond."""


class Loader:
    """Reads each table once, however many ask for it, and hands it to `adopt` with what its bus tells from then on."""

    def __init__(self, store: Store, bus: Bus, adopt: Callable[[Live, AsyncIterator[int]], None]) -> None:
        self._store = store
        self._bus = bus
        self._adopt = adopt
        self._tasks: dict[str, asyncio.Task[Live]] = {}
        self._turn = asyncio.Lock()
        self._unreadable: set[str] = set()
        self.shelved: dict[str, str] = {}
        """By table: its game, which is not installed. What is installed stays as it is for as long as a house runs."""

    async def read(self, id: str) -> Live:
        """Return a table that was not in memory, or raise NoTable, NotInstalled or Damaged."""
        if id in self.shelved:
            raise NotInstalled
        if id not in self._tasks:
            self._tasks[id] = asyncio.ensure_future(self._read(id))
        return await asyncio.shield(self._tasks[id])

    async def read_by_the_way(self, id: str) -> Live | None:
        """Return one table of several; None if there is none, or none that can be read: the others count as ever."""
        try:
            return await self.read(id)
        except (NoTable, NotInstalled, Damaged):
            return None
        except NotStored:
            raise
        except Exception:
            if id not in self._unreadable:  # once: the hall is shown again and again
                self._unreadable.add(id)
                LOG.exception("the table %s cannot be read", id)
            return None

    async def _read(self, id: str) -> Live:
        ear = self._bus.listen(id)  # before reading: what is stored meanwhile is heard of
        try:
            room = await self._store.read(id, "room") if id.isprintable() else ()
            if not room:
                raise NoTable(id)
            self._shelve(id, room[0])
            case = await self._store.read(id, "case")
            notes = await self._store.notes(id)
            async with self._turn:
                live = await folded(id, room, case)
            live.room = own_notes.read(live.room, notes)
            self._adopt(live, ear)
        except Damaged as damage:
            if id not in self._unreadable:  # once: whoever sits there tries again and again
                self._unreadable.add(id)
                LOG.error("%s", damage)  # noqa: TRY400  (where in the code it arose says nothing)
            raise
        else:
            return live
        finally:
            del self._tasks[id]

    def _shelve(self, id: str, first: Record) -> None:
        """Put a table aside whose game is not there, or does not work."""
        (laid, *_) = decode(first.body)
        assert isinstance(laid, Laid)
        try:
            games.get(laid.game)
        except NoGame as error:
            self.shelved[id] = laid.game
            LOG.warning("the table %s is kept and cannot be opened: %s", id, error)
            raise NotInstalled from error


async def folded(id: str, room: Sequence[Record], case: Sequence[Record]) -> Live:
    """Return the table that these records tell of."""
    known: Room | None = None
    for number, record in enumerate(room, 1):
        for entry in decode(record.body):
            known = rooms.evolve(known, entry)
        await _give_way(number)
    assert known is not None
    live = Live(id, known, None)
    if known.header is not None:
        table = Table(live.game, known.header.seats, known.laid.seal.seed(known.header.salts))
        for number, record in enumerate(case, 1):
            batch = unpack(record.body, live.game)
            table = table.grow(batch)
            live.confide(batch)
            await _give_way(number)
        live.room, live.table = grown(known, table, ())
    return live


async def _give_way(number: int) -> None:
    if not number % A_LITTLE:
        await asyncio.sleep(0)
