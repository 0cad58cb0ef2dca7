"""The players of every level at Perfect Alibi: every variant, interrupts, miscounts, and certified afterwards."""

from typing import Any

import pytest

from tests.games.perfect_alibi.staging import stage
from whodunit import arena, bots
from whodunit.bots.thinker import Thinker
from whodunit.core.rng import Stream
from whodunit.core.types import Message, Update
from whodunit.games import perfect_alibi
from whodunit.games.perfect_alibi.facts import PACK
from whodunit.games.perfect_alibi.model import (
    Announce,
    AskLast,
    Confirm,
    DrawCard,
    LetShow,
    Name,
    Naming,
    Slam,
    TreacheryClaimed,
)
from whodunit.games.perfect_alibi.rules import right_answers
from whodunit.table.case import Case
from whodunit.table.verify import verify

MIXED = ("mastermind", "detective", "rookie", "random")


def played(*levels: str, seed: str = "alibi", **options: Any) -> Case:
    return arena.play_case(arena.open_with_bots("perfect_alibi", levels, options, seed), lambda *_: None)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"rival": True},
        {"answer_mode": "by_hand", "bot_error_rate": 20},
        {"answer_mode": "by_hand", "unforgiving": True, "bot_error_rate": 20},
        {"answer_mode": "by_hand", "unforgiving": True, "rival": True, "bot_error_rate": 20},
        {"rival": True, "cook_optional": True, "last_question_protected": True, "lie_bounds": "literal"},
        {"rival": True, "slam_window_s": 5, "turn_limit_s": 30, "guess_limit_s": 30},
    ],
)
def test_every_level_plays_every_variant(options: dict[str, Any]) -> None:
    case = played(*MIXED, **options)

    assert case.outcome is not None
    assert [statement.holds for statement in verify(case)] == [True, True, True]
    assert [statement.holds for statement in arena.certify(case)] == [True] * 4


@pytest.mark.parametrize("seats", [3, 5])
def test_other_numbers_of_players(seats: int) -> None:
    assert played(*("detective", "rookie", "detective", "random", "rookie")[:seats], rival=True).outcome is not None


def test_the_same_seed_gives_the_same_moves() -> None:
    assert played(*MIXED, rival=True).batches == played(*MIXED, rival=True).batches


def test_bots_slam_though_nobody_waits_for_them() -> None:
    """A bot that is certain does not wait for its turn."""
    out_of_turn: list[bool] = []
    for number in range(8):
        case = arena.open_with_bots("perfect_alibi", ["detective"] * 3, {}, f"slam {number}")
        waited_for = [case.awaiting]

        def after(grown: Case, seat: int, _: float, waited_for: list[tuple[int, ...]] = waited_for) -> None:
            cause = grown.batches[-1].cause
            if cause is not None and isinstance(cause.action, Slam):
                out_of_turn.append(seat not in waited_for[-1])
            waited_for.append(grown.awaiting)

        arena.play_case(case, after)
        if out_of_turn.count(True) > 1:
            return
    raise AssertionError(f"hardly anybody slammed out of turn: {out_of_turn}")


def test_asking_whether_it_interrupts_changes_nothing() -> None:
    case = arena.open_with_bots("perfect_alibi", MIXED, {}, "asked")
    one, other = (arena.players_of(case)[0] for _ in range(2))
    for player in (one, other):
        player.see(case.table.update(0, case.events))
    for _ in range(5):
        one.interrupt()

    seat = case.awaiting[0]
    assert one._rng.below("next", 1 << 60) == other._rng.below("next", 1 << 60)  # type: ignore[attr-defined]
    assert seat in range(4)
    assert bots.seated("random", perfect_alibi, 0, b"").interrupt() is None


def naming(seed: int) -> Case:
    """Ask one last question and have it answered: its caller must name a card now."""
    case = arena.open_with_bots("perfect_alibi", ["random"] * 3, {}, f"naming {seed}")
    while not isinstance(case.table.state.phase, Naming):
        seat = case.awaiting[0]
        offers = [offer for offer in case.legal(seat) if offer.action is not Slam]
        case = case.step(seat, next((offer for offer in offers if offer.action is AskLast), offers[0]).at(0))
    return case


