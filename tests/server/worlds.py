"""Tables that are staged: laid without a lobby from a fixed seed, played at random, or dealt as a test wants them."""

import asyncio
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from tests.server.sites import MIDNIGHT, FakeClock, settle
from whodunit import bots
from whodunit.core.offer import Offer
from whodunit.core.types import Action, Seat
from whodunit.games.clue.facts import ROOMS
from whodunit.games.clue.model import Accuse, Move, StayAndSuggest, Suggest, TakePassage
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.room import manners
from whodunit.room.entries import AnyEntry, Laid, Sat
from whodunit.room.room import Room
from whodunit.table.case import Header
from whodunit.table.seal import Seal

PEOPLE = ("ada", "bob", "cleo", "dora")


def terms(seats: int = 4, seed: int = 0, **changes: Any) -> Laid:
    """Return what a table is laid with, the same whenever it is laid."""
    fields: dict[str, Any] = {
        "at": MIDNIGHT,
        "game": "clue",
        "options": {"starter": 0},
        "levels": (None,) * seats,
        "public": True,
        "assistance": "paper",
        "pace": "normal",
        "code": f"CODE{seed}",
        "keys": tuple(f"key {seat} of {seed}" for seat in range(seats)),
        "seal": Seal.from_seed(seed),
    }
    return Laid(**{**fields, **changes})


async def laid(host: Host, people: Sequence[str] = PEOPLE, seed: int = 0, **changes: Any) -> Live:
    """Lay a table at which these people sit, and whoever else `levels` names."""
    room = terms(seed=seed, **{"seats": len(people), **changes})
    seated = [(seat, who) for seat, who in enumerate(people) if who]
    sat = [Sat(at=room.at, seat=seat, person=who, name=who, salt=f"{seat:032}") for seat, who in seated]
    return await host.lay(f"table{seed}", room, *sat)


async def begun(host: Host, people: Sequence[str] = PEOPLE, seed: int = 0, **changes: Any) -> Live:
    """Lay a table and deal."""
    live = await laid(host, people, seed, **changes)
    await host.moves.begin(live, starts(live, people[0]))
    return live


def starts(live: Live, person: str) -> Callable[[Room], tuple[Header, list[AnyEntry]]]:
    """Return what begins the table, as this person wishes."""
    rules = live.game.INFO.rules
    return lambda room: manners.start(room, person, "random", rules, bots.VERSION, MIDNIGHT)


def lively(offers: Sequence[Offer], rng: Random) -> tuple[int, Action]:
    """Choose what soonest leads to a question, and no accusation; return it with its `since`."""
    offers = [offer for offer in offers if offer.action is not Accuse]
    talk = [offer for offer in offers if offer.action in (Suggest, StayAndSuggest, TakePassage)]
    offer = rng.choice(talk or offers)
    actions = [*offer.actions()]
    rooms = [action for action in actions if isinstance(action, Move) and action.to in ROOMS]
    return offer.since, rng.choice(rooms or actions)


async def to_question(host: Host, live: Live, rng: Random) -> Seat | None:
    """Play own turns until somebody is asked; return who, or None if the game is over."""
    while True:
        assert live.table is not None
        if live.table.outcome:
            return None
        if asked := live.table.asked:
            return asked[0]
        (seat,) = live.table.awaiting
        await host.moves.act(live, seat, *lively(live.table.offers[seat], rng))


async def answered(live: Live, clock: FakeClock) -> int:
    """Let time pass until the asked seat has answered; return how long that took."""
    began, table = clock.now(), live.table
    await settle()
    while live.table is table:
        assert clock.next is not None, "no answer is due"
        clock.move(clock.next)
        for _ in range(200):
            if live.table is not table:
                break
            await asyncio.sleep(0)
    return clock.now() - began
