"""What browsers other than Chromium make of the house: a tour of everything in each of them.

WHODUNIT_TOUR=folder keeps a picture of every stop.
"""

import os
from pathlib import Path

import pytest

from tests.browser.abroad import Tourist, tour
from tests.browser.driven import BROWSERS, driven
from tests.browser.house import House


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.parametrize("which", BROWSERS)
def test_a_tour_of_the_house_shows_nothing_wrong(which: str) -> None:
    kept = os.environ.get("WHODUNIT_TOUR")
    # Unhurried, as for anybody: cubes are to be heard one after another.
    with House(haste=1.0) as house, driven(which) as (browser, speaker):
        me = Tourist(house, browser, speaker, Path(kept) if kept else None)
        tour(me)

    assert me.faults == []
