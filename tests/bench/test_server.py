import asyncio
import json
import platform
import shutil
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import msgspec
import pytest

from whodunit.bench.server import peers, speed, timing
from whodunit.bench.server.load import LoadTable, Move, Plan, Result, Seat, Send, Wait
from whodunit.bench.server.script import HOUSE, SEATS, Hurried, ScriptedMove, ages, lay, parted, play, script
from whodunit.core.types import Cause
from whodunit.host.host import Host
from whodunit.infra.memory import MemoryBus, MemoryStore

# --- Scripts ---------------------------------------------------------------------------------------------------------


async def played(deal: int, steps: list[ScriptedMove]) -> list[Cause]:
    """Send a script's moves to a table of the same deal; return what was done there."""
    host = Host(MemoryStore(), MemoryBus(), Hurried(), haste=0)
    live = await lay(host, 7, deal, ["a", "b", "c", "d"])
    for step in steps:
        assert live.table is not None
        if step.seat != HOUSE:
            action = msgspec.json.decode(step.action, type=live.game.INFO.action)
            await host.moves.act(live, step.seat, step.since, action)
        for _ in range(100):
            if live.table.seq >= step.last:
                break
            await asyncio.sleep(0)
    batches = await host.batches(live)
    await host.close()
    assert batches[-1].last == steps[-1].last
    return [batch.cause for batch in batches if batch.cause is not None]


def test_a_script_can_be_played_at_another_table_of_its_deal() -> None:
    steps = asyncio.run(script(3, 60))

    causes = asyncio.run(played(3, steps))

    assert len(causes) == len(steps)
    assert [cause.seat for cause, step in zip(causes, steps, strict=True) if step.seat != HOUSE] == [
        step.seat for step in steps if step.seat != HOUSE
    ]


@pytest.mark.parametrize("deal", [2, 3])
def test_a_script_parts_where_the_house_has_answered_and_the_next_move_is_open(deal: int) -> None:
    async def reached(steps: list[ScriptedMove], age: int) -> None:
        host = Host(MemoryStore(), MemoryBus(), Hurried(), haste=0)
        live = await lay(host, 0, deal, ["a", "b", "c", "d"])
        past, rest = parted(steps, age)
        await play(host, live, past)
        assert [*past, *rest] == steps
        assert live.table is not None
        assert live.table.seq == past[-1].last
        assert any(offer.since == rest[0].since for offer in live.table.offers[rest[0].seat])
        await host.close()

    steps = asyncio.run(script(deal, 60))
    inside = next(place for place, step in enumerate(steps) if step.seat == HOUSE)  # before an answer
    for age in (inside, 20, 21, 22):
        asyncio.run(reached(steps, age))


def test_tables_of_every_age_are_as_far_apart_as_they_can_be() -> None:
    assert ages(4, 100, spread=True) == [0, 25, 50, 75]
    assert ages(2, 100, spread=False) == [100, 100]


def test_scripts_ask_questions_and_never_accuse() -> None:
    steps = asyncio.run(script(0, 100))

    actions = [json.loads(step.action)["type"] for step in steps if step.seat != HOUSE]
    assert "Suggest" in actions
    assert "Accuse" not in actions
    assert 0.15 < sum(step.seat == HOUSE for step in steps) / len(steps) < 0.5
    assert [step.last for step in steps] == sorted({step.last for step in steps})


def test_the_same_deal_gives_the_same_script() -> None:
    assert asyncio.run(script(5, 30)) == asyncio.run(script(5, 30))
    assert asyncio.run(script(5, 30)) != asyncio.run(script(6, 30))


# --- Plans and frames ------------------------------------------------------------------------------------------------


def test_a_plan_is_written_line_by_line() -> None:
    seats = [Seat("/ws", "name=value", [Wait(), Send("hello")]), Seat("/ws")]
    plan = Plan([LoadTable(seats, [Move(9, 1, "{}"), Move(10, -1, "")])], how="last", marker='"seq":', refusal="no")

    assert list(plan.lines(20_000)) == [
        "P\t20000",
        'M\tl\t"seq":',
        "E\tno",
        "S\t0\t0\t/ws\tname=value",
        "W",
        "H\thello",
        "S\t0\t1\t/ws\t-",
        "A\t0\t9\t1\t{}",
        "A\t0\t10\t-1\t",
    ]


