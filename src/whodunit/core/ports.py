"""The ports to storage and to other nodes; `infra` has their implementations, one contract suite tests them all."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Final, Literal, Protocol

from msgspec import Struct

from whodunit.core.types import Blob, Seat


class Record(Struct, frozen=True, gc=False):
    """What one append adds to one of a table's two streams: a run of numbered entries, already encoded.

    The case is the game itself; the room is everything round it: who sits where, notes, answers that are due. Each
    counts its entries from 1. A store reads no body. An empty one (`last` just before `seq`) adds nothing, but must
    follow as any other: so an append can depend on a stream that it does not change.
    """

    stream: Literal["case", "room"]
    seq: int
    """The number of the record's first entry."""
    last: int
    """The number of its last entry."""
    body: bytes

    @property
    def is_empty(self) -> bool:
        """Whether it only says where its stream ends."""
        return self.last < self.seq


class Listing(Struct, frozen=True):
    """How a table stands in lists: what a lobby can find it by."""

    table: str
    stage: Literal["gathering", "playing", "over"]
    public: bool
    people: tuple[str, ...] = ()
    """Everyone who holds a seat or may enter; each finds the table among their own."""
    keys: tuple[str, ...] = ()
    """Digests of what opens it: the invitation's code, the seats' secret links."""
    at: int = 0
    """The server's clock in milliseconds when it last changed."""
    due: int | None = None
    """When the table next does something by itself though nobody is there; None: never."""
    household: str = ""
    """A keyed digest of whose place among the open tables it takes; empty: it has one of its own."""


class Notes(Struct, frozen=True):
    """What the players of a seat keep for themselves at a table, already encoded: each version takes the last's place.

    Notes are no part of a stream: whoever writes down the same page a thousand times has written one page.
    """

    seat: Seat
    version: int
    """Counted from 1."""
    body: bytes


class Leaf(Struct, frozen=True):
    """A loose page that the house keeps beside the tables: one of its own, or what one person has done of something.

    Each version takes the last one's place. A store reads no body.
    """

    shelf: str
    """What kind of page it is, such as "case" (a puzzle of a day) or "try" (what a person has done of one)."""
    item: str
    """Which one, such as "2026-11-18.clue"."""
    person: str = ""
    """Whose; empty: the house's own."""
    version: int = 1
    """Counted from 1."""
    done: bool = False
    """Whether it counts where people's pages are counted."""
    body: bytes = b""


AT_ONCE: Final = 100
"""How many tables are seen to in one go, where it is time to drop or close something: nobody else waits long."""


