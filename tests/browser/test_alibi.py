"""Perfect Alibi in real browsers: from the front page to the final screen, and nobody learns what is not theirs."""

import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.alibi import FOUR, Passenger, asked_on, laid, picked
from tests.browser.conftest import Visit
from tests.browser.hands import Finger, Keys
from tests.browser.house import House, Step, loaded
from tests.browser.measures import TWICE
from tests.browser.states_alibi import ASKED, BY_HAND, CHIP, HONEST, LYING, PEOPLE, PICKED, ROUND
from tests.browser.test_phone import checking
from tests.browser.visitor import Visitor
from tests.games.perfect_alibi.staging import deal_of
from whodunit.games.perfect_alibi.model import Announce, Show, Slam

THREE: Final = deal_of(
    [
        "Bar-6 Bar-9 Restaurant-6 SunDeck-12 Library-12",
        "Bar-3 Library-3 Restaurant-9 SunDeck-6 Bar-12",
        "Restaurant-3 Library-6 Library-9 SunDeck-3 Restaurant-12",
    ],
    missing="SunDeck-9",
    rivals="EDA",
)
"""Benno holds two alibis for 3 o'clock; his rival is the Priest, whom he picks himself if he can."""
BANG: Final = ".bang"


def events(visitor: Visitor, kind: str) -> list[dict[str, Any]]:
    """Return what the page was told of events of a kind."""
    return [told["event"] for told in visitor.told.events if told["event"]["type"] == kind]


def laid_out(house: House, visit: Visit, *script: Step, seats: range = range(4), **terms: Any) -> list[Visitor]:
    """Let people sit at a table that has come so far; each sees what happens from now on."""
    house.draws = loaded(laid(terms.pop("deal", FOUR)), seed=b"alibi")
    table = house.lay(PEOPLE, game="perfect_alibi", script=script, **terms)
    visitors = [visit(table.cookies[seat]).goto(table.path) for seat in seats]
    for visitor in visitors:
        expect(visitor.now).to_be_visible()
    return visitors


def play_on(players: list[Passenger], until: Callable[[], object]) -> None:
    """Let whoever is waited for do something simple, until it is so."""
    for _ in range(2000):
        if until():
            return
        for player in players:
            if player.on_turn:
                player.step()
            player.visitor.page.wait_for_timeout(5)
    raise AssertionError(f"it never comes to that: {[player.visitor.done for player in players]}")


def test_two_people_and_a_bot_with_rivals_from_the_front_page_to_the_final_screen(house: House, visit: Visit) -> None:
    house.draws = loaded(laid(THREE, ("green clock", "blue clock", "yellow wheel", "green wheel")))
    ada, benno = visit(), visit(phone=True)
    ada.goto("/")
    ada.button("Play with friends", ada.door("Perfect Alibi")).click()
    dialog = ada.page.get_by_role("dialog")
    dialog.get_by_label("Your name").fill("Ada")
    dialog.get_by_role("combobox", name="Seats", exact=True).select_option("3")
    dialog.get_by_label("Seat 3").select_option("rookie")
    dialog.get_by_text("Pace", exact=True).first.click()
    dialog.get_by_role("radio", name=re.compile("unhurried")).check()
    dialog.get_by_text("Variants", exact=True).click()
    dialog.get_by_label("Rivals", exact=True).check()
    ada.button("Make the table").click()
    benno.goto(ada.page.get_by_text(re.compile("/join#")).inner_text())
    benno.page.get_by_label("Your name").fill("Benno")
    benno.page.get_by_role("radio").check()
    benno.button("Sit down as Benno").tap()
    benno.sees("You are sitting at the table")
    ada.button("Start").click()

    one, other = Passenger(ada), Passenger(benno, Finger(), phone=True)
    benno.until(lambda told: told.on_turn, "Benno's pick")
    benno.sees("Who shall help you?")
    assert benno.page.get_by_text("my rival").count() == 0  # the ship, and with it the hand, comes after the picks
    free = other.choices("PickAssistant", "assistant")
    other.pick("Priest" if "Priest" in free else free[0])
    ada.until(lambda told: told.on_turn, "Ada's pick")
    free = one.choices("PickAssistant", "assistant")
    one.pick("Captain" if "Captain" in free else "Journalist")

    ada.sees("Your turn: whom do you ask?")
    one.take("^Benno times")
    one.ask("3")
    benno.sees("Answer Ada")
    other.give()
    benno.sees("Which card do you show?")
    other.show("Bar-3")
    ada.sees("Benno shows you")
    expect(ada.page.get_by_text(re.compile(r"Only you(,| and) Benno .*know which card"))).to_be_visible()
    one.put_back()
    expect(ada.page.get_by_text("Ada asked Benno about 3 o'clock: 2.")).to_be_attached()

    play_on([one, other], lambda: "Ask" in benno.done or "AskFreely" in benno.done)
    other.slam("SunDeck-9")
    benno.sees("You win")
    ada.sees("Benno wins")
    for visitor in (ada, benno):
        expect(visitor.page).to_have_title("Case closed: Perfect Alibi - Whodunit")
        expect(visitor.page.get_by_role("list", name="The cards of Benno").get_by_role("listitem")).to_have_count(5)
        expect(visitor.page.get_by_text("Rival: Priest")).to_be_visible()
        expect(visitor.page.get_by_text("“The missing alibi is: Sun deck at 9.”")).to_be_visible()


