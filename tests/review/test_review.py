"""The review of any game, tried on the smallest: each event has one place, and nothing is judged by how it came out."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

import whodunit
from nightcap import model
from tests.review.conftest import played
from whodunit.core.errors import StillOpen
from whodunit.core.judging import EVEN, gained
from whodunit.core.redact import redact
from whodunit.core.types import TABLE, Event, Seat, Undone
from whodunit.review import SeatReview, Verdict, Whole, judge, review, stream
from whodunit.review.fitted import Fitted, Shape
from whodunit.review.judge import believing
from whodunit.review.knowing import account, standing_batches
from whodunit.review.review import seat_review, showing_of
from whodunit.review.verdict import Account
from whodunit.table.case import Case
from whodunit.table.table import Table

PARTS = Account.__struct_fields__
SEEDS = tuple("abcdefgh")
NOTHING = Fitted({})


@pytest.mark.parametrize("seed", SEEDS)
def test_the_six_parts_sum_to_all_that_was_learned(seed: str) -> None:
    for part in review(played(seed, "random", "rookie", "mastermind")).seats.values():
        learned = part.began - (part.steps[-1].left if part.steps else part.began)
        read = sum(step.read for step in part.steps)

        assert sum(getattr(part.account, name) for name in PARTS) == pytest.approx(learned + read, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS[:3])
def test_each_event_is_in_one_part_and_moves_no_other(seed: str) -> None:
    for part in review(played(seed, "random", "random", "detective")).seats.values():
        assert len({step.seq for step in part.steps}) == len(part.steps)
        before = part.began
        for step in part.steps:
            alone = account(before, [step])
            told = {
                "asked": alone.asked + alone.answer_luck,
                "gift": alone.gifts + alone.gift_luck,
                "rest": alone.rest,
            }
            assert told.pop(step.part) == pytest.approx(before - step.left, abs=1e-12)
            assert not any(told.values())
            before = step.left


def test_what_one_asked_is_asked_and_what_others_asked_is_a_gift(case: Case) -> None:
    parts = review(case).seats
    for batch in case.batches:
        if batch.cause is None or not isinstance(batch.cause.action, model.Ask):
            continue
        for viewer, part in parts.items():
            begun = [step for step in part.steps if step.seq == batch.seq]
            assert {step.part for step in begun} <= {"asked" if viewer == batch.cause.seat else "gift"}


def test_an_open_case_is_not_reviewed() -> None:
    case = whodunit.new_game("nightcap", seats=3, seed=1)

    with pytest.raises(StillOpen):
        review(case)
    with pytest.raises(StillOpen):
        next(stream(case, [1]))
    assert review(case.close()).whole.findings.keys() == {"0", "1", "2", str(TABLE)}


def test_who_asks_is_told_first_and_everybody_once(case: Case) -> None:
    parts = [*stream(case, [2, TABLE])]

    assert [part.seat for part in parts[:-1] if isinstance(part, SeatReview)] == [2, TABLE, 0, 1]
    assert isinstance(parts[-1], Whole)
    plain = {part.seat: part for part in stream(case) if isinstance(part, SeatReview)}
    assert {part.seat: part for part in parts if isinstance(part, SeatReview)} == plain


def test_a_seat_is_reviewed_by_what_it_saw_alone(case: Case) -> None:
    """Whatever a seat did not see may be missing: it is reviewed as before."""
    game = case.table.game
    for seat in range(case.header.seats):
        seen = [replace(batch, events=tuple(redact(event, seat) for event in batch.events)) for batch in case.batches]

        assert seat_review(game, case.header, seen, seat) == seat_review(game, case.header, case.batches, seat)


# --- What was taken back -----------------------------------------------------------------------------------------


def test_what_was_taken_back_is_not_judged() -> None:
    """Nothing of the example can be taken back, so a question is as the store would have it taken back."""
    case = whodunit.new_game("nightcap", seats=3, seed=4)
    seat = case.awaiting[0]
    opening = case.batches[0]
    asked = case.step(seat, case.legal(seat)[0].at(0)).batches[-1]
    undone = replace(asked, seq=asked.last + 1, cause=None, events=(Undone(back_to=opening.last),))
    again = case.step(seat, case.legal(seat)[0].at(3)).batches[-1]
    again = replace(again, seq=undone.seq + 1)
    batches = (opening, asked, undone, again)

    assert [stands for _, stands in standing_batches(batches)] == [True, False, True, True]
    part = seat_review(case.table.game, case.header, batches, seat)
    assert [decision.seq for decision in part.decisions] == [again.seq]


# --- Verdicts ----------------------------------------------------------------------------------------------------


def dealt(seat: Seat, turned: int) -> Case:
    """Return a game whose seat holds the first two guests and begins; all others are dealt turned by so many."""
    rest = [*model.GUESTS[2 + turned :], *model.GUESTS[2 : 2 + turned]]
    hands = [rest[1:3], rest[3:]]
    hands.insert(seat, [*model.GUESTS[:2]])
    opened = whodunit.new_game("nightcap", seats=3, seed=1)
    events = (
        opened.events[0],
        model.CulpritHidden(guest=rest[0]),
        *(
            model.HandDealt(
                seat=holder,
                size=len(hand),
                guests=tuple(sorted(hand, key=model.GUESTS.index)),
                known_to=frozenset({holder}),
            )
            for holder, hand in enumerate(hands)
        ),
        model.TurnBegan(seat=seat),
    )
    batch = replace(opened.batches[0], events=events)
    table = Table(opened.table.game, opened.table.seats, opened.table.seed).grow(batch)
    return replace(opened, table=table, batches=(batch,))


def answered(case: Case, seat: Seat, question: model.Ask) -> tuple[Case, Sequence[Event]]:
    """Ask, and let whoever is asked answer by the first card that it may show."""
    case = case.step(seat, question)
    asked = case.awaiting[0]
    case = case.step(asked, case.legal(asked)[0].at(0))
    return case, case.table.seen(seat, case.batches[-1].events)


@pytest.mark.parametrize("seat", range(3))
def test_a_verdict_does_not_depend_on_how_the_answer_came_out(seat: Seat) -> None:
    question = model.Ask((seat + 1) % 3, (model.GUESTS[2], model.GUESTS[3]))
    verdicts: list[Verdict | None] = []
    answers = set()
    for other in range(5):
        case, answer = answered(dealt(seat, other), seat, question)
        part = seat_review(case.table.game, case.header, case.batches, seat, NOTHING)
        verdicts.append(part.decisions[0].verdict)
        answers.add(answer[0])

    assert len(answers) > 1  # what came out was not the same
    assert verdicts[0] is not None
    assert all(verdict == verdicts[0] for verdict in verdicts)


def test_the_one_function_says_what_the_review_says(case: Case) -> None:
    game, parts = case.table.game, review(case, NOTHING).seats
    checked = 0
    for part in parts.values():
        for decision in part.decisions:
            before = [event for batch in case.batches if batch.seq < decision.seq for event in batch.events]
            (made,) = [batch.cause for batch in case.batches if batch.seq == decision.seq]
            assert made is not None
            seen = [redact(event, part.seat) for event in before]
            again = judge(game, part.seat, seen, made.action, showing=showing_of(case.header), fitted=NOTHING)
            assert again == decision.verdict
            checked += 1
    assert checked > 5


def test_no_question_is_better_than_the_best(case: Case) -> None:
    """A review's best is the best of all that was on offer, each weighed by itself."""
    game, checked = case.table.game, 0
    for seat, part in review(case).seats.items():
        for decision in part.decisions:
            if decision.verdict.kind != "question":
                continue
            before = [event for batch in case.batches if batch.seq < decision.seq for event in batch.events]
            belief = believing(game, seat, "logic", "even")
            view = None
            for event in before:
                belief = belief.learn(redact(event, seat))
                view = game.evolve(view, redact(event, seat))
            gains = [
                gained(belief.entropy(), belief.replies(question))
                for offer in game.legal(view, seat)
                if offer.action is model.Ask
                for question in offer.actions()
            ]
            best = decision.verdict.best
            assert best[0].gain == pytest.approx(max(gains), abs=EVEN)
            assert decision.verdict.loss == pytest.approx(max(gains) - decision.verdict.taken.gain, abs=EVEN)
            assert [option.value for option in best] == sorted({option.value for option in best}, reverse=True)
            assert sum(answer.chance for answer in decision.verdict.answers) == pytest.approx(1, abs=1e-12)
            checked += 1
    assert checked > 4


