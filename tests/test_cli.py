"""The command line: what it prints, what it refuses, how it stops."""

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import whodunit
from whodunit import arena
from whodunit.cases.puzzle import Puzzle, read
from whodunit.cli import main

WATCH = ["watch", "clue", "--seats", "random,random,random", "--seed", "5", "--option", "max_turns=9"]
ARENA = ["arena", "clue", "--seats", "random,random,random", "--seed", "7", "--option", "max_turns=20"]


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    output = capsys.readouterr()
    return status, output.out, output.err


def test_a_game_is_told_from_one_seats_view(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = told(capsys, *WATCH, "--seat", "1")

    assert status == 0
    assert re.search(r"Basil \(you\) takes 6 cards: \w", out)
    assert "Agatha takes 6 cards.\n" in out
    assert "Celeste takes 6 cards.\n" in out
    assert out.endswith("The case is put aside without a result.\n")


def test_a_watched_game_can_be_saved_and_verified(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = str(tmp_path / "game.case")
    assert told(capsys, *WATCH, "--save", path)[0] == 0
    status, out, _ = told(capsys, "verify", path)

    assert status == 0
    assert [line[:8] for line in out.splitlines()] == ["(1) yes:", "(2) yes:", "(3) yes:"]


def test_a_forged_case_fails(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "game.case"
    told(capsys, *WATCH, "--save", str(path))
    path.write_text(path.read_text().replace('"rules":1', '"rules":2', 1))
    status, _, err = told(capsys, "verify", str(path))

    assert status == 2
    assert err.startswith("whodunit: line 1: ")


def test_the_arena_says_who_wins_how_often(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = told(capsys, *ARENA, "--games", "6", "--workers", "1", "--json")
    figures = json.loads(out)

    assert status == 0
    assert err == ""
    assert figures.keys() == {
        *("games", "seed", "seconds", "unfinished"),
        *(f"random.{name}" for name in ("share", "low", "high", "fair", "move_ms_median")),
    }
    assert (figures["games"], figures["seed"], figures["random.fair"]) == (6, 7, 1.0)


def test_whoever_is_told_the_truth_wins(capsys: pytest.CaptureFixture[str]) -> None:
    """CLUE-47: an accusation may be made from anywhere, so the ceiling at the first turn is every game."""
    shares = {}
    for turn in ("1", "20"):
        _, out, _ = told(capsys, *ARENA, "--games", "6", "--workers", "1", "--json", "--ceiling", turn)
        figures = json.loads(out)
        shares[turn] = figures["ceiling.share"]
        assert figures["random.fair"] == pytest.approx(2 / 3)

    assert shares["1"] == 1
    assert shares["20"] < 1  # ARENA ends with turn 20, which is not everybody's


def test_workers_do_not_change_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    shares = []
    for workers in ("1", "2"):
        arguments = ["arena", "clue", "--seats", "random,random", "--seed", "3", "--games", "8", "--workers", workers]
        _, out, _ = told(capsys, *arguments, "--json", "--option", "max_turns=300")
        figures = json.loads(out)
        shares.append((figures["random.share"], figures["random.low"], figures["random.high"]))

    assert shares[0] == shares[1]


def test_the_table_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = told(capsys, *ARENA, "--games", "3", "--workers", "1", "--pair")

    assert re.match(r"3 games of clue, seed 7, \d+\.\d s, \d+ decisions a game\n", out)
    assert out.splitlines()[1].split() == ["player", "wins", "95", "%", "interval", "equal", "ms", "a", "move"]


def test_seats_rotate_and_pairs_share_a_deal() -> None:
    plain = arena.matches("clue", ["a", "b", "c"], 6, "7", {})
    paired = arena.matches("clue", ["a", "b", "c"], 6, "7", {}, pair=True)

    assert [match.deal for match in plain] == [0, 1, 2, 3, 4, 5]
    assert [match.deal for match in paired] == [0, 0, 0, 1, 1, 1]
    assert [match.seated[0] for match in plain] == ["a", "b", "c", "a", "b", "c"]


def test_an_interval_holds_what_was_measured_and_narrows() -> None:
    few = [arena.Result(deal, {"a": float(deal % 4 == 0)}, 1, {"a": [1.0, 3.0]}) for deal in range(40)]
    many = few * 25
    for pair in (False, True):
        wide = arena.standings(["a", "b"], few, "s", pair=pair)["a"]
        narrow = arena.standings(["a", "b"], many, "s", pair=pair)["a"]
        assert wide.low < wide.share == 0.25 < wide.high
        assert wide.fair == 0.5
        assert wide.move_ms_median == 2.0
        if not pair:  # more games of the same deals tell nothing new
            assert narrow.high - narrow.low < (wide.high - wide.low) / 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["arena", "chess", "--seats", "random,random"], "there is no game 'chess'; there is: arosa"),
        (["arena", "clue", "--seats", "random,genius"], "there is no player 'genius'; there is: random, rookie, "),
        (["arena", "clue", "--seats", "random"], "clue is for 2 to 6 players, not for 1"),
        ([*ARENA, "--option", "size=3"], "clue has no option 'size'; it has: dice_count,"),
        ([*ARENA, "--option", "dice_count=two"], "clue: Expected `int`, got `str` - at `$.dice_count`"),
        ([*WATCH, "--seat", "3"], "there is no seat 3; there is: 0 to 2"),
        (["verify", "no such file"], "No such file"),
        (["review", "no such file"], "No such file"),
        (["cases", "solve", "no such file"], "No such file"),
        (["cases", "mine", "--game", "chess"], "there is no game 'chess'; there is: "),
        (["cases", "mine", "--kind", "why"], "no case of clue asks 'why'; they ask: holder, trio"),
        (["cases", "day", "1999-01-01"], "'1999-01-01' has no cases"),
        (["cases", "day", "today"], "'today' is no day"),
        (["cases", "day", "2026-11-18", "--game", "arosa"], "nothing can be proved in arosa"),
    ],
)
def test_bad_input_is_one_clear_line(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    status, out, err = told(capsys, *arguments)

    assert status == 2
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


def test_it_says_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        main(["--version"])

    assert done.value.code == 0
    assert capsys.readouterr().out == f"whodunit {whodunit.__version__}\n"


@pytest.mark.parametrize(
    ("missing", "arguments", "message"),
    [
        ("aiohttp", ["serve", "--port", "0"], "the site needs aiohttp: install whodunit-games[site]"),
        ("prometheus_client", [], "the site needs prometheus_client: install whodunit-games[site]"),
        (
            "asyncpg",
            ["serve", "--database", "postgresql://nobody@127.0.0.1/none"],
            "PostgreSQL needs a driver: install whodunit-games[postgres]",
        ),
        (
            "mujoco",
            ["watch", "arosa", "--option", "tower=physics"],
            "real cubes need mujoco, which whodunit-games[tower] installs",
        ),
        (
            "whodunit.bench",
            ["bench", "engine"],
            "benchmarks are no part of what is installed: in a checkout, ./run bench",
        ),
        (
            "whodunit.bench",
            ["fit", "review"],
            "fits are no part of what is installed: in a checkout, ./run fit",
        ),
    ],
)
def test_what_is_not_installed_is_named_in_one_line(missing: str, arguments: list[str], message: str) -> None:
    # In a process of its own: this one has imported all of it.
    code = f"import sys; sys.modules[{missing!r}] = None; from whodunit.cli import main; sys.exit(main({arguments}))"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"whodunit: {message}\n")


@pytest.mark.parametrize("arguments", [["dance"], ["arena"], [*ARENA, "--games", "0"], [*ARENA, "--option", "x"]])
def test_a_command_that_does_not_exist_is_refused(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        main(arguments)

    assert refused.value.code == 2
    assert "error:" in capsys.readouterr().err


def test_ctrl_c_stops_the_arena_and_leaves_no_process() -> None:
    command = [sys.executable, "-m", "whodunit.cli", "arena", "clue", "--seats", "random,random", "--games", "100000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        try:
            _, err = process.communicate(timeout=60)  # the pipes close when the last worker has gone
        finally:
            process.kill()

    assert process.returncode == 130
    assert "Traceback" not in err
    assert re.search(r"stopped after \d+ of 100000 games", err)


def test_ctrl_c_still_reports_what_was_played(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(todo: Sequence[arena.Match], _: int) -> Iterator[arena.Result]:
        yield from map(arena.play, todo[:2])
        raise KeyboardInterrupt

    monkeypatch.setattr(arena, "results", interrupted)
    status, out, err = told(capsys, *ARENA, "--games", "9")

    assert status == 130
    assert "stopped after 2 of 9 games" in err
    assert out.startswith("2 games of clue")


def test_the_installed_games_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = told(capsys, "games")

    assert (status, err) == (0, "")
    assert out.startswith("clue            Clue                2 to 6 players, from whodunit")


# --- Cases to solve --------------------------------------------------------------------------------------------------

MINE = ["cases", "mine", "--seed", "7", "--kind", "holder", "--count", "2"]


@pytest.fixture
def mined(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Path:
    path = tmp_path / "some.cases"
    assert told(capsys, *MINE, "--save", str(path))[0] == 0
    return path


def test_cases_are_cut_a_line_each_and_the_same_of_the_same_seed(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = told(capsys, *MINE)

    assert (status, err) == (0, "")
    line = r" +\d  lines +\d+  par +\d+  effort +\d+\.\d  steps +\d+  \d players  Who has [\w. ]+\?"
    assert [bool(re.fullmatch(line, each)) for each in out.splitlines()] == [True, True]
    assert told(capsys, *MINE)[1] == out
    assert told(capsys, *MINE[:3], "8", *MINE[4:])[1] != out


def test_the_figures_of_cases_are_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = told(capsys, *MINE, "--json")
    figures = json.loads(out)

    assert status == 0
    assert figures.keys() == {
        *("cases", "seed", "seconds", "per_minute"),
        *(f"{of}_{how}" for of in ("lines", "par", "steps", "effort") for how in ("least", "median", "mean", "most")),
    }
    assert (figures["cases"], figures["seed"]) == (2, 7)


def solved(monkeypatch: pytest.MonkeyPatch, typed: Sequence[str], *arguments: str) -> int:
    lines = iter(typed)

    def typing(_prompt: str) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", typing)
    return main(["cases", "solve", *arguments])


def test_a_case_is_solved_at_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, mined: Path
) -> None:
    assert solved(monkeypatch, ["", "claim 1", "geben", "gib auf", "claim 2"], str(mined), "--language", "de") == 0
    out = capsys.readouterr().out

    assert "Von Anfang an bekannt\n" in out
    assert "Zeile 1 von " in out
    assert "Zeile 2 von " not in out
    assert out.count("Der Beweis, Schritt für Schritt") == 1
    assert "Versuche: 1. Hinweise: 0." in out


def test_the_end_of_what_is_typed_ends_it_politely(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, mined: Path
) -> None:
    assert solved(monkeypatch, [""], str(mined), "--number", "2") == 0
    assert capsys.readouterr().out.endswith("\nThe case is left as it is.\n")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (rb'"par":(\d+)', b'"par":1', "line 1: this is no case that can be solved: "),
        (rb'"effort":\d+,', b"", "line 1: this is no case that can be solved: it cannot be read: "),
        (rb'"game":"clue"', b'"game":"chess"', "line 1: this is no case that can be solved: there is no game 'chess'"),
        (rb"\}\n$", b"", "line 2: this is no case that can be solved: it cannot be read: "),
        (rb"(?s)^.*$", b"", "has no case 1; it has 0"),
    ],
)
def test_a_case_that_was_tampered_with_is_refused_by_name(
    capsys: pytest.CaptureFixture[str], mined: Path, old: bytes, new: bytes, message: str
) -> None:
    before = mined.read_bytes()
    mined.write_bytes(re.sub(old, new, before, count=1))
    assert mined.read_bytes() != before
    status, out, err = told(capsys, "cases", "solve", str(mined))

    assert (status, out) == (2, "")
    assert err.startswith(f"whodunit: {mined}")
    assert message in err
    assert err.count("\n") == 1


def test_a_case_of_a_day_is_told_without_its_answer_unless_that_is_wanted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, mined: Path
) -> None:
    puzzle = read(mined.read_bytes().splitlines()[0])
    asked: list[tuple[str, str]] = []

    def case_of(day: str, game: str) -> Puzzle:
        asked.append((day, game))
        return puzzle

    monkeypatch.setattr("whodunit.cli.case_of", case_of)
    posed = told(capsys, "cases", "day", "2026-11-18", "--save", str(tmp_path / "day.cases"))[1]
    whole = told(capsys, "cases", "day", "2026-11-18", "--answer")[1]

    assert asked == [("2026-11-18", "clue")] * 2
    assert f"Line {puzzle.posed.total} of {puzzle.posed.total}" in posed
    assert "The answer: " not in posed
    assert whole.startswith(posed)
    assert "The answer: " in whole
    assert read((tmp_path / "day.cases").read_bytes()) == puzzle
