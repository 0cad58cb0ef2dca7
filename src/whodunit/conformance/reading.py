"""Reads a description back: whatever can be rebuilt from the words was told by them.

It knows the types and the texts, as a careful reader does, and tries every way in which a sentence may be meant.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, inspect

from whodunit.core.describing import AMONG, Describer, Field, Kind, fields, gaps, is_list, is_long, items_of, kind_of
from whodunit.core.info import Options
from whodunit.core.offer import Offer, One, Order, Some
from whodunit.core.types import Action, Game

MOST_PLACES = 200


class Unread(AssertionError):
    """A description that cannot be read, or in two ways."""


class Reader:
    """Reads what a describer of one language has said."""

    def __init__(self, game: Game, texts: Mapping[str, str]) -> None:
        self.game = game
        self.texts = texts
        self.words = Describer(texts)

    def view(self, text: str) -> Any:
        """Return the view of a description."""
        lines = text.split("\n")
        entries = [self._entry(line) for line in lines[1:]]
        found = {}
        for field in fields(self.game.INFO.state, "view"):
            label = self.words.label(field)
            mine = [said for name, said in entries if name == label]
            numbered = [
                said
                for name, said in entries
                if name.startswith(f"{label} ") and name.removeprefix(f"{label} ").isdigit()
            ]
            found[field.name] = self._only(self._values(field.kind, mine, numbered, field.key), f"{label}: {mine}")
        return self.game.INFO.state(**found)

    def _values(self, kind: Kind, mine: Sequence[str], numbered: Sequence[str], key: str) -> Iterator[Any]:
        if mine:
            yield from self.read(kind, mine[0], key)
        elif numbered and is_long(kind):
            (item,) = items_of(kind.type, 1) or ()
            yield tuple(self._only(self.read(item, said, key), said) for said in numbered)

    def _entry(self, line: str) -> tuple[str, str]:
        before, after = self.texts["told.entry"].split("{label}")[1].split("{said}")
        label, _, said = line.partition(before)
        return label, said.removesuffix(after)

    def action(self, text: str) -> Action:
        """Return the action of a description."""
        return self._only(self._actions(text), text)

    def _actions(self, text: str) -> Iterator[Action]:
        for kind in self.game.INFO.action.__args__:
            name = self.texts.get(f"action.{kind.__name__}", kind.__name__)
            for found in self._named(name, fields(kind), text, self.read):
                yield kind(**found)

    def offer(self, text: str) -> Offer:
        """Return the offer of a description, but for its date."""
        return self._only(self._offers(text), text)

    def _offers(self, text: str) -> Iterator[Offer]:
        for kind in self.game.INFO.action.__args__:
            name = self.texts.get(f"action.{kind.__name__}", kind.__name__)
            for found in self._named(name, fields(kind), text, self._choices):
                yield Offer(kind, found)

    def _choices(self, kind: Kind, text: str, key: str) -> Iterator[Any]:
        found = [*self._several_choices(kind, text, key)]
        # A word that no text has may be any: it is one only if there is no other way to read it.
        yield from found or (One((value,)) for value in self.read(kind, text, key))

    def _several_choices(self, kind: Kind, text: str, key: str) -> Iterator[Any]:
        item = (items_of(kind.type, 1) or (kind,))[0]
        for found in _filled(self.texts["told.some_of"], text):
            if found["least"].isdigit() and found["most"].isdigit():
                for of in self._each(item, found["values"], key):
                    yield Some(of, int(found["least"]), int(found["most"]))
        for found in _filled(self.texts["told.order_of"], text):
            yield from map(Order, self._each(item, found["values"], key))
        for found in _filled(self.texts["told.one_of"], text):
            yield from map(One, self._each(kind, found["values"], key))

    def _each(self, kind: Kind, text: str, key: str) -> Iterator[tuple[Any, ...]]:
        yield from self._several([kind] * len(_split(text, AMONG)), text, key)

    # --- A value ---------------------------------------------------------------------------------------------------

    def read(self, kind: Kind, text: str, key: str, *, inside: bool = False) -> Iterator[Any]:
        """Yield every value of this kind that is said so."""
        if isinstance(kind.type, inspect.UnionType):
            for arm in kind.type.types:
                yield from self.read(kind_of(arm), text, key, inside=inside)
            return
        if isinstance(kind.type, inspect.NoneType):
            if text == self.words.none(key):
                yield None
            return
        if kind.by is not None:
            yield from self._by(kind, text, key, inside=inside)
        elif is_list(kind):
            if text == self.texts["told.nothing"]:
                yield ()
            else:
                number = len(_split(text, AMONG))
                items = items_of(kind.type, number) or ()
                if len(items) == number:
                    yield from self._several(items, text, key)
        elif isinstance(kind.type, inspect.StructType):
            yield from self._struct(kind.type.cls, text, inside=inside)
        else:
            yield from self._plain(kind, text, key)

    def _by(self, kind: Kind, text: str, key: str, *, inside: bool) -> Iterator[Any]:
        if text == self.texts["told.nothing"]:
            yield ()
            return
        if inside:
            if not _is_bracketed(text):
                return
            text = text[1:-1]
        entries = _split(text, self.texts["told.between"])
        names, items = self.words.keys(kind, len(entries)), items_of(kind.type, len(entries)) or ()
        if len(names) != len(entries) or len(items) != len(entries):
            return
        before = [self.texts["told.entry"].format(label=name, said="") for name in names]
        if all(entry.startswith(start) for entry, start in zip(entries, before, strict=True)):
            said = [entry.removeprefix(start) for entry, start in zip(entries, before, strict=True)]
            yield from _product(
                [self.read(item, each, key, inside=True) for item, each in zip(items, said, strict=True)]
            )

    def _several(self, items: Sequence[Kind], text: str, key: str) -> Iterator[Any]:
        said = _split(text, AMONG)
        read = []
        for item, each in zip(items, said, strict=True):
            bare = each
            if is_list(item):
                if not _is_bracketed(each):
                    return
                bare = each[1:-1]
            read.append(self.read(item, bare, key, inside=True))
        yield from _product(read)

    def _struct(self, kind: type[Struct], text: str, *, inside: bool) -> Iterator[Any]:
        sentence = self.texts.get(f"told.{kind.__name__}")
        told = fields(kind)
        if sentence is not None:
            by_name = {field.name: field for field in told}
            for found in _filled(sentence, text):
                values = [
                    self.read(by_name[name].kind, said, by_name[name].key, inside=True) for name, said in found.items()
                ]
                for each in _product(values):
                    yield kind(**dict(zip(found, each, strict=True)))
        elif issubclass(kind, Options):
            for found in self._listed(told, text, self._read_inside):
                yield kind(**found)
        else:
            for found in self._named(kind.__name__, told, text, self._read_inside):
                yield kind(**found)

    def _read_inside(self, kind: Kind, text: str, key: str) -> Iterator[Any]:
        yield from self.read(kind, text, key, inside=True)

    def _named(self, name: str, told: Sequence[Field], text: str, read: Any) -> Iterator[dict[str, Any]]:
        if not told:
            if text == name:
                yield {}
        elif text.startswith(f"{name} (") and text.endswith(")"):
            yield from self._listed(told, text.removeprefix(f"{name} (")[:-1], read)

    def _listed(self, told: Sequence[Field], text: str, read: Any) -> Iterator[dict[str, Any]]:
        entries = _split(text, self.texts["told.between"])
        if len(entries) != len(told):
            return
        values = []
        for field, entry in zip(told, entries, strict=True):
            before = self.texts["told.entry"].format(label=self.words.label(field), said="")
            if not entry.startswith(before):
                return
            values.append(read(field.kind, entry.removeprefix(before), field.key))
        for each in _product(values):
            yield {field.name: value for field, value in zip(told, each, strict=True)}

    def _plain(self, kind: Kind, text: str, key: str) -> Iterator[Any]:
        if kind.is_seat:
            yield from (seat for seat in range(-1, MOST_PLACES) if self.words.player(seat) == text)
            return
        if kind.words is not None:
            yield from (value for value, word in kind.words.items() if self.words.word(word) == text)
            return
        match kind.type:
            case inspect.LiteralType(values=values):
                yield from (value for value in values if self.words._plain(kind, value, key) == text)
            case inspect.BoolType():
                yield from (value for value in (False, True) if self.words._plain(kind, value, key) == text)
            case inspect.IntType():
                if text.removeprefix("-").isdigit():
                    yield int(text)
            case inspect.FloatType():
                yield float(text)
            case inspect.StrType():
                starts = (f"{key}.", "term.")
                said = {
                    name.removeprefix(start)
                    for start in starts
                    for name, word in self.texts.items()
                    if name.startswith(start) and word == text
                }
                yield from said - {"none"} or [text]
            case inspect.BytesType():
                yield bytes.fromhex(text)

    def _only(self, values: Iterator[Any], told: str) -> Any:
        found: list[Any] = []
        for value in values:
            if value not in found:
                found.append(value)
        if len(found) != 1:
            raise Unread(f"{told!r} can be read in {len(found)} ways")
        return found[0]


def _filled(sentence: str, text: str) -> Iterator[dict[str, str]]:
    """Yield every way in which the gaps of a sentence may be filled so that this comes out."""
    names = gaps(sentence)
    plain = sentence
    parts = []
    for name in names:
        before, _, plain = plain.partition("{" + name + "}")
        parts.append(before)
    if text.startswith(parts[0] if parts else plain):
        yield from _fillings(names, [*parts, plain], text)


def _fillings(names: Sequence[str], parts: Sequence[str], text: str) -> Iterator[dict[str, str]]:
    if not text.startswith(parts[0]):
        return
    rest = text.removeprefix(parts[0])
    if not names:
        if not rest:
            yield {}
        return
    start = -1
    while True:
        start = len(rest) if not parts[1] and len(names) == 1 else rest.find(parts[1], start + 1)
        if start < 0:
            return
        for others in _fillings(names[1:], parts[1:], rest[start:]):
            yield {names[0]: rest[:start], **others}
        if not parts[1]:
            return


def _split(text: str, separator: str) -> list[str]:
    """Split a text where it is in no bracket."""
    parts, depth, start = [], 0, 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and text.startswith(separator, place) and place >= start:
            parts.append(text[start:place])
            start = place + len(separator)
    return [*parts, text[start:]]


def _is_bracketed(text: str) -> bool:
    return text.startswith("(") and text.endswith(")")


def _product(values: Sequence[Iterator[Any]]) -> Iterator[tuple[Any, ...]]:
    found = [[*each] for each in values]
    if all(found):
        yield from _ways(found)


def _ways(found: Sequence[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    if not found:
        yield ()
        return
    for first in found[0]:
        for others in _ways(found[1:]):
            yield (first, *others)
