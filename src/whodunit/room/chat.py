"""What is said round a table: who may say something, how much, and who hears it."""

from collections.abc import Callable, Collection
from operator import eq

from whodunit.core.errors import Refusal
from whodunit.core.types import Seat
from whodunit.room.entries import Muted, Phrase, Said
from whodunit.room.room import Room, Speaker, Stage

LENGTH = 300
"""The longest thing said, in characters."""
WINDOW_MS = 10_000
OWN_LINES = 5
"""So many things may one speaker say within that time."""
ALL_LINES = 20
"""So many may all say together: whoever only watches may come under any number of names."""


def say(
    room: Room,
    person: str,
    stage: Stage,
    informed: Collection[Seat],
    name: str,
    text: str,
    at: int,
    phrase: Phrase | None = None,
    *,
    names: Collection[str] = (),
    alike: Callable[[str, str], bool] = eq,
) -> list[Said]:
    """Say something, by a name if one does not sit here; whoever is out and knows the solution says nothing.

    That name looks like none of those who sit here (`names` also has the bots'), nor like another speaker's.
    """
    seat = room.seat_of(person)
    if seat in informed:
        raise Refusal("informed")
    speaker = speaker_of(room, person)
    lately = [said for said in room.said if at - said.at < WINDOW_MS]
    if len(lately) >= ALL_LINES or sum(said.person == speaker for said in lately) >= OWN_LINES:
        raise Refusal("too_fast")
    if seat is not None:
        name = room.chairs[seat].name
    elif name:
        sit = (chair.name for chair in room.chairs)
        speak = (other.name for other in room.speakers if other.person != speaker)
        if any(alike(name, other) for other in (*names, *sit, *speak) if other):
            raise Refusal("name_taken")
    apart = stage == "playing" and seat is None
    return [Said(at=at, person=speaker, seat=seat, name=name, text=text, phrase=phrase, apart=apart)]


def mute(room: Room, person: str, number: int, at: int, *, muted: bool) -> list[Muted]:
    """Hear a speaker no more, or again."""
    if not 0 <= number < len(room.speakers):
        raise Refusal("no_speaker")
    reader, speaker = speaker_of(room, person), room.speakers[number].person
    if reader == speaker:
        raise Refusal("no_speaker", "nobody mutes themselves")
    if muted == (speaker in room.muted.get(reader, ())):
        return []
    return [Muted(at=at, person=reader, speaker=speaker, muted=muted)]


def heard(room: Room, person: str, stage: Stage) -> list[Said]:
    """Return what the person is told of what was said, oldest first."""
    return [said for said in room.said if hears(room, person, stage, said)]


def hears(room: Room, person: str, stage: Stage, said: Said) -> bool:
    """Say whether the person is told this: who plays hears those who watch when the game is over."""
    if not said.text and said.phrase is None:  # who said it wants it to be forgotten
        return False
    if said.person in room.muted.get(speaker_of(room, person), ()):
        return False
    return not said.apart or stage == "over" or room.seat_of(person) is None


def speaker_of(room: Room, person: str) -> str:
    """Return under which name the person speaks: one for all devices that hold a seat."""
    seat = room.seat_of(person)
    return person if seat is None else room.chairs[seat].people[0]


def number_of(room: Room, person: str) -> int | None:
    """Return which of the speakers the person is; None: they have said nothing yet."""
    speaker = speaker_of(room, person)
    return next((number for number, other in enumerate(room.speakers) if other.person == speaker), None)


def muted(room: Room, person: str) -> list[tuple[int, Speaker]]:
    """Return whom the person does not hear."""
    silent = room.muted.get(speaker_of(room, person), ())
    return [(number, speaker) for number, speaker in enumerate(room.speakers) if speaker.person in silent]
