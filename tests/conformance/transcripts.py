"""The golden transcripts: games that must fold to the same outcome forever.

A new one is made on purpose, and none is ever made again under the same name:

    python -m tests.conformance.transcripts clue two-players --seats 2 --seed 7 --options '{"dice_count": 2}'
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import msgspec

from tests.conformance.play import MOST, Played, play_on, replayed
from tests.conformance.plug import Plug, plug_of
from whodunit import load, save
from whodunit.core.types import Outcome
from whodunit.table.case import Case, open_case
from whodunit.table.seal import Seal
from whodunit.table.table import Table

GOLDEN = Path(__file__).parent / "golden"


class Expected(msgspec.Struct, frozen=True):
    """What a transcript folds to; kept apart from it."""

    events: int
    outcome: Outcome | None


def transcripts_of(game: str, folder: Path = GOLDEN) -> list[Path]:
    return sorted((folder / game).glob("*.case"))


def expected_of(game: str, folder: Path = GOLDEN) -> dict[str, Expected]:
    path = folder / game / "expected.json"
    return msgspec.json.decode(path.read_bytes(), type=dict[str, Expected]) if path.exists() else {}


def played_from(case: Case) -> Played:
    """Return the record of a case, with the table after each of its batches."""
    return replayed(Table(case.table.game, case.header.seats, case.table.seed), case.batches)


def is_honest(played: Played, plug: Plug) -> bool:
    """Say whether everybody has kept to what the rules leave to their honour."""
    moves = zip(played.tables, played.batches[1:], strict=False)
    causes = [(table.state, batch.cause) for table, batch in moves if batch.cause is not None]
    return all(plug.honest(state, cause.seat, cause.action) for state, cause in causes)


class _Careless:
    """A game's plug, but nobody keeps to his honour."""

    def __init__(self, plug: Plug) -> None:
        self._plug = plug

    def honest(self, *_: object) -> bool:
        return True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._plug, name)


def make(
    path: Path,
    seats: int,
    options: dict[str, Any],
    seed: int,
    pace: int,
    most: int = MOST,
    *,
    careless: bool = False,
) -> Case:
    """Play a game at random, and keep it; refuse if there is one of this name."""
    game, folder = path.parent.name, path.parent.parent
    if path.exists() or path.stem in expected_of(game, folder):
        raise FileExistsError(f"{path} is there, and a golden transcript is never changed; choose another name")
    opened = open_case(game, seats, options, Seal.from_seed(seed))
    plug = cast(Plug, _Careless(plug_of(game))) if careless else plug_of(game)
    played = play_on(opened.table, opened.batches[0], plug, pace, most)
    case = msgspec.structs.replace(opened, table=played.last, batches=played.batches).close()
    path.parent.mkdir(parents=True, exist_ok=True)
    save(case, path)
    expected = expected_of(game, folder) | {path.stem: Expected(len(case.events), case.outcome)}
    text = msgspec.json.format(msgspec.json.encode(expected, order="sorted"), indent=2)
    (path.parent / "expected.json").write_bytes(text + b"\n")
    return load(path)


def main(argv: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="tests.conformance.transcripts", description="Make a golden transcript.")
    parser.add_argument("game")
    parser.add_argument("name")
    parser.add_argument("--seats", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--options", type=json.loads, default={}, help="as JSON")
    parser.add_argument("--pace", type=int, default=60, help="final guesses are made after so many decisions")
    parser.add_argument("--most", type=int, default=MOST, help="abandon the game after so many decisions")
    parser.add_argument("--careless", action="store_true", help="nobody keeps to what is left to his honour")
    args = parser.parse_args(argv)
    path = GOLDEN / args.game / f"{args.name}.case"
    case = make(path, args.seats, args.options, args.seed, args.pace, args.most, careless=args.careless)
    print(f"{path}: {len(case.events)} events, {case.outcome}")


if __name__ == "__main__":
    main(sys.argv[1:])
