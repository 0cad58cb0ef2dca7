"""The log of a game: one message for every event in every form, and a text for every message in every language."""

from string import Formatter
from typing import Any, Final, get_args

import pytest

from tests.games.arosa.staging import AROSA
from whodunit.core.redact import redact, secrets
from whodunit.core.types import TABLE, Blob, Event, Message, Term, Who
from whodunit.games import LANGUAGES, texts
from whodunit.games.arosa.facts import COLOURS, FLOORS
from whodunit.games.arosa.judge import ASSUMES
from whodunit.games.arosa.model import (
    AnyAction,
    AnyEvent,
    Arrange,
    CluesPlaced,
    CluesTakenBack,
    CoveringAnnounced,
    CoverTracks,
    Dropped,
    Exposed,
    Found,
    GameEnded,
    Inspect,
    Opened,
    Options,
    OrderAwaited,
    ReturnAwaited,
    Suspect,
    Suspected,
    TakeBack,
    TurnBegan,
    VictimsFound,
)
from whodunit.tower import Lift, Resting

PAGE: Final = (
    "action.",
    "case.",
    "door.",
    "field.",
    "form.",
    "now.",
    "practice.",
    "rule.",
    "ui.",
    "why.hand",
)  # others see to it
DEEDS: Final = (
    Inspect(3),
    *(Suspect(tuple(range(1, names + 1)), 3) for names in range(1, 6)),
    CoverTracks(3),
    TakeBack(2),
    Arrange((1, 0)),
)
BY: dict[str, Any] = {"seat": Who(1)}
CLIP: Final = Blob("id", "audio/flac", b"noise")
THREE: Final = {**BY, "floor": Term("floor 3")}
DROPS: Final = get_args(Dropped.__annotations__["why"])
ENDS: Final = get_args(GameEnded.__annotations__["how"])


def _dropped(why: Any, moved: tuple[Resting, ...] | None) -> Dropped:
    return Dropped(seat=1, colour="gray", why=why, clip=CLIP, moved=moved)


def _found(*colours: Any, fallen: Any = ()) -> Exposed:
    lift = Lift(tuple(Resting(8 * n, 3) for n in range(len(colours))))
    return Exposed(seat=1, floor=3, found=tuple(map(Found, colours)), lift=lift, fallen=fallen)


TOLD: list[tuple[Event, Message]] = [
    (
        Opened(game="arosa", rules=1, seats=3, options=Options(), victim_dropper=2, investigator=1),
        Message("opened", {**BY, "dropper": Who(2)}),
    ),
    *((_dropped(why, None), Message(f"dropped.{why}", {**BY, "colour": Term("gray")})) for why in DROPS),
    *(
        (
            _dropped(why, (Resting(12, 5), Resting(4, 0))),
            Message(f"dropped.{why}.seen", {**BY, "colour": Term("gray"), "floor": Term("floor 5")}),
        )
        for why in DROPS
    ),
    (TurnBegan(seat=1, act=1), Message("turn_began.1", BY)),
    (TurnBegan(seat=1, act=2), Message("turn_began.2", BY)),
    *(
        (
            Suspected(seat=1, suspects=tuple(range(2, 2 + n)), floor=3),
            Message(f"suspected.{n}", {**THREE, **{f"suspect{place}": Who(place + 1) for place in range(1, n + 1)}}),
        )
        for n in range(1, 6)
    ),
    (CoveringAnnounced(seat=1, floor=3), Message("covering_announced", THREE)),
    (_found(), Message("exposed.empty", THREE)),
    (_found("blue", "blue"), Message("exposed", {**THREE, "found": (Term("blue"), Term("blue"))})),
    (
        _found("red", fallen=("gray",)),
        Message("exposed.spilled", {**THREE, "found": (Term("red"),), "fallen": (Term("gray"),)}),
    ),
    (_found(fallen=("gray",)), Message("exposed.empty.spilled", {**THREE, "fallen": (Term("gray"),)})),
    (VictimsFound(floor=3, count=1), Message("victims_found.1", {"floor": Term("floor 3")})),
    (VictimsFound(floor=3, count=2), Message("victims_found.2", {"floor": Term("floor 3")})),
    (CluesPlaced(seat=1, floor=3, count=2), Message("clues_placed", {**THREE, "count": 2})),
    (
        CluesPlaced(seat=1, floor=3, count=5, missing=2),
        Message("clues_placed.short", {**THREE, "count": 5, "missing": 2}),
    ),
    (CluesTakenBack(seat=1, floor=3, count=1), Message("clues_taken_back", {**THREE, "count": 1})),
    (ReturnAwaited(seat=1, floor=3, most=2), Message("return_awaited", {**THREE, "most": 2})),
    (OrderAwaited(seat=1, penalty=1), Message("order_awaited", BY)),
    *(
        (
            GameEnded(winners=(0,), culprits=(1,), totals=tuple(range(n)), how=how),
            Message(
                f"game_ended.{how}.{n}",
                {**{f"seat{seat}": Who(seat) for seat in range(n)}, **{f"points{seat}": seat for seat in range(n)}},
            ),
        )
        for how in ENDS
        for n in range(2, 7)
    ),
]


