"""What a game declares about itself: its seats, types and options, and what it needs of the house beyond events."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Meta, Struct, inspect

from whodunit.core.errors import BadOptions
from whodunit.core.judging import Showing, Trace
from whodunit.core.rng import Rng
from whodunit.core.types import Action, Event, Frozen, GameState, Seat, StandingOrder, Undone

O = TypeVar("O", bound="Options")  # noqa: E741  (a type variable, not a number)


class Options(Frozen, Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rule constants of a game, each with the rulebook's value as its default; a game adds its own fields."""


def variant(rule: str) -> Meta:
    """Mark an option as a variant, whether the rulebook prints it or not: a lobby shows it first."""
    return Meta(extra={"rule": rule, "variant": True})


def house_rule(rule: str) -> Meta:
    """Mark an option as a house rule: a lobby shows it behind the variants."""
    return Meta(extra={"rule": rule, "variant": False})


def one_of(seats: int) -> Meta:
    """Mark an option as one of this many seats: a lobby shows it as a chair, which people count from 1."""
    return Meta(ge=0, le=seats - 1, extra={"seats": seats})


def left_of_last(seats: int, **roles: Seat | None) -> dict[str, object]:
    """Return the options that name who has a role, for the next game: one seat to the left; drawn roles are drawn."""
    return {role: (seat + 1) % seats for role, seat in roles.items() if seat is not None}


class Option(Struct, frozen=True):
    """One option described for a lobby; its title and text stand in the game's texts under its name."""

    name: str
    kind: str
    """One of: switch, number, choice, seat, list."""
    default: Any
    rule: str
    variant: bool
    values: tuple[Any, ...] = ()
    """What can be chosen: the values of a choice, the seats, or what a list may contain."""
    least: int | None = None
    most: int | None = None
    optional: bool = False
    """Whether it may also be left open (None)."""


class Sounds(Struct, frozen=True):
    """What the house needs to know of a game that is heard: its events carry clips as blobs."""

    clip_s: float
    """How many seconds lie between the releases of two clips of a move."""
    published: Callable[[int, float, float | None], float]
    """Of how many clips a move has and after how many seconds it was decided: after how many it is made known.

    By public facts alone: how long something took to decide may tell what was decided. The third number is a beat in
    seconds, where one person plays among bots: as soon as can be, on a whole beat.
    """
    again: Callable[[Any], tuple[str, ...]]
    """Of a view: the ids of the clips that everybody may hear again as things stand."""
    exercise: type[Struct]
    """What a page is sent to train its player's ear on."""
    practise: Callable[[Any, int | None, Rng], Struct]
    """Of a difficulty and perhaps a place: an exercise, made anew; BadOptions if the game has no such place."""
    warm: Callable[[], None]
    """Load whatever the first sound would otherwise wait for."""
    hindsight: Callable[[Sequence[Any]], tuple[Trace, ...]] = lambda _events: ()
    """Of all events of a case, secrets included: what a trained listener makes of each that can be heard.

    It tells the truth beside that, so it is for closed cases alone.
    """


