"""Actions by number: every action that could ever be on offer has one index, and offers are a mask over the indices.

Most actions are one index each. Where an action holds an order of many things, or a choice of many out of many, there
are too many of them: such an action is spelled, index by index, and each of its indices means one thing more. So
`index(action, begun)` is the next index on the way to an action, and `at(index, begun)` is the action, or None while
more of it must be said. Every action has one spelling, and none begins another. Only the actions of a widest offer
with an `Order`, or with a `Some` of more than 1,000 choices, are spelled: in our games that is `Arrange` of Mord im
Arosa, and `Accuse` of Perfect Alibi where numbers are counted by hand and not forgiven.
"""

from collections.abc import Hashable, Mapping, Sequence
from math import prod
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from whodunit import games
from whodunit.core.info import Options
from whodunit.core.offer import Choice, Offer, One, Order, Some
from whodunit.core.types import Action, Game

VERSION: Final = 0
"""Rises when an index says another action, or a number tells something else, than it did before in a game of ours.

What has been trained under one version knows nothing of the next. Ids of environments end with it, such as `clue-v0`.
"""
TURNS: Final = 500
"""In an environment that says nothing else a game is cut after so many turns."""
LISTED: Final = 1000
"""So many values of a choice are numbered one by one; a choice of more is spelled."""
KEPT: Final = 4096
"""So many offers are remembered with their indices; then they are looked up anew."""

Mask = NDArray[np.bool_]
Begun = tuple[int, ...]
"""The indices of an action that have been said; none, unless it is spelled."""


class Wait(Action, frozen=True):
    """Let the moment pass: an environment's own action, of a seat that is asked whether it interrupts."""


class ActionSpace:
    """The actions of a game at so many seats, with these options and at most so many turns."""

    size: int
    """How many indices there are, from 0."""
    wait: int
    """The index of Wait, which is the last; no offer is one of waiting, so no mask has it but an environment's."""
    spelled: range
    """The indices that actions of more than one are made of, but their first; nearly always there are none."""

    def __init__(
        self, game: Game | str, seats: int, options: Options | Mapping[str, object], turns: int = TURNS
    ) -> None:
        game = games.get(game) if isinstance(game, str) else game
        options = options if isinstance(options, Options) else game.INFO.parse(seats, options)
        if turns < 1:
            raise ValueError(f"a game of {turns} turns has no actions")
        widest = game.space(seats, options, turns)
        if widest is None:
            raise LookupError(f"{game.INFO.id} does not say which actions there could ever be: it brings no `space`")
        self._made_of = game.INFO.id, seats, options, turns
        self.parts: dict[type[Action], list[_Part]] = {}
        start = 0
        self._by_start: list[_Part] = []
        for offer in sorted(widest, key=_has_spelled):  # last: what is spelled stands together
            part = _Part(offer, start)
            if not all(part.is_apart_from(other) for other in self.parts.get(offer.action, ())):
                raise ValueError(f"two of the widest offers of {game.INFO.id} admit the same {offer.action.__name__}")
            self.parts.setdefault(offer.action, []).append(part)
            self._by_start.append(part)
            start += part.size
        self.spelled = range(next((part.start + part.flats for part in self._by_start if part.spelled), start), start)
        self.wait = start
        self.size = start + 1
        self._actions: dict[int, Action | None] = {}
        self._same: dict[tuple[type[Action], int], tuple[object, _Indices]] = {}
        self._equal: dict[tuple[Hashable, ...], _Indices] = {}

    def index(self, action: Action, begun: Begun = ()) -> int:
        """Return the action's index; of an action that is spelled, the next one after those begun."""
        if type(action) is Wait:
            return self.wait
        spelling = self.spelling(action)
        if spelling[: len(begun)] != begun or len(spelling) == len(begun):
            raise ValueError(f"{action} does not begin with {', '.join(map(self.name, begun))}")
        return spelling[len(begun)]

    def spelling(self, action: Action) -> tuple[int, ...]:
        """Return all indices of an action: nearly always one."""
        for part in self.parts.get(type(action), ()):
            if (spelling := part.spelling(action)) is not None:
                return spelling
        raise ValueError(f"{action} is no action of this space{self._reason()}")

    def at(self, index: int, begun: Begun = ()) -> Action | None:
        """Return the action of this index, or of those begun and this one; None while more of it must be said."""
        if begun:
            return self._part_of(begun[0]).read((*begun, index))
        if index not in self._actions:
            self._actions[index] = Wait() if index == self.wait else self._part_of(index).read((index,))
        return self._actions[index]

    def mask(self, offers: Sequence[Offer], begun: Begun = ()) -> Mask:
        """Return which indices these offers admit next."""
        mask = np.zeros(self.size, np.bool_)
        if begun:
            part = self._part_of(begun[0])
            said = part.parse(begun)
            for offer in offers:
                if offer.action is part.action and part.includes(offer):
                    mask[part.next(offer, said)] = True
            return mask
        same = self._same
        for offer in offers:
            known = same.get((offer.action, id(offer.choices)))
            mask[known[1] if known is not None else self._indices(offer)] = True
        return mask

    def said(self, offers: Sequence[Offer], index: int, begun: Begun = ()) -> Action | Begun:
        """Say an index that the mask admits: return the action, or what is begun of it now.

        Whatever else of a spelled action is no choice any more is said along with it.
        """
        while True:
            action = self.at(index, begun)
            if action is not None:
                return action
            begun = (*begun, index)
            left = self.mask(offers, begun).nonzero()[0]
            if len(left) != 1:
                return begun
            index = int(left[0])

    def name(self, index: int) -> str:
        """Return what an index says, for whoever reads logs; `describe` has words for people."""
        return "Wait()" if index == self.wait else self._part_of(index).name(index)

    def _part_of(self, index: int) -> "_Part":
        for part in self._by_start:
            if part.start <= index < part.start + part.size:
                return part
        raise IndexError(f"{index} is no action of this space, which has {self.size}")

    def _indices(self, offer: Offer) -> "_Indices":
        """Return the first indices of an offer's actions, and remember them: by identity, and for equal offers."""
        key = (offer.action, *offer.choices.values())
        indices = self._equal.get(key)
        if indices is None:
            part = next((part for part in self.parts.get(offer.action, ()) if part.includes(offer)), None)
            if part is None:
                raise ValueError(f"{offer} admits actions that this space has not{self._reason()}")
            indices = part.first(offer)
            if len(self._equal) >= KEPT:
                self._equal.clear()
            self._equal[key] = indices
        if len(self._same) >= KEPT:
            self._same.clear()
        self._same[offer.action, id(offer.choices)] = offer.choices, indices  # kept, so that the id stays its own
        return indices

    def _reason(self) -> str:
        id, seats, _, turns = self._made_of
        return f", which is of {id} with {seats} seats and at most {turns} turns"

    def __reduce__(self) -> tuple[Any, ...]:
        return ActionSpace, self._made_of

    def __repr__(self) -> str:
        return f"<ActionSpace of {self.size}{self._reason()}>"


