"""What every Store must do; each implementation runs the same suite."""

import asyncio
from pathlib import Path
from typing import Literal

import pytest
from msgspec.structs import replace

from tests.contract.houses import Run, postgres_store
from whodunit.core.errors import Conflict
from whodunit.core.ports import AT_ONCE, Listing, Notes, Record, Store
from whodunit.core.types import Blob
from whodunit.infra import postgres_schema, sqlite_schema
from whodunit.infra.checks import row_crc
from whodunit.infra.sqlite import SqliteStore
from whodunit.infra.sqlite_schema import connected, migrate

SOUND = Blob("sound", "audio/ogg", b"\x00\xff")


def case(seq: int, last: int | None = None, body: bytes = b"body") -> Record:
    return Record("case", seq, last or seq, body)


def room(seq: int, last: int | None = None, body: bytes = b"body") -> Record:
    return Record("room", seq, last or seq, body)


Stage = Literal["gathering", "playing", "over"]


def listed(table: str, at: int = 0, *, stage: Stage = "gathering", public: bool = True, household: str = "") -> Listing:
    return Listing(table, stage, public, at=at, household=household)


def test_records_are_read_in_the_order_of_their_appending(run: Run, store: Store) -> None:
    async def scene() -> None:
        await store.append("a", [case(1, 2, b"one")])
        await store.append("b", [case(1, 5, b"two")])
        await store.append("a", [case(3, 3, b"three")])

        assert list(await store.read("a", "case")) == [case(1, 2, b"one"), case(3, 3, b"three")]
        assert list(await store.read("b", "case")) == [case(1, 5, b"two")]
        assert list(await store.read("nobody", "case")) == []

    run(scene())


def test_reading_begins_behind_an_entry(run: Run, store: Store) -> None:
    async def scene() -> None:
        await store.append("a", [case(1, 2), case(3), case(4, 12)])

        assert list(await store.read("a", "case", 2)) == [case(3), case(4, 12)]
        assert list(await store.read("a", "case", 1)) == [case(3), case(4, 12)]
        assert list(await store.read("a", "case", 3)) == [case(4, 12)]
        assert list(await store.read("a", "case", 4)) == []
        assert list(await store.read("a", "case", 99)) == []

    run(scene())


def test_the_two_streams_are_numbered_apart(run: Run, store: Store) -> None:
    async def scene() -> None:
        await store.append("a", [room(1)])
        await store.append("a", [room(2, 4), case(1, 9)])
        await store.append("a", [case(10), room(5), case(11)])

        assert [record.seq for record in await store.read("a", "room")] == [1, 2, 5]
        assert [record.seq for record in await store.read("a", "case")] == [1, 10, 11]

    run(scene())


@pytest.mark.parametrize("seq", [0, 1, 2, 4])
def test_an_append_that_does_not_follow_is_a_conflict(run: Run, store: Store, seq: int) -> None:
    async def scene() -> None:
        await store.append("a", [case(1, 2)])
        with pytest.raises(Conflict):
            await store.append("a", [case(seq, 9)])

        assert list(await store.read("a", "case")) == [case(1, 2)]
        await store.append("a", [case(3)])

    run(scene())


@pytest.mark.parametrize("first", [0, 2])
def test_a_stream_begins_with_entry_one(run: Run, store: Store, first: int) -> None:
    async def scene() -> None:
        await store.append("a", [room(1)])
        await store.append("b", [case(1)])
        with pytest.raises(Conflict):
            await store.append("a", [case(first, 3)])

        assert list(await store.read("a", "case")) == []

    run(scene())


