"""The support test: what a viewer may know by the book, against what the game really lets that viewer see."""

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import islice
from typing import Any, Final

from whodunit.conformance.play import Played
from whodunit.conformance.plug import Plug, Possible
from whodunit.conformance.rerun import Divergence, Transcript, rerun, transcript
from whodunit.core.redact import redact, standing
from whodunit.core.rng import Rng
from whodunit.core.types import Seat, Undone

ALL = 200  # so many worlds are tried one by one
SOME = 30  # of more than that, so many that were possible for a while


class Viewer:
    """One viewer of a played game: what it knew by the book after each batch, and worlds to try on it."""

    def __init__(self, played: Played, plug: Plug, seat: Seat) -> None:
        self.played = played
        self.plug = plug = plug.at(played)
        self.seat = seat
        self.truth = plug.world(played.last.state, standing(played.events))
        self.known = self.learned()

    def learned(self) -> list[Possible]:
        """Return the belief after each batch."""
        after: dict[int, Possible] = {0: self.plug.belief(self.seat)}
        for batch in self.played.batches:
            belief = after[batch.seq - 1]
            for event in batch.events:
                belief = after[event.back_to] if isinstance(event, Undone) else belief.learn(redact(event, self.seat))
            after[batch.last] = belief
        return [after[batch.last] for batch in self.played.batches]

    @cached_property
    def script(self) -> Transcript:
        return transcript(self.played, self.seat)

    @cached_property
    def _lessons(self) -> list[int]:
        """The batches that taught the viewer something."""
        known = self.known
        return [number for number in range(len(known)) if number == 0 or known[number] != known[number - 1]]

    def ruled_out(self, world: Any) -> int | None:
        """Return the batch with which the viewer could rule the world out, or None."""
        return next((number for number in self._lessons if not self.known[number].allows(world)), None)

    @cached_property
    def listed(self) -> list[list[Any]]:
        """All worlds that were possible at the end, before the last batch, and at the beginning, where they are few."""
        lists = (list(islice(self.known[number].worlds(), ALL + 1)) for number in (-1, -2, 0))
        whole = self.plug.comparable
        return [worlds for worlds in lists if len(worlds) <= ALL and all(whole(one, self.truth) for one in worlds[:1])]

    @cached_property
    def worlds(self) -> list[Any]:
        """The worlds to try: the truth, those that can be listed, and some on a walk from the truth."""
        listed = (world for worlds in self.listed for world in worlds if self.plug.stackable(world))
        return list(dict.fromkeys([self.truth, *listed, *self._walk()]))

    def _walk(self) -> Iterator[Any]:
        """Go from world to neighbouring world, and back the sooner the viewer could rule it out."""
        world, tried = self.truth, 0
        for step in range(4 * SOME):
            rng = Rng(b"walk %d" % self.seat, step)
            near = self.plug.neighbour(world, rng)
            until = self.ruled_out(near)
            if until == 0:  # the viewer's own cards were others: nothing to learn from this one
                continue
            yield near
            tried += 1
            if tried == SOME:
                return
            if until is None or until > rng.below("turn back", len(self.known)):
                world = near


def supports(viewer: Viewer) -> None:
    """Check that the viewer sees the same game in a world exactly as long as the book lets it be possible.

    If it sees another game in a possible world, something leaks; if it sees the same in an impossible one, something
    is kept from it that the book says it knows.
    """
    assert viewer.known[-1].allows(viewer.truth), f"viewer {viewer.seat} rules out the truth: {viewer.truth}"
    for world in viewer.worlds:
        until = viewer.ruled_out(world)
        diverged = rerun(viewer.played, viewer.plug, viewer.script, world).divergence
        if until != (None if diverged is None else diverged.at):
            raise AssertionError(_fault(viewer, world, until, diverged))


def _fault(viewer: Viewer, world: Any, until: int | None, diverged: Divergence | None) -> str:
    if diverged is not None and (until is None or diverged.at < until):
        return f"viewer {viewer.seat} should think {world} possible, but can tell: {diverged.why}"
    assert until is not None
    batch = viewer.played.batches[until]
    events = ", ".join(type(event).__name__ for event in batch.events)
    told = f"viewer {viewer.seat} should rule out {world} with event {batch.seq} ({events}), but sees no difference"
    if until > 0:
        return told
    # The belief is asked at the beginning about worlds of the end.
    return (
        f"{told}. If this world settles what was hidden later, `allows` must accept it until something speaks against"
    )


def lists_what_it_allows(viewer: Viewer) -> None:
    """Check the brute force itself: it lists the worlds that it allows, each once, and the truth is one of them."""
    for worlds in viewer.listed:
        assert len(set(worlds)) == len(worlds), f"viewer {viewer.seat}: a world is listed twice"
        assert viewer.truth in worlds, (
            f"viewer {viewer.seat}: the truth is not among the {len(worlds)} worlds that are listed. If these settle "
            "less than the truth, because something was hidden later, let `comparable` of a plug say so"
        )
    for world in islice(viewer.known[-1].worlds(), ALL):
        assert viewer.known[-1].allows(world), f"viewer {viewer.seat}: {world} is listed and not allowed"
    if len(at_last := list(islice(viewer.known[-1].worlds(), ALL + 1))) <= ALL:
        allowed = {world for world in viewer.worlds if viewer.known[-1].allows(world)}
        assert allowed <= set(at_last), f"viewer {viewer.seat}: a world is allowed and not listed"


def learns_step_by_step(viewer: Viewer) -> None:
    """Check that asking a belief, and learning from there on, leaves it as it was."""
    places = range(0, len(viewer.known), 1 + len(viewer.known) // 3)
    asked = [list(islice(viewer.known[place].worlds(), 20)) for place in places]
    at_once = viewer.learned()
    for place, worlds in zip(places, asked, strict=True):
        for belief in (viewer.known[place], at_once[place]):
            assert list(islice(belief.worlds(), 20)) == worlds, f"viewer {viewer.seat} learns otherwise at once"


def learns_nothing_from_what_may_be_taken_back(viewer: Viewer) -> None:
    """Check that no action that its seat may take back draws, or lets this viewer rule out a world."""
    lessons = {viewer.ruled_out(world) for world in viewer.worlds}
    for number, batch in enumerate(viewer.played.batches):
        cause = batch.cause
        if cause is None or type(cause.action) not in viewer.played.game.INFO.undoable:
            continue
        assert not batch.draws, f"event {batch.seq}: {cause.action} may be taken back, but draws"
        if cause.seat != viewer.seat:
            assert number not in lessons, f"event {batch.seq}: {cause.action} may be taken back, but tells something"


KNOWLEDGE: Final[dict[str, Callable[[Viewer], None]]] = {
    check.__name__: check
    for check in (supports, lists_what_it_allows, learns_step_by_step, learns_nothing_from_what_may_be_taken_back)
}
