"""What decided a game, in words: messages whose sentences stand in `review/texts`."""

from collections.abc import Mapping

from whodunit.core.types import TABLE, Message, Param, Seat, Term, Who
from whodunit.review.verdict import FAULTS, SeatReview


def own_findings(part: SeatReview) -> tuple[Message, ...]:
    """Return what there is to say of a seat's own game: what it could have known, what it asked, what it missed."""
    return () if part.seat == TABLE else (*_known(part, "own"), *_asked(part), *_worst(part))


def findings(parts: Mapping[Seat, SeatReview], reader: Seat) -> tuple[Message, ...]:
    """Return what there is to say of all others to whoever reads it: the left neighbour first."""
    others = sorted(parts, key=lambda seat: (seat - reader) % len(parts))
    return tuple(line for seat in others if seat not in (reader, TABLE) for line in _known(parts[seat], "other"))


def _known(part: SeatReview, whose: str) -> list[Message]:
    """Say from when on a seat could have known the solution."""
    if part.certain is None:
        return []
    lines = []
    for certain in (part.certain, *part.later):
        cards = tuple(Term(row) for row, _ in certain.cells)
        params: dict[str, Param] = {"seat": Who(part.seat), "cards": cards, "turns": certain.turns}
        late = "late" if certain.turns else "at_once"
        named = late if certain.named is not None else "never"
        lines.append(Message(f"review.known.{whose}.{named}", params))
    return lines


def _asked(part: SeatReview) -> list[Message]:
    if part.offered < 0.05:
        return []
    luck = part.account.answer_luck
    how = "lucky" if luck >= 0.5 else "unlucky" if luck <= -0.5 else "even"
    params: dict[str, Param] = {
        "asked": f"{part.asked:.1f}",
        "offered": f"{part.offered:.1f}",
        "luck": f"{abs(luck):.1f}",
    }
    return [Message(f"review.asked.{how}", params)]


def _worst(part: SeatReview) -> list[Message]:
    faults = [decision for decision in part.decisions if decision.verdict.label in FAULTS]
    if not faults:
        return [Message("review.flawless")] if part.counts else []
    worst = max(faults, key=lambda decision: decision.verdict.loss / max(0.05, decision.verdict.best[0].value))
    return [Message(f"review.worst.{worst.verdict.unit}", {"event": worst.seq, "loss": f"{worst.verdict.loss:.1f}"})]
