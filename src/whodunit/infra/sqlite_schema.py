"""How the SQLite database is laid out, and how an older one becomes today's."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Final

from whodunit.infra.sqlite_upgrade import give_checks, overwrite_free_pages


class BadDatabase(Exception):
    """The file cannot be used as the house's database; says which and why."""


APPLICATION: Final = 0x57484F44
"""Marks the file as ours ("WHOD"), so that no other program's database is ever migrated."""

# Forward only: a released script is never changed, a new one is added at the end. The number of scripts that a
# database has been through is its user_version. A function is for what takes long: it works in transactions of its
# own, and begins again where it was interrupted.
MIGRATIONS: Final[tuple[str | Callable[[sqlite3.Connection], None], ...]] = (
    # Rowids where rows are long: they keep the rows in the order of their coming, and a commit touches half the pages.
    """
    CREATE TABLE record (
        table_id TEXT NOT NULL,
        stream TEXT NOT NULL CHECK (stream IN ('case', 'room')),
        seq INTEGER NOT NULL,
        last INTEGER NOT NULL CHECK (last >= seq),
        body BLOB NOT NULL,
        PRIMARY KEY (table_id, stream, seq)
    );
    CREATE TABLE blob (
        table_id TEXT NOT NULL,
        id TEXT NOT NULL,
        media TEXT NOT NULL,
        data BLOB NOT NULL,
        PRIMARY KEY (table_id, id)
    );
    CREATE TABLE listing (
        table_id TEXT NOT NULL PRIMARY KEY,
        stage TEXT NOT NULL,
        public INTEGER NOT NULL,
        at INTEGER NOT NULL,
        body TEXT NOT NULL -- the whole of it, as JSON; the columns and the two tables below are there to be searched
    );
    CREATE INDEX listing_gathering ON listing (at DESC, table_id) WHERE stage = 'gathering' AND public;
    CREATE TABLE person (
        person TEXT NOT NULL,
        table_id TEXT NOT NULL,
        PRIMARY KEY (person, table_id)
    ) WITHOUT ROWID;
    CREATE INDEX person_table ON person (table_id);
    CREATE TABLE key (
        key TEXT NOT NULL,
        table_id TEXT NOT NULL,
        PRIMARY KEY (key, table_id)
    ) WITHOUT ROWID;
    CREATE INDEX key_table ON key (table_id);
    """,
    """
    ALTER TABLE listing ADD COLUMN due INTEGER; -- when the table next does something by itself
    CREATE INDEX listing_due ON listing (due, table_id) WHERE due IS NOT NULL;
    """,
    """
    CREATE INDEX listing_playing ON listing (at, table_id) WHERE stage = 'playing';
    """,
    # Where a table's records lie is noted for many at once: with every move it was most of what a commit wrote.
    """
    ALTER TABLE record RENAME TO record_by_key;
    CREATE TABLE record (
        number INTEGER PRIMARY KEY, -- in the order of their coming
        table_id TEXT NOT NULL,
        stream TEXT NOT NULL CHECK (stream IN ('case', 'room')),
        seq INTEGER NOT NULL,
        last INTEGER NOT NULL CHECK (last >= seq),
        body BLOB NOT NULL
    );
    CREATE TABLE place ( -- of every record up to the one that `placed` names
        table_id TEXT NOT NULL,
        stream TEXT NOT NULL,
        seq INTEGER NOT NULL,
        number INTEGER NOT NULL,
        PRIMARY KEY (table_id, stream, seq)
    ) WITHOUT ROWID;
    CREATE TABLE placed (number INTEGER NOT NULL);
    INSERT INTO record SELECT rowid, table_id, stream, seq, last, body FROM record_by_key ORDER BY rowid;
    INSERT INTO place SELECT table_id, stream, seq, number FROM record ORDER BY table_id, stream, seq;
    INSERT INTO placed SELECT coalesce(max(number), 0) FROM record;
    PRAGMA secure_delete = ON; -- who asks to be forgotten shall not live on in pages that this frees
    DROP TABLE record_by_key;
    PRAGMA secure_delete = FAST;
    """,
    # Every row gets a check (`crc`): what is not as it was stored is found out. The rows move over in steps; what was
    # left of them in pages that earlier versions freed is overwritten.
    """
    ALTER TABLE record RENAME TO record_unchecked;
    CREATE TABLE record (
        number INTEGER PRIMARY KEY, -- in the order of their coming
        table_id TEXT NOT NULL,
        stream TEXT NOT NULL CHECK (stream IN ('case', 'room')),
        seq INTEGER NOT NULL,
        last INTEGER NOT NULL CHECK (last >= seq),
        body BLOB NOT NULL,
        crc INTEGER NOT NULL
    );
    CREATE TABLE stream_end ( -- how much there must be: of each stream up to `placed`, and how many blobs and notes
        table_id TEXT NOT NULL,
        stream TEXT NOT NULL,
        last INTEGER NOT NULL,
        PRIMARY KEY (table_id, stream)
    ) WITHOUT ROWID;
    ALTER TABLE blob RENAME TO blob_unchecked;
    CREATE TABLE blob (
        table_id TEXT NOT NULL,
        id TEXT NOT NULL,
        media TEXT NOT NULL,
        data BLOB NOT NULL,
        crc INTEGER NOT NULL,
        PRIMARY KEY (table_id, id)
    );
    DROP INDEX listing_gathering;
    DROP INDEX listing_due;
    DROP INDEX listing_playing;
    ALTER TABLE listing RENAME TO listing_unchecked;
    CREATE TABLE listing (
        table_id TEXT NOT NULL PRIMARY KEY,
        stage TEXT NOT NULL,
        public INTEGER NOT NULL,
        at INTEGER NOT NULL,
        due INTEGER, -- when the table next does something by itself
        household TEXT NOT NULL, -- whose place among the open tables it takes
        body TEXT NOT NULL, -- the whole of it, as JSON; the columns and the two tables below follow from it
        crc INTEGER NOT NULL
    );
    CREATE INDEX listing_gathering ON listing (at DESC, table_id) WHERE stage = 'gathering' AND public;
    CREATE INDEX listing_due ON listing (due, table_id) WHERE due IS NOT NULL;
    CREATE INDEX listing_playing ON listing (at, table_id) WHERE stage = 'playing';
    PRAGMA secure_delete = ON;
    DROP TABLE person;
    DROP TABLE key;
    CREATE TABLE person (
        person TEXT NOT NULL,
        table_id TEXT NOT NULL,
        PRIMARY KEY (person, table_id)
    ) WITHOUT ROWID;
    CREATE INDEX person_table ON person (table_id);
    CREATE TABLE key (
        key TEXT NOT NULL,
        table_id TEXT NOT NULL,
        PRIMARY KEY (key, table_id)
    ) WITHOUT ROWID;
    CREATE INDEX key_table ON key (table_id);
    """,
    give_checks,
    """
    DROP TABLE record_unchecked;
    DROP TABLE blob_unchecked;
    DROP TABLE listing_unchecked;
    """,
    overwrite_free_pages,
    # Replaced, not appended: a page that is written a thousand times takes the room of one.
    """
    CREATE TABLE note (
        table_id TEXT NOT NULL,
        seat INTEGER NOT NULL,
        version INTEGER NOT NULL,
        body BLOB NOT NULL,
        crc INTEGER NOT NULL,
        PRIMARY KEY (table_id, seat)
    );
    """,
    # Of closed cases alone. It follows from the records: what is missing or damaged here is made again.
    """
    CREATE TABLE review (
        table_id TEXT NOT NULL,
        part TEXT NOT NULL,
        version TEXT NOT NULL,
        body BLOB NOT NULL,
        crc INTEGER NOT NULL,
        PRIMARY KEY (table_id, part)
    );
    """,
    """
    CREATE TABLE leaf ( -- loose pages beside the tables, replaced by their next versions
        shelf TEXT NOT NULL,
        item TEXT NOT NULL,
        person TEXT NOT NULL, -- whose; empty: the house's own
        version INTEGER NOT NULL,
        done INTEGER NOT NULL, -- whether it counts
        body BLOB NOT NULL,
        crc INTEGER NOT NULL,
        PRIMARY KEY (shelf, item, person)
    );
    CREATE INDEX leaf_person ON leaf (person, shelf, item); -- the house's own as well
    CREATE INDEX leaf_done ON leaf (shelf, item, person, done) WHERE done AND person <> ''; -- enough to count
    """,
)


