"""What a decision was worth, what was missing to know where the cubes lie, and how the ear did."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import islice
from math import log2, prod, sqrt
from statistics import mean, stdev
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from tests.games.arosa.staging import AROSA, stage
from tests.games.arosa.test_evidence import drop, look, start, told
from whodunit import arena
from whodunit.core.redact import redact
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Action, Batch, Blob, Seat
from whodunit.deduce.shelves import Put
from whodunit.games.arosa import contents
from whodunit.games.arosa.evidence import LISTED, Belief, World, belief, imagine
from whodunit.games.arosa.facts import COLOURS, FLOORS, owner_of
from whodunit.games.arosa.model import (
    Accusing,
    Arrange,
    CoverTracks,
    Dropped,
    Exposed,
    Inspect,
    Searching,
    State,
    Suspect,
    TakeBack,
    TakingBack,
)
from whodunit.games.arosa.rules import prices
from whodunit.games.arosa.sense import PENALTY
from whodunit.review import review
from whodunit.review.review import seat_review, whole
from whodunit.review.verdict import FAULTS
from whodunit.table.case import Case

FEW = 1000
"""So many worlds are looked at one by one."""


def played(levels: Sequence[str], seed: str, **options: object) -> Case:
    return arena.play_case(arena.open_with_bots("arosa", levels, options, seed), lambda *_: None)


def moments(case: Case, seat: Seat = 0) -> Iterator[tuple[Batch, Any, Belief]]:
    """Yield each batch with an action, and what a viewer saw and knew before it."""
    known, view = belief(seat), None
    for batch in case.batches:
        if batch.cause is not None:
            yield batch, view, known
        for event in batch.events:
            seen = redact(event, seat)
            known, view = known.learn(seen), AROSA.evolve(view, seen)


def pushes(case: Case) -> bool:
    return any(isinstance(event, Dropped) and len(event.moved or ()) > 1 for event in case.events)


def rounded(number: float) -> float:
    return round(number, 9)


# --- Against every world, one by one -----------------------------------------------------------------------------


def inside(view: State, world: World) -> Counter[tuple[Seat, int]]:
    """Return how many cubes of each owner lie on which floor in a world."""
    tower = imagine(view, world).tower
    assert tower is not None
    return Counter((owner_of(rest.cube), rest.floor) for rest in tower.resting)


def weighed(view: State, known: Belief) -> list[tuple[Counter[tuple[Seat, int]], float]]:
    return [(inside(view, world), known.chance(world)) for world in known.worlds()]


def bits(masses: Sequence[float]) -> float:
    return -sum(mass / sum(masses) * log2(mass / sum(masses)) for mass in masses if mass)


def entropy(worlds: Sequence[tuple[Counter[tuple[Seat, int]], float]]) -> float:
    masses: dict[frozenset[Any], float] = defaultdict(float)
    for lies, chance in worlds:
        masses[frozenset(lies.items())] += chance
    return bits([*masses.values()])


def worlds_of(known: Belief) -> int:
    """Return how many worlds are possible, as far as that matters."""
    return prod(sum(1 for _ in islice(known._shelves(owner).worlds(), FEW)) for owner in known.owners)


def few_worlds(phase: type, *, traces: bool, wanted: int = 3) -> list[tuple[Seat, State, Belief]]:
    """Return some moments of small games at which a seat decides and not many worlds are possible."""
    found = []
    for seed in range(300):
        case = played(["random"] * 2, f"few {seed}", prologue_clues=1, sheet_limit=5)
        for batch, view, known in moments(case):
            assert batch.cause is not None
            seat = batch.cause.seat
            if not isinstance(view.phase, phase) or (traces and not any(space[seat] for space in view.sheet)):
                continue
            # What may end the case is not what is weighed.
            if view.drops < 12 and min(view.supplies) > 4 and worlds_of(known) < FEW:
                found.append((seat, view, replace(known, seat=seat)))
                break
        if len(found) == wanted:
            return found
    raise AssertionError("no such moment")


@pytest.fixture(scope="module")
def small() -> list[tuple[Seat, State, Belief]]:
    return [
        *few_worlds(Searching, traces=False),
        *few_worlds(Accusing, traces=False),
        *few_worlds(Accusing, traces=True),
    ]


def test_bits_and_finds_are_those_of_all_worlds(small: list[tuple[Seat, State, Belief]]) -> None:
    for seat, view, known in small:
        worlds = weighed(view, known)
        assert known.entropy() == pytest.approx(entropy(worlds), abs=1e-9)
        kinds = {frozenset(lies.items()) for lies, _ in worlds}
        assert known.entropy("logic") == pytest.approx(log2(len(kinds)), abs=1e-9)
        for floor in FLOORS:
            for owner in known.owners:
                shares: dict[int, float] = defaultdict(float)
                for lies, chance in worlds:
                    shares[lies[owner, floor]] += chance
                assert {find.number: find.chance for find in known.finds(owner, floor)} == pytest.approx(
                    shares, abs=1e-9
                )
            seen: dict[tuple[int, ...], list[tuple[Counter[tuple[Seat, int]], float]]] = defaultdict(list)
            for lies, chance in worlds:
                seen[tuple(lies[owner, floor] for owner in known.owners)].append((lies, chance))
            left = sum(sum(chance for _, chance in group) * entropy(group) for group in seen.values())
            assert known.gain(Inspect(floor)) == pytest.approx(entropy(worlds) - left, abs=1e-9)
            for reply in known.replies(Inspect(floor)):
                if reply.events:
                    (shown,) = reply.events
                    assert isinstance(shown, Exposed)
                    assert shown.seat == seat
                    numbers = Counter(cube.colour for cube in shown.found)
                    group = seen[tuple(numbers[COLOURS[owner]] for owner in known.owners)]
                    assert reply.chance == pytest.approx(sum(chance for _, chance in group), abs=1e-9)
                    assert reply.left == pytest.approx(entropy(group), abs=1e-9)
                    assert known.learn(shown).entropy() == pytest.approx(reply.left, abs=1e-9)


def brought(state: State, seat: Seat, action: Action) -> float:
    """Return what an action brings in a world, by the rules themselves."""
    events = [*AROSA.decide(state, seat, action, Rng(b"brought", 1))]
    after: State = reduce(AROSA.evolve, events, state)
    if isinstance(after.phase, TakingBack):
        more = AROSA.decide(after, seat, TakeBack(after.phase.most), Rng(b"brought", 2))
        after = reduce(AROSA.evolve, more, after)
    costs = [new - old for new, old in zip(after.totals, state.totals, strict=True)]
    paid = sum(isinstance(event, Dropped) and event.why == "penalty" for event in events)
    rivals = [cost for other, cost in enumerate(costs) if other != seat]
    return sum(rivals) / len(rivals) - costs[seat] - PENALTY * paid


def test_values_are_those_of_all_worlds(small: list[tuple[Seat, State, Belief]]) -> None:
    """By the rules, world by world: whatever is found is told by the whole action as it really happens."""
    kinds = set()
    for seat, view, known in small:
        groups: dict[frozenset[Any], list[Any]] = {}
        for world in known.worlds():
            key = frozenset(inside(view, world).items())
            groups.setdefault(key, [world, 0.0])[1] += known.chance(world)
        states = [(imagine(view, world), chance) for world, chance in groups.values()]
        offers = [action for offer in AROSA.legal(view, seat) for action in offer.actions()]
        offers = [action for action in offers if action == replace(action, arrange=False)]
        for action in offers[:: max(1, len(offers) // 5)]:
            judged = AROSA.choice(view, seat, known, action)
            assert judged is not None
            expected = sum(chance * brought(state, seat, action) for state, chance in states)
            assert judged.taken.value == pytest.approx(expected, abs=1e-9)
            kinds.add(type(action))
    assert kinds == {Inspect, Suspect, CoverTracks}


def test_names_on_the_ground_floor_need_a_clue_of_ones_own() -> None:
    """AROSA-48 to 50, among more than two: every name costs where one is not there oneself."""
    known = told(start(4), drop("yellow"), drop("blue", floor=0), drop("brown"), drop("gray", floor=3))
    view = replace(stage(seats=4, tower="surrogate").views[0], on_turn=0)
    alone = known.finds(0, 0)[0].chance
    worlds = [(world, known.chance(world)) for world in known.worlds()]

    for action in (Suspect((1, 2), 0), Suspect((1, 2, 3), 0), Suspect((3,), 3)):
        expected = sum(
            chance * _suspected(action, dict(enumerate(world.floors)), prices(view)[action.floor])
            for world, chance in worlds
        )
        judged = AROSA.choice(view, 0, known, action)
        assert judged is not None
        assert judged.taken.value == pytest.approx(expected, abs=1e-9)
        assert judged.taken.value >= -PENALTY * len(action.suspects)
    assert 0 < alone < 1


def _suspected(action: Suspect, floors: dict[Seat, int | None], price: int) -> float:
    """Return what an accusation brings, if one cube of each seat lies on its floor."""
    if action.floor == 0 and floors[0] != 0:
        return -PENALTY * len(action.suspects)
    there = [floors[suspect] == action.floor for suspect in action.suspects]
    return sum(price / 3 if is_there else -PENALTY for is_there in there)


# --- What is weighed ---------------------------------------------------------------------------------------------


def test_taking_back_counts_by_price_and_the_order_is_not_graded() -> None:
    game = stage({3: "2 yellow blue gray"}, sheet={3: "2 yellow"}).play(0, CoverTracks(3, arrange=True))
    known = start(4)

    judged = AROSA.choice(game.views[0], 0, known, TakeBack(0))
    assert judged is not None
    price = prices(game.views[0])[3]
    assert [option.value for option in judged.best] == [2 * price, price, 0]
    assert (judged.kind, judged.taken.value, judged.spread) == ("take_back", 0, 2 * price)
    game.play(0, TakeBack(2))
    assert AROSA.choice(game.views[0], 0, known, Arrange((1, 0))) is None
    assert AROSA.ahead(game.views[0], 0, known) == ()


def test_choosing_the_order_is_worth_the_same() -> None:
    for batch, view, known in islice(moments(played(["random"] * 3, "order")), 12):
        assert batch.cause is not None
        if not isinstance(view.phase, Searching | Accusing):
            continue
        judged = [
            AROSA.choice(view, batch.cause.seat, known, replace(batch.cause.action, arrange=arrange))
            for arrange in (False, True)
        ]
        assert judged[0] == judged[1]


def test_every_verdict_says_what_it_takes_for_granted() -> None:
    for decision in review(played(["detective"] * 2, "says")).seats[0].decisions:
        keys = [message.key for message in decision.verdict.assumes]
        assert "assumes.not_the_end" in keys
        if decision.verdict.kind != "take_back":
            assert {"assumes.noise", "assumes.no_push", "assumes.margin", "assumes.clue_inside"} <= {*keys}


@pytest.mark.parametrize("seats", [2, 4])
def test_chances_sum_to_one_and_what_came_was_possible(seats: int) -> None:
    looked = listed = 0
    for seed in range(4):
        case = played(["random"] * seats, f"came {seed}", clues=9)
        if pushes(case):
            continue
        for batch, _, known in moments(case, TABLE):
            assert batch.cause is not None
            replies = known.replies(batch.cause.action, batch.cause.seat)
            shown = [event for event in batch.events if isinstance(event, Exposed)]
            assert bool(replies) == bool(shown)
            if not shown:
                continue
            looked += 1
            assert sum(reply.chance for reply in replies) == pytest.approx(1, abs=1e-12)
            assert min(reply.chance for reply in replies) > 0
            assert known.entropy() - sum(reply.chance * reply.left for reply in replies) == pytest.approx(
                known.gain(batch.cause.action, batch.cause.seat), abs=1e-6
            )
            came = replace(shown[0], lift=None)
            found = Counter(cube.colour for cube in came.found)
            for owner in known.owners:
                assert found[COLOURS[owner]] in {find.number for find in known.finds(owner, came.floor)}
            assert (came,) in [reply.events for reply in replies] or len(replies) == LISTED + 1
            listed += (came,) in [reply.events for reply in replies]
    assert looked > 30
    assert listed > looked / 3


def test_contents_agree_with_the_shelves_also_after_a_push() -> None:
    """AROSA-12, 27: where a cube was not where it could be, both begin anew with the same."""
    pushed = told(start(), drop("yellow", floor=7), drop("yellow", floor=6), look(3), look(3, "yellow"))
    spilled = told(pushed, drop("blue"), drop("yellow", floor=2), look(5, fallen=("yellow",)))
    again = told(spilled, drop("yellow", floor=1), drop("blue", floor=3), look(1, "yellow", "yellow"), drop("yellow"))
    whole_game = [known for _, _, known in moments(played(["random"] * 4, "agree", clues=8))]
    assert pushed.stories != spilled.stories != again.stories

    for known in (pushed, spilled, again, *whole_game):
        for owner in known.owners:
            shelves = known._shelves(owner)
            for floor in FLOORS:
                finds = known.finds(owner, floor)
                none = sum(find.chance for find in finds if not find.number)
                assert none == pytest.approx(shelves.none(floor), abs=1e-9)
                expected = sum(find.chance * find.number for find in finds)
                assert expected == pytest.approx(shelves.expected(floor), abs=1e-9)


def test_what_falls_out_is_gone() -> None:
    """AROSA-27."""
    known = told(start(), drop("yellow", floor=7), drop("yellow", floor=6), look(3, fallen=("yellow",)))

    assert {find.number for floor in FLOORS for find in known.finds(0, floor)} == {0, 1}
    assert known.entropy() == pytest.approx(1, abs=0.2)


def test_the_likeliest_ways_stand_for_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = tuple(weight / 36 for weight in range(1, 9))
    story = (Put(weights),) * 6
    exact = contents._ways(story)
    monkeypatch.setattr(contents, "MOST", 500)

    few = contents._ways((*story[:5], Put(tuple(reversed(weights)))))

    assert len(exact) == 1716
    assert len(few) == 500
    assert sum(few.values()) == pytest.approx(1)
    assert min(few.values()) > 0


def test_before_anything_fell_nothing_is_missing() -> None:
    assert belief(0).entropy() == start().entropy() == start().entropy("logic") == 0
    assert belief(0).certain() == start().certain() == ()
    assert belief(0).replies(Inspect(3)) == ()
    assert belief(0).gain(Inspect(3)) == start().gain(TakeBack(1)) == 0
    assert start().replies(TakeBack(1)) == ()


# --- Whole reviews -----------------------------------------------------------------------------------------------

VARIANTS: list[dict[str, object]] = [
    {},
    {"difficulty": "hard", "sound_replay": False},
    {"difficulty": "clear", "ground_penalty_first": True, "cover_needs_clue_on_sheet": False},
    {"clues": 4, "prologue_clues": 0, "sheet_limit": 3},
    {"clues": 6, "prologue_clues": 5, "scene_points": 9, "near_points": 0, "far_points": 0},
]


@pytest.mark.parametrize("options", VARIANTS, ids=lambda options: " ".join(options) or "rulebook")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_any_case_is_reviewed(seats: int, options: dict[str, object]) -> None:
    for level in ("random", "detective"):
        case = played([level] * seats, "any", **{"clues": 8, "sheet_limit": 5, **options})
        found = review(case)
        assert set(found.seats) == {*range(seats), TABLE}
        for part in found.seats.values():
            last = part.steps[-1].left if part.steps else part.began
            account = part.account
            assert sum(msgspec.structs.astuple(account)) == pytest.approx(part.began - last, abs=1e-6)
            assert account.rest == account.reading == 0
            drops = {seq for seq, event in enumerate(case.events, 1) if isinstance(event, Dropped)}
            assert {step.seq for step in part.steps if step.part == "new"} == drops & {step.seq for step in part.steps}
            for decision in part.decisions:
                verdict = decision.verdict
                assert verdict.loss >= 0
                assert sum(answer.chance for answer in verdict.answers) == pytest.approx(len(verdict.answers[:1]))
        assert len(found.whole.heard) == sum(isinstance(event, Dropped) for event in case.events)


@pytest.mark.soak
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_many_cases_are_reviewed(seats: int) -> None:
    for options in VARIANTS:
        for level in ("random", "rookie", "detective", "mastermind"):
            for seed in range(3):
                assert review(played([level] * seats, f"many {seed}", **options)).seats


def secretly_other(event: Any) -> Any:
    """Return the event as it would be if everything had fallen elsewhere."""
    if isinstance(event, Dropped) and event.moved:
        return replace(event, moved=tuple(replace(rest, floor=(rest.floor + 3) % 8) for rest in event.moved))
    return event


def mute(event: Any) -> Any:
    return replace(event, clip=Blob(event.clip.id, event.clip.media)) if isinstance(event, Dropped) else event


def changed(case: Case, change: Any) -> list[Batch]:
    return [replace(batch, events=tuple(map(change, batch.events))) for batch in case.batches]


def test_a_verdict_knows_nothing_that_its_seat_does_not() -> None:
    """Where everything fell is in no seat's review: it is the same if all of it fell elsewhere."""
    case = played(["detective", "random", "rookie"], "secret")
    game, header = case.table.game, case.header
    other = changed(case, secretly_other)

    for seat in (0, 1, 2, TABLE):
        assert seat_review(game, header, other, seat) == seat_review(game, header, case.batches, seat)
    parts = [seat_review(game, header, case.batches, seat) for seat in (0, 1, 2, TABLE)]
    assert whole(game, header, other, parts).heard != whole(game, header, case.batches, parts).heard


