"""The tables that a review needs are fitted on games: what was put in is found, and nothing gathered is lost."""

import json
from collections.abc import Iterator
from math import exp
from pathlib import Path
from random import Random

import msgspec
import pytest

from nightcap import model
from whodunit import arena, bots, games
from whodunit.arena.kept import resumed
from whodunit.bench.fit import review as fitting
from whodunit.bench.fit import tables
from whodunit.bench.fit.tables import Played, chances, ended_first, ends, error, fitted_chances, held_out, told
from whodunit.cli import main
from whodunit.review.fitted import FITTED, Fitted, Shape
from whodunit.table.case import Case


def game(number: int = 0, **changes: object) -> Played:
    """Three seats, two rounds; seat 1 wins when seat 0 has had its second turn."""
    turns = [
        (0, (3.0, 3.0, 3.0)),
        (1, (2.5, 3.0, 3.0)),
        (2, (2.5, 1.0, 3.0)),
        (0, (2.0, 1.0, 2.0)),
        (1, (1.0, 0.0, 2.0)),
    ]
    values: dict[str, object] = {"turns": turns, "winners": (1,), "out": {}} | changes
    return msgspec.convert({"game": "x", "seats": 3, "number": number, **values}, Played, strict=False)


# --- Who ends the case first -------------------------------------------------------------------------------------


def test_a_turn_is_counted_with_what_was_missing_when_it_ended() -> None:
    assert [*ended_first(game())] == [(2.5, False), (1.0, False), (2.0, True), (1.0, True)]


def test_who_has_won_was_not_overtaken() -> None:
    assert [*ended_first(game(winners=(2,)))] == [(2.5, False), (1.0, False), (2.0, False), (1.0, True)]


def test_who_is_out_waits_for_nothing() -> None:
    """Seat 2 guessed wrongly in its turn, the third: the end of that turn says nothing of how soon others are done."""
    assert [*ended_first(game(out={2: 3}))] == [(2.5, False), (1.0, False), (1.0, True)]


def test_shares_by_missing_bits_and_few_turns_go_with_the_next_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "ENOUGH", 4)
    table, wrong = ends([game(number) for number in range(4)])

    # Ends at 1.0: 4 overtaken, 4 not; at 2.0 four overtaken; at 2.5, with the classes above, none.
    assert table == ((1.0, 0.5), (2.0, 1.0), (3.0, 0.0))
    assert 0 < wrong < 0.5

    monkeypatch.setattr(tables, "ENOUGH", 9)
    assert ends([game(number) for number in range(4)])[0] == ((tables.CLASSES[-1], 8 / 16),)


# --- Who wins ----------------------------------------------------------------------------------------------------


def drawn(count: int, bit: float, turn: float, out: bool = False) -> Iterator[Played]:
    """Yield games of one turn each, won as these weights say; perhaps a fourth seat is out, which nobody fears."""
    draw = Random("who wins")  # noqa: S311  (statistics, not secrets)
    for number in range(count):
        left = tuple(draw.uniform(0, 4) for _ in range(4))
        seat = draw.randrange(3)
        waits = [(other - seat) % 4 for other in range(4)]
        odds = [exp(-bit * bits - turn * wait) for bits, wait in zip(left, waits, strict=True)]
        if out:
            odds[3] = 0
        (winner,) = draw.choices(range(4), odds)
        yield Played("x", 4, number, ((seat, left),), (winner,), {3: 0} if out else {})


@pytest.mark.parametrize("out", [False, True])
def test_the_weights_that_were_put_in_are_found(out: bool) -> None:
    bit, turn = fitted_chances([*drawn(4000, 0.9, 0.3, out)])

    assert bit == pytest.approx(0.9, abs=0.1)
    assert turn == pytest.approx(0.3, abs=0.1)


def test_the_fit_is_a_summit() -> None:
    data = [*drawn(500, 0.9, 0.3)]
    bit, turn = fitted_chances(data)
    height = told(data, bit, turn)

    for aside in ((0.05, 0.0), (-0.05, 0.0), (0.0, 0.05), (0.0, -0.05)):
        assert told(data, bit + aside[0], turn + aside[1]) < height


def test_where_nothing_can_be_learned_nothing_is() -> None:
    same = [game(number, turns=[(0, (2.0, 2.0, 2.0))], winners=(0, 1, 2)) for number in range(10)]

    bit, turn = fitted_chances(same)
    assert bit == pytest.approx(0, abs=1e-6)
    assert turn == pytest.approx(0, abs=1e-6)
    assert fitted_chances([]) == (0.0, 0.0)


def test_the_error_is_small_for_true_chances_and_large_for_others() -> None:
    data = [*drawn(4000, 0.9, 0.3)]

    assert error(data, 0.9, 0.3) < 0.03
    assert error(data, 3.0, 0.3) > 0.08
    assert told(data, 0.9, 0.3) > 0.2
    assert told(data, -0.9, 0.3) < 0


def test_the_error_is_measured_on_games_that_were_not_fitted_to() -> None:
    fitted, kept = held_out([game(number) for number in range(20)])

    assert [one.number for one in kept] == [4, 9, 14, 19]
    assert len(fitted) == 16


