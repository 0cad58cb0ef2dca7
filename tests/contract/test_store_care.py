"""What every Store must do for what is old, and for who wants to be forgotten."""

import pytest
from msgspec.structs import replace

from tests.contract.houses import Run
from tests.contract.test_store import case, listed, room
from whodunit.core.errors import Conflict
from whodunit.core.ports import AT_ONCE, Store


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
