"""Somebody in front of a browser: what the page shows, what went over its line, and everything that went wrong.

Any warning or error in a console, any error of a script and any request that fails is a fault, on any page of anybody's
browser, and fails the test (conftest.py). A test that brings one about on purpose says so: `me.allow("404.*/nowhere")`.
"""

import json
import re
import time
from collections.abc import Callable
from typing import Any, ClassVar, Final
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Request, Response, WebError, WebSocket, expect

from tests.browser.hands import Hands, Mouse
from tests.browser.house import BLANK
from tests.server.client import Told

PATIENCE_S: Final = 15.0
DESK: Final = {"width": 1440, "height": 900}
PHONE: Final = {"width": 360, "height": 740}
WAITS: Final = ("at_once", "brisk", "unhurried")
"""The paces at which a table waits for whoever is asked, choice or none."""
UNHELPED: Final = "Service Worker registration blocked by Playwright"
"""What a browser says whose test wants no helper."""


class Visitor:
    """One page in a context of its own. What goes wrong in it is kept, and fails the test at its end."""

    came: ClassVar[list["Visitor"]] = []
    """Everybody who has come in this test, however they came."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context = context
        self.address = address
        self.faults: list[str] = []
        self.allowed: list[str] = []
        """Patterns of what this test brings about on purpose."""
        self.prepared = False
        self.page = context.new_page()
        self.context.on("console", self._console)
        self.context.on("weberror", self._threw)
        self.context.on("requestfailed", self._failed)
        self.context.on("response", self._answered)
        self.page.on("websocket", self._line)
        self.come()

    def come(self, cookie: str | None = None) -> None:
        """Be the person whose cookie this is, or nobody yet; nothing has been told so far."""
        self.told = Told()
        self.sent: list[dict[str, Any]] = []
        if self not in Visitor.came:
            Visitor.came.append(self)
        if cookie is not None:
            self.context.add_cookies([{"name": "whodunit", "value": cookie, "url": self.address, "httpOnly": True}])

    def allow(self, pattern: str) -> None:
        """Declare a fault that this test brings about on purpose."""
        self.allowed.append(pattern)

    def prepare(self, script: str) -> None:
        """Let a script run before every page of this browser, for good: nobody else will have it."""
        self.prepared = True
        self.context.add_init_script(script)

    def leave(self) -> None:
        """Leave nothing behind for whoever has this browser next: nothing kept, no page, no pointer over it."""
        if self.page.url.startswith(self.address):
            self.page.evaluate("() => { localStorage.clear(); sessionStorage.clear() }")
        self.page.goto(self.address + BLANK, wait_until="commit")
        self.page.mouse.move(0, 0)
        self.context.clear_cookies()

    # --- What goes over the line ---

    def _line(self, line: WebSocket) -> None:
        self._outside(line.url)
        told, sent = self.told, self.sent  # a line that is late speaks to whom it was opened for

        def received(frame: str | bytes) -> None:
            told.take(frame.encode() if isinstance(frame, str) else frame)

        line.on("framereceived", received)
        line.on("framesent", lambda frame: sent.append(json.loads(frame)))
        line.on("socketerror", lambda error: self.faults.append(f"socket: {error}"))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning", "assert"} and message.text != UNHELPED:
            self.faults.append(f"console {message.type}: {message.text} ({message.location.get('url')})")

    def _threw(self, error: WebError) -> None:
        self.faults.append(f"page error: {error.error}")

    def _outside(self, url: str) -> None:
        """Note a request to elsewhere: seen by its answer or its failure, since telling of every request takes time."""
        where = urlsplit(url)
        if where.scheme not in {"data", "blob"} and where.netloc != urlsplit(self.address).netloc:
            self.faults.append(f"external request: {url}")

    def _answered(self, response: Response) -> None:
        self._outside(response.url)
        if response.status >= 400:
            self.faults.append(f"{response.status}: {response.url}")

    def _failed(self, request: Request) -> None:
        self._outside(request.url)
        # A page that is left cancels what it was still loading.
        if request.failure != "net::ERR_ABORTED":
            self.faults.append(f"failed request: {request.url} {request.failure}")

    @property
    def wrong(self) -> list[str]:
        """What went wrong without having been allowed."""
        return [fault for fault in self.faults if not any(re.search(pattern, fault) for pattern in self.allowed)]

    @property
    def done(self) -> list[str]:
        """The types of the actions that this page has sent, in their order."""
        return [frame["action"]["type"] for frame in self.sent if frame["type"] in {"act", "select"}]

    @property
    def offered(self) -> dict[str, dict[str, Any]]:
        """What may be done now, by type."""
        if "table" not in self.told.last:
            return {}
        return {offer["action"]: offer for offer in self.told.table["offers"]}

    # --- Waiting and finding ---

    def goto(self, path: str) -> "Visitor":
        self.page.goto(self.address + path if path.startswith("/") else path)
        return self

    def until(self, true: Callable[[Told], object], what: str = "it") -> None:
        """Wait until what the page was told makes it so."""
        end = time.monotonic() + PATIENCE_S
        while not true(self.told):
            assert time.monotonic() < end, f"{what} never happens"
            self.page.wait_for_timeout(20)  # every look costs a round through the browser's driver

    def quiet(self, milliseconds: int = 150) -> None:
        """Wait until nothing more comes over the line."""
        count = -1
        while count != len(self.told.frames):
            count = len(self.told.frames)
            self.page.wait_for_timeout(milliseconds)

    def button(self, name: str | re.Pattern[str], within: Locator | None = None) -> Locator:
        return (within or self.page).get_by_role("button", name=name, exact=isinstance(name, str))

    def door(self, game: str) -> Locator:
        """Return the front page's card of a game, by its name."""
        articles = self.page.get_by_role("article")
        return articles.filter(has=self.page.get_by_role("heading", name=game, exact=True))

    def play_now(self, game: str, hands: Hands | None = None) -> None:
        """Begin a game against bots from its door, as the sheet has it."""
        hands = hands or Mouse()
        hands.press(self.button("Play now against bots", self.door(game)))
        hands.press(self.button("Start the game"))

    def sees(self, name: str | re.Pattern[str]) -> Locator:
        """Expect a heading."""
        heading = self.page.get_by_role("heading", name=name)
        expect(heading.first).to_be_visible()
        return heading

    @property
    def now(self) -> Locator:
        """Return the panel that says what the table waits for."""
        return self.page.locator("section.now")

    def text(self) -> str:
        """Return everything that the page says, visible or to a screen reader, with its names, titles and values."""
        dom: str = self.page.evaluate(
            """() => {
                const fields = [...document.querySelectorAll('input, textarea, select')].map((field) => field.value)
                return [document.title, document.documentElement.outerHTML, ...fields].join('\\n')
            }"""
        )
        return "\n".join([dom, self.page.locator("body").aria_snapshot()])
