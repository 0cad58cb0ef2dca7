"""Bots against bots: many games, seats rotated, shares of wins with their intervals."""

import math
import multiprocessing
import os
import random
import signal
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from functools import reduce
from itertools import islice
from threading import Event
from typing import Final

import msgspec
from msgspec import Struct

from whodunit import bots, games, seats
from whodunit.bots.reliving import SeatedBot, seen_batch
from whodunit.bots.thinker import Thinker
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Action, Message, Player, Seat, Update
from whodunit.core.wire import blobs_of
from whodunit.deduce import best
from whodunit.deduce.native import leave_the_word_to_the_parent
from whodunit.seats.own import Own, Slips
from whodunit.table.case import Bot, Case, open_case
from whodunit.table.seal import Seal
from whodunit.table.verify import Statement

__all__ = [
    "CEILING",
    "LONGEST",
    "Match",
    "Result",
    "Standing",
    "certify",
    "cores",
    "matches",
    "open_with_bots",
    "play",
    "play_case",
    "players_of",
    "results",
    "seating",
    "slips",
    "standings",
]

CEILING: Final = "ceiling"
"""The name under which a player stands in the table who was told the truth."""
LONGEST: Final = 50_000
"""After so many decisions a match is put aside: of the house's bots none comes near, but others may go on for ever."""


class Match(Struct, frozen=True):
    """One game to be played: which deal, and who sits where, each described so that any process can seat them."""

    game: str
    seed: str
    levels: tuple[str, ...]
    options: dict[str, object]
    deal: int
    rotation: int
    told_at: int | None = None
    """The turn at which the first of the levels is told the truth, to see how often anybody could win at best."""
    move_s: float = seats.MOVE_S
    """How many seconds a bot of one's own may take for a decision."""
    number: int = 0
    """Its place in the arena."""

    @property
    def seated(self) -> tuple[str, ...]:
        """The levels by seat in this rotation."""
        return self.levels[self.rotation :] + self.levels[: self.rotation]


class Result(Struct, frozen=True):
    """What one match gave: each level's share of the win, and how long its moves took."""

    deal: int
    shares: dict[str, float]
    decisions: int
    move_ms: dict[str, list[float]]
    slips: dict[str, Slips] = {}
    """Of every bot of one's own, how often it was asked, and what went wrong."""
    unfinished: bool = False
    """Whether it was put aside, as it came to no end."""
    number: int = 0
    """The match's place in the arena: whoever has two results of one place counts one."""


class Standing(Struct, frozen=True):
    """A level's share of all wins with its 95 % interval, beside the share that equals would have."""

    share: float
    low: float
    high: float
    fair: float
    move_ms_median: float


def play_case(
    case: Case,
    after: Callable[[Case, Seat, float], None],
    players: Mapping[Seat, Player] | None = None,
    most: int | None = None,
) -> Case:
    """Let the case's bots play it to its end; `after` is told of every move who made it and how long that took.

    No time passes here: what TABLE is waited for happens when nobody interrupts. After `most` decisions it is given up.
    """
    players = players_of(case) if players is None else players
    for seat, player in players.items():
        player.see(case.table.update(seat, case.events))
    while not case.outcome:
        if most is not None and len(case.batches) > most:
            return case.close()
        began = time.perf_counter()
        seat, action = _urgent(case, players) or (case.awaiting[0], None)
        action = action or (case.legal(TABLE)[0].at(0) if seat == TABLE else players[seat].act())
        took = time.perf_counter() - began
        case = case.step(seat, action)
        for other, player in players.items():
            player.see(case.table.update(other, case.batches[-1].events))
        after(case, seat, took)
    return case


def _urgent(case: Case, players: Mapping[Seat, Player]) -> tuple[Seat, Action] | None:
    """Ask all players whether they interrupt; who is asked first moves on with every move, so no seat is favoured."""
    if not case.table.game.INFO.interrupts:
        return None
    size = case.table.seats
    for seat in ((len(case.batches) + place) % size for place in range(size)):
        if action := players[seat].interrupt():
            return seat, action
    return None


def open_with_bots(game: str, levels: Sequence[str], options: Mapping[str, object], seed: str) -> Case:
    """Open a case in which a bot sits in every seat; of a bot of one's own it says no more than that."""
    sitting = tuple(
        Bot(seat, bots.OWN, 0) if seats.is_own(level) else Bot(seat, level, bots.VERSION)
        for seat, level in enumerate(levels)
    )
    bulk = games.get(game).INFO.bulk
    return open_case(game, len(levels), {**bulk, **options}, Seal.from_seed(seed), bots=sitting)


def players_of(case: Case, levels: Sequence[str] | None = None, move_s: float = seats.MOVE_S) -> dict[Seat, Player]:
    """Return a player for every seat in which the case has a bot: of these levels, or those that the case names.

    Whoever seats bots of his own sees to it that they end: see `seating`.
    """
    return {
        bot.seat: seats.player(
            bot.level if levels is None else levels[bot.seat],
            case.table.game,
            bot.seat,
            case.seal.bot_seed(case.header.salts, bot.seat),
            move_s,
        )
        for bot in case.header.bots
    }


