"""The plain table: a game of which the page knows nothing is played, noted, proved, watched and looked back at."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import plain
from tests.browser.conftest import Visit
from tests.browser.hands import Finger, Keys
from tests.browser.house import House, Set, Step
from tests.browser.measures import TWICE, axe, cut_texts, overlaps, sideways, small_letters, small_targets
from tests.browser.visitor import Visitor
from tests.example import EXAMPLE, installed
from whodunit import games

PHONE = {"width": 390, "height": 844}
NAME = "Nightcap"


@pytest.fixture(scope="module")
def whole_plain_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Open a house where the example is installed; its processes must know it from their first day."""
    with installed(tmp_path_factory.mktemp("packages")), House() as house:
        yield house


@pytest.fixture
def house(whole_plain_house: House) -> House:
    return whole_plain_house


def moved(house: House, table: Set, *, until: str) -> None:
    """Let everybody do something until Ada is to do this: Benno asks her about two guests that she has."""
    for _ in range(20):
        live = house.live(table.id)
        assert live.table is not None
        (seat,) = live.table.awaiting
        offer = live.table.offers[seat][0]
        if seat == 0 and offer.action.__name__ == until:
            return
        hers: Any = live.table.state.hands[0]
        about = (action for action in offer.actions() if {*getattr(action, "guests", ())} <= {*hers})
        house.act(table.id, Step(seat, next(about)))
    raise AssertionError(f"Ada never comes to {until}")


def sat(house: House, visit: Visit, until: str = "Ask", assistance: str = "logic", **options: Any) -> Visitor:
    table = house.lay(["Ada", "Benno"], game=EXAMPLE, assistance=assistance)
    moved(house, table, until=until)
    me = visit(table.cookies[0], **options).goto(table.path)
    expect(me.now).to_be_visible()
    me.quiet(60)
    return me


def faults(me: Visitor) -> list[str]:
    page = me.page
    return [*filter(None, [sideways(page)]), *cut_texts(page), *overlaps(page), *axe(page), *small_letters(page)]


def test_it_is_played_from_its_door_to_its_end(visit: Visit) -> None:
    me = visit().goto("/")
    me.play_now(NAME)
    expect(me.now).to_be_visible()

    assert plain.play_to_the_end(me.page) > 0

    me.sees(re.compile(r"wins?$"))
    expect(me.page.get_by_role("region", name="Under the glass")).to_be_visible()
    for chair in me.told.room["chairs"]:
        expect(me.page.get_by_role("list", name=f"The cards of {chair['name']}").first).to_be_visible()
    assert {"Ask", "Show", "ShowNothing"} & {*me.done}
    assert faults(me) == []


def test_it_is_played_on_a_phone(house: House, visit: Visit) -> None:
    table = house.lay(["Ada"], ["rookie", "rookie"], game=EXAMPLE)
    me = visit(table.cookies[0], phone=True, viewport=PHONE).goto(table.path)
    expect(me.now).to_be_visible()

    assert plain.play_to_the_end(me.page, 2, Finger()) > 0

    me.sees(re.compile(r"wins?$"))
    assert faults(me) == []


def test_it_is_played_by_keys_alone(house: House, visit: Visit) -> None:
    table = house.lay(["Ada"], ["rookie"], game=EXAMPLE)
    me = visit(table.cookies[0]).goto(table.path)
    expect(me.now).to_be_visible()
    keys = Keys(me.page)

    plain.play_to_the_end(me.page, 3, keys)

    assert keys.faults == []
    assert me.page.evaluate("() => document.activeElement !== document.body"), "lost the focus at the end"


@pytest.mark.parametrize(("light", "language"), [("light", "en"), ("dark", "de"), ("dark", "fr"), ("light", "nb")])
def test_nothing_is_wrong_with_it_on_a_desk(light: str, language: str, house: House, visit: Visit) -> None:
    me = sat(house, visit, assistance="probabilities", color_scheme=light, locale=language)
    chance = Random("desk")  # noqa: S311  (play)
    found = [faults(me)]
    me.page.locator("section.now .wax").click()  # the guess
    plain.choose(me.page, chance)
    found.append(faults(me))
    me.page.locator("section.now .wax-fill").click()
    expect(me.page.get_by_role("dialog")).to_be_visible()
    found.append(faults(me))

    assert found == [[], [], []]


