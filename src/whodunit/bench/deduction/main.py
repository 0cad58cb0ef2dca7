"""How quick the exact detective is: whole posteriors of positions, those of Clue beside other ways to deduce."""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from math import ceil
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any, NamedTuple, TypeAlias, TypeVar

from whodunit.bench import peer_env, report
from whodunit.bench.deduction import first_count, flows, peers, positions, resamples
from whodunit.bench.engine import one_core
from whodunit.bench.report import Bar
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE
from whodunit.deduce import PURE, Claim, Engine, Position, best
from whodunit.deduce.automaton import automaton

T = TypeVar("T")

SEATS = (2, 3, 4, 5, 6)
ROUNDS = 3  # the best of so many counts


class Look(NamedTuple):
    """One position to be measured: what a seat, or the spectators, know after so many suggestions."""

    seat: bool
    position: Position[Any, Any]


Provider: TypeAlias = Callable[[str], Iterator[Look]]
"""Gives positions without end, seats and spectators in turn, the same for the same seed."""


def played(seed: str) -> Iterator[Look]:
    """Look in on games of rookies, who ask much and conclude little, so that their games are long."""
    for look in positions.from_games(sys.maxsize, SEATS, seed):
        assert look.belief.position is not None
        yield Look(look.viewer != TABLE, look.belief.position)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="whodunit bench deduction", description=__doc__)
    parser.add_argument("--positions", type=int, default=2000, help="of seats, and as many of spectators (2000)")
    parser.add_argument("--peers", type=int, default=60, help="how many of these the peers get (60)")
    parser.add_argument(
        "--games", type=int, default=6, help="of each kind, to be made anew of what a seat has seen (6)"
    )
    parser.add_argument("--seed", default="1")
    report.add_arguments(parser)
    args = parser.parse_args(argv)
    with one_core():
        found = figures(played, args.positions, args.peers, args.seed)
        found |= alibi_figures(args.positions, args.seed)
        found |= first_counts()
        report.progress(f"{args.games} games of each kind, resampled ...")
        found |= resamples.figures(args.games, args.seed)
    return report.finish(args, found, BARS + ALIBI_BARS + RESAMPLE_BARS)


BARS = [
    Bar("clue.seat.median_ms", "<=", 2),
    Bar("clue.seat.worst_ms", "<=", 15),
    Bar("clue.spectator.median_ms", "<=", 8),
    Bar("clue.spectator.worst_ms", "<=", 60),
    Bar("clue.fallback.seat.median_ms", "<=", 5),
    Bar("clue.fallback.seat.worst_ms", "<=", 25),
    Bar("clue.fallback.spectator.median_ms", "<=", 40),
    Bar("clue.fallback.spectator.worst_ms", "<=", 200),
    Bar("clue.seat.vs_sat", ">=", 2),
    Bar("clue.seat.vs_pysdd", ">=", 10),
    Bar("clue.spectator.vs_sat", ">=", 1),
    Bar("clue.spectator.vs_pysdd", ">=", 20),
    Bar("crime_hotel.seat.median_ms", "<=", 2),
    Bar("crime_hotel.spectator.median_ms", "<=", 8),
    Bar("explain.median_ms", "<=", 50),
    Bar("import.ms", "<=", 150),
]


ALIBI_BARS = [
    Bar("perfect_alibi.rival.median_ms", "<=", 5),
    Bar("perfect_alibi.rival.worst_ms", "<=", 30),
    Bar("perfect_alibi.fallback.rival.worst_ms", "<=", 60),
]
"""Five players with rivals, what a seat knows."""


RESAMPLE_BARS = [Bar("resample.clue.median_ms", "<=", 0.2)]
"""A whole game out of what one seat has seen."""


def alibi_figures(number: int, seed: str) -> dict[str, float]:
    """Measure positions of Perfect Alibi in which every answer may be a lie."""
    report.progress(f"{number} positions of Perfect Alibi with rivals ...")
    looks = [Look(seat=True, position=known) for known in islice(positions.from_alibi(seed), number)]
    found: dict[str, float] = {}
    for key, engine in (("perfect_alibi.rival", best()), ("perfect_alibi.fallback.rival", PURE)):
        found |= summary(key, [posterior_ms(look, engine) for look in looks])
    return found


