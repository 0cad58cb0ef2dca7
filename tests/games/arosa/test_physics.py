"""Mord im Arosa with real falls: poses and clips in the events, bots that hear them, and what `verify` says of it."""

from typing import Any

import pytest
from msgspec.structs import replace

from tests.games.arosa.worlds import GOLDEN
from whodunit import arena, load
from whodunit.core.types import TABLE
from whodunit.games.arosa.model import Dropped, Exposed
from whodunit.table.case import Case
from whodunit.table.verify import is_simulated, verify
from whodunit.tower import CLIP, place

TINY: dict[str, Any] = {"tower": "physics", "clues": 3, "prologue_clues": 1}


@pytest.fixture(scope="module")
def case() -> Case:
    """Return the first of some short games in which something is found: cubes fall otherwise on other machines."""
    for number in range(10):
        opened = arena.open_with_bots("arosa", ["detective", "rookie"], TINY, f"real {number}")
        case = arena.play_case(opened, lambda *_: None)
        if any(event.found for event in of(case, Exposed)):
            return case
    raise AssertionError("nothing is ever found")


def of(case: Case, kind: type) -> list[Any]:
    return [event for event in case.events if isinstance(event, kind)]


def test_a_fall_leaves_poses_that_nobody_sees_and_a_clip_that_everybody_hears(case: Case) -> None:
    """AROSA-8, 11, 12: known to nobody until the case is closed; one clip, one size."""
    drops = of(case, Dropped)

    assert len(drops) >= 5
    assert {event.clip.media for event in drops} == {CLIP}
    assert len({len(event.clip.data) for event in drops}) == 1
    assert len({event.clip.id for event in drops}) == len(drops)
    assert all(place(rest.pose).z > 0 for event in drops for rest in event.moved)
    assert all(event.known_to == frozenset() for event in drops)
    assert all(event.moved is None for event in case.table.seen(TABLE, drops))  # type: ignore[attr-defined]


def test_an_open_floor_shows_where_its_cubes_lie(case: Case) -> None:
    """AROSA-23: colours and places of that floor, for everybody."""
    shown = [(event, cube) for event in of(case, Exposed) for cube in event.found]

    assert shown
    for event, cube in shown:
        assert len(cube.at) == 7
        assert 31 * event.floor - 1 < cube.at[2] < 31 * (event.floor + 1)


def test_bots_that_hear_make_the_same_moves_again(case: Case) -> None:
    assert case.outcome is not None
    assert [statement.holds for statement in arena.certify(case)] == [True, True]


def altered(case: Case, *, clip: bytes | None = None, seat: int | None = None) -> Case:
    """Return the case with something else in its last drop."""
    batches = list(case.batches)
    for number in reversed(range(len(batches))):
        events = list(batches[number].events)
        places = [place for place, event in enumerate(events) if isinstance(event, Dropped)]
        if places:
            event: Any = events[places[-1]]
            if clip is not None:
                event = replace(event, clip=replace(event.clip, data=clip))
            events[places[-1]] = event if seat is None else replace(event, seat=seat)
            batches[number] = replace(batches[number], events=tuple(events))
            break
    return replace(case, batches=tuple(batches))


def test_another_simulation_is_not_comparable_and_no_fraud() -> None:
    """A clip or a pose that comes out otherwise here says nothing; in a game by tables it would be a lie."""
    real, quick = load(GOLDEN / "new-ears-physics.case"), load(GOLDEN / "new-ears-abandoned.case")

    assert (is_simulated(real), is_simulated(quick)) == (True, False)
    *_, events = verify(altered(real, clip=b"another noise"))
    assert events.holds is None
    assert "not comparable" in events.text
    *_, events = verify(altered(quick, clip=b"another noise"))
    assert events.holds is False
