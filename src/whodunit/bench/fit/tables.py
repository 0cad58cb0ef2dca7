"""What games of bots say about who ends a case first, and who wins it: plain statistics, in plain Python."""

from collections.abc import Iterator, Sequence
from math import exp, log, sqrt
from typing import Final, NamedTuple

from msgspec import Struct

from whodunit.core.types import Seat

CLASSES: Final = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 100.0)
"""The upper ends, in missing bits, of the classes in which cases that end are counted."""
ENOUGH: Final = 60
"""A class of fewer turns is counted with the next one."""
TENTHS: Final = 10
STEPS: Final = 50
EVERY: Final = 5
"""Each fifth game is kept to measure the error by."""


class Played(Struct, frozen=True, forbid_unknown_fields=True):
    """What one game gave."""

    game: str
    seats: int
    number: int
    turns: tuple[tuple[Seat, tuple[float, ...]], ...]
    """Whenever a turn began: whose it is, and how many bits were missing to each seat."""
    winners: tuple[Seat, ...]
    out: dict[Seat, int]
    """Who has made a wrong final guess and never had a turn again: after so many turns had begun."""


class Moment(NamedTuple):
    """The beginning of a turn: what each seat that still plays lacks, its turns to wait, and its share of the win."""

    left: tuple[float, ...]
    waits: tuple[int, ...]
    won: tuple[float, ...]


def held_out(played: Sequence[Played]) -> tuple[list[Played], list[Played]]:
    """Return the games to fit to, and those that are kept to measure the error by."""
    kept = [game for game in played if game.number % EVERY == EVERY - 1]
    return [game for game in played if game.number % EVERY != EVERY - 1], kept


# --- Who ends the case first ---------------------------------------------------------------------------------------


def ends(played: Sequence[Played]) -> tuple[tuple[tuple[float, float], ...], float]:
    """Return by missing bits how likely another ends the case before one's next turn, and the largest standard error.

    A class that has too few turns is counted with the next one; the last one with the one before.
    """
    turns = [turn for game in played for turn in ended_first(game)]
    classes: list[tuple[float, list[bool]]] = []
    waiting: list[bool] = []
    least = -1.0
    for most in CLASSES:
        waiting += [ended for left, ended in turns if least < left <= most]
        least = most
        if len(waiting) >= ENOUGH:
            classes.append((most, waiting))
            waiting = []
    if waiting and classes:
        classes[-1] = (CLASSES[-1], [*classes[-1][1], *waiting])
    elif waiting:
        classes = [(CLASSES[-1], waiting)]
    table = tuple((most, round(sum(ended) / len(ended), 4)) for most, ended in classes)
    return table, max((_standard_error(sum(ended), len(ended)) for _, ended in classes), default=1.0)


def ended_first(game: Played) -> Iterator[tuple[float, bool]]:
    """Yield of every turn that ended how many bits its seat lacked then, and whether it never had another turn."""
    for number in range(1, len(game.turns)):
        seat, _ = game.turns[number - 1]
        _, left = game.turns[number]
        if game.out.get(seat, number + 1) > number:
            again = any(other == seat for other, _ in game.turns[number:])
            yield left[seat], not again and seat not in game.winners


def _standard_error(count: int, total: int) -> float:
    share = (count + 1) / (total + 2)  # none of few is not never
    return sqrt(share * (1 - share) / total)


# --- Who wins ------------------------------------------------------------------------------------------------------


def moments(played: Sequence[Played]) -> Iterator[Moment]:
    """Yield the beginning of every turn of the games that somebody won."""
    for game in played:
        share = 1 / max(1, len(game.winners))
        for number, (seat, left) in enumerate(game.turns if game.winners else ()):
            playing = [other for other in range(game.seats) if game.out.get(other, number + 1) > number]
            yield Moment(
                tuple(left[other] for other in playing),
                tuple((other - seat) % game.seats for other in playing),
                tuple(share * (other in game.winners) for other in playing),
            )


def chances(moment: Moment, bit: float, turn: float) -> list[float]:
    """Return each seat's chance to win."""
    fears = [bit * left + turn * wait for left, wait in zip(moment.left, moment.waits, strict=True)]
    least = min(fears)
    odds = [exp(least - fear) for fear in fears]
    total = sum(odds)
    return [odd / total for odd in odds]


def fitted_chances(played: Sequence[Played]) -> tuple[float, float]:
    """Return what a missing bit and a turn to wait take from a seat's chance: maximum likelihood, by Newton's method.

    The likelihood has one summit, so a step that goes down is only too long: it is halved.
    """
    data = [*moments(played)]
    here = (0.0, 0.0)
    if not data:
        return here
    height = _likelihood(data, here)
    for _ in range(STEPS):
        step = _step(data, here)
        there = (here[0] + step[0], here[1] + step[1])
        while (reached := _likelihood(data, there)) < height and max(map(abs, step)) > 1e-9:
            step = (step[0] / 2, step[1] / 2)
            there = (here[0] + step[0], here[1] + step[1])
        if reached < height:
            break
        here, height = there, reached
        if max(map(abs, step)) <= 1e-9:
            break
    return here


def _likelihood(data: Sequence[Moment], at: tuple[float, float]) -> float:
    total = 0.0
    for moment in data:
        shares = chances(moment, *at)
        total += sum(won * log(max(share, 1e-300)) for share, won in zip(shares, moment.won, strict=True))
    return total


def _step(data: Sequence[Moment], at: tuple[float, float]) -> tuple[float, float]:
    """Return Newton's step: the slope of the likelihood through its curvature, which is a covariance."""
    slope_bit = slope_turn = bits = turns = both = 0.0
    for moment in data:
        shares = chances(moment, *at)
        seats = [*zip(shares, moment.left, moment.waits, moment.won, strict=True)]
        mean_left = sum(share * left for share, left, _, _ in seats)
        mean_wait = sum(share * wait for share, _, wait, _ in seats)
        for share, left, wait, won in seats:
            slope_bit += (share - won) * left
            slope_turn += (share - won) * wait
            bits += share * (left - mean_left) ** 2
            turns += share * (wait - mean_wait) ** 2
            both += share * (left - mean_left) * (wait - mean_wait)
    bits, turns = bits + 1e-9, turns + 1e-9  # where all seats lack the same, nothing is to be learned from that
    surface = bits * turns - both * both
    return (turns * slope_bit - both * slope_turn) / surface, (bits * slope_turn - both * slope_bit) / surface


def error(played: Sequence[Played], bit: float, turn: float) -> float:
    """Return how far the chances are from what happened, in ten classes of chances, each by how many fall into it."""
    classes: list[list[tuple[float, float]]] = [[] for _ in range(TENTHS)]
    for moment in moments(played):
        for share, won in zip(chances(moment, bit, turn), moment.won, strict=True):
            classes[min(int(share * TENTHS), TENTHS - 1)].append((share, won))
    total = sum(map(len, classes))
    return sum(abs(sum(share - won for share, won in members)) for members in classes) / total if total else 1.0


def told(played: Sequence[Played], bit: float, turn: float) -> float:
    """Return how much more the chances say about who wins than even ones do, in bits a turn; 0: nothing."""
    data = [*moments(played)]
    return (_likelihood(data, (bit, turn)) - _likelihood(data, (0.0, 0.0))) / log(2) / len(data) if data else 0.0
