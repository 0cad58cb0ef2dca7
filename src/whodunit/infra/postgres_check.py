"""The checks over rows in PostgreSQL: given to those of earlier versions, compared by `whodunit check-data`.

A row may have none: a node of an earlier version, which still runs while others are updated, has written it.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Final

from whodunit.core.errors import Damaged, DamagedLeaf
from whodunit.core.ports import Listing
from whodunit.infra.checks import CHECKED, LEAF_DAMAGED, Streams, columns, is_sound, listing_crc
from whodunit.infra.progress import Progress

LISTINGS: Final = "SELECT table_id, stage, public, people, keys, at, due, household, crc FROM listing"
STEP: Final = {"record": 500, "blob": 50, "note": 50, "review": 50, "listing": 500, "leaf": 500}
"""So many rows are looked at in one transaction."""
KEYS: Final = {
    "record": ("table_id", "stream", "seq"),
    "blob": ("table_id", "id"),
    "note": ("table_id", "seat"),
    "review": ("table_id", "part"),
    "listing": ("table_id",),
    "leaf": ("shelf", "item", "person"),
}
_TYPES: Final = {"seq": "bigint", "seat": "smallint"}
REINDEXED: Final = ("head", *KEYS)
_STREAMS: Final = ("case", "room")
_PARTS: Final = {
    "record": "the record {2} of its {1} is not what was stored",
    "blob": "one of its blobs is not what was stored",
    "note": "one of its notes is not what was stored",
    "review": "its review is not what was stored: it is made again",
    "listing": "how it stands in lists is not what was stored",
}


def with_check(name: str, row: Sequence[Any]) -> Sequence[Any]:
    """Return a row as one that has its check, if an earlier version has written it."""
    return row if row[-1] is not None else (*row[:-1], CHECKED[name][1](*row[:-1]))


def is_kept(name: str, row: Sequence[Any]) -> bool:
    """Say whether a row is as it was written, as far as anybody can tell."""
    return is_sound(name, with_check(name, row))


def listing_of(row: Sequence[Any]) -> Listing | None:
    """Return the listing in a row of LISTINGS; None if it is not what was stored."""
    listing = _listing(row)
    return listing if row[-1] is None or row[-1] == listing_crc(listing) else None


def _listing(row: Sequence[Any]) -> Listing:
    id, stage, public, people, keys, at, due, household, _ = row
    return Listing(id, stage, public, tuple(people), tuple(keys), at, due, household)


def _crc(name: str, row: Sequence[Any]) -> int:
    return listing_crc(_listing(row)) if name == "listing" else CHECKED[name][1](*row[:-1])


async def give_checks(connection: Any) -> None:
    """Give the rows of earlier versions their checks, in transactions of their own: it goes on where it was ended."""
    if await connection.fetchval("SELECT to_regclass('unchecked')") is None:
        return
    left = dict(await connection.fetch("SELECT name, after FROM unchecked"))
    if not left:
        return
    progress = Progress(await _about(connection, [*left]), "checking in what earlier versions stored")
    for name, after in left.items():
        async for rows in _pages(connection, name, tuple(after) or None):
            await fill(connection, name, [row for row in rows if row[-1] is None], _key(name, rows[-1]))
            progress.step(len(rows))
        await connection.execute("DELETE FROM unchecked WHERE name = $1", name)
    progress.end()


async def fill(connection: Any, name: str, rows: Sequence[Any], after: Sequence[Any] = ()) -> None:
    """Give these rows their checks, unless somebody has changed them meanwhile, and note how far that has come."""
    keys = KEYS[name]
    given = ", ".join(f"${n}::{_TYPES.get(key, 'text')}[]" for n, key in enumerate(keys, 1))
    same = " AND ".join(f"{name}.{key} = new.{key}" for key in keys)
    query = f"""
        UPDATE {name} SET crc = new.crc FROM unnest({given}, ${len(keys) + 1}::bigint[]) AS new ({", ".join(keys)}, crc)
        WHERE {same} AND {name}.crc IS NULL
    """  # noqa: S608  (ours)
    async with connection.transaction():
        # Read again, and held: what another node writes meanwhile comes before or after.
        held = await connection.fetch(
            f"""
            SELECT {_wanted(name)} FROM {name} JOIN unnest({given}) AS new ({", ".join(keys)}) ON {same}
            WHERE {name}.crc IS NULL ORDER BY {", ".join(f"{name}.{key}" for key in keys)} FOR UPDATE OF {name}
            """,  # noqa: S608  (ours)
            *_turned([_key(name, row) for row in rows], len(keys)),
        )
        if held:
            crcs = [(*_key(name, row), _crc(name, row)) for row in held]
            await connection.execute(query, *_turned(crcs, len(keys) + 1))
        if after:
            await connection.execute("UPDATE unchecked SET after = $2 WHERE name = $1", name, [*map(str, after)])


def _turned(rows: Sequence[Sequence[Any]], width: int) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in range(width)]


def _wanted(name: str) -> str:
    if name == "listing":
        return "listing.table_id, stage, public, people, listing.keys, at, due, household, listing.crc"
    return columns(name)


def _key(name: str, row: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(row[: len(KEYS[name])])


async def _pages(connection: Any, name: str, after: tuple[Any, ...] | None = None) -> AsyncIterator[list[Any]]:
    """Yield all rows of a table in the order of their keys, some at a time."""
    keys = KEYS[name]
    ordered = ", ".join(f"{name}.{key}" for key in keys)
    while True:
        behind = ", ".join(f"${n}::{_TYPES.get(key, 'text')}" for n, key in enumerate(keys, 1)) if after else ""
        where = f"WHERE ({ordered}) > ({behind})" if after else ""
        query = f"SELECT {_wanted(name)} FROM {name} {where} ORDER BY {ordered} LIMIT {STEP[name]}"  # noqa: S608  (ours)
        values = [int(part) if key in _TYPES else part for key, part in zip(keys, after or (), strict=False)]
        rows = await connection.fetch(query, *values)
        if not rows:
            return
        yield rows
        after = _key(name, rows[-1])


async def examined(connection: Any, say: Callable[[str], None], *, repair: bool) -> None:
    """Read everything, and say what is damaged; repair: give checks that are missing, ends that are too near, indices.

    Records, blobs, listings and leaves are never changed. A damaged review is dropped, and made again when it is
    wanted.
    """
    if repair:
        for name in REINDEXED:
            await connection.execute(f"REINDEX TABLE {name}", timeout=None)
    progress = Progress(await _about(connection, [*KEYS]), "checking")
    streams = Streams(say)
    for name in KEYS:
        async for rows in _pages(connection, name):
            for row in rows:
                if not (listing_of(row) if name == "listing" else is_kept(name, row)):
                    say(str(_damage(name, row)))
                    if name == "review" and repair:
                        await connection.execute("DELETE FROM review WHERE table_id = $1 AND part = $2", *row[:2])
                if name == "record":
                    streams.take(*row[:4])
            missing = [row for row in rows if row[-1] is None]
            if missing and repair:
                await fill(connection, name, missing)
            elif missing:
                say(f"{len(missing)} rows of {name}, of an earlier version, have no check: --repair gives it to them")
            progress.step(len(rows))
    progress.end()
    await _heads(connection, streams, say, repair=repair)


def _damage(name: str, row: Sequence[Any]) -> Damaged:
    """Return what is to be said of a damaged row."""
    if name == "leaf":
        return DamagedLeaf(row[0], row[1], LEAF_DAMAGED)
    return Damaged(row[0], _PARTS[name].format(*row))


async def _about(connection: Any, names: Sequence[str]) -> int:
    """Return how many rows there are, as PostgreSQL remembers it: to count them takes as long as to read them."""
    query = "SELECT coalesce(sum(greatest(reltuples, 0)), 0)::bigint FROM pg_class WHERE oid = ANY($1::regclass[])"
    return int(await connection.fetchval(query, names))


async def _heads(connection: Any, streams: Streams, say: Callable[[str], None], *, repair: bool) -> None:
    """Compare where streams end with what is noted; what is noted too near is mended."""
    rows = await connection.fetch("SELECT table_id, case_last, room_last FROM head")
    noted = {(table, stream): last for table, *lasts in rows for stream, last in zip(_STREAMS, lasts, strict=True)}
    for table in sorted({table for table, _ in streams.end(noted)}):
        say(f"where the table {table} ends is noted wrongly{': mended' if repair else ''}")
        if repair:
            lasts = [max(streams.reached.get((table, stream), 0), noted.get((table, stream), 0)) for stream in _STREAMS]
            query = """
                INSERT INTO head VALUES ($1, $2, $3)
                ON CONFLICT (table_id) DO UPDATE SET case_last = excluded.case_last, room_last = excluded.room_last
            """
            await connection.execute(query, table, *lasts)
