"""No tell: what a house does is the same in worlds that a viewer cannot tell apart, until the viewer may know more."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Final

import pytest

from tests.traces.cases import (
    ALLOWANCES,
    HASTY_THOUGHTS,
    PACES,
    TAPS,
    THOUGHTS,
    Case,
    alone,
    answers,
    dice,
    drawn,
    pairs,
    some,
    variants,
)
from tests.traces.house import CLOSED, PROGRAMME, Habits, Terms
from tests.traces.judge import locked_by_readers
from tests.traces.pairs import Pair
from tests.traces.stores import Kept
from whodunit.core.types import TABLE
from whodunit.games import get
from whodunit.room.pace import SOLO, Days, Pace

SEATS: Final = 3
SAMPLES: Final[dict[Kept, int]] = {"memory": 8, "sqlite": 2, "postgres": 2, "nodes": 2}
"""How many comparisons are drawn for each game, beside those that are made every time."""
THINKING: Final = {"perfect_alibi": ("random", "random")}
"""Who sits at a table from the beginning relives its own past; not every sense finds its way in one that was drawn."""


def asked(game: str, pace: Pace) -> Iterator[tuple[Pair, Random]]:
    """Yield a question for every viewer, of one variant after the other, and chance for all else."""
    for place, viewer in enumerate((*range(SEATS), TABLE)):
        options = variants(game)[(place + PACES.index(pace)) % len(variants(game))]
        yield some(game, options, SEATS, viewer, 1), dice(f"{game} {pace} {viewer}")


def tapped(game: str, pace: Pace) -> Iterator[Case]:
    """Yield people who are asked, before every viewer: in one world they tap, in the other otherwise or never."""
    for pair, rng in asked(game, pace):
        for one, other in ((None, None), rng.sample(TAPS, 2)):
            yield Case(pair, Terms(pace, rng.choice(ALLOWANCES)), (Habits(one, 0, 0), Habits(other, 0, 1)))


def thought(game: str, pace: Pace) -> Iterator[Case]:
    """Yield bots that are asked, before every viewer: in one world they think longer than in the other."""
    for pair, rng in asked(game, pace):
        one, other = rng.sample(THOUGHTS, 2)
        terms = Terms(pace, rng.choice(ALLOWANCES), bots=pair.awaited)
        yield Case(pair, terms, (Habits(thought=one), Habits(thought=other)))


@pytest.mark.parametrize("pace", PACES)
def test_a_person_who_is_asked(asking: str, pace: Pace) -> None:
    for case in tapped(asking, pace):
        case.check()


@pytest.mark.parametrize("pace", PACES)
def test_a_bot_that_is_asked(asking: str, pace: Pace) -> None:
    for case in thought(asking, pace):
        case.check()


@pytest.mark.parametrize("pace", sorted(SOLO))
def test_bots_that_are_asked_by_the_one_person_among_them(asking: str, pace: Pace) -> None:
    found = [alone(asking, options, SEATS, viewer, 1) for options in variants(asking) for viewer in range(SEATS)]
    assert any(pair is not None and pair.tells for pair in found)
    for place, pair in enumerate(found):
        if pair is not None:
            level = THINKING.get(asking, ("rookie", "detective"))[place % 2]
            for one, other in ((0, 0), dice(f"{asking} {pace} {place}").sample(HASTY_THOUGHTS, 2)):
                terms = Terms(pace, bots=tuple(seat for seat in range(SEATS) if seat != pair.viewer), level=level)
                Case(pair, terms, (Habits(thought=one), Habits(thought=other))).check()


@pytest.mark.parametrize("pace", sorted(SOLO))
@pytest.mark.parametrize("times", [(0, 0), (0, 313), (2_017, 0)], ids=str)
def test_a_bot_on_its_turn_before_the_one_person_among_them(game_id: str, times: tuple[int, int], pace: Pace) -> None:
    found = [alone(game_id, {}, SEATS, viewer, 1, asked=False) for viewer in range(SEATS)]
    assert any(found)
    for pair in filter(None, found):
        terms = Terms(pace, bots=tuple(seat for seat in range(SEATS) if seat != pair.viewer))
        Case(pair, terms, (Habits(thought=times[0]), Habits(thought=times[1]))).check()


@pytest.mark.parametrize("times", [(0, 0), (0, 3_013), (20_017, 0)], ids=str)
def test_a_bot_on_its_turn(game_id: str, times: tuple[int, int]) -> None:
    for viewer in (*range(SEATS), TABLE):
        pair = next(pairs(game_id, {}, SEATS, viewer, 1, asked=False))
        Case(pair, Terms(bots=pair.awaited), (Habits(thought=times[0]), Habits(thought=times[1]))).check()


@pytest.mark.parametrize("times", [(0, 3_013), (20_017, 0)], ids=str)
def test_bots_that_could_interrupt(asking: str, times: tuple[int, int]) -> None:
    if not get(asking).INFO.interrupts:
        return
    for viewer in (*range(SEATS), TABLE):
        pair = some(asking, {}, SEATS, viewer, 1)
        asker = pair.move[0] if pair.move else TABLE
        bots = tuple(seat for seat in range(SEATS) if seat not in (viewer, asker))
        Case(pair, Terms(bots=bots, level="detective"), (Habits(thought=times[0]), Habits(thought=times[1]))).check()


@pytest.mark.parametrize("allowance", ALLOWANCES, ids=lambda allowance: type(allowance).__name__)
def test_who_is_told_that_it_is_their_turn_and_what_is_listed(asking: str, allowance: Days) -> None:
    for pace in PACES:
        for pair, _ in islice(asked(asking, pace), 3, 4):
            Case(pair, Terms(pace, allowance, away=pair.awaited), (Habits(), Habits())).check()


@pytest.mark.parametrize("kept", SAMPLES)
def test_a_sample_of_everything(game_id: str, kept: Kept, request: pytest.FixtureRequest) -> None:
    cluster = request.getfixturevalue("cluster") if kept in ("postgres", "nodes") else ""
    cases = [case for number in range(SAMPLES[kept]) if (case := drawn(game_id, f"sample {number}", kept))]
    assert cases
    for case in cases:
        case.check(cluster)


@pytest.mark.parametrize("later", [False, True], ids=["the viewer's runs it", "the other runs it"])
def test_the_asked_player_on_another_node(asking: str, later: bool, cluster: str) -> None:
    pair = some(asking, variants(asking)[-1], SEATS, 0, 1)
    terms = Terms("quick", kept="nodes", apart=int(later), later=later)
    Case(pair, terms, (Habits(0), Habits(None))).check(cluster)


def test_there_are_worlds_in_which_only_one_leaves_a_choice(asking: str) -> None:
    """Otherwise nothing would be compared that could tell."""
    found = [some(asking, options, SEATS, viewer, 1) for options in variants(asking) for viewer in (0, 1, TABLE)]

    assert any(pair.tells for pair in found)


def test_readers_take_no_lock(game_id: str) -> None:
    pair = next(pairs(game_id, {}, SEATS, TABLE, 1, asked=answers(game_id)))
    for viewer in (0, TABLE):
        pair = next(pairs(game_id, {}, SEATS, viewer, 1, asked=answers(game_id)))
        for run in Case(pair, Terms(), (Habits(), Habits())).runs():
            assert locked_by_readers(run) == []


def test_nothing_of_a_review_is_looked_up_made_or_kept_while_a_game_is_played(game_id: str) -> None:
    """Whoever asks is refused, at once and in the same words: neither the store nor a process hears of it."""
    moments = {at: kind for at, kind, fields in PROGRAMME if (kind, fields) in CLOSED}
    for viewer in (0, TABLE):
        pair = next(pairs(game_id, {}, SEATS, viewer, 1, asked=answers(game_id)))
        for run in Case(pair, Terms(), (Habits(), Habits())).runs():
            refused = [frame for at, frame in run.frames if at in moments]
            assert len(refused) == len(moments)
            assert {*refused} == {b'{"type":"refused","n":1,"reason":"still_open","detail":""}'}
            assert [entry for entry in run.trace if entry.at in moments and entry.resource != "timer"] == []
            assert [entry for entry in run.trace if "review" in entry.kind] == []


def test_the_same_world_gives_the_same_trace(game_id: str) -> None:
    """What differs in the other tests is the world's doing, and not a whim of the recorder's."""
    pair = next(pairs(game_id, {}, SEATS, TABLE, 1, asked=answers(game_id)))
    same = pair._replace(pasts=(pair.pasts[0], pair.pasts[0]))
    case = Case(same, Terms(bots=pair.awaited), (Habits(0, 3_013), Habits(0, 3_013)))
    runs = case.runs()

    assert runs[0] == runs[1]
    assert len(runs[0].trace) > 30
