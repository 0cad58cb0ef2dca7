"""Cases in the words of a language: what is asked and known, what is said of a claim, and each step of a proof."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

import msgspec

from whodunit import games
from whodunit.cases.posed import Posed
from whodunit.cases.ruling import Impossible, Proved, Ruling
from whodunit.cases.steps import Mark, Step
from whodunit.core.cutting import Entry, Line, Question
from whodunit.core.text import say
from whodunit.core.types import Message, Term

BESIDE: Final = " · "
"""Between names: some of them have commas."""
APART: Final = " | "


def texts(game: str, language: str = "en") -> dict[str, str]:
    """Return every sentence that a case of a game may need, by key; a game's own words go before."""
    return {**_texts("en"), **_texts(language), **games.texts(game, language)}


@cache
def _texts(language: str) -> dict[str, str]:
    file = resources.files(__name__.rpartition(".")[0]) / "texts" / f"{language}.json"
    return msgspec.json.decode(file.read_bytes(), type=dict[str, str])


class Words(NamedTuple):
    """What is said of one case."""

    texts: Mapping[str, str]
    game: str
    players: tuple[str, ...]
    """By seat."""

    def word(self, key: str, **figures: object) -> str:
        """Return one of the sentences of cases."""
        return self.texts[f"case.{key}"].format_map(figures)

    def title(self, posed: Posed) -> str:
        return self.word("title", game=self.texts["name"], seats=posed.seats, seat=self.players[posed.seat])

    def question(self, question: Question) -> str:
        about = {} if question.subject is None else {"card": Term(question.subject)}
        return say(Message(f"case.ask.{question.kind}", about), self.texts, self.players)

    def line(self, line: Line) -> list[str]:
        """Tell what happened, event by event."""
        game = games.get(self.game)
        return [say(game.tell(event), self.texts, self.players) for event in line]

    def row(self, row: str) -> str:
        return self._named(row, "row", "term")

    def column(self, column: str) -> str:
        """Return what a column is called; by custom of all games those that are numbers are seats."""
        if column.isdecimal() and int(column) < len(self.players):
            return self.players[int(column)]
        return self._named(column, "column", "term")

    def _named(self, id: str, *kinds: str) -> str:
        found = (self.texts[key] for kind in kinds if (key := f"{kind}.{id}") in self.texts)
        return next(found, id)

    def choice(self, entry: Entry, group: Sequence[Entry]) -> str:
        """Return what an entry is called among those of its group: by its row, unless all are of the same one."""
        row, column = entry
        return self.column(column) if len({one for one, _ in group}) == 1 else self.row(row)

    def answer(self, question: Question, answer: Sequence[Entry]) -> str:
        return BESIDE.join(self.choice(entry, group) for entry, group in zip(answer, question.form, strict=True))

    def listed(self, words: Sequence[object]) -> str:
        """Return "4, 7 and 9"."""
        *rest, last = map(str, words)
        return self.word("and", rest=", ".join(rest), last=last) if rest else last

    def marks(self, marks: Sequence[Mark]) -> list[str]:
        """Say who has what, and who has not: by whom, or, where that is shorter, by what."""
        has: dict[str, list[str]] = {}
        lacks: dict[str, list[str]] = {}
        without: dict[str, list[str]] = {}
        for mark in marks:
            if mark.held:
                has.setdefault(mark.column, []).append(self.row(mark.row))
            else:
                lacks.setdefault(mark.column, []).append(self.row(mark.row))
                without.setdefault(mark.row, []).append(self.column(mark.column))
        told = [self._marks("has", column, rows) for column, rows in has.items()]
        if len(without) < len(lacks):
            ways = without.items()
            return told + [self.word("marks.not_with", row=self.row(row), columns=BESIDE.join(of)) for row, of in ways]
        return told + [self._marks("lacks", column, rows) for column, rows in lacks.items()]

    def _marks(self, how: str, column: str, rows: Sequence[str]) -> str:
        return self.word(f"marks.{how}", column=self.column(column), rows=BESIDE.join(rows))

    def ruling(self, ruling: Ruling) -> str:
        match ruling:
            case Proved():
                return self.word("ruling.proved")
            case Impossible(lines=lines) if any(lines):
                return self._of_lines("ruling.impossible", [line for line in lines if line])
            case Impossible():
                return self.word("ruling.impossible.none")
            case _:
                return self.word("ruling.unproved")

    def step(self, step: Step) -> Iterator[str]:
        """Say what leads where: from which lines, how, from which marks, to which."""
        lines = self._of_lines("lines", step.lines) if step.lines else self.word("lines.given")
        how = self.word(f"step.{step.kind}", lines=lines, marks=APART.join(self.marks(step.settles)))
        if step.lines and lines not in how:
            how = f"{self._of_lines('step.from', step.lines)} {how}"
        yield f"{how} {self.word('step.cases')}" if step.cases else how
        if step.rests:
            yield self.word("step.rests", marks=APART.join(self.marks(step.rests)))

    def _of_lines(self, key: str, lines: Sequence[int]) -> str:
        return self.word(f"{key}.{'one' if len(lines) == 1 else 'other'}", lines=self.listed(lines))
