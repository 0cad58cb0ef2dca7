"""What a table keeps about one person: to hand it out to them, and to take it out of what is stored."""

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from msgspec import json
from msgspec.structs import replace

from whodunit.core.wire import encode
from whodunit.room import room as rooms
from whodunit.room.entries import (
    AnyEntry,
    Entered,
    Held,
    Hooked,
    Jotted,
    Laid,
    Marked,
    Muted,
    Ordered,
    Private,
    Said,
    Sat,
)
from whodunit.room.room import Room

Kept: TypeAlias = dict[str, Any]


def kept(entries: Iterable[AnyEntry], person: str) -> list[Kept]:
    """Return what was stored about the person, in its order; other people are called by their names alone."""
    entries = [*entries]
    found: list[Kept] = []
    for room, entry in _with_rooms(entries):
        if isinstance(entry, Laid) and entry.household and _maker(entries) == person:
            found.append({"type": "Laid", "at": entry.at, "household": entry.household})
        if not _concerns(room, entry, person):
            continue
        told: Kept = json.decode(encode(entry))
        told.pop("person", None)
        if isinstance(entry, Muted) and room is not None:
            told["speaker"] = next((who.name for who in room.speakers if who.person == entry.speaker), "")
        found.append(told)
    return found


def forgotten(entries: Iterable[AnyEntry], person: str) -> list[AnyEntry]:
    """Return the same entries without name, notes, words, addresses and cookie of the person: as many, in order."""
    entries = [*entries]
    clean = [entry if room is None else _without(room, entry, person) for room, entry in _with_rooms(entries)]
    if clean and isinstance(laid := clean[0], Laid) and _maker(clean) == rooms.evolve(None, laid).alias(person):
        clean[0] = rooms.without_household(laid)
    return clean


def _maker(entries: Iterable[AnyEntry]) -> str | None:
    """Return who sat down first."""
    return next((entry.person for entry in entries if isinstance(entry, Sat)), None)


def _with_rooms(entries: Iterable[AnyEntry]) -> Iterator[tuple[Room | None, AnyEntry]]:
    """Yield every entry with the room as it was before."""
    room: Room | None = None
    for entry in entries:
        yield room, entry
        room = rooms.evolve(room, entry)


def _concerns(room: Room | None, entry: AnyEntry, person: str) -> bool:
    if isinstance(entry, (Entered, Sat, Held, Said, Muted)):
        return entry.person == person
    return room is not None and isinstance(entry, Private) and person in room.chairs[entry.seat].people


def _without(room: Room, entry: AnyEntry, person: str) -> AnyEntry:
    alias = room.alias(person)
    match entry:
        case Sat(person=who) if who == person:
            return replace(entry, person=alias, name="")
        case Entered(person=who) | Held(person=who) if who == person:
            return replace(entry, person=alias)
        case Said(person=who) if who == person:
            return replace(entry, person=alias, name="", text="", phrase=None)
        case Muted(person=who, speaker=whom) if person in {who, whom}:
            return replace(entry, person=alias if who == person else who, speaker=alias if whom == person else whom)
    # Entries that were rewritten before have already seated the alias.
    if not isinstance(entry, Private) or room.chairs[entry.seat].people[:1] not in {(person,), (alias,)}:
        return entry
    match entry:
        case Marked():
            return replace(entry, cell="-", mark="")
        case Jotted():
            return replace(entry, text="")
        case Hooked():
            return replace(entry, url=None)
        case Ordered():
            return replace(entry, order=None)
        case _:
            return entry
