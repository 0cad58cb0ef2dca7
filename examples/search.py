"""Information-set search in sixty lines: whole games that might be the true one, played on, and the best action kept.

    python examples/search.py clue --against detective --games 12

Every candidate of `consider` is tried in the same resampled games. There everybody goes on for one round with what
they could know: each seat has a past of its own in such a game, so it has an exact belief of its own, and takes
anything that is worth considering. How the game then stands is told by the bits that each is missing, and by where
each stands: who is one bit behind is taken to be half as likely to be the first to know. The worse half of the
candidates is dropped, and the rest are tried in more games. It is made for games that are won by knowing first.
"""

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

import whodunit
from whodunit import Light, Stream, arena, bots, games
from whodunit.core.types import Action, Game, Message, Player, Seat, Update

TRIED = 8
"""In so many resampled games, before the worse half is dropped."""


class Searcher:
    """A player like any other: it is fed what its seat is told."""

    def __init__(self, game: Game, seat: Seat, seed: bytes) -> None:
        self.game, self.seat, self.rng = game, seat, Stream(seed)
        self.belief: Any = game.belief(seat)
        self.seen: list[Any] = []

    def see(self, update: Update) -> None:
        self.view = update.view
        for event in update.events:
            self.seen.append(event)
            self.belief = self.belief.learn(event)

    def act(self) -> Action:
        considered = self.game.consider(self.view, self.seat, self.belief, self.rng)
        guesses = [action for action in considered if type(action) in self.game.INFO.final]
        if guesses:  # `consider` has weighed them against waiting
            return max(guesses, key=self.belief.chance)
        values = dict.fromkeys(considered, 0.0)
        while len(values) > 1:
            for _ in range(TRIED):
                game = whodunit.resample(self.belief, self.rng, self.seen)
                minds = {seat: _learned(game, seat, (0, self.game.belief(seat))) for seat in range(game.seats)}
                for action in values:
                    values[action] += self._value(game.step(self.seat, action, self.rng), minds)
            best = sorted(values, key=values.__getitem__, reverse=True)
            values = {action: values[action] for action in best[: len(best) // 2]}
        return next(iter(values))

    def interrupt(self) -> Action | None:
        return next(iter(self.game.urge(self.view, self.seat, self.belief)), None)

    def explain(self) -> tuple[Message, ...]:
        return ()

    def _value(self, game: Light, minds: dict[Seat, "_Mind"]) -> float:
        """Play one round on, and return how likely this seat is then to be the first."""
        minds, until = dict(minds), game.state.turn + game.seats
        while game.outcome is None and game.state.turn < until:
            seat = game.awaiting[0]
            worthy: Sequence[Action] = [offer.at(0) for offer in game.legal(seat)[:1]]  # what time does
            if seat >= 0:
                minds[seat] = _learned(game, seat, minds[seat])
                worthy = self.game.consider(game.view(seat), seat, minds[seat][1], self.rng)
            game = game.step(seat, worthy[self.rng.below("worthy", len(worthy))], self.rng)
        if game.outcome is not None:
            return (self.seat in game.outcome.winners) / max(1, len(game.outcome.winners))
        bits = {seat: _learned(game, seat, mind)[1].entropy() for seat, mind in minds.items()}
        chances = [2 ** (self.game.worth(game.state, seat) - bits[seat]) for seat in sorted(bits)]
        return float(chances[self.seat] / sum(chances))


_Mind = tuple[int, Any]
"""How many events somebody has learned, and the belief."""


def _learned(game: Light, seat: Seat, mind: _Mind) -> _Mind:
    since, belief = mind
    for event in game.news(seat, since):
        belief = belief.learn(event)
    return game.seq, belief


# --- How well it does ------------------------------------------------------------------------------------------------


LIMITS: dict[str, dict[str, object]] = {"clue": {"max_turns": 90}}
"""Players who look one round ahead may walk about for ever, so nobody wins after so many turns."""


def winners(id: str, seats: int, against: str, number: int, seed: str) -> Iterator[tuple[Seat, Sequence[Seat]]]:
    """Yield where it sat and who won in game after game against players of the house, in each seat in turn."""
    for nth in range(number):
        mine, game = nth % seats, games.get(id)
        case = whodunit.new_game(id, seats, f"{seed}/{nth // seats}", **LIMITS.get(id, {}))
        players: dict[Seat, Player] = {
            seat: bots.seated(against, game, seat, f"{seed} {nth} {seat}".encode()) for seat in range(seats)
        }
        players[mine] = Searcher(game, mine, f"{seed} {nth}".encode())
        outcome = arena.play_case(case, lambda *_: None, players).outcome
        assert outcome is not None
        yield mine, outcome.winners


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=["clue", "perfect_alibi"])
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--against", default="detective")
    parser.add_argument("--games", type=int, default=12)
    parser.add_argument("--seed", default="1")
    args = parser.parse_args()
    won, lost = 0, 0
    for mine, who in winners(args.game, args.seats, args.against, args.games, args.seed):
        won, lost = won + (mine in who), lost + (len(who) > 0 and mine not in who)
        print(f"won {won}, lost {lost}; equals would win 1 of {args.seats}", flush=True)


if __name__ == "__main__":
    main()
