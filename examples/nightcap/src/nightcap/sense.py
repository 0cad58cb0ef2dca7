"""What is worth doing. Both functions may be left out: then bots think about anything, and care for what it tells."""

from collections.abc import Sequence

from nightcap.model import GUESTS, Accuse, Ask, State
from nightcap.rules import legal
from whodunit.core.rng import Rng
from whodunit.core.types import Action, Seat
from whodunit.deduce.belief import DealBelief


def consider(view: State, seat: Seat, belief: DealBelief, _rng: Rng) -> Sequence[Action]:
    """Accuse who it must have been; else ask about guests that one does not hold oneself; answer anything."""
    actions = [action for offer in legal(view, seat) for action in offer.actions()]
    certain = [Accuse(guest) for guest in GUESTS if Accuse(guest) in actions and belief.chance(Accuse(guest)) == 1]
    if certain:
        return certain
    own = view.hands[seat] or ()
    asks = [action for action in actions if isinstance(action, Ask) and not set(own) & set(action.guests)]
    return asks or [action for action in actions if not isinstance(action, Accuse)]


def worth(state: State, seat: Seat, _plan: object = None) -> float:
    """Return how good a state is, in bits: to be out is bad, and nothing else is good or bad by itself."""
    return -10.0 if state.out[seat] else 0.0
