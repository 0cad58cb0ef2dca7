"""How good a decision was, in suspicion points: what it may be expected to bring beside all else on offer.

A point that a rival gets is worth as much as it brings the average rival further behind; one's own points count whole,
and a clue that one must drop counts for what such a clue costs by rule of thumb (`sense.PENALTY`). All else is exact:
the chances of what a floor may show are the belief's (`contents.py`), colour by colour, and the sheet is public.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from whodunit.core.judging import Choice, Measure, Prospect, Reply, three_best
from whodunit.core.types import Message, Seat
from whodunit.games.arosa.evidence import Belief
from whodunit.games.arosa.facts import FLOORS, VICTIM, Floor
from whodunit.games.arosa.model import (
    Accusing,
    AnyAction,
    CoverTracks,
    Inspect,
    Searching,
    State,
    Suspect,
    TakeBack,
    TakingBack,
)
from whodunit.games.arosa.rules import GROUND, classes, legal, prices
from whodunit.games.arosa.sense import PENALTY

MEASURE: Final = Measure(loss=1.0, share=0.45, stroke=5.0)
"""Of what lies between the worst and the best on offer; fixed on games of bots (docs/decisions.md, 158)."""
ASSUMES: Final = (
    Message("assumes.margin"),
    Message("assumes.clue_inside", {"points": f"{PENALTY:.1f}"}),
    Message("assumes.not_the_end"),
)


def choice(view: State, seat: Seat, belief: Belief, action: AnyAction) -> Choice | None:
    """Return what an action promises beside all else on offer; to arrange what falls back decides nothing."""
    phase = view.phase
    if isinstance(phase, TakingBack):
        price = prices(view)[phase.floor]
        return _chosen("take_back", action, [(TakeBack(count), count * price) for count in range(phase.most + 1)])
    if not isinstance(phase, Searching | Accusing):
        return None
    values = [*_values(view, seat, belief)]
    kind = "search" if isinstance(phase, Searching) else "suspicion"
    return _chosen(kind, action, values, belief)


def _chosen(
    kind: str, action: AnyAction, values: Sequence[tuple[AnyAction, float]], belief: Belief | None = None
) -> Choice:
    gains = {} if belief is None else {floor: belief.gain(Inspect(floor)) for floor in FLOORS}
    prospects = [Prospect(other, value, _gain(gains, other)) for other, value in values]
    same = _plain(action)
    taken = next(prospect for prospect in prospects if prospect.action == same)
    worths = [prospect.value for prospect in prospects]
    return Choice(
        kind=kind,
        unit="points",
        taken=taken,
        best=three_best(prospects, taken),
        spread=max(worths) - min(worths),
        typical=sum(worths) / len(worths),
        offered=max(gains.values(), default=0.0),
        measure=MEASURE,
        stake=max(worths) - min(worths),
        replies=() if belief is None else belief.replies(action),
        assumes=ASSUMES[-1:] if belief is None else (*belief.assumes(), *ASSUMES),
    )


def _gain(gains: dict[Floor, float], action: AnyAction) -> float:
    return gains[action.floor] if isinstance(action, Inspect | Suspect | CoverTracks) else 0.0


def _plain(action: AnyAction) -> AnyAction:
    match action:
        case Inspect(floor=floor):
            return Inspect(floor)
        case Suspect(suspects=suspects, floor=floor):
            return Suspect(suspects, floor)
        case CoverTracks(floor=floor):
            return CoverTracks(floor)
        case _:
            return action


def _values(view: State, seat: Seat, belief: Belief) -> Iterator[tuple[AnyAction, float]]:
    """Yield each way to open a floor, and how many points it may be expected to bring."""
    shown = _Shown(belief, seat)
    for offer in legal(view, seat):
        for action in offer.actions():
            match action:
                case Inspect(floor=floor, arrange=False):
                    yield action, _look(view, shown, floor)
                case Suspect(suspects=suspects, floor=floor, arrange=False):
                    yield action, _suspicion(view, shown, suspects, floor)
                case CoverTracks(floor=floor, arrange=False):
                    yield action, _cover(view, shown, floor)


class _Shown:
    """What floors may show."""

    def __init__(self, belief: Belief, seat: Seat) -> None:
        self.belief = belief
        self.seat = seat
        self.rivals = [other for other in range(len(belief.stories) - 1) if other != seat]
        seats = (*self.rivals, seat)
        self.none = {(other, floor): self._none(other, floor) for other in seats for floor in FLOORS}
        self.expected = {(other, floor): self._expected(other, floor) for other in seats for floor in FLOORS}

    def _none(self, owner: Seat, floor: Floor) -> float:
        return sum(find.chance for find in self.belief.finds(owner, floor) if not find.number)

    def _expected(self, owner: Seat, floor: Floor) -> float:
        return sum(find.chance * find.number for find in self.belief.finds(owner, floor))


def _look(view: State, shown: _Shown, floor: Floor) -> float:
    """Weigh a look for victims: where one lies, all rivals show their clues, and what lies near costs more."""
    options, value = view.options, 0.0
    for victims, chance, _ in shown.belief.finds(VICTIM, floor):
        if not victims:
            value -= chance * PENALTY  # AROSA-31
            continue
        lie = tuple(number + victims * (place == floor) for place, number in enumerate(view.victims))
        price = classes(lie, options.scene_points, options.near_points, options.far_points)
        dearer = [new - old for new, old in zip(price, prices(view), strict=True)]
        columns = zip(*view.sheet, strict=True)
        costs = [sum([more * clues for more, clues in zip(dearer, column, strict=True)]) for column in columns]
        for rival in shown.rivals:
            value += chance * (costs[rival] + price[floor] * shown.expected[rival, floor]) / len(shown.rivals)
        value -= chance * costs[shown.seat]
    return value


def _suspicion(view: State, shown: _Shown, suspects: Sequence[Seat], floor: Floor) -> float:
    """Weigh an accusation: who is there shows their clues, and each who is not costs one of one's own."""
    price = prices(view)[floor] / len(shown.rivals)
    value = sum(price * shown.expected[other, floor] - PENALTY * shown.none[other, floor] for other in suspects)
    if floor != GROUND:
        return value
    alone = shown.none[shown.seat, floor]  # AROSA-49, 50
    return (1 - alone) * value - alone * PENALTY * len(suspects)


def _cover(view: State, shown: _Shown, floor: Floor) -> float:
    """Weigh covering tracks: as many as lie there and on the sheet come back."""
    on_sheet, price = view.sheet[floor][shown.seat], prices(view)[floor]
    return sum(
        chance * (price * min(own, on_sheet) if own else -PENALTY)
        for own, chance, _ in shown.belief.finds(shown.seat, floor)
    )


def ahead(_view: State, _seat: Seat, _belief: Belief) -> tuple[Reply, ...]:
    """Return nothing: nobody names a solution here, so nobody waits to know one."""
    return ()