class _Said(Struct, frozen=True):
    """What has been said of an action that is spelled."""

    flat: tuple[Any, ...]
    """The values of the fields that are numbered together; none yet, or all."""
    whole: tuple[tuple[Any, ...], ...]
    """The values of the spelled fields that are finished."""
    begun: tuple[Any, ...]
    """What has been said of the next one."""


class _Part:
    """The indices of a widest offer.

    Its fields that are not spelled are numbered together, by mixed radix. Behind those stands, for each field that is
    spelled, an index for each value and one that ends it. An offer that has nothing else begins with its spelled field.
    """

    def __init__(self, offer: Offer, start: int) -> None:
        self.action = offer.action
        self.start = start
        self.choices = offer.choices
        self.spelled = {name: choice for name, choice in offer.choices.items() if _is_spelled(choice)}
        self.flat = {name: _numbered(choice) for name, choice in offer.choices.items() if name not in self.spelled}
        self.values = [tuple(places) for places in self.flat.values()]
        self.flats = prod(map(len, self.values)) if self.flat or not self.spelled else 0
        self.starts: list[int] = []
        self.of = [tuple(choice.of) for choice in self.spelled.values()]
        self.places = [{value: place for place, value in enumerate(choice.of)} for choice in self.spelled.values()]
        end = start + self.flats
        for places in self.places:
            self.starts.append(end)
            end += len(places) + 1
        self.size = end - start

    def spelling(self, action: Action) -> tuple[int, ...] | None:
        """Return the indices of an action, or None if it is not of this part."""
        indices: list[int] = []
        if self.flats:
            index = 0
            for name, places in self.flat.items():
                place = places.get(getattr(action, name))
                if place is None:
                    return None
                index = index * len(places) + place
            indices.append(self.start + index)
        for (name, choice), start, places in zip(self.spelled.items(), self.starts, self.places, strict=True):
            value = getattr(action, name)
            if not all(item in places for item in value) or (isinstance(choice, Some) and not choice.admits(value)):
                return None
            indices += [start + places[item] for item in value]
            indices.append(start + len(places))
        return tuple(indices)

    def parse(self, indices: Begun) -> _Said:
        """Read what these indices say."""
        flat: tuple[Any, ...] = ()
        rest = list(indices)
        if self.flats and rest:
            flat = self._flat(rest.pop(0) - self.start)
        whole: list[tuple[Any, ...]] = []
        begun: list[Any] = []
        for index in rest:
            if len(whole) == len(self.starts):
                raise ValueError(f"{self.name(index)} follows a whole {self.action.__name__}")
            place = index - self.starts[len(whole)]
            of = self.of[len(whole)]
            if not 0 <= place <= len(of):
                raise ValueError(f"index {index} says nothing of {list(self.spelled)[len(whole)]}")
            if place < len(of):
                begun.append(of[place])
            else:
                whole.append(tuple(begun))
                begun = []
        return _Said(flat, tuple(whole), tuple(begun))

    def read(self, indices: Begun) -> Action | None:
        """Return the action that these indices say, or None while more of it must be said."""
        said = self.parse(indices)
        if len(said.whole) < len(self.spelled):
            return None
        flat, spelled = iter(said.flat), iter(said.whole)
        return self.action(*[next(spelled if name in self.spelled else flat) for name in self.choices])

    def includes(self, offer: Offer) -> bool:
        """Say whether every action of the offer is one of this part's."""
        return all(_within(choice, self.choices[name]) for name, choice in offer.choices.items())

    def is_apart_from(self, other: "_Part") -> bool:
        """Say whether no action is one of both parts: some field has no value in common."""
        flat = (self.flat[name].keys().isdisjoint(other.flat[name]) for name in self.flat.keys() & other.flat.keys())
        spelled = self.spelled.keys() & other.spelled.keys()
        return any(flat) or any(set(self.spelled[name].of).isdisjoint(other.spelled[name].of) for name in spelled)

    def first(self, offer: Offer) -> "_Indices":
        """Return the first indices of an offer's actions."""
        if not self.flats:
            return self._next_of(offer, _Said((), (), ()))
        indices = np.array([self.start])
        for name, places in self.flat.items():
            chosen = np.array([places[value] for value in offer.choices[name]])
            indices = np.add.outer((indices - self.start) * len(places), chosen).ravel() + self.start
        return _compact(np.sort(indices))

    def next(self, offer: Offer, said: _Said) -> "_Indices":
        """Return with which indices what has been said can be gone on with by an action of this offer."""
        for name, value in zip(self.flat, said.flat, strict=True):
            if not offer.choices[name].admits(value):
                return _NOTHING
        for name, whole in zip(self.spelled, said.whole, strict=False):
            if not offer.choices[name].admits(whole):
                return _NOTHING
        return self._next_of(offer, said)

    def _next_of(self, offer: Offer, said: _Said) -> "_Indices":
        nth = len(said.whole)
        choice = offer.choices[list(self.spelled)[nth]]
        places, start, begun = self.places[nth], self.starts[nth], said.begun
        if isinstance(choice, Order):
            left = [value for value in choice.of if value not in begun]
            if len(left) + len(begun) != len(choice.of):
                return _NOTHING
            least = most = len(choice.of)
        else:
            assert isinstance(choice, Some)
            rest = iter(choice.of)
            if not all(value in rest for value in begun):
                return _NOTHING
            left = list(rest)
            least, most = choice.least, choice.most
            left = left[: max(0, len(left) + len(begun) + 1 - least)]  # behind these there would be too few
        indices = [start + places[value] for value in left] if len(begun) < most else []
        if least <= len(begun) <= most:
            indices.append(start + len(places))
        return np.array(indices, np.intp)

    def name(self, index: int) -> str:
        kind, nth = self.action.__name__, index - self.start
        if nth < self.flats:
            told = ", ".join(f"{name}={_word(value)}" for name, value in zip(self.flat, self._flat(nth), strict=True))
            return f"{kind}({told}{', ...' if self.spelled else ''})"
        which = max(place for place, start in enumerate(self.starts) if start <= index)
        field, of, place = list(self.spelled)[which], self.of[which], index - self.starts[which]
        return f"{kind}({field}: {of[place]})" if place < len(of) else f"{kind}({field}: no more)"

    def _flat(self, nth: int) -> tuple[Any, ...]:
        places: list[Any] = []
        for values in reversed(self.values):
            nth, place = divmod(nth, len(values))
            places.append(values[place])
        return tuple(reversed(places))


