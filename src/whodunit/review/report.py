"""A review as a report for people: what it says, as paragraphs and tables, and those as plain text for a terminal."""

import textwrap
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from whodunit.core.judging import Unit
from whodunit.core.text import say
from whodunit.core.types import TABLE, Message, Outcome, Seat
from whodunit.review.review import Review
from whodunit.review.verdict import FAULTS, LABELS, Account, Decision, Option, SeatReview

PARTS: Final = tuple(name for name in Account.__struct_fields__ if name != "new")
"""Where knowledge comes from; what is hidden anew in play is no knowledge."""
WORST: Final = 3
"""So many decisions are told at length in a terminal."""
ANSWERS: Final = 6
"""So many possible answers are told of one decision, the likeliest first."""
QUARTERS: Final = 4
HEIGHT: Final = 11
KNOWN: Final = "o"
NAMED: Final = "x"
LEAST_WIDTH: Final = 40
MOST_WIDTH: Final = 100


class Subject(NamedTuple):
    """What a report is about, for whom, and in which words."""

    review: Review
    game: str
    events: int
    """How many events the case has."""
    outcome: Outcome | None
    """None: it was put aside."""
    texts: Mapping[str, str]
    players: Sequence[str]
    reader: Seat
    """Whose game it is told of first, as "you"."""

    @property
    def seats(self) -> range:
        return range(len(self.players))

    @property
    def names(self) -> list[str]:
        """The players by seat; last, where TABLE finds it, whoever watched."""
        return [*self.players, self.word("spectator")]

    def word(self, key: str, **figures: object) -> str:
        """Return one of the report's own sentences."""
        return self.texts[f"review.report.{key}"].format_map(figures)

    def said(self, message: Message) -> str:
        return say(message, self.texts, self.names)


class Grid(NamedTuple):
    """A table: its columns' heads, and rows whose first cell is their head."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Section(NamedTuple):
    """A part of a report."""

    title: str
    lines: tuple[str, ...] = ()
    grid: Grid | None = None


class Curve(NamedTuple):
    """How many bits were missing to a viewer, from one event to the next that changed it."""

    viewer: Seat
    points: tuple[tuple[int, float], ...]

    def at(self, event: float) -> float:
        """Return how many were missing after an event; before the first one as many as there."""
        place = bisect_right(self.points, event, key=lambda point: point[0])
        return self.points[max(0, place - 1)][1]


# --- What a report says ----------------------------------------------------------------------------------------


def title(subject: Subject) -> str:
    """Return the headline."""
    return subject.word("title", game=subject.texts["name"], count=len(subject.players))


def result(subject: Subject) -> str:
    """Say how it ended."""
    if subject.outcome is None:
        return subject.word("abandoned")
    winners = ", ".join(subject.players[seat] for seat in sorted(subject.outcome.winners))
    return subject.word("won", winners=winners) if winners else subject.word("nobody")


def findings(subject: Subject) -> Section:
    """Say what decided it: the reader's own game first."""
    own, others = subject.review.seats[subject.reader], subject.review.whole.findings[str(subject.reader)]
    lines = [subject.said(line) for line in (*own.findings, *others)]
    return Section(subject.word("findings"), tuple(lines or [subject.word("quiet")]))


def is_told_in_bits(subject: Subject) -> bool:
    """Say whether there was anything to find out."""
    return any(part.began or part.steps for part in subject.review.seats.values())


def curves(subject: Subject) -> list[Curve]:
    """Return every viewer's curve: the spectator's first and the reader's last, so that it is drawn over the others."""
    order = sorted(subject.review.seats, key=lambda seat: (seat == subject.reader, seat))
    return [
        Curve(seat, ((part.since, part.began), *((step.seq, step.left) for step in part.steps)))
        for seat in order
        for part in (subject.review.seats[seat],)
    ]


def course(subject: Subject) -> Section:
    """Tell the curves in figures: at the deal, after each quarter, at the end, and when it could be known."""
    moments = _moments(subject)
    heads = (
        subject.word("player"),
        *(subject.word("after_event", event=event) for event in moments),
        subject.word("could_know"),
        subject.word("named"),
    )
    rows = []
    for curve in sorted(curves(subject), key=lambda curve: curve.viewer % (len(subject.players) + 1)):
        known = subject.review.seats[curve.viewer].certain
        rows.append(
            (
                subject.names[curve.viewer],
                *(f"{curve.at(event):.2f}" for event in moments),
                "-" if known is None else str(known.seq),
                "-" if known is None or known.named is None else str(known.named),
            )
        )
    return Section(subject.word("graph"), grid=Grid(heads, tuple(rows)))