@pytest.mark.parametrize("level", bots.LEVELS)
def test_whoever_must_name_a_card_names_one_and_a_thinker_the_likeliest(level: str) -> None:
    """ALIBI-60: nothing else is on offer, so no mind may wait until it is certain."""
    for seed in range(3):
        case = naming(seed)
        seat = case.awaiting[0]
        player = bots.seated(level, perfect_alibi, seat, bytes([seed]))
        player.see(case.table.update(seat, case.events))
        named = player.act()

        assert isinstance(named, Name)
        assert any(offer.admits(named) for offer in case.legal(seat))
        if isinstance(player, Thinker):
            chances = [player._belief.chance(Name(card)) for card in PACK]
            assert player._belief.chance(named) == max(chances)
            assert player.explain() == (Message("guess", {"chance": f"{100 * max(chances):.0f}"}),)


@pytest.mark.parametrize("level", bots.LEVELS)
def test_a_bot_goes_on_where_an_answer_left_others_unable_to_go_on_in_some_worlds(level: str) -> None:
    """Nobody has four of three cards, so who thinks of a card to be shown also imagines hands with none to show."""
    options: dict[str, Any] = {"answer_mode": "by_hand", "lie_bounds": "literal", "cook_optional": True}
    game = stage(("", "Bar-3 Bar-6 Library-9", "", ""), assistants="EDAB", **options).ask("Bar").answer(4)
    player = bots.seated(level, perfect_alibi, 0, b"choosing")
    player.see(Update(len(game.events), tuple(game.seen(0)), game.view(0), tuple(game.offers(0)), game.awaiting()))

    assert type(player.act()) in (DrawCard, LetShow) or level == "random"


def test_bots_that_miscount_are_asked_to_confirm_or_caught() -> None:
    """ALIBI-69, 70: a clash is what the Unforgiving variant lives on."""
    kinds: set[type] = set()
    wanted = {Confirm, TreacheryClaimed, Announce}
    for number in range(12):
        options = {"answer_mode": "by_hand", "bot_error_rate": 30, "unforgiving": number % 2 == 1}
        case = played("detective", "detective", "detective", seed=f"errs {number}", **options)
        kinds |= {type(event) for event in case.events}
        kinds |= {type(batch.cause.action) for batch in case.batches if batch.cause is not None}
        if wanted <= kinds:
            return
    raise AssertionError(f"there was no {wanted - kinds}")


def miscounts(rate: int, seed: int) -> tuple[bool, object]:
    """Let a rookie count one of its own hands by hand; return whether it errs, and what it says."""
    options = {"answer_mode": "by_hand", "bot_error_rate": rate}
    case = arena.open_with_bots("perfect_alibi", ["rookie"] * 3, options, f"count {seed % 7}")
    while True:
        seat = case.awaiting[0]
        offer = next(offer for offer in case.legal(seat) if offer.action not in (Slam, Confirm))
        if offer.action is Announce:
            break
        case = case.step(seat, offer.at(0))
    player = bots.seated("rookie", perfect_alibi, seat, seed.to_bytes(4, "big"))
    player.see(case.table.update(seat, case.events))
    said = player.act()
    assert isinstance(said, Announce)
    return said.number not in right_answers(case.table.state, case.table.state.log[-1]), said


def test_bots_err_as_often_as_the_table_says_and_by_their_own_seed() -> None:
    """ALIBI-R17: never, always, or in so many of a hundred answers."""
    shares = {rate: sum(miscounts(rate, seed)[0] for seed in range(120)) / 120 for rate in (0, 30, 100)}
    assert shares[0] == 0
    assert 0.18 < shares[30] < 0.42
    assert shares[100] == 1
    assert [miscounts(30, seed) for seed in range(9)] == [miscounts(30, seed) for seed in range(9)]
    assert len({miscounts(30, seed * 7)[0] for seed in range(20)}) == 2  # one deal, other seeds


def test_without_errors_nobody_doubts() -> None:
    case = played("detective", "detective", "rookie", answer_mode="by_hand", rival=True)

    assert not any(isinstance(batch.cause.action, Confirm) for batch in case.batches if batch.cause is not None)
    assert Stream(b"").below("x", 1) == 0
