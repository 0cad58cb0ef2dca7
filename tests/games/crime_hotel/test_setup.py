"""Section 2 and 3.1, 3.2 of the rules: the box, the table, the deal."""

from collections import Counter
from typing import Any

import pytest

from tests.games.crime_hotel.staging import FOUR, HOTEL, NO_HANDS, deck_of, stage
from whodunit.core.errors import BadOptions
from whodunit.core.rng import Result, Rng, StackedRng
from whodunit.core.types import TABLE
from whodunit.games.crime_hotel.facts import (
    CARDS,
    COLUMNS,
    DEPARTMENTS,
    DESKS,
    FLOORS,
    INVESTIGATIONS,
    PLACES,
    ROUNDS,
    column_of,
    floor_of,
    rooms_of,
)
from whodunit.games.crime_hotel.model import (
    HandDealt,
    InvestigationBegan,
    MurdererHidden,
    Opened,
    Options,
    Playing,
    RoomsLit,
    RoundBegan,
)

pytestmark = pytest.mark.rules


def test_the_pack_has_a_card_for_every_room() -> None:
    """Section 2: 27 rooms on 3 floors and in 9 columns, all values different."""
    assert (*range(11, 20), *range(21, 30), *range(31, 40)) == CARDS
    assert [(floor_of(card), column_of(card)) for card in (11, 19, 25, 39)] == [(1, 1), (1, 9), (2, 5), (3, 9)]
    assert ((1, 2, 3), tuple(range(1, 10))) == (FLOORS, COLUMNS)


def test_a_guess_has_39_places() -> None:
    """HOTEL-23: 3 floors, 9 columns, 27 rooms."""
    assert len(PLACES) == len(set(PLACES)) == 39
    assert Counter(len(rooms_of(place)) for place in PLACES) == {9: 3, 3: 9, 1: 27}
    assert rooms_of("floor 2") == tuple(range(21, 30))
    assert rooms_of("column 7") == (17, 27, 37)
    assert rooms_of("room 27") == (27,)


def test_there_is_a_desk_for_every_assist() -> None:
    """Section 2, HOTEL-2, HOTEL-29: more desks than assists, figures where the text has them, a bonus of 3."""
    for seats, desks in DESKS.items():
        assert tuple(desks) == DEPARTMENTS
        assert sum(map(len, desks.values())) >= ROUNDS * (seats - 2)
        assert all(figure in (1, 2) for name in ("EXCHANGE", "LOOK") for figure in desks[name])
        assert 3 in desks["BONUS"]
        assert len(set(desks["BONUS"])) == len(desks["BONUS"]) >= 2


@pytest.mark.parametrize("seats", DESKS)
def test_the_table_shows_the_desks_of_its_side(seats: int) -> None:
    """HOTEL-2: the police station has a side for each number of players, and a page needs its figures."""
    state: Any = None
    for event in HOTEL.setup(seats, Options(), Rng(b"desks", 1)):
        state = HOTEL.evolve(state, event)

    assert state.figures == tuple(DESKS[seats].values())


@pytest.mark.parametrize(("seats", "in_the_open"), [(3, 8), (4, 2)])
def test_the_cards_are_dealt(seats: int, in_the_open: int) -> None:
    """HOTEL-T5, HOTEL-1, HOTEL-2, HOTEL-6 to HOTEL-8: 6 cards each, 1 hidden, the rest open."""
    events: list[Any] = list(HOTEL.setup(seats, Options(), Rng(b"deal", 1)))
    hands = [event for event in events if isinstance(event, HandDealt)]
    (hidden,) = (event for event in events if isinstance(event, MurdererHidden))
    (lit,) = (event for event in events if isinstance(event, RoomsLit))

    assert [type(event) for event in events] == [
        Opened,
        InvestigationBegan,
        *[HandDealt] * seats,
        MurdererHidden,
        RoomsLit,
        RoundBegan,
    ]
    assert [(hand.seat, hand.size, len(hand.cards or ())) for hand in hands] == [(n, 6, 6) for n in range(seats)]
    assert len(lit.cards) == in_the_open
    everything = [card for hand in hands for card in hand.cards or ()] + [hidden.card, *lit.cards]
    assert sorted(everything) == list(CARDS)  # type: ignore[type-var]
    assert all(list(hand.cards or ()) == sorted(hand.cards or ()) for hand in hands)
    assert list(lit.cards) == sorted(lit.cards)


