"""Every action that there could ever be in Mord im Arosa."""

from whodunit.core.offer import Offer, One, Order, Some
from whodunit.games.arosa.facts import FLOORS
from whodunit.games.arosa.model import Arrange, CoverTracks, Inspect, Options, Suspect, TakeBack


def space(seats: int, options: Options, _turns: int) -> tuple[Offer, ...]:
    """Return the widest offers; every clue may come to lie on one floor."""
    places = {"floor": One(FLOORS), "arrange": One((False, True))}
    most = options.clues // 2  # AROSA-55: of those on the sheet no more than are found, and together they are no more
    return (
        Offer(Inspect, places),
        Offer(Suspect, {"suspects": Some(tuple(range(seats)), 1, seats - 1), **places}),
        Offer(CoverTracks, places),
        Offer(TakeBack, {"count": One(tuple(range(most + 1)))}),
        Offer(Arrange, {"order": Order(tuple(range(seats * options.clues)))}),
    )
