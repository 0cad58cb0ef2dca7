"""The bank: beginnings of real games with their sounds, the same in every house, out of which cases are made.

A fall comes out otherwise on another machine, and what the trained ear makes of it is reckoned with floats. So both
were done once (`./run fit ear`), and what came of it is shipped in whole numbers: nobody needs the physics to read it.
"""

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib import resources
from typing import Final, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from whodunit.games.arosa.facts import Colour, Floor
from whodunit.games.arosa.model import AnyEvent, Dropped

CLIP_SIZE: Final = 18 << 10
"""Bytes of every clip, filled up: one ear, as the listener takes the mean of both, and ten bits deep.

That is a quarter of a table's clip, and the listener does as well by it (docs/decisions.md, 170).
"""
INDEX: Final = "bank.json"
CLIPS: Final = "bank.flacs"

Weights: TypeAlias = tuple[int, ...]
"""By floor; only their ratios mean anything."""


class Beginning(Struct, frozen=True):
    """What everybody saw of the beginning of a game, up to some drop or look."""

    events: tuple[AnyEvent, ...]
    """Without the bytes of the clips, and without anything secret."""
    heard: tuple[Weights, ...]
    """By drop, how likely the trained listener finds its noise for each floor, in millionths of the likeliest."""
    floors: tuple[Floor, ...]
    """By drop, where the cube came to lie: secret, until a case is over."""


class Asked(Struct, frozen=True, array_like=True):
    """What is asked on one day: of which beginning, after how many lines, about which colour."""

    beginning: int
    lines: int
    colour: Colour


class Bank(Struct, frozen=True):
    law: tuple[Weights, ...]
    """By the number of cubes inside, how often the next one comes to lie on each floor, in millionths."""
    beginnings: tuple[Beginning, ...]
    calendar: tuple[Asked, ...]
    """Whole weeks from a Monday on, over and over."""


class Sound(NamedTuple):
    """A clip of the bank."""

    place: int
    """How many lie before it."""
    heard: Weights


@cache
def bank() -> Bank:
    """Return the bank."""
    return msgspec.json.decode(_file(INDEX), type=Bank)


@cache
def sounds() -> dict[str, Sound]:
    """Return the clips of the bank by their ids."""
    heard = [each for beginning in bank().beginnings for each in beginning.heard]
    return {name: Sound(place, heard[place]) for place, name in enumerate(names(bank().beginnings))}


def names(beginnings: Sequence[Beginning]) -> list[str]:
    """Return the ids of all clips, in the order in which they lie in the bank."""
    return [event.clip.id for one in beginnings for event in one.events if isinstance(event, Dropped)]


def clip(name: str) -> bytes | None:
    """Return the sound of this id; None: it is none of the bank's."""
    sound = sounds().get(name)
    return None if sound is None else _clips()[sound.place * CLIP_SIZE :][:CLIP_SIZE]


def name_of(data: bytes) -> str:
    """Return the id of a clip: it tells of the sound that there is no other, and nothing else."""
    return sha256(data).hexdigest()[:32]


@cache
def _clips() -> bytes:
    return _file(CLIPS)


def _file(name: str) -> bytes:
    return (resources.files(__package__) / "data" / name).read_bytes()
