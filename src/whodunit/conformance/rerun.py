"""A game played again in another world: what one viewer could see of it repeated, the hidden part from that world."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

from whodunit.conformance.play import Played
from whodunit.conformance.plug import Plug
from whodunit.core.redact import redact, secrets
from whodunit.core.rng import Result, StackedRng
from whodunit.core.types import Action, Batch, Cause, Event, Game, Seat, Undone

TRIED = 1000  # how many actions of another seat are tried before none is said to look like the recorded one


class Divergence(NamedTuple):
    """Where the viewer would have seen another game."""

    at: int
    """The number of the batch."""
    why: str


class Transcript(NamedTuple):
    """What one viewer saw and could do, batch by batch."""

    viewer: Seat | None
    """None: somebody who is told everything, and of whom nothing else is compared."""
    seen: tuple[tuple[Event, ...], ...]
    after: tuple[tuple[Any, ...], ...]
    """The viewer's offers, who was awaited, and the outcome."""


class Rerun(NamedTuple):
    batches: list[Batch]
    divergence: Divergence | None


def transcript(played: Played, viewer: Seat) -> Transcript:
    seen = tuple(_seen(batch.events, viewer) for batch in played.batches)
    return Transcript(viewer, seen, tuple(_after(played.game, table.state, viewer) for table in played.tables))


def happened(batches: Sequence[Batch]) -> Transcript:
    """Return all of what happened, for somebody who is told everything."""
    return Transcript(None, tuple(batch.events for batch in batches), ((),) * len(batches))


def rerun(played: Played, plug: Plug, script: Transcript, world: Any) -> Rerun:
    """Play the game again in this world, as far as the viewer sees the same."""
    game, viewer = played.game, script.viewer
    batches: list[Batch] = []
    states: dict[int, Any] = {0: None}
    for number, recorded in enumerate(played.batches):
        before = states[recorded.seq - 1]
        if number == 0:
            batch = _opened(played, plug, world)
        else:
            meant = plug.again(world, before, recorded, script.seen[number])
            found = _matching(game, before, recorded, script, number, *meant)
            if found is None:
                why = f"in that world nothing could have happened that looks like {script.seen[number]}"
                if known := _known(script.seen[number]):
                    why += f". Of its secrets this viewer is told {', '.join(known)}"
                return Rerun(batches, Divergence(number, _told(recorded, why)))
            batch = found
        seen = _seen(batch.events, viewer)
        if seen != script.seen[number]:
            return Rerun(batches, Divergence(number, _told(recorded, f"{seen} is seen")))
        state = _evolved(game, states, batch)
        batches.append(batch)
        states[batch.last] = state
        after = _after(game, state, viewer)
        if after != script.after[number]:
            return Rerun(batches, Divergence(number, _told(recorded, f"after it {_difference(after, script, number)}")))
    return Rerun(batches, None)


def _opened(played: Played, plug: Plug, world: Any) -> Batch:
    opening = played.batches[0]
    rng = StackedRng(b"rerun", 1, {**_drawn(opening), **plug.stack(world, opening)})
    events = tuple(played.game.setup(played.last.seats, played.options, rng))
    return Batch(seq=1, events=events, draws=tuple(rng.draws))


def _matching(
    game: Game,
    state: Any,
    recorded: Batch,
    script: Transcript,
    number: int,
    meant: Action | None,
    stack: Mapping[str, Result],
) -> Batch | None:
    """Return what the recorded seat can do in this state that looks to the viewer like what it did."""
    if recorded.cause is None:
        return recorded  # only time, or somebody's regret: the same in every world
    for action in _candidates(game, state, recorded.cause, script.viewer, meant):
        rng = StackedRng(b"rerun", recorded.seq, {**_drawn(recorded), **stack})
        events = tuple(game.decide(state, recorded.cause.seat, action, rng))
        if _seen(events, script.viewer) == script.seen[number]:
            return Batch(recorded.seq, events, Cause(recorded.cause.seat, action), tuple(rng.draws))
    return None


def _candidates(game: Game, state: Any, cause: Cause, viewer: Seat | None, meant: Action | None) -> Iterator[Action]:
    """Yield the recorded action if it can be done, then those like it: the viewer itself would do the same.

    If the world says what the seat means to do, that is all.
    """
    offers = game.legal(state, cause.seat)
    if meant is not None:
        return iter([meant] if any(offer.admits(meant) for offer in offers) else [])
    recorded = [cause.action] if any(offer.admits(cause.action) for offer in offers) else []
    if cause.seat == viewer:
        return iter(recorded)
    alike = (action for offer in offers if offer.action is type(cause.action) for action in offer.actions())
    return islice(chain(recorded, (action for action in alike if action != cause.action)), TRIED)


def _evolved(game: Game, states: Mapping[int, Any], batch: Batch) -> Any:
    state = states[batch.seq - 1]
    for event in batch.events:
        state = states[event.back_to] if isinstance(event, Undone) else game.evolve(state, event)
    return state


def _after(game: Game, state: Any, viewer: Seat | None) -> tuple[Any, ...]:
    return () if viewer is None else (list(game.legal(state, viewer)), game.awaiting(state), game.outcome(state))


def _seen(events: tuple[Event, ...], viewer: Seat | None) -> tuple[Event, ...]:
    return events if viewer is None else tuple(redact(event, viewer) for event in events)


def _drawn(batch: Batch) -> dict[str, Result]:
    return {draw.label: draw.result for draw in batch.draws}


def _known(seen: tuple[Event, ...]) -> list[str]:
    """Return the secrets of a batch that its viewer was told."""
    return [
        f"{type(event).__name__}.{name}"
        for event in seen
        for name in secrets(type(event))
        if getattr(event, name) is not None
    ]


def _told(recorded: Batch, instead: str) -> str:
    return f"event {recorded.seq} ({', '.join(type(event).__name__ for event in recorded.events)}): {instead}"


def _difference(after: tuple[Any, ...], script: Transcript, number: int) -> str:
    for what, there, here in zip(("offers", "awaiting", "outcome"), after, script.after[number], strict=True):
        if there != here:
            return f"{what}: {there}, not {here}"
    raise AssertionError("no difference")
