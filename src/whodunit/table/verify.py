"""The honest-dealer check of a closed case, in three statements that stand apart."""

from collections.abc import Iterator
from typing import Literal, NamedTuple, cast

from msgspec import Struct
from msgspec.structs import replace

from whodunit import games
from whodunit.core.errors import Illegal
from whodunit.core.rng import Rng
from whodunit.core.types import Batch, Event, Opening, Seat, Undone
from whodunit.core.wire import blobs_of
from whodunit.table.case import Case
from whodunit.table.table import Table


class Statement(Struct, frozen=True):
    """What was found: true, false, or not to be said here (None); in English, and as what it is about."""

    holds: bool | None
    text: str
    about: Literal["commitment", "draws", "events", "bot"]
    count: int = 0
    """How many draws, actions or moves were looked at."""
    seat: Seat | None = None
    """Whose bot it is about."""


def verify(case: Case) -> tuple[Statement, Statement, Statement]:
    """Say whether the secret fits its commitment, every draw follows from it, and every action gives its events."""
    return _commitment(case), _draws(case), _events(case)


def _commitment(case: Case) -> Statement:
    if case.header.staged:
        return Statement(None, "the deal was staged to learn from: nothing was promised about it", "commitment")
    if case.seal.commitment == case.header.commitment:
        return Statement(True, "the house secret fits the commitment that was published before the game", "commitment")
    return Statement(
        False, "the house secret does not fit the commitment that was published before the game", "commitment"
    )


def _draws(case: Case) -> Statement:
    seed = case.seal.seed(case.header.salts)
    count = 0
    for batch in case.batches:
        rng = Rng(seed, batch.seq)
        labels: set[str] = set()
        for draw in batch.draws:
            if draw.label in labels:
                return Statement(False, f"event {batch.seq}: {draw.label!r} has been drawn twice", "draws")
            labels.add(draw.label)
            try:
                result = rng.result(draw.label, draw.kind, draw.range)
            except ValueError as error:
                return Statement(False, f"event {batch.seq}: the draw {draw.label!r} is none: {error}", "draws")
            if result != draw.result:
                told = f"the file says {draw.result}, the secret gives {result}"
                return Statement(False, f"event {batch.seq}: the draw {draw.label!r} has been changed: {told}", "draws")
            count += 1
    return Statement(True, f"all {count} draws follow from the house secret and the seats' salts", "draws", count)


def _events(case: Case) -> Statement:
    game = games.get(case.header.game)
    if case.header.rules != game.INFO.rules:
        told = f"the case was played under rules {case.header.rules} of {case.header.game}"
        return Statement(None, f"{told}, these are rules {game.INFO.rules}: not comparable", "events")
    otherwise = 0
    for difference in _differences(case):
        if not (difference.alike and is_simulated(case)):
            return Statement(False, difference.text, "events")
        otherwise += 1
    if otherwise:
        told = f"{otherwise} events come out otherwise in a simulation on this machine"
        return Statement(None, f"{told}: not comparable", "events")
    count = len(case.batches) - 1
    return Statement(True, f"deciding all {count} actions again gives the same events", "events", count)


class Difference(NamedTuple):
    """Where a case says something else than deciding again does; `alike` if it is the same event with other content."""

    text: str
    alike: bool = False


def is_simulated(case: Case) -> bool:
    """Say whether a simulation has decided what happened, which another machine may compute otherwise."""
    options = cast(Opening, case.batches[0].events[0]).options
    closed = games.get(case.header.game).INFO.simulated
    return any(getattr(options, name) in values for name, values in closed.items())


def _differences(case: Case) -> Iterator[Difference]:
    """Decide every action again, each from where the case says that things stood."""
    opening, *rest = case.batches
    game, seed = games.get(case.header.game), case.seal.seed(case.header.salts)
    first = opening.events[0] if opening.events else None
    options = getattr(first, "options", None)
    if not isinstance(options, game.INFO.options):
        yield Difference("event 1: a case begins with Opened")
        return
    _, batch = Table.open(game, case.header.seats, options, seed)
    yield from _compared(opening, batch)
    table = Table(game, case.header.seats, seed).grow(opening)
    for stored in rest:
        if stored.cause is None:
            yield from _undone(table, stored)
            table = table.grow(stored)
            continue
        seat, action = stored.cause.seat, stored.cause.action
        offer = next((offer for offer in table.offers_of(seat) if offer.admits(action)), None)
        if offer is None:
            refused = Illegal(seat, action, table.offers_of(seat))
            yield Difference(f"event {stored.seq}: its action has been changed: {refused}")
            return
        _, batch = table.act(seat, offer.since, action)
        yield from _compared(stored, batch)
        table = table.grow(stored)


def _undone(table: Table, stored: Batch) -> Iterator[Difference]:
    expected = None if table.undo_point is None else Undone(back_to=table.undo_point[1].seq)
    if stored.events != (expected,):
        yield Difference(f"event {stored.seq}: {stored.events} has no cause")


def _compared(stored: Batch, decided: Batch) -> Iterator[Difference]:
    because = f"{decided.cause.action} of seat {decided.cause.seat}" if decided.cause else "setting up"
    for number in range(max(len(stored.events), len(decided.events))):
        told, given = _at(stored, number), _at(decided, number)
        if given is not None and type(told) is type(given):
            given = _as_light(told, given)
        if told != given:
            text = f"event {stored.seq + number}: {because} gives {given}, the file says {told}"
            yield Difference(text, alike=type(told) is type(given))
    if stored.draws != decided.draws:
        yield Difference(f"event {stored.seq}: {because} draws {decided.draws}, the file says {stored.draws}")


def _as_light(told: Event | None, given: Event) -> Event:
    """Leave out of what was decided again the bytes that the case has lost."""
    lost = {name: replace(blob, data=b"") for name, blob in blobs_of(given).items() if not getattr(told, name).data}
    return replace(given, **lost) if lost else given


def _at(batch: Batch, number: int) -> Event | None:
    return batch.events[number] if number < len(batch.events) else None
