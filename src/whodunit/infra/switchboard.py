"""Connects the nodes on one PostgreSQL: news, leases, and who is where. One connection does it all.

What is heard is only a hint: the tables of the database are the truth, read again whenever something may be missing.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from typing import Any, Final, NamedTuple

import asyncpg
import msgspec
from msgspec import Struct

from whodunit.core.ports import HALL, NOTED
from whodunit.core.types import Seat
from whodunit.infra.memory import MemoryBus
from whodunit.infra.postgres import CHANNEL, LOST
from whodunit.infra.postgres_schema import connected

LOG = logging.getLogger(__name__)
LEASE_S: Final = 4.0
"""A node that has said nothing for so long is dead."""
BEAT_S: Final = 1.0
PAGE: Final = 150
"""How many amounts go into one notice."""
FAILED: Final = (*LOST, asyncpg.PostgresError)
"""What a beat may end with, and the next one may not: the disk was full, others took this node for dead."""

_RENEW: Final = """
    INSERT INTO node VALUES ($1, clock_timestamp() + $2::float8 * interval '1 s')
    ON CONFLICT (id) DO UPDATE SET until = excluded.until
    RETURNING xmax = 0
"""
# The leases of the dead pass on, each to one of the living; what else is theirs goes with their row.
_INHERIT: Final = """
    WITH dead AS (SELECT id FROM node WHERE until < clock_timestamp() AND id <> $1 FOR UPDATE SKIP LOCKED),
    inherited AS (UPDATE lease SET node = $1 FROM dead WHERE lease.node = dead.id RETURNING table_id),
    buried AS (DELETE FROM node USING dead WHERE node.id = dead.id RETURNING node.id),
    told AS (SELECT pg_notify($2, json_build_object('from', $1, 'gone', json_agg(id))::text) FROM buried
             HAVING count(*) > 0)
    SELECT ARRAY(SELECT table_id FROM inherited), ARRAY(SELECT id FROM buried), (SELECT count(*) FROM told)
"""
_SEEK: Final = """
    INSERT INTO lease SELECT unnest($2::text[]), $1
    ON CONFLICT (table_id) DO UPDATE SET node = excluded.node WHERE lease.node = excluded.node
    RETURNING table_id
"""
# A payload has at most 8,000 bytes: a few hundred tables.
_DROP: Final = """
    WITH dropped AS (DELETE FROM lease WHERE node = $1 AND table_id = ANY($2::text[]) RETURNING table_id),
    paged AS (SELECT table_id, sum(octet_length(table_id) + 4) OVER (ORDER BY table_id) / 4000 AS page FROM dropped)
    SELECT pg_notify($3, json_build_object('from', $1, 'free', json_agg(table_id))::text) FROM paged GROUP BY page
"""
_ATTEND: Final = """
    WITH gone AS (DELETE FROM attendance WHERE node = $1 AND table_id = $2 AND $3::smallint[] = '{}'),
    come AS (INSERT INTO attendance SELECT $2, $1, $3, $4::smallint[] WHERE $3 <> '{}'
             ON CONFLICT (node, table_id) DO UPDATE SET seats = excluded.seats, looking = excluded.looking)
    SELECT pg_notify($5, json_build_object('from', $1, 'there', json_build_array($2::text, $3), 'looking', $4)::text)
"""
_LEAVE: Final = """
    WITH left_ AS (UPDATE node SET until = '-infinity' WHERE id = $1 RETURNING id)
    SELECT pg_notify($2, json_build_object('from', $1, 'gone', json_agg(id))::text) FROM left_
"""


class There(NamedTuple):
    """Who has a page on a node, and who of them is looking at it."""

    seats: frozenset[Seat] = frozenset()
    looking: frozenset[Seat] = frozenset()


class Notice(Struct, frozen=True):
    """What one node tells the others."""

    sender: str = msgspec.field(name="from")
    grown: tuple[tuple[str, int, bool], ...] = ()
    """Tables with their sizes, and whether they stand otherwise in lists."""
    there: tuple[str, frozenset[Seat]] | None = None
    """A table, and the seats with a page on that node."""
    looking: frozenset[Seat] = frozenset()
    """Of these, those whose players are looking at it."""
    free: tuple[str, ...] = ()
    """Tables whose lease it has dropped."""
    gone: tuple[str, ...] = ()
    """Nodes that are dead or have closed."""
    noted: str | None = None
    """A table where somebody's notes are others now."""
    used: dict[str, dict[str, float]] = {}
    """What people have used of the house on that node, by limit and digest."""


