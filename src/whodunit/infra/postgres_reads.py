"""Gathers reads that are asked for at the same time into one statement: another node moves many tables at once."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, Literal, NamedTuple

from whodunit.core.errors import Damaged, NotStored
from whodunit.core.ports import Record
from whodunit.infra.checks import whole
from whodunit.infra.postgres_check import with_check

MOST: Final = 100
"""How many wishes go into one statement."""
WHOLE: Final = 8
"""How many of these may be for whole streams: what is new at tables that are played at does not wait for more."""

_NEWS: Final = """
SELECT number, CASE wish.stream WHEN 'case' THEN case_last ELSE room_last END,
    found.table_id, found.stream, seq, last, body, crc
FROM unnest($1::text[], $2::text[], $3::bigint[]) WITH ORDINALITY AS wish (table_id, stream, after, number)
LEFT JOIN head ON head.table_id = wish.table_id
LEFT JOIN LATERAL (
    SELECT * FROM record
    WHERE record.table_id = wish.table_id AND record.stream = wish.stream AND seq > wish.after
) AS found ON true
ORDER BY number, seq
"""
"""What is new, and what must be there: the head of a table says how far its streams reach."""


class Wish(NamedTuple):
    """One call of `read`, on its way into a statement."""

    table: str
    stream: Literal["case", "room"]
    after: int
    done: "asyncio.Future[Sequence[Record] | None]"
    """None: only the whole stream tells what is missing."""


class News:
    """Reads by `ask`; while one statement runs the next one gathers, as appends do. A hundred tables cost two trips."""

    def __init__(self, ask: Callable[..., Awaitable[list[Any]]]) -> None:
        self._ask = ask
        self._wishes: list[Wish] = []
        self._task: asyncio.Task[None] | None = None

    async def read(self, table: str, stream: Literal["case", "room"], after: int) -> Sequence[Record]:
        """Return the records that begin behind entry `after`, all of them and as they were stored, or raise Damaged."""
        records = await self._wished(table, stream, after)
        if records is None:
            records = [record for record in await self.read(table, stream, 0) if record.seq > after]
        return records

    async def _wished(self, table: str, stream: Literal["case", "room"], after: int) -> Sequence[Record] | None:
        loop = asyncio.get_running_loop()
        wish = Wish(table, stream, after, loop.create_future())
        self._wishes.append(wish)
        if self._task is None:
            self._task = loop.create_task(self._read())
        return await wish.done

    def close(self) -> None:
        """Read no more: whoever still waits is told so."""
        if self._task is not None:
            self._task.cancel()
        _refuse(self._wishes)

    async def _read(self) -> None:
        try:
            while self._wishes:
                await self._fulfil(self._taken())
        finally:
            self._task = None

    def _taken(self) -> list[Wish]:
        """Take the next statement's wishes, as they came, but for whole streams that are too many."""
        taken: list[Wish] = []
        left: list[Wish] = []
        whole = 0
        for wish in self._wishes:
            whole += not wish.after
            if len(taken) == MOST or (not wish.after and whole > WHOLE):
                left.append(wish)
            else:
                taken.append(wish)
        self._wishes = left
        return taken

    async def _fulfil(self, wishes: Sequence[Wish]) -> None:
        try:
            await self._answer(wishes)
        finally:
            _refuse(wishes)  # those that nobody answers any more: the house is closing

    async def _answer(self, wishes: Sequence[Wish]) -> None:
        tables, streams, afters, _ = zip(*wishes, strict=True)
        found: list[list[Any]] = [[] for _ in wishes]
        noted: list[int | None] = [None for _ in wishes]
        try:
            for number, last, *row in await self._ask(_NEWS, tables, streams, afters):
                noted[number - 1] = last
                if row[0] is not None:
                    found[number - 1].append(row)
        except Exception as error:  # noqa: BLE001  (it is its caller's to see)
            if len(wishes) > 1 and not isinstance(error, NotStored):
                # One of them may be what no database takes: it is looked for by halves, and the others are answered.
                half = len(wishes) // 2
                await self._answer(wishes[:half])
                await self._answer(wishes[half:])
                return
            if isinstance(error, NotStored):  # nor would whoever waits be answered, each of them after seconds
                wishes, self._wishes = [*wishes, *self._wishes], []
            for wish in wishes:
                if not wish.done.done():
                    wish.done.set_exception(error)
        else:
            for wish, rows, last in zip(wishes, found, noted, strict=True):
                if not wish.done.done():  # otherwise its caller was cancelled
                    _answer(wish, rows, last)


def _answer(wish: Wish, rows: Sequence[Any], noted: int | None) -> None:
    try:
        records = whole(wish.table, wish.stream, wish.after, [with_check("record", row) for row in rows], noted)
    except Damaged as damage:
        wish.done.set_exception(damage)
    else:
        wish.done.set_result(records)


def _refuse(wishes: Sequence[Wish]) -> None:
    for wish in wishes:
        if not wish.done.done():
            wish.done.set_exception(NotStored("the store is closed"))