@pytest.mark.parametrize(
    "records", [[case(2), room(9)], [room(9), case(2)], [case(2), case(2)], [case(2, 3), room(1), case(3)]]
)
def test_one_record_that_does_not_follow_spoils_all_of_its_append(
    run: Run, store: Store, records: list[Record]
) -> None:
    async def scene() -> None:
        before = Listing("a", "gathering", True, ("Ann",), ("key",), 1)
        await store.append("a", [case(1)], (), before)
        with pytest.raises(Conflict):
            await store.append("a", records, [SOUND], Listing("a", "over", False, ("Bob",), ("other",), 2))

        assert list(await store.read("a", "case")) == [case(1)]
        assert list(await store.read("a", "room")) == []
        assert await store.blob("a", "sound") is None
        assert list(await store.gathering()) == [before]
        assert list(await store.of_person("Bob")) == []
        assert await store.opened_by("other") is None

    run(scene())


def test_an_empty_record_adds_nothing_and_must_follow_all_the_same(run: Run, store: Store) -> None:
    async def scene() -> None:
        await store.append("a", [case(1), room(1, 2)])
        await store.append("a", [case(2), Record("room", 3, 2, b"")])
        for ends in (1, 3):
            with pytest.raises(Conflict):
                await store.append("a", [case(3), Record("room", ends + 1, ends, b"")])
        assert await store.read("a", "case") == [case(1), case(2)]
        assert await store.read("a", "room") == [room(1, 2)]
        await store.append("a", [room(3)])

    run(scene())


def test_records_blobs_and_listing_come_together(run: Run, store: Store) -> None:
    async def scene() -> None:
        listing = Listing("a", "gathering", True, ("Ann",), ("key",), 7)
        await store.append("a", [case(1), room(1)], [SOUND, Blob("two", "audio/wav", b"")], listing)

        assert list(await store.read("a", "case")) == [case(1)]
        assert list(await store.read("a", "room")) == [room(1)]
        assert await store.blob("a", "sound") == SOUND
        assert await store.blob("a", "two") == Blob("two", "audio/wav", b"")
        assert list(await store.gathering()) == [listing]

    run(scene())


def test_of_two_at_once_one_wins(run: Run, store: Store) -> None:
    async def scene() -> None:
        tries = [store.append("a", [case(1, 1, body)], [Blob(str(body), "", body)]) for body in (b"one", b"two")]
        ends = await asyncio.gather(*tries, return_exceptions=True)

        assert sorted(type(end).__name__ for end in ends) == ["Conflict", "NoneType"]
        winner = (b"one", b"two")[ends.index(None)]
        assert list(await store.read("a", "case")) == [case(1, 1, winner)]
        assert [await store.blob("a", str(body)) is None for body in (b"one", b"two")] == [bool(end) for end in ends]

    run(scene())


def test_appends_given_at_once_are_stored_in_their_order(run: Run, store: Store) -> None:
    async def scene() -> None:
        await asyncio.gather(*(store.append("a", [case(seq)]) for seq in range(1, 51)))

        assert [record.seq for record in await store.read("a", "case")] == list(range(1, 51))

    run(scene())


def test_a_conflict_spoils_no_other_append_of_its_moment(run: Run, store: Store) -> None:
    async def scene() -> None:
        tries = [store.append(f"t{number // 2}", [case(1, 1, b"%d" % number)]) for number in range(40)]
        ends = await asyncio.gather(*tries, return_exceptions=True)

        assert [type(end) for end in ends] == [type(None), Conflict] * 20
        for number in range(20):
            assert list(await store.read(f"t{number}", "case")) == [case(1, 1, b"%d" % (2 * number))]

    run(scene())


def test_many_tables_at_once(run: Run, store: Store) -> None:
    async def table(id: str) -> None:
        for seq in range(1, 11):
            await store.append(id, [case(2 * seq - 1, 2 * seq), room(seq)], (), listed(id, seq))
            read = await store.read(id, "case", 2 * seq - 2)
            assert list(read) == [case(2 * seq - 1, 2 * seq)]  # what is acknowledged can be read

    async def scene() -> None:
        await asyncio.gather(*(table(f"t{number:03}") for number in range(100)))

        assert [len(await store.read(f"t{number:03}", "room")) for number in range(100)] == [10] * 100
        assert list(await store.gathering()) == [listed(f"t{number:03}", 10) for number in range(100)]

    run(scene())


