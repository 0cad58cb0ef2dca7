"""Malformed and hostile messages: what is made of them, and that whatever they damage is found."""

import json
import sqlite3
from pathlib import Path

import msgspec
import pytest

from whodunit.bench.server import fuzz, hostile
from whodunit.bench.server.hostile import Asks
from whodunit.core.rng import Stream
from whodunit.server import protocol
from whodunit.server.sockets import FRAME_BYTES

SCHEMA = msgspec.json.schema(protocol.AnyAsk)


def read(ask: object) -> object:
    return msgspec.json.decode(json.dumps(ask).encode(), type=protocol.AnyAsk)


def test_asks_are_made_of_every_kind_and_as_the_protocol_wants_them() -> None:
    asks = Asks(SCHEMA, Stream(b"well formed"))

    made = [asks.well_formed(["bench3"]) for _ in range(600)]

    assert {type(read(ask)) for ask in made} == {*protocol.AnyAsk.__args__}
    assert {ask["table"] for ask in made if "table" in ask} == {"bench3"}


def test_a_spoiled_ask_is_never_one() -> None:
    asks = Asks(SCHEMA, Stream(b"spoiled"))

    for _ in range(600):
        spoiled = asks.spoiled(["bench3"])
        with pytest.raises(msgspec.MsgspecError):
            read(spoiled)


def test_frames_grow_longer_than_the_site_takes() -> None:
    assert hostile.FRAME_BYTES == FRAME_BYTES
    draws = Stream(b"breaking")

    assert any(len(hostile.breaking(draws)) > FRAME_BYTES for _ in range(100))


def test_a_frame_says_its_length_or_another() -> None:
    assert hostile.frame(b"ab") == b"\x81\x82\0\0\0\0ab"
    assert hostile.frame(b"ab", masked=False) == b"\x81\x02ab"
    assert hostile.frame(b"", claims=2**62)[:10] == b"\x81\xff" + (2**62).to_bytes(8)


def test_every_byte_stored_of_a_table_counts(tmp_path: Path) -> None:
    store = tmp_path / "whodunit.sqlite"
    with sqlite3.connect(store) as database:
        for name, columns in {
            "record": "table_id, stream, seq, last, body",
            "blob": "table_id, id, media, data",
            "listing": "table_id, body",
            "person": "person, table_id",
            "key": "key, table_id",
        }.items():
            database.execute(f"CREATE TABLE {name} ({columns})")
        database.execute("INSERT INTO record VALUES ('a', 'case', 1, 1, X'00')")
        before = fuzz.stored(store, "a"), fuzz.stored(store, "b")
        database.execute("UPDATE record SET body = X'01'")
        database.execute("INSERT INTO person VALUES ('Ada', 'a')")
    database.close()

    after = fuzz.stored(store, "a"), fuzz.stored(store, "b")

    assert [name for name in before[0] if before[0][name] != after[0][name]] == ["record", "person"]
    assert before[1] == after[1]
