"""`pytest --whodunit-game`, as an author runs it: over a copy of the example game, with one thing wrong with it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Final, NamedTuple

import pytest

from whodunit.conformance import plugin, spent
from whodunit.conformance.spent import Spent

ROOT: Final = Path(__file__).resolve().parents[2]
NIGHTCAP: Final = ROOT / "examples" / "nightcap" / "src" / "nightcap"
USAGE: Final = 4


class Run(NamedTuple):
    code: int
    said: str


class Author:
    """Somebody with a project of their own, and their game installed in an environment inside it."""

    def __init__(self, folder: Path) -> None:
        self.project = folder
        self.site = folder / ".venv" / "lib" / "site-packages"
        (folder / ".venv").mkdir()
        (folder / ".venv" / "pyvenv.cfg").touch()
        shutil.copytree(NIGHTCAP, self.site / "nightcap", ignore=shutil.ignore_patterns("__pycache__"))
        self.register("nightcap-1.0", "nightcap")

    def register(self, name: str, id: str) -> None:
        about = self.site / f"{name}.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name[:-4]}\nVersion: 1.0\n", "utf-8")
        (about / "entry_points.txt").write_text(f"[whodunit.games]\n{id} = nightcap\n", "utf-8")

    def write(self, path: str, text: str) -> None:
        (self.project / path).write_text(text, "utf-8")

    def change(self, file: str, old: str, new: str) -> None:
        path = self.site / "nightcap" / file
        before = path.read_text("utf-8")
        assert old in before
        path.write_text(before.replace(old, new), "utf-8")

    def run(self, *arguments: str, game: str = "nightcap") -> Run:
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "WHODUNIT"))}
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-pno:cacheprovider", "--whodunit-game", game, *arguments],
            cwd=self.project,
            env=environment | {"PYTHONPATH": str(self.site), "COLUMNS": "120"},
            capture_output=True,
            text=True,
            check=False,
        )
        return Run(done.returncode, done.stdout + done.stderr)


@pytest.fixture
def author(tmp_path: Path) -> Author:
    return Author(tmp_path)


# --- What is wrong is found and named ------------------------------------------------------------------------------


class Change(NamedTuple):
    file: str
    old: str
    new: str


class Wrong(NamedTuple):
    changes: tuple[Change, ...]
    found_by: str
    told: tuple[str, ...]


TO_ALL: Final = Change("rules.py", "frozenset({seat, state.on_turn})", "frozenset(range(len(state.sizes)))")
PEEP: Final = Change("evidence.py", "guest=guest) if to == viewer", "guest=guest) if guest is not None")
CAN_TELL: Final = ("viewer ", " should think DealtWorld(", "but can tell: event ", "(GuestShown, TurnBegan)")
NAMED: Final = (*CAN_TELL, "Of its secrets this viewer is told GuestShown.guest")

FAULTS: Final = {
    "too wide an audience": Wrong((TO_ALL,), "supports", NAMED),
    "a forgotten Secret": Wrong(
        (Change("model.py", 'heard it."""\n    guest: Secret[Guest]', 'heard it."""\n    guest: Guest'),),
        "supports",
        CAN_TELL,
    ),
    "a public count in the deal": Wrong(
        (
            Change("rules.py", "size=len(hand), guests", "size=len(hand), early=sum(g < 'D' for g in hand), guests"),
            Change("model.py", "    size: int\n    guests", "    size: int\n    early: int\n    guests"),
        ),
        "supports",
        ("viewer ", " should think DealtWorld(", "but can tell: event 1 (Opened"),
    ),
    "an audience that tells": Wrong(
        (Change("rules.py", "known_to=frozenset({seat}))", "known_to=frozenset({seat, 100 + len(hand[0])}))"),),
        "equal_bytes",
        ("viewer ", "DealtWorld("),
    ),
    "a belief that looks": Wrong(
        (PEEP,),
        "asks_who_is_entitled",
        ("viewer ", "(GuestShown): the belief (", "if it can see guest, which is not for this viewer"),
    ),
    "a leak that the belief reads": Wrong(
        (TO_ALL, PEEP), "asks_who_is_entitled", ("ask who is entitled by the rules (event.seat, event.to, ...)",)
    ),
    "a belief that goes by known_to": Wrong(
        (Change("evidence.py", "guest=guest) if to == viewer", "guest=guest) if viewer in event.known_to"),),
        "asks_who_is_entitled",
        ("never whether a field is None or who stands in known_to",),
    ),
    "a hole in the evidence": Wrong(
        (Change("evidence.py", "return [lacks(seat, guests, seq)]", "return []"),),
        "supports",
        (" should think DealtWorld(", "but can tell: event ", "(NothingShown, TurnBegan)"),
    ),
    "a belief too sure": Wrong(
        (Change("evidence.py", "return [some(seat, guests, seq)]", "return [has(seat, guests, seq)]"),),
        "supports",
        ("rules out the truth: DealtWorld(",),
    ),
    "a phase that tells a hand": Wrong(
        (Change("rules.py", "answers=(Show, ShowNothing)", "answers=(Show,)"),),
        "answers_by_phase",
        ("Answering tells a hand",),
    ),
    "a culprit who changes": Wrong(
        (
            Change(
                "rules.py",
                "return [accused, _next(",
                "return [accused, model.CulpritHidden(guest=GUESTS[GUESTS.index(state.culprit) - 1]), _next(",
            ),
        ),
        "supports",
        ("(Accused, CulpritHidden, TurnBegan)", "['culprit']", "`world`, `stack`, `again` and `neighbour` in a plug"),
    ),
    "a state without a phase": Wrong(
        (
            Change("model.py", "    phase: Dealing |", "    stage: Dealing |"),
            Change("rules.py", "phase=", "stage="),
            Change("rules.py", ".phase", ".stage"),
        ),
        "contract",
        ("State lacks phase. Add `phase: Phase` (What the table waits for",),
    ),
    "an opening of another game": Wrong(
        (
            Change("model.py", 'Literal["nightcap"]', "str"),
            Change("rules.py", 'game="nightcap"', 'game="tea"'),
        ),
        "contract",
        ("Opened.game is 'tea', not 'nightcap'",),
    ),
    "an action without a name": Wrong(
        (Change("texts/en.json", '"action.Ask": ', '"action.asking": '),),
        "names_what_it_offers",
        ("Ask(to, guests)", "add 'action.Ask' to texts/en.json"),
    ),
    "an event without a line": Wrong(
        (Change("texts/en.json", '"turn_began"', '"turn_begins"'),),
        "is_told",
        ("TurnBegan, as viewer 0 sees it, is told by 'turn_began': add that to texts/en.json",),
    ),
    "a word without a name": Wrong(
        (Change("texts/en.json", '"term.Vicar"', '"term.vicar"'),), "is_told", ("'term.Vicar' is missing to say '",)
    ),
    "a sentence that leaves something out": Wrong(
        (Change("described/en.json", " for one of {guests}", ""),),
        "tells_all",
        ("told.Answering leaves out guests: '{asked} is asked'",),
    ),
    "numbers that leave something out": Wrong(
        (Change("observe.py", '            table.each("out", Flag),\n', ""),),
        "tells_views_apart",
        ("gets the same numbers, whether out is ",),
    ),
    "a light colour": Wrong(
        (Change("rules.py", 'colour="#5a2a3c"', 'colour="#e0a0b0"'),),
        "contract",
        ("INFO.colour #e0a0b0 has a contrast of 1.", "4.5 is the least"),
    ),
    "orders without a card": Wrong(
        (Change("rules.py", "final=(Accuse,)", 'orders=("seen",), final=(Accuse,)'),),
        "contract",
        ("no action of INFO.answers has a field `card`",),
    ),
    "an action of nobody": Wrong(
        (Change("rules.py", "final=(Accuse,)", "final=(Accuse, type('Foreign', (Accuse,), {}))"),),
        "contract",
        ("INFO.final names Foreign, which is not in INFO.action",),
    ),
    "an offer to nobody": Wrong(
        (Change("rules.py", "case model.Asking() if seat == view.on_turn:", "case model.Asking() if seat < 1:"),),
        "contract or supports",
        (
            "legal(view, TABLE) offers Ask. TABLE (-1) is no player",
            "not tried, because contract[offers_nothing_to_nobody] fails",
        ),
    ),
    "rules with a slip": Wrong(
        (Change("rulebook/en.json", '"title": "Your turn",', '"title": "Your turn"'),),
        "contract",
        ("rulebook/en.json: JSON is malformed", "A section is a title, a text, and perhaps actions"),
    ),
    "rules for an action of nobody": Wrong(
        (Change("rulebook/en.json", '"actions": ["Ask", ', '"actions": ["Asks", '),),
        "contract",
        ("rulebook/en.json names Asks, which is not in INFO.action",),
    ),
    "a limit without an option": Wrong(
        (Change("rules.py", "final=(Accuse,)", 'limits={Show: "answer_s"}, final=(Accuse,)'),),
        "contract",
        ("INFO.limits names 'answer_s', which is no field of Options",),
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_the_fault_is_found_and_named(name: str, author: Author) -> None:
    wrong = FAULTS[name]
    for change in wrong.changes:
        author.change(*change)

    code, said = author.run("-k", wrong.found_by)

    assert code == 1, said
    for told in wrong.told:
        assert told in said


def test_a_language_that_lacks_a_word_is_named(author: Author) -> None:
    words = author.site / "nightcap" / "texts"
    (words / "de.json").write_text(
        (words / "en.json").read_text("utf-8").replace('"action.Ask"', '"action.Frag"'), "utf-8"
    )

    code, said = author.run("-k", "contract")

    assert code == 1
    assert "texts/de.json lacks action.Ask" in said


# --- How it is asked for -------------------------------------------------------------------------------------------


def test_the_suite_comes_beside_what_else_is_asked_for_in_two_processes_too(author: Author) -> None:
    author.write("test_mine.py", "def test_mine(): pass\n")

    code, said = author.run("-vv", "-n2", "-k", "mine or contract or equal_bytes")

    assert code == 0, said
    assert "test_mine.py::test_mine" in said
    assert "whodunit.conformance::nightcap::equal_bytes" in said


def test_what_an_author_gives_of_a_plug_is_asked(author: Author) -> None:
    author.write(
        "conftest.py",
        """
