"""Episodes in two worlds that a viewer cannot tell apart: one that was played at random, and the same in another."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tests.plugs import plug_of
from whodunit.conformance.play import Played
from whodunit.conformance.rerun import rerun
from whodunit.conformance.support import Viewer
from whodunit.core.rng import Result, Rng, StackedRng
from whodunit.core.types import TABLE, Action, Batch, Seat
from whodunit.env.episode import Draws, Episode, Terms
from whodunit.env.space import Wait
from whodunit.table.table import Table

COMPARED = 2
"""So many other worlds are tried for every viewer, those that it can tell from the true one as late as can be."""


class Course(NamedTuple):
    """A game in one world: its batches, and every moment at which somebody decided, with what was said."""

    terms: Terms
    batches: tuple[Batch, ...]
    moments: tuple[Episode, ...]
    said: tuple[int, ...]


def played(terms: Terms, seed: int, pace: int = 40, most: int = 400) -> tuple[Course, Played]:
    """Play at random, with few final guesses at first; the same game at a table is beside it."""
    episode = terms.begin(seed)
    rng = Rng(b"an episode", seed)
    table, opening = Table.open(terms.game, terms.seats, terms.options, episode.light.seed)
    tables, batches, moments = [table], [opening], [episode]
    said: list[int] = []
    final, plug = terms.game.INFO.final, plug_of(terms.game.INFO.id)

    def may(index: int) -> bool:
        action = terms.space.at(index, episode.begun)
        daring = len(said) > pace or type(action) not in final
        return daring and (action is None or episode.seat is None or plug.honest(table.state, episode.seat, action))

    while episode.seat is not None and len(said) < most:
        mask = episode.mask().nonzero()[0].tolist()
        kept = [index for index in mask if may(index)] or mask
        index = kept[rng.below(f"index {len(said)}", len(kept))]
        seat, before, action = episode.seat, episode.light.seq, terms.space.at(index, episode.begun)
        following = episode.step(index)
        if following.light.seq > before:
            action = action or _whole(episode, index)
            while table.seq < following.light.seq:  # behind the action, or the last who waits, time may go on
                if isinstance(action, Wait) or batches[-1].seq > before:
                    seat, action = TABLE, table.offers_of(TABLE)[0].at(0)
                table, batch = table.act(seat, table.since(seat, action), action)
                tables.append(table)
                batches.append(batch)
            assert table.state == following.light.state
        episode = following
        moments.append(episode)
        said.append(index)
    options: Any = terms.options
    course = Course(terms, tuple(batches), tuple(moments), tuple(said))
    return course, Played(terms.game, options, tuple(batches), tuple(tables))


def _whole(episode: Episode, index: int) -> Action:
    """Return the action of which this index was the last that left a choice."""
    action = episode.terms.space.said(episode.offers, index, episode.begun)
    assert isinstance(action, Action)
    return action


def draws_of(batches: Sequence[Batch]) -> Draws:
    """Return the draws that were made for these batches."""
    stacks: Mapping[int, Mapping[str, Result]] = {
        batch.seq: {draw.label: draw.result for draw in batch.draws} for batch in batches
    }
    return lambda seq: StackedRng(b"elsewhere", seq, stacks.get(seq, {}))


def elsewhere(course: Course, batches: Sequence[Batch]) -> Course:
    """Play a course again in another world, as far as its batches go: there others may do something else."""
    terms, draws = course.terms, draws_of(batches)
    actions = {batch.seq: batch.cause.action for batch in batches if batch.cause is not None}
    end = batches[-1].last
    episode = terms.begin_with(draws)
    moments = [episode]
    said: list[int] = []
    for here, index in zip(course.moments, course.said, strict=False):
        if here.light.seq >= end:
            break
        waits = isinstance(terms.space.at(index, here.begun), Wait)
        said.append(index if waits else terms.space.index(actions[episode.light.seq + 1], episode.begun))
        episode = episode.step(said[-1], draws)
        moments.append(episode)
    return Course(terms, tuple(batches), tuple(moments), tuple(said))


def pairs(terms: Terms, seed: int) -> Iterator[tuple[Seat, Course, Course]]:
    """Yield for every viewer the same game in two worlds that it cannot tell apart, as far as it cannot."""
    course, record = played(terms, seed)
    for viewer in range(-1, terms.seats):
        known = Viewer(record, plug_of(terms.game.INFO.id), viewer)
        ruled_out = {world: known.ruled_out(world) or 0 for world in known.worlds if world != known.truth}
        for world in sorted(ruled_out, key=lambda world: -(ruled_out[world] or len(record.batches)))[:COMPARED]:
            until = ruled_out[world] or None
            batches = rerun(record, known.plug, known.script, world).batches[:until]
            yield viewer, course, elsewhere(course, batches)
