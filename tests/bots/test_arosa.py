"""The players of every level at Mord im Arosa: every variant, what they choose, and certified afterwards."""

from typing import Any

import pytest
from msgspec.structs import replace

from tests.games.arosa.staging import BLUE, BROWN, GRAY, YELLOW, Staged, stage
from tests.games.arosa.test_evidence import drop, start, told
from whodunit import arena
from whodunit.bench.arosa import hits, miscalibration, shares
from whodunit.core.rng import Rng
from whodunit.core.types import Action
from whodunit.games import arosa
from whodunit.games.arosa.evidence import Belief
from whodunit.games.arosa.facts import FLOORS
from whodunit.games.arosa.model import Arrange, Arranging, CoverTracks, Dropped, Inspect, Suspect, TakeBack, TakingBack
from whodunit.games.arosa.sense import WIN
from whodunit.table.case import Case
from whodunit.table.verify import verify
from whodunit.tower import law
from whodunit.tower.surrogate import _EIGHT

MIXED = ("mastermind", "detective", "rookie", "random")


def played(*levels: str, seed: str = "arosa", **options: Any) -> Case:
    return arena.play_case(arena.open_with_bots("arosa", levels, options, seed), lambda *_: None)


def considered(game: Staged, known: Belief) -> list[Action]:
    return list(arosa.consider(game.views[YELLOW], YELLOW, known, Rng(b"", 1)))


@pytest.mark.parametrize(
    "options",
    [
        {"clues": 8},
        {"clues": 8, "ground_penalty_first": True, "cover_needs_clue_on_sheet": False, "difficulty": "hard"},
    ],
)
def test_every_level_plays_every_variant(options: dict[str, Any]) -> None:
    case = played(*MIXED, **options)

    assert case.outcome is not None
    assert case.events[0].options.tower == "surrogate"  # type: ignore[attr-defined]
    assert [statement.holds for statement in verify(case)] == [True, True, True]
    assert [statement.holds for statement in arena.certify(case)] == [True] * 4


@pytest.mark.parametrize("seats", [2, 6])
def test_every_number_of_seats_is_played(seats: int) -> None:
    case = played(*(MIXED * 2)[:seats], clues=6)

    assert case.outcome is not None


def test_it_accuses_whom_it_hears_where_it_counts() -> None:
    """Two blue cubes by the crime scene, and gray nowhere: Blue alone is named, there."""
    known = told(start(4), drop("blue", floor=3), drop("blue", floor=3), drop("gray", floor=6))
    game = stage({3: "2 blue", 6: "gray"})

    (chosen,) = considered(game, known)
    assert chosen == Suspect((BLUE,), 3)
    assert arosa.urge(game.views[YELLOW], YELLOW, known) == ()


def test_it_names_everybody_who_is_there() -> None:
    known = told(start(4), *(drop(colour, floor=3) for colour in ("blue", "gray", "brown", "yellow")))

    (chosen,) = considered(stage({3: "blue gray brown yellow"}), known)
    assert chosen == Suspect((BLUE, BROWN, GRAY), 3)


def test_it_stays_away_from_the_ground_floor_without_a_clue_of_its_own() -> None:
    """AROSA-49, 50."""
    heard = [drop("blue", floor=0), drop("gray", floor=0), drop("brown", floor=0), drop("blue", floor=6)]
    (away,) = considered(stage({0: "blue gray brown"}, victims={0: 2}), told(start(4), *heard))
    (there,) = considered(
        stage({0: "blue gray brown yellow"}, victims={0: 2}), told(start(4), *heard, drop("yellow", floor=0))
    )

    assert isinstance(away, Suspect)
    assert away.floor != 0
    assert there == Suspect((BLUE, BROWN, GRAY), 0)


def test_it_covers_tracks_when_it_pays() -> None:
    heard = [drop("yellow", floor=5), drop("yellow", floor=5), drop("blue")]
    game = stage({5: "2 yellow"}, sheet={5: "2 yellow"})

    (chosen,) = considered(game, told(start(4), *heard))
    assert chosen == CoverTracks(5)
    game.play(YELLOW, CoverTracks(5))
    assert isinstance(game.state.phase, TakingBack)
    assert considered(game, told(start(4), *heard)) == [TakeBack(2)]


def test_it_looks_for_victims_where_it_heard_them() -> None:
    (chosen,) = considered(stage(act=1), told(start(4), drop("red", floor=2), drop("red"), drop("blue", floor=2)))

    assert chosen == Inspect(2)


def test_near_the_end_it_thinks_several_actions_through() -> None:
    """Who leads ends the game, who does not avoids it."""
    known = told(start(4), drop("blue", floor=6), drop("gray", floor=1))
    close = stage({6: "blue", 1: "gray"}, sheet={7: "9 blue"})

    assert len(considered(close, known)) > 1
    assert len(considered(stage({6: "blue", 1: "gray"}), known)) == 1


def ahead(known: Belief) -> Belief:
    return replace(known, attention="motives")


def between(colour: str, *floors: int) -> Dropped:
    """Return a drop that speaks for several floors alike."""
    heard = drop(colour)
    weights = [1 / law(0)[floor] if floor in floors else 1e-6 for floor in FLOORS]
    return replace(heard, clip=replace(heard.clip, data=_EIGHT.pack(*weights)))


