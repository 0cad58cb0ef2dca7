"""Best ear: cases of Mord im Arosa. Where does the cube lie, by a few noises and a few looks?

Hearing rules out no floor, so nothing here is ever proved: an answer is more or less likely. Each is cut from a real
game of bots, out of the bank, and only asked where the best listener is nearly sure. All is counted in whole numbers.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from whodunit.core.cutting import Entry, Line, Question, Weighed
from whodunit.games.arosa import bank
from whodunit.games.arosa.bank import Asked, Bank, Beginning, Weights
from whodunit.games.arosa.facts import CLUES, COLOURS, FLOORS, Colour, Floor
from whodunit.games.arosa.model import AnyEvent, CoveringAnnounced, Dropped, Exposed, Suspected

WHOLE: Final = 1_000_000
"""All chances of a question together."""
SURE: Final = 950_000
"""As likely as this the best answer is at least, by all that was heard and seen."""
FEWEST, MOST = 4, 8
"""Lines of a case."""

_BITS: Final = CLUES.bit_length()
_DIGIT: Final = (1 << _BITS) - 1

Ways = dict[int, int]
"""The numbers on all floors, as the digits of one number, and how likely they are, up to a factor."""


class BadEarCase(ValueError):
    """A case that is none of the bank's; says why."""


# --- Making -------------------------------------------------------------------------------------------------------


def make(day: int) -> tuple[Line, tuple[Line, ...], Question]:
    """Return what is given on a day, the lines, and what is asked; days are counted as `date.toordinal` does."""
    store = bank.bank()
    return posed(store, store.calendar[(day - 1) % len(store.calendar)])


def posed(store: Bank, asked: Asked) -> tuple[Line, tuple[Line, ...], Question]:
    """Return a case of the bank as it is posed: nothing in it hangs on what is secret."""
    given, lines = cut(store.beginnings[asked.beginning].events)
    return given, lines[: asked.lines], question(asked.colour)


def cut(events: Sequence[AnyEvent]) -> tuple[Line, tuple[Line, ...]]:
    """Cut a game into what is given and lines: each is one drop or one look, and what the rules make of it."""
    given: list[AnyEvent] = []
    lines: list[list[AnyEvent]] = []
    announced: list[AnyEvent] = []
    for event in events:
        if isinstance(event, Suspected | CoveringAnnounced):
            announced.append(event)  # what a look is for is said before it
        elif isinstance(event, Dropped | Exposed):
            lines.append([*announced, event])
            announced = []
        elif lines:
            lines[-1].append(event)
        else:
            given.append(event)
    return tuple(given), tuple(map(tuple, lines))


def question(colour: Colour) -> Question:
    """Ask where the one cube of this colour lies."""
    return Question("ear", (tuple((colour, str(floor)) for floor in FLOORS),), colour)


# --- Weighing -----------------------------------------------------------------------------------------------------


def chances(given: Line, lines: Sequence[Line], asked: Question) -> Mapping[Entry, int]:
    """Return in millionths how likely the cube lies on each floor, by the lines that are turned.

    While several of its colour are inside, any of them may be meant; while none is, the next one that falls.
    """
    events = [*given, *(event for line in lines for event in line)]
    heard = {name: sound.heard for name, sound in bank.sounds().items()}
    (group,) = asked.form
    return dict(zip(group, weighed(events, _colour(asked), bank.bank().law, heard), strict=True))


def weighed(
    events: Iterable[object], colour: Colour, law: Sequence[Weights], heard: Mapping[str, Weights]
) -> tuple[int, ...]:
    """Return by floor how likely a cube of this colour lies there, in millionths.

    Cubes of a colour cannot be told apart: kept is how many may lie where. A drop adds one, by the law times what the
    listener hears; an open floor shows how many there are, and takes them out.
    """
    ways: Ways = {0: 1}
    inside = 0
    for event in events:
        if isinstance(event, Dropped):
            if event.colour == colour:
                noise = heard[event.clip.id]
                ways = _put(ways, [prior * tells for prior, tells in zip(law[inside], noise, strict=True)])
            inside += 1
        elif isinstance(event, Exposed):
            shift, found = _BITS * event.floor, [cube.colour for cube in event.found].count(colour)
            ways = {way - (found << shift): weight for way, weight in ways.items() if way >> shift & _DIGIT == found}
            inside -= len(event.found) + len(event.fallen)
    shares = [sum(weight * (way >> _BITS * floor & _DIGIT) for way, weight in ways.items()) for floor in FLOORS]
    return _rounded(shares if any(shares) else law[inside])


def _put(before: Ways, weights: Sequence[int]) -> Ways:
    after: Ways = {}
    for floor, weight in zip(FLOORS, weights, strict=True):
        for way, mass in before.items():
            there = way + (1 << _BITS * floor)
            after[there] = after.get(there, 0) + weight * mass
    return after


def _rounded(shares: Sequence[int]) -> tuple[int, ...]:
    """Return shares of one million; what rounding down leaves goes to those that lost most by it."""
    total = sum(shares)
    low = [share * WHOLE // total for share in shares]
    lost = sorted(FLOORS, key=lambda floor: (-(shares[floor] * WHOLE % total), floor))
    more = lost[: WHOLE - sum(low)]
    return tuple(share + (floor in more) for floor, share in enumerate(low))


# --- The truth ----------------------------------------------------------------------------------------------------


def truth(given: Line, lines: Sequence[Line], asked: Question) -> Entry:
    """Return where the cube really lies; BadEarCase, if that is no case of the bank."""
    begun, colour = _found(given, lines), _colour(asked)
    if not FEWEST <= len(lines) <= MOST:
        raise BadEarCase(f"a case has {FEWEST} to {MOST} lines, not {len(lines)}")
    lies = places((event for line in lines for event in line), begun.floors, colour)
    if len(lies) != 1:
        raise BadEarCase(f"{len(lies)} {colour} cubes are inside, not one")
    return colour, str(lies[0])


def places(events: Iterable[object], floors: Sequence[Floor], colour: Colour) -> list[Floor]:
    """Return where the cubes of a colour lie that are inside, if they came to lie on these floors, drop by drop."""
    lies: list[Floor] = []
    falls = iter(floors)
    for event in events:
        if isinstance(event, Dropped):
            floor = next(falls)
            lies += [floor] if event.colour == colour else []
        elif isinstance(event, Exposed):
            lies = [floor for floor in lies if floor != event.floor]
    return lies


def _found(given: Line, lines: Sequence[Line]) -> Beginning:
    """Return the beginning from which a case was cut."""
    for begun in bank.bank().beginnings:
        opening, whole = cut(begun.events)
        if given == opening and tuple(lines) == whole[: len(lines)]:
            return begun
    raise BadEarCase("no game of the bank begins so")


def _colour(asked: Question) -> Colour:
    colour = next((colour for colour in COLOURS if asked == question(colour)), None)
    if colour is None:
        raise BadEarCase("that is not asked of cubes")
    return colour


CUTS: Final = Weighed(version=1, sure=SURE, make=make, chances=chances, truth=truth, clip=bank.clip)
