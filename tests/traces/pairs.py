"""Positions in two worlds that a viewer cannot tell apart, from games of random play."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from tests.plugs import plug_of
from whodunit.conformance.play import Played, play
from whodunit.conformance.plug import Plug
from whodunit.conformance.rerun import rerun
from whodunit.conformance.settings import Setting
from whodunit.conformance.support import Viewer
from whodunit.core.types import Action, Batch, Seat
from whodunit.games import get
from whodunit.room import pace
from whodunit.table.table import Table

TRIED = 12
"""So many worlds of a position are played again before the next position is looked at."""


class Pair(NamedTuple):
    """A position in two worlds, and what is done there; or nothing is, and whoever is awaited is a bot."""

    setting: Setting
    game: str
    viewer: Seat
    pasts: tuple[tuple[Batch, ...], tuple[Batch, ...]]
    """What has happened so far, in each world."""
    move: tuple[Seat, Action] | None
    awaited: tuple[Seat, ...]
    """Who is asked by the move; without one, whose turn it is."""
    tells: bool
    """Whether somebody who is asked has a choice in one world and none in the other."""


def questions(game: str, setting: Setting, viewer: Seat) -> Iterator[Pair]:
    """Yield questions of the game, each with another world; first those where only one world leaves a choice."""
    played, plug = _played(game, setting)
    for tells in (True, False):
        for number in _asking(played):
            if viewer in played.tables[number].asked:
                continue
            others = _alike(played, plug, viewer, number)
            found = (_question(game, setting, played, viewer, number, other) for other in others)
            yield from islice((pair for pair in found if pair is not None and pair.tells == tells), 1)


def _alike(played: Played, plug: Plug, viewer: Seat, number: int) -> Iterator[tuple[Batch, ...]]:
    """Yield other worlds of a question: first those in which everything that is answered sounds the same, too."""
    last = number
    while last + 1 < len(played.tables) and played.tables[last].asked:
        last += 1
    for until in dict.fromkeys((last, number)):
        yield from _others(played, plug, viewer, until)


def turns(game: str, setting: Setting, viewer: Seat) -> Iterator[Pair]:
    """Yield turns of other seats, each with another world."""
    played, plug = _played(game, setting)
    for number, table in enumerate(played.tables):
        movers = tuple(seat for seat in sorted(table.awaiting) if seat >= 0 and seat != viewer)
        if table.outcome or table.asked or not movers or not number:
            continue
        for other in _others(played, plug, viewer, number):
            pasts = (played.batches[: number + 1], other)
            yield Pair(setting, game, viewer, pasts, None, movers, tells=False)
            break


def _played(game: str, setting: Setting) -> tuple[Played, Plug]:
    plug = plug_of(game)
    return play(get(game), plug, setting), plug


def _asking(played: Played) -> list[int]:
    """Return the batches with which a seat has asked others something, by nothing that was drawn."""
    found = []
    for number, (table, batch) in enumerate(zip(played.tables, played.batches, strict=True)):
        cause = batch.cause
        if not number or cause is None or cause.seat < 0 or batch.draws or table.outcome:
            continue
        if table.asked and not played.tables[number - 1].asked and cause.seat not in table.asked:
            found.append(number)
    return found


def _others(played: Played, plug: Plug, viewer: Seat, number: int) -> Iterator[tuple[Batch, ...]]:
    """Yield the same past in other worlds that the viewer thinks possible after this batch."""
    past = Played(played.game, played.options, played.batches[: number + 1], played.tables[: number + 1])
    if not plug.provable(past.events):
        return
    eyes = Viewer(past, plug, viewer)
    near = dict.fromkeys(eyes._walk())  # to list them all takes too long for so many positions
    worlds = [world for world in near if world != eyes.truth and eyes.ruled_out(world) is None]
    for world in worlds[:TRIED]:
        again = rerun(past, plug, eyes.script, world)
        if again.divergence is None:
            yield tuple(again.batches)


def _question(
    game: str, setting: Setting, played: Played, viewer: Seat, number: int, other: tuple[Batch, ...]
) -> Pair | None:
    here, there = played.batches[number].cause, other[number].cause
    if here is None or there is None or (here.seat, here.action) != (there.seat, there.action):
        return None  # what was done has a hidden part
    asked = played.tables[number].asked
    tables = [_grown(played.tables[0], batches)[number : len(other)] for batches in (played.batches, other)]
    tells = any(_free(one) != _free(two) for one, two in zip(*tables, strict=True))
    return Pair(
        setting, game, viewer, (played.batches[:number], other[:number]), (here.seat, here.action), asked, tells
    )


def _free(table: Table) -> list[bool]:
    """Say of everybody who is asked whether they have a choice."""
    return [
        sum(offer.count for offer in pace.answer_offers(table.game, table.offers[seat])) > 1 for seat in table.asked
    ]


def _grown(first: Table, batches: tuple[Batch, ...]) -> list[Table]:
    table = Table(first.game, first.seats, first.seed)
    return [table := table.grow(batch) for batch in batches]