def test_an_act_is_what_the_protocol_asks_for() -> None:
    frame = json.loads(speed.act(4, ScriptedMove(seat=2, since=17, action=b'{"type":"Roll"}', last=18)))

    assert frame == {"type": "act", "n": 18, "table": "bench4", "since": 17, "action": {"type": "Roll"}}
    assert speed.act(4, ScriptedMove(seat=HOUSE, since=0, action=b"", last=18)) == ""


def test_a_group_plays_its_tables_one_after_another() -> None:
    steps = [ScriptedMove(0, 8, b"{}", 9), ScriptedMove(HOUSE, 0, b"", 10)]
    plan = speed.site_plan([["w", "x", "y", "z"]], [steps] * 3)

    (table,) = plan.tables
    assert [seat.cookie for seat in table.seats] == ["whodunit=w", "whodunit=x", "whodunit=y", "whodunit=z"]
    assert [move.number for move in table.moves] == [9, 10] * speed.GAMES
    assert {json.loads(move.frame)["table"] for move in table.moves if move.frame} == {"bench0", "bench1", "bench2"}


def test_the_peer_gets_its_own_client_frames() -> None:
    frame = peers.update("clue", "m3", 12, "1", "suggest", "Plum", "Rope")

    head, _, body = frame.partition(",")
    assert head == "42/clue"
    name, action, state, match, player = json.loads(body)
    assert (name, state, match, player) == ("update", 12, "m3", "1")
    assert action["type"] == "MAKE_MOVE"
    assert action["payload"]["args"] == ["Plum", "Rope"]


@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("cc"), reason="the load generator needs a C compiler")
@pytest.mark.parametrize("name", ["echo", "fanout", "memory", "durable"])
def test_a_short_load_is_played_as_written(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for constant, small in {"TABLES": 3, "LENGTH": 30, "WARM": 2}.items():
        monkeypatch.setattr(speed, constant, small)

    loaded = speed.Bench(tmp_path, 10, deals=(0, 1)).turns()[name]()  # raises if a move was refused

    moves = 10 * 3 * (SEATS if name == "echo" else 1)
    assert moves <= loaded.moves < 2 * moves, "what has come when the last one is done counts, too"
    assert loaded.p50_ms <= loaded.p99_ms


@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("cc"), reason="the load generator needs a C compiler")
def test_scripts_that_are_too_short_for_so_many_moves_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for constant, small in {"TABLES": 1, "LENGTH": 5, "WARM": 0}.items():
        monkeypatch.setattr(speed, constant, small)

    with pytest.raises(RuntimeError, match="too short"):
        speed.Bench(tmp_path, 100, deals=(0,)).turns()["memory"]()


@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("cc"), reason="the load generator needs a C compiler")
def test_another_tree_is_run_by_its_own_interpreter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for constant, small in {"TABLES": 2, "LENGTH": 20, "WARM": 0}.items():
        monkeypatch.setattr(speed, constant, small)
    python, mark = tmp_path / "tree" / ".venv" / "bin" / "python", tmp_path / "ran"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\ntouch {mark}\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)

    (turn,) = speed.Bench(tmp_path, 10, deals=(0, 1)).beside(tmp_path / "tree").values()

    assert turn().moves >= 20
    assert mark.exists()


# --- Figures ---------------------------------------------------------------------------------------------------------


def result(moves: int, cpu: float) -> Result:
    return Result(moves=moves, seconds=2.0, cpu_seconds=cpu, p50_ms=1.0, p99_ms=2.0, bytes_per_frame=600)


