"""Deals that several people play: a duel from the link to both results side by side, and the challenge of the day."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.conftest import Visit
from tests.browser.house import House, Set, Step, loaded
from tests.browser.measures import axe
from tests.browser.visitor import Visitor
from tests.games.clue.staging import deal_of, stack
from whodunit.core.rng import Rng
from whodunit.games.clue.model import Accuse
from whodunit.server import challenges

HANDS = ["Scarlet Knife Hall", "Mustard Wrench Library", "Green LeadPipe Ballroom"]
RIGHT = Step(0, Accuse("White", "Rope", "Study"))
SIZES: list[ViewportSize] = [{"width": 390, "height": 844}, {"width": 1440, "height": 900}]


@pytest.fixture(autouse=True)
def _same_cards(house: House) -> Iterator[None]:
    house.draws = loaded(stack(deal_of("White Rope Study", HANDS)))
    yield
    house.draws = Rng


def solo(house: House) -> Set:
    """Return a table at which Ada, alone among bots, has just been right."""
    return house.lay(["Ada"], ["rookie", "rookie"], script=[RIGHT])


def table_of(me: Visitor) -> str:
    """Return the table that the page has come to."""
    me.page.wait_for_url("**/t/*")
    return me.page.url.rsplit("/", 1)[-1]


@pytest.mark.parametrize("size", SIZES, ids=["a phone", "a desk"])
def test_a_duel_leads_to_no_case_before_its_reader_has_finished_and_then_to_both(
    size: ViewportSize, house: House, visit: Visit
) -> None:
    theirs = solo(house)
    ada = visit(theirs.cookies[0])
    ada.page.set_viewport_size(size)
    ada.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ada.prepared = True  # nobody else is to have these rights
    ada.goto(theirs.path)
    ada.button("Beat my turns").click()
    expect(ada.page.get_by_text("Copied.").first).to_be_visible()
    link = ada.page.evaluate("navigator.clipboard.readText()")

    ben = visit()
    ben.page.set_viewport_size(size)
    ben.goto(link)
    ben.sees("Ada won in 1 turn. Can you beat that?")
    assert axe(ben.page) == []
    assert theirs.id not in ben.page.content()
    ben.page.get_by_label("Your name in the list").fill("Ben")
    ben.page.keyboard.press("Enter")
    own = table_of(ben)
    ben.until(lambda told: "table" in told.last)
    refused = ben.page.context.new_page()
    refused.goto(f"{ben.address}{theirs.path}")
    expect(refused.get_by_text("Others still play this deal.")).to_be_visible()
    refused.close()

    house.act(own, RIGHT)
    ben.sees("You solved the case")
    expect(ben.page.get_by_text("The deal was staged")).to_be_visible()
    assert axe(ben.page) == []
    ben.page.get_by_role("link", name="To the duel").click()
    table = ben.page.get_by_role("table", name="Who has finished")
    expect(table.get_by_role("row")).to_have_count(3)
    expect(table.get_by_role("row", name="Ben (you)")).to_contain_text("won")
    assert axe(ben.page) == []
    assert ben.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    table.get_by_role("link", name="Look at the game of Ada").click()
    ben.sees("Ada solved the case")

    ada.page.get_by_role("link", name="To the duel").click()
    expect(ada.page.get_by_role("row", name="Ben")).to_contain_text("won")
    expect(ada.page.get_by_role("row", name="Ada (you)")).to_be_visible()


@pytest.mark.parametrize("size", SIZES, ids=["a phone", "a desk"])
def test_the_challenge_is_begun_come_back_to_and_ranked(
    size: ViewportSize, house: House, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(challenges, "GAMES", ("clue",) * 7)
    monkeypatch.setattr(challenges, "BOTS", 2)
    me = visit()
    me.page.set_viewport_size(size)
    me.goto("/today")
    card = me.page.get_by_role("region", name="Challenge of the day")
    expect(card).to_contain_text("The deal is staged")
    assert axe(me.page) == []
    card.get_by_label("Your name in the list").fill(f"Ada {size['width']}")
    card.get_by_role("button", name="Play the challenge").click()
    own = table_of(me)
    me.until(lambda told: "table" in told.last)
    me.goto("/today")
    card.get_by_role("link", name="Go on playing").click()
    assert table_of(me) == own

    house.act(own, RIGHT)
    me.sees("You solved the case")
    me.page.get_by_role("link", name="To the challenge").click()
    mine = card.get_by_role("row", name=f"Ada {size['width']} (you)")
    expect(mine).to_contain_text("won")
    expect(mine).to_contain_text("bits")  # luck and skill come when the review is made
    assert axe(me.page) == []
    assert me.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    card.get_by_role("link", name="Your review").click()
    me.sees("What decided it")
