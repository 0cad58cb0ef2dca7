import asyncio
from collections.abc import Iterator

import pytest

from tests.contract.houses import Run


@pytest.fixture
def run() -> Iterator[Run]:
    with asyncio.Runner() as runner:
        yield runner.run
