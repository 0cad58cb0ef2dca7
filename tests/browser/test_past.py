"""Looking back: into the log, into earlier positions, and into a case that is closed."""

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.clue import SIX, Detective
from tests.browser.conftest import Visit
from tests.browser.house import House, Step, loaded
from tests.games.clue.staging import deal_of, stack
from whodunit import cli
from whodunit.games.clue.model import Accuse, Move, Roll, Show, Suggest

DEAL = deal_of("White Rope Study", ["Scarlet Knife Hall", "Mustard Wrench Library", "Green LeadPipe Ballroom"])
SCRIPT = (
    Step(0, Roll()),
    Step(0, Move("Lounge")),
    Step(0, Suggest("Mustard", "Wrench", "Lounge")),
    Step(1, Show("Wrench")),
    Step(1, Roll()),
    Step(1, Move("DiningRoom")),
    Step(1, Suggest("White", "Rope", "DiningRoom")),
)


def test_a_tap_on_a_line_shows_the_table_as_it_stood(house: House, visit: Visit) -> None:
    house.draws = loaded({**stack(DEAL), **SIX})
    table = house.lay(["Ada", "Benno", "Chloe"], options={"dice_count": 2}, script=SCRIPT)
    me = visit(table.cookies[0]).goto(table.path)
    log = me.page.get_by_role("region", name="Log")
    board = me.page.get_by_role("figure")
    expect(board).to_have_accessible_name(re.compile("Col. Mustard: Dining Room"))

    me.button(re.compile("^Ada throws 12"), log).click()

    expect(me.now).to_contain_text("You see the beginning")
    expect(board).to_have_accessible_name(re.compile("Col. Mustard: at the start"))
    me.button("Later").click()
    expect(me.now).to_contain_text("You see No. 1")
    expect(board).to_have_accessible_name(re.compile("Miss Scarlet: Lounge"))
    me.button("Earlier").click()
    expect(me.now).to_contain_text("You see the beginning")
    me.page.keyboard.press("ArrowRight")
    expect(me.now).to_contain_text("You see No. 1")
    me.page.keyboard.press("Escape")
    expect(board).to_have_accessible_name(re.compile("Col. Mustard: Dining Room"))


def test_the_log_can_be_filtered(house: House, visit: Visit) -> None:
    house.draws = loaded({**stack(DEAL), **SIX})
    table = house.lay(["Ada", "Benno", "Chloe"], options={"dice_count": 2}, script=SCRIPT)
    me = visit(table.cookies[2]).goto(table.path)
    log = me.page.get_by_role("region", name="Log")
    lines = log.get_by_role("listitem").get_by_role("button")
    expect(lines.filter(has_text="Benno shows Ada a card.")).to_be_visible()

    log.get_by_label("Only lines about a player or a card").select_option(label="Rope")
    expect(lines.filter(has_text="Benno suggests")).to_be_visible()
    expect(lines.filter(has_text="Ada suggests")).to_have_count(0)
    me.button("about me", log).click()
    expect(lines.filter(has_text="Ada suggests")).to_have_count(0)
    expect(lines.filter(has_text="Chloe").first).to_be_visible()
    me.button("all", log).click()
    expect(lines.filter(has_text="Ada suggests")).to_be_visible()


def test_a_closed_case_can_be_saved_verified_and_seen_through_other_eyes(
    house: House, visit: Visit, tmp_path: Path
) -> None:
    """With chance as the house draws it, for the seal must hold."""
    table = house.lay(["Ada", "Benno"], script=[Step(0, Roll())])
    me = visit(table.cookies[0]).goto(table.path)
    player = Detective(me)
    player.step()
    hidden = house.live(table.id).table.state.envelope  # type: ignore[union-attr]  # it has begun
    player.accuse(hidden)
    me.sees("You solved the case")

    me.button("Check it").click()
    expect(me.page.get_by_text("Right:").first).to_be_attached()
    assert me.page.get_by_text("Wrong:").count() == 0
    with me.page.expect_download() as download:
        me.page.get_by_role("link", name="Save as file").click()
    saved = tmp_path / download.value.suggested_filename
    download.value.save_as(saved)
    assert saved.suffix == ".case"
    assert cli.main(["verify", str(saved)]) == 0

    replay = me.page.get_by_role("region", name="The whole game again")
    replay.get_by_label("View").select_option(label="Benno")
    me.button("Earlier", replay).click()
    expect(me.page.get_by_role("slider")).not_to_have_value(str(len(me.told.events) - 1))
    me.button("One turn back", replay).click()
    expect(replay).to_contain_text("Ada")


def test_a_wrong_accusation_opens_the_envelope_to_the_accuser_alone(house: House, visit: Visit) -> None:
    house.draws = loaded({**stack(DEAL), **SIX})
    table = house.lay(["Ada", "Benno", "Chloe"])
    ada, benno = (visit(cookie).goto(table.path) for cookie in table.cookies[:2])
    wrong = DEAL.envelope.__class__("Plum", "Knife", "Hall")
    Detective(ada).accuse(wrong)

    ada.sees("Your accusation was wrong. In the envelope lie:")
    expect(ada.page.get_by_text("Only you have seen it.")).to_be_visible()
    benno.until(lambda told: any(each["line"]["key"] == "accused.wrong" for each in told.events))
    assert benno.told.table["view"]["envelope"] is None
    assert "has seen the envelope" not in benno.text()
    ada.button("Put it back").click()
    expect(ada.now).to_contain_text("You are out. You still answer.")
    house.act(table.id, Step(1, Accuse("White", "Rope", "Study")))
    ada.sees("Benno solved the case")
