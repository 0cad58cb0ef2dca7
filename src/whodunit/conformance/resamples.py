"""Whole games made of what one viewer has seen: that they could have been played, and look the same to that viewer."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from whodunit.conformance.believes import differing
from whodunit.conformance.play import Played
from whodunit.conformance.rerun import happened, rerun
from whodunit.conformance.sends import indistinguishable
from whodunit.conformance.support import Viewer
from whodunit.core.redact import fold, redact, standing
from whodunit.core.rng import Rng
from whodunit.core.types import Batch, Event
from whodunit.core.wire import encode

PLACES: Final = 3
"""So often in a game it is made anew."""
COMPARED: Final = 2
"""In so many other worlds."""


def resamples_what_was_seen(viewer: Viewer) -> None:
    """Check that a game made of what a viewer has seen is one that can be played, and that it would see the same.

    The game is the same for everybody in it: each other viewer, told its own part, must think that world possible too.
    """
    played, game, plug, seat = viewer.played, viewer.played.game, viewer.plug, viewer.seat
    for number, belief, seen in _moments(viewer, played.batches):
        where = f"viewer {seat}, after event {len(seen)}:"
        (world,) = belief.sample(Rng(b"resampled", number), "world", 1)
        told = belief.resample(Rng(b"resampled", number), seen)
        again = [redact(event, seat) for event in told]
        place = next((at for at, pair in enumerate(zip(again, seen, strict=True), 1) if pair[0] != pair[1]), None)
        assert place is None, f"{where} of a resampled game it would have seen {again[place - 1]} as event {place}"
        state, imagined = fold(game, told), game.imagine(fold(game, seen), world)
        assert state == imagined, (
            f"{where} the game that `unredact` makes for {world} does not lead to the state that `imagine` makes of "
            f"the view: they differ in {differing(state, imagined)}"
        )
        if plug.stackable(plug.as_world(world)):
            anew = _retold(played, number, told)
            diverged = rerun(anew, plug, happened(anew.batches), plug.as_world(world)).divergence
            assert diverged is None, (
                f"{where} the game that `unredact` makes for {world} cannot be played: {diverged.why}. If a DealBelief "
                "made it: let a card that is shown prove `shows(holder, card, among)`, or it might be any of the hand"
            )
        for other in played.viewers:
            known = plug.belief(other)
            for event in standing(told):
                known = known.learn(redact(event, other))
            assert known.allows(plug.as_world(world)), f"{where} in a resampled game viewer {other} rules its world out"


def resamples_by_what_was_seen(viewer: Viewer) -> None:
    """Check that a game is made by what was seen alone: where that is the same, whatever is true, so is the game."""
    for world in indistinguishable(viewer)[:COMPARED]:
        until = viewer.ruled_out(world)
        there = rerun(viewer.played, viewer.plug, viewer.script, world).batches[:until]
        here = viewer.played.batches[: len(there)]
        for one, other in zip(_moments(viewer, here), _moments(viewer, there), strict=True):
            made = [encode(belief.resample(Rng(b"resampled", number), seen)) for number, belief, seen in (one, other)]
            assert made[0] == made[1], (
                f"viewer {viewer.seat}, after event {len(one[2])}: in {world}, which it cannot tell from the true one, "
                "another game is resampled"
            )


def _moments(viewer: Viewer, batches: Sequence[Batch]) -> Iterator[tuple[int, Any, list[Event]]]:
    """Yield some batches with what the viewer then believes and has seen."""
    belief: Any = viewer.played.game.belief(viewer.seat)
    assert hasattr(belief, "unredact"), (
        f"the belief ({type(belief).__module__}) lacks `unredact(world, seen, rng)`: what the viewer has seen, with "
        "the secrets as the world has them. And `resample(rng, seen)`, which calls `resampled` of core/resampling.py"
    )
    seen: list[Event] = []
    apart = 1 + len(batches) // PLACES
    for number, batch in enumerate(batches):
        for event in batch.events:
            seen.append(redact(event, viewer.seat))
            belief = belief.learn(seen[-1])
        if number % apart == 0 or number == len(batches) - 1:
            yield number, belief, seen[:]


def _retold(played: Played, number: int, told: Sequence[Event]) -> Played:
    """Return the game until this batch as it is told now."""
    batches = [replace(batch, events=tuple(told[batch.seq - 1 : batch.last])) for batch in played.batches[: number + 1]]
    return played._replace(batches=tuple(batches), tables=played.tables[: number + 1])


RESAMPLES: Final[dict[str, Callable[[Viewer], None]]] = {
    check.__name__: check for check in (resamples_what_was_seen, resamples_by_what_was_seen)
}
