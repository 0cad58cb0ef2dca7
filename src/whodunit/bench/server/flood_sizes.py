"""What somebody on the line reads from the sizes of encrypted frames: which card was shown.

TLS hides what a frame says, and not how long it is. Games of Clue are played over real sockets. The observer sees how
long each page's frames are, and nothing else. When a card is shown, the pages of the asker and of whoever shows it are
told which, and the others are not: what these two get more than another page, and more than they usually do, is
compared with the card.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from math import log2
from typing import Any

import msgspec
from msgspec import Struct

from whodunit.bench.server.flood_house import Visitors, visited
from whodunit.bench.server.load import free_port
from whodunit.bench.server.people import Page
from whodunit.bench.server.script import CLUE, HOUSE, SEATS, ScriptedMove, Staging, script, table_id
from whodunit.bench.server.speed import staged
from whodunit.core.rng import Stream

GAMES = 12
MOVES = 200
SHUFFLES = 20
"""How often cards are dealt to sizes by chance, to know what few samples seem to tell."""
SHOWN = "CardShown"

Sizes = Mapping[int, int]
"""By seat: how long the frame was with which it was told of the same thing."""


class Showing(Struct, frozen=True):
    """A card that was shown, and what was longer because of it."""

    card: str
    asker: int
    shower: int


class Told(Struct, frozen=True):
    """What sizes tell of cards."""

    bits: float
    of: float
    """How much there is to know."""
    samples: int
    sizes: int
    """How many different ones there were."""

    def __str__(self) -> str:
        return f"{self.bits:.2f} of {self.of:.2f} bits from {self.samples} cards shown, {self.sizes} different sizes"


def read_off(where: str) -> Told:
    """Play games, and return what the sizes of frames tell of the cards that were shown."""
    deals = CLUE[:GAMES]
    with staged(Staging(where, free_port(), groups=len(deals), games=1, deals=deals), pinned=False) as server:

        async def scene(here: Visitors) -> list[Showing]:
            found: list[Showing] = []
            for number, deal in enumerate(deals):
                four = [await here.page(cookie, "") for cookie in server.told["cookies"][number]]
                found += await _observed(four, table_id(number), await script(deal, MOVES))
            return found

        found = visited(server, scene)
    observers: list[Callable[[Showing], Hashable]] = [
        lambda each: each.asker,
        lambda each: each.shower,
        lambda each: (each.asker, each.shower),
    ]
    told = [[(each.card, sees(each)) for each in found] for sees in observers]
    best = max(told, key=information)
    sizes = len({size for _, size in best})
    return Told(information(best), entropy([each.card for each in found]), len(found), sizes)


async def _observed(pages: Sequence[Page], table: str, steps: Sequence[ScriptedMove]) -> list[Showing]:
    """Play a game by its script, and return what could be seen of each card that was shown."""
    sizes: dict[int, dict[int, int]] = defaultdict(dict)
    shown: dict[int, tuple[str, int, int]] = {}

    def weigh(seat: int, frame: dict[str, Any], size: int) -> None:
        if frame["type"] != "table":
            return
        sizes[frame["seq"]][seat] = size
        for told in frame["events"]:
            event = told["event"]
            if event["type"] == SHOWN and event["card"]:
                shown[frame["seq"]] = event["card"], event["to"], event["seat"]

    for seat, page in enumerate(pages):
        await page.watch(table)
        page.on_frame = partial(weigh, seat)
    for step in steps:
        if step.seat != HOUSE:
            action = msgspec.json.decode(step.action)
            await pages[step.seat].ask("act", table=table, since=step.since, action=action)
        await asyncio.gather(*(page.told(step.last) for page in pages))
    whole = {
        seq: each for seq, each in sizes.items() if len(each) == SEATS
    }  # else somebody was told two things at once
    return [
        showing(card, asker, shower, whole[seq], [*whole.values()])
        for seq, (card, asker, shower) in shown.items()
        if seq in whole
    ]


def showing(card: str, asker: int, shower: int, now: Sizes, game: Sequence[Sizes]) -> Showing:
    """Return what the two who see a card get more than somebody who does not, and more than they usually do."""

    def surplus(seat: int, other: int) -> int:
        usual, _ = Counter(each[seat] - each[other] for each in game).most_common(1)[0]
        return now[seat] - now[other] - usual

    others = [seat for seat in now if seat not in {asker, shower}]
    plain = min(others, key=lambda seat: surplus(seat, others[0]))  # whose turn it is gets more to choose from
    return Showing(card, surplus(asker, plain), surplus(shower, plain))


# --- How much one thing tells of another --------------------------------------------------------------------------


def entropy(values: Sequence[Hashable]) -> float:
    """Return how many bits it takes to say which."""
    return -sum(number / len(values) * log2(number / len(values)) for number in Counter(values).values())


def mutual_information(pairs: Sequence[tuple[Hashable, Hashable]]) -> float:
    """Return how many bits of the one the other tells, as counted: with few pairs that is too much."""
    return entropy([one for one, _ in pairs]) + entropy([other for _, other in pairs]) - entropy(pairs)


def information(pairs: Sequence[tuple[Hashable, Hashable]]) -> float:
    """Return the same without what as many pairs tell by chance."""
    draws, ones = Stream(b"shuffled"), [one for one, _ in pairs]
    others = [other for _, other in pairs]
    by_chance = [
        mutual_information([*zip(draws.shuffled(f"{turn}", ones), others, strict=True)]) for turn in range(SHUFFLES)
    ]
    return max(0.0, mutual_information(pairs) - sum(by_chance) / len(by_chance))
