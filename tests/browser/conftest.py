"""One site and one browser for all tests of a process; people come and go."""

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.house import House
from tests.browser.porch import Porch
from tests.browser.visitor import Visitor
from whodunit.bench import browser as real
from whodunit.core.rng import Rng

Visit = Callable[..., Visitor]
LIMIT_S = 180
"""Pages are slow where the machine is busy."""
LONGEST = ("test_worlds.py", "test_hotel_secrets.py", "test_lessons.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest: whoever ends with it would be waited for by the other."""
    for item in items:
        if item.path.parent.name == "browser" and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(LIMIT_S))
    items.sort(key=lambda item: item.path.parent.name != "browser" or item.path.name not in LONGEST)


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


@pytest.fixture(scope="session")
def own_port() -> int:
    """Where houses of a test's own open, one after another: at a new address every browser would begin anew."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        port: int = door.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def porch(browser: Browser) -> Porch:
    return Porch(browser)


@pytest.fixture(autouse=True)
def nothing_goes_wrong() -> Iterator[None]:
    """Let whatever goes wrong on anybody's page fail the test, unless the test has declared it."""
    Visitor.came.clear()
    yield
    wrong = [fault for visitor in Visitor.came for fault in visitor.wrong]
    assert wrong == [], "declare what is meant to happen by visitor.allow(pattern)"


@pytest.fixture
def visit(house: House, porch: Porch) -> Iterator[Visit]:
    """Return how somebody comes in."""
    visitors: list[Visitor] = []

    def come(cookie: str | None = None, **options: Any) -> Visitor:
        visitors.append(visitor := porch.come(house.address, cookie, **options))
        return visitor

    yield come
    for visitor in visitors:
        porch.leave(visitor)
