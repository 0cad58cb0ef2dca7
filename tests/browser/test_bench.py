"""`bench client` runs to its end: what it measures is no test's business, that it measures everything is.

It is a whole benchmark with servers and a browser of its own, so `./run soak` runs it.
"""

import json
import subprocess
import sys

import pytest

from whodunit import games
from whodunit.bench.client import solo
from whodunit.bench.client.main import LABELS

GAME = "crime_hotel"
COMMAND = ("bench", "client", "--json", "--game", GAME, "--visits", "1", "--moves", "1", "--waits", "1")


@pytest.mark.soak
def test_the_client_s_bench_measures_everything_that_it_names() -> None:
    command = [sys.executable, "-m", "whodunit.cli", *COMMAND]
    figures = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)

    others = {f"{figure}_{game}" for figure in ("js_kb", "script_ms") for game in games.ids() if game != GAME}
    assert set(figures) == set(LABELS) - others | {f"solo_wait_s_{pace}.{GAME}" for pace in solo.WAITS}
    assert all(figures[f"solo_wait_s_{pace}.{GAME}"] > 0 for pace in solo.WAITS)
    assert all(isinstance(figure, int | float) for figure in figures.values())
    assert figures["js_kb_first_visit"] > figures["js_kb_front"] > 0
    assert figures["missing_translations"] == figures["axe_violations"] == 0
