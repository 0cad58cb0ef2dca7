"""Every action that there could ever be in Clue."""

from typing import Final

from whodunit.core.offer import Offer, One
from whodunit.games.clue.facts import PACK, ROOMS, SQUARES, SUSPECTS, WEAPONS
from whodunit.games.clue.model import (
    Accuse,
    CannotShow,
    EndTurn,
    LookAside,
    Move,
    NoMove,
    Options,
    Roll,
    Show,
    StayAndSuggest,
    Suggest,
    TakePassage,
)

_TRIO: Final = {"suspect": One(SUSPECTS), "weapon": One(WEAPONS), "room": One(ROOMS)}


def space(_seats: int, options: Options, _turns: int) -> tuple[Offer, ...]:
    """Return the widest offers."""
    side = tuple(range(1, options.two_player_side_cards + 1))
    return (
        Offer(Roll),
        Offer(Move, {"to": One((*ROOMS, *SQUARES))}),
        Offer(TakePassage),
        Offer(StayAndSuggest, _TRIO),
        Offer(NoMove),
        Offer(Suggest, _TRIO),
        Offer(Show, {"card": One(PACK)}),
        Offer(CannotShow),
        *([Offer(LookAside, {"position": One(side)})] if side else []),
        Offer(Accuse, _TRIO),
        Offer(EndTurn),
    )
