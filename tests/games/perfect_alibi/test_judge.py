"""The judge: what answers may come and what they tell, against plain enumeration through the rules; grades; luck."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import log2, sqrt
from statistics import fmean, stdev
from string import Formatter
from typing import Any, Final, NamedTuple, get_args

import pytest
from msgspec.structs import replace

from tests.games.perfect_alibi.staging import Staged, dealt, stage
from tests.games.perfect_alibi.test_exact import Weighed, played
from tests.games.perfect_alibi.worlds import BIT
from whodunit.arena import open_with_bots, play_case
from whodunit.core.judging import Choice, Reply, Showing, gained
from whodunit.core.redact import redact
from whodunit.core.rng import Rng, StackedRng
from whodunit.core.types import TABLE, Action, Event, Message, Seat, Undone
from whodunit.games import LANGUAGES, get, texts
from whodunit.games.perfect_alibi.evidence import MISSING, Belief, World
from whodunit.games.perfect_alibi.facts import HAND, PACK
from whodunit.games.perfect_alibi.model import (
    Accuse,
    Announce,
    Answer,
    Answered,
    AnyAction,
    Ask,
    Asked,
    AskFreely,
    AskLast,
    Beginning,
    CardDrawn,
    CardShown,
    ChangeAssistant,
    ChipReplaced,
    Confirm,
    Correct,
    DrawCard,
    GoOn,
    Hurry,
    LetShow,
    MissingSeen,
    Name,
    Naming,
    PickAssistant,
    RunOut,
    Show,
    ShowLate,
    Slam,
    TakeChip,
    TakeReplacement,
    TurnBegan,
)
from whodunit.review import Review, judge, review
from whodunit.review.judge import Position, judged
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
    return kind(table, viewer, asker, action)


def log_entropy(every: Sequence[tuple[World, int]]) -> float:
    return entropy([*Counter(world.missing for world, _ in every).values()])


def kind(table: Table, viewer: Seat, asker: Seat, action: Any) -> str:
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
    while not found.keys() >= KINDS or sum(found.values()) < 60:
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
                if viewer == TABLE or found[kind(table, viewer, seat, action)] < 12:
                    found[checked(table, events, viewer, showing, action, lies=lies)] += 1
        del found["too many worlds"]


class Move(NamedTuple):
    """What a seat does, what it sees and all viewers believe before it, and what happens."""

    seat: Seat
    action: Action
    view: Any
    beliefs: dict[Seat, Any]
    events: tuple[Any, ...]


def moves(seats: int, number: int, many: int = 45, **options: Any) -> Iterator[Move]:
    """Play at random."""
    table, batch = Table.open(ALIBI, seats, ALIBI.INFO.parse(seats, options), b"moves %d" % number)
    beliefs: dict[Seat, Any] = {viewer: ALIBI.belief(viewer) for viewer in (*range(seats), TABLE)}
    for move in range(many):
        for event in batch.events:
            beliefs = {viewer: belief.learn(redact(event, viewer)) for viewer, belief in beliefs.items()}
        (seat,) = table.awaiting
        rng = Rng(b"moves %d" % number, move)
        offers = [offer for offer in table.offers[seat] if offer.action not in (Slam, AskLast)]
        offer = offers[rng.below("offer", len(offers))]
        action, view = offer.sample(rng, "move"), table.views[seat]
        table, batch = table.act(seat, offer.since, action)
        yield Move(seat, action, view, beliefs, batch.events)


class Thread(NamedTuple):
    """A question on its way to its answer, with one viewer's eyes."""

    asker: Seat
    before: float
    gain: float
    replies: tuple[Reply, ...]


def threads(seats: int, number: int, **options: Any) -> Iterator[tuple[Seat, Thread, list[Event], float]]:
    """Play at random; yield each question and card to come for every viewer, what came, and what is left then."""
    open_: dict[Seat, Thread] = {}
    came: list[Any] = []
    for seat, action, _, beliefs, events in moves(seats, number, **options):
        begins = isinstance(action, Ask | AskFreely | DrawCard | LetShow)
        if open_ and (begins or isinstance(action, TakeChip)):
            for viewer, thread in open_.items():
                yield viewer, thread, [redact(event, viewer) for event in came], beliefs[viewer].entropy()
            open_, came = {}, []
        if begins:
            for viewer, belief in beliefs.items():
                by = None if viewer == seat else seat
                before, replies = belief.entropy(), belief.replies(action, by)
                open_[viewer] = Thread(seat, before, gained(before, replies), replies)
        came += [event for event in events if isinstance(event, Answered | CardShown | CardDrawn)]