@contextmanager
def seating(case: Case, levels: Sequence[str], move_s: float = seats.MOVE_S) -> Iterator[dict[Seat, Player]]:
    """Seat players at a case, and let go of those that run elsewhere: told how it ended, or where it failed at once."""
    players = players_of(case, levels, move_s)
    with ExitStack() as leaving:
        own = [player for player in players.values() if isinstance(player, Own)]
        for player in own:
            leaving.callback(player.close)
        yield dict(players)
        for player in own:
            player.part()


def certify(case: Case) -> Iterator[Statement]:
    """Say of every bot of a closed case whether it made these moves: it is run again on what its seat was told."""
    rules = case.table.game.INFO.rules
    for bot in case.header.bots:
        who = f"the {bot.level} in seat {bot.seat}"
        if bot.level == bots.OWN:
            told = f"a bot of somebody's own played in seat {bot.seat}, which cannot be run again here: not comparable"
            yield Statement(None, told, "bot", seat=bot.seat)
        elif case.header.rules != rules:  # it was offered something else, and drew among that
            told = f"{who} played under rules {case.header.rules}, these are rules {rules}: not comparable"
            yield Statement(None, told, "bot", seat=bot.seat)
        elif bot.version != bots.VERSION:
            told = f"{who} was of version {bot.version}, this is version {bots.VERSION}: not comparable"
            yield Statement(None, told, "bot", seat=bot.seat)
        elif not all(blob.data for event in case.events for blob in blobs_of(event).values()):
            told = f"{who} cannot hear what the case no longer carries: not comparable"
            yield Statement(None, told, "bot", seat=bot.seat)
        else:
            yield _certified(case, bot, who)


def _certified(case: Case, bot: Bot, who: str) -> Statement:
    game, seat, moves = case.table.game, bot.seat, 0
    seed = case.seal.bot_seed(case.header.salts, seat)
    again = SeatedBot(bots.seated(bot.level, game, seat, seed), game, seat)
    for batch in case.batches:
        step = seen_batch(batch, game, seat)
        if step.mine:
            assert batch.cause is not None
            action = again.relive(step)
            if action != batch.cause.action:
                told = f"would have done {action}, the case says {batch.cause.action}"
                return Statement(False, f"event {batch.seq}: {who} {told}", "bot", seat=seat)
            moves += 1
        again.see(step)
    return Statement(True, f"{who} makes the same {moves} moves again", "bot", moves, seat)


class Ceiling(Player):
    """Plays as the player in its seat does, but from some turn on knows the truth: it makes the final guess that wins.

    In a game without final guesses the player itself is told the truth before each of its actions, if it can use it.

    No bot, which would know its seat's updates alone: whoever plays the case keeps it up to date.
    """

    def __init__(self, player: Player, seat: Seat, turn: int, case: Case) -> None:
        super().__init__(case.table.game, seat, b"")
        self.case = case
        self._player = player
        self._turn = turn

    def see(self, update: Update) -> None:
        """Let the player take it in."""
        self._player.see(update)

    def act(self) -> Action:
        """Win if that can be done now, or do what the player does."""
        game, state = self.game, self.case.table.state
        if not game.INFO.final and state.turn >= self._turn and isinstance(self._player, Thinker):
            self._player.told(state)
        return self._winning() or self._player.act()

    def interrupt(self) -> Action | None:
        """Win if an interrupt does, or do what the player does."""
        winning = self._winning()
        urgent = winning is not None and type(winning) in self.game.INFO.interrupts
        return winning if urgent else self._player.interrupt()

    def explain(self) -> tuple[Message, ...]:
        """Give the player's reasons."""
        return self._player.explain()

    def _winning(self) -> Action | None:
        game, state = self.game, self.case.table.state
        if state.turn < self._turn:
            return None
        for offer in game.legal(state, self.seat):
            for action in offer.actions() if offer.action in game.INFO.final else ():
                after = reduce(game.evolve, game.decide(state, self.seat, action, Rng(b"", 0)), state)
                outcome = game.outcome(after)
                if outcome is not None and self.seat in outcome.winners:
                    return action
        return None


def play(match: Match) -> Result:
    """Play one match."""
    case = open_with_bots(match.game, match.seated, match.options, f"{match.seed}/{match.deal}")
    names = list(match.seated)
    informed: Ceiling | None = None
    move_ms: defaultdict[str, list[float]] = defaultdict(list)

    def after(grown: Case, seat: Seat, took: float) -> None:
        if seat != TABLE:
            move_ms[names[seat]].append(1000 * took)
        if informed is not None:
            informed.case = grown

    with seating(case, match.seated, match.move_s) as players:
        own = {seat: player for seat, player in players.items() if isinstance(player, Own)}
        if match.told_at is not None:
            first = -match.rotation % len(names)
            players[first] = informed = Ceiling(players[first], first, match.told_at, case)
            names[first] = CEILING
        case = play_case(case, after, players, LONGEST)
    wrong: defaultdict[str, Slips] = defaultdict(Slips)
    for seat, player in own.items():
        wrong[names[seat]] = wrong[names[seat]] + player.slips
    winners = case.outcome.winners if case.outcome else ()
    shares: defaultdict[str, float] = defaultdict(float)
    for winner in winners:
        shares[names[winner]] += 1 / len(winners)
    return Result(
        deal=match.deal,
        shares=dict(shares),
        decisions=len(case.batches) - 1,
        move_ms=dict(move_ms),
        slips=dict(wrong),
        unfinished=case.outcome is None,
        number=match.number,
    )


