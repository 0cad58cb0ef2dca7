"""What the house reads of every game beside its functions; whatever is missing is named, with the line to add."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import msgspec

from whodunit.conformance.plug import kinds_of
from whodunit.core.redact import fold
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Action, Event, Game, GameState, Opening
from whodunit.games import LANGUAGES, folder
from whodunit.table.table import Table

STATE_LINES: Final = {
    "turn": "turn: int = 0",
    "on_turn": "on_turn: Seat = 0",
    "options": "options: Options",
    "phase": "phase: Phase",
}
OPENING_LINES: Final = {
    "game": "game: str",
    "rules": "rules: int",
    "seats": "seats: int",
    "options": "options: Options",
}
CREAM: Final = "#f4e9d2"
"""What is written on a game's colour."""
READABLE: Final = 4.5
"""The least contrast that a reader can be asked to bear (WCAG 2, AA)."""
OWN_GRAMMAR: Final = "form."
"""Keys that a language has as it needs them."""


def has_a_state_that_the_house_can_read(game: Game) -> None:
    """Bots, clocks, pace and this suite read so much of every state and view."""
    _has(game.INFO.state, GameState, STATE_LINES)


def opens_with_what_is_played(game: Game) -> None:
    """The first event of every game says what is played; it is all that some readers of a case know."""
    seats = game.INFO.seats[0]
    options = game.INFO.parse(seats, {**game.INFO.bulk})
    _, batch = Table.open(game, seats, options, b"contract")
    opened: Any = batch.events[0]
    _has(type(opened), Opening, OPENING_LINES)
    meant = {"game": game.INFO.id, "rules": game.INFO.rules, "seats": seats, "options": options}
    for field, value in meant.items():
        told = getattr(opened, field)
        assert told == value, f"{type(opened).__name__}.{field} is {told!r}, not {value!r}"


def offers_nothing_to_nobody(game: Game) -> None:
    """`legal` is asked for TABLE too, which is no player: it gets what time does, and else nothing."""
    seats = game.INFO.seats[0]
    state = fold(game, game.setup(seats, game.INFO.parse(seats, {**game.INFO.bulk}), Rng(b"contract", 1)))
    for offer in game.legal(state, TABLE):
        assert offer.action in game.INFO.limits, (
            f"legal(view, TABLE) offers {offer.action.__name__}. TABLE ({TABLE}) is no player: it gets what time does "
            f"(INFO.limits), and else nothing. Where `legal` looks things up by seat, [{TABLE}] is the last player's"
        )


def _has(kind: type, protocol: type, lines: dict[str, str]) -> None:
    missing = [name for name in vars(protocol) if not name.startswith("_") and not hasattr(kind, name)]
    told = "; ".join(f"`{lines[name]}` ({vars(protocol)[name].fget.__doc__.partition('. ')[0]})" for name in missing)
    assert not missing, f"{kind.__name__} lacks {', '.join(missing)}. Add {told}"


def lists_its_own_actions(game: Game) -> None:
    """Whatever INFO says of an action, it says of one of the game's own."""
    info = game.INFO
    actions = kinds_of(info.action)
    assert all(issubclass(kind, Action) for kind in actions), "INFO.action is not a union of Actions"
    assert all(issubclass(kind, Event) for kind in kinds_of(info.event)), "INFO.event is not a union of Events"
    lists = {
        "final": info.final,
        "undoable": info.undoable,
        "answers": info.answers,
        "interrupts": info.interrupts,
        "limits": tuple(info.limits),
    }
    for name, kinds in lists.items():
        for kind in kinds:
            assert kind in actions, f"INFO.{name} names {kind.__name__}, which is not in INFO.action"


def names_its_own_options(game: Game) -> None:
    """Whatever INFO says of an option, it says of one of the game's own."""
    info = game.INFO
    options = info.options.__struct_fields__
    named: dict[str, Iterable[str]] = {
        "limits": info.limits.values(),
        "interrupt_delay": info.interrupt_delay or (),
        "bulk": info.bulk,
        "without_people": info.without_people,
        "simulated": info.simulated,
    }
    for name, several in named.items():
        for option in several:
            assert option in options, f"INFO.{name} names {option!r}, which is no field of {info.options.__name__}"


