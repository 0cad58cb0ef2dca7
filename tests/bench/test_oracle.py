"""The attack of `bench server --only oracle`: its worlds, its sums, and that it runs; what it measures is no test's.

The whole of it, with a handful of probes on servers of each kind, is run by `./run soak`.
"""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from whodunit.bench.server import habit, oracle
from whodunit.bench.server.channels import Channel, Reading, Readings, table, worst_of
from whodunit.bench.server.load import free_port
from whodunit.bench.server.notices import all_notices
from whodunit.bench.server.oracle import Round
from whodunit.bench.server.probe import GUEST, SEAT, SECOND, Strand
from whodunit.bench.server.script import Staging, WorldTables
from whodunit.bench.server.speed import staged
from whodunit.bench.server.timing import SimulatedClock
from whodunit.bench.server.undo import undone
from whodunit.bench.server.wire import framed, parted
from whodunit.bench.server.worlds import ALONE, ASKED, ASKER, KINDS, Decks, Kind, World, since, world
from whodunit.core.rng import Stream
from whodunit.core.types import TABLE
from whodunit.core.wire import encode
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.room.entries import Selected, decode
from whodunit.server import frames

# --- Worlds ----------------------------------------------------------------------------------------------------------


def in_world(kind: Kind, number: int, then: Callable[[Host, Live, World], Awaitable[object]]) -> object:
    """Lay a table in a world, ask its question, and see what that has led to; no time passes."""

    async def scene() -> object:
        decks, dealt = Decks(), world(kind, number)
        host = Host(MemoryStore(), MemoryBus(), SimulatedClock(), draws=decks)
        live = await decks.lay(host, number // 2, dealt, ["ann", "ben", "cleo"], ["guest"])
        found = await then(host, live, dealt)
        await host.close()
        return found

    return asyncio.run(scene())


@pytest.mark.parametrize("kind", KINDS)
def test_no_frame_tells_the_asker_or_a_guest_in_which_world_they_are(kind: Kind) -> None:
    async def told(host: Host, live: Live, dealt: World) -> list[bytes]:
        await host.moves.act(live, ASKER, since(live, ASKER, dealt.question), dealt.question)
        telling = frames.Telling(live, await host.batches(live), 0)
        rooms = [encode(frames.room(live, person, 0)) for person in ("ann", "guest")]
        return [*rooms, bytes(telling.to(ASKER)), bytes(telling.to(TABLE))]

    for pair in range(20):
        assert in_world(kind, 2 * pair, told) == in_world(kind, 2 * pair + 1, told)


@pytest.mark.parametrize("kind", KINDS)
def test_in_every_second_world_the_asked_player_has_a_choice(kind: Kind) -> None:
    async def asked(host: Host, live: Live, dealt: World) -> tuple[bool, bool]:
        await host.moves.act(live, ASKER, since(live, ASKER, dealt.question), dealt.question)
        assert live.table is not None
        assert live.table.asked == (ASKED,)
        return dealt.choice, habit.chooses(live.table, ASKED)

    found = [in_world(kind, number, asked) for number in range(40)]

    assert found == [(False, False), (True, True)] * 20


def test_whoever_is_forced_shows_a_card_or_passes() -> None:
    async def offered(host: Host, live: Live, dealt: World) -> str:
        await host.moves.act(live, ASKER, since(live, ASKER, dealt.question), dealt.question)
        assert live.table is not None
        return live.table.offers[ASKED][0].action.__name__

    assert {in_world("clue person", 2 * pair, offered) for pair in range(20)} == {"Show", "CannotShow"}


@pytest.mark.parametrize("choice", [False, True])
def test_the_leak_that_is_put_back_stores_a_habit_only_where_there_is_a_choice(*, choice: bool) -> None:
    async def kept(host: Host, live: Live, dealt: World) -> int:
        habit.switch_on(host)
        await host.moves.act(live, ASKER, since(live, ASKER, dealt.question), dealt.question)
        for _ in range(50):
            await asyncio.sleep(0)
        entries = [entry for record in await host.store.read(live.id, "room") for entry in decode(record.body)]
        return sum(isinstance(entry, Selected) for entry in entries)

    assert in_world("clue person", int(choice), kept) == int(choice)


# --- Channels --------------------------------------------------------------------------------------------------------


def channel(operation: str) -> Channel:
    return Channel("SQLite", "clue person", SEAT, operation)


def made_up(leak: float) -> Readings:
    """Return numbers of three channels, one of which takes longer where there is a choice."""
    readings, draws = Readings(), Stream(b"made up")
    for number in range(400):
        choice = number % 2 == 1
        for operation in ("watch", "jot", "say"):
            noise = draws.below("noise", 1000) / 1000
            readings.add(channel(operation), Reading(noise + leak * choice * (operation == "jot")), choice=choice)
    return readings


@pytest.mark.parametrize("leak", [0.5, -0.5])
def test_the_channel_that_leaks_is_the_worst_whichever_way_round_it_is_read(leak: float) -> None:
    readings = made_up(leak)

    suspects = readings.worst(2)

    assert suspects[0] == channel("jot")
    assert readings.auc(channel("jot")) > 0.8
    assert worst_of(made_up(0), suspects) < 0.6  # it did not do it again
    assert "jot" in table(readings, made_up(leak), suspects)


def test_only_readings_of_the_same_circumstances_are_compared() -> None:
    readings = Readings()
    for number in range(100):
        choice = number % 2 == 1
        # Always slow when it comes first, and that is more often where there is a choice; else a choice takes longer.
        readings.add(channel("watch"), Reading(9.0, "first"), choice=choice)
        readings.add(channel("jot"), Reading(5.0 + choice, "first" if number % 4 else "later"), choice=choice)
    assert readings.auc(channel("watch")) == 0.5
    assert readings.auc(channel("jot")) == 1.0
    assert readings.count(channel("jot")) == (50, 50)


def test_suspects_are_measured_anew_on_their_own_server_and_in_their_own_manner() -> None:
    suspects = [
        Channel("SQLite", "clue bot", "hall", "lobby"),
        Channel("PostgreSQL", "clue bot", SEAT, "jot"),
        Channel("SQLite", "clue bot", GUEST, "say"),
        Channel("SQLite", "clue bot", "request", "me"),
    ]

    rounds = oracle.rounds(suspects, 7)

    assert rounds == [
        Round("SQLite", "clue bot", (GUEST, SECOND), 7),
        Round("PostgreSQL", "clue bot", (SEAT,), 7),
    ]
    assert [each.count for each in rounds] == [28, 14]


def test_a_percentile_is_one_of_the_values() -> None:
    assert oracle.percentile([*range(100)], 0.99) == 99
    assert oracle.percentile([3.0], 0.99) == 3.0


# --- Wires -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [3, 200, 70_000])
def test_frames_are_parted_when_they_are_whole(size: int) -> None:
    length = (
        bytes((size,)) if size < 126 else b"\x7e" + size.to_bytes(2) if size < 65536 else b"\x7f" + size.to_bytes(8)
    )
    frame = b"\x81" + length + b"x" * size
    data = bytearray(frame + frame[:-1])

    assert parted(data) == [(1, b"x" * size)]
    data += frame[-1:]
    assert parted(data) == [(1, b"x" * size)]
    assert not data


def test_what_is_sent_is_masked() -> None:
    assert framed(b"hi") == b"\x81\x82\0\0\0\0hi"
    assert framed(b"x" * 300)[:4] == b"\x81\xfe\x01\x2c"


# --- Runs ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["clue person", "clue at_once"])
def test_every_probe_is_answered_as_it_is_meant(kind: Kind) -> None:
    async def probed(port: int, cookies: list[str], stranger: str, guests: list[str]) -> Strand:
        strand = await Strand(port, haste, Stream(b"test"), ("undo",), ALONE.get(kind)).open(cookies, stranger)
        manners = oracle.manners_of(kind)
        for number, guest in enumerate(guests):
            manner = manners[number % len(manners)]
            found = await strand.probe(manner, world(kind, number), number, guest, asyncio.Lock())
            polled = {(vantage, "longest poll") for vantage in (SECOND, GUEST) if vantage in strand.pages}
            assert {(SEAT, "act"), (SEAT, "answer"), *polled, (manner, "everything")} <= found.keys()
            replies = [frame for page in strand.pages.values() for _, frame in page.replies.values()]
            # What was asked at a wrong time or by a stranger is refused; a table so young gives no hint and no proof.
            assert {each.reason for each in replies} <= {"", "illegal", "no_seat", "no_hint", "not_certain"}
        strand.close()
        return strand

    haste = Round("memory", kind, (), 0).haste
    worlds = WorldTables(kind, 0, 6)
    with staged(Staging("memory", free_port(), groups=1, seated=0, worlds=worlds, haste=haste), pinned=False) as server:
        told = server.told
        strand = asyncio.run(probed(server.port, told["cookies"][0], told["strangers"][0], told["guests"]))

    assert all(took > 0 for took in strand.noted)
    assert bool(strand.pages.get(GUEST)) == (kind not in ALONE)


@pytest.mark.soak
def test_the_whole_attack_runs_with_a_handful_of_probes(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {"SCREENED": 2, "REPEATED": 3, "CONTROLLED": 2, "WORST": 3, "STRANDS": 3, "UNDO_GAMES": 1, "NOTICES": 2}
    for constant, small in few.items():
        monkeypatch.setattr(oracle, constant, small)
    figures: dict[str, float] = {}

    details = oracle.measured([("memory", "clue bot"), ("SQLite", "alibi person")], figures)

    measured = {bar.key for bar in oracle.BARS} - {"levels_crashed"}
    assert measured <= figures.keys() <= oracle.LABELS.keys()
    assert all(figures[key] >= 0.5 for key in ("oracle_auc", "oracle_control_auc", "notice_auc"))
    assert "a class; the worst anew" in details


def test_all_questions_are_tried_to_be_taken_back() -> None:
    tried, gone = undone(1)

    assert tried > 50
    assert 0 <= gone <= tried


def test_notices_are_watched_in_both_classes_of_worlds() -> None:
    found = asyncio.run(all_notices(2))

    assert {of: len(delays) for of, delays in found.items()} == {"forced": 2, "choice": 2}
