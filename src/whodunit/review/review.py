"""The review of a whole case: each viewer's game with its own eyes, then what all of them together say."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from whodunit.core.errors import StillOpen
from whodunit.core.judging import Showing, Trace
from whodunit.core.redact import fold
from whodunit.core.types import TABLE, Batch, Game, Seat, Undone
from whodunit.review.findings import findings, own_findings
from whodunit.review.fitted import FITTED, Fitted
from whodunit.review.knowing import Viewer, standing_batches
from whodunit.review.verdict import Certain, ReviewPart, SeatReview, Whole
from whodunit.table.case import Case, Header

VERSION: Final = 1
"""Rises with every change that makes a review say something else; one that is stored under another is made again."""


class Review:
    """All parts of a review, by viewer."""

    def __init__(self, parts: Sequence[ReviewPart]) -> None:
        self.seats = {part.seat: part for part in parts if isinstance(part, SeatReview)}
        self.whole = next(part for part in parts if isinstance(part, Whole))


def review(case: Case, fitted: Fitted = FITTED) -> Review:
    """Return the whole review of a closed case; StillOpen before."""
    return Review([*stream(case, fitted=fitted)])


def stream(case: Case, first: Sequence[Seat] = (), fitted: Fitted = FITTED) -> Iterator[ReviewPart]:
    """Yield a closed case's review part by part: these viewers first, then the others, then the whole."""
    if case.closed is None:
        raise StillOpen("this case is still open: only a closed one can be reviewed")
    viewers = [*dict.fromkeys([*first, *range(case.header.seats), TABLE])]
    parts = []
    for viewer in viewers:
        parts.append(seat_review(case.table.game, case.header, case.batches, viewer, fitted))
        yield parts[-1]
    yield whole(case.table.game, case.header, case.batches, parts, fitted)


def seat_review(
    game: Game, header: Header, batches: Sequence[Batch], seat: Seat, fitted: Fitted = FITTED
) -> SeatReview:
    """Return one viewer's review: nothing that it did not see is used, but for where its own name stands."""
    *_, part = reading(game, header, batches, seat, fitted)
    assert part is not None
    return part


def reading(
    game: Game, header: Header, batches: Sequence[Batch], seat: Seat, fitted: Fitted = FITTED
) -> Iterator[SeatReview | None]:
    """Yield None after each batch, and then the viewer's review: for whoever has something else to do in between."""
    viewer = Viewer(game, seat, header.seats, showing_of(header), fitted)
    for batch, stands in standing_batches(batches):
        viewer.see(batch, stands=stands, last=batch is batches[-1])
        if viewer.began is None:
            viewer.begin()
        yield None
    yield _named(game, viewer, batches)


def _named(game: Game, viewer: Viewer, batches: Sequence[Batch]) -> SeatReview:
    """Add when a seat that could have known a solution named it, and how many of its turns that took."""
    part = viewer.reviewed()
    if part.certain is not None:
        certain, *later = (_used(game, viewer, batches, known) for known in (part.certain, *part.later))
        part = replace(part, certain=certain, later=tuple(later))
    return replace(part, findings=own_findings(_told(game, part)))


def _told(game: Game, part: SeatReview) -> SeatReview:
    """Return what is said of a seat in words: where no guess names the solution, nobody was late in naming it."""
    return part if game.INFO.final else replace(part, certain=None, later=())


def _used(game: Game, viewer: Viewer, batches: Sequence[Batch], known: Certain) -> Certain:
    since, until = known.seq, next((case for case in viewer.cases if case > known.seq), batches[-1].last + 1)
    named = next(
        (
            batch.seq
            for batch in batches
            if batch.cause is not None
            and batch.cause.seat == viewer.seat
            and type(batch.cause.action) in game.INFO.final
            and since < batch.seq < until
        ),
        None,
    )
    turns = sum(since < turn <= (named or turn) and turn < until for turn in viewer.turns)
    # A turn in which it is named is not one that passed.
    return replace(known, named=named, turns=max(0, turns - (named is not None)))


def showing_of(header: Header) -> Showing:
    """Return how cards are shown at this table: bots that draw show any, all others what was seen before."""
    drawing = {bot.seat for bot in header.bots if bot.level == "random"}
    return "even" if len(drawing) == header.seats else "seen_first"


def whole(
    game: Game, header: Header, batches: Sequence[Batch], parts: Sequence[SeatReview], fitted: Fitted = FITTED
) -> Whole:
    """Return what only all viewers together say."""
    seats = range(header.seats)
    outcome = game.outcome(fold(game, [event for batch in batches for event in batch.events]))
    by_seat = {part.seat: part for part in parts}
    said = {seat: _told(game, part) for seat, part in by_seat.items()}
    told = [[0.0] * (header.seats + 1) for _ in seats]
    for viewer, part in by_seat.items():
        before = part.began
        for step in part.steps:
            if step.by is not None and step.by in seats and step.by != viewer and step.part != "new":
                told[step.by][viewer] += before - step.left
            before = step.left
    return Whole(
        findings={str(viewer): findings(said, viewer, outcome) for viewer in by_seat},
        chances=tuple(_chances(game, batches, by_seat, fitted)),
        told=tuple(map(tuple, told)),
        heard=_heard(game, batches),
    )


def _heard(game: Game, batches: Sequence[Batch]) -> tuple[Trace, ...]:
    """Return how the trained listener did on a case that is closed."""
    sounds = game.INFO.sounds
    return () if sounds is None else sounds.hindsight([event for batch in batches for event in batch.events])


def _chances(
    game: Game, batches: Sequence[Batch], parts: dict[Seat, SeatReview], fitted: Fitted
) -> Iterator[tuple[int, tuple[float, ...]]]:
    """Yield each seat's chance to win whenever a turn begins."""
    seats = len(parts) - 1
    if not fitted.tells(game, seats):
        return
    left = [parts[seat].began for seat in range(seats)]
    steps = sorted((step.seq, seat, step.left) for seat in range(seats) for step in parts[seat].steps)
    state, turn = None, 0
    out: set[Seat] = set()
    for batch in batches:
        if batch.cause is not None and type(batch.cause.action) in game.INFO.final:
            out.add(batch.cause.seat)
        for seq, event in enumerate(batch.events, batch.seq):
            if isinstance(event, Undone):
                continue  # what is taken back is no turn, and tells nobody anything
            state = game.evolve(state, event)
            while steps and steps[0][0] <= seq:
                _, seat, now = steps.pop(0)
                left[seat] = now
            if state.turn > turn and game.outcome(state) is None:
                turn = state.turn
                out.discard(state.on_turn)  # who has a turn again after a final guess is in the game
                waits = [(seat - state.on_turn) % seats for seat in range(seats)]
                yield seq, fitted.chances(game, left, waits, out)
