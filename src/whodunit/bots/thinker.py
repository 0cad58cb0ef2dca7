"""A player that imagines where each action would lead, and takes the best by its worth and by what it would tell."""

from collections.abc import Sequence
from math import log2
from typing import Any, Final

from msgspec import Struct

from whodunit.core.redact import redact
from whodunit.core.rng import Stream
from whodunit.core.types import TABLE, Action, Attention, Belief, Event, Game, Message, Player, Seat, Update
from whodunit.deduce.bits import bits as bits_about

EVEN: Final = 1e-9
MOST_ANSWERS: Final = 5
"""No asked seat has more answers to weigh in any game; the conformance suite proves it."""


class Mind(Struct, frozen=True):
    """What makes one level of play different from another."""

    attention: Attention
    samples: int
    """How many worlds it imagines."""
    curiosity: float
    """What a bit of information about the case is worth to it."""
    discretion: float
    """What a bit that others learn from its action costs it."""
    foresight: int = 0
    """How many steps ahead it plans; at none it goes by the game's rules of thumb."""
    guesses: bool = True
    """Whether it takes a final guess that may be wrong."""
    forgets: float = 0.0
    """With what chance it loses one thing it was told on each of its turns."""


class Thinker(Player):
    """Plays any game by its belief, by imagining, and by the game's own sense of what is worth doing."""

    def __init__(self, game: Game, seat: Seat, seed: bytes, mind: Mind) -> None:
        super().__init__(game, seat, seed)
        self.mind = mind
        self._rng = Stream(seed)
        self._idle = Stream(seed + b"idle")
        """For what is imagined only to take its time: nothing goes by what is drawn here."""
        self._belief: Belief = game.belief(seat, mind.attention)
        self._public: Belief = game.belief(TABLE, "logic")
        self._turn = 0
        self._why: tuple[Message, ...] = ()
        self.imagined = 0
        """In how many worlds the last `act` imagined an action, each action by itself."""

    def see(self, update: Update) -> None:
        """Take in what the seat has been told."""
        super().see(update)
        for event in update.events:
            self._belief = self._belief.learn(event)
            if self.mind.discretion:
                self._public = self._public.learn(redact(event, TABLE))

    def told(self, state: Any) -> None:
        """Look at the truth, where the game's belief can take it in: for the ceiling of an arena."""
        told = getattr(self._belief, "told", None)
        if told is not None:
            self._belief = told(state)

    def act(self) -> Action:
        """Choose one of the actions worth considering.

        A seat that is asked weighs as many answers as anybody could have, some of them again and to no purpose: else
        the time of the thought would tell whether it had a choice.
        """
        view = self.update.view
        self.imagined = 0
        self._maybe_forget(view)
        actions = self._considered(view)
        rest = [action for action in actions if type(action) not in self.game.INFO.final]
        if guess := self._dared(actions) or (None if rest else self._likeliest(actions)):
            return guess
        is_asked = any(offer.action in self.game.INFO.answers for offer in self.update.offers)
        if len(rest) > 1:
            scales = self._scales(view, self._rng)
            chosen = self._best(scales, rest)
        else:
            chosen, self._why = rest[0], (Message("only"),)
            if not is_asked:
                return chosen
            scales = self._scales(view, self._idle)
        if is_asked:
            scales.fill_up(rest, self._idle)
        self.imagined = scales.imagined
        return chosen

    def _considered(self, view: Any) -> Sequence[Action]:
        return self.game.consider(view, self.seat, self._belief, self._rng)

    def interrupt(self) -> Action | None:
        """Do at once what the game's sense calls worth doing without being waited for."""
        interrupts = self.game.INFO.interrupts
        if not any(offer.action in interrupts for offer in self.update.offers):
            return None
        urgent = self.game.urge(self.update.view, self.seat, self._belief)
        rest = (action for action in urgent if type(action) not in self.game.INFO.final)
        return self._dared(urgent) or next(rest, None)

    def _dared(self, actions: Sequence[Action]) -> Action | None:
        """Return the first final guess among the actions that is likely enough."""
        for guess in actions:
            if type(guess) not in self.game.INFO.final:
                continue
            chance = self._belief.chance(guess)
            if self.mind.guesses or chance == 1:
                return self._guessed(guess, chance)
        return None

    def _likeliest(self, guesses: Sequence[Action]) -> Action:
        """Return the likeliest of the final guesses: nothing else can be done, so even the careful must take one."""
        chances = [self._belief.chance(guess) for guess in guesses]
        return self._guessed(guesses[chances.index(max(chances))], max(chances))

    def _guessed(self, guess: Action, chance: float) -> Action:
        self._why = (Message("guess", {"chance": f"{100 * chance:.0f}"}),)
        return guess

    def explain(self) -> tuple[Message, ...]:
        """Say afterwards why it did what it did last."""
        return self._why

    def _maybe_forget(self, view: Any) -> None:
        if view.turn == self._turn or view.on_turn != self.seat:
            return
        self._turn = view.turn
        if self.mind.forgets and self._rng.below("forgets", 1000) < 1000 * self.mind.forgets:
            self._belief = self._belief.forget(self._rng)

    def _scales(self, view: Any, rng: Stream) -> "_Scales":
        return _Scales(self.game, self.seat, self.mind, view, self._belief, self._public, rng)

    def _best(self, scales: "_Scales", actions: Sequence[Action]) -> Action:
        scores = [scales.weigh(action) for action in actions]
        top = max(score for score, _ in scores)
        best = [number for number, (score, _) in enumerate(scores) if score > top - EVEN]
        chosen = best[self._rng.below("even", len(best))]
        bits = scores[chosen][1]
        self._why = (_reason(bits, len(actions)),)
        return actions[chosen]


