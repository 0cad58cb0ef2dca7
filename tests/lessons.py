"""First cases: how their staged deals are chosen, and how a page goes through their steps.

`python -m tests.lessons GAME [FROM [EACH]]` looks for a deal, from number FROM on in steps of EACH, in which whoever
follows the guide meets every step of the lesson and soon proves the solution, and writes its seed into the lesson.
To be run again when rules or bots change: tests/test_lessons.py says so.
"""

import sys
from collections.abc import Callable, Sequence
from itertools import accumulate, count
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whodunit import arena, bots, games
from whodunit.bots.tutor import advise
from whodunit.core.lesson import Lesson, Sentence, Step, When
from whodunit.core.notes import Sheet
from whodunit.core.offer import Offer
from whodunit.core.redact import redact
from whodunit.core.types import TABLE, Action, Belief, Event, Player, Seat
from whodunit.core.wire import encode
from whodunit.table.case import Bot, Case, open_case
from whodunit.table.seal import Seal

LEARNER: Final[Seat] = 0
MOST: Final = 14
"""How often a learner who follows the guide has to do something at most: about five minutes."""
LEAST: Final = 5
"""Less than that is over before it has begun."""
MOST_OF_OTHERS: Final = 40
"""How often everybody else does something meanwhile, at half a second each: twenty seconds."""
ENOUGH: Final = 60
"""How often anybody else has to, before a test stops watching them."""

Deed: TypeAlias = Callable[["Moment"], Action]
"""What a learner does when the table waits for them."""


class Said(Struct, frozen=True):
    """A step as a page shows it: its sentences, and the event of which it speaks."""

    step: Step
    texts: tuple[str, ...]
    about: int | None
    """Its number; None: it speaks of what the learner may do now."""


class Moment(Struct, frozen=True):
    """The learner's page at one moment, and behind it the truth."""

    case: Case
    told: tuple[Event, ...]
    offers: tuple[Offer, ...]
    sheet: Sheet
    belief: Belief

    @property
    def view(self) -> Any:
        return self.case.table.views[LEARNER]

    def advice(self, lesson: Lesson) -> Action | None:
        """Return what the guide advises, or would advise where it leaves that to the ear."""
        return advise(self.case.table.game, LEARNER, self.told, lesson)


class Play(Struct, frozen=True):
    """A staged game as far as it was played."""

    case: Case
    players: dict[Seat, Player]
    told: tuple[Event, ...]
    belief: Belief
    left: tuple[Step, ...]
    """The steps that have not been said."""
    said: tuple[tuple[Moment, Said], ...] = ()
    deeds: tuple[Action, ...] = ()
    others: int = 0
    """How often everybody else has done something."""

    @property
    def moment(self) -> Moment:
        sheet = self.belief.sheet("logic")
        return Moment(self.case, self.told, self.case.legal(LEARNER), sheet, self.belief)


def holds(when: When, moment: Moment, about: Event | None = None) -> bool:
    """Say whether it is that moment, as the learner's page sees it; of a step about an event, whether that one fits."""
    if when.offer is not None:
        ways = sum(offer.count for offer in moment.offers if offer.action.__name__ == when.offer)
        if ways < when.least:
            return False
    if when.event is not None and about is not None and not fits(when, about):
        return False
    if when.event is not None and about is None and spoken(when, moment.told) is None:
        return False
    if when.certain is None:
        return True
    column, count = when.certain
    return sum(cell.column == column and cell.mark == "yes" for cell in moment.sheet.cells) >= count


def spoken(when: When, told: Sequence[Event]) -> int | None:
    """Return the number of the newest event of which a step speaks."""
    numbered = list(enumerate(told, 1))
    return next((seq for seq, event in reversed(numbered[-1:] if when.last else numbered) if fits(when, event)), None)


def fits(when: When, event: Event) -> bool:
    """Say whether it is such an event."""
    return type(event).__name__ == when.event and all(getattr(event, name) in of for name, of in when.fields.items())


def said(step: Step, moment: Moment) -> Said:
    """Return what a page says."""
    about = None if step.when.offer is not None else spoken(step.when, moment.told)
    event = None if about is None else moment.told[about - 1]
    more: list[Sentence] = [sentence for sentence in step.more if holds(sentence.when, moment, event)]
    return Said(step, (step.text, *(sentence.text for sentence in more)), about)


def staged(game: str, lesson: Lesson) -> Case:
    """Open the lesson's case as the site does."""
    seats = 1 + len(lesson.bots)
    sitting = tuple(Bot(seat, level, bots.VERSION) for seat, level in enumerate(lesson.bots, 1))
    return open_case(game, seats, lesson.options, Seal.from_seed(lesson.seed), ("",) * seats, sitting)


def begin(game: str, lesson: Lesson) -> Play:
    """Lay the staged table, and let the bots go on until the learner is waited for."""
    case = staged(game, lesson)
    players = arena.players_of(case)
    fresh = Play(case, players, (), case.table.game.belief(LEARNER), lesson.steps)
    return go_on(see(fresh, case.events))


