"""What the house has stored about somebody: handed out to them as one file, or taken out of everything that is kept."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whodunit.core.errors import Damaged, NotInstalled
from whodunit.core.ports import Leaf, Listing, Notes, Record
from whodunit.core.types import Seat
from whodunit.core.wire import encode
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.room import manners, own_notes, personal_data
from whodunit.room import room as rooms
from whodunit.room.entries import AnyEntry, PersonForgotten, decode
from whodunit.room.room import Room
from whodunit.table.codec import cause_of

TRACE_BYTES: Final = 24
"""What is shorter may stand somewhere by chance."""


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
    notes: tuple[own_notes.Page, ...] = ()


class LeafKept(Struct, frozen=True):
    """What one leaf keeps about a person."""

    shelf: str
    item: str
    body: Any
    """As it was stored; bytes where that is no JSON."""


class PersonalData(Struct, frozen=True):
    """Everything about a person."""

    person: str
    """Who this browser is, to us."""
    at: int
    tables: tuple[TableKept, ...]
    damaged: tuple[str, ...] = ()
    """Tables, and leaves by shelf and item, of which nothing can be read any more."""
    leaves: tuple[LeafKept, ...] = ()


async def handed_out(host: Host, person: str) -> PersonalData:
    """Return everything that is stored about the person."""
    listings, damaged = await _listings(host, person)
    tables = []
    for listing in listings:
        try:
            tables.append(await _table(host, listing, person))
        except Damaged as damage:
            damaged.append(damage)
    leaves, lost = await _leaves(host, person)
    lost_names = tuple(damage.table for damage in (*damaged, *lost))
    return PersonalData(person, host.clock.now(), tuple(tables), lost_names, tuple(map(_leaf_kept, leaves)))


async def _listings(host: Host, person: str) -> tuple[Sequence[Listing], list[Damaged]]:
    """Return the person's tables, and what became of others."""
    try:
        return await host.store.of_person(person), []
    except Damaged as damage:
        return damage.rest, [damage]


async def _leaves(host: Host, person: str) -> tuple[Sequence[Leaf], list[Damaged]]:
    """Return the person's leaves, and what became of others."""
    try:
        return await host.store.leaves_of_person(person), []
    except Damaged as damage:
        return damage.rest, [damage]


def _leaf_kept(leaf: Leaf) -> LeafKept:
    try:
        return LeafKept(leaf.shelf, leaf.item, msgspec.json.decode(leaf.body))
    except msgspec.DecodeError:
        return LeafKept(leaf.shelf, leaf.item, leaf.body)


async def _table(host: Host, listing: Listing, person: str) -> TableKept:
    """Read what is stored as it is stored: the table's game need not be installed."""
    entries = await _entries(host, listing.table)
    room = _folded(entries)
    seat = room.seat_of(person)
    causes = [] if seat is None else [cause_of(record.body) for record in await host.store.read(listing.table, "case")]
    moves = tuple(Move(*cause[:2], cause.action) for cause in causes if cause is not None and cause.seat == seat)
    kept = personal_data.kept(entries, person)
    notes = own_notes.of_person(room, await host.store.notes(listing.table), person)
    pages = tuple(page for each in notes if (page := own_notes.page_of(each)) is not None)
    return TableKept(listing.table, room.laid.game, listing.stage, seat, kept, moves, pages)


async def forget(host: Host, person: str) -> None:
    """Leave every table of the person, and take what is theirs out of what is stored; games stay, without the name.

    Their leaves go whole.

    A damaged table keeps what it has, so that it can be looked into: whoever asks is told, when all others are done.
    """
    listings, damaged = await _listings(host, person)
    traces = [person.encode()]
    for listing in listings:
        try:
            traces += await _noted(host, listing.table, person)
            await _forget_at(host, listing, person)
        except Damaged as damage:
            damaged.append(damage)
    leaves, _ = await _leaves(host, person)
    traces += [text for leaf in leaves for text in _texts(_leaf_kept(leaf).body)]
    try:
        await host.store.drop_leaves(person)  # the damaged ones too: of what they say nobody knows whom it is about
    except Damaged as damage:
        damaged.append(damage)
    await host.store.scrub(traces)
    if damaged:
        raise damaged[0]


async def _noted(host: Host, table: str, person: str) -> list[bytes]:
    """Return what the person has written down, as it is stored, where that is long enough to be known again."""
    notes = own_notes.of_person(_folded(await _entries(host, table)), await host.store.notes(table), person)
    texts = [encode(page.text)[1:-1] for each in notes if (page := own_notes.page_of(each)) is not None]
    return [text for text in texts if len(text) >= TRACE_BYTES]


def _texts(body: Any) -> list[bytes]:
    """Return the texts in a leaf, as they are stored, that are long enough to be known again."""
    match body:
        case str():
            text = encode(body)[1:-1]
            return [text] if len(text) >= TRACE_BYTES else []
        case list():
            return [text for each in body for text in _texts(each)]
        case dict():
            return [text for each in body.values() for text in _texts(each)]
    return []


async def _forget_at(host: Host, listing: Listing, person: str) -> None:
    try:
        await _forget(host, await host.get(listing.table), person)
    except NotInstalled:
        await _forget_shelved(host, listing, person)


async def _forget(host: Host, live: Live, person: str) -> None:
    await host.writer.note(live, lambda room: manners.leave(room, person, live.stage, host.clock.now()))
    await _rewrite(host, live.id, person)
    # Not before: now the lists lose the person. What has failed until here can be asked for again.
    await host.writer.note(live, lambda room: [PersonForgotten(at=host.clock.now(), alias=room.alias(person))])
    await _rewrite(host, live.id, person)  # what came in between, through another page or node


async def _forget_shelved(host: Host, listing: Listing, person: str) -> None:
    """Do the same at a table that nobody can open: there is no move to make, and nobody to tell."""
    room = _folded(await _entries(host, listing.table))
    await _rewrite(host, listing.table, person)
    entry = PersonForgotten(at=host.clock.now(), alias=room.alias(person))
    after = rooms.evolve(room, entry)
    record = Record("room", room.size + 1, after.size, encode((entry,)))
    household = after.laid.household if listing.household else ""
    await host.store.append(listing.table, [record], (), replace(listing, people=after.people, household=household))


async def _entries(host: Host, table: str) -> list[AnyEntry]:
    return [entry for record in await host.store.read(table, "room") for entry in decode(record.body)]


def _folded(entries: Sequence[AnyEntry]) -> Room:
    room = None
    for entry in entries:
        room = rooms.evolve(room, entry)
    assert room is not None
    return room


async def _rewrite(host: Host, table: str, person: str) -> None:
    records = await host.store.read(table, "room")
    entries: list[AnyEntry] = [entry for record in records for entry in decode(record.body)]
    for notes in own_notes.of_person(_folded(entries), await host.store.notes(table), person):
        await host.store.keep_notes(table, Notes(notes.seat, notes.version + 1, b""))
    clean = iter(personal_data.forgotten(entries, person))
    changes: list[tuple[Record, bytes]] = []
    for record in records:
        # As long as before, by spaces that JSON does not mind: so no row moves, and no copy of one stays behind.
        body = encode(tuple(next(clean) for _ in range(record.seq, record.last + 1))).ljust(len(record.body))
        if body != record.body:
            changes.append((record, body))
    if changes:
        await host.store.rewrite(table, changes)
