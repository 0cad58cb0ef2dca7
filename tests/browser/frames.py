"""Moments of our own games as a page is told them: what the tests of the plain table, and of NOW, are shown.

`python -m tests.browser.frames` writes them anew.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

import whodunit
from whodunit import games
from whodunit.core.frames import line
from whodunit.core.offer import Offer
from whodunit.core.types import Seat
from whodunit.core.wire import encode
from whodunit.server.plain import described

SOURCES: Final = Path(__file__).resolve().parents[2] / "web" / "src"
SAMPLE: Final = SOURCES / "plain" / "frames.sample.json"
NOW_SAMPLE: Final = SOURCES / "games" / "now.sample.json"
PLAYED: Final[dict[str, tuple[int, dict[str, Any]]]] = {
    "clue": (3, {"max_turns": 60}),
    "perfect_alibi": (3, {"rival": True, "answer_mode": "by_hand", "unforgiving": True}),
    "crime_hotel": (3, {}),
    "arosa": (3, {"tower": "surrogate"}),
}
"""By game: how many play, and by which options."""
TABLES: Final[dict[str, tuple[tuple[int, dict[str, Any]], ...]]] = {
    "clue": (
        (6, {}),
        (3, {"suggestion_mandatory": True}),
        (2, {"two_player_side_cards": 4, "dice_count": 2}),
    ),
    "perfect_alibi": (
        (3, {}),
        (4, {"rival": True, "answer_mode": "by_hand", "unforgiving": True}),
        (5, {"rival": True, "cook_optional": True}),
    ),
    "crime_hotel": ((3, {}), (4, {"guess_on_lit_room": False}), (3, {"beginner": True})),
    "arosa": ((3, {"tower": "surrogate"}), (2, {"tower": "surrogate"})),
}
"""At which tables NOW is listened to."""
SEEDS: Final = range(1, 9)
LINES: Final = 6
"""How many lines of the log a moment has."""
MOST: Final = 400


def sample() -> dict[str, Any]:
    """Return by game what the page must know of it, and moments that offer something new to whoever is told them."""
    return {game: {"described": described(game), "moments": [*_moments(game)]} for game in PLAYED}


def now_sample() -> dict[str, Any]:
    """Return by game moments of many random games: one for each set of offers that somebody is waited for with."""
    return {game: [*_called(game)] for game in TABLES}


def _moments(id: str) -> Iterator[dict[str, Any]]:
    seats, options = PLAYED[id]
    met: set[object] = set()
    for case in _played(id, seats, options, 11):
        table = case.table
        for seat in range(seats):
            kind = (type(table.views[seat].phase), frozenset(offer.action for offer in table.offers[seat]))
            if kind not in met:
                met.add(kind)
                yield _told(case, seat)


def _called(id: str) -> Iterator[dict[str, Any]]:
    info, met = games.get(id).INFO, set[object]()
    for seats, options in TABLES[id]:
        for case in (case for seed in SEEDS for case in _played(id, seats, options, seed)):
            for seat in sorted(case.table.awaiting - {-1}):
                offers = [offer for offer in case.table.offers[seat] if offer.action not in info.interrupts]
                kind = (type(case.table.views[seat].phase), frozenset(map(_kind, offers)))
                if offers and kind not in met:
                    met.add(kind)
                    yield _told(case, seat)


def _kind(offer: Offer) -> object:
    """Return what NOW may tell apart: whether there is a choice, and whether it is one of names or of numbers."""
    return (
        offer.action,
        offer.count > 1,
        frozenset(type(each) for choice in offer.choices.values() for each in choice.of),
    )


def _played(id: str, seats: int, options: dict[str, Any], seed: int) -> Iterator[Any]:
    """Yield a game at each of its moments. Whoever is waited for does anything.

    By an odd seed they guess only where nothing else is left: games last longer so.
    """
    case = whodunit.new_game(id, seats=seats, seed=seed, **options)
    final = games.get(id).INFO.final
    for number in range(MOST):
        yield case
        if case.outcome:
            return
        seat = case.awaiting[0]
        rng = whodunit.Rng(b"frames", number)
        offers = sorted(case.table.offers[seat], key=lambda offer: offer.action in final)
        calm = [offer for offer in offers if offer.action not in final and seed % 2] or offers
        case = whodunit.step(case, seat, calm[rng.below("offer", len(calm))].sample(rng))


def _told(case: Any, seat: Seat) -> dict[str, Any]:
    table, events = case.table, [*case.seen(seat)]
    batches = [batch.seq for batch in case.batches for _ in batch.events]
    told = [
        {"seq": seq, "batch": batch, "at": 0, "event": event, "line": line(table.game, event)}
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


def written(moments: dict[str, Any]) -> bytes:
    """Return a sample as it is stored."""
    return msgspec.json.format(encode(moments), indent=0) + b"\n"


if __name__ == "__main__":
    SAMPLE.write_bytes(written(sample()))
    NOW_SAMPLE.write_bytes(written(now_sample()))
