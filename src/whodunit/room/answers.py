"""What asked seats answer: by habit or chosen, stored and given at moments that the question alone decides.

Nothing here may depend on what a seat holds but the answer itself: not whether something is stored, nor when, nor how
much. So whoever is asked gets an answer by habit with the question, whether or not there is a choice; what is chosen
instead is noted in memory, and stored at instants that are the same for everybody.
"""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final

from msgspec import Raw

from whodunit.core.ports import NEVER
from whodunit.core.types import Action, Batch, Seat
from whodunit.core.wire import encode
from whodunit.host.live import Live
from whodunit.room import pace
from whodunit.room.entries import Asked, Selected, padded
from whodunit.room.room import Due
from whodunit.table.codec import read_action
from whodunit.table.table import Table

RARE_MS: Final = 32_000
"""Choices are stored a beat after the question, then each time after twice as long, but at least this often."""
EARLY_MS: Final = 300
"""So long before the answer a node that does not give it stores what was chosen there."""
BEAT_MS: Final = 1000
"""What a bot thinks of late is made known at the next of these beats, so that nobody reads how long it thought."""


# --- The question ----------------------------------------------------------------------------------------------------


def drawn(live: Live, table: Table, batch: Batch, now: int, haste: float) -> tuple[Asked, ...]:
    """Draw the moment at which each newly asked seat will answer, before anybody looks at its hand."""
    new: tuple[Asked, ...] = ()
    for seat in table.asked:
        offers = pace.answers(table.game, table.offers[seat])
        since = max([offer.since for offer in offers])
        due = live.room.chairs[seat].due
        if due is not None and due.since == since:
            continue
        laid = live.room.laid
        # In a first case the bots are quick, and only the learner takes their time.
        moment = now + pace.moment("quick" if laid.lesson else laid.pace, haste, pace.chance(table, seat))
        limit = pace.answer_limit(table, offers, laid.pace, laid.allowance, haste)
        latest = None if limit is None else max(moment, now + limit)
        typed = pace.typed(table.game, offers) is not None
        asked = Asked(
            at=now,
            seat=seat,
            since=since,
            due=moment,
            action=Raw(encode(None if typed else _habit(live, table, seat, batch))),
            until=latest if typed else None,
            latest=None if isinstance(laid.allowance, pace.Untimed) else latest,
        )
        new += (padded(asked),)
    return new


# --- Moments ---------------------------------------------------------------------------------------------------------


def instants(due: Due, haste: float, *, gives: bool) -> Iterator[int]:
    """Yield when choices are stored before the answer is given: they follow from the question alone.

    A node that only keeps what is chosen there (not `gives`) has one more, just before.
    """
    last = due.at if gives else due.at - round(haste * EARLY_MS)
    yield from doubling(due.asked, last, haste)
    if not gives and last > due.asked:
        yield last


def doubling(start: int, end: int, haste: float) -> Iterator[int]:
    """Yield moments between start and end, each twice as far from the start as the one before, later in equal steps."""
    wait = BEAT_MS
    while (moment := start + round(haste * wait)) < end:
        yield moment
        wait += min(wait, RARE_MS)


def beats(start: int, haste: float, after: int = -1) -> Iterator[int]:
    """Yield the start and every whole beat behind it, from the first behind `after` on."""
    beat = haste * BEAT_MS
    moments = (start + round(number * beat) for number in count(max(0, int((after - start) / beat))))
    return (moment for moment in moments if moment > after)


def rings(live: Live, seat: Seat, after: int, haste: float, *, gives: bool, keeps: bool) -> int | None:
    """Return when next something of an asked seat's answer is to be stored or given here; None: when it is chosen."""
    due = live.room.chairs[seat].due
    if due is None:
        return None
    moments = instants(due, haste, gives=gives) if keeps and haste else ()
    if (moment := next((moment for moment in moments if moment > after), None)) is not None:
        return moment
    if not gives:
        return None
    if due.at > after:
        return due.at
    if live.plays(seat) is not None:
        return next(beats(due.at, haste, after)) if haste else None
    return due.last if due.last > after else None


def expected(live: Live, seat: Seat, due: Due) -> int:
    """Return when the seat's answer is given, as far as its player can tell."""
    return due.at if is_chosen(live, seat) or live.room.chairs[seat].order else due.last


# --- The answer ------------------------------------------------------------------------------------------------------


def kept(live: Live, seat: Seat, since: int, now: int) -> Selected | None:
    """Return what to store at an instant, chosen or not; None if the seat is no longer asked."""
    due = live.room.chairs[seat].due
    if live.table is None or seat not in live.table.asked or due is None or due.since != since:
        return None
    choice = live.choice(seat)
    if choice is None or type(choice.action) not in live.game.INFO.answers:  # what a bot would rather do is not kept
        action, chosen = due.action or Raw(b"null"), due.chosen
    else:
        action, chosen = Raw(encode(choice.action)), True
    return padded(Selected(at=now, seat=seat, since=since, action=action, chosen=chosen))


def overdue(live: Live, now: int, haste: float) -> tuple[Seat, int] | None:
    """Return a seat that should have answered by now, and since when it is asked.

    Not a bot's, where it has a beat to wait for: what else happens at the table must not bring its answer forth.
    """
    if live.table is None or not live.table.asked or live.room.paused is not None:
        return None
    for seat in live.table.asked:
        due = live.room.chairs[seat].due
        if haste and live.plays(seat) is not None:
            continue
        if due is not None and due.at <= now and not waits(live, seat, now):
            return seat, due.since
    return None


def given(live: Live, seat: Seat, since: int, now: int) -> Action | None:
    """Return what a seat that is asked since then answers now; None if it is no longer asked, or its answer waits."""
    due = live.room.chairs[seat].due
    if live.table is None or seat not in live.table.asked or due is None or due.since != since:
        return None
    if live.room.paused is not None or due.at > now or waits(live, seat, now):
        return None
    if (choice := live.choice(seat)) is not None:
        return choice.action
    return _habit(live, live.table, seat) if due.action is None else read_action(due.action, live.game)


def waits(live: Live, seat: Seat, now: int) -> bool:
    """Say whether the answer must wait for whoever gives it.

    A bot's always comes from the bot, also where it has no choice: so its certificate holds, and forced or not
    makes no difference in time. A person's waits, where persons are waited for, whether or not there is a choice.
    """
    chair = live.room.chairs[seat]
    if chair.due is None or is_chosen(live, seat):
        return False
    return chair.player is not None or now < (patience(live, seat) or 0)


def patience(live: Live, seat: Seat) -> int | None:
    """Return how long the table waits for a person's answer: for every person's alike. None: not beyond its moment."""
    chair, due = live.room.chairs[seat], live.room.chairs[seat].due
    if due is None or (chair.order and due.until is None):  # what is typed no order can say
        return None
    return NEVER if due.latest is None and live.room.laid.pace == "unhurried" else due.until or due.latest


def is_chosen(live: Live, seat: Seat) -> bool:
    """Say whether the seat's player has chosen what it will answer, stored or not."""
    due = live.room.chairs[seat].due
    return due is not None and (due.chosen or live.choice(seat) is not None)


def _habit(live: Live, table: Table, seat: Seat, batch: Batch | None = None) -> Action:
    """Return what the seat answers if its player chooses nothing; of a batch not yet stored it knows what it shares."""
    order = live.room.chairs[seat].order
    confided: Sequence[object] = live.confided(seat)
    if batch is not None:
        confided = [*confided, *(event for event in batch.events if seat in event.known_to)]
    return table.game.habit(table.views[seat], seat, confided, pace.chance(table, seat), order)
