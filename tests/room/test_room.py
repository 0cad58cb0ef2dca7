"""The room as a fold: what each entry makes of it, and that it is read again as it was written."""

from typing import get_args

import msgspec
import pytest
from msgspec import Raw

from tests.server.worlds import terms
from whodunit.core.wire import encode
from whodunit.room import room as rooms
from whodunit.room.entries import (
    Abandoned,
    Agreed,
    AnyEntry,
    Began,
    CameBack,
    CaughtUp,
    ChairSet,
    ClipsHeard,
    ClosingAnnounced,
    Dueled,
    Entered,
    HandedOver,
    Held,
    Hooked,
    Jotted,
    Laid,
    Marked,
    Muted,
    Ordered,
    PaceSet,
    Paused,
    PersonForgotten,
    QuestionPut,
    Reclaimed,
    Relaid,
    Resumed,
    Rung,
    Said,
    Sat,
    Selected,
    Timed,
    Turned,
    WentAway,
    WishedPace,
    WishedPause,
    Withdrawn,
    decode,
)
from whodunit.room.room import Away, Chair, Due, Hook, Room
from whodunit.table.case import Header

SHOW = Raw(b'{"type":"Show","card":"Rope"}')
ADA = Sat(at=1, seat=0, person="ada", name="Ada", salt="aa")
BOB = Sat(at=2, seat=1, person="bob", name="Bob", salt="bb")
HEADER = Header(game="clue", rules=1, seats=4, commitment="c", salts=("aa", "bb", "", ""))
ONE_OF_EACH: tuple[AnyEntry, ...] = (
    terms(levels=(None, None, None, "rookie")),
    Entered(at=1, person="eve"),
    ADA,
    Withdrawn(at=2),
    BOB,
    Held(at=3, seat=1, person="bob's phone"),
    ChairSet(at=4, seat=2, level="detective"),
    Began(at=5, header=HEADER),
    QuestionPut(at=6, seat=1, since=9, due=4000, action=SHOW),
    Selected(at=7, seat=1, since=9, action=SHOW, chosen=True),
    QuestionPut(at=8, seat=0, since=12, due=5000, action=Raw(b"null")),
    WentAway(at=9, seat=1, seq=12),
    HandedOver(at=10, seat=1, level="detective", called=True),
    CameBack(at=11, seat=1),
    Reclaimed(at=12, seat=1),
    CaughtUp(at=13, seat=1),
    Marked(at=14, seat=1, seq=12, cell="Rope|0", mark="x"),
    Ordered(at=15, seat=1, order="least"),
    Hooked(at=15, seat=1, url="https://hooks.test/x", language="de"),
    Rung(at=15, seat=1, since=12, how="sent"),
    Jotted(at=15, seat=1, seq=12, text="hm"),
    Agreed(at=16, seat=1, agreed=True),
    ClosingAnnounced(at=16, since=15, day=1),
    Abandoned(at=16),
    Relaid(at=16, table="another"),
    Dueled(at=16, duel="a" * 22),
    Timed(at=17, since=12, left=30_000, running=True),
    ClipsHeard(at=18, seat=1, seq=12),
    Said(at=19, person="ada", seat=0, name="Ada", text="hello"),
    Said(at=20, person="eve", seat=None, name="", text="", phrase="hello", apart=True),
    Muted(at=21, person="bob", speaker="ada", muted=True),
    Turned(at=21, turn=(1,), left=(60_000,) * 4, runs=21, before=(60_000,) * 4),
    WishedPace(at=21, seat=1, pace="steady"),
    PaceSet(at=21, pace="quick"),
    WishedPause(at=21, seat=1, wish=True),
    Paused(at=21),
    Resumed(at=21),
    PersonForgotten(at=22, alias="gone-0123456789abcdef"),
)


def room_of(*entries: AnyEntry) -> Room:
    room = None
    for entry in entries or ONE_OF_EACH:
        room = rooms.evolve(room, entry)
    assert room is not None
    return room


def chair_after(*entries: AnyEntry) -> Chair:
    """Return the second chair, in which Bob sits, after these entries."""
    return room_of(terms(), ADA, BOB, *entries).chairs[1]


def test_every_kind_of_entry_is_written_and_read_again() -> None:
    assert {type(entry) for entry in ONE_OF_EACH} == {*get_args(AnyEntry)}

    again = decode(encode(ONE_OF_EACH))

    assert again == ONE_OF_EACH
    assert encode(again) == encode(ONE_OF_EACH)
    assert room_of(*again) == room_of()


