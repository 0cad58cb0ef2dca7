"""Random against detective: the simplest experiment there is.

    python examples/random_against_detective.py

A detective and two players who do anything play Clue; seats rotate from game to game. Printed is each level's share of
all wins, its 95 % interval, and the share that equals would have.
"""

from whodunit import arena

LEVELS = ("detective", "random", "random")
GAMES = 20


def main() -> None:
    todo = arena.matches("clue", LEVELS, GAMES, seed="1", options={})
    done = list(arena.results(todo, workers=1))
    for level, standing in arena.standings(LEVELS, done, seed="1").items():
        interval = f"{standing.low:.0%} to {standing.high:.0%}"
        print(f"{level}: {standing.share:.0%} of {len(done)} games ({interval}); equals {standing.fair:.0%}")


if __name__ == "__main__":
    main()
