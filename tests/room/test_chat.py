"""What is said round a table: who may say it, how often, and who hears it."""

from collections.abc import Sequence

import pytest

from tests.room.test_manners import after, gathering, playing
from whodunit.core.errors import Refusal
from whodunit.room import chat
from whodunit.room.chat import ALL_LINES, OWN_LINES, WINDOW_MS
from whodunit.room.entries import AnyEntry, Held, Muted, Said
from whodunit.room.room import KEPT, Room, Stage


def said(room: Room, person: str, text: str = "hm", stage: Stage = "playing", at: int = 0, name: str = "") -> Room:
    return after(room, chat.say(room, person, stage, (), name, text, at))


def texts(room: Room, person: str, stage: Stage = "playing") -> list[str]:
    return [line.text for line in chat.heard(room, person, stage)]


def test_players_hear_each_other_and_whoever_watches_hears_them_too() -> None:
    room = said(said(playing(), "ada", "one"), "bob", "two")

    assert [texts(room, person) for person in ("ada", "bob", "eve")] == [["one", "two"]] * 3


def test_whoever_watches_is_heard_by_players_when_the_game_is_over_and_not_before() -> None:
    room = said(said(playing(), "eve", "it was Plum"), "ada", "hm")

    assert texts(room, "ada") == ["hm"]
    assert texts(room, "another spectator") == ["it was Plum", "hm"]
    assert texts(room, "ada", "over") == ["it was Plum", "hm"]


@pytest.mark.parametrize("stage", ["gathering", "over"])
def test_before_and_after_the_game_all_talk_together(stage: Stage) -> None:
    room = said(gathering(), "eve", "hello", stage)

    assert texts(room, "ada", stage) == ["hello"]
    assert texts(room, "ada", "playing") == ["hello"]  # what was said to all stays said


def test_a_seat_speaks_with_its_own_name_from_every_device() -> None:
    room = after(playing(), [Held(at=0, seat=1, person="bob's phone")])
    room = said(said(room, "bob", name="Impostor"), "bob's phone")

    assert [(line.person, line.seat, line.name) for line in room.said] == [("bob", 1, "Bob")] * 2
    assert len(room.speakers) == 1
    assert chat.number_of(room, "bob's phone") == 0


def test_nobody_who_watches_speaks_by_a_players_name() -> None:
    with pytest.raises(Refusal, match="name_taken"):
        said(playing(), "eve", name="Bob")

    room = said(said(playing(), "eve", name="Eve"), "mallory")

    assert [speaker.name for speaker in room.speakers] == ["Eve", ""]


def test_whoever_is_out_and_knows_says_nothing() -> None:
    with pytest.raises(Refusal, match="informed"):
        chat.say(playing(), "bob", "playing", {1}, "", "it was Plum", 0)
    with pytest.raises(Refusal, match="informed"):
        chat.say(playing(), "bob", "playing", {1}, "", "", 0, "hello")

    assert chat.say(playing(), "ada", "playing", {1}, "", "hm", 0)


def test_a_speaker_has_to_pause_and_the_others_need_not() -> None:
    room = playing()
    for number in range(OWN_LINES):
        room = said(room, "ada", at=number)

    with pytest.raises(Refusal, match="too_fast"):
        said(room, "ada", at=WINDOW_MS - 1)
    assert len(said(room, "bob", at=WINDOW_MS - 1).said) == OWN_LINES + 1
    assert len(said(room, "ada", at=WINDOW_MS).said) == OWN_LINES + 1


def test_many_who_watch_do_not_flood_a_table() -> None:
    room = playing()
    for number in range(ALL_LINES):
        room = said(room, f"spectator {number}")

    with pytest.raises(Refusal, match="too_fast"):
        said(room, "one more")
    assert len(said(room, "one more", at=WINDOW_MS).said) == ALL_LINES + 1


def test_only_the_last_things_said_are_kept_at_hand() -> None:
    room = playing()
    for number in range(KEPT + 5):
        room = said(room, "ada", str(number), at=number * WINDOW_MS)

    assert texts(room, "bob") == [str(number) for number in range(5, KEPT + 5)]


# --- Mute ------------------------------------------------------------------------------------------------------------


def muting(room: Room, person: str, speaker: int, *, muted: bool = True) -> Room:
    entries: Sequence[AnyEntry] = chat.mute(room, person, speaker, 0, muted=muted)
    return after(room, entries)


def test_whoever_is_muted_is_not_heard_until_he_is_again() -> None:
    room = said(said(playing(), "bob", "one"), "cleo", "two")
    silent = muting(room, "ada", 0)

    assert texts(silent, "ada") == ["two"]
    assert texts(silent, "cleo") == texts(silent, "bob") == ["one", "two"]
    assert [(number, speaker.name) for number, speaker in chat.muted(silent, "ada")] == [(0, "Bob")]
    assert texts(muting(silent, "ada", 0, muted=False), "ada") == ["one", "two"]


def test_what_a_seat_mutes_is_muted_on_all_its_devices() -> None:
    room = said(after(playing(), [Held(at=0, seat=1, person="bob's phone")]), "ada", "one")

    assert texts(muting(room, "bob's phone", 0), "bob") == []


@pytest.mark.parametrize("number", [-1, 1, 99])
def test_nobody_mutes_whoever_has_not_spoken(number: int) -> None:
    with pytest.raises(Refusal, match="no_speaker"):
        chat.mute(said(playing(), "bob"), "ada", number, 0, muted=True)


def test_nobody_mutes_himself() -> None:
    with pytest.raises(Refusal, match="no_speaker"):
        chat.mute(said(playing(), "bob"), "bob", 0, 0, muted=True)


def test_what_is_said_and_who_is_muted_stands_in_no_representation() -> None:
    room = muting(said(playing(), "bob", "very private"), "ada", 0)

    assert "private" not in repr(room)
    assert {type(entry) for entry in (*room.said,)} == {Said}
    assert chat.mute(room, "ada", 0, 0, muted=False) == [Muted(at=0, person="ada", speaker="bob", muted=False)]


def test_who_is_muted_already_is_not_muted_again() -> None:
    room = said(playing(), "bob")
    assert chat.mute(room, "ada", 0, 0, muted=False) == []
    room = after(room, chat.mute(room, "ada", 0, 0, muted=True))

    assert chat.mute(room, "ada", 0, 0, muted=True) == []
    assert chat.mute(room, "ada", 0, 0, muted=False) != []
