import argparse
import json

import pytest

from whodunit import bench
from whodunit.bench.report import Bar, add_arguments, columns, finish, number, spread, table

FIGURES = {"clue.fast": 12345.6, "clue.share": 0.5, "clue.count": 150}
BARS = [Bar("clue.fast", ">=", 10_000), Bar("clue.share", "<=", 0.25)]


def args(*argv: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(argv)


def test_json_is_one_flat_object_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    code = finish(args("--json"), FIGURES, BARS, details="for people")

    out, err = capsys.readouterr()
    assert json.loads(out) == FIGURES
    assert "for people" in err
    assert code == 0


def test_a_table_for_people_shows_value_bar_and_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    finish(args(), FIGURES, BARS, labels={"clue.count": "how many"}, details="for people")

    out = capsys.readouterr().out
    rows = [line.split() for line in out.splitlines()]
    assert out.startswith("for people\n")
    assert ["clue.fast", "12,346", ">=", "10,000", "ok"] in rows
    assert ["clue.share", "0.5", "<=", "0.25", "missed"] in rows
    assert ["how", "many", "150"] in rows


def test_a_spread_is_median_least_and_most_and_printed_below() -> None:
    figures = spread("clue.share", [0.5, 0.125, 0.25])
    rows = [line.split() for line in table(figures, BARS, {"clue.share": "share"}).splitlines()]

    assert figures == {"clue.share": 0.25, "clue.share_min": 0.125, "clue.share_max": 0.5}
    assert rows[1:4] == [
        ["share", "0.25", "<=", "0.25", "ok"],
        ["least", "of", "a", "pass", "0.125"],
        ["most", "of", "a", "pass", "0.5"],
    ]


def test_a_figure_with_a_label_of_its_own_is_no_spread() -> None:
    assert "rarest" in table({"share_min": 1}, [], {"share": "share", "share_min": "rarest"})
    assert "floor_min" in table({"floor_min": 1}, [], {})


def test_check_fails_and_names_the_bar_missed(capsys: pytest.CaptureFixture[str]) -> None:
    code = finish(args("--check", "--json"), FIGURES, BARS)

    out, err = capsys.readouterr()
    assert code == 1
    assert json.loads(out) == FIGURES
    assert "clue.share" in err
    assert "clue.fast" not in err


def test_check_passes_when_every_bar_is_cleared(capsys: pytest.CaptureFixture[str]) -> None:
    assert finish(args("--check"), FIGURES, BARS[:1]) == 0
    assert not capsys.readouterr().err


def test_without_check_a_missed_bar_is_only_shown() -> None:
    assert finish(args(), FIGURES, BARS) == 0


def test_a_figure_that_was_not_measured_misses_its_bar() -> None:
    bar = Bar("clue.other", "<=", 1)

    assert not bar.met(FIGURES)
    assert table(FIGURES, [bar], {}).splitlines()[-1].split() == ["clue.other", "none", "<=", "1", "missed"]


def test_a_bound_itself_is_good_enough() -> None:
    assert Bar("x", ">=", 2).met({"x": 2})
    assert Bar("x", "<=", 2).met({"x": 2})


def test_columns_are_aligned() -> None:
    assert columns([("a", "1"), ("bcd", "10")], right=(1,)) == "a     1\nbcd  10"


@pytest.mark.parametrize(("value", "text"), [(0.123456, "0.1235"), (150, "150"), (98765.4, "98,765"), (None, "none")])
def test_numbers_are_written_for_people(value: float | None, text: str) -> None:
    assert number(value) == text


def test_an_unknown_benchmark_is_refused_with_the_names_of_all(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        bench.main(["speed"])

    assert stopped.value.code == 2
    assert all(name in capsys.readouterr().err for name in ("engine",))
