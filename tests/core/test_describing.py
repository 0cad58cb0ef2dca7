"""How any value is said in words, by its type alone."""

from types import SimpleNamespace
from typing import Annotated, Any, Literal

import pytest
from msgspec import Struct

from whodunit.conformance.reading import Reader
from whodunit.core.describing import NUMBERED, Describer, by, known_as
from whodunit.core.info import Options
from whodunit.core.offer import Offer, One, Order, Some
from whodunit.core.types import TABLE, Action, BySeat, Seat
from whodunit.games import described

Place = Annotated[int, known_as({7: "h4"})] | Literal["Hall", "Study"]


class Card(Struct, frozen=True):
    name: Literal["Rope", "Hall"]
    marked: bool


class Walking(Struct, frozen=True, tag=True):
    to: Place
    seen: tuple[Card, ...]


class Waiting(Struct, frozen=True, tag=True):
    pass


class Told(Struct, frozen=True):
    by: Seat
    cards: tuple[Literal["Rope", "Hall"], ...]


class State(Struct, frozen=True, kw_only=True):
    options: Options = Options()
    on_turn: Seat = 0
    phase: Walking | Waiting = Waiting()
    places: Annotated[tuple[Place, ...], by(("Scarlet", "Plum"))] = (7, "Hall")
    hands: BySeat[tuple[Literal["Rope", "Hall"], ...] | None] = (("Rope", "Hall"), None)
    row: Annotated[tuple[BySeat[int], ...], NUMBERED] = ()
    log: tuple[Told, ...] = ()
    pairs: tuple[tuple[int, ...], ...] = ()
    out: frozenset[Seat] = frozenset()
    weight: float | None = None


class Go(Action, frozen=True):
    to: Place
    with_whom: tuple[Seat, ...]
    order: tuple[int, ...]
    quickly: bool


OF_THE_HOUSE = [key for key in described("clue") if key.startswith(("told.", "term.", "field.", "name"))]
TEXTS = {
    **{key: described("clue")[key] for key in OF_THE_HOUSE if key not in {"told.Walking", "field.hands"}},
    "told.Card": "{name}, marked: {marked}",
    "field.to": "Place",
}
WORDS = Describer(TEXTS)
GAME: Any = SimpleNamespace(INFO=SimpleNamespace(state=State, action=Go | Go))
READER = Reader(GAME, TEXTS)


def line(view: State, label: str) -> str:
    (said,) = (entry for entry in WORDS.view(view).split("\n") if entry.startswith(f"{label}: "))
    return said.removeprefix(f"{label}: ")


def test_whose_view_it_is_stands_above() -> None:
    assert WORDS.view(State(), 1).split("\n")[:2] == ["Clue", "You: player 2"]
    assert WORDS.view(State(), TABLE).split("\n")[:2] == ["Clue", "You: only looking on"]
    assert "You" not in WORDS.view(State())


def test_places_have_names_and_things_their_own_separator() -> None:
    view = State()

    assert "Miss Scarlet: h4; Prof. Plum: Hall" in WORDS.view(view)
    assert line(view, "hands") == "player 1: Rope + Hall; player 2: not known"


def test_what_has_no_label_is_called_by_its_name_in_the_code() -> None:
    assert line(State(row=((1, 2), (3, 4))), "row") == "1: (player 1: 1; player 2: 2); 2: (player 1: 3; player 2: 4)"
    assert line(State(phase=Walking(to="Study", seen=())), "Now") == "Walking (Place: Study; seen: none)"


def test_a_sentence_for_a_type_is_used_wherever_it_stands() -> None:
    seen = (Card("Rope", True), Card("Hall", False))

    assert line(State(phase=Walking(to=7, seen=seen)), "Now") == (
        "Walking (Place: h4; seen: Rope, marked: yes + Hall, marked: no)"
    )


def test_a_phase_without_fields_may_have_its_word_from_the_plain_table() -> None:
    view = Describer(TEXTS | {"phase.Waiting": "nobody moves", "phase.Walking": "somebody walks"}).view(State())

    assert "Now: nobody moves" in view


def test_things_that_hold_lists_have_a_line_each() -> None:
    view = State(log=(Told(0, ("Rope",)), Told(1, ())))

    assert line(view, "log 1") == "Told (by: player 1; cards: Rope)"
    assert line(view, "log 2") == "Told (by: player 2; cards: none)"


def test_lists_in_lists_stand_in_brackets() -> None:
    assert line(State(pairs=((1, 2), ())), "pairs") == "(1 + 2) + (none)"


VIEWS = (
    State(),
    State(phase=Walking(to=7, seen=(Card("Rope", True), Card("Hall", False))), out=frozenset({1, 0}), weight=0.25),
    State(row=((1, 2), (3, 4)), pairs=((1, 2), (3,)), hands=(None, ())),
    State(log=(Told(0, ("Rope",)), Told(1, ())), phase=Walking(to="Study", seen=())),
)


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_can_be_read_back(view: State) -> None:
    assert READER.view(WORDS.view(view, 1)) == view


def test_offers_and_actions_can_be_read_back() -> None:
    action = Go(7, (0, 2), (1, 0, 2), quickly=True)
    offer = Offer(
        Go,
        {"to": One((7, "Hall")), "with_whom": Some((0, 2), 1, 2), "order": Order((0, 1, 2)), "quickly": One((True,))},
    )

    assert WORDS.action(action) == "Go (Place: h4; with whom: player 1 + player 3; order: 1 + 0 + 2; quickly: yes)"
    assert WORDS.offer(offer) == (
        "Go (Place: one of h4 + Hall; with whom: 1 to 2 of player 1 + player 3; order: 0 + 1 + 2 in any order; "
        "quickly: yes)"
    )
    assert READER.action(WORDS.action(action)) == action
    assert READER.offer(WORDS.offer(offer)) == offer


def test_what_could_be_meant_in_two_ways_is_no_description() -> None:
    texts = TEXTS | {"term.Rope": "Hall"}

    with pytest.raises(AssertionError, match="can be read in 2 ways"):
        Reader(GAME, texts).view(Describer(texts).view(State(hands=(("Hall",), None))))


def test_a_sentence_that_leaves_something_out_is_found() -> None:
    texts = TEXTS | {"told.Card": "{name}"}
    view = State(phase=Walking(to=7, seen=(Card("Rope", True),)))

    with pytest.raises(AssertionError, match=r"told\.Card leaves out marked"):
        Reader(GAME, texts).view(Describer(texts).view(view))
