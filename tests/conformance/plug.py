"""What the suite cannot know about a game, and asks of tests/games/<game>/worlds.py."""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol, cast

from whodunit.core.offer import Offer
from whodunit.core.rng import Result, Rng
from whodunit.core.types import Action, Batch, Seat


class Possible(Protocol):
    """A Belief by brute force, written from the rules file: it asks who is entitled to know, not what is there."""

    def learn(self, event: Any, /) -> "Possible":
        """Return the belief after one more event as its viewer saw it."""

    def worlds(self) -> Iterable[Any]:
        """Return every world that is still possible, one by one."""

    def allows(self, world: Any, /) -> bool:
        """Say whether `worlds` has this one."""


class Plug(Protocol):
    """A module satisfies it."""

    ELSEWHERE: frozenset[tuple[str, Any]]
    """The option values with which only the game's own tests play: no world of theirs could be stacked."""

    def adjusted(self, seats: int, options: Mapping[str, Any], /) -> dict[str, Any]:
        """Return options that fit each other and the seats, with as little changed as possible."""

    def lively(self, offers: Sequence[Offer], /) -> Sequence[Offer]:
        """Return the part of the offers that lets hidden things be learned soonest."""

    def honest(self, state: Any, seat: Seat, action: Action, /) -> bool:
        """Say whether the action keeps to what the rules leave to the player's honour, such as counting by hand."""

    def invariants(self, before: Any, event: Any, after: Any, /) -> None:
        """Raise AssertionError if the event could not happen, or its state not be, by the rules file."""

    def provable(self, events: Sequence[Any], /) -> bool:
        """Say whether nothing has happened that every belief takes for impossible, such as a cube pushed in a tower."""

    def world(self, state: Any, events: Sequence[Any], /) -> Any:
        """Return everything that is hidden in this state, or was on the way to it."""

    def as_world(self, believed: Any, /) -> Any:
        """Return a world of the game's own belief as `world` would return it."""

    def guess(self, world: Any, /) -> Action:
        """Return a final guess that is right in this world."""

    def stack(self, world: Any, opening: Batch, /) -> Mapping[str, Result]:
        """Return the draws of setup that depend on the world."""

    def again(
        self, world: Any, state: Any, recorded: Batch, seen: Sequence[Any], /
    ) -> tuple[Action | None, Mapping[str, Result]]:
        """Return what the seat does here in this world, and the draws that depend on the world or on what was seen.

        The action is None if whatever looks like the recorded one will do.
        """

    def comparable(self, world: Any, truth: Any, /) -> bool:
        """Say whether the world settles as much as the truth: one from before a later deal, say, does not."""

    def neighbour(self, world: Any, rng: Rng, /) -> Any:
        """Return another world, as like to this one as can be."""

    def belief(self, viewer: Seat, /) -> Possible:
        """Return what the viewer knows before anything was seen."""


def plug_of(game: str) -> Plug:
    """Return the plug of a game; a game without one fails every test of the suite."""
    try:
        return cast(Plug, import_module(f"tests.games.{game}.worlds"))
    except ModuleNotFoundError as error:
        raise AssertionError(f"{game} is in the registry, but tests/games/{game}/worlds.py is not there") from error


def kinds_of(union: Any) -> tuple[type, ...]:
    """Return the members of a game's union of actions or events."""
    return getattr(union, "__args__", (union,))
