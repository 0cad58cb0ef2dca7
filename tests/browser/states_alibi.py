"""The states of a table of Perfect Alibi."""

from typing import Any, Final

from playwright.sync_api import expect

from tests.browser.alibi import FOUR, laid, picked
from tests.browser.house import House, Step, loaded
from tests.browser.places import Come, first_case, guided, rules_of, tab
from tests.browser.visitor import Visitor
from tests.browser.words import game_word
from whodunit.games.perfect_alibi.model import (
    Announce,
    Ask,
    AskFreely,
    AskLast,
    ChangeAssistant,
    Confirm,
    Show,
    Slam,
    TakeChip,
)

PEOPLE: Final = ["Ada", "Benno", "Chloe", "Dag"]
TWINS: Final = {
    *("alibi-first-case", "rules-alibi", "alibi-seen", "alibi-change", "alibi-last", "alibi-count"),
    *("alibi-show", "alibi-players", "alibi-treachery"),
}
PICKED: Final = tuple(picked())
CHIP: Final = (*PICKED, Step(0, TakeChip(2, 1)))
ASKED: Final = (*CHIP, Step(0, Ask(("3", "9"))))
SHOWN: Final = (*ASKED, Step(1, Show("Bar-9")))
ROUND: Final = (
    *SHOWN,
    *(Step(1, TakeChip(1, 3)), Step(1, Ask(("3", "12"))), Step(3, Show("Restaurant-12"))),
    *(Step(2, AskFreely(0, ("SunDeck", "Library"))), Step(0, Show("SunDeck-12"))),
)
BY_HAND: Final[dict[str, Any]] = {"answer_mode": "by_hand"}
LYING: Final = FOUR._replace(rivals=("Cook", "Priest", "Captain", "Journalist"))
"""Benno must lie to Ada."""
HONEST: Final = FOUR._replace(rivals=("Captain", "Cook", "Priest", "Psychiatrist"))
"""Nobody of those who ask in the first round is the rival of whom they ask."""


def table(house: House, come: Come, *script: Step, seat: int = 0, deal: Any = FOUR, **terms: Any) -> Visitor:
    """Sit at a table that has come so far."""
    house.draws = loaded(laid(deal), seed=b"alibi")
    terms = {"assistance": "probabilities", "script": script, **terms}
    laid_ = house.lay(PEOPLE, game="perfect_alibi", **terms)
    visitor: Visitor = come(laid_.cookies[seat]).goto(laid_.path)
    visitor.until(lambda told: "room" in told.last and told.room["table"] == laid_.id)
    expect(visitor.now).to_be_visible()
    return visitor


# --- My turn ---


def shot_alibi_pick(house: House, come: Come) -> Visitor:
    return table(house, come, *PICKED[:2], seat=1)


def at_alibi_begin(house: House, come: Come) -> Visitor:
    return table(house, come, *PICKED)


def at_alibi_ask(house: House, come: Come) -> Visitor:
    me = table(house, come, *CHIP)
    for time in (0, 2):
        me.now.locator(".four button").nth(time).click()
    return me


def at_alibi_change(house: House, come: Come) -> Visitor:
    return table(house, come, *PICKED, Step(0, TakeChip(3, 2)))


def shot_alibi_replace(house: House, come: Come) -> Visitor:
    script = (*PICKED, Step(0, TakeChip(3, 2)), Step(0, ChangeAssistant("Journalist")))
    return table(house, come, *script, seat=2)


def at_alibi_last(house: House, come: Come) -> Visitor:
    me = table(house, come, *PICKED)
    me.now.get_by_role("button", name=game_word("perfect_alibi", "action.AskLast.open")).click()
    me.now.get_by_role("group").first.get_by_role("button").nth(1).click()
    me.now.locator(".four").first.get_by_role("button").nth(1).click()
    return me


def shot_alibi_name(house: House, come: Come) -> Visitor:
    script = (*PICKED, Step(0, AskLast(1, ("3",))))
    me = table(house, come, *script)
    expect(me.page.locator("section.mark")).to_be_visible()
    return me