def orders_what_can_be_shown(game: Game) -> None:
    """A standing order says which card to show: so there is an answer that shows one."""
    info = game.INFO
    cards = [kind for kind in info.answers if "card" in kind.__struct_fields__]
    assert cards or not info.orders, (
        f"INFO.orders is {info.orders}, but no action of INFO.answers has a field `card`: name it so, or leave orders "
        "out"
    )


def has_a_colour_that_can_be_read(game: Game) -> None:
    """Cream text stands on the game's door."""
    colour = game.INFO.colour
    contrast = _contrast(colour, CREAM)
    assert contrast >= READABLE, (
        f"INFO.colour {colour} has a contrast of {contrast:.1f} to the cream text {CREAM} on it; choose a darker one, "
        f"{READABLE} is the least"
    )


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    assert len(colour) == 7, f"INFO.colour {colour!r} is not of the form #rrggbb"
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def has_the_same_words_in_every_language(game: Game) -> None:
    """A language that a package brings is whole; of one that it does not bring, everything is said in English."""
    for place in ("texts", "described"):
        words = dict(_languages(game.INFO.id, place))
        english = _keys(words.get("en", {}))
        for language, texts in words.items():
            missing, other = sorted(english - _keys(texts)), sorted(_keys(texts) - english)
            assert not missing, f"{place}/{language}.json lacks {', '.join(missing)}"
            assert not other, f"{place}/{language}.json has {', '.join(other)}, which {place}/en.json has not"


def _languages(id: str, place: str) -> Iterator[tuple[str, dict[str, str]]]:
    for language in LANGUAGES:
        file = folder(id) / place / f"{language}.json"
        if file.is_file():
            yield language, msgspec.json.decode(file.read_bytes(), type=dict[str, str])


class Section(msgspec.Struct, forbid_unknown_fields=True):
    """A section of the rules for people to read."""

    title: str
    text: list[str]
    actions: list[str] = []
    """Which actions rest on it: the page leads from them to here."""


def has_rules_that_can_be_read(game: Game) -> None:
    """What a package brings as rules has sections with a title and paragraphs, the same ones in every language."""
    actions = {kind.__name__ for kind in kinds_of(game.INFO.action)}
    found: dict[str, dict[str, Section]] = {}
    for language in LANGUAGES:
        file = folder(game.INFO.id) / "rulebook" / f"{language}.json"
        if file.is_file():
            name = f"rulebook/{language}.json"
            try:
                found[language] = msgspec.json.decode(file.read_bytes(), type=dict[str, Section])
            except msgspec.MsgspecError as error:
                raise AssertionError(f"{name}: {error}. A section is a title, a text, and perhaps actions") from error
            unknown = {action for section in found[language].values() for action in section.actions} - actions
            assert not unknown, f"{name} names {', '.join(sorted(unknown))}, which is not in INFO.action"
    for language, sections in found.items():
        assert "en" in found, f"there is rulebook/{language}.json, and no rulebook/en.json"
        assert [*sections] == [*found["en"]], (
            f"rulebook/{language}.json has the sections {', '.join(sections)}, and rulebook/en.json has "
            f"{', '.join(found['en'])}"
        )


def _keys(texts: dict[str, str]) -> set[str]:
    return {key for key in texts if not key.startswith(OWN_GRAMMAR)}


CONTRACT: Final[dict[str, Callable[[Game], None]]] = {
    check.__name__: check
    for check in (
        has_a_state_that_the_house_can_read,
        opens_with_what_is_played,
        offers_nothing_to_nobody,
        lists_its_own_actions,
        names_its_own_options,
        orders_what_can_be_shown,
        has_a_colour_that_can_be_read,
        has_the_same_words_in_every_language,
        has_rules_that_can_be_read,
    )
}
FOUNDATIONS: Final = (has_a_state_that_the_house_can_read, opens_with_what_is_played, offers_nothing_to_nobody)
"""Where one of these is broken nothing else can be tried."""
