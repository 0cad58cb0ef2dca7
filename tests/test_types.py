"""What a type checker knows of a game's view. `./run check` has mypy read this file; here it is run besides."""

from typing import Any, assert_type, get_args, get_overloads, get_type_hints

import whodunit
from whodunit import games
from whodunit.games.arosa.model import State as ArosaState
from whodunit.games.clue.model import State as ClueState
from whodunit.games.crime_hotel.model import State as CrimeHotelState
from whodunit.games.perfect_alibi.model import State as PerfectAlibiState


def test_a_view_of_our_games_is_of_the_type_that_the_checker_takes_it_for() -> None:
    clue = whodunit.new_game("clue", seats=3, seed=1)
    alibi = whodunit.new_game("perfect_alibi", seats=3, seed=1)
    hotel = whodunit.new_game("crime_hotel", seats=3, seed=1)
    arosa = whodunit.new_game("arosa", seats=3, seed=1, tower="surrogate")

    assert isinstance(assert_type(whodunit.view(clue, 0), ClueState), ClueState)
    assert isinstance(assert_type(whodunit.view(alibi, 0), PerfectAlibiState), PerfectAlibiState)
    assert isinstance(assert_type(whodunit.view(hotel), CrimeHotelState), CrimeHotelState)
    assert isinstance(assert_type(whodunit.view(arosa), ArosaState), ArosaState)


def test_the_type_stays_from_step_to_step() -> None:
    game = whodunit.new_game("clue", seats=2, seed=1)
    seat = game.awaiting[0]
    later = whodunit.step(game, seat, whodunit.legal(game, seat)[0].at(0))

    assert assert_type(whodunit.view(later.step(seat, whodunit.legal(later, seat)[0].at(0)).close()), ClueState).turn
    # Were it Any, nothing would be wrong here, and mypy would complain that this line ignores nothing.
    assert not hasattr(whodunit.view(later), "envelop") or whodunit.view(later).envelop  # type: ignore[attr-defined]


def test_a_game_that_is_known_by_its_id_alone_gives_any() -> None:
    for id in ("clue", "arosa"):
        assert_type(whodunit.view(whodunit.new_game(id, 2, 1, **games.get(id).INFO.bulk)), Any)


def test_every_game_of_ours_has_its_type() -> None:
    ids = [get_args(kind)[0] for each in get_overloads(whodunit.new_game) if get_args(kind := _id(each))]

    assert sorted(ids) == sorted(id for id, entry in games.registered().items() if entry.is_ours)


def _id(overload: Any) -> Any:
    return get_type_hints(overload, vars(whodunit) | {f"{name}State": Any for name in _STATES})["id"]


_STATES = ("Clue", "PerfectAlibi", "CrimeHotel", "Arosa")
