"""A light game goes as a case does: with the same seed and actions nobody could tell them apart but by the record."""

import copy
import pickle
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

import whodunit
from tests.plugs import plug_of
from whodunit import TABLE, Case, Illegal, Light, Offer, Stream, games, light_of
from whodunit.conformance.settings import corners
from whodunit.core.redact import redact
from whodunit.core.types import Action, Seat

OURS = [id for id, entry in games.registered().items() if entry.is_ours]
SHORT, LONG = 12, 400
"""So many decisions of a game are compared: of each with an unusual option, and of one at each number of seats."""


def opened(id: str, seats: int, seed: int = 7, **options: Any) -> tuple[Case, Light]:
    options |= games.get(id).INFO.bulk
    return whodunit.new_game(id, seats, seed, **options), whodunit.light_game(id, seats, seed, **options)


def undated(offers: tuple[Offer, ...]) -> list[Offer]:
    return [replace(offer, since=0) for offer in offers]


def anything(light: Light, rng: Stream, left: int) -> tuple[Seat, Action]:
    """Choose who does what: now and then an interrupt, and a final guess only when the time is up."""

    def calm(seat: Seat) -> list[Offer]:
        return [offer for offer in light.legal(seat) if offer.action not in light.game.INFO.final or left <= 0]

    willing = [seat for seat in (*range(light.seats), TABLE) if calm(seat)]
    seat = willing[rng.below("who", len(willing))] if willing and rng.below("any", 4) == 0 else light.awaiting[0]
    offers = calm(seat) or light.legal(seat)
    return seat, offers[rng.below("offer", len(offers))].sample(rng)


def compared(case: Case, light: Light, viewer: Seat) -> None:
    assert light.state == case.table.state
    assert light.seq == case.table.seq
    assert light.awaiting == case.awaiting
    assert light.outcome == case.outcome
    assert whodunit.view(light, viewer) == whodunit.view(case, viewer)
    assert light.view(viewer) == case.table.views[viewer]
    for seat in (TABLE, *range(light.seats)):
        assert [*light.legal(seat)] == undated(case.legal(seat))


def side_by_side(case: Case, light: Light, most: int, patience: int = LONG) -> Iterator[tuple[Case, Light]]:
    """Play both, and look at one viewer's view at a time: the others have more to catch up with.

    After so many decisions as patience lasts everybody guesses.
    """
    rng, viewers = Stream(b"side by side"), (TABLE, *range(light.seats))
    for number in range(most):
        compared(case, light, viewers[rng.below("viewer", len(viewers))])
        yield case, light
        if light.outcome is not None:
            break
        seat, action = anything(light, rng, patience - number)
        case, light = whodunit.step(case, seat, action), whodunit.step(light, seat, action)


@pytest.mark.parametrize("id", OURS)
def test_whole_games_go_alike_at_every_number_of_seats(id: str) -> None:
    least, most = games.get(id).INFO.seats
    ended = 0
    for seats in range(least, most + 1):
        case, light = [*side_by_side(*opened(id, seats), LONG, LONG // 2)][-1]
        ended += light.outcome is not None
        assert light.events == case.events
        for viewer in (TABLE, *range(seats)):
            assert light.seen(viewer) == tuple(redact(event, viewer) for event in case.events)
            assert light.view(viewer) == case.table.views[viewer]
    assert ended > 0


@pytest.mark.parametrize("id", OURS)
def test_games_go_alike_with_every_option(id: str) -> None:
    info, plug = games.get(id).INFO, plug_of(id)
    unusual = {(each.seats, *map(str, each.options.items())): each for each in corners(info, plug)}
    for setting in unusual.values():
        played = [*side_by_side(*opened(id, setting.seats, setting.seed, **setting.options), SHORT)]
        assert len(played) > 1


@pytest.mark.parametrize("id", OURS)
def test_what_a_player_is_told_is_the_same(id: str) -> None:
    case, light = [*side_by_side(*opened(id, 3), 30)][-1]
    news = case.batches[-1]
    for viewer in (TABLE, 0, 1, 2):
        told, due = light.update(viewer, news.seq - 1), case.table.update(viewer, news.events)
        assert replace(told, offers=()) == replace(due, offers=())
        assert [*told.offers] == undated(due.offers)
        assert light.news(viewer, light.seq) == ()


@pytest.mark.parametrize("id", OURS)
def test_a_light_game_can_be_made_of_what_has_happened(id: str) -> None:
    case, light = [*side_by_side(*opened(id, 3), 10)][-1]
    again = light_of(id, 3, 7, case.events)

    assert again == light
    assert len([*side_by_side(case, again, 10)]) == 10  # it draws as the case does


def test_games_that_part_do_not_meet_again() -> None:
    _, light = [*side_by_side(*opened("clue", 3), 20)][-1]
    seat = light.awaiting[0]
    before = light.events, light.view(1), light.legal(seat)
    actions = [action for offer in light.legal(seat) for action in offer.actions()][:2]
    first, second = (light.step(seat, action) for action in actions)

    assert first != second
    assert first.view(1) != second.view(1)
    assert first.events[: light.seq] == second.events[: light.seq] == light.events
    assert (light.events, light.view(1), light.legal(seat)) == before
    assert light.step(seat, actions[0]) == first
    assert hash(light.step(seat, actions[0])) == hash(first)


def test_it_can_be_copied_for_nothing_and_pickled() -> None:
    _, light = [*side_by_side(*opened("perfect_alibi", 3), 40)][-1]
    again = pickle.loads(pickle.dumps(light))  # noqa: S301  (our own)

    assert copy.copy(light) is copy.deepcopy(light) is light
    assert again == light
    assert again is not light
    assert again.view(2) == light.view(2)
    seat, action = anything(light, Stream(b"on"), 1)
    assert again.step(seat, action).events == light.step(seat, action).events
    assert repr(light) == f"Light('perfect_alibi', seats=3, seq={light.seq})"


def test_a_case_is_copied_for_nothing_with_all_that_is_in_it() -> None:
    case, _ = [*side_by_side(*opened("clue", 3), 10)][-1]

    for value in (case, case.table, case.events[0], case.batches[-1], case.legal(case.awaiting[0])[0]):
        assert copy.deepcopy(value) is value


def test_what_nobody_may_do_is_refused_and_changes_nothing() -> None:
    case, light = opened("clue", 2)
    seat = light.awaiting[0]
    action = light.legal(seat)[0].at(0)
    with pytest.raises(Illegal) as refused:
        light.step(1 - seat, action)
    with pytest.raises(Illegal) as also:
        case.step(1 - seat, action)

    assert str(refused.value) == str(also.value)
    assert light.events == case.events
    for nobody in (2, -2):
        assert light.legal(nobody) == ()
        with pytest.raises(ValueError, match=f"there is no seat {nobody} at a table of 2"):
            light.view(nobody)
        with pytest.raises(ValueError, match=f"there is no seat {nobody} at a table of 2"):
            light.seen(nobody)


def test_after_the_end_everybody_sees_everything() -> None:
    case, light = [*side_by_side(*opened("clue", 2, max_turns=2), LONG)][-1]

    assert light.outcome is not None
    assert whodunit.view(light, 0) == whodunit.view(case, 0) == light.state
    assert light.view(0) != light.state
