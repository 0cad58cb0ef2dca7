"""What each event proves to a viewer. Notes, proofs, hints, bots and the conformance suite all rest on this page."""

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from msgspec.structs import replace

from nightcap import model
from nightcap.model import GUESTS, AnyAction, AnyEvent, Guest, State
from nightcap.rules import hand_size
from nightcap.tell import TELL
from whodunit.core.redact import entitled
from whodunit.core.telling import Teller
from whodunit.core.types import Attention, Message, Seat
from whodunit.deduce import Evidence, Position, has, lacks, shows, some
from whodunit.deduce.belief import HAND, SOLUTION, DealBelief, DealtWorld, Reading

Holder: TypeAlias = Seat | str
"""A seat, or the SOLUTION."""


def deal(event: AnyEvent) -> Position[Guest, Holder] | None:
    """Say what is dealt to whom: so many guests to each seat, and one to nobody."""
    if not isinstance(event, model.Opened):
        return None
    return Position(GUESTS, {**dict.fromkeys(range(event.seats), hand_size(event.seats)), SOLUTION: 1})


def proves(event: AnyEvent, viewer: Seat, seq: int) -> Iterable[Evidence[Guest, Holder]]:
    """Say what an event proves to a viewer, by the rules: never by whether a field happens to be filled."""
    match event:
        case model.HandDealt(seat=seat, guests=guests) if seat == viewer:
            return [has(seat, entitled(guests), HAND)]
        case model.GuestShown(seat=seat, to=to, guests=guests, guest=guest) if to == viewer:
            return [shows(seat, entitled(guest), guests, seq)]
        case model.GuestShown(seat=seat, guests=guests):
            return [some(seat, guests, seq)]
        case model.NothingShown(seat=seat, guests=guests):
            return [lacks(seat, guests, seq)]
        case model.Accused(guest=guest, right=right):
            return [(has if right else lacks)(SOLUTION, [guest], seq)]
        case model.NightEnded(guest=guest):
            return [has(SOLUTION, [guest], seq)]
        case _:
            return []


def answers(action: AnyAction, by: Seat, viewer: Seat) -> Sequence[AnyEvent]:
    """Say how a question may be answered as a viewer would see it: with this a game can be reviewed."""
    match action:
        case model.Ask(to=to, guests=guests):
            shown = guests if viewer == by else (None,)  # which of the two, only the asker sees
            known = frozenset({to, by})
            return [
                *(model.GuestShown(seat=to, to=by, guests=guests, guest=guest, known_to=known) for guest in shown),
                model.NothingShown(seat=to, to=by, guests=guests),
            ]
        case _:
            return []


READING: Final = Reading(deal, proves, Teller(TELL), (Message("assumes.even_choice"),), answers)


def belief(seat: Seat, attention: Attention = "logic") -> DealBelief:
    """Return what a viewer knows before anything was seen."""
    return DealBelief(seat, attention, READING)


def imagine(view: State, world: DealtWorld) -> State:
    """Fill in what the view leaves open, as this world has it: bots think about such states."""
    (culprit,) = world.solution
    return replace(view, hands=world.hands, culprit=culprit)
