"""What somebody on the line reads from the sizes of encrypted frames: which card was shown.

TLS hides what a frame says, and not how long it is. Games of Clue are played over real sockets. When a card is shown,
the pages of the asker and of whoever shows it are told which. The observer is to know all else that stands in these
frames, down to the last byte: what is left of a frame's size is compared with the card.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
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

GAMES = 8
MOVES = 160
SHUFFLES = 20
"""How often cards are dealt to sizes by chance, to know what few samples seem to tell."""
PADDING = "pad"
"""What a frame is made longer with."""
SHOWN = "CardShown"

Sample = tuple[str, Hashable]
"""A card, and the sizes that went with it."""


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

        async def scene(here: Visitors) -> list[Sample]:
            samples: list[Sample] = []
            for number, deal in enumerate(deals):
                four = [await here.page(cookie, "") for cookie in server.told["cookies"][number]]
                samples += await _observed(four, table_id(number), await script(deal, MOVES))
            return samples

        samples = visited(server, scene)
    return Told(
        information(samples), entropy([card for card, _ in samples]), len(samples), len({size for _, size in samples})
    )


async def _observed(pages: Sequence[Page], table: str, steps: Sequence[ScriptedMove]) -> list[Sample]:
    """Play a game by its script; return each card that was shown, with what its two pages' frames weigh too much."""
    seen: dict[int, dict[int, tuple[str, int]]] = defaultdict(dict)

    def weigh(seat: int, frame: dict[str, Any], size: int) -> None:
        if frame["type"] == "table" and (shown := shown_in(frame)) is not None:
            card, public = shown
            seen[frame["seq"]][seat] = card, size - public

    for seat, page in enumerate(pages):
        await page.watch(table)
        page.on_frame = partial(weigh, seat)
    for step in steps:
        if step.seat != HOUSE:
            action = msgspec.json.decode(step.action)
            await pages[step.seat].ask("act", table=table, since=step.since, action=action)
        await asyncio.gather(*(page.told(step.last) for page in pages))
    return [
        (card, tuple(told.get(seat, ("", 0))[1] for seat in range(SEATS) if seat in told))
        for told in seen.values()
        for card in {card for card, _ in told.values()}
    ]


def shown_in(frame: dict[str, Any]) -> tuple[str, int] | None:
    """Return the card that a frame shows, and how long the frame would be without it and without padding."""
    cards = [told["event"]["card"] for told in frame["events"] if told["event"]["type"] == SHOWN]
    if not any(cards):
        return None
    (card,) = cards
    events = [
        msgspec.json.decode(msgspec.json.encode(told).replace(msgspec.json.encode(card), b'""'))
        if told["event"]["type"] == SHOWN
        else told
        for told in frame["events"]
    ]
    public = {name: value for name, value in frame.items() if name != PADDING} | {"events": events}
    return card, len(msgspec.json.encode(public))


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
