"""Best ear: the bank and what is made of it; the same in every house, by whole numbers, and telling nothing."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from hashlib import sha256
from importlib import resources
from io import BytesIO
from itertools import product
from typing import Any

import pytest
import soundfile
from msgspec.structs import replace

from whodunit import arena, games
from whodunit.bench.fit import ear
from whodunit.cases import days
from whodunit.cases.puzzle import BadPuzzle, Puzzle, read, verify, written
from whodunit.cases.ruling import Heard, rule
from whodunit.core.cutting import Question
from whodunit.core.redact import fold
from whodunit.core.rng import Stream
from whodunit.core.text import say
from whodunit.core.types import TABLE, Message, Term
from whodunit.core.wire import attach, encode
from whodunit.games import arosa
from whodunit.games.arosa import bank, cases
from whodunit.games.arosa.bank import Asked
from whodunit.games.arosa.evidence import belief
from whodunit.games.arosa.facts import COLOURS, FLOORS, VICTIM
from whodunit.games.arosa.model import Dropped, Exposed, Opened
from whodunit.tower import CLIP, flac, listen
from whodunit.tower.sound import LENGTH

AROSA = games.get("arosa")
FIRST = date(2026, 11, 1)
STORE = bank.bank()
CALENDAR = STORE.calendar

GOLDEN = [
    "ad3e3430", "bc368515", "3d34128f", "f1e00172", "2812c88c", "33f76573", "9e84b2bf",
    "2a94ba2a", "6d49d38d", "cefbbf54", "3ba8e598", "d2dfa018", "905baff1", "51c57d52",
    "b90212d6", "2e77bf3b", "ecc1d51c", "b6bf82e2", "f391da72", "b418a38a", "c22b4549",
    "a848c6f7", "4a775cd4", "6981214e", "56cfdc1c", "2602bb42", "6f022c66", "4dfd860d",
]  # fmt: skip
"""The first eight digits of the digest of what is posed on each day, from the first of November 2026 on."""


def puzzle(day: int) -> Puzzle:
    return days.case_of((FIRST + timedelta(day)).isoformat(), "arosa")


def events_of(lines: Sequence[Sequence[Any]]) -> list[Any]:
    return [event for line in lines for event in line]


def of_bank(asked: Asked) -> tuple[Any, Any, Question]:
    return cases.posed(STORE, asked)


# --- The same everywhere ------------------------------------------------------------------------------------------


def test_four_weeks_are_what_they_were() -> None:
    assert [sha256(encode(puzzle(day).posed)).hexdigest()[:8] for day in range(28)] == GOLDEN


MADE = """
import sys
for name in ("mujoco", "numpy", "soundfile"):
    sys.modules[name] = None
from datetime import date, timedelta
from hashlib import sha256
from whodunit.cases import days
from whodunit.cases.puzzle import read, written
from whodunit.cases.ruling import rule
from whodunit.core.wire import encode
from whodunit.games.arosa import bank
digest = sha256()
for number in range(90):
    puzzle = days.case_of((date(2026, 11, 1) + timedelta(number)).isoformat(), "arosa")
    digest.update(written(read(written(puzzle))))
    digest.update(encode([rule(puzzle.at(turned), puzzle.answer) for turned in range(puzzle.posed.total + 1)]))
    digest.update(b"".join(bank.clip(name) for name in bank.sounds()))
