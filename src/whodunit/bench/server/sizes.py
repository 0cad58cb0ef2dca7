"""What the sizes of messages tell whoever watches an encrypted line, in bits, and what it costs that they tell little.

Games of Clue are played at random. Whenever a card is shown, the same moment is told again as if it had been any other
card of the pack, and everything that goes over the wire for it is measured: the choice on its way to the server and
back to its player, and what both players are told of the card. The watcher may know everything else. Then the sizes are
a function of the card, and what they tell is their entropy, each card being as likely.
"""

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from types import SimpleNamespace
from typing import Final, NamedTuple, TypeAlias, cast

import msgspec

from whodunit.conformance.derive import complete
from whodunit.conformance.play import Played, play
from whodunit.conformance.settings import Setting
from whodunit.core.types import Batch
from whodunit.core.wire import encode
from whodunit.games import get
from whodunit.games.clue.facts import PACK
from whodunit.games.clue.model import CardShown, Show
from whodunit.host.live import Live
from whodunit.server import protocol
from whodunit.server.frames import Telling
from whodunit.server.padding import padded
from whodunit.table.table import Table

SEATS: Final = (3, 4, 6)
PACE: Final = 60
"""After so many moves players risk an accusation."""
TIMED: Final = 2000
"""How many frames are made to see how long one takes."""

Sizes: TypeAlias = Callable[[bytes | bytearray], int]
Messages: TypeAlias = tuple[bytes | bytearray, ...]
"""Everything that goes over the wire because of one card."""


class Shown(NamedTuple):
    """A card that was shown: the table before it, what was stored of it, and who learned of it."""

    before: Table
    batch: Batch
    event: CardShown


class Found(NamedTuple):
    """What the sizes tell, and what padding costs."""

    bits: float
    """How much the sizes tell of a card that is shown, of `most` bits."""
    bare: float
    """How much they would tell without padding."""
    most: float
    bytes_ratio: float
    """How many bytes players are told in a game, for each byte of content."""
    frame_us: float
    """How long it takes to make a player's frame."""


def bits(sizes: Iterable[object]) -> float:
    """Return how much a size tells of a secret, each of whose values has one of these and is as likely."""
    counts = Counter(sizes)
    return sum(-count / counts.total() * math.log2(count / counts.total()) for count in counts.values())


def measure(games: int = 12, seed: int = 0) -> Found:
    """Play so many games, and measure every card that is shown."""
    played = [_played(SEATS[number % len(SEATS)], seed + number) for number in range(games)]
    shown = [each for game in played for each in _shown(game)]
    told = [[*_told(each)] for each in shown]
    return Found(
        bits=_mean(told, len),
        bare=_mean(told, _content),
        most=math.log2(len(PACK)),
        bytes_ratio=_cost(played),
        frame_us=_timed(played[0]),
    )


def _mean(told: list[list[Messages]], size: Sizes) -> float:
    return sum(bits(tuple(map(size, messages)) for messages in each) for each in told) / len(told)


def _content(message: bytes | bytearray) -> int:
    return len(message.rstrip())


def _played(seats: int, seed: int) -> Played:
    game = get("clue")
    return play(game, complete(game), Setting(seats, {}, seed=seed, pace=PACE))


def _shown(game: Played) -> Iterator[Shown]:
    for before, batch in zip(game.tables, game.batches[1:], strict=False):
        for event in batch.events:
            if isinstance(event, CardShown):
                yield Shown(before, batch, event)


def _told(shown: Shown) -> Iterator[Messages]:
    """Return for each card of the pack how it would be chosen, and what its owner and the asker would be told."""
    since = shown.before.seq
    for card in PACK:
        choice = protocol.Select(n=1, table="table", since=since, action=msgspec.Raw(encode(Show(card))))
        noted = protocol.Answer(since=since, left_ms=1000, selected=Show(card), chosen=True, kept=False)
        events = tuple(
            msgspec.structs.replace(event, card=card) if isinstance(event, CardShown) else event
            for event in shown.batch.events
        )
        batch = msgspec.structs.replace(shown.batch, events=events)
        telling = _telling(shown.before.grow(batch), [batch])
        yield (
            padded(encode(choice)),
            padded(encode(protocol.AnswerFrame(table="table", answer=noted))),
            telling.to(shown.event.seat),
            telling.to(shown.event.to),
        )


def _telling(table: Table, batches: list[Batch]) -> Telling:
    live = SimpleNamespace(table=table, game=table.game, untimed=0, id="table", undoer=table.undoer)
    return Telling(cast(Live, live), batches, batches[0].seq - 1)


def _cost(games: Iterable[Played]) -> float:
    frames = [
        _telling(table, [batch]).to(seat)
        for game in games
        for table, batch in zip(game.tables, game.batches, strict=True)
        for seat in range(table.seats)
    ]
    return sum(map(len, frames)) / sum(map(_content, frames))


def _timed(game: Played) -> float:
    moments = [*zip(game.tables, game.batches, strict=True)]
    made = 0
    began = time.process_time()
    while made < TIMED:
        for table, batch in moments:
            telling = _telling(table, [batch])
            for seat in range(table.seats):
                telling.to(seat)
            made += table.seats
    return (time.process_time() - began) / made * 1e6
