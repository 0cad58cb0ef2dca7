"""Deliberate faults: Clue with one thing wrong, for the suite to find."""

from collections.abc import Callable, Mapping, Sequence
from itertools import count, cycle
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, cast

from msgspec.structs import asdict, force_setattr, replace

from whodunit.core.judging import Reply
from whodunit.core.offer import Offer, One
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Action, Game, Message, Seat, Secret, Undone
from whodunit.games import clue
from whodunit.games.clue import evidence, rules
from whodunit.games.clue.facts import PACK, ROOMS, SUSPECTS, Card
from whodunit.games.clue.model import (
    Accuse,
    Accused,
    Answering,
    AnyAction,
    AnyEvent,
    Arrived,
    Beginning,
    CannotShow,
    CardShown,
    Concluding,
    CouldNotShow,
    DiceThrown,
    EndTurn,
    EnvelopeOpened,
    EnvelopeSeen,
    GameEnded,
    HandDealt,
    Over,
    Roll,
    Show,
    State,
    Suggest,
    Suggested,
    Trio,
    TurnBegan,
    Walking,
)

GAME: Final = {name: getattr(clue, name) for name in clue.__all__}

Parts = Mapping[str, object]


class Fault(NamedTuple):
    found_by: str
    """The check that must find it."""
    wrong: Parts
    """What stands in the place of the game's own functions."""


def faulty(fault: Fault) -> Game:
    return cast(Game, SimpleNamespace(**GAME | dict(fault.wrong)))


# --- Where a fault can be put ------------------------------------------------------------------------------------


def events(kind: type, wrong: Callable[[Any, Any], Any]) -> Parts:
    """Let wrong(state, event) happen for each event of this kind."""

    def setup(seats: int, options: Any, rng: Rng) -> Sequence[AnyEvent]:
        return [wrong(None, event) if isinstance(event, kind) else event for event in clue.setup(seats, options, rng)]

    def decide(state: State, seat: Seat, action: AnyAction, rng: Rng) -> Sequence[AnyEvent]:
        happened = clue.decide(state, seat, action, rng)
        return [wrong(state, event) if isinstance(event, kind) else event for event in happened]

    return {"setup": setup, "decide": decide}


def spaces(wrong: Callable[[Sequence[Offer]], Sequence[Offer]]) -> Parts:
    """Let wrong(widest offers) be all actions that there could ever be."""
    return {"space": lambda *table: wrong(clue.space(*table))}


def decisions(kind: type, wrong: Callable[[State, Sequence[AnyEvent]], Sequence[AnyEvent]]) -> Parts:
    """Let wrong(state, events) happen instead of the events of an action of this kind."""

    def decide(state: State, seat: Seat, action: AnyAction, rng: Rng) -> Sequence[AnyEvent]:
        happened = clue.decide(state, seat, action, rng)
        return wrong(state, happened) if isinstance(action, kind) else happened

    return {"decide": decide}


def states(kind: type, wrong: Callable[[State, Any], State]) -> Parts:
    """Fold each event of this kind into wrong(state, event), with the state that it rightly leads to."""

    def evolve(state: State | None, event: Any) -> State:
        after = clue.evolve(state, event)
        return wrong(after, event) if isinstance(event, kind) else after

    return {"evolve": evolve}


def offers(phase: type, wrong: Callable[[State, Seat, Sequence[Offer]], Sequence[Offer]]) -> Parts:
    """Offer wrong(view, seat, offers) in each phase of this kind."""

    def legal(view: State, seat: Seat) -> Sequence[Offer]:
        right = clue.legal(view, seat)
        return wrong(view, seat, right) if isinstance(view.phase, phase) else right

    return {"legal": legal}


def thoughts(phase: type, wrong: Sequence[Action]) -> Parts:
    """Let nothing but this be worth considering in each phase of this kind."""

    def consider(view: State, seat: Seat, belief: Any, rng: Rng) -> Sequence[Action]:
        return wrong if isinstance(view.phase, phase) else clue.consider(view, seat, belief, rng)

    return {"consider": consider}


def undoable(kind: type[Action]) -> Parts:
    return {"INFO": replace(clue.INFO, undoable=(*clue.INFO.undoable, kind))}


# --- What is wrong -----------------------------------------------------------------------------------------------


class CountedShow(CardShown, frozen=True, tag="CardShown"):
    matching: int


