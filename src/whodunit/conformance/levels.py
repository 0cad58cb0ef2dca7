"""Bots of every level in every seat: they go on from wherever they take over, and think as long in every world."""

from collections.abc import Iterator
from itertools import islice

from whodunit import bots
from whodunit.bots.thinker import Thinker
from whodunit.conformance.handovers import Position, hand_overs
from whodunit.conformance.play import Played, replayed
from whodunit.conformance.plug import Plug
from whodunit.conformance.rerun import rerun
from whodunit.conformance.sends import indistinguishable
from whodunit.conformance.support import Viewer
from whodunit.core.types import Seat
from whodunit.table.table import Table

COMPARED = 3  # positions of each other world in which thoughts are compared


def positions(played: Played) -> Iterator[Position]:
    """Yield the table after each batch, with all that has happened by then."""
    for number, table in enumerate(played.tables, 1):
        yield Position(table, tuple(event for batch in played.batches[:number] for event in batch.events))


def goes_on_at_every_level(played: Played, _plug: Plug) -> None:
    """Whoever may act can be handed to a bot of any level at every event: it does something that is on offer."""
    faults = hand_overs(positions(played)).faults
    assert not faults, "\n".join(faults)


def thinks_as_much_in_every_world(viewer: Viewer) -> None:
    """Check that asked bots imagine as much in all worlds that the viewer cannot tell apart."""
    for _ in compared_thoughts(viewer):
        pass


def compared_thoughts(viewer: Viewer) -> Iterator[tuple[bool, bool]]:
    """Compare asked bots' thoughts in two worlds; yield for each pair whether the answer was forced, here and there."""
    played, seat = viewer.played, viewer.seat
    here = list(positions(played))
    for world in indistinguishable(viewer):
        batches = rerun(played, viewer.plug, viewer.script, world).batches
        there = positions(replayed(Table(played.game, played.last.seats, played.last.seed), batches))
        for one, other in islice(filter(_differ, zip(here, there, strict=False)), COMPARED):
            for asked in (asked for asked in one.table.asked if asked != seat):
                for level in bots.LEVELS:
                    yield from _compared(one, other, asked, level, f"viewer {seat}, in {world}")


def _differ(both: tuple[Position, Position]) -> bool:
    """Say whether somebody is asked who has other answers in the other world."""
    one, other = both
    return any(one.table.offers[asked] != other.table.offers[asked] for asked in one.table.asked)


def _compared(one: Position, other: Position, asked: Seat, level: str, where: str) -> Iterator[tuple[bool, bool]]:
    here, there = (_thought(position, asked, level) for position in (one, other))
    if here is None or there is None:
        return  # this level does not think
    assert here[0] == there[0], (
        f"{where}: asked after event {one.table.seq}, the {level} in seat {asked} imagines {here[0]}, there {there[0]}"
    )
    yield here[1], there[1]


def _thought(position: Position, seat: Seat, level: str) -> tuple[int, bool] | None:
    """Return how much a bot imagines that takes over here, and whether its answer is forced."""
    player = bots.seated(level, position.table.game, seat, position.table.seed)
    if not isinstance(player, Thinker):
        return None
    player.see(position.table.update(seat, position.events))
    player.act()
    return player.imagined, player.explain()[0].key == "only"
