"""The log of a game: one message for every event in every form, and a text for every message in every language."""

from string import Formatter
from typing import Any, Final, get_args

import pytest

from tests.games.crime_hotel.staging import HOTEL
from whodunit.core.redact import redact, secrets
from whodunit.core.types import TABLE, Action, Event, Message, Term, Who
from whodunit.games import LANGUAGES, texts
from whodunit.games.crime_hotel.facts import CARDS, DEPARTMENTS, PLACES
from whodunit.games.crime_hotel.model import (
    AnyAction,
    AnyEvent,
    CardPlayed,
    DeskTaken,
    Exchange,
    Exchanged,
    GameEnded,
    Guess,
    Guessed,
    HandDealt,
    InvestigationBegan,
    LastCardLaid,
    LayLast,
    Look,
    LookDeclined,
    Looked,
    LotLeft,
    MurdererFound,
    MurdererHidden,
    Opened,
    Options,
    Parked,
    Play,
    Relocate,
    Relocated,
    RoomsLit,
    RoundBegan,
    Scored,
    TakeDesk,
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
)  # what the page says; others see to it
BY: dict[str, Any] = {"seat": Who(1)}
FOUR: dict[str, Any] = {f"seat{n}": Who(n) for n in range(4)} | {f"points{n}": n + 1 for n in range(4)}

TOLD: list[tuple[Event, Message]] = [
    (Opened(game="crime_hotel", rules=1, seats=3, options=Options(), car=1), Message("opened", BY)),
    (InvestigationBegan(number=2), Message("investigation_began", {"number": 2})),
    (HandDealt(seat=1, size=6, cards=None), Message("hand_dealt", {**BY, "size": 6})),
    (
        HandDealt(seat=1, size=2, cards=(11, 27)),
        Message("hand_dealt.seen", {**BY, "size": 2, "cards": (Term("11"), Term("27"))}),
    ),
    (MurdererHidden(card=None), Message("murderer_hidden")),
    (MurdererHidden(card=27), Message("murderer_hidden.seen", {"card": Term("27")})),
    (RoomsLit(cards=(11, 39)), Message("rooms_lit", {"cards": (Term("11"), Term("39"))})),
    (RoundBegan(number=3, seat=1), Message("round_began", {**BY, "number": 3})),
    (CardPlayed(seat=1, card=23), Message("card_played", {**BY, "card": Term("23")})),
    (
        CardPlayed(seat=1, card=35, lacks=2),
        Message("card_played.lacking", {**BY, "card": Term("35"), "floor": Term("floor 2")}),
    ),
    (Parked(lots=(2, 0, 1)), Message("parked.3", {"lot1": Who(2), "lot2": Who(0), "lot3": Who(1)})),
    (
        Parked(lots=(2, 0, 1, 3)),
        Message("parked.4", {"lot1": Who(2), "lot2": Who(0), "lot3": Who(1), "lot4": Who(3)}),
    ),
    (Guessed(seat=1, place="room 27"), Message("guessed", {**BY, "place": Term("room 27")})),
    (
        DeskTaken(seat=1, department="BONUS", desk=2),
        Message("desk_taken", {**BY, "department": Term("BONUS"), "desk": 2}),
    ),
    (
        Relocated(seat=1, origin="floor 2", to="column 7"),
        Message("relocated", {**BY, "origin": Term("floor 2"), "to": Term("column 7")}),
    ),
    (
        Exchanged(seat=1, partner=0, count=1, given=None, drawn=None),
        Message("exchanged", {**BY, "partner": Who(0), "count": 1}),
    ),
    (
        Exchanged(seat=1, partner=0, count=1, given=(11,), drawn=(12,)),
        Message(
            "exchanged.seen", {**BY, "partner": Who(0), "count": 1, "given": (Term("11"),), "drawn": (Term("12"),)}
        ),
    ),
    (Looked(seat=1, target=0, count=2, cards=None), Message("looked", {**BY, "target": Who(0), "count": 2})),
    (
        Looked(seat=1, target=0, count=1, cards=(31,)),
        Message("looked.seen", {**BY, "target": Who(0), "count": 1, "cards": (Term("31"),)}),
    ),
    (LookDeclined(seat=1), Message("look_declined", BY)),
    (LotLeft(seat=1, back=True), Message("lot_left.back", BY)),
    (LotLeft(seat=1, back=False), Message("lot_left.out", BY)),
    (LastCardLaid(seat=1, card=19), Message("last_card_laid", {**BY, "card": Term("19")})),
    (MurdererFound(card=27), Message("murderer_found", {"card": Term("27")})),
    (
        Scored(points=(7, 13, 0)),
        Message(
            "scored.3",
            {"seat0": Who(0), "points0": 7, "seat1": Who(1), "points1": 13, "seat2": Who(2), "points2": 0},
        ),
    ),
    (
        Scored(points=(1, 2, 3, 4)),
        Message("scored.4", FOUR),
    ),
    (GameEnded(winners=(1,), how="points"), Message("game_ended.points", BY)),
    (GameEnded(winners=(1,), how="car"), Message("game_ended.car", BY)),
    (GameEnded(winners=(1,), how="late_points"), Message("game_ended.late_points", BY)),
    (GameEnded(winners=(0, 2), how="tie"), Message("game_ended.tie", {"count": 2})),
]

