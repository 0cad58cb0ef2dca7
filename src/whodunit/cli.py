"""The command line: whodunit serve | watch | arena | games | verify | review | cases | check-data | bench | fit."""

import argparse
import asyncio
import json
import math
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import mean, median
from typing import Final

import msgspec

import whodunit
from whodunit import arena, bots, games, seats
from whodunit.cases.days import GENERATIONS, case_of
from whodunit.cases.posed import provable
from whodunit.cases.puzzle import BadPuzzle, Puzzle, read, written
from whodunit.cases.supply import supplied
from whodunit.cases.terminal import Solving, case_text, proof_text, words_of
from whodunit.core.errors import BadCase, BadOptions, InUse, StillOpen
from whodunit.core.text import say
from whodunit.core.types import Game, Seat
from whodunit.infra import postgres_check, postgres_schema, sqlite_check
from whodunit.infra.progress import Progress
from whodunit.infra.sqlite_schema import BadDatabase
from whodunit.review import VERSION, Review, words
from whodunit.review.html import as_html
from whodunit.review.report import Subject, as_text
from whodunit.review.review import stream
from whodunit.seats.own import KINDS, Own, Slips
from whodunit.table.case import Case
from whodunit.table.verify import verify

NAMES: Final = ("Agatha", "Basil", "Celeste", "Dashiell", "Edgar", "Fjodor")
_PLAYERS: Final = "levels, module:Class, exec:command, http://address"
BAD_INPUT: Final = 2
INTERRUPTED: Final = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; bad input is one clear line on standard error."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] in (["bench"], ["fit"]):
        return _of_a_checkout(*arguments)
    args = _parser().parse_args(arguments or ["serve"])
    try:
        status: int = args.run(args)
    except KeyError:
        raise  # a word or a field that is missing: no game or player has that name, so it is a bug
    except (BadCase, BadOptions, BadDatabase, BadPuzzle, InUse, LookupError, OSError, StillOpen) as error:
        # LookupError: no such game or player. Anything else is a bug and keeps its traceback.
        message = error.args[0] if isinstance(error, LookupError) and error.args else error
        print(f"whodunit: {message}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def _of_a_checkout(command: str, *arguments: str) -> int:
    """Run a benchmark, or fit a table on games of bots: what measures and makes the house is not installed with it."""
    try:
        from whodunit import bench  # noqa: PLC0415  (the other commands need no benchmark)
        from whodunit.bench import fit  # noqa: PLC0415
    except ImportError:
        what = "benchmarks are" if command == "bench" else "fits are"
        print(f"whodunit: {what} no part of what is installed: in a checkout, ./run {command}", file=sys.stderr)
        return BAD_INPUT
    return bench.main(arguments) if command == "bench" else fit.main(arguments)


def _serve(args: argparse.Namespace) -> int:
    try:
        from whodunit.server.limits import read_limits  # noqa: PLC0415  (the other commands need no web server)
        from whodunit.server.serve import Settings, serve  # noqa: PLC0415
    except ModuleNotFoundError as error:
        missing, _, _ = (error.name or "").partition(".")
        if missing in ("", "whodunit"):
            raise
        raise LookupError(f"the site needs {missing}: install whodunit-games[site]") from error

    settings = Settings(
        host=args.host,
        port=args.port,
        data=args.data,
        public_url=args.public_url,
        haste=args.haste,
        browser=not args.no_browser,
        database=args.database,
        proxies=tuple(args.proxy),
        monitors=tuple(args.monitor),
        local=tuple(args.local),
        names=tuple(args.name),
        cases=not args.no_cases,
        limits=read_limits(dict(args.limit)),
    )
    serve(settings)
    return 0


def _check_data(args: argparse.Namespace) -> int:
    """Print each damage on a line of its own."""
    found: list[str] = []

    def say(line: str) -> None:
        found.append(line)
        print(line)

    if args.database is None:
        sqlite_check.examined(args.data / "whodunit.sqlite", say, repair=args.repair)
    else:
        asyncio.run(_examined_elsewhere(args.database, say, repair=args.repair))
    if not found:
        print("nothing is damaged")
    return 1 if found else 0


async def _examined_elsewhere(database: str, say: Callable[[str], None], *, repair: bool) -> None:
    if not database.startswith(postgres_schema.SCHEMES):
        raise BadDatabase(f"--database begins with {postgres_schema.SCHEMES[0]}")
    async with postgres_schema.usable(database) as connection:
        await postgres_schema.check_version(connection)
        await postgres_check.examined(connection, say, repair=repair)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="whodunit", description="A house of murder-mystery deduction games.")
    parser.add_argument("--version", action="version", version=f"%(prog)s {whodunit.__version__}")
    commands = parser.add_subparsers(required=True, metavar="command")

    serving = commands.add_parser("serve", help="open the site")
    serving.add_argument("--host", default="127.0.0.1")
    serving.add_argument("--port", type=int, default=8080, help="0 takes a free one")
    serving.add_argument("--data", type=Path, default=Path("data"), help="the folder in which everything is kept")
    serving.add_argument("--database", metavar="postgresql://...", help="instead of --data, for one node of many")
    serving.add_argument("--public-url", help="the address under which others reach the site")
    serving.add_argument("--proxy", action="append", default=[], metavar="ADDRESS", help="whose X-Forwarded-* counts")
    serving.add_argument("--monitor", action="append", default=[], metavar="ADDRESS", help="who may read /metrics")
    serving.add_argument("--local", action="append", default=[], metavar="ADDRESS", help="who else counts as the host")
    serving.add_argument("--name", action="append", default=[], metavar="NAME", help="a name that leads to the site")
    serving.add_argument("--haste", type=float, default=1.0, help="what every pause is multiplied by")
    limit = "how much one household may take, such as free_disk=0.1"
    serving.add_argument("--limit", action="append", default=[], type=_option, metavar="NAME=VALUE", help=limit)
    serving.add_argument("--no-cases", action="store_true", help="make no cases of the day")
    serving.add_argument("--no-browser", action="store_true", help="do not open the page")
    serving.set_defaults(run=_serve)

    watch = commands.add_parser("watch", help="watch bots play a game, told from one seat")
    watch.add_argument("game", nargs="?", default="clue")
    watch.add_argument("--seats", default=",".join(["detective"] * 4), help=f"who plays, by seat: {_PLAYERS}")
    watch.add_argument("--seat", type=int, default=0, help="whose eyes to look through")
    watch.add_argument("--save", metavar="FILE", help="save the case when it is closed")
    _add_common(watch)
    watch.set_defaults(run=_watch)

    contest = commands.add_parser("arena", help="let bots play many games against each other")
    contest.add_argument("game")
    contest.add_argument("--seats", required=True, help=f"who plays, such as random,random,random: {_PLAYERS}")
    contest.add_argument("--games", type=_positive, default=200)
    contest.add_argument("--pair", action="store_true", help="play each deal once in every rotation of the seats")
    contest.add_argument(
        "--ceiling",
        type=_positive,
        metavar="TURN",
        help="tell the first player the truth at this turn: the most one can win",
    )
    contest.add_argument("--workers", type=_positive, default=arena.cores(), help="how many processes")
    contest.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    _add_common(contest)
    contest.set_defaults(run=_arena)

    _add_saved(commands)
    _add_cases(commands)

    data = commands.add_parser("check-data", help="read everything that is stored, and name what is damaged")
    data.add_argument("--data", type=Path, default=Path("data"), help="the folder in which everything is kept")
    data.add_argument("--database", metavar="postgresql://...", help="instead of --data")
    data.add_argument("--repair", action="store_true", help="make anew what follows from other things; never a record")
    data.set_defaults(run=_check_data)

    commands.add_parser("games", help="list the installed games, and what is wrong with others").set_defaults(
        run=_games
    )
    commands.add_parser("bench", help="run a benchmark: whodunit bench <name> --help")
    commands.add_parser("fit", help="fit a table on games of bots: whodunit fit <name> --help")
    return parser


