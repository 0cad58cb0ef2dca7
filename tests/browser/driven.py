"""Firefox and WebKit as Debian has them, driven by the commands of W3C WebDriver, and a loudspeaker that is measured.

Playwright drives neither: it wants builds of its own. Firefox understands the commands by itself, over the line that it
calls Marionette; WebKitGTK brings a driver that takes them by HTTP.
"""

import array
import base64
import json
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, RemoteDisconnected
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tests.browser.visitor import DESK
from whodunit.bench.browser import of_debian

NEEDED: Final = {
    "firefox-esr": "firefox-esr",
    "WebKitWebDriver": "webkit2gtk-driver",
    "Xvfb": "xvfb",
    "pulseaudio": "pulseaudio",
}
"""What is started here, and the packages of Debian that bring it."""
PATIENCE_S: Final = 60.0
ELEMENT: Final = "element-6066-11e4-a52e-4f735466cecf"
"""How WebDriver marks that something stands for an element."""
ROUTES: Final = {
    "Navigate": ("POST", "url"),
    "Refresh": ("POST", "refresh"),
    "ExecuteScript": ("POST", "execute/sync"),
    "ElementClick": ("POST", "element/{id}/click"),
    "ElementClear": ("POST", "element/{id}/clear"),
    "ElementSendKeys": ("POST", "element/{id}/value"),
    "SetWindowRect": ("POST", "window/rect"),
    "TakeScreenshot": ("GET", "screenshot"),
}
"""Where the commands go by HTTP; Marionette takes them by these names."""
PREFERENCES: Final[Mapping[str, object]] = {
    "marionette.port": 0,
    "intl.accept_languages": "en-GB,en",
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "browser.aboutwelcome.enabled": False,
}
"""A Firefox that asks nobody anything, and takes a free port."""

Say = Callable[[str, Mapping[str, Any]], Any]
"""Give a browser a command, and return what it answers."""


class Refused(Exception):
    """A browser has not done what it was told."""

    def __init__(self, error: str, message: str) -> None:
        super().__init__(f"{error}: {message}")
        self.error = error


class Driven:
    """A browser with one page."""

    def __init__(self, say: Say, name: str) -> None:
        self._say = say
        self.name = name
        self.tell("SetWindowRect", x=0, y=0, **DESK)

    def tell(self, command: str, **what: Any) -> Any:
        return self._say(command, what)

    def evaluate(self, expression: str, arg: Any = None) -> Any:
        """Call a function, written as a script, in the page, as Playwright does."""
        return self.tell("ExecuteScript", script=f"return ({expression})(...arguments)", args=[arg])

    def picture(self, path: Path) -> None:
        """Keep a picture of what the window shows."""
        path.write_bytes(base64.b64decode(self.tell("TakeScreenshot", full=False)))


# --- What they need of the machine ---


