"""One line for each event, and for what a review tells of: a key of texts/, and the fields that fill the sentence.

Whoever may know an event's secrets reads `<key>.seen`.
"""

from typing import Final

from nightcap import model
from whodunit.core.telling import Line, Lines

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
    model.Ask: Line("deed.Ask", seats=("to",), words=("guests",)),
    model.Accuse: Line("deed.Accuse", words=("guest",)),
}
