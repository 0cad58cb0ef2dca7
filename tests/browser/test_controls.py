"""Every action of every variant of every game has its control, and can be found by whoever presses what is there."""

import json
from typing import Any

import pytest

from tests.browser.conftest import Visit
from tests.browser.house import NAMES, House, loaded
from tests.browser.wander import Wanderer, actions, shown, situation, variants
from whodunit import games
from whodunit.core.types import Action

TRIES = 12
SHORT = 4
PRESSES = 16
"""How many things are done in a game of a variant, or pressed; soak plays to the end."""
MINE = {"first_investigator": 0}
"""I begin, where it is drawn who does: a bot would first have to listen to everything that fell."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    chosen = sorted(shown())
    if "action" in metafunc.fixturenames:
        cases: list[Any] = [(game, action) for game in chosen for action in actions(game)]
        metafunc.parametrize(("game", "action"), cases, ids=[f"{game}-{action.__name__}" for game, action in cases])
    if "options" in metafunc.fixturenames:
        cases = [(game, *setting) for game in chosen for setting in variants(game)]
        ids = [f"{game}-{'-'.join(f'{k}={v}' for k, v in options.items())}" for game, _, options in cases]
        metafunc.parametrize(("game", "seats", "options"), cases, ids=ids)


def test_the_action_has_a_control(game: str, action: type[Action], house: House, visit: Visit) -> None:
    met = situation(game, action)
    house.draws = met.draws
    wanted, texts = action.__name__, games.texts(game)
    elsewhere: set[str] = set()  # what did something else when it was pressed
    me = visit()
    me.allow("410.*/clip/")  # where a floor is opened, what fell on it is heard no more, though a page was about to
    for seed in range(TRIES):
        table = house.lay(NAMES[: met.seats], game=game, options=met.options, script=met.script)
        me.come(table.cookies[met.seat])
        me.goto(table.path)
        me.until(lambda told: told.on_turn and wanted in me.offered, wanted)
        if opener := texts.get(f"action.{wanted}.open"):
            me.button(opener).locator("visible=true").first.click()  # whoever looks for it presses what is called so
        wanderer = Wanderer(me, seed, elsewhere, texts[f"action.{wanted}"])
        wanderer.wander(lambda: me.done)
        if wanted in me.done:
            return
        elsewhere.add(wanderer.last)
        me.leave()
    raise AssertionError(f"in {TRIES} games nobody pressed what does {wanted}")


def test_the_variant_can_be_laid_and_played(
    game: str, seats: int, options: dict[str, Any], house: House, visit: Visit
) -> None:
    house.draws = loaded(MINE)
    me = visit().goto("/")
    me.allow("410.*/clip/")  # where a floor is opened, what fell on it is heard no more, though a page was about to
    texts = games.texts(game)
    me.button("Play with friends", me.door(texts["name"])).click()
    dialog = me.page.get_by_role("dialog")
    dialog.get_by_role("combobox", name="Seats", exact=True).select_option(str(seats))
    for seat in range(2, seats + 1):
        dialog.get_by_label(f"Seat {seat}").select_option("rookie")
    dialog.get_by_text("Variants", exact=True).click()
    described = {option.name: option for option in games.get(game).INFO.describe()}
    for name, value in options.items():
        field = dialog.get_by_label(texts[f"option.{name}"], exact=True)
        if described[name].kind == "switch":
            field.set_checked(value)
        else:
            field.select_option(json.dumps(value))
    me.button("Make the table").click()
    me.button("Start").click()
    me.until(lambda told: told.on_turn, "my turn")
    assert {name: me.told.room["options"][name] for name in options} == options

    wanderer = Wanderer(me, seed=len(options))
    wanderer.wander(lambda: me.done and (len(me.done) >= SHORT or wanderer.pressed.total() >= PRESSES))

    assert me.done
