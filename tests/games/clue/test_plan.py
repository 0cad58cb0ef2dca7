"""The way to the best questions: what one in each room would tell, and how far it is to go there."""

import pytest

from tests.games.clue.staging import Staged, entered, stage
from tests.games.clue.test_evidence import of
from whodunit.bots import MASTERMIND
from whodunit.core.rng import Rng
from whodunit.core.types import Seat
from whodunit.games.clue.facts import PASSAGES, ROOMS
from whodunit.games.clue.model import Show, Suggest
from whodunit.games.clue.sense import PATIENCE, Plan, on_foot, plan, planned, steps, worth

OWN_ROOMS = "Study Hall Lounge Library BilliardRoom"
"""What seat 0 holds in these games, and one card more."""


def planning(game: Staged, seat: Seat = 0) -> Plan:
    belief = of(game, seat)
    found = plan(game.view(seat), seat, belief, belief.sample(Rng(b"plan", 1), "worlds", 64), MASTERMIND.foresight)
    assert found is not None
    return found


def test_a_question_tells_more_where_the_room_is_not_known() -> None:
    game = stage([f"{OWN_ROOMS} Plum", "Conservatory", "Ballroom Kitchen"], "White Rope DiningRoom")
    found = planning(game)

    assert all(told > 0 for told in found.asking.values())
    assert found.asking["DiningRoom"] > found.asking["Lounge"]
    assert found.asking["Lounge"] == pytest.approx(found.asking["Hall"])  # own rooms: only suspect and weapon count


def test_a_room_shown_before_makes_worse_questions() -> None:
    """Seat 1 answers first, and may show again what is known."""
    game = entered("Lounge", ["Plum", "Lounge", ""]).play(0, Suggest("Plum", "Knife", "Lounge"))
    found = planning(game.play(1, Show("Lounge")).pass_by(1).pass_by(2))

    assert found.asking["Lounge"] == min(found.asking.values())


def test_passages_are_no_walk() -> None:
    assert steps("Lounge")["Conservatory"] == 0
    assert on_foot("Lounge")["Conservatory"] == 27


def test_what_comes_later_counts_less() -> None:
    asking = dict.fromkeys(ROOMS, 0.0) | {"Kitchen": 1.0}
    now, soon, later = (planned(1, asking, 1).beyond[room] for room in ("Kitchen", "Study", "Hall"))

    assert now == 0  # one does not stay
    assert PASSAGES["Study"] == "Kitchen"
    assert soon == PATIENCE
    assert 0 < later < PATIENCE**3
    assert planned(1, asking, 2).beyond["Kitchen"] == pytest.approx(PATIENCE * PATIENCE)
    assert planned(2, asking, 1).beyond["Hall"] > later  # with two dice one is there sooner


def test_a_walk_is_worth_what_it_leads_to() -> None:
    game = stage([f"{OWN_ROOMS} Plum", "", ""], "White Rope DiningRoom", places={"Scarlet": (6, 17)})
    found = planning(game)
    assert worth(game.throw(0, 1).state, 0, found) >= found.entering("Lounge")

    arrived = entered("Lounge").state
    assert worth(arrived, 0, found) == found.entering("Lounge")
    assert worth(arrived, 1, found) == found.walking(arrived.places[1], 0)


def test_only_ways_are_planned() -> None:
    game = entered("Lounge", ["", "Green", ""])
    belief = of(game, 0)
    assert plan(game.view(0), 0, belief, [], 4) is None
    assert plan(game.play(0, Suggest("Green", "Rope", "Lounge")).view(1), 1, of(game, 1), [], 4) is None
