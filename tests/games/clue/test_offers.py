"""Offers: exactly what the action table of section 4.2 lists, and nothing else is taken."""

from itertools import product
from typing import Any

import msgspec
import pytest

from tests.games.clue.staging import (
    ACCUSE,
    CANNOT_SHOW,
    CLUE,
    END_TURN,
    NO_MOVE,
    PASSAGE,
    ROLL,
    Staged,
    entered,
    look_at,
    place_of,
    refused,
    show,
    stage,
    stay_in,
    suggest_in,
)
from whodunit.core.offer import Offer, One
from whodunit.core.types import TABLE, Action
from whodunit.games.clue.facts import PACK, ROOMS, SUSPECTS, WEAPONS
from whodunit.games.clue.model import (
    Accuse,
    Answering,
    CannotShow,
    EndTurn,
    LookAside,
    Move,
    NoMove,
    Roll,
    Show,
    StayAndSuggest,
    Suggest,
    TakePassage,
)

pytestmark = pytest.mark.rules


class Suggestion(Action, frozen=True):
    """An action of another game, with the same fields."""

    suspect: str
    weapon: str
    room: str


class SubSuggest(Suggest, frozen=True):
    """Not the action itself."""


EVERYTHING: tuple[Action, ...] = (
    Roll(),
    TakePassage(),
    NoMove(),
    CannotShow(),
    EndTurn(),
    *(Move(place) for place in (*ROOMS, *range(25 * 24))),
    *(Show(card) for card in PACK),
    *(LookAside(position) for position in range(6)),
    *(kind(*trio) for kind in (Suggest, StayAndSuggest, Accuse) for trio in product(SUSPECTS, WEAPONS, ROOMS)),
)


def lounge() -> Staged:
    """Scarlet stands at the door of the Lounge."""
    return stage(["Plum", "Green Wrench", "Lounge"], places={"Scarlet": (6, 17)})


def asked() -> Staged:
    return lounge().walk(0, 1, "Lounge").play(0, Suggest("Green", "Wrench", "Lounge"))


def aside() -> Staged:
    game = entered("Lounge", ["Green Wrench Lounge", ""], two_player_side_cards=4)
    return game.play(0, Suggest("Green", "Wrench", "Lounge")).play(1, CannotShow())


@pytest.mark.parametrize(("game", "seat", "offers"), [
    (lounge(), 0, [ROLL, ACCUSE]),
    (stage(places={"Scarlet": "Study"}, summoned={0: "Study"}), 0, [ROLL, PASSAGE, stay_in("Study"), ACCUSE]),
    (stage(places={"White": (1, 16)}), 0, [NO_MOVE, ACCUSE]),
    (lounge().walk(0, 1, (7, 17)), 0, [ACCUSE, END_TURN]),
    (lounge().walk(0, 1, "Lounge"), 0, [suggest_in("Lounge"), ACCUSE, END_TURN]),
    (asked(), 0, []),
    (asked(), 1, [show("Green", "Wrench")]),
    (asked(), 2, []),
    (asked(), TABLE, []),
    (asked().play(1, Show("Green")), 1, [ROLL, ACCUSE]),
    (lounge().walk(0, 1, "Lounge").play(0, Suggest("Plum", "Rope", "Lounge")), 1, [CANNOT_SHOW]),
    (aside(), 0, [look_at(1, 2, 3, 4)]),
    (aside(), 1, []),
    (stage().play(0, Accuse("White", "Rope", "Study")), 0, []),
])  # fmt: skip
def test_what_is_on_offer_is_taken_and_nothing_else(game: Staged, seat: int, offers: list[Offer]) -> None:
    """CLUE-13, CLUE-14: of all actions that there are, exactly those listed."""
    assert game.offers(seat) == offers
    listed = [action for offer in offers for action in offer.actions()]

    assert len(listed) == sum(offer.count for offer in offers)
    assert [action for action in EVERYTHING if any(offer.admits(action) for offer in game.offers(seat))] == [
        action for action in EVERYTHING if action in listed
    ]


def test_a_walk_offers_its_ends_squares_first_then_rooms() -> None:
    """CLUE-21, CLUE-26: in a fixed order, so that the same game reads the same everywhere."""
    game = stage(places={"Scarlet": (0, 7)}).throw(0, 6)

    squares = [(1, 8), (2, 7), (3, 8), (4, 5), (4, 7), (5, 6), (5, 8), (6, 7)]
    assert game.offers(0) == [Offer(Move, {"to": One((*map(place_of, squares), "Study", "Hall"))})]


def test_a_suggestion_is_one_offer_of_36() -> None:
    """CLUE-36, CLUE-39: six suspects, six weapons, one room."""
    offer, *_ = lounge().walk(0, 1, "Lounge").offers(0)

    assert offer.count == 36
    assert list(offer.actions()) == [Suggest(s, w, "Lounge") for s, w in product(SUSPECTS, WEAPONS)]