def test_a_final_guess_is_weighed_against_the_likeliest() -> None:
    """A guess that cannot be right is a blunder, and one that must be right is the best, whatever comes of it."""
    seat = 0
    case = dealt(seat, 0)
    seen = [redact(event, seat) for event in case.events]
    game = case.table.game
    own, others = model.GUESTS[0], model.GUESTS[2]

    hopeless = judge(game, seat, seen, model.Accuse(own), fitted=NOTHING)
    fair = judge(game, seat, seen, model.Accuse(others), fitted=NOTHING)

    assert hopeless is not None
    assert fair is not None
    assert hopeless.taken.value == 0
    assert hopeless.best[0].value == pytest.approx(1 / 5)
    assert hopeless.label in {"mistake", "blunder"}
    assert fair.loss == 0


def test_who_is_out_has_no_chance_to_win() -> None:
    shape = Shape("nightcap", 3, ((9.0, 0.1),), 0.5, 0.2, 9, 0.1, 0.1, 0.1, ("detective",), "", "", "")
    case = dealt(0, 0).step(0, model.Accuse(model.GUESTS[0]))
    case = case.step(1, case.legal(1)[0].at(0))
    asked = case.awaiting[0]
    case = case.step(asked, case.legal(asked)[0].at(0)).close()

    (_, dealt_out), (_, first), *rest = review(case, Fitted({"nightcap/3": shape})).whole.chances

    assert dealt_out[0] > 0
    assert all(chances[0] == 0 and sum(chances) == pytest.approx(1) for chances in (first, *(c for _, c in rest)))
    assert rest
