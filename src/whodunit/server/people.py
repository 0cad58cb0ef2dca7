"""Who somebody is: a signed cookie, and the secrets of tables, seats and games."""

import hashlib
import hmac
import secrets
from pathlib import Path
from typing import Final

from whodunit.core.errors import BadOptions
from whodunit.table.seal import Seal

COOKIE: Final = "whodunit"
COOKIE_AGE: Final = 400 * 24 * 3600
"""As long as browsers keep one."""
KEY_BYTES: Final = 32
UNAMBIGUOUS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""What can be read out and typed: no I, L, O, 0, 1."""


def house_key(folder: Path) -> bytes:
    """Return the key that signs cookies, made on the first start and kept with the data."""
    path = folder / "house.key"
    if not path.exists():
        # Written aside and given its name when it is whole: what a full disk or a crash cuts short is no key.
        new = folder / f"house.key.{secrets.token_hex(4)}"
        try:
            new.touch(mode=0o600)
            new.write_bytes(secrets.token_bytes(KEY_BYTES))
            new.replace(path)
        finally:
            new.unlink(missing_ok=True)
    key = path.read_bytes()
    if len(key) != KEY_BYTES:
        raise BadOptions(f"{path} has {len(key)} bytes, a key has {KEY_BYTES}: restore it; without it everybody is new")
    return key


class People:
    """Tells people apart, without accounts."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def known(self, cookie: str | None) -> str | None:
        """Return the person of a cookie, or None if it is not one of ours."""
        person, _, signature = (cookie or "").partition(".")
        return person if hmac.compare_digest(_bytes(signature), self._signed(person).encode()) else None

    def new(self) -> str:
        """Return a new person's cookie."""
        return self.cookie(secrets.token_urlsafe(16))

    def cookie(self, person: str) -> str:
        """Return a person's cookie."""
        return f"{person}.{self._signed(person)}"

    def of_household(self, household: str) -> str:
        """Return what may be stored of a household: the same for all its tables, and nobody can tell which it is."""
        return hmac.new(self._key, _bytes(f"household {household}"), hashlib.sha256).hexdigest()[:32]

    def shared_seal(self, deal: str) -> Seal:
        """Return the seal of a deal that everybody plays here; nobody who lacks the house's key computes it beforehand.

        It comes of a key of its own: when it is opened, what it says signs nobody's cookie.
        """
        own = hmac.digest(self._key, b"shared deals", "sha256")
        secret, nonce = (
            hmac.new(own, f"{part} {deal}".encode(), hashlib.sha256).hexdigest() for part in ("secret", "nonce")
        )
        return Seal(secret, nonce)

    def _signed(self, person: str) -> str:
        return hmac.new(self._key, _bytes(person), hashlib.sha256).hexdigest()


def _bytes(sent: str) -> bytes:
    """Return what a cookie may hold, also where that was no text."""
    return sent.encode(errors="surrogatepass")


def table_id() -> str:
    """Return an id for a new table; it is in addresses and opens nothing by itself."""
    return "".join(secrets.choice(UNAMBIGUOUS.lower()) for _ in range(10))


def invitation() -> str:
    """Return the code of an invitation: 39 bits, behind a limit on tries."""
    return "".join(secrets.choice(UNAMBIGUOUS) for _ in range(8))


def typed_code(code: str) -> str:
    """Return a code as it was given out, however it was typed."""
    return "".join(letter for letter in code.upper() if letter in UNAMBIGUOUS)


def seat_key() -> str:
    """Return the secret of a seat."""
    return secrets.token_urlsafe(16)


def seal() -> Seal:
    """Draw the seal of a game that nobody can guess."""
    return Seal(secrets.token_hex(32), secrets.token_hex(32))
