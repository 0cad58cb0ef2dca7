"""Real browsers, found, or installed where that can be, or a clear end.

A Chromium for tests, pictures and `bench client`; Debian's Firefox and WebKit for a tour in `./run soak`.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WITHOUT: Final = (
    # The address bar's own pages, a process for each window: half of what a window costs, and nobody sees them.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "SpareRendererForSitePerProcess",  # a process in reserve, for a site that no test goes to
    # Of several lists the last counts: what Playwright's own leaves out is left out here too.
    "AimEnabled",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
FLAGS: Final = (
    # A browser of its own accord talks to its maker's hosts; ours may be in a network where that takes minutes to fail.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    "--disable-gpu",
    f"--disable-features={','.join(WITHOUT)}",
)


QUIETLY: Final = ("-qq", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300")
"""How Debian's package is installed; somebody else may be installing something just now."""


class NoBrowser(Exception):
    """There is none, and none can be had."""


def find() -> str:
    """Return the path of a Chromium, from WHODUNIT_BROWSER, the PATH or Playwright's own; install one if need be."""
    if named := os.environ.get("WHODUNIT_BROWSER"):
        if not Path(named).exists():
            raise NoBrowser(f"WHODUNIT_BROWSER names {named}, and there is no such file")
        return named
    for path in _installed():
        return path
    _install()
    for path in _installed():
        return path
    raise NoBrowser(
        "the browser tests need a Chromium, and there is none: install one (Debian: apt install chromium; elsewhere: "
        f"{sys.executable} -m playwright install chromium), or name one by WHODUNIT_BROWSER=/path/to/it"
    )


def _installed() -> Iterator[str]:
    yield from filter(None, map(shutil.which, NAMES))
    default = Path.home() / ".cache" / "ms-playwright"
    cache = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH", default))
    yield from (str(path) for path in sorted(cache.glob("chromium-*/chrome-linux*/chrome"), reverse=True))


def of_debian(program: str, package: str) -> str:
    """Return the path of a program; where there is none, install the package of Debian that brings it."""
    if found := shutil.which(program):
        return found
    _try(_apt(package))
    if found := shutil.which(program):
        return found
    raise NoBrowser(
        f"the tour in other browsers needs {program}, and there is none: install it (Debian: apt install {package}), "
        "or run this as root or as somebody whom sudo asks for no password"
    )


def _install() -> None:
    """Try the system's packages where we may, else Playwright's download; whether it worked is seen afterwards."""
    download = [sys.executable, "-m", "playwright", "install", "chromium"]
    _try(_apt("chromium") if _is_root() else [download])


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _apt(package: str) -> list[list[str]]:
    """Return how a package of Debian is installed here; nothing if it cannot be."""
    apt, sudo = shutil.which("apt-get"), shutil.which("sudo")
    if apt is None or not (_is_root() or sudo):
        return []
    rights = [] if _is_root() else [sudo or "", "-n"]
    return [[*rights, apt, "update", "-qq"], [*rights, apt, "install", *QUIETLY, package]]


def _try(commands: Sequence[Sequence[str]]) -> None:
    for command in commands:
        print("something is not installed here, trying:", *command, file=sys.stderr, flush=True)
        subprocess.run(command, check=False, stdout=sys.stderr)  # noqa: S603  (our own words)


def launch_arguments() -> dict[str, object]:
    """Return what Playwright's `launch` takes."""
    return {"executable_path": find(), "args": list(FLAGS)}


class Weighed:
    """What has come to a page over the line, compressed as it came."""

    def __init__(self, page: Any) -> None:
        self._kinds: dict[str, str] = {}
        self._bytes: dict[str, float] = {}
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.responseReceived", lambda it: self._kinds.update({it["requestId"]: it["type"]}))
        session.on("Network.loadingFinished", lambda it: self._bytes.update({it["requestId"]: it["encodedDataLength"]}))

    def kb(self, *kinds: str) -> float:
        """Return the kB of these kinds, as Chromium calls them, such as Script; or of all."""
        return sum(size for one, size in self._bytes.items() if not kinds or self._kinds.get(one) in kinds) / 1000


if __name__ == "__main__":
    try:
        print(find())
    except NoBrowser as error:
        sys.exit(str(error))
