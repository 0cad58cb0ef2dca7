"""What a question would tell, counted world by world with the real rules: the second opinion on a belief's gains.

It takes every world that the belief cannot rule out, weighs it by how likely the answers so far were in it, plays the
question in it with every answer, and looks at what the viewer would see. It knows no game, and it is slow.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import islice
from math import log2
from typing import Any, Final

from whodunit.core.redact import redact
from whodunit.core.rng import Rng
from whodunit.core.types import Action, Batch, Belief, Event, Game, Seat, Undone
from whodunit.table.table import Table

MOST: Final = 400
"""Where more worlds are possible, nothing is counted."""
SOLUTIONS: Final[Mapping[str, Callable[[Any], Hashable]]] = {
    "perfect_alibi": lambda world: world.missing,
    "crime_hotel": lambda world: world.deals[-1].hidden,
}
"""What is to be found out in a world, where that is not what the game's bots imagine (`Belief.answer`)."""


class Uncountable(Exception):
    """There are too many worlds, or what is to be counted cannot be done in all of them."""


class Counted:
    """Every world that a viewer cannot rule out, with its weight: if all who choose an answer choose evenly."""

    def __init__(self, table: Table, viewer: Seat, batches: Sequence[Batch], belief: Belief) -> None:
        self.game = table.game
        self.seed = table.seed
        """What is drawn besides, such as the next chip to take, is drawn as it was."""
        self.viewer = viewer
        self.solution = SOLUTIONS.get(self.game.INFO.id, belief.answer)
        worlds = [*islice(belief.worlds(), MOST + 1)]
        if len(worlds) > MOST:
            raise Uncountable("there are too many worlds")
        self.worlds = [(world, weight) for world in worlds if (weight := self._weight(batches, world))]
        if not self.worlds:
            raise Uncountable("no world can be played again")
        self.view = self._seen(batches)

    def _seen(self, batches: Sequence[Batch]) -> Any:
        view = None
        for batch in batches:
            for event in batch.events:
                view = self.game.evolve(view, redact(event, self.viewer))
        return view

    def _weight(self, batches: Sequence[Batch], world: Any) -> float:
        """Return how likely others were to answer as they did, as far as this viewer saw it, if this is the world."""
        weight, view = 1.0, None
        for batch in batches:
            if any(isinstance(event, Undone) for event in batch.events):
                raise Uncountable("something was taken back")
            seen = tuple(redact(event, self.viewer) for event in batch.events)
            after = reduce(self.game.evolve, seen, view)
            cause = batch.cause
            if cause is not None and cause.seat != self.viewer and type(cause.action) in self.game.INFO.answers:
                state = self.game.imagine(view, world)
                then = self.game.imagine(after, world)
                answers = [*_answers(self.game, state, cause.seat)]
                fits = sum(
                    self._same(state, cause.seat, answer, Rng(self.seed, batch.seq), seen, then) for answer in answers
                )
                weight *= fits / len(answers) if answers else 0.0
            if not weight:
                return 0.0
            view = after
        return weight

    def _same(self, state: Any, seat: Seat, answer: Action, rng: Rng, seen: tuple[Event, ...], then: Any) -> bool:
        """Say whether an answer looks as it did, and leads to where this world is."""
        events = tuple(self.game.decide(state, seat, answer, rng))
        looks = tuple(redact(event, self.viewer) for event in events) == seen
        return looks and reduce(self.game.evolve, events, state) == then

    @property
    def entropy(self) -> float:
        """How many bits are missing."""
        return _entropy(self._solutions())

    def _solutions(self) -> dict[Hashable, float]:
        found: defaultdict[Hashable, float] = defaultdict(float)
        for world, weight in self.worlds:
            found[self.solution(world)] += weight
        return found

    def gain(self, question: Action, by: Seat) -> float:
        """Return how many bits the answer to a question may be expected to tell."""
        told: defaultdict[Hashable, defaultdict[Hashable, float]] = defaultdict(lambda: defaultdict(float))
        for world, weight in self.worlds:
            state = self.game.imagine(self.view, world)
            if not any(offer.admits(question) for offer in self.game.legal(state, by)):
                raise Uncountable("who can do this tells by it what they hold")
            for seen, chance in self._played(state, by, question):
                told[seen][self.solution(world)] += weight * chance
        total = sum(weight for _, weight in self.worlds)
        return self.entropy - sum(sum(then.values()) / total * _entropy(then) for then in told.values())

    def _played(self, state: Any, seat: Seat, action: Action) -> Iterator[tuple[tuple[Event, ...], float]]:
        """Yield what the viewer may see of an action and all that answers it, with its chance in this world."""
        events = tuple(self.game.decide(state, seat, action, Rng(self.seed, 0)))
        seen = tuple(redact(event, self.viewer) for event in events)
        state = reduce(self.game.evolve, events, state)
        asked = [
            (other, answers)
            for other in sorted(self.game.awaiting(state))
            if (answers := [*_answers(self.game, state, other)])
        ]
        if not asked or self.game.outcome(state) is not None:
            yield seen, 1.0
            return
        other, answers = asked[0]
        for answer in answers:
            for more, chance in self._played(state, other, answer):
                yield (*seen, *more), chance / len(answers)


def _answers(game: Game, state: Any, seat: Seat) -> Iterator[Action]:
    for offer in game.legal(state, seat):
        if offer.action in game.INFO.answers:
            yield from offer.actions()


def _entropy(weights: dict[Hashable, float]) -> float:
    total = sum(weights.values())
    return -sum(weight / total * log2(weight / total) for weight in weights.values() if weight)
