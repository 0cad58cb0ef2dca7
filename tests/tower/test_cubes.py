import msgspec
import pytest

from whodunit.core.rng import Rng, StackedRng
from whodunit.tower import FLOORS, Landing, Lift, Resting, Script, Tower, listen, model
from whodunit.tower.scripted import WEIGHTS, Scripted


def test_a_tower_is_its_cubes_in_order() -> None:
    tower = Tower().after([Resting(4, 2), Resting(1, 7)]).after([Resting(1, 3), Resting(9, 0)])

    assert tower == Tower((Resting(1, 3), Resting(4, 2), Resting(9, 0)))
    assert tower.without([4, 9]) == Tower((Resting(1, 3),))
    assert tower.on(2) == (Resting(4, 2),)


def test_a_tower_survives_storage() -> None:
    tower = Tower((Resting(1, 3, b"\x00" * 28), Resting(4, 2)))

    assert msgspec.json.decode(msgspec.json.encode(tower), type=Tower) == tower


def test_the_script_decides_where_cubes_land_and_what_they_push() -> None:
    script = Script({1: Landing(2, knocks=((0, 3), (8, 0)), roof_rests=4)})
    tower = Tower((Resting(0, 6),))

    drop = model("scripted", script=script).drop(tower, 5, 1, Rng(b"", 0))

    assert drop.moved == (Resting(5, 2), Resting(0, 3)), "cube 8 is not inside, and roof rests leave no trace"


def test_without_a_script_the_weights_decide() -> None:
    landings = [Scripted().drop(Tower(), 0, 0, StackedRng(b"", 0, {"drop 0": n})).floor for n in range(sum(WEIGHTS))]

    assert [landings.count(floor) for floor in range(FLOORS)] == list(WEIGHTS)


def test_the_noise_of_a_scripted_drop_tells_nothing() -> None:
    drops = [Scripted(Script({0: Landing(floor)})).drop(Tower(), 0, 0, Rng(b"", 0)) for floor in range(FLOORS)]

    assert len({(drop.media, drop.sound) for drop in drops}) == 1
    assert len(set(listen(drops[0].media, drops[0].sound, "normal"))) == 1


def test_only_cubes_from_above_the_exposed_floor_spill() -> None:
    tower = Tower((Resting(0, 6), Resting(1, 3), Resting(2, 1)))

    lift = model("scripted", script=Script(spills={2: (0, 1, 2, 7)})).lift(tower, 3, 2, Rng(b"", 0))

    assert lift == Lift((Resting(1, 3),), spilled=(0,))


@pytest.mark.parametrize("kind", ["scripted", "surrogate", "physics"])
def test_every_tower_makes_one_draw_a_drop_and_labels_it(kind: str) -> None:
    rng = Rng(b"", 0)
    drops = [model(kind).drop(Tower(), 3, nth, rng) for nth in (5, 6)]  # type: ignore[arg-type]  # a Kind

    assert [draw.label for draw in rng.draws] == ["drop 5", "drop 6"]
    assert all(drop.moved[0].cube == 3 and 0 <= drop.floor < FLOORS for drop in drops)
