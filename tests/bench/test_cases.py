"""The bench of cases: it measures all that it names, and its digests are those of other processes."""

import json

import pytest

from whodunit import bench
from whodunit.bench import cases
from whodunit.bench.cases import FIRST, bars, provable_games
from whodunit.cases.supply import supplied


def measured(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, float]:
    assert bench.main(["cases", *arguments, "--json"]) == 0
    figures: dict[str, float] = json.loads(capsys.readouterr().out)
    assert all(isinstance(figure, int | float) for figure in figures.values())
    return figures


@pytest.mark.parametrize("game", provable_games())
def test_every_figure_of_cases_is_there(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    figures = measured(capsys, "--only", "cases", "--game", game, "--count", "4")

    assert {bar.key for bar in bars([game], ["cases"])} <= figures.keys()
    assert figures["unique_checked"] == 4
    assert figures["not_unique"] == 0
    assert figures[f"solver_exact_hard.{game}"] == 1


def test_a_case_with_another_answer_is_counted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cases, "answers", lambda posed: [*posed.question.form[0][:2]])

    assert measured(capsys, "--only", "cases", "--game", "clue", "--count", "2")["not_unique"] == 2


def test_days_are_compared(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def made(wanted: list[str], kernel: str, hash_seed: int) -> list[str]:
        asked.append((kernel, hash_seed))
        is_other = kernel == "pure" and wanted[0].startswith("2026-11-03")
        return ["other" if is_other else "same"] * len(wanted)

    monkeypatch.setattr(cases, "in_a_process", made)
    figures = measured(capsys, "--only", "days", "--game", "clue", "--days", "3")

    assert figures == {"same_bytes_days": 2, "pure_days": 3}
    assert {*asked} == {("compiled", 1), ("compiled", 2), ("pure", 0)}
    assert FIRST.isoweekday() == 1


def test_solvers_are_compared_by_halves() -> None:
    found = [puzzle for puzzle, _ in zip(supplied("clue", "halves"), range(9), strict=False)]
    figures = cases.solved(found)

    assert figures["solver_exact_easy"] == figures["solver_exact_hard"] == 1
    assert figures["solver_marks_hard"] <= figures["solver_counting_hard"]
    assert figures["solvers_easy_hard"] == figures["solver_counting_easy"] - figures["solver_counting_hard"]
