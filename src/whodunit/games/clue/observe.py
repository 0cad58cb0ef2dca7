"""What a seat of Clue sees, as numbers. Who has shown or passed is history: what follows from it, a belief says."""

from functools import partial
from operator import attrgetter
from typing import Any, Final

from whodunit.core.observing import AnyOf, Count, Field, Flag, Number, Observed, OneOf, Part, Round, nth, one
from whodunit.core.types import Seat
from whodunit.games.clue.facts import HEIGHT, PACK, ROOMS, SUSPECTS, WEAPONS, WIDTH, Place
from whodunit.games.clue.model import (
    Answering,
    Arrived,
    Beginning,
    Concluding,
    Dealing,
    LookingAside,
    Options,
    Over,
    Phase,
    Trio,
    Walking,
)
from whodunit.games.clue.rules import FACES

_PHASES: Final = (Dealing, Beginning, Walking, Arrived, Answering, LookingAside, Concluding, Over)
_ENDS: Final = ("solved", "last_active", "all_out", "no_result")


def observed(seats: int, options: Options, seat: Seat) -> Observed:
    """Return the numbers that a seat sees."""
    table = Round(seats, seat)
    owned = options.tokens or SUSPECTS[:seats]
    tokens = {owned[owner]: table.name("", owner) for owner in table.order} | {
        suspect: f"{suspect}." for suspect in SUSPECTS if suspect not in owned
    }
    looks = range(1, options.two_player_side_cards + 1)
    return Observed(
        (
            one(OneOf("eyes", range(seats)), lambda _: None if seat < 0 else seat),
            one(Count("turn"), attrgetter("turn")),
            one(table.who("on turn"), attrgetter("on_turn")),
            Part(
                (
                    OneOf("phase", [kind.__name__ for kind in _PHASES]),
                    Number("phase.throw", FACES * options.dice_count),
                    Flag("phase.may suggest"),
                    table.who("phase.asked"),
                    table.who("phase.winner"),
                    OneOf("phase.how", _ENDS),
                    *_trio_fields("phase"),
                ),
                attrgetter("phase"),
                _phase,
            ),
            *(
                Part(_place_fields(name), nth("places", SUSPECTS.index(token)), _place)
                for token, name in tokens.items()
            ),
            *(one(OneOf(f"{weapon}.room", ROOMS), nth("weapons", place)) for place, weapon in enumerate(WEAPONS)),
            Part(_trio_fields("envelope"), attrgetter("envelope"), _trio),
            table.each("cards", partial(Number, most=len(PACK)), "sizes"),
            *table.apart("hand", partial(AnyOf, values=PACK), "hands"),
            *(one(OneOf(f"side card {place}", PACK), nth("side", place - 1)) for place in looks),
            *(table.apart("looked at", partial(AnyOf, values=looks), "looked") if looks else ()),
            table.each("summoned", partial(OneOf, values=ROOMS)),
            table.each("out", Flag),
        )
    )


def _phase(phase: Phase) -> tuple[Any, ...]:
    told = [getattr(phase, name, None) for name in ("throw", "may_suggest", "asked", "winner", "how")]
    return type(phase).__name__, *told, *_trio(getattr(phase, "trio", None))


def _trio_fields(name: str) -> tuple[Field, ...]:
    return OneOf(f"{name}.suspect", SUSPECTS), OneOf(f"{name}.weapon", WEAPONS), OneOf(f"{name}.room", ROOMS)


def _trio(trio: Trio | None) -> tuple[Any, ...]:
    return (None, None, None) if trio is None else trio.cards


def _place_fields(whose: str) -> tuple[Field, ...]:
    """Return the fields of a token: a room, or a square of the corridors, from the top and from the left."""
    return (
        OneOf(f"{whose}room", ROOMS),
        Flag(f"{whose}corridor"),
        Number(f"{whose}row", HEIGHT - 1),
        Number(f"{whose}column", WIDTH - 1),
    )


def _place(place: Place) -> tuple[Any, ...]:
    return (place, False, None, None) if isinstance(place, str) else (None, True, place // WIDTH, place % WIDTH)
