"""Section 4.8 of the rules: the accusation."""

import pytest

from tests.games.clue.staging import (
    ACCUSE,
    ROLL,
    Staged,
    at_of,
    entered,
    refused,
    show,
    stage,
    trio_of,
)
from whodunit.core.types import TABLE, Outcome
from whodunit.games import clue
from whodunit.games.clue.facts import DOORS, ROOMS, Room, Suspect, Weapon
from whodunit.games.clue.model import (
    Accuse,
    Accused,
    Answering,
    Beginning,
    CannotShow,
    CardShown,
    EndTurn,
    EnvelopeOpened,
    EnvelopeSeen,
    GameEnded,
    NoMove,
    Over,
    Roll,
    Show,
    Suggest,
    TokenStoodAside,
    TurnBegan,
)

pytestmark = pytest.mark.rules

ENVELOPE = trio_of("White Rope Study")
RIGHT = Accuse("White", "Rope", "Study")
WRONG = Accuse("White", "Rope", "Hall")


def test_an_active_player_may_accuse_before_moving() -> None:
    """CLUE-46, ruling A12: he needs neither to move nor to suggest first."""
    game = stage()
    assert ACCUSE in game.offers(0)

    assert game.play(0, RIGHT).outcome() == Outcome(winners=(0,), how="solved")


def test_an_active_player_may_accuse_after_moving() -> None:
    """CLUE-46: in the corridor, in a room, or after no move."""
    assert not refused(stage().walk(0, 1, (1, 16)), 0, RIGHT)
    assert not refused(entered("Hall"), 0, RIGHT)
    assert not refused(stage(places={"Green": (1, 16)}).play(0, NoMove()), 0, RIGHT)


def test_an_active_player_may_accuse_after_an_undisproved_suggestion() -> None:
    """CLUE-45, CLUE-46: once everybody has been asked."""
    game = entered("Lounge", ["Green Wrench Lounge", "", ""]).play(0, Suggest("Green", "Wrench", "Lounge"))
    assert refused(game, 0, RIGHT)

    assert not refused(game.nobody_shows(), 0, RIGHT)


def test_there_is_no_other_time_to_accuse() -> None:
    """CLUE-46, rulings A12 and A13: not out of turn, not with the die thrown, not while being asked."""
    assert refused(stage(), 1, RIGHT)
    assert refused(stage().throw(0, 3), 0, RIGHT)
    game = entered("Lounge", ["Green", "Wrench", "Lounge"]).play(0, Suggest("Green", "Wrench", "Lounge"))
    assert refused(game, 1, RIGHT)
    assert refused(game.play(1, Show("Wrench")), 0, RIGHT)


def test_any_suspect_weapon_and_room_may_be_named() -> None:
    """CLUE-47, ruling A20: from anywhere, also with cards of one's own hand."""
    game = stage(["Plum Knife Hall", "", ""])

    assert ACCUSE.count == 324
    assert game.play(0, Accuse("Plum", "Knife", "Hall")).last[0] == Accused(
        seat=0, trio=trio_of("Plum Knife Hall"), right=False
    )


def test_the_room_need_not_match_the_suggestion_of_the_turn() -> None:
    """CLUE-47: suggested in the Lounge, accused in the Study."""
    game = entered("Lounge", ["Green Wrench Lounge", "", ""]).play(0, Suggest("Green", "Wrench", "Lounge"))

    assert game.nobody_shows().play(0, RIGHT).outcome() == Outcome(winners=(0,), how="solved")


def test_no_tokens_move_because_of_an_accusation() -> None:
    """CLUE-48: neither for a wrong nor for a right one, and nobody is asked."""
    for action in (RIGHT, WRONG):
        game = stage()
        places, weapons, marks = game.state.places, game.state.weapons, game.state.summoned

        game.play(0, action)

        assert (game.state.places, game.state.weapons, game.state.summoned) == (places, weapons, marks)
        assert not isinstance(game.state.phase, Answering)


def test_the_accuser_alone_looks_at_the_envelope() -> None:
    """CLUE-49, CLUE-51: the others learn that he was wrong, but not in how many parts."""
    game = stage(["", "", ""]).play(0, WRONG)

    accused = Accused(seat=0, trio=trio_of("White Rope Hall"), right=False)
    looked = EnvelopeSeen(seat=0, trio=ENVELOPE, known_to=frozenset({0}))
    unseen = EnvelopeSeen(seat=0, trio=None, known_to=frozenset({0}))
    assert game.last == game.told(0) == [accused, looked, TurnBegan(seat=1)]
    assert game.told(1) == game.told(2) == game.told(TABLE) == [accused, unseen, TurnBegan(seat=1)]
    assert [game.view(viewer).envelope for viewer in (0, 1, 2, TABLE)] == [ENVELOPE, None, None, None]
    assert {clue.informed(game.view(viewer)) for viewer in (0, 1, 2, TABLE)} == {frozenset({0})}


