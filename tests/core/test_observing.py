"""Fields, and the numbers that stand for what they tell."""

from types import SimpleNamespace
from typing import Any

import pytest

from whodunit.core.observing import AnyOf, Count, Field, Flag, Number, OneOf, Part, Round, names, nth, numbers, one
from whodunit.core.types import TABLE

CARDS = ("Rope", "Hall", "Plum")


def told(field: Field, value: Any) -> list[float]:
    return numbers(one(field, lambda view: view), value)


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        (OneOf("room", CARDS), "Hall", [0, 1, 0]),
        (OneOf("room", CARDS), None, [0, 0, 0]),
        (AnyOf("hand", CARDS), ("Rope", "Plum"), [1, 0, 1]),
        (AnyOf("hand", CARDS), None, [0, 0, 0]),
        (Number("cards", 6), 3, [0.5]),
        (Number("throw", 6, least=1), 1, [0]),
        (Number("none", 0), 0, [0]),
        (Number("cards", 6), None, [0]),
        (Count("turn", 10), 30, [0.75]),
        (Count("turn", 10), None, [0]),
        (Flag("out"), True, [1]),
        (Flag("out"), None, [0]),
    ],
)
def test_a_field_is_told_as_numbers(field: Field, value: Any, expected: list[float]) -> None:
    assert told(field, value) == expected


def test_every_number_has_a_name() -> None:
    fields = (OneOf("room", CARDS), AnyOf("hand", CARDS[:1]), Number("cards", 6), Count("turn"), Flag("out"))

    assert names(Part(fields, lambda view: view)) == [
        "room.Rope",
        "room.Hall",
        "room.Plum",
        "hand.Rope",
        "cards",
        "turn",
        "out",
    ]


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        (OneOf("room", CARDS), "Attic", "'Attic' is no value of room"),
        (AnyOf("hand", CARDS), ("Rope", "Attic"), "'Attic' is no value of hand"),
        (Number("cards", 6), 7, "cards is 7, not from 0 to 6"),
    ],
)
def test_what_a_field_cannot_tell_is_refused(field: Field, value: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        told(field, value)


def test_a_part_has_a_value_for_every_field() -> None:
    with pytest.raises(ValueError, match="zip"):
        numbers(Part((Flag("one"), Flag("two")), lambda view: view), (True,))


def test_seats_are_counted_from_ones_own() -> None:
    table = Round(4, 2)
    cards = table.each("cards", lambda name: Number(name, 6), "sizes")
    view = SimpleNamespace(sizes=(0, 1, 2, 3), hands=((), ("Rope",), None, None))

    assert table.order == (2, 3, 0, 1)
    assert names(cards) == ["cards", "seat 3.cards", "seat 0.cards", "seat 1.cards"]
    assert numbers(cards, cards.of(view)) == [2 / 6, 3 / 6, 0, 1 / 6]
    *_, last = table.apart("hand", lambda name: AnyOf(name, CARDS), "hands")
    assert (names(last)[0], numbers(last, last.of(view))) == ("seat 1.hand.Rope", [1, 0, 0])
    assert Round(3, TABLE).order == (0, 1, 2)
    assert Round(3, TABLE).name("hand", 0) == "seat 0.hand"


def test_what_is_not_there_yet_is_none() -> None:
    assert nth("weapons", 2)(SimpleNamespace(weapons=())) is None
