"""How to play Mord im Arosa well: which actions are worth thinking about, and how good a situation is."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import exp
from typing import Final, NamedTuple, TypeAlias

from whodunit.core.rng import Rng
from whodunit.core.types import Action, Seat, StandingOrder
from whodunit.games.arosa.evidence import Belief, World
from whodunit.games.arosa.facts import FLOORS, VICTIM, VICTIMS, Floor
from whodunit.games.arosa.model import (
    Accusing,
    AnyEvent,
    CoverTracks,
    Inspect,
    Options,
    Over,
    Searching,
    State,
    Suspect,
    TakeBack,
    TakingBack,
)
from whodunit.games.arosa.rules import GROUND, classes, legal, prices, totals_of
from whodunit.tower import law

AT_FIRST_SIGHT: Final = 3
"""So many floors come to the mind of one who does not reckon."""
CLOSE: Final = 2
"""From so many clues before the end on, what ends the game is thought through, in so many actions."""
PENALTY: Final = 0.6
"""What one more clue in the hotel costs, in points, by rule of thumb."""
WIN: Final = 30.0
"""What it is worth to have won, in points."""
SURELY: Final = 0.003
"""What is less likely is not reckoned with by one who looks ahead."""

Rows: TypeAlias = Sequence[Sequence[float]]
"""By seat and floor."""


class Shares(NamedTuple):
    """Where clues may lie: how likely there are some, and how many to expect."""

    some: Rows
    expected: Rows

    def after(self, floor: Floor, falls: Sequence[float]) -> "Shares":
        """Return the shares when all that lies on a floor has been dropped again, before anybody has heard it."""
        some, expected = [], []
        for there, number in zip(self.some, self.expected, strict=True):
            again = [number[floor] * share for share in falls]
            rest = [0.0 if other == floor else share for other, share in enumerate(there)]
            some.append([1 - (1 - share) * exp(-more) for share, more in zip(rest, again, strict=True)])
            rest = [0.0 if other == floor else count for other, count in enumerate(number)]
            expected.append([count + more for count, more in zip(rest, again, strict=True)])
        return Shares(some, expected)


# --- What is worth a thought -------------------------------------------------------------------------------------


def consider(view: State, seat: Seat, belief: Belief, rng: Rng) -> Sequence[Action]:
    """Return the most promising action; near the end the few most promising ones, never none."""
    phase = view.phase
    if isinstance(phase, TakingBack):
        return [TakeBack(phase.most)]
    if not isinstance(phase, Searching | Accusing):
        return [offer.sample(rng) for offer in legal(view, seat)]
    if belief.attention == "motives":
        return [max(_prospects(view, seat, belief), key=lambda prospect: prospect[0])[1]]
    floors: Sequence[Floor] = FLOORS
    if belief.attention == "sight":
        floors = rng.shuffled("at first sight", FLOORS)[:AT_FIRST_SIGHT]
    shares = _shares(view, belief, floors)
    if isinstance(phase, Searching):
        found = [_look(view, seat, belief, shares, floor) for floor in floors]
    else:
        found = [_accusation(view, seat, shares, floor) for floor in floors]
        if len(legal(view, seat)) > 1:
            found += [_cover(view, seat, shares, floor) for floor in floors]
    found.sort(key=lambda gain: -gain[0])
    return [action for _, action in found[: 1 + CLOSE if _is_close(view) else 1]]


def _shares(view: State, belief: Belief, floors: Sequence[Floor]) -> Shares:
    """Return the shares of all players' clues on these floors."""
    seats = range(len(view.supplies))
    some = [[belief.some(seat, floor) if floor in floors else 0.0 for floor in FLOORS] for seat in seats]
    return Shares(
        some, [[belief.expected(seat, floor) if floor in floors else 0.0 for floor in FLOORS] for seat in seats]
    )


def _is_close(view: State) -> bool:
    """Say whether this turn may be the last."""
    full = max(map(sum, zip(*view.sheet, strict=True)))
    return full + CLOSE >= view.options.sheet_limit or view.supplies[view.on_turn] <= CLOSE


