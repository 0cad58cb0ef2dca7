"""What every event of Crime Hotel proves to a seat: by what the book lets it know, not by what a field holds."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, product
from math import comb, log2
from operator import gt, lt
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from whodunit.core.judging import Reply, Weighing, gained
from whodunit.core.notes import Assistance, Proof, Reason, Sheet, proven
from whodunit.core.redact import entitled
from whodunit.core.resampling import resampled
from whodunit.core.rng import Rng
from whodunit.core.types import Attention, Event, Frozen, Message, Seat, Undone
from whodunit.deduce import Claim, notebook, tally
from whodunit.deduce.asking import Outlook
from whodunit.deduce.flow import Course, Courses, Doubted, Fact, Flow, Held, Lacked, Left, Swapped, Why
from whodunit.games.crime_hotel.facts import (
    CARDS,
    DESKS,
    Card,
    Department,
    Floor,
    Place,
    extreme,
    floor_of,
    rooms_of,
)
from whodunit.games.crime_hotel.model import (
    AnyAction,
    AnyEvent,
    CardPlayed,
    DeskTaken,
    Exchange,
    Exchanged,
    Guess,
    Guessed,
    HandDealt,
    InvestigationBegan,
    LastCardLaid,
    LayLast,
    Look,
    Looked,
    MurdererFound,
    Opened,
    Play,
    Relocated,
    RoomsLit,
    RoundBegan,
    State,
    Trade,
)
from whodunit.games.crime_hotel.tell import tell
from whodunit.games.crime_hotel.unredact import unredact

HIDDEN: Final = "hidden"
OPEN: Final = "open"
HAND: Final = "hand"
"""The source of what a player knows from his own cards."""
Holder: TypeAlias = Seat | str

GUESSED: Final = {1: 5, 3: 4, 9: 1}
"""By how many rooms a place covers: how often a guess there is halved for each of its cards that the guesser holds."""
SAVED: Final = (1, 1, 2)
"""By how many rounds are left: how often a card's play is halved for each that could have been played instead and is
nearer to the middle. In the last round nothing is left to save for, and it is the other way round.
Both are rounded from 40 games of three and four detectives.
"""


class Deal(Struct, frozen=True, gc=False):
    """Everything hidden in one investigation: the murderer's room, the hands as dealt, and what was exchanged."""

    hidden: Card
    hands: tuple[tuple[Card, ...], ...]
    trades: tuple[tuple[tuple[Card, ...], tuple[Card, ...]], ...] = ()
    """By exchange: what was given, and what was drawn for it."""


class World(Frozen, Struct, frozen=True, gc=False):
    """One way everything hidden may be, investigation by investigation."""

    deals: tuple[Deal, ...]


class Inquiry(Struct, frozen=True):
    """What one viewer has learned in one investigation."""

    flow: Flow[Card, Holder]
    lit: tuple[tuple[Card, int], ...] = ()
    """The open rooms, and which event lit them."""
    trades: tuple[Trade, ...] = ()
    unread: tuple[tuple[int, Doubted[Card, Holder]], ...] = ()
    """What is doubtful to who reads motives, and after how many facts; one who goes by logic has not learned it."""
    is_ending: bool = False
    """Whether last cards are being laid open: from then on nobody finds anything out."""

    def read(self) -> "Flow[Card, Holder]":
        """Return the flow with all that is doubtful to who reads motives."""
        if not self.unread:
            return self.flow
        facts = list(self.flow.facts)
        for place, doubt in reversed(self.unread):
            facts.insert(place, doubt)
        return Flow(self.flow.elements, self.flow.holders, facts, self.flow.engine)

    def sample(self, rng: Rng, label: str, number: int) -> list[Deal]:
        """Draw deals, independently, each as likely as it is."""
        likely = self.flow.posterior
        if likely.total == likely.scale == 1:
            return [self.deal(course) for course in likely.courses()] * number
        return [self.deal(course) for course in likely.sample(rng, label, number)]

    def deal(self, course: Course[Card]) -> Deal:
        """Name what a course says."""
        hands: dict[Any, list[Card]] = {}
        trades: list[tuple[list[Card], list[Card]]] = [([], []) for _ in self.trades]
        for lane, cards in course:
            hands.setdefault(lane.origin, []).extend(cards)
            at = lane.origin
            for number in lane.moves:
                trade = self.trades[number]
                trades[number][at != trade.seat].extend(cards)
                at = trade.partner if at == trade.seat else trade.seat
        (hidden,) = hands.pop(HIDDEN)
        return Deal(
            hidden,
            tuple(tuple(sorted(hands[seat])) for seat in sorted(hands)),
            tuple((tuple(sorted(given)), tuple(sorted(drawn))) for given, drawn in trades),
        )


