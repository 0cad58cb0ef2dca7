"""Section 3.3 and 3.4 of the rules: a card is played, rooms light up, meeples park."""

import pytest

from tests.games.crime_hotel.staging import FOUR, parked, refused, stage
from whodunit.core.types import TABLE
from whodunit.games.crime_hotel.facts import PLACES
from whodunit.games.crime_hotel.model import (
    Assisting,
    CardPlayed,
    DeskTaken,
    Exchange,
    Guess,
    Guessed,
    Guessing,
    LayLast,
    Look,
    LotLeft,
    Opened,
    Parked,
    Play,
    Playing,
    Relocate,
    RoundBegan,
    TakeDesk,
)
from whodunit.games.crime_hotel.rules import evolve

pytestmark = pytest.mark.rules


def test_the_car_holder_plays_first_then_clockwise() -> None:
    """HOTEL-10: each exactly one card."""
    game = stage(FOUR, car=2)
    order = []
    for card in (24, 31, 11, 21):
        (seat,) = game.awaiting()
        order.append(seat)
        assert all(not game.offers(other) for other in range(4) if other != seat)
        assert refused(game, (seat + 1) % 4, Play(24))
        game.play(seat, Play(card))

    assert order == [2, 3, 0, 1]
    assert game.state.sizes == (5, 5, 5, 5)
    assert all(sum(isinstance(e, CardPlayed) and e.seat == seat for e in game.events) == 1 for seat in range(4))


def test_the_first_card_may_be_any_of_the_hand() -> None:
    """HOTEL-11: any card of the hand, and none that is not in it."""
    game = stage(["11 23 35 19 29 39", "", ""], 38)

    assert game.playable(0) == [11, 19, 23, 29, 35, 39]
    assert refused(game, 0, Play(12))


def test_whoever_has_the_floor_must_follow_it() -> None:
    """HOTEL-11, HOTEL-12: any card of the floor will do; the second card sets nothing."""
    game = stage(["23", "11 21 29 31", "22 13 33 28 34 35"], 39).cards(23)
    assert game.playable(1) == [21, 29]
    assert refused(game, 1, Play(11))
    game.cards(21)

    assert game.playable(2) == [22, 28]
    assert game.last == [CardPlayed(seat=1, card=21, lacks=None)]


def test_whoever_lacks_the_floor_may_play_anything_and_everybody_knows() -> None:
    """HOTEL-13."""
    game = stage(["23", "11 12 13 31 32 33", "22"], 39).cards(23)
    assert game.playable(1) == [11, 12, 13, 31, 32, 33]
    game.cards(31)

    for viewer in (0, 1, 2, TABLE):
        assert game.told(viewer) == [CardPlayed(seat=1, card=31, lacks=2)]
    assert 22 in game.playable(2)
    assert 31 not in (game.view(1).hands[1] or ())
    assert game.view(0).hands[1] is None


def test_only_the_number_counts_for_the_order() -> None:
    """HOTEL-14, HOTEL-15, HOTEL-16: the off-floor card is as good as any; highest on lot 1."""
    game = stage(["23", "11 12 13 31 32 33", "22 24 25"], 39).cards(23, 31, 25)

    assert game.last[-1] == Parked(lots=(1, 2, 0))
    assert game.state.lots == (1, 2, 0)
    low = stage(["23", "11 12 13 31 32 33", "22 24 25"], 39).cards(23, 11, 25)
    assert low.state.lots == (2, 0, 1)


def test_played_cards_light_their_rooms() -> None:
    """HOTEL-16, HOTEL-18: rooms are lit and a meeple stands on each lot, when all have played."""
    game = stage(["23", "21", "22"], 39)
    before = game.state.lit
    game.cards(23, 21)
    assert game.state.lit == before
    assert game.state.trick == (23, 21, None)
    assert game.state.unused == (5, 5, 5)
    assert game.state.lots == ()
    game.cards(22)

    assert game.state.lit == (*before, 23, 22, 21)
    assert game.state.trick == (None, None, None)
    assert game.state.unused == (4, 4, 4)
    assert game.state.hidden not in game.state.lit


def test_lot_1_takes_the_car_at_that_moment_and_acts_first() -> None:
    """HOTEL-17, HOTEL-19."""
    game = parked()

    assert game.state.lots == (2, 1, 0)
    assert (game.state.car, game.state.on_turn) == (2, 2)
    assert game.awaiting() == {2}
    assert game.state.phase == Guessing()


