"""Section 3.5 of the rules, the guess: where a meeple may stand."""

from typing import Any

import pytest

from tests.games.crime_hotel.staging import HOTEL, Staged, parked, refused, stage
from whodunit.core.types import TABLE
from whodunit.games.crime_hotel.facts import PLACES
from whodunit.games.crime_hotel.model import Guess, Guessed, Relocate, TakeDesk

pytestmark = pytest.mark.rules


def second_guess(first: str = "room 27", **options: Any) -> Staged:
    """Seat 2 has guessed, seat 1 has a bonus, seat 0 is to guess."""
    return parked(**options).guess(2, first).desk(1, "BONUS")


def test_the_guesser_must_choose_one_of_the_39_places() -> None:
    """HOTEL-22, HOTEL-23: there is nothing else to do."""
    game = parked()

    (offer,) = game.offers(2)
    assert offer.count == 39
    assert game.places(2) == set(PLACES)
    game.guess(2, "column 7")
    for viewer in (0, 1, 2, TABLE):
        assert game.told(viewer) == [Guessed(seat=2, place="column 7")]


@pytest.mark.parametrize("place", ["floor 4", "floor 0", "column 10", "room 20", "room 10", "27"])
def test_there_is_no_other_place(place: str) -> None:
    """HOTEL-23."""
    assert refused(parked(), 2, Guess(place))


def test_a_place_with_a_meeple_is_closed() -> None:
    """HOTEL-24: floor, column and room are different places."""
    game = second_guess("room 27")

    assert game.places(0) == set(PLACES) - {"room 27"}
    assert refused(game, 0, Guess("room 27"))
    for place in ("column 7", "floor 2", "room 26"):
        assert game.can(0, Guess(place))


def test_guesses_may_overlap_and_contradict_each_other() -> None:
    """HOTEL-25."""
    game = second_guess("room 27").guess(0, "floor 1").cards(25, 12, 21)

    for place in ("column 7", "floor 2", "room 31", "column 1"):
        assert game.can(2, Guess(place))


def test_lit_rooms_and_own_cards_may_be_guessed() -> None:
    """HOTEL-26: useless, but allowed; so is a floor with all rooms lit."""
    game = parked()

    assert 11 in game.state.lit
    for place in ("room 11", "room 25", "floor 1"):
        assert game.can(2, Guess(place))


def test_lit_rooms_can_be_closed() -> None:
    """HOTEL-T21, HOTEL-26: floors and columns stay open."""
    game = parked(guess_on_lit_room=False)

    assert refused(game, 2, Guess("room 11"))
    assert game.can(2, Guess("floor 1"))
    assert game.can(2, Guess("column 1"))
    assert game.places(2) == set(PLACES) - {f"room {card}" for card in game.state.lit}
    default = parked()
    for place in ("room 24", "floor 2", "column 4"):
        assert default.can(2, Guess(place))


def test_lit_rooms_can_be_closed_for_relocating_and_sharing_too() -> None:
    """HOTEL-26, HOTEL-30, HOTEL-33."""
    game = second_guess("room 27", guess_on_lit_room=False).guess(0, "floor 1").cards(25, 12, 21)
    game.guess(2, "floor 2").desk(1, "DUPLICATE").guess(0, "column 2").cards(26, 13, 22).guess(2, "column 3")
    game.desk(1, "BONUS").guess(0, "column 4").cards(27, 14, 23).guess(2, "column 5")
    game.desk(1, "BONUS").guess(0, "column 6").cards(28, 15, 18)
    assert game.state.lots == (2, 1, 0)
    game.change(lots=(0, 1, 2), on_turn=1, guesses=((), ("column 9",), ("column 5",)))
    assert game.state.on_turn == 1
    game.change(lots=(1, 2), phase=parked().guess(2, "floor 1").state.phase)

    assert game.can(1, Relocate("column 9", "column 5"))
    assert game.can(1, Relocate("column 9", "room 29"))
    assert not game.can(1, Relocate("column 9", "room 28"))
    assert not game.can(1, Relocate("column 9", "column 9"))


def test_duplicate_opens_places_of_others_but_not_the_own() -> None:
    """HOTEL-T6, HOTEL-24, HOTEL-33."""
    game = second_guess("room 27")
    assert refused(game, 0, Guess("room 27"))
    for place in ("column 7", "floor 2", "room 26"):
        assert game.can(0, Guess(place))
    shared = stage().cards(11, 17, 24).guess(2, "room 27").change(desks=((), (), (), (0,), ())).desk(1, "BONUS")

    assert shared.can(0, Guess("room 27"))
    shared.guess(0, "room 27")
    assert shared.state.shared == (1, 0, 0)
    shared.cards(25, 12, 21)
    assert refused(shared, 2, Guess("room 27"))
    shared.guess(2, "floor 1").change(desks=((), (), (), (2,), ()))
    shared.desk(1, "BONUS")
    assert refused(shared, 0, Guess("room 27"))
    assert refused(shared, 0, Guess("floor 1"))  # the desk is another's now


def test_duplicate_works_from_the_next_guess_to_the_end_of_the_investigation() -> None:
    """HOTEL-33: the desk stays taken, its use is unlimited."""
    game = parked().guess(2, "room 27").desk(1, "DUPLICATE").guess(0, "room 26").cards(25, 12, 21)
    game.change(lots=(1, 2, 0), on_turn=1)
    for place in ("room 27", "room 26"):
        assert game.can(1, Guess(place))
    game.guess(1, "room 27")
    game.change(lots=(1, 0), on_turn=1, phase=parked().state.phase)

    assert game.can(1, Guess("room 26"))
    assert not game.can(1, Guess("room 27"))
    assert game.state.shared == (0, 1, 0)
    game.guess(1, "column 1")
    assert game.state.shared == (0, 1, 0)


def test_a_place_shared_with_two_others_is_one_use_of_duplicate() -> None:
    """HOTEL-33."""
    game = parked().change(desks=((), (), (), (2,), ()), guesses=(("room 26",), ("room 26",), ()))

    assert game.guess(2, "room 26").state.shared == (0, 0, 1)


@pytest.mark.parametrize(
    ("uses", "shared", "desks", "open_still"),
    [(1, 0, 1, True), (1, 1, 1, False), (0, 0, 1, False), (2, 1, 1, True), (1, 1, 2, True)],
)
def test_the_use_of_duplicate_can_be_limited(uses: int, shared: int, desks: int, open_still: bool) -> None:
    """HOTEL-33, DUPLICATE_USES: each desk allows so many."""
    game = second_guess("room 27", duplicate_uses=uses)
    game.change(desks=((), (), (), (0,) * desks, (1,)), shared=(shared, 0, 0))

    assert game.can(0, Guess("room 27")) == open_still


def test_a_guess_may_be_taken_back_and_told_nobody_anything() -> None:
    assert HOTEL.INFO.undoable == (Guess, TakeDesk, Relocate)
