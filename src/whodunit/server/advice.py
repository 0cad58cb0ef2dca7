"""Thinks for people: notes, proofs, hints, advice, second tries, checks of cases, falls for the ear, descriptions."""

import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec import Raw

from whodunit.core.errors import Refusal
from whodunit.core.notes import Assistance, Hint, Proof, Sheet
from whodunit.core.types import Action, Seat
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.review.review import showing_of
from whodunit.server.fair_queue import Claim
from whodunit.server.history import filed, recalled
from whodunit.server.plain import described
from whodunit.server.protocol import Plain
from whodunit.server.quotas import Quotas
from whodunit.server.thoughts import (
    AdviceWanted,
    Exercise,
    Hinted,
    Ponder,
    Remembered,
    Retried,
    Seen,
    advised,
    exercise,
    hinted,
    ponder,
    retried,
)
from whodunit.server.transcripts import told
from whodunit.server.workers import Workers
from whodunit.table.verify import Statement


class Advice:
    """What people may be told beyond what they have seen; all of it is thought in other processes."""

    def __init__(self, host: Host, workers: Workers, quotas: Quotas) -> None:
        self._host = host
        self._workers = workers
        self._allowances = quotas
        self._practising: set[str] = set()
        """Who waits for a fall, on whichever of their pages."""
        self._described: dict[str, Plain] = {}

    async def notes(
        self, live: Live, seat: Seat, seq: int | None, claim: Claim, level: Assistance | None = None
    ) -> Sheet:
        """Return what the seat's notes say by themselves, now or as of an event; of the table's level unless told."""
        sheet: Sheet = await self._pondered(live, seat, seq, None, claim, level)
        return sheet

    async def proof(self, live: Live, seat: Seat, seq: int | None, cell: tuple[str, str], claim: Claim) -> Proof | None:
        """Return why an entry of the seat's notes is certain."""
        proof: Proof | None = await self._pondered(live, seat, seq, cell, claim)
        return proof

    async def retry(self, live: Live, seat: Seat, seq: int, action: Action, claim: Claim) -> Raw:
        """Return how good it would have been to do this where event `seq` came of what the seat did; Illegal if not."""
        assert live.room.header is not None
        records = await self._host.store.read(live.id, "case", seq - 1)
        if seq < 2 or not records or records[0].seq != seq:  # not what an action led to
            raise Refusal("no_event")
        job = partial(Retried, action=action, showing=showing_of(live.room.header))
        return Raw(await self._from_all(live, seat, seq - 1, retried, job, claim))

    async def hint(self, live: Live, seat: Seat, known: tuple[tuple[str, str], ...], claim: Claim) -> Hint | None:
        """Return what became certain to the seat last without having been seen, but for what it needs no hint for."""
        found: Hint | None = await self._from_all(live, seat, None, hinted, lambda seen: Hinted(seen, known), claim)
        return found

    async def advise(self, live: Live, seat: Seat, claim: Claim) -> Action | None:
        """Return what a learner had better do now, from what their seat has been told."""
        found: tuple[Action | None] = await self._from_all(live, seat, None, advised, AdviceWanted, claim)
        return found[0]

    async def _pondered(
        self,
        live: Live,
        seat: Seat,
        seq: int | None,
        cell: tuple[str, str] | None,
        claim: Claim,
        level: Assistance | None = None,
    ) -> Any:
        level = level or live.room.laid.assistance

        if seq is not None:
            past = partial(Ponder, level=level, cell=cell, past=True)
            return await self._from_all(live, seat, seq, ponder, past, claim)

        async def job(after: int) -> Ponder:
            return Ponder(await told(self._host, live, seat, after), level, cell)

        return await self._workers.ask(ponder, (live.id, ("notes", seat)), job, claim)

    async def _from_all(
        self,
        live: Live,
        seat: Seat,
        seq: int | None,
        work: Callable[[Any], Any],
        job: Callable[[Seen | Remembered], Any],
        claim: Claim,
    ) -> Any:
        """Think about everything that a seat has been told up to an event, or by now: where the past is remembered.

        What is heard is heard at moments of its own, and is read here.
        """
        assert live.table is not None
        if live.game.INFO.sounds is not None:
            return await self._workers.once(live.id, work, job(await told(self._host, live, seat, 0, seq)), claim)
        until = live.table.seq if seq is None else seq
        seen = Remembered(live.id, live.game.INFO.id, seat, until)
        return await recalled(self._host, self._workers, live, until, work, job(seen), claim)

    async def checked(self, live: Live, claim: Claim) -> list[Statement]:
        """Check the seal of a closed case, and that its bots were honest."""
        return await self._workers.check(await filed(self._host, live), claim)

    async def file(self, live: Live, person: str, claim: Claim) -> bytes:
        """Return the file of a closed case; when one person played alone is told to nobody else."""
        untimed = live.untimed if live.room.seat_of(person) is None else 0
        return await self._workers.file(await filed(self._host, live, untimed), claim)

    async def practise(
        self, person: str, household: str, game: str, difficulty: str, floor: int | None, claim: Claim
    ) -> Any:
        """Return something for a person's ear alone, as the game sends it: one fall at a time and not without pause."""
        if person in self._practising or not self._allowances.admits_practice(person, household):
            raise Refusal("too_fast")
        self._practising.add(person)
        try:
            job = Exercise(game, difficulty, floor, secrets.token_bytes(16))
            return await self._workers.practise(exercise, job, claim)
        finally:
            self._practising.discard(person)

    async def describe(self, game: str) -> Plain:
        """Return what the plain table must know of a game; it stays the same, so each is thought about once."""
        if game not in self._described:
            self._described[game] = await self._workers.once(game, described, game)
        return self._described[game]
