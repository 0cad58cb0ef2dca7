"""The review against the game played again: it grades what a seat could know, and never how things came out."""

from collections.abc import Callable, Sequence
from typing import Final

from whodunit.conformance.rerun import rerun
from whodunit.conformance.sends import indistinguishable
from whodunit.conformance.support import Viewer
from whodunit.core.types import Batch
from whodunit.core.wire import encode
from whodunit.review.knowing import Viewer as Reviewed
from whodunit.review.knowing import standing_batches

COMPARED: Final = 3
"""In so many other worlds a whole review is made again."""
SUM_ERROR: Final = 1e-12
LEFT_ERROR: Final = 1e-9


def judges_by_what_was_seen(viewer: Viewer) -> None:
    """Check that in a world that the viewer cannot tell from the true one its review is the same."""
    for world in indistinguishable(viewer)[:COMPARED]:
        until = viewer.ruled_out(world)
        again = rerun(viewer.played, viewer.plug, viewer.script, world)
        here = encode(_reviewed(viewer, viewer.played.batches[:until]).reviewed())
        there = encode(_reviewed(viewer, again.batches[:until]).reviewed())
        assert here == there, (
            f"viewer {viewer.seat}: in {world}, which it cannot tell from the true one, its review is another: "
            f"{_difference(here, there)}. A verdict, a gain and a gift go by what the viewer has seen: `choice` and "
            "`replies` must look at nothing else, not even at what another's action hides"
        )


def expects_what_comes(viewer: Viewer) -> None:
    """Check that the chances of all answers sum to one, and that what really came is one of those expected."""
    game = viewer.played.game
    info, hidden = game.INFO, None
    reviewed = Reviewed(game, viewer.seat, viewer.played.last.seats, "even")
    batches = [*standing_batches(viewer.played.batches)]
    for number, (batch, stands) in enumerate(batches):
        reviewed.see(batch, stands=stands)
        if reviewed.began is None:
            reviewed.begin()
        if not reviewed.replies:
            continue
        where = f"viewer {viewer.seat}, after event {batch.last}:"
        total = sum(reply.chance for reply in reviewed.replies)
        assert abs(total - 1) <= SUM_ERROR, f"{where} the chances of all answers sum to {total!r}"
        if any(type(event) in (*info.hides, *info.begins) for event in batch.events):
            hidden = reviewed.replies  # more is missing now than the answer has left
        following = batches[number + 1][0].cause if number + 1 < len(batches) else None
        if (
            hidden is reviewed.replies
            or following is None
            or type(following.action) in (*info.answers, *info.interrupts)
        ):
            continue
        left = reviewed.belief.entropy()
        assert any(abs(reply.left - left) <= LEFT_ERROR for reply in reviewed.replies), (
            f"{where} {left} bits are left, which no answer on `replies` leaves: "
            f"{sorted(reply.left for reply in reviewed.replies)}"
        )


def _reviewed(viewer: Viewer, batches: Sequence[Batch]) -> Reviewed:
    reviewed = Reviewed(viewer.played.game, viewer.seat, viewer.played.last.seats, "even")
    for batch, stands in standing_batches(batches):
        reviewed.see(batch, stands=stands)
        if reviewed.began is None:
            reviewed.begin()
    return reviewed


def _difference(here: bytes, there: bytes) -> str:
    place = next(place for place, pair in enumerate(zip(here, there, strict=False)) if pair[0] != pair[1])
    first = max(0, place - 80)
    return f"...{here[first : place + 80].decode()}..., there ...{there[first : place + 80].decode()}..."


JUDGES: Final[dict[str, Callable[[Viewer], None]]] = {
    check.__name__: check for check in (judges_by_what_was_seen, expects_what_comes)
}
