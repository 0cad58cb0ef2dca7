"""Every page and every state of a table, each as a way to come there; for axe, pictures and whatever else looks."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

from playwright.sync_api import expect

from tests.browser.clue import SIX
from tests.browser.house import House, Step, loaded
from tests.browser.places import CHAT, LOG, Come, first_case, guided, rules_of, tab
from tests.browser.visitor import Visitor
from tests.browser.words import game_word, table_word
from tests.games.clue.staging import deal_of, stack
from whodunit.games.clue.model import Accuse, EndTurn, Move, Roll, Show, Suggest

PEOPLE: Final = ["Ada", "Benno", "Chloe", "Dag"]
TWINS: Final = {
    *("front", "begin", "rule", "past", "spectator", "log"),
    *("passage", "squares", "sure", "wait", "wrong", "out", "paper"),
}
"""What is made of the same parts as another state of this module; soak looks at these too."""
DEAL: Final = deal_of(
    "White Rope Study",
    ["Scarlet Knife Hall", "Mustard Wrench Library Lounge", "Green LeadPipe Ballroom", "Peacock Candlestick Kitchen"],
)
IN_LOUNGE: Final = (Step(0, Roll()), Step(0, Move("Lounge")))
ASKED: Final = (*IN_LOUNGE, Step(0, Suggest("Mustard", "Wrench", "Lounge")))
SHOWN: Final = (*ASKED, Step(1, Show("Wrench")))
ROUND: Final = (
    *SHOWN,
    *(Step(1, Roll()), Step(1, Move("DiningRoom")), Step(1, Suggest("Green", "LeadPipe", "DiningRoom"))),
    *(Step(2, Show("Green")), Step(2, Roll()), Step(2, Move("Ballroom")), Step(2, EndTurn())),
    *(Step(3, Roll()), Step(3, Move("Ballroom")), Step(3, Suggest("Scarlet", "Rope", "Ballroom"))),
)


class State(NamedTuple):
    name: str
    reach: Callable[[House, Come], Visitor]


def states(*kinds: str) -> list[State]:
    """Return all states; those that hardly differ from another (`shot`) only if they are wanted, for pictures."""
    found = {name: value for module in _modules() for name, value in vars(module).items()}
    named = [(*name.partition("_"), reach) for name, reach in found.items()]
    return [State(name.replace("_", "-"), reach) for kind, _, name, reach in named if kind in (kinds or ("at",))]


def twins() -> set[str]:
    """Return the names of the states that are made of the same parts as another of their module."""
    return set().union(*(module.TWINS for module in _modules()))


def _modules() -> list[ModuleType]:
    """Return this module and those of single games, which stand beside it."""
    others = sorted(file.stem for file in Path(__file__).parent.glob("states_*.py"))
    return [import_module(f"tests.browser.{name}") for name in ("states", *others)]


def table(house: House, come: Come, *script: Step, seat: int | None = 0, **terms: Any) -> Visitor:
    """Sit, or without a seat look on, at a table that has come so far."""
    house.draws = loaded({**stack(DEAL), **SIX})
    terms = {"options": {"dice_count": 2}, "assistance": "probabilities", "script": script, **terms}
    laid = house.lay(PEOPLE, **terms)
    visitor = come(None if seat is None else laid.cookies[seat]).goto(laid.path)
    visitor.until(lambda told: "room" in told.last and told.room["table"] == laid.id)
    # What happens from now on is to be seen as it happens.
    expect(visitor.now if terms.get("begin", True) else visitor.page.get_by_role("main")).to_be_visible()
    return visitor


# --- Pages ---


def at_front(_: House, come: Come) -> Visitor:
    me = come().goto("/")
    me.until(lambda told: "lobby" in told.last)
    return me


def at_front_full(house: House, come: Come) -> Visitor:
    house.call(_chair(house, house.lay(["Edda"], ["detective"], public=True, begin=False).id))
    mine = house.lay(["Ada", "Benno"])
    me = come(mine.cookies[0]).goto("/")
    me.until(lambda told: "lobby" in told.last and told.last["lobby"]["mine"])
    return me


def at_create(house: House, come: Come) -> Visitor:
    me = at_front(house, come)
    me.page.get_by_role("article").first.get_by_role("button").nth(1).click()
    expect(me.page.get_by_role("dialog")).to_be_visible()
    for fold in me.page.locator("summary").all():
        fold.click()
    return me


def at_first_case(_: House, come: Come) -> Visitor:
    return guided(first_case(come, "clue"))


def at_gather(house: House, come: Come) -> Visitor:
    return table(house, come, begin=False)


def at_join(house: House, come: Come) -> Visitor:
    laid = house.lay(["Ada"], ["detective"], public=True, begin=False)
    house.call(_chair(house, laid.id))
    me = come().goto(laid.path)
    me.until(lambda told: "room" in told.last)
    return me


async def _chair(house: House, id: str) -> None:
    from whodunit.room.entries import ChairSet  # noqa: PLC0415

    live = await house.site.host.get(id)
    await house.site.host.writer.note(live, lambda _: [ChairSet(at=0, seat=1, level=None)])


def at_nowhere(_: House, come: Come) -> Visitor:
    me = come()
    me.allow("404.*/nowhere")
    me.goto("/t/nowhere1")
    expect(me.page.get_by_role("heading", level=1)).to_be_visible()
    return me


def at_about(_: House, come: Come) -> Visitor:
    return come().goto("/about")


def at_rules_clue(_: House, come: Come) -> Visitor:
    return rules_of(come, "clue")


# --- My turn ---


def at_begin(house: House, come: Come) -> Visitor:
    return table(house, come)


def at_walk(house: House, come: Come) -> Visitor:
    return table(house, come, IN_LOUNGE[0])


def at_squares(house: House, come: Come) -> Visitor:
    me = at_walk(house, come)
    me.now.get_by_role("button", name=game_word("clue", "now.list")).click()
    expect(me.page.get_by_role("dialog")).to_be_visible()
    return me


def at_suggest(house: House, come: Come) -> Visitor:
    me = table(house, come, *IN_LOUNGE)
    expect(me.page.locator("section.choose")).to_be_visible()
    return me


def at_passage(house: House, come: Come) -> Visitor:
    return table(house, come, *ROUND)


def at_accuse(house: House, come: Come) -> Visitor:
    me = table(house, come)
    me.now.get_by_role("button", name="…").click()
    for card in (2, 7, 14):
        me.page.locator("section.choose").get_by_role("button").nth(card).click()
    return me


def at_sure(house: House, come: Come) -> Visitor:
    me = at_accuse(house, come)
    me.now.get_by_role("button").first.click()
    expect(me.page.get_by_role("dialog")).to_be_visible()
    return me


def at_rule(house: House, come: Come) -> Visitor:
    me = table(house, come)
    me.now.locator(".rule").get_by_role("button").click()
    expect(me.page.get_by_role("dialog")).to_be_visible()
    return me


# --- Others' turn ---


def at_asked(house: House, come: Come) -> Visitor:
    me = table(house, come, *ASKED, seat=1)
    expect(me.page.locator("section.asked:not(.now)")).to_be_visible()
    return me


def at_seen(house: House, come: Come) -> Visitor:
    me = table(house, come, *ASKED)
    house.act(me.told.room["table"], Step(1, Show("Wrench")))
    expect(me.page.locator("section.seen")).to_be_visible()
    return me


def at_wait(house: House, come: Come) -> Visitor:
    return table(house, come, *SHOWN)


def at_wrong(house: House, come: Come) -> Visitor:
    me = table(house, come)
    house.act(me.told.room["table"], Step(0, Accuse("Plum", "Knife", "Hall")))
    expect(me.page.locator("section.seen")).to_be_visible()
    return me


def at_out(house: House, come: Come) -> Visitor:
    me = at_wrong(house, come)
    me.now.get_by_role("button").first.click()
    return me


def at_spectator(house: House, come: Come) -> Visitor:
    return table(house, come, *ROUND, seat=None, public=True)


# --- Notes, log, menu, past, end ---


def at_notes(house: House, come: Come) -> Visitor:
    me = table(house, come, *ROUND)
    tab(me, 1)
    return me


def at_paper(house: House, come: Come) -> Visitor:
    me = table(house, come, *ROUND, assistance="paper")
    tab(me, 1)
    return me


def at_why(house: House, come: Come) -> Visitor:
    me = table(house, come, *ROUND)
    tab(me, 1)
    known = me.page.get_by_role("grid").locator("[data-cell='Wrench/envelope']")
    expect(known).to_have_accessible_name(table_word("notes.why"))
    known.click()
    expect(me.page.get_by_role("dialog")).to_be_visible()
    return me


def at_log(house: House, come: Come) -> Visitor:
    me = table(house, come, *ROUND)
    tab(me, LOG)
    return me


def at_chat(house: House, come: Come) -> Visitor:
    me = table(house, come, *ROUND)
    tab(me, CHAT)
    chat = me.page.locator("section.chat")
    if not chat.is_visible():
        me.page.keyboard.press("c")
    chat.locator(".phrases button").first.click()
    expect(chat.get_by_role("listitem").first).to_be_visible()
    return me


def at_menu(house: House, come: Come) -> Visitor:
    me = table(house, come)
    me.page.get_by_role("banner").get_by_role("button").last.click()
    expect(me.page.get_by_role("dialog")).to_be_visible()
    return me


def at_past(house: House, come: Come) -> Visitor:
    me = at_log(house, come)
    me.page.locator(".log-area li button").first.click()
    expect(me.page.locator("section.now.back")).to_be_visible()
    return me


def at_final(house: House, come: Come) -> Visitor:
    me = table(house, come, *ROUND)
    house.act(me.told.room["table"], Step(0, Accuse("White", "Rope", "Study")))
    expect(me.page.locator(".final")).to_be_visible()
    return me
