"""What is said of a claim: proved, not proved yet, or impossible; by what is known so far and nothing else.

The truth is no argument of anything here. So what is said of a claim that is not proved, and the deal that is drawn to
show it, are the same whether the claim is right or wrong.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, Final, TypeAlias

from msgspec import Struct

from whodunit.cases.posed import GIVEN, Known, Posed, claim_of, claims_of, cuts_of, known
from whodunit.core.cutting import Entry, Weighed
from whodunit.core.rng import Rng, below
from whodunit.core.wire import encode
from whodunit.deduce import Claim, has, lacks
from whodunit.deduce.evidence import Evidence
from whodunit.deduce.explain import Log, irreducible


class Proved(Struct, frozen=True, tag="proved"):
    """It follows from what is known."""


class Held(Struct, frozen=True):
    """What one holder has in a deal."""

    column: str
    rows: tuple[str, ...]


class Unproved(Struct, frozen=True, tag="unproved"):
    """It may be so, or not: here is a deal that fits all that is known, and in which it is not so."""

    deal: tuple[Held, ...]


class Impossible(Struct, frozen=True, tag="impossible"):
    """It cannot be so: these lines cannot all be true then, and none of them can be spared; 0 is what is given."""

    lines: tuple[int, ...]


class Heard(Struct, frozen=True, tag="heard"):
    """Nothing can be proved here: how likely it is by all that was heard, and what the trained listener would say."""

    chance: int
    """In millionths."""
    listener: Entry
    listener_chance: int


Ruling: TypeAlias = Proved | Unproved | Impossible


class BadClaim(ValueError):
    """What is claimed is no answer to the question; says why."""


def rule(posed: Posed, claim: Sequence[Entry]) -> Ruling | Heard:
    """Say what is to be said of an answer to the question; BadClaim, if it is none."""
    form = posed.question.form
    if len(claim) != len(form) or any(entry not in group for entry, group in zip(claim, form, strict=False)):
        raise BadClaim(f"an answer names one of each of {len(form)} groups")
    cuts = cuts_of(posed.game)
    if isinstance(cuts, Weighed):
        return _heard(cuts, posed, claim[0])
    position = known(posed)
    return _ruled(posed, position, claims_of(position, claim))


def _heard(cuts: Weighed, posed: Posed, entry: Entry) -> Heard:
    chances = cuts.chances(posed.given, posed.lines, posed.question)
    listener = max(posed.question.form[0], key=lambda other: chances.get(other, 0))  # of equals the first
    return Heard(chances.get(entry, 0), listener, chances.get(listener, 0))


def rule_mark(posed: Posed, row: str, column: str, *, held: bool) -> Ruling:
    """Say the same of a mark on the sheet; BadClaim, if the sheet has no such entry."""
    position = known(posed)
    try:
        claim = claim_of(position, row, column, held=held)
    except LookupError as error:
        raise BadClaim(str(error)) from error
    return _ruled(posed, position, (claim,))


def certain(position: Known, claims: Sequence[Claim[Any, Any]]) -> bool:
    """Say whether all of the claims follow."""
    logic = position.logic
    return all(logic.certain(claim) for claim in claims)


def _ruled(posed: Posed, position: Known, claims: tuple[Claim[Any, Any], ...]) -> Ruling:
    if certain(position, claims):
        return Proved()
    fitting = position.learn(*(_said(claim) for claim in claims))
    if not fitting.engine.possible(fitting.known):
        return Impossible(clashing(position, claims))
    return Unproved(counter_deal(position, claims, _draws(posed, claims)))


def clashing(position: Known, claims: Sequence[Claim[Any, Any]]) -> tuple[int, ...]:
    """Return the lines that cannot all be true together with the claims, none of them to spare."""
    log = _log(position.learn(*(_said(claim) for claim in claims)))
    core = irreducible(_lines(log)[::-1], lambda chosen: log.refutes([GIVEN, *chosen], None))
    return _in_order(core) or (GIVEN,)


def proving(position: Known, claims: Sequence[Claim[Any, Any]], first: Sequence[int] = ()) -> tuple[int, ...]:
    """Return lines from which the claims follow, none of them to spare; those named first are preferred."""
    log = _log(position)
    every = _lines(log)
    order = [*(line for line in first if line in every), *(line for line in every[::-1] if line not in first)]
    core = irreducible(order, lambda chosen: all(log.refutes([GIVEN, *chosen], claim) for claim in claims))
    return _in_order(core)


def _log(position: Known) -> Log[Any, Any]:
    log = Log(position.deal, position.engine, position.evidence)
    log.alone.setdefault(GIVEN, log.rules)
    return log


def _in_order(core: Sequence[Any]) -> tuple[int, ...]:
    return tuple(sorted(core))


def _lines(log: Log[Any, Any]) -> list[int]:
    return [source for source in log.alone if isinstance(source, int) and source != GIVEN]


def counter_deal(position: Known, claims: Sequence[Claim[Any, Any]], words: Iterator[int]) -> tuple[Held, ...]:
    """Draw a deal that fits all that is known and in which not all of the claims hold, each as likely as any other."""
    ways = [*_ways(position, claims)]
    rank = below(words, sum(way.logic.total for way in ways))
    for way in ways:
        if rank < way.logic.total:
            (world,) = way.engine.worlds(way.known, [rank])
            hands = way.deal.hands(world)
            return tuple(Held(str(holder), tuple(map(str, hand))) for holder, hand in hands.items())
        rank -= way.logic.total
    raise AssertionError("a rank is below the total")


def _draws(posed: Posed, claims: Sequence[Claim[Any, Any]]) -> Iterator[int]:
    """Return chance that follows from what is posed and claimed: asked again, the same deal is drawn."""
    claimed = [(str(claim.element), str(claim.holder), claim.held) for claim in claims]
    seed = sha256(encode((posed.game, posed.seat, posed.question, posed.given, posed.lines, claimed))).digest()
    return Rng(seed, 1).words("counter-deal")


def _ways(position: Known, claims: Sequence[Claim[Any, Any]]) -> Iterator[Known]:
    """Yield positions in which the first claim fails, in which it holds and the second fails, and so on."""
    for claim in claims:
        yield position.learn(_denied(claim))
        position = position.learn(_said(claim))


SUPPOSED: Final = None
"""The source of what is only supposed: as a rule, it can be spared by nobody."""


def _said(claim: Claim[Any, Any]) -> Evidence[Any, Any]:
    return (has if claim.held else lacks)(claim.holder, (claim.element,), SUPPOSED)


def _denied(claim: Claim[Any, Any]) -> Evidence[Any, Any]:
    return (lacks if claim.held else has)(claim.holder, (claim.element,), SUPPOSED)
