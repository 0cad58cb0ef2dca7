"""The actions, the events and the state of Mord im Arosa."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from whodunit.core.describing import by, known_as
from whodunit.core.info import Options as Base
from whodunit.core.info import house_rule, one_of, variant
from whodunit.core.types import Action, Blob, BySeat, Event, Seat, Secret
from whodunit.games.arosa.facts import (
    CLUES,
    COLOURS,
    FAR_POINTS,
    FLOOR_NAMES,
    NEAR_POINTS,
    PROLOGUE_CLUES,
    SCENE_POINTS,
    SHEET_LIMIT,
    Colour,
    Entry,
    Floor,
    Owner,
)
from whodunit.tower import Difficulty, Kind, Lift, Resting, Tower

Points: TypeAlias = Annotated[int, Meta(ge=0, le=9)]
Place: TypeAlias = Annotated[int, known_as({place: str(place + 1) for place in range((CLUES + 1) * len(COLOURS))})]
"""A place among what was found; people count from 1."""
SomeSeat: TypeAlias = Annotated[int, one_of(6)]


class Options(Base, frozen=True):
    """The constants of section 6 and the figures of the rules; lower case, same meaning, same defaults."""

    difficulty: Annotated[Difficulty, variant("AROSA-11")] = "normal"
    """How much the sound of a drop tells."""
    sound_replay: Annotated[bool, variant("AROSA-11")] = True
    """Whether the drops of a turn may be heard again until the next turn begins."""
    tower: Annotated[Kind, house_rule("AROSA-8")] = "physics"
    """The drop model: real physics; tables for bots among themselves; a script for tests."""
    lift_shake: Annotated[int, Meta(ge=0, le=40), house_rule("AROSA-27")] = 0
    """How hard the hotel is shaken when a floor is lifted, in cm/s; physics alone."""
    victim_dropper: Annotated[SomeSeat | None, house_rule("AROSA-15")] = None
    """Who held a knife last; None = drawn."""
    first_investigator: Annotated[SomeSeat | None, house_rule("AROSA-18")] = None
    """Who was in a hotel last; None = drawn."""
    ground_penalty_first: Annotated[bool, house_rule("AROSA-51")] = False
    cover_needs_clue_on_sheet: Annotated[bool, house_rule("AROSA-53")] = True
    clues: Annotated[int, Meta(ge=1, le=CLUES), house_rule("AROSA-3")] = CLUES
    """How many clues each player owns."""
    prologue_clues: Annotated[int, Meta(ge=0, le=5), house_rule("AROSA-16")] = PROLOGUE_CLUES
    sheet_limit: Annotated[int, Meta(ge=1, le=CLUES), house_rule("AROSA-59")] = SHEET_LIMIT
    scene_points: Annotated[Points, house_rule("AROSA-66")] = SCENE_POINTS
    near_points: Annotated[Points, house_rule("AROSA-67")] = NEAR_POINTS
    far_points: Annotated[Points, house_rule("AROSA-68")] = FAR_POINTS
    show_drop_log: Annotated[bool, house_rule("AROSA-10")] = True
    show_running_score: Annotated[bool, house_rule("AROSA-74")] = True


# --- Actions -----------------------------------------------------------------------------------------------------


class Inspect(Action, frozen=True):
    """Act I: look for victims on a floor (AROSA-29)."""

    floor: Floor
    arrange: bool = False
    """Whether to choose the order in which what was found is dropped back; else it is drawn (AROSA-24)."""


class Suspect(Action, frozen=True):
    """Act II: accuse these players on a floor (AROSA-42)."""

    suspects: tuple[Seat, ...]
    floor: Floor
    arrange: bool = False


class CoverTracks(Action, frozen=True):
    """Act II: look for your own clues on a floor, to take some back from the sheet (AROSA-53)."""

    floor: Floor
    arrange: bool = False


class TakeBack(Action, frozen=True):
    """Take so many of your clues back from the sheet (AROSA-55)."""

    count: int


class Arrange(Action, frozen=True):
    """Drop what was found back in this order, by place among what was found."""

    order: tuple[Place, ...]


AnyAction: TypeAlias = Inspect | Suspect | CoverTracks | TakeBack | Arrange

# --- Events ------------------------------------------------------------------------------------------------------


class Found(Struct, frozen=True, gc=False):
    """A cube that everybody sees on an open floor."""

    colour: Colour
    at: tuple[float, ...] = ()
    """Where it lies, for drawing: x, y and z of its centre in millimetres, and its turn (w, x, y, z); physics alone."""


class Opened(Event, frozen=True):
    game: Literal["arosa"]
    rules: int
    seats: int
    options: Options
    victim_dropper: Seat
    investigator: Seat


class Dropped(Event, frozen=True):
    """A cube falls into the hotel. Everybody hears it; where it comes to lie is known to nobody (AROSA-8 to 12)."""

    seat: Seat
    """Who drops it."""
    colour: Colour
    why: Literal["prologue", "back", "penalty", "fallen"]
    clip: Blob
    moved: Secret[tuple[Resting, ...]]
    """The cube, then whatever it pushed, and where they came to lie."""


class TurnBegan(Event, frozen=True):
    seat: Seat
    act: Literal[1, 2]


class Suspected(Event, frozen=True):
    seat: Seat
    suspects: tuple[Seat, ...]
    floor: Floor


class CoveringAnnounced(Event, frozen=True):
    seat: Seat
    floor: Floor


class Exposed(Event, frozen=True):
    """A floor is open: all cubes lying there, in no order that tells anything (AROSA-23)."""

    seat: Seat
    floor: Floor
    found: tuple[Found, ...]
    lift: Secret[Lift]
    fallen: tuple[Colour, ...] = ()
    """What fell out from above meanwhile (AROSA-27)."""


class VictimsFound(Event, frozen=True):
    floor: Floor
    count: int


class CluesPlaced(Event, frozen=True):
    """Clues of a player go on the sheet; `missing` of them come from the open floor (AROSA-63)."""

    seat: Seat
    floor: Floor
    count: int
    missing: int = 0


class CluesTakenBack(Event, frozen=True):
    seat: Seat
    floor: Floor
    count: int


class ReturnAwaited(Event, frozen=True):
    """The investigator has found own clues, and may take up to `most` back from this floor's space (AROSA-55)."""

    seat: Seat
    floor: Floor
    most: int
    arrange: bool = False