def _look(view: State, seat: Seat, belief: Belief, shares: Shares, floor: Floor) -> tuple[float, Action]:
    """Weigh a look for victims by points: rivals whose clues lie there too must show them."""
    victim = belief.some(VICTIM, floor)
    rivals = [row[floor] for other, row in enumerate(shares.expected) if other != seat]
    traces = sum(rivals) / len(rivals)
    return victim * traces * view.options.scene_points - (1 - victim) * PENALTY, Inspect(floor)


def _accusation(view: State, seat: Seat, shares: Shares, floor: Floor) -> tuple[float, Action]:
    """Return the best accusation on a floor by points, and what it may be expected to bring."""
    gain, named = _named(seat, shares, floor, prices(view)[floor])
    return gain, Suspect(named, floor)


def _named(seat: Seat, shares: Shares, floor: Floor, price: int) -> tuple[float, tuple[Seat, ...]]:
    """Return whom to name on a floor, all rivals being alike, and what that may be expected to bring."""
    # AROSA-49, 50: on the ground floor nothing counts without a clue of one's own there, and every name costs.
    counts = shares.some[seat][floor] if floor == GROUND else 1.0
    point = counts * price / (len(shares.some) - 1)
    gains = {
        other: point * shares.expected[other][floor] - (1 - counts * there[floor]) * PENALTY
        for other, there in enumerate(shares.some)
        if other != seat
    }
    named = [other for other, gain in gains.items() if gain > 0] or [max(gains, key=lambda other: gains[other])]
    return sum([gains[other] for other in named]), tuple(named)


def _cover(view: State, seat: Seat, shares: Shares, floor: Floor) -> tuple[float, Action]:
    """Return what covering tracks on a floor may be expected to bring, in points."""
    back = min(shares.expected[seat][floor], view.sheet[floor][seat])
    return back * prices(view)[floor] - (1 - shares.some[seat][floor]) * PENALTY, CoverTracks(floor)


def urge(_view: State, _seat: Seat, _belief: Belief) -> Sequence[Action]:
    """Return nothing: in Mord im Arosa nobody interrupts."""
    return ()


def habit(view: State, seat: Seat, _seen: Iterable[AnyEvent], rng: Rng, _order: StandingOrder | None = None) -> Action:
    """Do anything: nobody is ever asked in this game."""
    offers = legal(view, seat)
    return offers[rng.below("habit", len(offers))].sample(rng)


# --- Looking ahead: who is likely to win after all that may be found ---------------------------------------------


class Weights(NamedTuple):
    """What everybody's chance to win falls with, as a logarithm."""

    point: float
    late: float
    """What a point counts for besides, the more, the nearer the end is."""
    clue: float
    """A clue in the hotel at the beginning of the game; the nearer the end, the less."""
    round: float
    """A point that the next round is likely to cost."""


SEARCH: Final = Weights(point=0.24, late=0.0, clue=1.4, round=0.0)
ACCUSATION: Final = Weights(point=0.12, late=0.63, clue=0.62, round=0.15)
"""Fitted to who won a hundred games between detectives (docs/decisions.md, 54)."""
LATE: Final = 5.0
"""How much more `late` counts at the end than at the beginning."""


