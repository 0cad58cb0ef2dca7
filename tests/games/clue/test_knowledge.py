"""Section 5 of the rules: what each player knows, row by row, through events as they see them and through views."""

from typing import Any, get_args

import pytest
from msgspec.structs import fields

from tests.games.clue.staging import CLUE, Staged, entered, stage, trio_of
from whodunit.core.redact import fold, secrets
from whodunit.core.types import TABLE, Event
from whodunit.games.clue.model import (
    Accuse,
    Accused,
    AnyAction,
    AnyEvent,
    CannotShow,
    CardShown,
    CouldNotShow,
    DiceThrown,
    EndTurn,
    EnvelopeFilled,
    EnvelopeOpened,
    EnvelopeSeen,
    HandDealt,
    LookAside,
    Moved,
    Options,
    Roll,
    Show,
    SideCardSeen,
    SideCardsLaid,
    State,
    Suggest,
    Suggested,
    Trio,
)

pytestmark = pytest.mark.rules

SEEN_BY_ALL = {
    "options",
    "tokens",
    "turn",
    "on_turn",
    "phase",
    "places",
    "weapons",
    "sizes",
    "looked",
    "summoned",
    "out",
}
SECRET = {"envelope", "hands", "side"}


def a_round(hands: list[str], envelope: str = "White Rope Study") -> Staged:
    """Scarlet suggests and White shows the Wrench; Mustard accuses wrongly; it is White's turn."""
    game = entered("Lounge", hands, envelope).play(0, Suggest("Green", "Wrench", "Lounge"))
    game.play(1, CannotShow()).play(2, Show("Wrench")).walk(1, 1, (7, 22))
    return game.play(1, Accuse("Plum", "Knife", "Hall"))


HANDS = ["Green Lounge Plum Hall Knife Study", "Mustard", "Wrench Revolver"]


def test_the_table_is_public_and_the_cards_are_not() -> None:
    """CLUE-3, CLUE-12, CLUE-34, CLUE-51: positions, turn, who is out, marks."""
    game = a_round(HANDS, "White Rope Kitchen")

    assert {field.name for field in fields(State)} == SEEN_BY_ALL | SECRET
    for name in SEEN_BY_ALL:
        assert all(getattr(game.view(v), name) == getattr(game.state, name) for v in (0, 1, 2, TABLE)), name


def test_hand_sizes_are_public() -> None:
    """CLUE-7: everybody sees how many cards each player takes."""
    game = stage([""] * 5)

    for viewer in (0, 3, TABLE):
        dealt = [event for event in game.seen(viewer) if isinstance(event, HandDealt)]
        assert [(event.seat, event.size) for event in dealt] == [(0, 4), (1, 4), (2, 4), (3, 3), (4, 3)]
        assert game.view(viewer).sizes == (4, 4, 4, 3, 3)


def test_the_own_hand_is_known_to_its_holder_alone() -> None:
    """CLUE-7: nobody else, no spectator."""
    game = stage()

    for viewer in (0, 1, 2, TABLE):
        known = tuple(hand if seat == viewer else None for seat, hand in enumerate(game.state.hands))
        assert game.view(viewer).hands == known
        assert tuple(event.cards for event in game.seen(viewer) if isinstance(event, HandDealt)) == known


def test_throws_moves_suggestions_and_answers_are_public_in_order() -> None:
    """CLUE-17, CLUE-36, CLUE-41, CLUE-42: and that a card was shown, by whom and to whom."""
    game = a_round(HANDS, "White Rope Kitchen")
    public = (DiceThrown, Moved, Suggested, CouldNotShow, CardShown, Accused)

    for viewer in (0, 1, 2, TABLE):
        assert [type(event) for event in game.seen(viewer)] == [type(event) for event in game.events]
        heard = [event for event in game.seen(viewer) if isinstance(event, public)]
        assert [(type(event), event.seat) for event in heard] == [
            (DiceThrown, 0), (Moved, 0), (Suggested, 0), (CouldNotShow, 1), (CardShown, 2),
            (DiceThrown, 1), (Moved, 1), (Accused, 1),
        ]  # fmt: skip
        (shown,) = (event for event in heard if isinstance(event, CardShown))
        assert (shown.seat, shown.to) == (2, 0)


def test_the_card_shown_is_known_to_two() -> None:
    """CLUE-41: suggester and shower."""
    game = a_round(HANDS, "White Rope Kitchen")

    shown = {v: [e.card for e in game.seen(v) if isinstance(e, CardShown)] for v in (0, 1, 2, TABLE)}
    assert shown == {0: ["Wrench"], 1: [None], 2: ["Wrench"], TABLE: [None]}


def test_the_envelope_is_hidden_until_it_is_opened() -> None:
    """CLUE-6, CLUE-49, CLUE-50, CLUE-51: then known to wrong accusers, at the end to all."""
    game = a_round(HANDS, "White Rope Kitchen")
    envelope = trio_of("White Rope Kitchen")

    assert [e.trio for e in stage().seen(0) if isinstance(e, EnvelopeFilled)] == [None]
    assert {v: game.view(v).envelope for v in (0, 1, 2, TABLE)} == {0: None, 1: envelope, 2: None, TABLE: None}
    game.play(2, Accuse("White", "Rope", "Kitchen"))
    assert all(game.view(viewer).envelope == envelope for viewer in (0, 1, 2, TABLE))
    assert [e.trio for e in game.seen(TABLE) if isinstance(e, EnvelopeOpened)] == [envelope]


