"""The exact belief against a SAT model that shares nothing with it, on positions of played games."""

from tests.games.clue.sat import SatModel
from whodunit.bench.deduction.positions import from_games

POSITIONS = 500


def test_what_is_possible_is_what_the_sat_model_finds_possible() -> None:
    compared = {True: 0, False: 0}
    certain = 0
    for position in from_games(64, (3, 4, 5, 6), "sat"):
        logic = position.belief.logic
        found = SatModel(position.viewer, position.seen).possible()
        for (card, holder), possible in found.items():
            assert bool(logic.mass(card, holder)) == possible, (position.seats, position.viewer, card, holder)  # type: ignore[arg-type]
        certain += sum(len(logic.holders(card)) == 1 for card in {card for card, _ in found})  # type: ignore[arg-type]
        compared[position.viewer >= 0] += 1

    assert sum(compared.values()) >= POSITIONS
    assert min(compared.values()) > POSITIONS / 3
    assert certain > POSITIONS, "too little was certain for the comparison to say much"
