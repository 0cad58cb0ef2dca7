"""What a seat's players write down for themselves: one page for each seat, replaced as a whole and bounded.

Rooms of earlier versions have every mark and every text as an entry; a page that is kept stands in for all of them.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whodunit.core.errors import Refusal
from whodunit.core.ports import Notes
from whodunit.core.types import Seat
from whodunit.core.wire import encode
from whodunit.room import room as rooms
from whodunit.room.entries import Jotted, Marked
from whodunit.room.room import Chair, Room

Written: TypeAlias = Marked | Jotted
PAGE_BYTES: Final = 32 * 1024
"""How long a page may be: the longest text, and a mark in every cell of any sheet."""


class Page(Struct, frozen=True):
    """A seat's notes as they are kept."""

    owner: str
    """The alias of whose page it is: whoever takes the chair after them does not read it."""
    marks: dict[str, str]
    text: str


_PAGES: Final = msgspec.json.Decoder(Page)


def write(room: Room, entry: Written) -> tuple[Room, Notes]:
    """Return the room with something written down, and the page that is to be kept; refuse what does not fit on it."""
    chair = rooms.with_notes(room.chairs[entry.seat], entry)
    body = encode(Page(_owner(room, entry.seat), chair.marks, chair.jotting))
    if len(body) > PAGE_BYTES:
        raise Refusal("too_many_marks")
    return _with(room, entry.seat, chair), Notes(entry.seat, chair.noted, body)


def read(room: Room, kept: Sequence[Notes]) -> Room:
    """Return the room with the pages that are kept, where they are of whoever sits there now."""
    for notes in kept:
        chair = replace(room.chairs[notes.seat], noted=notes.version)
        page = page_of(notes)
        if page is not None and page.owner == _owner(room, notes.seat):
            chair = replace(chair, marks=page.marks, jotting=page.text)
        room = _with(room, notes.seat, chair)
    return room


def page_of(notes: Notes) -> Page | None:
    """Return the page; None: its owner wants it to be forgotten."""
    return _PAGES.decode(notes.body) if notes.body else None


def of_person(room: Room, kept: Sequence[Notes], person: str) -> list[Notes]:
    """Return those of the notes that are the person's own."""
    alias = room.alias(person)
    return [notes for notes in kept if (page := page_of(notes)) is not None and page.owner == alias]


def _owner(room: Room, seat: Seat) -> str:
    """Return the alias of whose notes those of a seat are; who has been forgotten is already called by it."""
    people = room.chairs[seat].people
    if not people:
        return ""
    return people[0] if people[0].startswith(rooms.GONE) else room.alias(people[0])


def _with(room: Room, seat: Seat, chair: Chair) -> Room:
    return replace(room, chairs=(*room.chairs[:seat], chair, *room.chairs[seat + 1 :]))
