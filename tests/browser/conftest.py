"""One site and one browser for all tests of a process; people come and go."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.house import House
from tests.browser.visitor import DESK, PHONE, Visitor
from whodunit.bench import browser as real
from whodunit.core.rng import Rng

Visit = Callable[..., Visitor]
PATIENCE_MS = 10_000


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, object]:
    """Launch the Chromium that is there; none is a failure, never a skip."""
    return real.launch_arguments()


@pytest.fixture(scope="session")
def whole_house() -> Iterator[House]:
    with House() as house:
        yield house


@pytest.fixture
def house(whole_house: House) -> House:
    whole_house.draws = Rng
    return whole_house


@pytest.fixture
def visit(house: House, browser: Browser) -> Iterator[Visit]:
    """Return how somebody comes in; whatever goes wrong on anybody's page fails the test."""
    visitors: list[Visitor] = []

    def come(cookie: str | None = None, **options: Any) -> Visitor:
        visitors.append(visitor := arrive(browser, house.address, cookie, **options))
        return visitor

    yield come
    wrong = [fault for visitor in visitors for fault in visitor.wrong]
    for visitor in visitors:
        visitor.context.close()
    assert wrong == []


def arrive(browser: Browser, address: str, cookie: str | None = None, **options: Any) -> Visitor:
    """Open a context; nothing moves in it unless a test wants that, so that nobody waits for a walk."""
    if options.pop("phone", False):
        options = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 2, **options}
    options = {"viewport": DESK, "reduced_motion": "reduce", "locale": "en-GB", **options}
    context = browser.new_context(base_url=address, **options)
    context.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    if cookie is not None:
        context.add_cookies([{"name": "whodunit", "value": cookie, "url": address, "httpOnly": True}])
    return Visitor(context, address)
