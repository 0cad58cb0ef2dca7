"""Indices and numbers mean what they meant; whoever changes them raises the version."""

from hashlib import sha256

import pytest

from tests.plugs import plug_of
from whodunit import TABLE, games
from whodunit.conformance.settings import corners
from whodunit.env import TURNS, VERSION, ActionSpace, Observer

MEANT = {
    0: {
        "arosa": "3da218e6c9db3ba4",
        "clue": "71d3f351db394bd8",
        "crime_hotel": "848bb757efdbf199",
        "perfect_alibi": "e238484378b6c488",
    },
}
"""By version and game, a digest of every name of an index and of a number, with every option and number of seats."""


@pytest.mark.parametrize("id", [id for id, entry in games.registered().items() if entry.is_ours])
def test_what_is_trained_today_is_of_use_tomorrow(id: str) -> None:
    info = games.get(id).INFO
    named = sha256()
    for setting in corners(info, plug_of(id)):
        options = info.parse(setting.seats, setting.options)
        space = ActionSpace(id, setting.seats, options, TURNS)
        named.update("\n".join(map(space.name, range(space.size))).encode())
        for seat in (TABLE, 0):
            named.update("\n".join(Observer(id, setting.seats, options, seat).names).encode())

    assert MEANT[VERSION][id] == named.hexdigest()[:16], (
        "indices or numbers mean something else: raise whodunit.env.VERSION"
    )
