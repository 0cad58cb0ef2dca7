"""How what a viewer knows grew event by event, and why: each event falls into one part of its account."""

from collections.abc import Iterator, Sequence
from typing import Any

from whodunit.core.judging import Reply, Showing, gained
from whodunit.core.redact import fold, redact
from whodunit.core.types import TABLE, Batch, Belief, Event, Game, Seat, Undone
from whodunit.review.fitted import FITTED, Fitted
from whodunit.review.judge import Position, believing, judged
from whodunit.review.verdict import (
    Account,
    Certain,
    Decision,
    Label,
    Part,
    SeatReview,
    Step,
)


class Viewer:
    """Lives through a case with one viewer's eyes, batch by batch; nothing that the viewer did not see is used."""

    def __init__(self, game: Game, seat: Seat, seats: int, showing: Showing, fitted: Fitted = FITTED) -> None:
        self.game = game
        self.seat = seat
        self.seats = seats
        self.fitted = fitted
        self.belief: Belief = believing(game, seat, "logic", showing)
        motives = believing(game, seat, "motives", showing)
        self.motives: Belief | None = motives if motives.assumes() != self.belief.assumes() else None
        self.view: Any = None
        self.seen: list[Event] = []
        self.began: tuple[int, float] | None = None
        self.steps: list[Step] = []
        self.decisions: list[Decision] = []
        self.turns: list[int] = []
        """The events with which turns of this seat began."""
        self.certain: list[Certain] = []
        """Case by case, of those that became certain."""
        self.cases: list[int] = []
        """The events with which other cases of this game began."""
        self._thread: Seat | None = None
        """Whose question is being answered."""
        self._asked_in = 0
        """The turn in which it was asked."""
        self.replies: tuple[Reply, ...] = ()
        """How it may be answered."""

    def see(self, batch: Batch, *, stands: bool, last: bool = False) -> None:
        """Take in what happened next; what does not stand was taken back later, and is not judged.

        What the case's last batch lays open nobody could have known before.
        """
        cause = batch.cause
        if cause is not None and cause.seat == self.seat and stands:
            verdict = judged(self._position, cause.action, self.fitted)
            if verdict is not None:
                self.decisions.append(Decision(batch.seq, self.view.turn, verdict))
        expected, part = self._expected(batch, stands=stands)
        ends = any(type(event) in self.game.INFO.begins for event in batch.events)
        known_before = any(certain.seq >= (self.cases or [0])[-1] for certain in self.certain)
        for number, event in enumerate(batch.events):
            seq = batch.seq + number
            if type(event) in self.game.INFO.begins and self.began is not None:
                self.cases.append(seq)
            self._learn(seq, redact(event, self.seat), part, expected if number == 0 else 0.0, batch)
            if not (known_before or last or ends) and self.began is not None:
                known_before = self._look_for_certainty(seq)

    @property
    def _position(self) -> Position:
        return Position(self.game, self.seat, self.seats, self.view, self.belief)

    def _expected(self, batch: Batch, *, stands: bool) -> tuple[float, Part]:
        """Return how much a question that begins here may be expected to tell, and where what it tells belongs."""
        cause, info = batch.cause, self.game.INFO
        if cause is None or self.began is None:
            return 0.0, "rest"
        if type(cause.action) in info.interrupts:
            return 0.0, "rest"  # a question that is being answered goes on behind it
        in_time = cause.seat == TABLE and self.view.turn == self._asked_in  # what time does later begins something new
        follows = in_time or type(cause.action) in info.answers
        if follows and self._thread is not None:
            return 0.0, "asked" if self._thread == self.seat else "gift"
        self._thread, self.replies = None, ()
        if cause.seat == TABLE or not stands:
            return 0.0, "rest"
        mine = cause.seat == self.seat
        replies = self.belief.replies(cause.action, None if mine else cause.seat)
        if not replies:
            return 0.0, "rest"
        self._thread, self._asked_in, self.replies = cause.seat, self.view.turn, replies
        return gained(self.belief.entropy(), replies), "asked" if mine else "gift"

    def _learn(self, seq: int, event: Event, part: Part, expected: float, batch: Batch) -> None:
        before, read_before = self._left()
        turn = 0 if self.view is None else self.view.turn
        self.belief = self.belief.learn(event)
        if self.motives is not None:
            self.motives = self.motives.learn(event)
        self.seen.append(event)
        self.view = fold(self.game, self.seen) if isinstance(event, Undone) else self.game.evolve(self.view, event)
        if self.view.turn > turn and self.view.on_turn == self.seat:
            self.turns.append(seq)
        left, read_left = self._left()
        if self.began is None:
            # Everything is dealt when the first batch is over; what it told is where the viewer begins.
            return
        if type(event) in self.game.INFO.hides or (self.cases and batch.seq <= self.cases[-1] <= seq):
            part = "new"  # a cube that falls, another case that is dealt: what is missing then was never known
        read = 0.0 if part == "new" else (read_before - read_left) - (before - left)
        if left != before or read or expected:
            by = None if batch.cause is None else batch.cause.seat
            self.steps.append(Step(seq, left, self.belief.entropy("logic"), part, expected, read, by))

    def _left(self) -> tuple[float, float]:
        left = self.belief.entropy()
        return left, left if self.motives is None else self.motives.entropy()

    def _look_for_certainty(self, seq: int) -> bool:
        """See whether the solution has just become certain, before it is laid open; to be shown it is no proof."""
        cells = () if self.seat in self.game.informed(self.view) else self.belief.certain()
        if cells:
            proofs = [self.belief.proof(*cell, self.seen) for cell in cells]
            self.certain.append(Certain(seq, cells, tuple(proof for proof in proofs if proof is not None), 0))
        return bool(cells)

    def begin(self) -> None:
        """Say that everything is dealt."""
        self.began = (len(self.seen), self.belief.entropy())

    def reviewed(self) -> SeatReview:
        """Return what there is to say of this viewer's game."""
        assert self.began is not None
        asked, offered = efficiency(self.decisions)
        return SeatReview(
            seat=self.seat,
            since=self.began[0],
            began=self.began[1],
            steps=tuple(self.steps),
            account=account(self.began[1], self.steps),
            decisions=tuple(self.decisions),
            certain=self.certain[0] if self.certain else None,
            later=tuple(self.certain[1:]),
            asked=asked,
            offered=offered,
            counts=counts(self.decisions),
            assumes=self.belief.assumes(),
        )