print(digest.hexdigest())
"""


def test_it_is_the_same_under_every_hash_seed_and_without_the_tower() -> None:
    told = {
        subprocess.run(
            [sys.executable, "-c", MADE], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }

    assert len(told) == 1
    assert len(told.pop()) == 65


def test_the_bank_is_in_whole_numbers_but_for_where_cubes_are_drawn() -> None:
    index = json.loads((resources.files(arosa) / "data" / bank.INDEX).read_bytes())

    def floats(value: Any) -> int:
        if isinstance(value, dict):
            return sum(floats(each) for name, each in value.items() if name != "at")
        return sum(map(floats, value)) if isinstance(value, list) else isinstance(value, float)

    assert floats(index) == 0


# --- The calendar -------------------------------------------------------------------------------------------------


def test_nothing_is_asked_again_within_sixty_days_and_no_game_within_ten() -> None:
    twice = [*CALENDAR, *CALENDAR]
    questions: dict[tuple[int, str, int], int] = {}
    beginnings: dict[int, int] = {}
    for day, asked in enumerate(twice):
        _, lines, _ = of_bank(asked)
        drops = sum(isinstance(event, Dropped) and event.colour == asked.colour for event in events_of(lines))
        question = asked.beginning, asked.colour, drops
        assert day - questions.get(question, -100) > 60
        assert day - beginnings.get(asked.beginning, -100) >= ear.APART
        questions[question] = beginnings[asked.beginning] = day


def test_the_week_gets_harder() -> None:
    assert len(CALENDAR) % len(ear.WEEK) == 0
    for day, asked in enumerate(CALENDAR):
        kind = ear.WEEK[day % len(ear.WEEK)]
        given, lines, _ = of_bank(asked)
        drops = [e for e in events_of(lines) if isinstance(e, Dropped) and e.colour == asked.colour]
        assert given[0].options.difficulty == kind.difficulty
        assert len(drops) == kind.drops
        assert kind.lines[0] <= len(lines) <= kind.lines[1]


def test_a_week_of_the_calendar_begins_on_a_monday() -> None:
    monday = FIRST + timedelta(1)
    given, lines, question = of_bank(CALENDAR[(monday.toordinal() - 1) % len(CALENDAR)])

    assert monday.isoweekday() == 1
    assert (monday.toordinal() - 1) % len(ear.WEEK) == 0
    assert (puzzle(1).posed.given, puzzle(1).posed.lines, puzzle(1).posed.question) == (given, lines, question)


@pytest.mark.parametrize("day", range(len(CALENDAR)))
def test_the_best_answer_is_true_and_nearly_sure(day: int) -> None:
    case = puzzle(day)
    chances = cases.chances(case.posed.given, case.posed.lines, case.posed.question)

    assert cases.FEWEST <= case.posed.total <= cases.MOST
    assert chances[case.answer[0]] == max(chances.values()) >= cases.SURE
    assert sum(chances.values()) == cases.WHOLE
    assert 1 <= case.par <= case.posed.total
    assert read(written(case)) == case


# --- How likely it is ---------------------------------------------------------------------------------------------


def enumerated(lines: Sequence[Sequence[Any]], colour: str) -> list[Fraction]:
    """Try every way in which the cubes of a colour may have fallen, one by one."""
    drops = [event for event in events_of(lines) if isinstance(event, Dropped)]
    mine = [number for number, drop in enumerate(drops) if drop.colour == colour]
    shares = [Fraction(0)] * len(FLOORS)
    for floors in product(FLOORS, repeat=len(mine)):
        weight, inside, number = 1, 0, 0
        lies: list[int] = []
        fits = True
        for event in events_of(lines):
            if isinstance(event, Dropped):
                if event.colour == colour:
                    floor = floors[mine.index(number)]
                    weight *= STORE.law[inside][floor] * bank.sounds()[event.clip.id].heard[floor]
                    lies.append(floor)
                number, inside = number + 1, inside + 1
            elif isinstance(event, Exposed):
                fits &= lies.count(event.floor) == sum(cube.colour == colour for cube in event.found)
                lies = [floor for floor in lies if floor != event.floor]
                inside -= len(event.found)
        for floor in lies if fits else ():
            shares[floor] += Fraction(weight, len(lies))
    return [share / sum(shares) for share in shares] if any(shares) else []


@pytest.mark.parametrize("number", range(len(CALENDAR)))
def test_chances_are_what_trying_every_way_gives(number: int) -> None:
    given, lines, question = of_bank(CALENDAR[number])
    for turned in range(len(lines) + 1):
        found = cases.chances(given, lines[:turned], question)
        expected = enumerated(lines[:turned], CALENDAR[number].colour)
        assert sum(found.values()) == cases.WHOLE
        if expected:
            assert all(abs(share - expected[floor] * cases.WHOLE) < 1 for floor, share in enumerate(found.values()))
    assert expected
    assert max(expected) >= Fraction(95, 100)


def test_before_a_cube_falls_the_law_alone_speaks() -> None:
    given, _, question = of_bank(CALENDAR[0])

    found = cases.chances(given, (), question)

    total = sum(STORE.law[0])
    assert all(abs(share - STORE.law[0][floor] * cases.WHOLE / total) < 1 for floor, share in enumerate(found.values()))


def test_the_belief_of_a_listening_seat_says_the_same() -> None:
    for asked in CALENDAR:
        given, lines, question = of_bank(asked)
        now = belief(0)
        for event in [*given, *events_of(lines)]:
            data = {name: bank.clip(name) for name in bank.sounds()} if isinstance(event, Dropped) else {}
            now = now.learn(attach(event, {n: d for n, d in data.items() if d is not None}))
        owner = VICTIM if asked.colour == COLOURS[VICTIM] else COLOURS.index(asked.colour)
        for floor, share in enumerate(cases.chances(given, lines, question).values()):
            assert now.expected(owner, floor) == pytest.approx(share / cases.WHOLE, abs=2e-5)


# --- What is told -------------------------------------------------------------------------------------------------


def test_what_is_posed_and_said_is_the_same_whatever_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two worlds: in the other one every cube lies elsewhere, and nothing that a page gets may differ."""
    told = [told_of(asked) for asked in CALENDAR]
    answers = [cases.truth(*of_bank(asked)) for asked in CALENDAR]
    other = replace(
        STORE,
        beginnings=tuple(
            replace(begun, floors=tuple(7 - floor if floor != 3 else 3 for floor in begun.floors))
            for begun in STORE.beginnings
        ),
    )

    monkeypatch.setattr(bank, "bank", lambda: other)

    assert [told_of(asked) for asked in CALENDAR] == told
    assert any(_answer(asked) != answer for asked, answer in zip(CALENDAR, answers, strict=True))


