"""Mord im Arosa from the front page to the final screen: two people, one of them deaf and on a phone, and bots."""

import re
from typing import Any, Final, NoReturn

import pytest
from playwright.sync_api import expect

from tests.browser.arosa import DEAF, EARS, FULL, LISTEN, SILENT, Guest, scripted
from tests.browser.conftest import Visit
from tests.browser.hands import Finger, Keys
from tests.browser.house import NAMES, House, Step, loaded
from tests.browser.measures import SHOWN, TWICE, moving
from tests.browser.places import tab
from tests.browser.states_arosa import ACCUSED, SLOW, at_arosa_final, table
from tests.browser.test_phone import checking, in_sight
from tests.browser.visitor import Visitor
from tests.server.client import Told
from whodunit import tower
from whodunit.games.arosa.model import Inspect, Suspect

MOST_TURNS: Final = 12


@pytest.fixture
def off_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing fall or listen in the process of the site: its workers are processes of their own."""

    def refuse(name: str) -> NoReturn:
        raise AssertionError(f"{name} was loaded on the loop")

    monkeypatch.setattr(tower, "_heavy", refuse)


def invited(ada: Visitor, benno: Visitor) -> None:
    """Ada lays a short game with two bots; Benno comes by the link and sits down."""
    ada.goto("/")
    ada.button("Play with friends", ada.door("Mord im Arosa")).click()
    dialog = ada.page.get_by_role("dialog")
    dialog.get_by_label("Your name").fill("Ada")
    for seat in (3, 4):
        dialog.get_by_label(f"Seat {seat}").select_option(label="Bot: rookie")
    dialog.get_by_text("House rules", exact=True).click()
    for option, number in (("Clues", "4"), ("Traces that end the game", "4")):
        dialog.get_by_label(option, exact=True).fill(number)
    ada.button("Make the table").click()
    link = ada.page.get_by_text(re.compile("/join#")).inner_text()
    benno.goto(link)
    benno.page.get_by_label("Your name").fill("Benno")
    benno.button("Sit down as Benno").tap()
    benno.sees("You are sitting at the table")
    ada.button("Start").click()


@pytest.mark.usefixtures("off_the_loop")
def test_two_people_and_bots_from_the_front_page_to_the_final_screen(house: House, visit: Visit) -> None:
    ada, benno = visit(), visit(phone=True)
    ada.prepare(EARS)
    benno.prepare(DEAF)
    house.draws = loaded({"first_investigator": 0})  # a bot could end so short a game
    invited(ada, benno)
    check, faults = checking(benno)
    one, other = Guest(ada), Guest(benno, Finger())

    # Nothing falls before somebody has said how to take it in.
    ada.sees("Headphones on?")
    benno.sees("Headphones on?")
    in_sight(benno)
    check("prompt")
    one.press(LISTEN)
    other.press(SILENT)
    one.caught_up()
    other.caught_up()
    heard(ada)
    drawn(other)
    check("ears")
    other.press("Close")

    seen: set[str] = set()
    for _ in range(MOST_TURNS * 3):
        if ada.told.over:
            break
        ada.until(lambda told: told.over or told.on_turn or benno.told.on_turn, "somebody's turn")
        for guest in (one, other):
            if guest.visitor.told.on_turn and not guest.visitor.told.over:
                if guest is other:
                    other.may("Inspect", "Suspect", "TakeBack", "Arrange")
                    in_sight(benno)
                    check(" ".join(benno.offered))
                seen.add(guest.turn(house))
        benno.page.wait_for_timeout(5)

    assert "Inspect" in seen
    for visitor in (ada, benno):
        visitor.until(lambda told: told.over, "the end")
        expect(visitor.page).to_have_title("Case closed: Mord im Arosa - Whodunit")
        expect(visitor.page.get_by_text("What was in the hotel", exact=True)).to_be_visible()
        expect(visitor.page.locator(".verdict li").filter(has_text=re.compile("^ ?Ground"))).to_be_visible()
    check("final")
    assert faults == []
    pictured(benno)


def pictured(visitor: Visitor) -> None:
    """Expect that whoever hears nothing was shown every drop that was played, each as a picture of its own.

    But for the very last one perhaps: the final screen may come before it.
    """
    seqs = [told["seq"] for told in visitor.told.events if told["event"]["type"] == "Dropped"]
    played = [seq for seq in seqs if seq <= visitor.told.room["heard"]]
    assert len(played) > 1
    assert len(visitor.page.evaluate("() => [...window.pictured]")) in {len(played), len(played) - 1}
    assert visitor.page.evaluate("() => window.sounded") == []


def heard(visitor: Visitor) -> None:
    """Expect that every drop of the prologue was decoded and played, and that it was more than silence."""
    drops = sum(told["event"]["type"] == "Dropped" for told in visitor.told.events)
    visitor.page.wait_for_function("() => window.heard.peak > 0.01")
    clips: list[float] = visitor.page.evaluate("() => window.heard.clips")
    assert len(clips) == drops
    assert {round(seconds, 2) for seconds in clips} == {2.0}


def drawn(guest: Guest) -> None:
    """Expect a picture for every drop of the turn, and no two alike."""
    guest.press("Ear")
    pictures = guest.visitor.page.get_by_role("dialog").get_by_role("img", name=re.compile("^Loudness of a drop"))
    expect(pictures.first).to_be_visible()
    view: dict[str, Any] = guest.visitor.told.table["view"]
    expect(pictures).to_have_count(len(view["heard"]))
    shapes = [picture.locator("path").nth(1).get_attribute("d") for picture in pictures.all()]
    assert len(set(shapes)) == len(shapes)


# --- What a script makes certain: cubes fall where the test wants them, without a sound ---

#          victims  Ada's  Benno's  back, back, penalty
FALLS: Final = [5, 3, 5, 2, 3, 6, 5, 5, 5]
OPTIONS: Final = {"tower": "scripted", "victim_dropper": 0, "first_investigator": 1}
COVERED: Final = (Step(1, Inspect(5)), Step(0, Inspect(3)), Step(1, Suspect((0,), 7)))
"""Each has found a victim and a clue of the other's, and Benno has suspected Ada in vain: she may cover her tracks."""


