"""Section 6 of the rules: the running example of the rulebook, HOTEL-T1 to HOTEL-T3 and HOTEL-T7."""

import pytest

from tests.games.crime_hotel.staging import Staged, refused, stage
from whodunit.core.types import TABLE
from whodunit.games.crime_hotel.model import Assisting, CardPlayed, Guess, Guessing, Play, TakeDesk

pytestmark = pytest.mark.rules

SAM, RYAN, NOAH = 0, 1, 2
HANDS = ("23 11 12 14 15 16", "35 17 18 19 31 32", "13 24 25 33 34 36")


def inquiry() -> Staged:
    return stage(HANDS, 27).cards(23)


def test_the_inquiry() -> None:
    """HOTEL-T1, HOTEL-11, HOTEL-12, HOTEL-13: Ryan may play anything, Noah 24 and 25 only."""
    game = inquiry()
    assert game.playable(RYAN) == [17, 18, 19, 31, 32, 35]
    game.cards(35)
    assert game.last == [CardPlayed(seat=RYAN, card=35, lacks=2)]
    assert game.playable(NOAH) == [24, 25]
    assert refused(game, NOAH, Play(13))
    assert refused(game, NOAH, Play(33))
    game.cards(25)

    assert game.events[-2] == CardPlayed(seat=NOAH, card=25, lacks=None)
    assert game.seen(TABLE)[-3:] == game.events[-3:]


def test_the_parking() -> None:
    """HOTEL-T2, HOTEL-14, HOTEL-15, HOTEL-16, HOTEL-17: the off-floor 35 beats the lead."""
    game = inquiry().cards(35, 25)

    assert game.state.lots == (RYAN, NOAH, SAM)
    assert {35, 25, 23} <= set(game.state.lit)
    assert game.state.lit[-3:] == (35, 25, 23)
    assert game.state.car == RYAN


def test_the_actions() -> None:
    """HOTEL-T3, HOTEL-19, HOTEL-20, HOTEL-22, HOTEL-27."""
    game = inquiry().cards(35, 25)
    assert game.state.phase == Guessing()
    assert refused(game, RYAN, TakeDesk("BONUS"))
    assert refused(game, SAM, Guess("column 7"))
    game.guess(RYAN, "room 27")
    assert game.state.phase == Assisting()
    assert refused(game, NOAH, Guess("room 26"))
    game.desk(NOAH, "BONUS")
    assert refused(game, SAM, TakeDesk("BONUS"))
    game.guess(SAM, "column 7")

    assert game.state.guesses == (("column 7",), ("room 27",), ())
    assert game.awaiting() == {RYAN}


def test_the_roles_of_four() -> None:
    """HOTEL-T7, HOTEL-16, HOTEL-20: 38 and 12 guess, 29 and then 21 get help."""
    game = stage(["12 13 14 15 16 17", "38 31 32 33 34 35", "21 22 23 24 25 26", "29 27 28 36 37 39"], 19)
    game.cards(12, 38, 21, 29)

    assert game.state.lots == (1, 3, 2, 0)
    game.guess(1, "room 19")
    assert game.state.phase == Assisting()
    assert game.awaiting() == {3}
    game.desk(3, "BONUS")
    assert game.awaiting() == {2}
    assert game.state.phase == Assisting()
    game.desk(2, "BONUS")
    assert game.awaiting() == {0}
    assert game.state.phase == Guessing()