def _add_saved(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add what is done with a saved case."""
    check = commands.add_parser("verify", help="check a saved case: its seal, its draws, its events")
    check.add_argument("case", metavar="game.case")
    check.add_argument("--bots", action="store_true", help="also run its bots again: did they make these moves?")
    check.set_defaults(run=_verify)

    look_back = commands.add_parser("review", help="review a saved case: who could know what when, and what cost most")
    look_back.add_argument("case", metavar="game.case")
    look_back.add_argument("--seat", type=int, default=0, help="whose game is told first")
    look_back.add_argument("--language", choices=games.LANGUAGES, default="en")
    look_back.add_argument("--json", action="store_true", help="one JSON object: everything, of every viewer")
    look_back.add_argument("--html", metavar="FILE", type=Path, help="write it as one page that can be sent around")
    look_back.set_defaults(run=_review)


def _add_cases(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add what is done with cases to solve."""
    cases = commands.add_parser("cases", help="cases to solve: cut some from games, solve one, see that of a day")
    what = cases.add_subparsers(required=True, metavar="what")

    mining = what.add_parser("mine", help="cut cases from games, each with its proof")
    mining.add_argument("--game", default="clue")
    mining.add_argument("--count", type=_positive, default=10)
    mining.add_argument("--seed", help="the same seed gives the same cases (default: this commit)")
    mining.add_argument("--kind", action="append", default=[], help="ask this; may be given several times")
    mining.add_argument("--weekday", type=int, choices=range(1, 8), help="as this day has them, 1 is Monday")
    mining.add_argument("--save", metavar="FILE", type=Path, help="write them, a line each, with their answers")
    mining.add_argument("--json", action="store_true", help="one JSON object instead of a line each")
    mining.set_defaults(run=_mine)

    solving = what.add_parser("solve", help="solve a case of such a file here")
    solving.add_argument("file", metavar="FILE", type=Path)
    solving.add_argument("--number", type=_positive, default=1, help="which one, by its line")
    solving.add_argument("--language", choices=games.LANGUAGES, default="en")
    solving.set_defaults(run=_solve)

    day = what.add_parser("day", help="make the case of a day: it is the same everywhere")
    day.add_argument("day", nargs="?", metavar="2026-11-18", help="(default: today, in UTC)")
    day.add_argument("--game", default="clue")
    day.add_argument("--language", choices=games.LANGUAGES, default="en")
    day.add_argument("--answer", action="store_true", help="tell the answer and its proof, too")
    day.add_argument("--save", metavar="FILE", type=Path, help="write it to be solved, with its answer")
    day.set_defaults(run=_day)


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--move-time",
        type=_seconds,
        default=seats.MOVE_S,
        metavar="SECONDS",
        help="how long a bot of your own may take for a decision",
    )
    parser.add_argument("--seed", help="the same seed gives the same games (default: this commit)")
    parser.add_argument("--option", action="append", default=[], type=_option, metavar="NAME=VALUE")


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is not a positive number")
    return number


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"{text} is no time")
    return seconds