class Belief(Frozen, Struct, frozen=True):
    """What one viewer may conclude from what it has seen so far."""

    seat: Seat
    attention: Attention
    seq: int = 0
    """How many events it has learned."""
    seats: int = 0
    sizes: tuple[int, ...] = ()
    """By seat, how many cards."""
    own: tuple[Card, ...] = ()
    """Its cards as dealt."""
    past: tuple[Inquiry, ...] = ()
    inquiry: Inquiry | None = None
    """None until the cards are dealt."""
    rounds: int = 0
    round: int = 0
    lead: Card | None = None
    """The first card of the round, once it is played."""
    doubt: Doubted[Card, Holder] | None = None
    """What a guess tells of the guesser's hand, once he can no longer take it back."""
    taken: tuple[tuple[int, Department], ...] = ()
    """The desks that were taken in this investigation, and by which event."""

    def learn(self, event: Any) -> "Belief":
        """Return the belief after one more event, as this viewer saw it."""
        now = replace(self, seq=self.seq + 1, doubt=None)
        if self.doubt is not None and not isinstance(event, Undone):
            now = _doubting(now, self.doubt)
        return _learn(now, event)

    def reading(self) -> "Belief":
        """Return what one would conclude from the same who reads motives."""
        if self.attention != "logic" or self.inquiry is None:
            return self
        now = self if self.doubt is None else _doubting(replace(self, doubt=None), self.doubt)
        inquiry = entitled(now.inquiry)
        return replace(now, attention="motives", inquiry=replace(inquiry, flow=inquiry.read(), unread=()))

    @property
    def logic(self) -> Courses[Card, Holder]:
        """What is possible, no behaviour assumed."""
        return self.dealt.flow.logic

    @property
    def likely(self) -> Courses[Card, Holder]:
        """What is likely, under what `assumes` says."""
        return self.dealt.flow.posterior

    @property
    def dealt(self) -> Inquiry:
        """What was learned in the investigation that goes on."""
        if self.inquiry is None:
            raise ValueError("nothing can be concluded before the cards are dealt")
        return self.inquiry

    def worlds(self) -> Iterator[World]:
        """Yield every world this viewer cannot rule out."""
        inquiries = (*self.past, self.dealt)
        every = ([inquiry.deal(course) for course in inquiry.flow.logic.courses()] for inquiry in inquiries)
        return (World(deals) for deals in product(*every))

    def sample(self, rng: Rng, label: str, number: int) -> list[World]:
        """Draw worlds, independently, each as likely as it is."""
        inquiries = (*self.past, self.dealt)
        drawn = [inquiry.sample(rng, f"{label} of {place}", number) for place, inquiry in enumerate(inquiries)]
        return [World(deals) for deals in zip(*drawn, strict=True)]

    def answer(self, world: World) -> tuple[Floor]:
        """Return the murderer's floor in this world: of 27 rooms the worlds that one imagines are too few to tell."""
        return (floor_of(world.deals[-1].hidden),)

    def rooms(self) -> dict[Card, float]:
        """Return how likely the murderer is in each room where he may be."""
        masses, _ = tally.masses(self.dealt.flow, HIDDEN)
        total = sum(masses.values())
        return {card: mass / total for card, mass in masses.items()}

    def chance(self, guess: Guess) -> float:
        """Return how likely this guess is to be right."""
        rooms = self.rooms()
        return sum(rooms.get(card, 0.0) for card in rooms_of(guess.place))

    def forget(self, rng: Rng) -> "Belief":
        """Return the belief without one of the cards it was shown, drawn at random."""
        inquiry = self.dealt
        own = {HAND, *(seq for _, seq in inquiry.lit)}
        shown = [fact for fact in inquiry.flow.facts if isinstance(fact, Held) and fact.source not in own]
        return replace(self, inquiry=replace(inquiry, flow=notebook.forget(inquiry.flow, shown, rng)))

    def entropy(self, by: Weighing = "likely") -> float:
        """Return how many bits are missing to know the murderer's room; none, before the cards are dealt."""
        if self.inquiry is None:
            return 0.0
        if by == "likely" or self.attention != "motives":  # only motives make one deal likelier than another
            return tally.outlook(self.inquiry.flow, HIDDEN).left
        logic = self.logic
        chances = [logic.mass(card, HIDDEN) / logic.total for card in self.inquiry.flow.elements]
        return sum(chance * -log2(chance) for chance in chances if chance)

    def certain(self) -> tuple[tuple[str, str], ...]:
        """Return the entry that says where the murderer is, if that is certain before anything is laid open."""
        if self.inquiry is None or self.inquiry.is_ending:
            return ()
        rooms, _ = tally.masses(self.inquiry.flow, HIDDEN)
        return tuple((str(card), HIDDEN) for card in rooms) if len(rooms) == 1 else ()

    def replies(self, action: AnyAction, by: Seat | None = None) -> tuple[Reply, ...]:
        """Return what may be seen of an action, as far as even chances say it: of cards drawn, or played by others."""
        if self.inquiry is None:
            return ()
        now = self if self.doubt is None else _doubting(replace(self, doubt=None), self.doubt)
        return _replies(now, action, self.seat if by is None else by)

    def gain(self, action: AnyAction, by: Seat | None = None) -> float:
        """Return how many bits about the murderer's room an action may be expected to tell this viewer."""
        replies = self.replies(action, by)
        return gained(self.entropy(), replies)

    unredact = unredact
    resample = resampled

    def explain(self, card: Card, holder: Holder, *, held: bool = True) -> Why | None:
        """Return why this is certain now, or None if it is not; the card is not open."""
        return self.dealt.flow.explain(Claim(card, holder, held))

    def clash(self) -> tuple[Any, ...]:
        """Return the log entries that cannot all be right; none, if they can."""
        return self.dealt.flow.clash()

    def sheet(self, level: Assistance) -> Sheet:
        """Return the notes that write themselves at this level: what was seen, what follows, how likely the rest is."""
        if level == "paper" or self.inquiry is None:
            return Sheet(self.seq)
        sheet = notebook.sheet(self.inquiry.flow, CARDS, self._columns(), self._seen(), level, self.seq)
        if sheet.worlds is None:
            return sheet
        solutions = sum(self.logic.mass(card, HIDDEN) > 0 for card in self.inquiry.flow.elements)
        return replace(sheet, solutions=solutions, bits=self.entropy(), assumes=self.assumes())

    def _columns(self) -> tuple[Holder, ...]:
        return (*range(self.seats), HIDDEN, OPEN)

    def _seen(self) -> dict[tuple[Card, Holder], notebook.YesNo]:
        """Return which rooms are open, and what single entries of the log say as far as it is still so."""
        lit, logic = dict(self.dealt.lit), self.logic
        seen: dict[tuple[Card, Holder], notebook.YesNo] = {}
        for card, holder, mark in self._told():
            if card not in lit and notebook.certain(logic, card, holder) == mark:
                seen[card, holder] = mark
        pairs = list(product(CARDS, self._columns()))
        for card, holder in pairs:
            if card in lit or holder == OPEN:
                seen[card, holder] = "yes" if card in lit and holder == OPEN else "no"
        return {pair: seen[pair] for pair in pairs if pair in seen}

    def _told(self) -> set[tuple[Card, Holder, notebook.YesNo]]:
        """Return what single entries of the log say by themselves, as of then; a card that was seen is nowhere else."""
        seen: set[tuple[Card, Holder, notebook.YesNo]] = set()
        holders: list[Holder] = [*range(self.seats), HIDDEN]
        for fact in self.dealt.flow.facts:
            match fact:
                case Held():
                    pairs = product(fact.elements, holders)
                    seen |= {(card, holder, "yes" if holder == fact.holder else "no") for card, holder in pairs}
                case Lacked():
                    seen |= {(card, fact.holder, "no") for card in fact.elements}
                case Swapped(given=given, drawn=drawn) if given is not None and drawn is not None:
                    seen |= {(card, fact.other, "yes") for card in given} | {(card, fact.one, "yes") for card in drawn}
                    seen |= {(card, fact.one, "no") for card in given} | {(card, fact.other, "no") for card in drawn}
                case _:
                    pass
        return seen | {(card, self.seat, "no") for card in CARDS} if self.own else seen

    def proof(self, row: str, column: str, seen: Sequence[Event]) -> Proof | None:
        """Return why an entry of the sheet is certain, or None if it is not."""
        entry = notebook.entry(CARDS, self._columns(), row, column)
        if self.inquiry is None or entry is None:
            return None
        card, holder = entry
        lit = dict(self.inquiry.lit)
        if card in lit:
            return proven(1, [lit[card]], seen, tell)
        if holder == OPEN:
            return Proof(1, (Reason(Message("why.dark")),))
        return notebook.proof(self.inquiry.flow, card, holder, seen, tell)

    def assumes(self) -> tuple[Message, ...]:
        """Say what the probabilities assume about the players."""
        return _ASSUMES[self.attention]


