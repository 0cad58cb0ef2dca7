"""A first case of every game, on a phone, from the front page's door to the end, by what the guide says and the page
shows; and whether the page has room for both.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from playwright.sync_api import Page, ViewportSize, expect
from playwright.sync_api import TimeoutError as Late

from tests.browser.alibi import WORDS as ALIBI
from tests.browser.alibi import Passenger
from tests.browser.arosa import SILENT
from tests.browser.arosa import Guest as ArosaGuest
from tests.browser.clue import Detective
from tests.browser.conftest import Visit
from tests.browser.hotel import Guest as HotelGuest
from tests.browser.measures import SPEAK, SPEAKS, cut_texts, overlaps
from tests.browser.visitor import Visitor
from tests.lessons import advice_of, path_of
from tests.lessons import begin as staged
from tests.lessons import follow as followed
from tests.test_lessons import SHARED, words
from whodunit import games
from whodunit.games.clue.model import Trio

Do = Callable[[dict[str, Any]], None]
ROOM: Final = """() => {
    const [guide, now, board] = ['.guide', 'section.now', '.area.board'].map((each) => document.querySelector(each))
    const low = innerHeight < 700 // there the guide is scrolled before anything else is
    const found = [low ? null : guide, now].filter((panel) => panel && panel.scrollHeight > panel.clientHeight + 1)
        .map((panel) => `${panel.className} has to be scrolled`)
    const least = low ? 112 : 140
    if (board.clientHeight < least) found.push(`${board.clientHeight} px are left of the board`)
    if (document.documentElement.scrollHeight > innerHeight) found.push('the page has to be scrolled')
    const main = now.querySelector('.button.main')
    const box = main?.getBoundingClientRect()
    if (main && !main.contains(document.elementFromPoint(box.x + box.width / 2, box.bottom - 4)))
        found.push(`${main.textContent.trim()} is hidden`)
    // Every line of NOW's words is there to be read, to its last letter.
    for (const words of now.querySelectorAll(':scope > .words > :is(h2, p)')) {
        const range = document.createRange()
        range.selectNodeContents(words)
        for (const { x, y, width, height } of range.getClientRects()) {
            const corners = [[x + 1, y + height / 2], [x + width - 1, y + height / 2]]
            if (corners.some((corner) => !words.contains(document.elementFromPoint(...corner))))
                found.push(`${words.textContent.trim()} is cut or hidden`)
        }
    }
    return found
}"""
"""What has no room beside the guide."""
FRAMED: Final = """() => {
    const framed = [...document.querySelectorAll('.page *')].filter((node) =>
        getComputedStyle(node, '::after').borderTopStyle === 'dashed' && node.checkVisibility())
    const hit = (node) => {
        const box = node.getBoundingClientRect()
        return node.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2))
    }
    return framed.map((node) => [node, ...node.querySelectorAll('button, a, [role="gridcell"]')])
        .filter((nodes) => !nodes.some((node) => node.matches(':not(.tools *):is(button, a, [role="gridcell"])')
            && !node.disabled && node.ariaDisabled !== 'true' && hit(node)))
        .map(([node]) => `${node.className} is framed, and nothing in it can be tapped`)
}"""
PHONES: Final[tuple[ViewportSize, ...]] = (
    {"width": 390, "height": 844},
    {"width": 360, "height": 640},
    {"width": 360, "height": 740},
)
"""The last one is the phone on which it is played."""
FIRST_FALL_MS: Final = 40_000
"""A process that has yet to load the simulator may take its time on a busy machine."""
SETTLES_MS: Final = 2000
SAID: Final = "(count) => JSON.parse(localStorage.getItem('whodunit.lesson')).shown.length === count"


def clue(visitor: Visitor) -> Do:
    detective = Detective(visitor)

    def do(deed: dict[str, Any]) -> None:
        kind, cards = deed["type"], {key: value for key, value in deed.items() if key != "type"}
        if kind == "Accuse":
            detective.accuse(Trio(**cards))
            return
        seq = visitor.told.seq
        if kind == "CannotShow" or (kind == "Show" and len(detective.choices("Show", "card")) == 1):
            detective.give()
        elif kind == "Show":
            detective.show(cards["card"])
        else:
            detective.put_back()
            where = cards.get("to", "Lounge")
            detective._move([kind], cards.get("suspect", ""), cards.get("weapon", ""), where)
        visitor.until(lambda told: told.seq > seq, f"anything after {deed}")

    return do


def perfect_alibi(visitor: Visitor) -> Do:
    passenger = Passenger(visitor, phone=True)

    def do(deed: dict[str, Any]) -> None:
        seq = visitor.told.seq
        if deed["type"] == "TakeChip":
            chips = passenger.region(ALIBI["ui.chips"]).get_by_role("button")
            while not chips.first.is_visible():
                passenger.put_back()  # one card after another
            offers = [offer for offer in visitor.told.table["offers"] if offer["action"] == "TakeChip"]
            places = sorted({place for offer in offers for place in offer["choices"]["place"]["of"]})
            chips.nth(places.index(deed["place"])).click()
            passenger.moved("the chip", seq)
        elif deed["type"] == "Answer":
            passenger.give()
        elif deed["type"] == "Ask":
            passenger.ask(*deed["elements"])
        elif deed["type"] == "Slam":
            passenger.slam(deed["card"])
        elif deed["type"] == "Show":
            passenger.show(deed["card"])
        else:
            passenger.pick(deed["assistant"])

    return do


def crime_hotel(visitor: Visitor) -> Do:
    guest = HotelGuest(visitor)

    def do(deed: dict[str, Any]) -> None:
        match deed["type"]:
            case "Play":
                guest.play(deed["card"])
            case "Guess":
                guest.guess(deed["place"])
            case "Look":
                guest.look(visitor.told.chair(deed["target"])["name"])
            case "TakeDesk":
                guest.may("TakeDesk")
                guest.department(deed["department"])
                guest._go("Take this desk")
            case "LayLast":
                guest.lay()

    return do


def arosa(visitor: Visitor) -> Do:
    guest = ArosaGuest(visitor)

    def do(deed: dict[str, Any]) -> None:
        guest.caught_up()
        match deed["type"]:
            case "Inspect":
                guest.inspect(deed["floor"])
            case "CoverTracks":
                guest.cover(deed["floor"])
            case "TakeBack":
                guest.may("TakeBack")
                guest.go(re.compile("^Take|^Close the hotel"))
            case "Suspect":
                guest.suspect([visitor.told.chair(seat)["name"] for seat in deed["suspects"]], deed["floor"])

    return do


def begin(visitor: Visitor, door: str, first: str) -> None:
    """Open the door's first case; the guide speaks at once."""
    visitor.goto("/")
    visitor.button("Your first case, five minutes", visitor.door(door)).click()
    expect(visitor.page.get_by_role("region", name="Your first case")).to_contain_text(first)
    assert visitor.told.room["lesson"]


