"""How much room there is left on the disk that everything is kept on."""

import shutil
import time
from pathlib import Path
from typing import Final

FRESH_S: Final = 2.0
"""How long a look at the disk counts."""


class Disk:
    """Looks at the disk of a folder; where the database is another's, there is nothing to be seen."""

    def __init__(self, folder: Path | None, least: float) -> None:
        self._folder = folder
        self._least = least
        self._free = 1.0
        self._looked = -FRESH_S

    @property
    def is_short(self) -> bool:
        """Whether less of it is free than the house keeps for running games."""
        return self._share() < self._least

    @property
    def fault(self) -> str | None:
        """What is wrong with it, in a sentence."""
        if not self.is_short:
            return None
        return f"{self._free:.1%} of the disk is free: below {self._least:.1%} no tables are laid and no notes taken"

    def _share(self) -> float:
        if self._folder is not None and time.monotonic() - self._looked >= FRESH_S:
            usage = shutil.disk_usage(self._folder)
            self._free = usage.free / usage.total
            self._looked = time.monotonic()
        return self._free