def belief(seat: Seat, attention: Attention = "logic") -> Belief:
    """Return what a viewer knows before anything was seen."""
    return Belief(seat, attention)


_ASSUMES: Final[dict[Attention, tuple[Message, ...]]] = {
    "sight": (Message("assumes.every_deal"),),
    "logic": (Message("assumes.every_deal"),),
    "motives": (Message("assumes.every_deal"), Message("assumes.guesses_mean"), Message("assumes.saves")),
}


def _learn(now: Belief, event: AnyEvent | Undone) -> Belief:
    match event:
        case Opened(seats=seats, options=options):
            return replace(now, seats=seats, rounds=options.rounds)
        case InvestigationBegan():
            past = now.past if now.inquiry is None else (*now.past, now.inquiry)
            return replace(now, past=past, inquiry=None, sizes=(), own=(), taken=())
        case HandDealt(seat=seat, size=size, cards=cards):
            now = replace(now, sizes=(*now.sizes, size))
            return replace(now, own=entitled(cards)) if seat == now.seat else now
        case RoomsLit(cards=cards):
            return _rooms_lit(now, cards)
        case RoundBegan(number=number):
            return replace(now, round=number, lead=None)
        case CardPlayed():
            return _card_played(now, event)
        case LastCardLaid(seat=seat, card=card):
            now = _laid_open(now, seat, card)
            return replace(now, inquiry=replace(entitled(now.inquiry), is_ending=True))
        case DeskTaken(department=department):
            return replace(now, taken=(*now.taken, (now.seq, department)))
        case Exchanged():
            return _exchanged(now, event)
        case Looked(seat=seat, target=target, cards=cards) if seat == now.seat:
            return _knowing(now, Held(target, entitled(cards), now.seq))
        case MurdererFound(card=card):
            return _knowing(now, Held(HIDDEN, (card,), now.seq))
        case Guessed(seat=seat, place=place) | Relocated(seat=seat, to=place):
            return replace(now, doubt=_doubt(now, seat, place))
        case Undone(back_to=back_to):
            # What may be taken back has told nobody anything (see INFO.undoable).
            return replace(now, taken=tuple(desk for desk in now.taken if desk[0] <= back_to))
        case _:
            return now


