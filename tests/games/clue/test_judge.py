"""What a question of Clue may be expected to tell, against plain enumeration; and how choices are graded by it."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import pairwise, product
from math import log2
from statistics import mean, stdev
from typing import Any, Final, NamedTuple, cast, get_args

import pytest
from msgspec.structs import replace

from tests.games.clue import worlds as book
from tests.games.clue.staging import CLUE, Deal, Staged, deal_of, entered, stage, stay_in
from tests.games.clue.test_evidence import of
from tests.games.clue.worlds import Known, lively
from whodunit.arena import open_with_bots, play_case
from whodunit.core.judging import Choice, Reply, Showing
from whodunit.core.redact import redact
from whodunit.core.rng import Rng, Stream
from whodunit.core.types import TABLE, Action, Event, Seat
from whodunit.deduce import Evidence, has
from whodunit.games.clue.evidence import ENVELOPE as IN_ENVELOPE
from whodunit.games.clue.evidence import Belief, Holder, World, belief
from whodunit.games.clue.facts import PACK, ROOMS, SUSPECTS, WEAPONS, Card, Room
from whodunit.games.clue.judge import told_by_questions
from whodunit.games.clue.model import (
    Accuse,
    Answering,
    CannotShow,
    CardShown,
    CouldNotShow,
    EndTurn,
    LookAside,
    Move,
    Roll,
    Show,
    SideCardSeen,
    State,
    StayAndSuggest,
    Suggest,
    Suggested,
    TakePassage,
    Trio,
)
from whodunit.review import judge
from whodunit.review.knowing import efficiency
from whodunit.review.review import seat_review

EXACT: Final = 1e-9
SUM: Final = 1e-12
QUESTIONS: Final = [Trio(*cards) for cards in product(SUSPECTS, WEAPONS, ROOMS)]

# --- Positions with few cards left -----------------------------------------------------------------------------------


class Late(NamedTuple):
    """A game in which a viewer has been told most cards beside what it saw: few worlds are left, to be listed."""

    game: Staged
    viewer: Seat
    showing: Showing
    belief: Belief
    known: Known


def late(seats: int, viewer: Seat, showing: Showing, number: int, *, open_cards: int = 8, asked: int = 5) -> Late:
    """Deal at random, tell the viewer most cards, then let all ask at random and answer as the showing says."""
    rng = Stream(f"late {seats} {viewer} {number}".encode())
    game = stage([""] * seats, _drawn_envelope(rng)) if number == 0 else _dealt(seats, rng)
    for _ in range(asked):
        _ask(game, _drawn_question(rng), rng, showing)
    deal = book.world(game.state)
    secret = [*deal.envelope.cards, *rng.shuffled("open", [card for hand in deal.hands for card in hand])]
    told = [(seat, card) for seat, hand in enumerate(deal.hands) for card in hand if card not in secret[:open_cards]]
    known, ours = book.belief(viewer), belief(viewer, "logic", showing)
    for event in game.events:
        seen = cast(Any, redact(event, viewer))
        known, ours = known.learn(seen), ours.learn(seen)
    assert ours.position is not None
    known = replace(known, held=known.held | {*told})
    facts: list[Evidence[Card, Holder]] = [has(seat, [card], 0) for seat, card in told]
    ours = replace(ours, position=ours.position.learn(*facts))
    return Late(game, viewer, showing, ours, known)


def _drawn_envelope(rng: Stream) -> str:
    return " ".join(kind[rng.below("envelope", len(kind))] for kind in (SUSPECTS, WEAPONS, ROOMS))


def _dealt(seats: int, rng: Stream) -> Staged:
    envelope = _drawn_envelope(rng)
    rest = iter(rng.shuffled("rest", [card for card in PACK if card not in envelope.split()]))
    sizes = [len(hand) for hand in deal_of(envelope, [""] * seats).hands]
    return stage([" ".join(next(rest) for _ in range(size)) for size in sizes], envelope)


def _drawn_question(rng: Stream) -> Trio:
    return QUESTIONS[rng.below("question", len(QUESTIONS))]


def _stand(game: Staged, room: Room) -> None:
    """Let a suggestion have brought whoever is on turn into a room."""
    seat = game.state.on_turn
    places = [*game.state.places]
    places[SUSPECTS.index(game.state.tokens[seat])] = room
    marks = [None] * len(game.state.tokens)
    marks[seat] = cast(Any, room)
    game.change(places=tuple(places), summoned=tuple(marks))


def _ask(game: Staged, trio: Trio, rng: Stream, showing: Showing) -> None:
    _stand(game, trio.room)
    asker = game.state.on_turn
    game.play(asker, StayAndSuggest(trio.suspect, trio.weapon, trio.room))
    while isinstance(game.state.phase, Answering):
        seat = game.state.phase.asked
        answers = _answers(game.state, seat, _shown(game.events, seat, asker), showing)
        game.play(seat, answers[rng.below("answer", len(answers))])
    if game.state.on_turn == asker:
        game.play(asker, EndTurn())


def _shown(events: Sequence[Event], seat: Seat, asker: Seat) -> set[Card | None]:
    return {event.card for event in events if isinstance(event, CardShown) and (event.seat, event.to) == (seat, asker)}


def _answers(state: State, seat: Seat, shown: set[Card | None], showing: Showing) -> list[Any]:
    """Return what a seat may answer, each as likely as the next, if it shows seen cards first."""
    (offer,) = CLUE.legal(state, seat)
    answers: list[Any] = [*offer.actions()]
    again = [answer for answer in answers if isinstance(answer, Show) and answer.card in shown]
    return again if showing == "seen_first" and again else answers


# --- Plain enumeration -----------------------------------------------------------------------------------------------


def weight(at: Late, deal: Deal) -> Fraction:
    """Return how likely what the viewer was shown is in a world."""
    likelihood, trio, shown = Fraction(1), Trio("Plum", "Rope", "Hall"), defaultdict[Seat, set[Card]](set)
    for event in at.game.events:
        if isinstance(event, Suggested):
            trio = event.trio
        if isinstance(event, CardShown) and event.to == at.viewer:
            assert event.card is not None
            again = shown[event.seat].intersection(trio.cards)
            if at.showing == "even" or not again:
                likelihood /= sum(card in deal.hands[event.seat] for card in trio.cards)
            shown[event.seat].add(event.card)
    return likelihood


def outcomes(at: Late, state: State, asker: Seat) -> Iterator[tuple[tuple[Event, ...], Fraction]]:
    """Play the rules on from a question, in every way: yield what the viewer sees of the answers, and how likely."""
    if not isinstance(state.phase, Answering):
        yield (), Fraction(1)
        return
    seat = state.phase.asked
    answers = _answers(state, seat, _shown(at.game.events, seat, asker), at.showing)
    for answer in answers:
        events = CLUE.decide(state, seat, answer, Rng(b"", 1))
        seen = tuple(redact(event, at.viewer) for event in events if isinstance(event, CardShown | CouldNotShow))
        for rest, chance in outcomes(at, reduce(CLUE.evolve, events, state), asker):
            yield (*seen, *rest), chance / len(answers)


def enumerated(at: Late, trio: Trio, asker: Seat) -> dict[tuple[Event, ...], dict[Trio, Fraction]]:
    """Return the weight of every trio in the envelope, by what the viewer sees of the answers to a question."""
    found: dict[tuple[Event, ...], dict[Trio, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    view = replace(at.game.view(at.viewer), on_turn=asker, phase=Answering(trio, (asker + 1) % len(at.known.sizes)))
    for deal in at.known.worlds():
        worth = weight(at, deal)
        state = CLUE.imagine(view, World(deal.envelope, deal.hands, deal.side))
        for events, chance in outcomes(at, state, asker):
            found[events][deal.envelope] += worth * chance
    return found


def bits(masses: dict[Trio, Fraction]) -> float:
    total = sum(masses.values())
    return -sum(float(mass / total) * log2(mass / total) for mass in masses.values())


def check(at: Late, trio: Trio, asker: Seat) -> float:
    """Compare all that is said of a question with what enumeration says; return what it tells."""
    by_events = enumerated(at, trio, asker)
    now: dict[Trio, Fraction] = defaultdict(Fraction)
    for masses in by_events.values():
        for envelope, mass in masses.items():
            now[envelope] += mass
    total = sum(now.values())
    question = Suggest(trio.suspect, trio.weapon, trio.room)
    staying = StayAndSuggest(trio.suspect, trio.weapon, trio.room)
    by = None if asker == at.viewer else asker
    replies = at.belief.replies(question, by)
    assert {reply.events for reply in replies} == {*by_events}
    left = 0.0
    for reply in replies:
        masses = by_events[reply.events]
        weight = sum(masses.values())
        left += float(weight / total) * bits(masses)
        assert reply.chance == pytest.approx(float(weight / total), abs=EXACT)
        assert reply.left == pytest.approx(bits(masses), abs=EXACT)
        assert reply.top == pytest.approx(float(max(masses.values()) / weight), abs=EXACT)
    assert sum(reply.chance for reply in replies) == pytest.approx(1, abs=SUM)
    assert at.belief.entropy() == pytest.approx(bits(now), abs=EXACT)
    assert at.belief.gain(question, by) == pytest.approx(bits(now) - left, abs=EXACT)
    assert at.belief.gain(staying, by) == at.belief.gain(question, by)
    certain = {(card, IN_ENVELOPE) for envelope in now for card in envelope.cards} if len(now) == 1 else set()
    assert {*at.belief.certain()} == certain
    return bits(now) - left


@pytest.mark.parametrize("showing", get_args(Showing))
@pytest.mark.parametrize(("seats", "viewer", "asker"), [(2, 0, 0), (3, 0, 0), (3, 1, 0), (3, 0, 1), (4, 2, 0)])
def test_what_a_question_tells_a_player_is_what_enumeration_says(
    seats: int, viewer: Seat, asker: Seat, showing: Showing
) -> None:
    rng = Stream(b"questions")
    told = []
    for number in range(1, 4):
        at = late(seats, viewer, showing, number)
        told += [check(at, _drawn_question(rng), asker) for _ in range(4)]
    assert max(told) > 0.1


@pytest.mark.parametrize("showing", get_args(Showing))
def test_what_a_question_tells_a_spectator_is_what_enumeration_says(showing: Showing) -> None:
    rng = Stream(b"spectator")
    at = late(3, TABLE, showing, 1, open_cards=7)
    assert max(check(at, _drawn_question(rng), asker) for asker in (0, 1, 2) for _ in range(3)) > 0


def test_what_is_seen_first_tells_another_story_than_an_even_choice() -> None:
    """Seat 1 has shown the Lounge; asked for it again, it shows it again: under an even choice that would tell more."""
    game = entered("Lounge", ["Plum", "Lounge", ""]).play(0, Suggest("Plum", "Knife", "Lounge"))
    game.play(1, Show("Lounge")).pass_by(1).pass_by(2)
    even, seen_first = (_believing(game, 0, showing) for showing in get_args(Showing))
    again = Suggest("Green", "Wrench", "Lounge")

    assert seen_first.gain(again) == 0 < even.gain(again)
    assert len(seen_first.replies(again)) == 1
    assert [message.key for message in seen_first.assumes()] == ["assumes.seen_first"]

    shown = CardShown(seat=1, to=0, card="Lounge", known_to=frozenset({0, 1}))
    asked = Suggested(seat=0, trio=Trio("Green", "Wrench", "Lounge"))
    assert seen_first.learn(asked).learn(shown).entropy() == seen_first.entropy()
    assert even.learn(asked).learn(shown).entropy() != even.entropy()


def test_who_shows_another_card_than_what_was_seen_is_believed_all_the_same() -> None:
    game = entered("Lounge", ["Plum", "Lounge", ""]).play(0, Suggest("Plum", "Knife", "Lounge"))
    game.play(1, Show("Lounge")).pass_by(1).pass_by(2)
    known = _believing(game, 0, "seen_first").learn(Suggested(seat=0, trio=Trio("White", "Wrench", "Lounge")))
    known = known.learn(CardShown(seat=1, to=0, card="Wrench", known_to=frozenset({0, 1})))

    assert known.likely.marginal("Wrench", 1) == 1
    assert known.entropy() > 0


def _believing(game: Staged, viewer: Seat, showing: Showing) -> Belief:
    return reduce(
        lambda known, event: known.learn(redact(event, viewer)), game.events, belief(viewer, "logic", showing)
    )


def test_cards_of_one_sort_are_counted_once_and_rightly() -> None:
    """What every question tells, by roles of cards, is what each of them tells counted by itself."""
    for showing, number in product(get_args(Showing), range(3)):
        at = late(3, 0, showing, number, open_cards=12, asked=7)
        told = told_by_questions(at.belief)
        assert len({*told.values()}) > 3
        for trio in QUESTIONS[number::7]:
            question = trio.suspect, trio.weapon, trio.room
            assert told[question] == pytest.approx(at.belief.gain(Suggest(*question)), abs=EXACT), trio


def test_nothing_is_said_before_the_deal() -> None:
    known = belief(0)
    assert (known.entropy(), known.entropy("logic"), known.certain()) == (0, 0, ())
    assert known.replies(Suggest("Plum", "Rope", "Hall")) == ()
    assert known.gain(Suggest("Plum", "Rope", "Hall")) == 0


def test_bits_by_logic_count_every_world_once() -> None:
    game = entered("Lounge", ["Plum", "Lounge Green", ""]).play(0, Suggest("Green", "Knife", "Lounge"))
    known = of(game.play(1, Show("Lounge")), 0)

    masses = known.logic.joint(IN_ENVELOPE)
    assert known.entropy("logic") == pytest.approx(bits({cast(Any, trio): Fraction(n) for trio, n in masses.items()}))
    assert known.entropy("logic") != known.entropy()


def test_a_look_at_a_side_card_is_a_question_of_its_own() -> None:
    game = entered("Lounge", ["Plum", "Knife"], side="Lounge Green Wrench", two_player_side_cards=4)
    known = of(game, 0)
    question = Suggest("Green", "Wrench", "Lounge")
    told = told_by_questions(known)["Green", "Wrench", "Lounge"]
    nobody = known.replies(question)[-1]
    game.play(0, question).play(1, CannotShow())
    then = of(game, 0)
    replies = then.replies(LookAside(2))

    assert sum(reply.chance for reply in replies) == pytest.approx(1, abs=SUM)
    game.play(0, LookAside(2))
    assert (redact(game.last[0], 0),) in [reply.events for reply in replies]
    assert isinstance(game.last[0], SideCardSeen)
    assert of(game, 1).replies(LookAside(3), 0) == ()  # who looks at which card tells the other nothing
    assert told == pytest.approx(known.gain(question) + nobody.chance * then.gain(LookAside(2)), abs=EXACT)


# --- What really comes -----------------------------------------------------------------------------------------------


def _lively_game(number: int, seats: int, questions: int) -> Iterator[tuple[Staged, Seat, Action]]:
    """Play at random, into rooms and asking where one can; yield each question just before it is asked."""
    rng = Stream(f"lively {number}".encode())
    game = _dealt(seats, rng)
    while questions:
        (seat,) = game.awaiting()
        offers = lively([offer for offer in game.offers(seat) if offer.action is not Accuse])
        action = offers[rng.below("offer", len(offers))].sample(cast(Any, rng))
        if isinstance(action, Suggest | StayAndSuggest):
            yield game, seat, action
            questions -= 1
        if isinstance(action, Roll):
            game.throw(seat, 1 + rng.below("die", 6))
        else:
            game.play(seat, action)
    return


class Luck(NamedTuple):
    asked: list[float]
    gifts: list[float]


def _luck_of(number: int, seats: int, questions: int) -> Luck:
    """Return by how much the answers of a random game told more than could be expected, to each who saw them."""
    luck = Luck([], [])
    known = {viewer: belief(viewer) for viewer in (*range(seats), TABLE)}
    learned, waiting = 0, dict[Seat, tuple[bool, float, tuple[Reply, ...]]]()
    thread: list[Event] = []

    def settle(game: Staged) -> None:
        nonlocal learned
        for event in game.events[learned:]:
            if isinstance(event, CardShown | CouldNotShow):
                thread.append(event)
            for viewer, before in known.items():
                known[viewer] = before.learn(redact(event, viewer))
        learned = len(game.events)
        for viewer, (mine, expected, replies) in waiting.items():
            came = tuple(redact(event, viewer) for event in thread)
            assert came in [reply.events for reply in replies], f"viewer {viewer} did not reckon with {came}"
            (reply,) = (reply for reply in replies if reply.events == came)
            assert known[viewer].entropy() == pytest.approx(reply.left, abs=EXACT)
            (luck.asked if mine else luck.gifts).append(expected - reply.left)
        waiting.clear()
        thread.clear()

    for game, seat, action in _lively_game(number, seats, questions):
        settle(game)
        for viewer, now in known.items():
            replies = now.replies(action, None if viewer == seat else seat)
            assert sum(reply.chance for reply in replies) == pytest.approx(1, abs=SUM)
            waiting[viewer] = viewer == seat, sum(reply.chance * reply.left for reply in replies), replies
    return luck


def test_what_really_came_was_among_the_replies_and_luck_is_none_on_average() -> None:
    """Clustered by game: answers of one game hang together."""
    games = [_luck_of(number, 3 + number % 2, 10) for number in range(24)]
    for part in range(2):
        sums = [sum(luck[part]) for luck in games]
        assert abs(mean(sums)) <= 3 * stdev(sums) / len(sums) ** 0.5
        assert stdev(sums) > 0.1


# --- Choices ---------------------------------------------------------------------------------------------------------


def choice_of(game: Staged, action: Action, seat: Seat = 0) -> Choice:
    found = CLUE.choice(game.view(seat), seat, of(game, seat), action)
    assert found is not None
    return found


def label_of(game: Staged, action: Action, seat: Seat = 0) -> str | None:
    verdict = judge(CLUE, seat, game.seen(seat), action)
    assert verdict is not None
    return verdict.label


HAND: Final = "Plum Knife Lounge Kitchen Ballroom Library"


def test_a_question_is_graded_by_what_it_may_tell() -> None:
    game = entered("Lounge", [HAND, "", ""])
    best = choice_of(game, Suggest("Green", "Wrench", "Lounge")).best[0]
    poor = choice_of(game, Suggest("Plum", "Knife", "Lounge"))

    assert poor.kind == "question"
    assert poor.best[0].value == best.value > poor.taken.value
    assert poor.best[0].gain == pytest.approx(of(game, 0).gain(poor.best[0].action), abs=EXACT)
    assert poor.offered == poor.stake == best.gain
    assert poor.replies == of(game, 0).replies(Suggest("Plum", "Knife", "Lounge"))
    assert label_of(game, best.action) in ("best", "masterstroke")


def test_to_leave_a_question_unasked_loses_what_it_would_have_told() -> None:
    game = entered("Lounge", [HAND, "", ""])
    silent = choice_of(game, EndTurn())

    assert silent.taken.gain == 0
    assert silent.best[0].value - silent.taken.value == pytest.approx(silent.best[0].gain)
    assert label_of(game, EndTurn()) == "blunder"


def test_a_way_is_graded_by_where_it_leads() -> None:
    game = stage([HAND, "", ""], places={"Scarlet": (6, 17)}).throw(0, 1)  # by the door of the Lounge
    (offer,) = game.offers(0)
    found = {action: choice_of(game, action).taken for action in offer.actions()}

    assert max(found, key=lambda action: found[action].value) == Move("Lounge")
    assert {prospect.gain for prospect in found.values()} == {0.0}  # a way tells nothing by itself
    assert choice_of(game, Move("Lounge")).kind == "way"
    assert choice_of(game, Move("Lounge")).offered == max(
        told for (_, _, room), told in told_by_questions(of(game, 0)).items() if room == "Lounge"
    )


def test_a_turn_counts_no_throw_that_was_not_made() -> None:
    game = stage([HAND, "", ""], places={"Scarlet": "Lounge"})
    by_passage = choice_of(game, TakePassage())

    assert {type(prospect.action) for prospect in by_passage.best} == {Roll, TakePassage}
    assert by_passage.kind == "turn"
    assert by_passage.offered == choice_of(game, Roll()).offered > 0  # what the passage offers, whatever a die may
    assert choice_of(stage([HAND, "", ""]), Roll()).offered == 0
    assert choice_of(stage([HAND, "", ""]), Roll()).spread == 0  # nothing else is on offer


def test_to_stay_is_weighed_against_walking_and_against_other_questions() -> None:
    game = stage([HAND, "", ""], places={"Scarlet": "Ballroom"}, summoned={0: "Ballroom"})
    assert stay_in("Ballroom") in game.offers(0)
    chosen = choice_of(game, StayAndSuggest("Plum", "Knife", "Ballroom"))

    assert chosen.kind == "turn"
    assert chosen.best[0].value > chosen.taken.value
    assert isinstance(chosen.best[0].action, StayAndSuggest)  # what can be had now


def test_answers_and_what_leaves_no_choice_are_not_graded() -> None:
    game = entered("Lounge", [HAND, "Green", ""]).play(0, Suggest("Green", "Wrench", "Lounge"))
    assert CLUE.choice(game.view(1), 1, of(game, 1), Show("Green")) is None
    done = stage([HAND, "", ""]).throw(0, 1)
    (offer,) = done.offers(0)
    done.play(0, offer.at(0))
    assert CLUE.choice(done.view(0), 0, of(done, 0), EndTurn()) is None


def test_a_choice_never_looks_at_what_is_hidden() -> None:
    """The same verdict in every world that the seat cannot tell from the true one, though the table were open."""
    for number in range(3):
        at = late(3, 0, "even", number, open_cards=9)
        at.game.change(on_turn=0)
        _stand(at.game, "Hall")
        view = at.game.view(0)
        for action in (Roll(), StayAndSuggest("Green", "Wrench", "Hall")):
            worlds = at.belief.sample(Rng(b"worlds", number + 1), "worlds", 6)
            verdicts = [CLUE.choice(CLUE.imagine(view, world), 0, at.belief, action) for world in worlds]
            assert verdicts[0] is not None
            assert all(verdict == verdicts[0] for verdict in verdicts)
            assert len({*worlds}) > 1


def test_what_is_looked_forward_to_is_the_best_question_on_the_way() -> None:
    game = entered("Lounge", [HAND, "", ""])
    best = choice_of(game, EndTurn()).best[0]
    assert CLUE.ahead(game.view(0), 0, of(game, 0)) == of(game, 0).replies(best.action)

    outside = stage([HAND, "", ""], places={"Scarlet": (6, 17)})
    replies = CLUE.ahead(outside.view(0), 0, of(outside, 0))
    assert sum(reply.chance for reply in replies) == pytest.approx(1, abs=SUM)
    assert CLUE.ahead(outside.view(0), 0, belief(0)) == ()


# --- Whole games of bots ---------------------------------------------------------------------------------------------


def _played(level: str, number: int, turns: int | None) -> Iterator[tuple[int, float, float, list[Any]]]:
    options = {} if turns is None else {"max_turns": turns}
    case = play_case(open_with_bots("clue", [level] * 4, options, f"judged {level} {number}"), lambda *_: None)
    for seat in range(4):
        part = seat_review(CLUE, case.header, case.batches, seat)
        yield number, *efficiency(part.decisions), [decision.verdict for decision in part.decisions]


@pytest.mark.soak
def test_levels_come_in_order_by_what_they_ask_for_and_blunders_tell_them_apart() -> None:
    """On other deals than those on which the labels were fixed; intervals of 95 %, clustered by game."""
    games = 40
    ranges, blunders, strokes = {}, {}, {}
    for level in ("random", "rookie", "detective", "mastermind"):
        shares, labels = [], []
        for number in range(games):
            parts = [*_played(level, number, 150)]
            offered = sum(part[2] for part in parts)
            shares.append((sum(part[1] for part in parts), offered))
            labels += [verdict.label for part in parts for verdict in part[3] if verdict.unit == "bits"]
        ratio = sum(asked for asked, _ in shares) / sum(offered for _, offered in shares)
        unit = mean(offered for _, offered in shares)
        error = stdev([(asked - ratio * offered) / unit for asked, offered in shares]) / games**0.5
        ranges[level] = ratio - 1.96 * error, ratio + 1.96 * error
        graded = [label for label in labels if label is not None]
        blunders[level] = graded.count("blunder") / len(graded)
        strokes[level] = graded.count("masterstroke") / games
    found = [*ranges.values()]
    assert all(lower[1] < upper[0] for lower, upper in pairwise(found)), ranges
    assert blunders["mastermind"] <= 0.02, blunders
    assert blunders["random"] >= 0.30, blunders
    assert strokes["mastermind"] <= 0.2, strokes
