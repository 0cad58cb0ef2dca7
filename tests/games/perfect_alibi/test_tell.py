"""The log of a game: one message for every event in every form, and a text for every message in both languages."""

from string import Formatter
from typing import Any, Final, get_args

import pytest

from tests.games.perfect_alibi.staging import ALIBI
from whodunit.core.redact import redact, secrets
from whodunit.core.types import TABLE, Event, Message, Term, Who
from whodunit.games import LANGUAGES, texts
from whodunit.games.perfect_alibi.evidence import TILES
from whodunit.games.perfect_alibi.facts import ASSISTANTS, COLOURS, ELEMENTS, PACK, PASSENGERS
from whodunit.games.perfect_alibi.model import (
    AnswerConfirmed,
    AnswerCorrected,
    Answered,
    AnswerFoundWrong,
    AnyAction,
    AnyEvent,
    Asked,
    AssistantChanged,
    AssistantPicked,
    CardDrawn,
    CardHidden,
    CardShown,
    CardsOpened,
    Chip,
    ChipReplaced,
    ChipTaken,
    ConfirmationAsked,
    CookLeft,
    GameEnded,
    HandDealt,
    MissingSeen,
    Opened,
    Options,
    ReplacementTaken,
    Revealed,
    RivalDealt,
    RowLaid,
    Slammed,
    TimeRanOut,
    TreacheryClaimed,
    TurnBegan,
    TurnHurried,
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
)  # what the page says; its own tests see to it
ENGLISH: Final = {key: text for key, text in texts("perfect_alibi").items() if not key.startswith(PAGE)}

BY: dict[str, Any] = {"seat": Who(1)}
HOLDING: Final = ("Captain", "Priest", "Cook")
CHIP: Final = Chip("red", "wheel", False)
CLOCK: Final = Chip("blue", "clock", True)
ROW: dict[str, Any] = {
    **{f"colour{place}": Term(colour) for place, colour in enumerate(("red", "blue", "red", "blue"), 1)},
    **{f"symbol{place}": Term(symbol) for place, symbol in enumerate(("wheel", "clock with arrows") * 2, 1)},
}


def asked(way: Any) -> Asked:
    return Asked(question=4, seat=1, answerer=2, elements=("Bar", "Library"), holding=HOLDING, way=way)


ASKED: dict[str, Any] = {
    **BY,
    "answerer": Who(2),
    "elements": (Term("Bar"), Term("Library")),
    "assistant": Term("Priest"),
}
TAKEN: dict[str, Any] = {**BY, "answerer": Who(2), "colour": Term("red")}
CLAIMED: dict[str, Any] = {**BY, "accused": Who(2), "questions": "3, 7"}