class OrderAwaited(Event, frozen=True):
    """The investigator is to say in which order what was found is dropped back (AROSA-24)."""

    seat: Seat
    penalty: int
    penalty_first: bool = False


class GameEnded(Event, frozen=True):
    winners: tuple[Seat, ...]
    culprits: tuple[Seat, ...]
    totals: tuple[int, ...]
    how: Literal["sheet", "supply"]


AnyEvent: TypeAlias = (
    Opened
    | Dropped
    | TurnBegan
    | Suspected
    | CoveringAnnounced
    | Exposed
    | VictimsFound
    | CluesPlaced
    | CluesTakenBack
    | ReturnAwaited
    | OrderAwaited
    | GameEnded
)

# --- Phases and state --------------------------------------------------------------------------------------------


class Falling(Struct, frozen=True, tag=True, gc=False):
    """Cubes are being dropped, or what was found is being settled."""


class Searching(Struct, frozen=True, tag=True, gc=False):
    """Act I: the investigator chooses a floor."""


class Accusing(Struct, frozen=True, tag=True, gc=False):
    """Act II: the investigator suspects, or covers tracks."""


class TakingBack(Struct, frozen=True, tag=True, gc=False):
    """The investigator says how many clues he takes back from the open floor's space."""

    floor: Floor
    most: int
    arrange: bool


class Arranging(Struct, frozen=True, tag=True, gc=False):
    """The investigator chooses the order in which what he holds is dropped back."""

    penalty: int
    penalty_first: bool


class Over(Struct, frozen=True, tag=True, gc=False):
    winners: tuple[Seat, ...]
    culprits: tuple[Seat, ...]
    totals: BySeat[int]
    how: str


Phase: TypeAlias = Falling | Searching | Accusing | TakingBack | Arranging | Over


class Heard(Struct, frozen=True, array_like=True, gc=False):
    """A drop of this turn, for whoever may hear it again."""

    seat: Seat
    colour: Colour
    clip: str
    """The id of its blob."""


def _owners(number: int) -> tuple[Colour, ...]:
    return (*COLOURS[: number - 1], COLOURS[-1])


class State(Struct, frozen=True, kw_only=True, gc=False):
    """The table; as a view it is the same with None for the tower, into which nobody sees."""

    options: Options
    act: Literal[1, 2] = 1
    turn: int = 0
    on_turn: Seat
    phase: Phase
    supplies: BySeat[int]
    """How many clues."""
    sheet: Annotated[tuple[BySeat[int], ...], by(FLOOR_NAMES)]
    """How many clues of each seat."""
    victims: Annotated[tuple[int, ...], by(FLOOR_NAMES)]
    """How many victims lie on the sheet."""
    inside: Annotated[tuple[int, ...], by(_owners)]
    """How many clues of each seat are in the hotel, and last how many victims."""
    tower: Tower | None
    held: tuple[Owner, ...] = ()
    """Whose cubes have been taken out of the open floor and wait to be dropped back."""
    fallen: tuple[Owner, ...] = ()
    """Whose cubes have fallen out of the hotel and wait to be dropped back."""
    heard: tuple[Heard, ...] = ()
    """The drops that may be heard again: of this turn; while it has none yet, of the last. None if nothing may."""
    drops: int = 0
    lifts: int = 0
    record: tuple[Entry, ...] = ()
    """Every drop and every cleared floor so far, as facts.py writes them."""
    prices: Annotated[tuple[int, ...], by(FLOOR_NAMES)] = ()
    """What a clue on the sheet costs as things stand."""
    totals: BySeat[int] = ()
    """The suspicion points as they stand."""