def test_how_the_ear_did_is_told_of_the_whole_case_alone() -> None:
    case = played(["detective"] * 3, "ear")
    found = review(case)

    falls = {seq: event for seq, event in enumerate(case.events, 1) if isinstance(event, Dropped)}
    assert [trace.seq for trace in found.whole.heard] == [*falls]
    right = 0
    for trace in found.whole.heard:
        moved = falls[trace.seq].moved
        assert moved is not None
        assert trace.truth == f"floor {moved[0].floor}"
        assert trace.guess in {f"floor {floor}" for floor in FLOORS}
        assert 0 < trace.chance < 1
        right += trace.guess == trace.truth
    assert right > len(falls) / 8
    assert mean(trace.chance for trace in found.whole.heard) > 1 / 8
    for part in found.seats.values():
        assert b'"truth"' not in msgspec.json.encode(part)


def test_a_case_that_carries_no_noises_is_reviewed_too() -> None:
    case = played(["detective"] * 3, "mute")
    game, header, batches = case.table.game, case.header, changed(case, mute)

    parts = [seat_review(game, header, batches, seat) for seat in (0, 1, 2, TABLE)]

    heard = seat_review(game, header, case.batches, 0)
    assert parts[0].began > heard.began
    assert len(parts[0].decisions) == len(heard.decisions)
    traces = whole(game, header, batches, parts).heard
    assert {(trace.guess, trace.chance) for trace in traces} == {(None, 0.0)}
    assert [trace.truth for trace in traces] == [trace.truth for trace in review(case).whole.heard]


