"""The cookie that says who somebody is: what it is called, who set it, and how it goes.

Over https it is called `__Host-whodunit`: then browsers take it from this very host alone, and only encrypted. Without
the prefix, another host of the same domain could put its own in the place of ours.
"""

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from whodunit.server.people import COOKIE, COOKIE_AGE, People

HOST_COOKIE: Final = f"__Host-{COOKIE}"


def person_of(cookies: Mapping[str, str], people: People, *, encrypted: bool) -> str | None:
    """Return whose request this is; over https an older cookie counts where there is no newer one."""
    names = (HOST_COOKIE, COOKIE) if encrypted else (COOKIE,)
    return next((person for name in names if (person := people.known(cookies.get(name)))), None)


def give(response: web.StreamResponse, cookies: Mapping[str, str], people: People, *, encrypted: bool) -> None:
    """See that whoever gets the response has the cookie that they should, and remains who they were."""
    wanted = HOST_COOKIE if encrypted else COOKIE
    if people.known(cookies.get(wanted)) is None:
        person = person_of(cookies, people, encrypted=encrypted)
        response.set_cookie(
            wanted,
            people.new() if person is None else people.cookie(person),
            max_age=COOKIE_AGE,
            httponly=True,
            samesite="Lax",
            secure=encrypted,
            path="/",
        )
    if encrypted and COOKIE in cookies:
        _drop(response, COOKIE)


def take(response: web.StreamResponse, *, encrypted: bool) -> None:
    """Take every cookie of ours away."""
    _drop(response, COOKIE)
    if encrypted:
        _drop(response, HOST_COOKIE)


def _drop(response: web.StreamResponse, name: str) -> None:
    # A browser heeds nothing about a name with the prefix that does not bear all of its marks, not even its end.
    response.del_cookie(name, path="/", secure=name == HOST_COOKIE)
