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
    """What a type says of a value: the bare type, its marks, and the kinds that it is made of."""

    bare: inspect.Type
    is_seat: bool = False
    words: Mapping[int, str] | None = None
    by: Words | Callable[[int], Words] | None = None
    arms: tuple["Kind", ...] = ()
    """Of a union: the kinds that a value may be of."""
    each: tuple["Kind", ...] = ()
    """Of a list: the kind of its things; the kinds of all its things, where it always has as many."""

    @property
    def is_list(self) -> bool:
        """Whether it is told as a list of things, without a name for each place."""
        return bool(self.each) and self.by is None

    @property
    def is_long(self) -> bool:
        """Whether it is a list of things that hold lists themselves: each is told in a line of its own."""
        first = self.each[0].bare if self.is_list else None
        return isinstance(first, inspect.StructType) and any(field.kind.each for field in labelled(first.cls))

    def items(self, number: int) -> tuple["Kind", ...]:
        """Return the kinds of so many things of a list, or of as many as it always has; none if this is no list."""
        return self.each if isinstance(self.bare, inspect.TupleType) else self.each * number

    def fitting(self, value: Any) -> "Kind":
        """Return the kind that this value is of, where there are several."""
        return next(arm for arm in self.arms if _fits(arm.bare, value)) if self.arms else self


class Labelled(Struct, frozen=True):
    """A field of a struct, with the key of its label."""

    name: str
    kind: Kind
    key: str


@cache
def labelled(kind: Any) -> tuple[Labelled, ...]:
    """Return what a type of struct has to tell; options have their labels already, for the lobby."""
    info, prefix = inspect.type_info(kind), "option" if issubclass(kind, Options) else "field"
    assert isinstance(info, inspect.StructType)
    return tuple(Labelled(field.name, kind_of(field.type), f"{prefix}.{field.name}") for field in info.fields)


def kind_of(marked: inspect.Type) -> Kind:
    """Return a type as it is without its marks, and what they say."""
    marks: dict[str, Any] = {}
    while isinstance(marked, inspect.Metadata):
        marks = {**(marked.extra or {}), **marks}
        marked = marked.type
    arms: tuple[inspect.Type, ...] = marked.types if isinstance(marked, inspect.UnionType) else ()
    match marked:
        case inspect.TupleType(item_types=each):
            pass
        case inspect.CollectionType(item_type=one):
            each = (one,)
        case _:
            each = ()
    return Kind(
        marked,
        is_seat="seat" in marks or "seats" in marks,
        words=marks.get("words"),
        by=marks.get("by"),
        arms=tuple(map(kind_of, arms)),
        each=tuple(map(kind_of, each)),
    )


def _fits(bare: inspect.Type, value: Any) -> bool:
    match bare:
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
            return isinstance(value, (tuple, list, set, frozenset, bytes))


