"""A phone of 360 px in one hand."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.clue import FOUR, SIX, Detective
from tests.browser.conftest import Visit
from tests.browser.hands import Finger
from tests.browser.house import House, loaded
from tests.browser.measures import TWICE, cut_texts, overlaps, sideways, small_targets
from tests.browser.visitor import Visitor
from tests.games.clue.staging import stack

Check = Callable[[str], None]


def checking(me: Visitor, *, large: bool = False) -> tuple[Check, list[str]]:
    """Return what looks at the page as it stands, and where it writes what it finds."""
    faults: list[str] = []

    def check(state: str) -> None:
        me.page.wait_for_timeout(50)
        found = [
            *filter(None, [sideways(me.page)]),
            *cut_texts(me.page),
            *overlaps(me.page),
            *([] if large else small_targets(me.page)),
        ]
        faults.extend(f"{state}: {fault}" for fault in found if f"{state}: {fault}" not in faults)

    return check, faults


def in_sight(me: Visitor) -> None:
    """Expect NOW within the screen."""
    box = me.now.bounding_box()
    assert box is not None
    height = me.page.viewport_size["height"] if me.page.viewport_size else 0
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= height + 1, f"NOW ends at {box['y'] + box['height']} of {height}"


def test_a_whole_game_on_a_phone(house: House, visit: Visit) -> None:
    house.draws = loaded({**stack(FOUR), **SIX})
    me = visit(phone=True).goto("/")
    check, faults = checking(me)
    check("front")
    me.button("Play now against bots", me.door("Clue")).tap()
    start = me.button("Start the game")
    expect(start).to_be_in_viewport(ratio=1)
    check("sheet")
    start.tap()
    player = Detective(me, Finger(), phone=True)
    states: set[str] = set()
    while "Suggest" not in me.done:
        me.until(lambda told: told.on_turn, "my turn")
        me.page.wait_for_timeout(100)
        state = " ".join(me.offered)
        if state not in states:
            states.add(state)
            in_sight(me)
            check(state)
        player.step()
    check("asked")

    tabs = me.page.get_by_role("navigation", name="What to show")
    for tab in ("Notes", "Log", "Chat", "Table"):
        me.button(tab, tabs).tap()
        check(f"tab {tab}")
    me.button("Menu").tap()
    check("menu")
    me.button("Close").tap()

    me.until(lambda told: (told.on_turn and "Accuse" in me.offered) or told.over, "my turn")
    while "Accuse" not in me.offered:
        player.step()
        me.until(lambda told: told.on_turn, "my turn")
    player.put_back()
    player.press("Accuse…")
    check("accusing")
    player.pick("Your accusation", *FOUR.envelope.cards)
    player.press("Accuse")
    check("sure?")
    player.press(re.compile("^Yes, I accuse"))
    me.sees("You solved the case")
    check("final")

    assert faults == []


def test_friends_gather_on_a_phone(visit: Visit) -> None:
    me = visit(phone=True).goto("/")
    check, faults = checking(me)
    me.button("Play with friends", me.door("Clue")).tap()
    expect(me.page.get_by_role("dialog")).to_be_visible()
    for fold in ("Pace", "Variants", "House rules"):
        me.page.get_by_text(fold, exact=True).tap()
    check("create")
    me.button("Make the table").tap()
    me.sees("Call your friends")
    check("gather")
    friend = visit(phone=True).goto(me.page.get_by_text(re.compile("/join#")).inner_text())
    friend.page.get_by_label("Your name").fill("Benno")
    check_friend, more = checking(friend)
    check_friend("join")
    friend.button("Sit down as Benno").tap()
    friend.sees("You are sitting at the table")
    check_friend("guest")
    about = visit(phone=True).goto("/about")
    check_about, most = checking(about)
    check_about("about")

    assert faults + more + most == []


def test_text_of_twice_the_size_on_a_phone(house: House, visit: Visit) -> None:
    house.draws = loaded({**stack(FOUR), **SIX})
    me = visit(phone=True, locale="de").goto("/")
    check, faults = checking(me, large=True)
    me.page.evaluate(TWICE)
    check("front")
    table = house.lay(["Ada"], ["rookie"] * 3)
    me = visit(table.cookies[0], phone=True, locale="de").goto(table.path)
    check, more = checking(me, large=True)
    expect(me.now).to_be_visible()
    me.page.evaluate(TWICE)
    check("begin")
    me.now.get_by_role("button").first.tap()
    me.until(lambda _: "Move" in me.offered)
    check("walk")
    for place in (1, 2, 3):
        me.page.get_by_role("navigation").get_by_role("button").nth(place).tap()
        check(f"tab {place}")

    assert faults + more == []
