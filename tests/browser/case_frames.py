"""Cases to solve as a page is told them: what the tests of their pages are shown.

`python -m tests.browser.case_frames` writes them anew.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from whodunit import games
from whodunit.cases.mining import Found, mine
from whodunit.cases.posed import Posed, claims_of, known, view
from whodunit.cases.ruling import Impossible, Ruling, Unproved, rule
from whodunit.cases.steps import explained
from whodunit.core.cutting import Entry
from whodunit.core.frames import line
from whodunit.core.types import Event
from whodunit.core.wire import encode

SAMPLE: Final = Path(__file__).resolve().parents[2] / "web" / "src" / "cases" / "frames.sample.json"
KINDS: Final = {
    "clue": ("trio", "holder"),
    "perfect_alibi": ("missing", "liar"),
    "crime_hotel": ("room",),
}
MOST: Final = 400
"""So many cases are looked through for one at which all three rulings can be shown."""


def sample() -> dict[str, Any]:
    """Return by game and kind of question one case with everything that may be told of it."""
    return {f"{game}.{kind}": _told(game, kind) for game, kinds in KINDS.items() for kind in kinds}


def _told(game: str, kind: str) -> dict[str, Any]:
    for number, found in enumerate(mine(game, "a", (kind,))):
        rulings = _rulings(found)
        if rulings or number > MOST:
            posed, proved = found.posed, known(_at(found.posed, found.par))
            return {
                "game": game,
                "seat": posed.seat,
                "seats": posed.seats,
                "question": posed.question,
                "given": _frames(game, posed.given, 0),
                "lines": [_frames(game, each, _before(posed, place)) for place, each in enumerate(posed.lines)],
                "views": [view(_at(posed, turned)) for turned in range(posed.total + 1)],
                "rows": [str(row) for row in known(posed).deal.elements],
                "columns": [str(column) for column in known(posed).deal.holders],
                "answer": found.answer,
                "steps": explained(proved, claims_of(proved, found.answer)),
                "par": found.par,
                **rulings,
            }
    raise AssertionError("a miner does not end")


def _before(posed: Posed, turned: int) -> int:
    return len(posed.given) + sum(len(each) for each in posed.lines[:turned])


def _frames(game: str, events: Sequence[Event], before: int) -> list[dict[str, Any]]:
    rules = games.get(game)
    return [
        {"seq": seq, "batch": seq, "at": 0, "event": event, "line": line(rules, event)}
        for seq, event in enumerate(events, before + 1)
    ]


def _at(posed: Posed, turned: int) -> Posed:
    return msgspec.structs.replace(posed, lines=posed.lines[:turned])


def _rulings(found: Found) -> dict[str, Any]:
    """Return a claim that is right and not proved yet, and one that cannot be; nothing, if there are none."""
    posed = found.posed
    if found.par == posed.total:
        return {}  # a claim that cannot be would end it
    early = _at(posed, max(1, found.par - 2))
    open_one = rule(early, found.answer)
    for claim in _others(found):
        clash = rule(_at(posed, found.par), claim)
        if isinstance(open_one, Unproved) and isinstance(clash, Impossible) and len(clash.lines) > 1:
            return {
                "unproved": {"turned": len(early.lines), "claim": found.answer, "ruling": _ruling(open_one)},
                "impossible": {"turned": found.par, "claim": claim, "ruling": _ruling(clash)},
            }
    return {}


def _ruling(ruling: Ruling) -> dict[str, Any]:
    """Return a ruling as it goes over the line."""
    match ruling:
        case Unproved(deal):
            return {"kind": "unproved", "deal": [{"column": held.column, "cards": held.rows} for held in deal]}
        case Impossible(lines):
            return {"kind": "impossible", "lines": lines}
        case _:
            return {"kind": "proved"}


def _others(found: Found) -> list[tuple[Entry, ...]]:
    """Return answers that name one thing else."""
    return [
        (*found.answer[:place], entry, *found.answer[place + 1 :])
        for place, group in enumerate(found.posed.question.form)
        for entry in group
        if entry != found.answer[place]
    ]


def written(cases: dict[str, Any]) -> bytes:
    """Return a sample as it is stored."""
    return msgspec.json.format(encode(cases), indent=0) + b"\n"


if __name__ == "__main__":
    SAMPLE.parent.mkdir(exist_ok=True)
    SAMPLE.write_bytes(written(sample()))
