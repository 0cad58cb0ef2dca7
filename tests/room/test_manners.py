"""Who may do what round a game: every wish is granted as entries, or refused with its reason."""

from collections.abc import Callable, Sequence

import pytest

from tests.server.worlds import terms
from whodunit.core.errors import Refusal
from whodunit.core.types import StandingOrder
from whodunit.room import manners
from whodunit.room import room as rooms
from whodunit.room.entries import (
    AnyEntry,
    Began,
    CameBack,
    ChairSet,
    Entered,
    HandedOver,
    Held,
    Reclaimed,
    Sat,
    WentAway,
    Withdrawn,
)
from whodunit.room.manners import PATIENCE_MS
from whodunit.room.room import Room

SEEN: tuple[StandingOrder, ...] = ("seen",)


def after(room: Room, entries: Sequence[AnyEntry]) -> Room:
    for entry in entries:
        room = rooms.evolve(room, entry)
    return room


def gathering() -> Room:
    """Ada, Bob and Cleo sit; one chair is free, one a bot's; Eve has come by invitation."""
    room = rooms.evolve(None, terms(5, levels=(None, None, None, None, "rookie")))
    sat = [Sat(at=0, seat=s, person=p, name=p.title(), salt="") for s, p in enumerate(("ada", "bob", "cleo"))]
    return after(room, [*sat, Entered(at=0, person="eve")])


def playing() -> Room:
    room = gathering()
    header, entries = manners.start(room, "ada", "random", 1, 1, 0)
    return after(room, [*entries, Began(at=0, header=header)])


def away(room: Room, *seats: int, at: int = 0) -> Room:
    return after(room, [WentAway(at=at, seat=seat, seq=9) for seat in seats])