def migrate(
    connection: sqlite3.Connection, scripts: Sequence[str | Callable[[sqlite3.Connection], None]] = MIGRATIONS
) -> None:
    """Bring the database to the newest version, each script in one transaction; a failed one leaves no trace."""
    for version in range(_number(connection, "user_version"), len(scripts)):
        step = scripts[version]
        stamp = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {version + 1};"
        try:
            if callable(step):
                step(connection)
            script = "" if callable(step) else step
            connection.executescript(f"BEGIN IMMEDIATE; {script}; {stamp} COMMIT")
        except sqlite3.Error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


@contextmanager
def connected(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the database, or a new one, for one thread at a time; a COMMIT returns when the disk has it."""
    path.touch(0o600)  # nobody else on the machine may read the hands; SQLite gives its other files the same mode
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as connection:
        connection.text_factory = _text
        _check_ours(connection)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")  # what is deleted or replaced is overwritten, freed pages too
        ((mode,),) = connection.execute("PRAGMA journal_mode = WAL")
        if mode != "wal":
            raise BadDatabase("SQLite cannot keep a write-ahead log on this file system")
        yield connection


@contextmanager
def read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database to which nothing can be written, not even what SQLite itself needs to read it."""
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as connection:
        connection.text_factory = _text
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")  # the index of the write-ahead log is in memory then
        _check_ours(connection)
        if _number(connection, "user_version") != len(MIGRATIONS):
            raise BadDatabase("the disk is full, and it is of an earlier version: make room, so that it can be changed")
        connection.execute("PRAGMA query_only = 1")
        yield connection


def _text(data: bytes) -> str:
    """Read damaged text too, which its check then finds out: SQLite's own error repeats it."""
    return data.decode("utf-8", "replace")


def _check_ours(connection: sqlite3.Connection) -> None:
    """Raise BadDatabase, and change nothing, if another program or a later version of this one made it."""
    version = _number(connection, "user_version")
    ((things,),) = connection.execute("SELECT count(*) FROM sqlite_master")  # and read the file's first page, or fail
    if things and _number(connection, "application_id") != APPLICATION:
        raise BadDatabase("it is the database of another program")
    if version > len(MIGRATIONS):
        raise BadDatabase(f"it has version {version}, this program knows up to {len(MIGRATIONS)}: update the program")


def check_layout(connection: sqlite3.Connection) -> None:
    """Raise BadDatabase unless everything of ours is there, in today's words: an index with other words finds others.

    What somebody else has added is none of our business.
    """
    ours, found = _layout(), dict(_words(connection))
    if wrong := sorted(name for name, words in ours.items() if found.get(name) != words):
        raise BadDatabase(f"its layout is damaged: {', '.join(wrong)}")
    if _number(connection, "auto_vacuum"):  # we never ask for it: its next write would put pages over others
        raise BadDatabase("its first page is damaged")


@cache
def _layout() -> dict[str, str]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        migrate(fresh)
        return dict(_words(fresh))


def _words(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    rows = connection.execute("SELECT name, type || ' ' || tbl_name || ': ' || coalesce(sql, '') FROM sqlite_master")
    # SQLite quotes names and moves spaces when it renames a table, by version not always alike.
    return [(name, "".join(words.replace('"', "").split())) for name, words in rows]


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    ((number,),) = connection.execute(f"PRAGMA {pragma}")
    assert isinstance(number, int)
    return number
