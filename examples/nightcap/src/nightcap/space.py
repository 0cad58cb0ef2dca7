"""Every action that there could ever be in Nightcap."""

from nightcap.model import GUESTS, Accuse, Ask, Options, Show, ShowNothing
from whodunit.core.offer import Offer, One, Some


def space(seats: int, _options: Options, _turns: int) -> tuple[Offer, ...]:
    """Return the widest offers."""
    return (
        Offer(Ask, {"to": One(tuple(range(seats))), "guests": Some(GUESTS, 2, 2)}),
        Offer(Show, {"guest": One(GUESTS)}),
        Offer(ShowNothing),
        Offer(Accuse, {"guest": One(GUESTS)}),
    )
