"""The seal on a game's chance: promised before anyone sits down, opened when the case is closed."""

import hashlib
import hmac

from msgspec import Struct

from whodunit.core.types import Frozen, Seat
from whodunit.core.wire import encode


class Seal(Frozen, Struct, frozen=True):
    """The house secret and the nonce behind a commitment, both in hexadecimal; secret until the case closes."""

    secret: str
    nonce: str

    @classmethod
    def from_seed(cls, seed: int | str) -> "Seal":
        """Derive a seal from a researcher's seed, so that the same seed gives the same game."""
        parts = (hashlib.sha256(f"whodunit|{part}|{seed}".encode()).hexdigest() for part in ("secret", "nonce"))
        return cls(*parts)

    @property
    def commitment(self) -> str:
        """What is published before the salts are taken."""
        return hashlib.sha256(bytes.fromhex(self.secret) + bytes.fromhex(self.nonce)).hexdigest()

    def seed(self, salts: tuple[str, ...]) -> bytes:
        """Mix the seats' salts in, so that the house alone cannot choose the deal."""
        return hmac.digest(bytes.fromhex(self.secret), encode(salts), "sha256")

    def __repr__(self) -> str:
        # What stands in a log or a traceback is read by people who sit at the table.
        return "Seal(...)"

    def bot_seed(self, salts: tuple[str, ...], seat: Seat) -> bytes:
        """Return the seed of the bot in a seat: promised with the game's, and telling nothing about it."""
        return hmac.digest(self.seed(salts), f"bot|{seat}".encode(), "sha256")
