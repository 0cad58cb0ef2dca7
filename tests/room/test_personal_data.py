"""What a table keeps about somebody, and what is left when they want to be forgotten."""

from msgspec import Raw
from msgspec.structs import replace

from tests.room.test_room import ADA, HEADER, ONE_OF_EACH
from tests.server.worlds import terms
from whodunit.core.wire import encode
from whodunit.room import personal_data
from whodunit.room import room as rooms
from whodunit.room.entries import (
    AnyEntry,
    Began,
    Entered,
    Held,
    Hooked,
    Jotted,
    Marked,
    Muted,
    Ordered,
    PersonForgotten,
    QuestionPut,
    Said,
    Sat,
)
from whodunit.room.room import Room

LAID = terms(levels=(None, None, "rookie"))
BOB = Sat(at=2, seat=1, person="bob", name="Robert", salt="bb")
EVENING: tuple[AnyEntry, ...] = (
    LAID,
    ADA,
    BOB,
    Held(at=3, seat=1, person="phone"),
    Entered(at=3, person="eve"),
    Began(at=4, header=HEADER),
    Said(at=5, person="bob", seat=1, name="Robert", text="it was me"),
    Said(at=6, person="ada", seat=0, name="Ada", text="hm"),
    Muted(at=7, person="ada", speaker="bob", muted=True),
    Muted(at=7, person="bob", speaker="ada", muted=True),
    Marked(at=8, seat=1, seq=4, cell="Rope|0", mark="mine"),
    Marked(at=8, seat=0, seq=4, cell="Rope|1", mark="x"),
    Jotted(at=9, seat=1, seq=4, text="Ada bluffs"),
    Hooked(at=9, seat=1, url="https://hooks.test/T0/lane"),
    Ordered(at=9, seat=1, order="least"),
    QuestionPut(at=10, seat=1, since=4, due=99, action=Raw(b'{"type":"Pass"}')),
)
TRACES = (b"bob", b"Robert", b"it was me", b"mine", b"bluffs", b"T0/lane", b"least", b"Rope|0")


def folded(entries: tuple[AnyEntry, ...] | list[AnyEntry]) -> Room:
    room = None
    for entry in entries:
        room = rooms.evolve(room, entry)
    assert room is not None
    return room


def test_somebody_is_handed_what_is_theirs_and_nobody_elses_cookie() -> None:
    kept = personal_data.kept(EVENING, "bob")

    assert [each["type"] for each in kept] == [
        "Sat",
        "Said",
        "Muted",
        "Marked",
        "Jotted",
        "Hooked",
        "Ordered",
        "Asked",
    ]
    assert kept[0] == {"type": "Sat", "at": 2, "seat": 1, "name": "Robert", "salt": "bb"}
    assert kept[2]["speaker"] == "Ada"
    assert kept[5]["url"] == "https://hooks.test/T0/lane"
    assert b"ada" not in encode(kept)
    assert [each["type"] for each in personal_data.kept(EVENING, "eve")] == ["Entered"]
    assert personal_data.kept(EVENING, "nobody") == []


def test_nothing_is_left_that_was_somebodys_and_all_else_stays() -> None:
    clean = personal_data.forgotten(EVENING, "bob")
    body = encode(tuple(clean))

    assert len(clean) == len(EVENING)
    assert [trace for trace in TRACES if trace in body] == []
    others = [place for place, entry in enumerate(EVENING) if clean[place] == entry]
    assert others == [0, 1, 3, 4, 5, 7, 11, 15]  # whose answer is due is the game's business
    assert personal_data.forgotten(clean, "bob") == clean


def test_what_came_while_somebody_was_being_forgotten_goes_as_well() -> None:
    late = [entry for entry in EVENING if isinstance(entry, (Said, Muted, Marked, Jotted, Hooked, Ordered))]
    once = personal_data.forgotten(EVENING, "bob")
    again = personal_data.forgotten([*once, *late], "bob")

    assert [trace for trace in TRACES if trace in encode(tuple(again))] == []
    assert again[: len(once)] == once
    assert b"Rope|1" in encode(tuple(again[len(once) :]))  # Ada's


def test_a_room_in_memory_forgets_the_same_as_one_that_is_read_again() -> None:
    before = folded(EVENING)
    gone = PersonForgotten(at=20, alias=before.alias("bob"))
    told = rooms.evolve(before, gone)

    assert told == folded((*personal_data.forgotten(EVENING, "bob"), gone))
    chair = told.chairs[1]
    assert (chair.name, chair.marks, chair.jotting, chair.hook, chair.order) == ("", {}, "", None, None)
    assert chair.due == before.chairs[1].due
    assert told.seat_of("bob") is None
    assert told.people == ("ada", "phone", "eve")
    assert not chair.gone  # another device still holds it
    assert rooms.evolve(told, PersonForgotten(at=21, alias=told.alias("phone"))).chairs[1].gone
    assert told.chairs[0] == before.chairs[0]


def test_another_device_takes_no_notes_along() -> None:
    before = folded(EVENING)
    told = rooms.evolve(before, PersonForgotten(at=20, alias=before.alias("phone")))

    assert told.chairs[1].marks == before.chairs[1].marks
    assert told.chairs[1].name == "Robert"
    assert told.seat_of("phone") is None
    body = encode(tuple(personal_data.forgotten(EVENING, "phone")))
    assert b"phone" not in body
    assert b"Robert" in body


def test_an_alias_is_another_one_at_every_table() -> None:
    room = folded(ONE_OF_EACH)
    other = replace(room, laid=replace(room.laid, seal=type(room.laid.seal).from_seed("another")))

    assert room.alias("bob") != other.alias("bob")
