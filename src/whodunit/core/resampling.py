"""A whole game out of what one seat has seen of it: the way back from redaction, by a world of the seat's belief."""

from collections.abc import Sequence
from typing import Final

from whodunit.core.redact import redact
from whodunit.core.rng import Rng
from whodunit.core.types import Belief, Event

ONLY_LOOKS: Final = "who only looks (attention 'sight') believes in worlds in which the game could not have gone so"
"""Why such a belief is refused."""


def resampled(belief: Belief, rng: Rng, seen: Sequence[Event]) -> tuple[Event, ...]:
    """Return a whole game, secrets included, of which the seat would have seen just this.

    The world is drawn from the belief, each as likely as it is, and so is what others chose unseen. The same belief,
    draws and events give the same game, whatever is true.
    """
    learned = belief.sheet("paper").seq
    if learned != len(seen):
        raise ValueError(f"the belief has learned {learned} events, and {len(seen)} were seen: they must be the same")
    for number, event in enumerate(seen, 1):
        told = redact(event, belief.seat)
        if told is not event and told != event:
            raise ValueError(
                f"event {number} tells what seat {belief.seat} may not know, and the belief is that seat's"
            )
    (world,) = belief.sample(rng, "world", 1)
    return belief.unredact(world, seen, rng)
