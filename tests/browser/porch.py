"""Where browsers stand ready: opening one, and compiling the pages in it, takes longer than most tests."""

from collections import defaultdict
from typing import Any

from playwright.sync_api import Browser, expect

from tests.browser.visitor import DESK, PHONE, Visitor

PATIENCE_MS = 10_000


def looks(**options: Any) -> dict[str, Any]:
    """Return how a context is to be, unless a test wants otherwise.

    Nothing moves in it, so that nobody waits for a walk, and it is no helper's, who would be woken for every page.
    """
    if options.pop("phone", False):
        options = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 2, **options}
    usual = {"viewport": DESK, "reduced_motion": "reduce", "color_scheme": "light", "locale": "en-GB"}
    return {**usual, "service_workers": "block", **options}


def arrive(browser: Browser, address: str, cookie: str | None = None, **options: Any) -> Visitor:
    """Come with a browser that nobody has used."""
    context = browser.new_context(base_url=address, **looks(**options))
    context.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    visitor = Visitor(context, address)
    visitor.come(cookie)
    return visitor


class Porch:
    """Hands out browsers that others have left without a trace, and opens one where none is left."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._ready: defaultdict[str, list[Visitor]] = defaultdict(list)
        self._looks: dict[Visitor, dict[str, Any]] = {}

    def come(self, address: str, cookie: str | None = None, **options: Any) -> Visitor:
        look = looks(**options)
        if ready := self._ready[f"{address} {look}"]:
            visitor = ready.pop()
            visitor.come(cookie)
        else:
            visitor = arrive(self._browser, address, cookie, **options)
            self._looks[visitor] = look
        return visitor

    def leave(self, visitor: Visitor) -> None:
        """Take a browser back, if it is as good as a new one."""
        look = self._looks[visitor]
        if visitor.faults or visitor.allowed or visitor.prepared:
            visitor.context.close()
            return
        visitor.leave()
        visitor.page.emulate_media(color_scheme=look["color_scheme"], reduced_motion=look["reduced_motion"])
        self._ready[f"{visitor.address} {look}"].append(visitor)
