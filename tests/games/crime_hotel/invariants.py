"""What always holds in a game of Crime Hotel: the invariants of its rules, event by event."""

from itertools import pairwise
from typing import TypeVar

from whodunit.games.crime_hotel.facts import CARDS, DEPARTMENTS, DESKS, PLACES
from whodunit.games.crime_hotel.model import (
    AnyEvent,
    CardPlayed,
    Dealing,
    DeskTaken,
    Exchanged,
    GameEnded,
    Guessed,
    LastCardLaid,
    Looked,
    MurdererFound,
    Over,
    Parked,
    Relocated,
    RoundBegan,
    Scored,
    State,
)

T = TypeVar("T")


def check(before: State, event: AnyEvent, after: State) -> None:
    """Raise AssertionError if what happened, or where it led, cannot be."""
    if isinstance(after.phase, Dealing):
        return
    if isinstance(after.phase, Over):
        assert isinstance(event, GameEnded)
        return
    _check_cards(after)
    _check_meeples(after)
    _check_event(before, event, after)


def _all(secret: T | None) -> T:
    assert secret is not None
    return secret


def _check_cards(state: State) -> None:
    seats, options = len(state.hands), state.options
    hands = [card for hand in state.hands for card in _all(hand)]
    trick = [card for card in state.trick if card is not None]
    assert sorted([*hands, *trick, *state.lit, _all(state.hidden)]) == list(CARDS), "HOTEL-6 to 8: every card once"
    assert state.sizes == tuple(len(_all(hand)) for hand in state.hands), "HOTEL-6: hand sizes are public"
    if not trick and state.lots:
        assert set(state.sizes) == {options.hand_size - state.round}, "HOTEL-36"
    assert 0 <= state.car < seats


def _check_meeples(state: State) -> None:
    options = state.options
    for seat, places in enumerate(state.guesses):
        assert set(places) <= set(PLACES), "HOTEL-23"
        assert len(set(places)) == len(places), "HOTEL-33: never on one's own"
        used = len(places) + sum(desk.count(seat) for desk in state.desks) + (seat in state.lots)
        if not options.beginner:
            assert used + state.unused[seat] == options.rounds, "HOTEL-3, 21: five meeples each"
        if not state.desks[DEPARTMENTS.index("DUPLICATE")]:
            others = [place for other, more in enumerate(state.guesses) if other != seat for place in more]
            assert not set(places) & set(others), "HOTEL-24"
    for department, sitting in zip(DEPARTMENTS, state.desks, strict=True):
        assert len(sitting) <= len(DESKS[len(state.hands)][department]), "HOTEL-28"
        assert not (options.beginner and sitting), "HOTEL-V1"


def _check_event(before: State, event: AnyEvent, after: State) -> None:
    match event:
        case CardPlayed(seat=seat, card=card, lacks=lacks):
            hand, lead = _all(before.hands[seat]), before.trick[before.car]
            assert card in hand, "HOTEL-11"
            if lead is None:
                assert (seat, lacks) == (before.car, None), "HOTEL-10"
            else:
                follows = card // 10 == lead // 10
                assert lacks == (None if follows else lead // 10), "HOTEL-13"
                assert follows or all(held // 10 != lead // 10 for held in hand), "HOTEL-12"
        case Parked(lots=lots):
            assert all(_all(before.trick[one]) > _all(before.trick[other]) for one, other in pairwise(lots)), "HOTEL-16"
            assert after.car == lots[0], "HOTEL-17"
        case Guessed(seat=seat):
            assert seat == before.lots[0], "HOTEL-19"
            assert len(before.lots) in (1, len(before.hands)), "HOTEL-20"
        case DeskTaken(seat=seat):
            assert seat == before.lots[0], "HOTEL-19"
            assert 1 < len(before.lots) < len(before.hands), "HOTEL-20"
        case Relocated(seat=seat, origin=origin, to=to):
            assert origin in before.guesses[seat], "HOTEL-30: one of his own"
            assert origin != to, "HOTEL-30: to another place"
        case Exchanged():
            _check_exchange(before, event, after)
        case Looked(seat=seat, target=target, count=count, cards=cards):
            assert seat != target, "HOTEL-32"
            assert len(_all(cards)) == count
            assert set(_all(cards)) <= set(_all(before.hands[target])), "HOTEL-32"
            assert before.hands == after.hands, "HOTEL-32: they stay there"
        case RoundBegan(number=number, seat=seat):
            assert (number, seat) == (before.round + 1, before.car), "HOTEL-35, 45"
        case LastCardLaid(seat=seat, card=card):
            assert before.hands[seat] == (card,), "HOTEL-37"
        case Scored() | GameEnded() | MurdererFound():
            raise AssertionError("counted while the table is being laid")
        case _:
            pass


def _check_exchange(before: State, event: Exchanged, after: State) -> None:
    given, drawn = set(_all(event.given)), set(_all(event.drawn))
    mine, theirs = (set(_all(before.hands[who])) for who in (event.seat, event.partner))
    assert event.seat != event.partner, "HOTEL-31"
    assert len(given) == len(drawn) == event.count, "HOTEL-31"
    assert given <= mine, "HOTEL-31"
    assert drawn <= theirs, "HOTEL-31"
    assert set(_all(after.hands[event.seat])) == mine - given | drawn, "HOTEL-31"
    assert set(_all(after.hands[event.partner])) == theirs - drawn | given, "HOTEL-31"
    assert before.sizes == after.sizes, "HOTEL-31: hand sizes do not change"