def test_a_blob_belongs_to_its_table(run: Run, store: Store) -> None:
    async def scene() -> None:
        await store.append("a", [case(1)], [SOUND])
        await store.append("b", [case(1)], [Blob("sound", "audio/wav", b"other")])

        assert await store.blob("a", "sound") == SOUND
        assert await store.blob("b", "sound") == Blob("sound", "audio/wav", b"other")
        assert await store.blob("c", "sound") is None
        assert await store.blob("a", "noise") is None

    run(scene())


def test_a_blob_never_changes(run: Run, store: Store) -> None:
    async def scene() -> None:
        await store.append("a", [case(1)], [SOUND])
        await store.append("a", [case(2)], [Blob("sound", "audio/wav", b"other")])

        assert await store.blob("a", "sound") == SOUND

    run(scene())


def test_old_tables_that_are_over_lose_their_blobs_and_nothing_else(run: Run, store: Store) -> None:
    async def scene() -> None:
        for table, listing in {
            "old": listed("old", 9, stage="over"),
            "late": listed("late", 10, stage="over"),
            "long": listed("long", 1, stage="playing"),
            "silent": listed("silent", 1, stage="over"),
        }.items():
            await store.append(table, [case(1), room(1)], () if table == "silent" else (SOUND,), listing)

        assert await store.drop_blobs(10) == 1
        assert await store.drop_blobs(10) == 0
        assert [await store.blob(table, SOUND.id) for table in ("old", "late", "long")] == [None, SOUND, SOUND]
        assert list(await store.read("old", "case")) == [case(1)]

    run(scene())


def test_blobs_are_dropped_of_some_tables_at_once(run: Run, store: Store) -> None:
    async def scene() -> None:
        for number in range(AT_ONCE + 5):
            await store.append(f"t{number}", [room(1)], [SOUND], listed(f"t{number}", stage="over"))

        assert [await store.drop_blobs(1) for _ in range(3)] == [AT_ONCE, 5, 0]

    run(scene())


def test_only_public_tables_that_gather_are_gathering_newest_first(run: Run, store: Store) -> None:
    async def scene() -> None:
        for listing in (
            listed("early", 1),
            listed("late", 3),
            listed("hidden", 4, public=False),
            listed("playing", 5, stage="playing"),
            listed("over", 6, stage="over"),
            listed("between", 2),
            listed("between too", 2),
        ):
            await store.append(listing.table, [room(1)], (), listing)

        assert [one.table for one in await store.gathering()] == ["late", "between", "between too", "early"]

    run(scene())


def test_a_person_finds_all_their_tables_the_last_changed_first(run: Run, store: Store) -> None:
    async def scene() -> None:
        old = Listing("old", "over", False, ("Ann", "Bob"), at=1)
        new = Listing("new", "playing", False, ("Bob", "Ann", "Ann"), at=2)
        other = Listing("other", "gathering", True, ("Bob",), at=3)
        for listing in (new, old, other):
            await store.append(listing.table, [room(1)], (), listing)

        assert list(await store.of_person("Ann")) == [new, old]
        assert list(await store.of_person("Bob")) == [other, new, old]
        assert list(await store.of_person("ann")) == []

    run(scene())


def test_a_key_opens_its_table(run: Run, store: Store) -> None:
    async def scene() -> None:
        await store.append("a", [room(1)], (), Listing("a", "gathering", True, keys=("one", "two", "two")))
        await store.append("b", [room(1)], (), Listing("b", "over", False, keys=("three",)))

        assert [await store.opened_by(key) for key in ("one", "two", "three", "One", "")] == ["a", "a", "b", None, None]

    run(scene())


