"""What everybody may conclude: from noises, from open floors, and when a cube was pushed."""

from itertools import pairwise

import pytest
from msgspec.structs import replace

from tests.games.arosa.staging import AROSA, BLUE, YELLOW, Staged, opened, stage
from whodunit.core.redact import redact
from whodunit.core.rng import Rng, StackedRng
from whodunit.core.types import TABLE, Blob, Seat
from whodunit.deduce.shelves import Put
from whodunit.games.arosa.evidence import Belief, World, belief, imagine
from whodunit.games.arosa.facts import FLOORS, VICTIM, fell
from whodunit.games.arosa.model import CoverTracks, Dropped, Exposed, Found, Inspect, Opened, Options, Suspect, TakeBack
from whodunit.tower import law
from whodunit.tower.surrogate import _EIGHT, LIKELIHOOD

pytestmark = pytest.mark.rules

HERE = 4


def start(seats: int = 2, **options: object) -> Belief:
    given = AROSA.INFO.parse(seats, {"tower": "surrogate", **options})
    first = Opened(game="arosa", rules=1, seats=seats, options=given, victim_dropper=0, investigator=0)
    return belief(0).learn(first)


def drop(colour: str, *, floor: int | None = None) -> Dropped:
    """Return a drop as it is heard; one that speaks for a floor, or one that says nothing."""
    heard = [1.0] * 8 if floor is None else [1.0 if other == floor else 0.001 for other in FLOORS]
    clip = Blob("id", LIKELIHOOD, _EIGHT.pack(*heard))
    return Dropped(seat=0, colour=colour, why="back", clip=clip, moved=None)  # type: ignore[arg-type]


def look(floor: int, *colours: str, fallen: tuple[str, ...] = ()) -> Exposed:
    found = tuple(Found(colour) for colour in colours)  # type: ignore[arg-type]
    return Exposed(seat=0, floor=floor, found=found, lift=None, fallen=fallen)  # type: ignore[arg-type]


def told(known: Belief, *events: object) -> Belief:
    for event in events:
        known = known.learn(event)
    return known


def of(game: Staged, seat: Seat) -> Belief:
    return told(belief(seat), *(redact(event, seat) for event in game.events))


def shares(known: Belief, owner: Seat) -> list[float]:
    return [round(known.some(owner, floor), 3) for floor in FLOORS]


def test_a_silent_drop_lies_where_drops_lie() -> None:
    known = told(start(), drop("yellow"))

    assert [known.some(YELLOW, floor) for floor in FLOORS] == pytest.approx(law(0), abs=1e-6)
    assert [known.expected(YELLOW, floor) for floor in FLOORS] == pytest.approx(law(0), abs=1e-4)
    assert shares(known, BLUE) == [0.0] * 8
    assert shares(known, VICTIM) == [0.0] * 8


def test_a_noise_counts_as_much_as_it_is_listened_to() -> None:
    """AROSA-11: everybody hears the same; the levels differ in how well they listen."""
    heard = {}
    for attention in ("sight", "logic", "motives"):
        known = belief(0, attention)
        for event in (start_event(), drop("yellow", floor=HERE)):
            known = known.learn(event)
        heard[attention] = known.some(YELLOW, HERE)

    assert law(0)[HERE] < heard["sight"] < 0.8 < heard["logic"] == heard["motives"]
    deaf = Belief(0, "logic", 0.0).learn(start_event()).learn(drop("yellow", floor=HERE))
    assert deaf.some(YELLOW, HERE) == pytest.approx(law(0)[HERE])


def start_event() -> Opened:
    options: Options = AROSA.INFO.parse(2, {"tower": "surrogate"})
    return Opened(game="arosa", rules=1, seats=2, options=options, victim_dropper=0, investigator=0)


def test_a_clip_without_its_bytes_is_a_silent_one() -> None:
    event = drop("yellow", floor=HERE)
    mute = Dropped(seat=0, colour="yellow", why="back", clip=Blob("id", LIKELIHOOD), moved=None)

    assert told(start(), mute).some(YELLOW, HERE) == pytest.approx(law(0)[HERE])
    assert told(start(), event).some(YELLOW, HERE) > 0.9


def test_an_open_floor_tells_of_every_colour() -> None:
    """AROSA-23: what is there was there; what is not is elsewhere."""
    known = told(start(), drop("yellow"), drop("yellow"), drop("blue", floor=HERE), look(HERE, "yellow"))

    assert known.inside == (1, 1, 0)
    assert known.some(YELLOW, HERE) == known.some(BLUE, HERE) == pytest.approx(0.001)
    rest = [share / (1 - law(0)[HERE]) for share in law(0)]
    assert [known.expected(YELLOW, floor) for floor in FLOORS if floor != HERE] == pytest.approx(
        [share for floor, share in enumerate(rest) if floor != HERE], abs=0.02
    )
    assert sum(known.expected(BLUE, floor) for floor in FLOORS) == pytest.approx(1, abs=1e-3)