def see(play: Play, events: Sequence[Event]) -> Play:
    """Let everybody take in what has happened, and the guide say what there is to say."""
    for seat, player in play.players.items():
        player.see(play.case.table.update(seat, events))
    seen = tuple(redact(event, LEARNER) for event in events)
    belief = play.belief
    for event in seen:
        belief = belief.learn(event)
    play = replace(play, told=(*play.told, *seen), belief=belief)
    moment = play.moment
    now = [step for step in play.left if holds(step.when, moment)]
    return replace(
        play,
        left=tuple(step for step in play.left if step not in now),
        said=(*play.said, *((moment, said(step, moment)) for step in now)),
    )


def go_on(play: Play) -> Play:
    """Let the others act until the learner may do something that is waited for, or the game is over."""
    while not play.case.outcome:
        seat, action = urgent(play.case, play.players) or (play.case.awaiting[0], None)
        if seat == LEARNER:
            return play
        action = action or (play.case.legal(TABLE)[0].at(0) if seat == TABLE else play.players[seat].act())
        play = step(replace(play, others=play.others + 1), seat, action)
    return play


def urgent(case: Case, players: dict[Seat, Player]) -> tuple[Seat, Action] | None:
    """Ask the bots whether they interrupt."""
    if not case.table.game.INFO.interrupts:
        return None
    asked = ((seat, player.interrupt()) for seat, player in sorted(players.items()))
    return next(((seat, action) for seat, action in asked if action is not None), None)


def step(play: Play, seat: Seat, action: Action) -> Play:
    """Let somebody act."""
    case = play.case.step(seat, action)
    return see(replace(play, case=case), case.batches[-1].events)


def act(play: Play, action: Action) -> Play:
    """Let the learner act, and the others after that."""
    play = step(play, LEARNER, action)
    return go_on(replace(play, deeds=(*play.deeds, action)))


def follow(play: Play, lesson: Lesson, most: int = ENOUGH) -> Play:
    """Do what the guide advises until the game is over."""
    while not play.case.outcome and len(play.deeds) < most:
        action = play.moment.advice(lesson)
        assert action is not None, f"no advice at {play.case.table.seq}"
        play = act(play, action)
    return play


def advice_of(game: str, lesson: Lesson) -> dict[int, dict[str, Any]]:
    """Return what the guide advises where all goes as it was staged, by the number of the last event."""
    play, advice = begin(game, lesson), dict[int, dict[str, Any]]()
    while not play.case.outcome:
        action = play.moment.advice(lesson)
        assert action is not None
        advice[play.case.table.seq] = msgspec.to_builtins(action)
        play = act(play, action)
    return advice


def path_of(game: str) -> Path:
    """Return where a game's lesson is kept."""
    return Path(__file__).resolve().parents[1] / "src" / "whodunit" / "games" / game / "lesson" / "case.json"


def write(game: str, lesson: Lesson) -> None:
    """Write a lesson down, for people to read and change."""
    path_of(game).write_bytes(msgspec.json.format(encode(lesson), indent=2) + b"\n")


def understood(play: Play, lesson: Lesson) -> bool:
    """Say whether the notes proved the solution after all that the guide explains, and before the learner said it."""
    if lesson.answer is None:
        return True
    column, count = lesson.answer
    fresh: Belief = play.case.table.game.belief(LEARNER)
    beliefs = accumulate(play.told, lambda belief, event: belief.learn(event), initial=fresh)
    sheets = (belief.sheet("logic").cells for belief in beliefs)
    certain = (sum(cell.column == column and cell.mark == "yes" for cell in cells) for cells in sheets)
    proved = next((seq for seq, found in enumerate(certain) if found >= count), len(play.told))
    explained = [said.about for _, said in play.said if said.about is not None]
    mine = When(event=lesson.claim, fields={"seat": (LEARNER,)})
    claims = [seq for seq, event in enumerate(play.told, 1) if fits(mine, event)]
    return max(explained) <= proved < max(claims, default=0)


def tried(game: str, lesson: Lesson) -> Play | None:
    """Play a deal as the guide advises; None as soon as it leads nowhere soon."""
    play = begin(game, lesson)
    while not play.case.outcome:
        action = play.moment.advice(lesson)
        # A corridor's square has no name that the guide could say: the learner's walks are to lead into rooms.
        if action is None or isinstance(getattr(action, "to", None), int):
            return None
        play = act(play, action)
        if len(play.deeds) > MOST or play.others > MOST_OF_OTHERS:
            return None
    return play if play.case.outcome.winners == (LEARNER,) else None


def main(game: str, start: str = "0", each: str = "1") -> None:
    lesson = games.lesson(game)
    for number in count(int(start), int(each)):
        staging = replace(lesson, seed=f"first case/{game}/{number}")
        if (played := tried(game, staging)) is None:
            continue
        missing = sorted(step.text for step in played.left)
        proved = understood(played, lesson)
        took = f"{len(played.deeds)} deeds, {played.others} of others"
        print(number, took, "proved" if proved else "by luck or too soon", "missing:", *missing, flush=True)
        if not missing and proved and len(played.deeds) >= LEAST:
            write(game, staging)
            return


if __name__ == "__main__":
    main(*sys.argv[1:])
