"""What an attack counts: the pure parts of `bench server --only flood`, and a short trial of all of it."""

import argparse
from pathlib import Path

import msgspec
import pytest

from tests.bench.test_runs import measured, wanted
from whodunit.bench.server import flood, flood_data, flood_doors, flood_waits, flood_writes, fuzz, kill, main
from whodunit.bench.server.flood_data import flip, found_in, judged
from whodunit.bench.server.flood_sizes import Showing, entropy, information, mutual_information, showing
from whodunit.core.rng import Stream
from whodunit.server import protocol

CARDS = ("Rope", "Candlestick", "Hall", "Conservatory")

# --- Sizes -----------------------------------------------------------------------------------------------------------


def test_what_is_always_the_same_tells_nothing_and_what_differs_with_the_card_tells_all() -> None:
    shown = [card for card in CARDS for _ in range(50)]

    assert entropy(shown) == pytest.approx(2.0)
    assert mutual_information([(card, 0) for card in shown]) == pytest.approx(0.0)
    assert mutual_information([(card, card) for card in shown]) == pytest.approx(2.0)
    assert mutual_information([(card, len(card)) for card in shown]) == pytest.approx(1.5)


def test_what_few_samples_seem_to_tell_by_chance_is_left_out() -> None:
    draws = Stream(b"few")
    pairs = [(CARDS[draws.below("card", 4)], draws.below("size", 40)) for _ in range(200)]

    assert mutual_information(pairs) > 0.2
    assert information(pairs) < 0.1
    assert information([(card, len(card)) for card, _ in pairs]) > 1.3


def test_what_all_are_told_alike_and_what_a_page_always_gets_more_cancels_out() -> None:
    ordinary = [{0: size + 15, 1: size + 3, 2: size, 3: size + 7} for size in (900, 905, 1100)]
    shown = {0: 1215 + len("Rope"), 1: 1203 + len("Rope"), 2: 1200 + 430, 3: 1207}  # it is the third seat's turn

    assert showing("Rope", 0, 1, shown, [*ordinary, shown]) == Showing("Rope", 4, 4)


# --- On the disk -----------------------------------------------------------------------------------------------------


def test_one_bit_is_flipped_and_no_other() -> None:
    assert flip(b"\x00\xff", 1, 7) == b"\x00\x7f"
    assert flip(flip(b"whodunit", 3, 2), 3, 2) == b"whodunit"


def test_what_is_read_otherwise_without_a_word_is_silent() -> None:
    true = {"the hall": [1], "bench0's record": [2]}

    assert judged(true, {**true}, said=False) == ("identical", [])
    assert judged(true, true | {"the hall": []}, said=False) == ("silent", ["the hall"])
    assert judged(true, {"the hall": [1]}, said=True) == ("said", ["bench0's record"])
    assert judged(true, true, said=True) == ("identical", [])  # a word too many harms nobody


def test_a_few_flips_are_all_accounted_for(tmp_path: Path) -> None:
    found = flood_data.flipped(tmp_path, 12)

    assert found.fates.total() == 12
    assert len(found.silent) == found.fates["silent"]


def test_whatever_is_left_of_somebody_is_found_in_any_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\x00Zerlinda\x00")
    (tmp_path / "b").write_bytes(b"\xff")
    words = {"the name": "Zerlinda", "the words": "good evening"}

    assert found_in([tmp_path / "a", tmp_path / "b", tmp_path / "gone"], words) == ("the name",)


# --- What is written and tried ---------------------------------------------------------------------------------------


def test_everything_that_is_written_is_an_ask_of_the_protocol() -> None:
    for writes in (flood_writes.notes("t", 1), flood_writes.anything("t", 1), flood_writes.tables()):
        for _, (kind, fields) in zip(range(60), writes, strict=False):
            msgspec.convert({"type": kind, "n": 1, **fields}, protocol.AnyAsk)


def test_no_two_notes_are_alike_and_each_is_as_long_as_it_may_be() -> None:
    written = [fields["text"] for _, (_, fields) in zip(range(20), flood_writes.notes("t", 1), strict=False)]

    assert len({*written}) == 20
    assert {len(text) for text in written} == {flood_writes.NOTES}


def test_tries_beyond_the_limit_are_counted_and_fewer_are_none() -> None:
    assert flood_doors.Tries(40, 25.5, "").over == 14.5
    assert flood_doors.Tries(20, 25.5, "").over == 0


# --- As a whole ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "kills", "messages"),
    [([], kill.BENCH_KILLS, fuzz.MESSAGES), (["--kills", "1000", "--messages", "1000000"], 1000, 1_000_000)],
)
def test_how_much_is_tried_by_hand_can_be_said(
    monkeypatch: pytest.MonkeyPatch, given: list[str], kills: int, messages: int
) -> None:
    asked: list[argparse.Namespace] = []

    def note(args: argparse.Namespace, _: dict[str, float]) -> str:
        asked.append(args)
        return ""

    monkeypatch.setitem(main.PARTS, "kill", [main.Part(note, (), {})])
    main.main(["--only", "kill", *given])

    assert [(args.kills, args.messages) for args in asked] == [(kills, messages)]


@pytest.mark.soak
def test_a_short_flood_finds_every_figure(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for module, constants in {
        flood_writes: {"BURST_S": 1.0},
        flood_waits: {"LONG": 60, "WARM_S": 0.5, "BOT_TABLES": 4},
        flood_doors: {"HALF_SENT": 8, "HELD_S": 2.0, "IDLE": 20, "ADDRESSES": 40},
    }.items():
        for name, small in constants.items():
            monkeypatch.setattr(module, name, small)

    figures = measured(capsys, "server", "--only", "flood", "--seconds", "0.3", "--flips", "10")

    assert wanted(flood.BARS) <= set(figures) == set(flood.LABELS)
