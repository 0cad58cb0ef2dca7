"""A bot in its seat: told everything again it makes its moves again, and asked twice it answers once."""

import pytest

from whodunit import arena, bots
from whodunit.bots.reliving import SeatedBot, SeenBatch, seen_batch
from whodunit.core.types import Batch, Seat
from whodunit.table.case import Case


def played(game: str) -> Case:
    """Return a game of bots."""
    case = arena.open_with_bots(game, ["rookie", "random", "detective"], {}, "reliving")
    return arena.play_case(case, lambda *_: None)


def seated(case: Case, seat: Seat) -> SeatedBot:
    """Return a new bot for a seat, which has seen nothing."""
    seed = case.seal.bot_seed(case.header.salts, seat)
    game = case.table.game
    return SeatedBot(bots.seated(case.header.bots[seat].level, game, seat, seed), game, seat)


def told(case: Case, batch: Batch, seat: Seat) -> SeenBatch:
    return seen_batch(batch, case.table.game, seat)


@pytest.mark.parametrize("game", ["clue", "perfect_alibi"])
def test_told_everything_again_a_bot_makes_its_moves_again(game: str) -> None:
    case = played(game)
    for seat in range(3):
        bot, moves = seated(case, seat), 0
        for batch in case.batches:
            step = told(case, batch, seat)
            assert step.mine == (batch.cause is not None and batch.cause.seat == seat)
            if step.mine:
                assert batch.cause is not None
                assert bot.relive(step) == batch.cause.action
                moves += 1
            bot.see(step)
        assert moves


def test_a_bot_sees_what_its_seat_sees() -> None:
    case = played("clue")
    bot = seated(case, 1)
    for batch in case.batches:
        bot.see(told(case, batch, 1))

    assert bot.view == case.table.views[1]
    assert bot.view != case.table.state


def test_asked_twice_in_one_position_a_bot_answers_once() -> None:
    case = played("clue")
    nth = next(nth for nth, batch in enumerate(case.batches) if batch.cause is not None and batch.cause.seat == 0)
    bot = seated(case, 0)
    for batch in case.batches[:nth]:
        bot.see(told(case, batch, 0))
    chosen = bot.act()
    own, others = told(case, case.batches[nth], 0), told(case, case.batches[nth], 1)

    assert bot.act() is chosen
    assert bot.relive(own) is chosen
    assert not bot.is_overtaken([])
    assert not bot.is_overtaken([own])
    assert bot.is_overtaken([others])