def test_a_stay_is_one_offer_of_36() -> None:
    """CLUE-35: six suspects, six weapons, one room."""
    _, offer, _ = stage(places={"Scarlet": "Hall"}, summoned={0: "Hall"}).offers(0)

    assert offer.count == 36
    assert list(offer.actions()) == [StayAndSuggest(s, w, "Hall") for s, w in product(SUSPECTS, WEAPONS)]


def test_an_accusation_is_one_offer_of_324() -> None:
    """CLUE-47: every solution there could be."""
    _, offer = stage().offers(0)

    assert offer.count == 324
    assert list(offer.actions()) == [Accuse(s, w, r) for s, w, r in product(SUSPECTS, WEAPONS, ROOMS)]


@pytest.mark.parametrize(("hands", "offer"), [
    (["", "Plum", "Green Wrench Lounge"], CANNOT_SHOW),
    (["", "Wrench", "Green Lounge"], show("Wrench")),
    (["", "Lounge Green", "Wrench"], show("Green", "Lounge")),
    (["", "Lounge Wrench Green", "Plum"], show("Green", "Wrench", "Lounge")),
])  # fmt: skip
def test_nobody_else_can_tell_what_the_asked_player_holds(hands: list[str], offer: Offer) -> None:
    """CLUE-41, CLUE-42: the phase is the same, whether none, one or several cards could be shown."""
    game = entered("Lounge", hands).play(0, Suggest("Green", "Wrench", "Lounge"))

    assert game.offers(1) == [offer]
    phases = {type(game.view(viewer).phase) for viewer in (0, 1, 2, TABLE)}
    assert phases == {Answering}
    assert game.awaiting() == {1}
    assert game.offers(0) == game.offers(2) == game.offers(TABLE) == []


@pytest.mark.parametrize(("kind", "values"), [
    (Suggestion, ("Green", "Wrench", "Lounge")),
    (SubSuggest, ("Green", "Wrench", "Lounge")),
    (StayAndSuggest, ("Green", "Wrench", "Lounge")),
    (Suggest, ("Wrench", "Green", "Lounge")),
    (Suggest, ("Butler", "Wrench", "Lounge")),
    (Suggest, ("Green", "Poison", "Lounge")),
    (Suggest, ("Green", "Wrench", "Cellar")),
    (Suggest, ("Green", "Wrench", None)),
    (Suggest, (("Green",), "Wrench", "Lounge")),
    (Accuse, ("Green", "Wrench", "Cellar")),
    (Move, ("Lounge",)),
    (Show, ("Wrench",)),
])  # fmt: skip
def test_a_wrong_wish_is_refused_and_changes_nothing(kind: Any, values: tuple[object, ...]) -> None:
    """CLUE-36, CLUE-47: of another game, of the wrong kind, or with fields that make no sense."""
    assert refused(lounge().walk(0, 1, "Lounge"), 0, kind(*values))


@pytest.mark.parametrize("card", ["Butler", None, ("Green", "Wrench"), "Lounge", "Scarlet"])
def test_a_card_that_cannot_be_shown_is_refused(card: Any) -> None:
    """CLUE-41: none, both, somebody else's, or one that does not exist."""
    assert refused(asked(), 1, Show(card))


@pytest.mark.parametrize("to", ["Cellar", "Study", "Hall", -1, 9999, None, (6, 18)])
def test_a_place_out_of_reach_is_refused(to: Any) -> None:
    """CLUE-21, CLUE-24: no such place, or not with this throw."""
    assert refused(lounge().throw(0, 2), 0, Move(to))


def test_a_stale_wish_is_refused() -> None:
    """CLUE-13: what was on offer before is not on offer again."""
    game = lounge().throw(0, 1)
    assert refused(game, 0, Roll())
    game.go(0, "Lounge")
    assert refused(game, 0, Move("Lounge"))
    game.play(0, Suggest("Green", "Wrench", "Lounge"))
    assert refused(game, 0, Suggest("Green", "Wrench", "Lounge"))
    game.play(1, Show("Green"))
    assert refused(game, 1, Show("Green"))
    assert refused(game, 0, EndTurn())


@pytest.mark.parametrize("seat", [1, 2])
def test_out_of_turn_nothing_is_taken(seat: int) -> None:
    """CLUE-12, CLUE-46: not even what the player on turn may do."""
    for game in (lounge(), lounge().throw(0, 1), lounge().walk(0, 1, "Lounge")):
        assert all(refused(game, seat, action) for offer in game.offers(0) for action in [offer.at(0)])


@pytest.mark.parametrize("message", [
    b'{"type": "Suggest", "suspect": "Green", "weapon": "Wrench"}',
    b'{"type": "Suggest", "suspect": "Green", "weapon": "Wrench", "room": "Lounge", "card": "Rope"}',
    b'{"type": "Suggest", "suspect": "Green", "weapon": "Wrench", "room": "Cellar"}',
    b'{"type": "Show", "card": ["Green", "Wrench"]}',
    b'{"type": "Move", "to": "Cellar"}',
    b'{"type": "Move", "to": 1.5}',
    b'{"type": "LookAside", "position": true}',
    b'{"type": "Peek"}',
])  # fmt: skip
def test_what_is_no_action_is_not_even_read(message: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(message, type=CLUE.INFO.action)
