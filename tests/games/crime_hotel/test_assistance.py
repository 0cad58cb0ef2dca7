"""Section 3.5 of the rules, assistance: desks and what they do."""

from types import MappingProxyType
from typing import Any

import pytest

from tests.games.crime_hotel.staging import FOUR, Staged, parked, refused, stage
from whodunit.core.offer import Some
from whodunit.core.types import TABLE
from whodunit.games.crime_hotel import rules
from whodunit.games.crime_hotel.facts import DEPARTMENTS, DESKS, PLACES, Department
from whodunit.games.crime_hotel.model import (
    Assisting,
    DeskTaken,
    Exchange,
    Exchanged,
    Guess,
    Guessing,
    Look,
    LookDeclined,
    Looked,
    LotLeft,
    Relocate,
    Relocated,
    RoundBegan,
    TakeDesk,
    Trade,
)

pytestmark = pytest.mark.rules


def helped(seats: int = 3, **options: Any) -> Staged:
    """Lot 1 has guessed room 27; seat 1 (of four: seat 2) is to take a desk."""
    game = parked(seats, **options)
    return game.guess(game.state.on_turn, "room 27")


def again(game: Staged) -> Staged:
    """Put seat 1 on a middle lot once more, in the round under way or in the next."""
    game.finish_round()
    while not game.state.lots:
        game.anything()
    return game.change(lots=(1, 0), on_turn=1, phase=Assisting())


@pytest.mark.parametrize("department", ["RELOCATE", "DUPLICATE", "BONUS", "LOOK"])
def test_a_desk_is_taken_and_everybody_sees_it(department: Department) -> None:
    """HOTEL-27, HOTEL-28."""
    game = helped().desk(1, department)

    for viewer in (0, 1, 2, TABLE):
        assert game.told(viewer)[0] == DeskTaken(seat=1, department=department, desk=1)
    assert game.sitting(department) == (1,)
    assert sum(map(len, game.state.desks)) == 1
    assert game.state.phase == Guessing()
    assert game.awaiting() == {0}


def test_exchange_takes_a_desk_only_with_its_effect() -> None:
    """HOTEL-31: carried out if possible, and it always is."""
    assert refused(helped(), 1, TakeDesk("EXCHANGE"))


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("department", DEPARTMENTS)
def test_desks_are_filled_from_the_left_until_the_department_is_full(seats: int, department: Department) -> None:
    """HOTEL-28: one meeple a desk; the same player may come again."""
    game = helped(seats)
    seat = game.state.on_turn
    number = DEPARTMENTS.index(department)
    desks = len(DESKS[seats][department])

    def offered() -> bool:
        effects = {"EXCHANGE": Exchange(0, (game.state.hands[seat] or ())[:1]), "LOOK": Look(0)}
        with_one = game.state.desks[number] == ()
        return game.can(seat, effects.get(department, TakeDesk(department))) or (
            not with_one and department == "EXCHANGE" and game.can(seat, Exchange(0, game.state.hands[seat][:2]))
        )

    for taken in range(desks):
        game.change(desks=tuple((seat,) * taken if n == number else () for n in range(5)))
        assert offered()
    game.change(desks=tuple((seat,) * desks if n == number else () for n in range(5)))
    assert not offered()
    assert not game.can(seat, TakeDesk(department))
    game.change(desks=tuple((seat,) * 2 if n == number == 4 else () for n in range(5)))
    game.desk(seat, "BONUS")
    assert game.last[0] == DeskTaken(seat=seat, department="BONUS", desk=3 if department == "BONUS" else 1)


def test_the_left_most_desk_counts() -> None:
    """HOTEL-T9, HOTEL-28: the first who looks sees as many cards as the first desk says, a third cannot look."""
    game = helped()
    counts = []
    while game.can(1, Look(0)):
        game.play(1, Look(0))
        counts.append(game.last[1].count)
        again(game)

    assert counts == list(DESKS[3]["LOOK"])
    assert not game.can(1, TakeDesk("LOOK"))


def test_without_a_free_desk_the_meeple_leaves_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """HOTEL-29: cannot happen with the default desks."""
    few = {4: {name: (1,) if name == "BONUS" else () for name in DEPARTMENTS}}
    monkeypatch.setattr(rules, "DESKS", MappingProxyType(few))
    game = parked(4).guess(3, "room 27")
    assert [offer.action for offer in game.offers(2)] == [TakeDesk]
    game.desk(2, "BONUS")

    assert game.last == [DeskTaken(seat=2, department="BONUS", desk=1), LotLeft(seat=1, back=False)]
    assert game.state.unused == (4, 4, 4, 4)
    assert game.awaiting() == {0}
    assert game.state.phase == Guessing()
    game.guess(0, "room 26").cards(32, 12, 21, 25)
    assert game.state.lots == (3, 2, 1, 0)
    game.guess(3, "room 25")
    assert game.last[1:] == [LotLeft(seat=2, back=False), LotLeft(seat=1, back=False)]
    assert game.awaiting() == {0}


