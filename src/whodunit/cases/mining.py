"""Mines cases to solve: plays games with a player of its own, and cuts out what leads to something certain.

All of it follows from a seed in whole numbers, so that the same seed gives the same cases on every machine.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from hashlib import sha256
from itertools import accumulate
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from whodunit import games
from whodunit.cases.posed import GIVEN, Known, Posed, claims_of, known, provable
from whodunit.cases.ruling import proving
from whodunit.core.cutting import Cuts, Entry, Line, Question, Record, Setting
from whodunit.core.redact import redact
from whodunit.core.rng import Rng, Stream
from whodunit.core.types import TABLE, Belief, Event, Game, Seat
from whodunit.deduce import Claim
from whodunit.deduce.explain import Log, irreducible

MOST_SIGHTS: Final = 8
"""A case in which so many cards and more must have been shown is tedious."""
SPARE_SIGHTS: Final = 2
"""So many of those shown may be more than what is needed."""
LATER: Final = 3
"""So many lines behind the proof's last are shown at most: so the last line is no hint."""


class Found(Struct, frozen=True):
    """A case that was cut, with its answer."""

    posed: Posed
    """With all its lines."""
    answer: tuple[Entry, ...]
    par: int
    """The line at which the answer is certain."""


def played(game: Game, setting: Setting, seed: bytes) -> list[Event]:
    """Return the events of a game that the miner's player plays against itself."""
    cuts = provable(game.INFO.id)
    options = game.INFO.parse(setting.seats, setting.options)
    chance = Stream(seed)
    events = list(game.setup(setting.seats, options, Rng(seed, 1)))
    state: Any = None
    for event in events:
        state = game.evolve(state, event)
    while game.outcome(state) is None and len(events) < cuts.longest:
        seat = min(game.awaiting(state))
        action = game.legal(state, TABLE)[0].at(0) if seat == TABLE else cuts.play(state, seat, chance)
        new = game.decide(state, seat, action, Rng(seed, len(events) + 1))
        for event in new:
            state = game.evolve(state, event)
        events += new
    return events


def mine(game: str, seed: str, kinds: Sequence[str] = (), weekday: int | None = None) -> Iterator[Found]:
    """Yield cases without end: of these kinds of questions, or of all; of one weekday's tables, or of all."""
    cuts, rules = provable(game), games.get(game)
    settings = [one for one in cuts.settings if weekday is None or weekday in one.weekdays]
    settings = [one for one in settings if not kinds or set(kinds) & set(one.kinds)]
    if not settings:
        raise LookupError(f"there are no such cases of {game}")
    number = 0
    while True:
        of_game = sha256(f"{game} {seed} {number}".encode()).digest()
        chance = Stream(sha256(of_game).digest())
        setting = settings[chance.below("setting", len(settings))]
        events = played(rules, setting, of_game)
        asked = [kind for kind in setting.kinds if not kinds or kind in kinds]
        for seat in range(setting.seats):
            seen = [redact(event, seat) for event in events]
            for record in cuts.records(seen, seat):
                yield from _cut(_Whole(game, rules, cuts, setting, seat, record, asked), chance)
        number += 1


class _Whole(NamedTuple):
    """A record out of which cases are cut."""

    game: str
    rules: Game
    cuts: Cuts
    setting: Setting
    seat: Seat
    record: Record
    kinds: Sequence[str]

    def posed(self, given: Line, lines: Sequence[Line], question: Question) -> Posed:
        return Posed(self.game, self.seat, self.setting.seats, question, given, tuple(lines), len(lines))


def _cut(whole: _Whole, chance: Rng) -> Iterator[Found]:
    """Yield a case for each question that becomes certain in this record."""
    cuts = whole.cuts
    belief = reduce(_learned, whole.record.given, whole.rules.belief(whole.seat))
    before = cuts.position(belief)
    every = [_Asked(question, _forms(before, question)) for question in cuts.questions(before, whole.kinds)]
    open_ones = [asked for asked in every if not _answer(before, asked)]
    lines = whole.record.lines[: cuts.lines[1] if whole.record.is_whole else None]
    beliefs = [*accumulate(lines, lambda belief, line: reduce(_learned, line, belief), initial=belief)]
    last = cuts.position(beliefs[-1])  # most records settle little: these are done with after one look
    open_ones = [asked for asked in open_ones if _answer(last, asked)]
    for place, later in enumerate(beliefs[1:], 1):
        if not open_ones:
            return
        position = cuts.position(later)
        settled = [(asked, answer) for asked in open_ones if (answer := _answer(position, asked))]
        for asked, answer in settled:
            open_ones.remove(asked)
            if found := _trimmed(whole, place, asked.question, answer, chance):
                yield found


def _learned(belief: Belief, event: Event) -> Belief:
    return belief.learn(event)


class _Asked(NamedTuple):
    """A question, and its form as claims: named once, as they are looked up after every line."""

    question: Question
    claims: tuple[tuple[Claim[Any, Any], ...], ...]