def _moments(subject: Subject) -> list[int]:
    first = max((part.since for part in subject.review.seats.values()), default=0)
    spread = subject.events - first
    return sorted({first + spread * quarter // QUARTERS for quarter in range(QUARTERS + 1)})


def accounts(subject: Subject) -> Section:
    """Say where each seat's knowledge came from."""
    parts = [subject.review.seats[seat] for seat in subject.seats]
    heads = (subject.word("bits"), *subject.players)
    rows = [
        (subject.texts[f"review.part.{name}"], *(f"{getattr(part.account, name):+.2f}" for part in parts))
        for name in PARTS
    ]
    sums = [sum(getattr(part.account, name) for name in PARTS) for part in parts]
    rows.append((subject.word("sum"), *(f"{total:+.2f}" for total in sums)))
    shares = (f"{part.asked:.1f} / {part.offered:.1f}" if part.offered else "-" for part in parts)
    rows.append((subject.word("asked_offered"), *shares))
    return Section(subject.word("account"), grid=Grid(heads, tuple(rows)))


def told(subject: Subject) -> Section:
    """Say how much each seat's actions told every other viewer."""
    heads = (subject.word("by_whom"), *subject.names)
    rows = [
        (
            name,
            *("-" if viewer == seat else f"{bits:.2f}" for viewer, bits in enumerate(subject.review.whole.told[seat])),
        )
        for seat, name in enumerate(subject.players)
    ]
    return Section(subject.word("told"), grid=Grid(heads, tuple(rows)))


def labels(subject: Subject) -> Section:
    """Say how many decisions of each seat have which label."""
    rows = [
        (
            subject.texts[f"review.label.{label}"],
            *(str(subject.review.seats[seat].counts.get(label, 0)) for seat in subject.seats),
        )
        for label in LABELS
    ]
    return Section(subject.word("labels"), grid=Grid((subject.word("label"), *subject.players), tuple(rows)))


def chances(subject: Subject) -> Section | None:
    """Say how likely each seat was to win, at the same quarters; None: no table was fitted for such a game."""
    found = subject.review.whole.chances
    if not found:
        return None
    picked = sorted({len(found) * quarter // QUARTERS for quarter in range(QUARTERS)} | {len(found) - 1})
    heads = (subject.word("player"), *(subject.word("after_event", event=found[place][0]) for place in picked))
    rows = tuple(
        (name, *(f"{found[place][1][seat]:.0%}" for place in picked)) for seat, name in enumerate(subject.players)
    )
    return Section(subject.word("chances"), grid=Grid(heads, rows))


def worst(part: SeatReview) -> list[Decision]:
    """Return the decisions that cost something, the costliest first: by what they kept of what was on offer."""
    faults = [decision for decision in part.decisions if decision.verdict.label in FAULTS]
    return sorted(faults, key=lambda made: (-LABELS.index(_label(made)), made.verdict.share, made.seq))


def _label(made: Decision) -> Any:
    return made.verdict.label


def decision(subject: Subject, made: Decision) -> Section:
    """Tell one decision: what was done, the best of what was on offer, and how it might have been answered."""
    verdict = made.verdict
    kind = subject.texts.get(f"review.kind.{verdict.kind}", subject.texts["review.kind.other"])
    label = "-" if verdict.label is None else subject.texts[f"review.label.{verdict.label}"]
    head = subject.word("decision", event=made.seq, turn=made.turn, kind=kind, label=label)
    done = _promised(subject, verdict.taken, verdict.unit)
    lines = [subject.word("done", what=done, loss=figure(subject, verdict.loss, verdict.unit))]
    lines += [
        subject.word("best", place=place, what=_promised(subject, option, verdict.unit))
        for place, option in enumerate(verdict.best, 1)
    ]
    if verdict.error:
        lines.append(subject.word("about", error=figure(subject, verdict.error, verdict.unit)))
    answers = sorted(verdict.answers, key=lambda answer: -answer.chance)[:ANSWERS]
    lines += [
        subject.word("answer", chance=f"{answer.chance:.0%}", what=subject.said(answer.line), left=f"{answer.left:.2f}")
        for answer in answers
    ]
    return Section(head, tuple(lines))


def _promised(subject: Subject, option: Option, unit: Unit) -> str:
    what = subject.said(option.line).removesuffix(".")
    return f"{what} ({figure(subject, option.value, unit)})"


def figure(subject: Subject, value: float, unit: Unit) -> str:
    """Write a value with its unit."""
    shown = f"{100 * value:.0f}" if unit == "chance" else f"{value:.2f}"
    return subject.texts[f"review.unit.{unit}"].format_map({"figure": shown})


def proofs(subject: Subject, part: SeatReview) -> Section | None:
    """Say why the solution was certain; None: it never was."""
    if part.certain is None:
        return None
    lines = []
    for (row, _), proof in zip(part.certain.cells, part.certain.proofs, strict=False):
        lines.append(f"{subject.texts.get(f'term.{row}', row)}:")
        lines += [
            f"  {subject.word('line', event=reason.seq, what=subject.said(reason.message))}"
            if reason.seq is not None
            else f"  {subject.said(reason.message)}"
            for reason in proof.reasons
        ]
    return Section(subject.word("proof", name=subject.names[part.seat], event=part.certain.seq), tuple(lines))


def assumed(subject: Subject) -> Section:
    """Say what the figures take for granted."""
    parts = subject.review.seats.values()
    found = [line for part in parts for line in part.assumes]
    found += [line for part in parts for made in part.decisions for line in made.verdict.assumes]
    return Section(subject.word("assumes"), tuple(dict.fromkeys(subject.said(line) for line in found)))


# --- In a terminal -----------------------------------------------------------------------------------------------


def as_text(subject: Subject, width: int) -> str:
    """Return the report in plain characters, for lines of so many."""
    width = max(LEAST_WIDTH, min(width, MOST_WIDTH))
    own = subject.review.seats[subject.reader]
    made = worst(own)
    blocks = [_wrapped(title(subject), width), _wrapped(result(subject), width), _block(findings(subject), width)]
    if is_told_in_bits(subject):
        drawn = "\n".join(plot(subject, width))
        blocks += [f"{_wrapped(subject.word('graph'), width)}\n{drawn}", _grid(course(subject).grid, width)]
        blocks += [_block(section, width) for section in (accounts(subject), told(subject))]
    blocks.append(_block(labels(subject), width))
    blocks += [_block(section, width) for section in (chances(subject),) if section is not None]
    blocks.append(_wrapped(subject.word("worst", name=subject.players[subject.reader]), width))
    blocks += [_block(decision(subject, choice), width, "  ") for choice in made[:WORST]]
    if not made:
        blocks.append(f"  {subject.word('none')}")
    blocks += [_block(section, width) for section in (proofs(subject, own), assumed(subject)) if section is not None]
    return "\n\n".join(blocks) + "\n"


def _block(section: Section, width: int, indent: str = "") -> str:
    lines = [
        textwrap.fill(line, width, initial_indent=f"{indent}  ", subsequent_indent=f"{indent}    ")
        for line in section.lines
    ]
    grid = [] if section.grid is None else [_grid(section.grid, width)]
    return "\n".join([_wrapped(section.title, width, indent), *lines, *grid])


def _wrapped(text: str, width: int, indent: str = "") -> str:
    return textwrap.fill(text, width, initial_indent=indent, subsequent_indent=indent)


def _grid(grid: Grid | None, width: int) -> str:
    """Align a table's columns; where it is too wide, each row is told by itself."""
    if grid is None:
        return ""
    rows = (grid.heads, *grid.rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if sum(widths) + 2 * len(widths) <= width:
        return "\n".join(
            "  " + "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows
        )
    told = [
        f"{row[0]}: " + "; ".join(f"{head} {cell}" for head, cell in zip(grid.heads[1:], row[1:], strict=True))
        for row in grid.rows
    ]
    return "\n".join(textwrap.fill(line, width, initial_indent="  ", subsequent_indent="    ") for line in told)


def plot(subject: Subject, width: int) -> list[str]:
    """Draw every viewer's curve in characters; under it where the solution could be known, and where it was named."""
    lines = curves(subject)
    marks = letters(subject)
    first = min(curve.points[0][0] for curve in lines)
    top = max(left for curve in lines for _, left in curve.points) or 1.0
    across = width - 9
    cells = [[" "] * across for _ in range(HEIGHT)]
    for curve in lines:
        for column in range(across):
            left = curve.at(first + (subject.events - first) * column / (across - 1))
            cells[round((1 - left / top) * (HEIGHT - 1))][column] = marks[curve.viewer]
    axis = {0: top, (HEIGHT - 1) // 2: top / 2, HEIGHT - 1: 0.0}
    drawn = [f"{f'{axis[row]:.1f}' if row in axis else '':>6} |{''.join(cells[row]).rstrip()}" for row in range(HEIGHT)]
    ends = f"{first}{subject.events:>{across - len(str(first))}}"
    drawn += [f"{'':>6} +{'-' * across}", f"{'':>8}{ends}"]
    for key, sign in (("seq", KNOWN), ("named", NAMED)):
        row = [" "] * across
        for seat in subject.seats:
            known = subject.review.seats[seat].certain
            if known is not None and (event := getattr(known, key)) is not None:
                row[round((event - first) / max(1, subject.events - first) * (across - 1))] = marks[seat]
        drawn.append(f"{sign:>6}  {''.join(row)}".rstrip())
    legend = [f"{marks[seat]} {subject.names[seat]}" for seat in (*subject.seats, TABLE)]
    legend += [f"{KNOWN} {subject.word('could_know')}", f"{NAMED} {subject.word('named')}"]
    return [*drawn, *textwrap.wrap(", ".join(legend), width, initial_indent="  ", subsequent_indent="  ")]


def letters(subject: Subject) -> dict[Seat, str]:
    """Return a letter for each viewer: the players' first ones, or numbers where two are the same."""
    initials = [name[:1] for name in subject.players]
    if len({*initials}) < len(initials):
        initials = [str(seat + 1) for seat in subject.seats]
    return {**dict(enumerate(initials)), TABLE: "."}