class Mine:
    def invariants(self, before, event, after):
        assert after.turn < 3, "nobody stays up that long"

def pytest_whodunit_plug(game):
    return Mine() if game == "nightcap" else None
""",
    )

    code, said = author.run("-k", "keeps_the_invariants or ends_for_good")

    assert (code, "1 failed, 1 passed" in said) == (1, True), said
    assert "nobody stays up that long" in said


def test_golden_transcripts_of_an_author_are_kept(author: Author) -> None:
    author.write("conftest.py", "from pathlib import Path\nGOLDEN = Path(__file__).parent / 'golden'\n" + GIVES_ITSELF)
    made = [sys.executable, "-m", "whodunit.conformance.golden", "nightcap", "golden/two.case", "--seats=2", "--seed=1"]
    environment = {**os.environ, "PYTHONPATH": str(author.site)}
    subprocess.run(made, cwd=author.project, env=environment, check=True, capture_output=True)

    code, said = author.run("-k", "golden")

    assert (code, "2 passed" in said) == (0, True), said


GIVES_ITSELF: Final = """
import sys
def pytest_whodunit_plug(game):
    return sys.modules[__name__]
"""


def test_a_game_that_is_not_installed_is_a_wrong_use(author: Author) -> None:
    code, said = author.run(game="nightcup")

    assert code == USAGE
    assert "--whodunit-game nightcup: there is no game 'nightcup'; there is: " in said
    assert '[project.entry-points."whodunit.games"]' in said


def test_a_game_that_does_not_work_is_a_wrong_use(author: Author) -> None:
    author.change("__init__.py", "outcome, setup\n", "setup\n")
    author.change("__init__.py", '    "outcome",\n', "")

    code, said = author.run()

    assert code == USAGE
    assert (
        "--whodunit-game nightcap: the game 'nightcap' does not work: nightcap lacks 1 of its functions. outcome"
        in said
    )


def test_an_id_that_another_game_has_is_a_wrong_use(author: Author) -> None:
    author.register("teatime-1.0", "clue")

    code, said = author.run(game="clue")

    assert code == USAGE
    assert "clue of teatime is left out: the id 'clue' is taken by " in said


def test_without_the_extra_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    config = SimpleNamespace(addinivalue_line=lambda *_: None, stash={}, getoption=lambda _: ["clue"])
    monkeypatch.setattr(plugin, "find_spec", lambda _: None)

    with pytest.raises(pytest.UsageError, match=r"its extra \[testing\]"):
        plugin.pytest_configure(config)  # type: ignore[arg-type]


def test_nobody_pays_for_a_plugin_that_is_not_used() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import sys, whodunit.conformance.plugin; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )

    loaded = set(done.stdout.split())
    assert "whodunit.conformance.plugin" in loaded
    assert not loaded & {"hypothesis", "whodunit.bots", "whodunit.conformance.suite", "whodunit.games.clue"}


# --- Where it is slow ----------------------------------------------------------------------------------------------


def test_slow_parts_are_named_the_slowest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter([0.0, 1.0, 4.0, 10.0])  # the outer one begins, the inner one begins and ends, the outer one ends
    monkeypatch.setattr(spent, "perf_counter", lambda: next(now))
    measured = Spent()

    measured.calls("mine: stack", measured.calls("mine: belief.worlds", lambda: None))()

    assert spent.report(measured.seconds) == ["    7.0 s  mine: stack", "    3.0 s  mine: belief.worlds"]
    assert spent.report({"mine: stack": spent.TOLD / 2}) == []


def test_slow_parts_are_told_at_the_end_in_two_processes_too(author: Author) -> None:
    author.write("conftest.py", "from whodunit.conformance import spent\nspent.TOLD = 0.0\n")

    for processes in ("-n0", "-n2"):
        code, said = author.run(processes, "-k", "learns_step_by_step")

        assert code == 0, said
        assert "whodunit: where plugs and beliefs were slow" in said
        assert " s  nightcap: " in said
