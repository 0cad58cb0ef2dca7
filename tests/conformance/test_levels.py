"""Bots of every level take over in every phase of every game, and what they imagine tells nobody their answers."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import chain

from hypothesis import HealthCheck, given
from hypothesis import settings as profile

from tests.conformance.levels import compared_thoughts, positions
from tests.conformance.play import play
from tests.conformance.plug import plug_of
from tests.conformance.settings import Setting, corners, settings_of
from tests.conformance.support import Viewer
from tests.conformance.transcripts import played_from, transcripts_of
from whodunit import bots, load
from whodunit.bench.levels import Position, hand_overs, phases_of, played
from whodunit.bots.thinker import MOST_ANSWERS, Thinker
from whodunit.core.redact import standing
from whodunit.core.rng import Rng
from whodunit.core.types import Game
from whodunit.games import get

CARELESS = 40  # games in which nobody keeps to what is left to his honour, such as to count rightly
OF_A_PHASE = 15  # positions in which every level takes over
OF_THE_ASKED = 20  # positions in which somebody has the most answers to choose from, and so many others


@cache
def pool(game_id: str) -> list[Position]:
    """Return all positions of games with every value of every option, of golden ones, and of careless ones."""
    game, plug = get(game_id), plug_of(game_id)
    games = [play(game, plug, setting) for setting in corners(game.INFO, plug)]
    golden = [load(path) for path in transcripts_of(game_id)]
    games += [played_from(case) for case in golden if case.header.rules == game.INFO.rules]
    careless = [played(game, b"careless %d" % number) for number in range(CARELESS)]
    return [*chain.from_iterable(map(positions, games)), *chain.from_iterable(careless)]


def some(of: Sequence[Position], number: int) -> Sequence[Position]:
    return Rng(b"some", len(of)).shuffled("positions", of)[:number]


def test_every_level_takes_over_in_every_phase(game_id: str) -> None:
    game = get(game_id)
    by_phase: defaultdict[str, list[Position]] = defaultdict(list)
    for position in pool(game_id):
        if position.seats:
            by_phase[position.phase].append(position)

    reached, faults = hand_overs(position for several in by_phase.values() for position in some(several, OF_A_PHASE))

    print(f"{game_id}: seats handed over, by phase: {dict(reached)}")
    assert faults == []
    assert set(reached) == phases_of(game) - phases_without_players(game), "not every phase was reached"


def phases_without_players(game: Game) -> set[str]:
    """Return what a game goes through while nobody is waited for: the deal, say, and the end."""
    *_, last = played(game, b"phases")
    state, idle = None, set()
    for event in standing(last.events):
        state = game.evolve(state, event)
        if not game.awaiting(state):
            idle.add(type(state.phase).__name__)
    return idle


def test_the_asked_imagine_as_much_whatever_they_can_answer(game_id: str) -> None:
    """No seat has more answers to weigh than a thinker always weighs."""
    asked = [position for position in pool(game_id) if position.table.asked]
    most = sorted(asked, key=lambda position: -answers(position))[:OF_THE_ASKED]
    for position in (*most, *some(asked, OF_THE_ASKED)):
        for seat in position.table.asked:
            for level in bots.LEVELS:
                player = bots.seated(level, position.table.game, seat, b"asked")
                player.see(position.table.update(seat, position.events))
                player.act()
                if isinstance(player, Thinker):
                    mind = player._mind
                    assert player.imagined == MOST_ANSWERS * mind.samples * (2 if mind.discretion else 1)
    assert bool(asked) == bool(get(game_id).INFO.answers)


def answers(position: Position) -> int:
    table = position.table
    return sum(
        offer.count for seat in table.asked for offer in table.offers[seat] if offer.action in table.game.INFO.answers
    )


def test_the_asked_imagine_as_much_in_worlds_that_a_viewer_cannot_tell_apart(game_id: str) -> None:
    game, plug = get(game_id), plug_of(game_id)
    compared: Counter[tuple[bool, bool]] = Counter()
    if not game.INFO.answers:
        return  # nobody is ever asked

    @profile(max_examples=15, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
    @given(settings_of(game.INFO, plug, pace=(20, 100)))
    def holds(setting: Setting) -> None:
        game_played = play(game, plug, setting)
        for seat in game_played.viewers if plug.provable(game_played.events) else ():
            compared.update(compared_thoughts(Viewer(game_played, plug, seat)))

    holds()
    unlike = compared[True, False] + compared[False, True]
    assert unlike, "nobody was forced to answer who had a choice in another world"
