"""Every test of the suite, over one game: random play at every number of seats, with every option and variant."""

import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as profile

from whodunit import bots
from whodunit.bots.thinker import MOST_ANSWERS, Thinker
from whodunit.conformance.believes import BELIEFS
from whodunit.conformance.checks import CHECKS
from whodunit.conformance.contract import CONTRACT, FOUNDATIONS
from whodunit.conformance.golden import conforms, expected_of, is_honest_game, played_from, transcripts_of
from whodunit.conformance.handovers import Position, hand_overs, phases_of, played
from whodunit.conformance.judges import JUDGES
from whodunit.conformance.levels import compared_thoughts, positions
from whodunit.conformance.play import play
from whodunit.conformance.plug import Plug, kinds_of
from whodunit.conformance.resamples import RESAMPLES
from whodunit.conformance.second import digest, in_second_process
from whodunit.conformance.sends import indistinguishable, sends_equal_bytes, takes_back
from whodunit.conformance.settings import Setting, corners, exercised, settings_of, wanted
from whodunit.conformance.sights import sees_apart_what_differs, tells_all_of_it
from whodunit.conformance.support import KNOWLEDGE, Viewer
from whodunit.core.errors import BadOptions
from whodunit.core.redact import standing
from whodunit.core.rng import Rng
from whodunit.core.types import Game, Undone
from whodunit.core.wire import encode
from whodunit.games import LANGUAGES
from whodunit.table.case_file import parse
from whodunit.table.table import Table

MANY: Final = 120
PACE: Final = (20, 100)
KNOWN: Final = KNOWLEDGE | BELIEFS | JUDGES | RESAMPLES
EXAMPLES: Final = {
    "supports": 30,
    "believes_what_can_be_known": 8,
    "never_rules_out_the_truth": 10,
    "judges_by_what_was_seen": 3,
    "expects_what_comes": 3,
    "resamples_what_was_seen": 6,
    "resamples_by_what_was_seen": 3,
}
MORE: Final = 16
"""At most so many times the examples, where fewer do not meet what is to be checked."""
CARELESS: Final = 40
"""Games in which nobody keeps to what is left to his honour, such as to count rightly."""
OF_A_PHASE: Final = 15
"""Positions in which every level takes over."""
OF_A_SIGHT: Final = 16
"""Positions of each phase in which everything that is said is read back."""
MIXED: Final = 300
"""Positions with all options in which the numbers of all viewers are compared;"""
DEALT: Final = 12
"""so many deals with the same options are,"""
APART: Final = 30
"""and so many positions of each."""
OF_THE_ASKED: Final = 20
"""Positions in which somebody has the most answers to choose from, and so many others."""
MEETS: Final = """
import sys
from contextlib import suppress
from msgspec import MsgspecError
from whodunit.games import get
from whodunit.table.codec import read_action

game, met = get(sys.argv[1]), []
sys.setprofile(lambda frame, event, _: met.append(frame.f_code.co_name) if event == "call" else None)
with suppress(MsgspecError):
    read_action(b"0", game)
game.INFO.parse(game.INFO.seats[0], {})
sys.setprofile(None)
print(*sorted({*met}))
"""

Test: TypeAlias = Callable[[], None]
T = TypeVar("T")