def told_of(asked: Asked) -> bytes:
    given, lines, question = cases.posed(bank.bank(), asked)
    found = [cases.chances(given, lines[:turned], question) for turned in range(len(lines) + 1)]
    clips = [bank.clip(event.clip.id) for event in events_of(lines) if isinstance(event, Dropped)]
    return encode([given, lines, question, [list(each.values()) for each in found], clips])


def _answer(asked: Asked) -> object:
    try:
        return cases.truth(*of_bank(asked))
    except cases.BadEarCase:  # what a look shows cannot be so there
        return None


def test_no_event_of_the_bank_tells_a_secret() -> None:
    for begun in STORE.beginnings:
        drops = [event for event in begun.events if isinstance(event, Dropped)]
        assert all(event.moved is None and not event.clip.data and not event.known_to for event in drops)
        assert all(event.lift is None for event in begun.events if isinstance(event, Exposed))
        assert len(drops) == len(begun.heard) == len(begun.floors)


def test_a_beginning_is_a_real_game_as_a_spectator_sees_it() -> None:
    for begun in STORE.beginnings:
        view: Any = fold(AROSA, begun.events)
        opened = begun.events[0]
        assert isinstance(opened, Opened)
        assert opened.options.tower == "physics"
        assert view.tower is None
        for colour, inside in zip([*COLOURS[: opened.seats], COLOURS[VICTIM]], view.inside, strict=True):
            assert len(cases.places(begun.events, begun.floors, colour)) == inside


def test_looks_show_what_really_lay_there() -> None:
    for begun in STORE.beginnings:
        for number, event in enumerate(begun.events):
            if isinstance(event, Exposed):
                before = begun.events[:number]
                shown = Counter(cube.colour for cube in event.found)
                for colour in COLOURS:
                    assert shown[colour] == cases.places(before, begun.floors, colour).count(event.floor)


def test_a_claim_is_heard_and_never_proved() -> None:
    case = puzzle(0)
    right, wrong = case.answer, tuple(entry for entry in case.posed.question.form[0] if entry != case.answer[0])[:1]

    said, else_said = rule(case.posed, right), rule(case.posed, wrong)

    assert isinstance(said, Heard)
    assert isinstance(else_said, Heard)
    assert said.listener == else_said.listener == right[0]
    assert said.chance == said.listener_chance == else_said.listener_chance >= cases.SURE
    assert else_said.chance <= cases.WHOLE - cases.SURE


