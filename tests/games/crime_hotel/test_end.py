"""Sections 3.6 to 3.9 and the variants: the last card, the points, the next investigation, the winner."""

from typing import Any

import pytest

from tests.games.crime_hotel.staging import FOUR, HOTEL, Staged, deck_of, parked, refused, stage
from whodunit.core.types import TABLE, Outcome
from whodunit.games.crime_hotel.facts import CARDS, DEPARTMENTS, DESKS
from whodunit.games.crime_hotel.model import (
    Dealing,
    DeskTaken,
    GameEnded,
    Guess,
    Guessing,
    HandDealt,
    InvestigationBegan,
    LastCardLaid,
    LayLast,
    LotLeft,
    MurdererFound,
    MurdererHidden,
    Opened,
    Over,
    Play,
    Revealing,
    RoomsLit,
    RoundBegan,
    Scored,
)
from whodunit.games.crime_hotel.rules import evolve, points_of

pytestmark = pytest.mark.rules


def before_the_reveal(seats: int = 3, hidden: int = 39, **options: Any) -> Staged:
    """Play all rounds by doing anything; the last cards are still in the hands."""
    game = stage(("",) * seats, hidden, **options)
    while not isinstance(game.state.phase, Revealing):
        game.anything()
    return game


def scored(
    guesses: dict[int, tuple[str, ...]], hidden: int, bonus: tuple[int, ...] = (), seats: int = 3, **options: Any
) -> tuple[int, ...]:
    """Return the points for these guesses if the bonus desks are taken so, from the left."""
    game = before_the_reveal(seats, hidden, investigations=1, **options)
    game.change(guesses=tuple(guesses.get(seat, ()) for seat in range(seats)), desks=((), (), (), (), bonus))
    game.lay_all()
    points: tuple[int, ...] = next(event.points for event in game.last if isinstance(event, Scored))
    return points


def test_nobody_is_told_the_solution_before_the_end() -> None:
    assert {HOTEL.informed(view) for view in before_the_reveal().views.values()} == {frozenset()}


def test_the_last_cards_are_laid_from_the_car_holder_clockwise() -> None:
    """HOTEL-37: PUBLIC, no meeple, no action."""
    game = before_the_reveal(4, rounds=1)
    car = game.state.car
    assert car == 3
    unused = game.state.unused
    for step in range(4):
        seat = (car + step) % 4
        assert game.awaiting() == {seat}
        card = game.state.hands[seat][0]
        assert [offer.action for offer in game.offers(seat)] == [LayLast]
        assert refused(game, (seat + 1) % 4, LayLast())
        assert refused(game, seat, Play(card))
        game.play(seat, LayLast())
        for viewer in (0, TABLE):
            assert game.told(viewer)[0] == LastCardLaid(seat=seat, card=card)
        if step < 3:
            assert len(game.last) == 1
            assert card in game.state.lit
            assert game.state.sizes[seat] == 0
            assert game.state.unused == unused
            assert game.state.lots == ()


@pytest.mark.parametrize("seats", [3, 4])
def test_the_murderer_is_in_the_one_room_that_is_not_lit(seats: int) -> None:
    """HOTEL-T16, HOTEL-18, HOTEL-38."""
    game = before_the_reveal(seats, 27, investigations=1)
    for _ in range(seats - 1):
        game.play(game.state.on_turn, LayLast())
        assert game.view(TABLE).hidden is None
    game.play(game.state.on_turn, LayLast())

    assert set(CARDS) - set(game.state.lit) == {27}
    assert MurdererFound(card=27) in game.told(TABLE)
    assert game.view(TABLE).hidden == 27
    assert [type(event) for event in game.last] == [LastCardLaid, MurdererFound, Scored, GameEnded]


@pytest.mark.parametrize(("seats", "assists"), [(3, 5), (4, 10)])
def test_every_meeple_is_used_exactly_once(seats: int, assists: int) -> None:
    """HOTEL-T15, HOTEL-3, HOTEL-21."""
    state = before_the_reveal(seats).state

    assert state.unused == (0,) * seats
    assert sum(map(len, state.guesses)) == 10
    assert sum(map(len, state.desks)) == assists


def test_floor_column_and_room_score() -> None:
    """HOTEL-39: wrong ones nothing, no penalty."""
    points = scored({0: ("floor 2", "column 7", "room 27"), 1: ("floor 1", "column 6", "room 37")}, 27)

    assert points == (17, 0, 0)
    assert scored({0: ("floor 2",), 1: ("column 7",), 2: ("room 27",)}, 27) == (2, 5, 10)


def test_points_can_be_changed() -> None:
    points = scored(
        {0: ("floor 2",), 1: ("column 7",), 2: ("room 27",)}, 27, floor_points=1, column_points=4, room_points=9
    )

    assert points == (1, 4, 9)


