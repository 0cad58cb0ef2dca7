"""One game as environments play it: who decides when, and how it ends."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from whodunit import games
from whodunit.core.errors import Illegal
from whodunit.core.offer import Offer
from whodunit.core.rng import Rng, Stream
from whodunit.core.types import TABLE, Outcome
from whodunit.env import Episode, Terms, Wait, payoffs
from whodunit.games.clue.model import Accuse, Roll
from whodunit.games.perfect_alibi.model import (
    Answered,
    Asking,
    CardDrawn,
    CardShown,
    MissingSeen,
    Pausing,
    Picking,
    Slam,
    Slammed,
)

ALL = [(id, games.get(id).INFO.seats[0]) for id in games.ids()]


def drawn_out(episode: Episode, rng: Rng, most: int = 2000) -> Episode:
    """Let the house decide for all seats."""
    while episode.seat is not None and episode.decisions < most:
        episode = episode.step(episode.drawn(rng))
    return episode


@pytest.mark.parametrize(("game", "seats"), ALL)
def test_games_end_or_are_cut_after_so_many_turns(game: str, seats: int) -> None:
    terms = Terms(game, seats, turns=12)
    for seed in range(3):
        end = drawn_out(terms.begin(seed), Stream(b"house"))

        assert end.seat is None
        assert end.cut == (end.outcome is None)
        assert end.light.state.turn == 13 if end.cut else end.outcome is not None
        assert sum(end.payoffs()) == pytest.approx(0)
        assert not end.mask().any()
        with pytest.raises(ValueError, match="this game is over"):
            end.step(0)


def test_a_game_without_an_end_that_is_near_is_cut_by_its_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whodunit.env.episode.DECISIONS", 3)
    end = drawn_out(Terms("clue", 3, turns=2).begin(1), Stream(b"house"))

    assert (end.cut, end.decisions) == (True, 6)


def test_the_same_seed_and_the_same_indices_give_the_same_game() -> None:
    terms = Terms("perfect_alibi", 3)
    one, other = (drawn_out(terms.begin(5), Stream(b"house"), 200) for _ in range(2))

    assert one.light.events == other.light.events
    assert terms.begin(5).light.events != terms.begin(6).light.events


def test_what_may_not_be_said_is_refused_and_changes_nothing() -> None:
    episode = Terms("clue", 3).begin(1)
    space, mask = episode.terms.space, episode.mask()

    with pytest.raises(Illegal, match="seat 0 may not do EndTurn"):
        episode.step(int(np.flatnonzero(~mask)[-2]))
    with pytest.raises(Illegal, match=r"seat 0 may not do Wait\(\)"):
        episode.step(space.wait)
    with pytest.raises(IndexError):
        episode.step(space.size)
    assert (episode.mask() == mask).all()
    assert episode.step(space.index(Roll())).light.seq == episode.light.seq + 1


def test_of_a_spelled_action_only_what_the_mask_admits_can_be_said() -> None:
    terms = Terms("arosa", 6)
    rng = Stream(b"arranging")
    episode = terms.begin(3)
    while not episode.begun:
        mask = np.flatnonzero(episode.mask()).tolist()
        arranging = [index for index in mask if "arrange=True" in terms.space.name(index)] or mask
        episode = episode.step(arranging[rng.below("index", len(arranging))])
        assert episode.seat is not None

    with pytest.raises(Illegal, match=r"Arrange\(order: "):
        episode.step(episode.begun[0])
    seat, seq = episode.seat, episode.light.seq
    assert seat is not None
    begun = terms.observe(episode, seat)[-len(terms.space.spelled) :]
    assert np.count_nonzero(begun) == 1
    assert not terms.observe(episode, (seat + 1) % 6)[-len(terms.space.spelled) :].any()
    while episode.light.seq == seq:
        episode = episode.step(episode.drawn(rng))
    assert not terms.observe(episode, seat)[-len(terms.space.spelled) :].any()


# --- Interrupts ----------------------------------------------------------------------------------------------------


def asked(terms: Terms, seed: int = 1) -> Episode:
    """Play until an answer has been given and seats are asked whether they interrupt."""
    episode, rng = terms.begin(seed), Stream(b"house")
    news: tuple[Any, ...] = ()
    while not (episode.is_asked and any(isinstance(event, Answered) for event in news)):
        since = episode.light.seq
        episode = episode.step(episode.drawn(rng))
        news = episode.light.news(TABLE, since)
    return episode


def test_nobody_is_asked_while_nothing_can_be_slammed() -> None:
    episode = Terms("perfect_alibi", 4).begin(1)
    while isinstance(episode.light.state.phase, Picking):
        assert not episode.is_asked
        episode = episode.step(episode.drawn(Stream(b"house")))
    assert episode.is_asked  # cards were dealt since, and now there is something to slam


def test_after_an_answer_all_others_are_asked_clockwise_from_the_player_on_turn() -> None:
    episode = asked(Terms("perfect_alibi", 5))
    on_turn, awaited = episode.light.state.on_turn, episode.light.awaiting
    order = []
    while episode.is_asked:
        assert episode.seat is not None
        may = [type(episode.terms.space.at(index)) for index in np.flatnonzero(episode.mask()).tolist()]
        assert may == [Slam] * 16 + [Wait]
        order.append(episode.seat)
        episode = episode.step(episode.terms.space.wait)

    clockwise = [(on_turn + place) % 5 for place in range(5)]
    assert order == [seat for seat in clockwise if seat not in awaited]
    assert (episode.seat,) == awaited


def test_who_has_waited_is_not_asked_again_before_something_hidden_was_told() -> None:
    episode = asked(Terms("perfect_alibi", 3))
    while episode.is_asked:
        episode = episode.step(episode.terms.space.wait)
    rng = Stream(b"house")
    while not isinstance(episode.light.state.phase, Asking):  # a card to show, perhaps, and a chip to take
        before = episode
        episode = episode.step(episode.drawn(rng))
        if episode.is_asked:
            assert before.stirred != episode.stirred or before.is_asked
            news = {type(event) for event in episode.light.news(TABLE, before.light.seq)}
            assert news & {Answered, CardShown, CardDrawn, Slammed, MissingSeen}
            return
        assert episode.seat == episode.light.awaiting[0]


def test_a_slam_is_done_at_once_and_the_others_are_asked_anew() -> None:
    episode = asked(Terms("perfect_alibi", 4))
    first, space = episode.seat, episode.terms.space
    right = space.index(Slam(episode.light.state.missing))
    after = episode.step(next(index for index in np.flatnonzero(episode.mask()).tolist() if index != right))

    assert first is not None
    assert after.light.state.out[first]
    assert after.is_asked
    assert after.seat != first  # who is out cannot slam
    assert after.stirred == (True,) * 4


def test_whoever_is_waited_for_finds_its_interrupts_beside_the_rest() -> None:
    episode = asked(Terms("perfect_alibi", 3))
    while episode.is_asked:
        episode = episode.step(episode.terms.space.wait)
    kinds = {type(episode.terms.space.at(int(index))) for index in np.flatnonzero(episode.mask())}

    assert Slam in kinds
    assert len(kinds) > 1
    assert Wait not in kinds


def test_when_nobody_slams_in_the_pause_time_goes_on() -> None:
    terms = Terms("perfect_alibi", 3, {"slam_window_s": 5})
    episode, rng, paused = terms.begin(2), Stream(b"house"), 0
    while episode.seat is not None and episode.decisions < 300:
        if isinstance(episode.light.state.phase, Pausing):
            assert episode.is_asked
            paused += 1
        episode = episode.step(episode.drawn(rng))
    assert paused > 10


# --- The end -------------------------------------------------------------------------------------------------------


def test_payoffs_add_up_to_nothing_and_stay_within_one() -> None:
    assert payoffs(Outcome((1,), "solved"), 3) == (-0.5, 1.0, -0.5)
    assert payoffs(Outcome((0, 2), "tie"), 4) == pytest.approx((1 / 3, -1 / 3, 1 / 3, -1 / 3))
    assert payoffs(Outcome((0, 1), "tie"), 2) == (0, 0)
    assert payoffs(Outcome((), "all_out"), 4) == (0, 0, 0, 0)
    assert payoffs(None, 2) == (0, 0)


def test_the_winner_of_a_game_is_paid() -> None:
    episode = Terms("clue", 3).begin(4)
    trio = episode.light.state.envelope
    end = episode.act(Accuse(trio.suspect, trio.weapon, trio.room))

    assert end.seat is None
    assert end.payoffs() == (1.0, -0.5, -0.5)


# --- As values -----------------------------------------------------------------------------------------------------


def test_a_moment_can_be_copied_for_nothing_and_pickled() -> None:
    episode = drawn_out(Terms("perfect_alibi", 3).begin(1), Stream(b"house"), 40)
    again = pickle.loads(pickle.dumps(episode))  # noqa: S301  (our own)

    assert copy.deepcopy(episode) is episode
    assert again.light == episode.light
    assert (again.mask() == episode.mask()).all()
    rng = Stream(b"house")
    index = episode.drawn(rng)
    assert again.step(index).light.events == episode.step(index).light.events
    assert "Bar" not in repr(episode)


def test_beliefs_are_what_they_are_from_the_beginning() -> None:
    terms = Terms("clue", 3)
    rng = Stream(b"house")
    episode = terms.begin(1)
    for _ in range(30):
        episode = episode.step(episode.drawn(rng))
        seat = 0 if episode.seat is None else episode.seat
        whole = terms.game.belief(seat)
        for event in episode.light.seen(seat):
            whole = whole.learn(event)
        assert episode.belief(seat).sheet("probabilities") == whole.sheet("probabilities")


def test_the_house_draws_what_is_legal_and_stakes_nothing() -> None:
    terms, rng = Terms("clue", 3), Stream(b"house")
    episode = terms.begin(1)
    for _ in range(200):
        index = episode.drawn(rng)
        assert episode.mask()[index]
        assert not isinstance(terms.space.at(index), Accuse)
        episode = episode.step(index)
        assert episode.seat is not None


def test_a_widest_offer_that_lacks_something_is_found_when_it_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games.get("clue"), "space", lambda *_: [Offer(Roll)])
    with pytest.raises(ValueError, match="actions that this space has not"):
        Terms("clue", 3).begin(1).mask()