def test_tracks_are_covered_and_the_order_is_mine_on_a_phone(house: House, visit: Visit) -> None:
    house.draws = scripted(FALLS)
    laid = house.lay(["Ada", "Benno"], game="arosa", options=OPTIONS, script=COVERED, assistance="facts")
    ada = visit(laid.cookies[0], phone=True).goto(laid.path)
    check, faults = checking(ada)
    guest = Guest(ada, Finger())
    guest.press(SILENT)

    guest.cover(5, arrange=True)
    ada.sees("Your tracks on floor 5 can be covered")
    expect(ada.page.get_by_text("On floor 5", exact=True)).to_be_visible()
    in_sight(ada)
    check("take back")
    assert ada.page.get_by_role("radio", name="1").is_checked(), "the most is chosen already"
    guest.go("Take 1 back")
    ada.sees("3 clues fall back, one after another")
    in_sight(ada)
    check("order")
    guest.press("Ada, number 1: later")
    guest.go("Close the hotel and drop the first")

    assert [frame["action"] for frame in ada.sent if frame["type"] == "act"][1:] == [
        {"type": "TakeBack", "count": 1},
        {"type": "Arrange", "order": [1, 0, 2]},
    ]
    guest.press("Notes", ada.page.get_by_role("navigation"))
    check("notes")
    assert faults == []


def test_a_turn_by_keys_alone(house: House, visit: Visit) -> None:
    house.draws = scripted(FALLS)
    laid = house.lay(["Ada", "Benno"], game="arosa", options=OPTIONS, script=COVERED)
    ada = visit(laid.cookies[0]).goto(laid.path)
    keys = Keys(ada.page)
    guest = Guest(ada, keys)
    guest.press(SILENT)
    guest.may("Suspect")
    guest.floor(7)
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        ada.page.keyboard.press(key)
    expect(ada.button("Floor 5, crime scene")).to_have_attribute("aria-pressed", "true")
    guest.press("Benno", ada.now.get_by_role("group"))
    guest.go("Suspect Benno: open floor 5")

    moved: list[str] = []
    waiting = ada.page.get_by_role("heading", name="Waiting for Benno to suspect somebody")

    def shown(_: Told) -> bool:
        moved.extend(moving(ada.page))
        return waiting.is_visible()

    ada.until(shown, "Benno's turn")
    assert moved == [], "movement is unwelcome here"
    assert keys.faults == []


