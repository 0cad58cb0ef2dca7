"""The errors that are not bugs: an illegal action, a lost race, bad options, a damaged file."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from whodunit.core.offer import Offer
    from whodunit.core.types import Seat


class Illegal(ValueError):
    """The seat may not do this now; says what it may do."""

    def __init__(self, seat: "Seat", wish: object, offers: "tuple[Offer, ...]") -> None:
        self.seat = seat
        self.wish = wish
        self.offers = offers
        on_offer = ", ".join(str(offer) for offer in offers) or "nothing"
        super().__init__(f"seat {seat} may not do {wish!r} now; on offer: {on_offer}")

    def __reduce__(self) -> "tuple[type[Illegal], tuple[Seat, object, tuple[Offer, ...]]]":
        # Exceptions pickle their message alone; workers must send all three parts back.
        return Illegal, (self.seat, self.wish, self.offers)


class Conflict(Exception):
    """Somebody else appended first; read what is new and decide again."""


class NotHeld(Exception):
    """Another node runs this table's clocks and bots, and what one of ours wanted to do is refused."""


class BadOptions(ValueError):
    """These options, or this number of seats, make no game; says which and why."""


class TooMany(ValueError):
    """What was asked for would have to be listed, and is too much for that; says what, and how much."""


class BadCase(ValueError):
    """A file is not a case that can be read; says which line is wrong and how."""


class StillOpen(ValueError):
    """The case has not been closed, so its secrets stay where they are."""


class NoGame(LookupError):
    """No game of this id is installed here, or it does not work; says which."""


class NoTable(LookupError):
    """There is no table of this id."""


class NotStored(Exception):
    """The disk would not take it and nothing was stored, or a database elsewhere cannot be reached."""


class NoProcess(NotStored):
    """No process can be started that would think about it; as whatever is not stored, it may be tried again."""


class InUse(Exception):
    """Another server already runs on this database."""


class Refusal(Exception):
    """Somebody may not do this here; the reason is a key that every language has a sentence for."""

    def __init__(self, reason: str, detail: str = "") -> None:
        self.reason = reason
        self.detail = detail
        super().__init__(f"{reason}: {detail}" if detail else reason)


class Overtaken(Refusal):
    """Somebody else, or they themselves elsewhere, were quicker: it stands otherwise, as is told here."""

    def __init__(self, reason: str, now: object) -> None:
        super().__init__(reason)
        self.now = now


class Damaged(NotStored, Refusal):
    """What is stored of a table is not what was stored: it is lost to its players, and no other is.

    Says which table and what is wrong, in words that may stand in a log: never what is stored.
    """

    def __init__(self, table: str, what: str, rest: "Sequence[Any]" = ()) -> None:
        Refusal.__init__(self, "damaged")
        self.table = table
        self.what = what
        self.rest = rest
        """Of a list: what is as it was stored."""

    def __str__(self) -> str:
        return f"the table {self.table} is damaged: {self.what}"


class DamagedLeaf(Damaged):
    """The same of a leaf, which is named by its shelf and item; never whose it is."""

    def __init__(self, shelf: str, item: str, what: str, rest: "Sequence[Any]" = ()) -> None:
        super().__init__(f"{shelf}/{item}", what, rest)

    def __str__(self) -> str:
        return f"the leaf {self.table} is damaged: {self.what}"


class NotInstalled(Refusal):
    """The table is kept, but its game is not installed here, so it cannot be opened; a stranger is not told which."""

    def __init__(self) -> None:
        super().__init__("not_installed")