DEEDS: list[tuple[Action, Message]] = [
    (Play(23), Message("deed.Play", {"card": Term("23")})),
    (Guess("room 27"), Message("deed.Guess", {"place": Term("room 27")})),
    (TakeDesk("BONUS"), Message("deed.TakeDesk", {"department": Term("BONUS")})),
    (TakeDesk("LOOK"), Message("action.TakeDesk.LOOK")),
    (TakeDesk("RELOCATE"), Message("action.TakeDesk.RELOCATE")),
    (Relocate("floor 2", "column 7"), Message("deed.Relocate", {"origin": Term("floor 2"), "to": Term("column 7")})),
    (Exchange(0, (11, 12)), Message("deed.Exchange", {"partner": Who(0), "cards": (Term("11"), Term("12"))})),
    (Look(2), Message("deed.Look", {"target": Who(2)})),
    (LayLast(), Message("action.LayLast")),
]
ASSUMED: Final = (
    Message("assumes.thumb"),
    Message("assumes.sampled", {"count": 128}),
    Message("assumes.read", {"loss": "1.5"}),
)
SAID: Final = [message for _, message in (*TOLD, *DEEDS)] + list(ASSUMED)


@pytest.mark.parametrize(("action", "message"), DEEDS)
def test_a_deed_is_told_in_words(action: Action, message: Message) -> None:
    assert HOTEL.tell_action(action) == message


def test_every_deed_is_told_and_its_words_are_there() -> None:
    assert {type(action) for action, _ in DEEDS} == set(get_args(AnyAction))
    for language in LANGUAGES:
        words = texts("crime_hotel", language)
        assert all(message.key in words for _, message in DEEDS)


@pytest.mark.parametrize(("event", "message"), TOLD)
def test_an_event_is_told_in_one_message(event: Event, message: Message) -> None:
    assert HOTEL.tell(event) == message


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
    """HOTEL-6, HOTEL-7, HOTEL-31, HOTEL-32: a redacted event's message names no card."""
    for event, message in TOLD:
        if event != redact(event, TABLE):
            public = HOTEL.tell(redact(event, TABLE))
            assert public.key == message.key.removesuffix(".seen")
            assert not {"card", "cards", "given", "drawn"} & set(public.params)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_term_and_option_has_its_text_and_no_text_is_left_over(language: str) -> None:
    options = [option.name for option in HOTEL.INFO.describe()]
    words = {key: text for key, text in texts("crime_hotel", language).items() if not key.startswith(PAGE)}

    assert sorted(words) == sorted(
        {
            "name",
            *(message.key for message in SAID if not message.key.startswith(PAGE)),
            *(f"term.{word}" for word in (*PLACES, *CARDS, *DEPARTMENTS)),
            *(f"option.{name}" for name in options),
            *(f"option.{name}.text" for name in options),
            *(message.key for message in HOTEL.belief(0, "motives").assumes()),
            "why.hand",
            "why.dark",
        }
    )
    assert all(text.strip() == text != "" for text in words.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_gaps_of_a_text_are_the_parameters_of_its_message(language: str) -> None:
    for key, text in texts("crime_hotel", language).items():
        if key.startswith(PAGE):
            continue
        gaps = {name for _, name, _, _ in Formatter().parse(text) if name is not None}
        params = [set(message.params) for message in SAID if message.key == key] or [set()]

        assert all(gaps == names for names in params), key
