"""What is worth thinking about at Crime Hotel, what a situation is worth, and bots of every level at every variant."""

from typing import Any

import pytest

from tests.games.crime_hotel.staging import FOUR, Staged, parked, stage
from tests.games.crime_hotel.test_evidence import of
from whodunit import arena
from whodunit.core.rng import Rng
from whodunit.core.types import Action, Attention, Seat
from whodunit.games.crime_hotel.facts import DEPARTMENTS, DESKS
from whodunit.games.crime_hotel.model import Assisting, Exchange, Guess, LayLast, Look, Play, Relocate, TakeDesk
from whodunit.games.crime_hotel.sense import (
    AT_FIRST_SIGHT,
    DESK,
    GUESS,
    SHARING,
    chance_to_guess,
    consider,
    expected,
    worth,
)
from whodunit.table.verify import verify


def considered(game: Staged, seat: Seat, attention: Attention = "logic", seed: int = 1) -> list[Action]:
    return list(consider(game.view(seat), seat, of(game, seat, attention), Rng(b"consider", seed)))


@pytest.mark.parametrize("attention", ["sight", "logic", "motives"])
def test_whatever_is_considered_is_on_offer(attention: Attention) -> None:
    games = [stage(), parked(), parked().guess(2, "room 27"), parked().guess(2, "room 27").desk(1, "BONUS")]
    for game in [*games, stage(rounds=1).cards(11, 13, 15).finish_round()]:
        seat = game.state.on_turn
        found = considered(game, seat, attention)
        assert found
        assert all(game.can(seat, action) for action in found)


def test_every_card_is_considered_and_no_card_plays_itself() -> None:
    assert considered(stage(), 0) == [Play(card) for card in (11, 12, 13, 14, 15, 16)]
    assert considered(stage().cards(11), 1) == [Play(17), Play(18), Play(19)]
    assert considered(stage(rounds=1).cards(11, 13, 15).finish_round(), 2) == [LayLast()]


def test_a_guess_is_where_most_points_are_to_be_expected() -> None:
    """Points times probability, the bonus included; never where a meeple stands."""
    game = stage(["11 12", "13 21", "31 32"], 22, rounds=1).cards(11, 13, 31)
    rooms = of(game, 2).rooms()
    assert set(rooms) == {12, 21, 22}
    (best,) = considered(game, 2)

    assert isinstance(best, Guess)
    top = expected(game.view(2), 2, best.place, rooms)
    assert all(expected(game.view(2), 2, place, rooms) <= top + 1e-9 for place in game.places(2))
    assert expected(game.view(2), 2, "floor 2", rooms) == pytest.approx(2 * (rooms[21] + rooms[22]))
    assert expected(game.view(2), 2, "column 1", rooms) == pytest.approx(5 * rooms[21])
    game.change(desks=((), (), (), (), (2,)))
    assert expected(game.view(2), 2, "room 22", rooms) == pytest.approx(11 * rooms[22])


def test_who_does_not_reckon_takes_what_comes_to_mind() -> None:
    game = parked()
    minds = [considered(game, 2, "sight", seed) for seed in range(6)]

    assert all(len(found) == AT_FIRST_SIGHT for found in minds)
    assert len({tuple(map(str, found)) for found in minds}) > 3
    assert all(of(game, 2, "sight").chance(guess) > 0 for found in minds for guess in found)  # type: ignore[arg-type]


def test_the_poorest_guess_is_the_one_to_move() -> None:
    game = parked().guess(2, "floor 3").change(guesses=((), ("room 11", "column 6"), ("floor 3",)))
    moves = [action for action in considered(game, 1) if isinstance(action, Relocate)]

    assert [move.origin for move in moves] == ["room 11"]


def test_every_kind_of_help_is_considered_and_cards_of_the_middle_are_given() -> None:
    game = parked().guess(2, "floor 3")
    found = considered(game, 1)

    assert {type(action) for action in found} == {Exchange, Look, TakeDesk}
    assert {action.partner for action in found if isinstance(action, Exchange)} == {0, 2}
    assert {action.cards for action in found if isinstance(action, Exchange)} == {(23,)}
    assert {action.target for action in found if isinstance(action, Look)} == {0, 2}
    assert {action.department for action in found if isinstance(action, TakeDesk)} == {"DUPLICATE", "BONUS"}


