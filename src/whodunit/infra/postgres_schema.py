"""How the PostgreSQL database is laid out, how an older one becomes today's, and how one is reached at all."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final
from urllib.parse import urlsplit

from whodunit.infra.postgres_check import give_checks
from whodunit.infra.sqlite_schema import BadDatabase

SCHEMES: Final = ("postgresql://", "postgres://")
LOCK: Final = 0x57484F44
"""Whoever migrates holds this; nodes that start at once wait for one another."""
WAIT_S: Final = 0.1

# Forward only: a released script is never changed, a new one is added at the end. The number of scripts that a
# database has been through stands in `house`, with the key that all nodes sign cookies with.
MIGRATIONS: Final = (
    """
    CREATE TABLE head ( -- how far each table has come: an append moves it on from what it knew, or is too late
        table_id text COLLATE "C" PRIMARY KEY,
        case_last bigint NOT NULL,
        room_last bigint NOT NULL
    ) WITH (fillfactor = 70); -- every move changes a row of it, and finds room for that on the same page
    CREATE TABLE record (
        table_id text COLLATE "C" NOT NULL,
        stream text NOT NULL CHECK (stream IN ('case', 'room')),
        seq bigint NOT NULL,
        last bigint NOT NULL CHECK (last >= seq),
        body bytea NOT NULL,
        PRIMARY KEY (table_id, stream, seq)
    );
    CREATE TABLE blob (
        table_id text COLLATE "C" NOT NULL,
        id text NOT NULL,
        media text NOT NULL,
        data bytea NOT NULL,
        PRIMARY KEY (table_id, id)
    );
    CREATE TABLE listing (
        table_id text COLLATE "C" PRIMARY KEY,
        stage text NOT NULL,
        public boolean NOT NULL,
        people text[] NOT NULL,
        keys text[] NOT NULL,
        at bigint NOT NULL
    );
    CREATE INDEX listing_gathering ON listing (at DESC, table_id) WHERE stage = 'gathering' AND public;
    CREATE INDEX listing_over ON listing (at) WHERE stage = 'over';
    CREATE INDEX listing_people ON listing USING gin (people);
    CREATE INDEX listing_keys ON listing USING gin (keys);
    CREATE TABLE node ( -- the processes of the house; one that does not renew its row is dead, and others inherit
        id text COLLATE "C" PRIMARY KEY,
        until timestamptz NOT NULL
    );
    CREATE TABLE lease ( -- which node runs a table's clocks and bots
        table_id text COLLATE "C" PRIMARY KEY,
        node text COLLATE "C" NOT NULL REFERENCES node ON DELETE CASCADE
    );
    CREATE INDEX lease_node ON lease (node);
    CREATE TABLE attendance ( -- which seats have a page on which node
        table_id text COLLATE "C" NOT NULL,
        node text COLLATE "C" NOT NULL REFERENCES node ON DELETE CASCADE,
        seats smallint[] NOT NULL,
        PRIMARY KEY (node, table_id)
    );
    """,
    """
    ALTER TABLE attendance ADD COLUMN looking smallint[] NOT NULL DEFAULT '{}';
    """,
    """
    ALTER TABLE listing ADD COLUMN due bigint; -- when the table next does something by itself
    CREATE INDEX listing_due ON listing (due, table_id) WHERE due IS NOT NULL;
    """,
    """
    CREATE INDEX listing_playing ON listing (at, table_id) WHERE stage = 'playing';
    """,
    # Every row gets a check (`crc`). Those of earlier versions get theirs afterwards, in steps; how far that has come
    # stands in `unchecked`. A node of an earlier version, which may still run, writes rows without, and changes others
    # whose check would then be wrong: it is taken away.
    """
    ALTER TABLE record ADD COLUMN crc bigint;
    ALTER TABLE blob ADD COLUMN crc bigint;
    ALTER TABLE listing ADD COLUMN crc bigint;
    CREATE TABLE unchecked (name text PRIMARY KEY, after text[] NOT NULL);
    INSERT INTO unchecked VALUES ('record', '{}'), ('blob', '{}'), ('listing', '{}');
    CREATE FUNCTION drop_check() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW.crc = NULL; RETURN NEW; END
    $$;
    CREATE TRIGGER changed_by_an_earlier_version BEFORE UPDATE ON record FOR EACH ROW
        WHEN (OLD.crc = NEW.crc AND OLD.body <> NEW.body) EXECUTE FUNCTION drop_check();
    CREATE TRIGGER changed_by_an_earlier_version BEFORE UPDATE ON listing FOR EACH ROW
        WHEN (OLD.crc = NEW.crc AND OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION drop_check();
    """,
    """
    ALTER TABLE listing ADD COLUMN household text NOT NULL DEFAULT ''; -- whose place among the open tables it takes
    """,
    """
    CREATE TABLE note ( -- replaced, not appended: a page that is written a thousand times takes the room of one
        table_id text COLLATE "C" NOT NULL,
        seat smallint NOT NULL,
        version bigint NOT NULL,
        body bytea NOT NULL,
        crc bigint NOT NULL,
        PRIMARY KEY (table_id, seat)
    );
    """,
    """
    CREATE TABLE review ( -- of closed cases alone; it follows from the records, and can be made again
        table_id text COLLATE "C" NOT NULL,
        part text COLLATE "C" NOT NULL,
        version text NOT NULL,
        body bytea NOT NULL,
        crc bigint NOT NULL,
        PRIMARY KEY (table_id, part)
    );
    """,
    """
    CREATE TABLE leaf ( -- loose pages beside the tables, replaced by their next versions
        shelf text COLLATE "C" NOT NULL,
        item text COLLATE "C" NOT NULL,
        person text COLLATE "C" NOT NULL, -- whose; empty: the house's own
        version bigint NOT NULL,
        done boolean NOT NULL, -- whether it counts
        body bytea NOT NULL,
        crc bigint NOT NULL,
        PRIMARY KEY (shelf, item, person)
    );
    CREATE INDEX leaf_person ON leaf (person, shelf, item); -- the house's own as well
    CREATE INDEX leaf_done ON leaf (shelf, item, person) WHERE done AND person <> '';
    """,
)

_NEW = "CREATE TABLE house (version integer NOT NULL, key bytea NOT NULL)"
_ALIEN = """
    SELECT count(*) FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
"""


async def connected(address: str) -> Any:
    """Return a connection, or raise what the network or PostgreSQL says."""
    import asyncpg  # noqa: PLC0415  (an extra: whoever keeps tables in SQLite has none)

    # Plans are made once and kept, and tables grow: each row is found by its key however small they were at first.
    settings = {"jit": "off", "enable_seqscan": "off"}
    return await asyncpg.connect(address, timeout=10, command_timeout=30, server_settings=settings)


async def prepared(address: str, new_key: bytes, scripts: Sequence[str] = MIGRATIONS) -> bytes:
    """Bring the database to the newest version and return the house's key; raise BadDatabase if it cannot be used."""
    async with usable(address) as connection:
        try:
            # However long: a node that migrates may have much to do, and a statement has its time limit.
            while not await connection.fetchval("SELECT pg_try_advisory_lock($1)", LOCK):  # noqa: ASYNC110  (see above)
                await asyncio.sleep(WAIT_S)
            async with connection.transaction():
                key = await _migrated(connection, new_key, scripts)
            await give_checks(connection)
        finally:
            if not connection.is_closed():
                await connection.execute("SELECT pg_advisory_unlock_all()")
    return key


@asynccontextmanager
async def usable(address: str) -> AsyncIterator[Any]:
    """Connect, and blame whatever goes wrong on the database, in one sentence."""
    try:
        import asyncpg  # noqa: PLC0415  (see above)
    except ImportError as error:
        raise BadDatabase("PostgreSQL needs a driver: install whodunit-games[postgres]") from error
    try:
        connection = await connected(address)
        try:
            yield connection
        finally:
            await connection.close()
    except (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError, BadDatabase) as error:
        raise BadDatabase(f"cannot open the database {named(address)}: {error or type(error).__name__}") from error


async def _migrated(connection: Any, new_key: bytes, scripts: Sequence[str]) -> bytes:
    """Migrate in one transaction, alone: a failed script leaves no trace."""
    if await connection.fetchval("SELECT to_regclass('house')") is None:
        if await connection.fetchval("SELECT current_schema()") is None:
            raise BadDatabase("its search_path names no schema that exists")
        if await connection.fetchval(_ALIEN):
            raise BadDatabase("it is the database of another program; the house wants one, or a schema, of its own")
        await connection.execute(_NEW)
        await connection.execute("INSERT INTO house VALUES (0, $1)", new_key)
    version, key = await connection.fetchrow("SELECT version, key FROM house")
    if version > len(scripts):
        raise BadDatabase(f"it has version {version}, this program knows up to {len(scripts)}: update the program")
    for script in scripts[version:]:
        await connection.execute(script)
    await connection.execute("UPDATE house SET version = $1", len(scripts))
    return bytes(key)


async def check_version(connection: Any) -> None:
    """Raise BadDatabase unless the database is of today's version."""
    if await connection.fetchval("SELECT to_regclass('house')") is None:
        raise BadDatabase("no house has ever been opened there")
    version = await connection.fetchval("SELECT version FROM house")
    if version != len(MIGRATIONS):
        raise BadDatabase(f"it has version {version}, and this program's is {len(MIGRATIONS)}: open the house first")


def named(address: str) -> str:
    """Return an address as it may be told: without a password."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return "at an address that is none"
    return f"{parts.hostname or 'on this machine'}{parts.path}"
