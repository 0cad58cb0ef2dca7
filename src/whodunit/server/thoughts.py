"""What is thought in a worker process: a bot's move, notes, advice, verdicts, the past, exercises, closed cases.

A process keeps the bots, beliefs and pasts it has used last. Whoever asks one that has lost them tells it all again.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import accumulate
from math import ceil
from time import thread_time
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from whodunit import arena, bots, games
from whodunit.bots.reliving import SeatedBot, SeenBatch, light
from whodunit.bots.tutor import advise
from whodunit.core.errors import Illegal
from whodunit.core.judging import Showing
from whodunit.core.notes import Assistance, Hint, Proof, Sheet, newest
from whodunit.core.redact import fold
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Action, Belief, Event, Seat
from whodunit.core.wire import encode
from whodunit.review import judge
from whodunit.review.figures import Figures, figures
from whodunit.server.event_frames import event_frames
from whodunit.server.padding import STEP_OF_EVENT, missing
from whodunit.server.protocol import Looked
from whodunit.table.case import Case, Header
from whodunit.table.case_file import content
from whodunit.table.codec import unpack, whole
from whodunit.table.replay import Eyes, Replay
from whodunit.table.seal import Seal
from whodunit.table.table import Table
from whodunit.table.verify import Statement, verify

T = TypeVar("T")
SLICE_S = 0.01
"""An asked bot's thought takes whole slices of this length, as what it answers takes whole entries of one size."""
REMEMBERED = 256
"""How many bots and beliefs a process keeps."""
PASTS = 32
"""How many tables' whole past: each is as long as its case."""


class Seen(Struct, frozen=True):
    """What a seat has been told behind event `after`; from 0 on, everything."""

    table: str
    game: str
    seat: Seat
    after: int
    steps: tuple[SeenBatch, ...]

    @property
    def seq(self) -> int:
        return self.after + sum(len(step.events) for step in self.steps)

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple([event for step in self.steps for event in step.events])


class Remembered(Struct, frozen=True):
    """What a seat had been told up to an event, where the process remembers the table's past."""

    table: str
    game: str
    seat: Seat
    seq: int
    after: int = 0


class LostMemory(Struct, frozen=True):
    """In place of a result: the process does not know what came before `after`, or has died."""


class Memory(Generic[T]):
    """The last used ones of many."""

    def __init__(self, most: int) -> None:
        self._kept: OrderedDict[Any, T] = OrderedDict()
        self._most = most

    def get(self, key: Any) -> T | None:
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(self, key: Any, value: T) -> T:
        self._kept[key] = value
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return value


# --- Bots -----------------------------------------------------------------------------------------------------------


class Think(Struct, frozen=True):
    """A bot is to move."""

    seen: Seen
    level: str
    seed: bytes
    certified: bool
    """Whether every move of the seat is this bot's: told everything again, it lives through its moves again."""
    urgent: bool = False
    """Whether it is only asked for an interrupt, as nobody waits for it."""


_BOTS: Memory[SeatedBot] = Memory(REMEMBERED)


def think(job: Think) -> Action | LostMemory | None:
    """Return what the bot does now; nothing, where it only may interrupt and does not, or may do nothing any more."""
    begun = thread_time()
    bot = _remembered(job)
    if bot is None or len(bot.events) != job.seen.after or bot.is_overtaken(job.seen.steps):
        return LostMemory()
    for step in job.seen.steps:
        if bot.chosen is not None and not step.mine and job.certified:
            return LostMemory()  # what it thought of came to nothing: it lives again, without the draws for that
        if step.mine and job.certified:
            bot.relive(step)
        bot.see(step)
    if job.urgent:
        return bot.player.interrupt()
    if not bot.may_act:
        return None  # another node has let the table move on, and this one has not heard of it yet
    action = bot.act()
    if bot.is_asked:
        _fill_up(begun)
    return action


def _remembered(job: Think) -> SeatedBot | None:
    """Return the bot with what it has seen; a new one if it is told everything."""
    seen = job.seen
    key = (seen.table, seen.seat, job.level)
    if seen.after:
        return _BOTS.get(key)
    game = games.get(seen.game)
    return _BOTS.put(key, SeatedBot(bots.seated(job.level, game, seen.seat, job.seed), game, seen.seat))


