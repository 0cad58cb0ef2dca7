"""What the first cases state as facts: each sentence with a check of it against the truth behind the learner's page."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from tests.lessons import LEARNER, Moment
from whodunit.core.types import Event, Seat
from whodunit.games.clue.facts import SUSPECTS
from whodunit.games.perfect_alibi.facts import PARTS

Fact: TypeAlias = Callable[[Moment, int | None], bool]
"""Whether a sentence is so at a moment; the number is the event's of which it speaks."""


def _event(moment: Moment, about: int | None) -> Any:
    """Return that event, secrets included."""
    assert about is not None
    return moment.case.events[about - 1]


def _before(moment: Moment, about: int | None, kind: str) -> Any:
    """Return the last event of a kind up to that one, or of all."""
    events: tuple[Event, ...] = moment.case.events[:about]
    return next(event for event in reversed(events) if type(event).__name__ == kind)


def _state(moment: Moment) -> Any:
    return moment.case.table.state


def _marks(moment: Moment, row: object, column: object) -> str | None:
    cells = [cell for cell in moment.sheet.cells if (cell.row, cell.column) == (str(row), str(column))]
    assert len(cells) == 1, (row, column)
    return cells[0].mark


def _certain(moment: Moment, column: str) -> set[str]:
    return {cell.row for cell in moment.sheet.cells if cell.column == column and cell.mark == "yes"}


def _offered(moment: Moment, action: str) -> list[Any]:
    return [one for offer in moment.offers if offer.action.__name__ == action for one in offer.actions()]


# --- Clue ------------------------------------------------------------------------------------------------------------


def _trio(trio: Any) -> set[str]:
    return {trio.suspect, trio.weapon, trio.room}


def _held(moment: Moment, seat: Seat) -> set[Any]:
    return set(_state(moment).hands[seat])


def _asked_for(moment: Moment, about: int | None = None) -> set[str]:
    return _trio(_before(moment, about, "Suggested").trio)


def _welcome(moment: Moment, _: int | None) -> bool:
    return not _held(moment, LEARNER) & _trio(_state(moment).envelope)


def _move(moment: Moment, _: int | None) -> bool:
    return len(_offered(moment, "Move")) > 0


def _suggest(moment: Moment, _: int | None) -> bool:
    state = _state(moment)
    place = state.places[SUSPECTS.index(state.tokens[LEARNER])]
    return state.on_turn == LEARNER and {action.room for action in _offered(moment, "Suggest")} == {place}


def _shown(moment: Moment, about: int | None) -> bool:
    event = _event(moment, about)
    return event.known_to == {event.seat, LEARNER} and _marks(moment, event.card, "envelope") == "no"


def _passed(moment: Moment, about: int | None) -> bool:
    seat = _event(moment, about).seat
    three = _asked_for(moment, about)
    return not three & _held(moment, seat) and {_marks(moment, card, seat) for card in three} == {"no"}


def _others(moment: Moment, about: int | None) -> bool:
    event = _event(moment, about)
    unseen = moment.told[(about or 0) - 1].card is None  # type: ignore[attr-defined]
    return unseen and event.known_to == {event.seat, event.to} and event.card in _asked_for(moment, about)


def _cannot(moment: Moment, _: int | None) -> bool:
    return not _asked_for(moment) & _held(moment, LEARNER)


def _asked(moment: Moment, _: int | None) -> bool:
    return bool(_asked_for(moment) & _held(moment, LEARNER))


def _asked_choice(moment: Moment, _: int | None) -> bool:
    return len(_asked_for(moment) & _held(moment, LEARNER)) > 1


def _nobody(moment: Moment, _: int | None) -> bool:
    mine = _before(moment, None, "Suggested").seat == LEARNER
    return mine and _asked_for(moment) - _held(moment, LEARNER) <= _trio(_state(moment).envelope)


def _solved(moment: Moment, _: int | None) -> bool:
    return _certain(moment, "envelope") == _trio(_state(moment).envelope)


CLUE: Final[Mapping[str, Fact]] = {
    "welcome": _welcome,
    "move": _move,
    "suggest": _suggest,
    "shown": _shown,
    "passed": _passed,
    "others": _others,
    "cannot": _cannot,
    "asked": _asked,
    "asked.choice": _asked_choice,
    "nobody": _nobody,
    "solved": _solved,
}

# --- Perfect Alibi ---------------------------------------------------------------------------------------------------


def _pick(moment: Moment, _: int | None) -> bool:
    return sum(_state(moment).sizes) == 15 and _state(moment).missing is not None


def _chip(moment: Moment, _: int | None) -> bool:
    state = _state(moment)
    askable: dict[int, set[Seat]] = {}
    for action in _offered(moment, "TakeChip"):
        askable.setdefault(action.place, set()).add(action.answerer)
    others = set(range(len(state.colours))) - {LEARNER}
    if all(chip.colour == state.colours[LEARNER] for chip in state.row):
        return all(seats == others for seats in askable.values())
    return all(seats == {state.colours.index(state.row[place - 1].colour)} for place, seats in askable.items())


def _change(moment: Moment, _: int | None) -> bool:
    state, chip = _state(moment), _before(moment, None, "ChipTaken")
    offered = {action.assistant for action in _offered(moment, "ChangeAssistant")}
    mine, theirs = state.assistants[LEARNER], state.assistants[chip.answerer]
    return bool(chip.chip.arrows and chip.seat == LEARNER and offered == {*state.pool, theirs} - {mine})


def _ask(moment: Moment, _: int | None) -> bool:
    return {len(action.elements) for action in _offered(moment, "Ask")} == {1, 2, 3}


