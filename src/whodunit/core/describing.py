"""Says all of a value in words: every field of a view, an offer or an action, by the types that a game gives them.

Nothing is left to a game to remember: what is in the type is told. A game brings labels, and where it likes a sentence
for a type (`told.<Type>`); what it leaves out is said by its name in the code. `conformance/reading.py` reads it back.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from string import Formatter
from typing import Any, Final, TypeAlias

from msgspec import Meta, Struct, inspect

from whodunit.core.info import Options
from whodunit.core.offer import Choice, Offer, One, Order, Some
from whodunit.core.types import TABLE, Action, Seat

AMONG: Final = " + "
"""Between the things of a list, and nowhere else."""

Words: TypeAlias = Sequence[str]


def by(words: Words | Callable[[int], Words]) -> Meta:
    """Mark a tuple that has a place for each of these things; of as many as there are places, where that varies."""
    return Meta(extra={"by": words})


NUMBERED: Final = Meta(extra={"by": "number"})
"""Marks a tuple whose places have numbers for names, from 1."""


def known_as(words: Mapping[int, str]) -> Meta:
    """Mark a number that people know by a word."""
    return Meta(extra={"words": words})


class Kind(Struct, frozen=True):
    """What a type says of a value, without its marks."""

    type: inspect.Type
    is_seat: bool = False
    words: Mapping[int, str] | None = None
    by: Words | Callable[[int], Words] | None = None


class Field(Struct, frozen=True):
    """A field of a struct, with the key of its label."""

    name: str
    kind: Kind
    key: str


@cache
def fields(kind: type[Struct], top: str = "field") -> tuple[Field, ...]:
    """Return what a struct has to tell; a game's own options have their labels already."""
    prefix = "option" if issubclass(kind, Options) else top
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return tuple(Field(field.name, kind_of(field.type), f"{prefix}.{field.name}") for field in info.fields)


def kind_of(type: inspect.Type) -> Kind:
    """Return a type without its marks, and what they say."""
    marks: dict[str, Any] = {}
    while isinstance(type, inspect.Metadata):
        marks = {**(type.extra or {}), **marks}
        type = type.type
    return Kind(type, "seat" in marks or "seats" in marks, marks.get("words"), marks.get("by"))


def fitting(kind: Kind, value: Any) -> Kind:
    """Return the kind that a value is of, where there are several."""
    if not isinstance(kind.type, inspect.UnionType):
        return kind
    return next(arm for arm in map(kind_of, kind.type.types) if _fits(arm.type, value))


def _fits(type: inspect.Type, value: Any) -> bool:
    match type:
        case inspect.NoneType():
            return value is None
        case inspect.StructType(cls=cls):
            return isinstance(value, cls)
        case inspect.LiteralType(values=values):
            return value in values
        case inspect.StrType():
            return isinstance(value, str)
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.IntType():
            return isinstance(value, int)
        case inspect.FloatType():
            return isinstance(value, float)
        case _:
            return isinstance(value, (tuple, list, set, frozenset, dict, bytes))


def items_of(type: inspect.Type, number: int) -> tuple[Kind, ...] | None:
    """Return the kinds of so many things of a list, or None if the type is no list."""
    match type:
        case inspect.TupleType(item_types=types):
            return tuple(map(kind_of, types))
        case inspect.CollectionType(item_type=each):
            return (kind_of(each),) * number
        case _:
            return None


def is_list(kind: Kind) -> bool:
    """Say whether a kind is told as a list of things, without a name for each place."""
    return kind.by is None and items_of(kind.type, 0) is not None


def is_long(kind: Kind) -> bool:
    """Say whether it is a list of things that hold lists themselves: each is told in a line of its own."""
    items = items_of(kind.type, 1) if is_list(kind) else None
    return (
        bool(items)
        and isinstance(items[0].type, inspect.StructType)
        and any(items_of(field.kind.type, 0) is not None for field in fields(items[0].type.cls))
    )


