"""Who is thought for next: by what is at stake, then households in turn, then by who came first."""

from collections.abc import Sequence

from whodunit.server.fair_queue import PATIENCE, Claim, FairQueue, Stake

MANY = 20


def claim(household: str, who: str = "", stake: Stake = Stake.PERSON) -> Claim:
    return Claim(stake, frozenset({household}), who)


def queued(*wishes: tuple[Claim, int, str]) -> "FairQueue[str]":
    queue: FairQueue[str] = FairQueue()
    for wish in wishes:
        queue.put(*wish)
    return queue


def emptied(queue: "FairQueue[str]") -> Sequence[str]:
    taken = []
    while queue:
        taken.append(queue.pop())
    return taken


def test_first_come_first_served_within_a_household() -> None:
    names = [f"{number}" for number in range(MANY)]

    assert emptied(queued(*((claim("home"), 1, name) for name in names))) == names


def test_a_person_who_waits_comes_before_bots_among_themselves_and_practice_is_last() -> None:
    stakes = [Stake.SPARE, Stake.BOTS, Stake.PERSON]
    taken = emptied(queued(*((claim("home", stake=stake), 1, stake.name) for stake in stakes)))

    assert taken == ["PERSON", "BOTS", "SPARE"]


def test_nobody_waits_for_ever() -> None:
    people = [(claim("home"), 1, "person")] * (4 * PATIENCE)
    others = [(claim("home", stake=stake), 1, stake.name) for stake in (Stake.BOTS, Stake.SPARE)]
    taken = emptied(queued(*others, *people))

    assert {taken.index("BOTS"), taken.index("SPARE")} == {PATIENCE, PATIENCE + 1}


def test_households_take_turns_however_many_of_one_ask() -> None:
    many = [(claim("many", f"cookie {number}"), 1, "many") for number in range(MANY)]
    taken = emptied(queued(*many, (claim("one"), 1, "one"), (claim("one"), 1, "one")))

    assert [place for place, who in enumerate(taken) if who == "one"] == [1, 3]


def test_people_of_one_household_take_turns() -> None:
    """A school has one line."""
    many = [(claim("school", "greedy"), 1, "greedy")] * MANY
    taken = emptied(queued(*many, (claim("school", "modest"), 1, "modest")))

    assert taken.index("modest") == 1


def test_what_costs_more_counts_more() -> None:
    dear = [(claim("dear"), 4, "dear")] * MANY
    cheap = [(claim("cheap"), 1, "cheap")] * MANY
    taken = emptied(queued(*dear, *cheap))

    assert taken[:10].count("cheap") == 8


def test_whoever_was_silent_has_saved_nothing_up() -> None:
    queue = queued(*[(claim("busy"), 1, "busy")] * MANY)
    for _ in range(MANY // 2):
        queue.pop()
    for _ in range(MANY):
        queue.put(claim("new"), 1, "new")

    assert emptied(queue)[:10].count("new") == 5


def test_what_several_wait_for_counts_for_who_has_least_waiting() -> None:
    """Whoever floods the house does not slow the table at which they sit with others."""
    flood = [(claim("flood", f"cookie {number}"), 1, "flood") for number in range(MANY)]
    table = Claim(Stake.PERSON, frozenset({"flood", "guest"}), "table")
    taken = emptied(queued(*flood, (table, 1, "table")))

    assert taken.index("table") == 1


def test_whoever_has_gone_is_forgotten() -> None:
    queue: FairQueue[str] = FairQueue()
    for number in range(MANY):
        queue.put(claim(f"household {number}"), 1, "")
        queue.pop()

    assert not queue._lines[Stake.PERSON]._flows
