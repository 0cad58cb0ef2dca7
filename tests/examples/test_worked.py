"""The worked examples run, and do what they say."""

import subprocess
from inspect import getsource
from pathlib import Path
from typing import Final

import pytest

import whodunit
from examples import policy_gradient, random_against_detective, search
from whodunit import arena, bots, games
from whodunit.bench import peer_env

EXAMPLES: Final = Path(__file__).parents[2] / "examples"


def test_a_detective_beats_who_does_anything(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(random_against_detective, "GAMES", 2)
    random_against_detective.main()

    detective, anything = capsys.readouterr().out.splitlines()
    assert detective.startswith("detective: 100% of 2 games (")
    assert anything.startswith("random: 0% of 2 games (")


@pytest.mark.parametrize("id", ["clue", pytest.param("perfect_alibi", marks=pytest.mark.soak)])
def test_a_search_in_sixty_lines_plays_whole_games(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(getsource(search.Searcher).splitlines()) <= 60
    monkeypatch.setattr(search, "TRIED", 1)
    game = games.get(id)
    case = whodunit.new_game(id, 3, seed=3, **({"max_turns": 15} if id == "clue" else {}))
    others = {seat: bots.seated("random", game, seat, b"%d" % seat) for seat in (0, 1)}

    done = arena.play_case(case, lambda *_: None, {**others, 2: search.Searcher(game, 2, b"search")})

    assert done.outcome is not None
    assert any(batch.cause is not None and batch.cause.seat == 2 for batch in done.batches)


def test_a_policy_gradient_learns_to_win() -> None:
    (_, before, _), *_, (count, after, _) = policy_gradient.curve(rounds=6, learned=400, tried=96, seed=1)

    assert count == 2400
    assert before < 0.5 < after


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_regrets_of_outcome_sampling_are_learned_in_open_spiel() -> None:
    command = [str(peer_env.with_whodunit()), "-P", str(EXAMPLES / "mccfr.py"), "--iterations", "200", "--tried", "60"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()

    assert [int(line.split()[0]) for line in told] == [*range(0, 201, 20)]
    first, *later = (float(line.split()[-3]) for line in told)
    assert sum(later[-5:]) / 5 > first