def test_a_hand_is_known_to_its_holder_and_the_murderer_to_nobody() -> None:
    """HOTEL-6, HOTEL-7, HOTEL-8."""
    game = stage(["11 12 13", "21 22", "31"], 27)

    assert game.state.hidden == 27
    for viewer in (0, 1, 2, TABLE):
        view = game.view(viewer)
        assert view.hidden is None
        assert [hand is not None for hand in view.hands] == [seat == viewer for seat in range(3)]
        assert view.sizes == (6, 6, 6)
        assert view.lit == game.state.lit
    assert {11, 12, 13} < set(game.view(0).hands[0] or ())
    hidden = next(event for event in game.events if isinstance(event, MurdererHidden))
    assert hidden.known_to == frozenset()


def test_every_player_has_five_meeples_and_none_on_a_board() -> None:
    """HOTEL-3, HOTEL-4, HOTEL-9: investigation 1, round 1."""
    state = stage(FOUR).state

    assert state.unused == (5, 5, 5, 5)
    assert state.guesses == ((), (), (), ())
    assert state.desks == ((),) * len(DEPARTMENTS)
    assert (state.lots, state.trades, state.points, state.shared) == ((), (), (), (0,) * 4)
    assert state.trick == (None,) * 4
    assert (state.investigation, state.round, state.turn) == (1, 1, 0)
    assert state.phase == Playing()


@pytest.mark.parametrize("car", [0, 1, 2])
def test_the_car_is_given_or_drawn(car: int) -> None:
    """HOTEL-5, HOTEL-10: the first car holder plays first."""
    given = stage(NO_HANDS, car=car)
    drawn: Any = HOTEL.setup(3, Options(), StackedRng(b"", 1, {"car": car}))[0]

    assert (given.state.car, given.state.on_turn) == (car, car)
    assert given.awaiting() == {car}
    assert drawn.car == car
    assert given.events[-1] == RoundBegan(number=1, seat=car)


def test_the_deck_is_dealt_from_seat_0() -> None:
    draws: dict[str, Result] = {"car": 0, "deck 1": deck_of(("11 39", "12", "13"), 27, 6)}
    events: list[Any] = list(HOTEL.setup(3, Options(), StackedRng(b"", 1, draws)))

    assert events[2].cards[0] == 11
    assert events[2].cards[-1] == 39
    assert [events[3].cards[0], events[4].cards[0]] == [12, 13]
    assert events[2].known_to == {0}
    assert events[0] == Opened(game="crime_hotel", rules=2, seats=3, options=Options(), car=0)


@pytest.mark.parametrize("seats", [1, 2, 5])
def test_it_is_for_three_or_four(seats: int) -> None:
    """HOTEL-1."""
    with pytest.raises(BadOptions, match="3 to 4 players"):
        HOTEL.INFO.parse(seats, {})


def test_the_defaults_are_the_rulebooks() -> None:
    """Section 2: five rounds, three investigations, six cards, 2, 5 and 10 points."""
    options = Options()

    assert (options.rounds, options.investigations, options.hand_size) == (ROUNDS, INVESTIGATIONS, 6) == (5, 3, 6)
    assert (options.floor_points, options.column_points, options.room_points) == (2, 5, 10)
    assert (options.bonus_per_correct_guess, options.guess_on_lit_room, options.beginner) == (True, True, False)
    assert (options.duplicate_uses, options.first_car) == (None, None)


@pytest.mark.parametrize(
    "options",
    [
        {"first_car": 3},
        {"first_car": -1},
        {"rounds": 0},
        {"rounds": 6},
        {"investigations": 0},
        {"investigations": 4},
        {"duplicate_uses": -1},
        {"room_points": -1},
        {"beginner": 1},
        {"no_such": 1},
    ],
)
def test_bad_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(BadOptions):
        HOTEL.setup(3, HOTEL.INFO.parse(3, options), Rng(b"", 1))


def test_the_fourth_seat_may_have_the_car_at_a_table_of_four() -> None:
    assert stage(FOUR, car=3).state.car == 3


def test_a_short_game_leaves_more_cards_open() -> None:
    """A hand has one card more than there are rounds, so that one is left for HOTEL-37."""
    state = stage(NO_HANDS, rounds=2).state

    assert state.sizes == (3, 3, 3)
    assert state.unused == (2, 2, 2)
    assert len(state.lit) == 27 - 1 - 9


def test_options_are_described_with_their_rules() -> None:
    described = {option.name: option for option in HOTEL.INFO.describe()}

    assert [name for name, option in described.items() if option.variant] == ["beginner", "bonus_per_correct_guess"]
    assert described["beginner"].rule == "HOTEL-V1"
    assert described["bonus_per_correct_guess"].rule == "HOTEL-V2"
    assert described["duplicate_uses"].optional
    assert HOTEL.INFO.answers == HOTEL.INFO.final == ()
