"""A bot of one's own goes wrong: it loses that decision to the house, is counted, and the arena goes on."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

import pytest

from tests.seats.server import served
from whodunit import arena
from whodunit.seats import own
from whodunit.seats.own import KINDS, LIVES, Slips

ROOT = Path(__file__).resolve().parents[2]
WRONG = Path(__file__).with_name("wrong.py")
AMPLE_S = 60.0
"""For whoever is quick on a machine that is not."""
SHORT_S = 0.2
"""For whoever is late however long one waits."""
PATIENCE_S = 30.0


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)  # tests.seats.players is found from here, as anybody's module is where he stands


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return tmp_path / "notes"


@pytest.fixture(scope="module")
def address() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    with served() as known:
        yield known


def program(way: str, notes: Path) -> str:
    return f"exec:'{sys.executable}' -S '{WRONG}' '{way}' '{notes}'"


def match(bot: str, move_s: float = AMPLE_S, **options: Any) -> arena.Match:
    """A short game, in which every seat has a decision in its every turn."""
    options = {"investigations": 1, **options}
    return arena.Match("crime_hotel", "7", (bot, "random", "random"), options, 0, 0, move_s=move_s)


def slips_of(result: arena.Result) -> Slips:
    (slips,) = result.slips.values()
    return slips


def counts(slips: Slips) -> dict[str, int]:
    return {kind: number for kind in KINDS if (number := getattr(slips, kind))}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> arena.Result:
    """What comes of the game when the house's examples are played."""
    result = arena.play(match(program("right", tmp_path_factory.mktemp("right") / "notes")))
    assert counts(slips_of(result)) == {}
    assert slips_of(result).first == ""
    return result


def wrong(result: arena.Result, expected: arena.Result, kind: str, number: int | None = None) -> str:
    """Check that it lost these decisions, each to the very action that it might have echoed; return what is told."""
    slips = slips_of(result)
    assert slips.decisions == slips_of(expected).decisions > LIVES
    assert counts(slips) == {kind: slips.decisions if number is None else number}
    assert (result.shares, result.decisions) == (dict(_renamed(result, expected)), expected.decisions)
    assert not result.unfinished
    assert slips.first.startswith("seat 0, after event ")
    return slips.first


def _renamed(result: arena.Result, expected: arena.Result) -> Iterator[tuple[str, float]]:
    (bot,), (other,) = result.slips, expected.slips
    return ((bot if name == other else name, share) for name, share in expected.shares.items())


def begun(notes: Path) -> int:
    return notes.read_text("utf-8").count('"type":"room"')


# --- Programs ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("way", "kind", "lives", "told"),
    [
        ("late", "late", LIVES, "late: no answer within 0.2 s"),
        ("trickling", "late", LIVES, "late: no answer within 0.2 s"),
        ("mute", "crashed", LIVES, "crashed: closed its standard output, or was killed"),
        ("crashing", "crashed", LIVES, "crashed: ended with status 3: [31mno idea [0m"),
        ("shot", "crashed", LIVES, "crashed: ended by signal 6 (Aborted)"),
        ("endless", "garbled", LIVES, "garbled: more than 1048576 bytes without an end of the line"),
        ("garbled", "garbled", LIVES, "garbled: JSON is malformed: invalid character (byte 0): what?"),
        ("nested", "garbled", LIVES, "garbled: "),
        ("no text", "garbled", LIVES, r"garbled: 'utf-8' codec can't decode byte 0xe9 in position 2: "),
        ("deaf", "late", LIVES, "late: no answer within 0.2 s"),
        ("unknown", "garbled", LIVES, "garbled: Invalid value 'Dance' - at `$.type`: "),
        ("chatty", "garbled", LIVES, "and another thing"),
        ("rude", "garbled", LIVES, "garbled: Expected `bool`, got `str` - at `$.interrupts`, in its hello: "),
        ("illegal", "illegal", 1, "illegal: seat 0 may not do Play(card="),
    ],
)
def test_a_program_goes_wrong(way: str, kind: str, lives: int, told: str, notes: Path, expected: arena.Result) -> None:
    result = arena.play(match(program(way, notes), SHORT_S if kind == "late" else AMPLE_S))

    assert told in wrong(result, expected, kind)
    assert begun(notes) == lives