def test_a_listing_takes_the_old_ones_place(run: Run, store: Store) -> None:
    async def scene() -> None:
        await store.append("a", [room(1)], (), Listing("a", "gathering", True, ("Ann", "Bob"), ("old", "both"), 1))
        after = Listing("a", "gathering", False, ("Bob", "Cid"), ("both", "new"), 2)
        await store.append("a", [room(2)], (), after)

        assert list(await store.gathering()) == []
        assert [list(await store.of_person(name)) for name in ("Ann", "Bob", "Cid")] == [[], [after], [after]]
        assert [await store.opened_by(key) for key in ("old", "both", "new")] == [None, "a", "a"]

    run(scene())


def test_an_append_without_a_listing_leaves_it(run: Run, store: Store) -> None:
    async def scene() -> None:
        listing = Listing("a", "gathering", True, ("Ann",), ("key",), 1)
        await store.append("a", [room(1)], (), listing)
        await store.append("a", [room(2)])

        assert list(await store.gathering()) == list(await store.of_person("Ann")) == [listing]
        assert await store.opened_by("key") == "a"

    run(scene())


def test_a_listing_may_change_alone(run: Run, store: Store) -> None:
    async def scene() -> None:
        await store.append("a", [], (), listed("a", 1))
        await store.append("a", [], (), listed("a", 2))
        await store.append("a", [])

        assert list(await store.gathering()) == [listed("a", 2)]
        assert list(await store.read("a", "room")) == []

    run(scene())


def test_tables_that_do_something_by_themselves_are_found_the_first_due_first(run: Run, store: Store) -> None:
    async def scene() -> None:
        for table, due in (("a", 30), ("b", None), ("c", 10), ("d", 20), ("e", 0)):
            await store.append(table, [room(1)], (), replace(listed(table), due=due))

        assert await store.due(30) == [(0, "e"), (10, "c"), (20, "d")]
        assert await store.due(31) == [(0, "e"), (10, "c"), (20, "d"), (30, "a")]
        assert await store.due(0) == []
        await store.append("c", [], (), replace(listed("c"), due=40))
        await store.append("d", [], (), listed("d"))
        await store.append("e", [room(2)])
        assert await store.due(100) == [(0, "e"), (30, "a"), (40, "c")]
        (again,) = [one for one in await store.gathering() if one.table == "c"]
        assert again.due == 40

    run(scene())


def test_an_empty_store_has_nothing(run: Run, store: Store) -> None:
    async def scene() -> None:
        assert list(await store.read("a", "case")) == []
        assert await store.blob("a", "sound") is None
        assert list(await store.gathering()) == []
        assert list(await store.of_person("Ann")) == []
        assert await store.opened_by("key") is None

    run(scene())


def test_every_text_and_every_byte_comes_back(run: Run, store: Store) -> None:
    async def scene() -> None:
        text, every = "Frau Weiß 🔪 \N{COMBINING ACUTE ACCENT}' \";--%_\\", bytes(range(256)) * 9
        listing = Listing(text, "gathering", True, (text, ""), (text,), 2**53)
        await store.append(text, [case(1, 1, every), case(2, 2**40, b"")], [Blob(text, text, every)], listing)

        assert list(await store.read(text, "case")) == [case(1, 1, every), case(2, 2**40, b"")]
        assert await store.blob(text, text) == Blob(text, text, every)
        assert list(await store.gathering()) == list(await store.of_person("")) == [listing]
        assert await store.opened_by(text) == text

    run(scene())


def test_closing_finishes_what_was_given_and_may_be_repeated(run: Run, store: Store) -> None:
    async def scene() -> None:
        given = [asyncio.ensure_future(store.append(f"t{number}", [case(1)])) for number in range(100)]
        await asyncio.sleep(0)  # each is on its way now
        await store.close()
        await store.close()

        assert await asyncio.gather(*given) == [None] * 100

    run(scene())


