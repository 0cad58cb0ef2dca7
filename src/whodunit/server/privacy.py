"""What the house has stored about somebody: handed out to them as one file, or taken out of everything that is kept."""

from typing import Any

from msgspec import Struct

from whodunit.core.ports import Record
from whodunit.core.types import Batch, Seat
from whodunit.core.wire import encode
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.room import manners, personal_data
from whodunit.room.entries import AnyEntry, PersonForgotten, decode


class Move(Struct, frozen=True):
    seq: int
    at: int
    action: Any


class TableKept(Struct, frozen=True):
    """What one table keeps about a person."""

    table: str
    game: str
    stage: str
    seat: Seat | None
    entries: list[dict[str, Any]]
    """Name, notes, words, orders, addresses: as they were stored, each with its time."""
    moves: tuple[Move, ...]


class PersonalData(Struct, frozen=True):
    """Everything about a person."""

    person: str
    """Who this browser is, to us."""
    at: int
    tables: tuple[TableKept, ...]


async def handed_out(host: Host, person: str) -> PersonalData:
    """Return everything that is stored about the person."""
    own = [await host.get(listing.table) for listing in await host.store.of_person(person)]
    tables = [await _table(host, live, person) for live in own]
    return PersonalData(person, host.clock.now(), tuple(tables))


async def _table(host: Host, live: Live, person: str) -> TableKept:
    entries = [entry for record in await host.store.read(live.id, "room") for entry in decode(record.body)]
    seat = live.room.seat_of(person)
    batches = await host.batches(live) if seat is not None and live.table is not None else []
    moves = tuple(_moves(batches, seat))
    return TableKept(live.id, live.room.laid.game, live.stage, seat, personal_data.kept(entries, person), moves)


def _moves(batches: list[Batch], seat: Seat | None) -> list[Move]:
    mine = [(batch, batch.cause) for batch in batches if batch.cause is not None and batch.cause.seat == seat]
    return [Move(batch.seq, batch.at, cause.action) for batch, cause in mine]


async def forget(host: Host, person: str) -> None:
    """Leave every table of the person, and take what is theirs out of what is stored; games stay, without the name."""
    for listing in await host.store.of_person(person):
        await _forget(host, await host.get(listing.table), person)


async def _forget(host: Host, live: Live, person: str) -> None:
    await host.writer.note(live, lambda room: manners.leave(room, person, live.stage, host.clock.now()))
    await _rewrite(host, live, person)
    # Not before: now the lists lose the person. What has failed until here can be asked for again.
    await host.writer.note(live, lambda room: [PersonForgotten(at=host.clock.now(), alias=room.alias(person))])
    await _rewrite(host, live, person)  # what came in between, through another page or node


async def _rewrite(host: Host, live: Live, person: str) -> None:
    records = await host.store.read(live.id, "room")
    entries: list[AnyEntry] = [entry for record in records for entry in decode(record.body)]
    clean = iter(personal_data.forgotten(entries, person))
    changes: list[tuple[Record, bytes]] = []
    for record in records:
        body = encode(tuple(next(clean) for _ in range(record.seq, record.last + 1)))
        if body != record.body:
            changes.append((record, body))
    if changes:
        await host.store.rewrite(live.id, changes)
