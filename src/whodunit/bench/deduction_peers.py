"""Other ways to deduce: `python deduction_peers.py <peer> <file>` prints one JSON list, an answer for every position.

It runs in an environment of the peers' own, so it imports nothing of ours. A position is plain numbers: by holder its
capacity and the masks of what it may and must have; and atoms [holder, mask, numbers of the mask that it may have].
Each peer is used as its documents advise, with the choices that were quickest here; reading the file is not timed,
building the model is. What takes longer than the cap is reported as the cap.
"""

import json
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import combinations
from pathlib import Path
from time import process_time
from typing import Any

Problem = dict[str, Any]
CAP = 10.0  # seconds
ERROR = 0.01  # what the sampler has to reach, in every marginal


class Capped(Exception):
    """The time is up."""


def bits(mask: int) -> list[int]:
    return [place for place in range(mask.bit_length()) if mask >> place & 1]


def pairs(problem: Problem) -> Iterator[tuple[int, int]]:
    """Yield every element with every holder that may have it."""
    for element in range(problem["elements"]):
        for holder, mask in enumerate(problem["allowed"]):
            if mask >> element & 1:
                yield element, holder


# --- python-sat: one solver with assumptions; every model found settles all that is true in it ---------------------


def sat(problem: Problem) -> Callable[[], dict[str, Any]]:
    card, solvers = import_module("pysat.card"), import_module("pysat.solvers")
    exactly, encoding, solver_of = card.CardEnc.equals, card.EncType.seqcounter, solvers.Solver

    def ask() -> dict[str, Any]:
        number = {pair: place for place, pair in enumerate(pairs(problem), 1)}
        top = len(number)
        clauses: list[list[int]] = []

        def count(literals: list[int], bound: int) -> None:
            nonlocal top
            if bound == 1:
                clauses.append(literals)
                clauses.extend([-one, -other] for one, other in combinations(literals, 2))
                return
            made = exactly(lits=literals, bound=bound, top_id=top, encoding=encoding)
            top = max(top, made.nv)
            clauses.extend(made.clauses)

        for element in range(problem["elements"]):
            count([number[element, h] for h in range(len(problem["allowed"])) if (element, h) in number], 1)
        for holder, capacity in enumerate(problem["capacities"]):
            count([number[element, holder] for element in bits(problem["allowed"][holder])], capacity)
            clauses.extend([number[element, holder]] for element in bits(problem["required"][holder]))
        for holder, mask, numbers in problem["atoms"]:
            literals = [number[e, holder] for e in bits(mask & problem["allowed"][holder])]
            if 0 not in numbers and len(numbers) == mask.bit_count():
                clauses.append(literals)
            elif numbers == list(range(mask.bit_count())):
                if len(literals) == mask.bit_count():
                    clauses.append([-literal for literal in literals])
            else:
                (exact,) = numbers
                count(literals, exact)
        possible: set[int] = set()
        with solver_of(name="minisat22", bootstrap_with=clauses) as solver:
            for variable in range(1, len(number) + 1):
                if variable not in possible and solver.solve(assumptions=[variable]):
                    possible.update(literal for literal in solver.get_model()[: len(number)] if literal > 0)
        return {"possible": sum(1 for variable in number.values() if variable in possible)}

    return ask


# --- PySDD: the knowledge base compiled once, then all marginals at once from its derivatives ----------------------


def pysdd(problem: Problem) -> Callable[[], dict[str, Any]]:
    sdd = import_module("pysdd.sdd")

    def ask() -> dict[str, Any]:
        number = {pair: place for place, pair in enumerate(pairs(problem), 1)}
        vtree = sdd.Vtree(var_count=len(number), vtree_type="right")
        manager = sdd.SddManager.from_vtree(vtree)
        literal = {pair: manager.literal(variable) for pair, variable in number.items()}

        def numbers_of(chosen: Sequence[tuple[int, int]], wanted: Sequence[int]) -> Any:
            """Return the circuit for so many of these, built from the last to the first as a diagram of counts."""
            rows = [manager.true() if n in wanted else manager.false() for n in range(len(chosen) + 1)]
            for pair in reversed(chosen):
                rows = [
                    (literal[pair] & more) | (~literal[pair] & same)
                    for same, more in zip(rows[:-1], rows[1:], strict=True)
                ]
            return rows[0]

        base = manager.true()
        for element in range(problem["elements"]):
            base &= numbers_of([pair for pair in number if pair[0] == element], [1])
        for holder, mask, numbers in sorted(problem["atoms"]):
            held = [(element, holder) for element in bits(mask & problem["allowed"][holder])]
            base &= numbers_of(held, numbers)
        for holder, capacity in enumerate(problem["capacities"]):
            for element in bits(problem["required"][holder]):
                base &= literal[element, holder]
            base &= numbers_of([pair for pair in number if pair[1] == holder], [capacity])
        count = base.wmc(log_mode=False)
        total = count.propagate()
        for variable in number.values():
            count.literal_pr(variable)
        return {"total": total}

    return ask


PEERS: dict[str, Callable[[Problem], Callable[[], dict[str, Any]]]] = {"sat": sat, "pysdd": pysdd}


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise Capped

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def timed(ask: Callable[[], dict[str, Any]], rounds: int) -> dict[str, Any]:
    """Return the answer and its best time, in milliseconds of this process's own time."""
    best, answer = CAP, {}
    for _ in range(rounds):
        start = process_time()
        try:
            with at_most(CAP):
                answer = ask()
        except Capped:
            return {"ms": CAP * 1000}
        best = min(best, answer.get("seconds", process_time() - start))
    return {"ms": best * 1000, **answer}


def main(name: str, path: str, rounds: str = "3") -> None:
    problems = json.loads(Path(path).read_text("utf-8"))
    print(json.dumps([timed(PEERS[name](problem), int(rounds)) for problem in problems]))


if __name__ == "__main__":
    main(*sys.argv[1:])
