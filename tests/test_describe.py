"""`whodunit.describe` over our own games: every field has a label in every language, and the text says it all."""

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import Struct

import whodunit
from whodunit import games
from whodunit.core.describing import Kind, gaps, labelled
from whodunit.core.info import Options
from whodunit.core.types import TABLE
from whodunit.games.arosa.model import Arrange, Inspect
from whodunit.games.clue.facts import SQUARE_NAMES, SQUARES
from whodunit.games.clue.model import Move
from whodunit.games.perfect_alibi.model import Chip

OURS = tuple(id for id, entry in games.registered().items() if entry.is_ours)


def structs_of(kind: type[Struct]) -> Iterator[type[Struct]]:
    """Yield every type of struct that a view of this type may hold, itself first."""
    yield kind
    for field in labelled(kind):
        yield from _structs_in(field.kind)


def _structs_in(kind: Kind) -> Iterator[type[Struct]]:
    if cls := getattr(kind.bare, "cls", None):
        yield from structs_of(cls)
    for part in (*kind.arms, *kind.each):
        yield from _structs_in(part)


@pytest.mark.parametrize("game", OURS)
@pytest.mark.parametrize("language", games.LANGUAGES)
def test_every_field_has_a_label_and_every_thing_a_sentence(game: str, language: str) -> None:
    words = games.described(game, language)
    state: Any = games.get(game).INFO.state
    _, *things = structs_of(state)
    for field in labelled(state):
        assert field.key in words, field
    for thing in things:
        if not issubclass(thing, Options):
            sentence = words[f"told.{thing.__name__}"]
            assert sorted(gaps(sentence)) == sorted(field.name for field in labelled(thing)), sentence
    for label in (words[field.key] for field in labelled(state)):
        assert ": " not in label, "a label ends at the first colon"


@pytest.mark.parametrize("game", OURS)
def test_no_word_is_left_over(game: str) -> None:
    own = games._read(games.folder(game) / "described" / "en.json")
    structs = [*structs_of(games.get(game).INFO.state)]  # type: ignore[arg-type]
    names = {field.name for thing in structs for field in labelled(thing)}
    for key in own:
        place, name, *_ = key.split(".")
        if place == "told":
            assert name in {thing.__name__ for thing in structs}, key
        elif place == "field":
            assert name in names, key
        else:
            assert key.startswith(("term.dropped ", "term.fell ", "term.cleared ")), key


def test_squares_are_called_as_on_a_chessboard() -> None:
    names = [SQUARE_NAMES[square] for square in SQUARES]

    assert len({*names}) == len(names)
    assert whodunit.describe("clue", Move(7)) == "Walk (Place: h25)"
    assert whodunit.describe("clue", Move(24 * 24 + 9)) == "Walk (Place: j1)"
    assert whodunit.describe("clue", Move("Hall"), "de") == "Gehen (Ort: Halle)"


def test_what_log_lines_leave_to_the_table_is_told() -> None:
    alibi = whodunit.view(whodunit.new_game("perfect_alibi", 3, 1), 0)
    clue = whodunit.view(whodunit.new_game("clue", 3, 1), 0)

    assert alibi.row[0] == Chip("blue", "wheel", arrows=False)
    assert "Chips in the row: 1: blue wheel (arrows: no); 2: " in whodunit.describe("perfect_alibi", alibi)
    assert f"Rope: {games.texts('clue')[f'term.{clue.weapons[0]}']}; Lead Pipe: " in whodunit.describe("clue", clue)


def test_actions_say_what_their_log_line_has_no_place_for() -> None:
    assert whodunit.describe("arosa", Inspect(3, arrange=True)) == (
        "Look for the victims (Floor: floor 3; Choose the order: yes)"
    )
    assert whodunit.describe("arosa", Arrange((1, 0))) == "Choose the order (Order: 2 + 1)"


def test_it_is_told_whose_view_it_is() -> None:
    view = whodunit.view(whodunit.new_game("crime_hotel", 3, 1), 2)

    assert whodunit.describe("crime_hotel", view, "nb", 2).split("\n")[1] == "Du selv: spiller 3"
    assert whodunit.describe("crime_hotel", view, seat=TABLE).split("\n")[1] == "You: only looking on"
    assert whodunit.describe(games.get("crime_hotel"), view) == whodunit.describe("crime_hotel", view)


def test_what_is_none_of_the_games_things_is_refused() -> None:
    view = whodunit.view(whodunit.new_game("clue", 3, 1), 0)

    with pytest.raises(TypeError, match=r"is a whodunit\.games\.clue\.model\.State, and no view"):
        whodunit.describe("arosa", view)
    with pytest.raises(LookupError, match="there is no language 'it'; there is: en, de, fr, nb"):
        whodunit.describe("clue", view, "it")
    with pytest.raises(LookupError, match="there is no game 'chess'"):
        whodunit.describe("chess", view)
