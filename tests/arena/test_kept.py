"""An arena that was stopped goes on: nothing is played again, nothing counted twice, nothing mixed."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from whodunit import arena, cli
from whodunit.arena.kept import Run, keep, resumed
from whodunit.core.errors import BadOptions

ARENA = ["arena", "clue", "--seats", "random,random,rookie", "--seed", "7", "--workers", "1", "--json"]


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert cli.main([*ARENA, *arguments]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return {name: value for name, value in found.items() if name != "seconds" and not name.endswith("ms_median")}


def test_a_run_that_was_stopped_ends_as_one_that_was_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, whole = tmp_path / "new" / "run.jsonl", told(capsys, "--games", "6")
    told(capsys, "--games", "3", "--resume", str(file))
    with file.open("ab") as lines:
        lines.write(b'{"deal":3,"shares":{"ran')  # cut off as it was written

    played, play = list[int](), arena.play

    def counted(match: arena.Match) -> arena.Result:
        played.append(match.number)
        return play(match)

    monkeypatch.setattr(arena, "play", counted)
    again = told(capsys, "--games", "6", "--resume", str(file))

    assert again == whole
    assert played == [3, 4, 5]
    assert told(capsys, "--games", "6", "--resume", str(file)) == whole
    assert played == [3, 4, 5]
    assert told(capsys, "--games", "2", "--resume", str(file)) == told(capsys, "--games", "2")


@pytest.mark.parametrize(
    ("other", "named"),
    [
        (["--seed", "8"], "seed '7', not '8'"),
        (["--pair"], "pair False, not True"),
        (["--option", "dice_count=2"], "options {}, not {'dice_count': 2}"),
        (["--seats", "random,random,random"], r"levels \('random', 'random', 'rookie'\), not"),
    ],
)
def test_results_of_another_run_are_not_counted_with_these(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], other: list[str], named: str
) -> None:
    file = tmp_path / "run.jsonl"
    told(capsys, "--games", "1", "--resume", str(file))
    before = file.read_bytes()

    assert cli.main([*ARENA, "--games", "1", "--resume", str(file), *other]) == cli.BAD_INPUT
    error = capsys.readouterr().err
    assert "is of another run: " in error
    assert re.search(named, error)
    assert file.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"no run\n", b"{}\n", b'{"game":"clue"}\n[]\n'])
def test_a_file_that_is_none_is_named_and_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "run.jsonl"
    file.write_bytes(content)
    run = Run("clue", 1, 1, ("random",), {}, "7", pair=False, told_at=None, move_s=1.0)

    with pytest.raises(BadOptions, match=r"run\.jsonl has nothing to go on from"):
        resumed(file, run, arena.Result)
    assert file.read_bytes() == content


def test_what_is_kept_is_read_back(tmp_path: Path) -> None:
    run = Run("clue", 1, 1, ("random",), {"dice_count": 2}, "7", pair=True, told_at=3, move_s=1.5)
    file = tmp_path / "run.jsonl"
    assert resumed(file, run, arena.Result) == []
    result = arena.Result(0, {"a": 0.5}, 9, {"a": [1.25]}, number=4)
    keep(file, result)

    assert resumed(file, run, arena.Result) == [result]
    assert msgspec.json.decode(file.read_bytes().splitlines()[0], type=Run) == run