def crowded(visitor: Visitor) -> list[str]:
    """List what has no room on the page in German, whose words take a third more of it; and what is framed in vain."""
    page = visitor.page
    _speak(visitor, "de")
    found = []
    for phone in PHONES:
        page.set_viewport_size(phone)
        visitor.quiet(100)
        faults = [*_settled(page, ROOM), *_settled(page, FRAMED), *cut_texts(page), *overlaps(page)]
        found += [f"at {phone['width']}x{phone['height']}: {fault}" for fault in faults]
    _speak(visitor, "en")
    return found


def _settled(page: Page, script: str) -> list[str]:
    """Return what a script finds when the page has had time to settle."""
    with suppress(Late):
        page.wait_for_function(f"() => ({script})().length === 0", timeout=SETTLES_MS)
    found: list[str] = page.evaluate(script)
    return found


def _speak(visitor: Visitor, language: str) -> None:
    """Change the language, and wait until the guide speaks it."""
    advice = visitor.page.locator(".guide p").first
    said = advice.inner_text()
    visitor.page.evaluate(SPEAK, language)
    expect(advice).not_to_have_text(said)
    visitor.page.wait_for_function(SPEAKS, arg=language)


def follow(visitor: Visitor, game: str, do: Do) -> None:
    """Do what the guide advises, until the game is over; whatever it has said can be read again at the end."""
    lesson, texts = games.lesson(game), words(path_of(game).with_name("en.json"))
    differs = [text for key, text in texts.items() if key.startswith("differs.")]
    speech = [" ".join(texts[text] for text in said.texts) for _, said in followed(staged(game, lesson), lesson).said]
    guide = visitor.page.get_by_role("region", name="Your first case")
    advice = advice_of(game, lesson)
    last = max(advice)
    faults: list[str] = []
    while visitor.told.seq < last:
        visitor.until(lambda told: told.seq >= last or told.seq in advice, "the next advice")
        if game == "arosa":
            ArosaGuest(visitor).caught_up()
        faults += [f"{visitor.told.seq}: {fault}" for fault in crowded(visitor)]
        if lesson.answer is None:
            expect(guide).not_to_contain_text("For instance")  # that would be a better ear than mine
        if visitor.told.seq < last:
            do(advice[visitor.told.seq])
    assert faults == []
    count = len(lesson.steps) + bool(differs)
    visitor.page.wait_for_function(SAID, arg=count)  # notes take a moment longer than moves
    said = []
    back, on = visitor.button("What the guide said before", guide), visitor.button("Go on", guide)
    for _ in range(count):
        if back.is_visible() and back.is_enabled():
            back.click()
    for _ in range(count):
        said.append(guide.locator("p[data-step]").inner_text())
        if on.is_visible():
            on.click()
    if differs:
        speech.append(" ".join([words(SHARED / "en.json")["guide.differs"], *differs]))
    assert sorted(said) == sorted(speech)
    do(advice[last])
    visitor.until(lambda told: told.over, "the end")
    assert 0 in visitor.told.table["outcome"]["winners"]


