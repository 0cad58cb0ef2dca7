"""What every benchmark shares: flat figures, the bars they have to clear, and how both are printed."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

Figures = Mapping[str, float]
ENDS = {"min": "least of a pass", "max": "most of a pass"}
"""How the keys end that give a figure's spread."""


@dataclass(frozen=True)
class Bar:
    """A figure's bound: at least (>=) or at most (<=) this much."""

    key: str
    sense: Literal[">=", "<="]
    bound: float

    def met(self, figures: Figures) -> bool:
        """Say whether the figure clears the bar; one that was not measured does not."""
        value = figures.get(self.key)
        if value is None:
            return False
        return value >= self.bound if self.sense == ">=" else value <= self.bound

    def __str__(self) -> str:
        return f"{self.sense} {number(self.bound)}"


def spread(key: str, values: Sequence[float]) -> dict[str, float]:
    """Return the median of what a figure was in each pass under its key, and the least and the most of it."""
    return {key: median(values), f"{key}_min": min(values), f"{key}_max": max(values)}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what every benchmark takes."""
    parser.add_argument("--json", action="store_true", help="print one flat JSON object and nothing else")
    parser.add_argument("--check", action="store_true", help="fail, and name the bars missed, if any is")


def finish(
    args: argparse.Namespace,
    figures: Figures,
    bars: Sequence[Bar],
    labels: Mapping[str, str] | None = None,
    details: str = "",
) -> int:
    """Print the figures as asked and return the exit code."""
    if args.json:
        if details:
            progress(details)
        print(json.dumps(dict(figures), allow_nan=False))
    else:
        if details:
            print(details, end="\n\n")
        print(table(figures, bars, labels or {}))
    missed = [bar for bar in bars if not bar.met(figures)]
    if not args.check or not missed:
        return 0
    for bar in missed:
        progress(f"missed: {bar.key} is {number(figures.get(bar.key))}, should be {bar}")
    return 1


def table(figures: Figures, bars: Sequence[Bar], labels: Mapping[str, str]) -> str:
    """Lay the figures out for people: what, how much, the bar, and whether it is cleared."""
    by_key = {bar.key: bar for bar in bars}
    rows = []
    for key in [*figures, *(key for key in by_key if key not in figures)]:
        bar = by_key.get(key)
        verdict = "" if bar is None else "ok" if bar.met(figures) else "missed"
        rows.append((_label(key, labels), number(figures.get(key)), str(bar or ""), verdict))
    return columns([("figure", "value", "bar", ""), *rows], right=(1,))


def _label(key: str, labels: Mapping[str, str]) -> str:
    of, _, end = key.rpartition("_")
    if key not in labels and of in labels and end in ENDS:
        return f"    {ENDS[end]}"
    return labels.get(key, key)


def columns(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Align the rows' cells in columns, those named in `right` to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def number(value: float | None) -> str:
    """Write a figure as a person reads it: four digits are enough, more only where they count something."""
    if value is None:
        return "none"
    if isinstance(value, int) or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def progress(text: str) -> None:
    """Tell whoever waits; never on stdout, which belongs to the figures."""
    print(text, file=sys.stderr, flush=True)