@pytest.mark.parametrize(("event", "message"), TOLD)
def test_an_event_is_told_in_one_message(event: Event, message: Message) -> None:
    assert AROSA.tell(event) == message


def test_every_event_is_told_in_every_form() -> None:
    """The list above leaves out no event, and no form that a viewer who knows less gets to see."""
    told = [event for event, _ in TOLD]

    assert {type(event) for event in told} == set(get_args(AnyEvent))
    assert {type(event) for event in told if event != redact(event, TABLE)} == {
        kind for kind in get_args(AnyEvent) if secrets(kind)
    }


def test_what_is_hidden_is_not_told() -> None:
    """AROSA-11: a drop's line names no floor while the case is open."""
    for event, message in TOLD:
        public = AROSA.tell(redact(event, TABLE))
        assert public.key == message.key.removesuffix(".seen")
        if isinstance(event, Dropped):
            assert set(public.params) == {"seat", "colour"}


def test_every_action_is_told() -> None:
    assert {type(action) for action in DEEDS} == set(get_args(AnyAction))
    assert AROSA.tell_action(Suspect((2, 0), 3, arrange=True)) == Message(
        "deed.Suspect.2", {"floor": Term("floor 3"), "suspect1": Who(2), "suspect2": Who(0)}
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_term_and_option_has_its_text_and_no_text_is_left_over(language: str) -> None:
    described = AROSA.INFO.describe()
    options = [option.name for option in described]
    choices = [(option.name, value) for option in described for value in option.values if isinstance(value, str)]
    words = {key: text for key, text in texts("arosa", language).items() if not key.startswith(PAGE)}

    assert sorted(words) == sorted(
        {
            "name",
            *(message.key for _, message in TOLD),
            *(f"term.{colour}" for colour in COLOURS),
            *(f"term.floor {floor}" for floor in FLOORS),
            *(f"option.{name}" for name in options),
            *(f"option.{name}.text" for name in options),
            *(f"option.{name}.{value}" for name, value in choices),
            *(message.key for message in (*AROSA.belief(0).assumes(), *ASSUMES)),
            *(AROSA.tell_action(action).key for action in DEEDS),
            "found.else",
            "why.none_inside",
            "why.none_since",
        }
    )
    assert all(text.strip() == text != "" for text in words.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_gaps_of_a_text_are_the_parameters_of_its_message(language: str) -> None:
    for key, text in texts("arosa", language).items():
        if key.startswith(PAGE):
            continue
        gaps = {name for _, name, _, _ in Formatter().parse(text) if name is not None}
        said = [*(message for _, message in TOLD), *ASSUMES, *map(AROSA.tell_action, DEEDS)]
        params = [set(message.params) for message in said if message.key == key] or [set()]

        assert all(gaps == names for names in params), key