def test_the_first_case_of_clue(visit: Visit) -> None:
    me = visit(phone=True)
    begin(me, "Clue", "Three cards lie in the envelope")
    follow(me, "clue", clue(me))

    me.sees("You solved the case")
    after = me.page.get_by_role("region", name="What you could have known")
    expect(after).to_contain_text("your notes could prove it")
    me.button("Now a real case").click()
    me.until(lambda told: not told.room["lesson"] and told.on_turn, "a table without a guide")


def test_the_first_case_of_perfect_alibi(visit: Visit) -> None:
    me = visit(phone=True)
    begin(me, "Perfect Alibi", "Fifteen of sixteen alibis")
    follow(me, "perfect_alibi", perfect_alibi(me))

    expect(me.page.get_by_role("region", name="What you could have known")).to_contain_text("could prove it")


def test_the_first_case_of_crime_hotel(visit: Visit) -> None:
    me = visit(phone=True)
    begin(me, "Crime Hotel", "One of 27 room cards is hidden")
    follow(me, "crime_hotel", crime_hotel(me))

    expect(me.page.get_by_role("region", name="What you could have known")).to_be_visible()


def test_the_first_case_of_mord_im_arosa(visit: Visit) -> None:
    me = visit(phone=True)
    me.goto("/")
    me.button("Your first case, five minutes", me.door("Mord im Arosa")).click()
    guest, guide = ArosaGuest(me), me.page.get_by_role("region", name="Your first case")
    # First of all, how to listen; then what is heard; and only then what to do about it.
    expect(me.button(SILENT)).to_be_visible(timeout=FIRST_FALL_MS)
    expect(guide).to_have_count(0)
    guest.press(SILENT)
    expect(guide).to_contain_text("Cubes fall into the closed hotel")
    guest.caught_up()
    expect(guide).to_contain_text("First the victims are to be found")
    follow(me, "arosa", arosa(me))

    expect(me.page.get_by_role("region", name="What you could have known")).to_contain_text("it is heard")


def test_who_guesses_well_is_told_that_it_was_luck_and_what_would_have_come(visit: Visit) -> None:
    me, lesson = visit(phone=True), games.lesson("clue")
    begin(me, "Clue", "Three cards lie in the envelope")

    Detective(me).accuse(staged("clue", lesson).case.table.state.envelope)
    me.until(lambda told: told.over, "the end")

    assert me.told.table["outcome"]["winners"] == [0]
    after = me.page.get_by_role("region", name="What you could have known")
    expect(after).to_contain_text("That was luck")
    expect(after).not_to_contain_text("From this line on")
    after.get_by_text("What the guide did not get to say").click()
    texts = words(path_of("clue").with_name("en.json"))
    unsaid = sorted(text for key, text in texts.items() if key != "welcome" and not key.startswith("differs."))
    assert sorted(after.get_by_role("listitem").all_inner_texts()) == unsaid


def test_the_guide_is_put_away_and_called_back_and_points_by_a_ring(visit: Visit) -> None:
    me = visit()
    begin(me, "Clue", "Three cards lie in the envelope")
    guide = me.page.get_by_role("region", name="Your first case")
    ring = "() => getComputedStyle(document.querySelector('section.now'), '::after').borderTopStyle"
    assert me.page.evaluate(ring) == "dashed"
    expect(me.page.locator("[data-live=polite]")).to_contain_text("Three cards lie in the envelope")

    me.button("Put away", guide).click()
    expect(guide).not_to_contain_text("Three cards")
    assert me.page.evaluate(ring) == "none"
    me.page.reload()
    me.button("Call the guide").click()
    expect(guide).to_contain_text("Three cards lie in the envelope")
