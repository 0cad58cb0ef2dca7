"""Section 4.9 of the rules: the end of the game."""

import pytest

from tests.games.clue.staging import ACCUSE, PASSAGE, ROLL, Staged, entered, stage, trio_of
from whodunit.core.types import TABLE, Outcome
from whodunit.games.clue.model import (
    Accuse,
    Accused,
    CannotShow,
    CardShown,
    EndTurn,
    EnvelopeOpened,
    EnvelopeSeen,
    GameEnded,
    Over,
    Show,
    Suggest,
    TokenStoodAside,
    TurnBegan,
)

pytestmark = pytest.mark.rules

ENVELOPE = trio_of("White Rope Study")
RIGHT = Accuse("White", "Rope", "Study")
WRONG = Accuse("White", "Rope", "Hall")


def closed(game: Staged) -> bool:
    viewers = (*range(len(game.state.tokens)), TABLE)
    return game.awaiting() == frozenset() and all(game.offers(viewer) == [] for viewer in viewers)


def test_the_first_right_accusation_ends_the_game() -> None:
    """CLUE-55: one winner, all others lose; there are no points."""
    game = stage([""] * 4).play(0, WRONG).pass_by(1).play(2, RIGHT)

    assert game.outcome() == Outcome(winners=(2,), how="solved", points=None)
    assert closed(game)


def test_a_running_game_has_no_outcome() -> None:
    """CLUE-55: nothing but an accusation ends it."""
    game = entered("Lounge", ["Green", "Wrench", "Lounge"])
    assert game.outcome() is None
    assert game.play(0, Suggest("Green", "Wrench", "Lounge")).outcome() is None
    assert game.play(1, Show("Wrench")).outcome() is None


def test_the_last_active_player_plays_on_alone() -> None:
    """CLUE-56, ruling A16: his turns follow one another, and he still needs a right accusation."""
    game = stage([""] * 3).play(0, WRONG).play(1, WRONG)
    assert game.last[-1] == TurnBegan(seat=2)
    assert game.outcome() is None

    game.pass_by(2)

    assert game.last == [TurnBegan(seat=2)]
    assert (game.state.turn, game.state.on_turn) == (4, 2)
    assert game.offers(2) == [ROLL, ACCUSE]
    assert game.play(2, RIGHT).outcome() == Outcome(winners=(2,), how="solved")


def test_the_last_active_player_is_still_answered_by_those_who_are_out() -> None:
    """CLUE-53, CLUE-56: after a card is shown it is his turn again."""
    game = entered("Lounge", ["Green", "", "Wrench Lounge"], out=(1, 2)).play(0, Suggest("Green", "Wrench", "Lounge"))

    game.play(1, CannotShow()).play(2, Show("Wrench"))

    assert game.last == [
        CardShown(seat=2, to=0, card="Wrench", known_to=frozenset({0, 2})),
        TurnBegan(seat=0),
    ]
    assert game.offers(0) == [ROLL, PASSAGE, ACCUSE]


def test_when_every_player_is_out_nobody_wins() -> None:
    """CLUE-57, ruling A16: and the envelope is opened for everybody."""
    game = stage(["", ""], places={"Mustard": (4, 6)}).play(0, WRONG).play(1, WRONG)

    assert game.last == [
        Accused(seat=1, trio=trio_of("White Rope Hall"), right=False),
        EnvelopeSeen(seat=1, trio=ENVELOPE, known_to=frozenset({1})),
        TokenStoodAside(seat=1, room="Study"),
        EnvelopeOpened(trio=ENVELOPE),
        GameEnded(winner=None, how="all_out"),
    ]
    assert game.state.out == (True, True)
    assert game.state.phase == Over(winner=None, how="all_out")
    assert game.outcome() == Outcome(winners=(), how="all_out")
    assert closed(game)
    assert game.view(TABLE).envelope == ENVELOPE


def test_the_last_of_six_ends_the_game_too() -> None:
    """CLUE-57: all others were out before."""
    game = stage([""] * 6, out=(0, 1, 3, 4, 5), on_turn=2).play(2, WRONG)

    assert game.outcome() == Outcome(winners=(), how="all_out")


@pytest.mark.parametrize("seats", [2, 3])
def test_with_v4_the_last_active_player_wins_at_once(seats: int) -> None:
    """CLUE-V4: the envelope is opened; CLUE-56 and CLUE-57 never apply."""
    game = stage([""] * seats, last_active_wins=True, out=range(2, seats)).play(0, WRONG)

    assert game.last == [
        Accused(seat=0, trio=trio_of("White Rope Hall"), right=False),
        EnvelopeSeen(seat=0, trio=ENVELOPE, known_to=frozenset({0})),
        EnvelopeOpened(trio=ENVELOPE),
        GameEnded(winner=1, how="last_active"),
    ]
    assert game.outcome() == Outcome(winners=(1,), how="last_active")
    assert closed(game)
    assert all(game.view(viewer).envelope == ENVELOPE for viewer in (0, 1, TABLE))


def test_with_v4_two_active_players_play_on() -> None:
    """CLUE-V4: only when one is left."""
    game = stage([""] * 3, last_active_wins=True).play(0, WRONG)

    assert game.last[-1] == TurnBegan(seat=1)
    assert game.outcome() is None
    assert game.play(1, WRONG).outcome() == Outcome(winners=(2,), how="last_active")


def test_the_engine_may_stop_after_a_number_of_turns() -> None:
    """CLUE-12, ruling A17: not a rule of the game; the envelope stays closed."""
    game = stage(max_turns=2).pass_by(0)
    assert game.last == [TurnBegan(seat=1)]

    game.pass_by(1)

    assert game.last == [GameEnded(winner=None, how="no_result")]
    assert game.state.phase == Over(winner=None, how="no_result")
    assert game.outcome() == Outcome(winners=(), how="no_result")
    assert closed(game)
    assert game.view(0).envelope is None


def test_the_last_turn_can_still_be_won() -> None:
    """CLUE-50, ruling A17: the stop comes where the next turn would begin."""
    assert stage(max_turns=1).play(0, RIGHT).outcome() == Outcome(winners=(0,), how="solved")
    assert stage(max_turns=1).play(0, WRONG).last[2:] == [GameEnded(winner=None, how="no_result")]
    shown = entered("Lounge", ["Green", "Wrench", "Lounge"], max_turns=1).play(0, Suggest("Green", "Wrench", "Lounge"))
    assert shown.play(1, Show("Wrench")).last[1:] == [GameEnded(winner=None, how="no_result")]


def test_without_a_limit_the_game_goes_on() -> None:
    """CLUE-12, ruling A17: by default there is none."""
    game = stage(["", ""])
    for turn in range(50):
        game.pass_by(turn % 2)

    assert game.state.turn == 51
    assert game.outcome() is None


def test_the_end_of_a_turn_is_not_the_end_of_the_game() -> None:
    """CLUE-12, CLUE-55: the turn passes, and that is all."""
    game = entered("Hall").play(0, EndTurn())

    assert game.last == [TurnBegan(seat=1)]
    assert game.outcome() is None