def test_a_program_that_never_says_hello(notes: Path, expected: arena.Result, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "START_S", SHORT_S)
    result = arena.play(match(program("silent", notes)))

    assert wrong(result, expected, "late").endswith("late: no answer within 0.2 s")


def test_a_program_that_does_not_begin(notes: Path, expected: arena.Result) -> None:
    result = arena.play(match(program("stillborn", notes)))

    assert wrong(result, expected, "crashed").endswith("crashed: ended with status 1: it never lived")


def test_a_program_that_is_no_longer_there(expected: arena.Result) -> None:
    result = arena.play(match("exec:./gone_since_the_arena_began"))

    assert "No such file or directory" in wrong(result, expected, "crashed")


def test_a_program_that_cannot_be_started(expected: arena.Result, tmp_path: Path) -> None:
    file = tmp_path / "no program"
    file.write_text("neither machine code nor a script", "utf-8")
    file.chmod(0o755)
    result = arena.play(match(f"exec:'{file}'"))

    assert "Exec format error" in wrong(result, expected, "crashed")


@pytest.mark.parametrize("way", ["spaced", "wide", "wailing"])
def test_empty_lines_spaces_and_wailing_harm_nobody(way: str, notes: Path, expected: arena.Result) -> None:
    result = arena.play(match(program(way, notes)))

    assert slips_of(result) == slips_of(expected)
    assert result.decisions == expected.decisions
    assert begun(notes) == 1


def test_whoever_has_crashed_is_told_everything_again(notes: Path, expected: arena.Result) -> None:
    result = arena.play(match(program("crashing once", notes)))
    told = [json.loads(line) for line in notes.read_text("utf-8").splitlines()]

    assert "no idea" in wrong(result, expected, "crashed", 1)
    rooms = [place for place, line in enumerate(told) if line["type"] == "room"]
    assert len(rooms) == 2
    again = told[rooms[1] + 1 :]
    assert [line["after"] for line in again] == [0, *(line["seq"] for line in again[:-1])]
    assert [event["seq"] for line in again for event in line["events"]] == [*range(1, again[-1]["seq"] + 1)]
    assert again[-1]["asks"] is None
    assert again[-1]["outcome"] is not None


SCATTERED = pytest.mark.skipif(sys.platform != "linux", reason="who has left a group is known on Linux alone")


@pytest.mark.parametrize("way", ["family", pytest.param("scattered family", marks=SCATTERED)])
def test_all_that_a_program_has_started_ends_with_it(way: str, notes: Path, expected: arena.Result) -> None:
    with Life(notes.with_suffix(".fifo")) as life:
        result = arena.play(match(program(way, notes)))

        assert result.decisions == expected.decisions
        assert counts(slips_of(result)) == {}
        life.ends()


