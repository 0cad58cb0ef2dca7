"""What stands behind the menu: notices, what is stored about me, who watches; and a move taken back."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.arosa import SILENT, scripted, truth
from tests.browser.clue import SIX
from tests.browser.conftest import Visit
from tests.browser.house import House, Set, Step, loaded
from tests.browser.states_arosa import FALLS, PEOPLE
from tests.browser.states_house import agreed
from tests.browser.visitor import Visitor
from tests.games.clue.staging import deal_of, stack
from whodunit.games.arosa.facts import VICTIM, owner_of
from whodunit.games.clue.model import Move, Roll

HANDS = ["Scarlet Knife Hall", "Mustard Wrench Library", "Green LeadPipe Ballroom"]
MOVED = [Step(0, Roll()), Step(0, Move("Lounge"))]
HOOK = "https://hooks.example/T0/secret"


def from_menu(me: Visitor, name: str) -> Any:
    """Open one of the menu's dialogs."""
    me.button("Menu").click()
    me.button(name, me.page.get_by_role("dialog")).click()
    dialog = me.page.get_by_role("dialog")
    expect(dialog).to_have_count(1)
    return dialog


def test_a_move_is_taken_back_notices_are_given_and_everything_is_forgotten(
    house: House, visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.draws = loaded({**stack(deal_of("White Rope Study", HANDS)), **SIX})
    table = house.lay(["Ada", "Benno", "Chloe"], options={"dice_count": 2}, script=MOVED)
    me = visit(table.cookies[0]).goto(table.path)

    me.button("Take back", me.now).click()
    expect(me.button("Take back", me.now)).to_have_count(0)
    expect(me.page.get_by_text("The last step is taken back.").first).to_be_visible()
    me.until(lambda told: any(offer["action"] == "Move" for offer in told.table["offers"]))

    # Notices: an address that will not do is said so, a good one is kept and never shown again.
    dialog = from_menu(me, "Turn notices")
    field = dialog.get_by_label("Webhook address")
    field.fill("http://hooks.example/T0")
    dialog.get_by_role("button", name="Try it and keep it").click()
    expect(dialog.get_by_role("alert")).to_have_text(
        "Only a complete address that begins with https:// will do, without a port of its own."
    )
    field.fill("https://127.0.0.1/T0")  # one of the house's own machines
    dialog.get_by_role("button", name="Try it and keep it").click()
    expect(dialog.get_by_role("alert")).to_contain_text("it was not kept")
    told: list[str] = []

    async def send(url: str, words: str, *, trial: bool = False) -> str:
        told.append(f"{url} {words} {trial=}")
        return "delivered"

    monkeypatch.setattr(house.site.notices._courier, "send", send)
    field.fill(HOOK)
    dialog.get_by_role("button", name="Try it and keep it").click()
    expect(dialog.get_by_text("Notices go to hooks.example.")).to_be_visible()
    assert told[0].startswith(HOOK)
    assert told[0].endswith("trial=True")
    assert "secret" not in me.text()
    dialog.get_by_role("button", name="No more notices").click()
    expect(dialog.get_by_text("Notices go to")).to_have_count(0)
    assert house.live(table.id).room.chairs[0].hook is None
    dialog.get_by_role("button", name="Close").click()

    # What is stored about me: taken along, and forgotten.
    dialog = from_menu(me, "Settings")
    with me.page.expect_download() as download:
        dialog.get_by_role("link", name="Save it as a file").click()
    download.value.save_as(tmp_path / "me.json")
    assert "Ada" in json.dumps(json.loads((tmp_path / "me.json").read_text("utf-8")))
    dialog.get_by_role("button", name="Forget me …").click()
    dialog.get_by_role("button", name="Keep everything").click()
    assert house.live(table.id).room.chairs[0].name == "Ada"
    dialog.get_by_role("button", name="Forget me …").click()
    dialog.get_by_role("button", name="Forget me", exact=True).click()
    me.page.wait_for_url(f"{house.address}/")
    assert house.live(table.id).room.chairs[0].name == ""


def hotel(house: House) -> Set:
    return house.lay(["Ada", "Benno", "Chloe"], game="crime_hotel", public=True)


def arosa(house: House) -> Set:
    house.draws = scripted(FALLS)
    options = {"victim_dropper": 0, "first_investigator": 1, "tower": "scripted"}
    return house.lay(PEOPLE[:3], game="arosa", options=options, public=True)


def test_whoever_watches_sees_everything_late_when_everybody_has_agreed(house: House, visit: Visit) -> None:
    table = hotel(house)
    agreed(house, table, 1, 2)
    eve, ada = visit().goto(table.path), visit(table.cookies[0]).goto(table.path)
    late = from_menu(eve, "Who watches")
    expect(late.get_by_text("The players have not all agreed to that.")).to_be_visible()
    asked = from_menu(ada, "Who watches")
    expect(asked.get_by_text("Agreed: Benno, Chloe")).to_be_visible()
    asked.get_by_role("checkbox").check()
    late.get_by_role("button", name="All hands").click()
    state = house.live(table.id).table.state  # type: ignore[union-attr]
    expect(late.get_by_text(f"The murderer's card lay face down: room {state.hidden}.")).to_be_visible()
    for seat, name in enumerate(("Ada", "Benno", "Chloe")):
        held = late.get_by_role("list", name=f"The cards of {name}").get_by_role("listitem")
        expect(held).to_have_text([str(card) for card in state.hands[seat]])
    asked.get_by_role("checkbox").uncheck()
    expect(late.get_by_role("list", name="The cards of Ada")).to_have_count(0)

    table = arosa(house)
    agreed(house, table, 0, 1, 2)
    eve.goto(table.path)
    eve.button(SILENT).click()
    late = from_menu(eve, "Who watches")
    late.get_by_role("button", name="All hands").click()
    expect(late.get_by_role("heading", name="What was in the hotel")).to_be_visible()
    tower = truth(house, table.id).tower
    assert tower is not None
    lying = Counter((rest.floor, owner_of(rest.cube)) for rest in tower.resting)
    floors = late.get_by_role("listitem")
    for (floor, owner), count in lying.items():
        if owner != VICTIM:
            expect(floors.nth(7 - floor)).to_contain_text(f"{PEOPLE[owner]} {count}")