def test_the_table_says_what_was_fitted() -> None:
    shape = Shape("nightcap", 3, ((1.0, 0.4), (5.0, 0.1)), 0.5, 0.2, 9, 0.1, 0.1, 0.1, ("detective",), "", "", "")
    fitted = Fitted({"nightcap/3": shape})
    rules = games.get("nightcap")
    (moment,) = tables.moments([game(turns=[(1, (1.0, 2.0, 0.5))])])

    assert [fitted.ended_first(rules, 3, bits) for bits in (0.0, 1.0, 1.1, 9.0)] == [0.4, 0.4, 0.1, 0.1]
    assert fitted.chances(rules, (1.0, 2.0, 0.5), (2, 0, 1)) == pytest.approx(chances(moment, 0.5, 0.2))
    without = fitted.chances(rules, (1.0, 2.0, 0.5), (2, 0, 1), out={2})
    assert without[2] == 0
    assert sum(without) == pytest.approx(1)
    assert fitted.ended_first(rules, 2, 1.0) is None
    assert fitted.chances(rules, (1.0, 2.0), (0, 1)) == ()


# --- Gathering games ---------------------------------------------------------------------------------------------


def test_bits_are_noted_whenever_a_turn_begins(case: Case) -> None:
    watched = fitting.watched(case, 7)
    turns = [event for event in case.events if type(event).__name__ == "TurnBegan"]

    assert [seat for seat, _ in watched.turns] == [event.seat for event in turns]  # type: ignore[attr-defined]
    assert watched.winners == (2,)
    assert watched.turns[0][1] == pytest.approx([2.3219] * 3, abs=1e-4)  # five guests that one does not hold
    assert watched.turns[-1][1][2] == 0  # the winner knew it


def test_who_guessed_wrongly_is_out() -> None:
    case = arena.open_with_bots("nightcap", ["detective"] * 3, {}, "w")
    (seat,) = case.awaiting
    own = case.table.views[seat].hands[seat][0]
    case = arena.play_case(case.step(seat, model.Accuse(own)), lambda *_: None)

    watched = fitting.watched(case, 0)

    assert watched.out == {seat: 1}  # in the first turn: its end is not one after which anybody waits
    assert len(watched.turns) > 2


def fit(*arguments: object) -> int:
    return main(["fit", "review", "--games", "nightcap", *map(str, arguments)])


def lines(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def test_a_fit_goes_on_from_what_was_gathered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fitting, "FEWEST", 1)
    file, out = tmp_path / "new" / "games.jsonl", tmp_path / "fitted.json"

    assert fit("--hours", 0.0003, "--resume", file, "--out", out) == 0
    first = lines(file)
    assert fit("--hours", 0.0003, "--resume", file, "--out", out) == 0
    again = lines(file)

    assert again[: len(first)] == first
    assert [line["number"] for line in again[1:]] == [*range(len(again) - 1)]
    (shape,) = msgspec.json.decode(out.read_bytes(), type=list[Shape])
    assert (shape.game, shape.seats, shape.games, shape.seed) == ("nightcap", 3, len(again) - 1, "fit")
    assert shape.command.startswith("./run fit review --games nightcap --hours ")
    assert "nightcap" in capsys.readouterr().out


def test_an_interrupted_fit_keeps_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fitting, "FEWEST", 1)
    real = fitting.play

    def play(id: str, seats: int, number: int, seed: str) -> Played:
        if number == 2:
            raise KeyboardInterrupt
        return real(id, seats, number, seed)

    monkeypatch.setattr(fitting, "play", play)
    file, out = tmp_path / "games.jsonl", tmp_path / "fitted.json"

    assert fit("--resume", file, "--out", out) == 130
    assert len(lines(file)) == 3
    assert json.loads(out.read_bytes())[0]["games"] == 2
    assert "stopped after 2 games" in capsys.readouterr().err


def test_a_line_that_was_cut_off_is_gone_and_its_game_is_played_again(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    head = fitting.Gathering("fit", bots.VERSION)
    assert resumed(file, head, Played) == []
    whole = msgspec.json.encode(game()) + b"\n"
    file.write_bytes(file.read_bytes() + whole + whole[:20])

    assert resumed(file, head, Played) == [game()]
    assert file.read_bytes().endswith(whole)


@pytest.mark.parametrize("content", [b"", b"{}\n", b"nothing\n", b'{"seed":"other","bots":1}\n'])
def test_a_file_of_other_games_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(content)

    assert fit("--resume", file, "--out", tmp_path / "fitted.json") == 2
    assert str(file) in capsys.readouterr().err
    assert file.read_bytes() == content


def test_other_shapes_stay_in_the_table(tmp_path: Path) -> None:
    out = tmp_path / "fitted.json"
    shape = Shape("a", 3, ((1.0, 0.4),), 0.5, 0.2, 9, 0.1, 0.1, 0.1, ("detective",), "", "", "")
    fitting.write(out, [shape])
    other = msgspec.structs.replace(shape, game="b")
    newer = msgspec.structs.replace(shape, games=10)
    fitting.write(out, [other, newer])

    assert msgspec.json.decode(out.read_bytes(), type=list[Shape]) == [newer, other]


def test_what_is_shipped_can_be_used() -> None:
    for key, shape in FITTED.shapes.items():
        assert key == f"{shape.game}/{shape.seats}"
        assert shape.games >= fitting.FEWEST
        assert shape.command.startswith("./run fit review")
        assert [most for most, _ in shape.ends] == sorted(most for most, _ in shape.ends)
        assert all(0 <= share <= 1 for _, share in shape.ends)
