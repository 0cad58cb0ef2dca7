"""The rules of Nightcap, NIGHT-1 to NIGHT-9 of the README: pure functions, and the only judge of what is allowed."""

from collections.abc import Sequence
from typing import Final, TypeVar, assert_never

from msgspec.structs import replace

from nightcap import model
from nightcap.model import GUESTS, Accuse, AnyAction, AnyEvent, Ask, Options, Pair, Show, ShowNothing, State
from whodunit.core.info import Info
from whodunit.core.offer import Offer, One, Some
from whodunit.core.rng import Rng
from whodunit.core.types import NOBODY, Outcome, Seat

T = TypeVar("T")

INFO: Final = Info(
    id="nightcap",
    rules=1,
    seats=(2, 3),
    options=Options,
    action=AnyAction,
    event=AnyEvent,
    state=State,
    colour="#5a2a3c",
    final=(Accuse,),  # stakes the game on one guess
    answers=(Show, ShowNothing),  # given at a moment that tells nothing about the hand
)


def hand_size(seats: int) -> int:
    """Return how many guests each player is dealt (NIGHT-2)."""
    return (len(GUESTS) - 1) // seats


def setup(seats: int, options: Options, rng: Rng) -> Sequence[AnyEvent]:
    """Deal: NIGHT-1 to NIGHT-3. Every draw has a label, so that a test can stack it."""
    culprit, *dealt = rng.shuffled("guests", GUESTS)
    hands = [sorted(dealt[seat::seats], key=GUESTS.index) for seat in range(seats)]  # as a world has them
    return [
        model.Opened(game="nightcap", rules=INFO.rules, seats=seats, options=options),
        model.CulpritHidden(guest=culprit),  # known to nobody
        *(
            model.HandDealt(seat=seat, size=len(hand), guests=tuple(hand), known_to=frozenset({seat}))
            for seat, hand in enumerate(hands)
        ),
        model.TurnBegan(seat=rng.below("starter", seats)),
    ]


def evolve(state: State | None, event: AnyEvent) -> State:
    """Return the state after an event. A view is the same fold over redacted events, so a secret may be None here."""
    if state is None:
        assert isinstance(event, model.Opened)
        seats = event.seats
        return State(options=event.options, sizes=(0,) * seats, hands=(None,) * seats, out=(False,) * seats)
    match event:
        case model.CulpritHidden(guest=guest):
            return replace(state, culprit=guest)
        case model.HandDealt(seat=seat, size=size, guests=guests):
            return replace(state, sizes=_with(state.sizes, seat, size), hands=_with(state.hands, seat, guests))
        case model.TurnBegan(seat=seat):
            return replace(state, turn=state.turn + 1, on_turn=seat, phase=model.Asking())
        case model.Asked(to=to, guests=guests):
            return replace(state, phase=model.Answering(to, guests))
        case model.Accused(seat=seat, right=right):
            return replace(state, out=_with(state.out, seat, not right))
        case model.NightEnded(seat=winner, how=how, guest=guest):
            return replace(state, phase=model.Over(winner, how), culprit=guest)
        case model.Opened() | model.GuestShown() | model.NothingShown():
            return state
        case _:
            assert_never(event)


def _with(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])


def awaiting(view: State) -> frozenset[Seat]:
    """Return who holds up the table: public, in every view the same."""
    match view.phase:
        case model.Asking():
            return frozenset({view.on_turn})
        case model.Answering(asked=asked):
            return frozenset({asked})
        case model.Dealing() | model.Over():
            return NOBODY


def legal(view: State, seat: Seat) -> Sequence[Offer]:
    """Return what a seat may do, by what it has seen (NIGHT-4 to NIGHT-7)."""
    match view.phase:
        case model.Asking() if seat == view.on_turn:
            others = tuple(other for other in range(len(view.sizes)) if other != seat)
            ask = Offer(Ask, {"to": One(others), "guests": Some(GUESTS, 2, 2)})
            return [ask, Offer(Accuse, {"guest": One(GUESTS)})]
        case model.Answering(asked=asked, guests=guests) if seat == asked:
            held = tuple(guest for guest in guests if guest in (view.hands[seat] or ()))
            return [Offer(Show, {"guest": One(held)})] if held else [Offer(ShowNothing)]
        case _:
            return []


def decide(state: State, seat: Seat, action: AnyAction, _rng: Rng) -> Sequence[AnyEvent]:
    """Return what happens; an offer has admitted the action, so nothing is checked here."""
    match action:
        case Ask(to=to, guests=guests):
            return [model.Asked(seat=seat, to=to, guests=guests)]
        case Show(guest=guest):
            known = frozenset({seat, state.on_turn})  # NIGHT-5: shown to the asker alone
            shown = model.GuestShown(seat=seat, to=state.on_turn, guests=_asked(state), guest=guest, known_to=known)
            return [shown, _next(state, state.out)]
        case ShowNothing():
            return [model.NothingShown(seat=seat, to=state.on_turn, guests=_asked(state)), _next(state, state.out)]
        case Accuse(guest=guest):
            right = guest == state.culprit
            accused = model.Accused(seat=seat, guest=guest, right=right)
            if right:
                return [accused, model.NightEnded(seat=seat, how="solved", guest=guest)]
            return [accused, _next(state, _with(state.out, seat, True))]
        case _:
            assert_never(action)


def _asked(state: State) -> Pair:
    assert isinstance(state.phase, model.Answering)
    return state.phase.guests


def _next(state: State, out: tuple[bool, ...]) -> AnyEvent:
    """Begin the next turn, or end the night: NIGHT-7 to NIGHT-9."""
    assert state.culprit is not None  # only the truth decides
    if all(out):
        return model.NightEnded(seat=None, how="all_out", guest=state.culprit)
    if state.options.midnight is not None and state.turn >= state.options.midnight:
        return model.NightEnded(seat=None, how="midnight", guest=state.culprit)
    seats = len(out)
    left = ((state.on_turn + step) % seats for step in range(1, seats + 1))
    return model.TurnBegan(seat=next(seat for seat in left if not out[seat]))


def outcome(view: State) -> Outcome | None:
    """Return how the night ended, or None while it lasts."""
    if not isinstance(view.phase, model.Over):
        return None
    return Outcome(() if view.phase.winner is None else (view.phase.winner,), view.phase.how)
