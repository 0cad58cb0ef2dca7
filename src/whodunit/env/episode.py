"""One game as every environment plays it: one seat decides at a time, by an index, until the game ends or is cut.

Who decides is public and always the same: whoever the table waits for; of several the lowest seat. Before that, seats
that may interrupt are asked, clockwise from the player on turn: each one that is not waited for, has an interrupt on
offer, and has let no moment pass since an event last had a secret part (whoever saw it). It interrupts, or says Wait.
Whoever is waited for finds its interrupts beside all else. What the table waits for time to do happens when nobody
wants to interrupt; limits of time never run out here.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from whodunit import games
from whodunit.core.errors import Illegal
from whodunit.core.info import Options
from whodunit.core.offer import Offer
from whodunit.core.redact import secrets
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Action, Belief, Event, Frozen, Game, Outcome, Seat
from whodunit.env.observe import Observer
from whodunit.env.space import TURNS, ActionSpace, Begun, Mask, Wait
from whodunit.table.light import Light, light_of, open_light

DECISIONS: Final = 50
"""For every turn that a game may have it may have so many decisions, or is cut: no game of ours comes near it."""

Draws: TypeAlias = Callable[[int], Rng]
"""Of the number of the next event: where its draws come from, if not from the game's seed."""


class Terms(Frozen):
    """What all episodes of an environment have in common."""

    def __init__(
        self, game: Game | str, seats: int, options: Options | Mapping[str, object] | None = None, turns: int = TURNS
    ) -> None:
        self.game = games.get(game) if isinstance(game, str) else game
        self.seats = seats
        info = self.game.INFO
        self.options = options if isinstance(options, Options) else info.parse(seats, {**info.bulk, **(options or {})})
        self.turns = turns
        self.longest = DECISIONS * turns
        self.space = ActionSpace(self.game, seats, self.options, turns)
        self.interrupts = frozenset(info.interrupts)
        # TABLE's is the last, so that -1 finds it.
        self._observers = [Observer(self.game, seats, self.options, seat) for seat in (*range(seats), TABLE)]
        self._spelled = self.space.spelled
        self.names = (*self._observers[0].names, *(f"begun.{self.space.name(index)}" for index in self._spelled))
        """What each number that a seat sees tells: as Observer has it, then what it has said of a spelled action."""

    def begin(self, seed: int | str) -> "Episode":
        """Open a game: the same seed gives the same one."""
        given = {name: getattr(self.options, name) for name in self.options.__struct_fields__}
        return self._opened(open_light(self.game.INFO.id, self.seats, seed, given))

    def begin_with(self, draws: Draws) -> "Episode":
        """Open a game whose draws come from elsewhere, as those of every step then must."""
        events = tuple(self.game.setup(self.seats, self.options, draws(1)))
        return self._opened(light_of(self.game, self.seats, 0, events), draws)

    def __reduce__(self) -> tuple[Any, ...]:
        return Terms, (self.game.INFO.id, self.seats, self.options, self.turns)  # modules do not pickle

    def _opened(self, light: Light, draws: Draws | None = None) -> "Episode":
        nothing = (False,) * self.seats
        unbelieved: list[tuple[int, Belief] | None] = [None] * (self.seats + 1)
        opened = Episode(self, light, None, nothing, (), 0, False, unbelieved)
        return opened._settled(light, self._stirred(light, 0, nothing), 0, draws)  # noqa: SLF001  (its own maker)

    def _stirred(self, light: Light, since: int, stirred: tuple[bool, ...]) -> tuple[bool, ...]:
        """Return who is to be asked for interrupts after what has happened since an event."""
        if not self.interrupts or False not in stirred:
            return stirred
        return (True,) * self.seats if any(map(_has_secrets, light.news(TABLE, since))) else stirred

    def may_interrupt(self, light: Light, seat: Seat) -> bool:
        """Say whether an interrupt is on offer to the seat."""
        interrupts = self.interrupts
        return bool(interrupts) and any(offer.action in interrupts for offer in light.legal(seat))

    def observe(self, episode: "Episode", seat: Seat, *, belief: bool = False) -> NDArray[np.float32]:
        """Return what a viewer sees, and with `belief` what follows from all that it has seen, as numbers."""
        seen = self._observers[seat].observe(episode.light.view(seat), episode.belief(seat) if belief else None)
        if not self._spelled:
            return seen
        begun = np.zeros(len(self._spelled), np.float32)
        if seat == episode.seat:
            for nth, index in enumerate(episode.begun, 1):
                begun[index - self._spelled[0]] = nth / len(self._spelled)
        return np.concatenate([seen, begun])


def _has_secrets(event: Event) -> bool:
    return bool(secrets(type(event)))