def _option(text: str) -> tuple[str, object]:
    """Read NAME=VALUE; a value that is no JSON is a plain word."""
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _seed(args: argparse.Namespace) -> str:
    if args.seed is not None:
        return str(args.seed)
    try:
        told = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True)  # noqa: S607
    except (OSError, subprocess.CalledProcessError):
        return "0"  # an installed copy has no commit
    return told.stdout[:8]


def _watch(args: argparse.Namespace) -> int:
    levels = seats.split(args.seats)
    case = arena.open_with_bots(args.game, levels, dict(args.option), _seed(args))
    if not 0 <= args.seat < len(levels):
        raise LookupError(f"there is no seat {args.seat}; there is: 0 to {len(levels) - 1}")
    game = case.table.game
    _check(levels, game)
    texts, reasons = games.texts(args.game), bots.texts()
    names = [f"{name} (you)" if seat == args.seat else name for seat, name in enumerate(NAMES[: len(levels)])]

    def told(grown: Case) -> None:
        for event in grown.table.seen(args.seat, grown.batches[-1].events):
            print(say(game.tell(event), texts, names))

    def after(grown: Case, seat: Seat, _: float) -> None:
        if seat == args.seat:
            for reason in players[seat].explain():
                if reason.key != "only":
                    print(f"    {say(reason, reasons, names)}")
        told(grown)

    with arena.seating(case, levels, args.move_time) as players:
        told(case)
        case = arena.play_case(case, after, players, arena.LONGEST)
    for seat, player in players.items():
        if isinstance(player, Own) and player.slips.first:
            print(f"{levels[seat]}: {_in_words(player.slips)}", file=sys.stderr)
    if args.save:
        whodunit.save(case, args.save)
    return 0


def _in_words(slips: Slips) -> str:
    counts = {kind: getattr(slips, kind) for kind in KINDS}
    wrong = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
    return f"of {slips.decisions} decisions {wrong}; first: {slips.first}"


def _check(levels: Sequence[str], game: Game) -> None:
    """Refuse before anyone plays whoever cannot."""
    for level in dict.fromkeys(levels):
        seats.check(level, game)


