"""The review: how long it takes, whether its gains are exact, whether luck is luck, and whether its labels fit."""

import argparse
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from math import sqrt
from multiprocessing import get_context
from random import Random
from typing import Final, NamedTuple

from whodunit import arena, games, review
from whodunit.bench import report
from whodunit.bench.brute_force import Counted, Uncountable
from whodunit.bench.report import Bar
from whodunit.core.redact import fold, redact
from whodunit.core.types import TABLE, Action, Batch, Belief, Message, Seat
from whodunit.deduce import best
from whodunit.deduce.native import leave_the_word_to_the_parent
from whodunit.infra.progress import Progress
from whodunit.review.judge import Position, believing, judged
from whodunit.review.review import seat_review, showing_of
from whodunit.review.verdict import SeatReview
from whodunit.table import case_file
from whodunit.table.case import Case

PARTS: Final = ("speed", "exact", "levels")
LEVELS: Final = ("random", "rookie", "detective", "mastermind")
SEATS: Final = 4
TYPICAL: Final = 5
"""Of so many games the one of middling length is timed."""
POSITIONS: Final = 4
"""In so many positions of each game gains are counted world by world."""
QUESTIONS: Final = 6
ROUNDS: Final = 2000
SECONDS: Final = {"clue": 4.0, "perfect_alibi": 3.0, "crime_hotel": 2.0, "arosa": 8.0, "clue_6": 12.0}
BLUNT: Final = ("clue", "perfect_alibi")
"""In these a bot that does anything must be seen to blunder."""
LONGEST: Final = 60
"""Who does anything finds out nothing for a long time: a table of those is left after so many turns."""


def bars(ids: Sequence[str], only: Sequence[str]) -> list[Bar]:
    """Return the bars of what is measured."""
    found = []
    if "speed" in only:
        shapes = [*ids, *(["clue_6"] if "clue" in ids else [])]
        found += [Bar(f"review_s.{shape}", "<=", SECONDS[shape]) for shape in shapes if shape in SECONDS]
        found += [
            Bar("first_words_s", "<=", 1.5),
            Bar("judge_ms_median", "<=", 30),
            Bar("judge_ms_p95", "<=", 300),
        ]
    if "exact" in only:
        found += [Bar("gain_error_max", "<=", 1e-9), Bar("answer_chances_error_max", "<=", 1e-12)]
    if "levels" in only:
        found.append(Bar("events_in_two_parts", "<=", 0))
        found += [Bar(f"random_luck_sigmas.{id}", "<=", 3) for id in ids]
        found += [Bar(f"blunders_mastermind.{id}", "<=", 0.02) for id in ids if id in BLUNT]
        found += [Bar(f"blunders_random.{id}", ">=", 0.30) for id in ids if id in BLUNT]
        found += [Bar("levels_in_order_clue", ">=", 1)] if "clue" in ids else []
    return found


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="whodunit bench review", description=__doc__)
    parser.add_argument("--only", action="append", choices=PARTS, help="only this part; may be given several times")
    parser.add_argument(
        "--game", action="append", choices=games.ids(), help="only this game; may be given several times"
    )
    parser.add_argument("--games", type=int, default=8, help="games of each level (default: 8; the issue wants 40)")
    parser.add_argument("--seed", default="test", help="labels were fixed on other seeds")
    parser.add_argument(
        "--workers", type=int, default=arena.cores(), help="how many processes play (default: all cores)"
    )
    report.add_arguments(parser)
    args = parser.parse_args(argv)
    only, ids = tuple(args.only or PARTS), tuple(args.game or games.ids())
    figures: dict[str, float] = {}
    if "speed" in only:
        figures |= speed(ids, args.seed)
    if "exact" in only:
        figures |= exact(ids, args.seed)
    if "levels" in only:
        figures |= levels(ids, args.games, args.seed, args.workers)
    return report.finish(args, figures, bars(ids, only))


class _Enough(Exception):
    """The table is left."""


def _played(id: str, levels: Sequence[str], seed: str, options: Mapping[str, object] | None = None) -> Case:
    case = arena.open_with_bots(id, levels, options or {}, f"review {seed}")
    left = case

    def after(grown: Case, *_: object) -> None:
        nonlocal left
        left = grown
        if {*levels} == {"random"} and grown.table.state.turn > LONGEST:
            raise _Enough

    try:
        return arena.play_case(case, after)
    except _Enough:
        return left.close()


