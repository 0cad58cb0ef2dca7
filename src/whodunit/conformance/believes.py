"""The game's own belief and imagination, against brute force and the game played again."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final, NamedTuple, get_args

from msgspec.structs import replace

from whodunit.conformance.rerun import rerun
from whodunit.conformance.sends import indistinguishable
from whodunit.conformance.support import ALL, Viewer
from whodunit.core.notes import Assistance, Sheet
from whodunit.core.redact import fold, redact, secrets
from whodunit.core.rng import Rng
from whodunit.core.types import Attention, Event

ASKED = 3  # how often in a game the belief is asked what it thinks possible
SAMPLED = 10
PROVED = 4  # how many entries of a sheet must be proved


def believes_what_can_be_known(viewer: Viewer) -> None:
    """Check that the belief's worlds are those that the book leaves: all where they are few, else a sample."""
    places = _spread(len(viewer.known))
    belief = viewer.played.game.belief(viewer.seat)
    for number, batch in enumerate(viewer.played.batches):
        for event in batch.events:
            belief = belief.learn(redact(event, viewer.seat))
        if number not in places:
            continue
        where = f"viewer {viewer.seat}, after event {batch.last}:"
        known = viewer.known[number]
        for world in map(viewer.plug.as_world, belief.sample(Rng(b"sample", batch.last), "worlds", SAMPLED)):
            assert known.allows(world), f"{where} believes in {world}, which can be ruled out"
        listed = list(islice(known.worlds(), ALL + 1))
        if len(listed) <= ALL:
            believed = [viewer.plug.as_world(world) for world in belief.worlds()]
            assert len(set(believed)) == len(believed), f"{where} a world is believed in twice"
            assert set(believed) == set(listed), (
                f"{where} believes in {len(believed)} worlds, possible are {len(listed)}"
            )


