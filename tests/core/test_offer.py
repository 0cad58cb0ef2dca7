"""Offers: checked, counted, listed and sampled without disagreeing."""

from math import comb, factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whodunit.core.offer import Choice, Offer, One, Order, Some
from whodunit.core.rng import Rng
from whodunit.core.types import Action


class Ask(Action, frozen=True):
    who: int | str | tuple[int | str, ...]
    what: int | str | tuple[int | str, ...]


class Show(Action, frozen=True):
    what: int | str | tuple[int | str, ...]


class Wave(Action, frozen=True):
    pass


values = st.lists(st.integers(0, 20), unique=True, max_size=5).map(tuple)


@st.composite
def some(draw: st.DrawFn) -> Some:
    of = draw(values)
    least = draw(st.integers(0, len(of)))
    return Some(of, least, draw(st.integers(least, len(of))))


choices: st.SearchStrategy[Choice] = values.map(One) | some() | values.map(Order)
some_values = choices.filter(lambda choice: choice.count > 0)


@given(choices, choices)
def test_listing_counting_and_picking_agree(who: Choice, what: Choice) -> None:
    offer = Offer(Ask, {"who": who, "what": what})
    listed = list(offer.actions())

    assert len(listed) == offer.count
    assert [offer.at(index) for index in range(offer.count)] == listed
    assert len(set(listed)) == len(listed)
    assert all(offer.admits(action) for action in listed)


@pytest.mark.parametrize("size", range(12))
def test_subsets_are_found_by_place_however_many_there_are(size: int) -> None:
    choice = Some(tuple(range(size)), size // 3, size)

    assert [choice.at(place) for place in range(choice.count)] == list(choice)


@given(some_values, st.binary(max_size=4))
def test_a_single_choice_is_sampled_by_the_place_drawn(choice: Choice, seed: bytes) -> None:
    drawn = Offer(Show, {"what": choice}).sample(Rng(seed, 1))

    assert drawn == Show(choice.at(Rng(seed, 1).below("choice", choice.count)))


@given(some_values, some_values, st.binary(max_size=4))
def test_two_choices_are_sampled_by_the_place_drawn(who: Choice, what: Choice, seed: bytes) -> None:
    offer = Offer(Ask, {"who": who, "what": what})

    assert offer.sample(Rng(seed, 1)) == offer.at(Rng(seed, 1).below("choice", offer.count))


@given(choices, st.data())
def test_admits_exactly_what_is_listed(choice: Choice, data: st.DataObject) -> None:
    value = data.draw(st.integers(0, 21) | st.lists(st.integers(0, 21), max_size=5).map(tuple))

    assert choice.admits(value) == (value in list(choice))


def test_counts() -> None:
    assert One((1, 2, 3)).count == 3
    assert Some((1, 2, 3, 4), 1, 3).count == comb(4, 1) + comb(4, 2) + comb(4, 3)
    assert Order((1, 2, 3, 4)).count == factorial(4)
    assert Offer(Wave).count == 1


def test_some_wants_one_order_and_no_repeats() -> None:
    choice = Some(("a", "b", "c"), 2, 2)

    assert choice.admits(("a", "c"))
    assert not choice.admits(("c", "a"))
    assert not choice.admits(("a", "a"))
    assert not choice.admits(["a", "c"])


def test_another_type_of_action_is_not_admitted() -> None:
    assert not Offer(Wave).admits(Ask(who=1, what=2))
    assert not Offer(Wave).admits("Wave")


def test_samples_are_uniform_without_listing() -> None:
    huge = Offer(Ask, {"who": Order(tuple(range(18))), "what": One((1,))})
    assert huge.admits(huge.sample(Rng(b"seed", 1)))

    offer = Offer(Ask, {"who": One((1, 2, 3)), "what": Some((1, 2), 0, 2)})
    counts = dict.fromkeys(offer.actions(), 0)
    for number in range(2400):
        counts[offer.sample(Rng(b"seed", number))] += 1

    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 31.3  # chi-square, 11 degrees, p = 0.001


def test_an_offer_says_what_it_is() -> None:
    assert str(Offer(Ask, {"who": One((1, 2)), "what": One((3,))})) == "Ask(who, what) [2]"


@pytest.mark.parametrize("value", [None, True, 1.5, [1], {"a": 1}])
def test_values_of_a_wrong_type_are_refused(value: object) -> None:
    assert not One(("a", "b")).admits(value)
    assert not Order(("a", "b")).admits(value)
    assert not Some(("a", "b"), 1, 2).admits(value)


def test_an_offer_includes_what_it_has_grown_from() -> None:
    def offer(of: tuple[int, ...], least: int = 1, most: int = 2) -> Offer:
        return Offer(Ask, {"cards": Some(of, least, most)})

    assert offer((1, 2, 3)).includes(offer((1, 3)))
    assert offer((1, 2, 3)).includes(offer((1, 2, 3)))
    assert not offer((1, 3)).includes(offer((1, 2, 3)))
    assert not offer((1, 2, 3)).includes(offer((3, 1)))
    assert not offer((1, 2, 3), 2).includes(offer((1, 2, 3), 1))
    assert not offer((1, 2, 3), 1, 1).includes(offer((1, 2, 3), 1, 2))
    assert not offer((1, 2)).includes(Offer(Ask, {"cards": One((1,))}))
    assert Offer(Ask, {"cards": One((1, 2))}).includes(Offer(Ask, {"cards": One((2,))}))
    assert not Offer(Ask, {"cards": One((2,))}).includes(Offer(Ask, {"cards": One((1, 2))}))
    assert Offer(Ask, {"cards": Order((1, 2))}).includes(Offer(Ask, {"cards": Order((2, 1))}))
    assert not Offer(Ask, {"cards": Order((1, 2))}).includes(Offer(Ask, {"cards": Order((1, 2, 3))}))
    assert not Offer(Ask, {}).includes(offer((1,)))
    assert not Offer(Ask, {}).includes(Offer(Wave))
