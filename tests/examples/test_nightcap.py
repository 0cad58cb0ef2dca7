"""The example is a game like ours: installed by its wheel it is played, proved and served, and its leaks are found."""

import json
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.browser.plain import play_to_the_end
from tests.examples.conftest import EXAMPLE
from tests.packaging.environments import Environment
from tests.packaging.test_environments import serving

SUITE = ("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--whodunit-game", "nightcap")


def test_it_is_small_enough_to_be_read() -> None:
    files = [file for file in EXAMPLE.rglob("*") if file.suffix in {".py", ".json", ".toml"}]
    lines = sum(len(file.read_text("utf-8").splitlines()) for file in files)

    assert lines < 700


def test_it_is_in_the_house_and_nothing_is_left_out(home: Environment) -> None:
    told = home.run("whodunit", "games")

    assert (told.returncode, told.stderr) == (0, "")
    last = told.stdout.splitlines()[-1]
    assert last == "nightcap        Nightcap            2 to 3 players, from whodunit-nightcap"


def test_it_conforms_and_its_own_tests_pass(home: Environment, copy: Path) -> None:
    done = home.run(*SUITE, str(copy))

    assert done.returncode == 0, done.stdout
    assert "whodunit.conformance::nightcap" in home.run(*SUITE, "--collect-only", str(copy)).stdout


KNOWLEDGE = "supports or asks_who_is_entitled"
"""The part of the suite that looks for leaks; the other tests take their time and find other faults."""
Change = tuple[str, str, str]
ASKED = "return [model.Asked(seat=seat, to=to, guests=guests)]"
HASTY = """asked = model.Asked(seat=seat, to=to, guests=guests)
            if not set(guests) & set(state.hands[to] or ()):
                said = model.NothingShown(seat=to, to=seat, guests=guests)
                return [asked, said, _next(state, state.out)]
            return [asked]"""
LEAKS: dict[str, tuple[Change, str]] = {
    "a card is shown to everybody": (
        ("rules.py", "known = frozenset({seat, state.on_turn})", "known = frozenset(range(len(state.out)))"),
        "GuestShown",
    ),
    "a hand is no secret": (
        ("model.py", "    guests: Secret[tuple[Guest, ...]]", "    guests: tuple[Guest, ...]"),
        "HandDealt",
    ),
    "who holds neither is not waited for": (
        ("rules.py", ASKED, HASTY),
        "Asked",
    ),
    "the belief takes whatever it is given": (
        ("evidence.py", "guest=guest) if to == viewer:", "guest=guest) if guest is not None:"),
        "GuestShown",
    ),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_in_a_copy_is_found_and_named(home: Environment, copy: Path, leak: str) -> None:
    (name, before, after), event = LEAKS[leak]
    file = copy / "src" / "nightcap" / name
    text = file.read_text("utf-8")
    assert text.count(before) == 1
    file.write_text(text.replace(before, after), "utf-8")

    done = home.run(*SUITE, "-m", "whodunit", "-k", KNOWLEDGE, str(copy), PYTHONPATH=str(copy / "src"))

    assert done.returncode == 1, done.stdout
    told = [line for line in done.stdout.splitlines() if "viewer " in line and event in line]
    assert told, done.stdout


def test_its_bots_play_and_are_certified(home: Environment, tmp_path: Path) -> None:
    case = str(tmp_path / "game.case")
    levels = "mastermind,detective,rookie"
    watched = home.run("whodunit", "watch", "nightcap", "--seats", levels, "--seed", "3", "--save", case)
    verified = home.run("whodunit", "verify", "--bots", case)
    contest = home.run(
        *("whodunit", "arena", "nightcap", "--seats", "detective,random", "--games", "20", "--seed", "1", "--json")
    )

    assert "has solved the case: it was the" in watched.stdout
    assert verified.returncode == 0
    assert [line[4:8] for line in verified.stdout.splitlines()] == ["yes:"] * 6
    assert json.loads(contest.stdout)["detective.share"] > 0.9


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.timeout(180)
def test_a_browser_plays_it_to_its_end_on_the_plain_table(
    home: Environment, browser: Browser, tmp_path: Path, width: int
) -> None:
    with serving(home, tmp_path, "--haste", "0.05") as address:
        with urlopen(f"http://{address}/api/doors/en") as answer:
            doors = [door["id"] for door in json.load(answer)]
        assert doors[-1] == "nightcap"
        page = browser.new_page(viewport={"width": width, "height": 844})
        wrong: list[str] = []
        page.on("console", lambda told: wrong.append(told.text) if told.type in {"error", "warning"} else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(f"http://{address}/")
        _door(page).get_by_role("button", name="Play now against bots").click()
        page.get_by_role("button", name="Start the game").click()
        page.wait_for_url("**/t/*")
        play_to_the_end(page)

        assert page.locator("#verdict").inner_text()
        assert wrong == []
        page.close()


def test_a_table_outlives_its_package(home: Environment, browser: Browser, tmp_path: Path) -> None:
    """What was begun is kept and listed while the package is broken, and goes on when it is mended."""
    data = tmp_path / "data"
    with serving(home, data) as address:
        page = browser.new_page()
        page.goto(f"http://{address}/")
        _door(page).get_by_role("button", name="Play now against bots").click()
        page.get_by_role("button", name="Start the game").click()
        page.wait_for_url("**/t/*")
        page.locator("#now-headline").wait_for()
        table = page.url
    again = ("--port", address.rpartition(":")[2])
    (tmp_path / "nightcap.py").write_text("raise RuntimeError('spilt')", "utf-8")
    with serving(home, data, *again, PYTHONPATH=str(tmp_path)):
        page.goto(f"http://{address}/")
        page.get_by_text("not installed").wait_for()
        assert page.get_by_role("heading", name="Clue").count() == 1
        assert page.get_by_role("heading", name="Nightcap").count() == 0
        page.goto(table)
        page.get_by_text("not installed").wait_for()
    with serving(home, data, *again):
        page.goto(table)
        page.locator("#now-headline").wait_for()
    page.close()
    broken = home.run("whodunit", "games", PYTHONPATH=str(tmp_path))
    assert broken.stderr == "left out: nightcap of whodunit-nightcap: RuntimeError: spilt\n"


def _door(page: Page) -> Locator:
    return page.locator("article", has=page.get_by_role("heading", name="Nightcap"))
