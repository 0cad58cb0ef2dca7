"""What bots think worth doing: when to slam, what to ask, whom to take."""

from typing import Any

import pytest
from msgspec.structs import replace

from tests.games.perfect_alibi.staging import Staged, chip, stage
from whodunit.core.redact import redact
from whodunit.core.rng import Stream
from whodunit.core.types import Attention, Seat
from whodunit.deduce import Evidence, has
from whodunit.games import perfect_alibi
from whodunit.games.perfect_alibi.evidence import Belief, World, belief
from whodunit.games.perfect_alibi.model import (
    Ask,
    AskFreely,
    AskLast,
    ChangeAssistant,
    Confirm,
    Correct,
    Name,
    Over,
    Slam,
    TakeChip,
)
from whodunit.games.perfect_alibi.sense import VALUE, WON, _bold, _threshold, _Trial, _Try

HANDS = ("Bar-3 Bar-6 Bar-9 Restaurant-3 Restaurant-6", "Bar-12 Library-3 Library-6 Library-9 SunDeck-3", "")


def of(game: Staged, viewer: Seat, attention: Attention = "logic") -> Belief:
    known = belief(viewer, attention)
    for event in game.events:
        known = known.learn(redact(event, viewer))
    return known


def three(assistants: str = "BCD", **more: Any) -> Staged:
    return stage(HANDS, "Library-12", assistants=assistants, **more)


def considered(game: Staged, seat: Seat, attention: Attention = "logic", draw: int = 1) -> list[Any]:
    return list(perfect_alibi.consider(game.view(seat), seat, of(game, seat, attention), Stream(b"sense %d" % draw)))


def test_nobody_slams_on_a_vague_idea_and_everybody_on_a_certain_one() -> None:
    game = three()
    assert perfect_alibi.urge(game.view(0), 0, of(game, 0)) == []
    seen = of(three().play(2, Slam("Bar-3")), 2)  # he has looked: what would he do, could he slam again?
    assert seen.chance(Slam("Library-12")) == 1
    (slam,) = perfect_alibi.urge(game.view(2), 2, seen)
    assert slam == Slam("Library-12")


def test_the_fewer_rivals_the_less_the_hurry() -> None:
    assert _threshold(3) < _threshold(2) < _threshold(1) < 1
    assert _threshold(0) == 1
    assert 0.39 < _bold(4) < _bold(1) < _threshold(3)


def test_a_card_that_must_be_named_is_the_likeliest() -> None:
    game = three().last_question("Library")
    (seat,) = game.awaiting()
    game.answer(game.numbers(seat)[0])
    (name,) = considered(game, 0)
    assert isinstance(name, Name)


def test_the_best_chip_is_taken_and_the_most_telling_questions_weighed() -> None:
    row = (chip("blue", "wheel"), chip("green", "clock"), chip("yellow", "wheel"), chip("blue", "clock"))
    (best,) = considered(three(row=row), 0)
    assert isinstance(best, TakeChip | AskFreely)
    asking = three(row=row).play(0, TakeChip(1, 1))
    found = considered(asking, 0)
    assert 1 <= len(found) <= 4
    assert all(isinstance(action, Ask) for action in found)
    assert not any(isinstance(action, AskLast) for action in found)
    assert considered(asking, 0, "motives")


def close_to_the_end(row: str, assistants: str = "BCD") -> tuple[Staged, Belief]:
    """Return a game in which seat 0 has seen all cards but two, one of which is seat 2's; chips are of one colour."""
    game = three(assistants, row=(chip(row, "wheel"),) * 4)
    known = of(game, 0)
    assert known.position is not None
    one, other = game.state.hands[1:]
    seen: tuple[Evidence[Any, Any], ...] = (has(1, one, 1), has(2, [card for card in other if card != "SunDeck-9"], 1))
    return game, replace(known, position=known.position.learn(*seen))


