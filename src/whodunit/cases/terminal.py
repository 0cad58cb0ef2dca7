"""Solving a case at a terminal: whatever is typed gets some lines back. Nothing is read or printed here."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from whodunit.cases.posed import Posed, known
from whodunit.cases.puzzle import Puzzle
from whodunit.cases.ruling import Impossible, Proved, Ruling, Unproved, rule, rule_mark
from whodunit.cases.steps import Mark
from whodunit.cases.words import BESIDE, Words, texts
from whodunit.core.cutting import Entry

WIDTH: Final = 100
GLUE: Final = "\u00a0"
"""A space at which no line is broken."""
COMMANDS: Final = ("claim", "mark", "sheet", "give_up", "help")


def words_of(posed: Posed, players: Sequence[str], language: str = "en") -> Words:
    """Return the words of a case, in which whoever solves it is "you"."""
    of_game = texts(posed.game, language)
    names = list(players[: posed.seats])
    names[posed.seat] = of_game["case.you"].format(name=names[posed.seat])
    return Words(of_game, posed.game, tuple(names))


def case_text(posed: Posed, words: Words) -> list[str]:
    """Tell a case, with the lines that are turned."""
    told = [words.title(posed), words.word("heading"), "", words.question(posed.question), ""]
    told += [words.word("given"), *_indented(words.line(posed.given))]
    for number in range(1, len(posed.lines) + 1):
        told += line_text(posed, number, words)
    return told


def line_text(posed: Posed, number: int, words: Words) -> list[str]:
    """Tell one line, counted from 1."""
    head = words.word("line", number=number, total=posed.total)
    return ["", head, *_indented(words.line(posed.lines[number - 1]))]


def proof_text(puzzle: Puzzle, words: Words) -> list[str]:
    """Tell the answer and each step of its proof."""
    told = [words.word("end.answer", answer=words.answer(puzzle.posed.question, puzzle.answer))]
    told += ["", words.word("end.proof")]
    for number, step in enumerate(puzzle.steps, 1):
        first, *others = words.step(step)
        told += [*_wrapped(first, f"{number:>3}. ", " " * 5), *_indented(others, " " * 5)]
    return told


def _indented(lines: Sequence[str], by: str = "  ") -> Iterator[str]:
    for line in lines:
        yield from _wrapped(line, by, f"{by}  ")


def _wrapped(line: str, first: str, others: str) -> list[str]:
    return textwrap.wrap(line, WIDTH, initial_indent=first, subsequent_indent=others, break_on_hyphens=False)


class _Unclear(Exception):
    """What was typed is no answer; says why."""


class _Tried(NamedTuple):
    """A mark that was checked."""

    mark: Mark
    ruling: Ruling


class Solving:
    """One case, as far as somebody has come with it."""

    def __init__(self, puzzle: Puzzle, players: Sequence[str], language: str = "en") -> None:
        self.words = words_of(puzzle.posed, players, language)
        self.puzzle = puzzle
        self.turned = self.guesses = self.hints = 0
        self.ended = False
        self._tried: list[_Tried] = []
        english = texts(puzzle.posed.game)
        self._commands = {
            command: {of[f"case.terminal.word.{command}"].casefold() for of in (self.words.texts, english)}
            for command in (*COMMANDS, "yes", "no")
        }
        self._rows, self._columns = _sides(puzzle.posed)

    def begin(self) -> list[str]:
        """Tell what is given, what is asked, and what may be typed."""
        told = [*case_text(self.puzzle.at(0), self.words), ""]
        for group in self.puzzle.posed.question.form:
            told += self._choices([self.words.choice(entry, group) for entry in group], "answers")
        return [*told, *self._help()]

    def typed(self, text: str) -> list[str]:
        """Do what was typed, and tell what comes of it."""
        if not text.strip():
            return self._turn()
        try:
            command, rest = self._command(text.split())
            match command:
                case "claim":
                    return self._claim(rest)
                case "mark":
                    return self._mark(rest)
                case "sheet":
                    return self._sheet()
                case "give_up":
                    return self._end("missed")
                case _:
                    return self._help()
        except _Unclear as error:
            return _wrapped(str(error), "", "")

    def left(self) -> list[str]:
        """Say farewell to whoever leaves before the end."""
        return ["", self.words.word("terminal.left")]

    # --- What is done ------------------------------------------------------------------------------------------------

    def _turn(self) -> list[str]:
        if self.turned == self.puzzle.posed.total:
            return [self.words.word("terminal.all_turned")]
        self.turned += 1
        return line_text(self.puzzle.at(self.turned), self.turned, self.words)

    def _claim(self, said: Sequence[str]) -> list[str]:
        form = self.puzzle.posed.question.form
        whole = " ".join(said)
        parts = [whole] if len(form) == 1 else [part.strip() for part in whole.split(",")] if "," in whole else said
        if len(parts) != len(form) or not all(parts):
            raise _Unclear(self.words.word("terminal.parts", count=len(form)))
        claim = [self._entry(part, group) for part, group in zip(parts, form, strict=True)]
        ruling = rule(self.puzzle.at(self.turned), claim)
        assert isinstance(ruling, Proved | Unproved | Impossible), "it can be proved"
        told = self._told(ruling)
        if isinstance(ruling, Proved):
            return [*told, "", *self._end("solved")]
        self.guesses += 1
        if isinstance(ruling, Impossible) and self.turned == self.puzzle.posed.total:
            return [*told, "", *self._end("missed")]
        return told

    def _mark(self, said: Sequence[str]) -> list[str]:
        row, column, held = self._entry_and_sign(said)
        ruling = rule_mark(self.puzzle.at(self.turned), row, column, held=held)
        self.hints += 1
        self._tried.append(_Tried(Mark(row, column, held), ruling))
        return self._told(ruling)

    def _sheet(self) -> list[str]:
        marks = tuple(dict.fromkeys(mark for mark, ruling in self._tried if isinstance(ruling, Proved)))
        return self.words.marks(marks) or [self.words.word("terminal.empty")]

    def _end(self, how: str) -> list[str]:
        self.ended = True
        figures = {"turned": self.turned, "par": self.puzzle.par, "guesses": self.guesses, "hints": self.hints}
        return [self.words.word(f"end.{how}", **figures), *proof_text(self.puzzle, self.words)]

    # --- What is said ------------------------------------------------------------------------------------------------

    def _told(self, ruling: Ruling) -> list[str]:
        told = _wrapped(self.words.ruling(ruling), "", "")
        if not isinstance(ruling, Unproved):
            return told
        heads = [self.words.column(held.column) for held in ruling.deal]
        width = max(map(len, heads)) + 2
        for head, held in zip(heads, ruling.deal, strict=True):
            rows = BESIDE.join(map(self.words.row, held.rows))
            told += _wrapped(rows or "-", f"  {head:<{width}}", " " * (width + 2))
        return told

    def _help(self) -> list[str]:
        named = {command: self.words.word(f"terminal.word.{command}") for command in self._commands}
        told = [self.words.word(f"terminal.help.{what}", **named) for what in ("turn", *COMMANDS[:-1])]
        told = [*_indented(told, "")]
        told += self._choices([*map(self.words.row, self._rows)], "rows")
        return ["", *told, *self._choices([*map(self.words.column, self._columns)], "columns")]

    def _choices(self, names: Sequence[str], what: str) -> list[str]:
        choices = BESIDE.join(f"{number}{GLUE}{name}" for number, name in enumerate(names, 1))
        return _wrapped(self.words.word(f"terminal.{what}", choices=choices), "", "  ")

    # --- What was typed ----------------------------------------------------------------------------------------------

    def _command(self, said: Sequence[str]) -> tuple[str, list[str]]:
        """Return what is to be done, and what else was said: a command is known by how its first word begins."""
        first, *rest = said
        beginning = first.casefold()
        found = {
            command: word.split()
            for command in COMMANDS
            for word in sorted(self._commands[command])
            if word.split()[0].startswith(beginning)
        }
        if not found:
            helping = self.words.word("terminal.word.help")
            raise _Unclear(self.words.word("terminal.not_a_command", word=first, help=helping))
        if len(found) > 1:
            named = ", ".join(self.words.word(f"terminal.word.{command}") for command in found)
            raise _Unclear(self.words.word("terminal.several", word=first, choices=named))
        ((command, word),) = found.items()
        if rest and len(word) > 1 and word[1].startswith(rest[0].casefold()):
            rest = rest[1:]
        return command, rest

    def _entry(self, said: str, group: Sequence[Entry]) -> Entry:
        return group[self._one(said, [self.words.choice(entry, group) for entry in group])]

    def _entry_and_sign(self, said: Sequence[str]) -> tuple[str, str, bool]:
        parts = _words(" ".join(said))
        signs = [sign for sign in ("yes", "no") if parts and self._says(parts[-1], sign)]
        if len(signs) != 1 or len(parts) < 3:
            yes, no = (self.words.word(f"terminal.word.{sign}") for sign in ("yes", "no"))
            raise _Unclear(self.words.word("terminal.how_to_mark", yes=yes, no=no))
        *parts, _ = parts
        rows, columns = [*map(self.words.row, self._rows)], [*map(self.words.column, self._columns)]
        for place in range(1, len(parts) - 1):  # a name may have several words, and so it is tried where it ends
            row, column = (
                matching(" ".join(side), of) for side, of in ((parts[:place], rows), (parts[place:], columns))
            )
            if len(row) == len(column) == 1:
                return self._rows[row[0]], self._columns[column[0]], signs == ["yes"]
        row_said, column_said = " ".join(parts[:-1]), parts[-1]
        return self._rows[self._one(row_said, rows)], self._columns[self._one(column_said, columns)], signs == ["yes"]

    def _says(self, said: str, sign: str) -> bool:
        return any(word.startswith(said.casefold()) for word in self._commands[sign])

    def _one(self, said: str, names: Sequence[str]) -> int:
        found = matching(said, names)
        if len(found) == 1:
            return found[0]
        choices = BESIDE.join(names[place] for place in found or range(len(names)))
        raise _Unclear(self.words.word("terminal.several" if found else "terminal.unknown", word=said, choices=choices))


def matching(said: str, names: Sequence[str]) -> list[int]:
    """Return the places of the names that are meant: by the name itself, by its number, or by how its words begin."""
    wanted = _words(said)
    words = [_words(name) for name in names]
    same = [place for place, name in enumerate(words) if name == wanted]
    if same or not wanted:
        return same
    if said.isdecimal() and 1 <= int(said) <= len(names):
        return [int(said) - 1]
    return [place for place, name in enumerate(words) if _begins(wanted, name)]


def _begins(wanted: Sequence[str], name: Sequence[str]) -> bool:
    """Say whether these are the beginnings of words of the name, in their order."""
    left = iter(name)
    return all(any(word.startswith(beginning) for word in left) for beginning in wanted)


def _words(said: str) -> list[str]:
    return said.casefold().replace(",", " ").split()


def _sides(posed: Posed) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the rows and columns of the sheet."""
    deal = known(posed).deal
    return tuple(map(str, deal.elements)), tuple(map(str, deal.holders))