def test_a_room_counts_its_entries_and_keeps_the_last_time() -> None:
    room = room_of()

    assert room.size == len(ONE_OF_EACH)
    assert room.at == 22
    assert (room.rematch, room.header, room.gathering) == ("another", HEADER, False)


def test_a_pause_puts_off_what_is_due_and_nothing_that_was() -> None:
    asked = QuestionPut(at=6, seat=1, since=9, due=4000, action=SHOW)
    typed = QuestionPut(at=6, seat=1, since=9, due=4000, action=Raw(b"null"), until=9000)

    paused = (Paused(at=1000), Resumed(at=1600))
    assert chair_after(asked, *paused).due == Due(9, 4600, SHOW, asked=606)
    assert chair_after(typed, *paused).due == Due(9, 4600, None, until=9600, asked=606)
    assert chair_after(asked, Paused(at=5000), Resumed(at=6000)).due == Due(9, 4000, SHOW, asked=6)
    wished = WishedPause(at=1, seat=1, wish=True)
    assert chair_after(wished).wants_pause
    assert not chair_after(wished, *paused).wants_pause


def test_a_room_is_laid_once_and_first() -> None:
    with pytest.raises(ValueError, match="once"):
        room_of(terms(), terms())
    with pytest.raises(AssertionError):
        room_of(ADA)


def test_who_sits_where() -> None:
    room = room_of()

    assert [room.seat_of(person) for person in ("ada", "bob", "bob's phone", "eve")] == [0, 1, 1, None]
    assert room.people == ("ada", "bob", "bob's phone", "eve")
    assert room.host == 0
    assert [chair.bot_level for chair in room.chairs] == [None, None, "detective", "rookie"]


def test_the_host_is_a_person_on_whatever_chair() -> None:
    free, up = ChairSet(at=3, seat=0, level=None), Sat(at=3, seat=3, person="ada", name="Ada", salt="aa")
    back = Sat(at=4, seat=0, person="ada", name="Ada", salt="aa")
    cleo = Sat(at=3, seat=2, person="cleo", name="Cleo", salt="")

    assert room_of(terms(), ADA, BOB, free, up).host == 3
    assert room_of(terms(), ADA, cleo, BOB, free).host == 2  # who has been there longest
    assert room_of(terms(), ADA, cleo, BOB, free, back).host == 0
    phone = Held(at=3, seat=0, person="ada's phone")
    gone = PersonForgotten(at=5, alias=room_of(terms()).alias("ada"))
    assert room_of(terms(), ADA, BOB, phone).sat == ("ada", "ada's phone", "bob")
    assert room_of(terms(), ADA, BOB, phone, gone).host == 0  # another device still has the seat
    assert room_of(terms(), ADA, BOB, gone).host == 1


def test_a_table_of_a_host_who_changes_chairs_comes_back_into_the_hall() -> None:
    moved = (ChairSet(at=5, seat=0, level=None), Sat(at=5, seat=3, person="ada", name="Ada", salt=""))

    assert not room_of(terms(), ADA, BOB, Withdrawn(at=4), *moved).withdrawn


def test_a_private_room_lets_in_whoever_was_invited_or_sits() -> None:
    laid = terms(public=False)
    room = room_of(laid, ADA, Entered(at=1, person="eve"))

    assert [room.may_enter(person) for person in ("ada", "eve", "bob")] == [True, True, False]
    assert room_of(terms(), ADA).may_enter("anybody")


def test_sitting_down_again_changes_name_and_salt_alone() -> None:
    chair = chair_after(Held(at=3, seat=1, person="phone"), Sat(at=4, seat=1, person="bob", name="Bo", salt="cc"))

    assert (chair.people, chair.name, chair.salt) == (("bob", "phone"), "Bo", "cc")


def test_a_chair_that_is_set_forgets_who_sat_there() -> None:
    assert chair_after(ChairSet(at=3, seat=1, level=None)) == Chair()
    assert chair_after(ChairSet(at=3, seat=1, level="rookie")) == Chair(level="rookie")
    assert room_of(terms(), ADA, ChairSet(at=3, seat=0, level=None)).host is None


def test_marks_are_set_changed_and_removed() -> None:
    def mark(cell: str, made: str) -> Marked:
        return Marked(at=3, seat=1, seq=7, cell=cell, mark=made)

    assert chair_after(mark("a", "x"), mark("b", "y"), mark("a", "z")).marks == {"a": "z", "b": "y"}
    assert chair_after(mark("a", "x"), mark("a", "")).marks == {}
    assert chair_after(mark("a", "")).marks == {}
    assert room_of(terms(), ADA, BOB, mark("a", "x")).chairs[0].marks == {}


