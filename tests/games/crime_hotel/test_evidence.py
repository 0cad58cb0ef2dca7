"""What an event proves to whom, in numbers of worlds and in plain facts."""

from fractions import Fraction
from math import comb
from typing import Any

import pytest

from tests.games.crime_hotel.staging import FOUR, Staged, parked, stage
from whodunit.core.redact import redact
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Attention, Message, Seat, Undone
from whodunit.deduce.flow import Doubted, Held, Lacked, Left, Swapped
from whodunit.games.crime_hotel.evidence import (
    GUESSED,
    HAND,
    HIDDEN,
    SAVED,
    Belief,
    Deal,
    World,
    belief,
    imagine,
)
from whodunit.games.crime_hotel.facts import CARDS, extreme
from whodunit.games.crime_hotel.model import Exchange, Exchanged, Guess, HandDealt, Look, Looked, Relocate

pytestmark = pytest.mark.rules


def of(game: Staged, viewer: Seat, attention: Attention = "logic") -> Belief:
    known = belief(viewer, attention)
    for event in game.events:
        known = known.learn(redact(event, viewer))
    return known


def facts(known: Belief) -> list[Any]:
    """What has been learned beyond the deal and the own hand."""
    assert known.inquiry is not None
    return [fact for fact in known.inquiry.flow.facts if fact.source != HAND]


def exchanged() -> Staged:
    """Seat 1 has given 18 to seat 0 and drawn 14."""
    return parked().guess(2, "room 27").draw("exchange 1.1", 0, 14).play(1, Exchange(0, (18,)))


def test_a_spectator_knows_the_shape_of_the_deal_and_a_player_his_hand() -> None:
    """HOTEL-6, HOTEL-7, HOTEL-8: section 4 of the rules."""
    game = stage()

    assert of(game, TABLE).logic.total == 19 * comb(18, 6) * comb(12, 6)
    mine = of(game, 0)
    assert mine.logic.total == 13 * comb(12, 6)
    assert mine.logic.marginal(11, 0) == 1
    assert mine.rooms() == dict.fromkeys((17, 18, 19, *range(21, 30), 39), pytest.approx(1 / 13))
    assert of(stage(FOUR), TABLE).logic.marginal(39, HIDDEN) == Fraction(1, 25)
    assert mine.entropy() == pytest.approx(3.70044)


def test_nothing_is_concluded_before_the_cards_are_dealt() -> None:
    with pytest.raises(ValueError, match="before the cards are dealt"):
        _ = belief(0).learn(stage().events[0]).logic
    assert belief(0).learn(stage().events[0]).seats == 3


def test_a_card_played_was_in_the_hand_and_is_open() -> None:
    """HOTEL-10, HOTEL-16, HOTEL-18."""
    game = stage().cards(11, 17)
    seq = len(game.events)

    for viewer in (1, 2, TABLE):
        assert facts(of(game, viewer)) == [
            Held(0, (11,), seq - 1),
            Left((11,), seq - 1),
            Held(1, (17,), seq),
            Left((17,), seq),
        ]
        assert of(game, viewer).chance(Guess("room 11")) == 0
        lit = dict(of(game, viewer).inquiry.lit)  # type: ignore[union-attr]
        assert (lit[11], lit[17]) == (seq - 1, seq)


def test_who_cannot_follow_lacks_the_floor_at_that_moment() -> None:
    """HOTEL-13: what of the floor is not yet open; the rookie does not notice."""
    game = stage().cards(11, 17, 24)
    seq = len(game.events) - 1

    for viewer in (0, 1, 2, TABLE):
        assert Lacked(2, (12, 13, 14, 15, 16, 18, 19), seq) in facts(of(game, viewer))
        assert of(game, viewer).logic.mass(12, 2) == 0
    assert not any(isinstance(fact, Lacked) for fact in facts(of(game, 0, "sight")))
    assert facts(of(game, 0, "sight")) == [fact for fact in facts(of(game, 0)) if not isinstance(fact, Lacked)]


