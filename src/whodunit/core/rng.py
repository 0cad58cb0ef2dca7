"""Random draws, each with a label, so that adding or moving one never changes another."""

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256, shake_256
from itertools import chain, count
from math import factorial
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct

from whodunit.core.types import Frozen

T = TypeVar("T")

Result: TypeAlias = int | str | tuple[int, ...]

_WORD = 1 << 64
_FOUR_WORDS = struct.Struct(">4Q")
_FIRST_WORD = struct.Struct(">Q")
_MANY_WORDS = struct.Struct(">64Q")
_SMALL = 1 << 32
_SURELY_FAIR = _WORD - _SMALL
"""Below this no word favours any number of a small range: nearly always this is all there is to check."""


class Draw(Frozen, Struct, frozen=True, gc=False):
    """One draw: its label, its kind, its range, and what came out."""

    label: str
    kind: str
    range: int
    result: Result


class Rng:
    """The draws of one batch: the stream of a label is HMAC-SHA256 over (seq, label), keyed with the seed."""

    __slots__ = ("draws", "seed", "seq")

    script: Any = None
    """What a scripted simulation is to do: a test brings it along with its stacked draws, nobody else has one."""

    def __init__(self, seed: bytes, seq: int) -> None:
        self.seed = seed
        self.seq = seq
        self.draws: list[Draw] = []

    def below(self, label: str, bound: int) -> int:
        """Draw a number from 0 to bound - 1, each equally likely."""
        if self.draws:
            self._check_new(label)
        result: int = self.result(label, "below", bound)  # type: ignore[assignment]  # `below` gives an int
        self.draws.append(Draw(label, "below", bound, result))
        return result

    def shuffled(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in a drawn order, each order equally likely."""
        order: tuple[int, ...] = self._drawn(label, "shuffled", len(items))  # type: ignore[assignment]  # indices
        return tuple([items[index] for index in order])

    def token(self, label: str) -> str:
        """Draw an unguessable id of 128 bits, in hexadecimal."""
        return self._drawn(label, "token", 128)  # type: ignore[return-value]  # `token` gives a str

    def result(self, label: str, kind: str, bound: int) -> Result:
        """Return what this draw gives, whether or not it has been made: what a verifier recomputes."""
        if kind == "below":
            if bound == 1:
                return 0
            # Nearly every draw needs the first word alone, so it is tried before a stream is set up for more.
            word: int = _FIRST_WORD.unpack_from(_mac(self.seed)(f"{self.seq}|0|{label}".encode()))[0]
            if 0 < bound <= _SMALL and word < _SURELY_FAIR:
                return word % bound
            if _SMALL < bound <= _WORD and word < _fair(_WORD, bound):
                return word % bound
            return below(self.words(label), bound)
        if kind == "shuffled":
            return _order(self.words(label), bound)
        if kind == "token":
            return _mac(self.seed)(f"{self.seq}|0|{label}".encode())[:16].hex()
        raise ValueError(f"unknown kind of draw: {kind!r}")

    def _drawn(self, label: str, kind: str, bound: int) -> Result:
        self._check_new(label)
        result = self.result(label, kind, bound)
        self.draws.append(Draw(label, kind, bound, result))
        return result

    def _check_new(self, label: str) -> None:
        for draw in self.draws:
            if draw.label == label:
                raise ValueError(f"the label {label!r} has been drawn already in this batch")

    def words(self, label: str) -> Iterator[int]:
        """Yield the label's stream, 64 bits at a time, unrecorded: for whoever draws by the hundred, as bots do."""
        return chain.from_iterable(self._blocks(label))

    def _blocks(self, label: str) -> Iterator[tuple[int, ...]]:
        mac, unpack, seq = _mac(self.seed), _FOUR_WORDS.unpack, self.seq
        for block in count():
            yield unpack(mac(f"{seq}|{block}|{label}".encode()))


class Unrecorded(Rng):
    """The same draws as an Rng's, with no record of them: whoever draws a label twice is not told."""

    __slots__ = ()

    def __init__(self, seed: bytes, seq: int) -> None:  # as an Rng's, without its list
        self.seed = seed
        self.seq = seq

    def below(self, label: str, bound: int) -> int:
        """Draw a number from 0 to bound - 1, each equally likely."""
        if 1 < bound <= _SMALL:  # as `result` does, without the call
            word: int = _FIRST_WORD.unpack_from(_mac(self.seed)(f"{self.seq}|0|{label}".encode()))[0]
            if word < _SURELY_FAIR:
                return word % bound
        return self.result(label, "below", bound)  # type: ignore[return-value]  # `below` gives an int

    def _drawn(self, label: str, kind: str, bound: int) -> Result:
        return self.result(label, kind, bound)


class Stream(Rng):
    """Draws for a player's own choices: one after another from a single stream, labels and records aside.

    Nobody looks one of them up, so they need no HMAC each: SHAKE-256 gives many at once, at an eighth of the cost.
    """

    __slots__ = ("_next", "_words")

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed, 0)
        self._words = chain.from_iterable(_squeezed(seed))
        self._next = self._words.__next__

    def words(self, label: str) -> Iterator[int]:  # noqa: ARG002  (an Rng's)
        """Return the stream itself: whoever draws from it moves it on."""
        return self._words

    def below(self, label: str, bound: int) -> int:  # noqa: ARG002  (an Rng's)
        """Draw a number from 0 to bound - 1, each equally likely."""
        if bound == 1:
            return 0
        if not 0 < bound <= _SMALL:
            return below(self._words, bound)
        word = self._next()  # as `below` draws, without the call: a player draws twice for every decision
        return word % bound if word < _SURELY_FAIR else below(chain((word,), self._words), bound)

    def shuffled(self, label: str, items: Sequence[T]) -> tuple[T, ...]:  # noqa: ARG002  (an Rng's)
        """Return the items in a drawn order, each order equally likely."""
        return tuple([items[index] for index in _order(self._words, len(items))])

    def token(self, label: str) -> str:  # noqa: ARG002  (an Rng's)
        """Draw an id of 128 bits, in hexadecimal."""
        return f"{self._next():016x}{self._next():016x}"