def test_which_of_two_was_found_is_weighed() -> None:
    """One spoke for this floor and one for another: the other is still where it was."""
    known = told(start(), drop("yellow", floor=2), drop("yellow", floor=6), look(6, "yellow"))

    assert known.some(YELLOW, 2) > 0.95
    assert known.some(YELLOW, 6) == pytest.approx(0.001)


def test_what_may_be_looked_for() -> None:
    """The chance of an inspection is that of finding what it is made for."""
    known = told(start(3), drop("red"), drop("blue", floor=2), drop("brown", floor=2), drop("yellow"))

    both = known.some(1, 2) * known.some(2, 2)
    assert known.chance(Suspect((1, 2), 2)) == pytest.approx(both)
    assert known.chance(Inspect(3)) == known.some(VICTIM, 3)
    assert known.chance(CoverTracks(3)) == known.some(0, 3)
    assert known.chance(TakeBack(0)) == 1
    worlds = list(known.worlds())
    assert len(worlds) == 8**4
    assert sum(known.chance(world) for world in worlds) == pytest.approx(1)


def test_samples_are_worlds() -> None:
    known = told(start(), drop("yellow"), drop("red"), drop("yellow"), look(5, "yellow"), drop("yellow"), look(2))
    worlds = set(known.worlds())

    drawn = known.sample(Rng(b"worlds", 1), "worlds", 300)

    assert set(drawn) <= worlds
    assert all(World((floor,) * 4) not in worlds for floor in FLOORS)
    share = sum(world.floors[3] == 6 for world in drawn) / 300
    assert share == pytest.approx(known.expected(YELLOW, 6) - _elsewhere(known, drawn), abs=0.08)
    assert known.answer(drawn[0]) == ()


def _elsewhere(known: Belief, drawn: list[World]) -> float:
    """Return how many of the first two yellow cubes lie on floor 6."""
    assert known.order[2] == YELLOW
    return sum((world.floors[0] == 6) + (world.floors[2] == 6) for world in drawn) / len(drawn)


def test_a_pushed_cube_is_no_contradiction() -> None:
    """AROSA-12: what cannot be, if nothing moved, was pushed; memory begins anew with what is left."""
    known = told(start(), drop("yellow", floor=7), drop("yellow", floor=6), look(3), look(3, "yellow"))

    assert known.inside[YELLOW] == 1
    assert sum(known.expected(YELLOW, floor) for floor in FLOORS) == pytest.approx(1, abs=1e-3)
    assert known.some(YELLOW, 3) == pytest.approx(0.001)
    assert known.some(YELLOW, 7) > 0.3
    (world, *_) = known.sample(Rng(b"pushed", 1), "worlds", 5)
    assert world.floors == (None, None)
    assert len(world.strays) == 1
    assert known.chance(world) > 0
    later = told(known, drop("yellow", floor=2), look(world.strays[0].floor, "yellow"))
    assert later.inside[YELLOW] == 1
    assert later.some(YELLOW, 2) > 0.9
    assert later.sample(Rng(b"later", 1), "worlds", 1)[0].strays == ()


def test_what_is_left_after_a_push_lies_where_it_was_expected() -> None:
    """AROSA-12: which noise was whose is given up, but not where cubes were likely to lie."""
    known = told(start(), drop("yellow", floor=7), drop("yellow", floor=6), look(3), look(3, "yellow"))

    assert known.some(YELLOW, 6) == pytest.approx(known.some(YELLOW, 7), abs=0.02)
    assert min(known.some(YELLOW, floor) for floor in (6, 7)) > 0.45
    assert max(known.some(YELLOW, floor) for floor in (0, 1, 2, 4, 5)) < 0.02


def test_what_fell_out_is_gone_from_somewhere() -> None:
    """AROSA-27: nobody knows from which floor."""
    known = told(start(), drop("yellow", floor=7), drop("yellow", floor=6), look(3, fallen=("yellow",)))

    assert known.inside[YELLOW] == 1
    assert sum(known.expected(YELLOW, floor) for floor in FLOORS) == pytest.approx(1, abs=1e-3)
    assert known.some(YELLOW, 6) == pytest.approx(0.5, abs=0.05)
    assert told(known, drop("yellow", floor=1)).some(YELLOW, 1) > 0.8


def test_all_viewers_know_the_same() -> None:
    """AROSA-11, 23: there is nothing that one sees and another does not."""
    game = opened(3, first_investigator=0).play(0, Inspect(4))

    known = [of(game, viewer) for viewer in (0, 1, 2, TABLE)]
    assert all(one.stories == other.stories for one, other in pairwise(known))


