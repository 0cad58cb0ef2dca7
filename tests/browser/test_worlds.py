"""Nobody's page says what its seat may not know: the same game over two deals, and not one byte differs."""

import asyncio
import json
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Final

import pytest

from tests.browser.clue import SIX, WORDS, Detective
from tests.browser.house import House, Step, loaded
from tests.browser.porch import Porch
from tests.browser.visitor import Visitor
from tests.games.clue.staging import Deal, deal_of, stack
from tests.server.client import Told
from whodunit.games.clue.model import Accuse, EndTurn, Move, Roll, Suggest
from whodunit.host.timers import Timer

ADA: Final = "Scarlet LeadPipe Hall Library Conservatory"
ONE: Final = deal_of(
    "Peacock Candlestick Study",
    [ADA, "Rope Mustard Revolver Kitchen DiningRoom", "Plum Green Wrench Ballroom", "Knife White Lounge BilliardRoom"],
)
OTHER: Final = deal_of(
    "Mustard Revolver Kitchen",
    [ADA, "Rope Peacock Candlestick Study DiningRoom", "Knife Green Wrench Ballroom", "Plum White Lounge BilliardRoom"],
)
"""Ada's cards, and what she will be shown, are the same; the solution and everything else that can differ does."""

REST: Final = (
    # Chloe shows Benno a card: Plum in one world, the Knife in the other.
    Step(1, Roll()),
    Step(1, Move("DiningRoom")),
    Step(1, Suggest("Plum", "Knife", "DiningRoom")),
    # Nobody can show Chloe anything.
    Step(2, Roll()),
    Step(2, Move("Ballroom")),
    Step(2, Suggest("Green", "Wrench", "Ballroom")),
    Step(2, EndTurn()),
    # Dag accuses wrongly and alone sees the envelope.
    Step(3, Accuse("Scarlet", "Rope", "Hall")),
)


SETTLED: Final = "() => !document.querySelector('circle.outline, [data-rim], .looking')"
"""A change stays outlined for a while, and what comes over the line may be there before what shows it."""
BAND: Final = re.compile(r'<div class="bang.*?</div>')
"""An accusation stands over the page for some seconds: compared while it is there, and then left out."""


class StillClock:
    """Always says the same; what is due is due at once."""

    def now(self) -> int:
        return 1_700_000_000_000

    def after(self, milliseconds: int, ring: Callable[[], object]) -> Timer:
        return asyncio.get_running_loop().call_later(milliseconds / 1000, ring)


def played(porch: Porch, deal: Deal, port: int, assistance: str) -> tuple[list[Sequence[object]], str]:
    """Play in one world; return everything that Ada's page and a spectator's were told and said, and Benno's hand."""
    with House(StillClock(), port=port) as house:
        house.draws = loaded({**stack(deal), **SIX}, seed=b"world")
        people, options = ["Ada", "Benno", "Chloe", "Dag"], {"dice_count": 2}
        table = house.lay(people, id="world", public=True, options=options, assistance=assistance)
        house.miss(table.id, 1, 2, 3)
        ada = porch.come(house.address, table.cookies[0]).goto(table.path)
        ada.sees("Your turn: throw the dice")  # or she may be missed herself
        anna = porch.come(house.address, house.person("anna")).goto(table.path)
        said: list[Sequence[object]] = []

        def note() -> None:
            if assistance != "paper":  # the notes take some thought
                ada.until(lambda told: told.last["table"]["seq"] in sheets(told))
            for visitor in (ada, anna):
                visitor.page.wait_for_function(SETTLED)
            hush(ada, anna)
            said.extend(BAND.sub("", visitor.text()).splitlines() for visitor in (ada, anna))

        note()
        detective = Detective(ada)
        for _ in range(3):  # throw, walk, ask; Benno shows the Rope
            detective.step(suspect="Scarlet")
            hush(ada, anna)
        note()
        for step in REST:
            house.act(table.id, step)
            hush(ada, anna)
        said.extend([visitor.page.locator(".bang").inner_html()] for visitor in (ada, anna))
        note()
        assert {event["line"]["key"] for event in anna.told.events} >= {"card_shown", "could_not_show", "accused.wrong"}
        # When a page asks for its notes, and so how many replies it gets, depends on how busy the machine is.
        frames = [[*visitor.told.frames] for visitor in (ada, anna)] if assistance == "paper" else []
        benno = porch.come(house.address, table.cookies[1]).goto(table.path)
        benno.sees("Waiting for Ada")
        his = benno.page.get_by_role("region", name=WORDS["ui.hand"]).inner_text()
        assert ada.wrong == anna.wrong == benno.wrong == []
        for visitor in (ada, anna, benno):
            porch.leave(visitor)
        return [*frames, *said], his


def sheets(told: Told) -> set[int]:
    """Return with which events the sheets end that the page has been sent."""
    replies = (json.loads(frame) for frame in told.frames if b'"cells"' in frame)
    return {reply["value"]["seq"] for reply in replies if reply["type"] == "done"}


def hush(*visitors: Visitor) -> None:
    """Wait until all of them have been told the same moves, and nothing more comes."""
    count = -1
    while count != (count := sum(len(visitor.told.frames) for visitor in visitors)):
        for visitor in visitors:
            visitor.until(lambda told: told.seq == max(each.told.seq for each in visitors))
        visitors[0].page.wait_for_timeout(50)


def differing(this: Sequence[object], that: Sequence[object]) -> Iterator[tuple[int, object, object]]:
    """Yield where they differ, whole: pytest cuts what is long."""
    for at, (one, other) in enumerate(zip_longest(this, that)):
        if one != other:
            yield at, one, other


@pytest.mark.parametrize("assistance", ["paper", "probabilities"])
def test_frames_page_and_accessibility_tree_are_the_same_in_two_worlds(
    assistance: str, porch: Porch, own_port: int
) -> None:
    one, his = played(porch, ONE, own_port, assistance)
    other, his_in_other = played(porch, OTHER, own_port, assistance)

    assert len(one) == len(other)
    for this, that in zip(one, other, strict=True):
        assert [*differing(this, that)] == []
    # A leak would be found: to whom the cards are shown, the worlds differ.
    assert "Col. Mustard" in his
    assert "Col. Mustard" not in his_in_other
