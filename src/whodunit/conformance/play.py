"""Random play at a real table, with everything kept: the record that all checks read."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from whodunit.conformance.plug import Plug
from whodunit.conformance.settings import Setting
from whodunit.core.offer import Offer
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Action, Batch, Event, Game, Seat
from whodunit.table.table import Table

MOST = 3000  # decisions: a game that takes longer does not end


class Played(NamedTuple):
    """A game from its opening on: its batches, and the table after each of them."""

    game: Game
    options: Any
    batches: tuple[Batch, ...]
    tables: tuple[Table, ...]

    @property
    def last(self) -> Table:
        return self.tables[-1]

    @property
    def viewers(self) -> tuple[Seat, ...]:
        return self.last.viewers

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(event for batch in self.batches for event in batch.events)


def play(game: Game, plug: Plug, setting: Setting) -> Played:
    """Play at random to the end; fail where nobody can go on, or the game does not end."""
    options = game.INFO.parse(setting.seats, setting.options)
    table, batch = Table.open(game, setting.seats, options, setting.seed.to_bytes(8, "big"))
    return play_on(table, batch, plug, setting.pace)


def play_on(table: Table, opening: Batch, plug: Plug, pace: int, most: int = MOST) -> Played:
    """Play at random from the opening to the end, or if `most` is given at most so many decisions."""
    tables, batches = [table], [opening]
    while table.outcome is None and len(batches) <= most:
        assert len(batches) < MOST, f"the game still runs after {MOST} decisions"
        table, batch = _step(table, plug, pace - len(batches))
        tables.append(table)
        batches.append(batch)
    return Played(table.game, _options(opening), tuple(batches), tuple(tables))


def replayed(table: Table, batches: Iterable[Batch]) -> Played:
    """Return the record of a game that was played elsewhere; the table has seen nothing of it yet."""
    batches = tuple(batches)
    tables = tuple(table := table.grow(batch) for batch in batches)
    return Played(table.game, _options(batches[0]), batches, tables)


def _options(opening: Batch) -> Any:
    return opening.events[0].options  # type: ignore[attr-defined]  # Opened, in every game


def _step(table: Table, plug: Plug, left: int) -> tuple[Table, Batch]:
    rng = Rng(table.seed + b"players", table.seq)
    assert table.awaiting, f"after event {table.seq} nobody is awaited and there is no outcome"
    for awaited in sorted(table.awaiting):
        assert table.offers[awaited], f"after event {table.seq} seat {awaited} is awaited and can do nothing"
    if table.undoer is not None and left > 0 and rng.below("regret", 8) == 0:
        return table.undo(table.undoer)
    willing = [seat for seat in (*range(table.seats), TABLE) if table.offers[seat]]
    who = willing if rng.below("interrupt", 4) == 0 else sorted(table.awaiting)
    seat = who[rng.below("who", len(who))]
    offers = table.offers[seat]
    chosen = _chosen(offers, table.game.INFO.final, plug, left, rng)
    action = chosen.sample(rng)
    if not plug.honest(table.state, seat, action):
        kept = [other for other in chosen.actions() if plug.honest(table.state, seat, other)]
        action = kept[rng.below("honest", len(kept))]
    dates = [offer.since for offer in offers if offer.admits(action)]
    assert dates, f"{chosen} samples {action}, which no offer admits"
    return table.act(seat, dates[0], action)


def _chosen(offers: Sequence[Offer], final: tuple[type[Action], ...], plug: Plug, left: int, rng: Rng) -> Offer:
    """Choose an offer: a final guess rarely at first, always when the time is up."""
    stakes = [offer for offer in offers if offer.action in final]
    others = [offer for offer in offers if offer.action not in final]
    if stakes and (not others or left <= 0 or rng.below("stake", 60) == 0):
        offers = stakes
    else:
        offers = plug.lively(others) if rng.below("lively", 4) else others
    return offers[rng.below("offer", len(offers))]