@pytest.mark.parametrize(
    ("seats", "roles"), [(3, [Guessing, Assisting, Guessing]), (4, [Guessing, Assisting, Assisting, Guessing])]
)
def test_first_and_last_guess_and_those_between_get_help(seats: int, roles: list[type]) -> None:
    """HOTEL-19, HOTEL-20, HOTEL-22, HOTEL-27: in the order of the lots, and nobody does the other's part."""
    game = parked(seats)
    lots = game.state.lots
    for seat, role in zip(lots, roles, strict=True):
        assert game.awaiting() == {seat}
        assert type(game.state.phase) is role
        assert game.can(seat, Guess("room 27")) == (role is Guessing)
        assert game.can(seat, TakeDesk("BONUS")) == (role is Assisting)
        assert not game.can(seat, LayLast())
        assert not game.can(seat, Play(12))
        assert all(not game.offers(other) for other in (*range(seats), TABLE) if other != seat)
        if role is Guessing:
            game.guess(seat, next(place for place in PLACES if game.can(seat, Guess(place))))
        else:
            game.desk(seat, "BONUS")

    assert game.state.lots == ()
    assert game.state.phase == Playing()


def test_the_meeple_of_the_lot_is_the_one_that_acts() -> None:
    """HOTEL-21: no second meeple is used, and afterwards every lot is empty."""
    game = parked().guess(2, "floor 1")
    assert game.state.lots == (1, 0)
    game.desk(1, "BONUS").guess(0, "floor 2")

    assert game.state.unused == (4, 4, 4)
    assert game.state.lots == ()
    assert game.state.guesses == (("floor 2",), (), ("floor 1",))
    assert game.sitting("BONUS") == (1,)


def test_the_car_holder_starts_the_next_round() -> None:
    """HOTEL-35, HOTEL-A17: the car has changed hands once, with the cards."""
    game = parked().finish_round()

    assert game.last[-1] == RoundBegan(number=2, seat=2)
    assert (game.state.round, game.state.turn) == (2, 6)
    assert game.awaiting() == {2}
    assert game.playable(2) == [25, 26, 27, 28, 29]
    game.cards(25)
    assert game.playable(0) == [12, 13, 14, 15, 16]
    game.cards(12, 22)
    assert game.state.lots == (2, 1, 0)


def test_after_round_k_every_hand_has_6_minus_k_cards() -> None:
    """HOTEL-36: after round 5 exactly one."""
    game = stage(FOUR)
    for number in range(1, 6):
        assert game.state.round == number
        while not game.state.lots:
            game.anything()
        game.finish_round()
        assert game.state.sizes == (6 - number,) * 4
    assert [game.can(seat, LayLast()) for seat in range(4)] == [seat == game.state.car for seat in range(4)]


def test_a_game_is_opened_once() -> None:
    game = stage()
    with pytest.raises(ValueError, match="opened once"):
        evolve(game.state, next(event for event in game.events if isinstance(event, Opened)))


def test_nothing_is_offered_to_a_spectator() -> None:
    for game in (stage(), parked(), parked().guess(2, "floor 1")):
        assert game.offers(TABLE) == []


def test_every_department_is_its_own_action() -> None:
    """HOTEL-27: the offers to a player on a lot between."""
    game = parked().guess(2, "floor 1")

    kinds = [offer.action for offer in game.offers(1)]
    assert kinds == [Exchange, Look, TakeDesk]
    game.desk(1, "BONUS").guess(0, "floor 2").cards(25, 12, 21).guess(2, "room 27")
    assert [offer.action for offer in game.offers(1)] == [Exchange, Look, TakeDesk]
    assert not game.can(1, Relocate("floor 1", "room 11"))


def test_what_happens_in_a_round_is_seen_by_all() -> None:
    """HOTEL-16, HOTEL-22, HOTEL-27: PUBLIC."""
    game = parked(4).guess(3, "column 3").desk(2, "DUPLICATE").desk(1, "BONUS")
    public = (CardPlayed, Parked, Guessed, DeskTaken, LotLeft, RoundBegan)

    for viewer in (0, TABLE):
        shown = [event for event in game.seen(viewer) if isinstance(event, public)]
        assert shown == [event for event in game.events if isinstance(event, public)]
