"""The case of a day: the same everywhere and for ever, harder from Monday to Sunday, and unlike others of its month."""

import hashlib
from itertools import combinations

import pytest
from _pytest.mark import ParameterSet
from msgspec.structs import replace

from tests.cases import kept
from tests.cases.days import days, made, stored, weekday
from whodunit.bench.cases import provable_games
from whodunit.bench.cases_days import ALONE, COMPILED, in_a_process
from whodunit.cases import days as making
from whodunit.cases.days import GENERATIONS, NoDay, day_of
from whodunit.cases.puzzle import written

GAMES = provable_games()
QUICK = {
    "clue": ("2026-11-07", "2026-11-08"),
    "perfect_alibi": ("2026-11-02", "2026-11-04"),
    "crime_hotel": ("2026-11-03", "2026-11-07"),
}
"""Days whose cases are made soonest."""
SOONEST = "crime_hotel"
"""Its cases are made sooner than all others."""


def long_but(game: str, *values: str) -> list[ParameterSet]:
    """Leave to the soak whatever is not of this game."""
    return [pytest.param(value, marks=() if game in value else pytest.mark.soak) for value in values]


def test_the_days_of_four_weeks_are_stored() -> None:
    assert set(stored()) == {f"{day}.{game}" for game in GAMES for day in days()}


@pytest.mark.parametrize("case", [f"{few[0]}.{game}" for game, few in QUICK.items()])
def test_a_day_keeps_its_case(case: str) -> None:
    assert made(case) == stored()[case]


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("game", GAMES)
def test_every_day_keeps_its_case(game: str) -> None:
    kept = {case: what for case, what in stored().items() if case.endswith(f".{game}")}

    assert {case: made(case) for case in kept} == kept


@pytest.mark.parametrize("game", long_but(SOONEST, *GAMES))
def test_any_kernel_and_any_order_of_sets_make_the_same_bytes(game: str) -> None:
    case = f"{QUICK[game][0]}.{game}"
    digests = [*in_a_process([case], COMPILED, 1), *in_a_process([case], COMPILED, 2), *in_a_process([case], ALONE, 3)]

    assert digests == [stored()[case].digest] * 3


@pytest.mark.parametrize("game", GAMES)
def test_a_week_gets_harder_from_day_to_day(game: str) -> None:
    bounds = GENERATIONS[0].efforts[game]
    assert [*bounds] == sorted(bounds)

    for case, what in stored().items():
        if case.endswith(f".{game}"):
            assert bounds[weekday(case) - 1] <= what.effort < bounds[weekday(case)], case


@pytest.mark.parametrize("game", GAMES)
def test_no_two_days_of_a_month_are_solved_alike(game: str) -> None:
    shapes = [stored()[f"{day}.{game}"].shape for day in days()]

    assert all(one != other for one, other in combinations(shapes, 2))


@pytest.mark.soak
def test_a_new_generation_begins_on_its_day_and_not_before(monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = QUICK[SOONEST]
    assert before < after
    later = replace(GENERATIONS[-1], since=after, seed="another")
    monkeypatch.setattr(making, "GENERATIONS", (*GENERATIONS, later))

    assert made(f"{before}.{SOONEST}") == stored()[f"{before}.{SOONEST}"]
    assert made(f"{after}.{SOONEST}").digest != stored()[f"{after}.{SOONEST}"].digest


@pytest.mark.parametrize("game", GAMES)
def test_a_case_of_a_day_can_be_kept(game: str) -> None:
    assert written(kept.puzzle(game)) == kept.body(f"{kept.DAY}.{game}")


@pytest.mark.parametrize("text", ["2026-10-31", "2026-1-1", "20261118", "2026-11-31", "today", "", "2026-11-18T00:00"])
def test_what_is_no_day_is_refused(text: str) -> None:
    with pytest.raises(NoDay):
        day_of(text)


@pytest.mark.parametrize("case", [case for case in kept.names() if case in stored()])
def test_the_cases_that_are_kept_for_tests_are_those_of_their_days(case: str) -> None:
    assert hashlib.sha256(kept.body(case)).hexdigest() == stored()[case].digest
