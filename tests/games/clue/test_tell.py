"""The log of a game: one message for every event in every form, and a text for every message."""

from string import Formatter
from typing import Any, Final, get_args

import pytest

from tests.games.clue.staging import CLUE, place_of, trio_of
from whodunit.core.redact import redact, secrets
from whodunit.core.types import TABLE, Action, Event, Message, Term, Who
from whodunit.games import texts
from whodunit.games.clue.facts import PACK, ROOMS, WEAPONS
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
    GameEnded,
    HandDealt,
    LookAside,
    Move,
    Moved,
    NoMove,
    NotMoved,
    Opened,
    Options,
    PassageTaken,
    Roll,
    Show,
    SideCardSeen,
    SideCardsLaid,
    StayAndSuggest,
    Stayed,
    Suggest,
    Suggested,
    TakePassage,
    TokenStoodAside,
    TurnBegan,
    WeaponsPlaced,
)

PAGE: Final = (
    "action.",
    "case.",
    "column.",
    "door.",
    "field.",
    "form.",
    "now.",
    "rule.",
    "ui.",
)  # what the page says besides; its own tests see to it
TEXTS: Final = {key: text for key, text in texts("clue").items() if not key.startswith(PAGE)}

TRIO = trio_of("Green Wrench Lounge")
NAMED: dict[str, Any] = {"suspect": Term("Green"), "weapon": Term("Wrench"), "room": Term("Lounge")}
BY: dict[str, Any] = {"seat": Who(1)}

TOLD: list[tuple[Event, Message]] = [
    (
        Opened(game="clue", rules=1, seats=3, options=Options(), tokens=("Scarlet", "Mustard", "White"), starter=2),
        Message("opened", {"tokens": (Term("Scarlet"), Term("Mustard"), Term("White")), "seat": Who(2)}),
    ),
    (WeaponsPlaced(rooms=ROOMS[:6]), Message("weapons_placed", dict(zip(WEAPONS, map(Term, ROOMS[:6]), strict=True)))),
    (EnvelopeFilled(trio=TRIO), Message("envelope_filled.seen", NAMED)),
    (EnvelopeFilled(trio=None), Message("envelope_filled")),
    (
        HandDealt(seat=1, size=2, cards=("Plum", "Hall")),
        Message("hand_dealt.seen", {**BY, "size": 2, "cards": (Term("Plum"), Term("Hall"))}),
    ),
    (HandDealt(seat=1, size=2, cards=None), Message("hand_dealt", {**BY, "size": 2})),
    (
        SideCardsLaid(count=2, cards=("Plum", "Hall")),
        Message("side_cards_laid.seen", {"count": 2, "cards": (Term("Plum"), Term("Hall"))}),
    ),
    (SideCardsLaid(count=4, cards=None), Message("side_cards_laid", {"count": 4})),
    (TurnBegan(seat=1), Message("turn_began", BY)),
    (DiceThrown(seat=1, dice=(5,)), Message("dice_thrown", {**BY, "throw": 5})),
    (DiceThrown(seat=1, dice=(5, 6)), Message("dice_thrown", {**BY, "throw": 11})),
    (Moved(seat=1, path=(), to="Hall"), Message("moved.room", {**BY, "room": Term("Hall")})),
    (Moved(seat=1, path=(), to=place_of((0, 16))), Message("moved.start", {**BY, "token": Term("Scarlet")})),
    (Moved(seat=1, path=(), to=place_of((6, 17))), Message("moved.door", {**BY, "room": Term("Lounge")})),
    (Moved(seat=1, path=(), to=place_of((6, 18))), Message("moved.step", {**BY, "room": Term("Lounge")})),
    (Moved(seat=1, path=(), to=place_of((6, 19))), Message("moved.steps", {**BY, "room": Term("Lounge"), "steps": 2})),
    (PassageTaken(seat=1, to="Study"), Message("passage_taken", {**BY, "room": Term("Study")})),
    (Stayed(seat=1), Message("stayed", BY)),
    (NotMoved(seat=1), Message("not_moved", BY)),
    (Suggested(seat=1, trio=TRIO), Message("suggested", {**BY, **NAMED})),
    (CouldNotShow(seat=1), Message("could_not_show", BY)),
    (CardShown(seat=1, to=0, card="Rope"), Message("card_shown.seen", {**BY, "to": Who(0), "card": Term("Rope")})),
    (CardShown(seat=1, to=0, card=None), Message("card_shown", {**BY, "to": Who(0)})),
    (
        SideCardSeen(seat=1, position=3, card="Rope"),
        Message("side_card_seen.seen", {**BY, "position": 3, "card": Term("Rope")}),
    ),
    (SideCardSeen(seat=1, position=3, card=None), Message("side_card_seen", {**BY, "position": 3})),
    (Accused(seat=1, trio=TRIO, right=True), Message("accused.right", {**BY, **NAMED})),
    (Accused(seat=1, trio=TRIO, right=False), Message("accused.wrong", {**BY, **NAMED})),
    (EnvelopeSeen(seat=1, trio=TRIO), Message("envelope_seen.seen", {**BY, **NAMED})),
    (EnvelopeSeen(seat=1, trio=None), Message("envelope_seen", BY)),
    (TokenStoodAside(seat=1, room="Study"), Message("token_stood_aside", {**BY, "room": Term("Study")})),
    (EnvelopeOpened(trio=TRIO), Message("envelope_opened", NAMED)),
    (GameEnded(winner=1, how="solved"), Message("game_ended.solved", BY)),
    (GameEnded(winner=1, how="last_active"), Message("game_ended.last_active", BY)),
    (GameEnded(winner=None, how="all_out"), Message("game_ended.all_out")),
    (GameEnded(winner=None, how="no_result"), Message("game_ended.no_result")),
]