def figures(provider: Provider, number: int, peers: int, seed: str) -> dict[str, float]:
    """Measure everything and sum it up."""
    looks = gathered(provider, number, seed)
    found: dict[str, float] = {"clue.compiled": int(best() is not PURE)}
    for view, seen in looks.items():
        report.progress(f"{len(seen)} positions of a {view} ...")
        found |= summary(f"clue.{view}", [posterior_ms(look, best()) for look in seen])
        found[f"clue.{view}.joint_median_ms"] = median(map(joint_ms, sample_of(seen, 200)))
        found |= summary(f"clue.fallback.{view}", [posterior_ms(look, PURE) for look in seen])
    found |= changing_hands(number, seed)
    report.progress("explanations ...")
    found["explain.median_ms"] = median(explain_ms(looks["seat"], best()))
    found["explain.fallback_median_ms"] = median(explain_ms(looks["seat"], PURE))
    found["import.ms"] = import_ms()
    for view, seen in looks.items():
        found |= beside_peers(f"clue.{view}", sample_of(seen, ceil(peers / 2)))
    return found


def changing_hands(number: int, seed: str) -> dict[str, float]:
    """Measure posteriors of Crime Hotel, where hands change."""
    found: dict[str, float] = {}
    for view, of_seat in (("seat", True), ("spectator", False)):
        report.progress(f"{number} positions of a {view} at Crime Hotel ...")
        looks = islice((look for look in flows.from_games(seed) if look.seat is of_seat), number)
        found |= summary(
            f"crime_hotel.{view}",
            [best_of(lambda: flows.posterior(look, best())) for look in looks],  # noqa: B023
        )
    return found


def gathered(provider: Provider, number: int, seed: str) -> dict[str, list[Look]]:
    """Return so many positions of seats and of spectators."""
    looks: dict[str, list[Look]] = {"seat": [], "spectator": []}
    for look in provider(seed):
        seen = looks["seat" if look.seat else "spectator"]
        if len(seen) < number:
            seen.append(look)
        if min(map(len, looks.values())) == number:
            break
    return looks


def sample_of(seen: Sequence[T], size: int) -> list[T]:
    """Return some, drawn so that no rhythm of the provider shows."""
    return Random(0).sample(seen, min(size, len(seen)))  # noqa: S311  (play, no secret)


def summary(key: str, times: Sequence[float]) -> dict[str, float]:
    """Return the median, and as the worst the 99.9th percentile: in 2,000, the third from the top."""
    worst = sorted(times)[min(len(times) - 1, ceil(len(times) * 0.999) - 1)]
    return {f"{key}.median_ms": median(times), f"{key}.worst_ms": worst}


# --- What is measured -------------------------------------------------------------------------------------------------


def best_of(work: Callable[[], object]) -> float:
    """Return the milliseconds of this process's own time that the work takes, nothing kept from before."""
    taken = []
    for _ in range(ROUNDS):
        automaton.cache_clear()
        start = process_time()
        work()
        taken.append(process_time() - start)
    return min(taken) * 1000


def afresh(look: Look, engine: Engine) -> Position[Any, Any]:
    """Build the position anew from the names of elements and holders and all evidence."""
    deal = look.position.deal
    holders = dict(zip(deal.holders, deal.capacities, strict=True))
    return Position(deal.elements, holders, engine=engine).learn(*look.position.evidence)


def posterior_ms(look: Look, engine: Engine) -> float:
    """Time the whole way from evidence to the total and the probability of every element with every holder."""

    def work() -> None:
        posterior = afresh(look, engine).posterior
        for element in look.position.deal.elements:
            posterior.marginals(element)

    return best_of(work)


def joint_ms(look: Look) -> float:
    """Time the joint distribution of the solution; the position has been counted before."""
    position = afresh(look, best())
    solution = solution_of(position)
    posterior = position.posterior
    return best_of(lambda: posterior.joint(solution))


def solution_of(position: Position[Any, Any]) -> object:
    return position.deal.holders[-1]


