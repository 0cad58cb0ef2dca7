"""A seat's own notes: one page that is replaced, and nobody else's."""

import pytest
from msgspec.structs import replace

from tests.room.test_manners import after, playing
from whodunit.core.errors import Refusal
from whodunit.core.ports import Notes
from whodunit.room import manners, own_notes
from whodunit.room.entries import ChairSet, Jotted, Marked, PersonForgotten, Sat
from whodunit.room.room import Room


def jotted(text: str) -> Jotted:
    return Jotted(at=5, seat=1, seq=3, text=text)


def written(room: Room, *texts: str) -> tuple[Room, Notes]:
    for text in texts:
        room, notes = own_notes.write(room, jotted(text))
    return room, notes


def test_what_is_written_down_takes_the_place_of_what_was_there() -> None:
    room, notes = written(playing(), "Plum?", "Not Plum.")

    assert (room.chairs[1].jotting, room.chairs[1].noted, room.size) == ("Not Plum.", 2, playing().size)
    assert notes.version == 2
    assert own_notes.read(playing(), [notes]).chairs[1].jotting == "Not Plum."
    assert own_notes.read(playing(), [notes]).chairs[0].jotting == ""


def test_notes_of_earlier_versions_stand_until_something_is_written_down() -> None:
    old = after(playing(), [Marked(at=4, seat=1, seq=2, cell="Rope|0", mark="x")])
    room, notes = own_notes.write(old, jotted("hm"))

    assert (room.chairs[1].marks, room.chairs[1].jotting) == ({"Rope|0": "x"}, "hm")
    assert own_notes.read(old, [notes]).chairs[1] == room.chairs[1]


def test_whoever_takes_the_chair_does_not_read_them() -> None:
    _, notes = written(playing(), "Ada bluffs")
    mine = Sat(at=7, seat=1, person="eve", name="Eve", salt="")
    taken = own_notes.read(after(playing(), [ChairSet(at=6, seat=1, level=None), mine]), [notes])

    assert (taken.chairs[1].jotting, taken.chairs[1].noted) == ("", 1)
    assert own_notes.write(taken, jotted("my own"))[1].version == 2


def test_a_page_has_an_end() -> None:
    room, sizes = playing(), [0]

    def mark_all() -> None:
        nonlocal room
        for cell in range(1000):
            (entry,) = manners.mark(room, "bob", 3, f"{cell:080}", "x" * 16, 5)
            room, notes = own_notes.write(room, entry)
            sizes.append(len(notes.body))

    with pytest.raises(Refusal, match="too_many_marks"):
        mark_all()
    assert own_notes.PAGE_BYTES - 200 < max(sizes) <= own_notes.PAGE_BYTES
    assert len(own_notes.write(playing(), jotted("x" * 4000))[1].body) < own_notes.PAGE_BYTES


def test_whoever_is_forgotten_has_none_and_no_name_in_them() -> None:
    room, notes = written(playing(), "Ada bluffs")
    assert b"bob" not in notes.body
    assert own_notes.of_person(room, [notes], "bob") == [notes]
    assert own_notes.of_person(room, [notes], "ada") == []

    gone = after(room, [PersonForgotten(at=9, alias=room.alias("bob"))])
    emptied = replace(notes, version=2, body=b"")
    assert own_notes.read(gone, [emptied]).chairs[1].jotting == ""
    assert own_notes.of_person(gone, [emptied], "bob") == []