TOLD: list[tuple[Event, Message]] = [
    (
        Opened(game="perfect_alibi", rules=1, seats=3, options=Options(), colours=("red", "blue", "white")),
        Message("opened", {"colours": (Term("red"), Term("blue"), Term("white"))}),
    ),
    (CardHidden(card="Bar-3"), Message("card_hidden.seen", {"card": Term("Bar-3")})),
    (CardHidden(card=None), Message("card_hidden")),
    (
        HandDealt(seat=1, size=2, cards=("Bar-3", "Bar-6")),
        Message("hand_dealt.seen", {**BY, "size": 2, "cards": (Term("Bar-3"), Term("Bar-6"))}),
    ),
    (HandDealt(seat=1, size=2, cards=None), Message("hand_dealt", {**BY, "size": 2})),
    (CardsOpened(cards=("Bar-3",)), Message("cards_opened", {"cards": (Term("Bar-3"),)})),
    (RivalDealt(seat=1, tile="Cook"), Message("rival_dealt.seen", {**BY, "card": Term("Cook")})),
    (RivalDealt(seat=1, tile=None), Message("rival_dealt", BY)),
    (RowLaid(chips=(CHIP, CLOCK, CHIP, CLOCK), first=1), Message("row_laid", {**BY, **ROW})),
    (AssistantPicked(seat=1, assistant="Cook"), Message("assistant_picked", {**BY, "assistant": Term("Cook")})),
    (TurnBegan(seat=1), Message("turn_began", BY)),
    (ChipTaken(seat=1, place=2, chip=CHIP, answerer=2), Message("chip_taken.wheel", TAKEN)),
    (ChipTaken(seat=1, place=2, chip=Chip("red", "clock", False), answerer=2), Message("chip_taken.clock", TAKEN)),
    (
        ChipTaken(seat=1, place=2, chip=Chip("red", "wheel", True), answerer=2),
        Message("chip_taken.wheel.arrows", TAKEN),
    ),
    (
        ChipTaken(seat=1, place=2, chip=Chip("red", "clock", True), answerer=2),
        Message("chip_taken.clock.arrows", TAKEN),
    ),
    (
        AssistantChanged(seat=1, gave="Cook", took="Priest", taken_from=None),
        Message("assistant_changed.pool", {**BY, "gave": Term("Cook"), "took": Term("Priest")}),
    ),
    (
        AssistantChanged(seat=1, gave="Cook", took="Priest", taken_from=0),
        Message("assistant_changed.player", {**BY, "gave": Term("Cook"), "took": Term("Priest"), "whose": Who(0)}),
    ),
    (ReplacementTaken(seat=1, assistant="Cook"), Message("replacement_taken", {**BY, "assistant": Term("Cook")})),
    (asked("chip"), Message("asked.chip", ASKED)),
    (asked("journalist"), Message("asked.journalist", ASKED)),
    (asked("last"), Message("asked.last", ASKED)),
    (Answered(question=4, seat=1, said=2, due=True), Message("answered.heard", {**BY, "said": 2})),
    (Answered(question=4, seat=1, said=0, due=False), Message("answered.heard", {**BY, "said": 0})),
    (Answered(question=4, seat=1, said=None, due=True), Message("answered", BY)),
    (
        CardShown(question=4, seat=1, to=0, card="Bar-3"),
        Message("card_shown.seen", {**BY, "to": Who(0), "card": Term("Bar-3")}),
    ),
    (CardShown(question=4, seat=1, to=0, card=None), Message("card_shown", {**BY, "to": Who(0)})),
    (
        CardDrawn(question=4, seat=1, answerer=0, card="Bar-3"),
        Message("card_drawn.seen", {**BY, "answerer": Who(0), "card": Term("Bar-3")}),
    ),
    (CardDrawn(question=4, seat=1, answerer=0, card=None), Message("card_drawn", {**BY, "answerer": Who(0)})),
    (CookLeft(seat=1), Message("cook_left", BY)),
    (
        ChipReplaced(place=2, chip=CHIP, reshuffled=False),
        Message("chip_replaced", {"place": 2, "colour": Term("red"), "symbol": Term("wheel")}),
    ),
    (
        ChipReplaced(place=2, chip=CLOCK, reshuffled=False),
        Message("chip_replaced", {"place": 2, "colour": Term("blue"), "symbol": Term("clock with arrows")}),
    ),
    (
        ChipReplaced(place=2, chip=CHIP, reshuffled=True),
        Message("chip_replaced.reshuffled", {"place": 2, "colour": Term("red"), "symbol": Term("wheel")}),
    ),
    (Slammed(seat=1, card="Bar-3", right=True), Message("slammed.right.seen", {**BY, "card": Term("Bar-3")})),
    (Slammed(seat=1, card=None, right=True), Message("slammed.right", BY)),
    (Slammed(seat=1, card="Bar-3", right=False), Message("slammed.wrong.seen", {**BY, "card": Term("Bar-3")})),
    (Slammed(seat=1, card=None, right=False), Message("slammed.wrong", BY)),
    (MissingSeen(seat=1, card="Bar-3"), Message("missing_seen.seen", {**BY, "card": Term("Bar-3")})),
    (MissingSeen(seat=1, card=None), Message("missing_seen", BY)),
    (TimeRanOut(seat=1), Message("time_ran_out", BY)),
    (TurnHurried(seat=1), Message("turn_hurried", BY)),
    (
        ConfirmationAsked(seat=1, question=4, answerer=0),
        Message("confirmation_asked", {**BY, "question": 4, "answerer": Who(0)}),
    ),
    (AnswerConfirmed(seat=1, question=4), Message("answer_confirmed", {**BY, "question": 4})),
    (AnswerFoundWrong(seat=1, question=4), Message("answer_found_wrong", {**BY, "question": 4})),
    (
        AnswerCorrected(seat=1, question=4, said=2, due=True),
        Message("answer_corrected.heard", {**BY, "question": 4, "said": 2}),
    ),
    (AnswerCorrected(seat=1, question=4, said=None, due=True), Message("answer_corrected", {**BY, "question": 4})),
    (TreacheryClaimed(seat=1, accused=2, questions=(3, 7), right=True), Message("treachery_claimed.right", CLAIMED)),
    (TreacheryClaimed(seat=1, accused=2, questions=(3, 7), right=False), Message("treachery_claimed.wrong", CLAIMED)),
    (Revealed(missing="Bar-3", hands=(), rivals=(), said=()), Message("revealed", {"card": Term("Bar-3")})),
    *((GameEnded(winner=1, how=how), Message(f"game_ended.{how}", BY)) for how in ("solved", "last_left", "treachery")),
]


