"""How much one person or household may take of the house. A host changes each by `--limit NAME=VALUE`."""

from collections.abc import Mapping
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta, Struct

from whodunit.core.errors import BadOptions

Share: TypeAlias = Annotated[float, Meta(ge=0, lt=1)]
Positive: TypeAlias = Annotated[float, Meta(gt=0)]
Count: TypeAlias = Annotated[int, Meta(ge=1)]


class Limits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The limits of a house; a household is whoever shares an internet connection, be it a school."""

    free_disk: Share = 0.05
    """With a smaller share of the disk free, new tables and notes are refused, and /health is not ok."""
    written_person: Positive = 4_000
    """How many bytes a second a person may have written down, after five minutes' worth of them at once."""
    written_household: Positive = 16_000
    """And a household."""
    tables_person: Positive = 1
    """How many tables a minute a person may lay, after 20 at once."""
    tables_household: Positive = 5
    """And a household, after 100 at once."""
    hall_places: Count = 3
    """How many of a household's open tables stand in the hall, the newest; the others are found by their links."""
    practice_household: Positive = 4
    """How many falls a second a household may practise with in the long run; each takes a process some time."""
    practice_burst: Count = 60
    """And how many at once, before that: a class may begin together."""
    sockets_household: Count = 400
    """How many pages one household may have open: a school's, all of whose pupils play at once."""
    sockets_person: Count = 30
    """How many pages one person may have open, on all devices together."""
    connections_household: Count = 600
    """How many connections one household may have: a page that loads takes up to six more for some seconds."""


USUAL: Final = Limits()


def read_limits(named: Mapping[str, object]) -> Limits:
    """Return the house's limits with these values, or say which is wrong."""
    for name in named:
        if name not in Limits.__struct_fields__:
            raise BadOptions(f"there is no limit {name!r}; there are: {', '.join(Limits.__struct_fields__)}")
    try:
        return msgspec.convert(dict(named), Limits)
    except msgspec.ValidationError as error:
        raise BadOptions(f"--limit: {error}") from error