# --- How long it takes ---------------------------------------------------------------------------------------------


def speed(ids: Sequence[str], seed: str) -> dict[str, float]:
    """Time whole reviews of games of middling length on one core, a seat's first words, and single verdicts."""
    figures: dict[str, float] = {}
    words: list[float] = []
    judged_ms: list[float] = []
    shapes: list[tuple[str, str, int, dict[str, object]]] = [(id, id, SEATS, {}) for id in ids]
    shapes += [("clue_6", "clue", 6, {})] if "clue" in ids else []
    shapes += [("rival", "perfect_alibi", SEATS, {"rival": True})] if "perfect_alibi" in ids else []
    for name, id, most, options in shapes:
        seats = min(most, games.get(id).INFO.seats[1])
        case, another = typical(id, seats, seed, options)
        figures[f"review_s.{name}"] = took = seconds(partial(review.review, case))
        figures[f"first_words_s.{name}"] = first_words(case)
        verdicts = [*verdict_ms(another)]  # of the first one the kernel remembers what it has counted
        report.progress(f"{name}: {len(case.events)} events reviewed in {took:.2f} s, {len(verdicts)} verdicts")
        if verdicts:
            figures[f"judge_ms_median.{name}"] = statistics.median(verdicts)
            figures[f"judge_ms_p95.{name}"] = _p95(verdicts)
        if name != "rival":
            judged_ms += verdicts
        if name in ids:
            words.append(figures[f"first_words_s.{name}"])
    if judged_ms:
        figures["judge_ms_median"] = statistics.median(judged_ms)
        figures["judge_ms_p95"] = _p95(judged_ms)
    return figures | {"first_words_s": max(words)}


def typical(id: str, seats: int, seed: str, options: Mapping[str, object]) -> tuple[Case, Case]:
    """Return of a few games, played by whoever is usually met, the one of middling length, and the next longer one."""
    levels = ("detective", "mastermind", "rookie", "detective", "mastermind", "rookie")[:seats]
    cases = [_played(id, levels, f"{seed} {number}", options) for number in range(TYPICAL)]
    by_length = sorted(cases, key=lambda case: len(case.events))
    return by_length[TYPICAL // 2], by_length[min(TYPICAL // 2 + 1, TYPICAL - 1)]


def seconds(work: Callable[[], object]) -> float:
    """Return how much processor time something takes."""
    began = time.process_time()
    work()
    return time.process_time() - began


def verdict_ms(case: Case) -> Iterator[float]:
    """Yield how long each verdict of a case takes, for a belief that has learned everything and counted nothing."""
    game = case.table.game
    for seat in range(case.header.seats):
        belief, view = believing(game, seat, "logic", showing_of(case.header)), None
        for batch in case.batches:
            if batch.cause is not None and batch.cause.seat == seat:
                at = Position(game, seat, case.header.seats, view, belief)
                began = time.process_time()
                verdict = judged(at, batch.cause.action)
                if verdict is not None:
                    yield 1000 * (time.process_time() - began)
            for event in batch.events:
                seen = redact(event, seat)
                belief, view = belief.learn(seen), game.evolve(view, seen)


def _p95(values: Sequence[float]) -> float:
    return statistics.quantiles(values, n=20)[-1] if len(values) > 1 else values[0]


def first_words(case: Case) -> float:
    """Return how long a worker process that has just started takes for a seat's own findings."""
    content = case_file.content(case)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=leave_the_word_to_the_parent) as pool:
        pool.submit(_ready).result()  # a house has its workers ready
        began = time.perf_counter()
        pool.submit(_words, content).result()
        return time.perf_counter() - began


def _ready() -> None:
    """Do what a worker of the house has done before anything is asked of it."""
    best()
    games.playable()


def _words(content: bytes) -> tuple[Message, ...]:
    case = case_file.parse(content)
    return seat_review(case.table.game, case.header, case.batches, 0).findings


# --- Whether it is exact -------------------------------------------------------------------------------------------