def _rooms_lit(now: Belief, cards: tuple[Card, ...]) -> Belief:
    rest = [card for card in CARDS if card not in cards]
    holders: dict[Holder, int] = {**dict(enumerate(now.sizes)), HIDDEN: 1}
    inquiry = Inquiry(Flow(rest, holders), tuple((card, now.seq) for card in cards))
    now = replace(now, inquiry=inquiry)
    return _knowing(now, Held(now.seat, now.own, HAND)) if now.own else now


def _card_played(now: Belief, event: CardPlayed) -> Belief:
    dark = _dark(now)
    if event.lacks is not None and now.attention != "sight":
        missing = tuple(card for card in dark if floor_of(card) == event.lacks)
        now = _knowing(now, Lacked(event.seat, missing, now.seq))
    if now.attention != "sight" and event.seat != now.seat:
        now = _doubting(now, _saved(now, event, dark))
    return _laid_open(replace(now, lead=event.card if now.lead is None else now.lead), event.seat, event.card)


def _dark(now: Belief) -> tuple[Card, ...]:
    lit = dict(entitled(now.inquiry).lit)
    return tuple(card for card in CARDS if card not in lit)


def _saved(now: Belief, event: CardPlayed, dark: tuple[Card, ...]) -> Doubted[Card, Holder]:
    """Weigh what a card tells of those that could have been played instead: people save high and low ones for later."""
    free = now.lead is None or event.lacks is not None
    others = [card for card in dark if free or floor_of(card) == floor_of(event.card)]
    mine = extreme(event.card, now.seats)
    left = now.rounds - now.round
    instead = lt if left else gt
    worse = tuple(card for card in others if instead(extreme(card, now.seats), mine))
    return Doubted(event.seat, worse, SAVED[min(left, len(SAVED) - 1)], now.seq)


