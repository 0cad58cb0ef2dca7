"""A bot of one's own in its seat: whatever goes wrong with it costs it a decision, is counted, and stops nothing."""

import secrets
from typing import Final, Literal, Protocol, TypeAlias, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whodunit.bots.random import Random
from whodunit.core.errors import Illegal
from whodunit.core.frames import EventFrame, line
from whodunit.core.types import TABLE, Action, Game, Player, Seat, Update
from whodunit.core.wire import encode
from whodunit.seats.lines import Asks, Hello, RoomLine, TableLine
from whodunit.table.codec import read_action

LIVES: Final = 3
"""How often it may begin in a game: whoever hangs is waited for so many times, and not at every decision."""
START_S: Final = 30.0
"""How many seconds it may take to begin: whoever loads a network needs longer for that than for a decision."""
END_S: Final = 1.0
"""How many seconds it has to end by itself when its game is over."""
MOST_BYTES: Final = 1 << 20
"""How long an answer may be."""
MOST_SAID: Final = 300
"""How much of what went wrong is told, in characters."""

Kind: TypeAlias = Literal["late", "crashed", "garbled", "illegal"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)


class Slips(Struct, frozen=True):
    """How often a bot of one's own was asked, and how often the house decided for it, by what had gone wrong."""

    decisions: int = 0
    late: int = 0
    crashed: int = 0
    garbled: int = 0
    illegal: int = 0
    first: str = ""
    """What went wrong first, in a line."""

    def __add__(self, other: "Slips") -> "Slips":
        """Return both together; what went wrong first, went wrong here."""
        counts = {name: getattr(self, name) + getattr(other, name) for name in ("decisions", *KINDS)}
        return Slips(**counts, first=self.first or other.first)


class Failure(Exception):
    """Why there is no answer that can be done."""

    def __init__(self, kind: Kind, why: str) -> None:
        super().__init__(kind, why)
        self.kind: Kind = kind
        self.why = short(why)


def short(text: str) -> str:
    """Return the end of a text in one line that does nothing to a terminal."""
    words = "".join(letter if letter.isprintable() else " " for letter in text).split()
    said = " ".join(words)
    return said if len(said) <= MOST_SAID else f"... {said[-MOST_SAID:]}"


