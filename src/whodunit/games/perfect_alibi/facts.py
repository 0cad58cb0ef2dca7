"""The things in the box: alibi cards, chips, assistants, and how many of each come to the table."""

from types import MappingProxyType
from typing import Final, Literal, TypeAlias, get_args

Location: TypeAlias = Literal["Bar", "Restaurant", "SunDeck", "Library"]
Time: TypeAlias = Literal["3", "6", "9", "12"]
Element: TypeAlias = Literal["Bar", "Restaurant", "SunDeck", "Library", "3", "6", "9", "12"]
Card: TypeAlias = Literal[
    "Bar-3", "Bar-6", "Bar-9", "Bar-12",
    "Restaurant-3", "Restaurant-6", "Restaurant-9", "Restaurant-12",
    "SunDeck-3", "SunDeck-6", "SunDeck-9", "SunDeck-12",
    "Library-3", "Library-6", "Library-9", "Library-12",
]  # fmt: skip
Assistant: TypeAlias = Literal["Journalist", "Captain", "Psychiatrist", "Priest", "Cook"]
Colour: TypeAlias = Literal["yellow", "blue", "green", "red", "white"]
Symbol: TypeAlias = Literal["wheel", "clock"]
Passenger: TypeAlias = Literal["Albert", "Beatrice", "Conrad", "Dora"]

LOCATIONS: Final[tuple[Location, ...]] = get_args(Location)
TIMES: Final[tuple[Time, ...]] = get_args(Time)
ELEMENTS: Final[tuple[Element, ...]] = get_args(Element)
PACK: Final[tuple[Card, ...]] = get_args(Card)
"""Every pair of location and time once (ALIBI-2)."""
ASSISTANTS: Final[tuple[Assistant, ...]] = get_args(Assistant)
"""In the order of their letters, A to E."""
LETTERS: Final = MappingProxyType(dict(zip(ASSISTANTS, "ABCDE", strict=True)))
COLOURS: Final[tuple[Colour, ...]] = get_args(Colour)
PASSENGERS: Final[tuple[Passenger, ...]] = get_args(Passenger)

OF: Final[MappingProxyType[Symbol, tuple[Element, ...]]] = MappingProxyType({"wheel": LOCATIONS, "clock": TIMES})
"""What a chip's symbol lets one ask about (ALIBI-25)."""
PARTS: Final[MappingProxyType[Card, tuple[Element, Element]]] = MappingProxyType(
    {card: tuple(card.split("-")) for card in PACK}  # type: ignore[misc]  # a card is called by its two elements
)
"""The location and the time on a card."""
WITH: Final[MappingProxyType[Element, tuple[Card, ...]]] = MappingProxyType(
    {element: tuple(card for card in PACK if element in PARTS[card]) for element in ELEMENTS}
)
"""The four cards that show an element."""

HAND: Final = MappingProxyType({3: 5, 4: 3, 5: 3})
"""By number of players (ALIBI-6)."""
OPEN_CARDS: Final = MappingProxyType({3: 0, 4: 3, 5: 0})
ROW: Final = 4
CHIPS_OF_A_COLOUR: Final = 6


def passenger(card: Card) -> Passenger:
    """Return who is drawn on a card: decoration (section 8), at every time in another place."""
    location, time = PARTS[card]
    return PASSENGERS[(ELEMENTS.index(location) + ELEMENTS.index(time)) % len(PASSENGERS)]
