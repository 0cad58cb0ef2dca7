"""The invariant: what a house does is the same in both worlds until the viewer is told something it may know."""

from collections.abc import Sequence
from itertools import groupby, zip_longest
from typing import Final

import msgspec

from tests.traces.house import LOOKS, PROGRAMME, PUT, Habits, Run, Terms
from tests.traces.pairs import Pair
from tests.traces.trace import Entry, at_rest, first_difference, side_by_side
from whodunit.core.types import Seat
from whodunit.games import get
from whodunit.room.pace import SOLO, TEMPI

NEVER: Final = 1 << 60
HALL: Final = b'{"type":"lobby"'
"""How a frame begins that shows the hall."""


class Told(msgspec.Struct):
    """As much of a frame as says whether the game has gone on."""

    type: str
    events: list[msgspec.Raw] = []


def parted(one: Run, other: Run) -> int | None:
    """Return when the viewer was first told something else, or at another time; None: never."""
    for here, there in zip_longest(_moments(one), _moments(other)):
        if here != there:
            return min(moment[0] for moment in (here, there) if moment is not None)
    return None


def _moments(run: Run) -> list[tuple[int, list[bytes]]]:
    """Return what the viewer was told at each moment.

    In which order is the databases' to say; how often the hall goes round, real time's: what it shows at last counts.
    """
    moments = []
    for at, told in groupby(run.frames, lambda told: told[0]):
        frames = {HALL if frame.startswith(HALL) else frame: frame for _, frame in told}
        moments.append((at, sorted(frames.values())))
    return moments


def judged(pair: Pair, terms: Terms, habits: tuple[Habits, Habits], runs: tuple[Run, Run]) -> int:
    """Check a pair of worlds, and return how far they could be compared, in milliseconds."""
    until = parted(*runs)
    ends = min(run.ended for run in runs) if until is None else until
    one, other = (_before(run, min(ends, _falling(pair, terms, runs, ends))) for run in runs)
    where = f"{pair.game} {pair.setting}, event {pair.pasts[0][-1].last}, viewer {pair.viewer}, {terms}, {habits}"
    assert first_difference(one, other) is None, f"{where}:\n{side_by_side(one, other)}"
    if until is not None:
        news = [_news(run, until) for run in runs]
        assert any(news), (
            f"{where}: at {until} ms the viewer is told something that is no event:\n{_shown(runs, until)}"
        )
    assert runs[0].due == runs[1].due, f"{where}: answers are due at {runs[0].due} and {runs[1].due}"
    if pair.move is not None:
        assert runs[0].due, f"{where}: nobody was asked"
        least = _earliest(pair, runs)
        assert ends >= least, f"{where}: compared until {ends} ms, and the answer was due at {least} ms"
    for run, own in zip(runs, habits, strict=True):
        _punctual(pair, terms, own, run, where)
    _alike(pair, terms, habits, runs, where)
    return ends


def locked_by_readers(run: Run) -> list[Entry]:
    """Return the locks that the viewer's mere looking has taken."""
    looks = {at for at, kind, _ in PROGRAMME if kind in LOOKS}
    return [entry for entry in run.trace if entry.at in looks and entry.resource.startswith("lock")]


def _before(run: Run, ends: int) -> list[Entry]:
    return at_rest([entry for entry in run.trace if entry.at < ends])


def _falling(pair: Pair, terms: Terms, runs: Sequence[Run], ends: int) -> int:
    """Return when what the viewer is told at last, if it fell, began to fall, or began so in one world alone.

    When it fell is told with it: it is published as long after that as everybody can count. Alone among bots several
    may follow each other before the viewer is told something else: there the first counts.
    """
    if get(pair.game).INFO.sounds is None:
        return NEVER
    one, other = ([entry.at for entry in run.trace if entry.kind == "decide"] for run in runs)
    chosen = min if terms.pace in SOLO else max
    last = chosen((at for at in (*one, *other) if at < ends), default=NEVER)
    return min({*one} ^ {*other} | {last})


def _news(run: Run, at: int) -> bool:
    """Say whether the viewer was told of events at this moment."""
    told = [msgspec.json.decode(frame, type=Told) for moment, frame in run.frames if moment == at]
    return any(frame.type == "table" and frame.events for frame in told)


def _shown(runs: Sequence[Run], at: int) -> str:
    told = [[frame.decode() for moment, frame in run.frames if moment == at] for run in runs]
    return "\n".join(f"{str(here)[:200]}\n{str(there)[:200]}" for here, there in zip_longest(*told) if here != there)


def _earliest(pair: Pair, runs: Sequence[Run]) -> int:
    """Return the first moment at which the worlds may part: the answer's, or that of an interrupt before it."""
    info = get(pair.game).INFO
    cut = [
        at for run in runs for at, batch in run.batches if batch.cause and type(batch.cause.action) in info.interrupts
    ]
    return min([*runs[0].due, *cut])


def _first(pair: Pair, run: Run) -> tuple[int, Seat] | None:
    """Return when the first answer was given, or a bot's first move made, and by whom; None: something else came."""
    info = get(pair.game).INFO
    later = [(at, batch.cause) for at, batch in run.batches if batch.cause is not None and (at > PUT or not pair.move)]
    if not later or (type(later[0][1].action) in info.answers) != (pair.move is not None):
        return None
    at, cause = later[0]
    return None if type(cause.action) in info.interrupts else (at, cause.seat)


def _punctual(pair: Pair, terms: Terms, habits: Habits, run: Run, where: str) -> None:
    """Check that a bot answers at its moment or, if it thought longer, on the first whole beat after that."""
    first = _first(pair, run)
    if pair.move is None or first is None or first[1] not in terms.bots:
        return
    moment = run.due[pair.awaited.index(first[1])]
    late = first[0] - moment
    assert late >= 0, f"{where}: answered {-late} ms before its moment"
    assert late % TEMPI[terms.pace].beat == 0, f"{where}: answered {late} ms after its moment, which is on no beat"
    # Where bots may interrupt, what they think of that comes first.
    in_time = PUT + habits.thought <= moment and not get(pair.game).INFO.interrupts
    assert late == 0 or not in_time, f"{where}: answered {late} ms late, and had thought in time"


def _alike(pair: Pair, terms: Terms, habits: tuple[Habits, Habits], runs: tuple[Run, Run], where: str) -> None:
    """Check that when an answer or a move comes follows from what people and bots did, and from no hand."""
    first = [_first(pair, run) for run in runs]
    times = [None if one is None else one[0] for one in first]
    seat = next((one[1] for one in first if one is not None), None)
    if seat is None:
        return
    if seat in terms.bots:
        # What falls is published after as many seconds as there are drops.
        if None not in times and pair.move is None and get(pair.game).INFO.sounds is None:
            apart = (times[0] or 0) - (times[1] or 0)
            assert apart % TEMPI[terms.pace].beat == 0, (
                f"{where}: a bot moved at {times} ms, which are no whole beats apart"
            )
        return
    taps = [own.tap for own in habits]
    in_time = all(tap is not None and PUT + tap <= min(runs[0].due, default=0) for tap in taps)
    if taps[0] == taps[1] or in_time:
        assert times[0] == times[1], f"{where}: answered at {times[0]} ms, and in the other world at {times[1]} ms"
