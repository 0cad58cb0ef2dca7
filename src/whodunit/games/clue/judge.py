"""How good a choice was in Clue, by what its seat knew: where one goes, what one asks, and what else was on offer.

What a question tells is counted, not sampled. What comes after it is the plan by which bots walk (`sense.planned`).
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from whodunit.core.judging import Choice, Measure, Prospect, Reply, three_best
from whodunit.core.types import Action, Message, Seat
from whodunit.deduce import Evidence
from whodunit.games.clue.evidence import Belief, Holder
from whodunit.games.clue.facts import PACK, PASSAGES, ROOMS, SUSPECTS, WEAPONS, Card, Place, Room, Suspect, Weapon
from whodunit.games.clue.model import (
    AnyAction,
    Arrived,
    Beginning,
    CardShown,
    EndTurn,
    LookAside,
    Move,
    Roll,
    State,
    StayAndSuggest,
    Suggest,
    Suggested,
    TakePassage,
    Trio,
    Walking,
)
from whodunit.games.clue.rules import FACES, legal
from whodunit.games.clue.sense import PATIENCE, planned

FORESIGHT: Final = 4
"""So many questions ahead a way is planned, as masterminds do it."""
BLUNDER: Final = Measure(loss=0.5, share=0.45)
"""From where on a loss is a blunder, in bits: fixed on games of bots of all levels, and tried on others."""
ASKED: Final = Measure(BLUNDER.loss, BLUNDER.share, stroke=1.1)
"""The same of a question; one so far above the average of all in its room comes once in many games of masterminds."""


def choice(view: State, seat: Seat, belief: Belief, action: AnyAction) -> Choice | None:
    """Weigh an action of the seat whose turn it is; an answer is not graded."""
    if belief.position is None or view.on_turn != seat:
        return None
    weighed = _Weighed(view, seat, belief)
    match view.phase, action:
        case Beginning(), Roll() | TakePassage() | StayAndSuggest():
            return weighed.turn(action)
        case Walking(), Move():
            return weighed.way(action)
        case Arrived(may_suggest=True), Suggest() | EndTurn():
            return weighed.question(action)
        case _:
            return None


def ahead(view: State, seat: Seat, belief: Belief) -> tuple[Reply, ...]:
    """Return what may come of the best question that the seat can look forward to, here or on its way."""
    if belief.position is None:
        return ()
    return belief.replies(_Weighed(view, seat, belief).next_question())


# --- What is on offer ----------------------------------------------------------------------------------------------


class _Weighed:
    """A position on the board, and what every question would tell."""

    def __init__(self, view: State, seat: Seat, belief: Belief) -> None:
        self.view = view
        self.belief = belief
        self.place: Place = view.places[SUSPECTS.index(view.tokens[seat])]
        self.marked = view.summoned[seat]
        self.told = told_by_questions(belief)
        self.plan = planned(view.options.dice_count, _most_told(self.told), FORESIGHT)

    def turn(self, taken: Roll | TakePassage | StayAndSuggest) -> Choice:
        """Weigh how a turn begins: no throw counts that was not made, but for what a throw may be expected to bring."""
        prospects: list[Prospect] = []
        surely = perhaps = 0.0
        for offer in legal(self.view, self.view.on_turn):
            if offer.action is Roll:
                thrown = [(share, self._ends(throw)) for throw, share in _throws(self.view.options.dice_count).items()]
                prospects.append(Prospect(Roll(), sum(share * max(map(self._value, ends)) for share, ends in thrown)))
                perhaps = sum(share * self._most(ends) for share, ends in thrown)
            elif offer.action is TakePassage:
                to = PASSAGES[self._room]
                prospects.append(Prospect(TakePassage(), self.plan.entering(to)))
                surely = max(surely, self.plan.asking[to])
            elif offer.action is StayAndSuggest:
                prospects += self._asked(StayAndSuggest, self._room)
                surely = max(surely, self.plan.asking[self._room])
        return self._chosen("turn", taken, prospects, offered=surely, stake=max(surely, perhaps))

    def way(self, taken: Move) -> Choice:
        """Weigh where a walk ends."""
        assert isinstance(self.view.phase, Walking)
        ends = self._ends(self.view.phase.throw)
        offered = self._most(ends)
        return self._chosen("way", taken, [Prospect(Move(end), self._value(end)) for end in ends], offered, offered)

    def question(self, taken: Suggest | EndTurn) -> Choice:
        """Weigh what is asked in a room, or that nothing is."""
        prospects = [*self._asked(Suggest, self._room)]
        if isinstance(taken, EndTurn):
            prospects.append(Prospect(taken, self.plan.beyond[self._room]))
        offered = self.plan.asking[self._room]
        return self._chosen("question", taken, prospects, offered, offered)

    def _chosen(self, kind: str, action: Action, prospects: Sequence[Prospect], offered: float, stake: float) -> Choice:
        taken = next(prospect for prospect in prospects if prospect.action == action)
        values = [prospect.value for prospect in prospects]
        later = Message("assumes.later", {"share": round(100 * PATIENCE)})
        return Choice(
            kind=kind,
            unit="bits",
            taken=taken,
            best=three_best(prospects, taken),
            spread=max(values) - min(values),
            typical=sum(values) / len(values),
            offered=offered,
            measure=ASKED if kind == "question" else BLUNDER,
            stake=stake,
            replies=self.belief.replies(action),
            assumes=(*self.belief.assumes(), *([] if kind == "question" else [later])),
        )

    def _asked(self, kind: type[Suggest] | type[StayAndSuggest], room: Room) -> Iterator[Prospect]:
        for suspect, weapon in product(SUSPECTS, WEAPONS):
            told = self.told[suspect, weapon, room]
            yield Prospect(kind(suspect, weapon, room), told + self.plan.beyond[room], told)

    @property
    def _room(self) -> Room:
        assert isinstance(self.place, str)
        return self.place

    def _ends(self, throw: int) -> list[Place]:
        """Return where a throw may lead."""
        (offer,) = legal(replace(self.view, phase=Walking(throw)), self.view.on_turn)
        return [*offer.choices["to"]]

    def _value(self, place: Place) -> float:
        """Return the value of ending a walk here: one asks, or walks on in the next turn."""
        return self.plan.entering(place) if isinstance(place, str) else self.plan.walking(place, 0)

    def _most(self, ends: Iterable[Place]) -> float:
        """Return the most bits of a question in one of these places."""
        return max((self.plan.asking[end] for end in ends if isinstance(end, str)), default=0.0)

    def next_question(self) -> Suggest:
        """Return what the seat would ask next: here, if it still may, or where the way there is worth it most."""
        phase, place = self.view.phase, self.place
        if isinstance(place, str) and (place == self.marked or (isinstance(phase, Arrived) and phase.may_suggest)):
            rooms: Mapping[Room, float] = {place: 1.0}
        else:
            rooms = {room: self.plan.asking[room] * self.plan.patience(place, room) for room in ROOMS if room != place}
        room = max(rooms, key=lambda room: rooms[room])
        suspect, weapon = max(product(SUSPECTS, WEAPONS), key=lambda named: self.told[*named, room])
        return Suggest(suspect, weapon, room)


def _throws(dice: int) -> dict[int, float]:
    """Return how likely each throw is."""
    throws = Counter(sum(thrown) for thrown in product(range(1, FACES + 1), repeat=dice))
    return {throw: number / throws.total() for throw, number in throws.items()}


# --- What every question would tell ----------------------------------------------------------------------------------

Told: TypeAlias = Mapping[tuple[Suspect, Weapon, Room], float]


def told_by_questions(belief: Belief) -> Told:
    """Return how many bits each question may be expected to tell whoever believes this, on its own turn."""
    # A belief changes with every event, and what it knows only with some.
    return _told(replace(belief, seq=0, shown=(), asked=(), saw=(), on_turn=0, trio=None, passes=0, let_pass=None))


@lru_cache(maxsize=16)
def _told(belief: Belief) -> Told:
    """Count one question of each sort: cards that stand in all evidence alike may be exchanged without a difference."""
    roles = _roles(belief)
    counted: dict[tuple[Hashable, ...], float] = {}
    told = {}
    for trio in product(SUSPECTS, WEAPONS, ROOMS):
        sort = tuple(roles[card] for card in trio)
        if sort not in counted:
            settled = all(isinstance(role, _Settled) for role in sort)
            counted[sort] = 0.0 if settled and not belief.side_cards else _told_by(belief, Trio(*trio))
        told[trio] = counted[sort]
    return told


def _told_by(belief: Belief, trio: Trio) -> float:
    """Return how many bits a question may be expected to tell, and a look at a side card if nobody can answer it."""
    question = Suggest(trio.suspect, trio.weapon, trio.room)
    replies = belief.replies(question)
    left = sum(reply.chance * reply.left for reply in replies)
    unseen = [at for at in range(1, belief.side_cards + 1) if not belief.has_looked_at(at)]
    if unseen and not isinstance(replies[-1].events[-1], CardShown):
        alone = belief.learn(Suggested(seat=belief.seat, trio=trio))
        for event in replies[-1].events:
            alone = alone.learn(event)
        left -= replies[-1].chance * alone.gain(LookAside(unseen[0]))  # before the first look they are all alike
    return belief.entropy() - left


class _Settled(NamedTuple):
    """The role of a card of which no answer tells anything: who shows it, if anybody can."""

    shown_by: Holder | None
    before: bool
    """Whether that seat is known to show it again."""


def _roles(belief: Belief) -> dict[Card, Hashable]:
    """Return what tells a card from others of its kind: where it may be, and the evidence in which that counts.

    Two cards of a role may change places in every world that fits, and the world has the same likelihood.
    """
    likely, seen = belief.likely, belief.seen if belief.showing == "seen_first" else {}
    places: dict[Card, tuple[Holder, ...]] = {card: likely.holders(card) for card in PACK}
    counts: dict[Card, list[int]] = {card: [] for card in PACK}
    for number, item in enumerate(belief.evidence):
        for card in _weighed(item, places):
            counts[card].append(number)
    rivals = {*range(belief.seats)} - {belief.seat}
    roles: dict[Card, Hashable] = {}
    for card in PACK:
        if not rivals.intersection(places[card]):
            roles[card] = _Settled(None, before=False)
        elif len(places[card]) == 1:
            roles[card] = _Settled(places[card][0], before=card in seen)
        else:
            roles[card] = (places[card], tuple(counts[card]))
    return roles


def _weighed(item: Evidence[Card, Holder], places: Mapping[Card, tuple[Holder, ...]]) -> tuple[Card, ...]:
    """Return the cards of an item whose place is open, if it still makes a difference who has them."""
    open_ones = tuple(card for card in item.elements if item.holder in places[card] and len(places[card]) > 1)
    held = sum(places[card] == (item.holder,) for card in item.elements)
    weights = item.weights[held : held + len(open_ones) + 1]  # whoever has shown a `given` card certainly has it
    return open_ones if len({*weights}) > 1 else ()


def _most_told(told: Told) -> dict[Room, float]:
    """Return by room what the best question there would tell."""
    return {room: max(told[suspect, weapon, room] for suspect, weapon in product(SUSPECTS, WEAPONS)) for room in ROOMS}