_Indices = NDArray[np.intp] | slice
_NOTHING: Final = slice(0)


def _compact(indices: NDArray[np.intp]) -> _Indices:
    """Return indices as a slice if they follow one another: that is quicker to write."""
    first, last = int(indices[0]), int(indices[-1])
    return slice(first, last + 1) if last - first + 1 == len(indices) else indices


def _has_spelled(offer: Offer) -> bool:
    return any(map(_is_spelled, offer.choices.values()))


def _is_spelled(choice: Choice) -> bool:
    return isinstance(choice, Order) or (isinstance(choice, Some) and choice.count > LISTED)


def _numbered(choice: Choice) -> dict[Any, int]:
    return {value: place for place, value in enumerate(choice)}


def _within(choice: Choice, widest: Choice) -> bool:
    """Say whether everything that a choice admits is admitted by the widest one; an order may be one of fewer."""
    if isinstance(widest, One):
        return isinstance(choice, One) and widest.includes(choice)
    if isinstance(widest, Order):
        return isinstance(choice, Order) and set(choice.of) <= set(widest.of)
    if not isinstance(choice, Some) or choice.least < widest.least or min(choice.most, len(choice.of)) > widest.most:
        return False
    rest = iter(widest.of)
    return all(value in rest for value in choice.of)


def _word(value: Any) -> str:
    return f"({'+'.join(map(str, value))})" if isinstance(value, tuple) else str(value)
