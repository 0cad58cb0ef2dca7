"""What asked seats answer: by habit or chosen, stored and given at moments that the question alone decides.

Nothing here may depend on what a seat holds but the answer itself: not whether something is stored, nor when, nor how
much. So whoever is asked gets an answer by habit with the question, whether or not there is a choice; what is chosen
instead is noted in memory, and stored at instants that are the same for everybody.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Final, TypeAlias

from msgspec import Raw

from whodunit.core.ports import NEVER
from whodunit.core.types import Action, Event, Seat
from whodunit.core.wire import encode
from whodunit.room import pace
from whodunit.room.entries import QuestionPut, Selected, padded
from whodunit.room.pace import Tempo
from whodunit.room.room import Due, Room
from whodunit.table.codec import read_action
from whodunit.table.table import Table

RARE_MS: Final = 32_000
"""Choices are stored a beat after the question, then each time after twice as long, but at least this often."""
EARLY_MS: Final = 300
"""So long before the answer a node that does not give it stores what was chosen there."""

Chosen: TypeAlias = Mapping[Seat, Action]
"""By asked seat: what its player, or its bot, has chosen and is not stored yet."""
Confided: TypeAlias = Callable[[Seat], Sequence[Event]]
"""Of a seat: the events whose secrets it shares, oldest first. Its habits go by them."""


# --- The question ----------------------------------------------------------------------------------------------------


def drawn(room: Room, table: Table, confided: Confided, now: int, haste: float) -> tuple[QuestionPut, ...]:
    """Draw the moment at which each newly asked seat will answer, before anybody looks at its hand."""
    new: tuple[QuestionPut, ...] = ()
    for seat in table.asked:
        offers = pace.answer_offers(table.game, table.offers[seat])
        since = max([offer.since for offer in offers])
        due = room.chairs[seat].due
        if due is not None and due.since == since:
            continue
        laid = room.laid
        moment, patient = now + pace.delay(room.tempo, haste, pace.chance(table, seat)), room.pace == "unhurried"
        if room.pace in pace.SOLO and room.chairs[seat].bot_level is None:
            moment, patient = now, True  # whoever plays alone is waited for, and answers at once
        typed = pace.typed(table.game, offers) is not None
        limit = pace.answer_limit(table, offers, laid.allowance, haste, patient=patient)
        latest = None if limit is None else max(moment, now + limit)
        asked = QuestionPut(
            at=now,
            seat=seat,
            since=since,
            due=moment,
            action=Raw(encode(None if typed else _habit(room, table, seat, confided))),
            until=latest if typed else None,
            latest=None if isinstance(laid.allowance, pace.Untimed) else latest,
            patient=patient,
        )
        new += (padded(asked),)
    return new


# --- Moments ---------------------------------------------------------------------------------------------------------


def instants(due: Due, tempo: Tempo, haste: float, *, gives: bool) -> Iterator[int]:
    """Yield when choices are stored before the answer is given: they follow from the question alone.

    A node that only keeps what is chosen there (not `gives`) has one more, just before.
    """
    last = due.at if gives else due.at - round(haste * EARLY_MS)
    yield from doubling(due.asked, last, tempo, haste)
    if not gives and last > due.asked:
        yield last


def doubling(start: int, end: int, tempo: Tempo, haste: float) -> Iterator[int]:
    """Yield moments between start and end, each twice as far from the start as the one before, later in equal steps."""
    wait = tempo.beat
    while (moment := start + round(haste * wait)) < end:
        yield moment
        wait += min(wait, RARE_MS)


def beats(start: int, tempo: Tempo, haste: float, after: int = -1) -> Iterator[int]:
    """Yield the start and every whole beat behind it, from the first behind `after` on."""
    beat = haste * tempo.beat
    moments = (start + round(number * beat) for number in count(max(0, int((after - start) / beat))))
    return (moment for moment in moments if moment > after)


def rings(room: Room, seat: Seat, after: int, haste: float, *, gives: bool, keeps: bool) -> int | None:
    """Return when next something of an asked seat's answer is to be stored or given here; None: when it is chosen."""
    due = room.chairs[seat].due
    if due is None:
        return None
    moments = instants(due, room.tempo, haste, gives=gives) if keeps and haste else ()
    if (moment := next((moment for moment in moments if moment > after), None)) is not None:
        return moment
    if not gives:
        return None
    if due.at > after:
        return due.at
    if room.chairs[seat].bot_level is not None:
        return next(beats(due.at, room.tempo, haste, after)) if haste else None
    return due.last if due.last > after else None