class Store(Protocol):
    """Keeps the records of every table in order; what it has acknowledged survives.

    Whatever it is asked, it raises NotStored when the disk or the database is to blame; any other error is a bug. What
    is not as it was stored raises Damaged, a NotStored that names the table; a list leaves such a table out, and the
    log names it.
    """

    @property
    def waiting(self) -> int:
        """How many appends wait for the next commit."""

    @property
    def fault(self) -> str | None:
        """Why the last write was not stored though nothing was wrong with it; None: it was."""

    async def probe(self) -> None:
        """Write something that changes nothing: raises NotStored, and has a fault, when the disk will not take it."""

    async def append(
        self,
        table: str,
        records: Sequence[Record],
        blobs: Sequence[Blob] = (),
        listing: Listing | None = None,
        *,
        leased: bool = False,
    ) -> None:
        """Store all of it together and put the listing in the old one's place.

        Raises Conflict, and stores nothing, unless every record follows the last stored one of its stream. Raises
        NotStored, and stores nothing, when the disk will not take it. Leased: raises NotHeld, and stores nothing,
        unless this node holds the table's lease.
        """

    async def read(self, table: str, stream: Literal["case", "room"], after: int = 0) -> Sequence[Record]:
        """Return the stream's records that begin behind entry `after`, oldest first."""

    async def rewrite(self, table: str, changes: Sequence[tuple[Record, bytes]]) -> None:
        """Put other bodies in the place of records that are stored, all together: so that something can be forgotten.

        Raises Conflict, and changes nothing, unless each is stored as it was given.
        """

    async def keep_notes(self, table: str, notes: Notes) -> None:
        """Put a seat's notes in the place of those that it had.

        Raises Conflict, and stores nothing, unless the version follows the one that is stored. Raises NotStored, and
        stores nothing, when the disk will not take it. On several nodes the others are told (NOTED).
        """

    async def notes(self, table: str) -> Sequence[Notes]:
        """Return the notes of a table's seats, in their order; of a seat that has none, nothing."""

    async def keep_review(self, table: str, version: str, part: str, body: bytes) -> None:
        """Keep a part of the review of a closed case, in the place of what was kept of that part under any version.

        It can be made again: nothing depends on whether it is there. Raises NotStored, and keeps nothing, when the disk
        will not take it.
        """

    async def review(self, table: str, version: str, part: str) -> bytes | None:
        """Return what was kept of a review under this version; None: nothing, or it is not as it was kept."""

    async def keep_leaf(self, leaf: Leaf) -> None:
        """Put a leaf in the place of the version before.

        Raises Conflict, and stores nothing, unless the version follows the one that is stored; of several who follow
        the same one, one wins, on whichever node. Raises Damaged, and stores nothing, when that one is not as it was
        stored, and NotStored when the disk will not take it.
        """

    async def leaf(self, shelf: str, item: str, person: str = "") -> Leaf | None:
        """Return a leaf, or None if there is none.

        Raises Damaged if it is not as it was stored, as of notes, and unlike a review: most leaves are all that is
        known of what they tell, and none here can tell which of the house's own could be made again.
        """

    async def leaves(self, shelf: str, before: str = "", most: int = AT_ONCE) -> Sequence[Leaf]:
        """Return the house's own leaves on a shelf, the last item first.

        Before: those whose items come before this one. A damaged one is left out, and the log names it.
        """

    async def leaves_of_item(self, shelf: str, item: str, most: int = AT_ONCE) -> Sequence[Leaf]:
        """Return people's leaves of an item that are done, by person; a damaged one is left out, the log names it."""

    async def count_leaves(self, shelf: str, item: str) -> int:
        """Return how many people's leaves of an item are done."""

    async def leaves_of_person(self, person: str) -> Sequence[Leaf]:
        """Return all leaves of a person, by shelf and item; if one is damaged, raises Damaged with the others."""

    async def drop_leaves(self, person: str) -> int:
        """Drop all leaves of a person, damaged ones too, and return how many there were; `scrub` leaves no trace.

        Raises NotStored, and drops nothing, when the disk will not have it.
        """

    async def scrub(self, traces: Sequence[bytes] = ()) -> bool:
        """Leave nothing on the disk of what was rewritten, replaced or dropped until now, as far as a store can.

        The traces are what must be nowhere: a store that can search its files does. Returns whether it is done; if not
        it is tried on, and the log says so.
        """

    async def blob(self, table: str, id: str) -> Blob | None:
        """Return a blob with its bytes, or None if this table has none of that id."""

    async def drop_blobs(self, before: int) -> int:
        """Drop the blobs and reviews of tables that are over and have not changed since then.

        Returns of how many tables, AT_ONCE at most.

        Raises NotStored, and drops nothing, when the disk will not have it.
        """

    async def unfinished(self, before: int, after: Listing | None = None) -> Sequence[Listing]:
        """Return the listings of games that still run and have not changed since then, oldest first, AT_ONCE at most.

        After one of them: those that follow it in that order.
        """

    async def gathering(self, after: Listing | None = None, each: int | None = None) -> Sequence[Listing]:
        """Return the listings of public tables that still gather players, newest first, AT_ONCE at most.

        After one of them: those that follow it in that order. Each: of every household only so many, its newest.
        """

    async def of_person(self, person: str) -> Sequence[Listing]:
        """Return the listings of this person's tables, the last changed first.

        If one is damaged, raises Damaged with the others: whoever asks to be forgotten shall not be told that it is
        done.
        """

    async def opened_by(self, key: str) -> str | None:
        """Return the table that this key's digest opens."""

    async def due(self, before: int, after: tuple[int, str] = (-1, "")) -> Sequence[tuple[int, str]]:
        """Return when tables do something by themselves, if before then, and which; the first first, AT_ONCE at most.

        After one of them: those that follow it in that order. Not those whose lease another node holds: they are awake
        there.
        """

    async def newest(self) -> int | None:
        """Return when the table that changed last did so, by its listing; None: there is no table."""

    async def now(self) -> int | None:
        """Return the time by the database's clock, in milliseconds since 1970; None: it has no clock but ours."""

    async def close(self) -> None:
        """Finish what is being stored, and let go of everything."""


class Bus(Protocol):
    """Tells the other nodes that a table has grown: never what happened, only how far."""

    echoes: bool
    """Whether a node hears what it says itself. If not, whatever it hears is news to it: sizes alone do not tell, since
    two nodes may append to a table's two streams at once, and neither knows of the other's."""

    async def publish(self, table: str, size: int) -> None:
        """Say that the table's two streams together have this many entries, unless the append has said it itself."""

    def listen(self, table: str) -> AsyncIterator[int]:
        """Yield the sizes published for the table from now on, NOTED or GAP; for HALL, one when a listing changes."""


HALL: Final = ""
"""No table's name: whoever listens to it hears that lists have changed."""
NEVER: Final = 2**62
"""A moment after all others."""
NOTED: Final = -1
"""A size: somebody's notes at this table are others now, and nothing else."""
GAP: Final = 2**62
"""A size: something may have been missed, so read what is stored."""


class Leases(Protocol):
    """The nodes of one house: which of them runs a table's clocks and bots, and who has a page on which."""

    heard: Callable[[str], None]
    """Called with a table when its lease has come or gone, or others come or go on other nodes."""
    take_used: "Callable[[], Mapping[str, Mapping[str, float]]]"
    """Called about every second: what people have used of the house here, by limit and digest, for the other nodes."""
    hear_used: "Callable[[Mapping[str, Mapping[str, float]]], None]"
    """Called with what another node has told so."""

    def holds(self, table: str) -> bool:
        """Say whether the table's clocks and bots are this node's to run."""

    def seek(self, table: str) -> None:
        """Wish to run them, until `drop`; soon, or when whoever does so drops it or dies."""

    def drop(self, table: str) -> None:
        """Leave them to others."""

    def attend(self, table: str, seats: frozenset[Seat], looking: frozenset[Seat] = frozenset()) -> None:
        """Say which seats have a page on this node, and at which of these pages somebody is looking."""

    def elsewhere(self, table: str) -> frozenset[Seat]:
        """Return the seats that have a page on another."""

    def looking(self, table: str) -> frozenset[Seat]:
        """Return those of them where somebody is looking at it."""

    async def close(self) -> None:
        """Leave everything to others, at once."""
