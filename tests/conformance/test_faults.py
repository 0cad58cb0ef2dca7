"""The suite bites: each check finds the fault that it is there for."""

import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, Final

import pytest
from msgspec.structs import replace

from tests.conformance.faults import BREAKS, HASHED, LEAKS, THOUGHTS, Fault, faulty
from tests.games.clue import worlds
from tests.plugs import plug_of
from whodunit.bots import thinker
from whodunit.conformance.believes import BELIEFS
from whodunit.conformance.checks import CHECKS
from whodunit.conformance.derive import complete
from whodunit.conformance.judges import JUDGES
from whodunit.conformance.levels import goes_on_at_every_level, thinks_as_much_in_every_world
from whodunit.conformance.play import Played, play
from whodunit.conformance.resamples import RESAMPLES
from whodunit.conformance.second import digest, in_second_process
from whodunit.conformance.sends import sends_equal_bytes, takes_back
from whodunit.conformance.settings import Setting
from whodunit.conformance.support import KNOWLEDGE, Viewer
from whodunit.core.types import Batch, Event, Game, Seat, Update
from whodunit.games import get
from whodunit.games.clue.model import AnyEvent, CardShown, CouldNotShow
from whodunit.table.table import Table

FAULTS: Final = LEAKS | BREAKS | THOUGHTS
PLUG: Final = plug_of("clue")
SETTINGS: Final = (
    Setting(3, {}, seed=1),
    Setting(2, {}, seed=2),
    Setting(4, {"accuse_after_disproof": True}, seed=3),
    Setting(3, {"dice_count": 2}, seed=4, pace=100),
)
PLAYED_CHECKS: Final = CHECKS | {"goes_on_at_every_level": goes_on_at_every_level}
VIEWER_CHECKS: Final = (
    KNOWLEDGE
    | BELIEFS
    | JUDGES
    | RESAMPLES
    | {check.__name__: check for check in (sends_equal_bytes, thinks_as_much_in_every_world)}
)
ALL_CHECKS: Final = {"plays", "takes_back", *PLAYED_CHECKS, *VIEWER_CHECKS}


def faults_found(game: Game, check: str, plug: Any = PLUG) -> Iterator[str]:
    """Yield what this one check says of the game, setting by setting."""
    for setting in SETTINGS:
        try:
            played = play(game, PLUG, setting)
        except AssertionError as fault:
            if check == "plays":
                yield str(fault)
            continue
        try:
            run(check, played, plug)
        except AssertionError as fault:
            yield str(fault)


def run(check: str, played: Played, plug: Any) -> None:
    if check in PLAYED_CHECKS:
        PLAYED_CHECKS[check](played, plug)
    elif check == "takes_back":
        takes_back(played)
    elif check in VIEWER_CHECKS:
        for seat in played.viewers:
            VIEWER_CHECKS[check](Viewer(played, plug, seat))


@pytest.mark.parametrize("name", FAULTS)
def test_the_fault_is_found(name: str) -> None:
    assert any(faults_found(faulty(FAULTS[name]), FAULTS[name].found_by))


@pytest.mark.parametrize("check", sorted(ALL_CHECKS))
def test_a_game_without_a_fault_passes(check: str) -> None:
    assert list(faults_found(faulty(Fault(check, {})), check)) == []


def test_a_leak_is_named_with_viewer_event_and_world() -> None:
    found = next(faults_found(faulty(LEAKS["too wide an audience"]), "supports"))

    assert found.startswith("viewer ")
    assert "should think Deal(" in found
    assert "CardShown" in found


def test_chance_by_the_hash_seed_is_found() -> None:
    played = play(faulty(HASHED), PLUG, SETTINGS[0])

    there = in_second_process([played], "tests.conformance.second")

    assert there != [digest(played)]
    assert re.match(r"[0-9a-f]{64}|Illegal: ", there[0])  # it was played there too, as far as could be


# --- Faults outside the rules ------------------------------------------------------------------------------------


def test_a_table_that_sends_the_truth_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def update(self: Table, viewer: Seat, events: tuple[Event, ...]) -> Update:
        return replace(honest(self, viewer, events), view=self.state)

    honest = Table.update
    monkeypatch.setattr(Table, "update", update)

    assert any("message" in fault for fault in faults_found(get("clue"), "sends_equal_bytes"))


def test_a_table_that_takes_back_by_halves_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def undone(self: Table, batch: Batch) -> Table:
        back = honest(self, batch)
        return replace(back, views=(*back.views[:-1], self.views[-1]))  # whoever watches still sees it

    honest = Table._undone
    monkeypatch.setattr(Table, "_undone", undone)

    assert any("leaves something behind" in fault for fault in faults_found(get("clue"), "takes_back"))


def test_a_forced_answer_without_a_thought_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinker._Scales, "fill_up", lambda *_: None)

    assert any("imagines" in fault for fault in faults_found(get("clue"), "thinks_as_much_in_every_world"))


class Deaf(worlds.Known, frozen=True):
    """Misses what everybody hears."""

    def learn(self, event: AnyEvent) -> worlds.Known:
        return self if isinstance(event, CouldNotShow) else super().learn(event)


class Rash(worlds.Known, frozen=True):
    """Takes a shown card for all three."""

    def learn(self, event: AnyEvent) -> worlds.Known:
        if isinstance(event, CardShown):
            return replace(self, held=self.held | {(event.seat, card) for card in self.suggestion})
        return super().learn(event)


class Stammering(worlds.Known, frozen=True):
    def worlds(self) -> Iterator[worlds.World]:
        for world in super().worlds():
            yield world
            yield world


class Fickle(worlds.Known, frozen=True):
    """Lists other worlds the second time."""

    def worlds(self) -> Iterator[worlds.World]:
        listed = super().worlds()
        if self in ASKED:
            next(listed, None)
        ASKED.add(self)
        return listed


ASKED: Final[set[Fickle]] = set()


@pytest.mark.parametrize(
    ("belief", "check", "told"),
    [
        (Deaf, "supports", "should think"),
        (Rash, "supports", "rules out the truth"),
        (Stammering, "lists_what_it_allows", "listed twice"),
        (Fickle, "learns_step_by_step", "learns otherwise"),
    ],
)
def test_a_wrong_belief_is_found(belief: type[worlds.Known], check: str, told: str) -> None:
    plug = complete(get("clue"), SimpleNamespace(**vars(worlds) | {"belief": belief}))

    found = list(faults_found(get("clue"), check, plug))

    assert any(told in fault for fault in found)


def test_every_check_finds_something() -> None:
    outside = {"takes_back", "lists_what_it_allows", "learns_step_by_step", "thinks_as_much_in_every_world"}

    assert {fault.found_by for fault in FAULTS.values()} | outside == ALL_CHECKS
