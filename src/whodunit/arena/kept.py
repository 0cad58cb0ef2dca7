"""What a long run keeps in a file as it goes, line by line, so that it can go on where it was stopped."""

from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from whodunit.core.errors import BadOptions

Line = TypeVar("Line", bound=Struct)


class Run(Struct, frozen=True, forbid_unknown_fields=True):
    """Which matches a file's results are of: those of another run are not counted with them."""

    game: str
    rules: int
    bots: int
    levels: tuple[str, ...]
    options: dict[str, object]
    seed: str
    pair: bool
    told_at: int | None
    move_s: float


def resumed(file: Path, run: Struct, lines_of: type[Line]) -> list[Line]:
    """Return what the file has of this run; a new file is begun. A line that was cut off as it was written is lost."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(msgspec.json.encode(run) + b"\n")
        return []
    content = file.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    try:
        head, *lines = whole.splitlines()
        begun = msgspec.json.decode(head, type=type(run))
        kept = [msgspec.json.decode(line, type=lines_of) for line in lines]
    except (ValueError, msgspec.MsgspecError) as wrong:
        raise BadOptions(f"{file} has nothing to go on from: {wrong}") from wrong
    if begun != run:
        names = [name for name in run.__struct_fields__ if getattr(begun, name) != getattr(run, name)]
        told = ", ".join(f"{name} {getattr(begun, name)!r}, not {getattr(run, name)!r}" for name in names)
        raise BadOptions(f"{file} is of another run: {told}")
    if whole != content:
        file.write_bytes(whole)
    return kept


def keep(file: Path, line: Struct) -> None:
    """Add a line to the file; it is there whatever happens to this process afterwards."""
    with file.open("ab") as lines:
        lines.write(msgspec.json.encode(line) + b"\n")
