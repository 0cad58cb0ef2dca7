"""A leak that the server once had, put back so that `bench server --only oracle` can show that it would be found.

What an asked person answers by habit was stored apart from the question, and only where there was a choice: one more
commit under the table's lock, which whatever waits behind that lock can feel.
"""

from msgspec import Raw

from whodunit.core.types import Seat
from whodunit.core.wire import encode
from whodunit.host.host import Host
from whodunit.host.live import Change, Live
from whodunit.host.tasks import quietly
from whodunit.room import pace
from whodunit.room.entries import AnyEntry, QuestionPut, Selected
from whodunit.table.table import Table


def switch_on(host: Host) -> None:
    """Store every habit apart from now on."""

    def changed(change: Change) -> None:
        for entry in change.entries:
            if isinstance(entry, QuestionPut) and _chooses(change.live, entry):
                host.tasks.spawn(quietly(_stored(host, change.live, entry)))

    host.listeners.append(changed)


def _chooses(live: Live, asked: QuestionPut) -> bool:
    return live.table is not None and live.bot_level(asked.seat) is None and chooses(live.table, asked.seat)


def chooses(table: Table, seat: Seat) -> bool:
    """Say whether an asked seat has a choice."""
    return sum(offer.count for offer in pace.answer_offers(table.game, table.offers[seat])) > 1


async def _stored(host: Host, live: Live, asked: QuestionPut) -> None:
    await host.writer.note(live, lambda _: _selected(host, live, asked), joint=True)


def _selected(host: Host, live: Live, asked: QuestionPut) -> list[AnyEntry]:
    table, seat = live.table, asked.seat
    if table is None or seat not in table.asked:
        return []
    habit = table.game.habit(table.views[seat], seat, live.confided(seat), pace.chance(table, seat), None)
    return [Selected(at=host.clock.now(), seat=seat, since=asked.since, action=Raw(encode(habit)), chosen=False)]