VARIANTS: Final[list[dict[str, Any]]] = [{}, {"rival": True}, {"cook_optional": True}]


@pytest.mark.parametrize("options", VARIANTS, ids=["plain", "rival", "cook"])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_answer_that_came_is_among_the_replies(seats: int, options: dict[str, Any]) -> None:
    met = 0
    for number in range(3):
        for viewer, thread, came, left in threads(seats, number, **options):
            assert sum(reply.chance for reply in thread.replies) == pytest.approx(1, abs=1e-12)
            (reply,) = [reply for reply in thread.replies if reply.events == tuple(came)]
            assert reply.left == pytest.approx(left, abs=1e-9), f"viewer {viewer}"
            met += 1
    assert met > 50


def test_before_the_deal_nothing_is_missing_and_nothing_is_answered() -> None:
    for viewer in (0, TABLE):
        belief = ALIBI.belief(viewer)

        assert belief.entropy() == belief.entropy("logic") == 0
        assert belief.certain() == ()
        assert belief.replies(AskFreely(1, ("Bar",)), 2) == ()
        assert belief.gain(AskFreely(1, ("Bar",)), 2) == 0


def test_what_asks_nothing_has_no_replies() -> None:
    *_, (seat, _, _, beliefs, _) = moves(3, 1)

    assert all(
        beliefs[seat].replies(action) == () for action in (TakeChip(1, 1), Slam("Bar-3"), Answer(1), Show("Bar-3"))
    )


def test_an_assistant_that_was_taken_back_does_not_count() -> None:
    """A chip and a change of assistants may be taken back: whom a chip asks, and what is seen then, with them."""
    game = picked(deal=("Bar-3 Bar-6 Bar-9 Bar-12 Library-3", "Library-6 Library-9", ""))
    belief = learned(0, game.events)
    asked = learned(0, [*game.events, *ALIBI.decide(game.state, 0, chip(game), Rng(b"", 1))])

    assert belief.replies(Ask(("Bar",))) == ()
    assert asked.replies(Ask(("Library",)))
    assert asked.learn(Undone(back_to=belief.seq)).replies(Ask(("Library",))) == ()


# --- Seen cards first --------------------------------------------------------------------------------------------


def picked(deal: Sequence[str] = ("", "", ""), missing: str = "", **options: Any) -> Staged:
    """Open a game with these cards, in which seat 0 begins with the first assistant left to it."""
    game = dealt(deal, missing, **options)
    for _ in range(len(deal)):
        (seat,) = game.awaiting()
        game.play(seat, game.offers(seat)[0].at(0))
    return game


def chip(game: Staged) -> TakeChip:
    """Return a chip that can be taken, without arrows if there is one."""
    (seat,) = game.awaiting()
    chips = [action for offer in game.offers(seat) if offer.action is TakeChip for action in offer.actions()]
    plain = [one for one in chips if isinstance(one, TakeChip) and not game.state.row[one.place - 1].arrows]
    return plain[0]


@pytest.mark.parametrize("showing", ["even", "seen_first"])
def test_a_card_that_was_seen_tells_nothing_when_it_is_shown_again(showing: Showing) -> None:
    """By an even choice it would tell how many others could have been shown: of one who may be lying, that is news."""
    game = stage(("", "Bar-3 Bar-6 Library-3", ""), assistants="ABE", rivals="BCD")
    game.free("Bar", answerer=1).answer(2).show("Bar-3")
    game.change(on_turn=0, phase=Beginning()).free("Bar", "Library", answerer=1).answer(3).show("Bar-3")
    shown = next(place for place, event in reversed([*enumerate(game.events)]) if isinstance(event, CardShown))

    before, after = (learned(0, game.events[:end], showing).solution() for end in (shown, shown + 1))
    assert (before == pytest.approx(after)) == (showing == "seen_first")


