"""What is installed works: the base with msgspec alone, each extra, with the compiled kernel and without."""

import os
import re
import signal
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path

import pytest

import whodunit
from tests.packaging.environments import HAS_COMPILER, ROOT, Environment, clean_environment
from whodunit import games
from whodunit.deduce.native import SLOW

Make = Callable[..., Environment]
WATCH = ("whodunit", "watch", "clue", "--seats", "detective,rookie,rookie", "--seed", "7", "--option", "max_turns=9")
ARENA = (
    "whodunit",
    "arena",
    "clue",
    "--seats",
    "rookie,rookie",
    "--games",
    "4",
    "--seed",
    "7",
    "--option",
    "max_turns=9",
)
OURS = tuple(id for id in games.playable() if games.registered()[id].is_ours)
EXTRAS = {  # what each of them is for
    "postgres": "import whodunit.infra.postgres, whodunit.infra.switchboard",
    "research": "from whodunit.env import Vector; Vector('clue', 2, 3).now",
    "site": "import whodunit.server.serve",
    "testing": "import hypothesis, pytest",
    "tower": "from whodunit import Rng, tower; tower.model('physics').drop(tower.Tower(), 0, 0, Rng(b'', 0))",
}


@pytest.fixture(scope="session")
def base(environment: Make, wheel: Path) -> Environment:
    return environment(wheel)


@pytest.fixture(scope="session")
def pure(environment: Make, pure_wheel: Path) -> Environment:
    return environment(pure_wheel)


@contextmanager
def serving(env: Environment, data: Path, *arguments: str, **environment: str) -> Iterator[str]:
    """Serve on a free port of this machine; yield host and port."""
    program, where = str(env.folder / "bin" / "whodunit"), str(data)
    command = [program, "serve", "--no-browser", "--no-cases", "--port", "0", "--data", where, *arguments]
    variables = clean_environment(**environment)
    with subprocess.Popen(command, cwd=env.folder, env=variables, stdout=subprocess.PIPE, text=True) as site:
        try:
            assert site.stdout is not None
            yield site.stdout.readline().rpartition("http://")[2].strip().rstrip("/")
        finally:
            site.send_signal(signal.SIGTERM)
    assert site.returncode == 0


def test_the_base_is_msgspec_and_us(base: Environment) -> None:
    code = "import importlib.metadata as m; print(sorted(one.name for one in m.distributions()))"

    assert base.evaluated(code) == "['msgspec', 'whodunit-games']"
    assert base.evaluated("import whodunit; print(whodunit.__version__)") == whodunit.__version__
    assert base.evaluated("from whodunit import games; print(games.playable(), dict(games.broken()))") == f"{OURS} {{}}"
    assert base.run("whodunit", "--version").stdout == f"whodunit {whodunit.__version__}\n"


def test_bots_play_are_saved_and_verified_with_the_base(base: Environment) -> None:
    watched = base.run(*WATCH, "--save", "game.case")
    verified = base.run("whodunit", "verify", "--bots", "game.case")

    assert (watched.returncode, watched.stderr) == (0, "" if HAS_COMPILER else f"{SLOW}\n")
    assert watched.stdout.endswith("The case is put aside without a result.\n")
    assert verified.returncode == 0
    assert [line[4:8] for line in verified.stdout.splitlines()] == ["yes:"] * 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("serve",), "the site needs aiohttp: install whodunit-games[site]"),
        (
            ("watch", "arosa", "--option", "tower=physics"),
            "real cubes need mujoco, which whodunit-games[tower] installs",
        ),
        (("bench", "engine"), "benchmarks are no part of what is installed: in a checkout, ./run bench"),
    ],
)
def test_the_base_says_in_one_line_what_to_install(base: Environment, arguments: tuple[str, ...], message: str) -> None:
    told = base.run("whodunit", *arguments)

    assert (told.returncode, told.stdout, told.stderr) == (2, "", f"whodunit: {message}\n")


def test_a_wheel_with_a_kernel_passes_what_cibuildwheel_asks(base: Environment) -> None:
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["cibuildwheel"]["test-command"]
    path = f"{base.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-c", " && ".join(asked)], cwd=base.folder, env=clean_environment(PATH=path), check=False
    )

    assert (done.returncode == 0) is HAS_COMPILER


def test_without_a_kernel_the_same_is_counted_and_it_is_said_once(base: Environment, pure: Environment) -> None:
    compiled, counted = base.run(*WATCH), pure.run(*WATCH)

    assert (counted.returncode, counted.stdout) == (0, compiled.stdout)
    assert counted.stderr == f"{SLOW}\n"


def test_it_is_said_at_the_first_count_and_not_at_an_import(pure: Environment) -> None:
    quiet = pure.run("python", "-c", "import whodunit; whodunit.new_game('clue', 3, 7)")
    code = "import whodunit.deduce as d; [d.Position(range(4), {0: 2, 1: 2}).posterior for _ in range(2)]"

    assert (quiet.returncode, quiet.stderr) == (0, "")
    assert pure.run("python", "-c", code).stderr == f"{SLOW}\n"


def test_workers_leave_it_to_their_parent(pure: Environment) -> None:
    told = pure.run(*ARENA, "--workers", "2")

    assert (told.returncode, told.stderr) == (0, f"{SLOW}\n")


def test_an_installed_copy_makes_its_kernel_where_there_is_a_compiler(pure_wheel: Path, tmp_path: Path) -> None:
    env = Environment(tmp_path / "env")
    env.install(pure_wheel)
    code = "import whodunit.deduce as d; print(d.best() is d.PURE)"

    assert (env.run("python", "-m", "whodunit.deduce.build").returncode, env.evaluated(code)) == (
        0,
        str(not HAS_COMPILER),
    )


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_brings_what_it_is_for(environment: Make, wheel: Path, base: Environment, extra: str) -> None:
    assert base.run("python", "-c", EXTRAS[extra]).returncode == 1
    env = environment(wheel, extra)

    assert env.evaluated(EXTRAS[extra]) == ""


def test_the_site_answers_with_its_pages(environment: Make, wheel: Path, tmp_path: Path) -> None:
    with serving(environment(wheel, "site"), tmp_path) as address, closing(HTTPConnection(address)) as site:
        front = got(site, "/").decode()
        (script,) = set(re.findall(r'<script type="module"[^>]* src="([^"]+)"', front))

        assert got(site, "/health")
        assert got(site, script)


def got(site: HTTPConnection, path: str) -> bytes:
    site.request("GET", path)
    answer = site.getresponse()
    assert answer.status == HTTPStatus.OK, path
    return answer.read()


def test_a_site_without_the_driver_says_so(environment: Make, wheel: Path) -> None:
    told = environment(wheel, "site").run("whodunit", "serve", "--database", "postgresql://nobody@127.0.0.1/none")

    assert told.returncode == 2
    assert told.stderr.splitlines()[-1] == "whodunit: PostgreSQL needs a driver: install whodunit-games[postgres]"
