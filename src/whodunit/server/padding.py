"""Sizes that tell nothing: whoever watches an encrypted line sees how long each message is, and cards have names.

JSON allows spaces behind a value. Where everybody knows how long the rest is, only the secret part is rounded up: were
the whole rounded, the rest would carry it now above and now below the same step, and so tell its size bit by bit.
"""

from typing import Final

STEP: Final = 512
"""To what a secret part is rounded up: more than the choices of an answer take."""
STEP_OF_VIEW: Final = 384
"""To what is rounded up by how much a player's view and events are longer than a spectator's: a hand of cards."""
STEP_OF_EVENT: Final = 32
"""What each event adds to that: some of them have a secret, and many come together at the beginning."""
LESS: Final = 32
"""By how much a viewer's frame may be shorter than a spectator's: what is known can be written shorter than null."""
LEAST: Final = 256
"""The smallest size of a message that is a secret as a whole."""


def missing(known: int, public: int, step: int) -> int:
    """Return by how much what a viewer is told must grow, so that only whole steps beyond a spectator's are seen."""
    return (public - known - LESS) % step


def padded(message: bytes) -> bytes:
    """Return a message that may be a secret as a whole, filled up to the next power of two."""
    return message.ljust(max(LEAST, 1 << (len(message) - 1).bit_length()))
