"""What a review says of one decision, and of one seat's whole game: values, each of which can be sent and stored."""

from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from whodunit.core.judging import Trace, Unit
from whodunit.core.notes import Proof
from whodunit.core.types import Action, Message, Seat
from whodunit.core.wire import encode

Label: TypeAlias = Literal["masterstroke", "best", "good", "inaccuracy", "mistake", "blunder"]
LABELS: tuple[Label, ...] = ("masterstroke", "best", "good", "inaccuracy", "mistake", "blunder")
FAULTS: tuple[Label, ...] = ("inaccuracy", "mistake", "blunder")


class Option(Struct, frozen=True, omit_defaults=True):
    """Something that could be done, and what it promised; without an action, to wait."""

    action: Action | None
    line: Message
    value: float
    gain: float = 0.0
    error: float = 0.0


class Answer(Struct, frozen=True, omit_defaults=True):
    """One way in which it might have been answered."""

    line: Message
    chance: float
    left: float
    """How many bits are then missing."""
    passes: int = 0
    """How many lines come before this one: those who have passed the question on."""


class Verdict(Struct, frozen=True, omit_defaults=True):
    """How good a decision was, from what its seat could know when it was made."""

    kind: str
    unit: Unit
    label: Label | None
    """None: there was nothing to decide, so nothing is said, and nothing is counted."""
    loss: float
    share: float
    """How much of what was on offer it kept, from 0 to 1."""
    taken: Option
    best: tuple[Option, ...]
    weight: float
    """How much lay between the best and the worst on offer."""
    offered: float = 0.0
    """The most bits that could be had at once in this turn."""
    answers: tuple[Answer, ...] = ()
    assumes: tuple[Message, ...] = ()
    error: float = 0.0
    """How sure the loss is: the standard error, where samples were needed; 0: it is exact."""


class Decision(Struct, frozen=True):
    """A decision of the game, judged."""

    seq: int
    """The first event that came of it: it was made on what stood before."""
    turn: int
    verdict: Verdict


Part: TypeAlias = Literal["asked", "gift", "new", "rest"]
"""Why something became known: one's own question, what others did, or all else: what is laid open, wrong guesses.

Where something new was hidden, more is missing than before: that is `new`."""


class Step(Struct, frozen=True, omit_defaults=True):
    """What one event changed for a viewer."""

    seq: int
    left: float
    """How many bits are missing after it."""
    logic: float
    """The same, if nothing but what is possible counts."""
    part: Part
    expected: float = 0.0
    """With the first event of a question: how much all that comes of it could be expected to tell."""
    read: float = 0.0
    """What the choice itself told besides, for one who reads motives."""
    by: Seat | None = None
    """Whose action it was."""


class Account(Struct, frozen=True):
    """Where a seat's knowledge came from, in bits; the parts sum to how many fewer are missing in the end."""

    asked: float = 0.0
    answer_luck: float = 0.0
    gifts: float = 0.0
    gift_luck: float = 0.0
    reading: float = 0.0
    rest: float = 0.0
    new: float = 0.0
    """Below zero: how much was hidden that nobody could know of before; only in games that hide something in play."""


class Certain(Struct, frozen=True):
    """From when on a seat could have known the solution, and why."""

    seq: int
    cells: tuple[tuple[str, str], ...]
    proofs: tuple[Proof, ...]
    turns: int
    """So many of its own turns began after that, until it named the solution or the case ended."""
    named: int | None = None
    """The event with which it named the solution; None: it never did."""


class SeatReview(Struct, frozen=True, omit_defaults=True, tag="seat"):
    """One viewer's game: how its knowledge grew, and for a seat how it decided."""

    seat: Seat
    began: float
    """How many bits were missing when everything was dealt."""
    since: int
    """The event after which that was so."""
    steps: tuple[Step, ...]
    account: Account
    decisions: tuple[Decision, ...] = ()
    certain: Certain | None = None
    """From when on it could have known the solution; of a game with several cases, the first that it could know."""
    later: tuple[Certain, ...] = ()
    """The same of the cases that were dealt after that one."""
    asked: float = 0.0
    """The bits that its questions could be expected to tell, turn by turn."""
    offered: float = 0.0
    """The most that could be had in the same turns: what was asked divided by this is its efficiency."""
    counts: dict[Label, int] = {}
    assumes: tuple[Message, ...] = ()
    findings: tuple[Message, ...] = ()
    """What there is to say of its own game, in words."""


class Whole(Struct, frozen=True, omit_defaults=True, tag="whole"):
    """What only all seats together say."""

    findings: dict[str, tuple[Message, ...]]
    """By the seat of who reads it (TABLE: somebody who watched), what there is to say of the others."""
    chances: tuple[tuple[int, tuple[float, ...]], ...] = ()
    """After an event, each seat's chance to win; nothing, if no table was fitted for this game and so many seats."""
    told: tuple[tuple[float, ...], ...] = ()
    """By seat and by viewer (TABLE last): how many bits its actions told them."""
    heard: tuple[Trace, ...] = ()
    """In a game that is heard, what was true of each event that could be heard, and what the trained listener makes of
    it: for who compares their own notes. It tells secrets of the whole case, and so is part of no seat's review."""


ReviewPart: TypeAlias = SeatReview | Whole


def encoded(part: ReviewPart) -> bytes:
    """Return a part as JSON, the same bytes for equal parts: there every key is text."""
    if isinstance(part, Whole):
        named: dict[Any, tuple[Message, ...]] = {str(viewer): said for viewer, said in part.findings.items()}
        part = replace(part, findings=named)
    return encode(part)
