"""A throw-away environment with the house and the example in it, as their wheels bring them."""

from pathlib import Path

import pytest

from tests.packaging.environments import ROOT, Environment, built
from whodunit.bench import browser as real

EXAMPLE = ROOT / "examples" / "nightcap"


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, object]:
    """Launch the Chromium that is there; none is a failure, never a skip."""
    return real.launch_arguments()


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Build both, and install them with all that they ask for."""
    house = built("wheel", tmp_path_factory.mktemp("house"))
    example = built("wheel", tmp_path_factory.mktemp("example"), root=EXAMPLE)
    home = Environment(tmp_path_factory.mktemp("home") / "env")
    home.install(house, "site", "testing")
    home.add(example)
    return home


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The example's sources, to be changed by a test."""
    to = tmp_path / "nightcap"
    for source in EXAMPLE.rglob("*"):
        if source.is_file() and "__pycache__" not in source.parts:
            target = to / source.relative_to(EXAMPLE)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
    return to
