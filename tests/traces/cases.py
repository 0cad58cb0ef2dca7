"""What is compared: every game, viewer, pace and time, some of it each time the tests run, and all of it in the end."""

from collections.abc import Iterator
from functools import cache
from itertools import chain, islice
from random import Random
from typing import Any, Final, NamedTuple

from tests.plugs import plug_of
from tests.traces.house import Habits, Run, Terms, run
from tests.traces.judge import judged
from tests.traces.pairs import Pair, questions, turns
from tests.traces.stores import Kept
from whodunit.conformance.settings import Setting
from whodunit.core.types import TABLE, Seat
from whodunit.games import get
from whodunit.room.pace import DAY_S, SOLO, TEMPI, Allowance, Bank, Days, Untimed

TAPS: Final = (0, 2_611, 9_977, 31_013, None)
"""How long after they are asked people tap, in milliseconds: at moments that nothing else has."""
THOUGHTS: Final = (0, 3_013, 20_017)
HASTY_THOUGHTS: Final = (0, 77, 313, 2_017)
"""Of bots before the one person among them: within a beat, and beyond several."""
ALLOWANCES: Final[tuple[Allowance, ...]] = (
    Untimed(),
    Bank(bank_s=600, increment_s=10, answer_s=20),
    Days(days=2, answer_s=DAY_S),
)
PACES: Final = tuple(pace for pace in TEMPI if pace not in SOLO)
"""Of tables with several people, or with spectators."""
VARIANTS: Final[dict[str, tuple[dict[str, Any], ...]]] = {
    "perfect_alibi": ({}, {"rival": True}, {"answer_mode": "by_hand"}, {"rival": True, "lie_bounds": "literal"}),
}
"""The options that change who may choose what; a game that is not named has none."""
LOOKED_THROUGH: Final = 40
"""So many positions are searched for one in which the viewer has asked."""
GAMES_TRIED: Final = 6
"""So many games of random play are searched for a position."""


class Case(NamedTuple):
    """One comparison."""

    pair: Pair
    terms: Terms
    habits: tuple[Habits, Habits]

    def runs(self, cluster: str = "") -> tuple[Run, Run]:
        return run(self.pair, self.terms, self.habits, cluster)

    def check(self, cluster: str = "") -> int:
        """Compare the worlds; return how far that was possible, in milliseconds."""
        return judged(self.pair, self.terms, self.habits, self.runs(cluster))


def dice(seed: object) -> Random:
    return Random(f"{seed}")  # noqa: S311  (play)


def variants(game: str) -> tuple[dict[str, Any], ...]:
    return VARIANTS.get(game, ({},))


def answers(game: str) -> bool:
    """Say whether anybody is ever asked in this game."""
    return bool(get(game).INFO.answers)


def pairs(
    game: str, options: dict[str, Any], seats: int, viewer: Seat, seed: int, *, asked: bool = True
) -> Iterator[Pair]:
    """Yield positions from several games of random play."""
    plug = plug_of(game)
    found = questions if asked else turns
    settings = [Setting(seats, plug.adjusted(seats, options), seed + number, 40) for number in range(GAMES_TRIED)]
    return chain.from_iterable(found(game, setting, viewer) for setting in settings)


def some(game: str, options: dict[str, Any], seats: int, viewer: Seat, seed: int) -> Pair:
    """Return a question; if any game has one, one where somebody has a choice in one of the worlds alone."""
    return _some(game, tuple(sorted(options.items())), seats, viewer, seed)


@cache
def _some(game: str, options: tuple[tuple[str, Any], ...], seats: int, viewer: Seat, seed: int) -> Pair:
    found: list[Pair] = []
    for pair in islice(pairs(game, dict(options), seats, viewer, seed), 4):
        if pair.tells:
            return pair
        found.append(pair)
    return found[0]


def alone(
    game: str, options: dict[str, Any], seats: int, viewer: Seat, seed: int, *, asked: bool = True
) -> Pair | None:
    """Return a position of the one person among bots: it has put a question, or a bot is to move."""
    found = [
        pair
        for pair in islice(pairs(game, options, seats, viewer, seed, asked=asked), LOOKED_THROUGH)
        if (pair.move[0] == viewer if pair.move is not None else viewer not in pair.awaited)
    ]
    return next((pair for pair in found if pair.tells), found[0] if found else None)


def drawn(game: str, seed: object, kept: Kept = "memory") -> Case | None:
    """Draw a comparison from all there are; None if this game of random play has no such position."""
    rng = dice(f"{game} {seed}")
    info = get(game).INFO
    seats = rng.randint(max(info.seats[0], 3), info.seats[1])
    viewer = rng.choice([*range(seats), TABLE])
    asked = answers(game) and rng.random() < 0.75
    if viewer != TABLE and rng.random() < 0.25:
        return _drawn_alone(game, rng, seats, viewer, kept, asked=asked)
    found = [*islice(pairs(game, rng.choice(variants(game)), seats, viewer, rng.randrange(1 << 30), asked=asked), 2)]
    if not found:
        return None
    pair = rng.choice([one for one in found if one.tells] or found)
    moves = {pair.move[0]} if pair.move else set()
    free = [seat for seat in range(seats) if seat != viewer and seat not in moves]
    bots = {seat for seat in free if rng.random() < 0.4} | ({*pair.awaited} if not asked else set())
    away = tuple(seat for seat in free if seat not in bots and rng.random() < 0.2)
    terms = Terms(
        pace=rng.choice(PACES),
        allowance=rng.choice(ALLOWANCES),
        bots=tuple(sorted(bots)),
        level=rng.choice(("rookie", "rookie", "random", "detective")),
        kept=kept,
        away=away,
        apart=rng.randrange(2),
        later=rng.random() < 0.5,
    )
    return Case(pair, terms, (habits(rng), habits(rng)))


def _drawn_alone(game: str, rng: Random, seats: int, viewer: Seat, kept: Kept, *, asked: bool) -> Case | None:
    """Draw a comparison at a table of one person among bots."""
    pair = alone(game, rng.choice(variants(game)), seats, viewer, rng.randrange(1 << 30), asked=asked)
    if pair is None:
        return None
    pace, bots = rng.choice(sorted(SOLO)), tuple(seat for seat in range(seats) if seat != viewer)
    one, other = (Habits(thought=rng.choice(HASTY_THOUGHTS)) for _ in range(2))
    return Case(pair, Terms(pace, bots=bots, level="random", kept=kept), (one, other))


def habits(rng: Random) -> Habits:
    return Habits(rng.choice(TAPS), rng.choice(THOUGHTS), rng.randrange(4))
