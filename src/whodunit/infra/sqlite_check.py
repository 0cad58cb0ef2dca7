"""`whodunit check-data` on a SQLite file: reads everything, names what is damaged, and makes anew what can be made.

A repair writes a new file and leaves the old one as it is, under another name: what is written to a damaged file may
land in pages that belong to something else.
"""

import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, Literal

from whodunit.core.errors import Damaged, DamagedLeaf
from whodunit.infra.checks import CHECKED, LEAF_DAMAGED, Streams, is_sound
from whodunit.infra.lock import held, held_itself
from whodunit.infra.progress import Progress
from whodunit.infra.sqlite_leaves import count_anew, leaves_wrong
from whodunit.infra.sqlite_lists import compared, count_rows, listing_of, put_listing
from whodunit.infra.sqlite_records import note_ends
from whodunit.infra.sqlite_schema import MIGRATIONS, BadDatabase, check_layout, connected, migrate

AT_A_TIME: Final = 200
DERIVED: Final = ("place", "placed", "stream_end", "listing", "person", "key", "review")
"""What is made anew, or can be; all other tables are copied as they are."""


def examined(path: Path, say: Callable[[str], None], *, repair: bool) -> None:
    """Read the whole database and say what is damaged; raises InUse or BadDatabase if it cannot begin."""
    path = path.resolve()
    if not path.exists():
        raise BadDatabase(f"there is no database {path}")
    with ExitStack() as opened:
        opened.enter_context(held(path.with_name(f"{path.name}.lock")))
        opened.enter_context(held_itself(path))
        try:
            if repair:
                _repair(path, say)
            with connected(path) as connection:
                connection.execute("PRAGMA query_only = 1")
                _check_version(connection)
                _examine(connection, say)
        except (sqlite3.Error, BadDatabase) as error:
            raise BadDatabase(f"cannot open the database {path}: {error}") from error
        except UnicodeDecodeError as error:  # what SQLite wanted to say quotes words of the file that are none
            raise BadDatabase(f"cannot open the database {path}: its layout is damaged") from error


def _check_version(connection: sqlite3.Connection) -> None:
    ((version,),) = connection.execute("PRAGMA user_version")
    if version < len(MIGRATIONS):
        raise BadDatabase("it is of an earlier version, without checks: it gets them when the house is next opened")


def _examine(connection: sqlite3.Connection, say: Callable[[str], None]) -> None:
    check_layout(connection)
    for (line,) in _ask(connection, "PRAGMA integrity_check(5)") or [("SQLite cannot go through all of it",)]:
        if line != "ok":
            say(f"the file is damaged: {' '.join(line.split())}")
    total = sum(_highest(connection, name) for name in (*CHECKED, "listing"))
    progress = Progress(total, "checking")
    _examine_records(connection, say, progress)
    _examine_counted(connection, "blob", say, progress)
    _examine_counted(connection, "note", say, progress)
    _examine_reviews(connection, say, progress)
    _examine_leaves(connection, say, progress)
    try:
        verdict = compared(connection, progress.step)
    except sqlite3.DatabaseError:
        say("the lists are damaged: they cannot be read")
    else:
        for table in verdict.damaged.values():
            say(str(Damaged(table, "how it stands in lists is not what was stored")))
        for wrong in dict.fromkeys(verdict.wrong):
            say(f"the lists are damaged: {wrong}")
    progress.end()


def _examine_records(connection: sqlite3.Connection, say: Callable[[str], None], progress: Progress) -> None:
    streams = Streams(say)
    newest, wrong = 0, 0
    for number, row in _rows(connection, "record"):
        progress.step(number - newest)
        newest = number
        if row is None:
            say(f"the file is damaged: the record {number} cannot be read")
            continue
        if not is_sound("record", row):
            say(str(Damaged(row[0], f"a record of its {row[1]}, number {number} of all, is not what was stored")))
            continue
        streams.take(*row[:4])
        wrong += _place(connection, row) != number
    if wrong:
        say(f"{wrong} records are not where their places say")
    if (placed := _ask(connection, "SELECT number FROM placed")) != [(newest,)]:
        say("which records have their places is noted wrongly" if placed is not None else "`placed` cannot be read")
    ends = _ask(connection, "SELECT table_id, stream, last FROM stream_end WHERE stream IN ('case', 'room')")
    if ends is None:
        say("where streams end cannot be read")
        return
    for table, stream in streams.end({(table, stream): last for table, stream, last in ends}):
        say(f"where the {stream} of the table {table} ends is noted wrongly")


