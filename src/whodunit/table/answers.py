"""What asked seats answer: drawn, chosen or by habit, and given at its moment; the host stores what is decided here."""

from msgspec import Raw

from whodunit.core.types import Action, Seat
from whodunit.core.wire import encode
from whodunit.table import pace
from whodunit.table.entries import Asked, Selected
from whodunit.table.live import Live
from whodunit.table.record import read_action
from whodunit.table.table import Table


def drawn(live: Live, table: Table, now: int, haste: float) -> tuple[Asked, ...]:
    """Draw the moment at which each newly asked seat will answer, before anybody looks at its hand."""
    new: tuple[Asked, ...] = ()
    for seat in table.asked:
        answers = pace.answers(table.game, table.offers[seat])
        since = max([offer.since for offer in answers])
        due = live.room.chairs[seat].due
        if due is not None and due.since == since:
            continue
        laid, only = live.room.laid, pace.forced(answers)
        # In a first case the bots are quick, and only the learner takes their time.
        moment = now + pace.moment("quick" if laid.lesson else laid.pace, haste, pace.chance(table, seat))
        limit = pace.answer_limit(table, answers, laid.pace, laid.allowance, haste)
        latest = None if limit is None else max(moment, now + limit)
        typed = pace.typed(table.game, answers) is not None
        new += (
            Asked(
                at=now,
                seat=seat,
                since=since,
                due=moment,
                action=Raw(encode(only)),
                until=latest if typed else None,
                latest=None if only is not None or isinstance(laid.allowance, pace.Untimed) else latest,
            ),
        )
    return new


def is_open(live: Live, asked: Asked, now: int) -> bool:
    """Say whether a person has a choice and time to make it: until then something is chosen by habit."""
    if not asked.is_choice or live.plays(asked.seat) is not None:
        return False
    return asked.due > now or waits(live, asked.seat)


def chosen_by_habit(live: Live, seat: Seat, now: int) -> Selected | None:
    """Choose for a player who has a choice and has not chosen; None if that is no longer so."""
    due = live.room.chairs[seat].due
    if live.table is None or due is None or due.action is not None or seat not in live.table.asked:
        return None
    action = Raw(encode(_habit(live, live.table, seat)))
    return Selected(at=now, seat=seat, since=due.since, action=action, chosen=False)


def overdue(live: Live, now: int) -> tuple[Seat, int] | None:
    """Return a seat that should have answered by now, and since when it is asked."""
    if live.table is None or not live.table.asked or live.room.paused is not None:
        return None
    for seat in live.table.asked:
        due = live.room.chairs[seat].due
        if due is not None and due.moment <= now and not waits(live, seat):
            return seat, due.since
    return None


def given(live: Live, seat: Seat, since: int) -> Action | None:
    """Return what a seat that is asked since then answers now; None if it is no longer asked, or its answer waits."""
    due = live.room.chairs[seat].due
    if live.table is None or seat not in live.table.asked or due is None or due.since != since or waits(live, seat):
        return None
    if live.room.paused is not None:
        return None
    return _habit(live, live.table, seat) if due.action is None else read_action(due.action, live.game)


def waits(live: Live, seat: Seat) -> bool:
    """Say whether the answer must wait for whoever gives it.

    A bot's always comes from the bot, also where it has no choice: so its certificate holds, and forced or not
    makes no difference in time.
    """
    chair = live.room.chairs[seat]
    if live.table is None or chair.due is None or chair.due.chosen:
        return False
    if chair.player is not None or chair.order or live.room.laid.pace != "unhurried" or chair.due.latest is not None:
        return chair.player is not None
    return pace.forced(pace.answers(live.table.game, live.table.offers[seat])) is None


def _habit(live: Live, table: Table, seat: Seat) -> Action:
    """Return what the seat answers if its player chooses nothing."""
    order = live.room.chairs[seat].order
    return table.game.habit(table.views[seat], seat, live.confided(seat), pace.chance(table, seat), order)
