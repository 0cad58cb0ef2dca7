"""The challenge of the day: one deal for everybody, one try each, and nothing of it for whoever has not finished it."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, get_args

import msgspec
import pytest

from tests.example import installed
from tests.server.client import Refused
from tests.server.shared import ASKS, OF_TABLES, TODAY, begun, finished, play_out, small, tomorrow
from tests.server.sites import SALT, Page, Parlour, opened, settle
from whodunit import games
from whodunit.core.errors import Refusal
from whodunit.core.wire import encode
from whodunit.host.timers import WallClock
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.review.figures import Figures
from whodunit.room.entries import SharedDeal
from whodunit.server import challenges, privacy, protocol, tries
from whodunit.server.clock_watch import steady_ms
from whodunit.server.people import People
from whodunit.server.tries import Result, Tried, day_of, ends, leaf_of, ranked

__all__ = ("small",)


@pytest.fixture(scope="module", autouse=True)
def _example(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with installed(tmp_path_factory.mktemp("packages")):
        yield


async def refusal(page: Page, kind: str, **fields: Any) -> str:
    with pytest.raises(Refused) as refused:
        await page.ask(kind, **fields)
    return refused.value.reason


# --- The deal --------------------------------------------------------------------------------------------------------


def test_everybody_in_a_house_gets_the_same_deal_and_seat_and_nothing_is_promised_about_it() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            openings, headers = [], []
            for person in ("ada", "bob"):
                table, page = await begun(parlour, person)
                live = await parlour.host.get(table)
                openings.append((await parlour.host.batches(live))[0].events)
                headers.append(live.room.header)
                room = page.told.room
                assert room["deal"] == {"kind": "challenge", "item": TODAY}
                assert (room["me"], room["code"], room["seat_key"], room["commitment"]) == (0, None, None, "")
                assert (room["stage"], room["public"], room["pace"]) == ("playing", False, "brisk")
            assert openings[0] == openings[1]
            assert headers[0] == headers[1]
            assert headers[0] is not None
            assert headers[0].staged
            assert headers[0].salts == ("", "", "")

    asyncio.run(scene())


def test_the_page_is_told_that_nothing_was_promised_when_the_seal_is_checked() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, ada = await finished(parlour, "ada")
            told = (await ada.ask("check_seal", table=table))["statements"]
            assert [said["ok"] for said in told[:3]] == [None, True, True]

    asyncio.run(scene())


def test_each_day_and_each_house_has_its_own_deal_and_its_key_stays_its_own() -> None:
    house, other = People(b"k" * 32), People(b"o" * 32)
    seals = [known.shared_seal(f"challenge {day}") for known in (house, other) for day in ("2026-11-18", "2026-11-19")]
    assert len({seal.secret for seal in seals} | {seal.nonce for seal in seals}) == 8
    assert seals[0] == People(b"k" * 32).shared_seal("challenge 2026-11-18")
    # What a case opens at its end is nobody's signature.
    for said in ("challenge 2026-11-18", "secret challenge 2026-11-18"):
        assert house.known(f"{said}.{seals[0].secret}") is None


def test_every_weekday_has_a_game_that_can_be_played_against_three_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert len(challenges.GAMES) == 7
    for game in challenges.GAMES:
        info = games.get(game).INFO
        assert info.sounds is None
        info.parse(1 + challenges.BOTS, {}, people=True)


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (("read_challenge", {"day": "2026-02-30"}), "no_challenge"),
        (("read_challenge", {"day": "2999-01-01"}), "no_challenge"),
        (("begin_challenge", {"day": "2999-01-01", "name": "Ada"}), "day_over"),
        (("begin_challenge", {"day": "2023-11-13", "name": "Ada"}), "day_over"),
        (("begin_challenge", {"day": TODAY, "name": "\u200b"}), "bad_name"),
    ],
)
def test_what_is_no_challenge_of_today_is_not_begun(ask: tuple[str, dict[str, Any]], reason: str) -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            assert await refusal(parlour.page("ada"), ask[0], **ask[1]) == reason
            assert await parlour.host.store.leaves_of_person("ada") == []

    asyncio.run(scene())


# --- One try ---------------------------------------------------------------------------------------------------------


def test_two_tabs_cannot_try_twice_and_whoever_comes_back_finds_the_same_table() -> None:
    async def scene() -> None:
        store, bus = MemoryStore(), MemoryBus()
        async with Parlour(store, bus) as parlour:
            asks = [parlour.page("ada").ask("begin_challenge", day=TODAY, name="Ada") for _ in range(3)]
            tables = {made["table"] for made in await asyncio.gather(*asks)}
            assert len(tables) == 1
            other = Parlour(store, bus, clock=parlour.clock)
            again = await other.page("ada").ask("begin_challenge", day=TODAY, name="Eda")
            assert {again["table"]} == tables
            shown = await parlour.page("ada").ask("read_challenge")
            assert (shown["state"], {shown["table"]}, shown["results"]) == ("begun", tables, [])
            assert len(await store.of_person("ada")) == 1

    asyncio.run(scene())


def test_two_nodes_at_once_lay_one_table() -> None:
    async def scene() -> None:
        store, bus = MemoryStore(), MemoryBus()
        async with Parlour(store, bus) as parlour:
            other = Parlour(store, bus, clock=parlour.clock)
            asks = [node.page("ada").ask("begin_challenge", day=TODAY, name="Ada") for node in (parlour, other)]
            told = await asyncio.gather(*asks, return_exceptions=True)
            tables = {made["table"] for made in told if isinstance(made, dict)}
            assert len(tables) == 1
            assert len(await store.of_person("ada")) == 1

    asyncio.run(scene())


def test_what_was_cut_short_before_the_table_was_laid_is_laid_when_its_person_comes_back() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            deal = SharedDeal("challenge", TODAY)
            await parlour.host.store.keep_leaf(leaf_of(deal, "ada", 1, Tried("cutshort")))
            table, page = await begun(parlour, "ada")
            assert (table, page.told.room["stage"]) == ("cutshort", "playing")

    asyncio.run(scene())


def test_nobody_else_comes_to_the_table_and_no_other_device_takes_the_seat() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, _ = await begun(parlour, "ada")
            live = await parlour.host.get(table)
            with pytest.raises(Refusal, match="private"):
                await parlour.laying.join("eve", live.room.laid.code)
            key = live.room.key(0)
            assert key is not None
            with pytest.raises(Refusal, match="private"):
                await parlour.laying.take_seat("eve", key)

    asyncio.run(scene())


def test_a_rematch_is_a_game_of_its_own() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, ada = await finished(parlour, "ada")
            again = (await ada.ask("rematch", table=table, salt=SALT))["table"]
            old, new = await parlour.host.get(table), await parlour.host.get(again)
            assert (new.room.laid.deal, new.room.laid.staged) == (None, False)
            assert new.room.laid.seal != old.room.laid.seal

    asyncio.run(scene())


# --- What came of it -------------------------------------------------------------------------------------------------


def result_of(person: str, shown: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in shown["results"] if one["name"] == person)
    return found


def test_when_the_game_is_over_the_result_is_kept_with_luck_and_skill() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, ada = await finished(parlour, "ada")
            shown = await ada.ask("read_challenge")
            assert (shown["state"], shown["table"]) == ("done", table)
            mine = result_of("Ada", shown)
            live = await parlour.host.get(table)
            assert live.table is not None
            assert live.table.outcome is not None
            assert mine["won"] == (0 in live.table.outcome.winners)
            assert (mine["place"], mine["me"], mine["left"], mine["late"]) == (1, True, False, False)
            assert mine["turns"] > 0
            assert 0 <= mine["chance"] <= 1000
            review = await ada.ask("read_review", table=table, viewer=0)
            luck = review["account"]["answer_luck"] + review["account"]["gift_luck"]
            assert mine["luck"] == pytest.approx(luck, abs=0.001)
            assert (mine["skill"] is None) == (not review.get("offered"))

            leaf = await parlour.host.store.leaf("challenge", TODAY, "ada")
            assert leaf is not None
            assert leaf.done

    asyncio.run(scene())


def test_a_result_that_was_not_kept_is_when_its_person_asks() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, ada = await begun(parlour, "ada")
            parlour.host.listeners[:] = [heard for heard in parlour.host.listeners if "Deals" not in repr(heard)]
            await play_out(parlour, table, ada)
            leaf = await parlour.host.store.leaf("challenge", TODAY, "ada")
            assert leaf is not None
            assert not leaf.done
            assert len((await ada.ask("read_challenge"))["results"]) == 1

    asyncio.run(scene())


@pytest.mark.parametrize("leave", ["stand_up", "hand_over"])
def test_whoever_lets_a_bot_play_has_not_won_and_has_no_place(leave: str) -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, ada = await begun(parlour, "ada")
            await ada.ask(leave, table=table)
            await ada.ask("watch_table", table=table)
            live = await parlour.host.get(table)
            for _ in range(2000):
                if live.table is not None and live.table.closed:
                    break
                if live.room.chairs[0].stand_in is None:  # back at the table, and gone again
                    await ada.ask("hand_over", table=table)
                await parlour.pass_time(500)
            for _ in range(20):
                await settle()
            mine = result_of("Ada", await ada.ask("read_challenge"))
            assert (mine["won"], mine["left"], mine["place"]) == (False, True, None)

    asyncio.run(scene())


def test_whoever_ends_after_the_day_has_no_place_and_stands_in_nobody_elses_list() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            await finished(parlour, "bob")
            table, ada = await begun(parlour, "ada")
            await parlour.pass_time(tomorrow(parlour.clock))
            await play_out(parlour, table, ada)
            shown = await ada.ask("read_challenge", day=TODAY)
            assert shown["left_ms"] is None
            assert {one["name"]: (one["late"], one["place"]) for one in shown["results"]} == {
                "Ada": (True, None),
                "Bob": (False, 1),
            }
            others = await parlour.page("cleo").ask("read_challenge", day=TODAY)
            assert [one["name"] for one in others["results"]] == ["Bob"]

    asyncio.run(scene())


def test_ranked_by_the_win_then_own_turns_then_the_chance_of_the_truth_and_never_by_luck() -> None:
    def leaf(name: str, figures: Figures, **more: Any) -> Any:
        result = Result(name, figures, **{"left": False, "late": False, **more})
        return leaf_of(SharedDeal("challenge", TODAY), name, 2, Tried("t", result))

    leaves = [
        leaf("lost", Figures(False, 3, 900, None)),
        leaf("left", Figures(False, 1, 1000, None), left=True),
        leaf("slow", Figures(True, 9, 1000, None)),
        leaf("quick", Figures(True, 7, 800, None), luck=-2.0, skill=0.1),
        leaf("lucky", Figures(True, 7, 800, None), luck=9.0, skill=1.0),
        leaf("sure", Figures(True, 7, 1000, None)),
    ]
    assert [(one.result.name, one.place) for one in ranked(leaves)] == [
        ("sure", 1),
        ("lucky", 2),
        ("quick", 2),
        ("slow", 4),
        ("lost", 5),
        ("left", None),
    ]
    points = [leaf(f"p{points}", Figures(True, 3, None, points)) for points in (20, 30)]
    assert [one.result.name for one in ranked(points)] == ["p30", "p20"]


def test_whoever_is_forgotten_is_in_no_ranking_and_gets_all_of_it_before() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            await finished(parlour, "ada")
            _, bob = await finished(parlour, "bob", 1)
            told = await privacy.handed_out(parlour.host, "ada")
            assert [(leaf.shelf, leaf.item) for leaf in told.leaves] == [("challenge", TODAY)]
            assert told.leaves[0].body["result"]["name"] == "Ada"
            await privacy.forget(parlour.host, "ada")
            assert [one["name"] for one in (await bob.ask("read_challenge"))["results"]] == ["Bob"]
            assert (await privacy.handed_out(parlour.host, "ada")).leaves == ()

    asyncio.run(scene())


def test_whoever_is_forgotten_while_they_play_leaves_nothing_when_bots_have_played_on() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, _ = await begun(parlour, "ada")
            await privacy.forget(parlour.host, "ada")
            live = await parlour.host.get(table)
            for _ in range(300):
                if live.table is not None and live.table.closed:
                    break
                await parlour.pass_time(1000)
            assert await parlour.host.store.leaves_of_item("challenge", TODAY) == []

    asyncio.run(scene())


# --- Who may know ----------------------------------------------------------------------------------------------------


def test_every_ask_of_the_protocol_is_tried() -> None:
    assert {*ASKS} == {kind.__struct_config__.tag for kind in get_args(protocol.AnyAsk)}
    assert {"watch_table", "since_away", "give_hint", "look", "read_review"} <= {*OF_TABLES}


REFUSED_BY_SEAT = {"act", "undo", "select"}
"""What a seat alone may do: refused to all others as private, whatever the table."""


@pytest.mark.parametrize("has_begun", [False, True], ids=["a stranger", "who plays it"])
@pytest.mark.parametrize("is_over", [False, True], ids=["still played", "over"])
def test_whoever_has_not_finished_is_refused_alike_whatever_they_ask(*, is_over: bool, has_begun: bool) -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, ada = await begun(parlour, "ada")
            if is_over:
                await play_out(parlour, table, ada)
            eve = (await begun(parlour, "eve"))[1] if has_begun else parlour.page("eve")
            reasons = {kind: await refusal(eve, kind, **ASKS[kind](table)) for kind in OF_TABLES}
            assert {kind for kind, reason in reasons.items() if reason == "private"} == REFUSED_BY_SEAT
            assert {reason for kind, reason in reasons.items() if kind not in REFUSED_BY_SEAT} == {"still_played"}
            shown = await eve.ask("read_challenge")
            assert (shown["results"], shown["state"]) == ([], "begun" if has_begun else "new")

    asyncio.run(scene())


class Listening(MemoryStore):
    """Notes what is read."""

    def __init__(self) -> None:
        super().__init__()
        self.read_: list[tuple[str, tuple[Any, ...]]] = []

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        reading = (
            "read",
            "notes",
            "review",
            "blob",
            "leaf",
            "leaves",
            "leaves_of_item",
            "leaves_of_person",
            "of_person",
        )
        if name not in reading:
            return found

        async def noted(*args: Any, **more: Any) -> Any:
            self.read_.append((name, (*args, *more.values())))
            return await found(*args, **more)

        return noted


def test_nothing_of_a_deal_reaches_whoever_has_not_finished_it_in_two_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two houses with other deals: what eve is told, and what is read for it, are the same."""

    async def world(key: bytes, seed: int) -> tuple[list[bytes], list[Any], list[Any]]:
        monkeypatch.setattr("tests.server.sites.People", lambda _: People(key))
        numbers = iter(range(1, 100))
        monkeypatch.setattr("whodunit.server.people.table_id", lambda: f"table{next(numbers)}")
        monkeypatch.setattr("whodunit.server.people.invitation", lambda: f"CODE{next(numbers)}")
        store = Listening()
        async with Parlour(store) as parlour:
            table, ada = await begun(parlour, "ada")
            opening = (await parlour.host.batches(await parlour.host.get(table)))[0].events
            await play_out(parlour, table, ada, seed)
            parlour.clock.move(parlour.clock.now() // 3_600_000 * 3_600_000 + 3_600_000)
            await settle()
            eve = parlour.page("eve")
            store.read_.clear()
            for _ in range(2):
                for kind, fields in ASKS.items():
                    if kind in {"open_network", "create_table", "first_case"}:
                        continue  # they read nothing of other tables, and lay one of eve's own
                    with suppress(Refused):
                        await eve.ask(kind, **fields(table))
            return eve.told.frames, store.read_, [opening]

    async def scene() -> None:
        frames, read, opening = await world(b"a" * 32, 0)
        others, other_read, other_opening = await world(b"b" * 32, 3)
        assert opening != other_opening
        assert frames == others
        assert read == other_read
        assert not [one for one in read if one[0] in {"read", "notes", "review", "blob", "leaves_of_item"}]

    asyncio.run(scene())


def test_whoever_has_finished_may_look_at_the_others_and_see_no_moment_of_theirs() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, ada = await finished(parlour, "ada")
            await ada.ask("say", table=table, text="alone at last")
            _, bob = await finished(parlour, "bob", 1)
            rows = (await bob.ask("read_challenge"))["results"]
            assert {row["table"] for row in rows if not row["me"]} == {table}
            page = await parlour.watching("bob", table)
            assert page.told.room["me"] is None
            assert {event["at"] for event in page.told.events} == {0}
            assert "chat" not in page.told.last
            assert await page.ask("read_review", table=table, viewer=0)
            assert (await page.ask("look", table=table, seq=3, eyes="all"))["view"]
            assert (await page.ask("check_seal", table=table))["statements"]
            for kind in ("say", "mark", "rematch", "sit_down", "make_duel"):
                assert await refusal(page, kind, **ASKS[kind](table)) == "private"

    asyncio.run(scene())


def test_nobody_watches_whoever_still_plays() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            _, ada = await finished(parlour, "ada")
            table, _ = await begun(parlour, "bob")
            assert await refusal(ada, "watch_table", table=table) == "still_played"
            await parlour.pass_time(tomorrow(parlour.clock))
            assert await refusal(ada, "watch_table", table=table) == "still_played"

    asyncio.run(scene())


def test_when_the_day_is_over_everybody_may_look_and_nobody_begins() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, _ = await finished(parlour, "ada")
            eve = parlour.page("eve")
            left = tomorrow(parlour.clock)
            assert (await eve.ask("read_challenge"))["left_ms"] == left
            await parlour.pass_time(left - 1)
            assert await refusal(eve, "watch_table", table=table) == "still_played"
            await parlour.pass_time(1)
            await eve.ask("watch_table", table=table)
            assert [row["name"] for row in (await eve.ask("read_challenge", day=TODAY))["results"]] == ["Ada"]
            assert await refusal(eve, "begin_challenge", day=TODAY, name="Eve") == "day_over"
            assert (await eve.ask("read_challenge"))["day"] > TODAY

    asyncio.run(scene())


def test_a_clock_that_is_not_believed_opens_nothing() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, _ = await finished(parlour, "ada")
            parlour.gate._is_suspect = lambda: True
            await parlour.pass_time(tomorrow(parlour.clock))
            assert await refusal(parlour.page("eve"), "watch_table", table=table) == "still_played"

    asyncio.run(scene())


def test_a_day_ends_at_midnight_by_utc() -> None:
    assert day_of(ends("2026-11-18") - 1) == "2026-11-18"
    assert day_of(ends("2026-11-18")) == "2026-11-19"
    assert ends("2028-02-28") - ends("2028-02-27") == 86_400_000


class Shifted(WallClock):
    """Runs as the wall's, from another day on."""

    by = 0

    def now(self) -> int:
        return super().now() + self.by


def test_files_and_sounds_of_the_house_are_closed_alike_and_open_to_whoever_has_finished() -> None:
    async def scene() -> None:
        clock = Shifted()
        async with opened(clock=clock, steady=lambda: steady_ms() + clock.by) as house:
            ada, eve = house.cookie(), house.cookie()
            page = await house.page(ada)
            day = (await page.ask("read_challenge"))["day"]
            table = (await page.ask("begin_challenge", day=day, name="Ada"))["table"]
            bodies = []
            for _ in range(2):
                for path in ("case", "clip/x"):
                    response = await house.get(f"/t/{table}/{path}", eve)
                    bodies.append((response.status, await response.read()))
                live = await house.site.host.get(table)
                if live.table is not None and not live.table.closed:
                    live.table = live.table.abandon()  # as far as it has come
            assert len({*bodies}) == 1
            assert bodies[0][0] == 403
            assert (await house.get(f"/t/{table}/case", ada)).status == 200
            clock.by = 86_400_000
            late = await house.get(f"/t/{table}/case", eve)
            assert late.status == 200
            batches = [msgspec.json.decode(line)["entry"] for line in (await late.read()).splitlines()]
            assert {entry.get("at", 0) for entry in batches} == {0}
            own = await house.get(f"/t/{table}/case", ada)
            assert own.status == 200
            assert any(msgspec.json.decode(line)["entry"].get("at") for line in (await own.read()).splitlines())

    asyncio.run(scene())


def test_what_is_read_of_a_try_is_what_was_kept() -> None:
    tried = Tried("t", Result("Ada", Figures(True, 7, 990, None), left=False, late=False, luck=0.5, skill=0.9))
    leaf = leaf_of(SharedDeal("duel", "x" * 22), "ada", 3, tried)
    assert (leaf.done, leaf.version, leaf.shelf) == (True, 3, "duel")
    assert tries.tried_on(leaf) == tried
    assert encode(tried) == leaf.body