def exact(ids: Sequence[str], seed: str) -> dict[str, float]:
    """Compare gains with a count of all worlds where those are few, and add up the chances of all answers."""
    wrong: list[float] = []
    sums: list[float] = []
    for id in ids:
        seats = max(3, games.get(id).INFO.seats[0])
        found: list[float] = []
        for number in range(POSITIONS):
            case = _played(id, ["detective"] * seats, f"{seed} exact {number}")
            mine, theirs = compared(case)
            found += mine
            sums += theirs
        told = f"largest error {max(found):.2g}" if found else "nothing was few enough to count"
        report.progress(f"{id}: {len(found)} gains counted world by world, {told}")
        wrong += found
    figures: dict[str, float] = {"gains_counted": len(wrong), "answers_added_up": len(sums)}
    if wrong:
        figures["gain_error_max"] = max(wrong)
    if sums:
        figures["answer_chances_error_max"] = max(sums)
    return figures


def compared(case: Case) -> tuple[list[float], list[float]]:
    """Return the errors of some gains of a case, and of the sums of its answers' chances.

    Where too many worlds are left to count them, only the sums are looked at. What the others ask is counted too.
    """
    game = case.table.game
    gains: list[float] = []
    sums: list[float] = []
    counted = 0
    for place, batch in reversed([*enumerate(case.batches)]):
        cause = batch.cause
        if cause is None or cause.seat == TABLE or type(cause.action) in (*game.INFO.answers, *game.INFO.final):
            continue
        before = case.batches[:place]
        for viewer in (cause.seat, (cause.seat + 1) % case.header.seats):
            belief = _learned(case, viewer, before)
            by = None if viewer == cause.seat else cause.seat
            replies = belief.replies(cause.action, by)
            if not replies:
                continue
            sums.append(abs(1 - sum(reply.chance for reply in replies)))
            if counted >= 2 * POSITIONS:
                continue
            try:
                worlds = Counted(case.table, viewer, before, belief)
                questions = [cause.action] if by is not None else [cause.action, *_others(case, cause.seat, before)]
                errors = [abs(belief.gain(ask, by) - worlds.gain(ask, cause.seat)) for ask in questions]
            except Uncountable:
                continue
            gains += [*errors, abs(belief.entropy() - worlds.entropy)]
            counted += 1
    return gains, sums


def _learned(case: Case, viewer: Seat, batches: Sequence[Batch]) -> Belief:
    belief = believing(case.table.game, viewer, "logic", "even")
    for batch in batches:
        for event in batch.events:
            belief = belief.learn(redact(event, viewer))
    return belief


def _others(case: Case, seat: Seat, batches: Sequence[Batch]) -> list[Action]:
    """Return some more questions that the seat could ask, from all over what is on offer."""
    game = case.table.game
    view = fold(game, [redact(event, seat) for batch in batches for event in batch.events])
    graver = (*game.INFO.answers, *game.INFO.final, *game.INFO.interrupts)
    return [
        offer.at(place * offer.count // QUESTIONS)
        for offer in game.legal(view, seat)
        if offer.action not in graver
        for place in range(min(QUESTIONS, offer.count))
    ]


# --- Luck, labels and levels ---------------------------------------------------------------------------------------


class Job(NamedTuple):
    """One game to play and to review."""

    game: str
    level: str
    seed: str


class Found(NamedTuple):
    """What the review of one game says of its seats together."""

    answers: float
    """The luck of answers, in bits a seat."""
    gifts: float
    asked: float
    offered: float
    graded: int
    blunders: int
    in_two_parts: int
    kinds: Mapping[tuple[str, bool], int] = {}
    """How many decisions of each kind were graded, blunders and others apart."""


def levels(ids: Sequence[str], count: int, seed: str, workers: int) -> dict[str, float]:
    """Let each level play among its like, and look at luck, blunders and efficiency; say of what kind blunders are."""
    jobs = [Job(id, level, f"{seed} {number}") for number in range(count) for id in ids for level in LEVELS]
    found: defaultdict[tuple[str, str], list[Found]] = defaultdict(list)
    best()  # if Python counts alone, this says it for all workers
    progress = Progress(len(jobs), "games")
    with ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=leave_the_word_to_the_parent
    ) as pool:
        for job, result in zip(jobs, pool.map(reviewed, jobs), strict=True):
            found[job.game, job.level].append(result)
            progress.step()
    report.progress(by_kind(found))
    return summed(ids, found)


