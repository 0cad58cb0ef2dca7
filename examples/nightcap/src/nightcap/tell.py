"""One log line for each event: a key of texts/, and the fields that fill the sentence.

Whoever may know an event's secrets reads `<key>.seen`.
"""

from typing import Final

from nightcap import model
from nightcap.model import AnyAction
from whodunit.core.telling import Line, Lines
from whodunit.core.types import Message, Term, Who

TELL: Final[Lines] = {
    model.Opened: Line("opened"),
    model.CulpritHidden: Line("culprit_hidden", words=("guest",)),
    model.HandDealt: Line("hand_dealt", seats=("seat",), words=("guests",), plain=("size",)),
    model.TurnBegan: Line("turn_began", seats=("seat",)),
    model.Asked: Line("asked", seats=("seat", "to"), words=("guests",)),
    model.GuestShown: Line("guest_shown", seats=("seat", "to"), words=("guest",)),
    model.NothingShown: Line("nothing_shown", seats=("seat", "to"), words=("guests",)),
    model.Accused: Line("accused", seats=("seat",), words=("guest",), by="right"),
    model.NightEnded: Line("night_ended", seats=("seat",), words=("guest",), by="how"),
}


def tell_action(action: AnyAction) -> Message:
    """Say an action in words, for a review; left out, the house lists what the action names."""
    match action:
        case model.Ask(to=to, guests=guests):
            return Message("deed.Ask", {"to": Who(to), "guests": tuple(map(Term, guests))})
        case model.Accuse(guest=guest):
            return Message("deed.Accuse", {"guest": Term(guest)})
        case model.Show(guest=guest):
            return Message("deed.Show", {"guest": Term(guest)})
        case model.ShowNothing():
            return Message("action.ShowNothing")
