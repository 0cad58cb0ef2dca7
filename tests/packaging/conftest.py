import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.packaging.environments import Environment, built


@pytest.fixture(scope="session")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built("sdist", tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the compiled kernel, where there is a compiler."""
    return built("wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def pure_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built("wheel", tmp_path_factory.mktemp("pure"), WHODUNIT_PURE="1")


@pytest.fixture(scope="session")
def unpacked(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources as an sdist holds them."""
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (root,) = folder.iterdir()
    return root


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Environment]:
    """Make a fresh environment with a wheel and some of its extras; the same one for the same wish."""
    made: dict[tuple[object, ...], Environment] = {}

    def make(wheel: Path, *extras: str) -> Environment:
        if (wheel, *extras) not in made:
            made[wheel, *extras] = Environment(tmp_path_factory.mktemp("environment") / "env")
            made[wheel, *extras].install(wheel, *extras)
        return made[wheel, *extras]

    return make
