"""How long it takes to make a whole game of what a seat has seen, in games of rookies."""

from collections.abc import Iterator
from statistics import median
from time import process_time
from typing import Any, Final

import whodunit
from whodunit import arena
from whodunit.core.redact import redact
from whodunit.core.rng import Stream
from whodunit.games import get

SEATS: Final = {"clue": 3, "perfect_alibi": 3, "crime_hotel": 4, "arosa": 4}
MOMENTS: Final = 4
"""So often in a game, evenly spread."""
MADE: Final = 50
"""So many games are made of one moment, as a search does."""
ROUNDS: Final = 3


def figures(games: int, seed: str) -> dict[str, float]:
    """Return, by game, the median time of a resampled game, of that its events and its world alone, in milliseconds."""
    found: dict[str, float] = {}
    for id in SEATS:
        times: dict[str, list[float]] = {"": [], "events_": [], "world_": []}
        lengths = []
        for belief, seen in _moments(id, games, seed):
            rng = Stream(seed.encode())
            ways = (
                lambda: whodunit.resample(belief, rng, seen),  # noqa: B023  (called at once)
                lambda: belief.resample(rng, seen),  # noqa: B023
                lambda: belief.sample(rng, "world", 1),  # noqa: B023
            )
            for taken, way in zip(times.values(), ways, strict=True):
                taken.append(_each_ms(way))
            lengths.append(len(seen))
        found |= {f"resample.{id}.{what}median_ms": median(taken) for what, taken in times.items()}
        found[f"resample.{id}.events_seen"] = median(lengths)
    return found


def _each_ms(way: Any) -> float:
    """Time it by the process's own clock; what a belief counts once for all is counted before."""
    way()
    best = float("inf")
    for _ in range(ROUNDS):
        start = process_time()
        for _ in range(MADE):
            way()
        best = min(best, process_time() - start)
    return best / MADE * 1000


def _moments(id: str, games: int, seed: str) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Yield what seat 0 believes and has seen, some times in each game."""
    game = get(id)
    for number in range(games):
        options = {**game.INFO.bulk, **({"max_turns": 40} if id == "clue" else {})}
        case = arena.open_with_bots(id, ["rookie"] * SEATS[id], options, f"{seed} {number}")
        batches = arena.play_case(case, lambda *_: None).batches
        wanted = {len(batches) * part // (MOMENTS + 1) for part in range(1, MOMENTS + 1)}
        belief: Any = game.belief(0)
        seen: list[Any] = []
        for place, batch in enumerate(batches):
            for event in batch.events:
                seen.append(redact(event, 0))
                belief = belief.learn(seen[-1])
            if place in wanted:
                yield belief, tuple(seen)
