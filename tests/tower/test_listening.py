import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.tower.falls import game
from whodunit.bench.tower import main, train
from whodunit.bench.tower.corpus import gather, load, save
from whodunit.tower import FLOORS, facts, flac, listen
from whodunit.tower.features import features
from whodunit.tower.listening import net


def test_a_real_clip_makes_floors_more_and_less_likely() -> None:
    heard = [listen(drop.media, drop.sound, "normal") for _, drop in game(12)]

    assert all(len(one) == FLOORS and min(one) > 0 and max(one) == 1 for one in heard)
    assert len(set(heard)) == len(heard)


def test_the_ear_is_right_much_more_often_than_the_law() -> None:
    drops = [*game(25), *game(25, b"another")]
    right = 0
    for _, drop in drops:
        likely = listen(drop.media, drop.sound, "normal")
        believed = np.array(likely) * net("normal").prior
        right += int(believed.argmax()) == drop.floor

    assert right / len(drops) > 0.38, "the commonest floor alone is right about every fifth time"


@pytest.mark.parametrize("difficulty", facts.ACOUSTICS)
def test_an_ear_fits_the_features(difficulty: facts.Difficulty) -> None:
    width = len(features(flac.decode(game(12)[0].drop.sound)))

    assert net(difficulty).mean.shape == net(difficulty).scale.shape == (width,)
    assert net(difficulty).out.shape[1] == FLOORS
    assert abs(net(difficulty).prior.sum() - 1) < 0.01


def test_training_finds_what_there_is_to_be_found() -> None:
    chance = np.random.Generator(np.random.PCG64(1))
    floors = chance.integers(FLOORS, size=800)
    rows = np.column_stack([floors % 2 + chance.normal(0, 0.1, 800), chance.normal(size=800)])

    posterior = train.fit(rows, floors, 6, 0.001, steps=200).posterior(rows)

    assert 0.2 < train.top1(posterior, floors) < 0.4, "odd or even is all that can be seen"
    odd = posterior[:, 1::2].sum(axis=1)
    assert ((odd > 0.5) == (floors % 2 == 1)).mean() > 0.98


def test_shuffled_labels_teach_nothing() -> None:
    chance = np.random.Generator(np.random.PCG64(2))
    rows, floors = chance.normal(size=(600, 10)), chance.integers(FLOORS, size=600)

    logits = train.cross_validated(rows, floors, 0, 0.01)

    assert train.top1(logits, floors) < 0.2


def test_a_sure_listener_that_is_often_wrong_is_cooled_down() -> None:
    chance = np.random.Generator(np.random.PCG64(3))
    floors = chance.integers(FLOORS, size=1000)
    said = np.where(chance.uniform(size=1000) < 0.5, floors, chance.integers(FLOORS, size=1000))

    assert train.temperature(np.eye(FLOORS)[said] * 9, floors) > 2


def test_the_data_can_be_rebuilt_from_a_few_falls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "HIDDEN", 2)
    corpus = gather(12, 5, ("normal",))
    save(corpus, tmp_path / "falls.npz")
    again = load(tmp_path / "falls.npz")

    train.rebuild(again, tmp_path)

    assert np.array_equal(again.floors, corpus.floors)
    assert sorted(file.name for file in tmp_path.glob("*.json")) == ["listener-normal.json", "surrogate.json"]


def test_the_benchmark_measures_what_its_bars_ask_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few falls only: the figures mean little, but they are all there."""
    monkeypatch.setattr(main, "RESTING", 4)
    monkeypatch.setattr(main, "HEAPS", (2,))
    tally = main.Tally()
    found = main.landings(40, 4, tally) | main.cost(10, 2)
    corpus = gather(20, 2, ("normal",))
    found |= main.hearing(corpus) | main.likeness(corpus) | {"surrogate_drops_per_s": main.surrogate_speed(100)}
    found |= {"surrogate_law_max_error": tally.off_the_law()}

    assert {bar.key for bar in main.BARS} <= found.keys()
    assert found["escaped"] == 0
    assert found["clip_bytes_min"] == found["clip_bytes_max"] == flac.SIZE
    assert found["bytes_latency_over_prior"] <= 0


def test_games_without_real_cubes_load_no_simulator() -> None:
    code = (
        "import sys, whodunit.tower as t; from whodunit.core.rng import Rng;"
        "t.model('surrogate').drop(t.Tower(), 0, 0, Rng(b'', 0)); t.law(3);"
        "sys.exit(bool({'numpy', 'mujoco', 'soundfile'} & set(sys.modules)))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_without_the_simulator_one_is_told_what_to_install() -> None:
    code = "import sys; sys.modules['mujoco'] = None; import whodunit.tower as t; t.model('physics')"

    told = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True).stderr

    assert told.strip().endswith("LookupError: real cubes need mujoco, which whodunit-games[tower] installs")