def _place(connection: sqlite3.Connection, row: tuple[Any, ...]) -> int | None:
    found = _ask(connection, "SELECT number FROM place WHERE table_id = ? AND stream = ? AND seq = ?", *row[:3])
    return found[0][0] if found else None


def _examine_counted(
    connection: sqlite3.Connection, name: Literal["blob", "note"], say: Callable[[str], None], progress: Progress
) -> None:
    """Examine rows of which only the number is noted."""
    counted: Counter[str] = Counter()
    before = 0
    for number, row in _rows(connection, name):
        progress.step(number - before)
        before = number
        if row is None:
            say(f"the file is damaged: the {name} {number} cannot be read")
            continue
        counted[row[0]] += 1
        if not is_sound(name, row):
            say(str(Damaged(row[0], f"one of its {name}s is not what was stored")))
    noted = dict(_ask(connection, "SELECT table_id, last FROM stream_end WHERE stream = ?", name) or [])
    for table in sorted({*counted, *noted}):
        if counted[table] != noted.get(table, 0):
            say(str(Damaged(table, f"it has {counted[table]} {name}s, and {noted.get(table, 0)} were stored")))


def _examine_reviews(connection: sqlite3.Connection, say: Callable[[str], None], progress: Progress) -> None:
    """Examine rows that can be made again, so that none need be there."""
    before = 0
    for number, row in _rows(connection, "review"):
        progress.step(number - before)
        before = number
        if row is None:
            say(f"the file is damaged: the review {number} cannot be read")
        elif not is_sound("review", row):
            say(str(Damaged(row[0], "its review is not what was stored: it is made again")))


def _examine_leaves(connection: sqlite3.Connection, say: Callable[[str], None], progress: Progress) -> None:
    before = 0
    for number, row in _rows(connection, "leaf"):
        progress.step(number - before)
        before = number
        if row is None:
            say(f"the file is damaged: the leaf {number} cannot be read")
        elif not is_sound("leaf", row):
            say(str(DamagedLeaf(row[0], row[1], f"{LEAF_DAMAGED}, number {number} of all")))
    if wrong := leaves_wrong(connection):
        say(f"the leaves are damaged: {wrong}")


def _ask(connection: sqlite3.Connection, query: str, *values: object) -> list[Any] | None:
    try:
        return connection.execute(query, values).fetchall()
    except sqlite3.DatabaseError:
        return None


def _highest(connection: sqlite3.Connection, name: str) -> int:
    found = _ask(connection, f"SELECT coalesce(max(rowid), 0) FROM {name}")  # noqa: S608  (ours)
    return int(found[0][0]) if found else 0


def _rows(connection: sqlite3.Connection, name: str, what: str = "") -> Iterator[tuple[int, tuple[Any, ...] | None]]:
    """Yield every row with its number; None for one that cannot be read."""
    what = what or ", ".join((*CHECKED[name][0], "crc"))
    after, highest = 0, _highest(connection, name)
    while after < highest:
        query = f"SELECT rowid, {what} FROM {name} WHERE rowid > ? ORDER BY rowid LIMIT {AT_A_TIME}"  # noqa: S608  (ours)
        rows = _ask(connection, query, after)
        if rows == []:
            return
        if rows is None:  # one by one: what lies behind the bad place may be whole
            for number in range(after + 1, min(after + AT_A_TIME, highest) + 1):
                one = _ask(connection, f"SELECT {what} FROM {name} WHERE rowid = ?", number)  # noqa: S608  (ours)
                if one != []:
                    yield number, one[0] if one else None
            after += AT_A_TIME
        else:
            yield from ((number, tuple(row)) for number, *row in rows)
            after = rows[-1][0]


