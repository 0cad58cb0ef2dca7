"""What pages read of games that they were not built with: the doors of the front page, and a package's own files.

A request's words are only looked up: an id among the games that can be played, a language among the house's. What is
then opened has a fixed name in that game's own folder.
"""

from typing import Final

from aiohttp import web

from whodunit import games
from whodunit.core.wire import encode
from whodunit.server import protocol
from whodunit.server.advice import Advice
from whodunit.server.words import own_words

RULEBOOK: Final = "rulebook"
"""Where a package has its rules for people to read; beside a `rules.py` a folder cannot well be called `rules`."""
FRESH: Final = {"Cache-Control": "no-cache"}
"""A game may be another one after the next start, under the same address."""
PICTURE: Final = FRESH | {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"}
"""A picture may colour itself. Opened as a page of its own it runs nothing, loads nothing, and is nobody."""


class Doors:
    """Answers for the games that can be played. None comes or goes meanwhile, so it keeps what it has listed."""

    def __init__(self, advice: Advice) -> None:
        self._advice = advice
        self._listed: dict[str, bytes] = {}
        self.routes = (
            web.get("/api/doors/{language}", self._doors),
            web.get("/api/games/{game}/texts/{language}", self._texts),
            web.get("/api/games/{game}/rules/{language}", self._rules),
            web.get("/api/games/{game}/plain", self._plain),
            web.get("/api/games/{game}/lesson", self._lesson),
            web.get("/api/games/{game}/lesson/{language}", self._guide),
            web.get("/api/games/{game}/door.svg", self._picture),
        )

    async def _doors(self, request: web.Request) -> web.Response:
        language = _language(request)
        if language not in self._listed:
            self._listed[language] = encode([door(id, language) for id in games.playable()])
        return _json(self._listed[language])

    async def _texts(self, request: web.Request) -> web.Response:
        return _json(encode(games.texts(_game(request), _language(request))))

    async def _rules(self, request: web.Request) -> web.Response:
        return _json(_written(_game(request), RULEBOOK, _language(request)))

    async def _plain(self, request: web.Request) -> web.Response:
        return _json(encode(await self._advice.describe(_game(request))))

    async def _lesson(self, request: web.Request) -> web.Response:
        return _json(_found(_game(request), "lesson", "case.json"))

    async def _guide(self, request: web.Request) -> web.Response:
        return _json(_written(_game(request), "lesson", _language(request)))

    async def _picture(self, request: web.Request) -> web.Response:
        picture = _found(_game(request), "door.svg")
        if picture is None:
            raise _nothing()
        return web.Response(body=picture, content_type="image/svg+xml", headers=PICTURE)


def door(id: str, language: str) -> protocol.Door:
    """Return what the front page shows of a game, in a language."""
    info, words = games.get(id).INFO, games.texts(id, language)
    return protocol.Door(
        id=id,
        name=words["name"],
        facts=words.get("door.facts") or _seats(info.seats, language),
        text=words.get("door.text", ""),
        colour=info.colour,
        seats=info.seats,
        lesson=_found(id, "lesson", "case.json") is not None,
        rules=_found(id, RULEBOOK, "en.json") is not None,
        art=f"/api/games/{id}/door.svg" if _found(id, "door.svg") is not None else None,
    )


def _seats(seats: tuple[int, int], language: str) -> str:
    least, most = seats
    key = {0: "door.seats.same", 1: "door.seats.two"}.get(most - least, "door.seats")
    return own_words(language)[key].format(least=least, most=most)


def _game(request: web.Request) -> str:
    id = request.match_info["game"]
    if id not in games.playable():
        raise _nothing()
    return id


def _language(request: web.Request) -> str:
    language = request.match_info["language"]
    if language not in games.LANGUAGES:
        raise _nothing()
    return language


def _written(id: str, folder: str, language: str) -> bytes | None:
    """Return what a game's package has in a language, or in English where it has nothing in that one."""
    return _found(id, folder, f"{language}.json") or _found(id, folder, "en.json")


def _found(id: str, *name: str) -> bytes | None:
    """Return a file of a game's package, or None if it has none of this name."""
    file = games.folder(id).joinpath(*name)
    return file.read_bytes() if file.is_file() else None


def _json(body: bytes | None) -> web.Response:
    if body is None:
        raise _nothing()
    return web.Response(body=body, content_type="application/json", headers=FRESH)


def _nothing() -> web.HTTPNotFound:
    return web.HTTPNotFound(text="There is no such page.")
