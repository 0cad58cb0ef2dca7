"""The leaves in PostgreSQL: of several nodes that follow the same version of one, the first wins."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from whodunit.core.errors import Conflict, DamagedLeaf
from whodunit.core.ports import Leaf
from whodunit.infra.append_order import check_leaf
from whodunit.infra.checks import LEAF_DAMAGED, Leaves, all_leaves, columns, leaf_of, row_crc

_ROW: Final = columns("leaf")
ONE: Final = f"SELECT {_ROW} FROM leaf WHERE shelf = $1 AND item = $2 AND person = $3"  # noqa: S608  (ours)
_FIRST: Final = "INSERT INTO leaf VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING version"
_NEXT: Final = """
UPDATE leaf SET version = $4, done = $5, body = $6, crc = $7
WHERE shelf = $1 AND item = $2 AND person = $3 AND version = $4 - 1 RETURNING version
"""
"""An update waits for another node's and then looks again: it finds another version there, or nothing."""
_OWN: Final = f"SELECT {_ROW} FROM leaf WHERE person = '' AND shelf = $1"  # noqa: S608  (ours)
LAST: Final = f"{_OWN} ORDER BY item DESC LIMIT $2"
BEFORE: Final = f"{_OWN} AND item < $3 ORDER BY item DESC LIMIT $2"
_DONE: Final = "shelf = $1 AND item = $2 AND done AND person <> ''"
OF_ITEM: Final = f"SELECT {_ROW} FROM leaf WHERE {_DONE} AND person > $3 ORDER BY person LIMIT $4"  # noqa: S608  (ours)
COUNT: Final = f"SELECT count(*) FROM leaf WHERE {_DONE}"  # noqa: S608  (ours)
OF_PERSON: Final = f"SELECT {_ROW} FROM leaf WHERE person = $1 ORDER BY shelf, item"  # noqa: S608  (ours)
_DROP: Final = """
WITH gone AS (DELETE FROM leaf WHERE person = $1 RETURNING 1) SELECT count(*) FROM gone
"""


class PostgresLeaves:
    """Keeps and finds leaves by `ask`, which sends a statement again when the connection breaks."""

    def __init__(self, ask: Callable[..., Awaitable[list[Any]]]) -> None:
        self._ask = ask
        self._sound = Leaves()

    async def keep(self, leaf: Leaf) -> None:
        """Put a leaf in the place of the version before, or raise Conflict.

        After a connection that broke it may be stored, and be refused as a second try: then it is there.
        """
        kept = await self.one(leaf.shelf, leaf.item, leaf.person)  # or it is damaged, and stays as it is
        check_leaf(leaf, kept.version if kept else 0)
        row = (leaf.shelf, leaf.item, leaf.person, leaf.version, leaf.done, leaf.body)
        if not await self._ask(_NEXT if kept else _FIRST, *row, row_crc(*row)):
            raise Conflict(f"the leaf {leaf.shelf}/{leaf.item} has changed meanwhile; {leaf.version} does not follow")

    async def one(self, shelf: str, item: str, person: str) -> Leaf | None:
        """Return a leaf, or None; raises Damaged if it is not as it was stored."""
        for row in await self._ask(ONE, shelf, item, person):
            found = leaf_of(row)
            if found is None:
                raise DamagedLeaf(shelf, item, LEAF_DAMAGED)
            return found
        return None

    async def own(self, shelf: str, before: str, most: int) -> Sequence[Leaf]:
        """Return the house's own leaves on a shelf, the last item first."""
        found: list[Leaf] = []
        while len(found) < most:
            query, values = (BEFORE, (before,)) if before else (LAST, ())
            rows = await self._ask(query, shelf, most - len(found), *values)
            found += self._sound.sound(rows)
            before = rows[-1]["item"] if rows else ""
            if not before:
                break
        return found

    async def of_item(self, shelf: str, item: str, most: int) -> Sequence[Leaf]:
        """Return people's leaves of an item that are done."""
        found: list[Leaf] = []
        after = ""
        while len(found) < most:
            rows = await self._ask(OF_ITEM, shelf, item, after, most - len(found))
            found += self._sound.sound(rows)
            if not rows:
                break
            after = rows[-1]["person"]
        return found

    async def count(self, shelf: str, item: str) -> int:
        """Return how many people's leaves of an item are done."""
        return int((await self._ask(COUNT, shelf, item))[0][0])

    async def of_person(self, person: str) -> Sequence[Leaf]:
        """Return all leaves of a person."""
        return all_leaves(await self._ask(OF_PERSON, person))

    async def drop(self, person: str) -> int:
        """Drop all leaves of a person, and return how many there were."""
        return int((await self._ask(_DROP, person))[0][0])
