"""The golden transcripts: old games fold forever, and are staged positions for every other check."""

from pathlib import Path

import pytest

from tests.conformance.believes import BELIEFS
from tests.conformance.checks import CHECKS
from tests.conformance.plug import kinds_of, plug_of
from tests.conformance.sends import sends_equal_bytes, takes_back
from tests.conformance.support import KNOWLEDGE, Viewer
from tests.conformance.transcripts import expected_of, is_honest, make, played_from, transcripts_of
from whodunit import load
from whodunit.core.types import Undone
from whodunit.games import get
from whodunit.table.verify import is_simulated, verify


def test_every_game_has_transcripts(game_id: str) -> None:
    names = [path.stem for path in transcripts_of(game_id)]

    assert names, f"{game_id} has no golden transcript; tests.conformance.transcripts makes one"
    assert names == sorted(expected_of(game_id)), "a transcript, or what it should fold to, has been lost"


def test_the_transcripts_have_every_action_and_every_event(game_id: str) -> None:
    info = get(game_id).INFO
    batches = [batch for path in transcripts_of(game_id) for batch in load(path).batches]

    events = {type(event) for batch in batches for event in batch.events}
    actions = {type(batch.cause.action) for batch in batches if batch.cause is not None}
    assert events == {*kinds_of(info.event), *([Undone] if info.undoable else [])}
    assert actions == set(kinds_of(info.action))


def test_a_transcript_folds_to_the_same_outcome_forever(golden: Path) -> None:
    expected = expected_of(golden.parent.name)[golden.stem]

    case = load(golden)

    assert (len(case.events), case.outcome) == (expected.events, expected.outcome)
    assert case.closed == ("ended" if expected.outcome else "abandoned")


def test_a_transcript_is_an_honest_game(golden: Path) -> None:
    case = load(golden)
    same_rules = case.header.rules == get(case.header.game).INFO.rules

    secret, draws, events = verify(case)

    assert (secret.holds, draws.holds) == (True, True)
    if not same_rules:
        assert events.holds is None
    elif not is_simulated(case):  # else on another machine than the transcript's nothing can be said
        assert events.holds is True
    assert events.holds is not False


def test_a_transcript_conforms(golden: Path) -> None:
    """Only what the rules of today have decided can be decided again."""
    case = load(golden)
    if case.header.rules != case.table.game.INFO.rules:
        return
    played, plug = played_from(case), plug_of(case.header.game)
    left_out = set() if case.outcome is not None else {"ends_for_good"}
    if is_simulated(case):
        left_out.add("replays_to_equal_events")  # `verify` decides again, and knows what may differ
    for name, check in CHECKS.items():
        if name not in left_out:
            check(played, plug)
    takes_back(played)
    if not is_honest(played, plug) or not plug.provable(played.events):
        return  # what nobody may rely on, or reckon with, proves nothing
    for seat in played.viewers:
        viewer = Viewer(played, plug, seat)
        sends_equal_bytes(viewer)
        for knows in (KNOWLEDGE | BELIEFS).values():
            knows(viewer)


def test_a_transcript_is_never_made_again(tmp_path: Path) -> None:
    path = tmp_path / "clue" / "short.case"
    make(path, seats=2, options={}, seed=1, pace=1)
    before = path.read_bytes()

    with pytest.raises(FileExistsError):
        make(path, seats=3, options={}, seed=2, pace=1)
    assert path.read_bytes() == before
    path.unlink()  # lost, but still known: its name stays taken
    with pytest.raises(FileExistsError):
        make(path, seats=3, options={}, seed=2, pace=1)
