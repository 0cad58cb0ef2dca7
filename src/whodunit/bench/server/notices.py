"""When an asked player who does not look is told so, for `bench server --only oracle`: in worlds that must not differ.

The questions are put at pace slow and in simulated time.
"""

import asyncio

from whodunit.bench.server.timing import TURNS_OF_THE_LOOP, SimulatedClock
from whodunit.bench.server.worlds import ASKED, ASKER, KINDS, Decks, Kind, since, world
from whodunit.host.host import Host
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.room import manners
from whodunit.server.notices import SPACING_MS, Notices
from whodunit.server.webhooks import Courier, Fate

URL = "https://hooks.test/secret"
PEOPLE = ("ann", "ben", "cleo")
ASKED_PEOPLE: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind.endswith("person"))


class Posts(Courier):
    """Carries nothing, and remembers when it was to."""

    def __init__(self, clock: SimulatedClock) -> None:
        super().__init__()
        self.times: list[int] = []
        self._clock = clock

    async def send(self, url: str, words: str, *, trial: bool = False) -> Fate:  # noqa: ARG002  (a Courier's)
        """Note the time."""
        self.times.append(self._clock.now())
        return "delivered"


async def notice(kind: Kind, number: int) -> tuple[bool, int | None]:
    """Ask the question of a world; return whether there was a choice, and after how long a notice of it went out."""
    clock, decks, dealt = SimulatedClock(), Decks(), world(kind, number)
    host = Host(MemoryStore(), MemoryBus(), clock, draws=decks)
    posts = Posts(clock)
    notices = Notices(host, posts, lambda: "https://house.test")
    live = await decks.lay(host, number, dealt, PEOPLE, pace="slow")
    await host.writer.note(live, lambda room: manners.hook(room, PEOPLE[ASKED], URL, "en", clock.now()))
    clock.after(2 * SPACING_MS, lambda: None)
    clock.forward()  # an address that was told something just now would be told later
    await host.moves.act(live, ASKER, since(live, ASKER, dealt.question), dealt.question)
    begun, table = clock.now(), live.table
    while True:
        for _ in range(TURNS_OF_THE_LOOP):
            await asyncio.sleep(0)
        if live.table is not table or posts.times:
            break
        clock.forward()
    await notices.close()
    await host.close()
    return dealt.choice, posts.times[0] - begun if posts.times else None


async def all_notices(count: int) -> dict[str, list[int | None]]:
    """Put the questions of so many worlds; return by class after how many ms each notice went out, or None."""
    found: dict[str, list[int | None]] = {"forced": [], "choice": []}
    for kind in ASKED_PEOPLE:
        for number in range(2 * count // len(ASKED_PEOPLE)):
            choice, delay = await notice(kind, number)
            found["choice" if choice else "forced"].append(delay)
    return found
