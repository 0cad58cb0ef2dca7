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
from itertools import combinations, pairwise
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
    # minicard counts by itself: four times as quick here as the best of the encodings and the other solvers.
    solver_of = import_module("pysat.solvers").Solver

    def ask() -> dict[str, Any]:
        number = {pair: place for place, pair in enumerate(pairs(problem), 1)}
        clauses: list[list[int]] = []
        at_most: list[tuple[list[int], int]] = []

        def count(literals: list[int], bound: int) -> None:
            if bound == 1:
                clauses.append(literals)
                clauses.extend([-one, -other] for one, other in combinations(literals, 2))
            else:
                at_most.append((literals, bound))
                at_most.append(([-literal for literal in literals], len(literals) - bound))

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
        with solver_of(name="minicard", bootstrap_with=clauses) as solver:
            for literals, bound in at_most:
                solver.add_atmost(literals, bound)
            for variable in range(1, len(number) + 1):
                if variable not in possible and solver.solve(assumptions=[variable]):
                    possible.update(literal for literal in solver.get_model()[: len(number)] if literal > 0)
        return {"possible": len(possible)}

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
                rows = [(literal[pair] & more) | (~literal[pair] & same) for same, more in pairwise(rows)]
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


# --- A Markov chain, many at a time: two elements change places if everything still fits ---------------------------


def mcmc(problem: Problem) -> Callable[[], dict[str, Any]]:
    """Double the length of the run until every marginal is right to 1 %; only the last run counts.

    Two gifts: it is told when to stop, and where to start; a player would need a solver to find a first deal.
    """
    np = import_module("numpy")
    holders, elements, chains = len(problem["capacities"]), problem["elements"], 256
    exact = np.array(problem["marginals"])
    allowed = np.array([[mask >> e & 1 for mask in problem["allowed"]] for e in range(elements)], dtype=bool)
    settled = sum(problem["required"])
    free = np.array([e for e in range(elements) if not settled >> e & 1])
    first = np.array([next(h for h, hand in enumerate(problem["world"]) if hand >> e & 1) for e in range(elements)])
    by_holder: list[list[Any]] = [[atom for atom in problem["atoms"] if atom[0] == h] for h in range(holders)]
    most = max(1, *map(len, by_holder))
    masks = np.zeros((holders, most), dtype=np.uint64)
    fits = np.ones((holders, most, elements + 1), dtype=bool)
    for holder, atoms in enumerate(by_holder):
        for place, (_, mask, numbers) in enumerate(atoms):
            masks[holder, place] = mask
            fits[holder, place] = [number in numbers for number in range(elements + 1)]
    bit = np.left_shift(np.uint64(1), np.arange(elements, dtype=np.uint64))
    every, slots = np.arange(chains), np.arange(most)
    cell = np.arange(elements) * holders

    def run(sweeps: int, random: Any) -> Any:
        where = np.tile(first, (chains, 1))
        hands = np.tile(np.array(problem["world"], dtype=np.uint64), (chains, 1))
        seen = np.zeros(elements * holders, dtype=np.int64)
        for sweep in range(sweeps):
            one, other = free[random.integers(len(free), size=(2, chains))]
            left, right = where[every, one], where[every, other]
            change = bit[one] ^ bit[other]
            new_left, new_right = hands[every, left] ^ change, hands[every, right] ^ change
            good = (left != right) & allowed[one, right] & allowed[other, left]
            for holder, hand in ((left, new_left), (right, new_right)):
                numbers = np.bitwise_count(masks[holder] & hand[:, None])
                good &= fits[holder[:, None], slots, numbers].all(axis=1)
            good = good.nonzero()[0]
            where[good, one[good]], where[good, other[good]] = right[good], left[good]
            hands[good, left[good]], hands[good, right[good]] = new_left[good], new_right[good]
            if sweep % 4 == 3 and sweep * 5 >= sweeps:  # the first fifth is for forgetting the start
                seen += np.bincount((where + cell).ravel(), minlength=elements * holders)
        return seen.reshape(elements, holders) / max(1, seen[:holders].sum())

    def ask() -> dict[str, Any]:
        random = np.random.default_rng(1)
        sweeps = 64
        while True:
            start = process_time()
            found = run(sweeps, random) if len(free) else exact
            seconds = process_time() - start
            if abs(found - exact).max() <= ERROR:
                return {"seconds": seconds, "sweeps": sweeps}
            sweeps *= 2

    return ask


PEERS: dict[str, Callable[[Problem], Callable[[], dict[str, Any]]]] = {"sat": sat, "pysdd": pysdd, "mcmc": mcmc}
ROUNDS = {"sat": 3, "pysdd": 3, "mcmc": 1}  # the best of so many


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


def main(name: str, path: str) -> None:
    problems = json.loads(Path(path).read_text("utf-8"))
    print(json.dumps([timed(PEERS[name](problem), ROUNDS[name]) for problem in problems]))


if __name__ == "__main__":
    main(*sys.argv[1:])
