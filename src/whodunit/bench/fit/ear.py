"""The bank of best-ear cases: real games are played, and what may be asked of their beginnings is kept.

On one machine what is written follows from the seed alone; elsewhere cubes fall otherwise. So it is made once, and
shipped.
"""

import argparse
import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha256
from importlib import resources
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple, get_args

from msgspec import Struct
from msgspec.structs import replace

from whodunit import arena
from whodunit.bench import report
from whodunit.core.redact import redact
from whodunit.core.rng import Stream
from whodunit.core.types import TABLE
from whodunit.core.wire import encode
from whodunit.games import arosa
from whodunit.games.arosa import bank, cases
from whodunit.games.arosa.bank import Asked, Bank, Beginning, Weights
from whodunit.games.arosa.facts import COLOURS, Colour
from whodunit.games.arosa.model import AnyEvent, Dropped, Exposed
from whodunit.table.case import Case
from whodunit.tower import CLIP, Difficulty, flac, law, listen

PLAYERS: Final = ("rookie", "detective")
TABLES: Final = ((2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (4, 0), (4, 1))
"""Seats, and clues of each in the prologue: few cubes, as cases are short."""
DEEPEST: Final = 16
"""More cubes than this are in no beginning."""
APART: Final = 10
"""Days between two questions about one game, at least."""
BITS: Final = 10
"""Of a sample; one less, and the listener hears worse."""


class Kind(Struct, frozen=True):
    """What is asked on one day of the week."""

    difficulty: Difficulty
    drops: int
    """How many of the asked colour have fallen: of two, one was found, and it is to be told which."""
    alone: tuple[int, int]
    """How likely the answer is by the noise alone, in thousandths: the less, the more the looks must tell."""
    lines: tuple[int, int]


WEEK: Final = (
    Kind("clear", 1, (990, 1000), (4, 5)),
    Kind("clear", 1, (940, 989), (4, 7)),
    Kind("clear", 1, (600, 939), (5, 8)),
    Kind("normal", 1, (950, 1000), (5, 8)),
    Kind("clear", 2, (0, 700), (5, 8)),
    Kind("normal", 1, (300, 949), (6, 8)),
    Kind("normal", 2, (0, 600), (6, 8)),
)


class Candidate(NamedTuple):
    """A beginning that may come into the bank."""

    beginning: Beginning
    clips: tuple[bytes, ...]
    asks: tuple[tuple["Asking", ...], ...]
    """By weekday."""


class Asking(NamedTuple):
    """Something that may be asked of a beginning."""

    lines: int
    colour: Colour
    drops: int


class Count(NamedTuple):
    """How often the listener was sure, and right."""

    sure: int = 0
    right: int = 0
    claimed: int = 0
    """How often it should have been, in millionths."""


def main(argv: Sequence[str]) -> int:
    """Play, choose, and write the bank."""
    parser = argparse.ArgumentParser(prog="whodunit fit ear", description=__doc__)
    parser.add_argument("--games", type=int, default=1500, help="how many games to play (1500)")
    parser.add_argument("--weeks", type=int, default=12, help="how long the calendar is (12)")
    parser.add_argument("--seed", default="ear")
    parser.add_argument(
        "--out", type=Path, default=_folder(), metavar="FOLDER", help="default: where the game reads it"
    )
    args = parser.parse_args(argv)
    laws = tuple(_whole(law(inside)) for inside in range(DEEPEST + 1))
    found, count = gathered(args.games, args.seed, laws)
    told = f"{count.sure} positions in which the listener is sure: right in {count.right}"
    report.progress(f"{told}, and {count.claimed // cases.WHOLE} were to be expected")
    used = chosen(found, args.weeks)
    calendar = spread([found[number] for number in used], args.weeks, args.seed)
    store, clips = shortened([found[number] for number in used], calendar, laws)
    args.out.mkdir(exist_ok=True)
    (args.out / bank.INDEX).write_bytes(encode(store))
    (args.out / bank.CLIPS).write_bytes(b"".join(clips))
    print(
        f"{shlex.join(['./run', 'fit', 'ear', *argv])}: {len(calendar)} questions about {len(store.beginnings)} games"
    )
    print(
        f"{len(clips)} clips, {sum(len(clip.replace(bytes(64), b'')) for clip in clips)} bytes besides what fills them"
    )
    return 0


# --- Playing ------------------------------------------------------------------------------------------------------


def gathered(games: int, seed: str, laws: Sequence[Weights]) -> tuple[list[Candidate], Count]:
    """Play so many games, and return those of which something may be asked."""
    found, count = [], Count()
    ways = [*product(get_args(Difficulty)[:2], TABLES, PLAYERS)]
    for number in range(games):
        difficulty, (seats, clues), player = ways[number % len(ways)]
        options = {"tower": "physics", "difficulty": difficulty, "prologue_clues": clues}
        opened = arena.open_with_bots("arosa", [player] * seats, options, f"{seed} {number}")
        begun, clips = recorded(begin(opened), difficulty)
        if begun is not None:
            asks, sure = askable(begun, laws, difficulty, Stream(sha256(f"{seed} {number}".encode()).digest()))
            count = Count(*(old + new for old, new in zip(count, sure, strict=True)))
            if any(asks):
                found.append(Candidate(begun, clips, asks))
        if number % 50 == 49:
            report.progress(f"{number + 1} games ...")
    return found, count


def begin(case: Case) -> Case:
    """Let the bots play the first lines of a case."""
    players = arena.players_of(case)
    for seat, player in players.items():
        player.see(case.table.update(seat, case.events))
    while not case.outcome and sum(isinstance(event, Dropped | Exposed) for event in case.events) < cases.MOST:
        seat = case.awaiting[0]
        case = case.step(seat, players[seat].act())
        for other, player in players.items():
            player.see(case.table.update(other, case.batches[-1].events))
    return case


def recorded(case: Case, difficulty: Difficulty) -> tuple[Beginning | None, tuple[bytes, ...]]:
    """Return what everybody saw of it, and its clips; None where a cube was pushed down a floor, which nobody sees."""
    events: list[AnyEvent] = []
    clips, floors, heard = [], [], []
    lies: dict[int, int] = {}
    for event in case.events:
        seen = redact(event, TABLE)
        if isinstance(event, Dropped) and isinstance(seen, Dropped):
            assert event.moved
            if any(lies[rest.cube] != rest.floor for rest in event.moved[1:]):
                return None, ()
            lies[event.moved[0].cube] = event.moved[0].floor
            clip = flac.encode(flac.decode(event.clip.data).mean(axis=1, keepdims=True), BITS, bank.CLIP_SIZE)
            seen = replace(seen, clip=replace(event.clip, id=bank.name_of(clip), data=b""))
            clips.append(clip)
            floors.append(event.moved[0].floor)
            heard.append(_whole(listen(CLIP, clip, difficulty)))
        events.append(seen)  # type: ignore[arg-type]  # a game's events are its own
    return Beginning(tuple(events), tuple(heard), tuple(floors)), tuple(clips)


def _whole(weights: Iterable[float]) -> Weights:
    """Return weights in millionths; none is nothing, as hearing rules no floor out."""
    return tuple(max(1, round(weight * cases.WHOLE)) for weight in weights)


# --- Asking -------------------------------------------------------------------------------------------------------


def askable(
    begun: Beginning, laws: Sequence[Weights], difficulty: Difficulty, chance: Stream
) -> tuple[tuple[tuple[Asking, ...], ...], Count]:
    """Return what may be asked of a beginning on each day of the week: each only once, at a drawn line."""
    _, lines = cases.cut(begun.events)
    heard = dict(zip(bank.names([begun]), begun.heard, strict=True))
    found: list[dict[tuple[Colour, int], list[Asking]]] = [{} for _ in WEEK]
    sure = right = claimed = 0
    for number in range(cases.FEWEST, min(cases.MOST, len(lines)) + 1):
        events = [event for line in lines[:number] for event in line]
        for colour in COLOURS:
            lies = cases.places(events, begun.floors, colour)
            if len(lies) != 1:
                continue
            likely = cases.weighed(events, colour, laws, heard)
            best = likely.index(max(likely))
            if likely[best] < cases.SURE:
                continue
            sure, right, claimed = sure + 1, right + (best == lies[0]), claimed + likely[best]
            if best != lies[0]:
                continue
            drops = [event for event in events if isinstance(event, Dropped) and event.colour == colour]
            alone = sum(cases.weighed([drop], colour, laws, heard)[best] for drop in drops) // (1000 * len(drops))
            asking = Asking(number, colour, len(drops))
            for day, kind in enumerate(WEEK):
                if _fits(kind, difficulty, asking, alone):
                    found[day].setdefault((colour, len(drops)), []).append(asking)
    return (
        tuple(tuple(ways[chance.below("line", len(ways))] for ways in day.values()) for day in found),
        Count(sure, right, claimed),
    )


def _fits(kind: Kind, difficulty: Difficulty, asking: Asking, alone: int) -> bool:
    return (
        kind.difficulty == difficulty
        and kind.drops == asking.drops
        and kind.alone[0] <= alone <= kind.alone[1]
        and kind.lines[0] <= asking.lines <= kind.lines[1]
    )


def chosen(found: Sequence[Candidate], weeks: int) -> list[int]:
    """Return which games to keep: as few clips as may be, and every day of the week has enough to ask."""
    wanted = Counter(dict.fromkeys(range(len(WEEK)), weeks))
    kept: list[int] = []
    left = set(range(len(found)))
    while sum(wanted.values()):
        worth = {
            number: sum(min(wanted[day], len(asks)) for day, asks in enumerate(found[number].asks)) for number in left
        }
        best = max(sorted(left), key=lambda number: worth[number] / len(found[number].clips))
        if not worth[best]:
            raise SystemExit("too few games")
        kept.append(best)
        left.remove(best)
        for day, asks in enumerate(found[best].asks):
            wanted[day] -= min(wanted[day], len(asks))
    return kept


def spread(used: Sequence[Candidate], weeks: int, seed: str) -> tuple[Asked, ...]:
    """Put what may be asked into a calendar in which no game comes up again soon, and nothing is asked twice."""
    for attempt in range(1000):
        chance = Stream(sha256(f"{seed} calendar {attempt}".encode()).digest())
        if calendar := _spread(used, weeks, chance):
            return calendar
    raise SystemExit("no calendar has all the same games apart")


def _spread(used: Sequence[Candidate], weeks: int, chance: Stream) -> tuple[Asked, ...]:
    pools = [
        [*chance.shuffled("day", [(number, asking) for number, one in enumerate(used) for asking in one.asks[day]])]
        for day in range(len(WEEK))
    ]
    last: dict[int, int] = {}
    first: dict[int, int] = {}
    asked: set[tuple[int, Colour, int]] = set()
    days: list[Asked] = []
    whole = weeks * len(WEEK)
    for day in range(whole):
        pool = pools[day % len(WEEK)]
        free = [
            (number, asking)
            for number, asking in pool
            if (number, asking.colour, asking.drops) not in asked
            and day - last.get(number, -whole) >= APART
            and first.get(number, day) + whole - day >= APART
        ]
        if not free:
            return ()
        number, asking = max(free, key=lambda one: sum(one[0] == other for other, _ in pool))
        pool.remove((number, asking))
        last[number] = day
        first.setdefault(number, day)
        asked.add((number, asking.colour, asking.drops))
        days.append(Asked(number, asking.lines, asking.colour))
    return tuple(days)


# --- Writing ------------------------------------------------------------------------------------------------------


def shortened(
    used: Sequence[Candidate], calendar: Sequence[Asked], laws: Sequence[Weights]
) -> tuple[Bank, list[bytes]]:
    """Return the bank, each beginning as long as the longest that is asked of it, and its clips."""
    beginnings: list[Beginning] = []
    clips: list[bytes] = []
    for number, one in enumerate(used):
        given, lines = cases.cut(one.beginning.events)
        longest = max((asked.lines for asked in calendar if asked.beginning == number), default=0)
        events = one.beginning.events[: len(given) + sum(map(len, lines[:longest]))]
        drops = sum(isinstance(event, Dropped) for event in events)
        beginnings.append(Beginning(events, one.beginning.heard[:drops], one.beginning.floors[:drops]))
        clips += one.clips[:drops]
    return Bank(tuple(laws), tuple(beginnings), tuple(calendar)), clips


def _folder() -> Path:
    return Path(str(resources.files(arosa))) / "data"
