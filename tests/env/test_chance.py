"""Draws as choices of chance: whatever a game draws can come of them, and every way is equally likely."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import prod

import pytest

from tests.env.peers import choices_of
from whodunit import games
from whodunit.core.rng import Rng
from whodunit.env.chance import OUTCOMES, Settled, Unsettled, radices
from whodunit.table.table import Table


@pytest.mark.parametrize("bound", [1, 2, 21, 512, 513, 720, 2**20, 2**63, 3**30, 1009])
def test_a_range_comes_out_even_in_its_base(bound: int) -> None:
    assert prod(radices(bound)) == bound
    assert (
        all(1 < radix <= OUTCOMES for radix in radices(bound)) or bound == 1009
    )  # a prime is one choice, however large


def test_few_choices_are_used() -> None:
    assert radices(2**63) == (512,) * 7
    assert radices(1) == ()


@pytest.mark.parametrize(("kind", "bound"), [("below", 600), ("shuffled", 5)])
def test_every_way_gives_another_result(kind: str, bound: int) -> None:
    outcomes = radices(bound) if kind == "below" else range(bound, 1, -1)
    ways = product(*map(range, outcomes))
    results = Counter(Settled(1, iter(way)).result("draw", kind, bound) for way in ways)

    assert len(results) == (bound if kind == "below" else 120)
    assert set(results.values()) == {1}


def test_what_is_not_settled_is_asked_for_draw_by_draw() -> None:
    with pytest.raises(Unsettled) as asked:
        Settled(1, iter([3, 1])).shuffled("deck", "abcde")

    assert (asked.value.label, asked.value.outcomes) == ("deck", (3, 2))


def test_an_id_is_no_choice() -> None:
    one, other = Settled(4, iter(())), Settled(5, iter(()))

    assert len(one.token("clip")) == len(Rng(b"", 1).token("clip"))
    assert one.token("another") != one.result("clip", "token", 128) != other.token("clip")


def test_a_stream_has_no_outcomes() -> None:
    with pytest.raises(TypeError, match="no outcomes that could be listed"):
        Settled(1, iter(())).words("samples")


def courses() -> Iterator[tuple[str, int]]:
    for id in games.ids():
        yield id, games.get(id).INFO.seats[0]


@pytest.mark.parametrize(("game", "seats"), list(courses()))
def test_whatever_was_dealt_can_be_settled(game: str, seats: int) -> None:
    rules = games.get(game)
    options = rules.INFO.parse(seats, rules.INFO.bulk)
    for seed in range(5):
        _, opening = Table.open(rules, seats, options, b"%d" % seed)
        again = rules.setup(seats, options, Settled(1, iter(choices_of(opening))))

        assert [type(event) for event in again] == [type(event) for event in opening.events]
        if game != "arosa":  # whose clips have ids that are drawn elsewhere
            assert tuple(again) == opening.events
        else:
            moved = [getattr(event, "moved", None) for event in opening.events]
            assert [getattr(event, "moved", None) for event in again] == moved
