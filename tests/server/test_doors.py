"""The doors of the front page, and the files that a game's package brings for pages that were not built with it."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientResponse

from tests.server.sites import Open, opened
from whodunit import games
from whodunit.server import app, protocol_schema

GAME = """
from msgspec.structs import replace
from whodunit.games.clue import *
from whodunit.games.clue import INFO
INFO = replace(INFO, id={id!r}, seats={seats}, colour="#5a2a33")
"""
DOOR = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 180 300'><script>alert(1)</script></svg>"
RULES = {"turn": {"title": "Your turn", "text": ["Ask."], "actions": ["Ask"]}}
CASE: dict[str, Any] = {"steps": [], "answer": None, "advice": {}}


def write(folder: Path, id: str, code: str, files: dict[str, str]) -> None:
    """Write a distribution that registers a game."""
    package, about = folder / f"{id}_game", folder / f"{id}_game-1.0.dist-info"
    for name, text in {"__init__.py": code, **files}.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text, "utf-8")
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {id}-game\nVersion: 1.0\n", "utf-8")
    (about / "entry_points.txt").write_text(f"[whodunit.games]\n{id} = {id}_game\n", "utf-8")


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Three games of others: one that brings all it can, one with English names only, and one that does not work."""
    whole = {
        "texts/en.json": json.dumps({"name": "Door", "door.facts": "10 minutes", "door.text": "Who knocks?"}),
        "texts/de.json": json.dumps({"name": "Tür", "door.text": "Wer klopft?"}),
        "rulebook/en.json": json.dumps(RULES),
        "rulebook/de.json": json.dumps({"turn": {"title": "Dein Zug", "text": ["Frage."]}}),
        "lesson/case.json": json.dumps(CASE),
        "lesson/en.json": '{"begin": "Begin."}',
        "door.svg": DOOR,
        "secret.json": "{}",
    }
    write(tmp_path, "whole", GAME.format(id="whole", seats=(2, 4)), whole)
    write(tmp_path, "small", GAME.format(id="small", seats=(2, 3)), {"texts/en.json": '{"name": "Small"}'})
    write(tmp_path, "shut", "1 / 0", {"texts/en.json": '{"name": "Shut"}', "door.svg": DOOR})
    monkeypatch.syspath_prepend(tmp_path)
    _look_again()
    yield
    monkeypatch.undo()
    _look_again()


def _look_again() -> None:
    games.registered.cache_clear()
    games._registered.cache_clear()


def asked(*paths: str) -> list[tuple[ClientResponse, str]]:
    """Open a site and get these from it."""

    async def scene() -> list[tuple[ClientResponse, str]]:
        async with opened() as house:
            return [await _got(house, path) for path in paths]

    return asyncio.run(scene())


async def _got(house: Open, path: str) -> tuple[ClientResponse, str]:
    response = await house.get(path)
    return response, await response.text()


def read(path: str) -> Any:
    ((response, text),) = asked(path)
    assert (response.status, response.content_type) == (200, "application/json")
    assert response.headers["Cache-Control"] == "no-cache"
    assert "Set-Cookie" not in response.headers
    return json.loads(text)


@pytest.mark.parametrize("language", games.LANGUAGES)
def test_our_own_games_have_all_words_of_their_doors(language: str) -> None:
    doors = read(f"/api/doors/{language}")

    assert [door["id"] for door in doors] == list(games.playable())
    for door in doors:
        words = games.texts(door["id"], language)
        assert (door["name"], door["facts"], door["text"]) == tuple(
            words[key] for key in ("name", "door.facts", "door.text")
        )
        info = games.get(door["id"]).INFO
        assert (door["seats"], door["colour"]) == (list(info.seats), info.colour)
        assert door["lesson"]


@pytest.mark.usefixtures("installed")
def test_an_installed_game_has_a_door_behind_ours_and_a_broken_one_has_none() -> None:
    *ours, small, whole = read("/api/doors/en")

    assert all(games.registered()[door["id"]].is_ours for door in ours)
    assert small == {
        "id": "small",
        "name": "Small",
        "facts": "2 or 3 players",
        "text": "",
        "colour": "#5a2a33",
        "seats": [2, 3],
        "lesson": False,
        "rules": False,
        "art": None,
    }
    assert whole == {
        "id": "whole",
        "name": "Door",
        "facts": "10 minutes",
        "text": "Who knocks?",
        "colour": "#5a2a33",
        "seats": [2, 4],
        "lesson": True,
        "rules": True,
        "art": "/api/games/whole/door.svg",
    }