def _some(examples: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Draw so many examples, the same ones every time; a busy machine is no counterexample.

    A shorter one is not looked for: that would take minutes, and a seed is no clearer for being small.
    """
    return profile(
        max_examples=examples,
        phases=(Phase.generate,),
        derandomize=True,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )


class Suite:
    """All tests of one game."""

    def __init__(self, game: Game, plug: Plug) -> None:
        self.game = game
        self.plug = plug

    def tests(self) -> Iterator[tuple[str, Test]]:
        """Yield each test with its name."""
        for name, kept in CONTRACT.items():
            yield f"contract[{name}]", partial(kept, self.game)
        for name, test in self._others():
            yield name, partial(self._on_firm_ground, test)

    def _on_firm_ground(self, test: Test) -> None:
        """Run a test if the house can read the game at all: else each would fail in a way of its own."""
        for kept in FOUNDATIONS:
            try:
                kept(self.game)
            except AssertionError as error:
                raise AssertionError(f"not tried, because contract[{kept.__name__}] fails") from error
        test()

    def _others(self) -> Iterator[tuple[str, Test]]:
        for name in CHECKS:
            yield f"random_play[{name}]", partial(self.random_play, name)
        yield "every_value_of_every_option_is_played", self.every_value_of_every_option_is_played
        yield "options_open_a_game_or_are_refused_as_bad", self.options_open_a_game_or_are_refused_as_bad
        yield "a_second_process_plays_the_same_games", self.a_second_process_plays_the_same_games
        yield "types_are_known_as_soon_as_it_is_loaded", self.types_are_known_as_soon_as_it_is_loaded
        for name in KNOWN:
            yield f"what_every_viewer_can_know[{name}]", partial(self.what_every_viewer_can_know, name)
        yield "equal_bytes", self.equal_bytes
        yield "taking_back", self.taking_back
        yield "tells_all_that_a_view_knows", self.tells_all_that_a_view_knows
        yield "tells_views_apart_by_numbers", self.tells_views_apart_by_numbers
        yield "every_level_takes_over_in_every_phase", self.every_level_takes_over_in_every_phase
        yield "the_asked_imagine_as_much_whatever_they_can_answer", self.the_asked_imagine_as_much
        yield "the_asked_imagine_as_much_in_every_world", self.the_asked_imagine_as_much_in_every_world
        if self.plug.GOLDEN is not None:
            yield "golden_transcripts", self.golden_transcripts
            for path in transcripts_of(self.plug.GOLDEN):
                yield f"golden[{path.stem}]", partial(self.golden, path)

    # --- Play ------------------------------------------------------------------------------------------------------

    def random_play(self, check: str) -> None:
        @_some(MANY)
        @given(settings_of(self.game.INFO, self.plug))
        def holds(setting: Setting) -> None:
            CHECKS[check](play(self.game, self.plug, setting), self.plug)

        holds()

    def every_value_of_every_option_is_played(self) -> None:
        info = self.game.INFO
        seen: set[tuple[str, object]] = set()
        for setting in corners(info, self.plug):
            played = play(self.game, self.plug, setting)
            seen.update(exercised(info, played.options))
            for check in CHECKS.values():
                check(played, self.plug)
        never = wanted(info) - seen
        assert never == self.plug.ELSEWHERE, (
            f"these values of options are never played: {sorted(map(str, never - self.plug.ELSEWHERE))}; these are, "
            f"though ELSEWHERE names them: {sorted(map(str, self.plug.ELSEWHERE - never))}. If a value opens no table "
            "by itself, write `adjusted` in a plug; if it cannot be played at random at all, name it in its ELSEWHERE"
        )

    def options_open_a_game_or_are_refused_as_bad(self) -> None:
        info = self.game.INFO
        opened: set[bool] = set()

        @_some(MANY)
        @given(settings_of(info, None))
        def holds(setting: Setting) -> None:
            options = {**setting.options, **info.bulk}  # what they are refused for needs no simulation
            try:
                Table.open(self.game, setting.seats, info.parse(setting.seats, options), b"")
            except BadOptions:
                opened.add(False)
            else:
                opened.add(True)

        holds()
        assert True in opened, "no table ever opened"

    def a_second_process_plays_the_same_games(self) -> None:
        """Nothing depends on the order of a set: another hash seed gives the same events, offers and views."""
        seats = self.game.INFO.seats[1]
        settings = [Setting(seats, self.plug.adjusted(seats, {}), seed, 40) for seed in range(5)]
        games = [play(self.game, self.plug, setting) for setting in settings]
        here, there = [digest(played) for played in games], in_second_process(games)
        assert here == there, f"with another PYTHONHASHSEED the same actions give something else: {here}, {there}"

    def types_are_known_as_soon_as_it_is_loaded(self) -> None:
        """Two threads that met them at once would crash: msgspec uses what it knows by half."""
        command = [sys.executable, "-c", MEETS, self.game.INFO.id]
        path = os.pathsep.join(filter(None, sys.path))
        environment = {**os.environ, "PYTHONPATH": path}
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)  # noqa: S603
        assert "read_action" in done.stdout, done.stderr
        assert "get_class_annotations" not in done.stdout, "a type is met by msgspec only when the game is in use"

    # --- Knowledge -------------------------------------------------------------------------------------------------

    def what_every_viewer_can_know(self, check: str) -> None:
        listed: set[int] = set()

        def holds(viewer: Viewer) -> None:
            KNOWN[check](viewer)
            listed.update(map(len, viewer.listed))

        self._for_every_viewer(EXAMPLES.get(check, 15), holds, lambda: max(listed, default=0) > 1)
        assert max(listed, default=0) > 1, "no viewer had few enough worlds to try them all"

    def equal_bytes(self) -> None:
        """In worlds that a viewer cannot tell apart, the viewer is sent the same."""
        compared: Counter[int] = Counter()

        def holds(viewer: Viewer) -> None:
            sends_equal_bytes(viewer)
            compared[viewer.seat] += len(indistinguishable(viewer))

        everybody = {*range(-1, self.game.INFO.seats[1])}
        self._for_every_viewer(20, holds, lambda: set(+compared) == everybody)
        assert set(compared) == everybody, "not every number of seats was played"
        without = sorted(seat for seat in everybody if not compared[seat])
        assert not without, (
            f"viewers {without} never had another world that they could not tell from the true one: the worlds that "
            "the belief lists, or those that a plug's `neighbour` returns, are all ruled out at once"
        )

    def taking_back(self) -> None:
        taken: set[type] = set()

        @_some(30)
        @given(settings_of(self.game.INFO, self.plug, pace=PACE))
        def holds(setting: Setting) -> None:
            taken.update(takes_back(play(self.game, self.plug, setting)))

        holds()
        assert taken <= set(self.game.INFO.undoable)
        assert bool(taken) == bool(self.game.INFO.undoable), "nothing was ever taken back"

    def _for_every_viewer(self, examples: int, check: Callable[[Viewer], None], enough: Callable[[], bool]) -> None:
        """Check so many games, and if they were not enough to prove anything, more until they are."""
        tried: set[bytes] = set()
        passed: set[bytes] = set()

        def holds(setting: Setting) -> None:
            key = encode(setting)
            is_fault_known = tried != passed  # then the same example is tried once more, and must fail again
            if not is_fault_known and (key in passed or (len(passed) >= examples and enough())):
                return
            tried.add(key)
            played = play(self.game, self.plug, setting)
            for seat in played.viewers if self.plug.provable(played.events) else ():
                check(Viewer(played, self.plug, seat))
            passed.add(key)

        for most in (examples, examples * MORE):
            _some(most)(given(settings_of(self.game.INFO, self.plug, pace=PACE))(holds))()
            if enough():
                return

    # --- Bots ------------------------------------------------------------------------------------------------------

    @cached_property
    def _pool(self) -> list[Position]:
        """All positions of games with every value of every option, of golden ones, and of careless ones."""
        game, plug = self.game, self.plug
        games = [play(game, plug, setting) for setting in corners(game.INFO, plug)]
        golden = [parse(path.read_bytes()) for path in transcripts_of(plug.GOLDEN)]
        games += [played_from(case) for case in golden if case.header.rules == game.INFO.rules]
        careless = [played(game, b"careless %d" % number) for number in range(CARELESS)]
        return [*chain.from_iterable(map(positions, games)), *chain.from_iterable(careless)]

    def tells_all_that_a_view_knows(self) -> None:
        """What is said of a view, of what is on offer and of actions, can be read back: in every phase and language."""
        tried = [position for several in self._by_phase.values() for position in _few(several, OF_A_SIGHT)]
        for number, position in enumerate(tried):
            viewers = position.table.viewers
            viewer = viewers[number // len(LANGUAGES) % len(viewers)]
            tells_all_of_it(position.table, viewer, LANGUAGES[number % len(LANGUAGES)])

    def tells_views_apart_by_numbers(self) -> None:
        """Whatever a seat may see now can be told by its numbers, and what is only history changes none of them."""
        # With every option, and of tables that differ in nothing but what was drawn.
        settings = [
            Setting(seats, self.plug.adjusted(seats, {}), seed, pace=30)
            for seats in self.game.INFO.seats
            for seed in range(DEALT)
        ]
        alike = (table for setting in settings for table in _few(play(self.game, self.plug, setting).tables, APART))
        seen = sees_apart_what_differs(self.game, [*(position.table for position in _few(self._pool, MIXED)), *alike])
        assert seen != 1, "every view gives the same numbers"

    @cached_property
    def _by_phase(self) -> dict[str, list[Position]]:
        by_phase: defaultdict[str, list[Position]] = defaultdict(list)
        for position in self._pool:
            by_phase[position.phase].append(position)
        return by_phase

    def every_level_takes_over_in_every_phase(self) -> None:
        by_phase: defaultdict[str, list[Position]] = defaultdict(list)
        for position in self._pool:
            if position.seats:
                by_phase[position.phase].append(position)
        tried = (position for several in by_phase.values() for position in _few(several, OF_A_PHASE))
        reached, faults = hand_overs(tried)
        assert not faults, "\n".join(faults)
        never = phases_of(self.game) - _phases_without_players(self.game) - set(reached)
        assert not never, f"these phases were never reached: {', '.join(sorted(never))}"

    def the_asked_imagine_as_much(self) -> None:
        """No seat has more answers to weigh than a thinker always weighs."""
        asked = [position for position in self._pool if position.table.asked]
        most = sorted(asked, key=lambda position: -_answers(position))[:OF_THE_ASKED]
        for position in (*most, *_few(asked, OF_THE_ASKED)):
            for seat in position.table.asked:
                for level in bots.LEVELS:
                    player = bots.seated(level, position.table.game, seat, b"asked")
                    player.see(position.table.update(seat, position.events))
                    player.act()
                    if isinstance(player, Thinker):
                        expected = MOST_ANSWERS * player.mind.samples * (2 if player.mind.discretion else 1)
                        assert player.imagined == expected, (
                            f"asked after event {position.table.seq}, the {level} in seat {seat} imagines "
                            f"{player.imagined}, not {expected}: `consider` returns more than {MOST_ANSWERS} answers"
                        )
        assert bool(asked) == bool(self.game.INFO.answers), "INFO.answers names actions, but nobody is ever asked"

    def the_asked_imagine_as_much_in_every_world(self) -> None:
        """Nor in worlds that a viewer cannot tell apart."""
        asked = [position for position in self._pool if position.table.asked]
        forced = {_answers(position) == len(position.table.asked) for position in asked}
        compared: Counter[tuple[bool, bool]] = Counter()

        def proven() -> bool:
            return compared[True, False] + compared[False, True] > 0 or len(forced) < 2

        if asked:
            self._for_every_viewer(15, lambda viewer: compared.update(compared_thoughts(viewer)), proven)
        assert proven(), "nobody was forced to answer who had a choice in another world"

    # --- Golden transcripts ----------------------------------------------------------------------------------------

    def golden_transcripts(self) -> None:
        """They are all there, and have every action and every event between them."""
        folder, info = self.plug.GOLDEN, self.game.INFO
        assert folder is not None
        paths = transcripts_of(folder)
        assert paths, f"{info.id} has no golden transcript in {folder}; whodunit.conformance.golden makes one"
        names = [path.stem for path in paths]
        assert names == sorted(expected_of(folder)), "a transcript, or what it should fold to, has been lost"
        batches = [batch for path in paths for batch in parse(path.read_bytes()).batches]
        events = {type(event) for batch in batches for event in batch.events}
        actions = {type(batch.cause.action) for batch in batches if batch.cause is not None}
        missing = (
            {*kinds_of(info.event), *([Undone] if info.undoable else []), *kinds_of(info.action)} - events - actions
        )
        assert not missing, f"no golden transcript has {', '.join(sorted(kind.__name__ for kind in missing))}"

    def golden(self, path: Path) -> None:
        """It folds to the same outcome forever, was honestly dealt, and conforms."""
        case = parse(path.read_bytes())
        expected = expected_of(path.parent)[path.stem]
        assert (len(case.events), case.outcome) == (expected.events, expected.outcome), f"{path.name} folds otherwise"
        assert case.closed == ("ended" if expected.outcome else "abandoned")
        is_honest_game(case)
        conforms(case, self.plug)


def _few(of: Sequence[T], number: int) -> Sequence[T]:
    return Rng(b"some", len(of)).shuffled("positions", of)[:number]


def _phases_without_players(game: Game) -> set[str]:
    """Return what a game goes through while nobody is waited for: the deal, say, and the end."""
    *_, last = played(game, b"phases")
    state: Any = None
    idle = set()
    for event in standing(last.events):
        state = game.evolve(state, event)
        if not game.awaiting(state):
            idle.add(type(state.phase).__name__)
    return idle


def _answers(position: Position) -> int:
    table = position.table
    return sum(
        offer.count for seat in table.asked for offer in table.offers[seat] if offer.action in table.game.INFO.answers
    )
