"""Cases cut from games that random bots play, as positions with what they ask: for tests of steps and solvers."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from whodunit import games
from whodunit.arena import open_with_bots, play_case
from whodunit.cases.mining import mine
from whodunit.cases.posed import GIVEN, Known, claims_of, known, numbered
from whodunit.cases.ruling import certain, proving
from whodunit.core.redact import redact
from whodunit.core.types import Event, Seat
from whodunit.deduce import Claim, Position
from whodunit.games.perfect_alibi.model import Answered, Asked, CardShown

Asking = tuple[Known, tuple[Claim[Any, Any], ...]]
"""A position whose sources are lines, and what is certain in it that may be asked."""

TABLES: dict[str, tuple[str, tuple[int, ...], dict[str, object]]] = {
    "clue": ("clue", (), {}),
    "perfect alibi": ("perfect_alibi", (3, 4, 5), {}),
    "rival": ("perfect_alibi", (3, 4), {"rival": True}),
}
LONGEST = 400
FEWEST, MOST = 4, 10


def cut(table: str, seed: str) -> Iterator[Asking]:
    """Yield cases without end; of Clue those of the miner, since random bots rarely ask there."""
    if table == "clue":
        for found in mine("clue", seed):
            position = known(found.posed)
            yield position, claims_of(position, found.answer)
    game, seats, options = TABLES[table]
    number = 0
    while True:
        random = Random(f"{table} {seed} {number}")  # noqa: S311  (play)
        number += 1
        players = random.choice(seats)
        case = open_with_bots(game, ["random"] * players, options, f"{table} {seed} {number}")
        events = play_case(case, lambda *_: None).events[:LONGEST]
        for seat in range(players):
            yield from _of_seat(game, [redact(event, seat) for event in events], seat, random)


def _of_seat(game: str, seen: Sequence[Event], seat: Seat, random: Random) -> Iterator[Asking]:
    """Follow one seat until its case is certain, and cut that and one more certainty out of what it knows then."""
    belief: Any = games.get(game).belief(seat)
    places: dict[Any, int] = {}
    line = 0
    for seq, event in enumerate(seen, 1):
        line += isinstance(event, Asked)
        belief = belief.learn(event)
        places[seq] = line if isinstance(event, Answered | CardShown) else GIVEN
        if not places[seq] or belief.position is None:
            continue
        entries = belief.certain()
        if entries:
            position = numbered(belief.position, places)
            names = {str(holder): holder for holder in position.deal.holders}
            elements = {str(element): element for element in position.deal.elements}
            yield from _trimmed(position, [Claim(elements[row], names[column]) for row, column in entries], random)
            yield from _trimmed(position, _any(position, random), random)
            return


def _any(position: Known, random: Random) -> list[Claim[Any, Any]]:
    """Return something else that is certain, if anything is."""
    claims = [
        Claim(element, holder)
        for holder in position.deal.holders
        for element in position.logic.hand(holder)
        if not certain_without_lines(position, Claim(element, holder))
    ]
    return random.sample(claims, min(1, len(claims)))


def certain_without_lines(position: Known, claim: Claim[Any, Any]) -> bool:
    return certain(only(position, ()), [claim])


def only(position: Known, lines: Sequence[int]) -> Known:
    """Return the position with these lines alone."""
    kept = [item for item in position.evidence if item.source in {None, GIVEN, *lines}]
    sizes = dict(zip(position.deal.holders, position.deal.capacities, strict=True))
    return Position(position.deal.elements, sizes, kept, position.engine)


def _trimmed(position: Known, claims: Sequence[Claim[Any, Any]], random: Random) -> Iterator[Asking]:
    """Keep the lines of a proof and some others, and number them from 1."""
    core = proving(position, claims)
    others = sorted({item.source for item in position.evidence} - {None, GIVEN, *core})  # type: ignore[type-var]
    if not 0 < len(core) < MOST or not others:
        return
    size = min(len(others), random.randint(max(1, FEWEST - len(core)), MOST - len(core)))
    chosen = sorted([*core, *random.sample(others, size)])  # type: ignore[type-var]
    kept = only(position, chosen)  # type: ignore[arg-type]
    renumbered = {line: place for place, line in enumerate(chosen, 1)}
    yield numbered(kept, renumbered), tuple(claims)
