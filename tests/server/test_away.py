"""People go and come back: who counts as away, who may stand in, and what goes on meanwhile."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from tests.server.client import Refused, Told
from tests.server.sites import Here, Page, Parlour, settle
from whodunit.core.redact import redact
from whodunit.host.live import Live
from whodunit.room.manners import PATIENCE_MS
from whodunit.room.pace import TEMPI
from whodunit.server.fair_queue import Claim, Stake, claim_of
from whodunit.server.feeds import GRACE_MS
from whodunit.server.thoughts import Think

OPTIONS = {"starter": 0}


class Watched(Here):
    """Keeps what bots are told, and lets them think only while the gate is open."""

    def __init__(self) -> None:
        super().__init__()
        self.thoughts: list[Think] = []
        self.gate = asyncio.Event()
        self.gate.set()

    async def run(self, table: str, work: Callable[[Any], Any], job: Any, claim: Claim | None = None) -> Any:
        if isinstance(job, Think):
            self.thoughts.append(job)
            await self.gate.wait()
        return await super().run(table, work, job, claim)


def asks(seat: int) -> Callable[[Told], bool]:
    """Say whether this seat is asked."""
    return lambda told: told.table["awaiting"] == [seat] and told.table["view"]["phase"]["type"] == "Answering"


# --- Away ------------------------------------------------------------------------------------------------------------


def test_whoever_is_gone_for_a_while_counts_as_away_and_a_reload_does_not() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, bob) = await parlour.table("ada", "bob", options=OPTIONS)
            bob.close()
            await parlour.pass_time(GRACE_MS - 1)
            assert ada.told.chair(1)["away_ms"] is None
            bob = await parlour.watching("bob", table)
            await parlour.pass_time(10 * GRACE_MS)
            assert ada.told.chair(1)["away_ms"] is None

            bob.close()
            await parlour.pass_time(GRACE_MS)
            assert ada.told.chair(1)["away_ms"] == 0
            await parlour.pass_time(5000)
            back = await parlour.watching("bob", table)
            await settle()
            assert ada.told.chair(1)["away_ms"] is None
            assert back.told.room["away_from"] == back.told.seq

    asyncio.run(scene())


def test_a_table_that_was_let_go_of_meanwhile_tells_nobody_how_it_once_was() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, bob) = await parlour.table("ada", "bob", options=OPTIONS)
            before = parlour.host.tables[table]
            bob.close()
            ada.close()
            await parlour.pass_time(2 * GRACE_MS)  # away: who is there will be told when a stand-in may be called
            parlour.feeds.sweep()
            assert table not in parlour.host.tables
            back = await parlour.watching("ada", table)
            assert parlour.host.tables[table] is not before
            await back.ask("jot", table=table, text="the rope")
            told = len(back.told.frames)
            await parlour.pass_time(PATIENCE_MS)

            frames = [msgspec.json.decode(frame) for frame in back.told.frames[told:]]
            assert {frame["jotting"] for frame in frames if frame["type"] == "room"} == {"the rope"}

    asyncio.run(scene())


def test_one_who_looks_at_another_table_is_away_from_this_one() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, bob) = await parlour.table("ada", "bob", options=OPTIONS)
            await bob.ask("leave_table", table=table)
            await parlour.pass_time(GRACE_MS)
            frames = len(bob.told.frames)
            await ada.ask("act", table=table, since=ada.told.seq, action={"type": "Roll"})

            assert ada.told.chair(1)["away_ms"] is not None
            assert len(bob.told.frames) == frames

    asyncio.run(scene())


# --- Stand-ins -------------------------------------------------------------------------------------------------------


async def with_bob_away(parlour: Parlour) -> tuple[str, Page, Page]:
    table, (ada, cleo, bob) = await parlour.table("ada", "cleo", "bob", options=OPTIONS)
    bob.close()
    await parlour.pass_time(GRACE_MS)
    return table, ada, cleo


def test_after_two_minutes_the_others_may_call_a_stand_in() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, ada, cleo = await with_bob_away(parlour)
            await parlour.pass_time(PATIENCE_MS - 1)
            assert ada.told.chair(2)["may"] == []
            with pytest.raises(Refused, match="not_away"):
                await ada.ask("call_stand_in", table=table, seat=2)
            await parlour.pass_time(1)

            assert ada.told.chair(2)["may"] == cleo.told.chair(2)["may"] == ["call_stand_in"]  # told without asking
            with pytest.raises(Refused, match="not_away"):
                await ada.ask("call_stand_in", table=table, seat=1)
            await ada.ask("call_stand_in", table=table, seat=2)
            assert cleo.told.chair(2)["stand_in"] == "detective"
            assert cleo.told.chair(2)["may"] == []
            with pytest.raises(Refused, match="not_away"):
                await cleo.ask("call_stand_in", table=table, seat=2)

    asyncio.run(scene())


def test_alone_with_bots_a_stand_in_may_be_called_at_once() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, bob) = await parlour.table("ada", "bob", bots=["random"], options=OPTIONS)
            bob.close()
            await parlour.pass_time(GRACE_MS)
            assert ada.told.chair(1)["may"] == ["call_stand_in"]
            await ada.ask("call_stand_in", table=table, seat=1)
            assert ada.told.chair(1)["stand_in"] == "detective"

    asyncio.run(scene())


def test_a_stand_in_knows_what_its_seat_knows_and_hands_back_on_return() -> None:
    async def scene() -> None:
        workers = Watched()
        async with Parlour(workers=workers) as parlour:
            table, (ada, bob) = await parlour.table("ada", "bob", bots=["rookie"], options={"starter": 1})
            await parlour.play([ada, bob], table, until=lambda told: told.seq > 24)
            bob.close()
            await parlour.pass_time(GRACE_MS)
            await ada.ask("call_stand_in", table=table, seat=1)
            workers.thoughts.clear()
            left = ada.told.seq
            await parlour.play([ada], table, until=lambda told: told.seq > left + 40)
            live = await parlour.host.get(table)
            events = [event for batch in await parlour.host.batches(live) for event in batch.events]
            thoughts = [job for job in workers.thoughts if job.seen.seat == 1]

            assert thoughts
            for job in thoughts:
                told = [event for step in job.seen.steps for event in step.events]
                after = job.seen.after
                assert told == [redact(event, 1) for event in events[after : after + len(told)]]
                assert (job.level, job.certified) == ("detective", False)
            assert live.room.laid.seal.bot_seed((), 1) not in {job.seed for job in thoughts}

            back = await parlour.watching("bob", table)
            await settle()
            assert ada.told.chair(1)["stand_in"] is None
            thoughts = [*workers.thoughts]
            await parlour.play([ada, back], table, until=lambda told: told.seq > left + 70)
            assert not [job for job in workers.thoughts[len(thoughts) :] if job.seen.seat == 1]

    asyncio.run(scene())


def test_a_seat_is_handed_to_a_bot_and_taken_back() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, bob) = await parlour.table("ada", "bob", options=OPTIONS)
            assert ada.told.room["may"] == ["stand_up", "hand_over", "pause"]
            await ada.ask("hand_over", table=table, level="random")
            assert bob.told.chair(0)["stand_in"] == "random"
            assert ada.told.room["may"] == ["stand_up", "take_back", "pause"]
            for ask in ("act", "select"):
                with pytest.raises(Refused, match="stood_in"):
                    await ada.ask(ask, table=table, since=ada.told.seq, action={"type": "Roll"})
            with pytest.raises(Refused, match="stood_in"):
                await ada.ask("undo", table=table)
            await parlour.pass_time(3000)
            moved = ada.told.seq
            assert moved > 3  # the bot rolls and walks

            ada.close()
            await parlour.pass_time(2 * GRACE_MS)
            ada = await parlour.watching("ada", table)
            await settle()
            assert ada.told.chair(0)["stand_in"] == "random"  # what she gave away she must take back herself
            await ada.ask("take_back", table=table)
            await ada.ask("take_back", table=table)  # twice is once
            assert bob.told.chair(0)["stand_in"] is None

    asyncio.run(scene())


def test_whoever_leaves_a_running_game_is_stood_in_for_until_they_return() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, bob) = await parlour.table("ada", "bob", bots=["random"], options=OPTIONS)
            await bob.ask("stand_up", table=table)
            await parlour.pass_time(GRACE_MS)
            assert ada.told.chair(1)["stand_in"] == "detective"
            assert (ada.told.chair(1)["kind"], ada.told.chair(1)["name"]) == ("person", "bob")
            await parlour.watching("bob", table)
            await settle()
            assert ada.told.chair(1)["stand_in"] is None

    asyncio.run(scene())


def test_an_answer_that_a_stand_in_was_thinking_of_is_given_when_the_seat_is_taken_back_too_late() -> None:
    async def scene() -> None:
        workers = Watched()
        async with Parlour(workers=workers) as parlour:
            table, (ada, bob) = await parlour.table("ada", "bob", options={"starter": 0})
            await parlour.play([ada, bob], table, until=asks(1))
            workers.gate.clear()
            await bob.ask("hand_over", table=table)
            asked = ada.told.seq
            await parlour.pass_time(60_000)  # its moment is long over; the bot still thinks
            assert ada.told.seq == asked
            await bob.ask("take_back", table=table)
            await parlour.pass_time(1)

            assert ada.told.seq > asked

    asyncio.run(scene())


# --- Sleep -----------------------------------------------------------------------------------------------------------


def test_a_table_without_people_sleeps_and_wakes_when_one_returns() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada,) = await parlour.table("ada", bots=["random", "random"], options={"starter": 1})
            spectator = await parlour.watching("eve", table)
            await parlour.pass_time(1)
            ada.close()
            await parlour.pass_time(60_000)
            asleep = spectator.told.seq
            await parlour.pass_time(3_600_000)
            assert spectator.told.seq == asleep  # one who only looks on does not wake it
            spectator.close()
            parlour.feeds.sweep()
            assert table not in parlour.host.tables

            ada = await parlour.watching("ada", table)
            assert ada.told.seq == asleep
            await parlour.pass_time(60_000)
            assert ada.told.seq > asleep

    asyncio.run(scene())


def test_bots_go_on_after_a_reload_in_the_middle_of_their_turn() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada,) = await parlour.table("ada", bots=["random", "random"], options={"starter": 1})
            for _ in range(3):
                ada.close()
                await parlour.pass_time(GRACE_MS - 100)  # long enough for a move, too short to be away
                ada = await parlour.watching("ada", table)
                before = ada.told.seq
                if not ada.told.on_turn:
                    await parlour.pass_time(20_000)
                    assert ada.told.seq > before

    asyncio.run(scene())


@pytest.mark.parametrize("bots", [[], ["random"]], ids=["a person's", "a bot's"])
def test_answers_that_are_due_are_given_while_everybody_sleeps(bots: list[str]) -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            people = ["ada"] if bots else ["ada", "bob"]
            table, pages = await parlour.table(*people, bots=bots, options=OPTIONS)
            await parlour.play(pages, table, until=asks(1))
            asked = pages[0].told.seq
            for page in pages:
                page.close()
            parlour.feeds.sweep()
            assert table in parlour.host.tables  # it is kept for what is due
            await parlour.pass_time(60_000)
            ada = await parlour.watching("ada", table)

            given = [event["event"]["type"] for event in ada.told.events[asked:]]
            assert given[0] in {"CardShown", "CouldNotShow"}
            assert {*given[1:]} <= {"TurnBegan"}  # and nothing else
            await settle()
            if not bots:
                digest = await ada.ask("since_away", table=table)
                assert digest["events"][0]["seq"] == asked + 1

    asyncio.run(scene())


def test_bots_go_on_when_somebody_returns_while_one_still_thinks() -> None:
    async def scene() -> None:
        workers = Watched()
        async with Parlour(workers=workers) as parlour:
            table, (ada,) = await parlour.table("ada", bots=["random", "random"], options={"starter": 1})
            workers.gate.clear()
            await parlour.pass_time(3000)
            ada.close()
            await parlour.pass_time(10 * GRACE_MS)
            parlour.feeds.sweep()
            ada = await parlour.watching("ada", table)
            before = ada.told.seq
            await settle()
            workers.gate.set()
            await parlour.pass_time(60_000)

            assert ada.told.seq > before + 2

    asyncio.run(scene())


def test_what_changes_while_a_bot_stops_is_not_overlooked(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, _ = await parlour.table("ada", "bob", bots=["rookie"], options=OPTIONS)
            runner, live, runs = parlour.runner, await parlour.host.get(table), 0

            async def run(live: Live) -> None:
                nonlocal runs
                runs += 1
                runner.poke(live)  # now there is something to do again, and this run does not see it

            monkeypatch.setattr(runner, "_run", run)
            monkeypatch.setattr(runner, "_next", lambda _: 0 if runs < 2 else None)
            runner.poke(live)
            await settle()
            assert runs == 2
            await runner.close()
            monkeypatch.setattr(runner, "_next", lambda _: 0)
            runner.poke(live)
            assert not runner._busy  # nothing begins any more

    asyncio.run(scene())


# --- While you were away ---------------------------------------------------------------------------------------------


def test_the_digest_tells_what_was_missed_once() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, bob) = await parlour.table("ada", "bob", bots=["rookie"], options=OPTIONS)
            with pytest.raises(Refused, match="not_away"):
                await bob.ask("since_away", table=table)
            bob.close()
            last = bob.told.seq
            await ada.ask("act", table=table, since=ada.told.seq, action={"type": "Roll"})  # before he counts as away
            await parlour.pass_time(GRACE_MS)
            await ada.ask("call_stand_in", table=table, seat=1)
            await parlour.play([ada], table, until=lambda told: told.seq > last + 40)
            bob = await parlour.watching("bob", table)
            await settle()
            assert bob.told.room["away_from"] == last
            digest = await bob.ask("since_away", table=table)

            assert digest["after"] == last
            assert digest["events"] == bob.told.events[last:]
            assert digest["stood_in"]
            batches = await parlour.host.batches(await parlour.host.get(table), last)
            own = [batch.seq for batch in batches if batch.cause is not None and batch.cause.seat == 1]
            assert digest["stood_in"] == own
            assert bob.told.room["away_from"] is None
            with pytest.raises(Refused, match="not_away"):
                await bob.ask("since_away", table=table)

    asyncio.run(scene())


# --- Bots among themselves -------------------------------------------------------------------------------------------


async def handed_over(parlour: Parlour, **terms: Any) -> tuple[str, Page]:
    """Let Ada look on while a bot plays for her, too."""
    table, (ada,) = await parlour.table("ada", bots=["random", "random"], options=OPTIONS, **terms)
    await ada.ask("hand_over", table=table, level="random")
    return table, ada


def test_bots_among_themselves_rest_while_everybody_looks_away() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, ada = await handed_over(parlour)
            seq = ada.told.seq
            await parlour.pass_time(60_000)  # of a page that has said nothing nobody knows whether somebody looks
            assert ada.told.seq > seq

            await ada.ask("looking", table=table, looking=False)
            await parlour.pass_time(60_000)  # what is due is still answered
            seq = ada.told.seq
            await parlour.pass_time(600_000)
            assert ada.told.seq == seq
            await ada.ask("looking", table=table, looking=True)
            await parlour.pass_time(60_000)
            assert ada.told.seq > seq

    asyncio.run(scene())


def test_somebody_else_who_looks_keeps_them_going() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, ada = await handed_over(parlour)
            eve = await parlour.watching("eve", table)
            await ada.ask("looking", table=table, looking=False)
            await parlour.pass_time(60_000)
            seq = ada.told.seq
            await parlour.pass_time(60_000)
            assert ada.told.seq > seq
            await eve.ask("looking", table=table, looking=False)
            await parlour.pass_time(60_000)
            seq = ada.told.seq
            await parlour.pass_time(60_000)
            assert ada.told.seq == seq

    asyncio.run(scene())


def test_bots_do_not_rest_where_a_person_plays_or_moves_take_days() -> None:
    """A person may wait for their turn in another window; a table of days goes on with nobody there."""

    async def scene() -> None:
        async with Parlour() as parlour:
            options = {"starter": 1}
            table, (ada,) = await parlour.table("ada", bots=["random", "random"], options=options)
            await ada.ask("looking", table=table, looking=False)
            await parlour.pass_time(600_000)
            assert 0 in ada.told.table["awaiting"]

            table, ada = await handed_over(parlour, allowance={"type": "days", "days": 1})
            await ada.ask("looking", table=table, looking=False)
            await parlour.pass_time(60_000)
            seq = ada.told.seq
            await parlour.pass_time(60_000)
            assert ada.told.seq > seq

    asyncio.run(scene())


def test_bots_among_themselves_take_their_time_however_fast_the_table_is() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, ada = await handed_over(parlour, public=False, pace="at_once")
            live = parlour.host.tables[table]
            waits = {parlour.runner._pause(live) for _ in range(50)}
            assert min(waits) >= TEMPI["quick"].turn[0]
            await ada.ask("take_back", table=table)
            assert parlour.runner._pause(live) == TEMPI["at_once"].turn[0]

    asyncio.run(scene())


def test_what_is_at_stake_is_public() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada,) = await parlour.table("ada", bots=["random", "random"], options=OPTIONS)
            live = parlour.host.tables[table]
            assert claim_of(live) == Claim(Stake.PERSON, frozenset({ada.household}), table)
            await ada.ask("looking", table=table, looking=False)
            assert claim_of(live).stake == Stake.BOTS
            await ada.ask("looking", table=table, looking=True)
            assert claim_of(live).stake == Stake.PERSON
            await ada.ask("hand_over", table=table, level="random")
            assert claim_of(live).stake == Stake.BOTS
            ada.close()
            assert claim_of(live).households == frozenset()

    asyncio.run(scene())