class Info(Struct, frozen=True):
    """The facts about a game that the house needs to run it without knowing it."""

    id: str
    rules: int
    """The version of the rules; a change that makes old actions give other events raises it."""
    seats: tuple[int, int]
    """The fewest and the most players."""
    action: Any
    """The union of the game's actions."""
    event: Any
    """The union of the game's events; the first one of a game is an Opening."""
    state: type[GameState]
    options: type[Options] = Options
    """The game's rule constants; none, if it leaves this out."""
    colour: str = "#3b3a36"
    """Of the game's door and of the bar above its tables, as #rrggbb; cream text stands on it."""
    place: int = 0
    """Where its door stands among those of its package: the smaller, the earlier."""
    final: tuple[type[Action], ...] = ()
    """The actions that stake the game on one guess."""
    undoable: tuple[type[Action], ...] = ()
    """The actions that tell nobody anything hidden and may be taken back; the conformance suite proves it."""
    answers: tuple[type[Action], ...] = ()
    """The actions of a seat that is asked: the host plays them at a moment that tells nothing about the seat's hand."""
    orders: tuple[StandingOrder, ...] = ()
    """The standing orders that a seat can give for its answers."""
    begins: tuple[type[Event], ...] = ()
    """The events with which, within a game, another case begins: what was hidden is known, and all is dealt anew."""
    showings: tuple[Showing, ...] = ("even",)
    """What the game's belief can take for granted of whoever shows a card: its third argument, if there are several."""
    hides: tuple[type[Event], ...] = ()
    """The events that hide something new, such as a cube that falls: more is missing then, and that is no bad luck."""
    interrupts: tuple[type[Action], ...] = ()
    """The actions that are on offer without being waited for: whoever has them on offer may also be asked meanwhile.

    What a seat has done so is not on offer to it again: sent twice, it is refused.
    """
    interrupt_delay: tuple[str, str] | None = None
    """The options that say how many seconds, at least and at most, a bot waits before it interrupts people."""
    limits: Mapping[type[Action], str] = {}
    """The option that says after how many seconds TABLE does this; of a typed answer, how long it is waited for."""

    again: Callable[[Any, int], Mapping[str, object]] = lambda _options, _seats: {}
    """Of a game's options and seats: what is otherwise in the next game of the same people, so that another begins."""

    check_installed: Callable[[], None] = lambda: None
    """Raises Refusal if something is not installed here without which people cannot play it."""

    bulk: Mapping[str, object] = {}
    """The options with which bots play among themselves by the hundred, where the game has a quicker way for that."""
    without_people: Mapping[str, tuple[object, ...]] = {}
    """By option, the values that are refused where a person sits."""

    simulated: Mapping[str, tuple[object, ...]] = {}
    """By option, the values with which a simulation decides what happens: another machine may compute it otherwise."""
    sounds: Sounds | None = None
    """Of a game that is heard. Its turns take time to fall, so they are decided aside and published at set moments."""

    def __post_init__(self) -> None:
        """Let msgspec get to know the game's types now, while the game is being imported and nobody uses them.

        It does so when it first meets a type, and what it knows by half is already used by other threads, which crash.
        """
        for kind in (self.event | Undone, self.action, self.options):
            msgspec.json.Decoder(kind)
        _frozen_too(self.state)

    def parse(self, seats: int, options: Mapping[str, object], *, people: bool = False) -> Any:
        """Return the game's options with these values, or say which of them is wrong, or is not for `people`."""
        if type(seats) is not int or not self.seats[0] <= seats <= self.seats[1]:
            raise BadOptions(f"{self.id} is for {self.seats[0]} to {self.seats[1]} players, not for {seats!r}")
        for name in options:
            if name not in self.options.__struct_fields__:
                known = ", ".join(option.name for option in self.describe())
                raise BadOptions(f"{self.id} has no option {name!r}; it has: {known}")
        for name, closed in self.without_people.items() if people else ():
            if options.get(name) in closed:
                raise BadOptions(f"{self.id}: {name} {options[name]!r} is not for people")
        try:
            return msgspec.convert(dict(options), self.options)
        except msgspec.ValidationError as error:
            raise BadOptions(f"{self.id}: {error}") from error

    def describe(self, *, people: bool = False) -> tuple[Option, ...]:
        """Describe every option, variants first; a lobby shows no values that are not for people."""
        info = inspect.type_info(self.options)
        assert isinstance(info, inspect.StructType)
        options = sorted(map(_described, info.fields), key=lambda option: not option.variant)
        if not people:
            return tuple(options)
        return tuple(msgspec.structs.replace(option, values=self._open(option)) for option in options)

    def _open(self, option: Option) -> tuple[Any, ...]:
        closed = self.without_people.get(option.name, ())
        return tuple(value for value in option.values if value not in closed)


def _frozen_too(state: type[GameState]) -> None:
    """Let a copy of a state be the state itself, as with all that the house brings: a game's state has its own base."""
    if issubclass(state, Struct) and state.__struct_config__.frozen:
        for name in ("__copy__", "__deepcopy__"):
            setattr(state, name, vars(Frozen)[name])


def _described(field: inspect.Field) -> Option:
    meta = field.type
    if not isinstance(meta, inspect.Metadata) or meta.extra is None:
        raise TypeError(f"the option {field.name} is marked neither as variant(...) nor as house_rule(...)")
    kind, extra, optional = meta.type, meta.extra, False
    if isinstance(kind, inspect.UnionType):
        (kind,) = (part for part in kind.types if not isinstance(part, inspect.NoneType))
        optional = True
    if isinstance(kind, inspect.Metadata):
        extra = extra | (kind.extra or {})
        kind = kind.type
    described = Option(
        name=field.name,
        kind=_KINDS[type(kind)],
        default=field.default,
        rule=extra["rule"],
        variant=extra["variant"],
        optional=optional,
    )
    if "seats" in extra:
        return msgspec.structs.replace(described, kind="seat", values=tuple(range(extra["seats"])))
    match kind:
        case inspect.LiteralType(values=values):
            return msgspec.structs.replace(described, values=tuple(values))
        case inspect.IntType(ge=least, le=most):
            return msgspec.structs.replace(described, least=least, most=most)
        case inspect.VarTupleType(item_type=inspect.LiteralType(values=values), min_length=least, max_length=most):
            return msgspec.structs.replace(described, values=tuple(values), least=least, most=most)
        case _:
            return described


_KINDS: dict[type[inspect.Type], str] = {
    inspect.BoolType: "switch",
    inspect.IntType: "number",
    inspect.LiteralType: "choice",
    inspect.VarTupleType: "list",
}
