"""Who is thought for next: by what is at stake, then households in turn, then by who came first.

Only public facts count: what kind of thought it is, who asks from which household, who plays and who is there. A kind
has a fixed cost; how long a thought took never counts, since that may depend on hidden cards.
"""

from collections import deque
from collections.abc import Sequence
from enum import IntEnum
from itertools import count
from typing import Final, Generic, TypeVar

from msgspec import Struct

from whodunit.core.ports import NEVER
from whodunit.host.live import Live

T = TypeVar("T")
PATIENCE: Final = 16
"""After so many that had more at stake, one of the next kind has its turn: nobody waits for ever."""


class Stake(IntEnum):
    """What is at stake; the first comes first."""

    PERSON = 0
    """Somebody waits for it, or plays at the table."""
    BOTS = 1
    """Bots go on among themselves."""
    SPARE = 2
    """Practice, and checks of what is over."""


class Claim(Struct, frozen=True):
    """On whose account something is thought."""

    stake: Stake = Stake.PERSON
    households: frozenset[str] = frozenset()
    """Of several, it counts for the one that has least waiting."""
    who: str = ""
    """Whose wish it is within the household: a person or a table. They take turns, too."""


class FairQueue(Generic[T]):
    """Things that wait for their turn."""

    def __init__(self) -> None:
        self._lines: dict[Stake, _Line[T]] = {stake: _Line() for stake in Stake}
        self._passed = dict.fromkeys(Stake, 0)
        """By stake: how often others have come first since its last turn."""

    def __bool__(self) -> bool:
        return any(map(bool, self._lines.values()))

    def put(self, claim: Claim, cost: int, item: T) -> None:
        """Let it wait."""
        line = self._lines[claim.stake]
        household = min(sorted(claim.households), key=line.tail, default="")
        line.put((household, claim.who), cost, item)

    def pop(self) -> T:
        """Take what is next."""
        waiting = [stake for stake in Stake if self._lines[stake]]
        late = [stake for stake in waiting if self._passed[stake] >= PATIENCE]
        chosen = late[-1] if late else waiting[0]
        for stake in waiting:
            self._passed[stake] = 0 if stake is chosen else self._passed[stake] + 1
        return self._lines[chosen].pop()


class _Line(Generic[T]):
    """Flows that take turns by what they cost (start-time fair queueing); each may be divided the same way."""

    def __init__(self) -> None:
        self._flows: dict[str, _Flow[T]] = {}
        self._now = 0
        """Where the flow began whose turn came last: who comes anew begins there, and has nothing saved up."""
        self._numbers = count()

    def __bool__(self) -> bool:
        return any(flow.waiting for flow in self._flows.values())

    def tail(self, key: str) -> int:
        """Return where a flow would end that gets nothing more."""
        flow = self._flows.get(key)
        return self._now if flow is None else max(self._now, flow.tail)

    def put(self, path: Sequence[str], cost: int, item: T) -> None:
        key, *rest = path
        tail = self.tail(key)
        flow = self._flows.setdefault(key, _Flow(_Line() if rest else None))
        if not flow.waiting:
            flow.start, flow.number = tail, next(self._numbers)
        flow.tail = tail + cost
        flow.put(rest, cost, item)

    def pop(self) -> T:
        flow = min((flow for flow in self._flows.values() if flow.waiting), key=lambda flow: (flow.start, flow.number))
        self._now = flow.start
        cost, item = flow.pop()
        flow.start += cost
        flow.number = next(self._numbers)
        # Nobody waits any more: all begin anew. Else whoever has had more than their share is kept in mind.
        still = self._now if self else NEVER
        self._flows = {key: flow for key, flow in self._flows.items() if flow.waiting or flow.tail > still}
        return item


class _Flow(Generic[T]):
    """What one of them has waiting."""

    def __init__(self, divided: "_Line[tuple[int, T]] | None") -> None:
        self.start = self.tail = self.number = self.waiting = 0
        self._items: deque[tuple[int, T]] = deque()
        self._divided = divided

    def put(self, path: Sequence[str], cost: int, item: T) -> None:
        self.waiting += 1
        if self._divided is None:
            self._items.append((cost, item))
        else:
            self._divided.put(path, cost, (cost, item))

    def pop(self) -> tuple[int, T]:
        self.waiting -= 1
        return self._items.popleft() if self._divided is None else self._divided.pop()


def claim_of(live: Live) -> Claim:
    """Return on whose account a table's own thoughts are: of those who play there and have it open."""
    plays = any(not chair.bot_level for chair in live.room.chairs)
    stake = Stake.PERSON if plays and live.awake and live.watched else Stake.BOTS
    return Claim(stake, live.households, live.id)