def test_a_lie_its_number_and_its_card_are_seen_by_whom_they_are_meant_for_alone(house: House, visit: Visit) -> None:
    # Ada has the Priest, which is Benno's rival; Chloe has the Captain.
    assistants = picked(("Priest", "Journalist", "Captain", "Cook"))
    script = (*assistants, *CHIP[4:], *ASKED[5:])
    ada, benno, chloe, dag = laid_out(house, visit, *script, deal=LYING, options={"rival": True}, assistance="logic")
    everybody = (ada, benno, chloe, dag)
    benno.sees("You must lie to Ada: by one")
    for other in (ada, chloe, dag):
        expect(other.now).to_contain_text("answering")
        assert "lie" not in other.now.inner_text()

    Passenger(benno).say(3)
    benno.sees("Which card do you show?")
    Passenger(benno).show("Bar-9")
    chloe.sees(re.compile("your Captain looks on"))
    ada.sees("Benno shows you")
    expect(ada.page.get_by_text("Only you, Benno and Chloe (Captain) know which card.")).to_be_visible()
    dag.until(lambda told: told.table["view"]["turn"] == 2, "the next turn")

    heard = {visitor: [event["said"] for event in events(visitor, "Answered")] for visitor in everybody}
    assert list(heard.values()) == [[3], [3], [None], [None]]
    seen = {visitor: [event["card"] for event in events(visitor, "CardShown")] for visitor in everybody}
    assert list(seen.values()) == [["Bar-9"], ["Bar-9"], ["Bar-9"], [None]]
    assert dag.page.locator("section.seen").count() == 0
    for visitor, said in zip(everybody, ("3.", "3.", "Only Ada heard", "Only Ada heard"), strict=True):
        Passenger(visitor).put_back()
        expect(visitor.page.locator(".said .unseen")).to_contain_text(said)
    assert [visitor.told.table["view"]["rivals"] for visitor in (ada, dag)] == [
        ["Cook", None, None, None],
        [None, None, None, "Journalist"],
    ]


def test_a_slam_stops_everybody_and_takes_nobodys_half_question(house: House, visit: Visit) -> None:
    ada, dag = laid_out(house, visit, *CHIP, seats=range(0, 4, 3), assistance="paper")
    for time in ("3", "9"):
        ada.button(re.compile(f"^{time}"), ada.now).click()
    asks = ada.sees("“Benno, how many of your alibis are for 3 or 9 o'clock?”")

    Passenger(dag).slam("Bar-9")

    dag.sees("The missing alibi")
    expect(dag.page.locator("section.seen")).to_contain_text("Sun deck, 9 o'clock")
    expect(ada.page.locator(BANG)).to_have_text(re.compile("Dag slams!.*Wrong: Dag is out"))
    assert "Sun" not in ada.page.locator(BANG).inner_text()
    assert [event["card"] for event in events(ada, "Slammed") + events(ada, "MissingSeen")] == [None, None]
    expect(asks).to_be_visible()
    ada.button("Ask Benno").click()
    ada.until(lambda _: "Ask" in ada.done and not ada.told.on_turn, "the question")
    Passenger(dag).put_back()
    dag.sees("You are out. You still answer.")
    assert dag.button(re.compile("^Slam")).count() == 0