def luck(games: int, seats: int, seed: str) -> list[float]:
    """Return what was found beyond what could be expected, by game: all viewers hear and see the same."""
    return [_luck(review_of_table(played(["random"] * seats, f"{seed} {number}", clues=8))) for number in range(games)]


def review_of_table(case: Case) -> Any:
    return seat_review(case.table.game, case.header, case.batches, TABLE)


def _luck(part: Any) -> float:
    return float(part.account.answer_luck + part.account.gift_luck)


def sigmas(numbers: Sequence[float]) -> float:
    return mean(numbers) / (stdev(numbers) / sqrt(len(numbers)))


def test_luck_is_no_more_than_luck_on_random_tables() -> None:
    found = luck(40, 2, "luck")
    assert abs(sigmas(found)) < 3
    assert stdev(found) > 0.5


@pytest.mark.soak
@pytest.mark.parametrize("seats", [2, 4])
def test_luck_is_no_more_than_luck_on_many_random_tables(seats: int) -> None:
    assert abs(sigmas(luck(200, seats, "much luck"))) < 3


def test_good_players_blunder_rarely_and_random_ones_often() -> None:
    shares = {}
    for level, games in (("random", 3), ("detective", 4), ("mastermind", 4)):
        labels: Counter[str] = Counter()
        for seed in range(games):
            for seat, part in review(played([level] * 4, f"labels {seed}", clues=12)).seats.items():
                labels.update(part.counts if seat != TABLE else {})
        shares[level] = labels["blunder"] / sum(labels.values())
        assert any(labels[name] for name in FAULTS)
    assert shares["random"] > 0.3
    assert max(shares["detective"], shares["mastermind"]) <= 0.03
