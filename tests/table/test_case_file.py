"""Saved cases: whole or not at all, and an error that names the line."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.table.playing import any_step, opened, played
from whodunit import load, save
from whodunit.core.errors import BadCase, StillOpen
from whodunit.core.redact import redact
from whodunit.core.types import TABLE


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.case"


@pytest.mark.parametrize("options", [{}, {"dice_count": 2, "accuse_after_disproof": True}])
def test_what_is_saved_is_loaded(path: Path, options: dict[str, Any]) -> None:
    case = played(salts=("salt of a", "salt of b", ""), **options)
    save(case, path)

    assert load(path) == case


def test_an_abandoned_case_and_one_with_a_move_taken_back(path: Path) -> None:
    case = any_step(any_step(opened())).undo(0)
    save(case.close(), path)

    assert load(path) == case.close()


def test_an_open_case_gives_only_a_seats_own_transcript(path: Path) -> None:
    case = any_step(opened())
    with pytest.raises(StillOpen, match="still open"):
        save(case, path)
    assert not path.exists()

    for viewer in (1, TABLE):
        save(case, path, seat=viewer)
        entries = [json.loads(line)["entry"] for line in path.read_text().splitlines()]
        assert entries[0]["type"] == "whodunit.transcript/1"
        assert all(entry["cause"] is None and entry["draws"] == [] for entry in entries[1:-1])
        assert entries[-1]["seal"] is None
        dealt = [event for event in entries[1]["events"] if event["type"] == "HandDealt"]
        assert [event["cards"] is not None for event in dealt] == [seat == viewer for seat in range(3)]
        assert [event["type"] for entry in entries[1:-1] for event in entry["events"]] == [
            type(redact(event, viewer)).__name__ for event in case.events
        ]
        assert case.seal.secret not in path.read_text()

    with pytest.raises(BadCase, match="line 1: this is the transcript of one viewer"):
        load(path)


@pytest.mark.parametrize("seat", [-2, 3, 99])
def test_there_is_no_transcript_of_a_seat_that_is_not_there(path: Path, seat: int) -> None:
    with pytest.raises(ValueError, match=f"there is no seat {seat}"):
        save(opened(), path, seat=seat)


@pytest.mark.parametrize("keep", [0, 0.1, 0.5, 0.999])
def test_a_file_cut_off_anywhere_is_refused(path: Path, keep: float) -> None:
    save(played(), path)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * keep)])

    with pytest.raises(BadCase, match=r"line \d+: "):
        load(path)


def test_a_file_cut_off_between_two_lines_is_refused(path: Path) -> None:
    save(played(), path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))

    with pytest.raises(BadCase, match=f"line {len(lines)}: the file ends before the case does"):
        load(path)


@pytest.mark.parametrize("line", [1, 2, 7, -1])
def test_an_altered_line_is_named(path: Path, line: int) -> None:
    save(played(), path)
    lines = path.read_bytes().splitlines(keepends=True)
    number = line if line > 0 else len(lines)
    old = lines[number - 1]
    lines[number - 1] = old.replace(b'"seat":', b'"seat": ', 1) if b'"seat":' in old else old.replace(b"a", b"b", 1)
    assert lines[number - 1] != old
    path.write_bytes(b"".join(lines))

    with pytest.raises(BadCase, match=f"line {number}: "):
        load(path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", "line 1: a case begins with its header"),
        (b"not json\n", "line 1: "),
        (b"\xff\xfe\n", "line 1: "),
        (b'{"check":"","entry":{}}\n', "line 1: "),
    ],
)
def test_a_file_that_is_no_case_is_refused(path: Path, text: bytes, told: str) -> None:
    path.write_bytes(text)

    with pytest.raises(BadCase, match=told):
        load(path)


def test_an_interrupted_save_leaves_no_half_file(path: Path) -> None:
    case = played()
    save(case, path)
    before = path.read_bytes()
    with pytest.raises(StillOpen):
        save(opened(), path)

    assert path.read_bytes() == before