def test_what_the_house_has_counted_is_pointed_to_and_not_doubted(house: House, visit: Visit) -> None:
    """ALIBI-R27."""
    (ada,) = laid_out(house, visit, *ROUND, seats=range(1))
    assert ada.button("Check an answer…").count() == 0
    entry = ada.page.locator("section.log li").filter(has_text="No. 1").get_by_role("button").last
    expect(entry).not_to_be_in_viewport()

    ada.page.get_by_role("region", name="Questions and answers").get_by_role("button").last.click()

    ada.sees("You see No. 1")
    expect(entry).to_have_class(re.compile("here"))
    expect(entry).to_be_in_viewport()


def test_counting_by_hand_is_checked_and_corrected(house: House, visit: Visit) -> None:
    ada, benno, chloe = laid_out(house, visit, *ASKED, seats=range(3), options=BY_HAND)
    benno.sees("Count for yourself: what do you tell Ada?")
    assert benno.button("Choose a number").is_disabled()
    Passenger(benno).say(0)
    chloe.sees(re.compile("Benno"))
    chloe.button("Check an answer…").locator("visible=true").first.click()
    chloe.button(re.compile("^Ask Benno to confirm")).click()

    # He holds two, so a card is due now as well.
    benno.sees("Correct your answer")
    Passenger(benno).give()
    benno.sees("Which card do you show?")
    Passenger(benno).show("Library-3")
    ada.sees("Benno shows you")
    chloe.until(lambda told: told.seq == ada.told.seq, "the same")
    assert [event["said"] for event in events(ada, "AnswerCorrected")] == [2]
    assert [event["said"] for event in events(chloe, "AnswerCorrected")] == [None]  # the Priest asked
    assert [event["card"] for event in events(chloe, "CardShown")] == [None]


def test_treachery_is_claimed_with_the_answer_that_was_wrong(house: House, visit: Visit) -> None:
    options = {**BY_HAND, "unforgiving": True}
    (ada,) = laid_out(house, visit, *ASKED, Step(1, Announce(0)), seats=range(1), options=options)
    ada.button("Treachery…", ada.now).click()
    accuse = ada.button("Accuse Benno of treachery")
    expect(accuse).to_be_disabled()
    ada.page.get_by_role("dialog").get_by_role("checkbox").check()
    accuse.click()
    ada.sees("You win")
    expect(ada.page.get_by_text("You uncovered a wrong answer.")).to_be_visible()


def test_an_old_answer_is_found_among_many(house: House, visit: Visit) -> None:
    """ALIBI-70: by player, the newest first, with what was asked."""
    house.draws = loaded(laid(FOUR), seed=b"alibi")
    options = {**BY_HAND, "unforgiving": True}
    script = (*ASKED, Step(1, Announce(0)))
    table = house.lay(PEOPLE, game="perfect_alibi", script=script, options=options, assistance="paper")
    asked_on(house, table.id, 24)
    ada = visit(table.cookies[0], phone=True).goto(table.path)
    ada.button("Treachery…", ada.now).tap()
    dialog = ada.page.get_by_role("dialog", name="Treachery")
    ada.button(re.compile("^Benno"), dialog).tap()
    rows = dialog.get_by_role("checkbox")
    numbers = [int(found) for found in re.findall(r"No\. (\d+)", dialog.inner_text())]
    assert numbers == sorted(numbers, reverse=True)
    assert numbers[-1] == 1
    assert len(numbers) == rows.count() < 24

    ada.button("Name all", dialog).tap()
    expect(rows.first).to_be_checked()
    ada.button("Name none", dialog).tap()
    expect(ada.button("Accuse Benno of treachery", dialog)).to_be_disabled()
    dialog.get_by_role("checkbox", name=re.compile(r"^No\. 1, Ada asked: .*3 or 9 o'clock")).check()
    ada.button("Accuse Benno of treachery", dialog).tap()
    ada.sees("You win")