def test_meeples_on_one_place_each_score_in_full() -> None:
    """HOTEL-T20, HOTEL-33, HOTEL-40."""
    assert scored({0: ("room 27",), 1: ("room 27",)}, 27) == (10, 10, 0)


def test_the_example_of_the_rulebook() -> None:
    """HOTEL-T4, HOTEL-39, HOTEL-41, HOTEL-42: Sam, Ryan and Noah; Noah has the first desk, Ryan the others."""
    assert DESKS[3]["BONUS"][-1] == 3
    points = scored({0: ("floor 2", "column 7"), 1: ("room 27",), 2: ("room 31",)}, 27, bonus=(2, 1, 1))

    assert points == (7, 13, 0)


def test_the_highest_own_bonus_counts_for_each_right_guess() -> None:
    """HOTEL-T8, HOTEL-34, HOTEL-41, HOTEL-V2: desks never add up."""
    figures = DESKS[3]["BONUS"]
    assert figures == (1, 2, 3)
    right: dict[int, tuple[str, ...]] = {0: ("column 7", "room 27", "floor 1")}

    assert scored(right, 27, bonus=(0, 1, 0)) == (21, 0, 0)
    assert scored(right, 27, bonus=(0, 1, 0), bonus_per_correct_guess=False) == (18, 0, 0)
    assert scored(right, 27, bonus=(0, 1)) == (17, 0, 0)
    assert scored(right, 27, bonus=(1, 0, 1)) == (19, 0, 0)


def test_without_a_right_guess_there_is_nothing() -> None:
    """HOTEL-42: bonus included, also under HOTEL-V2."""
    assert scored({0: ("room 26",)}, 27, bonus=(0, 0, 0)) == (0, 0, 0)
    assert scored({0: ("room 26",)}, 27, bonus=(0, 0, 0), bonus_per_correct_guess=False) == (0, 0, 0)


def test_the_best_investigation_there_can_be() -> None:
    """HOTEL-T17."""
    assert scored({0: ("floor 2", "column 7", "room 27")}, 27, bonus=(1, 1, 0)) == (26, 0, 0)


def test_points_of_each_investigation_are_recorded_apart() -> None:
    """HOTEL-43."""
    game = before_the_reveal(3, 27).change(guesses=(("room 27",), (), ())).lay_all()

    assert game.state.points == ((10, 0, 0),)
    assert game.view(TABLE).points == ((10, 0, 0),)
    assert points_of(game.state, 0, 27) == 0  # the meeples are back


def test_the_next_investigation_is_set_up_anew() -> None:
    """HOTEL-44, HOTEL-45, HOTEL-4, HOTEL-9: the moon moves on, meeples go home, all cards are dealt again."""
    game = before_the_reveal(4, 27)
    game.draws["deck 2"] = deck_of(("39 38", "37", "", ""), 11, 6)
    car = game.state.car
    game.lay_all()

    assert [type(event) for event in game.last] == [
        LastCardLaid,
        MurdererFound,
        Scored,
        InvestigationBegan,
        *[HandDealt] * 4,
        MurdererHidden,
        RoomsLit,
        RoundBegan,
    ]
    assert InvestigationBegan(number=2) in game.last
    state = game.state
    assert (state.investigation, state.round, state.turn, state.car, state.on_turn) == (2, 1, 44, car, car)
    assert state.hands[0][-2:] == (38, 39)
    assert (state.hidden, game.view(0).hidden) == (11, None)
    assert game.view(0).hands[1:] == (None, None, None)
    assert len(state.lit) == 2
    assert (state.guesses, state.desks) == (((),) * 4, ((),) * len(DEPARTMENTS))
    assert (state.unused, state.shared, state.trades, state.lots) == ((5,) * 4, (0,) * 4, (), ())


def test_the_car_stays_across_investigations() -> None:
    """HOTEL-T22, HOTEL-17, HOTEL-45: whoever played the highest card of round 5 leads, whoever scored most."""
    game = before_the_reveal(3, 27)
    car = game.state.car
    loser = (car + 1) % 3
    game.change(guesses=tuple(("room 27",) if seat == loser else () for seat in range(3))).lay_all()

    assert game.events[-1] == RoundBegan(number=1, seat=car)
    assert game.awaiting() == {car}


def test_the_game_ends_after_three_investigations() -> None:
    """HOTEL-46."""
    game = stage()
    for number in (1, 2, 3):
        assert game.state.investigation == number
        assert game.outcome() is None
        game.finish()

    assert len(game.state.points) == 3
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.points == tuple(map(sum, zip(*game.state.points, strict=True)))
    assert isinstance(game.state.phase, Over)
    assert game.awaiting() == frozenset()
    assert all(not game.offers(seat) for seat in (0, 1, 2, TABLE))