def _reason(bits: float, count: int) -> Message:
    if bits < 0.05:
        return Message("worth", {"count": count - 1})
    return Message("bits", {"bits": f"{bits:.1f}", "count": count})


class _Scales:
    """Weighs actions in one situation, by what a mind cares for."""

    def __init__(
        self, game: Game, seat: Seat, mind: Mind, view: Any, belief: Belief, public: Belief, rng: Stream
    ) -> None:
        worlds = belief.sample(rng, "worlds", mind.samples)
        self.mind = mind
        self.own = _Prospect(game, seat, rng, view, seat, belief, worlds)
        self.plan = game.plan(view, seat, belief, worlds, mind.foresight) if mind.foresight else None
        self.public = None
        if mind.discretion:
            others = public.sample(rng, "public", mind.samples)
            self.public = _Prospect(game, seat, rng, view, TABLE, public, others)
        self.weighed = 0

    def weigh(self, action: Action) -> tuple[float, float]:
        """Return how good an action is, and how many bits about the case it would tell the seat."""
        self.weighed += 1
        worth, bits = self.own.of(action, self.plan)
        score = worth + self.mind.curiosity * bits
        if self.public is not None:
            score -= self.mind.discretion * self.public.told_by(action)
        return score, bits

    def fill_up(self, answers: Sequence[Action], rng: Stream) -> None:
        """Imagine as much as there would be to imagine if there were as many answers as anybody could have."""
        prospects = [self.own] if self.public is None else [self.own, self.public]
        for prospect in prospects:
            prospect.idle(rng)
        for number in range(self.weighed, MOST_ANSWERS):
            self.weigh(answers[number % len(answers)])
        # In some worlds of the public this seat could not have given the answer: there nothing was imagined.
        for number in range(MOST_ANSWERS * self.mind.samples * len(prospects) - self.imagined):
            self.own.seen(self.own.states[number % self.mind.samples], answers[number % len(answers)])

    @property
    def imagined(self) -> int:
        """In how many worlds an action was imagined so far."""
        return self.own.imagined + (0 if self.public is None else self.public.imagined)


class _Prospect:
    """What an action would lead to in each of some worlds, and what a viewer would see of it."""

    def __init__(
        self, game: Game, seat: Seat, rng: Stream, view: Any, viewer: Seat, belief: Belief, worlds: Sequence[Any]
    ) -> None:
        self.game = game
        self.seat = seat
        self.rng = rng
        self.viewer = viewer
        self.turn = view.turn
        self.states = [game.imagine(view, world) for world in worlds]
        self.answers = [belief.answer(world) for world in worlds]
        self.imagined = 0
        self.is_idle = False

    def idle(self, rng: Stream) -> None:
        """Go on by other draws, only to take the time that imagining takes."""
        self.rng = rng
        self.is_idle = True

    def of(self, action: Action, plan: Any) -> tuple[float, float]:
        """Return what the action is worth on average, and how many bits about the case the viewer would gain."""
        worth = 0.0
        seen = []
        for state in self.states:
            after, events = self._played(state, action)
            worth += self.game.worth(after, self.seat, plan)
            seen.append(tuple(redact(event, self.viewer) for event in events))
        return worth / len(self.states), bits_about(seen, self.answers)

    def told_by(self, action: Action) -> float:
        """Return how many bits the action tells the viewer: that it was possible at all, and what comes of it."""
        able = [
            (state, answer)
            for state, answer in zip(self.states, self.answers, strict=True)
            if any(offer.admits(action) for offer in self.game.legal(state, self.seat))
        ]
        if not able:
            return log2(len(self.states) + 1)
        seen = [self.seen(state, action) for state, _ in able]
        return log2(len(self.states) / len(able)) + bits_about(seen, [answer for _, answer in able])

    def seen(self, state: Any, action: Action) -> tuple[Event, ...]:
        """Return what the viewer would see of the action in a world, and of what comes of it."""
        return tuple(redact(event, self.viewer) for event in self._played(state, action)[1])

    def _played(self, state: Any, action: Action) -> tuple[Any, list[Event]]:
        """Play the action and what the others answer to it, by even choice, as long as the turn lasts."""
        game, info = self.game, self.game.INFO
        self.imagined += 1
        events: list[Event] = []
        seat = self.seat
        while True:
            for event in game.decide(state, seat, action, self.rng):
                state = game.evolve(state, event)
                events.append(event)
            waited_for = game.awaiting(state)
            if state.turn != self.turn or not waited_for or self.seat in waited_for:
                return state, events
            offers = [offer for offer in game.legal(state, min(waited_for)) if offer.action not in info.interrupts]
            if self.is_idle and seat == self.seat and any(offer.action in info.answers for offer in offers):
                return state, events  # else who passes a question on would think longer than who answers it
            seat = min(waited_for)
            offer = offers[self.rng.below("offer", len(offers))]
            if not offer.count:  # a wrong answer was given: in this world its giver could not go on
                return state, events
            action = offer.sample(self.rng)
