"""As a stranger installs it: pip, its isolated build, and what the index has today. It needs the network."""

from pathlib import Path

import pytest

from tests.packaging.environments import HAS_COMPILER, Environment
from tests.packaging.test_environments import EXTRAS, WATCH
from whodunit.deduce.native import SLOW

pytestmark = pytest.mark.soak


@pytest.fixture
def fresh(tmp_path: Path) -> Environment:
    env = Environment(tmp_path / "env")
    assert env.run("python", "-m", "ensurepip").returncode == 0
    return env


def installed(env: Environment, wish: str, **environment: str) -> None:
    done = env.run("python", "-m", "pip", "install", "--no-cache-dir", wish, **environment)
    assert done.returncode == 0, done.stderr


def test_from_an_sdist_with_a_compiler_comes_the_kernel(fresh: Environment, sdist: Path) -> None:
    installed(fresh, str(sdist))

    assert fresh.run(*WATCH).stderr == ("" if HAS_COMPILER else f"{SLOW}\n")


def test_from_an_sdist_without_a_compiler_comes_what_counts_in_python(
    fresh: Environment, sdist: Path, tmp_path: Path
) -> None:
    nothing = tmp_path / "nothing"
    nothing.mkdir()
    installed(fresh, str(sdist), PATH=str(nothing))

    assert fresh.run(*WATCH).stderr == f"{SLOW}\n"


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_index_has_what_an_extra_needs(fresh: Environment, wheel: Path, extra: str) -> None:
    installed(fresh, f"{wheel}[{extra}]")

    assert fresh.evaluated(EXTRAS[extra]) == ""
