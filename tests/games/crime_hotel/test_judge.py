"""The judge of Crime Hotel: chances and points against plain enumeration, luck, and what a verdict may rest on."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import log2, sqrt
from statistics import mean, stdev
from typing import Any, Final, NamedTuple, cast

import pytest
from msgspec.structs import replace

from tests.games.crime_hotel.staging import HOTEL, parked, stage
from tests.plugs import plug_of
from whodunit import review as reviews
from whodunit.arena import open_with_bots, play_case
from whodunit.conformance.play import play
from whodunit.conformance.rerun import rerun, transcript
from whodunit.conformance.settings import Setting
from whodunit.core.judging import Choice
from whodunit.core.redact import redact
from whodunit.core.rng import Stream
from whodunit.core.types import TABLE, Action, Attention, Batch, Event, Message, Seat, Undone
from whodunit.deduce import tally
from whodunit.games.crime_hotel.evidence import HIDDEN, Belief, World, belief, imagine
from whodunit.games.crime_hotel.facts import Card
from whodunit.games.crime_hotel.judge import WORLDS
from whodunit.games.crime_hotel.model import (
    AnyAction,
    Assisting,
    Exchange,
    Exchanged,
    Guess,
    InvestigationBegan,
    LayLast,
    Look,
    Looked,
    Play,
    Playing,
    Relocate,
    Revealing,
    State,
    TakeDesk,
)
from whodunit.games.crime_hotel.rules import points_of
from whodunit.review.knowing import Viewer
from whodunit.table.case import Case

CLOSE: Final = 1e-9
MOST: Final = 300  # worlds: so many are enumerated
LEVELS: Final = ("random", "rookie", "detective", "mastermind")
VARIANTS: Final[tuple[dict[str, object], ...]] = (
    {},
    {"beginner": True},
    {"bonus_per_correct_guess": False, "guess_on_lit_room": False},
    {"rounds": 1, "duplicate_uses": 1},
    {"rounds": 3, "investigations": 2, "floor_points": 0, "room_points": 50},
)


class Moment(NamedTuple):
    """A viewer before an action: what it believes and sees, who acts, and what it is then shown."""

    viewer: Seat
    belief: Belief
    view: State
    batch: Batch

    @property
    def states(self) -> list[State]:
        """The table in every world that the viewer cannot rule out."""
        worlds = [world.deals[-1] for world in replace(self.belief, past=()).worlds()]
        return [imagine(replace(self.view, investigation=1), World((deal,))) for deal in worlds]

    @property
    def is_small(self) -> bool:
        """Whether all of them are soon enumerated."""
        return self.belief.inquiry is not None and self.belief.logic.total <= MOST


def moments(batches: Sequence[Batch], viewers: Iterable[Seat], attention: Attention = "logic") -> Iterator[Moment]:
    for viewer in viewers:
        known, view = belief(viewer, attention), None
        for batch in batches:
            if batch.cause is not None:
                yield Moment(viewer, known, view, batch)  # type: ignore[arg-type]  # the first batch has no cause
            for event in batch.events:
                assert not isinstance(event, Undone)
                seen = redact(event, viewer)
                known, view = known.learn(seen), HOTEL.evolve(view, seen)


def played_case(level: str, seats: int, seed: str, **options: object) -> Case:
    return play_case(open_with_bots("crime_hotel", [level] * seats, options, seed), lambda *_: None)


def entropy(rooms: Iterable[Card]) -> float:
    count: dict[Card, int] = defaultdict(int)
    for room in rooms:
        count[room] += 1
    total = sum(count.values())
    return sum(number / total * log2(total / number) for number in count.values())


def answers(moment: Moment, state: State, action: Action, seat: Seat) -> Iterator[tuple[Event, float]]:
    """Yield what may come of an action in one world with its chance there, as the viewer sees it."""
    number: Any = None
    if isinstance(action, Play):
        (offer,) = HOTEL.legal(state, seat)
        cards = list(offer.actions()) if seat != moment.viewer else [action]
        ways = [HOTEL.decide(state, seat, card, Stream(b""))[0] for card in cards]
    elif isinstance(action, LayLast):
        ways = [HOTEL.decide(state, seat, action, Stream(b""))[0]]
    elif isinstance(action, Look):
        number = _figure(state, 2)
        known = frozenset({seat, action.target})
        ways = [
            Looked(seat=seat, target=action.target, count=number, cards=cards, known_to=known)
            for cards in combinations(state.hands[action.target] or (), number)
        ]
    else:
        assert isinstance(action, Exchange)
        number = _figure(state, 1)
        known = frozenset({seat, action.partner})
        given = [action.cards] if seat == moment.viewer else list(combinations(state.hands[seat] or (), number))
        ways = [
            Exchanged(seat=seat, partner=action.partner, count=number, given=cards, drawn=drawn, known_to=known)
            for cards in given
            for drawn in combinations(state.hands[action.partner] or (), number)
        ]
    for event in ways:
        yield redact(event, moment.viewer), 1 / len(ways)


def _figure(state: State, department: int) -> int:
    figure = state.figures[department][len(state.desks[department])]
    return min(figure or 0, state.sizes[state.on_turn])


def enumerated(moment: Moment, action: Action, seat: Seat) -> dict[Event, tuple[float, float]]:
    """Return by what may be seen its chance, and how many bits are then missing."""
    chance: dict[Event, float] = defaultdict(float)
    fits: dict[Event, set[int]] = defaultdict(set)
    states = moment.states
    for number, state in enumerate(states):
        for event, part in answers(moment, state, action, seat):
            chance[event] += part / len(states)
            fits[event].add(number)
    return {event: (chance[event], entropy(states[n].hidden or 0 for n in fits[event])) for event in chance}


def asking(moment: Moment) -> Iterator[tuple[AnyAction, Seat]]:
    """Yield what can be asked at this moment, by whoever is on turn."""
    view, seat = moment.view, moment.view.on_turn
    match view.phase:
        case Playing():
            yield (Play((view.hands[seat] or (11,))[0]) if seat != moment.viewer else _cause(moment)), seat
        case Revealing():
            yield LayLast(), seat
        case Assisting():
            for other in range(len(view.hands)):
                if other != seat and len(view.desks[2]) < 2:
                    yield Look(other), seat
                if other != seat and len(view.desks[1]) < 2:
                    number = _figure(view, 1)
                    yield Exchange(other, tuple((view.hands[seat] or (0,) * number)[:number])), seat
        case _:
            pass


def _cause(moment: Moment) -> AnyAction:
    assert moment.batch.cause is not None
    return cast(AnyAction, moment.batch.cause.action)


def test_chances_and_bits_agree_with_plain_enumeration() -> None:
    """Exchanges included, and cards that follow a floor."""
    found: dict[type[Action], int] = defaultdict(int)
    lacking = exchanged = 0
    for seed in range(8):
        case = played_case("random", 3 + seed % 2, f"enumerated {seed}", investigations=1, rounds=3 + seed % 3)
        viewers = (TABLE, seed % 3, (seed + 1) % 3)
        for moment in moments(case.batches, viewers):
            if not moment.is_small:
                continue
            for action, seat in asking(moment):
                by = None if seat == moment.viewer else seat
                expected = enumerated(moment, action, seat)
                replies = moment.belief.replies(action, by)
                assert {reply.events[0] for reply in replies} == set(expected)
                assert len(replies) == len(expected)
                for reply in replies:
                    chance, left = expected[reply.events[0]]
                    assert reply.chance == pytest.approx(chance, abs=CLOSE)
                    assert reply.left == pytest.approx(left, abs=CLOSE)
                before = entropy(state.hidden or 0 for state in moment.states)
                gain = before - sum(chance * left for chance, left in expected.values())
                assert moment.belief.gain(action, by) == pytest.approx(gain, abs=CLOSE)
                found[type(action)] += 1
                lacking += any(getattr(event, "lacks", None) is not None for event in expected)
                exchanged += bool(moment.view.trades)
    assert min(found[kind] for kind in (Play, LayLast, Look, Exchange)) > 5
    assert min(lacking, exchanged) > 20


def test_expected_points_agree_with_plain_enumeration() -> None:
    found = {"guess": 0, "relocate": 0}
    for seed in range(6):
        options = {"bonus_per_correct_guess": seed % 2 == 0, "rounds": 2, "investigations": 3}
        case = played_case("random", 3, f"points {seed}", **options)
        for moment in moments(case.batches, range(3), "sight"):  # who reads no motives, not even on second thought
            action = _cause(moment)
            if moment.view.on_turn != moment.viewer or not moment.is_small or not isinstance(action, Guess | Relocate):
                continue
            verdict = HOTEL.choice(moment.view, moment.viewer, moment.belief, action)
            assert verdict is not None
            everything = {
                other: scored(moment, other)
                for offer in HOTEL.legal(moment.view, moment.viewer)
                if offer.action is type(action)
                for other in offer.actions()
            }
            assert verdict.taken.value == pytest.approx(everything[action], abs=CLOSE)
            assert verdict.best[0].value == pytest.approx(max(everything.values()), abs=CLOSE)
            assert all(option.value == pytest.approx(everything[option.action], abs=CLOSE) for option in verdict.best)
            assert verdict.spread == pytest.approx(max(everything.values()) - min(everything.values()), abs=CLOSE)
            assert verdict.typical == pytest.approx(mean(everything.values()), abs=CLOSE)
            found[verdict.kind] += 1
    assert min(found.values()) > 3


def scored(moment: Moment, action: Action) -> float:
    """Return how many points an action adds, on average over all worlds."""
    seat = moment.viewer

    def points(state: State) -> float:
        guesses = [*state.guesses[seat]]
        if isinstance(action, Relocate):
            guesses.remove(action.origin)
        place = action.to if isinstance(action, Relocate) else action.place  # type: ignore[attr-defined]
        after = replace(
            state, guesses=tuple((*guesses, place) if n == seat else g for n, g in enumerate(state.guesses))
        )
        return points_of(after, seat, state.hidden or 0) - points_of(state, seat, state.hidden or 0)

    return mean(map(points, moment.states))


def test_what_came_is_one_of_the_replies_and_their_chances_sum_to_one() -> None:
    asked = 0
    for seed, options in enumerate(VARIANTS):
        case = played_case("random", 3 + seed % 2, f"came {seed}", **options)
        for moment in moments(case.batches, (TABLE, *range(case.header.seats))):
            seat = moment.batch.cause.seat  # type: ignore[union-attr]
            replies = moment.belief.replies(_cause(moment), None if seat == moment.viewer else seat)
            if not replies:
                assert isinstance(_cause(moment), Guess | Relocate | TakeDesk)
                continue
            assert sum(reply.chance for reply in replies) == pytest.approx(1, abs=1e-12)
            (came,) = [reply for reply in replies if reply.events[0] in seen(moment)]
            assert came.left == pytest.approx(after(moment).entropy(), abs=CLOSE)
            assert came.top == pytest.approx(max(after(moment).rooms().values()), abs=CLOSE)
            asked += 1
    assert asked > 500


def seen(moment: Moment) -> list[Event]:
    return [redact(event, moment.viewer) for event in moment.batch.events]


def after(moment: Moment) -> Belief:
    """Return the belief after an action, before anything new is dealt."""
    known = moment.belief
    for event in seen(moment):
        if isinstance(event, InvestigationBegan):
            break
        known = known.learn(event)
    return known


def test_replies_do_not_tell_what_another_chose() -> None:
    game = stage(("11 12 13 14 15 16", "17 18 19 21 22 23", "24 25 26 27 28 29"))
    known = belief(0)
    for event in game.events:
        known = known.learn(redact(event, 0))
    assert known.replies(Play(17), 1) == known.replies(Play(23), 1)

    there = parked()
    for viewer in (0, 2):
        known = belief(viewer)
        for event in there.events:
            known = known.learn(redact(event, viewer))
        assert known.replies(Exchange(0, (18,)), 1) == known.replies(Exchange(0, (22,)), 1)
        assert len(known.replies(Exchange(0, (18,)), 1)) == (1 if viewer == 2 else 11 * 5)


def test_before_the_deal_nothing_is_missing_and_nothing_is_asked() -> None:
    known = belief(0)
    for event in stage().events[:3]:
        known = known.learn(redact(event, 0))
        assert known.entropy() == known.entropy("logic") == 0
        assert known.certain() == ()
        assert known.replies(Play(11)) == known.replies(LayLast(), 1) == ()
        assert known.gain(Look(1)) == 0


def test_a_desk_taken_back_is_free_again() -> None:
    """The second desk of LOOK shows two cards, the first shows one."""
    game = parked(4).guess(3, "room 27")
    known = belief(2)
    for event in game.events:
        known = known.learn(redact(event, 2))
    assert {reply.events[0].count for reply in known.replies(Look(0))} == {1}  # type: ignore[attr-defined]
    back_to = len(game.events)
    game.desk(2, "LOOK")
    for event in game.told(2):
        known = known.learn(event)
    assert {reply.events[0].count for reply in known.replies(Look(0), 1)} == {2}  # type: ignore[attr-defined]
    known = known.learn(Undone(back_to=back_to))
    assert {reply.events[0].count for reply in known.replies(Look(0))} == {1}  # type: ignore[attr-defined]


def test_certainty_agrees_with_plain_enumeration() -> None:
    certain = 0
    for seed in range(6):
        case = played_case("detective" if seed % 2 else "random", 3, f"certain {seed}", investigations=1, rounds=4)
        for moment in moments(case.batches, (TABLE, 0, 1, 2)):
            if not moment.is_small:
                continue
            rooms = {state.hidden for state in moment.states}
            is_laid = isinstance(moment.view.phase, Revealing) and moment.view.on_turn != moment.view.car
            expected = {(str(room), HIDDEN) for room in rooms} if len(rooms) == 1 and not is_laid else set()
            assert set(moment.belief.certain()) == expected
            certain += bool(expected)
    assert certain


@pytest.mark.parametrize("attention", ["logic", "motives"])
def test_the_quick_count_is_the_full_one(attention: Any) -> None:
    """For one who reads motives too, whose weights are large; and one who goes by logic can still read them."""
    case = played_case("detective", 4, "counted", investigations=1)
    exchanged = 0
    for viewer in (TABLE, 1):
        known, plain = belief(viewer, attention), belief(viewer)
        for event in case.events:
            known, plain = known.learn(redact(event, viewer)), plain.learn(redact(event, viewer))
            if known.inquiry is None:
                continue
            flow = known.inquiry.flow
            exchanged += len(flow.branches) > 1
            full = {card: flow.posterior.marginal(card, HIDDEN) for card in flow.elements}
            masses, _ = tally.masses(flow, HIDDEN)
            total = sum(masses.values())
            assert {card: mass / total for card, mass in masses.items()} == {
                card: float(share) for card, share in full.items() if share
            }
            if attention == "motives":
                # A guess may still be taken back: until then the one who reads motives has not weighed it.
                now = known if known.doubt is None else replace(known, doubt=None)
                if known.doubt is None:
                    assert plain.reading().rooms() == now.rooms()
                assert plain.reading().assumes() == known.assumes()
    assert exchanged


def test_a_verdict_is_the_same_in_every_world_that_looks_the_same() -> None:
    """Steps and verdicts of a seat, when the cards that it does not see lie otherwise."""
    plug = plug_of("crime_hotel")
    others = compared = 0
    for seed in range(4):
        game = play(HOTEL, plug, Setting(3 + seed % 2, {"investigations": 1}, seed))
        seat = seed % 3
        script = transcript(game, seat)
        # What is exchanged later is no part of such a world.
        trades = [n for n, batch in enumerate(game.batches) if any(isinstance(e, Exchanged) for e in batch.events)]
        middle = max([len(game.batches) // 2, *(number + 1 for number in trades)])
        known = belief(seat)
        for batch in game.batches[:middle]:
            for event in batch.events:
                known = known.learn(redact(event, seat))
        for world in known.sample(Stream(f"other {seed}".encode()), "worlds", 3):
            again = rerun(game, plug, script, world).batches
            if len(again) < 10:
                continue
            others += again != list(game.batches[: len(again)])
            mine, theirs = (lived(batches[: len(again)], seat, game.last.seats) for batches in (game.batches, again))
            assert mine.steps == theirs.steps
            assert mine.decisions == theirs.decisions
            compared += len(mine.decisions)
    assert others > 5
    assert compared > 30


def lived(batches: Sequence[Batch], seat: Seat, seats: int) -> Viewer:
    viewer = Viewer(HOTEL, seat, seats, "even")
    for batch in batches:
        viewer.see(batch, stands=True)
        if viewer.began is None:
            viewer.begin()
    return viewer


def lucks(case: Case) -> dict[str, float]:
    """Return how much more was learned in a game than was to be expected, of one's own questions and of others'."""
    account = [part.account for part in reviews.review(case).seats.values()]
    return {
        "asked": sum(part.answer_luck for part in account),
        "gift": sum(part.gift_luck for part in account),
    }


def assert_no_luck(games: Sequence[dict[str, float]]) -> None:
    for part in ("asked", "gift"):
        values = [game[part] for game in games]
        assert abs(mean(values)) < 3 * stdev(values) / sqrt(len(values)), part


def test_random_players_have_no_luck_on_average() -> None:
    assert_no_luck([lucks(played_case("random", 3, f"luck {seed}", investigations=1)) for seed in range(12)])


@pytest.mark.soak
@pytest.mark.parametrize("seats", [3, 4])
def test_random_players_have_no_luck_on_average_in_many_games(seats: int) -> None:
    assert_no_luck([lucks(played_case("random", seats, f"long {seed}")) for seed in range(120)])


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seats", [3, 4])
def test_games_of_every_kind_are_reviewed_and_their_accounts_sum_up(level: str, seats: int) -> None:
    for number, options in enumerate(VARIANTS[seats % 2 :: 2]):
        case = played_case(level, seats, f"whole {number}", **{"investigations": 2, **options})
        found = reviews.review(case)
        assert set(found.seats) == {TABLE, *range(seats)}
        investigations = case.table.state.options.investigations
        for part in found.seats.values():
            dealt = [step for step in part.steps if step.part == "new"]
            assert len(dealt) == investigations - 1
            total = part.began - part.steps[-1].left
            account = part.account
            parts = [getattr(account, name) for name in account.__struct_fields__]
            assert sum(parts) == pytest.approx(total, abs=CLOSE)
            assert account.rest + account.reading == pytest.approx(0, abs=CLOSE), "what is learned was to be expected"
            assert part.steps[-1].left == pytest.approx(0, abs=CLOSE)
            assert len({step.seq for step in part.steps}) == len(part.steps)
            for decision in part.decisions:
                verdict = decision.verdict
                assert verdict.kind in ("guess", "relocate", "desk", "card")
                assert verdict.unit == "points"
                assert 0 <= verdict.loss <= verdict.weight + CLOSE
                assert (verdict.error > 0) <= (verdict.kind == "card")
                assert verdict.taken.action is not None
                assert sum(answer.chance for answer in verdict.answers) == pytest.approx(1 if verdict.answers else 0)


def test_what_became_certain_is_told_of_each_investigation() -> None:
    """Nobody is said to have known the room once last cards are laid open."""
    certain = 0
    for seed in range(6):
        case = played_case("detective", 3, f"known {seed}", investigations=3, rounds=2)
        begun = [seq for seq, event in enumerate(case.events, 1) if isinstance(event, InvestigationBegan)]
        for part in reviews.review(case).seats.values():
            known = [] if part.certain is None else [part.certain, *part.later]
            cases = [sum(seq <= each.seq for seq in begun) for each in known]
            assert len(set(cases)) == len(cases), "one for each investigation"
            for each, number in zip(known, cases, strict=True):
                later = begun[number] if number < len(begun) else len(case.events)
                laid = [seq for seq in range(each.seq, later) if type(case.events[seq - 1]).__name__ == "LastCardLaid"]
                assert laid, "it was known before the last cards"
                assert each.turns <= 5, "two of each round, and one for the last card"
            assert not any(line.key.startswith("review.known") for line in part.findings)
            certain += len(known)
    assert certain


def choices(case: Case, kinds: Sequence[str]) -> Iterator[Choice]:
    for moment in moments(case.batches, range(case.header.seats)):
        if moment.view.on_turn == moment.viewer:
            verdict = HOTEL.choice(moment.view, moment.viewer, moment.belief, _cause(moment))
            if verdict is not None and verdict.kind in kinds:
                yield verdict


def kept(level: str, kinds: Sequence[str], games: int) -> float:
    """Return which share of the points on offer a level's decisions kept."""
    found = [
        (verdict.taken.value, verdict.best[0].value)
        for seed in range(games)
        for verdict in choices(played_case(level, 4, f"kept {seed}", investigations=1), kinds)
    ]
    return sum(taken for taken, _ in found) / sum(best for _, best in found)


