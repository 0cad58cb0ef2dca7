"""Bots of one's own on the command line: who is refused before anybody plays, and what is told of them."""

import json
import re
import sys
from pathlib import Path

import pytest

from tests.seats.server import served
from tests.seats.test_slips import ROOT, program
from whodunit.cli import main

SHORT = ["--option", "investigations=1", "--seed", "7"]


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return tmp_path / "notes"


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    output = capsys.readouterr()
    return status, output.out, output.err


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        (
            "genius",
            "there is no player 'genius'; there is: random, rookie, unforgetting, detective, mastermind; and a bot",
        ),
        ("own", "there is no player 'own'; there is: random, "),
        ("", "there is no player ''; there is: random, "),
        ("my-module:Bot", "there is no player 'my-module:Bot'; there is: random, "),
        ("https://127.0.0.1/seat", "there is no player 'https://127.0.0.1/seat'; there is: random, "),
        ("exec:", "exec: names no program"),
        ("exec:sh\nbot", "is no list of players: new-line character seen in unquoted field"),
        ("exec:./no_such_bot --flag", "the program './no_such_bot' is not there"),
        ("exec:docs/bots.md", "the program 'docs/bots.md' may not be executed (chmod +x)"),
        ("exec:sh 'bot", "exec:sh 'bot is no command: No closing quotation"),
        ("exec:false", "exec:false does not begin: crashed: ended with status 1"),
        ("exec:echo hello", "exec:echo hello does not begin: garbled: "),
        ("http://", "http:// is no address: it names no machine"),
        ("http://127.0.0.1:port/", "http://127.0.0.1:port/ is no address: "),
        ("no_such_module:Bot", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("tests.seats.players:Nobody", "module 'tests.seats.players' has no attribute 'Nobody'"),
        ("tests.seats.players:NoPlayer", "players:NoPlayer makes a NoPlayer, and no whodunit.Player"),
        ("whodunit:Player", "Can't instantiate abstract class Player"),
    ],
)
def test_who_cannot_play_is_refused_in_one_line(capsys: pytest.CaptureFixture[str], bot: str, message: str) -> None:
    command = "watch" if bot.startswith("exec") else "arena"
    status, out, err = told(capsys, command, "crime_hotel", "--seats", f"random,{bot},random")

    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_a_server_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with served() as (where, _):
        pass
    status, out, err = told(capsys, "arena", "clue", "--seats", f"{where},random")

    assert (status, out) == (2, "")
    assert re.fullmatch(rf"whodunit: {where} does not begin: crashed: .*Connection refused\n", err)


@pytest.mark.parametrize("time", ["0", "-1", "inf", "nan", "long"])
def test_a_time_that_is_none_is_refused(capsys: pytest.CaptureFixture[str], time: str) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["arena", "clue", "--seats", "random,random", "--move-time", time])

    assert refused.value.code == 2
    assert "argument --move-time: " in capsys.readouterr().err


def test_a_comma_in_a_command_stands_in_quotes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    notes = tmp_path / "a,b"
    seats = f'random,"{program("right", notes)}",random'
    status, _, err = told(capsys, "arena", "crime_hotel", "--seats", seats, "--games", "1", "--workers", "1", *SHORT)

    assert (status, err) == (0, "")
    assert '"asks":"act"' in notes.read_text("utf-8")


def test_the_arena_tells_what_went_wrong(capsys: pytest.CaptureFixture[str], notes: Path) -> None:
    bot = program("illegal", notes)
    command = ["arena", "crime_hotel", "--seats", f"{bot},tests.seats.players:Right,random", "--games", "1"]
    command += ["--workers", "1", "--move-time", "60", *SHORT]
    _, table, _ = told(capsys, *command)
    _, figures, _ = told(capsys, *command, "--json")
    flat = json.loads(figures)

    lines = table.splitlines()
    heading = next(place for place, line in enumerate(lines) if line.startswith("of your own"))
    assert lines[heading].split()[3:] == ["decisions", "late", "crashed", "garbled", "illegal"]
    assert lines[heading + 1].removeprefix(bot).split() == ["11", "0", "0", "0", "11"]
    assert lines[heading + 2].startswith("    first: deal 0, seat 0, after event ")
    assert lines[heading + 3].split() == ["tests.seats.players:Right", "11", "0", "0", "0", "0"]
    assert len(lines) == heading + 4
    assert flat[f"{bot}.decisions"] == flat[f"{bot}.illegal"] == 11
    assert flat[f"{bot}.first"] in lines[heading + 2]
    assert (flat["tests.seats.players:Right.illegal"], flat["tests.seats.players:Right.first"]) == (0, "")
    assert "random.decisions" not in flat


def test_a_game_of_such_bots_is_watched_saved_verified_and_reviewed(
    capsys: pytest.CaptureFixture[str], notes: Path, tmp_path: Path
) -> None:
    bot, file = program("crashing once", notes), str(tmp_path / "game.case")
    command = ["watch", "crime_hotel", "--seats", f"{bot},rookie,rookie", "--seat", "1", *SHORT, "--move-time", "60"]
    status, out, err = told(capsys, *command, "--save", file)

    assert status == 0
    assert "Basil (you)" in out
    assert re.search(
        r": of 11 decisions 1 crashed; first: seat 0, after event \d+: crashed: ended with status 3: ", err
    )
    assert sys.executable not in Path(file).read_text("utf-8")
    status, out, _ = told(capsys, "verify", "--bots", file)
    assert status == 0
    assert "(4) not said: a bot of somebody's own played in seat 0" in out
    assert out.count(" yes: ") == 5
    status, out, _ = told(capsys, "review", file, "--json")
    assert status == 0
    assert len(json.loads(out)["seats"]) == 4
