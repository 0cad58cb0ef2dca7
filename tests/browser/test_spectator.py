"""A spectator sees what lies open, and nothing else."""

from playwright.sync_api import expect

from tests.browser.clue import SIX
from tests.browser.conftest import Visit
from tests.browser.house import House, Step, loaded
from tests.games.clue.staging import deal_of, stack
from whodunit.games.clue.model import Move, Roll, Show, Suggest

HANDS = ["Scarlet Knife Hall", "Mustard Wrench Library", "Green LeadPipe Ballroom"]


def test_a_spectator_is_told_no_secret(house: House, visit: Visit) -> None:
    house.draws = loaded({**stack(deal_of("White Rope Study", HANDS)), **SIX})
    script = [Step(0, Roll()), Step(0, Move("Lounge")), Step(0, Suggest("Mustard", "Wrench", "Lounge"))]
    script += [Step(1, Show("Wrench"))]
    table = house.lay(["Ada", "Benno", "Chloe"], public=True, options={"dice_count": 2}, script=script)

    anna = visit().goto(table.path)
    anna.until(lambda told: "table" in told.last and any(each["line"]["key"] == "card_shown" for each in told.events))

    assert anna.told.room["me"] is None
    assert anna.told.room["seat_key"] is None
    assert anna.told.table["offers"] == []
    assert anna.told.table["view"]["hands"] == [None] * 3
    assert anna.told.table["view"]["envelope"] is None
    expect(anna.button("Benno shows Ada a card.", anna.page.get_by_role("region", name="Log"))).to_be_visible()
    for private in ("My hand", "My notes"):
        expect(anna.page.get_by_role("region", name=private)).to_have_count(0)
    said = anna.text()
    for line in ("shows Ada this card", "takes 6 cards:", "Into the envelope went"):
        assert line not in said


def test_by_link_alone_a_private_table_can_be_watched(house: House, visit: Visit) -> None:
    table = house.lay(["Ada"], ["rookie"])
    stranger = visit().goto(table.path)
    stranger.sees("There is no such table")

    friend = visit().goto(f"/join#{table.code}")
    friend.sees("Waiting for Ada")
    expect(friend.page.get_by_text("You are watching. You see what everybody sees.")).to_be_in_viewport()
    expect(friend.page.get_by_role("banner")).to_contain_text("You are watching")
    assert friend.told.room["me"] is None
