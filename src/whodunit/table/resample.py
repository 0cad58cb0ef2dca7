"""A whole game out of what one seat has seen, to go on from: for search."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from whodunit.core.resampling import resampled
from whodunit.core.rng import Rng
from whodunit.core.types import Belief, Game
from whodunit.table.light import Light, light_of


def resample(belief: Belief, rng: Rng, seen: Sequence[Any]) -> Light:
    """Return a whole game, everybody's secrets and views included, of which the belief's seat would see just this.

    It is drawn from the belief, each as likely as it is; `seen` is all that the belief has learned. What happens in
    it from there on has draws of its own. Where a simulation would decide, the quick tables do, as in imagination.
    """
    if not seen:
        raise ValueError("nothing has been seen yet")
    if not hasattr(belief, "unredact"):
        raise TypeError(f"the game's belief ({type(belief).__module__}) lacks `unredact`, so no game can be resampled")
    opened, events = seen[0], resampled(belief, rng, seen)
    game = light_of(opened.game, opened.seats, rng.token("from here on"), events)
    return replace(game, state=_quick(game.game, game.state))


def _quick(game: Game, state: Any) -> Any:
    """Return the state with the game's quick tables in place of a simulation."""
    options, info = state.options, game.INFO
    simulated = any(getattr(options, name) in values for name, values in info.simulated.items())
    return replace(state, options=replace(options, **info.bulk)) if simulated else state