def test_a_standing_order_is_the_seats_own_until_it_is_taken_back() -> None:
    room = after(playing(), manners.order(playing(), "bob", ("seen", "least"), "least", 0))

    assert [chair.order for chair in room.chairs] == [None, "least", None, None, None]
    assert manners.order(room, "bob", ("seen", "least"), "least", 0) == []
    assert after(room, manners.order(room, "bob", (), None, 0)).chairs[1].order is None


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "to sit where somebody sits": (lambda: manners.sit(gathering(), 1, "eve", "Eve", "", 0), "taken"),
    "to sit where a bot sits": (lambda: manners.sit(gathering(), 4, "eve", "Eve", "", 0), "taken"),
    "to sit where no chair is": (lambda: manners.sit(gathering(), 5, "eve", "Eve", "", 0), "no_seat"),
    "to sit before the first chair": (lambda: manners.sit(gathering(), -1, "eve", "Eve", "", 0), "no_seat"),
    "to take a name": (lambda: manners.sit(gathering(), 3, "eve", "Bob", "", 0), "name_taken"),
    "to sit down late": (lambda: manners.sit(playing(), 3, "eve", "Eve", "", 0), "begun"),
    "to order as nobody": (lambda: manners.order(playing(), "eve", SEEN, "seen", 0), "no_seat"),
    "to order what the game has not": (lambda: manners.order(playing(), "bob", SEEN, "least", 0), "no_order"),
    "to leave without having come": (lambda: manners.stand_up(gathering(), "eve", 0), "no_seat"),
    "to set chairs as a guest": (lambda: manners.set_chair(gathering(), "bob", 3, "rookie", 0), "not_host"),
    "to set chairs as nobody": (lambda: manners.set_chair(gathering(), "eve", 3, "rookie", 0), "no_seat"),
    "to set one's own chair": (lambda: manners.set_chair(gathering(), "ada", 0, "rookie", 0), "own_chair"),
    "to set no chair": (lambda: manners.set_chair(gathering(), "ada", 9, "rookie", 0), "no_seat"),
    "to set chairs late": (lambda: manners.set_chair(playing(), "ada", 3, None, 0), "begun"),
    "to start as a guest": (lambda: manners.start(gathering(), "bob", "random", 1, 1, 0), "not_host"),
    "to start twice": (lambda: manners.start(playing(), "ada", "random", 1, 1, 0), "begun"),
    "to hand over early": (lambda: manners.hand_over(gathering(), "ada", "rookie", 0), "not_begun"),
    "to hand over nothing": (lambda: manners.hand_over(playing(), "eve", "rookie", 0), "no_seat"),
    "to take back early": (lambda: manners.reclaim(gathering(), "ada", 0), "not_begun"),
    "to hold an empty chair": (lambda: manners.hold(gathering(), 3, "eve", 0), "no_seat"),
    "to hold a bot's chair": (lambda: manners.hold(gathering(), 4, "eve", 0), "no_seat"),
    "to hold two seats": (lambda: manners.hold(gathering(), 1, "ada", 0), "seated"),
    "to mark as a guest": (lambda: manners.mark(playing(), "eve", 1, "a", "x", 0), "no_seat"),
    "to jot as a guest": (lambda: manners.jot(playing(), "eve", 1, "x", 0), "no_seat"),
    "a stand-in for one who is there": (lambda: manners.call_stand_in(playing(), "ada", 1, 10**9), "not_away"),
    "a stand-in too soon": (lambda: manners.call_stand_in(away(playing(), 1), "ada", 1, PATIENCE_MS - 1), "not_away"),
    "a stand-in as a guest": (lambda: manners.call_stand_in(away(playing(), 1), "eve", 1, PATIENCE_MS), "not_away"),
    "a stand-in for a bot": (lambda: manners.call_stand_in(playing(), "ada", 4, PATIENCE_MS), "not_away"),
    "a stand-in before the game": (lambda: manners.call_stand_in(away(gathering(), 1), "ada", 1, 10**9), "not_away"),
    "a stand-in for nobody": (lambda: manners.call_stand_in(playing(), "ada", 7, 10**9), "no_seat"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_it_is_bad_manners(what: str) -> None:
    wish, reason = REFUSED[what]
    with pytest.raises(Refusal) as refusal:
        wish()

    assert refusal.value.reason == reason


def test_one_moves_from_chair_to_chair_and_leaves_the_old_one_free() -> None:
    room = after(gathering(), manners.sit(gathering(), 3, "bob", "Bob", "ff", 5))

    assert room.chairs[1].free
    assert (room.chairs[3].people, room.chairs[3].salt) == (("bob",), "ff")
    renamed = manners.sit(gathering(), 1, "bob", "Bobby", "", 5)
    assert [type(entry) for entry in renamed] == [Sat]


def test_one_comes_in_once() -> None:
    assert manners.enter(gathering(), "dora", 3) == [Entered(at=3, person="dora")]
    assert manners.enter(gathering(), "eve", 3) == manners.enter(gathering(), "ada", 3) == []


def test_a_second_device_holds_its_seat_and_the_first_need_not() -> None:
    assert manners.hold(playing(), 1, "phone", 3) == [Held(at=3, seat=1, person="phone")]
    assert manners.hold(playing(), 1, "bob", 3) == []


def test_leaving_frees_a_chair_before_the_game_and_fills_it_afterwards() -> None:
    left = manners.stand_up(gathering(), "bob", 3)
    assert left == [Entered(at=3, person="bob"), ChairSet(at=3, seat=1, level=None)]
    assert after(gathering(), left).may_enter("bob")
    left = manners.stand_up(playing(), "bob", 3)
    assert left == [HandedOver(at=3, seat=1, level="detective", called=True)]
    assert manners.stand_up(after(playing(), left), "bob", 4) == []


def test_free_chairs_become_bots_and_the_header_names_all_bots() -> None:
    header, entries = manners.start(gathering(), "ada", "mastermind", 7, 3, 5)

    assert entries == [ChairSet(at=5, seat=3, level="mastermind")]
    assert [(bot.seat, bot.level, bot.version) for bot in header.bots] == [(3, "mastermind", 3), (4, "rookie", 3)]
    assert (header.rules, header.seats, len(header.salts)) == (7, 5, 5)
    assert header.commitment == gathering().laid.seal.commitment


def test_a_stand_in_may_be_called_after_two_minutes_or_when_alone_with_bots() -> None:
    some, all_others = away(playing(), 1), away(playing(), 1, 2)

    assert manners.call_stand_in(some, "ada", 1, PATIENCE_MS) == [
        HandedOver(at=PATIENCE_MS, seat=1, level="detective", called=True)
    ]
    assert manners.may_call(all_others, "ada", 1, 0)
    assert manners.may_call(all_others, "ada", 2, 0)
    assert not manners.may_call(some, "ada", 1, 0)
    assert not manners.may_call(some, "bob", 1, PATIENCE_MS)  # for oneself there is hand_over


def test_only_a_called_stand_in_goes_when_its_person_comes() -> None:
    gone = away(playing(), 1)
    called = after(gone, manners.call_stand_in(gone, "ada", 1, PATIENCE_MS))
    given = after(away(playing(), 1), [HandedOver(at=0, seat=1, level="rookie", called=False)])

    assert manners.back(called, 1, 5, 9) == [CameBack(at=9, seat=1), Reclaimed(at=9, seat=1)]
    assert manners.back(given, 1, 5, 9) == [CameBack(at=9, seat=1)]
    assert manners.back(playing(), 1, 5, 9) == []
    assert manners.reclaim(given, "bob", 9) == [Reclaimed(at=9, seat=1)]
    assert manners.reclaim(playing(), "bob", 9) == []


def test_nobody_goes_away_twice_and_no_bot_ever() -> None:
    assert manners.away(playing(), 1, 4, 9) == [WentAway(at=9, seat=1, seq=4)]
    assert manners.away(away(playing(), 1), 1, 4, 9) == []
    assert manners.away(playing(), 4, 4, 9) == []


def test_powers_are_what_is_granted() -> None:
    assert manners.powers(gathering(), "ada", "gathering") == ["stand_up", "start"]
    assert manners.powers(gathering(), "bob", "gathering") == ["stand_up"]
    assert manners.powers(gathering(), "eve", "gathering") == []
    assert manners.powers(playing(), "bob", "playing") == ["stand_up", "hand_over", "pause"]
    handed = after(playing(), manners.hand_over(playing(), "bob", "rookie", 0))
    assert manners.powers(handed, "bob", "playing") == ["stand_up", "take_back", "pause"]
    assert manners.powers(playing(), "bob", "over") == ["rematch"]
    chairs = range(5)
    assert [manners.chair_powers(gathering(), "ada", s, 0) for s in chairs] == [
        [],
        ["set"],
        ["set"],
        ["sit", "set"],
        ["set"],
    ]
    assert [manners.chair_powers(gathering(), "eve", s, 0) for s in chairs] == [[], [], [], ["sit"], []]
    room = away(playing(), 1)
    assert [manners.chair_powers(room, "cleo", s, PATIENCE_MS) for s in chairs] == [[], ["call_stand_in"], [], [], []]


def test_the_maker_keeps_the_table_on_another_chair_and_whoever_stays_longest_inherits_it() -> None:
    moved = after(gathering(), manners.sit(gathering(), 3, "ada", "Ada", "", 1))
    assert moved.host == moved.seat_of("ada") == 3
    assert "start" in manners.powers(moved, "ada", "gathering")
    with pytest.raises(Refusal, match="not_host"):
        manners.set_chair(moved, "bob", 3, None, 2)  # he sits lower now, and that is all
    left = after(moved, manners.stand_up(moved, "ada", 2))
    assert left.host == left.seat_of("bob")


def test_notes_that_change_nothing_are_not_written_down() -> None:
    room = after(playing(), manners.jot(playing(), "bob", 3, "Plum?", 0))
    room = after(room, manners.mark(room, "bob", 3, "plum/0", "x", 0))

    assert manners.jot(room, "bob", 4, "Plum?", 1) == manners.mark(room, "bob", 4, "plum/0", "x", 1) == []
    assert manners.mark(room, "bob", 4, "rope/0", "", 1) == manners.jot(room, "ada", 4, "", 1) == []
    assert manners.jot(room, "bob", 4, "", 1)
    assert manners.mark(room, "bob", 4, "plum/0", "", 1)


def test_a_table_that_is_disbanded_stands_in_nobodys_list() -> None:
    room = after(gathering(), [Withdrawn(at=0)])
    alone = after(rooms.evolve(None, terms(2)), [Sat(at=0, seat=0, person="ada", name="Ada", salt="")])

    assert room.withdrawn
    left = after(alone, manners.disband(alone, 1))
    assert (left.people, left.withdrawn, left.host) == ((), True, None)
