"""What a seat sees, as numbers, for research: named fields, and how each is read off a view. May be left out."""

from functools import partial
from operator import attrgetter

from nightcap.model import GUESTS, Answering, Asking, Dealing, Options, Over
from whodunit.core.observing import AnyOf, Count, Flag, Number, Observed, OneOf, Part, Round, one
from whodunit.core.types import Seat

PHASES = [kind.__name__ for kind in (Dealing, Asking, Answering, Over)]


def observed(seats: int, _options: Options, seat: Seat) -> Observed:
    """Return the numbers that a seat sees. Who has shown or passed is history: what follows from it, a belief says."""
    table = Round(seats, seat)  # counts the seats from one's own
    return Observed(
        (
            one(Count("turn"), attrgetter("turn")),
            one(table.who("on turn"), attrgetter("on_turn")),
            Part(
                (
                    OneOf("phase", PHASES),
                    table.who("asked"),
                    AnyOf("asked for", GUESTS),
                    table.who("winner"),
                    OneOf("how", ("solved", "all_out", "midnight")),
                ),
                attrgetter("phase"),
                lambda phase: (
                    type(phase).__name__,
                    *(getattr(phase, name, None) for name in ("asked", "guests", "winner", "how")),
                ),
            ),
            one(OneOf("culprit", GUESTS), attrgetter("culprit")),
            table.each("cards", partial(Number, most=len(GUESTS)), "sizes"),
            *table.apart("hand", partial(AnyOf, values=GUESTS), "hands"),
            table.each("out", Flag),
        )
    )