# --- Others' turn ---


def shot_alibi_wait(house: House, come: Come) -> Visitor:
    return table(house, come, *SHOWN)


def at_alibi_slam(house: House, come: Come) -> Visitor:
    me = table(house, come, *ROUND, seat=1)
    me.page.get_by_role("button", name=game_word("perfect_alibi", "action.Slam.short")).locator("visible=true").click()
    me.page.locator("section.mark").get_by_role("button").nth(10).click()
    return me


def shot_alibi_slammed(house: House, come: Come) -> Visitor:
    me = table(house, come, *SHOWN)
    house.act(me.told.room["table"], Step(3, Slam("Bar-9")))
    expect(me.page.locator(".bang")).to_be_visible()
    return me


def at_alibi_seen(house: House, come: Come) -> Visitor:
    me = table(house, come, *ASKED)
    house.act(me.told.room["table"], Step(1, Show("Bar-9")))
    expect(me.page.locator("section.seen")).to_be_visible()
    return me


def shot_alibi_wrong(house: House, come: Come) -> Visitor:
    me = table(house, come, *SHOWN)
    house.act(me.told.room["table"], Step(0, Slam("Bar-9")))
    expect(me.page.locator("section.seen")).to_be_visible()
    return me


def at_alibi_show(house: House, come: Come) -> Visitor:
    me = table(house, come, *ASKED, seat=1)
    expect(me.page.locator("section.asked:not(.now)")).to_be_visible()
    return me


def at_alibi_count(house: House, come: Come) -> Visitor:
    return table(house, come, *ASKED, seat=1, options=BY_HAND)


def shot_alibi_lie(house: House, come: Come) -> Visitor:
    return table(house, come, *ASKED, seat=1, deal=LYING, options={"rival": True})


def shot_alibi_correct(house: House, come: Come) -> Visitor:
    script = (*ASKED, Step(1, Announce(0)), Step(2, Confirm(1)))
    return table(house, come, *script, seat=1, deal=LYING, options={**BY_HAND, "rival": True})


def shot_alibi_confirm(house: House, come: Come) -> Visitor:
    me = table(house, come, *ASKED, Step(1, Announce(0)), seat=2, options=BY_HAND)
    me.now.get_by_role("button", name=game_word("perfect_alibi", "action.Confirm.open")).click()
    expect(me.page.get_by_role("dialog")).to_be_visible()
    return me


def at_alibi_treachery(house: House, come: Come) -> Visitor:
    script = (*ASKED, Step(1, Announce(0)))
    me = table(house, come, *script, options={**BY_HAND, "unforgiving": True})
    me.now.get_by_role("button", name=game_word("perfect_alibi", "action.Accuse.open")).click()
    me.page.get_by_role("dialog").get_by_role("checkbox").check()
    return me


# --- Notes, log, end ---


def shot_alibi_notes(house: House, come: Come) -> Visitor:
    me = table(house, come, *ROUND)
    tab(me, 1)
    return me


def at_alibi_players(house: House, come: Come) -> Visitor:
    me = table(house, come, *ROUND, deal=HONEST, options={"rival": True})
    tab(me, 1)
    me.page.locator("section.notes .tools").get_by_role("button").first.click()
    return me


def shot_alibi_log(house: House, come: Come) -> Visitor:
    me = table(house, come, *ROUND)
    tab(me, 2)
    return me


def at_alibi_final(house: House, come: Come) -> Visitor:
    me = table(house, come, *SHOWN, deal=HONEST, options={"rival": True})
    house.act(me.told.room["table"], Step(0, Slam("SunDeck-9")))
    expect(me.page.locator(".final")).to_be_visible()
    return me


def at_alibi_first_case(_: House, come: Come) -> Visitor:
    return guided(first_case(come, "perfect_alibi"))


def at_rules_alibi(_: House, come: Come) -> Visitor:
    return rules_of(come, "perfect_alibi")