def _number(moment: Moment, about: int | None) -> bool:
    event = _event(moment, about)
    question = _state(moment).log[event.question - 1]
    fits = [card for card in _held(moment, event.seat) if {*PARTS[card]} & {*question.elements}]
    return bool(event.said == len(fits))


def _alibi_shown(moment: Moment, about: int | None) -> bool:
    event = _event(moment, about)
    holding = _state(moment).log[event.question - 1].holding
    captains = {seat for seat, assistant in enumerate(holding) if assistant == "Captain"}
    return event.known_to <= {event.seat, LEARNER} | captains and _marks(moment, event.card, event.seat) == "yes"


def _answered(moment: Moment, _: int | None) -> bool:
    return len(_offered(moment, "Answer")) == 1 and not _state(moment).rivals


def _showing(moment: Moment, _: int | None) -> bool:
    return len(_offered(moment, "Show")) >= 2


def _slam(moment: Moment, _: int | None) -> bool:
    return _certain(moment, "missing") == {str(_state(moment).missing)}


ALIBI: Final[Mapping[str, Fact]] = {
    "pick": _pick,
    "chip": _chip,
    "change": _change,
    "ask": _ask,
    "number": _number,
    "shown": _alibi_shown,
    "answered": _answered,
    "showing": _showing,
    "slam": _slam,
}

# --- Crime Hotel -----------------------------------------------------------------------------------------------------


def _play(moment: Moment, _: int | None) -> bool:
    state = _state(moment)
    return state.hidden not in state.lit and state.hidden not in state.hands[LEARNER]


def _lots(moment: Moment, about: int | None) -> bool:
    return len(_event(moment, about).lots) == 3 and not _state(moment).options.beginner


def _lacks(moment: Moment, about: int | None) -> bool:
    event = _event(moment, about)
    crossed: set[str | None] = {
        _marks(moment, card, event.seat) for card in range(10 * event.lacks + 1, 10 * event.lacks + 10)
    }
    floors = {card // 10 for card in _held(moment, event.seat)}
    return bool(crossed == {"no"} and event.lacks not in floors)


def _guess(moment: Moment, _: int | None) -> bool:
    options = _state(moment).options
    return bool(options.floor_points < options.column_points < options.room_points)


def _rivals(moment: Moment, about: int | None) -> bool:
    event = _event(moment, about)
    return bool(event.seat != LEARNER and moment.told[(about or 0) - 1] == event)


def _desk(moment: Moment, _: int | None) -> bool:
    return not _state(moment).options.beginner


def _seen(moment: Moment, about: int | None) -> bool:
    event, state = _event(moment, about), _state(moment)
    dark = not {*event.cards} & {*state.lit}
    return dark and {_marks(moment, card, "hidden") for card in event.cards} == {"no"}


def _sure(moment: Moment, _: int | None) -> bool:
    return _certain(moment, "hidden") == {str(_state(moment).hidden)}


def _last(moment: Moment, _: int | None) -> bool:
    state = _state(moment)
    return len(state.lit) + sum(map(len, state.hands)) == 26


HOTEL: Final[Mapping[str, Fact]] = {
    "play": _play,
    "lots": _lots,
    "lacks": _lacks,
    "guess": _guess,
    "rivals": _rivals,
    "desk": _desk,
    "seen": _seen,
    "sure": _sure,
    "last": _last,
}

# --- Mord im Arosa ---------------------------------------------------------------------------------------------------


def _heard(moment: Moment, _: int | None) -> bool:
    return bool(_state(moment).options.prologue_clues == 2)


def _search(moment: Moment, _: int | None) -> bool:
    return bool(_state(moment).act == 1 and sum(_state(moment).victims) < 2)


def _open(moment: Moment, about: int | None) -> bool:
    found = _event(moment, about).found
    return moment.told[(about or 0) - 1].found == found  # type: ignore[attr-defined,no-any-return]


def _scene(moment: Moment, about: int | None) -> bool:
    state, event = _state(moment), _event(moment, about)
    points = state.options.scene_points, state.options.near_points, state.options.far_points
    return points == (3, 2, 1) and state.victims[event.floor] >= event.count


def _suspect(moment: Moment, _: int | None) -> bool:
    return bool(_state(moment).act == 2)


def _cover(moment: Moment, _: int | None) -> bool:
    state = _state(moment)
    return bool(state.act == 2 and any(row[LEARNER] for row in state.sheet))


def _placed(moment: Moment, about: int | None) -> bool:
    return bool(_event(moment, about).seat != _before(moment, about, "Exposed").seat)


def _penalty(moment: Moment, about: int | None) -> bool:
    return bool(_event(moment, about).seat == _before(moment, about, "Exposed").seat)


AROSA: Final[Mapping[str, Fact]] = {
    "heard": _heard,
    "search": _search,
    "open": _open,
    "scene": _scene,
    "suspect": _suspect,
    "cover": _cover,
    "placed": _placed,
    "penalty": _penalty,
}

FACTS: Final[Mapping[str, Mapping[str, Fact]]] = {
    "clue": CLUE,
    "perfect_alibi": ALIBI,
    "crime_hotel": HOTEL,
    "arosa": AROSA,
}


def solution(game: str, moment: Moment) -> set[str]:
    """Return the rows of the notes that are the solution; nothing in a game that is not solved by notes."""
    state = _state(moment)
    match game:
        case "clue":
            return _trio(state.envelope)
        case "perfect_alibi":
            return {str(state.missing)}
        case "crime_hotel":
            return {str(state.hidden)}
        case _:
            return set()