# --- Relocate ----------------------------------------------------------------------------------------------------


def movable(**options: Any) -> Staged:
    """Seat 1 has a meeple on floor 2 and is to take a desk; seat 2 stands on room 27."""
    return helped(**options).change(guesses=((), ("floor 2", "column 1"), ("room 27",)))


def test_a_guess_may_move_to_another_place_of_any_kind() -> None:
    """HOTEL-T13, HOTEL-30."""
    game = movable()
    places = {place for place in PLACES if game.can(1, Relocate("floor 2", place))}

    assert places == set(PLACES) - {"floor 2", "column 1", "room 27"}
    assert refused(game, 1, Relocate("floor 2", "floor 2"))
    assert refused(game, 1, Relocate("floor 3", "room 11"))
    assert refused(game, 1, Relocate("room 27", "room 11"))
    assert refused(game, 1, Relocate("floor 2", "room 27"))
    assert refused(game, 1, TakeDesk("RELOCATE"))
    game.play(1, Relocate("floor 2", "room 26"))
    for viewer in (0, TABLE):
        assert game.told(viewer) == [
            DeskTaken(seat=1, department="RELOCATE", desk=1),
            Relocated(seat=1, origin="floor 2", to="room 26"),
        ]
    assert game.state.guesses[1] == ("column 1", "room 26")
    assert game.state.shared == (0, 0, 0)
    assert game.awaiting() == {0}
    assert game.can(0, Guess("floor 2"))


def test_a_guess_moves_to_an_occupied_place_with_duplicate_only() -> None:
    """HOTEL-T13, HOTEL-30, HOTEL-33."""
    game = movable().change(desks=((), (), (), (1,), ()))

    assert game.can(1, Relocate("floor 2", "room 27"))
    assert refused(game, 1, Relocate("floor 2", "column 1"))
    assert refused(game, 1, Relocate("floor 2", "floor 2"))
    game.play(1, Relocate("floor 2", "room 27"))
    assert game.state.guesses == ((), ("column 1", "room 27"), ("room 27",))
    assert game.state.shared == (0, 1, 0)


def test_without_a_guess_nothing_moves() -> None:
    """HOTEL-T12, HOTEL-30: the desk is taken all the same."""
    game = helped()
    before = game.state
    game.desk(1, "RELOCATE")

    assert game.last == [DeskTaken(seat=1, department="RELOCATE", desk=1)]
    assert game.state.guesses == before.guesses
    assert game.state.hands == before.hands
    assert game.sitting("RELOCATE") == (1,)


# --- Exchange ----------------------------------------------------------------------------------------------------


def test_cards_are_chosen_given_and_drawn_blindly() -> None:
    """HOTEL-31: n own cards against n drawn; hand sizes stay; PRIVATE(both)."""
    game = helped().draw("exchange 1.1", 0, 14)
    offer = next(offer for offer in game.offers(1) if offer.action is Exchange)
    assert offer.choices["cards"] == Some(game.state.hands[1], 1, 1)
    assert list(offer.choices["partner"]) == [0, 2]
    game.play(1, Exchange(0, (18,)))

    public = Exchanged(seat=1, partner=0, count=1, given=None, drawn=None, known_to=frozenset({0, 1}))
    assert game.told(2)[1] == game.told(TABLE)[1] == public
    full = Exchanged(seat=1, partner=0, count=1, given=(18,), drawn=(14,), known_to=frozenset({0, 1}))
    assert game.told(0)[1] == game.told(1)[1] == full
    assert game.state.hands == ((12, 13, 15, 16, 18), (14, 19, 21, 22, 23), (25, 26, 27, 28, 29))
    assert game.view(0).hands == (game.state.hands[0], None, None)
    assert game.view(1).hands == (None, game.state.hands[1], None)
    assert game.view(2).hands == (None, None, game.state.hands[2])
    assert game.state.sizes == (5, 5, 5)
    assert game.state.trades == game.view(TABLE).trades == (Trade(1, 0, 1),)


def test_the_second_desk_exchanges_as_many_as_it_says() -> None:
    """HOTEL-28, HOTEL-31."""
    game = helped().change(desks=((), (2,), (), (), ())).draw("exchange 1.2", 0, 12, 16)
    assert refused(game, 1, Exchange(0, (18,)))
    assert refused(game, 1, Exchange(1, (18, 19)))
    assert refused(game, 1, Exchange(0, (18, 11)))
    assert DESKS[3]["EXCHANGE"][1] == 2
    game.play(1, Exchange(0, (18, 22)))

    assert game.last[0] == DeskTaken(seat=1, department="EXCHANGE", desk=2)
    assert game.last[1].drawn == (12, 16)
    assert game.state.hands[:2] == ((13, 14, 15, 18, 22), (12, 16, 19, 21, 23))


