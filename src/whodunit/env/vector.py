"""Many games at once: each call steps all of them, with arrays of what is seen, of masks and of rewards."""

import multiprocessing
import signal
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from math import prod
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final, NamedTuple, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whodunit.core.info import Options
from whodunit.core.types import Game
from whodunit.env.episode import Episode, Terms
from whodunit.env.space import TURNS, Mask

PATIENCE_S: Final = 10.0
"""How long a process may take to end before it is ended."""
_STEP: Final = -1
_STOP: Final = -2
"""What a process is told; any other number is a place of whose last end is asked."""


class Moments(NamedTuple):
    """What stands in every game now, and what the last step brought; the first index is the game's."""

    seats: NDArray[np.int32]
    """Who decides."""
    observations: NDArray[np.float32]
    """What the seat that decides sees."""
    masks: Mask
    """Which indices it may say."""
    rewards: NDArray[np.float32]
    """By seat, what the step has brought: nothing before the end of a game."""
    done: NDArray[np.bool_]
    """Whether the step has ended or cut the game; then all else is of the next one, which has begun."""
    cut: NDArray[np.bool_]
    """Whether it was cut."""


class Vector:
    """So many games of one kind. What happens in each depends on the seed, its place and what is said there alone.

    With several processes each has a share of the games; results are the same as with one. They are started anew, so a
    script that asks for them must be one that can be imported: what it does stands under `if __name__ == "__main__"`.
    """

    def __init__(
        self,
        game: Game | str,
        n: int,
        seats: int | None = None,
        options: Options | Mapping[str, object] | None = None,
        seed: int | str = 0,
        processes: int = 1,
        turns: int = TURNS,
        *,
        belief: bool = False,
    ) -> None:
        if not 1 <= processes <= n:
            raise ValueError(f"{processes} processes cannot share {n} games")
        self.terms = Terms(game, seats, options, turns)
        seats = self.terms.seats
        self.n = n
        self.space = self.terms.space
        self.names = self.terms.names
        self._workers: list[tuple[BaseProcess, Connection]] = []
        self._closed = False
        if processes == 1:
            self._now = _moments(n, seats, len(self.names), self.space.size)
            self._said = np.zeros(n, np.int64)
            self._share: _Share | None = _Share(self.terms, seed, range(n), self._now, self._said, belief=belief)
            self._share.begin()
        else:
            self._share = None
            self._start(seed, processes, belief=belief)

    def _start(self, seed: int | str, processes: int, *, belief: bool) -> None:
        """Start the processes and let them begin their games, which stand in memory that all share."""
        spawn = multiprocessing.get_context("spawn")
        kinds = _kinds(self.n, self.terms.seats, len(self.names), self.space.size)
        memory = [spawn.RawArray("b", prod(shape) * np.dtype(kind).itemsize) for kind, shape in kinds]
        *now, self._said = _arrays(memory, kinds)
        self._now = Moments._make(now)
        self._bounds = [self.n * nth // processes for nth in range(processes + 1)]
        made_of = self.terms.__reduce__()[1]
        for first, end in pairwise(self._bounds):
            here, there = spawn.Pipe()
            task = made_of, seed, range(first, end), memory, kinds, belief
            process = spawn.Process(target=_work, args=(there, task), daemon=True)
            process.start()
            there.close()
            self._workers.append((process, here))
        self._await()

    def _await(self) -> None:
        """Wait until every process has done what it was told; if one has failed, all end."""
        for process, pipe in self._workers:
            try:
                told = pipe.recv()
            except (EOFError, ConnectionError):
                told = f"it ended with {process.exitcode}"
            if told:
                self.close()
                raise RuntimeError(f"a process of this Vector has failed: {told}")

    @property
    def now(self) -> Moments:
        """What stands in every game now; arrays of one's own, which no step changes."""
        return Moments._make(array.copy() for array in self._now)

    def ends(self, place: int) -> NDArray[np.float32]:
        """Return what each seat saw when the last game at this place ended or was cut; 0 before there was one.

        Who learns from a game that was cut goes on from there: it is not over for a reason of its own.
        """
        if self._closed:
            raise ValueError("this Vector is closed")
        place = range(self.n)[place]
        if self._share is not None:
            return self._share.end(place)
        process, pipe = self._workers[bisect_right(self._bounds, place) - 1]
        try:
            pipe.send(place)
            return cast("NDArray[np.float32]", pipe.recv())
        except (EOFError, ConnectionError):
            self.close()
            raise RuntimeError(f"a process of this Vector has failed: it ended with {process.exitcode}") from None

    def step(self, indices: ArrayLike) -> Moments:
        """Say an index in every game; if a mask does not admit one, nothing changes."""
        if self._closed:
            raise ValueError("this Vector is closed")
        said = np.asarray(indices)
        if said.shape != (self.n,) or not np.issubdtype(said.dtype, np.integer):
            raise ValueError(f"step takes {self.n} whole numbers, not {said.dtype} of the shape {said.shape}")
        known = (said >= 0) & (said < self.space.size)
        legal = known & self._now.masks[np.arange(self.n), np.where(known, said, 0)]
        if not legal.all():
            game = int(legal.argmin())
            name = self.space.name(int(said[game])) if known[game] else "no action"
            raise ValueError(f"game {game}: seat {self._now.seats[game]} may not say {said[game]} now ({name})")
        self._said[:] = said
        if self._share is not None:
            self._share.step()
        else:
            for _, pipe in self._workers:
                with suppress(BrokenPipeError):  # `_await` says why
                    pipe.send(_STEP)
            self._await()
        return self.now

    def close(self) -> None:
        """End the processes, if there are any."""
        self._closed = True
        for _, pipe in self._workers:
            with suppress(OSError):
                pipe.send(_STOP)
            pipe.close()
        for process, _ in self._workers:
            process.join(PATIENCE_S)
            if process.is_alive():
                process.terminate()
                process.join()
        self._workers = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_workers", None):
            self.close()


class _Share:
    """Some of the games, in one process: they write into the arrays at their own places."""

    def __init__(
        self,
        terms: Terms,
        seed: int | str,
        places: range,
        now: Moments,
        said: NDArray[np.int64],
        *,
        belief: bool,
    ) -> None:
        self.terms = terms
        self.seed = seed
        self.places = places
        self.now = now
        self.said = said
        self.belief = belief
        self.begun = dict.fromkeys(places, 0)
        """How many games have begun at each place."""
        self.episodes: dict[int, Episode] = {}
        self.over: dict[int, Episode] = {}
        """The last one that has ended at each place: few ask what was seen then, and to write it down takes long."""

    def begin(self) -> None:
        for place in self.places:
            self.episodes[place] = episode = self._next(place)
            self._write(place, episode)

    def _next(self, place: int) -> Episode:
        """Open the next game of a place: which one it is, follows from the seed, the place and how many there were."""
        nth = self.begun[place]
        self.begun[place] = nth + 1
        return self.terms.begin(f"{self.seed}, place {place}, game {nth}")

    def step(self) -> None:
        now, said = self.now, self.said
        now.rewards[self.places.start : self.places.stop] = 0
        for place in self.places:
            episode = self.episodes[place].step(int(said[place]))
            if over := episode.seat is None:
                now.rewards[place] = episode.payoffs()
                now.cut[place] = episode.cut
                self.over[place] = episode
                episode = self._next(place)
            else:
                now.cut[place] = False
            now.done[place] = over
            self.episodes[place] = episode
            self._write(place, episode)

    def end(self, place: int) -> NDArray[np.float32]:
        """Return what each seat saw when the last game here ended."""
        terms, episode = self.terms, self.over.get(place)
        if episode is None:
            return np.zeros((terms.seats, len(terms.names)), np.float32)
        return np.stack([terms.observe(episode, seat, belief=self.belief) for seat in range(terms.seats)])

    def _write(self, place: int, episode: Episode) -> None:
        now, seat = self.now, episode.seat
        assert seat is not None
        now.seats[place] = seat
        now.observations[place] = self.terms.observe(episode, seat, belief=self.belief)
        now.masks[place] = episode.mask()


_Kinds = Sequence[tuple[Any, tuple[int, ...]]]


def _kinds(n: int, seats: int, seen: int, actions: int) -> _Kinds:
    """Return the type and the shape of each array: those of Moments, and what is said."""
    flag = np.bool_, (n,)
    return (
        (np.int32, (n,)),
        (np.float32, (n, seen)),
        (np.bool_, (n, actions)),
        (np.float32, (n, seats)),
        flag,
        flag,
        (np.int64, (n,)),
    )


def _moments(n: int, seats: int, seen: int, actions: int) -> Moments:
    return Moments._make(np.zeros(shape, kind) for kind, shape in _kinds(n, seats, seen, actions)[:-1])


def _arrays(memory: Sequence[Any], kinds: _Kinds) -> list[Any]:
    return [np.frombuffer(raw, kind).reshape(shape) for raw, (kind, shape) in zip(memory, kinds, strict=True)]


def _work(pipe: Connection, task: tuple[Any, ...]) -> None:
    """Play a share of the games in a process of its own, by what it is told, until it is to stop or nobody is there."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it ends it
    made_of, seed, places, memory, kinds, belief = task
    *now, said = _arrays(memory, kinds)
    try:
        share = _Share(Terms(*made_of), seed, places, Moments._make(now), said, belief=belief)
        share.begin()
        pipe.send("")
        while (told := pipe.recv()) != _STOP:
            if told == _STEP:
                share.step()
                pipe.send("")
            else:
                pipe.send(share.end(told))
    except (EOFError, ConnectionError):  # nobody is there any more
        return
    except Exception as error:
        with suppress(OSError):
            pipe.send(f"{type(error).__name__}: {error}")
        raise
