"""One log line for each event of Mord im Arosa, in no language yet; texts/ has the words."""

from collections.abc import Iterable
from typing import assert_never

from whodunit.core.types import Message, Param, Seat, Term, Who
from whodunit.games.arosa.facts import Colour
from whodunit.games.arosa.model import (
    AnyAction,
    AnyEvent,
    Arrange,
    CluesPlaced,
    CluesTakenBack,
    CoveringAnnounced,
    CoverTracks,
    Dropped,
    Exposed,
    GameEnded,
    Inspect,
    Opened,
    OrderAwaited,
    ReturnAwaited,
    Suspect,
    Suspected,
    TakeBack,
    TurnBegan,
    VictimsFound,
)


def tell(event: AnyEvent) -> Message:
    """Say what happened, as far as this event shows it."""
    match event:
        case Opened(victim_dropper=dropper, investigator=investigator):
            return Message("opened", {"dropper": Who(dropper), "seat": Who(investigator)})
        case Dropped():
            return _dropped(event)
        case TurnBegan(seat=seat, act=act):
            return Message(f"turn_began.{act}", {"seat": Who(seat)})
        case Suspected(seat=seat, suspects=suspects, floor=floor):
            told: dict[str, Param] = {"seat": Who(seat), "floor": _floor(floor), **_names(suspects)}
            return Message(f"suspected.{len(suspects)}", told)
        case CoveringAnnounced(seat=seat, floor=floor):
            return Message("covering_announced", {"seat": Who(seat), "floor": _floor(floor)})
        case Exposed():
            return _exposed(event)
        case VictimsFound(floor=floor, count=count):
            return Message(f"victims_found.{count}", {"floor": _floor(floor)})
        case CluesPlaced(seat=seat, floor=floor, count=count, missing=missing):
            placed: dict[str, Param] = {"seat": Who(seat), "floor": _floor(floor), "count": count}
            return (
                Message("clues_placed.short", {**placed, "missing": missing})
                if missing
                else Message("clues_placed", placed)
            )
        case CluesTakenBack(seat=seat, floor=floor, count=count):
            return Message("clues_taken_back", {"seat": Who(seat), "floor": _floor(floor), "count": count})
        case ReturnAwaited(seat=seat, floor=floor, most=most):
            return Message("return_awaited", {"seat": Who(seat), "floor": _floor(floor), "most": most})
        case OrderAwaited(seat=seat):
            return Message("order_awaited", {"seat": Who(seat)})
        case GameEnded():
            return _ended(event)
        case _:
            assert_never(event)


def tell_action(action: AnyAction) -> Message:
    """Say what somebody does, or could do."""
    match action:
        case Inspect(floor=floor):
            return Message("deed.Inspect", {"floor": _floor(floor)})
        case Suspect(suspects=suspects, floor=floor):
            return Message(f"deed.Suspect.{len(suspects)}", {"floor": _floor(floor), **_names(suspects)})
        case CoverTracks(floor=floor):
            return Message("deed.CoverTracks", {"floor": _floor(floor)})
        case TakeBack(count=count):
            return Message("deed.TakeBack", {"count": count})
        case Arrange():
            return Message("deed.Arrange")
        case _:
            assert_never(action)


def _names(suspects: Iterable[Seat]) -> dict[str, Param]:
    return {f"suspect{number}": Who(suspect) for number, suspect in enumerate(suspects, 1)}


def _dropped(event: Dropped) -> Message:
    told: dict[str, Param] = {"seat": Who(event.seat), "colour": Term(event.colour)}
    if event.moved is None:
        return Message(f"dropped.{event.why}", told)
    return Message(f"dropped.{event.why}.seen", {**told, "floor": _floor(event.moved[0].floor)})


def _exposed(event: Exposed) -> Message:
    told: dict[str, Param] = {"seat": Who(event.seat), "floor": _floor(event.floor)}
    key = "exposed"
    if event.found:
        told["found"] = _cubes(cube.colour for cube in event.found)
    else:
        key += ".empty"
    if event.fallen:
        told["fallen"] = _cubes(event.fallen)
        key += ".spilled"
    return Message(key, told)


def _ended(event: GameEnded) -> Message:
    told: dict[str, Param] = {}
    for seat, total in enumerate(event.totals):
        told |= {f"seat{seat}": Who(seat), f"points{seat}": total}
    return Message(f"game_ended.{event.how}.{len(event.totals)}", told)


def _floor(floor: int) -> Term:
    return Term(f"floor {floor}")


def _cubes(colours: Iterable[Colour]) -> tuple[Term, ...]:
    return tuple(Term(colour) for colour in colours)