def by_kind(found: Mapping[tuple[str, str], Sequence[Found]]) -> str:
    """Say how many decisions of each kind are blunders: that is where labels are mended."""
    rows = []
    for (id, level), mine in found.items():
        graded = Counter[tuple[str, bool]]()
        for one in mine:
            graded.update(one.kinds)
        for kind in sorted({kind for kind, _ in graded}):
            total = graded[kind, True] + graded[kind, False]
            rows.append((id, level, kind, str(total), f"{graded[kind, True] / total:.1%}"))
    return report.columns([("game", "level", "kind", "graded", "blunders"), *sorted(rows)], right=(3, 4))


def reviewed(job: Job) -> Found:
    """Play a game of one level among its like, and review every seat."""
    seats = min(SEATS, games.get(job.game).INFO.seats[1])
    case = _played(job.game, [job.level] * seats, job.seed)
    parts = [seat_review(case.table.game, case.header, case.batches, seat) for seat in range(seats)]
    labels = Counter[str]()
    for part in parts:
        labels.update(part.counts)
    return Found(
        answers=statistics.mean(part.account.answer_luck for part in parts),
        gifts=statistics.mean(part.account.gift_luck for part in parts),
        asked=sum(part.asked for part in parts),
        offered=sum(part.offered for part in parts),
        graded=labels.total(),
        blunders=labels["blunder"],
        in_two_parts=sum(map(in_two_parts, parts)),
        kinds=Counter(
            (made.verdict.kind, made.verdict.label == "blunder")
            for part in parts
            for made in part.decisions
            if made.verdict.label is not None
        ),
    )


def in_two_parts(part: SeatReview) -> int:
    """Count the events that stand in a seat's account more than once."""
    return sum(count > 1 for count in Counter(step.seq for step in part.steps).values())


def summed(ids: Sequence[str], found: Mapping[tuple[str, str], Sequence[Found]]) -> dict[str, float]:
    """Return the figures of all games."""
    figures: dict[str, float] = {
        "events_in_two_parts": sum(one.in_two_parts for all_ in found.values() for one in all_)
    }
    for id in ids:
        random = found[id, "random"]
        figures[f"random_luck_sigmas.{id}"] = max(
            sigmas([one.answers for one in random]), sigmas([one.gifts for one in random])
        )
        for level in LEVELS:
            mine = found[id, level]
            figures[f"blunders_{level}.{id}"] = share(
                sum(one.blunders for one in mine), sum(one.graded for one in mine)
            )
            figures[f"efficiency_{level}.{id}"] = efficiency(mine)
            figures[f"luck_answers_{level}.{id}"] = statistics.mean(one.answers for one in mine)
            figures[f"luck_gifts_{level}.{id}"] = statistics.mean(one.gifts for one in mine)
    if "clue" in ids:
        figures["levels_in_order_clue"] = int(in_order([found["clue", level] for level in LEVELS]))
    return figures


def sigmas(by_game: Sequence[float]) -> float:
    """Return by how many standard errors a mean is away from nothing; one value a game, as its seats go together."""
    if len(by_game) < 2 or not (spread := statistics.stdev(by_game)):
        return 0.0
    return abs(statistics.mean(by_game)) / (spread / sqrt(len(by_game)))


def share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def efficiency(found: Sequence[Found]) -> float:
    """Return how many of the bits on offer were asked for."""
    return share(sum(one.asked for one in found), sum(one.offered for one in found))


def in_order(levels: Sequence[Sequence[Found]]) -> bool:
    """Say whether each level is more efficient than the one below, with 95 % certainty: whole games are drawn again."""
    draw = Random("in order")  # noqa: S311  (statistics, not secrets)
    for lower, higher in pairwise(levels):
        steps = sorted(
            efficiency(draw.choices(higher, k=len(higher))) - efficiency(draw.choices(lower, k=len(lower)))
            for _ in range(ROUNDS)
        )
        if steps[ROUNDS // 40] <= 0:
            return False
    return True
