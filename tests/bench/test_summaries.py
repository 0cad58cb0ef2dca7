from whodunit.bench import engine, peers
from whodunit.bench.mutants import main
from whodunit.bench.mutants.main import Mutant
from whodunit.bench.mutants.mutate import changes


def test_engines_are_compared_with_the_best_peer_of_the_same_round() -> None:
    def a_round(plain: float, light: float, view: float, *others: float) -> engine.Round:
        names = ("plain", "light", "view", *peers.LOOPS)
        speeds = zip(names, (plain, light, view, *others), strict=True)
        return {name: {"decisions": 2 * speed, "games": 2, "cpu_seconds": 2} for name, speed in speeds}

    figures = engine.figures(
        "clue",
        [
            a_round(400, 320, 100, 100, 200, 10, 800),
            a_round(300, 240, 150, 150, 10, 10, 150),
            a_round(90, 90, 9, 9, 9, 9, 9),
        ],
    )

    assert figures["clue.decisions_per_s"] == 300
    assert figures["clue.plain_vs_best_peer"] == 2
    assert figures["clue.view_vs_best_peer"] == 1
    assert figures["api_vs_rules.clue"] == 1.25
    assert figures["light_vs_best_peer.clue"] == 1.6
    assert figures["clue.decisions_per_game"] == 790 / 3
    assert figures["peer.rlcard.decisions_per_s"] == 10
    assert figures["clue.plain_vs_rlcard_by_hand"] == 2, "printed, but no peer of its own"


def test_survivors_are_named_with_file_line_and_both_texts() -> None:
    found = [Mutant("games/clue/rules.py", change) for change in changes("x = 1\ny = a == b\n")]
    caught = {number: mutant.change.kind == "constant" for number, mutant in enumerate(found)}

    survivors, kinds = main.summary(found, caught).split("\n\n")

    assert survivors == "survived: games/clue/rules.py:2: comparison: a == b  ->  a != b"
    assert [line.split() for line in kinds.splitlines()[1:]] == [["comparison", "0", "1"], ["constant", "2", "2"]]


def test_long_texts_are_cut_to_where_they_differ() -> None:
    old, new = main.apart(f"{'a' * 100}(1){'b' * 100}", f"{'a' * 100}(2){'b' * 100}")

    assert old == f"...{'a' * 19}(1){'b' * 38}..."
    assert new == f"...{'a' * 19}(2){'b' * 38}..."