class Describer(Struct, frozen=True):
    """Describes the things of a game in one language."""

    texts: Mapping[str, str]

    def view(self, view: Any, seat: Seat | None = None) -> str:
        """Say all that a view knows, a line for each field, and for each thing of a long list."""
        lines = [self.texts["name"]]
        if seat is not None:
            lines.append(self.entry(self.texts["told.you"], self.player(seat)))
        kind: Any = type(view)
        for field in labelled(kind):
            lines += self._lines(field, getattr(view, field.name))
        return "\n".join(lines)

    def _lines(self, field: Labelled, value: Any) -> Iterable[str]:
        kind, label = field.kind.fitting(value), self.label(field)
        if kind.is_long and value:
            for number, (item, each) in enumerate(zip(kind.items(len(value)), value, strict=True), 1):
                yield self.entry(f"{label} {number}", self.say(item, each, field.key))
        else:
            yield self.entry(label, self.say(kind, value, field.key))

    def offer(self, offer: Offer) -> str:
        """Say what kind of action is on offer, and every choice that is open with it."""
        return self._listed(
            self.name(offer.action),
            ((field, self._choice(field, offer.choices[field.name])) for field in labelled(offer.action)),
        )

    def action(self, action: Action) -> str:
        """Say an action in the words of its offer."""
        return self._listed(
            self.name(type(action)),
            ((field, self.say(field.kind, getattr(action, field.name), field.key)) for field in labelled(type(action))),
        )

    def _choice(self, field: Labelled, choice: Choice) -> str:
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

    def _each(self, field: Labelled, values: Sequence[Any]) -> str:
        each = field.kind.fitting(values).each[0]
        return AMONG.join(self.say(each, value, field.key) for value in values)

    # --- A value ---------------------------------------------------------------------------------------------------

    def say(self, kind: Kind, value: Any, key: str, *, inside: bool = False) -> str:
        """Say a value; what has names for its places stands in brackets `inside` another."""
        kind = kind.fitting(value)
        if value is None:
            return self.none(key)
        if kind.by is not None:
            places = zip(self.places(kind, len(value)), kind.items(len(value)), value, strict=True)
            told = self._between(
                self.entry(name, self.say(item, each, key, inside=True)) for name, item, each in places
            )
            return self.texts["told.nothing"] if not told else f"({told})" if inside else told
        if kind.is_list:
            several = sorted(value) if isinstance(value, (set, frozenset)) else value
            items = zip(kind.items(len(several)), several, strict=True)
            return AMONG.join(self._item(item, each, key) for item, each in items) or self.texts["told.nothing"]
        return self._struct(value) if isinstance(value, Struct) else self.plain(kind, value, key)

    def _item(self, kind: Kind, value: Any, key: str) -> str:
        """Say one thing of a list; a list among them stands in brackets."""
        said = self.say(kind, value, key, inside=True)
        return f"({said})" if kind.fitting(value).is_list else said

    def _struct(self, value: Struct) -> str:
        kind = type(value)
        each = [
            (field, self.say(field.kind, getattr(value, field.name), field.key, inside=True))
            for field in labelled(kind)
        ]
        if sentence := self.sentence(kind):
            return sentence.format_map({field.name: said for field, said in each})
        return self._listed("" if isinstance(value, Options) else kind.__name__, each)

    def _listed(self, name: str, each: Iterable[tuple[Labelled, str]]) -> str:
        told = self._between(self.entry(self.label(field), said) for field, said in each)
        return f"{name} ({told})" if name and told else name or told

    def plain(self, kind: Kind, value: Any, key: str) -> str:
        """Say a value that holds no others."""
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
        usual = "told.left_open" if key.startswith("option.") else "told.none"
        return self.texts.get(f"{key}.none") or self.texts[usual]

    def sentence(self, kind: type[Struct]) -> str | None:
        """Return how a thing of this type is said, if the game says; an empty phase may have its word already."""
        told = self.texts.get(f"told.{kind.__name__}")
        return self.texts.get(f"phase.{kind.__name__}") if told is None and not kind.__struct_fields__ else told

    def name(self, kind: type[Action]) -> str:
        return self.texts.get(f"action.{kind.__name__}", kind.__name__)

    def label(self, field: Labelled) -> str:
        return self.texts.get(field.key) or field.name.replace("_", " ")

    def word(self, word: str) -> str:
        return self.texts.get(f"term.{word}", word)

    def player(self, seat: Seat) -> str:
        return self.texts["told.nobody" if seat == TABLE else "told.player"].format(number=seat + 1)

    def places(self, kind: Kind, number: int) -> Sequence[str]:
        """Return what the places of a tuple are called."""
        if kind.by == "seat":
            return [*map(self.player, range(number))]
        if kind.by == "number":
            return [*map(str, range(1, number + 1))]
        return [*map(self.word, kind.by(number) if callable(kind.by) else kind.by or ())] if number else []

    def entry(self, label: str, said: str) -> str:
        return self.texts["told.entry"].format(label=label, said=said)

    def _between(self, entries: Iterable[str]) -> str:
        return self.texts["told.between"].join(entries)


def gaps(sentence: str) -> list[str]:
    """Return the fields that a sentence tells, in its order."""
    return [name for _, name, _, _ in Formatter().parse(sentence) if name is not None]
