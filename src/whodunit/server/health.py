"""What is wrong with this node, in a sentence each: for /health, whoever watches over the house, and the log."""

import logging
from collections.abc import Callable
from typing import TypeAlias

LOG = logging.getLogger(__name__)
Check: TypeAlias = Callable[[], str | None]
"""Says what is wrong, by public facts alone; None: nothing. Never waits."""


class Health:
    """Asks every part of the house how it is, and logs once when something goes wrong or is well again."""

    def __init__(self) -> None:
        self._checks: dict[str, Check] = {}
        self._wrong: dict[str, str] = {}

    def add(self, name: str, check: Check) -> None:
        """Ask this part, too."""
        self._checks[name] = check

    def faults(self) -> list[str]:
        """Return what is wrong now."""
        found = {name: fault for name, check in self._checks.items() if (fault := check())}
        for name, fault in found.items():
            if name not in self._wrong:
                LOG.warning("%s: %s", name, fault)
        for name in self._wrong.keys() - found.keys():
            LOG.warning("%s: well again", name)
        self._wrong = found
        return [*found.values()]