def _arena(args: argparse.Namespace) -> int:
    levels, seed = seats.split(args.seats), _seed(args)
    options = dict(args.option)
    _check(levels, arena.open_with_bots(args.game, levels, options, seed).table.game)  # as bad options are refused
    todo = arena.matches(
        args.game, levels, args.games, seed, options, pair=args.pair, told_at=args.ceiling, move_s=args.move_time
    )
    if args.ceiling is not None:
        levels[0] = arena.CEILING
    progress = Progress(len(todo))
    done: list[arena.Result] = []
    began = time.monotonic()
    status = 0
    try:
        for result in arena.results(todo, min(args.workers, len(todo))):
            done.append(result)
            progress.step()
    except KeyboardInterrupt:
        print(f"\nstopped after {len(done)} of {len(todo)} games", file=sys.stderr)
        status = INTERRUPTED
    if done:
        _report(args, done, arena.standings(levels, done, seed, pair=args.pair), seed, time.monotonic() - began)
    return status


def _report(
    args: argparse.Namespace,
    done: Sequence[arena.Result],
    standings: dict[str, arena.Standing],
    seed: str,
    seconds: float,
) -> None:
    slips, unfinished = arena.slips(done), sum(result.unfinished for result in done)
    if args.json:
        flat: dict[str, object] = {"games": len(done), "seed": int(seed) if seed.isdecimal() else seed}
        flat |= {"seconds": round(seconds, 3), "unfinished": unfinished}
        for level, struct in (*standings.items(), *slips.items()):
            flat |= {f"{level}.{name}": value for name, value in msgspec.structs.asdict(struct).items()}
        print(json.dumps(flat))
        return
    decisions = sum(result.decisions for result in done) / len(done)
    print(f"{len(done)} games of {args.game}, seed {seed}, {seconds:.1f} s, {decisions:.0f} decisions a game")
    if unfinished:
        print(f"{unfinished} of them had no end after {arena.LONGEST} decisions and were put aside, won by nobody")
    wide = max(12, *(len(level) + 1 for level in standings))
    print(f"{'player':<{wide}}{'wins':>8}{'95 % interval':>20}{'equal':>8}{'ms a move':>12}")
    for level, standing in standings.items():
        interval = f"{standing.low:.1%} to {standing.high:.1%}"
        figures = f"{standing.share:>8.1%}{interval:>20}{standing.fair:>8.1%}{standing.move_ms_median:>12.3f}"
        print(f"{level:<{wide}}{figures}")
    if slips:
        print(f"{'of your own':<{wide}}", *(f"{name:>9}" for name in ("decisions", *KINDS)))
    for level, wrong in slips.items():
        print(f"{level:<{wide}}", *(f"{getattr(wrong, name):>9}" for name in ("decisions", *KINDS)))
        if wrong.first:
            print(f"    first: {wrong.first}")


def _games(_: argparse.Namespace) -> int:
    for id in games.playable():
        (least, most), package = games.get(id).INFO.seats, games.registered()[id].package
        print(f"{id:<16}{games.texts(id)['name']:<20}{least} to {most} players, from {package}")
    for name, reason in games.broken().items():
        print(f"left out: {name}: {reason}", file=sys.stderr)
    return 1 if games.broken() else 0


def _verify(args: argparse.Namespace) -> int:
    case = whodunit.load(args.case)
    statements = [*verify(case), *(arena.certify(case) if args.bots else [])]
    marks = {True: "yes", False: "NO", None: "not said"}
    for number, statement in enumerate(statements, 1):
        print(f"({number}) {marks[statement.holds]}: {statement.text}")
    return 1 if any(statement.holds is False for statement in statements) else 0


def _review(args: argparse.Namespace) -> int:
    case = whodunit.load(args.case)
    seats = case.header.seats
    if not 0 <= args.seat < seats:
        raise LookupError(f"there is no seat {args.seat}; there is: 0 to {seats - 1}")
    progress = Progress(seats + 2, "reviewing")  # every seat, who watched, and all of them together
    parts = []
    for part in stream(case, [args.seat]):
        parts.append(part)
        progress.step()
    texts = words.texts(case.header.game, args.language)
    players = list(NAMES[:seats])
    players[args.seat] = texts["review.report.you"].format(name=players[args.seat])
    found = Review(parts)
    subject = Subject(found, case.header.game, len(case.events), case.outcome, texts, players, args.seat)
    if args.html is not None:
        args.html.write_text(as_html(subject, args.language), "utf-8")
    if args.json:
        whole = {"game": case.header.game, "version": VERSION, "seats": [*found.seats.values()], "whole": found.whole}
        print(msgspec.json.encode(whole).decode())
    elif args.html is None:
        print(as_text(subject, shutil.get_terminal_size().columns), end="")
    return 0


