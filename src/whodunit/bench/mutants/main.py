"""How much the rule tests notice: single changes made to a game's rules, and the share that makes a test fail."""

import argparse
import signal
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from importlib.util import find_spec
from itertools import chain, takewhile
from typing import NamedTuple

from whodunit import games
from whodunit.bench import report
from whodunit.bench.mutants import trials
from whodunit.bench.mutants.mutate import Change, changed, changes, drawn, unchanged
from whodunit.bench.mutants.trials import Trial, Verdict
from whodunit.bench.report import Bar

FILES = ("rules.py", "evidence.py")
WIDTH = 60
HANGING = 5
"""A change that makes the tests take so many times as long as they do makes them hang."""


class Mutant(NamedTuple):
    """A change and the file it is made to, named from the package's root."""

    file: str
    change: Change


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="whodunit bench mutants", description=__doc__)
    parser.add_argument("game", nargs="?", choices=games.ids(), default="clue")
    parser.add_argument("--count", type=int, default=150, help="how many changes to draw (default: 150)")
    parser.add_argument("--seed", type=int, default=1, help="which ones to draw (default: 1)")
    parser.add_argument("--file", choices=FILES, help="change this file only")
    report.add_arguments(parser)
    args = parser.parse_args(argv)
    if find_spec("pytest") is None:
        raise SystemExit("the rule tests need pytest: `./run check` adds the tools of development")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up then, too
    try:
        return run(args)
    except KeyboardInterrupt:
        report.progress("interrupted")
        return 130


def run(args: argparse.Namespace) -> int:
    sources = read(args.game, [args.file] if args.file else FILES)
    tests = ["-m", "rules", f"tests/games/{args.game}"]
    found = [Mutant(file, change) for file, source in sources.items() for change in changes(source)]
    mutants = [found[place] for place in drawn(args.count, len(found), args.seed)]
    report.progress(f"{len(mutants)} of {len(found)} changes in {', '.join(sources)}")
    seconds = baseline(sources, tests)
    caught: dict[int, bool] = {}
    hung = 0
    attempts = (Trial({mutant.file: changed(sources[mutant.file], mutant.change)}) for mutant in mutants)
    with closing(trials.run(attempts, tests, max(30, round(HANGING * seconds)))) as verdicts:
        for number, verdict in verdicts:
            caught[number] = not verdict.passed
            hung += verdict.hung
            if len(caught) % 10 == 0:
                report.progress(f"{len(caught)} of {len(mutants)} tried, {sum(caught.values())} caught")
    figures = {
        f"{args.game}.mutants": len(mutants),
        f"{args.game}.rules_seconds": seconds,
        f"{args.game}.mutants_caught": sum(caught.values()) / len(mutants),
        f"{args.game}.mutants_caught_hanging": hung / len(mutants),
    }
    bars = [Bar(f"{args.game}.rules_seconds", "<=", 15), Bar(f"{args.game}.mutants_caught", ">=", 0.9)]
    return report.finish(args, figures, bars, details=summary(mutants, caught))


def read(game: str, files: Sequence[str]) -> dict[str, str]:
    """Return the sources of those of the files that the game has."""
    paths = {file: trials.PACKAGE / file for file in (f"games/{game}/{name}" for name in files)}
    sources = {file: path.read_text() for file, path in paths.items() if path.exists()}
    if not any(changes(source) for source in sources.values()):
        raise SystemExit(f"{game} has nothing to change in {', '.join(files)}")
    return sources


def baseline(sources: dict[str, str], tests: list[str]) -> float:
    """Check that the tests pass without a change and fail with a gross one; return how much CPU time they take."""
    verdict = verdict_on(Trial({file: unchanged(source) for file, source in sources.items()}), tests)
    if not verdict.passed:
        raise SystemExit(f"{verdict.output}\nthe rule tests must pass before they can be tested")
    report.progress(f"the rule tests take {verdict.seconds:.1f} s" + (", over 15 s" if verdict.seconds > 15 else ""))
    if verdict_on(Trial(dict.fromkeys(sources, "raise ImportError")), tests).passed:
        raise SystemExit("the rule tests pass without the rules: they do not run on the changed copy")
    return verdict.seconds


def verdict_on(trial: Trial, tests: list[str]) -> Verdict:
    ((_, verdict),) = trials.run([trial], tests)
    return verdict


def summary(mutants: Sequence[Mutant], caught: dict[int, bool]) -> str:
    """List the changes that no test noticed, and the share noticed of each kind."""
    survivors = [f"survived: {described(mutant)}" for number, mutant in enumerate(mutants) if not caught[number]]
    made = Counter(mutant.change.kind for mutant in mutants)
    noticed = Counter(mutant.change.kind for number, mutant in enumerate(mutants) if caught[number])
    rows = [(kind, str(noticed[kind]), str(made[kind])) for kind in sorted(made)]
    kinds = report.columns([("kind", "caught", "of"), *rows], right=(1, 2))
    return "\n".join(chain(survivors, [""] if survivors else [], [kinds]))


def described(mutant: Mutant) -> str:
    old, new = apart(" ".join(mutant.change.old.split()), " ".join(mutant.change.new.split()))
    return f"{mutant.file}:{mutant.change.line}: {mutant.change.kind}: {old}  ->  {new}"


def apart(old: str, new: str) -> tuple[str, str]:
    """Shorten two long texts to where they differ."""
    start = 0
    if max(len(old), len(new)) > WIDTH:
        same = takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False))
        start = max(0, len(list(same)) - WIDTH // 3)
    return cut(old, start), cut(new, start)


def cut(text: str, start: int) -> str:
    end = start + WIDTH
    return ("..." if start else "") + text[start:end] + ("..." if end < len(text) else "")