@contextmanager
def started(*command: str, env: Mapping[str, str], **more: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Let a program run, and in the end make sure that nothing is left of it and of all that it has started."""
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **more}
    with subprocess.Popen(command, env={**os.environ, **env}, start_new_session=True, **quiet) as process:
        try:
            yield process
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)


def waited(true: Callable[[], Any], what: str) -> Any:
    end = time.monotonic() + PATIENCE_S
    while not (found := true()):
        assert time.monotonic() < end, f"{what} never comes"
        time.sleep(0.05)
    return found


class Loudspeaker:
    """What a browser plays ends here, sample by sample: without a loudspeaker Firefox lets no page sound."""

    def __init__(self, pipe: Path) -> None:
        self._pipe = pipe
        self._peak = 0.0
        threading.Thread(target=self._listen, name="loudspeaker", daemon=True).start()

    def _listen(self) -> None:
        with self._pipe.open("rb") as sound:
            while samples := sound.read(4096):
                self._peak = max(self._peak, *(abs(sample) / 2**15 for sample in array.array("h", samples)))

    def peak(self) -> float:
        """Return the loudest sample since this was asked last."""
        found, self._peak = self._peak, 0.0
        return found


@contextmanager
def loudspeaker(folder: Path) -> Iterator[tuple[Loudspeaker, dict[str, str]]]:
    """Plug in a loudspeaker, and say how programs find it."""
    pipe, line = folder / "sound", folder / "loudspeaker"
    modules = (
        f"module-pipe-sink file={pipe} format=s16le rate=48000 channels=2 use_system_clock_for_timing=yes",
        f"module-native-protocol-unix socket={line} auth-anonymous=1",
    )
    command = [of_debian("pulseaudio", NEEDED["pulseaudio"]), "-n", "--daemonize=no", "--exit-idle-time=-1"]
    command += ["--use-pid-file=no", *(f"--load={module}" for module in modules)]
    env = {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "PULSE_SERVER": f"unix:{line}"}
    with started(*command, env=env):
        waited(lambda: line.exists() and pipe.exists(), "the loudspeaker")
        yield Loudspeaker(pipe), env


@contextmanager
def screen() -> Iterator[dict[str, str]]:
    """Switch a screen on that nobody sees, and say how programs find it."""
    told, tell = os.pipe()
    size = f"{DESK['width']}x{DESK['height']}x24"
    command = [of_debian("Xvfb", NEEDED["Xvfb"]), "-displayfd", str(tell), "-screen", "0", size, "-nolisten", "tcp"]
    with started(*command, env={}, pass_fds=[tell]), os.fdopen(told) as number:
        os.close(tell)
        yield {"DISPLAY": f":{number.readline().strip()}"}


# --- The two ---


@contextmanager
def firefox(folder: Path, env: Mapping[str, str]) -> Iterator[Driven]:
    program = of_debian("firefox-esr", NEEDED["firefox-esr"])
    profile = folder / "profile"
    profile.mkdir()
    wishes = "".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items())
    (profile / "user.js").write_text(wishes, "utf-8")
    port = profile / "MarionetteActivePort"
    with started(program, "--headless", "--marionette", "--no-remote", "--profile", str(profile), env=env):
        at = int(waited(lambda: port.exists() and port.read_text("ascii"), "Firefox"))
        with socket.create_connection(("127.0.0.1", at), PATIENCE_S) as line:
            say = marionette(line)
            told = say("NewSession", {"capabilities": {}})["capabilities"]
            yield Driven(say, f"Firefox {told['browserVersion']}")


def marionette(line: socket.socket) -> Say:
    """Speak to Firefox: numbered messages in JSON, each behind its length."""
    heard = line.makefile("rb")

    def receive() -> Any:
        length = b""
        while (letter := heard.read(1)) != b":":
            assert letter, "Firefox has gone"
            length += letter
        return json.loads(heard.read(int(length)))

    def say(command: str, what: Mapping[str, Any]) -> Any:
        message = json.dumps([0, 1, f"WebDriver:{command}", what]).encode()
        line.sendall(b"%d:%s" % (len(message), message))
        _, _, error, found = receive()
        if error:
            raise Refused(error["error"], error["message"])
        return found["value"] if [*found] == ["value"] else found

    receive()  # it says who it is
    return say


@contextmanager
def webkit(_: Path, env: Mapping[str, str]) -> Iterator[Driven]:
    program = of_debian("WebKitWebDriver", NEEDED["WebKitWebDriver"])
    with socket.create_server(("127.0.0.1", 0)) as door:
        port: int = door.getsockname()[1]
    with screen() as shown, started(program, f"--port={port}", env={**env, **shown, "LANG": "en_GB.UTF-8"}):
        waited(lambda: _open(port), "WebKit's driver")
        told = posted(port, "POST", "/session", {"capabilities": {}})
        session = f"/session/{told['sessionId']}"

        def say(command: str, what: Mapping[str, Any]) -> Any:
            method, path = ROUTES[command]
            return posted(port, method, f"{session}/{path.format(**what)}", what)

        try:
            yield Driven(say, f"WebKitGTK {told['capabilities']['browserVersion']}")
        finally:
            posted(port, "DELETE", session, {})


def _open(port: int) -> bool:
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


def posted(port: int, method: str, path: str, what: Mapping[str, Any]) -> Any:
    line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        line.request(method, path, json.dumps(what) if method == "POST" else None)
        found = json.loads(line.getresponse().read())["value"]
    except RemoteDisconnected as error:
        raise Refused("gone", str(error)) from error
    finally:
        line.close()
    if isinstance(found, dict) and "error" in found:
        raise Refused(found["error"], found["message"])
    return found


BROWSERS: Final = {"firefox": firefox, "webkit": webkit}


@contextmanager
def driven(which: str) -> Iterator[tuple[Driven, Loudspeaker]]:
    """Start one of them, with a loudspeaker, in a home of its own."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        with loudspeaker(folder) as (speaker, env), BROWSERS[which](folder, env) as browser:
            yield browser, speaker
