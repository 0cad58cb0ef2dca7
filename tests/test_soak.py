"""A soak that finds a fault says so, and one that merely runs out of time does not."""

import time

from tests.conformance.play import Played
from tests.soak import HANDS, TimeUp, held, on_phone


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


def test_takes_a_check_without_a_single_game_for_a_fault() -> None:
    assert list(held("clue", "never", 0.0, lambda _: None)) == ["clue, never: no time for a single game"]


def test_each_hand_plays_on_desks_and_phones_and_so_is_each_setting_played() -> None:
    settings = 19
    for hand in range(HANDS):
        places = [on_phone(number, settings) for number in range(hand, settings, HANDS)]
        assert abs(sum(places) - len(places) / 2) <= 0.5
    assert all(on_phone(place, settings) != on_phone(place + settings, settings) for place in range(settings))
