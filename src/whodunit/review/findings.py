"""What decided a game, in words: messages whose sentences stand in `review/texts`."""

from collections.abc import Mapping
from typing import Final

from whodunit.core.types import TABLE, Message, Outcome, Param, Seat, Term, Who
from whodunit.review.verdict import FAULTS, Decision, SeatReview

WORTH_A_WORD: Final = 0.05
"""Of less than so many bits or points nothing is said."""
LUCKY: Final = 0.5
"""From so many bits on, luck is named."""


def own_findings(part: SeatReview) -> tuple[Message, ...]:
    """Return what there is to say of a seat's own game: what it could have known, what it asked, what it missed."""
    if part.seat == TABLE:
        return ()
    return (*_known(part, "own"), *_stakes(part, "own"), *_asked(part), *_points(part), *_worst(part))


def findings(parts: Mapping[Seat, SeatReview], reader: Seat, outcome: Outcome | None) -> tuple[Message, ...]:
    """Return what there is to say of all others to whoever reads it: the winner first, then from the left on."""
    winners = () if outcome is None else outcome.winners
    others = [seat for seat in parts if seat not in (reader, TABLE)]
    others.sort(key=lambda seat: (seat not in winners, (seat - reader) % len(parts)))
    found: list[Message] = []
    for seat in others:
        part = parts[seat]
        found += _known(part, "won" if seat in winners else "other") or (
            _stakes(part, "won") if seat in winners else []
        )
        if seat not in winners:
            found += _stakes(part, "other")
    return tuple(found)


def _known(part: SeatReview, whose: str) -> list[Message]:
    """Say from when on a seat could have known the solution."""
    if part.certain is None:
        return []
    lines = []
    for certain in (part.certain, *part.later):
        cards = tuple(Term(row) for row, _ in certain.cells)
        params: dict[str, Param] = {
            "seat": Who(part.seat),
            "cards": cards,
            "turns": certain.turns,
            "event": certain.seq,
        }
        named = ("late" if certain.turns else "at_once") if certain.named is not None else "never"
        lines.append(Message(f"review.known.{whose}.{named}", params))
    return lines


def _stakes(part: SeatReview, whose: str) -> list[Message]:
    """Say how likely a final guess was that was made without being certain."""
    found: list[Message] = []
    for decision in part.decisions:
        verdict = decision.verdict
        if verdict.kind != "stake" or verdict.taken.value >= 1:
            continue
        params: dict[str, Param] = {
            "seat": Who(part.seat),
            "chance": _percent(verdict.taken.value),
            "event": decision.seq,
        }
        found.append(Message(f"review.staked.{whose}", params))
    return found


def _asked(part: SeatReview) -> list[Message]:
    """Say how much of what could be asked was asked, and how lucky the answers were."""
    if part.offered < WORTH_A_WORD or all(one.verdict.unit != "bits" for one in part.decisions):
        return []
    luck = part.account.answer_luck
    how = "lucky" if luck >= LUCKY else "unlucky" if luck <= -LUCKY else "even"
    params: dict[str, Param] = {
        "asked": _figure(part.asked),
        "offered": _figure(part.offered),
        "luck": _figure(abs(luck)),
    }
    return [Message(f"review.asked.{how}", params)]


def _points(part: SeatReview) -> list[Message]:
    """Say how many of the points that could be expected a seat's choices were good for."""
    graded = [one.verdict for one in part.decisions if one.verdict.unit == "points" and one.verdict.label is not None]
    best = sum(verdict.best[0].value for verdict in graded)
    lost = sum(verdict.loss for verdict in graded)
    if not graded or best < WORTH_A_WORD:
        return []
    params: dict[str, Param] = {"count": len(graded), "lost": _figure(lost), "best": _figure(best)}
    return [Message("review.points", params)]


def _worst(part: SeatReview) -> list[Message]:
    faults = [decision for decision in part.decisions if decision.verdict.label in FAULTS]
    if not faults:
        return [Message("review.flawless")] if part.counts else []
    worst = max(faults, key=by_weight)
    verdict = worst.verdict
    lost = _percent(verdict.loss) if verdict.unit == "chance" else _figure(verdict.loss)
    return [Message(f"review.worst.{verdict.unit}", {"turn": worst.turn, "event": worst.seq, "loss": lost})]


def by_weight(decision: Decision) -> tuple[int, float]:
    """Return by what mistakes are ordered: the name first, then how much was lost of all that was on offer."""
    verdict = decision.verdict
    name = FAULTS.index(verdict.label) if verdict.label in FAULTS else -1
    return name, 1 - verdict.share


def _figure(value: float) -> str:
    return f"{value:.1f}"


def _percent(value: float) -> str:
    return f"{100 * value:.0f}"
