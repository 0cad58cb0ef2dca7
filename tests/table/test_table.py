"""The running game: dated offers, refusals that change nothing, updates, taking back, closing."""

import pickle

import pytest

from tests.table.playing import any_step, opened, played
from whodunit.core.errors import Illegal
from whodunit.core.redact import fold, redact
from whodunit.core.rng import StackedRng
from whodunit.core.types import TABLE, Action, Batch, Cause, Undone
from whodunit.games.clue.facts import Place
from whodunit.games.clue.model import Accuse, EndTurn, Move, Roll, Show, Suggest, TurnBegan
from whodunit.table.case import Case
from whodunit.table.table import Table


def in_the_lounge() -> Case:
    """Seat 0 has walked into the Lounge in two turns of its own."""
    case = opened(seats=2, room_entry_cost=0)
    way: list[tuple[int, Place]] = [(5, 6 * 24 + 16), (0, 0), (5, "Lounge")]
    for die, to in way:
        seat = case.awaiting[0]
        case = case.step(seat, Roll(), StackedRng(b"", 0, {"die 1": die}))
        offers = case.legal(seat)[0]
        case = case.step(seat, Move(to) if offers.admits(Move(to)) else offers.at(0))
        case = case if to == "Lounge" else case.step(seat, EndTurn())
    return case


def test_an_action_is_taken_only_with_the_date_of_a_standing_offer() -> None:
    table = opened().table
    (roll, _) = table.offers[0]

    with pytest.raises(Illegal):
        table.act(0, roll.since - 1, Roll())
    grown, batch = table.act(0, roll.since, Roll())
    assert batch.cause is not None
    assert (batch.cause.seat, batch.cause.action) == (0, Roll())
    assert grown.seq == table.seq + 1


def test_a_resent_action_is_refused_not_played_twice() -> None:
    table = opened().table
    since = table.offers[0][0].since
    grown, _ = table.act(0, since, Roll())

    with pytest.raises(Illegal):
        grown.act(0, since, Roll())


@pytest.mark.parametrize(
    ("seat", "action"),
    [(1, Roll()), (0, EndTurn()), (0, Show("Rope")), (3, Roll()), (-2, Roll()), (TABLE, Roll())],
)
def test_a_refusal_says_what_is_on_offer_and_changes_nothing(seat: int, action: Action) -> None:
    case = opened()
    before = pickle.dumps(case)

    with pytest.raises(Illegal) as refused:
        case.step(seat, action)

    offered = "Roll() [1], Accuse(suspect, weapon, room) [324]" if seat == 0 else "nothing"
    assert str(refused.value) == f"seat {seat} may not do {action!r} now; on offer: {offered}"
    assert pickle.dumps(case) == before


def test_a_refusal_travels_between_processes() -> None:
    refused = Illegal(1, Roll(), ())
    again = pickle.loads(pickle.dumps(refused))  # noqa: S301  (our own)

    assert (str(again), again.seat, again.wish) == (str(refused), 1, Roll())


def test_an_unchanged_offer_keeps_its_date_unless_its_own_seat_acts() -> None:
    """An interruption by somebody else must not make a composed action stale; a resent action must be stale."""
    table = opened().table
    interrupted = table.grow(Batch(seq=table.seq + 1, events=(), cause=Cause(1, EndTurn())))
    acted = table.grow(Batch(seq=table.seq + 1, events=(TurnBegan(seat=0),), cause=Cause(0, EndTurn())))

    assert interrupted.offers[0] == table.offers[0]
    assert [offer.since for offer in acted.offers[0]] == [table.seq + 1] * len(table.offers[0])


def test_updates_carry_what_the_viewer_may_see() -> None:
    case = any_step(opened())
    for viewer in case.table.viewers:
        update = case.table.update(viewer, case.batches[-1].events)
        assert update.seq == case.table.seq
        assert update.events == tuple(redact(event, viewer) for event in case.batches[-1].events)
        assert update.view == fold(case.table.game, case.seen(viewer))
        assert update.awaiting == {0}
        assert update.outcome is None
    assert case.table.update(1, ()).offers == ()
    assert case.table.update(0, ()).offers != ()


def test_a_batch_must_follow() -> None:
    table = opened().table

    with pytest.raises(ValueError, match="does not follow"):
        table.grow(Batch(seq=table.seq + 2, events=()))


def test_a_walk_can_be_taken_back_and_a_suggestion_cannot_once_somebody_is_asked() -> None:
    case = in_the_lounge()
    back = case.undo(0)

    assert back.events[-1] == Undone(back_to=case.table.seq - 1)
    assert {offer.since for offer in back.legal(0)} == {back.table.seq}
    assert fold(back.table.game, back.events) == back.table.state

    asked = case.step(0, Suggest("Green", "Wrench", "Lounge"))
    for later in (asked, any_step(asked, 1)):
        with pytest.raises(Illegal, match="may not do 'undo' now"):
            later.undo(0)


def test_a_question_that_was_taken_back_under_older_rules_of_the_house_still_folds() -> None:
    case = in_the_lounge()
    asked = case.step(0, Suggest("Green", "Wrench", "Lounge"))
    back = asked.table.grow(Batch(seq=asked.table.seq + 1, events=(Undone(back_to=case.table.seq),)))

    assert back.state == case.table.state
    assert back.views == case.table.views


def test_a_throw_is_never_taken_back() -> None:
    walking = in_the_lounge().undo(0)

    assert isinstance(walking.legal(0)[0].at(0), Move)
    with pytest.raises(Illegal):
        walking.undo(0)


def test_nobody_takes_back_anothers_action() -> None:
    with pytest.raises(Illegal):
        in_the_lounge().undo(1)


def test_a_case_closes_with_the_games_end() -> None:
    case = played()

    assert case.outcome is not None
    assert case.closed == "ended"
    assert case.seen(TABLE) == case.events
    assert case.legal(0) == ()
    with pytest.raises(Illegal):
        case.step(0, Roll())
    with pytest.raises(Illegal):
        case.undo(0)


def test_an_abandoned_case_can_be_closed_and_revealed() -> None:
    case = any_step(opened())
    assert case.seen(TABLE) != case.events
    closed = case.close()

    assert closed.closed == "abandoned"
    assert closed.seen(TABLE) == case.events
    assert closed.legal(0) == ()
    with pytest.raises(Illegal):
        closed.step(0, case.legal(0)[0].at(0))


def test_a_case_is_a_value() -> None:
    case = opened()
    again = pickle.loads(pickle.dumps(case))  # noqa: S301  (our own)

    assert again == case
    assert any_step(again) == any_step(case)
    assert case.table.seq == opened().table.seq


def test_a_right_accusation_ends_the_game() -> None:
    case = opened()
    trio = case.table.state.envelope
    case = case.step(0, Accuse(trio.suspect, trio.weapon, trio.room))

    assert case.outcome is not None
    assert case.outcome.winners == (0,)


def test_views_grow_by_new_events_only() -> None:
    case = opened()
    table: Table = case.table
    poisoned = table.grow(Batch(seq=table.seq + 1, events=()))

    assert all(new is old for new, old in zip(poisoned.views, table.views, strict=True))


def test_what_may_stand_in_a_log_tells_nothing() -> None:
    case = any_step(opened())

    assert repr(case.seal) == "Seal(...)"
    assert repr(case.table) == f"Table('clue', seats=3, seq={case.table.seq})"
    assert repr(case) == f"Case('clue', seats=3, seq={case.table.seq}, closed=None)"
