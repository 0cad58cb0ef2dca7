"""Whose business a table's clocks and bots are, where a house has several nodes: one of them, the lease's holder."""

from collections.abc import Callable, Mapping

from whodunit.core.ports import Leases
from whodunit.core.types import NOBODY, Seat
from whodunit.host.live import Live
from whodunit.host.tasks import Tasks


class SingleNode:
    """The only node of its house: every lease is its own, and nobody is anywhere else."""

    heard: Callable[[str], None] = staticmethod(lambda _: None)
    take_used: Callable[[], Mapping[str, Mapping[str, float]]] = staticmethod(dict)
    hear_used: Callable[[Mapping[str, Mapping[str, float]]], None] = staticmethod(lambda _: None)

    def holds(self, table: str) -> bool:  # noqa: ARG002  (as in Leases)
        """Say yes."""
        return True

    def seek(self, table: str) -> None:
        """Do nothing: it is there."""

    def drop(self, table: str) -> None:
        """Do nothing: nobody wants it."""

    def attend(self, table: str, seats: frozenset[Seat], looking: frozenset[Seat] = frozenset()) -> None:
        """Tell nobody."""

    def elsewhere(self, table: str) -> frozenset[Seat]:  # noqa: ARG002  (as in Leases)
        """Return nobody."""
        return NOBODY

    def looking(self, table: str) -> frozenset[Seat]:  # noqa: ARG002  (as in Leases)
        """Return nobody."""
        return NOBODY

    async def close(self) -> None:
        """Do nothing."""


class TableLeases:
    """Seeks the leases of a host's tables, and leaves them where others are nearer."""

    def __init__(self, leases: Leases, tasks: Tasks) -> None:
        self._leases = leases
        self._tasks = tasks

    def holds(self, live: Live) -> bool:
        """Say whether the table's clocks and bots are this node's to run, and the house is not closing."""
        return not self._tasks.closing and self._leases.holds(live.id)

    def adopt(self, live: Live) -> None:
        """Take in who is elsewhere at a table that has just been loaded: it does not wake when the next one comes."""
        live.elsewhere = self._leases.elsewhere(live.id)
        self.consider(live)

    def attended(self, live: Live) -> frozenset[Seat]:
        """Tell the other nodes who is here, and return who is there."""
        self._leases.attend(live.id, frozenset(seat for seat, pages in live.pages.items() if pages), live.looking)
        self.consider(live)
        return self._leases.elsewhere(live.id)

    def is_looking(self, live: Live, seat: Seat) -> bool:
        """Say whether the seat's player is looking at the table, here or through another node."""
        return seat in live.looking or seat in self._leases.looking(live.id)

    def there(self, live: Live, seat: Seat) -> bool:
        """Say whether the seat has a page, here or through another node."""
        return bool(live.pages[seat]) or seat in self._leases.elsewhere(live.id)

    def keeps(self, live: Live, seat: Seat) -> bool:
        """Say whether what the seat chooses is stored by this node: its page is here, or nowhere else."""
        return bool(live.pages[seat]) or (self.holds(live) and seat not in self._leases.elsewhere(live.id))

    def consider(self, live: Live) -> None:
        """Seek the lease where people are here, or nobody is anywhere and something goes on; else leave it."""
        elsewhere = self._leases.elsewhere(live.id)
        goes_on = live.table is not None and (live.table.asked or live.room.tireless)
        if any(live.pages.values()) or (not elsewhere and goes_on):
            self._leases.seek(live.id)
        elif elsewhere:
            self._leases.drop(live.id)

    def leave(self, live: Live) -> None:
        """Let go of a table that is being forgotten."""
        self._leases.attend(live.id, frozenset())
        self._leases.drop(live.id)
