"""First cases: how their staged deals are chosen, and how a page goes through their steps.

`python -m tests.lessons GAME [FROM]` looks for a deal from number FROM on that shows every step of the game's lesson
and that a learner who thinks can solve soon, and writes its seed and the learner's moves into the lesson. To be run
again when rules or bots change: tests/test_lessons.py says so.
"""

import json
import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whodunit import arena, bots, games
from whodunit.bots.thinker import Thinker
from whodunit.core.lesson import Lesson, When
from whodunit.core.notes import Sheet
from whodunit.core.redact import redact
from whodunit.core.types import TABLE, Action, Event, Player, Seat, Update
from whodunit.core.wire import encode
from whodunit.table.case import Bot, Case, open_case
from whodunit.table.seal import Seal

LEARNER: Final[Seat] = 0
MOST: Final = {"clue": 18, "perfect_alibi": 12, "crime_hotel": 12, "arosa": 16}
"""How often the learner has to do something at most: about five minutes."""

MIND: Final = replace(bots.DETECTIVE, samples=12, guesses=False)
"""A learner who thinks, and makes no guess that may be wrong."""


class Follower:
    """Does what the guide advises."""

    def __init__(self, game: str, advice: dict[str, dict[str, Any]]) -> None:
        self._game = game
        self._advice = advice

    def see(self, update: Update) -> None:
        self.update = update

    def act(self) -> Action:
        action = self._advised()
        assert action is not None, f"no advice at {self.update.seq}"
        return action

    def interrupt(self) -> Action | None:
        action = self._advised()
        return action if type(action) in games.get(self._game).INFO.interrupts else None

    def explain(self) -> tuple[()]:
        return ()

    def _advised(self) -> Action | None:
        advised = self._advice.get(str(self.update.seq))
        return None if advised is None else msgspec.convert(advised, games.get(self._game).INFO.action)


class Played(Struct, frozen=True):
    """A staged game that was played to its end, or given up."""

    case: Case
    shown: tuple[str, ...]
    """The steps in the order in which a page shows them."""
    advice: dict[str, dict[str, Any]]
    """What the learner did, also where there was no choice: a first case waits for every answer."""
    deeds: int


class Guide:
    """Goes through a lesson's steps as the page does: each is said at the first moment that fits."""

    def __init__(self, lesson: Lesson) -> None:
        self._left = list(lesson.steps)
        self.shown: list[str] = []

    def see(self, update: Update, told: Sequence[Event], sheet: Sheet) -> None:
        kinds = {offer.action.__name__ for offer in update.offers}
        fresh = [step for step in self._left if holds(step.when, kinds, told, sheet)]
        self._left = [step for step in self._left if step not in fresh]
        self.shown += [step.text for step in fresh]


def holds(when: When, offered: Collection[str], told: Sequence[Event], sheet: Sheet) -> bool:
    """Say whether it is that moment, as the learner's page sees it."""
    if when.offer is not None and when.offer not in offered:
        return False
    if when.event is not None and not any(_fits(when, event) for event in (told[-1:] if when.last else told)):
        return False
    if when.certain is None:
        return True
    column, count = when.certain
    return sum(cell.column == column and cell.mark == "yes" for cell in sheet.cells) >= count


def _fits(when: When, event: Event) -> bool:
    return type(event).__name__ == when.event and all(getattr(event, name) in of for name, of in when.fields.items())


def staged(game: str, lesson: Lesson) -> Case:
    """Open the lesson's case as the site does."""
    seats = 1 + len(lesson.bots)
    sitting = tuple(Bot(seat, level, bots.VERSION) for seat, level in enumerate(lesson.bots, 1))
    return open_case(game, seats, lesson.options, Seal.from_seed(lesson.seed), ("",) * seats, sitting)


def play(game: str, lesson: Lesson, learner: Player, most: int) -> Played:
    """Play the staged game; no more than so many deeds of the learner's."""
    case = staged(game, lesson)
    players = {**arena.players_of(case), LEARNER: learner}
    guide, advice, deeds = Guide(lesson), dict[str, dict[str, Any]](), 0
    belief = case.table.game.belief(LEARNER)
    told: list[Event] = []

    def see(events: Sequence[Event]) -> None:
        nonlocal belief
        for seat, player in players.items():
            player.see(case.table.update(seat, events))
        for event in events:
            told.append(redact(event, LEARNER))
            belief = belief.learn(told[-1])
        guide.see(case.table.update(LEARNER, events), told, belief.sheet(lesson.assistance))

    see(case.events)
    while not case.outcome and deeds <= most:
        seat, action = arena._urgent(case, players) or (case.awaiting[0], None)
        action = action or (case.legal(TABLE)[0].at(0) if seat == TABLE else players[seat].act())
        if seat == LEARNER:
            deeds += 1
            advice[str(case.table.seq)] = json.loads(encode(action))
        case = case.step(seat, action)
        see(case.batches[-1].events)
    return Played(case, tuple(guide.shown), advice, deeds)


def candidates(game: str, lesson: Lesson, start: int) -> Iterator[tuple[int, Lesson, Played]]:
    """Play one deal after another."""
    number = start
    while True:
        tried = replace(lesson, seed=f"first case/{game}/{number}")
        learner = Thinker(games.get(game), LEARNER, b"learner", MIND)
        yield number, tried, play(game, tried, learner, MOST[game])
        number += 1


def path_of(game: str) -> Path:
    """Return where a game's lesson is kept."""
    return Path(__file__).resolve().parents[1] / "src" / "whodunit" / "games" / game / "lesson" / "case.json"


def write(game: str, lesson: Lesson) -> None:
    """Write a lesson down, for people to read and change."""
    path_of(game).write_bytes(msgspec.json.format(encode(lesson), indent=2) + b"\n")


# A corridor's square has no name that the guide could say: the learner's walks are to lead into rooms.


def main(game: str, start: str = "0") -> None:
    lesson = games.lesson(game)
    wanted = {step.text for step in lesson.steps}
    for number, tried, played in candidates(game, lesson, int(start)):
        outcome = played.case.outcome
        missing = wanted - {*played.shown}
        if outcome and outcome.winners == (LEARNER,):
            print(number, f"{played.deeds} deeds", "missing:", *sorted(missing), flush=True)
            if not missing and all(isinstance(deed.get("to", ""), str) for deed in played.advice.values()):
                write(game, replace(tried, advice=played.advice))
                return


if __name__ == "__main__":
    main(*sys.argv[1:])