def test_text_of_twice_the_size_on_a_phone(house: House, visit: Visit) -> None:
    me = table(house, lambda cookie: visit(cookie, phone=True, locale="de"), *ACCUSED)
    check, faults = checking(me, large=True)
    me.page.evaluate(TWICE)
    check("suspect")
    me.page.locator(".now .buttons .button").last.tap()
    check("cover")
    for place in (1, 2, 3, 0):
        tab(me, place)
        check(f"tab {place}")
    me.page.locator(".board .tools .button").first.tap()
    check("ear")

    assert faults == []


def test_drops_wait_for_whoever_was_away(house: House, visit: Visit) -> None:
    """AROSA-R24: they are handed in once, in order, and then nothing waits any more."""
    house.draws = scripted(FALLS)
    laid = house.lay(["Ada", "Benno"], game="arosa", options=OPTIONS, script=COVERED)
    ada = visit(laid.cookies[0]).goto(laid.path)
    guest = Guest(ada)
    guest.press(LISTEN)
    guest.caught_up()
    ada.sees("Whom do you suspect?")

    ada.goto("about:blank")
    while not house.live(laid.id).room.chairs[0].away:
        ada.page.wait_for_timeout(5)
    house.act(laid.id, Step(0, Suspect((1,), 5)))
    house.act(laid.id, Step(1, Suspect((0,), 0)))
    ada.goto(laid.path)
    ada.button("To the table").click()
    ada.sees(re.compile("You have not been played [0-9]+ drops yet"))
    guest.press("Play them")
    guest.caught_up()
    ada.sees("Whom do you suspect?")


ALONE: Final = {"victim_dropper": 0, "first_investigator": 0}


def test_alone_the_drops_wait_for_whoever_notes_them(house: House, visit: Visit) -> None:
    """The page waits for a note once one was made; an earlier drop is turned to, and then nothing goes on."""
    house.call(house.site.workers.warm("warm", "arosa"))
    laid = house.lay(["Ada"], ["rookie", "rookie"], game="arosa", pace="brisk", options=ALONE)
    ada = visit(laid.cookies[0], phone=True)
    ada.prepare(SLOW)
    ada.goto(laid.path)
    check, faults = checking(ada)
    guest = Guest(ada, Finger())
    guest.press(SILENT)
    guest.press("Floor 5", ada.now)
    chips = ada.now.locator("[data-drop]")
    expect(chips).to_have_count(2)
    expect(ada.now).to_contain_text("It waits for your note.")
    in_sight(ada)
    check("falling")

    chips.first.tap()
    expect(ada.now).to_contain_text("It goes on when you say so.")
    expect(ada.now.get_by_role("button", name=re.compile("^Floor 5, sure"))).to_be_visible()
    guest.press("Next", ada.now)
    expect(chips).to_have_count(3)
    guest.press("Skip the rest", ada.now)
    guest.may("Inspect")
    expect(chips).to_have_count(8)
    chips.nth(6).tap()
    expect(ada.now.get_by_role("img", name=re.compile("^Loudness of a drop"))).to_be_visible()
    check("search")
    assert faults == []


def test_drops_are_told_in_silence_where_nothing_waits(house: House, visit: Visit) -> None:
    house.call(house.site.workers.warm("warm", "arosa"))
    laid = house.lay(["Ada"], ["rookie", "rookie"], game="arosa", pace="at_once", options=ALONE)
    ada = visit(laid.cookies[0])
    ada.prepare(DEAF)
    ada.goto(laid.path)
    guest = Guest(ada)
    guest.may("Inspect")
    chips = ada.now.locator("[data-drop]")
    expect(chips).to_have_count(8)
    expect(chips.locator("figure")).to_have_count(8)
    chips.nth(2).click()
    expect(ada.now.get_by_role("img", name=re.compile("^Loudness of a drop"))).to_be_visible()
    guest.press("Floor 4", ada.now)
    expect(chips.nth(2)).to_contain_text("4")

    guest.inspect(7)
    guest.may("Inspect", "Suspect", "CoverTracks")
    expect(chips.first).to_have_accessible_name(re.compile("^Ada (drops back|pays): "))
    assert ada.page.evaluate("() => window.sounded") == []


