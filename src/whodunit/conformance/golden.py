"""The golden transcripts: games that must fold to the same outcome forever, in the folder that a plug calls GOLDEN.

A new one is made on purpose, and none is ever made again under the same name:

    python -m whodunit.conformance.golden my_game tests/golden/two-players.case --seats 2 --seed 7
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import msgspec

from whodunit import load, save
from whodunit.conformance.believes import BELIEFS
from whodunit.conformance.checks import CHECKS
from whodunit.conformance.derive import complete
from whodunit.conformance.play import MOST, Played, play_on, replayed
from whodunit.conformance.plug import Plug
from whodunit.conformance.sends import sends_equal_bytes, takes_back
from whodunit.conformance.support import KNOWLEDGE, Viewer
from whodunit.core.types import Outcome
from whodunit.games import get
from whodunit.table.case import Case, open_case
from whodunit.table.seal import Seal
from whodunit.table.table import Table
from whodunit.table.verify import is_simulated, verify


class Expected(msgspec.Struct, frozen=True):
    """What a transcript folds to; kept apart from it."""

    events: int
    outcome: Outcome | None


def transcripts_of(folder: Path | None) -> list[Path]:
    return [] if folder is None else sorted(folder.glob("*.case"))


def expected_of(folder: Path) -> dict[str, Expected]:
    path = folder / "expected.json"
    return msgspec.json.decode(path.read_bytes(), type=dict[str, Expected]) if path.exists() else {}


def played_from(case: Case) -> Played:
    """Return the record of a case, with the table after each of its batches."""
    return replayed(Table(case.table.game, case.header.seats, case.table.seed), case.batches)


def is_honest(played: Played, plug: Plug) -> bool:
    """Say whether everybody has kept to what the rules leave to their honour."""
    moves = zip(played.tables, played.batches[1:], strict=False)
    causes = [(table.state, batch.cause) for table, batch in moves if batch.cause is not None]
    return all(plug.honest(state, cause.seat, cause.action) for state, cause in causes)


def is_honest_game(case: Case) -> None:
    """Check the case as whoever is handed it does: by its seal and its draws."""
    same_rules = case.header.rules == get(case.header.game).INFO.rules
    secret, draws, events = verify(case)
    assert secret.holds, "the seal does not hold"
    assert draws.holds, "the draws do not follow from the seal"
    assert events.holds is not False, "the actions give other events"
    if not same_rules:
        assert events.holds is None
    elif not is_simulated(case):  # else on another machine than the transcript's nothing can be said
        assert events.holds is True


def conforms(case: Case, plug: Plug) -> None:
    """Put it to every check; only what the rules of today have decided can be decided again."""
    if case.header.rules != case.table.game.INFO.rules:
        return
    played = played_from(case)
    left_out = set() if case.outcome is not None else {"ends_for_good"}
    if is_simulated(case):
        left_out.add("replays_to_equal_events")  # `verify` decides again, and knows what may differ
    for name, check in CHECKS.items():
        if name not in left_out:
            check(played, plug)
    takes_back(played)
    if not is_honest(played, plug) or not plug.provable(played.events):
        return  # what nobody may rely on, or reckon with, proves nothing
    for seat in played.viewers:
        viewer = Viewer(played, plug, seat)
        sends_equal_bytes(viewer)
        for knows in (KNOWLEDGE | BELIEFS).values():
            knows(viewer)


class _Careless:
    """A game's plug, but nobody keeps to his honour."""

    def __init__(self, plug: Plug) -> None:
        self._plug = plug

    def honest(self, *_: object) -> bool:
        return True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._plug, name)


def make(
    game: str,
    plug: Plug,
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
    folder = path.parent
    if path.exists() or path.stem in expected_of(folder):
        raise FileExistsError(f"{path} is there, and a golden transcript is never changed; choose another name")
    opened = open_case(game, seats, options, Seal.from_seed(seed))
    plug = cast(Plug, _Careless(plug)) if careless else plug
    played = play_on(opened.table, opened.batches[0], plug, pace, most)
    case = msgspec.structs.replace(opened, table=played.last, batches=played.batches).close()
    folder.mkdir(parents=True, exist_ok=True)
    save(case, path)
    expected = expected_of(folder) | {path.stem: Expected(len(case.events), case.outcome)}
    text = msgspec.json.format(msgspec.json.encode(expected, order="sorted"), indent=2)
    (folder / "expected.json").write_bytes(text + b"\n")
    return load(path)


def main(argv: Sequence[str], plug_of: Callable[[str], Plug] = lambda game: complete(get(game))) -> None:
    parser = argparse.ArgumentParser(prog="whodunit.conformance.golden", description="Make a golden transcript.")
    parser.add_argument("game")
    parser.add_argument("path", type=Path, help="where to keep it, as <folder>/<name>.case")
    parser.add_argument("--seats", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--options", type=json.loads, default={}, help="as JSON")
    parser.add_argument("--pace", type=int, default=60, help="final guesses are made after so many decisions")
    parser.add_argument("--most", type=int, default=MOST, help="abandon the game after so many decisions")
    parser.add_argument("--careless", action="store_true", help="nobody keeps to what is left to his honour")
    args = parser.parse_args(argv)
    how = args.seats, args.options, args.seed, args.pace, args.most
    case = make(args.game, plug_of(args.game), args.path, *how, careless=args.careless)
    print(f"{args.path}: {len(case.events)} events, {case.outcome}")


if __name__ == "__main__":
    main(sys.argv[1:])