def explain_ms(looks: Sequence[Look], engine: Engine, most: int = 200) -> list[float]:
    """Time the explanation of cards that are certainly in the solution."""
    times: list[float] = []
    for look in looks:
        position = afresh(look, engine)
        solution = solution_of(position)
        claims = [Claim(element, solution) for element in position.logic.hand(solution)]
        times += [best_of(lambda: position.explain(claim)) for claim in claims]  # noqa: B023  (called at once)
        if len(times) >= most:
            break
    return times


def import_ms() -> float:
    """Time the import of the kernel in a process of its own."""
    code = "import time; start = time.process_time(); import whodunit.deduce; print(time.process_time() - start)"
    command = [sys.executable, "-c", code]
    runs = [subprocess.run(command, check=True, capture_output=True, text=True) for _ in range(5)]  # noqa: S603
    return min(float(run.stdout) for run in runs) * 1000


def first_counts() -> dict[str, float]:
    """Time the first count of a fresh process, with the compiled kernel where there is one and in Python alone."""
    report.progress("first counts ...")
    found: dict[str, float] = {}
    for game in first_count.GAMES:
        best_us, pure_us = (_first_count_us(game, *engine) for engine in ((), ("pure",)))
        found |= {f"first_count.{game}.us": best_us, f"first_count.{game}.fallback_us": pure_us}
        found[f"first_count.{game}.vs_fallback"] = pure_us / best_us
    return found


def _first_count_us(game: str, *engine: str) -> float:
    command = [sys.executable, first_count.__file__, game, *engine]
    runs = [subprocess.run(command, check=True, capture_output=True, text=True) for _ in range(ROUNDS)]  # noqa: S603
    return min(float(json.loads(run.stdout)["first_us"]) for run in runs)


# --- The peers --------------------------------------------------------------------------------------------------------


def beside_peers(key: str, looks: Sequence[Look]) -> dict[str, float]:
    """Compare position by position; the answers must agree where the peer gives one that can be compared."""
    found: dict[str, float] = {}
    if not looks:
        return found
    executable = peer_env.python()
    problems = [problem(look.position) for look in looks]
    ours = [posterior_ms(look, best()) for look in looks]
    for peer in peers.PEERS:
        report.progress(f"{peer} on {len(looks)} positions ...")
        answers = asked(executable, peer, problems)
        for answer, true in zip(answers, problems, strict=True):
            for what in answer.keys() & {"possible", "total"}:
                assert answer[what] == true[what], f"{peer} finds {what} = {answer[what]}, we find {true[what]}"
        times = [answer["ms"] for answer in answers]
        found[f"peer.{key}.{peer}_median_ms"] = median(times)
        found[f"{key}.vs_{peer}"] = median(theirs / mine for theirs, mine in zip(times, ours, strict=True))
    return found


def asked(executable: Path, peer: str, problems: Sequence[Mapping[str, Any]]) -> list[dict[str, float]]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "problems.json")
        file.write_text(json.dumps(problems), "utf-8")
        command = [
            str(executable),
            "-I",
            peers.__file__,
            peer,
            str(file),
        ]  # -I: nothing of ours is in its way
        worker = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603  (our own file)
    answers: list[dict[str, float]] = json.loads(worker.stdout.splitlines()[-1])
    return answers


def problem(position: Position[Any, Any]) -> dict[str, Any]:
    """Return what is possible in a position as plain numbers, what the sampler is given, and the right answers."""
    known, logic = position.known, position.logic
    elements, holders = position.deal.elements, position.deal.holders
    assert not any(atom.given for atoms in known.atoms for atom in atoms), "the peers know no such evidence"
    return {
        "elements": len(elements),
        "capacities": known.capacities,
        "allowed": known.allowed,
        "required": known.required,
        "atoms": [
            (holder, atom.mask, [number for number, fits in enumerate(atom.on) if fits])
            for holder, atoms in enumerate(known.atoms)
            for atom in atoms
        ],
        "world": logic.sample(Rng(b"bench", 0), "start", 1)[0],
        "marginals": [list(logic.marginals(element).values()) for element in elements],
        "total": logic.total,
        "possible": sum(logic.mass(element, holder) > 0 for element in elements for holder in holders),
    }