class CountedHand(HandDealt, frozen=True, tag="HandDealt"):
    suspects: int


class OpenShow(CardShown, frozen=True, tag="CardShown"):
    card: Card | None


class HiddenAccusation(Accused, frozen=True, tag="Accused"):
    trio: Secret[Trio]  # type: ignore[assignment]  # that is what is wrong with it


_FOLDS = cast(dict[type, Any], rules._FOLDS)
# Each is folded as what it stands for.
_FOLDS |= {CountedShow: _FOLDS[CardShown], CountedHand: _FOLDS[HandDealt]}
_FOLDS |= {OpenShow: _FOLDS[CardShown], HiddenAccusation: _FOLDS[Accused]}


def counted(state: State, event: CardShown) -> CountedShow:
    return CountedShow(**asdict(event), matching=len(matching(state, event.seat)))


def matching(state: State, seat: Seat) -> list[Card]:
    assert isinstance(state.phase, Answering)
    return [card for card in state.phase.trio.cards if card in (state.hands[seat] or ())]


def known_to_all(state: State, event: Any) -> Any:
    return replace(event, known_to=frozenset(range(len(state.tokens))))


def known_to_its_seat(_state: State, event: Any) -> Any:
    return replace(event, known_to=frozenset({event.seat}))


def known_to_nobody(_state: State, event: Any) -> Any:
    return replace(event, known_to=frozenset())


def known_to_a_number(_state: State, event: HandDealt) -> HandDealt:
    """Add a seat to the audience that is not there, and stands for a card."""
    return replace(event, known_to=event.known_to | {100 + PACK.index((event.cards or PACK)[0])})


def with_a_forced_answer(state: State, happened: Sequence[AnyEvent]) -> Sequence[AnyEvent]:
    """Show a left neighbour's only matching card without asking: the others see that it was the only one."""
    asking = clue.evolve(state, happened[-1])
    assert isinstance(asking.phase, Answering)
    cards = matching(asking, asking.phase.asked)
    if len(cards) != 1:
        return happened
    return [*happened, *clue.decide(asking, asking.phase.asked, Show(cards[0]), Rng(b"", 0))]


def asking_a_holder(state: State, event: Suggested) -> State:
    """Ask the first to the left who is not known to hold none: who that is differs from view to view."""
    for step in range(1, len(state.tokens)):
        seat = (event.seat + step) % len(state.tokens)
        if state.hands[seat] is None or matching(state, seat):
            return replace(state, phase=Answering(event.trio, seat))
    return state


def rooms_of_nobody(view: State, seat: Seat, right: Sequence[Offer]) -> Sequence[Offer]:
    """Offer no accusation with a room that somebody else holds."""
    held = [card for other, hand in enumerate(view.hands) if other != seat for card in hand or ()]
    rooms = One(tuple(room for room in ROOMS if room not in held))
    return [replace(o, choices={**o.choices, "room": rooms}) if o.action is Accuse else o for o in right]


def doubled(_view: State, _seat: Seat, right: Sequence[Offer]) -> Sequence[Offer]:
    twice = One(("Rope", "Rope"))
    return [replace(o, choices={**o.choices, "weapon": twice}) if o.action is Suggest else o for o in right]


def unheard_of(_view: State, _seat: Seat, right: Sequence[Offer]) -> Sequence[Offer]:
    poker = One(("Poker",))
    return [replace(o, choices={**o.choices, "weapon": poker}) if o.action is Accuse else o for o in right]


def disordered(_view: State, _seat: Seat, right: Sequence[Offer]) -> Sequence[Offer]:
    return [replace(offer, choices=dict(reversed([*offer.choices.items()]))) for offer in right]


def changed_in_place(view: State, _seat: Seat, right: Sequence[Offer]) -> Sequence[Offer]:
    force_setattr(view, "turn", view.turn + 1)
    return right


class Deaf:
    """The game's own belief, but it misses what everybody hears."""

    def __init__(self, belief: Any) -> None:
        self.belief = belief

    def learn(self, event: Any) -> "Deaf":
        return type(self)(self.belief.learn(self.heard(event)))

    def heard(self, event: Any) -> Any:
        return Undone(back_to=0) if isinstance(event, CouldNotShow) else event

    def __getattr__(self, name: str) -> Any:
        return getattr(self.belief, name)


