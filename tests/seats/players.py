"""Players that go wrong, each in a way of its own, for `tests.seats.players:Name`."""

import os
import sys
import time

import whodunit
from whodunit.bots import DETECTIVE
from whodunit.bots.thinker import Thinker
from whodunit.core.types import Action, Game
from whodunit.games.crime_hotel.model import Play

HOURS = 10_000.0


class Right(whodunit.Player):
    """Does the first thing on offer."""

    def act(self) -> Action:
        return self.update.offers[0].at(0)


class Late(Right):
    def act(self) -> Action:
        time.sleep(HOURS)
        raise AssertionError


class Looping(Right):
    """Cannot be interrupted; keeps a FIFO open, by which it is known whether it lives."""

    def act(self) -> Action:
        if "FIFO" in os.environ:
            os.open(os.environ["FIFO"], os.O_WRONLY)
        while True:
            try:
                time.sleep(0)
            except BaseException:  # noqa: BLE001, S112  (this is what is tried)
                continue


class Silent(Right):
    def __init__(self, game: Game, seat: int, seed: bytes) -> None:
        super().__init__(game, seat, seed)
        time.sleep(HOURS)


class Raising(Right):
    def act(self) -> Action:
        raise ZeroDivisionError("by me")


class Leaving(Right):
    def act(self) -> Action:
        os._exit(7)


class Vague(Right):
    def act(self) -> Action:
        return None  # type: ignore[return-value]


class Cheating(Right):
    def act(self) -> Action:
        held = {action.card for offer in self.update.offers for action in offer.actions() if isinstance(action, Play)}
        return Play(next(card for card in range(1, 33) if card not in held))


class Talkative(Right):
    """Prints, and reads what it can: neither is its line to the arena."""

    def act(self) -> Action:
        print("and now?", sys.stdin.read())
        return super().act()


class Detective(Thinker):
    """The house's own, told by lines."""

    def __init__(self, game: Game, seat: int, seed: bytes) -> None:
        super().__init__(game, seat, seed, DETECTIVE)


class NoPlayer:
    def __init__(self, *_: object) -> None: ...
