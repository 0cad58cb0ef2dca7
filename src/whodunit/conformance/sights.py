"""What a view tells in words and as numbers: all of it, in one way only, and nothing else."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whodunit.conformance.reading import Reader
from whodunit.core.describing import Describer, Kind, labelled
from whodunit.core.observing import Observed, Part, names, numbers
from whodunit.core.types import Game, Seat
from whodunit.core.wire import encode
from whodunit.games import described
from whodunit.table.table import Table


def tells_all_of_it(table: Table, viewer: Seat, language: str) -> None:
    """Check that a view and its offers can be rebuilt from what is said of them."""
    game = table.game
    texts = described(game.INFO.id, language)
    words, reader = Describer(texts), Reader(game, texts)
    where = f"in {language}, after event {table.seq}, viewer {viewer}"
    view = table.views[viewer]
    again = reader.view(words.view(view, viewer))
    for field in view.__struct_fields__:
        said, known = getattr(again, field), getattr(view, field)
        assert said == known, f"{where}: {field} is {known!r}, and what is told says {said!r}"
    for offer in table.offers[viewer]:
        read = replace(reader.offer(words.offer(offer)), since=offer.since)
        assert read == offer, f"{where}: {offer} is told as {read}: {words.offer(offer)}"
        action = offer.at(offer.count // 2)
        assert reader.action(words.action(action)) == action, f"{where}: {words.action(action)} is not {action}"


class Numbers:
    """What a seat sees as numbers, each part kept by what it told: most of it is the same again and again."""

    def __init__(self, observed: Observed) -> None:
        self.current = observed.current
        self._parts = [(part, {}) for part in observed.parts]  # type: list[tuple[Part, dict[Any, tuple[float, ...]]]]
        self._names = [name for part in observed.parts for name in names(part)]
        several = {name for name in self._names if self._names.count(name) > 1}
        assert not several, f"two numbers are called {min(several)!r}"

    def of(self, view: Any) -> tuple[float, ...]:
        """Return the numbers of a view, as many as there are names, each from 0 to 1."""
        told = tuple(chain.from_iterable(self._of_part(part, kept, part.of(view)) for part, kept in self._parts))
        assert len(told) == len(self._names), f"{len(self._names)} numbers have a name, and {len(told)} are told"
        return told

    def _of_part(self, part: Part, kept: dict[Any, tuple[float, ...]], told: Any) -> tuple[float, ...]:
        if told not in kept:
            kept[told] = tuple(numbers(part, told))
            for name, number in zip(names(part), kept[told], strict=True):
                assert 0 <= number <= 1, f"{name} is {number}, not from 0 to 1"
        return kept[told]


def sees_apart_what_differs(game: Game, tables: Sequence[Table]) -> int:
    """Check that two views of one seat give the same numbers if, and only if, they are now the same.

    That is tried with views of one table after another, and with views in which a single thing is another's. Return how
    many different ones were seen. A game that has no numbers passes.
    """
    known: dict[bytes, Numbers] = {}
    seen: dict[tuple[bytes, tuple[float, ...]], bytes] = {}
    last: dict[bytes, Any] = {}
    for table in tables:
        state = table.state
        for viewer in table.viewers:
            key = encode([table.seats, state.options, viewer])
            if key not in known:
                observed = game.observed(table.seats, state.options, viewer)
                if observed is None:
                    return 0
                known[key] = Numbers(observed)
            view = table.views[viewer]
            is_mixed = viewer == table.seq % table.seats
            for where, mixed in chain([("", view)], _mixtures(view, last.get(key, state)) if is_mixed else ()):
                current = encode(known[key].current(mixed))
                other = seen.setdefault((key, known[key].of(mixed)), current)
                assert other == current, (
                    f"{table.seats} seats, after event {table.seq}, with another {where or 'view'}: viewer {viewer} "
                    f"gets the same numbers, whether {_differing(current, other)}"
                )
            last[key] = state
    current_of = [(key, current) for (key, _), current in seen.items()]
    assert len({*current_of}) == len(current_of), "two views differ in nothing that is current, and in their numbers"
    return len(seen)


def _mixtures(view: Struct, other: Struct) -> Iterator[tuple[str, Any]]:
    """Yield the view with one thing in it as in another, and which."""
    for field in labelled(type(view)):
        mine, its = getattr(view, field.name), getattr(other, field.name)
        for place, mixed in _mixed(field.kind, mine, its):
            yield f"{field.name}{place}", replace(view, **{field.name: mixed})


def _mixed(kind: Kind, mine: Any, its: Any) -> Iterator[tuple[str, Any]]:
    if mine == its:
        return
    yield "", its
    if kind.by is not None and len(mine) == len(its):
        for place, each in enumerate(its):
            yield f"[{place}]", (*mine[:place], each, *mine[place + 1 :])
    elif isinstance(mine, Struct) and type(mine) is type(its):
        yield from ((f".{place}", mixed) for place, mixed in _mixtures(mine, its))


def _differing(one: bytes, other: bytes) -> str:
    here, there = msgspec.json.decode(one), msgspec.json.decode(other)
    return ", ".join(f"{field} is {here[field]!r} or {there[field]!r}" for field in here if here[field] != there[field])


def sight(table: Table, viewer: Seat) -> bytes:
    """Return everything that a view tells in words and as numbers, for this viewer."""
    game, view = table.game, table.views[viewer]
    words = Describer(described(game.INFO.id))
    observed = game.observed(table.seats, view.options, viewer)
    return encode(
        [
            words.view(view, viewer),
            [words.offer(offer) for offer in table.offers[viewer]],
            None if observed is None else Numbers(observed).of(view),
        ]
    )