def _fill_up(begun: float) -> None:
    """Use the processor until whole slices of its time are over: what is left of it tells others how long this took."""
    ends = begun + SLICE_S * ceil((thread_time() - begun) / SLICE_S)
    while thread_time() < ends:
        pass


# --- Notes ----------------------------------------------------------------------------------------------------------


class Ponder(Struct, frozen=True):
    """A seat's notes are wanted; with a cell, why it is certain."""

    seen: Seen | Remembered
    level: Assistance
    cell: tuple[str, str] | None = None
    past: bool = False
    """Whether this is how things stood once: not to be kept in mind."""


class Hinted(Struct, frozen=True):
    """A hint is wanted from all that a seat has been told, of none of these entries of its notes."""

    seen: Seen | Remembered
    known: tuple[tuple[str, str], ...]


class _Mind(Struct, frozen=True):
    belief: Belief
    seen: tuple[Event, ...] = ()


_MINDS: Memory[_Mind] = Memory(REMEMBERED)


def ponder(job: Ponder) -> Sheet | Proof | LostMemory | None:
    """Return the seat's notes, or the proof of one of their entries."""
    key = (job.seen.table, job.seen.seat)
    mind = _MINDS.get(key) if job.seen.after else _Mind(_belief(job.seen))
    events = _events(job.seen)
    if mind is None or len(mind.seen) != job.seen.after or events is None:
        return LostMemory()
    belief = mind.belief
    for event in events:
        belief = belief.learn(event)
    mind = _Mind(belief, mind.seen + light(events))
    if not job.past:
        _MINDS.put(key, mind)
    return belief.sheet(job.level) if job.cell is None else belief.proof(*job.cell, mind.seen)


def hinted(job: Hinted) -> Hint | LostMemory | None:
    """Return what became certain to the seat last without having been seen: from its own notes, event by event."""
    events = _events(job.seen)
    if events is None:
        return LostMemory()
    beliefs = [*accumulate(events, lambda belief, event: belief.learn(event), initial=_belief(job.seen))][1:]
    cell = newest([partial(cache(belief.sheet), "logic") for belief in beliefs], frozenset(job.known))
    if cell is None:
        return None
    proof = beliefs[-1].proof(cell.row, cell.column, light(events))
    after = max((reason.seq or 0 for reason in proof.reasons), default=0) if proof else 0
    return Hint(after or None, cell.row, cell.column, cell.mark)


class AdviceWanted(Struct, frozen=True):
    """Advice is wanted for a learner, from all that their seat has been told."""

    seen: Seen | Remembered


def advised(job: AdviceWanted) -> tuple[Action | None] | LostMemory:
    """Return what a careful player would do in the seat, if there is anything to do."""
    events = _events(job.seen)
    if events is None:
        return LostMemory()
    return (advise(games.get(job.seen.game), job.seen.seat, events, games.lesson(job.seen.game)),)


class Retried(Struct, frozen=True):
    """It is wanted how good another action would have been, after all that a seat had been told."""

    seen: Seen | Remembered
    action: Action
    showing: Showing


def retried(job: Retried) -> bytes | LostMemory:
    """Return the judge's verdict, encoded as the reply carries it; raises Illegal if that was not on offer."""
    events = _events(job.seen)
    if events is None:
        return LostMemory()
    game, seat = games.get(job.seen.game), job.seen.seat
    offers = tuple(game.legal(fold(game, events), seat))
    if not any(offer.admits(job.action) for offer in offers):
        raise Illegal(seat, job.action, offers)
    return encode(judge(game, seat, events, job.action, showing=job.showing))


def _belief(seen: Seen | Remembered) -> Belief:
    return games.get(seen.game).belief(seen.seat)


def _events(seen: Seen | Remembered) -> Sequence[Event] | None:
    """Return what the seat has been told, or None if the table's past is not remembered here."""
    if isinstance(seen, Seen):
        return seen.events
    past = _PASTS.get(seen.table)
    return None if past is None or past.seq < seen.seq else past.seen(seen.seat, seen.seq)


# --- The past -------------------------------------------------------------------------------------------------------


class Retold(Struct, frozen=True):
    """What has happened at a table behind event `after`, as it is stored; from 0 on, everything."""

    table: str
    game: str
    after: int
    last: int
    bodies: tuple[bytes, ...]


class Glance(Struct, frozen=True):
    """The table is wanted as it stood after an event, as these eyes saw it."""

    table: str
    seq: int
    eyes: Eyes
    closed: bool = False
    """Whether the case is: then also what was on offer to a seat."""


