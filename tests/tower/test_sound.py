import json
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.tower.falls import game, tower_of
from whodunit.tower import CLIP, facts, features, flac, physics, scene, schedule, sound
from whodunit.tower.facts import ACOUSTICS
from whodunit.tower.impacts import Impact, impacts

ROOT: Final = Path(__file__).resolve().parents[2]


def chance(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


def one_knock(thing: int, box: int, seed: int = 1) -> NDArray[np.float32]:
    return sound.render([Impact(0.1, thing, box, 1.0)], chance(seed), ACOUSTICS["normal"])


def test_every_clip_has_one_size_one_length_and_no_tags() -> None:
    clips = [drop.sound for _, drop in game(12)]

    assert {drop.media for _, drop in game(12)} == {CLIP}
    assert {len(clip) for clip in clips} == {flac.SIZE}
    assert {flac.decode(clip).shape for clip in clips} == {(48_000, 2)}, "two seconds, two ears"
    assert {blocks(clip) for clip in clips} == {(0, 1)}, "the description of the stream and the padding"


def blocks(clip: bytes) -> tuple[int, ...]:
    """Return the kinds of a file's metadata blocks; the last one is marked, and frames follow it."""
    assert clip[:4] == b"fLaC"
    kinds, place, last = [], 4, False
    while not last:
        kinds.append(clip[place] & 0x7F)
        last = clip[place] > 0x7F
        place += 4 + int.from_bytes(clip[place + 1 : place + 4], "big")
    assert clip[place : place + 2] in {b"\xff\xf8", b"\xff\xf9"}
    return tuple(kinds)


def test_a_clip_too_rich_for_its_size_loses_bits_and_not_its_size() -> None:
    noise = chance(1).uniform(-1, 1, (48_000, 2)).astype(np.float32)

    clip = flac.encode(noise)

    assert len(clip) == flac.SIZE
    assert np.corrcoef(flac.decode(clip)[:, 0], noise[:, 0])[0, 1] > 0.9


def test_packing_keeps_what_is_louder_than_the_room() -> None:
    samples = one_knock(3, 3)
    heard = flac.decode(flac.encode(samples))

    assert np.abs(heard - samples).max() < 1 / 1000
    assert np.array_equal(heard * (1 << 15), flac.coarse(samples)), "what is trained on is what is sent"


def test_the_two_ears_hear_different_rooms_and_the_same_knock() -> None:
    left, right = one_knock(4, 4).T

    assert not np.allclose(left, right)
    assert np.corrcoef(left, right)[0, 1] > 0.8


def test_modes_are_drawn_afresh_for_every_drop() -> None:
    def spectrum(seed: int) -> NDArray[np.float64]:
        struck = one_knock(4, 4, seed).mean(axis=1)[2800:4800]
        return np.asarray(np.abs(np.fft.rfft(struck)), dtype=np.float64)

    alike = [np.corrcoef(spectrum(1), spectrum(seed))[0, 1] for seed in range(2, 8)]

    assert max(alike) < 0.9


def test_lower_is_quieter_and_the_table_thuds() -> None:
    def level(thing: int, box: int) -> float:
        return float(np.mean([one_knock(thing, box, seed).std() for seed in range(6)]))

    def depth(thing: int) -> float:
        power = np.mean([np.abs(np.fft.rfft(one_knock(thing, 0, seed).mean(axis=1))) ** 2 for seed in range(6)], axis=0)
        return float(power[: 2 * 260].sum() / power.sum())

    assert level(7, 7) > level(0, 0)
    assert depth(scene.TABLE) > 1.5 * depth(scene.PLATE)


@pytest.mark.parametrize("difficulty", facts.ACOUSTICS)
def test_no_clip_is_silent_or_clipped_and_all_fade_out(difficulty: facts.Difficulty) -> None:
    fall = physics.fallen(tower_of(20), *physics.release(chance(2)))
    samples = flac.decode(sound.clip(fall.contacts, chance(3), difficulty))

    assert 0.05 < np.abs(samples).max() < 0.99
    assert np.abs(samples[-20:]).max() < 0.01


def test_a_fall_that_lasts_longer_than_its_clip_is_cut() -> None:
    late = [Impact(seconds, 0, 0, 1.0) for seconds in (0.1, 1.9, 2.5)]

    assert sound.render(late, chance(1), ACOUSTICS["normal"]).shape == (48_000, 2)


def test_only_the_hard_clips_hide_when_the_cube_was_released() -> None:
    knocks = [Impact(0.2, 6, 6, 1.0)]

    def first(difficulty: facts.Difficulty, seed: int) -> float:
        samples = sound.render(knocks, chance(seed), ACOUSTICS[difficulty])
        return float(features.features(samples)[2])

    assert np.ptp([first("normal", seed) for seed in range(6)]) <= 2
    assert np.ptp([first("hard", seed) for seed in range(6)]) > 30


def test_onsets_are_found_where_something_struck() -> None:
    knocks = [Impact(seconds, 5, 5, 1.0) for seconds in (0.1, 0.2, 0.35, 0.6)]
    cues = features.features(sound.render(knocks, chance(4), ACOUSTICS["clear"]))

    assert cues[0] == 4
    assert abs(cues[2] - 120) <= 3, "the first, in milliseconds: a clip begins 20 before the release"
    assert abs(cues[3] - 500) <= 5


def test_the_picture_shows_the_level_of_every_10_ms() -> None:
    knocks = [Impact(0.5, 5, 5, 1.0)]
    shown = features.picture(sound.render(knocks, chance(4), ACOUSTICS["normal"]))

    assert len(shown) == 200
    assert shown.argmax() == 52
    assert shown.min() >= 0
    assert shown.max() <= 1


def test_pages_draw_the_same_picture() -> None:
    """The pages' own test reads the same file: a real clip, thinned out, and what it looks like."""
    sample = json.loads((ROOT / "web" / "src" / "games" / "arosa" / "loud.sample.json").read_text("utf-8"))
    ears = [np.array(sample["samples"][ear], dtype=np.float32) / 32768 for ear in ("left", "right")]

    for name, channels in (("picture", ears), ("left", [ears[0], ears[0]])):
        shown = features.picture(np.stack(channels, axis=1))
        assert np.rint(shown * 24).astype(int).tolist() == sample[name]


def test_an_eye_counts_the_strokes_of_the_picture() -> None:
    knocks = [Impact(seconds, 5, 5, 1.0) for seconds in (0.1, 0.2, 0.35, 0.6)]
    cues = features.seen(features.picture(sound.render(knocks, chance(4), ACOUSTICS["clear"])))

    assert cues[0] == 4
    assert [cues[2], cues[3]] == [12, 62], "the first and the last column"


def test_hearing_needs_the_samples_and_nothing_else() -> None:
    clip = game(12)[5].drop.sound
    samples = flac.decode(clip)

    assert np.array_equal(features.features(samples), features.features(flac.decode(flac.encode(samples))))


def test_impacts_come_from_the_contacts_alone() -> None:
    fall = physics.fallen(tower_of(20), *physics.release(chance(2)))

    assert impacts(fall.contacts) == impacts(fall.contacts)
    assert impacts(fall.contacts._replace(force=fall.contacts.force * 0)) == []


def test_publication_depends_on_the_number_of_drops_alone_unless_work_is_late() -> None:
    assert {schedule.publication(3, ready) for ready in (0.01, 0.4, 1.25)} == {1.25}
    assert [schedule.publication(3, ready) for ready in (1.26, 1.9, 2.0, 2.1)] == [2, 2, 2, 3]
    assert schedule.releases(3) == (0, 2.3, 4.6)
    assert sound.SECONDS < schedule.RELEASED