def _laid_open(now: Belief, seat: Seat, card: Card) -> Belief:
    now = _knowing(now, Held(seat, (card,), now.seq), Left((card,), now.seq))
    inquiry = entitled(now.inquiry)
    sizes = tuple(size - (other == seat) for other, size in enumerate(now.sizes))
    return replace(now, sizes=sizes, inquiry=replace(inquiry, lit=(*inquiry.lit, (card, now.seq))))


def _exchanged(now: Belief, event: Exchanged) -> Belief:
    given = drawn = None
    if now.seat in (event.seat, event.partner):
        given, drawn = entitled(event.given), entitled(event.drawn)
    now = _knowing(now, Swapped(event.seat, event.partner, event.count, now.seq, given, drawn))
    inquiry = entitled(now.inquiry)
    trades = (*inquiry.trades, Trade(event.seat, event.partner, event.count))
    return replace(now, inquiry=replace(inquiry, trades=trades))


def _doubt(now: Belief, seat: Seat, place: Place) -> Doubted[Card, Holder] | None:
    """Weigh what a guess tells of the guesser's hand: who holds a room's card knows that nobody is there."""
    if now.attention == "sight" or seat == now.seat:
        return None
    rooms = rooms_of(place)
    return Doubted(seat, tuple(card for card in _dark(now) if card in rooms), GUESSED[len(rooms)], now.seq)


def _knowing(now: Belief, *facts: Fact[Card, Holder]) -> Belief:
    inquiry = entitled(now.inquiry)
    return replace(now, inquiry=replace(inquiry, flow=inquiry.flow.learn(*facts)))


def _doubting(now: Belief, doubt: Doubted[Card, Holder]) -> Belief:
    """Learn what is doubtful, or who goes by logic keeps it for one who does not."""
    if now.attention == "motives":
        return _knowing(now, doubt)
    inquiry = entitled(now.inquiry)
    unread = (*inquiry.unread, (len(inquiry.flow.facts), doubt))
    return replace(now, inquiry=replace(inquiry, unread=unread))


# --- What may be seen of an action -------------------------------------------------------------------------------


def _replies(now: Belief, action: AnyAction, by: Seat) -> tuple[Reply, ...]:
    mine = by == now.seat
    match action:
        case Play(card=card) if mine:
            floor = None if now.lead is None else floor_of(now.lead)
            lacks = None if floor is None or floor_of(card) == floor else floor
            return _one(now, CardPlayed(seat=by, card=card, lacks=lacks))
        case Play():
            return _others_card(now, by)
        case LayLast() if mine:
            return _one(now, *(LastCardLaid(seat=by, card=card) for card in _own(now)))
        case LayLast():
            return tuple(_drawn(now, by, 1, lambda cards: [LastCardLaid(seat=by, card=cards[0])]))
        case Look(target=target):
            return _look(now, by, target)
        case Exchange(partner=partner, cards=cards):
            return _exchange(now, by, partner, cards if mine else None)
        case _:
            return ()


def _one(now: Belief, *events: AnyEvent) -> tuple[Reply, ...]:
    """Say that these may be seen, each as likely as any other, and that none tells this viewer anything."""
    _, left, top = tally.outlook(now.dealt.flow, HIDDEN)
    return tuple(Reply((event,), 1 / len(events), left, top) for event in events)


def _own(now: Belief) -> list[Card]:
    """Return the viewer's cards."""
    logic = now.logic
    return [card for card in _dark(now) if logic.mass(card, now.seat) == logic.total]


def _look(now: Belief, by: Seat, target: Seat) -> tuple[Reply, ...]:
    number = _figure(now, "LOOK", by)
    known = frozenset({by, target})

    def looked(cards: tuple[Card, ...] | None) -> list[AnyEvent]:
        return [Looked(seat=by, target=target, count=number, cards=cards, known_to=known)]

    if by == now.seat:
        return tuple(_drawn(now, target, number, looked))
    if target == now.seat:
        return _one(now, *(event for cards in combinations(_own(now), number) for event in looked(cards)))
    return _one(now, *looked(None))


