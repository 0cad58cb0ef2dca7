"""The judge: what answers may come and what they tell, against plain enumeration through the rules; grades; luck."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import log2, sqrt
from statistics import fmean, stdev
from typing import Any, Final

import pytest
from msgspec.structs import replace

from tests.games.perfect_alibi.staging import stage
from tests.games.perfect_alibi.test_exact import Weighed, played
from tests.games.perfect_alibi.worlds import BIT, fits
from whodunit.arena import open_with_bots, play_case
from whodunit.core.judging import Choice, Showing
from whodunit.core.redact import redact
from whodunit.core.rng import Rng, StackedRng
from whodunit.core.types import TABLE, Action, Event, Message, Seat, Undone
from whodunit.games import get
from whodunit.games.perfect_alibi.evidence import MISSING, Belief, World
from whodunit.games.perfect_alibi.facts import HAND, PACK
from whodunit.games.perfect_alibi.model import (
    Answer,
    Answered,
    Ask,
    Asked,
    AskFreely,
    Asking,
    AskLast,
    CardDrawn,
    CardShown,
    Choosing,
    ChipReplaced,
    DrawCard,
    LetShow,
    Naming,
    Pausing,
    Show,
    Slam,
    TakeChip,
    TurnBegan,
)
from whodunit.review import Review, judge, review
from whodunit.review.verdict import SeatReview, Verdict
from whodunit.table.case import Case
from whodunit.table.table import Table

ALIBI: Final = get("perfect_alibi")
WORLDS: Final = 300
"""More worlds than this are too many to be played out one by one here."""
SEATS: Final = 3


# --- Plain enumeration -------------------------------------------------------------------------------------------


def seen_first(events: Sequence[Any], viewer: Seat) -> list[Any]:
    """Tell a card that was shown because the asker had seen it as one that was drawn: it says no more than that."""
    asked: dict[int, Asked] = {}
    known: set[tuple[Seat, Seat, str]] = set()
    told: list[Any] = []
    for event in (redact(event, viewer) for event in events):
        match event:
            case Asked(question=question):
                asked[question] = event
            case CardDrawn(seat=seat, answerer=answerer, card=card) if card is not None:
                known.add((seat, answerer, card))
            case CardShown(question=question, seat=seat, to=to, card=card) if card is not None:
                holding = asked[question].holding
                again = (to, seat, card) in known
                known |= {(one, seat, card) for one in range(SEATS) if one == to or holding[one] == "Captain"}
                if again:
                    told.append(
                        CardDrawn(question=question, seat=to, answerer=seat, card=card, known_to=event.known_to)
                    )
                    continue
            case _:
                pass
        told.append(event)
    return told


def sights(events: Sequence[Any], viewer: Seat) -> set[tuple[Seat, Seat, str]]:
    """Return who has seen what in whose hand, as far as the viewer has seen it."""
    asked = {event.question: event for event in events if isinstance(event, Asked)}
    known: set[tuple[Seat, Seat, str]] = set()
    for event in (redact(event, viewer) for event in events):
        if isinstance(event, CardDrawn) and event.card is not None:
            known.add((event.seat, event.answerer, event.card))
        if isinstance(event, CardShown) and event.card is not None:
            holding = asked[event.question].holding
            known |= {
                (one, event.seat, event.card) for one in range(SEATS) if one == event.to or holding[one] == "Captain"
            }
    return known


def worlds(events: Sequence[Any], viewer: Seat, showing: Showing, *, lies: bool) -> list[tuple[World, int]] | None:
    """Return every world with its weight, or None if there are too many."""
    told = seen_first(events, viewer) if showing == "seen_first" else list(events)
    weighed = Weighed(viewer, told, SEATS, lies=lies)
    by_seat = [weighed.hands(seat) for seat in range(SEATS)]
    found: list[tuple[World, int]] = []

    def dealt(seat: Seat, left: int, weight: int, chosen: tuple[tuple[int, Any], ...]) -> Iterator[tuple[World, int]]:
        if seat == SEATS:
            if weighed.missing in (None, left):
                hands = tuple(tuple(card for card in PACK if BIT[card] & hand) for hand, _ in chosen)
                (missing,) = (card for card in PACK if BIT[card] == left)
                tiles = tuple(tile for _, tile in chosen if tile is not None)
                yield World(missing, hands, tiles, (0,) * len(events)), weight
            return
        for hand, tile, more in by_seat[seat]:
            if hand & left == hand and not (tile and tile in [other for _, other in chosen]):
                yield from dealt(seat + 1, left & ~hand, weight * more, (*chosen, (hand, tile)))

    for world in dealt(0, (1 << len(PACK)) - 1, 1, ()):
        found.append(world)
        if len(found) > WORLDS:
            return None
    return found


def outcomes(
    state: Any, asker: Seat, action: Action, known: set[tuple[Seat, Seat, str]], showing: Showing
) -> Iterator[tuple[tuple[Event, ...], float]]:
    """Play a question out by the rules in one world: yield what happens in every way, with its chance."""
    for event in ALIBI.decide(state, asker, action, Rng(b"", 1)):
        state = ALIBI.evolve(state, event)
    answerer = state.log[-1].answerer
    (offer,) = (offer for offer in ALIBI.legal(state, answerer) if offer.action is Answer)
    for answer in offer.actions():
        for draw in range(HAND[SEATS]) if state.log[-1].assistant == "Cook" else (0,):
            rng = StackedRng(b"", 1, {"drawn card": draw})
            events = answering(ALIBI.decide(state, answerer, answer, rng))
            drawn = any(isinstance(event, CardDrawn) for event in events)
            if draw and not drawn:
                continue
            share = 1 / offer.count / (HAND[SEATS] if drawn else 1)
            after = state
            for event in events:
                after = ALIBI.evolve(after, event)
            shows = [offer for offer in ALIBI.legal(after, answerer) if offer.action is Show]
            if not shows:
                yield events, share
                continue
            cards = list(shows[0].actions())
            first = [show for show in cards if (asker, answerer, show.card) in known]  # type: ignore[attr-defined]
            chosen = first or cards if showing == "seen_first" else cards
            for show in chosen:
                shown = answering(ALIBI.decide(after, answerer, show, Rng(b"", 1)))
                yield (*events, *shown), share / len(chosen)


def answering(events: Sequence[Event]) -> tuple[Event, ...]:
    return tuple(event for event in events if not isinstance(event, ChipReplaced | TurnBegan))


def entropy(masses: Sequence[float]) -> float:
    total = sum(masses)
    return -sum(mass / total * log2(mass / total) for mass in masses if mass)


def checked(table: Table, events: Sequence[Any], viewer: Seat, showing: Showing, action: Action, *, lies: bool) -> str:
    """Compare the replies to an action of the player on turn with enumeration; return what kind of case it was."""
    every = worlds(events, viewer, showing, lies=lies)
    if every is None:
        return "too many worlds"
    belief = learned(viewer, events, showing)
    asker, known = table.state.on_turn, sights(events, viewer)
    masses: dict[tuple[Event, ...], dict[str, float]] = defaultdict(lambda: defaultdict(float))
    logic: set[str] = set()
    now: dict[str, float] = defaultdict(float)
    for world, weight in every:
        state = ALIBI.imagine(table.views[viewer], world)
        now[world.missing] += weight
        logic.add(world.missing)
        for seen, share in outcomes(state, asker, action, known, showing):
            masses[tuple(redact(event, viewer) for event in seen)][world.missing] += weight * share
    replies = belief.replies(action, None if viewer == asker else asker)
    assert {reply.events for reply in replies} == set(masses)
    assert sum(reply.chance for reply in replies) == pytest.approx(1, abs=1e-12)
    total, expected = sum(now.values()), 0.0
    for reply in replies:
        after = masses[reply.events]
        chance = sum(after.values()) / total
        assert reply.chance == pytest.approx(chance, abs=1e-9)
        assert reply.left == pytest.approx(entropy([*after.values()]), abs=1e-9)
        assert reply.top == pytest.approx(max(after.values()) / sum(after.values()), abs=1e-9)
        expected += chance * entropy([*after.values()])
    gain = belief.gain(action, None if viewer == asker else asker)
    assert gain == pytest.approx(entropy([*now.values()]) - expected, abs=1e-9)
    certain = ((logic.pop(), MISSING),) if len(logic) == 1 else ()
    assert belief.certain() == certain
    assert belief.entropy("logic") == pytest.approx(log_entropy(every), abs=1e-9)
    return kind(table, belief, viewer, asker, action)


def log_entropy(every: Sequence[tuple[World, int]]) -> float:
    return entropy([*Counter(world.missing for world, _ in every).values()])


def kind(table: Table, belief: Belief, viewer: Seat, asker: Seat, action: Any) -> str:
    answerer = action.answerer if isinstance(action, AskFreely | AskLast) else table.state.phase.answerer
    held = table.state.assistants
    if viewer == asker:
        return "asker with the Cook" if held[asker] == "Cook" else "asker"
    if viewer == answerer:
        return "answerer"
    if held[asker] == "Priest":
        return "beside the Priest"
    if viewer == TABLE:
        return "spectator"
    return "Captain" if held[viewer] == "Captain" else "third"


def learned(viewer: Seat, events: Sequence[Any], showing: Showing = "even") -> Belief:
    belief = ALIBI.belief(viewer, "logic", showing)  # type: ignore[call-arg]
    for event in events:
        belief = belief.learn(redact(event, viewer))
    assert isinstance(belief, Belief)
    return belief


KINDS: Final = {
    "asker", "asker with the Cook", "answerer", "beside the Priest", "spectator", "Captain", "third"
}  # fmt: skip


@pytest.mark.parametrize("showing", ["even", "seen_first"])
@pytest.mark.parametrize("lies", [False, True], ids=["truth", "lies"])
def test_replies_and_gains_agree_with_enumeration(lies: bool, showing: Showing) -> None:
    found: Counter[str] = Counter()
    number = 0
    while not KINDS <= found.keys() or sum(found.values()) < 60:
        number += 1
        assert number < 60, f"not all kinds of viewers were met: {found}"
        for place, (table, events) in enumerate(played(number, SEATS, lies=lies)):
            rng = Rng(b"judge %d" % number, place)
            seat = table.state.on_turn
            asks = [offer for offer in table.offers[seat] if offer.action in (Ask, AskFreely, AskLast)]
            if place < 15 or not asks or table.awaiting != frozenset({seat}) or rng.below("look", 3):
                continue
            action = asks[rng.below("offer", len(asks))].sample(rng, "ask")
            for viewer in (*range(SEATS), TABLE):
                if viewer == TABLE or found[kind(table, None, viewer, seat, action)] < 12:  # type: ignore[arg-type]
                    found[checked(table, events, viewer, showing, action, lies=lies)] += 1
        del found["too many worlds"]
