"""Section 3.7: the action "cover tracks"."""

import pytest

from tests.games.arosa.staging import BLUE, YELLOW, refused, stage
from whodunit.games.arosa.model import (
    Arranging,
    CluesTakenBack,
    CoveringAnnounced,
    CoverTracks,
    Exposed,
    OrderAwaited,
    ReturnAwaited,
    Suspect,
    TakeBack,
    TakingBack,
    TurnBegan,
)

pytestmark = pytest.mark.rules


def test_covering_tracks() -> None:
    """AROSA-E7, AROSA-55, 57, 58: none, one or two come back; two stands first; the hotel keeps its cubes."""
    for count in (0, 1, 2):
        game = stage({6: "3 yellow blue"}, sheet={6: "2 yellow", 2: "yellow"})
        assert game.state.supplies[YELLOW] == 14
        game.play(YELLOW, CoverTracks(6))
        assert game.kinds() == [CoveringAnnounced, Exposed, ReturnAwaited]
        assert game.state.phase == TakingBack(floor=6, most=2, arrange=False)
        (offer,) = game.offers(YELLOW)
        assert list(offer.actions()) == [TakeBack(2), TakeBack(1), TakeBack(0)]
        assert refused(game, YELLOW, TakeBack(3))
        assert refused(game, BLUE, TakeBack(1))
        game.play(YELLOW, TakeBack(count))
        assert game.of(CluesTakenBack) == [CluesTakenBack(seat=YELLOW, floor=6, count=count)]
        assert game.state.supplies[YELLOW] == 14 + count
        assert game.on_sheet(6)[YELLOW] == 2 - count
        assert game.on_sheet(2)[YELLOW] == 1
        assert sorted(game.dropped("back")) == ["blue", "yellow", "yellow", "yellow"]
        assert game.dropped("penalty") == []


def test_a_floor_without_ones_own_clue_on_the_sheet() -> None:
    """AROSA-E8, AROSA-54, 57: any floor may be opened; nothing comes back, and there is no penalty."""
    game = stage({6: "yellow"}, sheet={2: "yellow"}).play(YELLOW, CoverTracks(6))

    assert game.of(ReturnAwaited) == []
    assert game.state.sheet[2][YELLOW] == 1
    assert game.dropped() == ["yellow"]
    assert game.dropped("penalty") == []


def test_a_floor_without_ones_own_clue_in_the_hotel() -> None:
    """AROSA-E9, AROSA-57: one penalty."""
    game = stage({2: "blue"}, sheet={2: "yellow"}).play(YELLOW, CoverTracks(2))

    assert game.on_sheet(2)[YELLOW] == 1
    assert game.dropped() == ["blue", "yellow"]
    assert game.dropped("penalty") == ["yellow"]
    assert game.last[-1] == TurnBegan(seat=BLUE, act=2)


def test_there_must_be_something_to_cover() -> None:
    """AROSA-E10, AROSA-53: somewhere on the sheet, unless the house allows it."""
    assert refused(stage(), YELLOW, CoverTracks(2))
    assert refused(stage(sheet={2: "blue"}), YELLOW, CoverTracks(2))
    assert stage(sheet={5: "yellow"}).can(YELLOW, CoverTracks(2))
    game = stage({2: "yellow"}, cover_needs_clue_on_sheet=False).play(YELLOW, CoverTracks(2))
    assert game.dropped() == ["yellow"]


def test_only_ones_own_clues_come_back() -> None:
    """AROSA-56: and only from the space of the open floor."""
    game = stage({6: "3 yellow"}, sheet={6: "yellow 3 blue", 2: "2 yellow"}).play(YELLOW, CoverTracks(6))

    assert game.state.phase == TakingBack(floor=6, most=1, arrange=False)
    game.play(YELLOW, TakeBack(1))
    assert game.on_sheet(6) == (0, 3, 0, 0)
    assert game.on_sheet(2) == (2, 0, 0, 0)


def test_the_announcement_binds() -> None:
    """AROSA-41: who covers tracks accuses nobody."""
    game = stage({6: "yellow 2 blue"}, sheet={6: "yellow"}).play(YELLOW, CoverTracks(6))

    assert game.last[0] == CoveringAnnounced(seat=YELLOW, floor=6)
    assert refused(game, YELLOW, Suspect((BLUE,), 6))
    game.play(YELLOW, TakeBack(0))
    assert game.on_sheet(6) == (1, 0, 0, 0)


def test_first_what_comes_back_then_the_order() -> None:
    """AROSA-24, 55."""
    game = stage({6: "yellow 2 blue"}, sheet={6: "yellow"}).play(YELLOW, CoverTracks(6, arrange=True))

    assert game.state.phase == TakingBack(floor=6, most=1, arrange=True)
    game.play(YELLOW, TakeBack(1))
    assert game.kinds() == [CluesTakenBack, OrderAwaited]
    assert game.state.phase == Arranging(penalty=0, penalty_first=False)