def test_whoever_looks_ahead_does_not_name_whom_he_doubts() -> None:
    """A clue that is dropped as a penalty costs more, all the game long, than points tell."""
    known = told(start(4), drop("blue", floor=3), drop("blue", floor=3), between("gray", 3, 2))
    game = stage({3: "2 blue", 2: "gray"})

    assert considered(game, known) == [Suspect((BLUE, GRAY), 3)]
    assert considered(game, ahead(known)) == [Suspect((BLUE,), 3)]


def test_whoever_looks_ahead_ends_the_game_when_that_wins_it() -> None:
    known = ahead(told(start(4), drop("blue", floor=6), drop("gray", floor=1), drop("yellow", floor=7)))
    ends = Suspect((BLUE,), 6)

    assert considered(stage({6: "blue", 1: "gray"}, sheet={7: "9 blue", 1: "2 gray 2 brown"}), known) == [ends]
    (goes_on,) = considered(stage({6: "blue", 1: "gray"}, sheet={7: "9 blue", 1: "3 yellow"}), known)
    assert isinstance(goes_on, Suspect)
    assert not (goes_on.floor == ends.floor and BLUE in goes_on.suspects)


def test_whoever_looks_ahead_accuses_the_one_who_may_win() -> None:
    """Both are heard as well; a point of the one who leads is worth more."""
    known = ahead(told(start(4), between("blue", 3), between("gray", 5)))
    blue_leads = stage({3: "blue", 5: "gray"}, sheet={1: "5 gray 2 brown 2 yellow"})
    gray_leads = stage({3: "blue", 5: "gray"}, sheet={1: "5 blue 2 brown 2 yellow"})

    assert considered(blue_leads, known) == [Suspect((BLUE,), 3)]
    assert considered(gray_leads, known) == [Suspect((GRAY,), 5)]


def test_whoever_looks_ahead_looks_for_victims_and_covers_tracks() -> None:
    looked = told(start(4), drop("red", floor=2), drop("red"), drop("blue", floor=2))
    covered = told(start(4), drop("yellow", floor=5), drop("yellow", floor=5), drop("blue"))

    assert considered(stage(act=1), ahead(looked)) == [Inspect(2)]
    assert considered(stage({5: "2 yellow"}, sheet={5: "2 yellow"}), ahead(covered)) == [CoverTracks(5)]


def test_a_chance_to_win_falls_with_points_and_with_clues_inside() -> None:
    """All chances add up to one; a clue in the hotel counts less and less."""
    state = stage(sheet={7: "8 blue", 1: "3 gray"}).state
    seats = (YELLOW, BLUE, BROWN, GRAY)

    chance = {seat: arosa.worth(state, seat, 4) / WIN for seat in seats}
    assert sum(chance.values()) == pytest.approx(1)
    assert chance[YELLOW] == chance[BROWN] > chance[GRAY] > chance[BLUE] > 0
    for left, sheet in ((1, None), (0, {7: "8 gray"})):
        paid = stage(sheet=sheet, supplies={BROWN: 17}).state
        loss = arosa.worth(paid, YELLOW, 4) - arosa.worth(paid, BROWN, 4)
        assert loss > 0
        chance[left] = loss
    assert chance[0] < chance[1]


def test_what_a_table_is_worth() -> None:
    """Few points of one's own, many of the others; to have won is worth most."""
    fine, poor = stage(sheet={3: "4 blue"}).state, stage(sheet={3: "4 yellow"}).state
    for plan in (None, 4):
        assert arosa.worth(fine, YELLOW, plan) > arosa.worth(poor, YELLOW, plan)
    won = stage({3: "blue"}, sheet={1: "9 blue"}).play(YELLOW, Suspect((BLUE,), 3)).state
    assert arosa.worth(won, YELLOW) == WIN / 3
    assert arosa.worth(won, BLUE) == 0
    assert arosa.plan(fine, YELLOW, start(), [], 4) == 4


def test_it_arranges_what_somebody_else_began_to_arrange() -> None:
    """A stand-in may come in anywhere."""
    game = stage({4: "blue gray"}, act=1).play(YELLOW, Inspect(4, arrange=True))

    assert isinstance(game.state.phase, Arranging)
    (chosen,) = considered(game, start(4))
    assert isinstance(chosen, Arrange)
    habit = arosa.habit(game.views[YELLOW], YELLOW, game.events, Rng(b"", 1))
    assert isinstance(habit, Arrange)


def test_the_ceiling_wins_more_than_its_share() -> None:
    todo = arena.matches("arosa", ["detective"] * 4, 12, "7", {"clues": 12}, told_at=1)

    done = list(arena.results(todo, 1))
    share = arena.standings([arena.CEILING, *["detective"] * 3], done, "7")[arena.CEILING].share
    assert share > 0.4


def test_listening_finds_more_than_deafness() -> None:
    """The bars are measured over a hundred games by `bench arosa`; here a few, and far from the bars."""
    named = [hit for number in range(6) for hit in hits(f"ears {number}")]
    rate = {
        ear: sum(hit.there for hit in named if hit.listens is ear) / sum(hit.listens is ear for hit in named)
        for ear in (True, False)
    }

    assert rate[True] > rate[False] + 0.05


def test_shares_mean_what_they_say() -> None:
    pairs = [pair for number in range(8) for pair in shares(played(*["rookie"] * 4, seed=f"share {number}"))]

    assert len(pairs) > 500
    assert miscalibration(pairs) < 0.12
    assert miscalibration([(0.7, True)] * 100) == pytest.approx(0.3)
