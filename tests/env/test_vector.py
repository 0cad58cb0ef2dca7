"""Many games at once: the same whatever the number of processes."""

import os
import signal
from collections.abc import Iterator

import numpy as np
import pytest

from whodunit import games
from whodunit.env import Moments, Terms, Vector

TABLES = [(id, games.get(id).INFO.seats[0]) for id in games.ids()]


def legal(moments: Moments, rng: np.random.Generator) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in moments.masks])


def course(vector: Vector, steps: int) -> Iterator[Moments]:
    """Play at random, the same way every time."""
    rng = np.random.default_rng(1)
    moments = vector.now
    for _ in range(steps):
        moments = vector.step(legal(moments, rng))
        yield moments


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_every_game_goes_as_it_goes_alone(game: str, seats: int) -> None:
    vector, terms = Vector(game, 3, seats, seed=7), Terms(game, seats)
    alone = [terms.begin(f"7, place {place}, game 0") for place in range(3)]
    begun, ended = [1] * 3, 0
    rng = np.random.default_rng(1)
    moments = vector.now
    for _ in range(150):
        said = legal(moments, rng)
        moments = vector.step(said)
        for place, index in enumerate(said.tolist()):
            episode = alone[place].step(index)
            over = episode.seat is None
            assert moments.done[place] == over
            assert moments.cut[place] == episode.cut
            assert moments.rewards[place].tolist() == pytest.approx(episode.payoffs() if over else [0] * seats)
            if over:
                ended += 1
                assert (vector.ends(place) == [terms.observe(episode, seat) for seat in range(seats)]).all()
                episode = terms.begin(f"7, place {place}, game {begun[place]}")
                begun[place] += 1
            alone[place] = episode
            assert episode.seat is not None
            assert episode.seat == moments.seats[place]
            assert (moments.masks[place] == episode.mask()).all()
            assert (moments.observations[place] == terms.observe(episode, episode.seat)).all()
    assert ended >= 3


def test_several_processes_give_the_same() -> None:
    with (
        Vector("perfect_alibi", 5, 3, seed=3) as one,
        Vector("perfect_alibi", 5, 3, seed=3, processes=2) as two,
    ):
        for here, there in zip([one.now, *course(one, 60)], [two.now, *course(two, 60)], strict=True):
            for array, same in zip(here, there, strict=True):
                assert (array == same).all()
                assert array.dtype == same.dtype


def test_what_was_seen_at_the_end_of_a_game_that_is_cut_can_be_asked_for() -> None:
    with (
        Vector("clue", 2, 3, seed=3, turns=2, belief=True) as one,
        Vector("clue", 2, 3, seed=3, turns=2, belief=True, processes=2) as two,
    ):
        assert not one.ends(0).any()
        for here, _ in zip(course(one, 40), course(two, 40), strict=True):
            for place in here.cut.nonzero()[0].tolist():
                last = one.ends(place)
                assert last.shape == (3, len(one.names))
                assert last[:, one.names.index("belief")].all()
                assert (last == two.ends(place)).all()
        assert one.ends(0).any()


def test_beliefs_are_seen_if_wanted() -> None:
    plain, believing = Vector("clue", 2, 3), Vector("clue", 2, 3, belief=True)
    place = plain.names.index("belief")

    assert not plain.now.observations[:, place:].any()
    assert believing.now.observations[:, place].all()
    assert (plain.now.observations[:, :place] == believing.now.observations[:, :place]).all()


def test_what_a_mask_does_not_admit_changes_nothing() -> None:
    vector = Vector("clue", 2, 3)
    before = vector.now
    legal_one = int(np.flatnonzero(before.masks[0])[0])

    with pytest.raises(ValueError, match=r"game 1: seat 0 may not say 1195 now \(Wait\(\)\)"):
        vector.step([legal_one, 1195])
    with pytest.raises(ValueError, match=r"game 0: seat 0 may not say -1 now \(no action\)"):
        vector.step([-1, legal_one])
    for wrong in ([legal_one], [0.5, 0.5], [[legal_one, legal_one]]):
        with pytest.raises(ValueError, match="step takes 2 whole numbers"):
            vector.step(wrong)
    for array, same in zip(before, vector.now, strict=True):
        assert (array == same).all()


def test_what_is_returned_stays_what_it_was() -> None:
    vector = Vector("clue", 2, 3)
    first = vector.now
    kept = first.observations.copy()
    vector.step(legal(first, np.random.default_rng(1)))
    first.masks[:] = False

    assert (first.observations == kept).all()
    assert vector.now.masks.any()


def test_processes_need_games_of_their_own() -> None:
    for processes in (0, 3):
        with pytest.raises(ValueError, match="cannot share 2 games"):
            Vector("clue", 2, 3, processes=processes)


def test_a_process_that_dies_is_told_of_and_nothing_is_left() -> None:
    with Vector("clue", 2, 3, processes=2) as vector:
        (process, _), (other, _) = vector._workers
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        with pytest.raises(RuntimeError, match="a process of this Vector has failed: it ended with -9"):
            vector.step(legal(vector.now, np.random.default_rng(1)))
        assert not other.is_alive()
        with pytest.raises(ValueError, match="this Vector is closed"):
            vector.step([0, 0])
