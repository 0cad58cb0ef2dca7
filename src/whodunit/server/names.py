"""What people may call themselves and say: nothing that cannot be seen, and no name that looks like another's.

What a name may contain is said by the profile for nicknames (RFC 8266, over RFC 8264), what looks alike by Unicode's
confusables (UTS 39).
"""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from confusable_homoglyphs.utils import load
from precis_i18n.context import context_rule_error
from precis_i18n.derived import DISALLOWED, UNASSIGNED, derived_property
from precis_i18n.unicode import UnicodeData

from whodunit.core.errors import Refusal
from whodunit.room.chat import LENGTH

NAME_LENGTH: Final = 24
BLANKS: Final = frozenset("\u2800\ufffc\U00013441\U00013442\U0001d159")
"""What Unicode calls symbols and letters, and no font shows: blank patterns, holes, hieroglyphs and notes."""
EMOJI_STYLE: Final = "\ufe0f"
"""Makes a picture of the sign before it."""
KEYCAPS: Final = "#*0123456789"
NEAR: Final = 8
MARK: Final = "\u200e"
"""A direction mark, which stands round letters written from the right in the table of confusables."""
_UNICODE: Final = UnicodeData()


def clean_name(typed: str) -> str:
    """Return the name as others may see it: nothing invisible, 1 to 24 characters."""
    if (name := _cleaned(typed, NAME_LENGTH)) is None:
        raise Refusal("bad_name")
    return name


def clean_words(typed: str) -> str:
    """Return what somebody says as others may read it, on one line."""
    if (words := _cleaned(typed, LENGTH)) is None:
        raise Refusal("bad_words")
    return words


def alike(one: str, other: str) -> bool:
    """Say whether two names look the same, or differ in capitals alone; what is empty looks like nothing."""
    return not _looks(one).isdisjoint(_looks(other))


def _cleaned(typed: str, most: int) -> str | None:
    spaced = "".join(" " if letter.isspace() else letter for letter in unicodedata.normalize("NFC", typed))
    clean = " ".join("".join(_shown(spaced)).split())
    seen = 1 <= len(clean) <= most and any(unicodedata.category(letter)[0] not in "MZ" for letter in clean)
    return clean if seen else None


def _shown(text: str) -> Iterator[str]:
    """Yield the letters that can be seen, and those that change how the one before is seen."""
    last = ""
    for at, letter in enumerate(text):
        match letter:
            case "\ufe0f":
                shows = last != "" and (last in KEYCAPS or unicodedata.category(last) in {"So", "Sm", "Po"})
            case "\u200c" | "\u200d":
                joined = letter == "\u200d" and _is_picture(last) and _is_picture(text[at + 1 : at + 2])
                shows = joined or _joins(text, at)
            case _:
                shows = _is_seen(letter)
        if shows:
            yield letter
            last = letter


@lru_cache(maxsize=1 << 15)
def _is_seen(letter: str) -> bool:
    return letter not in BLANKS and derived_property(ord(letter), _UNICODE)[0] not in {DISALLOWED, UNASSIGNED}


def _is_picture(letter: str) -> bool:
    return letter != "" and (letter == EMOJI_STYLE or unicodedata.category(letter) in {"So", "Sk"})


def _joins(text: str, at: int) -> bool:
    """Say whether a script needs this joiner here to be written right: a few letters on either side tell."""
    first = max(0, at - NEAR)
    return not context_rule_error(text[first : at + NEAR], at - first, _UNICODE)


@lru_cache(maxsize=4096)
def _looks(name: str) -> frozenset[str]:
    """Return what a name looks like: as it is written, for I and l are one; and in small letters, for I and i are."""
    same = unicodedata.normalize("NFKC", name)
    looks = {_skeleton(same).casefold(), _skeleton(same.casefold()).casefold()}
    return frozenset(looks - {""})


def _skeleton(text: str) -> str:
    """Return the same for all that looks the same: see UTS 39, section 4."""
    seen = [letter for letter in unicodedata.normalize("NFD", text) if not _UNICODE.default_ignorable(ord(letter))]
    return unicodedata.normalize("NFD", "".join(PROTOTYPES.get(letter, letter) for letter in seen))


def _prototypes() -> dict[str, str]:
    """Return for every letter that looks like others what stands for all of them.

    The library lists pairs both ways. What stands for a group is its member with most pairs; several letters always
    stand for the one that looks like them.
    """
    listed: dict[str, list[dict[str, str]]] = load("confusables.json")
    pairs = {key.strip(MARK): [other["c"].strip(MARK) for other in others] for key, others in listed.items()}
    found: dict[str, str] = {}
    for letter, others in pairs.items():
        if len(letter) > 1:
            continue
        weight, best = max((len(other) > 1, len(pairs.get(other, ())), other) for other in others)[::2]
        if weight or (len(pairs[best]), best) > (len(others), letter):
            found[letter] = best
    for _ in range(4):  # what stands for something may itself look like something else
        found = {letter: "".join(found.get(each, each) for each in best) for letter, best in found.items()}
    return found


PROTOTYPES: Final = _prototypes()
"""By letter: what it looks like."""