@pytest.mark.parametrize(
    ("records", "listing"),
    [
        ([Record("case", 3, 2, b"body")], None),
        ([Record("case", 3, 1, b"")], None),
        ([case(1)], listed("another table")),
    ],
)
def test_a_callers_mistake_is_no_conflict(
    run: Run, store: Store, records: list[Record], listing: Listing | None
) -> None:
    async def scene() -> None:
        with pytest.raises(AssertionError):
            await store.append("a", records, (), listing)

        assert list(await store.read("a", "case")) == []

    run(scene())


# --- What is old, and who wants to be forgotten ---------------------------------------------------------------------


def test_games_that_have_long_stood_still_are_found_the_oldest_first(run: Run, store: Store) -> None:
    async def scene() -> None:
        assert store.waiting == 0
        await store.append("a", [room(1)], (), listed("a", 3, stage="playing"))
        await store.append("b", [room(1)], (), listed("b", 2, stage="playing"))
        await store.append("c", [room(1)], (), listed("c", 1, stage="over"))
        await store.append("d", [room(1)], (), listed("d", 1))
        await store.append("e", [room(1)], (), listed("e", 9, stage="playing"))

        assert [listing.table for listing in await store.unfinished(4)] == ["b", "a"]
        assert [listing.table for listing in await store.unfinished(3)] == ["b"]
        await store.append("b", [room(2)], (), listed("b", 8, stage="playing"))
        assert [listing.table for listing in await store.unfinished(4)] == ["a"]

    run(scene())


def test_so_many_are_found_at_once_and_no_more(run: Run, store: Store) -> None:
    async def scene() -> None:
        for number in range(AT_ONCE + 1):
            await store.append(f"{number}", [room(1)], (), listed(f"{number}", number, stage="playing"))

        assert len(await store.unfinished(1000)) == AT_ONCE

    run(scene())


def test_records_are_rewritten_together_or_not_at_all(run: Run, store: Store) -> None:
    async def scene() -> None:
        await store.append("a", [room(1, 2, b"name"), case(1, 1, b"move")])
        await store.append("a", [room(3, 3, b"notes")])
        await store.append("b", [room(1, 2, b"name")])
        first, second = await store.read("a", "room")
        await store.rewrite("a", [(first, b"-"), (second, b"")])

        assert list(await store.read("a", "room")) == [room(1, 2, b"-"), room(3, 3, b"")]
        assert list(await store.read("a", "case")) == [case(1, 1, b"move")]
        assert list(await store.read("b", "room")) == [room(1, 2, b"name")]
        with pytest.raises(Conflict):  # the second is not what it was
            await store.rewrite("a", [(room(1, 2, b"-"), b"x"), (second, b"y")])
        with pytest.raises(Conflict):
            await store.rewrite("a", [(room(4, 4, b"later"), b"x")])
        assert list(await store.read("a", "room")) == [room(1, 2, b"-"), room(3, 3, b"")]
        await store.append("a", [room(4)])  # and all goes on

    run(scene())