def _forms(position: Known, question: Question) -> tuple[tuple[Claim[Any, Any], ...], ...]:
    return tuple(claims_of(position, group) for group in question.form)


def _answer(position: Known, asked: _Asked) -> tuple[Entry, ...]:
    """Return the answer to a question, if it is certain; else nothing."""
    logic = position.logic
    found = []
    for group, claims in zip(asked.question.form, asked.claims, strict=True):
        sure = [entry for entry, claim in zip(group, claims, strict=True) if logic.certain(claim)]
        if not sure:
            return ()
        found.append(sure[0])
    return tuple(found)


def _trimmed(whole: _Whole, until: int, question: Question, answer: tuple[Entry, ...], chance: Rng) -> Found | None:
    """Cut a case out of a record of which so many lines prove the answer to a question.

    What the seat has been shown it knows without the lines in which it was shown.
    """
    least, most = whole.cuts.lines
    lines, given = whole.record.lines, whole.record.given
    sights = [whole.cuts.sighted(line, whole.seat) for line in lines[:until]]
    seen = () if whole.record.is_whole else _once(sights)
    position = known(whole.posed(given + seen, lines[:until], question))
    core = proving(position, claims_of(position, answer))
    if not 2 <= len(core) < most:
        return None
    chosen = (_from_the_first if whole.record.is_whole else _picked)(whole, core, chance)
    if not least <= len(chosen) <= most:
        return None
    left = [whole.cuts.renumbered(lines[place - 1], number) for number, place in enumerate(chosen, 1)]
    told = _once([sights[place - 1] for place in chosen if place <= until])
    posed = _with_sights(
        whole.posed(given, left, question), [event for event in seen if event not in told], answer, chance
    )
    if posed is None:
        return None
    par = _par(posed, answer)
    return Found(posed, answer, par) if whole.cuts.worthy(posed.given, left[:par], whole.seat) else None


def _once(sights: Sequence[Line]) -> Line:
    """Return what was shown, each card once."""
    return tuple(dict.fromkeys(event for events in sights for event in events))


def _picked(whole: _Whole, core: Sequence[int], chance: Rng) -> list[int]:
    """Return the places of the proof's lines, and of others before and behind."""
    least, most = whole.cuts.lines
    size = max(least, len(core) + 1) + chance.below("lines", most - max(least, len(core) + 1) + 1)
    later = range(core[-1] + 1, len(whole.record.lines) + 1)
    earlier = [place for place in range(1, core[-1]) if place not in core]
    behind = min(chance.below("later", LATER + 1), len(later), size - len(core))
    spread = [earlier[place] for place in chance.shuffled("earlier", range(len(earlier)))]
    return sorted([*core, *later[:behind], *spread[: size - len(core) - behind]])


def _from_the_first(whole: _Whole, core: Sequence[int], chance: Rng) -> list[int]:
    """Return the places of all lines up to the proof's last, and of some behind."""
    least, most = whole.cuts.lines
    last = min(core[-1] + chance.below("later", LATER + 1), most)
    return [*range(1, min(max(last, least), len(whole.record.lines)) + 1)]


def _with_sights(posed: Posed, sights: Sequence[Event], answer: Sequence[Entry], chance: Rng) -> Posed | None:
    """Return the case with what must have been shown, and perhaps a little more; None, if that is too much."""
    if not sights:
        return posed
    needed = _needed(posed, sights, answer)
    if len(needed) > MOST_SIGHTS:
        return None
    spare = [event for event in sights if event not in needed]
    shown = [*needed, *spare[: chance.below("sights", SPARE_SIGHTS + 1)]]
    return replace(posed, given=posed.given + tuple(event for event in sights if event in shown))


def _needed(posed: Posed, sights: Sequence[Event], answer: Sequence[Entry]) -> list[Event]:
    """Return the sightings without which the lines would not prove the answer, none of them to spare."""
    places = {len(posed.given) + number: -number for number in range(1, len(sights) + 1)}
    position = known(replace(posed, given=posed.given + tuple(sights)), places)
    log = Log(position.deal, position.engine, position.evidence)
    always = [source for source in log.alone if isinstance(source, int) and source >= GIVEN]
    claims = claims_of(position, answer)
    core = irreducible(
        [place for place in places.values() if place in log.alone],
        lambda chosen: all(log.refutes([*always, *chosen], claim) for claim in claims),
    )
    return [sights[-place - 1] for place in core]


def _par(posed: Posed, answer: Sequence[Entry]) -> int:
    """Return after how many lines the answer is certain."""
    position = known(posed)
    log = Log(position.deal, position.engine, position.evidence)
    sources = [source for source in log.alone if isinstance(source, int)]
    claims = claims_of(position, answer)
    for turned in range(posed.total):
        so_far = [source for source in sources if source <= turned]
        if all(log.refutes(so_far, claim) for claim in claims):
            return turned
    return posed.total