class Gullible(Deaf):
    """Takes every accusation for right."""

    def heard(self, event: Any) -> Any:
        return EnvelopeOpened(trio=event.trio) if isinstance(event, Accused) and event.seat != self.seat else event


class Scribbler(Deaf):
    """Writes down as certain what is only likely."""

    def heard(self, event: Any) -> Any:
        return event

    def sheet(self, level: Any) -> Any:
        sheet = self.belief.sheet(level)
        cells = (replace(c, mark="yes") if level == "logic" and c.mark is None else c for c in sheet.cells)
        return replace(sheet, cells=tuple(cells))


class Peeping(Deaf):
    """Looks at a card that was shown to somebody else, if it can."""

    def heard(self, event: Any) -> Any:
        if isinstance(event, CardShown) and event.card is not None and self.seat not in (event.seat, event.to):
            return replace(event, to=self.seat)
        return event


def told_to_those_who_know(event: AnyEvent) -> Message:
    return Message("") if isinstance(event, CardShown) and event.card is None else clue.tell(event)


THROWS: Final = cycle(range(1, 6))
TURNS: Final = count()
SKIPS: Final = cycle((0, 1))
NOT_TAKEN_BACK: Final = "learns_nothing_from_what_may_be_taken_back"


class Forgetful(evidence.Belief, frozen=True):
    """Forgets that nobody may have an answer."""

    def replies(self, action: Any, by: Seat | None = None) -> tuple[Reply, ...]:
        return super().replies(action, by)[:-1]


class Guessing(evidence.Belief, frozen=True):
    """Counts an answer as something that was asked, and looks which it will be."""

    def replies(self, action: Any, by: Seat | None = None) -> tuple[Reply, ...]:
        if isinstance(action, Show):
            return (Reply((), 1.0, float(PACK.index(action.card)), 1.0),)
        return super().replies(action, by)


class Conjuring(evidence.Belief, frozen=True):
    """Tells of cards shown that nobody had."""

    def unredact(self, world: Any, seen: Sequence[Any], rng: Rng) -> tuple[AnyEvent, ...]:
        told = super().unredact(world, seen, rng)
        hidden = [number for number, event in enumerate(seen) if isinstance(event, CardShown) and event.card is None]
        wrong = {number: replace(told[number], card=world.envelope.room) for number in hidden}
        return tuple(wrong.get(number, event) for number, event in enumerate(told))


class Remembering(evidence.Belief, frozen=True):
    """Tells another story each time."""

    def unredact(self, world: Any, seen: Sequence[Any], _rng: Rng) -> tuple[AnyEvent, ...]:
        return super().unredact(world, seen, Rng(b"", next(TURNS)))


LEAKS: Final[dict[str, Fault]] = {
    "a public count that tells": Fault("supports", events(CardShown, counted)),
    "a public count in the deal": Fault(
        "supports",
        events(HandDealt, lambda _, e: CountedHand(**asdict(e), suspects=sum(c in SUSPECTS for c in e.cards))),
    ),
    "a forgotten Secret": Fault("supports", events(CardShown, lambda _, e: OpenShow(**asdict(e)))),
    "too wide an audience": Fault("supports", events(CardShown, known_to_all)),
    "too narrow an audience": Fault("supports", events(CardShown, known_to_its_seat)),
    "an audience that tells": Fault("sends_equal_bytes", events(HandDealt, known_to_a_number)),
    "the envelope seen by all": Fault("supports", events(EnvelopeSeen, known_to_all)),
    "the envelope seen by nobody": Fault("supports", events(EnvelopeSeen, known_to_nobody)),
    "a hidden accusation": Fault("supports", events(Accused, lambda _, e: HiddenAccusation(**asdict(e)))),
    "an only card shown at once": Fault("supports", decisions(Suggest, with_a_forced_answer)),
    "a phase by the hands": Fault("plays", states(Suggested, asking_a_holder)),
    "a phase by the viewer": Fault(
        "looks_alike_to_everybody",
        states(CardShown, lambda after, e: after if e.card else replace(after, phase=Arrived(may_suggest=False))),
    ),
    "an answer at once by who cannot show": Fault("answers_by_phase", {"INFO": replace(clue.INFO, answers=(Show,))}),
    "offers by another's hand": Fault("supports", offers(Concluding, rooms_of_nobody)),
    "offers by another's hand, in the truth": Fault("offers_what_is_seen", offers(Concluding, rooms_of_nobody)),
    "a shown card that may be taken back": Fault(NOT_TAKEN_BACK, undoable(Show)),
    "a throw that may be taken back": Fault(NOT_TAKEN_BACK, undoable(Roll)),
}