_NOTICES = msgspec.json.Decoder(Notice)


def _paged(used: Mapping[str, Mapping[str, float]]) -> Iterator[dict[str, dict[str, float]]]:
    """Yield it in pieces that fit into a notice: a payload has at most 8,000 bytes."""
    for what, amounts in used.items():
        left = iter(amounts.items())
        while page := dict(islice(left, PAGE)):
            yield {what: {who: round(amount, 3) for who, amount in page.items()}}


class Switchboard:
    """A Bus and the Leases of one node."""

    echoes = False

    def __init__(self, address: str, node: str, lease_s: float = LEASE_S) -> None:
        self._address = address
        self._node = node
        self._lease_s = lease_s
        self.heard: Callable[[str], None] = lambda _: None
        self.take_used: Callable[[], Mapping[str, Mapping[str, float]]] = dict
        self.hear_used: Callable[[Mapping[str, Mapping[str, float]]], None] = lambda _: None
        self._ears = MemoryBus()
        self._connection: Any = None
        self._task: asyncio.Task[None] | None = None
        self._poked = asyncio.Event()
        self._closing = False
        self._sought: set[str] = set()
        self._held: set[str] = set()
        self._dropped: set[str] = set()
        self._here: dict[str, There] = {}
        self._untold: set[str] = set()
        self._there: defaultdict[str, dict[str, There]] = defaultdict(dict)
        """By table and node."""

    async def open(self) -> "Switchboard":
        """Connect, and be one of the nodes from now on."""
        await self._connect()
        await self._beat()
        self._task = asyncio.get_running_loop().create_task(self._keep_up())
        return self

    # --- As a Bus ---

    async def publish(self, table: str, size: int) -> None:
        """Say nothing: PostgresStore's statement has said it when it stored it."""

    def listen(self, table: str) -> AsyncIterator[int]:
        """Yield what other nodes say from now on."""
        return self._ears.listen(table)

    # --- As Leases ---

    def holds(self, table: str) -> bool:
        """Say whether the lease is this node's, as far as is known; the store knows for certain."""
        return table in self._held

    def seek(self, table: str) -> None:
        """Wish for a lease."""
        if table not in self._sought:
            self._sought.add(table)
            self._dropped.discard(table)
            if table not in self._held:
                self._poked.set()

    def drop(self, table: str) -> None:
        """Wish for it no longer."""
        self._sought.discard(table)
        if table in self._held:
            self._held.discard(table)
            self._dropped.add(table)
            self._poked.set()

    def attend(self, table: str, seats: frozenset[Seat], looking: frozenset[Seat] = frozenset()) -> None:
        """Say who is here."""
        if self._here.get(table, There()) != (seats, looking):
            self._here[table] = There(seats, looking)
            self._untold.add(table)
            self._poked.set()

    def elsewhere(self, table: str) -> frozenset[Seat]:
        """Return who is there."""
        return frozenset(seat for there in self._there.get(table, {}).values() for seat in there.seats)

    def looking(self, table: str) -> frozenset[Seat]:
        """Return who is looking there."""
        return frozenset(seat for there in self._there.get(table, {}).values() for seat in there.looking)

    async def close(self) -> None:
        """Leave: what this node held is free for others to inherit."""
        if self._task is not None:
            await self._silence()
            with suppress(*FAILED):
                await self._connection.fetchrow(_LEAVE, self._node, CHANNEL)
                await self._connection.close(timeout=2)

    # --- Keeping up ---

    async def _silence(self) -> None:
        # Not cancelled: before Python 3.12 a wait_for that ends at that very moment swallows it.
        assert self._task is not None
        self._closing = True
        self._poked.set()
        await self._task

    async def _keep_up(self) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._poked.wait(), BEAT_S * self._lease_s / LEASE_S)
            if self._closing:
                return
            try:
                if self._connection.is_closed():
                    await self._connect()
                    self._ears.gap()
                await self._beat()
            except FAILED as error:
                LOG.warning("the database does not answer, or not so: %s", type(error).__name__)
                if isinstance(error, LOST):
                    self._connection.terminate()
                await asyncio.sleep(BEAT_S / 4)
            except Exception:  # a bug costs one beat: without the next ones others would take this node for dead
                LOG.exception("a beat failed")
                await asyncio.sleep(BEAT_S / 4)

    async def _connect(self) -> None:
        connection = await connected(self._address)
        try:
            await connection.add_listener(CHANNEL, self._hear)
            rows = await connection.fetch("SELECT table_id, node, seats, looking FROM attendance")
        except FAILED:
            connection.terminate()  # or it would hear, and take itself for up to date
            raise
        self._connection = connection  # kept: what nobody refers to is collected, and falls silent
        there: defaultdict[str, dict[str, There]] = defaultdict(dict)
        for table, node, seats, looking in rows:
            if node != self._node:
                there[table][node] = There(frozenset(seats), frozenset(looking))
        changed = [table for table in {*there, *self._there} if there.get(table) != self._there.get(table)]
        self._there = there
        self._report(changed)

    async def _beat(self) -> None:
        """Renew, inherit, and do what is wished."""
        self._poked.clear()
        ask = self._connection.fetchrow
        (fresh,) = await ask(_RENEW, self._node, self._lease_s)
        if fresh:  # the first time, or when others thought it dead: whatever it had is theirs
            lost, self._held = self._held, set()
            self._untold |= {table for table, here in self._here.items() if here.seats}
            self._report(lost)
        inherited, dead, _ = await ask(_INHERIT, self._node, CHANNEL)
        self._bury(dead)
        self._gain(inherited)
        if dropped := [*self._dropped]:
            await self._connection.fetch(_DROP, self._node, dropped, CHANNEL)
            self._dropped.difference_update(dropped)
        if wanted := [*(self._sought - self._held)]:
            rows = await self._connection.fetch(_SEEK, self._node, wanted)
            self._gain(table for (table,) in rows)
        for used in _paged(self.take_used()):
            told = msgspec.json.encode({"from": self._node, "used": used}).decode()
            await self._connection.execute("SELECT pg_notify($1, $2)", CHANNEL, told)
        while self._untold:
            table = self._untold.pop()
            here = self._here[table] if self._here[table].seats else self._here.pop(table)
            try:
                await ask(_ATTEND, self._node, table, sorted(here.seats), sorted(here.looking), CHANNEL)
            except FAILED:
                self._here.setdefault(table, here)  # unless somebody has come or gone meanwhile
                self._untold.add(table)
                raise

    def _gain(self, tables: Iterable[str]) -> None:
        gained = {*tables} - self._held
        self._held |= gained
        self._report(gained)

    def _bury(self, nodes: Iterable[str]) -> None:
        for node in nodes:
            left = [table for table, there in self._there.items() if there.pop(node, None)]
            self._report(left)

    def _hear(self, _connection: object, _pid: int, _channel: str, payload: str) -> None:
        notice = _NOTICES.decode(payload)
        if notice.sender == self._node:
            return
        for table, size, listed in notice.grown:
            self._ears.tell(table, size)
            if listed:
                self._ears.tell(HALL, size)
        if notice.used:
            self.hear_used(notice.used)
        if notice.noted is not None:
            self._ears.tell(notice.noted, NOTED)
        if notice.there is not None:
            table, seats = notice.there
            if seats:
                self._there[table][notice.sender] = There(seats, notice.looking)
            else:
                self._there[table].pop(notice.sender, None)
            self._report([table])
        self._bury(notice.gone)
        if notice.gone or self._sought.intersection(notice.free):
            self._poked.set()

    def _report(self, tables: Iterable[str]) -> None:
        for table in tables:
            if table in self._there and not self._there[table]:
                del self._there[table]
            self.heard(table)