class Standing(NamedTuple):
    """What the chance to win goes by; all but the weights by seat."""

    weights: Weights
    totals: Sequence[int]
    sheet: Sequence[int]
    """Clues on the sheet."""
    supplies: Sequence[int]
    inside: Sequence[int]

    def placed(self, found: Mapping[Seat, int], price: int) -> "Standing":
        """Return it when these have put their clues on the sheet."""
        seats = range(len(self.totals))
        return self._replace(
            totals=[self.totals[seat] + price * found.get(seat, 0) for seat in seats],
            sheet=[self.sheet[seat] + found.get(seat, 0) for seat in seats],
            supplies=[max(0, self.supplies[seat] - found.get(seat, 0)) for seat in seats],  # AROSA-63
        )

    def paid(self, seat: Seat, penalty: int) -> "Standing":
        """Return it when a seat has dropped so many clues as a penalty."""
        supplies, inside = list(self.supplies), list(self.inside)
        supplies[seat] = max(0, supplies[seat] - penalty)  # AROSA-64
        inside[seat] += penalty
        return self._replace(supplies=supplies, inside=inside)

    def is_over(self, options: Options) -> bool:
        """Say whether that ends the game: AROSA-59, 60."""
        return max(self.sheet) >= options.sheet_limit or not min(self.supplies)

    def chances(self, options: Options, costs: Sequence[float]) -> list[float]:
        """Return everybody's chance to win, from what the next round is likely to cost them."""
        left = min(1 - max(self.sheet) / options.sheet_limit, min(self.supplies) / options.clues)
        point, late, clue, around = self.weights
        point += late / (1 + LATE * left)
        clue *= left
        fears = [
            point * total + clue * inside + around * cost
            for total, inside, cost in zip(self.totals, self.inside, costs, strict=True)
        ]
        least = min(fears)
        odds = [exp(least - fear) for fear in fears]
        return [odd / sum(odds) for odd in odds]


def _standing(view: State) -> Standing:
    sheet = list(map(sum, zip(*view.sheet, strict=True)))
    weights = SEARCH if view.act == 1 else ACCUSATION
    return Standing(weights, totals_of(view), sheet, view.supplies, view.inside[:VICTIM])


def _prospects(view: State, seat: Seat, belief: Belief) -> Iterator[tuple[float, Action]]:
    """Yield inspections, the best accusation of every floor among them, and how likely the seat is to win then."""
    ahead = _Ahead(view, seat, _shares(view, belief, FLOORS))
    for floor in FLOORS:
        if isinstance(view.phase, Searching):
            yield ahead.look(floor, belief), Inspect(floor)
            continue
        costs = ahead.costs(floor, prices(view))
        yield ahead.accusation(floor, costs)
        if len(legal(view, seat)) > 1:
            yield ahead.cover(floor, costs), CoverTracks(floor)