def test_forgetting_loses_one_noise() -> None:
    known = told(start(), drop("yellow", floor=HERE), drop("blue", floor=2))

    forgot = known.forget(Rng(b"forgets", 1))
    assert sum(one != other for one, other in zip(known.stories, forgot.stories, strict=True)) == 1
    twice = [known.forget(Rng(b"forgets", seq)).some(YELLOW, HERE) for seq in range(20)]
    assert {round(share, 2) for share in twice} == {round(law(0)[HERE], 2), round(known.some(YELLOW, HERE), 2)}
    assert start().forget(Rng(b"", 1)) == start()


@pytest.mark.parametrize("nth", [0, 1, 2])
def test_what_is_forgotten_is_the_drop_that_was_drawn(nth: int) -> None:
    """Its noise alone: it lies where a drop on so many cubes lies, and every look at a floor is remembered."""
    known = told(start(), drop("yellow", floor=HERE), drop("blue", floor=2), drop("yellow", floor=6), look(1))

    forgot = known.forget(StackedRng(b"", 1, {"forgotten": nth}))

    owner = known.order[nth]
    assert [number for number, story in enumerate(known.stories) if story != forgot.stories[number]] == [owner]
    changed = [(old, new) for old, new in zip(known.stories[owner], forgot.stories[owner], strict=True) if old != new]
    assert [new for _, new in changed] == [Put(law(nth))]
    assert changed[0][0] == [entry for entry in known.stories[owner] if isinstance(entry, Put)][nth // 2]


def test_it_says_what_it_assumes() -> None:
    assert [message.key for message in belief(0).assumes()] == ["assumes.law", "assumes.noise", "assumes.no_push"]


def test_a_view_is_filled_with_a_world() -> None:
    """Whatever tower the game has, what is imagined falls by the surrogate's tables."""
    game = opened(2, landings=dict(enumerate((0, 1, 2, 3, 4, 5))), first_investigator=0).play(0, Inspect(2))
    falls = [event.moved for event in game.events if isinstance(event, Dropped)]
    truth = World(tuple(moved[0].floor for moved in falls if moved))

    state = imagine(game.views[1], truth)

    assert state.tower == game.state.tower
    assert state.options.tower == "surrogate"
    assert imagine(state, truth).options is state.options
    gone = World((None, *truth.floors[1:]))
    inside = imagine(game.views[1], gone).tower
    assert inside is not None
    assert len(inside.resting) == len(game.state.tower.resting) - 1
    spilled = replace(game.views[1], record=(*game.views[1].record, fell(YELLOW)))
    assert imagine(spilled, gone).tower == inside


def test_notes_are_floors_by_colour() -> None:
    """Only what a push cannot change is certain: a floor that was just open, and a colour that is not inside."""
    known = told(start(), drop("yellow", floor=HERE), drop("red"), look(6))
    assert known.sheet("paper").cells == ()
    facts = {(cell.row, cell.column): cell for cell in known.sheet("facts").cells}
    assert {row for row, column in facts if column == "6"} == {"yellow", "blue", "red"}
    assert {column for row, column in facts if row == "blue"} == set("01234567")
    assert {(cell.mark, cell.source, cell.share) for cell in facts.values()} == {("no", "seen", None)}
    likely = {(cell.row, cell.column): cell for cell in known.sheet("probabilities").cells}
    assert likely["yellow", "4"].share == known.some(YELLOW, HERE)
    assert likely["yellow", "4"].mark is None
    assert likely["yellow", "6"].share == 0.0
    assert known.sheet("probabilities").assumes == known.assumes()
    assert known.sheet("logic").assumes == ()
    later = told(known, drop("blue"))
    assert [cell for cell in later.sheet("facts").cells if cell.row == "yellow"] == []


def test_a_certain_entry_has_its_proof() -> None:
    seen = [start_event(), drop("yellow"), drop("red"), look(6)]
    known = told(belief(0), *seen)

    proof = known.proof("yellow", "6", seen)
    assert proof is not None
    assert proof.grade == 1
    assert [(step.message.key, step.seq) for step in proof.reasons] == [("exposed.empty", 4), ("why.none_since", None)]
    absent = known.proof("blue", "6", seen)
    assert absent is not None
    assert absent.grade == 1
    assert [step.message.key for step in absent.reasons] == ["why.none_inside"]
    assert known.proof("yellow", "5", seen) is None
    assert known.proof("green", "6", seen) is None
    assert known.proof("yellow", "8", seen) is None
    assert belief(0).proof("yellow", "6", []) is None
    assert belief(0).sheet("logic").cells == ()


def test_the_all_knowing_player_sees_the_tower() -> None:
    """For the ceiling of an arena, and only until something happens."""
    game = stage({3: "2 blue", 6: "gray"})
    known = told(start(4), drop("blue"), drop("blue"), drop("gray")).told(game.state)

    assert [known.some(BLUE, floor) for floor in range(8)] == [0, 0, 0, 1, 0, 0, 0, 0]
    assert known.expected(BLUE, 3) == 2
    (world,) = known.sample(Rng(b"", 1), "worlds", 1)
    assert world == World((None,) * 3, game.state.tower.resting)
    assert told(known, look(5)).truth is None