def test_servers_are_compared_within_a_pass() -> None:
    fast = {"echo": 4000, "fanout": 2000, "memory": 900, "durable": 400, "boardgame_io": 100, "colyseus": 200}
    fast |= {"colyseus_durable": 160, "colyseus_durable_equal": 80, speed.BESIDE: 200}
    passes = [
        {name: result(moves // slower, cpu=1.0) for name, moves in fast.items()}
        for slower in (1, 10)  # the machine was busy with something else in the second pass
    ]

    figures = speed.summed_up(passes)

    assert figures["vs_echo"] == pytest.approx(0.1)
    assert figures["vs_fanout"] == pytest.approx(0.2)
    assert figures["vs_boardgame_io"] == pytest.approx(4.0)
    assert figures["vs_colyseus"] == pytest.approx(2.0)
    assert figures["vs_colyseus_durable"] == pytest.approx(2.5)
    assert figures["vs_colyseus_durable_equal"] == pytest.approx(5.0)
    assert figures["us_per_move_vs_beside"] == pytest.approx(2.0)
    assert figures["durable_moves_per_s"] == pytest.approx((200 + 20) / 2)


def test_figures_that_are_compared_come_with_their_spread() -> None:
    def a_pass(ours: int, theirs: int, asked: int) -> speed.Pass:
        moves = dict.fromkeys(("echo", "fanout", "memory"), 1000) | {"durable": ours}
        moves |= dict.fromkeys(peers.PEERS, theirs)
        return {name: replace(result(count, 1.0), asked=asked) for name, count in moves.items()}

    figures = speed.summed_up([a_pass(100, 100, 60), a_pass(300, 100, 180), a_pass(400, 100, 200)])

    for peer in peers.PEERS:
        assert [figures[f"vs_{peer}{end}"] for end in ("", "_min", "_max")] == pytest.approx([3, 1, 4])
    assert [figures[f"us_per_move{end}"] for end in ("", "_min", "_max")] == pytest.approx([1e6 / 300, 2500, 10_000])
    assert figures["house_share"] == pytest.approx(0.4)
    assert figures["passes"] == 3
    assert "us_per_move_beside" not in figures


def test_every_other_pass_goes_backwards() -> None:
    order: list[str] = []

    def turn(name: str) -> Result:
        order.append(name)
        return result(1, 1.0)

    passes = list(speed.measured({name: partial(turn, name) for name in "abc"}, 3))

    assert "".join(order) == "abccbaabc"
    assert all(list(each) == ["a", "b", "c"] for each in passes)


def test_too_few_passes_miss_a_bar() -> None:
    (bar,) = (bar for bar in speed.BARS if bar.key == "passes")

    assert not bar.met({"passes": 7})
    assert bar.met({"passes": 8})


def test_the_interpreters_are_named() -> None:
    told = speed.interpreters()

    assert platform.python_version() in told
    assert "Node" in told


def test_without_the_peer_its_bar_is_not_met() -> None:
    figures = speed.summed_up([{name: result(100, 1.0) for name in ("echo", "fanout", "memory", "durable")}])

    assert "vs_boardgame_io" not in figures
    assert not speed.BARS[0].met(figures)


# --- Timing of answers -----------------------------------------------------------------------------------------------


def test_auc_is_one_apart_half_alike_and_counts_ties_half() -> None:
    assert timing.auc([3, 4], [1, 2]) == 1.0
    assert timing.auc([1, 2], [3, 4]) == 0.0
    assert timing.auc([1, 2], [1, 2]) == 0.5
    assert timing.auc([2, 3], [1, 2]) == 0.875


def test_the_worst_pair_counts_whichever_way_round() -> None:
    assert timing.worst({"pass": [1, 2], "one card": [1, 2], "several cards": [0, 0]}) == 1.0


def test_the_statistic_finds_a_leak() -> None:
    slow: dict[timing.Kind, list[int]] = {
        "pass": [*range(100)],
        "one card": [*range(100)],
        "several cards": [*range(20, 120)],
    }

    assert timing.worst(slow) > 0.65


def test_answers_come_at_a_moment_that_says_nothing() -> None:
    delays = timing.measured(400)

    assert sum(map(len, delays.values())) == 400
    assert all(4000 <= delay <= 10_100 for each in delays.values() for delay in each)
    assert timing.worst(delays) < 0.6  # with 400 questions chance alone reaches 0.55