def test_an_exchange_is_known_to_both_and_undoes_what_was_proved() -> None:
    """HOTEL-31, HOTEL-13: section 4; the others know names and number."""
    game = exchanged()
    seq = len(game.events)

    assert facts(of(game, 0))[-1] == facts(of(game, 1))[-1] == Swapped(1, 0, 1, seq, (18,), (14,))
    assert facts(of(game, 2))[-1] == facts(of(game, TABLE))[-1] == Swapped(1, 0, 1, seq)
    assert of(game, 0).logic.marginal(14, 1) == of(game, 1).logic.marginal(18, 0) == 1
    assert of(game, 0).logic.marginal(18, 0) == 1
    assert 0 < of(game, 2).logic.marginal(18, 0) < 1
    assert of(game, 1).chance(Guess("room 14")) == 0


def test_a_void_is_undone_by_a_later_exchange() -> None:
    """HOTEL-13, HOTEL-31, HOTEL-T19: a card of the floor may have come since."""
    game = stage(["11 12 13 14 15 16", "17 18 19 21 22 23", "24 25 26 27 28 29"])
    game.cards(11, 17, 24).guess(2, "room 39")
    assert of(game, 0).logic.mass(18, 2) == 0
    game.draw("exchange 1.1", 2, 25).play(1, Exchange(2, (18,)))

    assert of(game, 0).logic.mass(18, 2) > 0
    assert of(game, 2).logic.marginal(18, 2) == 1
    known = of(game, 0).logic
    floor = (18, 19)
    assert sum(known.mass(card, 2) for card in floor) < known.total


def test_a_look_is_known_to_looker_and_target() -> None:
    """HOTEL-32: they stay there; the target learns nothing about cards."""
    game = parked().guess(2, "room 27").draw("look 1.1", 2, 29).play(1, Look(2))

    assert facts(of(game, 1))[-1] == Held(2, (29,), len(game.events))
    for viewer in (0, 2, TABLE):
        assert len(facts(of(game, viewer))) == len(facts(of(game, 1))) - 1
    assert of(game, 1).logic.marginal(29, 2) == 1


def test_the_murderer_is_known_at_the_end() -> None:
    """HOTEL-38."""
    game = stage(investigations=1, rounds=1).finish()

    for viewer in (0, TABLE):
        assert of(game, viewer).rooms() == {39: 1.0}
        assert of(game, viewer).chance(Guess("column 9")) == 1


def test_every_investigation_begins_afresh() -> None:
    """HOTEL-44: what was exchanged before stays open to those who did not see it."""
    game = stage(rounds=1, investigations=2).finish()
    known = of(game, 0)

    assert len(known.past) == 1
    assert known.logic.total == 5 * comb(4, 2)
    assert known.own == game.state.hands[0]
    (world,) = {len(world.deals) for world in known.sample(Rng(b"", 1), "w", 5)}
    assert world == 2
    assert len(list(known.worlds())) == known.past[0].flow.logic.total * known.logic.total


def doubts(game: Staged, viewer: Seat, attention: Attention = "motives") -> list[Any]:
    return [fact for fact in facts(of(game, viewer, attention)) if isinstance(fact, Doubted)]


def test_motives_weigh_what_is_guessed() -> None:
    """Who holds a card does not guess its room; what may be taken back is not weighed yet."""
    game = parked().guess(2, "room 21")
    seq = len(game.events)
    assert not any(fact.source == seq for fact in doubts(game, 0))
    game.desk(1, "BONUS")

    assert doubts(game, 0)[-1] == Doubted(2, (21,), GUESSED[1], seq)
    assert not any(fact.source == seq for fact in doubts(game, 2))
    assert doubts(game, 0, "logic") == doubts(game, 0, "sight") == []
    back = of(parked().guess(2, "room 21"), 0, "motives").learn(Undone(back_to=1))
    assert not any(fact.source == seq for fact in facts(back))
    assert back.seq == seq + 1
    assert of(game, 0, "motives").logic.total == of(game, 0).logic.total
    assert of(game, 0, "motives").rooms()[21] > of(game, 0).rooms()[21]


