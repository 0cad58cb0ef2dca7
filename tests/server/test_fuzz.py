"""Five thousand malformed and hostile messages against a real process; `bench server --only fuzz` sends many more."""

import sys

import pytest

from whodunit.bench.server import fuzz

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is weighed as Linux tells it")


def test_hostile_messages_touch_no_table_and_hold_nobody_up() -> None:
    done = fuzz.fuzz(5000)

    assert done.damage == []
    assert done.sent >= 5000
    assert done.honest >= fuzz.TABLES
