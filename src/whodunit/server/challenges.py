"""The challenge of the day: one whole game against three bots, the same deal and seat for everybody in this house.

The deal follows from the house's key and the date, and from nothing that a player brings. So nothing is promised about
it: its header says that it is staged. It is closed to whoever has not finished it until the day is over by UTC; then
it is open to all who may enter a table, and nobody begins it any more.
"""

from datetime import date
from typing import Final

from whodunit.core.errors import Refusal
from whodunit.core.types import Seat
from whodunit.host.host import Host
from whodunit.room.entries import SharedDeal
from whodunit.server import protocol
from whodunit.server.deals import Deals
from whodunit.server.laying import DealTerms
from whodunit.server.people import People
from whodunit.server.sockets import Socket
from whodunit.server.tries import day_of, ends

GAMES: Final = ("clue", "perfect_alibi", "crime_hotel", "clue", "perfect_alibi", "crime_hotel", "clue")
"""By weekday, from Monday. Mord im Arosa is none of them: a house may lack its tower, and machines compute falls
otherwise."""
LEVEL: Final = "detective"
BOTS: Final = 3
SEAT: Final[Seat] = 0


class Challenges:
    """Tells people of challenges, and lets them play."""

    def __init__(self, host: Host, known: People, deals: Deals) -> None:
        self._host = host
        self._people = known
        self._deals = deals

    async def read(self, page: Socket, ask: protocol.ReadChallenge) -> protocol.ChallengeFrame:
        """Return the challenge of a day, as far as the person may know it."""
        now = self._host.clock.now()
        day, person = ask.day or day_of(now), page.person
        terms, deal = self._terms(day), SharedDeal("challenge", day)
        if day > day_of(now):
            raise Refusal("no_challenge")
        tried = await self._deals.tried(deal, person)
        knows = await self._deals.gate.knows(deal, person)
        return protocol.ChallengeFrame(
            day=day,
            left_ms=None if self._deals.gate.is_over(day) else max(0, ends(day) - now),
            game=terms.game,
            levels=terms.levels,
            assistance=terms.assistance,
            state="new" if tried is None else "begun" if tried.result is None else "done",
            table=None if tried is None else tried.table,
            results=await self._deals.ranking(deal, person) if knows else (),
        )

    async def begin(self, page: Socket, ask: protocol.BeginChallenge) -> protocol.Made:
        """Let the person play today's challenge, or return to the table where they do."""
        terms = self._terms(ask.day)
        if ask.day != day_of(self._host.clock.now()):
            raise Refusal("day_over")
        return await self._deals.begin(page, SharedDeal("challenge", ask.day), terms, ask.name)

    def _terms(self, day: str) -> DealTerms:
        """Return on which terms the challenge of a day is played."""
        try:
            weekday = date.fromisoformat(day).weekday()
        except ValueError as error:
            raise Refusal("no_challenge", str(error)) from error
        levels = (*[LEVEL] * SEAT, None, *[LEVEL] * (BOTS - SEAT))
        return DealTerms(GAMES[weekday], {}, levels, "logic", self._people.shared_seal(f"challenge {day}"))
