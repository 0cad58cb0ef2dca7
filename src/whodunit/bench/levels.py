"""Every seat is given to every level of bots at every event of games played at random: does any of them crash?"""

from whodunit.conformance.handovers import hand_overs, played
from whodunit.games import get, ids


def crashed(games: int, seed: int) -> list[str]:
    """Play so many games of each kind at random; return a line for each game, level and phase that crashed."""
    return [
        fault
        for name in ids()
        for fault in hand_overs(
            position for number in range(games) for position in played(get(name), f"{name} {seed} {number}".encode())
        ).faults
    ]