class Life:
    """A FIFO that somebody else has open for as long as they live."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self._end = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        self._watch = select.poll()
        self._watch.register(self._end, select.POLLHUP)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._end)

    def begins(self) -> None:
        """Wait until somebody has it open."""

        def is_open() -> bool:
            try:
                return os.read(self._end, 1) != b""
            except BlockingIOError:
                return True  # nothing is written, and somebody could

        _until(is_open)

    def ends(self) -> None:
        """Wait until nobody has it open any more: it hangs up only on whoever was there."""
        _until(lambda: bool(self._watch.poll(0)))


def _until(true: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < until, "it does not come"
        time.sleep(0.02)


# --- Servers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("way", "kind", "lives", "told"),
    [
        ("late", "late", LIVES, "late: no answer within 0.2 s"),
        ("trickling", "late", LIVES, "late: no answer within 0.2 s"),
        ("crashing", "crashed", LIVES, "crashed: 500 no idea: "),
        ("hanging up", "crashed", LIVES, "crashed: Remote end closed connection without response"),
        ("moved", "crashed", LIVES, "crashed: 302 Found:"),
        ("talking otherwise", "crashed", LIVES, "crashed: "),
        ("endless", "garbled", LIVES, "garbled: more than 1048576 bytes"),
        ("wide", "garbled", LIVES, "garbled: more than 1048576 bytes"),
        ("garbled", "garbled", LIVES, "garbled: JSON is malformed: invalid character (byte 0): what?"),
        ("nested", "garbled", LIVES, "garbled: "),
        ("no text", "garbled", LIVES, r"garbled: 'utf-8' codec can't decode byte 0xe9 in position 2: "),
        ("rude", "garbled", LIVES, "garbled: Expected `bool`, got `str` - at `$.interrupts`, in its hello: "),
        ("illegal", "illegal", 1, "illegal: seat 0 may not do Play(card="),
    ],
)
def test_a_server_goes_wrong(
    way: str, kind: str, lives: int, told: str, address: tuple[str, list[dict[str, Any]]], expected: arena.Result
) -> None:
    where, lines = address
    lines.clear()
    result = arena.play(match(f"{where}/{quote(way)}?a=b", SHORT_S if kind == "late" else AMPLE_S))

    assert told in wrong(result, expected, kind)
    assert [line["type"] for line in lines].count("room") == lives


def test_a_server_that_never_says_hello(
    address: tuple[str, list[dict[str, Any]]], expected: arena.Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own, "START_S", SHORT_S)
    result = arena.play(match(f"{address[0]}/silent"))

    assert wrong(result, expected, "late").endswith("late: no answer within 0.2 s")


def test_a_server_that_is_not_there(expected: arena.Result) -> None:
    with served() as (where, _):
        pass
    result = arena.play(match(where))

    assert "Connection refused" in wrong(result, expected, "crashed")


def test_a_server_that_does_all_right(address: tuple[str, list[dict[str, Any]]], expected: arena.Result) -> None:
    where, lines = address
    lines.clear()
    result = arena.play(match(f"{where}/right"))

    assert slips_of(result) == slips_of(expected)
    assert result.decisions == expected.decisions
    assert len(lines) == 1 + slips_of(expected).decisions + 1  # its greeting, each decision, the end
    assert (lines[-1]["asks"], lines[-1]["closed"]) == (None, True)


# --- Players in Python ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kind", "told"),
    [
        ("Late", "late", "late: no answer within 0.2 s"),
        ("Looping", "late", "late: no answer within 0.2 s"),
        ("Raising", "crashed", "ZeroDivisionError: by me"),
        ("Leaving", "crashed", "crashed: ended with status 7"),
        ("Vague", "garbled", "garbled: Expected `object`, got `null`: null"),
        ("Cheating", "illegal", "illegal: seat 0 may not do Play(card="),
        ("NoPlayer", "crashed", "players:NoPlayer makes a NoPlayer, and no whodunit.Player"),
        ("Nobody", "crashed", "module 'tests.seats.players' has no attribute 'Nobody'"),
    ],
)
def test_a_player_goes_wrong(
    name: str, kind: str, told: str, expected: arena.Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own, "LIVES", 1)  # how often it begins anew is the same for whatever runs
    result = arena.play(match(f"tests.seats.players:{name}", SHORT_S if kind == "late" else AMPLE_S))

    assert told in wrong(result, expected, kind)


def test_a_player_that_takes_for_ever_to_sit_down(expected: arena.Result, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "START_S", SHORT_S)
    monkeypatch.setattr(own, "LIVES", 1)
    result = arena.play(match("tests.seats.players:Silent"))

    assert "late: no answer within 0.2 s" in wrong(result, expected, "late")


@pytest.mark.parametrize("name", ["Right", "Talkative"])
def test_what_a_player_prints_is_no_answer(name: str) -> None:
    result = arena.play(match(f"tests.seats.players:{name}"))

    assert counts(slips_of(result)) == {}


# --- The arena ------------------------------------------------------------------------------------------------------


def test_workers_come_to_the_same_slips_and_shares(notes: Path, address: tuple[str, list[dict[str, Any]]]) -> None:
    bots = (program("illegal", notes), "tests.seats.players:Right", f"{address[0]}/crashing")
    todo = arena.matches("crime_hotel", bots, 2, "7", {"investigations": 1}, move_s=AMPLE_S)
    alone, together = (sorted(arena.results(todo, workers), key=lambda result: result.deal) for workers in (1, 2))

    assert [result.shares for result in alone] == [result.shares for result in together]
    assert arena.slips(alone) == arena.slips(together)
    cheat, right, server = (arena.slips(alone)[bot] for bot in bots)
    assert [*map(counts, (cheat, right, server))] == [
        {"illegal": cheat.decisions},
        {},
        {"crashed": server.decisions},
    ]
    assert cheat.first.startswith("deal 0, seat 0, after event ")


def test_a_game_without_an_end_is_put_aside(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "LONGEST", 20)
    result = arena.play(match(program("right", notes)))
    told = [json.loads(line) for line in notes.read_text("utf-8").splitlines()]

    assert (result.unfinished, result.shares, result.decisions) == (True, {}, 20)
    assert (told[-1]["asks"], told[-1]["closed"], told[-1]["outcome"]) == (None, True, None)
    (standing, *_) = arena.standings(["random"], [result], "7").values()
    assert standing.share == 0


def test_the_first_of_the_players_may_be_told_the_truth(notes: Path) -> None:
    """`--ceiling` wraps whoever sits there."""
    todo = arena.matches(
        "clue", [program("right", notes), "random"], 1, "7", {"max_turns": 9}, told_at=1, move_s=AMPLE_S
    )
    (result,) = map(arena.play, todo)

    assert result.shares == {arena.CEILING: 1}
    assert result.slips.keys() <= {arena.CEILING}


ARENA = """
import sys
from whodunit.cli import main
sys.exit(main(["arena", "crime_hotel", "--seats", sys.argv[1], "--games", "3", "--workers", sys.argv[2],
               "--move-time", "1000", "--seed", "1"]))