def matches(
    game: str,
    levels: Sequence[str],
    count: int,
    seed: str,
    options: Mapping[str, object],
    *,
    pair: bool = False,
    told_at: int | None = None,
    move_s: float = seats.MOVE_S,
) -> list[Match]:
    """List the matches of an arena: seats rotate from game to game; paired, each deal is played in every rotation."""
    size = len(levels)
    return [
        Match(
            game=game,
            seed=seed,
            levels=tuple(levels),
            options=dict(options),
            deal=number // size if pair else number,
            rotation=number % size,
            told_at=told_at,
            move_s=move_s,
            number=number,
        )
        for number in range(count)
    ]


def results(todo: Sequence[Match], workers: int) -> Iterator[Result]:
    """Play the matches, in this process or in several, and yield each result as it comes."""
    if workers == 1:
        yield from map(play, todo)
        return
    best()  # if Python counts alone, this says it for all workers
    # Spawned, not forked: a worker begins clean, whatever threads the caller has.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin_work)
    waiting = iter(todo)
    pending: set[Future[Result]] = set()
    strangers = set(multiprocessing.active_children())
    try:
        while pending := pending | {pool.submit(_work, match) for match in islice(waiting, 4 * workers - len(pending))}:
            finished, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in finished:
                yield future.result()
    except BaseException:  # nobody waits for the rest, and a bot of one's own may take its time over it
        for worker in set(multiprocessing.active_children()) - strangers:
            worker.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _begin_work() -> None:
    """Leave interrupts to the parent, and what it has said."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)
    leave_the_word_to_the_parent()


_PLAYING: Final = Event()
_STOPPING: Final = Event()


def _stop(*_: object) -> None:
    """End this worker: at once, or when its match has let go of the bots that run elsewhere."""
    if not _PLAYING.is_set():
        os._exit(1)
    if not _STOPPING.is_set():
        _STOPPING.set()
        raise SystemExit


def _work(match: Match) -> Result:
    """Play one match in a worker that may be ended any time."""
    try:
        _PLAYING.set()
        try:
            return play(match)
        finally:
            _PLAYING.clear()
    except SystemExit:
        os._exit(1)  # the pool would take it for what came of the match


def standings(levels: Sequence[str], done: Sequence[Result], seed: str, *, pair: bool = False) -> dict[str, Standing]:
    """Return every level's standing."""
    return {
        level: Standing(
            share=(share := sum(result.shares.get(level, 0.0) for result in done) / len(done)),
            low=(ends := _bootstrap(level, done, seed) if pair else _wilson(share, len(done)))[0],
            high=ends[1],
            fair=levels.count(level) / len(levels),
            move_ms_median=statistics.median([ms for result in done for ms in result.move_ms.get(level, [])] or [0.0]),
        )
        for level in dict.fromkeys(levels)
    }


def slips(done: Sequence[Result]) -> dict[str, Slips]:
    """Return of every bot of one's own how often it was asked and what went wrong, over all these games."""
    found: dict[str, Slips] = {}
    for result in sorted(done, key=lambda result: result.deal):
        for name, more in result.slips.items():
            first = f"deal {result.deal}, {more.first}" if more.first else ""
            found[name] = found.get(name, Slips()) + msgspec.structs.replace(more, first=first)
    return found


def _wilson(share: float, count: int) -> tuple[float, float]:
    z = statistics.NormalDist().inv_cdf(0.975)
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return max(0.0, middle - half), min(1.0, middle + half)


def _bootstrap(level: str, done: Sequence[Result], seed: str, rounds: int = 2000) -> tuple[float, float]:
    """Resample whole deals: the games of one deal are no independent trials."""
    by_deal: defaultdict[int, list[float]] = defaultdict(list)
    for result in sorted(done, key=lambda result: result.deal):
        by_deal[result.deal].append(result.shares.get(level, 0.0))
    deals = list(by_deal.values())
    draw = random.Random(seed)  # noqa: S311  (statistics, not secrets)
    shares = []
    for _ in range(rounds):
        picked = [share for deal in draw.choices(deals, k=len(deals)) for share in deal]
        shares.append(sum(picked) / len(picked))
    cuts = statistics.quantiles(shares, n=40)
    return cuts[0], cuts[-1]


def cores() -> int:
    """Return how many processes can really run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