def test_a_selection_counts_only_for_the_question_it_answers() -> None:
    asked = QuestionPut(at=3, seat=1, since=9, due=4000, action=Raw(b"null"))

    assert chair_after(asked).due == Due(9, 4000, None, asked=3)
    chosen = chair_after(asked, Selected(at=4, seat=1, since=9, action=SHOW, chosen=True)).due
    assert chosen == Due(9, 4000, SHOW, chosen=True, asked=3)
    other = Selected(at=4, seat=1, since=8, action=SHOW, chosen=True)
    assert chair_after(asked, other).due == Due(9, 4000, None, asked=3)
    assert chair_after(Selected(at=4, seat=1, since=8, action=SHOW, chosen=True)).due is None
    again = QuestionPut(at=5, seat=1, since=20, due=9000, action=SHOW)
    assert chair_after(asked, Selected(at=4, seat=1, since=9, action=SHOW, chosen=True), again).due == Due(
        20, 9000, SHOW, asked=5
    )


def test_what_was_missed_counts_from_the_first_absence_until_it_is_read() -> None:
    gone, back = WentAway(at=3, seat=1, seq=12), CameBack(at=4, seat=1)
    again = WentAway(at=5, seat=1, seq=30)

    assert chair_after(gone).away == Away(3, 12)
    assert (chair_after(gone, back).away, chair_after(gone, back).unread) == (None, 12)
    assert chair_after(gone, back, again, back).unread == 12
    assert chair_after(gone, back, CaughtUp(at=5, seat=1)).unread is None
    assert chair_after(gone, back, CaughtUp(at=5, seat=1), again, back).unread == 30
    assert chair_after(WentAway(at=3, seat=1, seq=0), back).unread is None  # before the game there is nothing to miss


def test_a_stand_in_is_somebodys_until_it_is_not() -> None:
    over = HandedOver(at=3, seat=1, level="rookie", called=True)

    assert (chair_after(over).bot_level, chair_after(over).called) == ("rookie", True)
    assert (chair_after(over).people, chair_after(over).name) == (("bob",), "Bob")
    back = chair_after(over, Reclaimed(at=4, seat=1))
    assert (back.bot_level, back.called) == (None, False)


def test_the_house_has_given_its_word_before_anybody_sits() -> None:
    laid = room_of(terms()).laid

    assert isinstance(laid, Laid)
    assert laid.seal.secret not in repr(room_of())
    assert "ada" not in repr(room_of())


def test_a_notice_that_was_seen_counts_as_told_and_a_new_address_begins_anew() -> None:
    hooked = Hooked(at=3, seat=1, url="https://hooks.test/x")
    told = chair_after(hooked, Rung(at=4, seat=1, since=9, how="failed"), Rung(at=5, seat=1, since=12, how="seen"))

    assert told.hook == Hook("https://hooks.test/x", "en", since=12, at=4, failed=True)
    assert chair_after(hooked, Rung(at=4, seat=1, since=9, how="sent"), hooked).hook == Hook(
        "https://hooks.test/x", "en"
    )
    assert chair_after(hooked, Hooked(at=4, seat=1, url=None), Rung(at=5, seat=1, since=9, how="sent")).hook is None


def test_a_table_without_its_host_comes_back_into_the_hall_with_the_host_alone() -> None:
    def kept_out(*entries: AnyEntry) -> bool:
        return room_of(terms(), ADA, BOB, WentAway(at=3, seat=0, seq=0), Withdrawn(at=4), *entries).withdrawn

    assert kept_out()
    assert kept_out(CameBack(at=5, seat=1))
    assert not kept_out(CameBack(at=5, seat=0))
    assert not room_of(terms(), Withdrawn(at=4), BOB).withdrawn


def test_every_entry_is_stored_under_the_name_that_0_1_0_gave_it() -> None:
    renamed = {"QuestionPut": "Asked", "ClipsHeard": "Heard", "PersonForgotten": "Forgotten", "Reclaimed": "TookBack"}
    stored = {kind.__name__: kind.__struct_config__.tag for kind in get_args(AnyEntry)}

    assert {name: tag for name, tag in stored.items() if name != tag} == renamed
    assert {msgspec.json.decode(encode(entry))["type"] for entry in ONE_OF_EACH} == set(stored.values())
