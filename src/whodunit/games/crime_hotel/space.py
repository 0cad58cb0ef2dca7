"""Every action that there could ever be in Crime Hotel."""

from whodunit.core.offer import Offer, One, Some
from whodunit.games.crime_hotel.facts import CARDS, DEPARTMENTS, DESKS, PLACES
from whodunit.games.crime_hotel.model import Exchange, Guess, LayLast, Look, Options, Play, Relocate, TakeDesk


def space(seats: int, _options: Options, _turns: int) -> tuple[Offer, ...]:
    """Return the widest offers; what is exchanged is as few cards as one has, or as many as a desk is for."""
    somebody, anywhere = One(tuple(range(seats))), One(PLACES)
    most = max(figure or 0 for figure in DESKS[seats]["EXCHANGE"])
    return (
        Offer(Play, {"card": One(CARDS)}),
        Offer(Guess, {"place": anywhere}),
        Offer(TakeDesk, {"department": One(DEPARTMENTS)}),
        Offer(Relocate, {"origin": anywhere, "to": anywhere}),
        Offer(Exchange, {"partner": somebody, "cards": Some(CARDS, 1, most)}),
        Offer(Look, {"target": somebody}),
        Offer(LayLast),
    )