@pytest.mark.parametrize("number", [1, 2])
def test_fewer_investigations_make_a_shorter_game(number: int) -> None:
    game = stage(investigations=number)
    for _ in range(number):
        assert game.outcome() is None
        game.finish()
    assert game.outcome() is not None


def ended(first: tuple[int, ...], second: tuple[int, ...], third: tuple[str, str, str], car: int) -> Outcome | None:
    """Return the outcome if the third investigation ends with these guesses and room 27."""
    game = before_the_reveal(3, 27, investigations=1, floor_points=5)
    game.change(guesses=tuple(tuple(words.split(", ")) if words else () for words in third), car=car, on_turn=car)
    game.change(points=(first, second), desks=((),) * 5)
    game.lay_all()
    assert len(game.state.points) == 3
    return game.outcome()


TEN = "room 27"
FIVE = "column 7"


def test_most_points_win() -> None:
    """HOTEL-46."""
    assert ended((5, 0, 0), (0, 9, 0), ("", "", TEN), 0) == Outcome(winners=(2,), how="points", points=(5, 9, 10))


def test_a_tie_goes_to_the_car_holder_among_the_leaders() -> None:
    """HOTEL-T14, HOTEL-47."""
    assert ended((5, 10, 5), (5, 5, 5), (TEN, FIVE, FIVE), 0) == Outcome((0,), "car", (20, 20, 15))
    assert ended((5, 10, 5), (5, 5, 5), (TEN, FIVE, FIVE), 1) == Outcome((1,), "car", (20, 20, 15))


def test_else_the_later_investigations_decide() -> None:
    """HOTEL-T14, HOTEL-48."""
    assert ended((5, 10, 5), (5, 5, 5), (TEN, FIVE, FIVE), 2) == Outcome((0,), "late_points", (20, 20, 15))
    assert ended((3, 5, 5), (7, 5, 0), (TEN, TEN, TEN), 2) == Outcome((0,), "late_points", (20, 20, 15))
    assert ended((5, 3, 5), (5, 7, 0), (TEN, TEN, TEN), 2) == Outcome((1,), "late_points", (20, 20, 15))


def test_else_it_is_an_open_tie() -> None:
    """HOTEL-T14, HOTEL-49."""
    assert ended((5, 5, 0), (5, 5, 5), (TEN, TEN, TEN), 2) == Outcome((0, 1), "tie", (20, 20, 15))


def test_players_dropped_in_a_step_do_not_come_back() -> None:
    """HOTEL-48: level in the third, the second decides between those two only."""
    game = before_the_reveal(4, 27, investigations=1)
    game.change(
        guesses=(("room 27",), ("room 27",), ("column 7",), ()),
        car=3,
        on_turn=3,
        points=((7, 5, 0, 0), (3, 5, 15, 0)),
        desks=((),) * 5,
    )
    game.lay_all()

    assert game.outcome() == Outcome((1,), "late_points", (20, 20, 20, 0))


def test_nobody_may_act_while_points_are_counted() -> None:
    game = before_the_reveal(3, 27, investigations=1).lay_all()
    counting: Any = evolve(game.state, MurdererFound(card=27))

    assert counting.phase == Dealing()
    assert HOTEL.awaiting(counting) == frozenset()
    assert not HOTEL.legal(counting, counting.on_turn)


# --- Variants ----------------------------------------------------------------------------------------------------


def test_beginners_between_take_their_meeples_back() -> None:
    """HOTEL-T18, HOTEL-V1: no department is offered."""
    game = parked(4, beginner=True).guess(3, "room 27")

    assert game.last[1:] == [LotLeft(seat=2, back=True), LotLeft(seat=1, back=True)]
    assert game.told(TABLE) == game.last
    assert game.state.unused == (4, 5, 5, 4)
    assert game.state.phase == Guessing()
    assert game.awaiting() == {0}
    assert game.places(0)
    game.guess(0, "floor 1")
    assert game.last == [game.last[0], RoundBegan(number=2, seat=3)]


def test_beginners_make_ten_guesses_and_visit_no_desk() -> None:
    """HOTEL-T18, HOTEL-V1."""
    game = before_the_reveal(3, beginner=True)

    assert sum(map(len, game.state.guesses)) == 10
    assert sum(game.state.unused) == 5
    assert not any(isinstance(event, DeskTaken) for event in game.events)
    assert game.finish().outcome() is None
    assert sum(isinstance(event, LotLeft) for event in game.events) == 5


def test_beginners_have_no_bonus() -> None:
    """HOTEL-V1: all else is unchanged."""
    assert scored({0: ("room 27", "floor 2")}, 27, beginner=True) == (12, 0, 0)


def test_the_opening_names_the_car_holder() -> None:
    game = stage(FOUR, car=2)

    assert game.events[0] == Opened(game="crime_hotel", rules=2, seats=4, options=game.state.options, car=2)
    assert not game.can(2, Guess("room 27"))
