"""The engines that every test of the kernel runs with: with a compiler at hand, the compiled one is never left out."""

import shutil

from whodunit.deduce import native
from whodunit.deduce.build import build
from whodunit.deduce.engine import PURE, Engine


def _engines() -> dict[str, Engine]:
    engines: dict[str, Engine] = {"pure": PURE}
    if build() is not None:
        native.load.cache_clear()
        compiled = native.load()
        assert compiled is not None, "the kernel has been built, and cannot be loaded"
        engines["native"] = compiled
    else:
        assert shutil.which("cc") is None, "there is a compiler, and it does not build the kernel"
    return engines


ENGINES = _engines()
