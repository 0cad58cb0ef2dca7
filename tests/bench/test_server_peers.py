"""The peers of `bench server` as we run them: Colyseus keeps moves before it tells of them, and tells what we do."""

import json
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from whodunit.bench.server import peers, speed
from whodunit.server.protocol import TableFrame

MOVES = 200

KEPT = """
    const { DatabaseSync } = require("node:sqlite");
    const { chance, games } = require("./rules.cjs");
    const { Log } = require("./log.cjs");
    const { Table } = require("./table.cjs");

    const [path, moves] = process.argv.slice(1);
    const log = new Log(path);
    const reader = new DatabaseSync(path, { readOnly: true });
    const other = reader.prepare("SELECT body FROM move WHERE room = ? AND seq = ?");
    const tables = ["clue", "alibi"].map((game, room) => new Table(game, room));
    const found = [];
    for (const table of tables) {
      const { draw } = chance(2);
      const step = () => {
        const [seat, ...move] = games[table.game].choice(table.G, table.current, draw);
        if (!table.play(seat, move[0], move.slice(1))) throw new Error(`${move[0]} was refused`);
        const { seq } = table;
        log.keep(table.room, seq, seat, move, () => {
          found.push(other.get(table.room, seq)?.body === JSON.stringify(move));
          if (seq < Number(moves)) step();
        });
        found.push(other.get(table.room, seq) === undefined); // not yet, and so nobody is told
      };
      step();
    }
    process.on("exit", () => {
      const pragma = (name) => Object.values(log.database.prepare(`PRAGMA ${name}`).get())[0];
      const games = tables.map(({ G }) => G);
      console.log(JSON.stringify({ found, games, mode: pragma("journal_mode"), synchronous: pragma("synchronous") }));
    });
"""
AGAIN = """
    const { Table } = require("./table.cjs");
    const rows = JSON.parse(process.argv[1]);
    const tables = ["clue", "alibi"].map((game, room) => new Table(game, room));
    for (const [room, seat, [name, ...values]] of rows)
      if (!tables[room].play(seat, name, values)) throw new Error(`${name} was refused`);
    console.log(JSON.stringify(tables.map(({ G }) => G)));
"""
TOLD = """
    const { chance, games, offers } = require("./rules.cjs");
    const { Table } = require("./table.cjs");
    const [game, moves, options] = process.argv.slice(1);
    const table = new Table(game, 7, JSON.parse(options)[game]);
    const plain = new Table(game, 7);
    const { draw } = chance(2);
    for (let number = 0; number < Number(moves); number++) {
      const [seat, name, ...values] = games[game].choice(table.G, table.current, draw);
      const chosen = offers(game, table.G, seat, table.current).filter(({ action }) => action === name);
      table.play(seat, name, values);
      plain.play(seat, name, values);
      const seats = [0, 1, 2, 3];
      const [frames, views] = [table, plain].map((each) => seats.map(each.telling()));
      console.log(JSON.stringify({ chosen, values, frames, views }));
    }
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a folder with what is ours of Colyseus: nothing here needs the rest."""
    for source in ("peer_colyseus", "peer_rules"):
        shutil.copytree(peers.SOURCES / source, tmp_path / "home", dirs_exist_ok=True)
    return tmp_path / "home"


def run(home: Path, script: str, *args: str) -> list[Any]:
    command = [str(peers.node()), "-e", script, *args]
    told = subprocess.run(command, cwd=home, check=True, capture_output=True, text=True, timeout=60)
    return [json.loads(line) for line in told.stdout.splitlines()]


def test_a_durable_colyseus_tells_of_no_move_before_it_is_kept(home: Path, tmp_path: Path) -> None:
    store = tmp_path / "moves.sqlite"

    (told,) = run(home, KEPT, str(store), str(MOVES))

    assert len(told["found"]) == 2 * 2 * MOVES
    assert all(told["found"])
    assert (told["mode"], told["synchronous"]) == ("wal", 2)
    with sqlite3.connect(store) as connection:
        kept = connection.execute("SELECT room, seat, body FROM move ORDER BY room, seq").fetchall()
    rows = [(room, seat, json.loads(body)) for room, seat, body in kept]
    assert len(rows) == 2 * MOVES
    assert run(home, AGAIN, json.dumps(rows)) == [told["games"]], "what is kept is the whole game"


@pytest.mark.parametrize("game", ["clue", "perfect_alibi"])
def test_a_colyseus_that_tells_as_much_as_we_do_tells_what_is_ours(game: str, home: Path) -> None:
    options = peers.options([game])

    steps = run(home, TOLD, peers.GAMES[game], str(MOVES), options)

    fields = {field.encode_name for field in msgspec.structs.fields(TableFrame)} | {"type"}
    ours = json.loads(options)[peers.GAMES[game]]
    said = set()
    for step in steps:
        assert step["chosen"], "what is done was on offer"
        for seat, (frame, plain) in enumerate(zip(step["frames"], step["views"], strict=True)):
            assert set(frame) == fields
            view = {**frame["view"]}
            assert view.pop("options") == ours
            assert view.pop("on_turn") == plain["current"]
            assert {**view, "last": plain["view"]["last"]} == plain["view"], "and nothing that is not shown otherwise"
            for event in frame["events"]:
                told = {name: value for name, value in event["event"].items() if name != "known_to"}
                assert told == plain["view"]["last"]
                said.add(event["line"]["key"])
            may = {offer["action"] for offer in frame["offers"]} - {"slam"}
            assert bool(may) == (seat in frame["awaiting"])
            assert all(offer["since"] == frame["seq"] for offer in frame["offers"])
        assert len(step["frames"][0]["awaiting"]) == 1
    assert len(said) >= 5


def test_a_line_says_who_and_what_and_hides_what_is_hidden(home: Path) -> None:
    script = 'console.log(JSON.stringify(require("./frames.cjs").line(JSON.parse(process.argv[1]))))'
    chip = {"colour": "red", "symbol": "wheel", "arrows": True}

    (line,) = run(home, script, json.dumps({"type": "ChipTaken", "seat": 1, "place": 2, "chip": chip, "card": None}))

    assert line["key"] == "chip_taken"
    assert line["params"] == {
        "seat": {"type": "who", "seat": 1},
        "place": 2,
        "colour": {"type": "term", "word": "red"},
        "symbol": {"type": "term", "word": "wheel"},
        "arrows": True,
    }


@pytest.mark.soak
@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("cc"), reason="the load generator needs a C compiler")
def test_a_short_load_of_every_peer_is_played_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for constant, small in {"TABLES": 4, "LENGTH": 30, "WARM": 2}.items():
        monkeypatch.setattr(speed, constant, small)
    turns = speed.Bench(tmp_path, 10, deals=(0, 1)).peer_turns()

    assert set(turns) == set(peers.PEERS)
    frames = {}
    for name, turn in turns.items():
        loaded = turn()  # raises if a move was refused
        assert loaded.moves >= 40
        frames[name] = loaded.bytes_per_frame
    assert frames["colyseus_durable"] == pytest.approx(frames["colyseus"], rel=0.1)
    assert frames["colyseus_durable_equal"] > 1.2 * frames["colyseus_durable"]
    kept = {path.name.partition("-")[0]: path for path in tmp_path.glob("*.sqlite")}
    assert set(kept) == {"colyseus_durable", "colyseus_durable_equal"}
    for path in kept.values():
        with sqlite3.connect(path) as connection:
            ((rows,),) = connection.execute("SELECT count(*) FROM move")
        assert rows >= 40
