"""Thinks for people: notes, proofs, hints, the check of a closed case, falls to train the ear on, descriptions."""

import secrets
from typing import Any

from whodunit.core.notes import Hint, Proof, Sheet
from whodunit.core.types import Seat
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.server.plain import described
from whodunit.server.protocol import Plain
from whodunit.server.thoughts import Exercise, Hinted, Ponder, exercise, hinted, ponder
from whodunit.server.transcripts import told
from whodunit.server.workers import Workers
from whodunit.table.verify import Statement


class Advice:
    """What people may be told beyond what they have seen; all of it is thought in other processes."""

    def __init__(self, host: Host, workers: Workers) -> None:
        self._host = host
        self._workers = workers
        self._described: dict[str, Plain] = {}

    async def notes(self, live: Live, seat: Seat, seq: int | None) -> Sheet:
        """Return what the seat's notes say by themselves, now or as of an event."""
        sheet: Sheet = await self._pondered(live, seat, seq, None)
        return sheet

    async def proof(self, live: Live, seat: Seat, seq: int | None, cell: tuple[str, str]) -> Proof | None:
        """Return why an entry of the seat's notes is certain."""
        proof: Proof | None = await self._pondered(live, seat, seq, cell)
        return proof

    async def hint(self, live: Live, seat: Seat, known: tuple[tuple[str, str], ...]) -> Hint | None:
        """Return what became certain to the seat last without having been seen, but for what it needs no hint for."""
        job = Hinted(await told(self._host, live, seat, 0), known)
        found: Hint | None = await self._workers.once(live.id, hinted, job)
        return found

    async def _pondered(self, live: Live, seat: Seat, seq: int | None, cell: tuple[str, str] | None) -> Any:
        level = live.room.laid.assistance

        async def job(after: int) -> Ponder:
            return Ponder(await told(self._host, live, seat, after, seq), level, cell, past=seq is not None)

        if seq is not None:
            return await self._workers.once(live.id, ponder, await job(0))
        return await self._workers.ask(ponder, (live.id, ("notes", seat)), job)

    async def checked(self, live: Live) -> list[Statement]:
        """Check the seal of a closed case, and that its bots were honest."""
        return await self._workers.check(await self._host.case(live))

    async def practise(self, person: str, game: str, difficulty: str, floor: int | None) -> Any:
        """Return something for a person's ear alone, as the game sends it."""
        job = Exercise(game, difficulty, floor, secrets.token_bytes(16))
        return await self._workers.once(person, exercise, job)

    async def describe(self, game: str) -> Plain:
        """Return what the plain table must know of a game; it stays the same, so each is thought about once."""
        if game not in self._described:
            self._described[game] = await self._workers.once(game, described, game)
        return self._described[game]
