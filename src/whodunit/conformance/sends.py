"""Byte equality and taking back: what a viewer is really sent, by the table that sends it."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec.structs import replace

from whodunit import save
from whodunit.conformance.play import Played
from whodunit.conformance.rerun import rerun
from whodunit.conformance.sights import sight
from whodunit.conformance.support import Viewer
from whodunit.core.errors import Illegal
from whodunit.core.offer import Offer
from whodunit.core.redact import fold, redact
from whodunit.core.types import TABLE, Action, Batch, Event, Seat
from whodunit.core.wire import encode
from whodunit.table.case import Case, Header
from whodunit.table.seal import Seal
from whodunit.table.table import Table

COMPARED = 3  # other worlds for each viewer


def sends_equal_bytes(viewer: Viewer) -> None:
    """Check that the viewer is sent the same bytes in all worlds that it cannot tell apart."""
    played, seat = viewer.played, viewer.seat
    for world in indistinguishable(viewer):
        until = viewer.ruled_out(world)
        again = rerun(played, viewer.plug, viewer.script, world)
        diverged = again.divergence
        assert diverged is None or diverged.at == until, f"viewer {seat} can tell {world}: {diverged.why}"
        sent = _sent(played, played.batches[:until], seat), _sent(played, again.batches[:until], seat)
        for number, (here, there) in enumerate(zip(*sent, strict=True)):
            assert here == there, f"message {number} tells viewer {seat}: {here!r}, in {world} {there!r}"


def indistinguishable(viewer: Viewer) -> list[Any]:
    """Return some worlds other than the truth that the viewer must think possible until the end, which may tell."""
    last = (None, len(viewer.known) - 1)
    others = (world for world in viewer.worlds if world != viewer.truth and viewer.ruled_out(world) in last)
    return list(islice(others, COMPARED))


def _sent(played: Played, batches: Sequence[Batch], viewer: Seat) -> Iterator[bytes]:
    """Yield everything that leaves the house for this viewer: each update, the transcript file, what is seen."""
    table = Table(played.game, played.last.seats, b"")
    for batch in batches:
        table = table.grow(batch)
        yield encode(table.update(viewer, batch.events))
    with TemporaryDirectory() as folder:
        path = Path(folder, "transcript")
        save(_open_case(table, batches), path, viewer)
        yield path.read_bytes()
    yield sight(table, viewer)


def _open_case(table: Table, batches: Sequence[Batch]) -> Case:
    seal, info = Seal.from_seed(0), table.game.INFO
    header = Header(game=info.id, rules=info.rules, seats=table.seats, commitment=seal.commitment)
    return Case(header=header, seal=seal, table=table, batches=tuple(batches))


# --- Taking back -------------------------------------------------------------------------------------------------


def takes_back(played: Played) -> set[type[Action]]:
    """Check that taking back restores what was, for everybody, and is possible when it should be; return of what."""
    taken: set[type[Action]] = set()
    events: list[Event] = []
    for number, (table, batch) in enumerate(zip(played.tables, played.batches, strict=True)):
        events.extend(batch.events)
        last = table.undoer
        for seat in played.viewers:
            if seat != last:
                _cannot_undo(table, seat)
        if batch.cause is None:
            continue
        assert last == _who_may(played, table, batch), f"event {table.seq}: seat {last} may take it back"
        if last is not None:
            _restores(table, played.tables[number - 1], last, events)
            taken.add(type(batch.cause.action))
    return taken


def _cannot_undo(table: Table, seat: Seat) -> None:
    try:
        table.undo(seat)
    except Illegal:
        return
    raise AssertionError(f"event {table.seq}: seat {seat} could take it back, and may not")


def _who_may(played: Played, table: Table, batch: Batch) -> Seat | None:
    if batch.cause is None or batch.draws or type(batch.cause.action) not in played.game.INFO.undoable:
        return None
    if table.asked:  # how long the answer takes, or who answers, may have been read
        return None
    return batch.cause.seat


def _restores(table: Table, before: Table, actor: Seat, events: list[Event]) -> None:
    undone, batch = table.undo(actor)
    everything = [*events, *batch.events]
    where = f"event {table.seq}, taken back,"
    assert undone.seq == len(everything), f"{where} is numbered {undone.seq}"
    assert (undone.state, undone.views) == (before.state, before.views), f"{where} leaves something behind"
    assert fold(table.game, everything) == undone.state, f"{where} folds otherwise"
    for viewer in table.viewers:
        seen = fold(table.game, [redact(event, viewer) for event in everything])
        assert seen == undone.views[viewer], f"{where} looks otherwise to {viewer}"
        assert _undated(undone.offers[viewer]) == _undated(before.offers[viewer]), f"{where} changes offers of {viewer}"
        stale = {offer.since for offer in table.offers[viewer]} & {offer.since for offer in undone.offers[viewer]}
        assert viewer == TABLE or not stale, f"{where} lets {viewer} accept what was offered before"


def _undated(offers: tuple[Offer, ...]) -> list[Offer]:
    return [replace(offer, since=0) for offer in offers]