def _repair(path: Path, say: Callable[[str], None]) -> None:
    """Write a new file, with all that follows from something else made anew, and put it in the old one's place."""
    new, old = (path.with_name(f"{path.name}.{end}") for end in ("repaired", "damaged"))
    if old.exists():
        raise BadDatabase(f"{old} is there from an earlier repair: move it away first")
    for end in ("", "-wal", "-shm"):
        new.with_name(new.name + end).unlink(missing_ok=True)
    with connected(path) as source, connected(new) as target:
        _check_version(source)
        migrate(target)
        target.execute("BEGIN IMMEDIATE")
        _copy(source, target, say)
        target.execute("COMMIT")
    os.link(path, old)  # so that at no moment there is none
    new.replace(path)
    say(f"repaired: places, ends and lists are made anew; {old.name} is the file as it was, with everybody's secrets")


def _copy(source: sqlite3.Connection, target: sqlite3.Connection, say: Callable[[str], None]) -> None:
    for name in [name for (name,) in target.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]:
        if name not in DERIVED:
            _copy_rows(source, target, name, say)
    _copy_listings(source, target)
    sound = [row for _, row in _rows(source, "review") if row is not None and is_sound("review", row)]
    target.executemany("INSERT OR IGNORE INTO review VALUES (?, ?, ?, ?, ?)", sound)
    # Sound records first: a damaged one may say that it is another.
    number, ends = 0, dict[tuple[str, str], int]()
    for wanted in (True, False):
        for number, row in _rows(target, "record"):
            if row is not None and is_sound("record", row) is wanted:
                target.execute("INSERT OR IGNORE INTO place VALUES (?, ?, ?, ?)", (*row[:3], number))
                if wanted:
                    ends[row[0], row[1]] = row[3]
    target.execute("UPDATE placed SET number = ?", (number,))
    note_ends(target, ends | _missed(source, target, ends))
    count_rows(target, "blob", dict(target.execute("SELECT table_id, count(*) FROM blob GROUP BY table_id").fetchall()))
    count_anew(target)
    count_rows(target, "note", dict(target.execute("SELECT table_id, count(*) FROM note GROUP BY table_id").fetchall()))


def _copy_rows(source: sqlite3.Connection, target: sqlite3.Connection, name: str, say: Callable[[str], None]) -> None:
    info = target.execute(f"PRAGMA table_info({name})").fetchall()
    keys = [column for _, column, kind, _, _, key in info if key and kind == "INTEGER"]
    alone = keys if sum(bool(key) for *_, key in info) == 1 else []  # such a key is the row's number itself
    columns = [column for _, column, *_ in info if column not in alone]
    marks = ", ".join("?" * (len(columns) + 1))
    into = f"INSERT OR IGNORE INTO {name} (rowid, {', '.join(columns)}) VALUES ({marks})"  # noqa: S608  (ours)
    for number, row in _rows(source, name, ", ".join(columns)):
        if row is None or not target.execute(into, (number, *row)).rowcount:
            say(f"a row of {name}, number {number}, cannot be read: only the old file has it")


def _copy_listings(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    lost: list[tuple[Any, ...]] = []
    for number, row in _rows(source, "listing", "table_id, stage, public, at, due, household, body, crc"):
        listing = row and listing_of((number, row[0], *row[6:]))
        if listing:
            put_listing(target, listing)
        elif row:
            lost.append(row)
    for row in lost:
        target.execute("INSERT OR IGNORE INTO listing VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        for name in ("person", "key"):
            pairs = _ask(source, f"SELECT * FROM {name} WHERE table_id = ?", row[0]) or []  # noqa: S608  (ours)
            target.executemany(f"INSERT OR IGNORE INTO {name} VALUES (?, ?)", pairs)  # noqa: S608  (ours)


def _missed(
    source: sqlite3.Connection, target: sqlite3.Connection, ends: dict[tuple[str, str], int]
) -> dict[tuple[str, str], int]:
    """Return the ends that were noted and are not reached: what is lost shall stay known to be lost."""
    noted = _ask(source, "SELECT table_id, stream, last FROM stream_end WHERE stream IN ('case', 'room')") or []
    missed = {}
    for table, stream, last in noted:
        reached = ends.get((table, stream), 0)
        if not isinstance(last, int) or last <= reached:
            continue
        beyond = "SELECT 1 FROM place WHERE table_id = ? AND stream = ? AND seq > ? LIMIT 1"
        known = target.execute("SELECT 1 FROM listing WHERE table_id = ?", (table,)).fetchall()
        if _ask(source, beyond, table, stream, reached) != [] or (known and not reached):
            missed[table, stream] = last
    return missed
