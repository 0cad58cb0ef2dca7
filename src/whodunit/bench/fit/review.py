"""The small tables of a review, fitted on games of bots: who ends the case first, and who wins it.

Each game's bits, turn by turn, are added to a file as soon as it is over: an interrupted fit goes on from there.
"""

import argparse
import shlex
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from whodunit import arena, bots, games, review
from whodunit.arena.kept import keep, resumed
from whodunit.bench import report
from whodunit.bench.fit.tables import Played, ends, error, fitted_chances, held_out, told
from whodunit.core.errors import BadOptions
from whodunit.core.redact import redact
from whodunit.core.types import Belief, Game, Seat
from whodunit.infra.progress import Progress
from whodunit.review.fitted import Shape
from whodunit.review.judge import believing
from whodunit.review.review import showing_of
from whodunit.table.case import Case

PLAYERS: Final = ("detective", "mastermind")
LEAST_SEATS: Final = 3
"""At a table of two there is one rival: nobody waits long."""
FEWEST: Final = 20
"""Fewer games say nothing: such a shape is left out."""
INTERRUPTED: Final = 130
BAD_INPUT: Final = 2


class Gathering(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of the file: what all its games have in common."""

    seed: str
    bots: int


def main(argv: Sequence[str]) -> int:
    """Play, fit, and write what came of it."""
    parser = argparse.ArgumentParser(prog="whodunit fit review", description=__doc__)
    parser.add_argument("--hours", type=float, default=1.0, help="how long to play (default: 1)")
    parser.add_argument("--games", default=",".join(games.ids()), help="which games, such as clue,perfect_alibi")
    parser.add_argument("--seed", default="fit")
    file = "the games so far: it goes on from there (default: data/fit-review.jsonl)"
    parser.add_argument("--resume", type=Path, default=Path("data/fit-review.jsonl"), metavar="FILE", help=file)
    parser.add_argument("--out", type=Path, default=_table(), metavar="FILE", help="default: where the review reads it")
    args = parser.parse_args(argv)
    try:
        wanted = [*shapes(args.games.split(","))]
        played = resumed(args.resume, Gathering(args.seed, bots.VERSION), Played)
    except (BadOptions, LookupError, OSError) as wrong:
        report.progress(f"whodunit: {wrong}")
        return BAD_INPUT
    status = 0
    try:
        for game in gather(wanted, played, args.seed, args.hours * 3600):
            played.append(game)
            keep(args.resume, game)
    except KeyboardInterrupt:
        report.progress(f"\nstopped after {len(played)} games: they are kept in {args.resume}")
        status = INTERRUPTED
    command = shlex.join(["./run", "fit", "review", *argv])
    found = [*fitted(wanted, played, command, args.seed, datetime.now(UTC).date().isoformat())]
    write(args.out, found)
    print(
        report.columns(
            [("game", "seats", "games", "bit", "turn", "error", "told", "ends"), *map(_row, found)], right=(1, 2)
        )
    )
    return status


def _table() -> Path:
    return Path(str(resources.files(review))) / "fitted.json"


def _row(shape: Shape) -> tuple[str, ...]:
    ends = "  ".join(f"{most:.1f}: {share:.2f}" for most, share in shape.ends)
    weights = (f"{shape.bit:.3f}", f"{shape.turn:.3f}", f"{shape.error:.3f}", f"{shape.told:.3f}")
    return (shape.game, str(shape.seats), str(shape.games), *weights, ends)


# --- Playing -----------------------------------------------------------------------------------------------------


def shapes(ids: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield each game with each number of seats; a game that no guess ends has no tables: nobody can be too late."""
    for id in ids:
        info = games.get(id).INFO
        for seats in range(max(LEAST_SEATS, info.seats[0]), info.seats[1] + 1 if info.final else 0):
            yield id, seats


def gather(wanted: Sequence[tuple[str, int]], played: Sequence[Played], seed: str, seconds: float) -> Iterator[Played]:
    """Play for so long, always the shape of which there are fewest games, and yield what each game gave."""
    count = Counter(dict.fromkeys(wanted, 0))
    count.update((game.game, game.seats) for game in played if (game.game, game.seats) in count)
    began, shown = time.monotonic(), 0
    progress = Progress(round(seconds), "seconds")
    while count and (spent := time.monotonic() - began) < seconds:
        progress.step(int(spent) - shown)
        shown = int(spent)
        id, seats = min(wanted, key=lambda shape: count[shape])
        yield play(id, seats, count[id, seats], seed)
        count[id, seats] += 1
    progress.end()


def play(id: str, seats: int, number: int, seed: str) -> Played:
    """Play one game; the number says who sits where, so that every mixture comes up."""
    levels = [PLAYERS[number >> seat & 1] for seat in range(seats)]
    case = arena.open_with_bots(id, levels, {}, f"{seed} {id} {seats} {number}")
    return watched(arena.play_case(case, lambda *_: None), number)


def watched(case: Case, number: int) -> Played:
    """Return what was missing to each seat whenever a turn began, and who won."""
    game, state, turn = case.table.game, None, 0
    known = _strangers(case)
    turns: list[tuple[Seat, tuple[float, ...]]] = []
    guessed: dict[Seat, int] = {}
    for batch in case.batches:
        if batch.cause is not None and type(batch.cause.action) in game.INFO.final:
            guessed[batch.cause.seat] = len(turns)
        for event in batch.events:
            known = [belief.learn(redact(event, seat)) for seat, belief in enumerate(known)]
            state = game.evolve(state, event)
            if state.turn > turn and game.outcome(state) is None:
                turn = state.turn
                turns.append((state.on_turn, tuple(round(belief.entropy(), 4) for belief in known)))
    assert case.outcome is not None
    winners = tuple(sorted(case.outcome.winners))
    out = {
        seat: begun
        for seat, begun in guessed.items()
        if seat not in winners and all(other != seat for other, _ in turns[begun:])
    }
    return Played(case.header.game, case.header.seats, number, tuple(turns), winners, out)


def _strangers(case: Case) -> list[Belief]:
    """Return what every seat knows before anything was seen."""
    game: Game = case.table.game
    return [believing(game, seat, "logic", showing_of(case.header)) for seat in range(case.header.seats)]


# --- The file of games, and the table ----------------------------------------------------------------------------


def fitted(
    wanted: Sequence[tuple[str, int]], played: Sequence[Played], command: str, seed: str, date: str
) -> Iterator[Shape]:
    """Yield the tables of each shape of which there are games enough."""
    for id, seats in wanted:
        mine = [game for game in played if (game.game, game.seats) == (id, seats)]
        if len(mine) < FEWEST:
            report.progress(f"{id} with {seats} seats has {len(mine)} games, too few to fit anything")
            continue
        others, kept = held_out(mine)
        bit, turn = fitted_chances(others)
        table, ends_error = ends(mine)
        yield Shape(
            game=id,
            seats=seats,
            ends=table,
            bit=round(bit, 4),
            turn=round(turn, 4),
            games=len(mine),
            ends_error=round(ends_error, 4),
            error=round(error(kept, bit, turn), 4),
            told=round(told(kept, bit, turn), 4),
            players=PLAYERS,
            command=command,
            seed=seed,
            date=date,
        )


def write(file: Path, found: Sequence[Shape]) -> None:
    """Put the shapes into the table, in the place of those that it has of the same game and seats."""
    before = msgspec.json.decode(file.read_bytes(), type=list[Shape]) if file.is_file() else []
    shapes = {(shape.game, shape.seats): shape for shape in [*before, *found]}
    content = msgspec.json.encode([shapes[key] for key in sorted(shapes)])
    file.write_bytes(msgspec.json.format(content, indent=1) + b"\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
