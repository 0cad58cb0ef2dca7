"""A pause by consent: everybody who plays must wish it, anybody ends it, and nothing happens in between."""

from whodunit.core.errors import Illegal, Refusal
from whodunit.core.types import Action, Seat
from whodunit.room import clocks
from whodunit.room.entries import AnyEntry, Paused, Resumed, WishedPause
from whodunit.room.manners import playing
from whodunit.room.room import Room
from whodunit.table.table import Table


def played(room: Room, table: Table | None, seat: Seat, action: Action | str, *, leased: bool = False) -> Table:
    """Return the game if it goes on; in a pause a player's wish is refused, and what bots or time do is too late."""
    if table is None or (leased and room.paused is not None):
        raise Illegal(seat, action, ())
    if room.paused is not None:
        raise Refusal("paused")
    return table


def wish(room: Room, table: Table | None, person: str, at: int, *, wanted: bool) -> list[AnyEntry]:
    """Wish for a pause, or no longer; whoever lets a bot play need not agree."""
    seat = playing(room, person)
    if room.paused is not None or (table and table.closed):
        raise Refusal("paused" if room.paused is not None else "over")
    if room.chairs[seat].wants_pause == wanted:
        return []
    others = [chair for number, chair in enumerate(room.chairs) if number != seat and chair.people]
    agreed = wanted and all(chair.wants_pause or (chair.stand_in and not chair.lapsed) for chair in others)
    wished: list[AnyEntry] = [WishedPause(at=at, seat=seat, wish=wanted)]
    return [*wished, *clocks.stilled(room, clocks.standing(room, table), at), Paused(at=at)] if agreed else wished


def resume(room: Room, table: Table | None, person: str, at: int) -> list[AnyEntry]:
    """Let the game go on."""
    playing(room, person)
    if room.paused is None:
        raise Refusal("not_paused")
    return [Resumed(at=at), *clocks.started(room, clocks.standing(room, table), at)]
