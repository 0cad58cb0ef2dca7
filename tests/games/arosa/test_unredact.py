"""What everybody has seen, told in full as a world has it: where cubes fell, and how others were pushed."""

from collections.abc import Sequence
from typing import Any

import pytest

from tests.games.arosa.test_evidence import drop, look, start_event
from whodunit import Stream, light_game
from whodunit.core.redact import fold, redact
from whodunit.core.rng import Rng
from whodunit.games.arosa import imagine
from whodunit.games.arosa.evidence import Belief, World, belief
from whodunit.games.arosa.facts import COLOURS, owner_of
from whodunit.games.arosa.model import Dropped, Exposed
from whodunit.games.arosa.rules import INFO
from whodunit.table.light import light_of
from whodunit.table.resample import resample
from whodunit.tower import surrogate


def learned(seen: Sequence[Any]) -> Belief:
    known = belief(0)
    for event in seen:
        known = known.learn(event)
    return known


def lived(world: World, seen: Sequence[Any]) -> list[tuple[int, int, int]]:
    """Check what is told of a world; return who was pushed, from where and whereto."""
    told = learned(seen).unredact(world, seen, Rng(b"", 1))
    assert [redact(event, 0) for event in told] == [*seen]
    pushed: list[tuple[int, int, int]] = []
    lies: dict[int, int] = {}
    for event in told:
        if isinstance(event, Dropped):
            assert event.moved is not None
            assert event.moved[0].cube == max(rest.cube for rest in event.moved)
            pushed += [(owner_of(rest.cube), lies[rest.cube], rest.floor) for rest in event.moved[1:]]
            lies |= {rest.cube: rest.floor for rest in event.moved}
        if isinstance(event, Exposed):
            assert event.lift is not None
            assert sorted(COLOURS[owner_of(rest.cube)] for rest in event.lift.taken) == sorted(
                found.colour for found in event.found
            ), "what is found lies there"
            assert sorted(COLOURS[owner_of(cube)] for cube in event.lift.spilled) == sorted(event.fallen)
            assert {rest.cube for rest in event.lift.taken} == {cube for cube in lies if lies[cube] == event.floor}
            assert all(lies[cube] > event.floor for cube in event.lift.spilled), "what falls out was above"
            for cube in (*(rest.cube for rest in event.lift.taken), *event.lift.spilled):
                del lies[cube]
    return pushed


def _lie(state: Any) -> list[tuple[int, int]]:
    return sorted((owner_of(rest.cube), rest.floor) for rest in state.tower.resting)


def test_a_cube_lies_where_it_fell_until_its_floor_is_open() -> None:
    seen = [start_event(), drop("yellow"), drop("blue"), look(4, "yellow"), drop("yellow"), drop("red")]

    assert lived(World((4, 1, 0, 7)), seen) == []


def test_a_cube_that_was_found_where_it_cannot_have_fallen_was_pushed_there_from_above() -> None:
    """AROSA-12."""
    seen = [start_event(), drop("yellow"), look(3), drop("blue"), look(3, "yellow"), drop("yellow", floor=2)]
    (world,) = learned(seen).sample(Rng(b"", 1), "worlds", 1)

    assert world.floors[0] is None
    ((owner, above, floor),) = lived(world, seen)
    assert (owner, floor) == (0, 3)
    assert above > 3


def test_a_cube_that_fell_out_had_lain_above() -> None:
    """AROSA-27."""
    seen = [start_event(), drop("yellow"), drop("yellow"), look(3, fallen=("yellow",)), drop("yellow"), look(6)]
    (world,) = learned(seen).sample(Rng(b"", 1), "worlds", 1)

    assert world.floors[:2] == (None, None)
    lived(world, seen)


def test_however_many_cubes_are_pushed_all_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """In whole games of a tower in which cubes are pushed fifty times as often."""
    often = 50 * surrogate._knock()
    monkeypatch.setattr(surrogate, "_knock", lambda: often)
    pushed, upwards, worlds = 0, 0, 0
    for seed in range(5):
        game, rng = light_game("arosa", 2 + seed % 5, seed, tower="surrogate"), Stream(b"%d" % seed)
        while game.outcome is None:
            offers = game.legal(game.awaiting[0])
            game = game.step(game.awaiting[0], offers[rng.below("offer", len(offers))].sample(rng))
        events = game.events
        for until in range(len(events), 0, -(len(events) // 3)):
            seen = [redact(event, 0) for event in events[:until]]
            for world in learned(seen).sample(rng, "worlds", 2):
                found = lived(world, seen)
                state = fold(game.game, learned(seen).unredact(world, seen, rng))
                assert _lie(state) == _lie(imagine(fold(game.game, seen), world)), "at last all lie as the world has it"
                worlds += None in world.floors
                pushed += len(found)
                upwards += sum(floor > above for _, above, floor in found)
    assert worlds > 5, "a push was found out"
    assert pushed > 5
    assert upwards <= pushed // 10, "rarely it fits no other way"


def test_a_world_that_is_none_of_the_belief_is_refused() -> None:
    seen = [start_event(), drop("yellow"), look(4, "yellow")]

    with pytest.raises(ValueError, match="this world does not go with what was found"):
        learned(seen).unredact(World((3,)), seen, Rng(b"", 1))


def test_a_game_with_real_cubes_goes_on_by_tables() -> None:
    """There is no body of a cube in a world, and a search has no time for one."""
    options = INFO.parse(3, {"tower": "physics"})
    quick = light_game("arosa", 3, 5, tower="surrogate").events
    events = [quick[0].__class__(**{**_fields(quick[0]), "options": options}), *quick[1:]]
    real = light_of("arosa", 3, 1, events)
    known = learned(real.seen(0))

    game = resample(known, Rng(b"", 1), real.seen(0))

    assert game.seen(0) == real.seen(0)
    assert game.view(0) == real.view(0)
    assert (real.state.options.tower, game.state.options.tower) == ("physics", "surrogate")
    seat = game.awaiting[0]
    assert game.step(seat, game.legal(seat)[0].at(0)).seq > game.seq
    assert fold(game.game, game.events).tower == game.state.tower


def _fields(event: Any) -> dict[str, Any]:
    return {name: getattr(event, name) for name in event.__struct_fields__}