BREAKS: Final[dict[str, Fault]] = {
    "a dead end": Fault("plays", offers(Concluding, lambda *_: ())),
    "a game without an end": Fault("plays", states(GameEnded, lambda after, _: replace(after, phase=Beginning()))),
    "an offer after the end": Fault("ends_for_good", offers(Over, lambda *_: (Offer(EndTurn),))),
    "a lie": Fault("keeps_the_invariants", offers(Answering, lambda *given: given[2] and (Offer(CannotShow),))),
    "a lost card": Fault("keeps_the_invariants", events(HandDealt, lambda _, e: replace(e, cards=e.cards[1:]))),
    "chance of its own": Fault(
        "replays_to_equal_events", events(DiceThrown, lambda _, e: replace(e, dice=(next(THROWS),)))
    ),
    "a field that comes back otherwise": Fault(
        "survives_the_wire", events(DiceThrown, lambda _, e: replace(e, dice=list(e.dice)))
    ),
    "an action offered twice": Fault("admits_what_it_lists", offers(Arrived, doubled)),
    "an action without a number": Fault("numbers_every_action", spaces(lambda widest: widest[1:])),
    "an action with two numbers": Fault("numbers_every_action", spaces(lambda widest: (*widest, widest[0]))),
    "choices in another order": Fault("plays", offers(Arrived, disordered)),
    "a fold with a memory": Fault(
        "builds_the_same_views_at_once", states(TurnBegan, lambda after, _: replace(after, turn=next(TURNS)))
    ),
    "a state changed in place": Fault("changes_nothing_in_place", offers(Beginning, changed_in_place)),
    "an event without words": Fault("is_told", {"tell": told_to_those_who_know}),
    "a choice without words": Fault("names_what_it_offers", offers(Concluding, unheard_of)),
    "an action without an event": Fault(
        "numbers_without_gaps", decisions(CannotShow, lambda _, happened: happened[next(SKIPS) :])
    ),
    "time that nobody sets": Fault(
        "times_what_time_does",
        offers(Concluding, lambda _, seat, right: (Offer(EndTurn),) if seat == TABLE else right),
    ),
    "an interrupt that can be sent twice": Fault(
        "interrupts_once",
        {
            "INFO": replace(clue.INFO, interrupts=(Roll,)),
            **offers(Walking, lambda _, __, right: (*right, Offer(Roll)) if right else right),
        },
    ),
}

THOUGHTS: Final[dict[str, Fault]] = {
    "a hole in the evidence": Fault("believes_what_can_be_known", {"belief": lambda *who: Deaf(clue.belief(*who))}),
    "a belief in every accusation": Fault(
        "never_rules_out_the_truth", {"belief": lambda *who: Gullible(clue.belief(*who))}
    ),
    "notes that know too much": Fault("notes_what_is_so", {"belief": lambda *who: Scribbler(clue.belief(*who))}),
    "a belief that looks": Fault("asks_who_is_entitled", {"belief": lambda *who: Peeping(clue.belief(*who))}),
    "an imagined turn": Fault(
        "imagines_what_would_be", {"imagine": lambda view, world: replace(clue.imagine(view, world), turn=0)}
    ),
    "an answer that is not expected": Fault("expects_what_comes", {"belief": Forgetful}),
    "a review that looks at another's hand": Fault(
        "judges_by_what_was_seen", {"belief": Guessing, "INFO": replace(clue.INFO, answers=())}
    ),
    "a card shown that was elsewhere": Fault(
        "resamples_what_was_seen", {"belief": lambda seat: Conjuring(seat, "logic")}
    ),
    "a game resampled from memory": Fault(
        "resamples_by_what_was_seen", {"belief": lambda seat: Remembering(seat, "logic")}
    ),
    "nothing to consider": Fault("goes_on_at_every_level", thoughts(Answering, ())),
    "a thought of what is not on offer": Fault("goes_on_at_every_level", thoughts(Walking, [EndTurn()])),
}

HASHED: Final = Fault(
    "in_second_process",
    events(DiceThrown, lambda state, e: replace(e, dice=(1 + hash(f"turn {state.turn}") % 6,))),
)
