"""How much one person or household may take of the house. A host changes each by `--limit NAME=VALUE`."""

from collections.abc import Mapping
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from whodunit.core.errors import BadOptions

Share = Annotated[float, Meta(ge=0, lt=1)]
Most = Annotated[int, Meta(ge=1)]


class Limits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The limits of a house; a household is whoever shares an internet connection, be it a school."""

    free_disk: Share = 0.05
    """With a smaller share of the disk free, new tables and notes are refused, and /health is not ok."""
    sockets: Most = 400
    """How many pages one household may have open: a school's, all of whose pupils play at once."""
    sockets_of_one: Most = 30
    """How many pages one person may have open, on all devices together."""
    connections: Most = 600
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