@pytest.mark.parametrize(
    ("showing", "cards"), [("even", {"Bar-3", "Bar-6", "Bar-9", "Bar-12"}), ("seen_first", {"Bar-3"})]
)
def test_what_the_asker_has_seen_is_expected_first(showing: Showing, cards: set[str]) -> None:
    game = stage(("", "Bar-3 Bar-6 Library-3", ""), assistants="ABE")
    game.free("Bar", answerer=1).answer(2).show("Bar-3")
    belief = learned(0, game.events, showing)
    asked = belief.asking(AskFreely(1, ("Bar",)), 0, 1, ("Journalist", "Captain", "Cook"))
    replies = belief.answers(asked)

    assert {reply.events[-1].card for reply in replies} <= cards  # type: ignore[attr-defined]
    assert len(replies) == len(cards & {reply.events[-1].card for reply in replies})  # type: ignore[attr-defined]
    assert belief.assumes()[0] == Message("assumes.even_choice" if showing == "even" else "assumes.seen_first")


def test_who_shows_another_card_than_the_seen_one_is_believed_all_the_same() -> None:
    """Nobody must show what was seen first: then the belief goes by an even choice, and rules nothing out wrongly."""
    game = stage(("", "Bar-3 Bar-6 Library-3", ""), assistants="ABE")
    game.free("Bar", answerer=1).answer(2).show("Bar-3")
    game.change(on_turn=0, phase=Beginning()).free("Bar", answerer=1).answer(2).show("Bar-6")

    assert learned(0, game.events, "seen_first").likely.marginal("Bar-6", 1) == 1


# --- Grades ------------------------------------------------------------------------------------------------------


def chosen(game: Staged, action: Action, showing: Showing = "even") -> Choice:
    (seat,) = game.awaiting()
    belief = learned(seat, game.events, showing)
    choice = ALIBI.choice(game.view(seat), seat, belief, action)
    assert choice is not None
    return choice


def test_a_question_is_graded_by_what_it_tells_about_case_and_deal() -> None:
    game = picked()
    game.play(0 if game.awaiting() == {0} else min(game.awaiting()), chip(game))
    (seat,) = game.awaiting()
    questions = [action for offer in game.offers(seat) if offer.action is Ask for action in offer.actions()]
    choices = [chosen(game, question) for question in questions]
    belief = learned(seat, game.events)

    for choice in choices:
        assert (choice.kind, choice.unit) == ("question", "bits")
        assert choice.taken.gain == pytest.approx(belief.gain(choice.taken.action), abs=1e-9)
        assert choice.taken.value >= choice.taken.gain
        assert choice.best[0].value == pytest.approx(max(other.taken.value for other in choices), abs=1e-9)
        assert choice.offered == max(other.taken.gain for other in choices)
        assert choice.typical == pytest.approx(fmean(other.taken.value for other in choices))
        assert choice.replies == belief.replies(choice.taken.action)


def test_a_chip_promises_the_best_question_it_leads_to() -> None:
    game = picked()
    (seat,) = game.awaiting()
    action = chip(game)
    before = chosen(game, action)
    game.play(seat, action)
    question = next(offer for offer in game.offers(seat) if offer.action is Ask).at(0)

    assert before.kind == "chip"
    assert before.taken.gain == 0
    assert before.taken.value == pytest.approx(chosen(game, question).best[0].value, abs=1e-12)
    assert Message("assumes.best_question") in before.assumes


def test_assistants_and_answers_are_not_graded() -> None:
    game = dealt()
    (seat,) = game.awaiting()
    pick = game.offers(seat)[0].at(0)

    assert ALIBI.choice(game.view(seat), seat, learned(seat, game.events), pick) is None
    assert ALIBI.choice(game.view(seat), seat, learned(seat, game.events), Answer(1)) is None


def test_whoever_knows_the_missing_alibi_has_nothing_left_to_decide() -> None:
    game = picked()
    (seat,) = game.awaiting()
    belief = learned(seat, game.events)
    knowing = belief.learn(MissingSeen(seat=seat, card=game.state.missing, known_to=frozenset({seat})))

    assert ALIBI.choice(game.view(seat), seat, belief, chip(game)) is not None
    assert ALIBI.choice(game.view(seat), seat, knowing, chip(game)) is None