class Describer(Struct, frozen=True):
    """Describes the things of a game in one language."""

    texts: Mapping[str, str]

    def view(self, view: Any, seat: Seat | None = None) -> str:
        """Say all that a view knows, a line for each field; of lists of things that have fields, one for each."""
        lines = [self.texts["name"]]
        if seat is not None:
            lines.append(self.entry(self.texts["told.you"], self.player(seat)))
        for field in fields(type(view), "view"):
            lines += self._lines(field, getattr(view, field.name))
        return "\n".join(lines)

    def _lines(self, field: Field, value: Any) -> Iterable[str]:
        kind, label = fitting(field.kind, value), self.label(field)
        if is_long(kind) and value:
            items = items_of(kind.type, len(value)) or ()
            for number, (item, each) in enumerate(zip(items, value, strict=True), 1):
                yield self.entry(f"{label} {number}", self.say(item, each, field.key))
        else:
            yield self.entry(label, self.say(kind, value, field.key))

    def offer(self, offer: Offer) -> str:
        """Say what kind of action is on offer, and every choice that is open with it."""
        chosen = ((field, self._choice(field, offer.choices[field.name])) for field in fields(offer.action))
        return self._named(self.texts.get(f"action.{offer.action.__name__}", offer.action.__name__), chosen)

    def action(self, action: Action) -> str:
        """Say an action in the words of its offer."""
        kind = type(action)
        chosen = ((field, self.say(field.kind, getattr(action, field.name), field.key)) for field in fields(kind))
        return self._named(self.texts.get(f"action.{kind.__name__}", kind.__name__), chosen)

    def _choice(self, field: Field, choice: Choice) -> str:
        match choice:
            case One(of=(only,)):
                return self.say(field.kind, only, field.key)
            case One(of=values):
                of = AMONG.join(self.say(field.kind, value, field.key) for value in values)
                return self.texts["told.one_of"].format(values=of)
            case Some(of=values, least=least, most=most):
                return self.texts["told.some_of"].format(values=self._each(field, values), least=least, most=most)
            case Order(of=values):
                return self.texts["told.order_of"].format(values=self._each(field, values))

    def _each(self, field: Field, values: Sequence[Any]) -> str:
        kind = fitting(field.kind, values)
        items = items_of(kind.type, 1)
        assert items is not None, f"{field.name} is no list, and several of it can be chosen"
        return AMONG.join(self.say(items[0], value, field.key) for value in values)

    # --- A value ---------------------------------------------------------------------------------------------------

    def say(self, kind: Kind, value: Any, key: str, *, inside: bool = False) -> str:
        """Say a value; what has fields itself stands in brackets `inside` another."""
        kind = fitting(kind, value)
        if value is None:
            return self.none(key)
        if kind.by is not None:
            told = self._between(
                self.entry(name, self.say(item, each, key, inside=True))
                for name, item, each in zip(
                    self.keys(kind, len(value)), items_of(kind.type, len(value)) or (), value, strict=True
                )
            )
            if not told:
                return self.texts["told.nothing"]
            return f"({told})" if inside else told
        items = items_of(kind.type, len(value)) if isinstance(value, (tuple, list, set, frozenset)) else None
        if items is not None:
            several = sorted(value) if isinstance(value, (set, frozenset)) else value
            said = [self._among(item, each, key) for item, each in zip(items, several, strict=True)]
            return AMONG.join(said) or self.texts["told.nothing"]
        if isinstance(value, Struct):
            return self._struct(value, inside=inside)
        return self._plain(kind, value, key)

    def _among(self, kind: Kind, value: Any, key: str) -> str:
        """Say one thing of a list; a list among them stands in brackets."""
        said = self.say(kind, value, key, inside=True)
        return f"({said})" if is_list(fitting(kind, value)) else said

    def _struct(self, value: Struct, *, inside: bool) -> str:
        kind = type(value)
        sentence = self.texts.get(f"told.{kind.__name__}")
        each = (
            (field, self.say(field.kind, getattr(value, field.name), field.key, inside=True)) for field in fields(kind)
        )
        if sentence is not None:
            return sentence.format_map({field.name: said for field, said in each})
        if issubclass(kind, Options):
            return self._between(self.entry(self.label(field), said) for field, said in each)
        return self._named(kind.__name__, each)

    def _named(self, name: str, each: Iterable[tuple[Field, str]]) -> str:
        told = self._between(self.entry(self.label(field), said) for field, said in each)
        return f"{name} ({told})" if told else name

    def _plain(self, kind: Kind, value: Any, key: str) -> str:
        if kind.is_seat:
            return self.player(value)
        if kind.words is not None:
            return self.word(kind.words[value])
        match value:
            case bool():
                return self.texts["told.yes" if value else "told.no"]
            case str():
                return self.texts.get(f"{key}.{value}") or self.word(value)
            case bytes():
                return value.hex()
            case _:
                return str(value)

    def none(self, key: str) -> str:
        """Return what is said where there is nothing, or nothing is known."""
        return (
            self.texts.get(f"{key}.none") or self.texts["told.left_open" if key.startswith("option.") else "told.none"]
        )

    def label(self, field: Field) -> str:
        return self.texts.get(field.key) or field.name.replace("_", " ")

    def word(self, word: str) -> str:
        return self.texts.get(f"term.{word}", word)

    def player(self, seat: Seat) -> str:
        return self.texts["told.nobody" if seat == TABLE else "told.player"].format(number=seat + 1)

    def keys(self, kind: Kind, number: int) -> list[str]:
        """Return what the places of a tuple are called."""
        if kind.by == "seat":
            return [self.player(seat) for seat in range(number)]
        if kind.by == "number":
            return [str(place) for place in range(1, number + 1)]
        words = kind.by(number) if callable(kind.by) else kind.by or ()
        return [self.word(word) for word in words]

    def entry(self, label: str, said: str) -> str:
        return self.texts["told.entry"].format(label=label, said=said)

    def _between(self, entries: Iterable[str]) -> str:
        return self.texts["told.between"].join(entries)


def gaps(sentence: str) -> list[str]:
    """Return the fields that a sentence tells, in its order."""
    return [name for _, name, _, _ in Formatter().parse(sentence) if name is not None]