@pytest.mark.usefixtures("installed")
def test_no_file_of_ours_is_made_for_the_games_of_others() -> None:
    assert {"small", "whole", "shut"} < set(games.ids())
    assert set(protocol_schema.games()) == {id for id in games.ids() if games.registered()[id].is_ours}


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("language", "facts"), [("de", "2 oder 3 Personen"), ("fr", "2 ou 3 joueurs"), ("nb", "2 eller 3 spillere")]
)
def test_what_a_language_lacks_is_english_but_for_what_the_house_says(language: str, facts: str) -> None:
    *_, small, whole = read(f"/api/doors/{language}")

    assert (small["name"], small["facts"]) == ("Small", facts)
    assert whole["name"] == ("Tür" if language == "de" else "Door")
    assert whole["facts"] == "10 minutes"


@pytest.mark.parametrize(
    ("seats", "facts"), [((2, 6), "2 to 6 players"), ((3, 4), "3 or 4 players"), ((4, 4), "4 players")]
)
def test_without_facts_a_door_says_for_how_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seats: tuple[int, int], facts: str
) -> None:
    id = f"for_{seats[0]}_{seats[1]}"
    write(tmp_path, id, GAME.format(id=id, seats=seats), {"texts/en.json": '{"name": "For some"}'})
    monkeypatch.syspath_prepend(tmp_path)
    _look_again()
    try:
        assert read("/api/doors/en")[-1]["facts"] == facts
    finally:
        monkeypatch.undo()
        _look_again()


@pytest.mark.usefixtures("installed")
def test_pages_read_the_words_of_a_game() -> None:
    assert read("/api/games/whole/texts/de") == games.texts("whole", "de")
    assert read("/api/games/whole/texts/de")["name"] == "Tür"
    assert read("/api/games/small/texts/fr")["name"] == "Small"
    assert read("/api/games/clue/texts/nb")["name"] == "Cluedo"


@pytest.mark.usefixtures("installed")
def test_pages_read_the_rules_and_the_first_case_that_a_package_brings() -> None:
    assert read("/api/games/whole/rules/en") == RULES
    assert read("/api/games/whole/rules/de")["turn"]["title"] == "Dein Zug"
    assert read("/api/games/whole/rules/fr") == RULES
    assert read("/api/games/whole/lesson") == CASE
    assert read("/api/games/whole/lesson/nb") == {"begin": "Begin."}


@pytest.mark.usefixtures("installed")
def test_a_package_s_picture_can_do_nothing() -> None:
    ((response, text),) = asked("/api/games/whole/door.svg")

    assert (response.status, response.content_type, text) == (200, "image/svg+xml", DOOR)
    (policy,) = response.headers.getall("Content-Security-Policy")
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Cache-Control"] == "no-cache"


NOTHING = [
    *("/api/doors", "/api/doors/", "/api/doors/xx", "/api/doors/EN", "/api/doors/en.json", "/api/doors/en/"),
    *("/api/doors/..", "/api/doors/..%2fen", "/api/doors/%2e%2e", "/api/doors/en%00"),
    *("/api/games/nothing/texts/en", "/api/games/nothing/rules/en", "/api/games/nothing/door.svg"),
    *("/api/games/shut/texts/en", "/api/games/shut/door.svg", "/api/games/Clue/texts/en"),
    *("/api/games/small/rules/en", "/api/games/small/lesson", "/api/games/small/lesson/en"),
    "/api/games/small/door.svg",
    *("/api/games/whole/texts/xx", "/api/games/whole/rules/xx", "/api/games/whole/lesson/case"),
    *("/api/games/whole/secret.json", "/api/games/whole/texts/..%2fsecret", "/api/games/whole/rules/..%2fsecret"),
    *("/api/games/whole/texts/%2e%2e%2fsecret", "/api/games/whole/lesson/..%2f..%2fwhole_game%2fsecret"),
    *("/api/games/..%2fclue/texts/en", "/api/games/clue%2f..%2fclue/texts/en", "/api/games/%2e/texts/en"),
    *("/api/games/whole_game/texts/en", "/api/games/whodunit.games.clue/texts/en", "/api/games//etc/texts/en"),
]


@pytest.mark.usefixtures("installed")
def test_nothing_else_is_served_whatever_is_asked_for() -> None:
    for path, (response, text) in zip(NOTHING, asked(*NOTHING), strict=True):
        assert (path, response.status) == (path, 404)
        assert "{" not in text
        assert response.headers["Content-Security-Policy"] == app.HEADERS["Content-Security-Policy"]


def test_a_game_s_pages_have_addresses_with_any_id() -> None:
    good = ["/rules/clue", "/rules/nightcap_2", f"/practice/{'a' * 32}"]
    bad = ["/rules/2nd", "/rules/_x", "/rules/Clue", "/rules/a-b", f"/practice/{'a' * 33}", "/rules/"]
    statuses = [response.status for response, _ in asked(*good, *bad)]

    assert statuses == [200] * len(good) + [404] * len(bad)
