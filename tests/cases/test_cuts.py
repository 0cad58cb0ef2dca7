"""Cases cut from games: what is posed is true, tells nothing secret, has one answer, and is the same everywhere."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from itertools import chain, islice
from typing import Any, Final

import pytest
from msgspec.structs import replace

from whodunit import games
from whodunit.bench.cases_check import answers, fits
from whodunit.cases import mining
from whodunit.cases.mining import Found, mine
from whodunit.cases.posed import Posed, known, provable
from whodunit.core.redact import redact
from whodunit.core.rng import Rng, Stream
from whodunit.core.types import Event
from whodunit.deduce import has
from whodunit.games import texts
from whodunit.games.clue import model as clue
from whodunit.games.crime_hotel import model as hotel
from whodunit.games.perfect_alibi import model as alibi
from whodunit.games.perfect_alibi.facts import ASSISTANTS

CASES: Final = (
    *((game, weekday) for game in ("clue", "crime_hotel") for weekday in (1,)),
    *(("perfect_alibi", weekday) for weekday in (1, 7)),
)
"""Games, and the weekdays on which their cases differ."""
GAMES: Final = tuple(dict.fromkeys(game for game, _ in CASES))
MANY: Final = 24
every_kind = pytest.mark.parametrize(("game", "weekday"), CASES)
every_game = pytest.mark.parametrize("game", GAMES)


@cache
def mined(game: str, weekday: int, seed: str = "cuts") -> tuple[tuple[Found, tuple[Event, ...]], ...]:
    """Return cases, each with all that happened in its game."""
    last: list[Event] = []

    def played(*settings: Any) -> list[Event]:
        last[:] = real(*settings)
        return [*last]

    real = mining.played
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mining, "played", played)
        return tuple((found, tuple(last)) for found in islice(mine(game, seed, weekday=weekday), MANY))


def truth(events: Sequence[Event]) -> dict[str, str]:
    """Return what is hidden in a game, by the rows and columns of its sheet."""
    where: dict[str, str] = {}
    for event in events:
        match event:
            case clue.HandDealt() | alibi.HandDealt() | hotel.HandDealt():
                where |= dict.fromkeys(map(str, event.cards or ()), str(event.seat))
            case clue.EnvelopeFilled(trio=trio) if trio is not None:
                where |= dict.fromkeys(trio.cards, "envelope")
            case alibi.CardHidden(card=card):
                where[str(card)] = "missing"
            case alibi.CardsOpened(cards=cards):
                where |= dict.fromkeys(cards, "open")
            case alibi.RivalDealt(seat=seat, tile=tile):
                where[f"rival-{tile}"] = str(seat)
            case hotel.MurdererHidden(card=hidden):
                where[str(hidden)] = "hidden"
    if any(isinstance(event, alibi.RivalDealt) for event in events):
        where = {f"rival-{assistant}": "box" for assistant in ASSISTANTS} | where
    return where


def told(posed: Posed) -> Iterator[Event]:
    return chain(posed.given, *posed.lines)


@every_kind
def test_exactly_one_answer_fits_and_not_before_par(game: str, weekday: int) -> None:
    for found, _ in mined(game, weekday):
        assert answers(found.posed) == [found.answer]
        early = replace(found.posed, lines=found.posed.lines[: found.par - 1])
        assert len(answers(early)) > 1


@every_kind
def test_cutting_never_lies(game: str, weekday: int) -> None:
    """What really happened fits every case that is cut from it, by both readings, and its answer is the truth."""
    for found, events in mined(game, weekday):
        where = truth(events)
        assert all(where[row] == column for row, column in found.answer)
        assert fits(found.posed, where)
        position = known(found.posed)
        rows = {str(element): element for element in position.deal.elements}
        columns = {str(holder): holder for holder in position.deal.holders}
        dealt = [has(columns[where[row]], (element,), None) for row, element in rows.items()]
        assert position.engine.possible(position.learn(*dealt).known)


@every_game
def test_the_second_reading_refuses_what_does_not_fit(game: str) -> None:
    for found, _ in mined(game, 1):
        group = found.posed.question.form[0]
        wrong = next(entry for entry in group if entry != found.answer[0])
        assert not fits(found.posed, dict([wrong]))


@every_kind
def test_a_case_tells_its_seat_nothing_that_it_may_not_know(game: str, weekday: int) -> None:
    for found, _ in mined(game, weekday):
        for event in told(found.posed):
            assert redact(event, found.posed.seat) == event


@every_kind
def test_the_miners_player_goes_by_what_its_seat_can_see(game: str, weekday: int) -> None:
    """Two worlds: with the whole table or only its own view before it, it does the same."""
    rules, cuts = games.get(game), provable(game)
    for setting in [setting for setting in cuts.settings if weekday in setting.weekdays]:
        state: Any = None
        views: list[Any] = [None] * setting.seats
        events = [*rules.setup(setting.seats, rules.INFO.parse(setting.seats, setting.options), Rng(b"two", 1))]
        for turn in range(60):
            for event in events:
                state = rules.evolve(state, event)
                views = [rules.evolve(view, redact(event, seat)) for seat, view in enumerate(views)]
            if rules.outcome(state) is not None:
                break
            seat = min(rules.awaiting(state))
            action, same = (cuts.play(table, seat, Stream(bytes([turn]))) for table in (state, views[seat]))
            assert action == same
            events = [*rules.decide(state, seat, action, Rng(b"two", turn + 2))]


@every_kind
def test_a_case_can_be_shown_line_by_line(game: str, weekday: int) -> None:
    rules = games.get(game)
    for found, _ in mined(game, weekday):
        view: Any = None
        for event in told(found.posed):
            view = rules.evolve(view, event)
            assert rules.tell(event).key
        assert view is not None


@every_kind
def test_a_case_has_as_many_lines_as_are_due_and_begins_uncertain(game: str, weekday: int) -> None:
    least, most = provable(game).lines
    for found, _ in mined(game, weekday):
        assert least <= found.posed.total == len(found.posed.lines) <= most
        assert 1 < found.par <= found.posed.total


@every_game
def test_every_question_is_put_in_words(game: str) -> None:
    for setting in provable(game).settings:
        for kind in setting.kinds:
            for language in ("en", "de", "fr", "nb"):
                assert texts(game, language)[f"case.ask.{kind}"]


SAME: Final = """
import sys
from tests.cases.test_cuts import digest
from whodunit.deduce import PURE, best, native
if sys.argv[2] == "pure":
    native.load = lambda: None
    assert best() is PURE