@pytest.mark.parametrize(("event", "message"), TOLD)
def test_an_event_is_told_in_one_message(event: Event, message: Message) -> None:
    assert ALIBI.tell(event) == message


def test_every_event_is_told_in_every_form() -> None:
    """The list above leaves out no event, and no form that a viewer who knows less gets to see."""
    told = [event for event, _ in TOLD]

    assert {type(event) for event in told} == set(get_args(AnyEvent))
    assert {type(event) for event in told if event != redact(event, TABLE)} == {
        kind for kind in get_args(AnyEvent) if secrets(kind)
    }


def test_what_is_hidden_is_not_told() -> None:
    """ALIBI-32, ALIBI-47, ALIBI-54: a redacted event's message names no card and no number that the full one does."""
    for event, message in TOLD:
        if event != redact(event, TABLE):
            public = ALIBI.tell(redact(event, TABLE))
            assert public.key == message.key.removesuffix(".seen").removesuffix(".heard")
            assert not {"card", "cards", "said"} & set(public.params)


def test_every_message_term_and_option_has_its_text_and_no_text_is_left_over() -> None:
    options = [option.name for option in ALIBI.INFO.describe()]
    choices = [option for option in ALIBI.INFO.describe() if option.kind == "choice"]
    symbols = ("wheel", "clock", "wheel with arrows", "clock with arrows")
    terms = (*COLOURS, *symbols, *ASSISTANTS, *ELEMENTS, *PACK, *PASSENGERS, *TILES)

    assert sorted(ENGLISH) == sorted(
        {
            "name",
            *(message.key for _, message in TOLD),
            *(f"term.{term}" for term in terms),
            *(f"power.{assistant}" for assistant in ASSISTANTS),
            *(f"option.{name}" for name in options),
            *(f"option.{name}.text" for name in options),
            *(f"option.{option.name}.{value}" for option in choices for value in option.values),
            *(f"deed.{action.__name__}" for action in get_args(AnyAction) if f"deed.{action.__name__}" in ENGLISH),
            *(f"reply.{how}" for how in ("shown", "drawn", "card")),
            "assumes.even_choice",
            "assumes.seen_first",
            "assumes.best_question",
            "assumes.even_lie",
            "assumes.counts_rightly",
            "assumes.asks_unknown",
            "why.hand",
        }
    )
    assert all(text.strip() == text != "" for text in ENGLISH.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_messages_with_the_same_gaps(language: str) -> None:
    other = {key: text for key, text in texts("perfect_alibi", language).items() if not key.startswith(PAGE)}

    assert list(ENGLISH) == list(other)
    for key in ENGLISH:
        assert gaps(ENGLISH[key]) == gaps(other[key]), key


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("key", [key for key in ENGLISH if not key.startswith(("deed.", "reply."))])  # test_judge.py
def test_the_gaps_of_a_text_are_the_parameters_of_its_message(key: str) -> None:
    params = [set(message.params) for _, message in TOLD if message.key == key] or [set()]

    assert all(gaps(ENGLISH[key]) == names for names in params)
