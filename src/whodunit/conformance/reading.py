"""Reads a description back: what can be rebuilt from the words was told by them, and in one way only.

It knows the types and the texts, as a careful reader does, and tries every way in which they may be meant.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, TypeAlias

from msgspec import Struct, inspect

from whodunit.conformance.plug import kinds_of
from whodunit.core.describing import AMONG, Describer, Kind, Labelled, gaps, labelled
from whodunit.core.info import Options
from whodunit.core.offer import Offer, One, Order, Some
from whodunit.core.types import TABLE, Game

SEATS: Final = range(TABLE, 100)
LISTS: Final[Mapping[type, type]] = {
    inspect.ListType: list,
    inspect.SetType: set,
    inspect.FrozenSetType: frozenset,
}

Read: TypeAlias = Callable[[Kind, str, str], Iterator[Any]]
"""Yields every value of a kind that may be meant by a text, under the key of its label."""


class Reader:
    """Reads what a describer of the same language has said."""

    def __init__(self, game: Game, texts: Mapping[str, str]) -> None:
        self.game = game
        self.texts = texts
        self.words = Describer(texts)
        self.after_label = self.words.entry("", "")

    def view(self, text: str) -> Any:
        """Return the view that a description tells."""
        _, *lines = text.split("\n")
        entries = [(label, said) for label, _, said in (line.partition(self.after_label) for line in lines)]
        told = {}
        state: Any = self.game.INFO.state
        for field in labelled(state):
            label = self.words.label(field)
            whole = [said for name, said in entries if name == label]
            parts = [said for name, said in entries if name.startswith(f"{label} ") and name.split()[-1].isdigit()]
            told[field.name] = self._field(field, label, whole, parts)
        return state(**told)

    def _field(self, field: Labelled, label: str, whole: Sequence[str], parts: Sequence[str]) -> Any:
        if field.kind.is_long and not whole:
            items = field.kind.items(len(parts))
            return tuple(_only(self.read(item, said, field.key), said) for item, said in zip(items, parts, strict=True))
        assert len(whole) == 1, f"{len(whole)} lines tell of {label!r}"
        return _only(self.read(field.kind, whole[0], field.key), whole[0])

    def action(self, text: str) -> Any:
        """Return the action that a description tells."""
        return _only((kind(**told) for kind, told in self._actions(text, self.read)), text)

    def offer(self, text: str) -> Offer:
        """Return the offer that a description tells, but for its date."""
        return _only((Offer(kind, told) for kind, told in self._actions(text, self._choices)), text)  # type: ignore[no-any-return]

    def _actions(self, text: str, read: Read) -> Iterator[tuple[Any, dict[str, Any]]]:
        for kind in kinds_of(self.game.INFO.action):
            yield from ((kind, told) for told in self._listed(self.words.name(kind), labelled(kind), text, read))

    def _choices(self, kind: Kind, text: str, key: str) -> Iterator[Any]:
        found = [*self._several_choices(kind, text, key)]
        # A word that no text has may be any: it is one only if there is no other way to read it.
        yield from found or (One((value,)) for value in self.read(kind, text, key))

    def _several_choices(self, kind: Kind, text: str, key: str) -> Iterator[Any]:
        for gap in _filled(self.texts["told.some_of"], text):
            if gap["least"].isdigit() and gap["most"].isdigit():
                for of in self._each(kind.each, gap["values"], key):
                    yield Some(of, int(gap["least"]), int(gap["most"]))
        for gap in _filled(self.texts["told.order_of"], text):
            yield from map(Order, self._each(kind.each, gap["values"], key))
        for gap in _filled(self.texts["told.one_of"], text):
            yield from map(One, self._each((kind,), gap["values"], key))

    def _each(self, kinds: Sequence[Kind], text: str, key: str) -> Iterator[tuple[Any, ...]]:
        for each in kinds[:1]:
            yield from self._items([each] * len(_split(text, AMONG)), text, key)

    # --- A value ---------------------------------------------------------------------------------------------------

    def read(self, kind: Kind, text: str, key: str, *, inside: bool = False) -> Iterator[Any]:
        """Yield every value of this kind that is said so."""
        match kind.bare:
            case inspect.UnionType():
                for arm in kind.arms:
                    yield from self.read(arm, text, key, inside=inside)
            case inspect.NoneType():
                yield from [None] if text == self.words.none(key) else []
            case _ if kind.by is not None:
                yield from self._places(kind, text, key, inside=inside)
            case _ if kind.is_list:
                yield from self._list(kind, text, key)
            case inspect.StructType(cls=cls):
                yield from self._struct(cls, text)
            case _:
                yield from self._plain(kind, text, key)

    def _inside(self, kind: Kind, text: str, key: str) -> Iterator[Any]:
        return self.read(kind, text, key, inside=True)

    def _places(self, kind: Kind, text: str, key: str, *, inside: bool) -> Iterator[tuple[Any, ...]]:
        if text == self.texts["told.nothing"]:
            yield ()
            return
        bare = _unbracketed(text) if inside else text
        if bare is None:
            return
        entries = _split(bare, self.texts["told.between"])
        names, items = self.words.places(kind, len(entries)), kind.items(len(entries))
        if len(names) == len(items) == len(entries):
            yield from _ways([self._entry(*each, key) for each in zip(names, items, entries, strict=True)])

    def _entry(self, label: str, kind: Kind, entry: str, key: str, read: Read | None = None) -> Iterator[Any]:
        start = f"{label}{self.after_label}"
        if entry.startswith(start):
            yield from (read or self._inside)(kind, entry.removeprefix(start), key)

    def _list(self, kind: Kind, text: str, key: str) -> Iterator[Any]:
        made = LISTS.get(type(kind.bare), tuple)
        if text == self.texts["told.nothing"]:
            yield made()
        else:
            yield from map(made, self._items(kind.items(len(_split(text, AMONG))), text, key))

    def _items(self, items: Sequence[Kind], text: str, key: str) -> Iterator[tuple[Any, ...]]:
        said = _split(text, AMONG)
        if len(said) == len(items):
            yield from _ways([self._item(item, each, key) for item, each in zip(items, said, strict=True)])

    def _item(self, kind: Kind, text: str, key: str) -> Iterator[Any]:
        bare = _unbracketed(text) if kind.is_list else text
        if bare is not None:
            yield from self._inside(kind, bare, key)

    def _struct(self, cls: type[Struct], text: str) -> Iterator[Struct]:
        fields = labelled(cls)
        sentence = self.words.sentence(cls)
        if sentence is None:
            name = "" if issubclass(cls, Options) else cls.__name__
            yield from (cls(**told) for told in self._listed(name, fields, text, self._inside))
            return
        by_name = {field.name: field for field in fields}
        left_out = by_name.keys() - {*gaps(sentence)}
        assert not left_out, f"told.{cls.__name__} leaves out {', '.join(sorted(left_out))}: {sentence!r}"
        for gap in _filled(sentence, text):
            read = [self._inside(by_name[name].kind, said, by_name[name].key) for name, said in gap.items()]
            yield from (cls(**dict(zip(gap, way, strict=True))) for way in _ways(read))

    def _listed(self, name: str, fields: Sequence[Labelled], text: str, read: Read) -> Iterator[dict[str, Any]]:
        if not fields:
            yield from [{}] if text == name else []
            return
        bare = _unbracketed(text.removeprefix(f"{name} ")) if name and text.startswith(f"{name} (") else text
        entries = _split(bare or "", self.texts["told.between"])
        if bare is None or len(entries) != len(fields) or (name and bare is text):
            return
        told = [
            self._entry(self.words.label(field), field.kind, entry, field.key, read)
            for field, entry in zip(fields, entries, strict=True)
        ]
        yield from ({field.name: each for field, each in zip(fields, way, strict=True)} for way in _ways(told))

    def _plain(self, kind: Kind, text: str, key: str) -> Iterator[Any]:
        match kind.bare:
            case _ if kind.is_seat:
                yield from (seat for seat in SEATS if self.words.player(seat) == text)
            case _ if kind.words is not None:
                yield from (value for value, word in kind.words.items() if self.words.word(word) == text)
            case inspect.LiteralType(values=values):
                yield from (value for value in values if self.words.plain(kind, value, key) == text)
            case inspect.BoolType():
                yield from (value for value in (False, True) if self.words.plain(kind, value, key) == text)
            case inspect.IntType():
                yield from [int(text)] if text.removeprefix("-").isdigit() else []
            case inspect.FloatType():
                with suppress(ValueError):
                    yield float(text)
            case inspect.BytesType():
                with suppress(ValueError):
                    yield bytes.fromhex(text)
            case inspect.StrType():
                yield from self._words_for(text, key) or [text]

    def _words_for(self, text: str, key: str) -> list[str]:
        starts = (f"{key}.", "term.")
        names = (name for name, said in self.texts.items() if said == text)
        return sorted(
            {name.removeprefix(start) for name in names for start in starts if name.startswith(start)} - {"none"}
        )


def _only(values: Iterator[Any], text: str) -> Any:
    found: list[Any] = []
    for value in values:
        if value not in found:
            found.append(value)
    assert len(found) == 1, f"{text!r} can be read in {len(found)} ways: {found[:3]}"
    return found[0]


def _filled(sentence: str, text: str) -> Iterator[dict[str, str]]:
    """Yield every way in which the gaps of a sentence may be filled so that this text comes out."""
    names, rest = gaps(sentence), sentence
    parts = []
    for name in names:
        before, _, rest = rest.partition(f"{{{name}}}")
        parts.append(before)
    yield from _fillings(names, [*parts, rest], text)


def _fillings(names: Sequence[str], parts: Sequence[str], text: str) -> Iterator[dict[str, str]]:
    """Yield what may stand in these gaps, where the parts stand before, between and behind them."""
    if not text.startswith(parts[0]):
        return
    rest = text.removeprefix(parts[0])
    if not names:
        yield from [{}] if not rest else []
        return
    ends = (end for end in range(len(rest) + 1) if rest.startswith(parts[1], end))
    for end in ends:
        yield from ({names[0]: rest[:end], **others} for others in _fillings(names[1:], parts[1:], rest[end:]))


def _split(text: str, separator: str) -> list[str]:
    """Split a text where it stands in no bracket."""
    parts: list[str] = []
    for part in text.split(separator):
        if parts and parts[-1].count("(") > parts[-1].count(")"):
            parts[-1] += separator + part
        else:
            parts.append(part)
    return parts


def _unbracketed(text: str) -> str | None:
    return text[1:-1] if text.startswith("(") and text.endswith(")") else None


def _ways(each: Sequence[Iterator[Any]]) -> Iterator[tuple[Any, ...]]:
    """Yield every way to choose one value of each."""
    if not each:
        yield ()
        return
    first, others = [*each[0]], each[1:]
    if first:
        rest = [*_ways(others)]
        yield from ((value, *way) for value in first for way in rest)