@pytest.mark.parametrize("language", games.LANGUAGES)
def test_every_language_asks(language: str) -> None:
    for colour in COLOURS:
        asked = Message("case.ask.ear", {"card": Term(colour)})
        said = say(asked, games.texts("arosa", language), ())
        assert games.texts("arosa", language)[f"term.{colour}"] in said


# --- What is kept -------------------------------------------------------------------------------------------------


def altered(case: Puzzle, lines: Any) -> Puzzle:
    return replace(case, posed=replace(case.posed, lines=tuple(lines), total=len(lines)))


def test_what_is_none_of_the_banks_is_refused_by_name() -> None:
    case = puzzle(3)
    lines = case.posed.lines
    other = next(entry for entry in case.posed.question.form[0] if entry != case.answer[0])
    drop: Any = lines[0][0]
    renamed = replace(drop, clip=replace(drop.clip, id="0" * 32))
    bad = {
        "its answer is not true": replace(case, answer=(other,)),
        "no game of the bank begins so": altered(case, [(renamed,), *lines[1:]]),
        "not 3": replace(altered(case, lines[:3]), par=1),
        "not likely from line": replace(case, par=case.par % case.posed.total + 1),
        "nothing of it can be proved": replace(case, effort=1),
        "that is not asked": replace(
            case, posed=replace(case.posed, question=replace(case.posed.question, kind="trio"))
        ),
    }
    swapped = altered(case, [lines[1], lines[0], *lines[2:]])

    for why, puzzle_ in bad.items():
        with pytest.raises(BadPuzzle, match=why):
            verify(puzzle_)
    with pytest.raises(BadPuzzle, match="no game of the bank"):
        verify(swapped)


def test_a_clip_that_the_bank_has_not_is_none() -> None:
    assert bank.clip("0" * 32) is None
    assert bank.clip("") is None


# --- The bank -----------------------------------------------------------------------------------------------------


def test_every_clip_is_listed_and_sounds() -> None:
    names = bank.names(STORE.beginnings)
    whole = (resources.files(arosa) / "data" / bank.CLIPS).read_bytes()

    assert len(set(names)) == len(names)
    assert len(whole) == len(names) * bank.CLIP_SIZE
    for name in names:
        data = bank.clip(name)
        assert data is not None
        assert bank.name_of(data) == name
        samples, rate = soundfile.read(BytesIO(data), always_2d=True)
        assert (rate, samples.shape) == (flac.RATE, (LENGTH, 1))
        assert blocks(data) == [0, 1]  # what the stream is, and what fills it up: no tags


def blocks(data: bytes) -> list[int]:
    """Return the kinds of a file's blocks of metadata."""
    kinds, place, last = [], 4, False
    while not last:
        last, kind = bool(data[place] & 128), data[place] & 127
        kinds.append(kind)
        place += 4 + int.from_bytes(data[place + 1 : place + 4], "big")
    return kinds


def test_the_listener_still_hears_what_is_written() -> None:
    for begun in STORE.beginnings:
        (opened, *_) = begun.events
        assert isinstance(opened, Opened)
        for name, written_ in zip(bank.names([begun]), begun.heard, strict=True):
            data = bank.clip(name)
            assert data is not None
            now = listen(CLIP, data, opened.options.difficulty)
            assert written_ == pytest.approx([max(1, share * cases.WHOLE) for share in now], rel=1e-4, abs=1)


def test_a_game_is_played_into_the_bank() -> None:
    options = {"tower": "physics", "difficulty": "clear", "prologue_clues": 1}
    played = ear.begin(arena.open_with_bots("arosa", ["rookie"] * 2, options, "bank"))

    begun, clips = ear.recorded(played, "clear")

    assert begun is not None
    assert bank.names([begun]) == [bank.name_of(clip) for clip in clips]
    assert {len(clip) for clip in clips} == {bank.CLIP_SIZE}
    moved = [event.moved[0].floor for event in played.events if isinstance(event, Dropped) and event.moved]
    assert list(begun.floors) == moved
    assert TABLE not in [event.seat for event in begun.events if isinstance(event, Dropped)]
    asks, count = ear.askable(begun, STORE.law, "clear", Stream(b"bank"))
    assert len(asks) == len(ear.WEEK)
    assert count.right <= count.sure