"""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_player_ends_with_its_arena_however_that_ends(tmp_path: Path, workers: str) -> None:
    """It hangs in a loop, and whoever would kill it is killed."""
    with Life(tmp_path / "fifo") as life:
        command = [sys.executable, "-c", ARENA, "tests.seats.players:Looping,random,random", workers]
        environment = {**os.environ, "FIFO": str(tmp_path / "fifo")}
        with subprocess.Popen(command, env=environment, start_new_session=True) as process:
            try:
                life.begins()
            finally:
                os.killpg(process.pid, signal.SIGKILL)
        life.ends()


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_ends_the_arena_and_its_programs(tmp_path: Path, notes: Path, workers: str) -> None:
    with Life(notes.with_suffix(".fifo")) as life:
        script = tmp_path / "bot"
        script.write_text(f"#!/bin/sh\n'{sys.executable}' -S '{WRONG}' late '{notes}' 3> '{notes}.fifo'\n", "utf-8")
        script.chmod(0o755)
        command = [sys.executable, "-c", ARENA, f"exec:'{script}',random,random", workers]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            try:
                _until(lambda: notes.exists() and '"asks":"act"' in notes.read_text("utf-8"))
                process.send_signal(signal.SIGINT)
                _, said = process.communicate(timeout=PATIENCE_S)
            finally:
                process.kill()
        assert (process.returncode, said) == (130, "\nstopped after 0 of 3 games\n")
        life.ends()