print(digest(sys.argv[1]))
"""


def digest(game: str) -> str:
    """Return a digest of some cases of every weekday that has cases of its own."""
    days = dict.fromkeys(weekday for one, weekday in CASES if one == game)
    return sha256(repr([[*islice(mine(game, "same", weekday=day), 5)] for day in days]).encode()).hexdigest()


@every_game
@pytest.mark.parametrize(("hash_seed", "kernel"), [("1", "best"), ("2", "pure")])
def test_cases_are_the_same_under_any_hash_seed_and_with_either_kernel(game: str, hash_seed: str, kernel: str) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(["."])}
    command = [sys.executable, "-c", SAME, game, kernel]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=120)
    assert run.stdout.strip() == digest(game)


def test_a_case_of_perfect_alibi_counts_its_own_questions() -> None:
    """As no question is told that was left out, the cards that were seen in those belong to none."""
    for found, _ in (*mined("perfect_alibi", 1), *mined("perfect_alibi", 7)):
        for number, line in enumerate(found.posed.lines, 1):
            assert {event.question for event in line} == {number}  # type: ignore[attr-defined]  # all have it
            assert line[0].answerer != found.posed.seat  # type: ignore[attr-defined]  # of Asked
        seen = [event for event in found.posed.given if isinstance(event, alibi.CardShown | alibi.CardDrawn)]
        assert all(event.question == 0 and event.card is not None for event in seen)
        assert len(seen) == len({*seen})


def test_some_cases_of_perfect_alibi_bring_what_was_seen_in_other_questions() -> None:
    seen = [event for found, _ in mined("perfect_alibi", 1) for event in found.posed.given]
    assert {alibi.CardShown, alibi.CardDrawn} <= {type(event) for event in seen}


def test_who_lies_is_asked_on_sundays_alone() -> None:
    kinds = {day: {found.posed.question.kind for found, _ in mined("perfect_alibi", day)} for day in (1, 7)}
    assert kinds == {1: {"missing"}, 7: {"missing", "liar"}}


def test_a_case_of_crime_hotel_is_the_beginning_of_a_game() -> None:
    """It brings every card played from the first on, and what its seat looked at; hands are not exchanged before."""
    for found, events in mined("crime_hotel", 1):
        seat = found.posed.seat
        kinds = (hotel.RoundBegan, hotel.CardPlayed, hotel.Parked, hotel.Looked, hotel.Exchanged)
        whole = [redact(event, seat) for event in events if isinstance(event, kinds)]
        public = [event for event in whole if not isinstance(event, hotel.Looked) or event.seat == seat]
        lines = [*chain(*found.posed.lines)]
        assert lines == public[: len(lines)]
        assert [type(event) for line in found.posed.lines for event in line].count(hotel.CardPlayed) == len(
            found.posed.lines
        )


def test_a_case_of_crime_hotel_leaves_four_rooms_dark_when_it_is_proved() -> None:
    for found, _ in mined("crime_hotel", 1):
        known = {card for event in found.posed.given if isinstance(event, hotel.RoomsLit) for card in event.cards}
        known |= {
            card for event in found.posed.given if isinstance(event, hotel.HandDealt) for card in event.cards or ()
        }
        lines = chain(*found.posed.lines[: found.par])
        known |= {event.card for event in lines if isinstance(event, hotel.CardPlayed)}
        assert 27 - len(known) >= 4


def test_what_a_line_tells() -> None:
    ask, hear = alibi.Asked, alibi.Answered
    holding: tuple[Any, ...] = ("Priest", "Cook", "Captain")
    places = ask(question=1, seat=1, answerer=2, elements=("Bar",), holding=holding, way="chip")
    times = replace(places, elements=("3", "6"))
    kinds = provable("perfect_alibi").kinds
    assert kinds((places, hear(question=1, seat=2, said=2, due=True)), 0) == {"places"}
    assert kinds((times, hear(question=1, seat=2, said=1, due=False)), 0) == {"times"}
    assert kinds((times, hear(question=1, seat=2, said=0, due=False)), 0) == {"none"}
    assert kinds((times, hear(question=1, seat=2, said=None, due=True)), 0) == {"unheard"}
    assert kinds((times, hear(question=1, seat=2, said=1, due=False)), 2) == set()
    kinds = provable("crime_hotel").kinds
    assert kinds((hotel.RoundBegan(number=1, seat=1), hotel.CardPlayed(seat=1, card=11)), 0) == {"laid"}
    assert kinds((hotel.CardPlayed(seat=2, card=21, lacks=1),), 0) == {"lacks"}
    assert kinds((hotel.CardPlayed(seat=2, card=21, lacks=1),), 2) == set()