def test_a_verdict_does_not_depend_on_what_is_hidden() -> None:
    """The same stream in two deals that the seat cannot tell apart: the same verdicts, also where they are not told."""
    own = "Bar-3 Bar-6 Bar-9 Bar-12 Library-3"
    first = picked((own, "Library-6 Library-9 Library-12 SunDeck-3 SunDeck-6", "Restaurant-3"), "SunDeck-9")
    second = picked((own, "Restaurant-3 Restaurant-6 Restaurant-9 SunDeck-3 SunDeck-6", "Library-6"), "SunDeck-12")
    assert first.seen(0) == second.seen(0)
    assert first.events != second.events
    (seat,) = first.awaiting()
    assert first.seen(seat) != second.seen(seat) or seat == 0
    for action in [offer.at(0) for offer in first.offers(0) if offer.action in (TakeChip, AskFreely, AskLast, Slam)]:
        verdicts = [judge(ALIBI, 0, game.seen(0), action) for game in (first, second)]
        assert verdicts[0] == verdicts[1]
        assert verdicts[0] is not None


def test_one_last_question_is_weighed_by_how_sure_it_makes() -> None:
    """ALIBI-58: after its answer a card must be named, so it is worth what the likeliest card then is."""
    game = picked()
    (seat,) = game.awaiting()
    offers = [offer for offer in game.offers(seat) if offer.action is AskLast]
    verdicts = [judge(ALIBI, seat, game.seen(seat), offer.at(place)) for offer in offers for place in (0, 5)]
    belief = learned(seat, game.events, "seen_first")

    for verdict in verdicts:
        assert verdict is not None
        replies = belief.replies(verdict.taken.action)
        assert verdict.taken.value == pytest.approx(sum(reply.chance * reply.top for reply in replies))
        assert verdict.taken.value >= max(belief.solution().values()) - 1e-12
        assert verdict.best[0].value >= verdict.taken.value
    assert len({verdict.taken.value for verdict in verdicts if verdict is not None}) > 1


def test_a_question_is_looked_forward_to_until_a_card_must_be_named() -> None:
    game = picked()
    (seat,) = game.awaiting()
    other = (seat + 1) % 3
    for viewer in (seat, other):
        replies = ALIBI.ahead(game.view(viewer), viewer, learned(viewer, game.events))
        assert sum(reply.chance for reply in replies) == pytest.approx(1, abs=1e-12)
    naming = replace(game.view(seat), phase=Naming())
    assert ALIBI.ahead(naming, seat, learned(seat, game.events)) == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_action_is_told_in_words(language: str) -> None:
    words = texts("perfect_alibi", language)
    for action in ACTIONS:
        message = ALIBI.tell_action(action)
        gaps = {name for _, name, _, _ in Formatter().parse(words[message.key]) if name is not None}
        assert gaps == set(message.params)
    assert {type(action) for action in ACTIONS} == set(get_args(AnyAction)) - {RunOut, Hurry, GoOn}  # time's own


def test_every_reply_is_told_in_words() -> None:
    words, met = texts("perfect_alibi"), set()
    for seats, number in ((3, 1), (4, 2), (4, 3), (5, 4)):
        for _, thread, _, _ in threads(seats, number):
            for reply in thread.replies:
                line = reply.line or ALIBI.tell(reply.events[-1])
                gaps = {name for _, name, _, _ in Formatter().parse(words[line.key]) if name is not None}
                assert gaps == set(line.params)
                met.add(line.key)
    assert met >= {key for key in words if key.startswith("reply.")}


ACTIONS: Final[list[Any]] = [
    PickAssistant("Cook"), TakeChip(2, 1), ChangeAssistant("Cook"), TakeReplacement("Cook"), Ask(("Bar", "Library")),
    AskFreely(1, ("3",)), AskLast(1, ("3", "6")), Answer(2), Announce(2), Show("Bar-3"), DrawCard(), LetShow(),
    Name("Bar-3"), Slam("Bar-3"), Confirm(3), Correct(2), ShowLate("Bar-3"), Accuse(1, (2, 3)),
]  # fmt: skip


# --- Whole reviews -----------------------------------------------------------------------------------------------


def reviewed(levels: Sequence[str], seed: str, **options: Any) -> Review:
    return review(play_case(open_with_bots("perfect_alibi", levels, options, seed), lambda *_: None))


def test_a_whole_game_is_reviewed() -> None:
    found = reviewed(["detective", "rookie", "mastermind"], "whole")

    for seat, part in found.seats.items():
        parts = part.account
        told = parts.asked + parts.answer_luck + parts.gifts + parts.gift_luck + parts.reading + parts.rest
        assert told == pytest.approx(part.began - (part.steps[-1].left if part.steps else part.began))
        assert bool(part.decisions) == (seat != TABLE)