@pytest.mark.parametrize("kinds", [("guess", "relocate"), ("desk",)])
def test_good_players_keep_more_of_the_points_on_offer(kinds: tuple[str, ...]) -> None:
    by_level = {level: kept(level, kinds, 2) for level in LEVELS}

    assert min(by_level["detective"], by_level["mastermind"]) > 0.9
    assert max(by_level["random"], by_level["rookie"]) < 0.85
    assert by_level["random"] < by_level["rookie"]


def test_who_reads_motives_is_not_blamed_by_logic() -> None:
    """Seat 0 has guessed room 31, so its card is hardly there: who plays on that is weighed by it, and told so."""
    told = 0
    for seed in range(3):
        for verdict in choices(played_case("mastermind", 3, f"motives {seed}", investigations=1), ("guess",)):
            read = [message for message in verdict.assumes if message.key == "assumes.read"]
            assert verdict.best[0].value - verdict.taken.value <= 0.1 or not read
            told += len(read)
            if read:
                assert Message("assumes.guesses_mean") in verdict.assumes
                assert float(str(read[0].params["loss"])) > 0
    assert told


def test_cards_are_tried_in_the_same_worlds_every_time() -> None:
    game = stage(("11 19 22 25 31 39", "12 13 14 15 16 17", "21 23 24 26 27 28"), 29)
    known = belief(0)
    for event in game.seen(0):
        known = known.learn(event)
    one, two = (HOTEL.choice(game.view(0), 0, known, Play(card)) for card in (11, 22))
    assert one is not None
    assert two is not None
    assert one == HOTEL.choice(game.view(0), 0, known, Play(11))
    values = {option.action: option.value for option in (*one.best, one.taken)}
    assert values.items() >= {option.action: option.value for option in two.best}.items()
    assert one.taken.error == two.taken.error == 0, "the error is that of what lies between two cards"
    assert max(option.error for option in two.best) > 0
    assert two.assumes[-1] == Message("assumes.sampled", {"count": WORLDS})
    assert one.taken.value < two.taken.value, "a low card is for later rounds"


def test_the_last_desk_that_only_looks_is_idle() -> None:
    """HOTEL-32: after the last round nobody guesses any more, so to have seen a card is worth nothing."""
    game = stage(("11 12", "17 18", "24 25"), rounds=1).cards(11, 17, 24).guess(2, "room 27")
    known = belief(1)
    for event in game.seen(1):
        known = known.learn(event)
    verdict = HOTEL.choice(game.view(1), 1, known, Look(0))
    assert verdict is not None
    assert verdict.taken.value == pytest.approx(0, abs=CLOSE)
    assert verdict.taken.gain == pytest.approx(known.gain(Look(0)), abs=CLOSE)
    assert verdict.offered >= verdict.taken.gain > 0
    assert sum(reply.chance for reply in verdict.replies) == pytest.approx(1)


def test_nothing_is_looked_forward_to_and_no_last_card_is_a_choice() -> None:
    game = parked()
    known = belief(2)
    for event in game.seen(2):
        known = known.learn(event)
    assert HOTEL.ahead(game.view(2), 2, known) == ()
    assert HOTEL.choice(game.view(2), 2, known, LayLast()) is None