def test_a_floor_gives_up_its_victim_before_everybody_goes_on(house: House, visit: Visit) -> None:
    for motion in ("no-preference", "reduce"):

        def come(cookie: str, motion: str = motion) -> Visitor:
            visitor = visit(cookie, reduced_motion=motion)
            visitor.prepare(SLOW)
            return visitor

        ada = table(house, come)
        ada.sees("Waiting for Benno to look for the victims")
        ada.page.evaluate(SHOWN, ".victims svg")
        house.act(ada.told.room["table"], Step(1, Inspect(5)))
        ada.sees("A victim on floor 5")
        ada.sees("Waiting for Chloe to look for the victims")
        assert (ada.page.evaluate("() => window.shown") > 0) is (motion != "reduce")


def test_the_last_floor_is_seen_before_the_final_screen(house: House, visit: Visit) -> None:
    for motion in ("no-preference", "reduce"):

        def come(cookie: str, motion: str = motion) -> Visitor:
            visitor = visit(cookie, reduced_motion=motion)
            visitor.prepare(f"({SHOWN})('.final .end .tower')")
            return visitor

        ada = at_arosa_final(house, come)
        expect(ada.page.locator(".final .end")).to_be_hidden()
        assert (ada.page.evaluate("() => window.shown") > 0) is (motion != "reduce")


OUTSIDE: Final = """() => [...document.querySelectorAll('td.cubes')].flatMap((cell) => {
    const row = cell.closest('tr').getBoundingClientRect()
    return [...cell.querySelectorAll('svg, .scene')]
        .map((cube) => cube.getBoundingClientRect())
        .filter(({ top, bottom }) => top < row.top - 0.5 || bottom > row.bottom + 0.5)
        .map(({ top, bottom }) => `${top} to ${bottom} in a row from ${row.top} to ${row.bottom}`)
})"""


@pytest.mark.parametrize("phone", [False, True])
def test_the_cubes_of_six_stay_in_their_rows_of_the_sheet(house: House, visit: Visit, *, phone: bool) -> None:
    house.draws = scripted(FALLS)
    laid = house.lay([*NAMES], game="arosa", options={"tower": "scripted"})
    ada = visit(laid.cookies[0], phone=phone)
    ada.prepare(FULL)
    ada.goto(laid.path)
    if phone:
        ada.button("Sheet").tap()
    expect(ada.page.locator("td.cubes svg:visible").first).to_be_visible()
    assert ada.page.evaluate(OUTSIDE) == []


def test_the_ear_is_trained_on_real_drops(visit: Visit) -> None:
    me = visit()
    me.prepare(EARS)
    me.goto("/")
    me.page.get_by_role("link", name="Practise your ear").click()
    expect(me.page).to_have_title("Practice room: Mord im Arosa - Whodunit")
    me.button("Drop a cube").click()
    me.page.wait_for_function("() => window.heard.peak > 0.01")
    guesses = me.page.get_by_role("group", name="On which floor did it come to rest?")
    guesses.get_by_role("button", name="Floor 4").click()
    expect(me.page.get_by_role("heading", name=re.compile("^(Right: floor 4|It was )"))).to_be_visible()
    expect(me.page.get_by_role("img", name="How it sounded")).to_be_visible()
    expect(me.page.get_by_text(re.compile("^[01] of 1 right$"))).to_be_visible()
    expect(me.page.get_by_text(re.compile("^Our trained listener, on the same drops: [01] of 1 right"))).to_be_visible()


def test_a_table_speaks_french(house: House, visit: Visit) -> None:
    house.draws = scripted(FALLS)
    arosa = house.lay(["Ada", "Benno"], game="arosa", options=OPTIONS)
    me = visit(arosa.cookies[0], locale="fr-FR").goto(arosa.path)
    me.sees("Tu as mis ton casque\u202f?")
    expect(me.page.get_by_role("heading", name="Journal")).to_be_visible()
    expect(me.page.locator("html")).to_have_attribute("lang", "fr")