# --- Cases to solve --------------------------------------------------------------------------------------------------


def _mine(args: argparse.Namespace) -> int:
    seed, kinds = _seed(args), sorted({kind for setting in provable(args.game).settings for kind in setting.kinds})
    for kind in args.kind:
        if kind not in kinds:
            raise LookupError(f"no case of {args.game} asks {kind!r}; they ask: {', '.join(kinds)}")
    progress, found = Progress(args.count, "cases"), []
    began = time.monotonic()
    every = supplied(args.game, seed, args.kind, args.weekday)
    for puzzle in islice(filter(partial(_is_of, args.weekday), every), args.count):
        found.append(puzzle)
        progress.step()
        if not args.json:
            print(_in_a_line(len(found), puzzle))
    seconds = time.monotonic() - began
    if args.save is not None:
        args.save.write_bytes(b"".join(written(puzzle) + b"\n" for puzzle in found))
    if args.json:
        figures: dict[str, object] = {"cases": len(found), "seed": int(seed) if seed.isdecimal() else seed}
        figures |= {"seconds": round(seconds, 3), "per_minute": round(60 * len(found) / seconds, 1)}
        for name, values in _figures(found).items():
            figures |= {f"{name}_least": min(values), f"{name}_median": median(values), f"{name}_most": max(values)}
            figures[f"{name}_mean"] = round(mean(values), 3)
        print(json.dumps(figures))
    return 0


def _is_of(weekday: int | None, puzzle: Puzzle) -> bool:
    """Say whether a case is as hard as those of this weekday."""
    edges = GENERATIONS[-1].efforts.get(puzzle.posed.game)
    return weekday is None or edges is None or edges[weekday - 1] <= puzzle.effort < edges[weekday]


def _figures(found: Sequence[Puzzle]) -> dict[str, list[int]]:
    return {
        "lines": [puzzle.posed.total for puzzle in found],
        "par": [puzzle.par for puzzle in found],
        "steps": [len(puzzle.steps) for puzzle in found],
        "effort": [puzzle.effort for puzzle in found],
    }


def _in_a_line(number: int, puzzle: Puzzle) -> str:
    posed = puzzle.posed
    asked = words_of(posed, NAMES).question(posed.question)
    figures = f"lines {posed.total:>2}  par {puzzle.par:>2}  effort {puzzle.effort / 1000:>5.1f}"
    figures = f"{figures}  steps {len(puzzle.steps):>2}"
    return f"{number:>4}  {figures}  {posed.seats} players  {asked}"


def _solve(args: argparse.Namespace) -> int:
    solving = Solving(_one_of(args.file, args.number), NAMES, args.language)
    print(*solving.begin(), sep="\n")
    for line in _typed():
        print(*solving.typed(line), sep="\n")
        if solving.ended:
            return 0
    print(*solving.left(), sep="\n")
    return 0


def _one_of(file: Path, number: int) -> Puzzle:
    """Return the case of a file that has this number; all of them are proved again."""
    found = []
    for place, line in enumerate(file.read_bytes().splitlines(), 1):
        try:
            puzzle = read(line)
            provable(puzzle.posed.game)
        except (BadPuzzle, LookupError) as error:
            raise BadPuzzle(f"{file}, line {place}: this is no case that can be solved: {error}") from error
        found.append(puzzle)
    if number > len(found):
        raise BadPuzzle(f"{file} has no case {number}; it has {len(found)}")
    return found[number - 1]


def _typed() -> Iterator[str]:
    """Yield what is typed, line by line, until there is no more."""
    while True:
        try:
            yield input("\n> ")
        except EOFError:
            return


def _day(args: argparse.Namespace) -> int:
    provable(args.game)
    puzzle = case_of(args.day or datetime.now(UTC).date().isoformat(), args.game)
    words = words_of(puzzle.posed, NAMES, args.language)
    if args.save is not None:
        args.save.write_bytes(written(puzzle) + b"\n")
    print(*case_text(puzzle.posed, words), sep="\n")
    if args.answer:
        print("", *proof_text(puzzle, words), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
