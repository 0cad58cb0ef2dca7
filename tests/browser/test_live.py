"""What a screen reader is told: the log's own lines as they come, my turn at once, and nothing private of others."""

from typing import Any

import msgspec

from tests.browser.clue import SIX, WORDS, Detective
from tests.browser.conftest import Visit
from tests.browser.house import House, Step, loaded
from tests.browser.visitor import Visitor
from tests.games.clue.staging import deal_of, stack
from whodunit.core.text import say
from whodunit.core.types import Message
from whodunit.games.clue.model import Move, Roll, Show, Suggest

NAMES = ["Ada", "Benno", "Chloe"]
LISTEN = """() => {
    window.heard = { polite: [], assertive: [] }
    for (const region of document.querySelectorAll('[aria-live][data-live]'))
        new MutationObserver((changes) => {
            for (const { addedNodes } of changes) for (const node of addedNodes)
                if (node.textContent.trim()) window.heard[region.ariaLive].push(node.textContent.trim())
        }).observe(region, { childList: true })
}"""


def in_words(event: dict[str, Any]) -> str:
    return say(msgspec.convert(event["line"], Message), WORDS, NAMES)


def heard(me: Visitor, region: str) -> list[str]:
    found: list[str] = me.page.evaluate(f"() => window.heard.{region}")
    return found


def test_the_regions_say_the_log_and_call_me(house: House, visit: Visit) -> None:
    deal = deal_of("White Rope Study", ["Scarlet Knife Hall", "Mustard Wrench Library", "Green LeadPipe Ballroom"])
    house.draws = loaded({**stack(deal), **SIX})
    table = house.lay(NAMES, options={"dice_count": 2})
    ada, chloe = (visit(table.cookies[seat]).goto(table.path) for seat in (0, 2))
    ada.sees("Your turn: throw the dice")
    chloe.sees("Waiting for Ada")
    before = ada.told.seq
    for visitor in (ada, chloe):  # that the other has come is said too, and no part of this
        visitor.until(lambda told: told.chair(0)["away_ms"] is told.chair(2)["away_ms"] is None, "both")
        visitor.quiet()
        visitor.page.evaluate(LISTEN)

    player = Detective(ada)
    for _ in range(3):
        player.step(suspect="Mustard", weapon="Wrench")
    house.act(table.id, Step(1, Show("Wrench")))
    for step in (Step(1, Roll()), Step(1, Move("DiningRoom")), Step(1, Suggest("Green", "LeadPipe", "DiningRoom"))):
        house.act(table.id, step)
    chloe.until(lambda told: told.on_turn, "the question")

    for visitor in (ada, chloe):
        visitor.quiet()
        fresh = [event for event in visitor.told.events if event["seq"] > before]
        assert heard(visitor, "polite") == [in_words(event) for event in fresh]
    assert "You are asked for a card" in heard(chloe, "assertive")
    assert not any("Wrench" in line and "shows" in line for line in heard(chloe, "polite"))
    assert any("shows Ada this card: Wrench" in line for line in heard(ada, "polite"))