def test_all_three_right_wins_the_game() -> None:
    """CLUE-50: the cards are laid open, and the game ends."""
    game = stage(on_turn=1).play(1, RIGHT)

    assert (
        game.last
        == game.told(TABLE)
        == [
            Accused(seat=1, trio=ENVELOPE, right=True),
            EnvelopeOpened(trio=ENVELOPE),
            GameEnded(winner=1, how="solved"),
        ]
    )
    assert game.state.phase == Over(winner=1, how="solved")
    assert game.state.out == (False, False, False)
    assert game.outcome() == Outcome(winners=(1,), how="solved")
    assert game.awaiting() == frozenset()
    assert all(game.offers(viewer) == [] for viewer in (0, 1, 2, TABLE))
    assert all(game.view(viewer).envelope == ENVELOPE for viewer in (0, 1, 2, TABLE))


@pytest.mark.parametrize(("suspect", "weapon", "room"), [
    ("Plum", "Rope", "Study"), ("White", "Knife", "Study"), ("White", "Rope", "Hall"), ("Plum", "Knife", "Hall"),
])  # fmt: skip
def test_one_part_wrong_is_wrong(suspect: Suspect, weapon: Weapon, room: Room) -> None:
    """CLUE-50, CLUE-51: all three must be right."""
    game = stage().play(0, Accuse(suspect, weapon, room))

    assert game.state.out == (True, False, False)
    assert game.outcome() is None


def test_whoever_accuses_wrongly_is_out() -> None:
    """CLUE-51, CLUE-54: his turn ends, and he gets no more."""
    game = stage().play(0, WRONG)

    assert game.state.out == (True, False, False)
    assert all(game.view(viewer).out == (True, False, False) for viewer in (0, 1, 2, TABLE))
    assert game.state.phase == Beginning()
    assert (game.state.turn, game.state.on_turn) == (2, 1)
    assert game.awaiting() == {1}
    assert game.offers(1) == [ROLL, ACCUSE]
    assert refused(game, 0, EndTurn())
    game.pass_by(1).pass_by(2)
    assert (game.state.turn, game.state.on_turn) == (4, 1)
    assert game.offers(0) == []
    assert refused(game, 0, Roll())
    assert refused(game, 0, RIGHT)


@pytest.mark.parametrize("square", DOORS)
def test_an_out_players_token_clears_the_doorway(square: int) -> None:
    """CLUE-52, ruling A15: into the room behind that door, however full; no suggestion, no mark."""
    game = stage(places={"Mustard": at_of(square), "Plum": DOORS[square], "Green": DOORS[square]}, on_turn=1)

    game.play(1, WRONG)

    assert game.last == [
        Accused(seat=1, trio=trio_of("White Rope Hall"), right=False),
        EnvelopeSeen(seat=1, trio=ENVELOPE, known_to=frozenset({1})),
        TokenStoodAside(seat=1, room=DOORS[square]),
        TurnBegan(seat=2),
    ]
    assert game.place("Mustard") == DOORS[square]
    assert game.state.summoned == (None, None, None)
    assert game.state.phase == Beginning()


@pytest.mark.parametrize("room", ROOMS)
def test_in_a_room_it_stays(room: Room) -> None:
    """CLUE-52: nothing to clear."""
    game = stage(places={"Scarlet": room}).play(0, WRONG)

    assert game.place("Scarlet") == room
    assert [type(event) for event in game.last] == [Accused, EnvelopeSeen, TurnBegan]


def test_whoever_is_right_on_a_door_square_stays_there() -> None:
    """CLUE-48, CLUE-52: only out players' tokens make way."""
    assert stage(places={"Scarlet": (4, 6)}).play(0, RIGHT).place("Scarlet") == (4, 6)


def test_the_turn_passes_to_the_next_active_player() -> None:
    """CLUE-12, CLUE-51: over those who are out already."""
    game = stage([""] * 5, on_turn=3, out=(0, 4)).play(3, WRONG)

    assert game.last[-1] == TurnBegan(seat=1)
    assert game.state.out == (True, False, False, True, True)


def after_a_wrong_accusation() -> Staged:
    """Mustard's owner is out; White has walked into the Lounge."""
    game = stage(["", "Wrench Plum", "Lounge"], places={"Mustard": "Hall", "White": (6, 17)}, on_turn=1).play(1, WRONG)
    return game.walk(2, 1, "Lounge")


def test_an_out_player_goes_on_answering() -> None:
    """CLUE-53: he keeps his hand and must show, as before."""
    game = after_a_wrong_accusation().play(2, Suggest("Plum", "Wrench", "Lounge")).play(0, CannotShow())

    assert game.awaiting() == {1}
    assert game.offers(1) == [show("Plum", "Wrench")]
    assert game.play(1, Show("Plum")).last == [
        CardShown(seat=1, to=2, card="Plum", known_to=frozenset({1, 2})),
        TurnBegan(seat=0),
    ]


def test_an_out_players_token_can_still_be_named_and_moved() -> None:
    """CLUE-53: as any other token."""
    game = after_a_wrong_accusation().play(2, Suggest("Mustard", "Wrench", "Lounge"))

    assert game.place("Mustard") == "Lounge"


def test_a_player_can_make_one_accusation_per_game() -> None:
    """CLUE-54: after a wrong one there is never a second, however long the game goes on."""
    game = stage(["", ""]).play(0, WRONG)

    for _ in range(4):
        assert game.offers(1) == [ROLL, ACCUSE]
        assert refused(game, 0, RIGHT)
        game.pass_by(1)