@pytest.mark.parametrize(
    ("place", "dark", "rooms"),
    [("room 11", (), 1), ("column 7", (27,), 3), ("floor 2", (21, 22, 23, 25, 26, 27, 28, 29), 9)],
)
def test_motives_weigh_dark_rooms_alone(place: str, dark: tuple[int, ...], rooms: int) -> None:
    game = parked().guess(2, place)
    seq = len(game.events)
    game.desk(1, "BONUS")

    assert doubts(game, 0)[-1] == Doubted(2, dark, GUESSED[rooms], seq)


def test_motives_weigh_where_a_guess_goes() -> None:
    """HOTEL-30: a guess that moves tells as much as a new one."""
    game = parked().guess(2, "room 27").change(guesses=((), ("floor 2",), ("room 27",)))
    game.play(1, Relocate("floor 2", "room 29"))
    seq = len(game.events)
    game.guess(0, "room 39")

    assert Doubted(1, (29,), GUESSED[1], seq) in doubts(game, 0)


def test_motives_weigh_what_could_have_been_played_instead() -> None:
    """High and low cards are saved: a card nearer to the middle would have been played, if it could."""
    game = stage().cards(12, 18, 27)
    first = len(game.events) - 3
    for_0, for_1 = doubts(game, 0), doubts(game, 1)

    assert for_1[0].holder == 0
    assert for_1[0].halvings == SAVED[2] == 2
    assert set(for_1[0].elements) == {card for card in CARDS if card not in game.state.lit[:8]} - {11, 12, 39}
    assert for_0[0] == Doubted(1, (19,), SAVED[2], first + 1)
    off_floor = for_0[1]
    assert off_floor.holder == 2
    assert set(off_floor.elements) == {24, 25, 26}
    assert not any(fact.holder == 0 for fact in for_0)


def test_in_the_last_rounds_less_is_saved_and_then_nothing() -> None:
    last = stage(rounds=1).cards(12)
    (doubt,) = doubts(last, 1)
    assert (doubt.elements, doubt.halvings) == ((11, 39), SAVED[0])
    (doubt,) = doubts(stage(rounds=2).cards(12), 1)
    assert doubt.halvings == SAVED[1]
    assert 11 not in doubt.elements
    (doubt,) = doubts(stage(rounds=3).cards(12), 1)
    assert doubt.halvings == SAVED[2]
    (doubt,) = doubts(stage(rounds=4).cards(12), 1)
    assert doubt.halvings == SAVED[2]


