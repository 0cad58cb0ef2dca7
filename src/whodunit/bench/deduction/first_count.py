"""How long whoever has just installed the package waits for the first count of a game.

`python first_count.py GAME [pure]` measures the copy that this Python has installed, whatever that is, in this fresh
process, and prints microseconds as JSON: of the first count, for which the kernel is loaded, and of the next game's.
`pure` lets Python count even where there is a kernel.
"""

import json
import sys
from time import perf_counter

import whodunit
from whodunit.deduce import native

GAMES = {"clue_3": ("clue", 3), "clue_6": ("clue", 6), "alibi_3": ("perfect_alibi", 3), "hotel_4": ("crime_hotel", 4)}


def count_us(game: str, seats: int, seed: int) -> float:
    """Time the way from what seat 0 was dealt to one world that it cannot rule out: all of them are counted for it."""
    case = whodunit.new_game(game, seats, seed)
    belief = case.table.game.belief(0)
    begun = perf_counter()
    for event in case.seen(0):
        belief = belief.learn(event)
    belief.sample(whodunit.Rng(b"first", 1), "world", 1)
    return (perf_counter() - begun) * 1e6


if __name__ == "__main__":
    name, *engine = sys.argv[1:]
    if engine == ["pure"]:
        setattr(native, "load", lambda: None)  # noqa: B010  (mypy refuses to assign to a function)
    print(json.dumps({"first_us": count_us(*GAMES[name], 1), "next_us": count_us(*GAMES[name], 2)}))
