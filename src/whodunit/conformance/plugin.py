"""The pytest plugin: `pytest --whodunit-game my_game` runs the conformance suite over an installed game.

Its tests come beside whatever else is asked for. Every pytest in an environment with this package loads this module,
so it imports nothing before it is asked for a game.
"""

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from whodunit.conformance.suite import Test

HERE: Final = Path(__file__).parent
SPENT: Final = pytest.StashKey[dict[str, float]]()
"""How long plugs took in the processes of xdist."""


class Hooks:
    """What a conftest.py can tell the suite."""

    @staticmethod
    @pytest.hookspec(firstresult=True)
    def pytest_whodunit_plug(game: str) -> object | None:
        """Return what you give of a game's plug (see whodunit.conformance.plug), or None; the rest is derived."""


def pytest_addoption(parser: pytest.Parser) -> None:
    about = "run the conformance suite over this installed game (repeatable)"
    parser.getgroup("whodunit").addoption("--whodunit-game", action="append", default=[], metavar="ID", help=about)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    pluginmanager.add_hookspecs(Hooks)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "whodunit: a test of the conformance suite (--whodunit-game)")
    config.stash[SPENT] = {}
    chosen = _chosen(config)
    if chosen and find_spec("hypothesis") is None:
        raise pytest.UsageError("--whodunit-game needs Hypothesis: install whodunit-games with its extra [testing]")
    for id in chosen:
        if fault := _fault(id):
            raise pytest.UsageError(f"--whodunit-game {id}: {fault}")


def _chosen(config: pytest.Config) -> list[str]:
    return list(dict.fromkeys(config.getoption("whodunit_game")))


def _fault(id: str) -> str | None:
    """Return why the suite cannot run over a game, or None."""
    from whodunit import games  # noqa: PLC0415  (see above)

    try:
        games.get(id)
    except LookupError as error:
        how = f'. A package registers it under [project.entry-points."{games.GROUP}"], and must be installed'
        return f"{error}{how if id not in games.ids() else ''}"
    refused = [f"{name} is left out: {why}" for name, why in games.broken().items() if name.startswith(f"{id} of ")]
    return "; ".join(refused) or None


# --- The tests -----------------------------------------------------------------------------------------------------


@pytest.hookimpl(tryfirst=True)  # before others choose from what was collected
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    for id in _chosen(config):
        # By no path: the package may lie where pytest does not look, such as in an environment inside the project.
        items.extend(session.genitems(OfGame.from_parent(session, name=id, nodeid=f"whodunit.conformance::{id}")))


class OfGame(pytest.Collector):
    """The suite over one game."""

    def collect(self) -> Iterable[pytest.Item]:
        from whodunit.conformance.derive import complete  # noqa: PLC0415  (see above)
        from whodunit.conformance.suite import Suite  # noqa: PLC0415  (see above)
        from whodunit.games import get  # noqa: PLC0415  (see above)

        given = self.config.hook.pytest_whodunit_plug(game=self.name)
        game = get(self.name)
        for name, test in Suite(game, complete(game, given)).tests():
            item = Conformance.from_parent(self, name=name, test=test)
            item.add_marker("whodunit")
            yield item


class Conformance(pytest.Item):
    """One test of the suite."""

    def __init__(self, *, test: "Test", **node: Any) -> None:
        super().__init__(**node)
        self.test = test

    def runtest(self) -> None:
        self.test()

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Tell what a check says as the sentence that it is; the way through the suite would hide it."""
        error = excinfo.value
        where = Path(excinfo.traceback[-1].path)
        if isinstance(error, AssertionError) and HERE in where.parents and self.config.getoption("tbstyle") != "long":
            sentence = str(error).partition("\nassert ")[0]  # what follows is pytest's reading of the check itself
            return "\n\n".join([sentence, *getattr(error, "__notes__", ())])
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return HERE / "suite.py", None, f"{self.parent.name if self.parent else ''}: {self.name}"


# --- Where it is slow ----------------------------------------------------------------------------------------------


def pytest_sessionfinish(session: pytest.Session) -> None:
    output = getattr(session.config, "workeroutput", None)
    if output is not None and _chosen(session.config):
        output["whodunit_spent"] = _spent_here()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take in what a process of xdist has to tell."""
    told = node.config.stash[SPENT]
    for what, seconds in getattr(node, "workeroutput", {}).get("whodunit_spent", {}).items():
        told[what] = told.get(what, 0.0) + seconds


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if not _chosen(config):
        return
    from whodunit.conformance.spent import report  # noqa: PLC0415  (see above)

    elsewhere = config.stash[SPENT]
    lines = report(elsewhere or _spent_here())
    if lines:
        terminalreporter.section("whodunit: where plugs and beliefs were slow")
    for line in lines:
        terminalreporter.line(line)


def _spent_here() -> dict[str, float]:
    from whodunit.conformance import spent  # noqa: PLC0415  (see above)

    return dict(spent.SPENT.seconds)