HARD: Final[list[dict[str, Any]]] = [
    {"rival": True},
    {"answer_mode": "by_hand", "bot_error_rate": 30},
    {"answer_mode": "by_hand", "bot_error_rate": 20, "unforgiving": True},
    {"rival": True, "answer_mode": "by_hand", "bot_error_rate": 5, "lie_bounds": "literal", "cook_optional": True},
    {"max_elements": 4, "slam_window_s": 5, "cook_optional": True, "last_question_protected": True},
]


@pytest.mark.soak
@pytest.mark.parametrize("level", ["rookie", "detective"])
@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("options", HARD, ids=["rival", "by_hand", "unforgiving", "lies_by_hand", "house_rules"])
def test_no_variant_breaks_a_review(options: dict[str, Any], seats: int, level: str) -> None:
    for number in range(2):
        reviewed([level] * seats, f"variant {number}", **options)


def test_answers_that_clash_break_no_review() -> None:
    reviewed(["rookie", "detective", "rookie"], "clash", answer_mode="by_hand", bot_error_rate=60, unforgiving=True)


def sigmas(sums: Sequence[float]) -> float:
    """Return how many standard errors the mean of these sums, one a game, is from nothing."""
    return abs(fmean(sums)) / (stdev(sums) / sqrt(len(sums)))


@pytest.mark.soak
@pytest.mark.parametrize("options", [{}, {"rival": True}], ids=["plain", "rival"])
@pytest.mark.parametrize("seats", [3, 4])
def test_luck_is_nothing_on_average_where_all_is_drawn(seats: int, options: dict[str, Any]) -> None:
    own, gifts = [], []
    for number in range(60):
        luck = {"own": 0.0, "gift": 0.0}
        for viewer, thread, _, left in threads(seats, number, **options):
            luck["own" if viewer == thread.asker else "gift"] += thread.before - left - thread.gain
        own.append(luck["own"])
        gifts.append(luck["gift"])
    assert sigmas(own) < 3
    assert sigmas(gifts) < 3


class Level(NamedTuple):
    """How a level of play does in the eyes of the judge."""

    blunders: float
    efficiency: float
    strokes: float
    """Masterstrokes a game."""


def level(name: str, games: int, **options: Any) -> Level:
    """Return how a level does on seeds that no threshold was fixed on."""
    counts: Counter[str] = Counter()
    asked = offered = 0.0
    for number in range(games):
        for part in reviewed([name] * 4, f"fresh {number}", **options).seats.values():
            counts.update({str(label): found for label, found in part.counts.items()})
            asked += part.asked
            offered += part.offered
    return Level(counts["blunder"] / counts.total(), asked / offered, counts["masterstroke"] / games)


@pytest.mark.soak
@pytest.mark.parametrize("name", ["detective", "mastermind"])
@pytest.mark.parametrize(("options", "most"), [({}, 0.02), ({"rival": True}, 0.04)], ids=["plain", "rival"])
def test_good_players_rarely_blunder(options: dict[str, Any], most: float, name: str) -> None:
    """Among liars bots are not as good: which assistant makes whom lie they do not weigh when they take a chip."""
    found = level(name, 15, **options)

    assert found.blunders <= most
    assert found.strokes <= 0.2


@pytest.mark.soak
@pytest.mark.parametrize(("options", "least"), [({}, 0.30), ({"rival": True}, 0.25)], ids=["plain", "rival"])
def test_who_asks_at_random_often_blunders(options: dict[str, Any], least: float) -> None:
    """Whole games of random players are long, and nothing is to be found out in most of their turns."""
    labels: Counter[str | None] = Counter()
    for number in range(15):
        for seat, action, view, beliefs, _ in moves(4, 2000 + number, 100, **options):
            verdict = judged(Position(ALIBI, seat, 4, view, beliefs[seat]), action)
            labels[None if verdict is None else verdict.label] += 1
    del labels[None]

    assert labels["blunder"] / labels.total() >= least


@pytest.mark.soak
def test_good_players_ask_for_more_than_others() -> None:
    found = {
        name: level(name, 8 if name != "random" else 4) for name in ("random", "rookie", "detective", "mastermind")
    }

    good = min(found["detective"].efficiency, found["mastermind"].efficiency)
    assert good > max(found["rookie"].efficiency, found["random"].efficiency)