class Wire(Protocol):
    """The way to a bot: it begins when it is first asked, and anew when it is asked after `close`."""

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Return its answer to a line, or raise Failure."""

    def close(self, last: bytes | None = None) -> None:
        """Tell it a last line, which needs no answer, and let go of it and of all that it has started."""


class Own(Player):
    """Asks a bot that runs elsewhere. What it does not answer rightly is decided by the house: a random legal action.

    It is told what is new when it is asked, all at once. Unless its answer was only illegal, it may be out of step: it
    begins anew when it is asked next, and is told everything again. At the end of its lives it is asked no more.
    """

    def __init__(self, wire: Wire, game: Game, seat: Seat, seed: bytes, move_s: float) -> None:
        super().__init__(game, seat, seed)
        self.slips = Slips()
        self._wire = wire
        self._move_s = move_s
        self._events: list[EventFrame] = []
        self._seq = 0
        """How many of them it has been told."""
        self._table = ""
        """The name of its seat, to it; empty while it has not begun."""
        self._hello: Hello | None = None
        """What it has said; a bot that begins anew is taken for the same until it says otherwise."""
        self._lives = LIVES
        self._last: Failure | None = None

    def see(self, update: Update) -> None:
        """Keep it until the bot is asked."""
        super().see(update)
        first = update.seq - len(update.events) + 1
        self._events += [
            EventFrame(seq, first, 0, event, line(self.game, event)) for seq, event in enumerate(update.events, first)
        ]

    def act(self) -> Action:
        """Return what the bot does, or in its place an action drawn from the seed of its seat."""
        drawn = Random(self.game, self.seat, b"%b|house|%d" % (self.seed, self.update.seq))
        example = drawn.choose(self.update.view, self.update.offers)
        return self._asked("act", example) or example

    def interrupt(self) -> Action | None:
        """Return what it does at once, if it has said that it wants to be asked; what goes wrong is no interrupt."""
        interrupts = self.game.INFO.interrupts
        if not any(offer.action in interrupts for offer in self.update.offers):
            return None
        if self._hello is None and self._lives == LIVES and not self._greet(counts=True):  # it had not begun yet
            self.slips = replace(self.slips, decisions=self.slips.decisions + 1)
        wants = self._lives and self._hello is not None and self._hello.interrupts
        return self._asked("interrupt", None) if wants else None

    def refusal(self) -> str:
        """Let it begin and end; return what is wrong with it, or nothing."""
        self._greet()
        self._wire.close()
        return "" if self._last is None else f"{self._last.kind}: {self._last.why}"

    def part(self) -> None:
        """Tell it how the game has ended, and give it a moment to take note."""
        if self._table:
            self._wire.close(self._line(None, None))
        self._table = ""

    def close(self) -> None:
        """Let go of it at once, however it stands."""
        self._wire.close()

    # --- One question -----------------------------------------------------------------------------------------------

    def _asked(self, asks: Asks, example: Action | None) -> Action | None:
        """Return what the bot answers, or None where it is nothing that can be done."""
        self.slips = replace(self.slips, decisions=self.slips.decisions + 1)
        if not self._lives:
            assert self._last is not None
            self._count(self._last)
        elif self._table or self._greet(counts=True):
            try:
                return self._read(self._wire.ask(self._line(asks, example), self._move_s), asks)
            except Failure as failure:
                self._lost(failure)
                self._count(failure)
        return None

    def _greet(self, *, counts: bool = False) -> bool:
        """Begin, and say whether the bot has said hello; if not, it may have cost a decision."""
        table, self._seq = secrets.token_hex(8), 0
        room = RoomLine(
            table=table, game=self.game.INFO.id, me=self.seat, seed=self.seed.hex(), move_ms=round(1000 * self._move_s)
        )
        try:
            said = self._wire.ask(encode(room) + b"\n", START_S)
            try:
                self._hello = msgspec.json.decode(said, type=Hello)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                raise Failure("garbled", f"{error}, in its hello: {_cited(said)}") from error
        except Failure as failure:
            self._lost(failure)
            if counts:
                self._count(failure)
            return False
        self._table = table
        return True

    def _line(self, asks: Asks | None, example: Action | None) -> bytes:
        """Return what is new to it; everything, if it has just begun."""
        update, after = self.update, self._seq
        self._seq = update.seq
        return (
            encode(
                TableLine(
                    table=self._table,
                    after=after,
                    seq=update.seq,
                    awaiting=tuple(sorted(update.awaiting - {TABLE})),
                    outcome=update.outcome,
                    closed=asks is None,
                    events=tuple(self._events[after:]),
                    view=update.view,
                    offers=update.offers,
                    asks=asks,
                    example=example,
                )
            )
            + b"\n"
        )

    def _read(self, said: bytes, asks: Asks) -> Action | None:
        """Return the action in an answer, if it can be done."""
        if asks == "interrupt" and said.strip() == b"null":
            return None
        try:
            action = read_action(said, self.game)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise Failure("garbled", f"{error}: {_cited(said)}") from error
        urgent = type(action) in self.game.INFO.interrupts
        if (asks == "interrupt" and not urgent) or not any(offer.admits(action) for offer in self.update.offers):
            raise Failure("illegal", str(Illegal(self.seat, action, self.update.offers)))
        return action

    def _lost(self, failure: Failure) -> None:
        """Take it in that there was no answer."""
        if failure.kind != "illegal":
            self._wire.close()
            self._table = ""
            self._lives -= 1
        self._last = failure

    def _count(self, failure: Failure) -> None:
        slips = self.slips
        number: int = getattr(slips, failure.kind)
        first = slips.first or f"seat {self.seat}, after event {self.update.seq}: {failure.kind}: {failure.why}"
        self.slips = replace(slips, first=first, **{failure.kind: number + 1})


def _cited(said: bytes) -> str:
    return said[:MOST_SAID].decode("utf-8", "backslashreplace")
