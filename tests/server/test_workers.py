"""Processes that think: moves come first."""

import os

from whodunit.server.workers import THINKING, _lane

LOWEST = 19


def test_a_thought_gives_way_to_a_move() -> None:
    with _lane() as lane:
        theirs = lane.submit(os.getpriority, os.PRIO_PROCESS, 0).result()
    ours = os.getpriority(os.PRIO_PROCESS, 0)
    assert theirs == min(ours + THINKING, LOWEST)
    assert theirs > ours or ours == LOWEST