def asks_last(game: Staged, known: Belief, attention: Attention = "logic") -> bool:
    known = replace(known, attention=attention)
    found = perfect_alibi.consider(game.view(0), 0, known, Stream(b"last"))
    return any(isinstance(action, AskLast) for action in found)


def test_one_last_question_is_called_where_it_pays() -> None:
    """ALIBI-58: the chips lead to nobody who could tell, and one answer would settle it."""
    game, known = close_to_the_end("blue")
    assert known.solution() == {"SunDeck-9": 0.5, "Library-12": 0.5}
    (last,) = perfect_alibi.consider(game.view(0), 0, known, Stream(b"last"))
    assert isinstance(last, AskLast)
    assert last.answerer == 2
    assert {"SunDeck", "Library"} & {*last.elements} or {"9", "12"} & {*last.elements}
    assert asks_last(game, known, "motives")


def test_no_last_question_is_called_where_another_does_as_well() -> None:
    """ALIBI-58: a chip or the Journalist leaves one the choice; a rookie dares nothing, nor does a vague idea."""
    assert not asks_last(*close_to_the_end("green"))
    assert not asks_last(*close_to_the_end("blue", "ACD"))
    assert not asks_last(*close_to_the_end("blue"), "sight")
    game = three(row=(chip("blue", "wheel"),) * 4)
    assert not asks_last(game, of(game, 0))


def test_what_one_last_question_would_tell_is_tried_where_it_was_not_learned() -> None:
    """How often the likeliest card is right: always if all is told, and as a guess if nothing is."""
    game, known = close_to_the_end("blue")
    trial = _Trial(game.view(0), 0, known, known.sample(Stream(b"trial"), "trial", 96))
    telling = [trial.right(_Try(AskLast(2, ("Library",)), 2, ("Library",)), enough) for enough in (None, 0.9)]
    blank = [trial.right(_Try(AskLast(1, ("Library",)), 1, ("Library",)), enough) for enough in (None, 0.9)]
    assert telling == [1, 1]
    assert 0.3 < blank[0] < 0.6
    assert blank[1] == pytest.approx(0.9)


def test_a_rookie_takes_anything() -> None:
    row = (chip("blue", "wheel+"), chip("green", "clock"), chip("green", "wheel"), chip("blue", "clock"))
    taken = {considered(three(row=row), 0, "sight", draw)[0] for draw in range(30)}
    assert len(taken) > 1
    changing = three(row=row).play(0, TakeChip(1, 1))
    picked = {considered(changing, 0, "sight", draw)[0] for draw in range(30)}
    assert len(picked) > 1
    assert considered(changing, 0) == [ChangeAssistant("Journalist")]


def test_what_is_owed_is_done_first() -> None:
    game = stage(HANDS, "Library-12", assistants="BCD", answer_mode="by_hand").ask("Library").answer(0)
    game.play(2, Confirm(1))
    assert game.awaiting() == {1}
    assert considered(game, 1) == [Correct(3)]


def test_worth_is_winning_or_a_good_assistant() -> None:
    game = three()
    assert perfect_alibi.worth(game.state, 0) == VALUE["Captain"]
    game.change(phase=Over(0, "solved"))
    assert perfect_alibi.worth(game.state, 0) == WON
    assert perfect_alibi.worth(game.state, 1) == 0


def test_the_case_is_about_the_missing_card_and_where_all_others_are() -> None:
    world = World("Library-12", (("Bar-3",), ("Bar-6",), ()))
    parts = belief(0).answer(world)
    assert parts[0] == "Library-12"
    assert parts[1:4] == (0, 1, None)
    assert len(parts) == 17


@pytest.mark.parametrize("rivals", ["", "CAB"])
def test_questions_are_weighed_with_and_without_lies(rivals: str) -> None:
    row = (chip("blue", "wheel"),) * 4
    game = three(row=row, **({"rivals": rivals} if rivals else {})).play(0, TakeChip(1, 1))
    assert considered(game, 0)