def test_however_many_tables_do_something_all_are_found(run: Run, store: Store) -> None:
    async def scene() -> None:
        expected = [(number // 3, f"t{number:03}") for number in range(2 * AT_ONCE + 5)]
        for due, table in reversed(expected):
            await store.append(table, [room(1)], (), replace(listed(table), due=due))

        found = [await store.due(1000)]
        while len(found[-1]) == AT_ONCE:
            found.append(await store.due(1000, found[-1][-1]))
        assert [one for page in found for one in page] == expected
        assert await store.due(1000, expected[-1]) == []

    run(scene())


def test_of_one_households_tables_its_newest_are_found_and_nobody_else_loses_a_place(run: Run, store: Store) -> None:
    async def scene() -> None:
        crowd = [listed(f"c{number:03}", 1000 + number, household="crowd") for number in range(2 * AT_ONCE)]
        others = [listed(f"o{number}", 500 - number // 2, household=f"other {number // 2}") for number in range(6)]
        free = [listed(f"f{number}", 400) for number in range(5)]  # each has a place of its own
        hidden = [
            listed("h", 9999, public=False, household="other 0"),
            listed("p", 9999, household="other 0", stage="over"),
        ]
        for listing in (*crowd, *others, *free, *hidden):
            await store.append(listing.table, [room(1)], (), listing)

        newest = crowd[:-4:-1]
        assert list(await store.gathering(each=3)) == [*newest, *others, *free]
        assert list(await store.gathering(each=1)) == [newest[0], *others[::2], *free]
        assert list(await store.gathering(newest[-1], each=3)) == [*others, *free]
        assert list(await store.gathering(others[-1], each=3)) == free
        moved = listed("o0", 2000, household="crowd")
        await store.append("o0", [room(2)], (), moved)
        assert list(await store.gathering(each=3)) == [moved, *newest[:2], *others[1:], *free]

    run(scene())


def test_however_many_games_are_unfinished_all_are_found_a_part_at_a_time(run: Run, store: Store) -> None:
    async def scene() -> None:
        expected = [listed(f"t{number:03}", number // 3, stage="playing") for number in range(2 * AT_ONCE + 5)]
        for listing in reversed(expected):
            await store.append(listing.table, [room(1)], (), listing)
        await store.append("young", [room(1)], (), listed("young", 1000, stage="playing"))

        found = [list(await store.unfinished(1000))]
        while len(found[-1]) == AT_ONCE:
            found.append(list(await store.unfinished(1000, found[-1][-1])))
        assert [one for page in found for one in page] == expected

    run(scene())


def test_the_newest_time_is_that_of_any_table(run: Run, store: Store) -> None:
    async def scene() -> None:
        assert await store.newest() is None
        stages: tuple[tuple[int, Stage], ...] = ((7, "playing"), (9, "over"), (8, "gathering"))
        for at, stage in stages:
            await store.append(f"t{at}", [room(1)], (), listed(f"t{at}", at, public=False, stage=stage))
        assert await store.newest() == 9

    run(scene())


def test_a_database_on_this_machine_has_no_clock_of_its_own(run: Run, store: Store) -> None:
    async def scene() -> None:
        assert await store.now() is None

    run(scene())


def test_however_many_tables_gather_all_are_found_a_part_at_a_time(run: Run, store: Store) -> None:
    async def scene() -> None:
        expected = [listed(f"t{number:03}", 1000 - number // 3) for number in range(2 * AT_ONCE + 5)]
        for listing in expected:
            await store.append(listing.table, [room(1)], (), listing)

        found = [list(await store.gathering())]
        assert found[0] == expected[:AT_ONCE]
        while len(found[-1]) == AT_ONCE:
            found.append(list(await store.gathering(found[-1][-1])))
        assert [one for page in found for one in page] == expected

    run(scene())


# --- Notes ---


def test_notes_take_the_place_of_those_before(run: Run, store: Store) -> None:
    async def scene() -> None:
        assert list(await store.notes("a")) == []
        await store.keep_notes("a", Notes(1, 1, b"first"))
        await store.keep_notes("a", Notes(0, 1, b"another's"))
        await store.keep_notes("a", Notes(1, 2, b"second"))
        await store.keep_notes("b", Notes(1, 1, b"elsewhere"))

        assert list(await store.notes("a")) == [Notes(0, 1, b"another's"), Notes(1, 2, b"second")]
        assert list(await store.notes("b")) == [Notes(1, 1, b"elsewhere")]

    run(scene())


@pytest.mark.parametrize("version", [0, 1, 2, 4])
def test_notes_that_do_not_follow_are_a_conflict(run: Run, store: Store, version: int) -> None:
    async def scene() -> None:
        await store.keep_notes("a", Notes(0, 1, b"first"))
        await store.keep_notes("a", Notes(0, 2, b"second"))
        with pytest.raises(Conflict):
            await store.keep_notes("a", Notes(0, version, b"too late"))
        with pytest.raises(Conflict):
            await store.keep_notes("a", Notes(1, 2, b"of a seat that has none"))

        assert list(await store.notes("a")) == [Notes(0, 2, b"second")]

    run(scene())


def test_of_two_notes_at_once_one_is_a_conflict(run: Run, store: Store) -> None:
    async def scene() -> None:
        both = (store.keep_notes("a", Notes(0, 1, body)) for body in (b"mine", b"yours"))
        first, second = await asyncio.gather(*both, return_exceptions=True)

        assert sorted([first is None, second is None]) == [False, True]
        assert isinstance(first or second, Conflict)

    run(scene())


def test_a_review_is_kept_by_its_parts_and_takes_the_place_of_an_older_one(run: Run, store: Store) -> None:
    async def scene() -> None:
        assert await store.review("a", "1", "0") is None
        await store.keep_review("a", "1", "0", b"first")
        await store.keep_review("a", "1", "whole", b"all")
        await store.keep_review("b", "1", "0", b"elsewhere")
        assert await store.review("a", "1", "0") == b"first"
        assert await store.review("a", "2", "0") is None
        await store.keep_review("a", "2", "0", b"second")

        assert [await store.review("a", version, "0") for version in ("1", "2")] == [None, b"second"]
        assert await store.review("a", "1", "whole") == b"all"
        assert await store.review("b", "1", "0") == b"elsewhere"

    run(scene())


def test_of_two_reviews_at_once_one_stays(run: Run, store: Store) -> None:
    async def scene() -> None:
        await asyncio.gather(*(store.keep_review("a", "1", "0", b"the same") for _ in range(5)))

        assert await store.review("a", "1", "0") == b"the same"

    run(scene())


def test_reviews_are_kept_in_a_file_of_the_version_before(run: Run, tmp_path: Path) -> None:
    async def scene() -> None:
        path = tmp_path / "whodunit.db"
        with connected(path) as connection:
            migrate(connection, sqlite_schema.MIGRATIONS[:9])
            connection.execute("INSERT INTO note VALUES ('a', 0, 1, x'00', ?)", (row_crc("a", 0, 1, b"\0"),))
            connection.execute("INSERT INTO stream_end VALUES ('a', 'note', 1)")
        store = SqliteStore(path)
        await store.keep_review("a", "1", "0", b"body")
        assert await store.review("a", "1", "0") == b"body"
        assert list(await store.notes("a")) == [Notes(0, 1, b"\0")]
        await store.close()

    run(scene())


def test_reviews_are_kept_in_a_database_of_the_version_before(run: Run, database: str) -> None:
    async def scene() -> None:
        await postgres_schema.prepared(database, b"k" * 32, postgres_schema.MIGRATIONS[:7])
        store = await postgres_store(database)
        await store.keep_review("a", "1", "0", b"body")
        assert await store.review("a", "1", "0") == b"body"
        await store.close()

    run(scene())


def test_reviews_go_with_the_blobs_of_old_tables(run: Run, store: Store) -> None:
    async def scene() -> None:
        for table, at in (("old", 9), ("late", 10)):
            await store.append(table, [case(1), room(1)], (), listed(table, at, stage="over"))
            await store.keep_review(table, "1", "0", b"body")

        assert [await store.drop_blobs(10) for _ in range(2)] == [1, 0]
        assert [await store.review(table, "1", "0") for table in ("old", "late")] == [None, b"body"]
        assert list(await store.read("old", "case")) == [case(1)]

    run(scene())


def test_a_probe_changes_nothing(run: Run, store: Store) -> None:
    async def scene() -> None:
        await store.append("a", [case(1)])
        await store.probe()

        assert store.fault is None
        assert list(await store.read("a", "case")) == [case(1)]

    run(scene())