class Episode(Frozen, Struct, frozen=True, eq=False):
    """A moment at which a seat decides, or the end; a value: a step returns the next one."""

    terms: Terms
    light: Light
    """The game itself, secrets included."""
    seat: Seat | None
    """Who decides; None when it is over."""
    stirred: tuple[bool, ...]
    """By seat, whether it is still to be asked for interrupts since something hidden was last told to anybody."""
    begun: Begun
    """What the seat has said of an action that is spelled."""
    decisions: int
    cut: bool
    """Whether the game has no end, because it had too many turns."""
    beliefs: list[tuple[int, Belief] | None]
    """By viewer, TABLE last: the last belief that was made on the way here, and up to which event. A memory."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it runs, and when it was cut."""
        return self.light.outcome

    @property
    def is_asked(self) -> bool:
        """Whether the seat is asked if it interrupts, and may wait."""
        return bool(self.terms.interrupts) and self.seat is not None and self.seat not in self.light.awaiting

    @property
    def offers(self) -> tuple[Offer, ...]:
        """What the seat that decides may do."""
        return () if self.seat is None else self.light.legal(self.seat)

    def mask(self) -> Mask:
        """Return which indices the seat that decides may say."""
        space = self.terms.space
        mask = space.mask(self.offers, self.begun)
        if not self.begun and self.is_asked:
            mask[space.wait] = True
        return mask

    def step(self, index: int, draws: Draws | None = None) -> "Episode":
        """Return the next moment after the seat has said an index; raise Illegal if the mask does not admit it."""
        if self.seat is None:
            raise ValueError("this game is over")
        index, space = int(index), self.terms.space
        action = space.at(index, self.begun)
        if action is None:
            if not self.mask()[index]:
                raise Illegal(self.seat, space.name(index), self.offers)
            said = space.said(self.offers, index, self.begun)
            if isinstance(said, tuple):
                return replace(self, begun=said, decisions=self.decisions + 1)
            action = said
        return self.act(action, draws)

    def act(self, action: Action, draws: Draws | None = None) -> "Episode":
        """Return the next moment after the seat has done a whole action, as `step` does index by index."""
        if self.seat is None:
            raise ValueError("this game is over")
        seat, light, stirred, awaited = self.seat, self.light, self.stirred, not self.is_asked
        if type(action) is not Wait:
            light = light.step(seat, action, draws and draws(light.seq + 1))
        elif awaited:
            raise Illegal(seat, action, self.offers)
        if light is self.light or (awaited and self.terms.may_interrupt(self.light, seat)):
            stirred = _put(stirred, seat)  # it has let the moment pass
        if light is not self.light:
            stirred = self.terms._stirred(light, self.light.seq, stirred)  # noqa: SLF001  (of one piece)
        return self._settled(light, stirred, self.decisions + 1, draws)

    def drawn(self, rng: Rng) -> int:
        """Return what the house says for a seat that has said something illegal: anything legal, by lot.

        It makes no final guess if there is anything else, and does not interrupt.
        """
        if self.begun:
            left = self.mask().nonzero()[0]
            return int(left[rng.below("index", len(left))])
        if self.is_asked:
            return self.terms.space.wait
        risky = {*self.terms.game.INFO.final, *self.terms.interrupts}
        offers = [offer for offer in self.offers if offer.action not in risky] or self.offers
        return self.terms.space.index(offers[rng.below("offer", len(offers))].sample(rng))

    def _settled(self, light: Light, stirred: tuple[bool, ...], decisions: int, draws: Draws | None) -> "Episode":
        """Find out who decides next, or that it is over."""
        terms, seat, cut = self.terms, None, False
        while light.outcome is None:
            cut = light.state.turn > terms.turns or decisions >= terms.longest
            if cut:
                break
            seat = _asked(terms, light, stirred)
            seat = light.awaiting[0] if seat is None else seat
            if seat != TABLE:
                break
            before = light.seq
            light = light.step(TABLE, light.legal(TABLE)[0].at(0), draws and draws(before + 1))
            stirred = terms._stirred(light, before, stirred)  # noqa: SLF001  (of one piece)
            decisions, seat = decisions + 1, None
        return Episode(terms, light, None if cut else seat, stirred, (), decisions, cut, self.beliefs.copy())

    def belief(self, seat: Seat) -> Belief:
        """Return what a seat may conclude from all that it has seen."""
        made = self.beliefs[seat]
        since, belief = (0, self.terms.game.belief(seat)) if made is None else made
        if since < self.light.seq:
            for event in self.light.news(seat, since):
                belief = belief.learn(event)
            self.beliefs[seat] = self.light.seq, belief
        return belief

    def payoffs(self) -> tuple[float, ...]:
        """Return what each seat has won, as `payoffs` says; nothing while the game runs, or when it was cut."""
        return payoffs(self.outcome, self.terms.seats)

    def __reduce__(self) -> Any:
        # Terms are made anew from what they were made of; what is only remembered stays behind.
        light = self.light
        return _restored, (self.terms, light, self.seat, self.stirred, self.begun, self.decisions, self.cut)

    def __repr__(self) -> str:
        # Neither cards nor seed, as for the game itself.
        return f"Episode({self.light!r}, seat={self.seat}, decisions={self.decisions}, cut={self.cut})"


def _restored(*fields: Any) -> Episode:
    unbelieved: list[tuple[int, Belief] | None] = [None] * (fields[0].seats + 1)
    return Episode(*(*fields, unbelieved))


def payoffs(outcome: Outcome | None, seats: int) -> tuple[float, ...]:
    """Return what each seat has won: they add up to 0, and lie between -1 and 1.

    A sole winner has 1, and the others bear that together; several winners share. If nobody wins, nobody has anything.
    """
    if outcome is None or not outcome.winners:
        return (0.0,) * seats
    won = seats / len(outcome.winners)
    return tuple(((won if seat in outcome.winners else 0) - 1) / (seats - 1) for seat in range(seats))


def _asked(terms: Terms, light: Light, stirred: Sequence[bool]) -> Seat | None:
    """Return which seat is asked next whether it interrupts, if any is: clockwise from the player on turn."""
    if not terms.interrupts or not any(stirred):
        return None
    awaiting, seats = light.awaiting, terms.seats
    on_turn: Seat = light.state.on_turn
    for place in range(seats):
        seat = (on_turn + place) % seats
        if stirred[seat] and seat not in awaiting and terms.may_interrupt(light, seat):
            return seat
    return None


def _put(stirred: tuple[bool, ...], seat: Seat) -> tuple[bool, ...]:
    return (*stirred[:seat], False, *stirred[seat + 1 :])