def _squeezed(seed: bytes) -> Iterator[tuple[int, ...]]:
    for block in count():
        yield _MANY_WORDS.unpack(shake_256(block.to_bytes(8, "big") + seed).digest(_MANY_WORDS.size))


class StackedRng(Rng):
    """An Rng whose draws are given by label where a test or a rerun wants them; the rest are drawn as ever."""

    __slots__ = ("script", "stack")

    def __init__(self, seed: bytes, seq: int, stack: Mapping[str, Result], script: Any = None) -> None:
        super().__init__(seed, seq)
        self.stack = stack
        self.script = script

    def result(self, label: str, kind: str, bound: int) -> Result:
        """Return the stacked result if there is one, after checking that the draw could have given it."""
        if label not in self.stack:
            return super().result(label, kind, bound)
        result = self.stack[label]
        possible = {
            "below": lambda: isinstance(result, int) and 0 <= result < bound,
            "shuffled": lambda: isinstance(result, tuple) and sorted(result) == list(range(bound)),
            "token": lambda: isinstance(result, str),
        }
        if not possible[kind]():
            raise ValueError(f"the draw {label!r} ({kind} {bound}) cannot give {result!r}")
        return result


class Undrawn(Exception):
    """A probe was asked for more than was given: for one of `bound` numbers, each as likely as any other."""

    def __init__(self, label: str, bound: int) -> None:
        self.label = label
        self.bound = bound
        super().__init__(f"{label!r} is one of {bound} numbers, and was not given")


class Probe(Rng):
    """Draws that are given, one number after another; at the first that is not, it raises Undrawn, which says of what.

    So chance becomes explicit: begin with nothing given, and go on with every number below the bound. A shuffled order
    is asked for step by step, which place goes last, next to last and so on, as an Rng fills it. Where only one number
    is possible, none is asked for. A token is one and the same in every probe, for no rule looks at one.
    """

    __slots__ = ("_given", "most")

    def __init__(self, given: Sequence[int], most: int | None = None) -> None:
        super().__init__(b"probe", 0)
        self._given = iter(given)
        self.most = most
        """So many results of one draw there may be, if it matters: of one with more, Undrawn is raised at once."""

    def result(self, label: str, kind: str, bound: int) -> Result:
        """Return the next that was given."""
        if kind == "below":
            return self._number(label, bound)
        if kind == "shuffled":
            if self.most is not None and factorial(bound) > self.most:
                raise Undrawn(label, factorial(bound))
            return _order(self._steps(label, bound), bound)
        return super().result(label, kind, bound)

    def words(self, label: str) -> Iterator[int]:
        """Refuse: what is drawn by the hundred cannot be gone through."""
        raise ValueError(f"{label!r} is drawn from a stream of words, and no probe can go through that")

    def _steps(self, label: str, size: int) -> Iterator[int]:
        for last in range(size - 1, 0, -1):
            yield self._number(f"{label}, place {last}", last + 1)

    def _number(self, label: str, bound: int) -> int:
        if bound == 1:
            return 0
        number = next(self._given, None)
        if number is None or (self.most is not None and bound > self.most):
            raise Undrawn(label, bound)
        if not 0 <= number < bound:
            raise ValueError(f"the draw {label!r} (below {bound}) cannot give {number!r}")
        return number


_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))


@lru_cache(maxsize=1024)
def _mac(seed: bytes) -> Callable[[bytes], bytes]:
    """Return HMAC-SHA256 under this key, taken in once: `hmac.digest` does so for every block, at twice the cost."""
    key = (seed if len(seed) <= 64 else sha256(seed).digest()).ljust(64, b"\0")
    inner, outer = sha256(key.translate(_INNER)), sha256(key.translate(_OUTER))

    def mac(message: bytes) -> bytes:
        first, second = inner.copy(), outer.copy()
        first.update(message)
        second.update(first.digest())
        return second.digest()

    return mac


def below(words: Iterator[int], bound: int) -> int:
    """Draw a number from 0 to bound - 1, each equally likely, from as many words as it takes."""
    if 0 < bound <= _SMALL:  # nearly always
        word = next(words)
        while word >= _SURELY_FAIR and word >= _fair(_WORD, bound):
            word = next(words)
        return word % bound
    if bound < 1:
        raise ValueError(f"a range of {bound} cannot be drawn from")
    size = ((bound - 1).bit_length() + 63) // 64
    fair = _fair(_WORD**size, bound)
    while True:
        number = next(words)
        for _ in range(size - 1):
            number = number << 64 | next(words)
        if number < fair:
            return number % bound


def _fair(span: int, bound: int) -> int:
    """Return where the numbers below `span` end that favour none: from there on one draws again."""
    return span - span % bound


def _order(words: Iterator[int], size: int) -> tuple[int, ...]:
    order = list(range(size))
    # As `below` draws, without a call for each: decks are shuffled by the thousand. No word is taken beyond the last.
    for last, word in zip(range(size - 1, 0, -1), words, strict=False):
        other = word % (last + 1) if word < _SURELY_FAIR else below(chain((word,), words), last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)
