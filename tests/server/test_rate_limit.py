"""Who may how often: nobody is let off because others come, too, or by going to another node."""

import inspect
import time

import pytest

from whodunit.core.errors import Refusal
from whodunit.host.leases import SingleNode
from whodunit.server.limits import Limits
from whodunit.server.quotas import (
    BOT_BYTES,
    BURST_S,
    HOUSEHOLD_TABLES,
    PERSON_TABLES,
    STEP_BYTES,
    TABLE_BYTES,
    WORD_BYTES,
    Quotas,
)
from whodunit.server.rate_limit import SHARED, RateLimits


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Time stands still until the test moves it."""
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_no_number_of_others_lets_anybody_off(clock: list[float]) -> None:
    """10,001 addresses in turn, 60 times: each used to be forgotten before it came again."""
    tries = RateLimits(rate=0.5, burst=20, kept=1000)
    admitted = sum(tries.admits(f"address {number % 10_001}") for number in range(60 * 10_001))

    assert admitted <= (1000 + SHARED) * 20
    clock[0] += 1
    assert sum(tries.admits("address 0") for _ in range(100)) <= 1


def test_what_is_as_good_as_new_is_forgotten(clock: list[float]) -> None:
    tries = RateLimits(rate=1, burst=5, kept=100)
    for number in range(100):
        assert tries.admits(f"a {number}")
    clock[0] += 1
    assert tries.admits("another")

    assert len(tries._allowed) == 1


def test_strangers_count_together_only_while_there_are_too_many(clock: list[float]) -> None:
    tries = RateLimits(rate=1, burst=2, kept=3)
    assert [tries.admits(who) for who in "abc"] == [True] * 3
    assert [tries.admits("d") for _ in range(3)] == [True, True, False]
    assert not tries.admits("d")
    assert [tries.admits(who) for who in "abc"] == [True] * 3  # who has a count of their own keeps it
    clock[0] += 2
    assert [tries.admits("d") for _ in range(3)] == [True, True, False]


def test_something_is_kept_for_what_matters_more(clock: list[float]) -> None:
    written = RateLimits(rate=1, burst=100)
    assert written.admits("ada", 75, spare=0.25)
    assert not written.admits("ada", 1, spare=0.25)
    assert written.admits("ada", 25)
    assert not written.admits("ada", 1)
    clock[0] += 30
    assert written.admits("ada", 5, spare=0.25)


def quotas(nodes: SingleNode) -> Quotas:
    return Quotas(b"key", Limits(written_person=10, written_household=20), nodes)


@pytest.mark.usefixtures("clock")
def test_what_is_used_on_one_node_is_counted_on_all() -> None:
    nodes = [SingleNode(), SingleNode()]
    here, there = map(quotas, nodes)
    while here.admits_words("ada", "home", 200):
        pass
    used = nodes[0].take_used()
    nodes[1].hear_used(used)

    assert not there.admits_words("ada", "home", 200)
    assert there.admits_words("bob", "elsewhere", 200)
    assert nodes[0].take_used() == {}
    assert "ada" not in str(used)
    assert "home" not in str(used)


@pytest.mark.usefixtures("clock")
def test_a_household_is_bounded_however_many_people_it_has() -> None:
    house = quotas(SingleNode())
    admitted = sum(house.admits_words(f"person {number}", "home", 700) for number in range(1000))

    assert 0 < admitted * (WORD_BYTES + 3 * STEP_BYTES) <= BURST_S * 20


@pytest.mark.usefixtures("clock")
def test_moves_go_on_when_words_must_wait() -> None:
    house = Quotas(b"key", Limits(written_person=100, written_household=100), SingleNode())
    while house.admits_words("ada", "home", 0):
        pass
    assert house.admits_move("ada", "home")


@pytest.mark.usefixtures("clock")
def test_bots_among_themselves_are_counted_for_whoever_lets_them_play() -> None:
    house = Quotas(b"key", Limits(written_person=100, written_household=100), SingleNode())
    played = sum(house.admits_bots({"home"}) for _ in range(1000))

    assert 0 < played * BOT_BYTES <= 0.75 * BURST_S * 100
    assert house.admits_bots({"elsewhere"})
    assert not house.admits_bots({"elsewhere", "home"})
    assert all(house.admits_bots({""}) for _ in range(1000))  # on the host's own machine nobody is counted
    assert house.admits_move("ada", "home")


def test_a_moves_length_is_not_counted() -> None:
    """Whoever shares the household could learn from what is left how long the name of a card is."""
    assert [*inspect.signature(Quotas.admits_move).parameters] == ["self", "person", "household"]


def test_tables_are_few_and_count_as_what_comes_with_them() -> None:
    house = Quotas(b"key", Limits(), SingleNode())
    for _ in range(PERSON_TABLES):
        house.admit_table("ada", "home")
    with pytest.raises(Refusal, match="too_many_tables"):
        house.admit_table("ada", "home")
    for number in range(HOUSEHOLD_TABLES - PERSON_TABLES):
        house.admit_table(f"bob {number}", "home")
    with pytest.raises(Refusal, match="too_many_tables"):
        house.admit_table("cleo", "home")
    assert 300 * Limits().written_household > TABLE_BYTES * HOUSEHOLD_TABLES
