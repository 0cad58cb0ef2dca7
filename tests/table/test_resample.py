"""A whole game made of what one seat has seen: the same to that seat, whole for everybody, and it goes on."""

from collections.abc import Sequence
from typing import Any

import pytest

import whodunit
from whodunit import Light, Rng, Stream
from whodunit.core.redact import fold, redact
from whodunit.core.types import TABLE
from whodunit.games import get

GAMES = [("clue", 3), ("perfect_alibi", 4), ("crime_hotel", 3), ("arosa", 3)]


def begun(id: str, seats: int, steps: int = 40) -> Light:
    """Play at random for a while, and guess nothing."""
    game, rng = whodunit.light_game(id, seats, 5, **get(id).INFO.bulk), Stream(b"begun")
    for _ in range(steps):
        if game.outcome:
            break
        later, final = game, game.game.INFO.final
        offers = [offer for offer in game.legal(game.awaiting[0]) if offer.action not in final]
        game = game.step(game.awaiting[0], offers[rng.below("offer", len(offers))].sample(rng)) if offers else game
        if game.outcome:
            return later
    return game


def believed(id: str, seat: int, seen: Sequence[Any]) -> Any:
    belief: Any = get(id).belief(seat)
    for event in seen:
        belief = belief.learn(event)
    return belief


@pytest.mark.parametrize(("id", "seats"), GAMES)
def test_the_seat_sees_the_same_and_the_others_see_one_game(id: str, seats: int) -> None:
    game = begun(id, seats)
    for seat in (TABLE, *range(seats)):
        seen = game.seen(seat)
        belief = believed(id, seat, seen)
        made = [whodunit.resample(belief, Stream(b"%d" % number), seen) for number in range(4)]

        assert len({one.state for one in made}) > 1
        for one in made:
            assert one.seen(seat) == seen
            assert one.view(seat) == game.view(seat)
            assert one.legal(seat) == game.legal(seat)
            assert one.awaiting == game.awaiting
            for other in range(seats):
                assert one.view(other) == fold(game.game, [redact(event, other) for event in one.events])
                assert one.seen(TABLE) == game.seen(TABLE)


@pytest.mark.parametrize(("id", "seats"), GAMES)
def test_it_goes_on_to_its_end(id: str, seats: int) -> None:
    game = begun(id, seats, 20)
    made, rng = whodunit.resample(believed(id, 0, game.seen(0)), Stream(b"on"), game.seen(0)), Stream(b"play")
    while made.outcome is None:
        seat = made.awaiting[0]
        offers = made.legal(seat)
        made = made.step(seat, offers[rng.below("offer", len(offers))].sample(rng))

    assert made.seen(0)[: game.seq] == game.seen(0)


def test_the_same_draws_make_the_same_game_and_others_another() -> None:
    game = begun("clue", 3)
    belief, seen = believed("clue", 1, game.seen(1)), game.seen(1)
    made = [whodunit.resample(belief, rng, seen) for rng in (Rng(b"a", 1), Rng(b"a", 1), Rng(b"a", 2))]

    assert made[0] == made[1]
    assert made[0].state != made[2].state
    assert belief.resample(Rng(b"a", 1), seen) == made[0].events


def test_what_cannot_be_made_is_refused() -> None:
    game = begun("clue", 3)
    belief = believed("clue", 1, game.seen(1))

    with pytest.raises(ValueError, match="nothing has been seen yet"):
        whodunit.resample(get("clue").belief(1), Rng(b"", 1), ())
    with pytest.raises(ValueError, match=r"the belief has learned \d+ events, and 5 were seen"):
        whodunit.resample(belief, Rng(b"", 1), game.seen(1)[:5])
    with pytest.raises(TypeError, match=r"the game's belief \(builtins\) lacks `unredact`"):
        whodunit.resample(object(), Rng(b"", 1), game.seen(1))  # type: ignore[arg-type]  # a game's own may lack it


@pytest.mark.parametrize(("id", "seats"), GAMES[:3])  # in Mord im Arosa all see the same, and hear what they hear
def test_what_another_seat_has_seen_is_refused(id: str, seats: int) -> None:
    """It would be told, and not made up."""
    game = begun(id, seats)
    belief, others = believed(id, 0, game.seen(0)), game.seen(1)

    with pytest.raises(ValueError, match="tells what seat 0 may not know, and the belief is that seat's"):
        whodunit.resample(belief, Stream(b"other"), others)