def test_every_round_has_its_own_first_card() -> None:
    game = parked().finish_round().cards(29, 12)
    (doubt,) = [fact for fact in doubts(game, 1) if fact.source == len(game.events)]

    assert {card // 10 for card in doubt.elements} == {1, 2}  # seat 0 had nothing of floor 2 to play
    (doubt,) = [fact for fact in doubts(game, 1) if fact.source == len(game.events) - 1]
    assert doubt.elements == (22, 23, 25, 26, 27, 28)


def test_how_extreme_a_card_is() -> None:
    assert extreme(11, 3) == extreme(39, 4) == 1
    assert extreme(25, 3) == 0.5
    assert extreme(25, 4) == 0.25
    assert extreme(12, 4) == extreme(38, 4) == pytest.approx((25 / 26) ** 3, abs=1e-3)
    assert extreme(12, 4) > extreme(13, 4) > extreme(19, 4) > extreme(21, 4) > extreme(25, 4)


@pytest.mark.parametrize(
    "event",
    [
        HandDealt(seat=0, size=6, cards=None),
        Exchanged(seat=0, partner=1, count=1, given=None, drawn=None),
        Exchanged(seat=1, partner=0, count=1, given=(18,), drawn=None),
        Looked(seat=0, target=1, count=1, cards=None),
    ],
)
def test_who_is_entitled_must_be_told(event: Any) -> None:
    """The book decides who knows, not whether a field happens to be empty."""
    with pytest.raises(ValueError, match="entitled to know"):
        of(parked(), 0).learn(event)


@pytest.mark.parametrize(
    "event",
    [
        Exchanged(seat=2, partner=1, count=1, given=(25,), drawn=(18,)),
        Looked(seat=1, target=2, count=1, cards=(25,)),
        HandDealt(seat=1, size=6, cards=(17, 18, 19, 21, 22, 23)),
    ],
)
def test_who_is_not_entitled_does_not_look(event: Any) -> None:
    """Even a field that was wrongly left open proves nothing to somebody whom the book does not let know."""
    known = of(parked(), 0)

    assert facts(known.learn(event)) == facts(known.learn(redact(event, 0)))
    assert known.learn(event).own == known.own


def test_worlds_are_named_and_samples_are_among_them() -> None:
    game = exchanged()
    known = of(game, 2)
    worlds = known.sample(Rng(b"seed", 1), "worlds", 20)

    for world in worlds:
        (deal,) = world.deals
        assert sorted([deal.hidden, *(card for hand in deal.hands for card in hand), *range(31, 39)]) == list(CARDS)
        assert deal.hands[2] == known.own
        ((given, drawn),) = deal.trades
        assert set(given) < set(deal.hands[1])
        assert set(drawn) < set(deal.hands[0])
        assert known.answer(world) == (deal.hidden // 10,)
    assert worlds == known.sample(Rng(b"seed", 1), "worlds", 20)
    assert worlds != known.sample(Rng(b"seed", 2), "worlds", 20)


def test_a_card_that_was_given_can_be_drawn_again() -> None:
    """HOTEL-31: of two exchanges, the second moves what is held after the first."""
    game = exchanged().guess(0, "room 26").cards(25, 12, 21).guess(2, "room 28")
    game.draw("exchange 1.2", 0, 13, 18).play(1, Exchange(0, (14, 19)))
    back = 0

    for world in of(game, TABLE).sample(Rng(b"seed", 1), "worlds", 200):
        (deal,) = world.deals
        zero, one, _ = map(set, deal.hands)
        for given, drawn in deal.trades:
            assert set(given) <= one
            assert set(drawn) <= zero
            zero, one = zero - set(drawn) | set(given), one - set(given) | set(drawn)
        back += bool(set(deal.trades[0][0]) & set(deal.trades[1][1]))
    assert back


def test_an_imagined_state_has_no_gaps() -> None:
    """What was dealt, exchanged and played makes the hands of now."""
    game = exchanged()
    truth = World((Deal(39, tuple(stage().state.hands), (((18,), (14,)),)),))

    assert imagine(game.view(2), truth) == imagine(game.view(TABLE), truth) == game.state
    assert imagine(stage().cards(11).view(2), truth) == stage().cards(11).state


def test_what_is_forgotten_was_shown_and_never_the_own_hand_or_an_open_card() -> None:
    game = parked().guess(2, "room 27").draw("look 1.1", 2, 29).play(1, Look(2))
    known = of(game, 1, "sight")
    forgotten = known.forget(Rng(b"", 1))

    assert known.logic.marginal(29, 2) == 1
    assert forgotten.logic.marginal(29, 2) < 1
    assert forgotten.logic.marginal(18, 1) == 1
    assert forgotten.chance(Guess("room 11")) == 0
    assert forgotten.forget(Rng(b"", 1)) == forgotten


def test_a_certain_fact_is_explained_and_a_clash_is_named() -> None:
    game = parked().guess(2, "room 27").draw("look 1.1", 2, 29).play(1, Look(2))
    why = of(game, 1).explain(29, 2)

    assert why is not None
    assert why.sources == (len(game.events),)
    assert why.grade == 1
    assert of(game, 1).explain(28, 2) is None
    assert of(game, 1).explain(29, HIDDEN, held=False) is not None
    assert of(game, 1).clash() == ()
    wrong = of(game, 1).learn(Looked(seat=1, target=0, count=1, cards=(29,)))
    assert wrong.clash() == (len(game.events), len(game.events) + 1)
    assert wrong.sheet("logic").clash == wrong.clash()


def test_a_belief_says_what_it_assumes() -> None:
    assert belief(0).assumes() == belief(0, "sight").assumes() == (Message("assumes.every_deal"),)
    assert [message.key for message in belief(0, "motives").assumes()] == [
        "assumes.every_deal",
        "assumes.guesses_mean",
        "assumes.saves",
    ]