def _exchange(now: Belief, by: Seat, partner: Seat, given: tuple[Card, ...] | None) -> tuple[Reply, ...]:
    """Say what an exchange may show: which cards come, each as likely as any other of that hand."""
    number = _figure(now, "EXCHANGE", by)
    known = frozenset({by, partner})

    def exchanged(given: tuple[Card, ...] | None, drawn: tuple[Card, ...] | None) -> AnyEvent:
        return Exchanged(seat=by, partner=partner, count=number, given=given, drawn=drawn, known_to=known)

    if given is not None:
        return tuple(_drawn(now, partner, number, lambda cards: [exchanged(given, cards)]))
    if partner == now.seat:
        mine = list(combinations(_own(now), number))
        return tuple(_drawn(now, by, number, lambda cards: [exchanged(cards, drawn) for drawn in mine]))
    return _one(now, exchanged(None, None))


def _figure(now: Belief, department: Department, seat: Seat) -> int:
    """Return how many cards the next desk of a department is for."""
    desk = sum(name == department for _, name in now.taken)
    return min(DESKS[now.seats][department][desk] or 0, now.sizes[seat])


def _others_card(now: Belief, seat: Seat) -> tuple[Reply, ...]:
    """Say which card another may play: any that it may, each as likely as any other."""
    if now.attention != "logic":
        return ()  # who reads motives takes some cards for likelier, and by how much hangs on the whole hand
    if now.lead is None:
        return tuple(_drawn(now, seat, 1, lambda cards: [CardPlayed(seat=seat, card=cards[0])]))
    floor = floor_of(now.lead)
    asked = tuple(card for card in _dark(now) if floor_of(card) == floor)
    alike = _kinds(now)
    then: dict[Any, Outlook] = {}
    found: list[Reply] = []
    for card, chance in tally.drawn_evenly(now.dealt.flow, seat, asked).items():
        if alike[card] not in then:
            held: Held[Card, Holder] = Held(seat, (card,), None)
            then[alike[card]] = tally.outlook(now.dealt.flow, HIDDEN, held)
        _, left, top = then[alike[card]]
        found.append(Reply((CardPlayed(seat=seat, card=card),), float(chance), left, top))
    lacks: Lacked[Card, Holder] = Lacked(seat, asked, None)
    return (*found, *_drawn(now, seat, 1, lambda cards: [CardPlayed(seat=seat, card=cards[0], lacks=floor)], lacks))


def _drawn(
    now: Belief,
    holder: Seat,
    number: int,
    events: Callable[[tuple[Card, ...]], Sequence[AnyEvent]],
    lacks: Lacked[Card, Holder] | None = None,
) -> Iterator[Reply]:
    """Yield which cards of a hand may come to be seen, each choice of so many as likely as any other.

    What is then seen are these events, one as likely as another; `lacks` is what they tell besides.
    """
    flow, alike = now.dealt.flow, _kinds(now)
    others = [card for card in _dark(now) if lacks is None or card not in lacks.elements]
    known = () if lacks is None else (lacks,)
    whole = tally.outlook(flow, HIDDEN).weight * comb(now.sizes[holder], number)
    then: dict[Any, tuple[float, float, float]] = {}
    for cards in combinations(others, number):
        kind = tuple(sorted(alike[card] for card in cards))
        if kind not in then:
            weight, left, top = tally.outlook(flow, HIDDEN, *known, Held(holder, cards, None))
            then[kind] = float(weight / whole), left, top
        chance, left, top = then[kind]
        if chance:
            seen = events(cards)
            for event in seen:
                yield Reply((event,), chance / len(seen), left, top)


def _kinds(now: Belief) -> dict[Card, tuple[int, ...]]:
    """Return by card which facts name it: cards that the same facts name are as likely here or there as one another."""
    named: dict[Card, list[int]] = {card: [] for card in now.dealt.flow.elements}
    for number, fact in enumerate(now.dealt.flow.facts):
        for card in _named_in(fact):
            named[card].append(number)
    return {card: tuple(numbers) for card, numbers in named.items()}


def _named_in(fact: Fact[Card, Holder]) -> Iterable[Card]:
    return (*(fact.given or ()), *(fact.drawn or ())) if isinstance(fact, Swapped) else fact.elements


def imagine(view: State, world: World) -> State:
    """Fill in what the view leaves open, as this world has it."""
    deal = world.deals[view.investigation - 1]
    hands = [set(hand) for hand in deal.hands]
    for trade, (given, drawn) in zip(view.trades, deal.trades, strict=False):
        hands[trade.seat] = hands[trade.seat].difference(given).union(drawn)
        hands[trade.partner] = hands[trade.partner].difference(drawn).union(given)
    laid = {*view.lit, *(card for card in view.trick if card is not None)}
    return replace(view, hidden=deal.hidden, hands=tuple(tuple(sorted(hand - laid)) for hand in hands))
