"""The players of every level: legal, repeatable, forgetful where they should be, and certified afterwards."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.games.clue.staging import place_of, stage
from whodunit import arena, bots, games, save
from whodunit.bots.thinker import MOST_ANSWERS, Mind, Thinker
from whodunit.cli import main
from whodunit.core.text import say
from whodunit.core.types import Action, Cause, Event, Message, Seat, Update
from whodunit.games.clue.facts import ROOMS, SUSPECTS, WEAPONS
from whodunit.games.clue.model import CannotShow, CardShown, Move, Show, Suggest, Suggested, Trio
from whodunit.table.case import Case
from whodunit.table.verify import verify

CLUE = games.get("clue")
KINDS = {"suspect": SUSPECTS, "weapon": WEAPONS, "room": ROOMS}


def played(*levels: str, seed: str = "bots", **options: Any) -> Case:
    return arena.play_case(arena.open_with_bots("clue", levels, options, seed), lambda *_: None)


@pytest.fixture(scope="module")
def mixed() -> Case:
    return played("mastermind", "detective", "rookie", "random", max_turns=60)


@pytest.mark.parametrize(
    "options",
    [
        {"dice_count": 2, "accuse_after_disproof": True, "room_entry_cost": 0},
        {"suggestion_mandatory": True, "last_active_wins": True, "exact_roll": False, "starter": 1},
    ],
)
def test_every_level_plays_every_variant(options: dict[str, Any]) -> None:
    case = played("mastermind", "detective", "rookie", max_turns=12, **options)

    assert case.outcome is not None
    assert [statement.holds for statement in verify(case)] == [True, True, True]


def test_every_level_plays_with_side_cards() -> None:
    case = played("mastermind", "rookie", max_turns=25, two_player_side_cards=4)

    assert case.outcome is not None


def test_the_same_seed_gives_the_same_moves(mixed: Case) -> None:
    again = played("mastermind", "detective", "rookie", "random", max_turns=60)

    assert again.batches == mixed.batches


def test_every_bot_of_a_case_is_certified(mixed: Case) -> None:
    statements = list(arena.certify(mixed))

    assert [statement.holds for statement in statements] == [True] * 4
    assert statements[0].text.startswith("the mastermind in seat 0 makes the same ")


def test_a_tampered_move_of_a_bot_is_caught(mixed: Case) -> None:
    def other(cause: Cause) -> Cause:
        assert isinstance(cause.action, Suggest)
        return replace(cause, action=replace(cause.action, weapon="Rope" if cause.action.weapon != "Rope" else "Knife"))

    index, batch = next(
        (i, b) for i, b in enumerate(mixed.batches) if b.cause is not None and isinstance(b.cause.action, Suggest)
    )
    assert batch.cause is not None
    batches = (*mixed.batches[:index], replace(batch, cause=other(batch.cause)), *mixed.batches[index + 1 :])
    statements = list(arena.certify(replace(mixed, batches=batches)))

    assert [statement.holds for statement in statements].count(False) == 1
    told = statements[batch.cause.seat].text
    assert told.startswith(f"event {batch.seq}: the ")
    assert "would have done Suggest(" in told


def test_another_version_is_said_not_failed(mixed: Case) -> None:
    header = replace(mixed.header, bots=tuple(replace(bot, version=0) for bot in mixed.header.bots))
    statements = list(arena.certify(replace(mixed, header=header)))

    assert [statement.holds for statement in statements] == [None] * 4
    assert statements[0].text.endswith("not comparable")


def test_what_was_played_under_other_rules_is_said_not_failed(mixed: Case) -> None:
    """A bot draws among what it is offered, so other offers lead it elsewhere."""
    statements = list(arena.certify(replace(mixed, header=replace(mixed.header, rules=mixed.header.rules - 1))))

    assert [statement.holds for statement in statements] == [None] * 4
    assert statements[0].text.endswith("not comparable")


def test_verify_bots_on_the_command_line(mixed: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(mixed, tmp_path / "game.case")
    assert main(["verify", "--bots", str(tmp_path / "game.case")]) == 0
    out = capsys.readouterr().out

    assert out.count(" yes: ") == 7
    assert "(7) yes: the random in seat 3 makes the same" in out


def test_a_bot_explains_itself_in_words() -> None:
    case = arena.open_with_bots("clue", ["detective", "rookie", "random"], {"max_turns": 30}, "explained")
    players = arena.players_of(case)
    told: set[str] = set()

    def after(_: Case, seat: Seat, __: float) -> None:
        for reason in players[seat].explain():
            told.add(reason.key)
            assert say(reason, bots.texts(), ["a", "b", "c"])

    arena.play_case(case, after, players)

    assert told >= {"only", "bits", "worth", "random"}
    assert set(bots.texts()) == {"only", "bits", "worth", "random", "guess"}
    guess = Message("guess", {"chance": "98"})
    assert say(guess, bots.texts(), []) == "Right with a chance of 98 %, and better now than a turn later."


def test_a_bot_never_sees_more_than_its_seat() -> None:
    """Whatever hides from a seat makes no difference to the bot in it."""
    case = arena.open_with_bots("clue", ["detective"] * 3, {}, "blind")
    table = case.table
    one, other = (arena.players_of(case)[0] for _ in range(2))
    one.see(table.update(0, case.events))
    blind = table.seen(0, case.events)
    other.see(replace(table.update(0, case.events), events=blind))

    assert one.act() == other.act()


def test_a_rookie_forgets() -> None:
    mind = Mind("sight", samples=4, curiosity=0, discretion=0, guesses=False, forgets=1.0)
    case = arena.open_with_bots("clue", ["rookie"] * 3, {"max_turns": 40}, "forgetful")
    players = {seat: Thinker(CLUE, seat, bytes([seat]), mind if seat == 0 else bots.ROOKIE) for seat in range(3)}
    arena.play_case(case, lambda *_: None, players)

    def marks(seat: Seat) -> int:
        belief = players[seat]._belief
        return sum(isinstance(item.source, int) for item in belief.position.evidence)  # type: ignore[attr-defined]

    assert marks(0) <= 2 < max(marks(1), marks(2))


def shown_by(mind: Mind, seed: int) -> str:
    """Let seat 1 choose between two cards, of which the others half expect it to have Green."""
    game = stage(["Plum", "Green Wrench", ""], on_turn=2, places={"White": (4, 8), "Scarlet": (6, 17)})
    game.walk(2, 1, "Hall").play(2, Suggest("Green", "Rope", "Hall")).play(0, CannotShow()).play(1, Show("Green"))
    game.walk(0, 1, "Lounge").play(0, Suggest("Green", "Wrench", "Lounge"))
    player = Thinker(CLUE, 1, bytes([seed]), mind)
    player.see(Update(len(game.events), tuple(game.seen(1)), game.view(1), tuple(game.offers(1)), game.awaiting()))
    action = player.act()
    assert isinstance(action, Show)
    return action.card


def test_the_mastermind_rather_shows_what_others_already_think_it_has() -> None:
    discreet = [shown_by(bots.MASTERMIND, seed) for seed in range(12)]
    careless = [shown_by(bots.DETECTIVE, seed) for seed in range(12)]

    assert discreet.count("Green") >= 10
    assert 2 <= careless.count("Green") <= 10


@pytest.mark.parametrize("mind", [bots.ROOKIE, bots.DETECTIVE, bots.MASTERMIND])
def test_who_has_one_answer_thinks_as_much_as_who_has_three_and_draws_nothing(mind: Mind) -> None:
    """The time of a thought tells whether there was a choice, unless there is as much to do without one."""
    asked = ["Green", "Wrench", "Lounge"]
    imagined = []
    for held in range(4):
        game = stage(["", " ".join(asked[:held]), " ".join(asked[held:])], on_turn=0, places={"Scarlet": (6, 17)})
        game.walk(0, 1, "Lounge").play(0, Suggest("Green", "Wrench", "Lounge"))
        player, fresh = (Thinker(CLUE, 1, b"asked", mind) for _ in range(2))
        player.see(Update(len(game.events), tuple(game.seen(1)), game.view(1), tuple(game.offers(1)), game.awaiting()))
        assert any(offer.admits(player.act()) for offer in game.offers(1))
        imagined.append(player.imagined)
        if held <= 1:
            assert player.explain() == (Message("only"),)
            assert player._rng.below("next", 1 << 60) == fresh._rng.below("next", 1 << 60)

    assert imagined == [MOST_ANSWERS * mind.samples * (2 if mind.discretion else 1)] * 4


def walks(mind: Mind) -> Action:
    """Let seat 0 walk one step, at the door of a room it holds; of the case it lacks only the room: Hall or Kitchen."""
    hands = ["Plum Knife Study Lounge Library DiningRoom", "Hall Conservatory", ""]
    game = stage(hands, "White Rope Kitchen", places={"Scarlet": (8, 17)}).throw(0, 1)
    told: list[Event] = []
    for seat in (1, 2):
        for card in [card for card in game.state.hands[seat] or () if card != "Hall"]:
            trio = Trio("Plum", "Knife", "Study")
            kind = next(name for name, cards in KINDS.items() if card in cards)
            told += [
                Suggested(seat=0, trio=replace(trio, **{kind: card})),
                CardShown(seat=seat, to=0, card=card, known_to=frozenset({0, seat})),
            ]
    player = Thinker(CLUE, 0, b"walks", mind)
    player.see(Update(1, (*game.seen(0), *told), game.view(0), tuple(game.offers(0)), game.awaiting()))
    return player.act()


def test_the_mastermind_passes_by_a_room_where_nothing_is_to_be_learned() -> None:
    assert walks(bots.DETECTIVE) == Move("DiningRoom")
    assert walks(bots.MASTERMIND) in [Move(place_of(nearer_to_the_hall)) for nearer_to_the_hall in ((7, 17), (8, 16))]