def _spread(batches: int) -> set[int]:
    """Return some places in a game, the first and the last two among them."""
    return {*range(0, batches, 1 + batches // ASKED), batches - 2, batches - 1}


def never_rules_out_the_truth(viewer: Viewer) -> None:
    """Check that however closely a viewer listens, it never thinks the truth impossible."""
    guess = viewer.plug.guess(viewer.truth)
    if guess is None:
        return
    before_the_end = [redact(event, viewer.seat) for batch in viewer.played.batches[:-1] for event in batch.events]
    for attention in get_args(Attention):
        belief = viewer.played.game.belief(viewer.seat, attention)
        for event in before_the_end:
            belief = belief.learn(event)
        assert belief.chance(guess) > 0, f"viewer {viewer.seat} ({attention}) rules out the truth, {guess}"


def imagines_what_would_be(viewer: Viewer) -> None:
    """Check that the view, filled in with a world, is the state to which the game leads in that world."""
    played, game = viewer.played, viewer.played.game
    for table in played.tables:
        imagined = game.imagine(table.views[viewer.seat], viewer.truth)
        assert imagined == table.state, (
            f"viewer {viewer.seat}, after event {table.seq}: the view, with the true world {viewer.truth} filled in by "
            f"`imagine`, is not the true state: they differ in {differing(imagined, table.state)}. (A world may settle "
            "more than has happened by then.)"
        )
    for world in indistinguishable(viewer):
        batches = rerun(played, viewer.plug, viewer.script, world).batches[: viewer.ruled_out(world)]
        events = (event for batch in batches for event in batch.events)
        imagined = game.imagine(played.tables[len(batches) - 1].views[viewer.seat], world)
        there = fold(game, events)
        assert imagined == there, (
            f"viewer {viewer.seat}, after event {batches[-1].last}: the view, with {world} filled in by `imagine`, is "
            f"not the state to which the game leads there: they differ in {differing(imagined, there)}"
        )


def notes_what_is_so(viewer: Viewer) -> None:
    """Check that each level of notes says what the one below says and more, and proves what it calls certain."""
    played = viewer.played
    events = [redact(event, viewer.seat) for batch in played.batches for event in batch.events]
    belief = played.game.belief(viewer.seat)
    for seq, event in enumerate(events, 1):
        belief = belief.learn(event)
        if seq not in _spread(len(events)):
            continue
        where = f"viewer {viewer.seat}, after event {seq}:"
        paper, facts, logic, likely = (belief.sheet(level) for level in get_args(Assistance))
        assert [sheet.seq for sheet in (paper, facts, logic, likely)] == [seq] * 4, f"{where} dated otherwise"
        assert not paper.cells, f"{where} paper writes by itself"
        seen, follows, certain = map(_marks, (facts, logic, likely))
        assert seen.items() <= follows.items(), f"{where} logic does not say what was seen"
        assert follows == certain, f"{where} probabilities call something else certain than logic"
        assert all(cell.share is None for cell in (*facts.cells, *logic.cells)), f"{where} shares without being asked"
        for cell in likely.cells:
            assert cell.share is not None, f"{where} {cell} has no share: with probabilities every cell has one"
            exact = {"yes": cell.share == 1, "no": cell.share == 0, None: 0 < cell.share < 1}
            assert exact[cell.mark], (
                f"{where} {cell} has a share that its mark denies: 1 is yes, 0 is no, anything between has no mark"
            )
        for row, column in [*follows][:: 1 + len(follows) // PROVED]:
            proof = belief.proof(row, column, events)
            assert proof is not None, f"{where} {row} {column} is certain without a proof"
            assert all((step.seq or 1) <= seq for step in proof.reasons), f"{where} proved by what comes later"
        for cell in logic.cells:
            if cell.mark is None:
                assert belief.proof(cell.row, cell.column, events) is None, f"{where} proves {cell}"
                break


def asks_who_is_entitled(viewer: Viewer) -> None:
    """Check that the belief goes by the rules, and not by what an event happens to let its viewer see.

    It is told of every secret that is not for the viewer as if it were: whoever goes by the rules does not look. A
    belief that does would take a leak for knowledge, and then nothing that asks the belief could find the leak.
    """
    for attention in get_args(Attention):
        compared: Counter[type] = Counter()
        for leak in _leaks(viewer, attention):
            kind = type(leak.event)
            if leak.told == leak.meant or compared[kind] == ASKED:
                continue
            compared[kind] += 1
            differs = _difference(leak.told, leak.meant)
            assert differs is None, (
                f"viewer {viewer.seat}, event {leak.seq} ({kind.__name__}): the belief ({attention}) has {differs} if "
                f"it can see {', '.join(secrets(kind))}, which is not for this viewer. It must ask who is entitled by "
                "the rules (event.seat, event.to, ...), never whether a field is None or who stands in known_to"
            )


class _Leak(NamedTuple):
    seq: int
    event: Event
    told: Any
    """The belief after the batch if the viewer was let see the event's secrets."""
    meant: Any
    """The belief as it should be."""


def _leaks(viewer: Viewer, attention: Attention) -> Iterator[_Leak]:
    belief, seat = viewer.played.game.belief(viewer.seat, attention), viewer.seat
    for batch in viewer.played.batches:
        told: list[tuple[int, Event, Any]] = []
        for seq, event in enumerate(batch.events, batch.seq):
            seen = redact(event, seat)
            told = [(at, leaked, wrong.learn(seen)) for at, leaked, wrong in told]
            if secrets(type(event)) and seat not in event.known_to:
                leaked = replace(event, known_to=event.known_to | {seat})
                told.append((seq, event, belief.learn(leaked)))
            belief = belief.learn(seen)
        for seq, event, wrong in told:
            yield _Leak(seq, event, wrong, belief)


def _difference(told: Any, meant: Any) -> str | None:
    """Return what the first belief concludes that the second does not."""
    for level in get_args(Assistance):
        if told.sheet(level) != meant.sheet(level):
            return f"other notes ({level})"
    one, other = (list(islice(belief.worlds(), ALL + 1)) for belief in (told, meant))
    if max(len(one), len(other)) <= ALL and set(one) != set(other):
        return f"{len(one)} worlds, not {len(other)},"
    return None


def differing(one: Any, other: Any) -> list[str]:
    """Return the fields in which two states differ."""
    return [name for name in one.__struct_fields__ if getattr(one, name) != getattr(other, name)]


def _marks(sheet: Sheet) -> dict[tuple[str, str], str]:
    return {(cell.row, cell.column): cell.mark for cell in sheet.cells if cell.mark}


BELIEFS: Final[dict[str, Callable[[Viewer], None]]] = {
    check.__name__: check
    for check in (
        believes_what_can_be_known,
        never_rules_out_the_truth,
        imagines_what_would_be,
        notes_what_is_so,
        asks_who_is_entitled,
    )
}