@pytest.mark.parametrize("seed", range(6))
def test_the_card_given_never_comes_back_and_others_see_names_and_number(seed: int) -> None:
    """HOTEL-T11, HOTEL-31."""
    seen = []
    for given in (18, 19):
        game = stage(car=0).cards(11, 17, 24).guess(2, "room 27").draw("exchange 1.1", 0, 12 + seed % 5)
        game.play(1, Exchange(0, (given,)))
        assert game.last[1].drawn == (12 + seed % 5,)
        seen.append((game.seen(2), game.view(2), game.seen(TABLE)))

    assert seen[0] == seen[1]


def test_in_round_5_one_card_changes_hands_whatever_the_desk_says() -> None:
    """HOTEL-T10, HOTEL-31: capped at the hand size."""
    game = stage(FOUR)
    for _ in range(4):
        while not game.state.lots:
            game.anything()
        game.finish_round()
    while not game.state.lots:
        game.anything()
    game.anything().change(desks=((), (0,), (), (), ()))
    seat = game.state.on_turn
    partner = next(other for other in range(4) if other != seat)
    own, other = game.state.hands[seat], game.state.hands[partner]
    game.play(seat, Exchange(partner, own))

    assert game.last[1].count == 1
    assert (game.state.hands[seat], game.state.hands[partner]) == (other, own)
    assert game.state.sizes == (1, 1, 1, 1)


def test_a_card_received_must_follow() -> None:
    """HOTEL-T19, HOTEL-12, HOTEL-13, HOTEL-31."""
    game = stage(["21 25", "11 12 13 31 32 33", "22 24"], 39).cards(21, 31, 22)
    assert game.events[-2].lacks is None
    assert any(getattr(event, "lacks", None) == 2 for event in game.events)
    assert game.state.lots == (1, 2, 0)
    game.guess(1, "floor 1").draw("exchange 1.1", 1, 12).play(2, Exchange(1, (24,))).guess(0, "floor 2")
    assert 24 in (game.view(1).hands[1] or ())
    game.change(car=0, on_turn=0)
    game.cards(25)

    assert game.playable(1) == [24]


# --- Look --------------------------------------------------------------------------------------------------------


def test_looking_shows_cards_to_the_looker_and_the_target_knows_which() -> None:
    """HOTEL-32: they stay where they are; PRIVATE(looker, target)."""
    game = helped().draw("look 1.1", 2, 29)
    hands = game.state.hands
    assert list(next(offer for offer in game.offers(1) if offer.action is Look).choices["target"]) == [0, 2]
    game.play(1, Look(2))

    full = Looked(seat=1, target=2, count=1, cards=(29,), known_to=frozenset({1, 2}))
    assert game.told(1) == game.told(2) == [DeskTaken(seat=1, department="LOOK", desk=1), full]
    public = Looked(seat=1, target=2, count=1, cards=None, known_to=frozenset({1, 2}))
    assert game.told(0)[1] == game.told(TABLE)[1] == public
    assert game.state.hands == hands
    assert game.state.trades == ()


def test_two_cards_are_seen_from_the_second_desk() -> None:
    """HOTEL-28, HOTEL-32."""
    game = helped().change(desks=((), (), (0,), (), ())).draw("look 1.2", 2, 26, 29)

    assert game.play(1, Look(2)).last[1].cards == (26, 29)


def test_nobody_has_to_look() -> None:
    """HOTEL-32: he may; that he declines is public."""
    game = helped().desk(1, "LOOK")

    for viewer in (0, 1, TABLE):
        assert game.told(viewer) == [DeskTaken(seat=1, department="LOOK", desk=1), LookDeclined(seat=1)]


def test_no_look_is_declined_elsewhere() -> None:
    assert helped().desk(1, "BONUS").last == [DeskTaken(seat=1, department="BONUS", desk=1)]


def test_the_round_ends_after_a_desk_only_if_nobody_is_left() -> None:
    """HOTEL-19, HOTEL-35."""
    game = helped(4).desk(2, "BONUS")
    assert not any(isinstance(event, RoundBegan) for event in game.last)
    assert game.state.phase == Assisting()
    assert game.awaiting() == {1}
    game.desk(1, "BONUS")

    assert game.state.phase == Guessing()
    assert game.sitting("BONUS") == (2, 1)
    assert game.guess(0, "floor 1").last[-1] == RoundBegan(number=2, seat=3)


# --- Bonus and duplicate -----------------------------------------------------------------------------------------


def test_bonus_and_duplicate_do_nothing_at_once() -> None:
    """HOTEL-33, HOTEL-34."""
    for department in ("BONUS", "DUPLICATE"):
        game = helped()
        before = game.state
        game.desk(1, department)
        assert (game.state.hands, game.state.guesses, game.state.points) == (before.hands, before.guesses, ())