class _Ahead:
    """One seat's situation, for which inspections are weighed by all that they may find."""

    def __init__(self, view: State, seat: Seat, shares: Shares) -> None:
        self.view = view
        self.seat = seat
        self.shares = shares
        self.falls = law(sum(view.inside))
        self.now = _standing(view)
        self.nothing: Sequence[float] = [0.0] * len(view.supplies)

    def costs(self, floor: Floor, price: Sequence[int]) -> list[float]:
        """Return what the round after an inspection is likely to cost everybody, if all accuse by rule of thumb."""
        shares, seats = self.shares, len(self.nothing)
        costs = [0.0] * seats
        for place in range(1, seats + 1):
            shares = shares.after(floor, self.falls)
            seat = (self.seat + place) % seats
            _, named, floor = max((*_named(seat, shares, other, price[other]), other) for other in FLOORS)
            counts = shares.some[seat][floor] if floor == GROUND else 1.0
            for other in named:
                costs[other] += counts * price[floor] * shares.expected[other][floor]
        return costs

    def look(self, floor: Floor, belief: Belief) -> float:
        """Return the chance to win after a look for victims: AROSA-29 to AROSA-38."""
        view, options, chance = self.view, self.view.options, 0.0
        for victims, likely in _counts(belief.some(VICTIM, floor), belief.expected(VICTIM, floor)):
            if not victims:
                chance += likely * self._then(self.now, self.nothing, 1)
                continue
            lie = tuple(found + victims * (place == floor) for place, found in enumerate(view.victims))
            price = classes(lie, options.scene_points, options.near_points, options.far_points)
            after, costs = self._with(price), self.nothing
            if sum(lie) == VICTIMS:
                after, costs = after._replace(weights=ACCUSATION), self.costs(floor, price)
            for found, rest in self._finds(floor, [other for other in range(len(self.nothing)) if other != self.seat]):
                chance += likely * rest * self._then(after.placed(found, price[floor]), costs, 0)
        return chance

    def accusation(self, floor: Floor, costs: Sequence[float]) -> tuple[float, Suspect]:
        """Return the accusation on a floor with the best chance to win: names are added while that helps."""
        alone = {other: self._suspected(floor, [other], costs) for other in range(len(costs)) if other != self.seat}
        first, *others = sorted(alone, key=lambda other: -alone[other])
        named, best = [first], alone[first]
        for other in others:
            more = sorted([*named, other])
            chance = self._suspected(floor, more, costs)
            if chance <= best:
                break
            named, best = more, chance
        return best, Suspect(tuple(named), floor)

    def cover(self, floor: Floor, costs: Sequence[float]) -> float:
        """Return the chance to win after covering tracks: AROSA-53 to AROSA-58."""
        price, seat = prices(self.view)[floor], self.seat
        return sum(
            likely * self._then(self.now.placed({seat: -min(own, self.view.sheet[floor][seat])}, price), costs, not own)
            for own, likely in _counts(self.shares.some[seat][floor], self.shares.expected[seat][floor])
        )

    def _suspected(self, floor: Floor, named: Sequence[Seat], costs: Sequence[float]) -> float:
        price, chance = prices(self.view)[floor], 0.0
        for found, likely in self._finds(floor, named):
            missed = sum(not count for count in found.values())  # AROSA-46
            chance += likely * self._then(self.now.placed(found, price), costs, missed)
        if floor != GROUND:
            return chance
        own = self.shares.some[self.seat][floor]  # AROSA-49, 50
        return own * chance + (1 - own) * self._then(self.now, costs, len(named))

    def _finds(self, floor: Floor, owners: Sequence[Seat]) -> Iterator[tuple[dict[Seat, int], float]]:
        """Yield what may be found of these owners on a floor, and how likely it is."""
        each = [_counts(self.shares.some[owner][floor], self.shares.expected[owner][floor]) for owner in owners]
        for ways in product(*each):
            likely = 1.0
            for _, share in ways:
                likely *= share
            yield {owner: count for owner, (count, _) in zip(owners, ways, strict=True)}, likely

    def _then(self, after: Standing, costs: Sequence[float], penalty: int) -> float:
        """Return the chance to win when this has been found, and so many clues are dropped as a penalty."""
        options, seat = self.view.options, self.seat
        if penalty and not after.is_over(options):  # AROSA-61
            after = after.paid(seat, penalty)
        if after.is_over(options):
            least = min(after.totals)
            return (after.totals[seat] == least) / list(after.totals).count(least)
        return after.chances(options, costs)[seat]

    def _with(self, price: Sequence[int]) -> Standing:
        """Return the standing at other prices."""
        columns = zip(*self.view.sheet, strict=True)
        totals = [sum([cost * count for cost, count in zip(price, column, strict=True)]) for column in columns]
        return self.now._replace(totals=totals)


def _counts(some: float, expected: float) -> list[tuple[int, float]]:
    """Return how many may lie there and how likely that is: none, or as many as are to be expected if there are any."""
    if some < SURELY:
        return [(0, 1.0)]
    least = max(1, int(expected / some))
    more = min(max(expected / some - least, 0.0), 1.0)
    some = 1.0 if some > 1 - SURELY else some
    found = [(0, 1 - some), (least, some * (1 - more)), (least + 1, some * more)]
    return [(count, likely) for count, likely in found if likely]


# --- How good it is ----------------------------------------------------------------------------------------------


def plan(_view: State, _seat: Seat, _belief: Belief, _worlds: Sequence[World], foresight: int) -> int:
    """Return how far ahead to think: whoever does weighs who may still win, not points alone."""
    return foresight


def worth(state: State, seat: Seat, plan: int | None = None) -> float:
    """Return how good the table is for a seat: by points, or with a plan by the chance to win; a win is best of all."""
    if isinstance(state.phase, Over):
        winners = state.phase.winners
        return WIN / len(winners) if seat in winners else 0.0
    if plan:
        return WIN * _standing(state).chances(state.options, [0.0] * len(state.supplies))[seat]
    totals = [total + PENALTY * inside for total, inside in zip(totals_of(state), state.inside, strict=False)]
    return WIN / len(totals) + (sum(totals) - totals[seat]) / (len(totals) - 1) - totals[seat]
