"""What is said of a claim: by what is posed alone, and never by the truth."""

from collections import Counter
from itertools import islice, pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from whodunit.cases.mining import Found, mine
from whodunit.cases.posed import Known, Posed, claim_of, claims_of, known
from whodunit.cases.ruling import (
    BadClaim,
    Held,
    Impossible,
    Proved,
    Unproved,
    clashing,
    counter_deal,
    rule,
    rule_mark,
)
from whodunit.core.rng import Stream
from whodunit.core.wire import encode

FEW = 3000
"""So many worlds are listed one by one."""


@pytest.fixture(scope="module")
def cases() -> list[Found]:
    return [*islice(mine("clue", "rulings"), 30)]


def after(posed: Posed, turned: int) -> Posed:
    return replace(posed, lines=posed.lines[:turned])


def worlds(position: Known) -> list[dict[str, tuple[str, ...]]] | None:
    """Return every deal that fits, one by one; None, if there are too many to list."""
    if position.logic.total > FEW:
        return None
    hands = (position.deal.hands(world) for world in position.logic.worlds())
    return [{str(holder): tuple(map(str, hand)) for holder, hand in world.items()} for world in hands]


def test_a_claim_is_proved_or_impossible_or_open_just_as_the_worlds_say(cases: list[Found]) -> None:
    kinds: Counter[type[Any]] = Counter()
    for found in cases:
        for turned in range(found.posed.total + 1):
            posed = after(found.posed, turned)
            every = worlds(known(posed))
            if every is None:
                continue
            for claim in islice(zip(*posed.question.form, strict=True), 4):
                holds = sum(all(row in world[column] for row, column in claim) for world in every)
                ruling = rule(posed, claim)
                expected = Proved if holds == len(every) else Unproved if holds else Impossible
                assert type(ruling) is expected
                kinds[expected] += 1
    assert all(kinds[kind] for kind in (Proved, Unproved, Impossible))


def test_a_counter_deal_fits_every_turned_line_and_contradicts_the_claim(cases: list[Found]) -> None:
    seen = 0
    for found in cases:
        for turned in range(found.par):
            posed = after(found.posed, turned)
            ruling = rule(posed, found.answer)
            assert isinstance(ruling, Unproved)
            hands = {held.column: held.rows for held in ruling.deal}
            assert not all(row in hands[column] for row, column in found.answer)
            assert fits(posed, hands)
            seen += 1
    assert seen > 50


def fits(posed: Posed, hands: dict[str, tuple[str, ...]]) -> bool:
    """Say by the rules of Clue alone whether these hands could have given what was seen."""
    trio: Any = set()
    for events in (posed.given, *posed.lines):
        for event in events:
            match type(event).__name__, event:
                case "HandDealt", event:
                    hand = hands[str(event.seat)]  # type: ignore[attr-defined]
                    if len(hand) != event.size or (event.cards and set(event.cards) != set(hand)):  # type: ignore[attr-defined]
                        return False
                case "Suggested", event:
                    trio = set(event.trio.cards)  # type: ignore[attr-defined]
                case "CouldNotShow", event:
                    if trio & set(hands[str(event.seat)]):  # type: ignore[attr-defined]
                        return False
                case "CardShown", event:
                    shown = {event.card} if event.card else trio  # type: ignore[attr-defined]
                    if not shown & set(hands[str(event.seat)]):  # type: ignore[attr-defined]
                        return False
    return True


def test_a_counter_deal_is_drawn_evenly_among_all_that_fit_and_contradict(cases: list[Found]) -> None:
    found, every = next(
        (found, every)
        for found in cases
        for every in [worlds(known(after(found.posed, found.par - 1)))]
        if every is not None and 8 <= len(every) <= 60
    )
    position = known(after(found.posed, found.par - 1))
    claims = claims_of(position, found.answer)
    against = [world for world in every if not all(row in world[column] for row, column in found.answer)]
    words = Stream(b"even").words("")
    draws = 400 * len(against)
    drawn = Counter(encode(counter_deal(position, claims, words)) for _ in range(draws))
    assert set(drawn) == {encode(tuple(Held(*item) for item in world.items())) for world in against}
    spread = sum((number - 400) ** 2 / 400 for number in drawn.values())
    degrees = len(against) - 1
    assert spread < degrees + 5 * (2 * degrees) ** 0.5 + 5


def test_what_is_said_does_not_depend_on_the_truth(cases: list[Found]) -> None:
    """Of one posed case, whatever the other lines and the answer are, every claim is ruled alike, to the byte."""
    for found, other in pairwise(cases):
        for turned in range(found.par):
            one = after(found.posed, turned)
            # The same turned lines before another end: other lines to come, hence perhaps another truth.
            two = after(replace(found.posed, lines=found.posed.lines[:turned] + other.posed.lines), turned)
            for claim in islice(zip(*one.question.form, strict=True), 3):
                assert encode(rule(one, claim)) == encode(rule(two, claim))


def test_a_clash_has_no_line_to_spare(cases: list[Found]) -> None:
    seen = 0
    for found in cases:
        posed = found.posed
        wrong = next(claim for claim in zip(*posed.question.form, strict=True) if claim != found.answer)
        ruling = rule(posed, wrong)
        assert isinstance(ruling, Impossible)
        if ruling.lines == (0,):
            continue

        def stands(lines: tuple[int, ...], posed: Posed = posed, wrong: Any = wrong) -> bool:
            kept = replace(posed, lines=tuple(posed.lines[line - 1] for line in lines))
            position = known(kept)
            return position.engine.possible(position.learn(*_held(position, wrong)).known)

        assert not stands(ruling.lines)
        assert all(stands(tuple(one for one in ruling.lines if one != line)) for line in ruling.lines)
        seen += 1
    assert seen > 10


def _held(position: Known, entries: Any) -> list[Any]:
    from whodunit.deduce import has  # noqa: PLC0415

    return [has(claim.holder, [claim.element], None) for claim in claims_of(position, entries)]


def test_a_mark_is_ruled_on_like_a_claim(cases: list[Found]) -> None:
    found = cases[0]
    (row, column), *_ = found.answer
    assert isinstance(rule_mark(found.posed, row, column, held=True), Proved)
    assert isinstance(rule_mark(found.posed, row, column, held=False), Impossible)
    early = after(found.posed, found.par - 1)
    unproved = [type(rule_mark(early, one, other, held=held)) for one, other in found.answer for held in (True, False)]
    assert Unproved in unproved


@pytest.mark.parametrize("claim", [(), (("Plum", "nobody"),), (("Nothing", "0"),) * 3])
def test_what_is_no_answer_to_the_question_is_refused(cases: list[Found], claim: Any) -> None:
    with pytest.raises(BadClaim):
        rule(cases[0].posed, claim)
    with pytest.raises(BadClaim):
        rule_mark(cases[0].posed, "Nothing", "0", held=True)


def test_a_clash_with_the_hand_alone_names_no_line(cases: list[Found]) -> None:
    found = cases[0]
    position = known(found.posed)
    own = next(event for event in found.posed.given if getattr(event, "cards", None))
    claim = claim_of(position, own.cards[0], str((found.posed.seat + 1) % found.posed.seats))  # type: ignore[attr-defined]
    assert clashing(position, [claim]) == (0,)
