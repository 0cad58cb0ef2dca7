"""Chance made explicit: probes that are given their draws, and everything that draws may lead to."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from whodunit import Stream, light_game
from whodunit.core.chance import chance, outcomes
from whodunit.core.errors import Illegal, TooMany
from whodunit.core.redact import fold
from whodunit.core.rng import Probe, Rng, StackedRng, Undrawn
from whodunit.games import clue, get
from whodunit.games.clue.model import DiceThrown, Roll


def test_a_probe_asks_for_the_first_draw_that_is_not_given() -> None:
    with pytest.raises(Undrawn) as asked:
        Probe([]).below("die", 6)

    assert (asked.value.label, asked.value.bound) == ("die", 6)
    assert Probe([4]).below("die", 6) == 4


def test_a_probe_asks_for_a_shuffled_order_place_by_place() -> None:
    asked = []
    given: list[int] = []
    while True:
        try:
            order = Probe(given).shuffled("deck", "abcd")
        except Undrawn as draw:
            asked.append((draw.label, draw.bound))
            given.append(0)
        else:
            break

    assert asked == [("deck, place 3", 4), ("deck, place 2", 3), ("deck, place 1", 2)]
    assert sorted(order) == list("abcd")


def test_a_probe_does_not_ask_where_there_is_one_way() -> None:
    probe = Probe([])

    assert probe.below("only", 1) == 0
    assert probe.shuffled("alone", "a") == ("a",)
    assert probe.token("clip") == Probe([1]).token("clip")


def test_what_a_probe_drew_can_be_stacked() -> None:
    probe = Probe([2, 0, 1, 5])
    order, number = probe.shuffled("deck", "abcd"), probe.below("die", 6)
    again = StackedRng(b"", 1, {draw.label: draw.result for draw in probe.draws})

    assert (again.shuffled("deck", "abcd"), again.below("die", 6)) == (order, number)


@pytest.mark.parametrize("number", [-1, 6])
def test_a_probe_refuses_what_a_draw_cannot_give(number: int) -> None:
    with pytest.raises(ValueError, match="the draw 'die' \\(below 6\\) cannot give"):
        Probe([number]).below("die", 6)


def test_a_probe_refuses_a_stream_of_words() -> None:
    with pytest.raises(ValueError, match="'worlds' is drawn from a stream"):
        Probe([]).words("worlds")


def test_every_order_is_as_likely_as_any_other() -> None:
    found = outcomes(lambda rng: rng.shuffled("deck", "abcd"))

    assert set(found.values()) == {Fraction(1, 24)}
    assert len(found) == 24


def test_draws_that_depend_on_draws_are_weighed_and_equal_results_added() -> None:
    def made(rng: Rng) -> str:
        return "home" if rng.below("coin", 2) else "abc"[rng.below("road", 3)] if rng.below("again", 4) else "home"

    assert outcomes(made) == {
        "home": Fraction(5, 8),
        "a": Fraction(1, 8),
        "b": Fraction(1, 8),
        "c": Fraction(1, 8),
    }


@pytest.mark.parametrize(
    "made",
    [
        lambda rng: rng.below("drop", 2**63),
        lambda rng: rng.shuffled("deck", range(21)),
        lambda rng: (rng.below("one", 80), rng.below("other", 80)),
    ],
)
def test_what_is_too_much_to_list_is_refused(made: Callable[[Rng], Any]) -> None:
    with pytest.raises(TooMany, match=r"more than 1000"):
        outcomes(made, most=1000)


def test_as_many_as_may_be_are_listed() -> None:
    assert len(outcomes(lambda rng: rng.below("number", 1000), most=1000)) == 1000


# --- Of an action ------------------------------------------------------------------------------------------------


def _opened(**options: Any) -> Any:
    game = get("clue")
    return fold(game, game.setup(3, game.INFO.parse(3, options), Rng(b"chance", 1)))


def test_two_dice_have_thirty_six_outcomes() -> None:
    found = chance(get("clue"), _opened(dice_count=2), 0, Roll())

    sums = Counter[int]()
    for (thrown,), share in found.items():
        assert isinstance(thrown, DiceThrown)
        assert share == Fraction(1, 36)
        sums[sum(thrown.dice)] += 1
    assert [sums[total] for total in range(2, 13)] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]


def test_what_needs_no_draw_happens_for_certain() -> None:
    state = _opened()
    (accused,) = chance(get("clue"), state, 0, clue.model.Accuse("Scarlet", "Rope", "Hall")).values()

    assert accused == 1


def test_what_may_not_be_done_has_no_outcomes() -> None:
    with pytest.raises(Illegal, match="seat 1 may not do Roll"):
        chance(get("clue"), _opened(), 1, Roll())


@pytest.mark.parametrize(
    ("id", "seats", "drawn"),
    [("clue", 3, "DiceThrown"), ("perfect_alibi", 4, "ChipReplaced"), ("crime_hotel", 4, "Exchanged")],
)
def test_what_happens_is_one_of_the_outcomes(id: str, seats: int, drawn: str) -> None:
    game, rng, kinds = light_game(id, seats, 3), Stream(b"outcomes"), Counter[str]()
    while game.outcome is None:
        seat = game.awaiting[0]
        offers = [offer for offer in game.legal(seat) if offer.action not in game.game.INFO.final]
        action = offers[rng.below("offer", len(offers))].sample(rng)
        after = game.step(seat, action)
        happened = tuple(after.events[game.seq :])
        try:
            found = chance(game.game, game.state, seat, action, most=300)
        except TooMany:
            kinds["too many"] += 1
        else:
            assert happened in found
            assert sum(found.values()) == 1
            kinds.update(type(event).__name__ for event in happened if len(found) > 1)
        game = after
        if kinds[drawn] == 3:
            return
    raise AssertionError(f"nothing was drawn: {kinds}")


def test_a_falling_cube_has_too_many_outcomes() -> None:
    game = light_game("arosa", 2, 1, tower="surrogate")
    seat = game.awaiting[0]

    with pytest.raises(
        TooMany, match="the draw 'drop 6' may fall in 9223372036854775808 ways, which is more than 10000"
    ):
        chance(game.game, game.state, seat, game.legal(seat)[0].at(0))
