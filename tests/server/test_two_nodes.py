"""Real processes on one database, two at once or killed: every acknowledged move exactly once, no table stuck.

A few games and kills in every run of the tests; `./run soak` has more of both, and real cubes among them.
"""

import sys
from pathlib import Path

import pytest

from whodunit.bench.server import kill, nodes
from whodunit.bench.server.people import Lost, Promises, Refused
from whodunit.games import get
from whodunit.games.clue.facts import Card
from whodunit.games.clue.model import Show

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows neither forks nor kills")


def test_games_on_two_nodes_of_which_one_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "PHYSICS", 0)  # real cubes take their time to fall
    monkeypatch.setattr(nodes, "BRISK", 0.01)  # and bots theirs

    two_nodes(8, 1)


@pytest.mark.soak
def test_fifty_games_on_two_nodes_of_which_each_is_killed_once() -> None:
    two_nodes(50, 2)


def two_nodes(games: int, kills: int) -> None:
    done = nodes.play(games, kills, durable=False)

    assert done.faults == []
    assert (done.games, done.kills) == (games, kills)
    assert done.moves > games * 10
    assert done.chosen > 0  # and stand in the record as they were chosen


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "whodunit.sqlite")
    where: str = request.getfixturevalue("database")
    return where


def test_a_server_that_is_killed_twice_loses_nothing(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kill, "TABLES", 3)  # one of each game
    monkeypatch.setattr(kill, "HASTE", 0.03)

    killed(store, 2)


@pytest.mark.soak
def test_a_server_that_is_killed_again_and_again_loses_nothing(store: str) -> None:
    killed(store, 5)


def killed(store: str, kills: int) -> None:
    done = kill.kill(store, kills, 1.5)

    assert done.faults == []
    assert done.kills == kills
    assert done.games >= kill.TABLES
    assert done.pending > 0  # and they came: no game was stuck
    assert done.chosen > 0


# --- What is compared ------------------------------------------------------------------------------------------------

ROPE, HALL = {"type": "Show", "card": "Rope"}, {"type": "Show", "card": "Hall"}


def stands(promises: Promises, *given: tuple[int, Card], waited: int = 9) -> bool:
    return not promises.broken([(seq, Show(card=card)) for seq, card in given], get("clue"), waited)


def test_an_answer_must_stand_as_it_was_chosen() -> None:
    promises = Promises()
    promises.shown(4, HALL)
    promises.chose(4, [(ROPE, None)])

    assert stands(promises, (2, "Hall"), (5, "Rope"), (9, "Hall"))
    assert not stands(promises, (5, "Hall"))
    assert not stands(promises, (2, "Rope"))
    assert not stands(promises)


def test_an_answer_need_not_be_given_to_a_game_that_was_ended_before() -> None:
    promises = Promises()
    promises.chose(4, [(ROPE, None)])

    assert stands(promises, waited=4)
    assert not stands(promises, waited=5)  # somebody went on without it
    assert not stands(promises, (5, "Hall"), waited=4)


def test_what_the_house_chose_counts_until_the_player_chooses() -> None:
    promises = Promises()
    promises.shown(4, HALL)
    promises.chose(4, [(ROPE, Refused("late"))])

    assert stands(promises, (5, "Hall"))
    assert not stands(promises, (5, "Rope"))


def test_a_choice_that_was_not_answered_may_have_been_kept() -> None:
    promises = Promises()
    promises.shown(4, HALL)
    promises.chose(4, [(ROPE, Lost())])
    assert stands(promises, (5, "Hall"))
    assert stands(promises, (5, "Rope"))

    promises.chose(4, [(HALL, None)])
    assert not stands(promises, (5, "Rope"))