DEEDS: list[tuple[Action, Message]] = [
    (Roll(), Message("deed.Roll")),
    (Move("Lounge"), Message("deed.Move.room", {"room": Term("Lounge")})),
    (Move(place_of((0, 16))), Message("deed.Move.start", {"token": Term("Scarlet")})),
    (Move(place_of((6, 17))), Message("deed.Move.door", {"room": Term("Lounge")})),
    (Move(place_of((7, 17))), Message("deed.Move.step", {"room": Term("Lounge")})),
    (Move(place_of((7, 19))), Message("deed.Move.steps", {"room": Term("Lounge"), "steps": 3})),
    (TakePassage(), Message("deed.TakePassage")),
    (StayAndSuggest("Green", "Wrench", "Lounge"), Message("deed.StayAndSuggest", NAMED)),
    (NoMove(), Message("deed.NoMove")),
    (Suggest("Green", "Wrench", "Lounge"), Message("deed.Suggest", NAMED)),
    (Show("Green"), Message("deed.Show", {"card": Term("Green")})),
    (CannotShow(), Message("deed.CannotShow")),
    (LookAside(2), Message("deed.LookAside", {"position": 2})),
    (Accuse("Green", "Wrench", "Lounge"), Message("deed.Accuse", NAMED)),
    (EndTurn(), Message("deed.EndTurn")),
]
SAID = [Message("reply.nobody"), Message("assumes.seen_first"), Message("assumes.later", {"share": 85})]
"""What the judge says besides."""


@pytest.mark.parametrize(("action", "message"), DEEDS)
def test_an_action_is_told_in_a_few_words(action: Action, message: Message) -> None:
    """And a square by what it is near to: a bare number says nothing to anybody."""
    assert CLUE.tell_action(action) == message


def test_every_action_is_told() -> None:
    assert {type(action) for action, _ in DEEDS} == set(get_args(AnyAction))


@pytest.mark.parametrize(("event", "message"), TOLD)
def test_an_event_is_told_in_one_message(event: Event, message: Message) -> None:
    assert CLUE.tell(event) == message


def test_every_event_is_told_in_every_form() -> None:
    """The list above leaves out no event, and no form that a viewer who knows less gets to see."""
    told = [event for event, _ in TOLD]

    assert {type(event) for event in told} == set(get_args(AnyEvent))
    assert {type(event) for event in told if event != redact(event, TABLE)} == {
        kind for kind in get_args(AnyEvent) if secrets(kind)
    }
    ends = {event.how for event in told if isinstance(event, GameEnded)}
    assert ends == set(get_args(GameEnded.__annotations__["how"]))


def test_what_is_hidden_is_not_told() -> None:
    """CLUE-41, CLUE-49: a redacted event's message names no card that the full one does."""
    for event, message in TOLD:
        if event != redact(event, TABLE):
            public = CLUE.tell(redact(event, TABLE))
            assert public.key == message.key.removesuffix(".seen")
            assert not {"card", "cards", "suspect", "weapon", "room"} & set(public.params)


def test_every_message_term_and_option_has_its_text_and_no_text_is_left_over() -> None:
    options = [option.name for option in CLUE.INFO.describe()]

    assert sorted(TEXTS) == sorted(
        {
            "name",
            *(message.key for _, message in TOLD),
            *(f"term.{card}" for card in PACK),
            *(f"option.{name}" for name in options),
            *(f"option.{name}.text" for name in options),
            *(message.key for message in CLUE.belief(0, "motives").assumes()),
            *(message.key for _, message in DEEDS),
            *(message.key for message in SAID),
            "why.hand",
        }
    )
    assert all(text.strip() == text != "" for text in TEXTS.values())


@pytest.mark.parametrize("key", TEXTS)
def test_the_gaps_of_a_text_are_the_parameters_of_its_message(key: str) -> None:
    gaps = {name for _, name, _, _ in Formatter().parse(TEXTS[key]) if name is not None}
    messages = [*(message for _, message in (*TOLD, *DEEDS)), *SAID]
    params = [set(message.params) for message in messages if message.key == key] or [set()]

    assert all(gaps == names for names in params)


def test_cards_are_called_by_their_names() -> None:
    """Section 2: as printed on them."""
    assert [TEXTS[f"term.{card}"] for card in PACK] == [
        "Miss Scarlet", "Col. Mustard", "Mrs. White", "Mr. Green", "Mrs. Peacock", "Prof. Plum",
        "Rope", "Lead Pipe", "Knife", "Wrench", "Candlestick", "Revolver",
        "Study", "Hall", "Lounge", "Library", "Billiard Room", "Dining Room", "Conservatory", "Ballroom", "Kitchen",
    ]  # fmt: skip
