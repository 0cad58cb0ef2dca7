"""What browsers other than Chromium make of the house: a tour of everything in each of them.

WHODUNIT_TOUR=folder keeps a picture of every stop.
"""

import os
from pathlib import Path

import pytest

from tests.browser.abroad import Tourist, mute, tour
from tests.browser.driven import BROWSERS, driven, firefox
from tests.browser.house import House

KEPT = os.environ.get("WHODUNIT_TOUR")
PICTURES = Path(KEPT) if KEPT else None

pytestmark = pytest.mark.soak


@pytest.mark.timeout(600)
@pytest.mark.parametrize("which", BROWSERS)
def test_a_tour_of_the_house_shows_nothing_wrong(which: str) -> None:
    # Unhurried, as for anybody: cubes are to be heard one after another.
    with House(haste=1.0) as house, driven(which) as (browser, speaker):
        me = Tourist(house, browser, PICTURES)
        tour(me, speaker)

    assert me.faults == []


def test_without_a_loudspeaker_firefox_is_told_so_and_shows_pictures(tmp_path: Path) -> None:
    nothing = {"HOME": str(tmp_path), "PULSE_SERVER": "unix:/dev/null", "ALSA_CONFIG_PATH": "/dev/null"}
    with House(haste=1.0) as house, firefox(tmp_path, nothing) as browser:
        me = Tourist(house, browser, PICTURES)
        mute(me)

    assert me.faults == []
