"""The belief that is ready made: any holders, and nothing thought by who only looks."""

from whodunit.core.types import Message
from whodunit.deduce import Position, has, lacks
from whodunit.deduce.belief import SOLUTION, DealBelief, DealtWorld, Reading

READING = Reading(
    deal=lambda _: Position("CBAD", {1: 1, "open": 1, SOLUTION: 1, 0: 1}),
    proves=lambda event, _viewer, seq: [event(seq)],
    tell=lambda _: Message("told"),
)


def test_worlds_name_the_hands_by_seat_and_what_lies_elsewhere() -> None:
    belief = DealBelief(0, "logic", READING).learn(None)
    belief = belief.learn(lambda seq: has("open", "D", seq)).learn(lambda seq: lacks(SOLUTION, "AB", seq))

    assert {*belief.worlds()} == {
        DealtWorld((("A",), ("B",)), ("C",), (("D",),)),
        DealtWorld((("B",), ("A",)), ("C",), (("D",),)),
    }


def test_who_only_looks_takes_in_what_is_seen_and_draws_no_conclusion() -> None:
    belief = DealBelief(0, "sight", READING).learn(None)
    seen = belief.learn(lambda seq: has("open", "D", seq)).learn(lambda seq: lacks(SOLUTION, "AB", seq))

    assert len([*seen.worlds()]) == 6