def test_a_slam_hits_the_table_where_things_move(house: House, visit: Visit) -> None:
    house.draws = loaded(laid(FOUR), seed=b"alibi")
    table = house.lay(PEOPLE, game="perfect_alibi", script=PICKED)
    ada, benno = (visit(table.cookies[0], reduced_motion="no-preference"), visit(table.cookies[1], phone=True))
    for visitor in (ada, benno):
        expect(visitor.goto(table.path).now).to_be_visible()
    moment = ada.page.locator(".slammed")

    house.act(table.id, Step(3, Slam("Bar-9")))

    expect(moment).to_have_text(re.compile("Dag slams!"))
    assert ada.page.locator(BANG).count() == 0
    expect(benno.page.locator(BANG)).to_be_visible()
    assert benno.page.locator(".slammed").count() == 0  # where nothing moves, the band says it at once
    ada.page.mouse.click(*centre(moment.locator(".band")))
    expect(moment).to_have_count(0)
    expect(ada.page.locator(BANG)).to_have_text(re.compile("Dag slams!.*Wrong: Dag is out"))

    house.act(table.id, Step(2, Slam("SunDeck-9")))

    expect(moment.locator(".back")).to_be_visible()
    assert "Sun" not in moment.inner_text()
    expect(moment).to_contain_text("Sun deck")
    expect(moment).to_have_count(0)
    ada.sees("Chloe wins")


def centre(spot: Locator) -> tuple[float, float]:
    box = spot.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_among_bots_no_clock_runs_and_the_button_answers(house: House, visit: Visit) -> None:
    table = house.lay(["Ada"], ["rookie"] * 3, game="perfect_alibi", pace="brisk")
    me = visit(table.cookies[0], phone=True).goto(table.path)
    expect(me.now).to_be_visible()
    player = Passenger(me, Finger(), phone=True)
    play_on([player], lambda: me.told.room["answer"] is not None)
    expect(me.now.get_by_role("button", name=re.compile(r"^(Say \d|Show )"))).to_be_visible()
    assert me.page.get_by_role("timer").count() == 0
    assert me.told.room["answer"]["left_ms"] is None

    play_on([player], lambda: "Show" in me.done or "Answer" in me.done)


def test_a_game_by_keys_alone(house: House, visit: Visit) -> None:
    (ada,) = laid_out(house, visit, *PICKED, seats=range(1))
    keys = Keys(ada.page)
    player = Passenger(ada, keys)
    player.take("^Benno times")
    player.ask("3", "9")
    house.act(ada.told.room["table"], Step(1, Show("Bar-9")))
    ada.sees("Benno shows you")
    keys.press(ada.button("Put it back"))
    ada.quiet(60)
    assert ada.page.evaluate("() => document.activeElement !== document.body"), "lost the focus"
    keys.press(ada.button("Slam…", ada.now))
    grid = ada.page.get_by_role("grid", name="Slam")
    keys.reach(grid.locator("[tabindex='0']"))
    for arrow in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"):
        ada.page.keyboard.press(arrow)
    ada.page.keyboard.press("Enter")
    keys.press(ada.button("Slam: Sun deck at 9"))
    ada.sees("You win")
    assert keys.faults == []


@pytest.mark.parametrize("large", [False, True], ids=["", "twice-the-size"])
def test_everything_fits_a_phone(large: bool, house: House, visit: Visit) -> None:
    house.draws = loaded(laid(HONEST), seed=b"alibi")
    table = house.lay(PEOPLE, game="perfect_alibi", script=PICKED, options={"rival": True}, assistance="probabilities")
    me = visit(table.cookies[0], phone=True, locale="de-DE" if large else "en-GB").goto(table.path)
    expect(me.now).to_be_visible()
    if large:
        me.page.evaluate(TWICE)
    check, faults = checking(me, large=large)
    check("begin")
    me.now.get_by_role("button", name=re.compile("last|letzte")).tap()
    check("last question")
    me.now.locator(".back").get_by_role("button").tap()
    me.page.locator("section.chips").get_by_role("button").nth(1).tap()
    me.until(lambda _: "Ask" in me.offered, "the chip")
    for place in (0, 1, 3):
        me.now.locator(".four").get_by_role("button").nth(place).tap()
    check("question")
    me.now.get_by_role("button").filter(has_text="Benno").tap()
    house.act(table.id, Step(1, Show("Library-3")))
    expect(me.page.locator("section.seen")).to_be_visible()
    check("seen")
    tabs = me.page.get_by_role("navigation").get_by_role("button")
    for place in (1, 2, 3):
        tabs.nth(place).tap()
        check(f"tab {place}")
    tabs.nth(4).tap()
    me.page.locator("section.mark").get_by_role("button").nth(10).tap()
    check("slam")
    me.now.get_by_role("button").filter(has_text=re.compile("(Slam|Schlag): ")).tap()
    expect(me.page.locator(".final")).to_be_visible()
    check("final")

    assert faults == []
