"""Mines cases to solve: plays games with a player of its own, and cuts out what leads to something certain.

All of it follows from a seed in whole numbers, so that the same seed gives the same cases on every machine.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from whodunit import games
from whodunit.cases.posed import GIVEN, Known, Posed, claims_of, known, provable
from whodunit.cases.ruling import certain, proving
from whodunit.core.cutting import Cuts, Entry, Line, Question, Record, Setting
from whodunit.core.redact import redact
from whodunit.core.rng import Rng, Stream
from whodunit.core.types import TABLE, Event, Game, Seat
from whodunit.deduce.explain import Log, irreducible

LONGEST: Final = 900
"""A game is left after so many events."""
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
    while game.outcome(state) is None and len(events) < LONGEST:
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
    belief = whole.rules.belief(whole.seat)
    for event in whole.record.given:
        belief = belief.learn(event)
    before = whole.cuts.position(belief)
    open_ones = [question for question in whole.cuts.questions(before, whole.kinds) if not _answer(before, question)]
    for place, line in enumerate(whole.record.lines, 1):
        for event in line:
            belief = belief.learn(event)
        position = whole.cuts.position(belief)
        settled = [(question, answer) for question in open_ones if (answer := _answer(position, question))]
        for question, answer in settled:
            open_ones.remove(question)
            if found := _trimmed(whole, place, question, answer, chance):
                yield found
        if not open_ones:
            return


def _answer(position: Known, question: Question) -> tuple[Entry, ...]:
    """Return the answer to a question, if it is certain; else nothing."""
    logic = position.logic
    found = []
    for group in question.form:
        sure = [entry for entry, claim in zip(group, claims_of(position, group), strict=True) if logic.certain(claim)]
        if not sure:
            return ()
        found.append(sure[0])
    return tuple(found)


def _trimmed(whole: _Whole, until: int, question: Question, answer: tuple[Entry, ...], chance: Rng) -> Found | None:
    """Cut a case out of a record of which so many lines prove the answer to a question.

    What the seat has been shown it knows without the lines in which it was shown.
    """
    least, most = whole.cuts.lines
    lines, record = whole.record.lines, whole.record
    sights = [[*whole.cuts.sighted(line, whole.seat)] for line in lines[:until]]
    seen = tuple(dict.fromkeys(event for events in sights for event in events))
    position = known(whole.posed(record.given + seen, lines[:until], question))
    core = proving(position, claims_of(position, answer))
    if not 2 <= len(core) < most:
        return None
    size = max(least, len(core) + 1) + chance.below("lines", most - max(least, len(core) + 1) + 1)
    later = range(core[-1] + 1, len(lines) + 1)
    earlier = [place for place in range(1, core[-1]) if place not in core]
    behind = min(chance.below("later", LATER + 1), len(later), size - len(core))
    spread = [earlier[place] for place in chance.shuffled("earlier", range(len(earlier)))]
    chosen = sorted([*core, *later[:behind], *spread[: size - len(core) - behind]])
    if not least <= len(chosen) <= most:
        return None
    told = [lines[place - 1] for place in chosen]
    free = [event for event in seen if not any(event in lines[place - 1] for place in chosen)]
    needed = _needed(whole.posed(record.given, told, question), free, answer)
    if len(needed) > MOST_SIGHTS:
        return None
    spare = [event for event in free if event not in needed]
    shown = [*needed, *spare[: chance.below("sights", SPARE_SIGHTS + 1)]]
    posed = whole.posed(record.given + tuple(event for event in free if event in shown), told, question)
    return Found(posed, answer, _par(posed, answer))


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
    return [sights[-place - 1] for place in core if isinstance(place, int)]


def _par(posed: Posed, answer: Sequence[Entry]) -> int:
    """Return after how many lines the answer is certain."""
    for turned in range(posed.total):
        position = known(replace(posed, lines=posed.lines[:turned]))
        if certain(position, claims_of(position, answer)):
            return turned
    return posed.total
