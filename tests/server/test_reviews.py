"""Reviews of closed cases: part by part, shared, kept, retried; and nothing at all of a game that is still played."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.example import EXAMPLE, installed
from tests.server.client import Refused
from tests.server.sites import Here, Page, Parlour, beyond, chosen, dice, settle
from whodunit.core.errors import NotStored
from whodunit.core.types import TABLE
from whodunit.core.wire import encode
from whodunit.host.live import Live
from whodunit.infra.memory import MemoryStore
from whodunit.infra.sqlite import SqliteStore
from whodunit.review import VERSION, judge, review
from whodunit.review.review import showing_of
from whodunit.review.verdict import encoded
from whodunit.server import reviewing, reviews
from whodunit.server.fair_queue import Claim
from whodunit.server.history import filed
from whodunit.server.thoughts import LostMemory, unfiled
from whodunit.server.workers import Workers
from whodunit.table.case import Case

PEOPLE = ("ada", "bob", "cleo")
QUESTIONS = 30
"""So many events pass before anybody guesses."""


@pytest.fixture(scope="module", autouse=True)
def _example(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with installed(tmp_path_factory.mktemp("packages")):
        yield


@pytest.fixture(autouse=True)
def _forgetful() -> None:
    """Let no test find what another has read."""
    reviewing._CASES._kept.clear()


class Noting(Here):
    """Writes down what is read for which part, and may die."""

    def __init__(self, dies: Callable[[int], bool] = lambda _: False) -> None:
        super().__init__()
        self.read: list[tuple[str, object]] = []
        self.claims: list[Claim] = []
        self._dies = dies

    async def review(self, work: Callable[[Any], Any], job: Any, claim: Claim) -> Any:
        if isinstance(job, reviewing.Wanted):
            self.read.append((job.table, job.part))
            self.claims.append(claim)
            if self._dies(len(self.read)):
                reviewing._CASES._kept.clear()
                return LostMemory()
        return await super().review(work, job, claim)

    @property
    def order(self) -> list[tuple[str, object]]:
        """What was read, each time it was another part."""
        return [one for place, one in enumerate(self.read) if not place or self.read[place - 1] != one]


async def refusal(page: Page, kind: str, **fields: Any) -> str:
    with pytest.raises(Refused) as refused:
        await page.ask(kind, **fields)
    return refused.value.reason


async def begun(parlour: Parlour, **terms: Any) -> tuple[str, list[Page]]:
    return await parlour.table(*PEOPLE, game=EXAMPLE, assistance="paper", **terms)


async def closed(parlour: Parlour, seed: int = 0) -> tuple[str, list[Page]]:
    """Play a game to its end."""
    table, pages = await begun(parlour)
    await play_out(parlour, table, pages, seed)
    return table, pages


async def play_out(parlour: Parlour, table: str, pages: list[Page], seed: int = 0) -> None:
    """Play on for a while, then guess whenever that is on offer."""
    rng, until = dice(seed), pages[0].told.seq + QUESTIONS
    await parlour.play(pages, table, until=lambda told: told.over or told.seq > until, seed=seed)
    moved = 0
    while not pages[0].told.over:
        mover = next((page for page in pages if page.told.on_turn and page.told.seq > moved), None)
        if mover is None:  # an answer has its own moment
            assert parlour.clock.next is not None
            await parlour.pass_time(parlour.clock.next - parlour.clock.now())
            continue
        offers, moved = mover.told.table["offers"], mover.told.seq
        guesses = [offer for offer in offers if offer["action"] == "Accuse"]
        await mover.ask("act", table=table, **chosen(guesses or offers, rng))
        await settle()


def told(value: object) -> Any:
    """Return something as a page reads it."""
    return msgspec.json.decode(encode(value))


def live_of(parlour: Parlour, table: str) -> Live:
    return parlour.host.tables[table]


async def case_of(parlour: Parlour, table: str) -> Case:
    return unfiled(await filed(parlour.host, live_of(parlour, table)))


def test_everybody_reads_every_part_of_a_closed_case() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, *_) = await closed(parlour)
            eve = await parlour.watching("eve", table)
            made = review(await case_of(parlour, table))
            for page in (eve, ada):
                for viewer in (0, 1, 2, TABLE):
                    part = await page.ask("read_review", table=table, viewer=viewer)
                    assert part == msgspec.json.decode(encoded(made.seats[viewer]))
                part = await page.ask("read_review", table=table, viewer="whole")
                assert part == msgspec.json.decode(encoded(made.whole))
                assert {*part["findings"]} == {"-1", "0", "1", "2"}

    asyncio.run(scene())


def test_a_running_game_has_no_review_whoever_asks_and_nothing_is_looked_up_for_it() -> None:
    class Untouched(MemoryStore):
        async def review(self, *_: str) -> bytes | None:
            raise AssertionError("it was looked up")

    async def scene() -> None:
        workers = Noting()
        async with Parlour(Untouched(), workers=workers) as parlour:
            table, (ada, *_) = await begun(parlour)
            stranger = parlour.page("mallory")
            eve = await parlour.watching("eve", table)
            for page in (ada, eve, stranger):
                for viewer in (0, TABLE, "whole", 99):
                    assert await refusal(page, "read_review", table=table, viewer=viewer) == "still_open"
                for seat, seq in ((0, 2), (1, 2), (99, 99)):
                    ask = {"seat": seat, "seq": seq, "action": {"type": "no such thing"}}
                    assert await refusal(page, "retry", table=table, **ask) == "still_open"
            for page, others in ((ada, (1, TABLE, 99)), (eve, (0, 1, 99))):
                for eyes in others:
                    assert await refusal(page, "notes", table=table, eyes=eyes) == "still_open"
                    assert await refusal(page, "notes", table=table, eyes=eyes, seq=1) == "still_open"
                    assert await refusal(page, "why", table=table, row="x", column="y", eyes=eyes) == "still_open"
            assert workers.read == []

            gathering = (await ada.ask("create_table", **_terms()))["table"]
            assert await refusal(ada, "read_review", table=gathering, viewer="whole") == "still_open"

    asyncio.run(scene())


def _terms() -> dict[str, Any]:
    terms = {"game": EXAMPLE, "options": {}, "chairs": [None, None], "public": False, "assistance": "paper"}
    return {**terms, "name": "Ada", "salt": "0123456789abcdef" * 2}


def test_whoever_may_not_enter_a_table_reads_nothing_of_it() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, pages = await parlour.table("ada", bots=("random", "random"), game=EXAMPLE, public=False)
            mallory = parlour.page("mallory")
            asks: tuple[tuple[str, dict[str, Any]], ...] = (
                ("read_review", {"viewer": 0}),
                ("retry", {"seat": 0, "seq": 2, "action": {}}),
                ("notes", {"eyes": 0}),
            )
            assert {await refusal(mallory, kind, table=table, **fields) for kind, fields in asks} == {"private"}
            await play_out(parlour, table, pages)
            assert {await refusal(mallory, kind, table=table, **fields) for kind, fields in asks} == {"private"}

    asyncio.run(scene())


def test_a_viewer_that_is_none_is_refused() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, *_) = await closed(parlour)
            for viewer in (-2, 3):
                assert await refusal(ada, "read_review", table=table, viewer=viewer) == "no_seat"
                assert await refusal(ada, "notes", table=table, eyes=viewer) == "no_seat"
            assert await refusal(ada, "notes", table=table, eyes=1, seq=0) == "no_event"
            assert await refusal(ada, "notes", table=table, eyes=1, seq=9999) == "no_event"

    asyncio.run(scene())


# --- Another try -----------------------------------------------------------------------------------------------------


def test_another_try_is_judged_as_the_review_judges_what_was_done() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, *_) = await closed(parlour)
            eve = await parlour.watching("eve", table)
            case = await case_of(parlour, table)
            for seat, part in review(case).seats.items():
                for decision in part.decisions:
                    action = told(decision.verdict.taken.action)
                    ask = {"seat": seat, "seq": decision.seq, "action": action}
                    for page in (ada, eve):
                        said = await page.ask("retry", table=table, **ask)
                        assert said == told(decision.verdict)
                    for other in decision.verdict.best:
                        if other.action is not None:
                            action = told(other.action)
                            said = await ada.ask("retry", table=table, seat=seat, seq=decision.seq, action=action)
                            seen = _seen(case, seat)[: decision.seq - 1]
                            verdict = judge(case.table.game, seat, seen, other.action, showing=showing_of(case.header))
                            assert said == told(verdict)

    asyncio.run(scene())


def _seen(case: Case, seat: int) -> list[Any]:
    return [event for batch in case.batches for event in case.table.seen(seat, batch.events)]


def test_what_was_not_on_offer_is_refused() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, *_) = await closed(parlour)
            case = await case_of(parlour, table)
            batch = next(batch for batch in case.batches if batch.cause is not None)
            assert batch.cause is not None
            seat, action = batch.cause.seat, told(batch.cause.action)

            async def fate(**changes: Any) -> str:
                return await refusal(ada, "retry", table=table, **{**good, **changes})

            good = {"seat": seat, "seq": batch.seq, "action": action}
            await ada.ask("retry", table=table, **good)
            assert await fate(seat=(seat + 1) % 3) == "illegal"
            assert await fate(seat=TABLE) == "no_seat"
            assert await fate(seat=3) == "no_seat"
            assert [await fate(seq=seq) for seq in (-1, 0, 1, 9999)] == ["no_event"] * 4
            assert await fate(action={"type": "nothing"}) == "bad_ask"
            long = next((batch for batch in case.batches[1:] if len(batch.events) > 1), None)
            if long is not None:
                assert await fate(seq=long.seq + 1) == "no_event"

    asyncio.run(scene())


# --- The past with any eyes ------------------------------------------------------------------------------------------


def test_after_the_end_anybodys_notes_are_open_at_every_level() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, pages = await begun(parlour)
            ada, bob, _ = pages
            own = await ada.ask("notes", table=table, eyes=0)
            assert own == await ada.ask("notes", table=table)  # with one's own eyes as ever
            assert own["cells"] == []
            assert await refusal(ada, "why", table=table, row="x", column="y", eyes=0) == "no_help"
            eve = await parlour.watching("eve", table)
            assert await refusal(eve, "notes", table=table, eyes=TABLE) == "no_seat"
            await play_out(parlour, table, pages)
            case = await case_of(parlour, table)

            proved = 0
            for seq in (6, case.table.seq):
                for eyes in (0, 1, 2, TABLE):
                    belief = case.table.game.belief(eyes)
                    for event in _seen(case, eyes)[:seq]:
                        belief = belief.learn(event)
                    wanted = told(belief.sheet("probabilities"))
                    for page in (ada, eve):
                        assert await page.ask("notes", table=table, seq=seq, eyes=eyes) == wanted
                    proofs = {
                        (cell["row"], cell["column"]): belief.proof(
                            cell["row"], cell["column"], _seen(case, eyes)[:seq]
                        )
                        for cell in wanted["cells"]
                    }
                    for (row, column), proof in [(cell, proof) for cell, proof in proofs.items() if proof][:2]:
                        ask = {"row": row, "column": column, "seq": seq, "eyes": eyes}
                        assert await eve.ask("why", table=table, **ask) == told(proof)
                        proved += 1
            assert proved
            assert await bob.ask("notes", table=table, eyes=1) == await eve.ask(
                "notes", table=table, eyes=1, seq=case.table.seq
            )
            assert await ada.ask("notes", table=table) != await ada.ask("notes", table=table, eyes=0)

    asyncio.run(scene())


def test_a_look_back_at_a_closed_case_shows_what_was_on_offer_and_one_at_a_running_game_does_not() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, pages = await begun(parlour)
            offered: dict[int, tuple[int, list[dict[str, Any]]]] = {}
            for _ in range(8):
                for seat, page in enumerate(pages):
                    if page.told.table["offers"]:
                        offered[page.told.seq] = (seat, page.told.table["offers"])
                    looked = await page.ask("look", table=table, seq=page.told.seq)
                    assert {*looked} == {"seq", "view"}
                await parlour.play(pages, table, until=beyond(pages[0].told.seq))
            await play_out(parlour, table, pages)
            assert len(offered) > 2
            for seq, (seat, offers) in offered.items():
                looked = await pages[0].ask("look", table=table, seq=seq, eyes=seat)
                assert looked["offers"] == [{**offer, "since": seq} for offer in offers]
                assert "offers" not in await pages[0].ask("look", table=table, seq=seq, eyes="all")
                assert "offers" not in await pages[0].ask("look", table=table, seq=seq, eyes=TABLE)

    asyncio.run(scene())


# --- Who waits for what ----------------------------------------------------------------------------------------------


def test_all_who_ask_share_what_is_made_and_it_is_made_once() -> None:
    async def scene() -> None:
        workers = Noting()
        async with Parlour(workers=workers) as parlour:
            table, pages = await closed(parlour)
            asks = [page.ask("read_review", table=table, viewer=0) for page in pages]
            first, *others = await asyncio.gather(*asks)
            assert others == [first, first]
            slices = -(-(len((await case_of(parlour, table)).batches) + 1) // reviewing.AT_A_TIME)
            assert slices <= len(workers.read) <= slices + 1  # the first time it did not know the case
            before = len(workers.read)
            assert await pages[1].ask("read_review", table=table, viewer=0) == first
            assert len(workers.read) == before

    asyncio.run(scene())


def test_what_nobody_waits_for_any_more_is_not_made() -> None:
    async def scene() -> None:
        workers = Noting()
        async with Parlour(workers=workers) as parlour:
            table, (ada, bob, _) = await closed(parlour)
            one, other = (
                asyncio.create_task(page.ask("read_review", table=table, viewer="whole")) for page in (ada, bob)
            )
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            one.cancel()
            for _ in range(6):
                await asyncio.sleep(0)
            assert workers.read
            other.cancel()
            await settle()
            read = len(workers.read)
            await settle()
            assert len(workers.read) == read
            assert not parlour.reviews._making
            assert not parlour.reviews._desks
            await ada.ask("read_review", table=table, viewer=1)

    asyncio.run(scene())


def test_what_was_asked_for_last_comes_first_and_of_it_ones_own_seat() -> None:
    async def scene() -> None:
        workers = Noting()
        async with Parlour(workers=workers) as parlour:
            older, pages = await closed(parlour)
            newer, _ = await closed(parlour, seed=1)
            bob = pages[1]
            asks = [
                asyncio.create_task(bob.ask("read_review", table=older, viewer=part)) for part in (0, 2, 1, "whole")
            ]
            while not workers.read:  # noqa: ASYNC110  (it begins soon)
                await asyncio.sleep(0)
            asks += [asyncio.create_task(bob.ask("read_review", table=newer, viewer=part)) for part in (TABLE, 1)]
            await asyncio.gather(*asks)
            begun = [one for one in workers.order if one[0] == newer]
            assert begun == [(newer, 1), (newer, TABLE)]
            rest = [part for table, part in workers.order[workers.order.index((newer, TABLE)) :] if table == older]
            assert [*dict.fromkeys(rest)] == [1, 0, 2, "whole"][-len({*rest}) :]
            assert workers.order.index((newer, TABLE)) < workers.order.index((older, "whole"))

    asyncio.run(scene())


def test_a_household_has_one_part_read_at_a_time_and_all_count_as_its_own() -> None:
    async def scene() -> None:
        workers = Noting()
        async with Parlour(workers=workers) as parlour:
            table, _ = await closed(parlour)
            at_home = [parlour.page(f"one {number}", "home") for number in range(5)]
            away = parlour.page("somebody", "away")
            asks = [
                asyncio.create_task(page.ask("read_review", table=table, viewer=part))
                for page, part in zip((*at_home, away), (0, 1, 2, TABLE, "whole", 1), strict=True)
            ]
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert {*parlour.reviews._desks} <= {"home", "away"}
            await asyncio.gather(*asks)
            households = {household for claim in workers.claims for household in claim.households}
            assert households == {"home", "away"}
            assert {claim.stake.name for claim in workers.claims} == {"SPARE"}

    asyncio.run(scene())


# --- When something goes wrong ---------------------------------------------------------------------------------------


def test_a_process_that_dies_is_told_everything_again() -> None:
    async def scene() -> None:
        workers = Noting(lambda read: read in (3, 6))
        async with Parlour(workers=workers) as parlour:
            table, (ada, *_) = await closed(parlour)
            part = await ada.ask("read_review", table=table, viewer=0)
            assert part == msgspec.json.decode(encoded(review(await case_of(parlour, table)).seats[0]))

    asyncio.run(scene())


def test_a_part_of_which_every_process_dies_is_given_up_and_the_others_are_made() -> None:
    class Deadly(Noting):
        async def review(self, work: Callable[[Any], Any], job: Any, claim: Claim) -> Any:
            if isinstance(job, reviewing.Wanted) and job.part == 0:
                return LostMemory()
            return await super().review(work, job, claim)

    async def scene() -> None:
        async with Parlour(workers=Deadly()) as parlour:
            table, (ada, *_) = await closed(parlour)
            with pytest.raises(RuntimeError, match="dies"):
                await ada.ask("read_review", table=table, viewer=0)
            await ada.ask("read_review", table=table, viewer=1)

    asyncio.run(scene())


def test_what_is_stored_is_read_by_any_node_and_made_again_under_another_version(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene() -> None:
        store, workers = MemoryStore(), Noting()
        async with Parlour(store, workers=workers) as parlour:
            table, (ada, *_) = await closed(parlour)
            parts = [await ada.ask("read_review", table=table, viewer=part) for part in (0, "whole")]
            reviewing._CASES._kept.clear()
            read = len(workers.read)

            other = Parlour(store, workers=workers)
            bob = other.page("bob")
            assert [await bob.ask("read_review", table=table, viewer=part) for part in (0, "whole")] == parts
            assert len(workers.read) == read
            for changed in ({"VERSION": VERSION + 1}, {"_FITTED": "another"}):
                for name, value in changed.items():
                    monkeypatch.setattr(reviews, name, value)
                another = Parlour(store, workers=workers)
                cleo = another.page("cleo")
                assert await cleo.ask("read_review", table=table, viewer=0) == parts[0]
                assert len(workers.read) > read
                read = len(workers.read)

    asyncio.run(scene())


def test_where_the_disk_takes_nothing_it_is_read_from_memory() -> None:
    class Full(MemoryStore):
        async def keep_review(self, *_: object) -> None:
            raise NotStored("the disk is full")

        async def review(self, *_: str) -> bytes | None:
            raise NotStored("it cannot be read either")

    async def scene() -> None:
        workers = Noting()
        async with Parlour(Full(), workers=workers) as parlour:
            table, (ada, *_) = await closed(parlour)
            first = await ada.ask("read_review", table=table, viewer=0)
            read = len(workers.read)
            assert await ada.ask("read_review", table=table, viewer=0) == first
            assert len(workers.read) == read

    asyncio.run(scene())


def test_a_file_keeps_reviews_for_the_next_who_opens_it(tmp_path: Path) -> None:
    async def scene() -> None:
        path, workers = tmp_path / "whodunit.sqlite", Noting()
        async with Parlour() as parlour:
            table, _ = await closed(parlour)
            records = [record for name in ("case", "room") for record in await parlour.host.store.read(table, name)]
        async with Parlour(store := SqliteStore(path), workers=workers) as parlour:
            await store.append(table, records)
            first = await parlour.page("ada").ask("read_review", table=table, viewer=TABLE)
            while parlour.reviews._desks:  # noqa: ASYNC110  (a thread writes)
                await asyncio.sleep(0.001)
        read = len(workers.read)
        async with Parlour(SqliteStore(path), workers=workers) as parlour:
            assert await parlour.page("ada").ask("read_review", table=table, viewer=TABLE) == first
            assert len(workers.read) == read

    asyncio.run(scene())


@pytest.mark.timeout(120)
def test_a_real_process_that_is_killed_is_started_again() -> None:
    async def scene() -> None:
        here = Here()
        async with Parlour(workers=here) as parlour:
            table, (ada, *_) = await closed(parlour)
            real = Workers(1)
            try:
                parlour.reviews._workers = real
                first = await ada.ask("read_review", table=table, viewer=0)
                pool = real._reviews._pool
                assert pool is not None
                for pid in pool._processes:
                    os.kill(pid, signal.SIGKILL)
                await ada.ask("read_review", table=table, viewer=1)
                assert first == msgspec.json.decode(encoded(review(await case_of(parlour, table)).seats[0]))
                assert [process._pool for process in (*real._bots, *real._notes, real._aside, real._spare)] == [
                    None
                ] * 4
            finally:
                real.close()

    asyncio.run(scene())