def expected(room: Room, seat: Seat, due: Due, chosen: Chosen) -> int | None:
    """Return when the seat's answer is given, as far as its player can tell; None: when the player gives it."""
    if is_chosen(room, seat, chosen):
        return due.at
    latest = patience(room, seat) or due.at
    return None if latest == NEVER else latest


# --- The answer ------------------------------------------------------------------------------------------------------


def kept(room: Room, table: Table | None, seat: Seat, since: int, chosen: Chosen, now: int) -> Selected | None:
    """Return what to store at an instant, chosen or not; None if the seat is no longer asked."""
    due, choice = room.chairs[seat].due, chosen.get(seat)
    if table is None or seat not in table.asked or due is None or due.since != since:
        return None
    if choice is None or type(choice) not in table.game.INFO.answers:  # what a bot would rather do is not kept
        action, is_own = due.action or Raw(b"null"), due.chosen
    else:
        action, is_own = Raw(encode(choice)), True
    return padded(Selected(at=now, seat=seat, since=since, action=action, chosen=is_own))


def overdue(room: Room, table: Table | None, chosen: Chosen, now: int, haste: float) -> tuple[Seat, int] | None:
    """Return a seat that should have answered by now, and since when it is asked.

    Not a bot's, where it has a beat to wait for: what else happens at the table must not bring its answer forth.
    """
    if table is None or not table.asked or room.paused is not None:
        return None
    for seat in table.asked:
        due = room.chairs[seat].due
        if haste and room.chairs[seat].bot_level is not None:
            continue
        if due is not None and due.at <= now and not waits(room, seat, chosen, now):
            return seat, due.since
    return None


def given(
    room: Room, table: Table | None, seat: Seat, since: int, chosen: Chosen, confided: Confided, now: int
) -> Action | None:
    """Return what a seat that is asked since then answers now; None if it is no longer asked, or its answer waits."""
    due = room.chairs[seat].due
    if table is None or seat not in table.asked or due is None or due.since != since:
        return None
    if room.paused is not None or due.at > now or waits(room, seat, chosen, now):
        return None
    if (choice := chosen.get(seat)) is not None:
        return choice
    return _habit(room, table, seat, confided) if due.action is None else read_action(due.action, table.game)


def waits(room: Room, seat: Seat, chosen: Chosen, now: int) -> bool:
    """Say whether the answer must wait for whoever gives it.

    A bot's always comes from the bot, also where it has no choice: so its certificate holds, and forced or not
    makes no difference in time. A person's waits, where persons are waited for, whether or not there is a choice.
    """
    chair = room.chairs[seat]
    if chair.due is None or is_chosen(room, seat, chosen):
        return False
    return chair.bot_level is not None or now < (patience(room, seat) or 0)


def patience(room: Room, seat: Seat) -> int | None:
    """Return until when the table waits for a person's answer, whoever it is; None: not beyond its moment."""
    due = room.chairs[seat].due
    if due is None:
        return None
    return NEVER if due.patient and due.latest is None else due.until or due.latest


def is_chosen(room: Room, seat: Seat, chosen: Chosen) -> bool:
    """Say whether the seat's player has chosen what it will answer, stored or not."""
    due = room.chairs[seat].due
    return due is not None and (due.chosen or seat in chosen)


def _habit(room: Room, table: Table, seat: Seat, confided: Confided) -> Action:
    """Return what the seat answers if its player chooses nothing."""
    order = room.chairs[seat].order
    return table.game.habit(table.views[seat], seat, confided(seat), pace.chance(table, seat), order)