class Chronicle(Struct, frozen=True):
    """What a viewer is told of the events behind one up to another is wanted."""

    table: str
    game: str
    viewer: Seat
    after: int
    until: int
    untimed: int


class Late(Struct, frozen=True):
    """It is wanted up to which event everything had been stored by then."""

    table: str
    late: int


_PASTS: Memory[Replay] = Memory(PASTS)


def retell(job: Retold) -> LostMemory | None:
    """Take in what has happened."""
    past = _PASTS.get(job.table) if job.after else _PASTS.put(job.table, Replay(games.get(job.game)))
    if past is None or past.seq != job.after:
        return LostMemory()
    for body in job.bodies:
        past.grow(unpack(body, games.get(job.game)))
    return None


def glance(job: Glance) -> bytes | LostMemory:
    """Return the table as it stood, encoded as the reply carries it."""
    past = _PASTS.get(job.table)
    if past is None or past.seq < job.seq:
        return LostMemory()
    offers: Any = ()  # written as protocol.OfferNow says
    if job.closed and job.eyes != "all" and job.eyes >= 0:
        offers = past.offers(job.eyes, job.seq)
    return encode(Looked(job.seq, past.view(job.eyes, job.seq), offers))


def chronicle(job: Chronicle) -> bytes | LostMemory:
    """Return the events as the viewer is told them, encoded, with commas in between."""
    past = _PASTS.get(job.table)
    if past is None or past.seq < job.until:
        return LostMemory()
    game, events = games.get(job.game), past.numbered(job.after, job.until)
    told = encode(event_frames(game, events, job.viewer, job.untimed))[1:-1]
    if job.viewer == TABLE:
        return told
    public = encode(event_frames(game, events, TABLE, job.untimed))[1:-1]
    return told + b" " * missing(len(told), len(public), STEP_OF_EVENT * len(events))


def open_until(job: Late) -> int | LostMemory:
    """Return that event; 0: none."""
    past = _PASTS.get(job.table)
    return LostMemory() if past is None else past.open_until(job.late)


class Filed(Struct, frozen=True):
    """A closed case, as it is stored."""

    header: Header
    seal: Seal
    bodies: tuple[bytes, ...]
    clips: dict[str, bytes]
    """By id, as far as they are still there."""
    untimed: int = 0
    """Before which moment nothing is to say when it happened."""


def unfiled(job: Filed) -> Case:
    """Return a closed case that was stored."""
    game = games.get(job.header.game)
    table = Table(game, job.header.seats, job.seal.seed(job.header.salts))
    batches = []
    for body in job.bodies:
        batch = unpack(body, game)
        table = table.grow(batch)
        batch = replace(batch, at=0) if batch.at < job.untimed else batch
        batches.append(whole(batch, job.clips) if job.clips else batch)
    if table.outcome is None:
        table = table.abandon()
    return Case(header=job.header, seal=job.seal, table=table, batches=tuple(batches)).close()


def check(job: Filed) -> list[Statement]:
    """Say whether a closed case's chance, moves and bots are what they say."""
    case = unfiled(job)
    return [*verify(case), *arena.certify(case)]


class Reckoned(Struct, frozen=True):
    """It is wanted how a seat did in a closed case."""

    filed: Filed
    seat: Seat


def reckoned(job: Reckoned) -> Figures:
    """Return how the seat did, in figures."""
    return figures(unfiled(job.filed), job.seat)


def file_of(job: Filed) -> bytes:
    """Return the file of a closed case."""
    return content(unfiled(job))


# --- All else -------------------------------------------------------------------------------------------------------


class Exercise(Struct, frozen=True):
    """Something is wanted to train the ear on."""

    game: str
    difficulty: str
    floor: int | None
    seed: bytes


def exercise(job: Exercise) -> Any:
    """Let something fall that counts for nothing."""
    sounds = games.get(job.game).INFO.sounds
    assert sounds is not None
    return sounds.practise(job.difficulty, job.floor, Rng(job.seed, 1))


def warm(game: str) -> None:
    """Load what the game's first sound needs."""
    if sounds := games.get(game).INFO.sounds:
        sounds.warm()


def decided(work: Callable[[], T]) -> T:
    """Decide something that was packed up for this process."""
    return work()