def test_something_is_considered_when_all_useful_desks_are_taken() -> None:
    game = parked().guess(2, "floor 3")
    full = tuple((0,) * len(DESKS[3][name]) if name != "RELOCATE" else () for name in DEPARTMENTS)

    assert considered(game.change(desks=full), 1) == [TakeDesk("RELOCATE")]


def test_right_guesses_are_worth_their_points() -> None:
    right = parked(hidden=27).guess(2, "room 27").state
    wrong = parked(hidden=27).guess(2, "room 26").state

    assert worth(right, 2) - worth(wrong, 2) == pytest.approx(10)
    assert worth(stage(investigations=1, rounds=1).finish().state, 0) == 0
    assert worth(parked().view(0), 0) == 0


def test_to_guess_is_worth_more_than_a_desk_and_the_more_the_later() -> None:
    assert all(guess > desk for guess, desk in zip(GUESS, DESK, strict=True))
    assert list(GUESS) == sorted(GUESS, reverse=True)
    game = parked()
    first, middle = worth(game.state, 2), worth(game.change(lots=(1, 2, 0)).state, 2)

    assert first - middle == pytest.approx(GUESS[4] - DESK[4], abs=1e-6)
    assert worth(game.change(lots=(1, 0, 2)).state, 2) == pytest.approx(first)
    assert worth(game.change(lots=(1, 0)).state, 2) == pytest.approx(middle - DESK[4])


def test_a_card_is_weighed_by_what_the_others_can_play() -> None:
    """Highest or lowest guesses: what is played counts, and what the others hold of the floor."""
    hands = ["11 14 19", "12 13 18 31 32 33", "15 16 17 34 35 36"]
    lowest, between, highest = (stage(hands).cards(card).state for card in (11, 14, 19))

    assert chance_to_guess(lowest, 0) == chance_to_guess(highest, 0) == 1
    assert chance_to_guess(between, 0) == pytest.approx(1 / 3)  # seat 1 has 12, 13 and 18 of the floor
    assert worth(lowest, 0) < worth(highest, 0)  # both are sure to guess, but 11 is better kept than 19
    assert chance_to_guess(stage(hands).cards(14, 12).state, 0) == 0
    assert chance_to_guess(stage(hands).cards(14, 18).state, 0) == 1
    assert chance_to_guess(stage(hands).state, 0) == 0
    done = stage(hands).cards(14, 12, 15).state
    assert [chance_to_guess(done, seat) for seat in range(3)] == [0, 1, 1]


def test_desks_are_worth_what_they_bring_later() -> None:
    game = parked().guess(2, "floor 3")
    plain = game.change(desks=((),) * 5, lots=(0,), phase=Assisting()).state
    values = {}
    for number, name in enumerate(DEPARTMENTS):
        game.change(desks=tuple((1,) if n == number else () for n in range(5)))
        values[name] = worth(game.state, 1) - worth(plain, 1)

    assert values["RELOCATE"] == 0
    assert values["BONUS"] > 0
    assert values["DUPLICATE"] > 0
    assert values["LOOK"] == values["EXCHANGE"] > 0
    assert list(SHARING) == sorted(SHARING, reverse=True)


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (3, {"beginner": True, "investigations": 1}),
        (4, {"bonus_per_correct_guess": False, "guess_on_lit_room": False, "rounds": 3, "investigations": 2}),
        (4, {"duplicate_uses": 1, "first_car": 3, "investigations": 1, "room_points": 0}),
        (3, {"rounds": 1}),
    ],
)
def test_every_level_plays_every_variant(seats: int, options: dict[str, Any]) -> None:
    levels = ["mastermind", "detective", "rookie", "random"][:seats]
    case = arena.play_case(arena.open_with_bots("crime_hotel", levels, options, "variants"), lambda *_: None)

    assert case.outcome is not None
    assert [statement.holds for statement in verify(case)] == [True, True, True]
    assert [statement.holds for statement in arena.certify(case)] == [True] * seats


def test_four_can_play_a_whole_game() -> None:
    assert stage(FOUR).finish().finish().finish().outcome() is not None
