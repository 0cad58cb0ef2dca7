"""A review as one file that can be sent around: its graph and its style are in it, and it runs no script."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import Final

from whodunit.core.types import TABLE
from whodunit.review import report
from whodunit.review.report import Curve, Grid, Section, Subject
from whodunit.review.verdict import LABELS, Account

WIDE: Final = 720
HIGH: Final = 300
EDGE: Final = 50
ROOM: Final = 12
"""Above and below the curves."""
DASHES: Final = ("", "9 3", "3 3", "12 3 3 3", "1 3", "6 6")
"""By seat: who sees no colours tells the lines apart by these."""
STYLE: Final = """
:root { color-scheme: light dark; --paper: #fcf8ee; --ink: #211d18; --soft: #5a5146; --line: #cfc2a6; --sheet: #f3ecdb;
  --s0: #97202f; --s1: #1b4b7a; --s2: #24663f; --s3: #8a6210; --s4: #6b2f7a; --s5: #1f6b70; }
@media (prefers-color-scheme: dark) { :root { --paper: #231e18; --ink: #f4e9d2; --soft: #bfb198; --line: #4a4134;
  --sheet: #2e2820; --s0: #f08e86; --s1: #8dbeea; --s2: #86cfa0; --s3: #f2be55; --s4: #d9a3e6; --s5: #7fd3d8; } }
body { margin: 0 auto; padding: 1rem; max-width: 46rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: break-word; }
h1, h2, h3 { font-family: Georgia, serif; line-height: 1.2; }
h2 { margin-top: 2rem; } h3 { margin-bottom: 0.25rem; font-size: 1rem; }
svg { display: block; width: 100%; height: auto; } svg text { fill: var(--soft); font-size: 13px; }
@media (max-width: 32rem) { svg text { font-size: 25px; } }
svg path { vector-effect: non-scaling-stroke; }
.grid { stroke: var(--line); } .curve { fill: none; stroke-width: 2; } .own { stroke-width: 4; }
.known { fill: var(--paper); stroke-width: 3; } .named { stroke-width: 3; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; min-width: 100%; }
caption { text-align: left; color: var(--soft); }
th, td { padding: 0.25rem 0.5rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child { text-align: left; } thead th { color: var(--soft); font-weight: 600; }
ul { padding-left: 1.2rem; } li { margin: 0.2rem 0; }
.key { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
.key svg { display: inline-block; width: 2.5rem; height: 0.75rem; vertical-align: middle; }
details { margin: 0.75rem 0; padding: 0.5rem 0.75rem; background: var(--sheet); border-radius: 0.4rem; }
summary { cursor: pointer; font-weight: 600; } p.soft { color: var(--soft); }
"""


def as_html(subject: Subject, language: str) -> str:
    """Return the whole file."""
    return "\n".join(_file(subject, language)) + "\n"


def _file(subject: Subject, language: str) -> Iterator[str]:
    headline = escape(report.title(subject))
    yield f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{headline}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>"
    yield f"<h1>{headline}</h1>\n<p>{escape(report.result(subject))}</p>"
    yield from _section(report.findings(subject))
    if report.is_told_in_bits(subject):
        yield f"<h2>{escape(subject.word('graph'))}</h2>"
        yield from _graph(subject)
        yield from _table(subject.word("same"), report.course(subject).grid)
        yield from _section(report.accounts(subject))
        yield "<ul>"
        for name in Account.__struct_fields__:
            named, means = subject.texts[f"review.part.{name}"], subject.texts[f"review.part.{name}.text"]
            yield f"<li>{escape(named)}: {escape(means)}</li>"
        yield "</ul>"
        yield from _section(report.told(subject))
    yield from _section(report.labels(subject))
    chances = report.chances(subject)
    yield from () if chances is None else _section(chances)
    for seat in (subject.reader, *(seat for seat in subject.seats if seat != subject.reader)):
        yield from _seat(subject, seat)
    yield from _section(report.assumed(subject))
    yield "</main>\n</body>\n</html>"


def _seat(subject: Subject, seat: int) -> Iterator[str]:
    """Tell a seat's decisions, the costliest first, and why it could have known."""
    part = subject.review.seats[seat]
    yield f"<h2>{escape(subject.word('worst', name=subject.players[seat]))}</h2>"
    costly = report.worst(part)
    if not costly:
        yield f"<p>{escape(subject.word('none'))}</p>"
    for made in costly[: report.WORST]:
        told = report.decision(subject, made)
        yield f"<h3>{escape(told.title)}</h3>\n{_list(told.lines)}"
    graded = [made for made in part.decisions if made.verdict.label in LABELS]
    if graded:
        yield f"<details><summary>{escape(subject.word('all', count=len(graded)))}</summary>"
        for made in graded:
            told = report.decision(subject, made)
            yield f"<h3>{escape(told.title)}</h3>\n{_list(told.lines)}"
        yield "</details>"
    proof = report.proofs(subject, part)
    if proof is not None:
        yield f"<details><summary>{escape(proof.title)}</summary>{_list(proof.lines)}</details>"


def _section(section: Section) -> Iterator[str]:
    yield f"<h2>{escape(section.title)}</h2>"
    if section.lines:
        yield _list(section.lines)
    if section.grid is not None:
        yield from _table("", section.grid)


def _list(lines: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(line.strip())}</li>" for line in lines) + "</ul>"


def _table(caption: str, grid: Grid | None) -> Iterator[str]:
    """Set a table; it scrolls by itself where the screen is narrow, and the keyboard reaches it."""
    if grid is None:
        return
    yield f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption or grid.heads[0])}"><table>'
    if caption:
        yield f"<caption>{escape(caption)}</caption>"
    yield (
        "<thead><tr>" + "".join(f'<th scope="col">{escape(head)}</th>' for head in grid.heads) + "</tr></thead><tbody>"
    )
    for head, *cells in grid.rows:
        row = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        yield f'<tr><th scope="row">{escape(head)}</th>{row}</tr>'
    yield "</tbody></table></div>"


# --- The graph -----------------------------------------------------------------------------------------------------


def _graph(subject: Subject) -> Iterator[str]:
    """Draw every viewer's curve as steps; the table below it says the same in words."""
    curves = report.curves(subject)
    first = min(curve.points[0][0] for curve in curves)
    top = max(left for curve in curves for _, left in curve.points) or 1.0

    def x(event: float) -> float:
        return EDGE + (event - first) / max(1, subject.events - first) * (WIDE - EDGE - 8)

    def y(left: float) -> float:
        return ROOM + (1 - left / top) * (HIGH - 4 * ROOM)

    yield f'<svg viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{escape(subject.word("graph"))}">'
    for share in (0.0, 0.5, 1.0):
        height = y(share * top)
        yield f'<line class="grid" x1="{EDGE}" x2="{WIDE - 8}" y1="{height:.1f}" y2="{height:.1f}"/>'
        yield f'<text x="{EDGE - 4}" y="{height + 4:.1f}" text-anchor="end">{share * top:.1f}</text>'
    for place, anchor in ((first, "start"), (subject.events, "end")):
        yield f'<text x="{x(place):.1f}" y="{HIGH - 4}" text-anchor="{anchor}">{place}</text>'
    for curve in curves:
        ends = [*curve.points, (subject.events, curve.points[-1][1])]
        path = f"M{x(ends[0][0]):.1f} {y(ends[0][1]):.1f}"
        path += "".join(f"H{x(event):.1f}V{y(left):.1f}" for _, (event, left) in pairwise(ends))
        own = " own" if curve.viewer == subject.reader else ""
        name = escape(subject.names[curve.viewer])
        yield f'<path class="curve{own}" d="{path}"{_stroke(curve.viewer)}><title>{name}</title></path>'
    for curve in curves:
        known = subject.review.seats[curve.viewer].certain
        if known is not None and curve.viewer != TABLE:
            yield _known(subject, curve, x(known.seq), y(curve.at(known.seq)))
            if known.named is not None:
                yield _named(subject, curve, x(known.named), y(curve.at(known.named - 1)))
    yield "</svg>"
    keys = [f"<li>{_key(seat)} {escape(name)}</li>" for seat, name in enumerate(subject.players)]
    keys.append(f"<li>{_key(TABLE)} {escape(subject.names[TABLE])}</li>")
    yield f'<ul class="key">{"".join(keys)}</ul>\n<p class="soft">{escape(subject.word("marks"))}</p>'


def _stroke(viewer: int) -> str:
    if viewer == TABLE:
        return ' stroke="var(--soft)" stroke-dasharray="1 4"'
    dashes = DASHES[viewer % len(DASHES)]
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f' stroke="var(--s{viewer % len(DASHES)})"{dashed}'


def _colour(viewer: int) -> str:
    return f"var(--s{viewer % len(DASHES)})"


def _known(subject: Subject, curve: Curve, x: float, y: float) -> str:
    told = escape(f"{subject.names[curve.viewer]}: {subject.word('could_know')}")
    where = f'cx="{x:.1f}" cy="{y:.1f}" r="6" stroke="{_colour(curve.viewer)}"'
    return f'<circle class="known" {where}><title>{told}</title></circle>'


def _named(subject: Subject, curve: Curve, x: float, y: float) -> str:
    told = escape(f"{subject.names[curve.viewer]}: {subject.word('named')}")
    cross = f"M{x - 5:.1f} {y - 5:.1f}l10 10m0 -10l-10 10"
    return f'<path class="named" d="{cross}" stroke="{_colour(curve.viewer)}"><title>{told}</title></path>'


def _key(viewer: int) -> str:
    return f'<svg viewBox="0 0 40 12" aria-hidden="true"><path class="curve" d="M0 6H40"{_stroke(viewer)}/></svg>'
