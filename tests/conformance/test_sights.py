"""What the suite says of words and numbers bites: whatever is left out of either is found."""

from collections.abc import Callable
from types import ModuleType
from typing import Any, cast

import pytest
from msgspec.structs import replace

from tests.plugs import plug_of
from whodunit.conformance import sights
from whodunit.conformance.play import play
from whodunit.conformance.settings import Setting
from whodunit.conformance.sights import sees_apart_what_differs, tells_all_of_it
from whodunit.core.observing import Flag, Number, Observed, names, one
from whodunit.core.types import Game
from whodunit.games import described, get
from whodunit.table.table import Table

PLUG = plug_of("clue")
TABLES = tuple(
    table for seed in range(8) for table in play(get("clue"), PLUG, Setting(3, {}, seed, pace=90)).tables[::2]
)


def blind(change: Callable[[Observed], Observed]) -> Game:
    """Return Clue as somebody would have written it who sees otherwise."""
    game = ModuleType("clue")
    vars(game).update(vars(get("clue")))
    observed: Any = get("clue").observed
    vars(game)["observed"] = lambda *table: change(observed(*table))
    return cast(Game, game)


def without(name: str) -> Callable[[Observed], Observed]:
    return lambda observed: replace(observed, parts=tuple(part for part in observed.parts if names(part)[0] != name))


PARTS = [names(part)[0] for part in get("clue").observed(3, TABLES[0].state.options, 0).parts]  # type: ignore[union-attr]
SAME_ALL_GAME = {"eyes.0", "cards"}


def test_clue_as_it_is_passes() -> None:
    assert sees_apart_what_differs(get("clue"), TABLES) > 800


@pytest.mark.parametrize("name", sorted({*PARTS} - SAME_ALL_GAME))
def test_a_part_that_is_left_out_is_found(name: str) -> None:
    with pytest.raises(AssertionError, match="gets the same numbers, whether"):
        sees_apart_what_differs(blind(without(name)), TABLES)


def test_what_is_called_history_and_told_all_the_same_is_found() -> None:
    with pytest.raises(AssertionError, match="differ in nothing that is current"):
        sees_apart_what_differs(
            blind(lambda observed: replace(observed, current=lambda view: replace(view, turn=0))), TABLES
        )


def test_a_name_that_stands_twice_is_found() -> None:
    with pytest.raises(AssertionError, match="two numbers are called 'turn'"):
        sees_apart_what_differs(
            blind(lambda observed: replace(observed, parts=(*observed.parts, one(Flag("turn"), lambda _: False)))),
            TABLES,
        )


def test_a_number_out_of_range_is_found() -> None:
    wrong = one(Number("much", 1, least=2), lambda _: 1.5)
    with pytest.raises((AssertionError, ValueError), match="much is"):
        sees_apart_what_differs(blind(lambda observed: replace(observed, parts=(*observed.parts, wrong))), TABLES[:1])


def test_a_game_without_numbers_passes() -> None:
    game: Any = ModuleType("clue")
    vars(game).update(vars(get("clue")), observed=lambda *_: None)

    assert sees_apart_what_differs(game, TABLES) == 0


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"term.Rope": "Knife"}, "can be read in 2 ways"),
        ({"told.Trio": "{suspect}, {weapon}"}, "told.Trio leaves out room"),
        ({"told.player": "a player"}, "can be read in"),
        ({"field.hands": "Number of cards"}, "2 lines tell of 'Number of cards'"),
        ({"told.yes": "no"}, "can be read in 16 ways"),
    ],
)
def test_words_that_leave_something_open_are_found(
    changed: dict[str, str], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sights, "described", lambda id, language: described(id, language) | changed)
    asking = [table for table in TABLES if type(table.state.phase).__name__ == "Answering"]
    over = [table for table in TABLES if type(table.state.phase).__name__ == "Over"]

    with pytest.raises(AssertionError, match=told):
        _all_told([*asking, *over])


def _all_told(tables: list[Table]) -> None:
    for table in tables:
        for viewer in table.viewers:
            tells_all_of_it(table, viewer, "en")