def account(began: float, steps: Sequence[Step]) -> Account:
    """Return where a viewer's knowledge came from."""
    told = {"asked": 0.0, "gift": 0.0, "new": 0.0, "rest": 0.0}
    expected = dict(told)
    reading, before = 0.0, began
    for step in steps:
        told[step.part] += before - step.left
        expected[step.part] += step.expected
        if step.part == "rest":  # where something is laid open, whoever had read it has less to learn
            told["rest"] += step.read
        else:
            reading += step.read
        before = step.left
    return Account(
        asked=expected["asked"],
        answer_luck=told["asked"] - expected["asked"],
        gifts=expected["gift"],
        gift_luck=told["gift"] - expected["gift"],
        reading=reading,
        rest=told["rest"],
        new=told["new"],
    )


def efficiency(decisions: Sequence[Decision]) -> tuple[float, float]:
    """Return how many bits a seat's questions could be expected to tell, and the most it could have had in its turns.

    A turn in which nothing was asked counts, if something could have been.
    """
    turns: dict[int, tuple[float, float]] = {}
    for decision in decisions:
        asked, offered = turns.get(decision.turn, (0.0, 0.0))
        verdict = decision.verdict
        turns[decision.turn] = asked + verdict.taken.gain, max(offered, verdict.offered)
    return sum(asked for asked, _ in turns.values()), sum(max(turn) for turn in turns.values())


def counts(decisions: Sequence[Decision]) -> dict[Label, int]:
    """Return how many decisions have each label."""
    found: dict[Label, int] = {}
    for decision in decisions:
        if (name := decision.verdict.label) is not None:
            found[name] = found.get(name, 0) + 1
    return found


def standing_batches(batches: Sequence[Batch]) -> Iterator[tuple[Batch, bool]]:
    """Yield each batch, and whether it stands: nobody has taken it back."""
    gone: set[int] = set()
    for batch in batches:
        for event in batch.events:
            if isinstance(event, Undone):
                gone |= {other.seq for other in batches if event.back_to < other.seq < batch.seq}
    for batch in batches:
        yield batch, batch.seq not in gone
