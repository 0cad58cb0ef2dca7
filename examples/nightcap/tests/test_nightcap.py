"""The rules, sentence by sentence. What holds for every game is proved by `pytest --whodunit-game nightcap`."""

from collections.abc import Sequence
from typing import Any, Final

import nightcap
from nightcap.model import (
    GUESTS,
    Accuse,
    Ask,
    Guest,
    GuestShown,
    NightEnded,
    NothingShown,
    Options,
    Pair,
    Show,
    ShowNothing,
)
from whodunit.core.contract import complete
from whodunit.core.redact import redact
from whodunit.core.rng import Rng, StackedRng
from whodunit.core.types import Action, GameModule, Seat
from whodunit.table.table import Table

CHECKED: Final[GameModule] = nightcap  # mypy says what is missing
ORDER: Final[tuple[Guest, ...]] = ("Vicar", "Actress", "Banker", "Colonel", "Doctor", "Gardener", "Singer")
"""The Vicar did it. Of three players seat 0 holds Actress and Doctor, 1 Banker and Gardener, 2 Colonel and Singer."""


def staged(*moves: tuple[Seat, Action], midnight: int | None = None) -> tuple[Table, Sequence[Any]]:
    """Return a table of three after these moves, and the events of the last; seat 0 begins."""
    stacked = StackedRng(b"", 1, {"guests": tuple(map(GUESTS.index, ORDER)), "starter": 0})
    table, batch = Table.open(complete(nightcap), 3, Options(midnight=midnight), b"", stacked)
    for seat, action in moves:
        table, batch = table.act(seat, table.since(seat, action), action, Rng(b"", batch.last + 1))
    return table, batch.events


def test_night_5_a_card_is_shown_to_the_asker_alone() -> None:
    _, (shown, _) = staged((0, Ask(1, ("Banker", "Vicar"))), (1, Show("Banker")))

    assert isinstance(shown, GuestShown)
    assert [redact(shown, seat) == shown for seat in (0, 1, 2)] == [True, True, False]
    assert shown.guest == "Banker"


def test_night_5_holding_both_one_chooses_and_holding_neither_one_says_so() -> None:
    both, _ = staged((0, Ask(1, ("Banker", "Gardener"))))
    neither, _ = staged((0, Ask(1, ("Doctor", "Vicar"))))

    assert [action for offer in both.offers[1] for action in offer.actions()] == [Show("Banker"), Show("Gardener")]
    assert [action for offer in neither.offers[1] for action in offer.actions()] == [ShowNothing()]
    assert both.views[2].phase == both.state.phase  # whoever looks on sees no difference


def test_night_5_then_the_turn_passes_on() -> None:
    table, (said, began) = staged((0, Ask(1, ("Doctor", "Vicar"))), (1, ShowNothing()))

    assert said == NothingShown(seat=1, to=0, guests=("Doctor", "Vicar"))
    assert began.seat == 1
    assert (table.state.turn, table.awaiting) == (2, frozenset({1}))


def test_night_6_who_accuses_rightly_wins() -> None:
    table, events = staged((0, Accuse("Vicar")))

    assert events[-1] == NightEnded(seat=0, how="solved", guest="Vicar")
    assert table.outcome is not None
    assert table.outcome.winners == (0,)


def test_night_7_who_accuses_wrongly_gets_no_more_turns_and_still_answers() -> None:
    nothing: Pair = ("Doctor", "Vicar")
    table, _ = staged((0, Accuse("Banker")), (1, Ask(2, nothing)), (2, ShowNothing()), (2, Ask(0, nothing)))
    assert table.awaiting == {0}

    table, _ = table.act(0, table.since(0, Show("Doctor")), Show("Doctor"))
    assert table.awaiting == {1}


def test_night_8_if_everybody_is_out_nobody_wins() -> None:
    table, _ = staged(*((seat, Accuse("Banker")) for seat in range(3)))

    assert table.outcome is not None
    assert (table.outcome.winners, table.outcome.how) == ((), "all_out")


def test_night_9_at_midnight_nobody_wins() -> None:
    table, _ = staged((0, Ask(1, ("Doctor", "Vicar"))), (1, ShowNothing()), midnight=1)

    assert table.outcome is not None
    assert table.outcome.how == "midnight"
