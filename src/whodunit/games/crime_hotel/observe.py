"""What a seat of Crime Hotel sees, as numbers. Which cards it gave away or looked at, its belief knows."""

from collections.abc import Sequence
from functools import partial
from operator import attrgetter
from typing import Any, Final, get_args

from msgspec.structs import replace

from whodunit.core.observing import AnyOf, Count, Field, Flag, Number, Observed, OneOf, Part, Round, nth, one
from whodunit.core.types import Seat
from whodunit.games.crime_hotel.facts import CARDS, DEPARTMENTS, DESKS, PLACES
from whodunit.games.crime_hotel.model import Options, Over, Phase, State, Trade

_PHASES: Final = tuple(kind.__name__ for kind in get_args(Phase))
_ENDS: Final = ("points", "car", "late_points", "tie")


def observed(seats: int, options: Options, seat: Seat) -> Observed:
    """Return the numbers that a seat sees."""
    table = Round(seats, seat)
    trades = len(DESKS[seats]["EXCHANGE"])
    card = partial(OneOf, values=CARDS)
    return Observed(
        (
            one(OneOf("eyes", range(seats)), lambda _: None if seat < 0 else seat),
            one(Number("investigation", options.investigations), attrgetter("investigation")),
            one(Number("round", options.rounds), attrgetter("round")),
            one(Count("turn"), attrgetter("turn")),
            one(table.who("on turn"), attrgetter("on_turn")),
            Part(
                (OneOf("phase", _PHASES), AnyOf("phase.winner", table.order), OneOf("phase.how", _ENDS)),
                attrgetter("phase"),
                lambda phase: (
                    type(phase).__name__,
                    phase.winners if isinstance(phase, Over) else None,
                    phase.how if isinstance(phase, Over) else None,
                ),
            ),
            one(table.who("car"), attrgetter("car")),
            one(OneOf("hidden", CARDS), attrgetter("hidden")),
            one(AnyOf("lit", CARDS), attrgetter("lit")),
            table.each("cards", partial(Number, most=options.hand_size), "sizes"),
            *table.apart("hand", partial(AnyOf, values=CARDS), "hands"),
            *table.apart("played", card, "trick"),
            Part(
                tuple(OneOf(table.name("lot", other), range(1, seats + 1)) for other in table.order),
                attrgetter("lots"),
                lambda lots: [
                    seats - len(lots) + lots.index(other) + 1 if other in lots else None for other in table.order
                ],
            ),
            table.each("meeples", partial(Number, most=options.rounds), "unused"),
            *table.apart("guess", partial(AnyOf, values=PLACES), "guesses"),
            *(
                Part(
                    tuple(table.who(f"{department} {desk}") for desk in range(1, len(DESKS[seats][department]) + 1)),
                    nth("desks", place),
                    partial(_row, len(DESKS[seats][department])),
                )
                for place, department in enumerate(DEPARTMENTS)
            ),
            table.each("shared", Count),
            Part(
                tuple(
                    field
                    for number in range(1, trades + 1)
                    for field in (
                        table.who(f"trade {number}.seat"),
                        table.who(f"trade {number}.partner"),
                        Number(f"trade {number}.cards", options.hand_size),
                    )
                ),
                attrgetter("trades"),
                lambda made: [
                    told for number in range(trades) for told in _trade(made[number] if number < len(made) else None)
                ],
            ),
            *(
                Part(_points_fields(number, table), nth("points", number - 1), partial(_points, table))
                for number in range(1, options.investigations + 1)
            ),
        ),
        current=_current,
    )


def _current(view: State) -> State:
    """Leave out in which order rooms were lit and meeples put on the board; of an empty hand everything is known."""
    return replace(
        view,
        lit=tuple(sorted(view.lit)),
        hands=tuple(hand or None for hand in view.hands),
        guesses=tuple(tuple(sorted(places)) for places in view.guesses),
    )


def _row(desks: int, sitting: tuple[Seat, ...]) -> tuple[Seat | None, ...]:
    return (*sitting, *(None,) * (desks - len(sitting)))


def _trade(trade: Trade | None) -> tuple[int | None, ...]:
    return (None, None, None) if trade is None else (trade.seat, trade.partner, trade.count)


def _points_fields(number: int, table: Round) -> tuple[Field, ...]:
    return Flag(f"scored {number}"), *(Count(table.name(f"points {number}", other), 20) for other in table.order)


def _points(table: Round, points: Sequence[int] | None) -> list[Any]:
    return [points is not None, *(None if points is None else points[other] for other in table.order)]
