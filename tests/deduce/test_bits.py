"""What an observation tells, estimated from imagined worlds."""

import pytest

from whodunit.core.rng import Rng
from whodunit.deduce.bits import bits


def test_information_is_estimated_without_favour_for_many_outcomes() -> None:
    rng = Rng(b"bits", 1)
    words = rng.words("pairs")
    answers = [(next(words) % 6,) for _ in range(400)]
    noise = [next(words) % 8 for _ in range(400)]

    assert bits([answer[0] % 2 for answer in answers], answers) == pytest.approx(1, abs=0.05)
    assert bits(noise, answers) == pytest.approx(0, abs=0.06)
    assert bits([0] * 400, answers) == 0
