"""Hand-overs: every seat is given to every level of bots, at any event; and careless games in which to try it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, get_type_hints

from whodunit import bots
from whodunit.conformance.plug import kinds_of
from whodunit.core.errors import BadOptions
from whodunit.core.info import Option
from whodunit.core.rng import Rng, Stream
from whodunit.core.types import TABLE, Action, Batch, Event, Game, Player, Seat
from whodunit.table.table import Table

PACE: Final = (20, 200)
"""After so many decisions, drawn for each game, a player who may stake the game on a guess does so."""
MOST: Final = 300
"""So many decisions of a game are enough, if it does not end before."""
ONE_IN: Final = 100
"""Before that, one decision in so many stakes it."""
UNBOUNDED: Final = 40
"""How far above its least value an option without a greatest one is drawn."""


class Position(NamedTuple):
    """A table as it stands somewhere in a game, and all that has happened at it."""

    table: Table
    events: tuple[Event, ...]

    @property
    def phase(self) -> str:
        """What the table waits for, as the game calls it."""
        return type(self.table.state.phase).__name__

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Whoever can be handed over here: those who are waited for, and those who may interrupt."""
        return tuple(seat for seat in range(self.table.seats) if self.table.offers[seat])


class HandOvers(NamedTuple):
    """What came of handing seats over."""

    reached: Counter[str]
    """By phase, how many seats were handed over in it."""
    faults: list[str]
    """A line for each game, level and phase in which a bot could not go on."""


def hand_overs(positions: Iterable[Position], levels: Sequence[str] = tuple(bots.LEVELS)) -> HandOvers:
    """Hand every seat that may act in these positions of a game to each level."""
    reached: Counter[str] = Counter()
    faults: dict[tuple[str, str, str], str] = {}
    for position in positions:
        reached[position.phase] += len(position.seats)
        for level in levels:
            key = (position.table.game.INFO.id, level, position.phase)
            for seat in () if key in faults else position.seats:
                if fault := fault_of(position, seat, level):
                    faults[key] = f"{', '.join(key)}: seat {seat} after event {position.table.seq}: {fault}"
                    break
    return HandOvers(reached, list(faults.values()))


def phases_of(game: Game) -> set[str]:
    """Return all that a table of this game may wait for, by name."""
    return {phase.__name__ for phase in kinds_of(get_type_hints(game.INFO.state)["phase"])}


def fault_of(position: Position, seat: Seat, level: str) -> str | None:
    """Hand a seat to a fresh bot, which is told all that the seat was told; return what it does wrong, or None."""
    table = position.table
    try:
        player = bots.seated(level, table.game, seat, table.seed + bytes([seat]))
        player.see(table.update(seat, position.events))
        action = _refused(table, seat, player)
    except Exception as error:  # noqa: BLE001  (whatever it is, a table would hang)
        return f"{type(error).__name__}: {error}"
    return None if action is None else f"{action} is not on offer"


def _refused(table: Table, seat: Seat, player: Player) -> Action | None:
    """Return what the player would do here though it is not on offer: as an interrupt, or because it is waited for."""
    offers, interrupts = table.offers[seat], table.game.INFO.interrupts
    urgent = player.interrupt()
    if urgent is not None and not any(offer.admits(urgent) for offer in offers if offer.action in interrupts):
        return urgent
    if seat not in table.awaiting:
        return None
    action = player.act()
    return None if any(offer.admits(action) for offer in offers) else action


# --- Random play -------------------------------------------------------------------------------------------------


def played(game: Game, seed: bytes) -> Iterator[Position]:
    """Play a game at random, with some of its options drawn; yield the table after the opening and each decision."""
    rng = Stream(seed)
    pace = PACE[0] + rng.below("pace", PACE[1] - PACE[0])
    table, batch = _opened(game, seed, rng)
    events = batch.events
    yield Position(table, events)
    for decisions in range(MOST):
        if table.outcome is not None:
            return
        table, batch = _decided(table, rng, bold=decisions >= pace)
        events += batch.events
        yield Position(table, events)


def _opened(game: Game, seed: bytes, rng: Rng) -> tuple[Table, Batch]:
    """Open a game with every option that is drawn and goes with those before it."""
    least, most = game.INFO.seats
    seats = least + rng.below("seats", most - least + 1)
    options: dict[str, Any] = {}
    opened = _open(game, seats, options, seed)
    for option in rng.shuffled("options", game.INFO.describe()):
        if rng.below("given", 2):
            more = {**options, option.name: _value(option, rng)}
            try:
                opened = _open(game, seats, more, seed)
            except BadOptions:
                continue
            options = more
    return opened


def _open(game: Game, seats: int, options: dict[str, Any], seed: bytes) -> tuple[Table, Batch]:
    return Table.open(game, seats, game.INFO.parse(seats, {**options, **game.INFO.bulk}), seed)


def _value(option: Option, rng: Rng) -> Any:
    if option.optional and rng.below("left open", 4) == 0:
        return None
    match option.kind:
        case "switch":
            return bool(rng.below("on", 2))
        case "number":
            least = option.least or 0
            most = least + UNBOUNDED if option.most is None else option.most
            return least + rng.below("number", most - least + 1)
        case "list":
            least, most = option.least or 0, len(option.values) if option.most is None else option.most
            return rng.shuffled("members", option.values)[: least + rng.below("members", most - least + 1)]
        case _:
            return option.values[rng.below("value", len(option.values))]


def _decided(table: Table, rng: Rng, *, bold: bool) -> tuple[Table, Batch]:
    """Let somebody do something, mostly one who is waited for; nobody stakes the game on a guess who need not."""
    if table.undoer is not None and not bold and rng.below("regrets", 8) == 0:
        return table.undo(table.undoer)
    final = table.game.INFO.final
    bold = bold or rng.below("dares", ONE_IN) == 0
    chosen = [
        (seat, offer)
        for seat in (range(TABLE, table.seats) if rng.below("interrupts", 4) == 0 else sorted(table.awaiting))
        for offer in table.offers[seat]
        if (offer.action in final) is bold
    ]
    chosen = chosen or [(seat, offer) for seat in sorted(table.awaiting) for offer in table.offers[seat]]
    seat, offer = chosen[rng.below("offer", len(chosen))]
    return table.act(seat, offer.since, offer.sample(rng))
