"""Cases of games that are heard: their clips are lines of their own, and may be missing."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from whodunit import arena, load, save
from whodunit.core.errors import BadCase
from whodunit.core.types import TABLE, Batch
from whodunit.core.wire import blobs_of
from whodunit.table import case_file
from whodunit.table.case import Case
from whodunit.table.case_file import content
from whodunit.table.codec import bare
from whodunit.table.verify import verify


@pytest.fixture(scope="module")
def case() -> Case:
    opened = arena.open_with_bots("arosa", ["rookie", "rookie"], {"clues": 5}, "heard")
    return arena.play_case(opened, lambda *_: None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.case"


def without_clips(case: Case) -> Case:
    return replace(case, batches=tuple(bare(batch)[0] for batch in case.batches))


def entries(text: bytes) -> list[dict[str, Any]]:
    return [json.loads(line)["entry"] for line in text.splitlines()]


def blobs(batch: Batch) -> list[Any]:
    return [blob for event in batch.events for blob in blobs_of(event).values()]


def test_each_clip_has_a_line_behind_its_batch(case: Case, path: Path) -> None:
    save(case, path)

    assert load(path) == case
    told = entries(path.read_bytes())
    assert [entry["id"] for entry in told if entry["type"] == "blob"] == [
        blob.id for batch in case.batches for blob in blobs(batch)
    ]
    assert {drop["clip"]["data"] for entry in told for drop in entry.get("events", ()) if "clip" in drop} == {""}


def test_a_transcript_carries_what_everybody_heard(case: Case) -> None:
    told = entries(content(case, TABLE))
    assert [entry["id"] for entry in told if entry["type"] == "blob"] == [
        blob.id for batch in case.batches for blob in blobs(batch)
    ]


def test_bots_of_a_loaded_case_hear_and_make_the_same_moves(case: Case, path: Path) -> None:
    save(case, path)

    assert [statement.holds for statement in (*verify(load(path)), *arena.certify(load(path)))] == [True] * 5


def test_without_clips_the_dealer_is_checked_and_no_bot_can_be(case: Case, path: Path) -> None:
    save(without_clips(case), path)
    loaded = load(path)

    assert loaded == without_clips(case)
    assert [statement.holds for statement in verify(loaded)] == [True] * 3
    statements = [*arena.certify(loaded)]
    assert [statement.holds for statement in statements] == [None, None]
    assert all("not comparable" in statement.text for statement in statements)


def test_a_case_that_says_another_noise_is_still_found_out(case: Case) -> None:
    drops = [event for event in case.batches[0].events if blobs_of(event)]
    changed: Any = replace(drops[0], clip=replace(drops[0].clip, data=b"\0" * 32))  # type: ignore[attr-defined]
    events = tuple(changed if event is drops[0] else event for event in case.batches[0].events)
    batches = (replace(case.batches[0], events=events), *case.batches[1:])

    assert verify(replace(case, batches=batches))[2].holds is False


@pytest.mark.parametrize("change", ["elsewhere", "twice", "unknown"])
def test_a_clip_that_belongs_nowhere_is_refused(case: Case, path: Path, change: str) -> None:
    lines = [case_file._ENTRY.decode(case_file._LINE.decode(line).entry) for line in content(case).splitlines()]
    first = next(place for place, entry in enumerate(lines) if isinstance(entry, case_file.BlobEntry))
    if change == "elsewhere":
        lines.insert(1, lines[first])
    elif change == "twice":
        lines.insert(first, lines[first])
    else:
        lines[first] = case_file.BlobEntry("0" * 32, b"noise")
    path.write_bytes(b"".join(case_file._lines(iter(lines))))

    with pytest.raises(BadCase, match=r"line \d+: "):
        load(path)
