"""Moments of our own games as a page is told them: what the tests of the plain table are shown.

`python -m tests.browser.frames` writes them anew.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

import whodunit
from whodunit import games
from whodunit.core.types import Seat
from whodunit.core.wire import encode
from whodunit.server import frames
from whodunit.server.plain import described

SAMPLE: Final = Path(__file__).resolve().parents[2] / "web" / "src" / "plain" / "frames.sample.json"
PLAYED: Final[dict[str, tuple[int, dict[str, Any]]]] = {
    "clue": (3, {"max_turns": 60}),
    "perfect_alibi": (3, {"rival": True, "answer_mode": "by_hand", "unforgiving": True}),
    "crime_hotel": (3, {}),
    "arosa": (3, {"tower": "surrogate"}),
}
"""By game: how many play, and by which options."""
LINES: Final = 6
"""How many lines of the log a moment has."""
MOST: Final = 400


def sample() -> dict[str, Any]:
    """Return by game what the page must know of it, and moments that offer something new to whoever is told them."""
    return {game: {"described": described(game), "moments": [*_moments(game)]} for game in PLAYED}


def _moments(id: str) -> Iterator[dict[str, Any]]:
    seats, options = PLAYED[id]
    case = whodunit.new_game(id, seats=seats, seed=11, **options)
    met: set[object] = set()
    for number in range(MOST):
        table = case.table
        for seat in range(seats):
            kind = (type(table.views[seat].phase), frozenset(offer.action for offer in table.offers[seat]))
            if kind not in met:
                met.add(kind)
                yield _told(case, seat)
        if case.outcome:
            return
        # Whoever is waited for does anything; a guess only where nothing else is left.
        seat = case.awaiting[0]
        rng = whodunit.Rng(b"frames", number)
        final = games.get(id).INFO.final
        offers = sorted(table.offers[seat], key=lambda offer: offer.action in final)
        calm = [offer for offer in offers if offer.action not in final] or offers
        case = whodunit.step(case, seat, calm[rng.below("offer", len(calm))].sample(rng))


def _told(case: Any, seat: Seat) -> dict[str, Any]:
    table, events = case.table, [*case.seen(seat)]
    batches = [batch.seq for batch in case.batches for _ in batch.events]
    told = [
        {"seq": seq, "batch": batch, "at": 0, "event": event, "line": frames.line(table.game, event)}
        for seq, (batch, event) in enumerate(zip(batches, events, strict=True), 1)
    ][-LINES:]
    return {
        "me": seat,
        "seq": table.seq,
        "events": told,
        "view": table.views[seat],
        "offers": table.offers[seat],
        "awaiting": sorted(table.awaiting - {-1}),
        "outcome": table.outcome,
    }


def written() -> bytes:
    """Return the sample as it is stored."""
    return msgspec.json.format(encode(sample()), indent=0) + b"\n"


if __name__ == "__main__":
    SAMPLE.write_bytes(written())
