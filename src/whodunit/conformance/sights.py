"""What a view tells in words and as numbers: all of it, in one way only, and nothing else."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from whodunit.conformance.reading import Reader
from whodunit.core.describing import Describer
from whodunit.core.observing import names, numbers
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


def sees_apart_what_differs(game: Game, tables: Iterable[Table]) -> int:
    """Check that two views of one seat at equal tables give the same numbers if, and only if, they are now the same.

    Return how many different ones were seen. A game that has no numbers passes.
    """
    seen: dict[bytes, dict[tuple[float, ...], bytes]] = {}
    observed: dict[bytes, Any] = {}
    for table in tables:
        for viewer in table.viewers:
            view = table.views[viewer]
            key = encode([table.seats, view.options, viewer])
            if key not in observed:
                observed[key] = game.observed(table.seats, view.options, viewer)
            if observed[key] is None:
                return 0
            told, current = _numbers(observed[key], view), encode(observed[key].current(view))
            other = seen.setdefault(key, {}).setdefault(told, current)
            where = f"{table.seats} seats, viewer {viewer}, after event {table.seq}"
            assert other == current, f"{where}: the numbers are those of another view: {current!r}, {other!r}"
    for each in seen.values():
        assert len({*each.values()}) == len(each), "two views differ in nothing that is current, and in their numbers"
    return sum(map(len, seen.values()))


def _numbers(observed: Any, view: Any) -> tuple[float, ...]:
    named: list[str] = []
    told: list[float] = []
    for part in observed.parts:
        named += names(part)
        told += numbers(part, part.of(view))
    assert len(named) == len(told), f"{len(named)} numbers have a name, and {len(told)} are told"
    assert len({*named}) == len(named), (
        f"two numbers are called {next(name for name in named if named.count(name) > 1)!r}"
    )
    for name, number in zip(named, told, strict=True):
        assert 0 <= number <= 1, f"{name} is {number}, not from 0 to 1"
    return tuple(told)


def sight(table: Table, viewer: Seat) -> bytes:
    """Return everything that a view tells in words and as numbers, for this viewer."""
    game, view = table.game, table.views[viewer]
    words = Describer(described(game.INFO.id))
    observed = game.observed(table.seats, view.options, viewer)
    return encode(
        [
            words.view(view, viewer),
            [words.offer(offer) for offer in table.offers[viewer]],
            None if observed is None else _numbers(observed, view),
        ]
    )