def test_whoever_has_looked_into_the_envelope_does_not_forget_it() -> None:
    """CLUE-49, CLUE-51: another player's wrong accusation tells a third nothing, and takes nothing away."""
    game = stage([""] * 4).play(0, Accuse("Plum", "Knife", "Hall")).play(1, Accuse("Plum", "Knife", "Study"))

    envelope = trio_of("White Rope Study")
    assert [game.view(viewer).envelope for viewer in (0, 1, 2, 3)] == [envelope, envelope, None, None]


def test_a_side_card_is_known_to_those_who_have_looked_at_it() -> None:
    """CLUE-V5: its position is public."""
    game = entered("Lounge", ["Green Wrench Lounge", ""], side="Plum Knife Hall Library", two_player_side_cards=4)
    game.play(0, Suggest("Green", "Wrench", "Lounge")).play(1, CannotShow()).play(0, LookAside(2))

    for viewer, card in ((0, "Knife"), (1, None), (TABLE, None)):
        assert [(e.position, e.card) for e in game.seen(viewer) if isinstance(e, SideCardSeen)] == [(2, card)]
        assert game.view(viewer).side == (None, card, None, None)
        assert [(e.count, e.cards) for e in game.seen(viewer) if isinstance(e, SideCardsLaid)] == [(4, None)]


def test_an_accusation_and_its_being_wrong_are_public() -> None:
    """CLUE-47, CLUE-51: but not which parts were."""
    game = a_round(HANDS, "White Rope Kitchen")

    for viewer in (0, 2, TABLE):
        assert [e for e in game.seen(viewer) if isinstance(e, Accused | EnvelopeSeen)] == [
            Accused(seat=1, trio=Trio("Plum", "Knife", "Hall"), right=False),
            EnvelopeSeen(seat=1, trio=None, known_to=frozenset({1})),
        ]


def test_notes_are_no_part_of_the_game() -> None:
    """CLUE-11: there is no action, no event, no option and no field about them."""
    kinds: tuple[Any, ...] = (*get_args(AnyAction), *get_args(AnyEvent), State, Options)

    words = [kind.__name__ for kind in kinds] + [field.name for kind in kinds for field in fields(kind)]
    assert not [word for word in words if "note" in word.lower()]


def test_only_cards_are_ever_secret() -> None:
    """CLUE-17, CLUE-41, CLUE-42: every other field of every event is for all."""
    hidden = {kind.__name__: list(secrets(kind)) for kind in get_args(AnyEvent) if secrets(kind)}

    assert hidden == {
        "EnvelopeFilled": ["trio"],
        "HandDealt": ["cards"],
        "SideCardsLaid": ["cards"],
        "CardShown": ["card"],
        "SideCardSeen": ["card"],
        "EnvelopeSeen": ["trio"],
    }


MUSTARDS = "Mustard LeadPipe Candlestick Revolver Library Peacock"
WHITES = "Wrench Revolver BilliardRoom DiningRoom Conservatory Ballroom"


@pytest.mark.parametrize(("viewer", "one", "two"), [
    (0, (HANDS, "White Rope Kitchen"),
        ([HANDS[0], "Scarlet Peacock", "Wrench Kitchen"], "Mustard Rope Library")),
    (1, ([HANDS[0], MUSTARDS, "Wrench"], "White Rope Kitchen"),
        (["Scarlet Lounge", MUSTARDS, "Wrench Green Plum"], "White Rope Kitchen")),
    (2, ([HANDS[0], "Mustard", WHITES], "White Rope Kitchen"),
        (["Green Kitchen Library", "Plum", WHITES], "Scarlet Rope Lounge")),
])  # fmt: skip
def test_cards_never_seen_make_no_difference(
    viewer: int, one: tuple[list[str], str], two: tuple[list[str], str]
) -> None:
    """CLUE-6, CLUE-7, CLUE-41: two games that differ only in them give the same observation."""
    this, that = a_round(*one), a_round(*two)

    assert this.state.hands != that.state.hands
    for who in (viewer, TABLE):
        assert this.seen(who) == that.seen(who)
        assert this.view(who) == that.view(who)
        assert this.offers(who) == that.offers(who)


def test_a_view_is_what_its_events_add_up_to() -> None:
    """CLUE-17, CLUE-41: from redacted events alone, from the first on."""
    game = stage(HANDS, "White Rope Kitchen").walk(0, 6, (6, 16)).play(0, EndTurn()).walk(1, 2, (7, 21))
    game.play(1, Accuse("Plum", "Knife", "Hall")).play(2, Roll())

    assert fold(CLUE, game.events) == game.state
    for viewer in (0, 1, 2, TABLE):
        events: list[Event] = game.seen(viewer)
        assert fold(CLUE, events) == game.view(viewer)
        assert list(CLUE.legal(game.view(viewer), viewer)) == list(CLUE.legal(game.state, viewer))
