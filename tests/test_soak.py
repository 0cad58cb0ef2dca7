"""A soak that finds a fault says so, and one that merely runs out of time does not."""

import time
from collections import Counter
from multiprocessing import get_context

import pytest

from tests.browser.shots import WIDTHS
from tests.browser.states import states
from tests.soak import MARKED, ROUNDS, Pile, Tally, TimeUp, held, matches, summary
from tests.soak_axe import WHOLE, places
from whodunit import games
from whodunit.conformance.play import Played


def test_tells_of_a_fault_and_how_to_meet_it_again() -> None:
    def fails(played: Played) -> None:
        raise AssertionError(f"{len(played.events) > 0}")

    (fault,) = held("clue", "fails", time.monotonic() + 60, fails)
    assert fault.startswith("clue, fails: AssertionError: True")
    assert "Setting(" in fault


def test_takes_the_end_of_its_time_for_no_fault() -> None:
    seen: list[Played] = []

    def passes_once(played: Played) -> None:
        if seen:
            raise TimeUp
        seen.append(played)

    assert list(held("clue", "passes_once", time.monotonic() + 60, passes_once)) == []


def test_plays_one_game_of_every_check_however_late_it_is() -> None:
    seen: list[Played] = []

    assert list(held("clue", "late", 0.0, seen.append)) == []
    assert len(seen) == 1


def test_takes_a_check_without_a_single_game_for_a_fault() -> None:
    def never(_: Played) -> None:
        raise TimeUp

    assert list(held("clue", "never", 0.0, never)) == ["clue, never: no time for a single game"]


def test_two_hands_take_everything_once_and_neither_waits() -> None:
    pile = Pile(get_context("spawn").Value("i", 0))
    todo = list(range(9))
    one, other = pile.take(todo), pile.take(todo)

    taken = [next(one), next(other), *one]

    assert taken == todo
    assert list(other) == []


def test_each_setting_is_begun_once_and_played_on_desks_and_phones() -> None:
    played = matches()
    settings = len(played) // ROUNDS
    first, second = played[:settings], played[settings : 2 * settings]

    assert [match.wanted for match in played] == [True] * settings + [False] * (len(played) - settings)
    assert abs(sum(match.phone for match in first) - settings / 2) <= 0.5
    assert all(one.phone != two.phone and one.options == two.options for one, two in zip(first, second, strict=True))


def test_every_state_is_looked_at_in_every_language_at_every_width() -> None:
    looked = {(place.state.name, place.width, language) for place in places() for language in place.languages}

    assert len(looked) == WHOLE * len(places()) == len(states()) * len(WIDTHS) * len(games.LANGUAGES)
    assert {place.languages[0] for place in places()} == set(games.LANGUAGES)


def test_whatever_is_marked_is_run_by_the_soak_and_by_nothing_else(pytestconfig: pytest.Config) -> None:
    assert "-m=not soak" in pytestconfig.getini("addopts")
    rest, browser = MARKED
    assert "-m=soak" in rest.options
    assert "-m=soak" in browser.options
    assert rest.folders == tuple(pytestconfig.getini("testpaths"))
    assert [option for option in rest.options if "ignore" in option] == [f"--ignore={browser.folders[0]}"]


def tallied(pages: int, *faults: str) -> list[Tally]:
    return [Tally("axe", 60, Counter(pages=pages), list(faults)), Tally("games", 60, Counter(), [])]


def test_a_page_that_was_not_looked_at_is_a_fault() -> None:
    whole = WHOLE * len(places())

    assert summary(tallied(whole)) == []
    assert summary(tallied(whole - 2)) == [f"axe: 2 of {whole} pages were not looked at"]
    assert summary(tallied(whole, "pale")) == ["pale"]
