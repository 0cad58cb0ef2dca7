"""What a game must bring and may leave out, and lines told by a table."""

import pickle
from types import ModuleType
from typing import Any

import pytest
from msgspec import Struct

from whodunit.core.contract import DEFAULTS, REQUIRED, Incomplete, complete
from whodunit.core.info import Info, Options
from whodunit.core.offer import Offer, One, Some
from whodunit.core.redact import redact
from whodunit.core.rng import Rng
from whodunit.core.telling import Line, Lines, Teller
from whodunit.core.types import TABLE, Action, Event, Message, Seat, Secret, Term, Who


class Show(Action, frozen=True):
    card: str


class Pass(Action, frozen=True):
    pass


class Ask(Action, frozen=True):
    cards: tuple[int, ...]


class Accuse(Action, frozen=True):
    card: str


class Shown(Event, frozen=True):
    seat: Seat
    to: Seat
    card: Secret[str]


class Ended(Event, frozen=True):
    seat: Seat | None
    how: str
    late: bool = False
    cards: tuple[str, ...] = ()
    turns: int = 0


class State(Struct, frozen=True):
    turn: int
    on_turn: Seat
    options: Options
    phase: Struct


INFO = Info(
    id="toy",
    rules=1,
    seats=(2, 4),
    action=Show | Pass | Ask | Accuse,
    event=Shown | Ended,
    state=State,
    answers=(Show, Pass),
    final=(Accuse,),
)


def module(*left_out: str, **parts: Any) -> ModuleType:
    made = ModuleType("toy")
    vars(made).update({"INFO": INFO} | {name: lambda *_: None for name in REQUIRED} | parts)
    for name in left_out:
        delattr(made, name)
    return made


def test_a_game_that_lacks_nothing_is_itself() -> None:
    whole = module(**DEFAULTS)

    assert complete(whole) is whole


def test_what_is_missing_is_named_with_what_it_is_for() -> None:
    with pytest.raises(Incomplete) as refused:
        complete(module("decide", "tell"))

    told = str(refused.value)
    assert told.startswith("toy lacks 2 of its functions. decide: Return what happens when the seat does this")
    assert "tell: Return the one log line of an event" in told


def test_a_file_is_no_function() -> None:
    with pytest.raises(Incomplete, match=r"toy lacks 1 of its functions\. tell: "):
        complete(module(tell=ModuleType("toy.tell")))


def test_a_module_without_info_is_no_game() -> None:
    with pytest.raises(Incomplete, match=r"toy has no INFO: Describe the game"):
        complete(module("INFO"))


def test_whatever_may_be_left_out_has_a_default() -> None:
    game = complete(module())

    assert game.informed(None) == frozenset()
    assert game.urge(None, 0, None) == ()
    assert game.plan(None, 0, None, (), 4) is None
    assert game.worth(None, 0) == 0


def test_by_default_answers_are_an_even_choice() -> None:
    def legal(_view: Any, _seat: Seat) -> list[Offer]:
        return [Offer(Show, {"card": One(("A", "B"))}), Offer(Pass), Offer(Accuse, {"card": One(("C",))})]

    game = complete(module(legal=legal))
    given = {game.habit(None, 0, (), Rng(b"habit", number)) for number in range(40)}

    assert given == {Show("A"), Show("B"), Pass()}


class Certain:
    """A belief that is sure of one card."""

    def __init__(self, card: str) -> None:
        self.card = card

    def chance(self, guess: Accuse) -> float:
        return float(guess.card == self.card)


def test_by_default_small_offers_are_thought_through_and_only_certain_guesses_considered() -> None:
    def legal(_view: Any, _seat: Seat) -> list[Offer]:
        return [
            Offer(Accuse, {"card": One(("A", "B"))}),
            Offer(Show, {"card": One(("A", "B"))}),
            Offer(Ask, {"cards": Some(tuple(range(20)), 2, 2)}),
        ]

    game = complete(module(legal=legal))
    unsure = game.consider(None, 0, Certain("C"), Rng(b"", 1))
    sure = game.consider(None, 0, Certain("B"), Rng(b"", 1))

    assert {type(action) for action in unsure} == {Show, Ask}
    assert len([action for action in unsure if isinstance(action, Ask)]) > 10
    assert [action for action in sure if isinstance(action, Accuse)] == [Accuse("B")]


def test_by_default_a_guess_is_considered_where_nothing_else_can_be_done() -> None:
    game = complete(module(legal=lambda *_: [Offer(Accuse, {"card": One(("A", "B"))})]))

    assert game.consider(None, 0, Certain("C"), Rng(b"", 1)) == [Accuse("A"), Accuse("B")]


# --- Lines -------------------------------------------------------------------------------------------------------

TELL: Lines = {
    Shown: Line("shown", seats=("seat", "to"), words=("card",)),
    Ended: Line("ended", seats=("seat",), words=("cards",), plain=("turns",), by="how"),
}


def test_lines_are_told_by_a_table() -> None:
    game = complete(module("tell", TELL=TELL))
    shown = Shown(seat=1, to=2, card="Rope", known_to=frozenset({1, 2}))

    public = {"seat": Who(1), "to": Who(2)}
    assert game.tell(shown) == Message("shown.seen", public | {"card": Term("Rope")})
    assert game.tell(redact(shown, TABLE)) == Message("shown", {**public})


def test_a_line_may_be_chosen_by_a_field() -> None:
    tell = Teller(TELL)

    assert tell(Ended(seat=None, how="midnight")) == Message("ended.midnight", {"cards": (), "turns": 0})
    solved = Message("ended.solved", {"seat": Who(0), "cards": (Term("A"), Term("B")), "turns": 7})
    assert tell(Ended(seat=0, how="solved", cards=("A", "B"), turns=7)) == solved
    assert Teller({Ended: Line("ended", by="late")})(Ended(seat=0, how="x", late=True)) == Message("ended.true")


def test_a_table_of_lines_travels_to_another_process() -> None:
    event = Ended(seat=None, how="midnight")

    assert pickle.loads(pickle.dumps(Teller(TELL)))(event) == Teller(TELL)(event)  # noqa: S301  (our own bytes)