@pytest.mark.parametrize("until", ["Ask", "Show"])
def test_nothing_is_wrong_with_it_on_a_phone(until: str, house: House, visit: Visit) -> None:
    me = sat(house, visit, until, phone=True, viewport=PHONE)
    assert faults(me) + small_targets(me.page) == []
    me.page.evaluate(TWICE)
    me.quiet(60)
    assert [*filter(None, [sideways(me.page)]), *cut_texts(me.page)] == []


def test_who_is_asked_may_choose_until_it_is_given(house: House, visit: Visit) -> None:
    me = sat(house, visit, "Show")
    me.sees("You are asked")
    panel = me.page.get_by_role("region", name="Show")
    chips = panel.get_by_role("button")
    chips.last.click()
    expect(chips.last).to_have_attribute("aria-pressed", "true")
    me.button("Show", me.now).click()
    me.until(lambda _: "Show" in me.done)
    me.until(lambda told: told.table["view"]["phase"]["type"] == "Asking", "the answer")


def test_the_sheet_proves_what_it_says(house: House, visit: Visit) -> None:
    me = sat(house, visit)
    grid = me.page.get_by_role("grid", name="My notes")
    rows = grid.get_by_role("rowheader").all_inner_texts()
    assert [row for row in rows if row.startswith("The ")] == sorted(
        text[0].upper() + text[1:] for key, text in games.texts(EXAMPLE).items() if key.startswith("term.")
    )
    expect(grid.get_by_role("columnheader", name="Solution")).to_have_count(1)

    grid.get_by_role("button", name=re.compile(r"Ada: yes, you saw it")).first.click()
    dialog = me.page.get_by_role("dialog", name=re.compile("^Why is this certain: The .*, Ada"))
    expect(dialog).to_contain_text("Your own cards.")
    assert axe(me.page) == []


def test_a_hint_leads_to_its_proof(house: House, visit: Visit) -> None:
    table = house.lay(["Ada", "Benno"], game=EXAMPLE, assistance="logic")
    moved(house, table, until="Ask")
    now = house.live(table.id).table
    assert now is not None
    state: Any = now.state
    wanted = {state.hands[0][0], state.culprit}  # who has neither of these proves the second
    house.act(table.id, Step(0, next(ask for ask in now.offers[0][0].actions() if {*ask.guests} == wanted)))  # type: ignore[attr-defined]
    me = visit(table.cookies[0]).goto(table.path)
    me.until(lambda told: any(each["line"]["key"] == "nothing_shown" for each in told.events), "the answer")

    me.button("hint").click()
    hint = me.page.get_by_role("region", name="A hint")
    expect(hint).to_contain_text("Benno has neither")
    me.button("What follows from it?", hint).click()
    expect(hint).to_contain_text(re.compile(r"Why is this certain: The \w+, Solution\?"))
    me.button("Prove it", hint).click()
    why = me.page.get_by_role("dialog", name=re.compile("Why is this certain"))
    expect(why.get_by_role("listitem").filter(has_text="Benno has neither")).to_be_visible()


def test_on_paper_there_is_a_sheet_for_my_own_marks(house: House, visit: Visit) -> None:
    me = sat(house, visit, assistance="paper")
    cell = me.page.get_by_role("button", name=re.compile(r"^The Banker, Benno: open"))
    cell.click()
    expect(cell).to_have_accessible_name(re.compile("My mark: yes"))


def test_an_earlier_moment_is_seen_as_it_was(house: House, visit: Visit) -> None:
    table = house.lay(["Ada", "Benno"], game=EXAMPLE)
    moved(house, table, until="Ask")
    moved(house, table, until="Show")
    me = visit(table.cookies[0]).goto(table.path)
    log = me.page.get_by_role("region", name="Log")
    log.get_by_role("button", name=re.compile("glasses")).click()
    me.sees("You see the beginning")
    board = me.page.get_by_role("region", name="Table")
    expect(board.get_by_text("Answering")).to_have_count(0)
    me.button("Later").click()
    me.sees(re.compile(r"^You see No\. 1$"))
    me.button("Back to now").click()
    expect(board.get_by_text("Answering")).to_be_visible()


def test_a_spectator_sees_no_hand_and_nothing_to_press(house: House, visit: Visit) -> None:
    table = house.lay(["Ada", "Benno"], game=EXAMPLE, public=True)
    anna = visit().goto(table.path)
    board = anna.page.get_by_role("region", name="Table")
    expect(board.get_by_text("3 cards")).to_have_count(2)
    for private in ("My hand", "My notes", "Ask"):
        expect(anna.page.get_by_role("region", name=private)).to_have_count(0)
    said = anna.text()
    assert not [text for key, text in games.texts(EXAMPLE).items() if key.startswith("term.") and text in said]
