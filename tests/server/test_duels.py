"""Duels: a link under which others play the same deal, and that leads to no case before they have finished it."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from tests.example import EXAMPLE, installed
from tests.server.client import Refused
from tests.server.shared import ASKS, OF_TABLES, begun, play_out, small
from tests.server.sites import SALT, Page, Parlour, terms_of
from whodunit import bots
from whodunit.server import duels, privacy

__all__ = ("small",)


@pytest.fixture(scope="module", autouse=True)
def _example(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with installed(tmp_path_factory.mktemp("packages")):
        yield


async def refusal(page: Page, kind: str, **fields: Any) -> str:
    with pytest.raises(Refused) as refused:
        await page.ask(kind, **fields)
    return refused.value.reason


async def solo(parlour: Parlour, person: str = "ada", **changes: Any) -> tuple[str, Page]:
    """Let somebody begin a game alone against two bots."""
    page = parlour.page(person)
    terms = {"game": EXAMPLE, "chairs": [None, "rookie", "rookie"], "assistance": "logic", "start": True, **changes}
    table = (await page.ask("create_table", **terms_of(**terms)))["table"]
    await page.ask("watch_table", table=table)
    return table, page


async def made(parlour: Parlour, **changes: Any) -> tuple[str, str, Page]:
    """Let ada play alone to the end and make a duel of it; return it, her table and her page."""
    table, ada = await solo(parlour, **changes)
    await play_out(parlour, table, ada)
    return (await ada.ask("make_duel", table=table))["duel"], table, ada


async def taken(parlour: Parlour, duel: str, person: str = "bob") -> tuple[str, Page]:
    page = parlour.page(person)
    table = (await page.ask("begin_duel", duel=duel, name=person.title()))["table"]
    await page.ask("watch_table", table=table)
    return table, page


def test_the_reader_plays_the_same_deal_in_the_same_seat_against_the_same_bots() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            duel, maker, _ = await made(parlour)
            table, bob = await taken(parlour, duel)
            old, new = await parlour.host.get(maker), await parlour.host.get(table)
            assert new.room.header is not None
            assert old.room.header is not None
            assert (await parlour.host.batches(new))[0].events == (await parlour.host.batches(old))[0].events
            assert new.room.header.bots == old.room.header.bots
            assert new.room.header.salts == old.room.header.salts == (SALT, "", "")
            assert (old.room.header.staged, new.room.header.staged) == (False, True)
            assert new.room.laid.assistance == old.room.laid.assistance
            room = bob.told.room
            assert (room["deal"], room["commitment"]) == ({"kind": "duel", "item": duel}, "")
            assert (room["code"], room["seat_key"], room["public"]) == (None, None, False)

    asyncio.run(scene())


def test_before_one_has_finished_one_is_told_what_the_maker_boasts_of_and_nothing_else() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            duel, _, ada = await made(parlour)
            own = await ada.ask("read_duel", duel=duel)
            (mine,) = own["results"]
            assert (own["state"], mine["me"], mine["place"]) == ("mine", True, 1)
            shown = await parlour.page("bob").ask("read_duel", duel=duel)
            assert shown == {
                "duel": duel,
                "game": EXAMPLE,
                "levels": [None, "rookie", "rookie"],
                "assistance": "logic",
                "state": "new",
                "table": None,
                "maker": {"name": "Ada", "won": mine["won"], "turns": mine["turns"]},
                "results": [],
            }
            table, bob = await taken(parlour, duel)
            shown = await bob.ask("read_duel", duel=duel)
            assert (shown["state"], shown["table"], shown["results"]) == ("begun", table, [])

    asyncio.run(scene())


def test_afterwards_both_see_how_the_other_did_and_the_others_case() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            duel, maker, ada = await made(parlour)
            table, bob = await taken(parlour, duel)
            assert await refusal(ada, "watch_table", table=table) == "still_played"
            await play_out(parlour, table, bob, 1)
            for page in (ada, bob):
                shown = await page.ask("read_duel", duel=duel)
                assert {row["name"]: row["table"] for row in shown["results"]} == {"Ada": maker, "Bob": table}
                assert all(row["luck"] is not None for row in shown["results"])
            assert (await bob.ask("read_duel", duel=duel))["state"] == "done"
            for page, other in ((bob, maker), (ada, table)):
                await page.ask("read_review", table=other, viewer=0)
                await page.ask("watch_table", table=other)
                assert {event["at"] for event in page.told.events} == {0}
                assert (await page.ask("look", table=other, seq=2, eyes="all"))["view"]

    asyncio.run(scene())


@pytest.mark.parametrize("has_begun", [False, True], ids=["a stranger", "who plays it"])
def test_whoever_has_not_finished_learns_nothing_of_the_makers_table_whatever_they_ask(*, has_begun: bool) -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            duel, table, _ = await made(parlour)
            eve = (await taken(parlour, duel, "eve"))[1] if has_begun else parlour.page("eve")
            reasons = {kind: await refusal(eve, kind, **ASKS[kind](table)) for kind in OF_TABLES}
            by_seat = {"act", "undo", "select"}
            assert {kind for kind, reason in reasons.items() if reason == "private"} == by_seat
            assert {reason for kind, reason in reasons.items() if kind not in by_seat} == {"still_played"}
            # Also with the code that its maker may have given away, once it is a duel.
            code = (await parlour.host.get(table)).room.laid.code
            await parlour.laying.join("eve", code)
            assert await refusal(eve, "read_review", table=table, viewer=0) == "still_played"

    asyncio.run(scene())


def test_a_duel_is_made_once_and_whoever_plays_it_hands_the_same_one_on() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, ada = await solo(parlour)
            await play_out(parlour, table, ada)
            asks = [parlour.page("ada").ask("make_duel", table=table) for _ in range(3)]
            ids = {told["duel"] for told in await asyncio.gather(*asks)}
            assert len(ids) == 1
            assert len(await parlour.host.store.leaves("duel")) == 1
            duel = ids.pop()
            own, bob = await taken(parlour, duel)
            assert await refusal(bob, "make_duel", table=own) == "not_over"
            await play_out(parlour, own, bob)
            assert (await bob.ask("make_duel", table=own))["duel"] == duel
            ada = await parlour.watching("ada", table)
            assert ada.told.room["duel"] == duel
            assert (await parlour.watching("bob", table)).told.room["duel"] is None

    asyncio.run(scene())


def test_only_what_one_person_has_played_to_its_end_unwatched_becomes_a_duel() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, ada = await solo(parlour)
            assert await refusal(ada, "make_duel", table=table) == "not_over"
            public, page = await solo(parlour, public=True)
            await play_out(parlour, public, page)
            assert await refusal(page, "make_duel", table=public) == "no_such_duel"
            challenge, eve = await begun(parlour, "eve")
            await play_out(parlour, challenge, eve)
            assert await refusal(eve, "make_duel", table=challenge) == "no_such_duel"

    asyncio.run(scene())


def test_nobody_plays_against_themselves_nor_twice() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            duel, _, ada = await made(parlour)
            assert await refusal(ada, "begin_duel", duel=duel, name="Ada") == "own_duel"
            asks = [parlour.page("bob").ask("begin_duel", duel=duel, name="Bob") for _ in range(3)]
            assert len({told["table"] for told in await asyncio.gather(*asks)}) == 1

    asyncio.run(scene())


def test_an_id_that_nobody_was_given_leads_nowhere() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            for kind in ("read_duel", "begin_duel"):
                assert await refusal(parlour.page("eve"), kind, **ASKS[kind]("x")) == "no_duel"

    asyncio.run(scene())


def test_one_person_has_so_many_duels_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            duel, _, ada = await made(parlour)
            monkeypatch.setattr(duels, "MOST", 1)
            table, page = await solo(parlour)
            await play_out(parlour, table, page)
            assert await refusal(page, "make_duel", table=table) == "too_many_duels"
            _, bob = await taken(parlour, duel)
            monkeypatch.setattr(duels, "MOST", 0)
            assert await refusal(parlour.page("cleo"), "begin_duel", duel=duel, name="Cleo") == "too_many_duels"
            assert (await bob.ask("begin_duel", duel=duel, name="Bob"))["table"]
            assert (await ada.ask("read_duel", duel=duel))["state"] == "mine"

    asyncio.run(scene())


def test_where_bots_have_changed_nobody_begins_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            duel, _, _ = await made(parlour)
            table, bob = await taken(parlour, duel)
            monkeypatch.setattr(bots, "VERSION", bots.VERSION + 1)
            cleo = parlour.page("cleo")
            assert (await cleo.ask("read_duel", duel=duel))["state"] == "outdated"
            assert await refusal(cleo, "begin_duel", duel=duel, name="Cleo") == "duel_outdated"
            assert (await bob.ask("begin_duel", duel=duel, name="Bob"))["table"] == table

    asyncio.run(scene())


def test_when_its_maker_is_forgotten_the_duel_goes_on_without_a_name() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            duel, _, _ = await made(parlour)
            await privacy.forget(parlour.host, "ada")
            table, bob = await taken(parlour, duel)
            await play_out(parlour, table, bob)
            shown = await bob.ask("read_duel", duel=duel)
            assert shown["maker"] is None
            assert [row["name"] for row in shown["results"]] == ["Bob"]

    asyncio.run(scene())


def test_ids_are_too_many_to_be_guessed() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            first, _, _ = await made(parlour)
            second, _, _ = await made(parlour)
            assert first != second
            assert len(first) == len(second) == 22  # 128 bits

    asyncio.run(scene())
