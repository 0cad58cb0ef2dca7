"""What the suite asks about a game beyond the game itself: its plug.

A package gives as much of it as it likes, as a module or any other object, by a hook in its conftest.py:

    def pytest_whodunit_plug(game: str) -> object | None:
        return my_plug if game == "my_game" else None

The rest is derived from the game's own belief (derive.py).
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from whodunit.core.offer import Offer
from whodunit.core.rng import Result, Rng
from whodunit.core.types import Action, Batch, Seat

if TYPE_CHECKING:
    from whodunit.conformance.play import Played


class Possible(Protocol):
    """A Belief by brute force, written from the rules file: it asks who is entitled to know, not what is there."""

    def learn(self, event: Any, /) -> "Possible":
        """Return the belief after one more event as its viewer saw it."""

    def worlds(self) -> Iterable[Any]:
        """Return every world that is still possible, one by one."""

    def allows(self, world: Any, /) -> bool:
        """Say whether `worlds` has this one."""


class Plug(Protocol):
    """All that can be given, and is once `complete` has filled in the rest."""

    @property
    def GOLDEN(self) -> Path | None:  # noqa: N802  (a module's constant)
        """The folder of the game's golden transcripts (golden.py), if it has any."""

    @property
    def ELSEWHERE(self) -> frozenset[tuple[str, Any]]:  # noqa: N802  (a module's constant)
        """The option values with which only the game's own tests play: no world of theirs could be stacked."""

    def at(self, played: "Played", /) -> "Plug":
        """Return the plug as it serves this game: what is derived follows from how it was opened."""

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
        """Return everything that is hidden in this state, or was on the way to it; `imagine` must understand it."""

    def as_world(self, believed: Any, /) -> Any:
        """Return a world of the game's own belief as `world` would return it."""

    def guess(self, world: Any, /) -> Any:
        """Return a final guess that is right in this world, or None if there is nothing to guess."""

    def stack(self, world: Any, opening: Batch, /) -> Mapping[str, Result]:
        """Return the draws of setup that depend on the world."""

    def stackable(self, world: Any, /) -> bool:
        """Say whether `stack` knows such draws: one that is derived knows those that it has come across."""

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


def kinds_of(union: Any) -> tuple[type, ...]:
    """Return the members of a game's union of actions or events."""
    return getattr(union, "__args__", (union,))
