"""What must hold in every game that was played, whatever the game: each check raises AssertionError if it does not."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from whodunit.conformance.play import Played
from whodunit.conformance.plug import Plug
from whodunit.core.offer import Offer
from whodunit.core.redact import fold, redact, standing
from whodunit.core.rng import Rng
from whodunit.core.text import say
from whodunit.core.types import TABLE, Batch, Message, Undone
from whodunit.core.wire import encode
from whodunit.env.space import ActionSpace
from whodunit.games import LANGUAGES, texts
from whodunit.table.table import Table

LISTED = 2000  # an offer of more actions is sampled, not listed
NUMBERED = 6  # about so many offers of each action are numbered in every game, for thousands are alike
SPELLED = 30  # of an offer whose actions are spelled index by index, so many are


def ends_for_good(played: Played, _plug: Plug) -> None:
    assert played.last.outcome is not None, "the game has no outcome"
    assert not played.last.awaiting, "after the end somebody is awaited"
    assert not any(played.last.offers), "after the end somebody may still act"
    assert not any(table.outcome for table in played.tables[:-1]), "the game went on after its end"


def keeps_the_invariants(played: Played, plug: Plug) -> None:
    state = None
    for event in standing(played.events):
        before, state = state, played.game.evolve(state, event)
        plug.invariants(before, event, state)
    assert state == played.last.state, "the state is not the fold of what stands"


def replays_to_equal_events(played: Played, _plug: Plug) -> None:
    """Decide everything again from the seed and the actions."""
    first, *rest = played.batches
    table, again = Table.open(played.game, played.last.seats, played.options, played.last.seed)
    assert again == first, f"replayed, the opening gives {again}, not {first}"
    for stored in rest:
        if stored.cause is None:
            assert table.undo_point is not None, f"event {stored.seq} has no cause"
            # As `Table.undo` does, but also a question, as could be done when golden cases were written.
            again = Batch(seq=table.seq + 1, events=(Undone(back_to=table.undo_point[1].seq),))
            table = table.grow(again)
        else:
            seat, action = stored.cause.seat, stored.cause.action
            since = next(offer.since for offer in table.offers_of(seat) if offer.admits(action))
            table, again = table.act(seat, since, action)
        assert again == stored, f"replayed, event {stored.seq} gives {again}, not {stored}"
    assert table == played.last, "replayed, the table ends up otherwise"


def survives_the_wire(played: Played, _plug: Plug) -> None:
    """Encode and decode everything that is sent or stored, as everybody sees it."""
    info = played.game.INFO
    for batch in played.batches:
        if batch.cause is not None:
            _goes_round(batch.cause.action, info.action)
        for event in batch.events:
            for seen in _different([event, *(redact(event, viewer) for viewer in played.viewers)]):
                _goes_round(seen, info.event | Undone)
    for table in played.tables:
        for view in _different([table.state, *table.views]):
            _goes_round(view, info.state)


def _goes_round(value: object, kind: Any) -> None:
    sent = encode(value)
    back = msgspec.json.decode(sent, type=kind)
    assert back == value, f"{value} comes back as {back}"
    assert encode(back) == sent, f"{value} is encoded otherwise the second time"


def _different(values: Sequence[Any]) -> Iterator[Any]:
    for number, value in enumerate(values):
        if not any(value is other or value == other for other in values[:number]):
            yield value


def offers_what_is_seen(played: Played, _plug: Plug) -> None:
    """What a seat may do follows from what it saw: the truth offers the same."""
    for table in played.tables:
        for viewer in played.viewers:
            truth = list(played.game.legal(table.state, viewer))
            view = list(played.game.legal(table.views[viewer], viewer))
            assert truth == view, f"after event {table.seq} seat {viewer} is offered {view}, by the truth {truth}"
            told = [replace(offer, since=0) for offer in table.offers[viewer]]
            assert told == view, f"after event {table.seq} seat {viewer} is told {told}, by the rules {view}"


def admits_what_it_lists(played: Played, _plug: Plug) -> None:
    """Offers admit what they list, and nothing that another offer lists."""
    offers = {
        encode((offer.action, offer.choices)): offer for table in played.tables for o in table.offers for offer in o
    }
    several = list(offers.values())
    for number, offer in enumerate(several):
        listed = _listed(offer)
        for other in several[number - 3 : number] or several[-1:]:
            for action in _listed(other)[:LISTED:7]:
                assert offer.admits(action) == (action in listed), f"{offer} and {other} differ on {action}"


def _listed(offer: Offer) -> list[Any]:
    fields = offer.action.__struct_fields__
    assert tuple(offer.choices) == fields, f"{offer} offers other choices than {', '.join(fields)}"
    count = offer.count
    assert count > 0, f"{offer} offers nothing"
    sampled = offer.sample(Rng(b"sample", count))
    assert offer.admits(sampled), f"{offer} samples {sampled} and does not admit it"
    if count > LISTED:
        return [offer.at(place) for place in range(0, count, count // 100)]
    actions = list(offer.actions())
    assert len(actions) == count, f"{offer} lists {len(actions)}"
    assert all(offer.admits(action) for action in actions), f"{offer} lists what it does not admit"
    assert sampled in actions, f"{offer} samples {sampled} and does not list it"
    for place in range(0, count, 1 + count // 50):
        assert offer.at(place) == actions[place], f"{offer} has something else at {place}"
    assert len({encode(action) for action in actions}) == count, f"{offer} lists something twice"
    return actions


def numbers_every_action(played: Played, _plug: Plug) -> None:
    """Every action on offer has one spelling, which reads as that action, and masks are the spellings' next indices."""
    game, last = played.game, played.last
    turns = max(1, last.state.turn)
    if game.space(last.seats, played.options, turns) is None:
        return
    try:
        space = ActionSpace(game, last.seats, played.options, turns)
        for own in chain.from_iterable(table.offers for table in played.tables):
            space.mask(own)
    except ValueError as error:
        raise AssertionError(f"what `space` returns is not the widest offers: {error}") from error
    several: defaultdict[type, dict[bytes, Offer]] = defaultdict(dict)
    for table in played.tables:
        for offer in chain.from_iterable(table.offers):
            several[offer.action].setdefault(encode(offer.choices), offer)
    for offer in chain.from_iterable([*alike.values()][:: 1 + len(alike) // NUMBERED] for alike in several.values()):
        actions = _listed(offer)
        if len(actions) > SPELLED and len(space.spelling(actions[0])) > 1:
            actions = actions[:: len(actions) // SPELLED]
        spellings = {space.spelling(action): action for action in actions}
        assert len(spellings) == len(actions), f"two actions of {offer} are spelled alike"
        for spelling, action in spellings.items():
            for said in range(len(spelling)):
                begun, index = spelling[:said], spelling[said]
                assert space.index(action, begun) == index, (
                    f"{action} is spelled {spelling}, and otherwise from {said} on"
                )
                means, meant = space.at(index, begun), action if said == len(spelling) - 1 else None
                assert means == meant, f"{spelling[: said + 1]} means {means}, not {meant}"
                assert space.mask([offer], begun)[index], f"the mask of {offer} lacks {space.name(index)} after {begun}"
        if offer.count == len(actions):
            assert _spelled(space, offer, ()) == {*spellings}, f"the masks of {offer} admit more than it does"
    for table in played.tables[::NUMBERED]:
        for own in table.offers:
            alone = [space.mask([offer]).nonzero()[0].tolist() for offer in own]
            together = space.mask(own).nonzero()[0].tolist()
            assert together == sorted({index for indices in alone for index in indices}), f"the mask of {own} differs"


def _spelled(space: ActionSpace, offer: Offer, begun: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Return everything that can be said by the masks of an offer."""
    found: set[tuple[int, ...]] = set()
    for index in space.mask([offer], begun).nonzero()[0].tolist():
        more = (*begun, index)
        found |= {more} if space.at(index, begun) is not None else _spelled(space, offer, more)
    return found


def builds_the_same_views_at_once(played: Played, _plug: Plug) -> None:
    for viewer in played.viewers:
        seen = [redact(event, viewer) for event in played.events]
        assert fold(played.game, seen) == played.last.views[viewer], f"viewer {viewer} sees something else at once"


def changes_nothing_in_place(played: Played, _plug: Plug) -> None:
    """States are values: asking and evolving leave them as they were."""
    game = played.game
    for table, batch in zip(played.tables, played.batches[1:], strict=False):
        before = encode(table.state)
        for viewer in played.viewers:
            game.legal(table.state, viewer)
        if batch.cause is not None:
            game.decide(table.state, batch.cause.seat, batch.cause.action, Rng(table.seed, batch.seq))
            game.evolve(table.state, batch.events[0])
        game.awaiting(table.state)
        game.outcome(table.state)
        assert encode(table.state) == before, f"the state after event {table.seq} was changed in place"


def looks_alike_to_everybody(played: Played, _plug: Plug) -> None:
    """Who is awaited, who was told the solution, the end, the phase, and the cut into batches are no secrets."""
    game = played.game
    for table, batch in zip(played.tables, played.batches, strict=True):
        public = _public(played, table.state)
        for viewer in played.viewers:
            update = table.update(viewer, batch.events)
            shape = [type(event) for event in update.events], update.seq, _public(played, table.views[viewer])
            expected = [type(event) for event in batch.events], batch.last, public
            assert shape == expected, f"at event {table.seq} viewer {viewer} sees {shape}, in truth it is {expected}"
            assert (update.awaiting, update.outcome) == (game.awaiting(table.state), game.outcome(table.state))


def _public(played: Played, view: Any) -> tuple[Any, ...]:
    game = played.game
    return game.awaiting(view), game.informed(view), game.outcome(view), type(view.phase)


def is_told(played: Played, _plug: Plug) -> None:
    """Every event has its log line for everybody in every language, which says no more than the event."""
    words = [texts(played.game.INFO.id, language) for language in LANGUAGES]
    names = [f"seat {seat}" for seat in range(played.last.seats)]
    for event in standing(played.events):
        for viewer in played.viewers:
            message = played.game.tell(redact(event, viewer))
            for language in words:
                assert message.key in language, (
                    f"{type(event).__name__}, as viewer {viewer} sees it, is told by {message.key!r}: add that to "
                    "texts/en.json"
                )
                assert _said(message, language, names), f"{message.key!r} says nothing"


def _said(message: Message, words: dict[str, str], names: Sequence[str]) -> str:
    try:
        return say(message, words, names)
    except KeyError as missing:
        sentence = words[message.key]
        raise AssertionError(f"{missing} is missing to say {message.key!r}: {sentence!r}") from missing


def names_what_it_offers(played: Played, _plug: Plug) -> None:
    """What a seat can do has words, and its choices too: where a game has no page of its own, nothing else is read."""
    words = texts(played.game.INFO.id)
    for table in played.tables:
        for seat in range(table.seats):
            for offer in table.offers[seat]:
                for key in _words_of(offer):
                    assert key in words, f"{offer} is offered to seat {seat}: add {key!r} to texts/en.json"


def _words_of(offer: Offer) -> Iterator[str]:
    yield f"action.{offer.action.__name__}"
    for field, choice in offer.choices.items():
        yield f"field.{field}"
        yield from (f"term.{value}" for value in choice.of if isinstance(value, str))


def numbers_without_gaps(played: Played, _plug: Plug) -> None:
    for before, after in pairwise(played.batches):
        assert after.seq == before.last + 1, f"after event {before.last} comes {after.seq}"
        assert after.events, f"the action at {after.seq} has no event"


Check = Callable[[Played, Plug], None]


def answers_by_phase(played: Played, _plug: Plug) -> None:
    """Whether an awaited seat is asked, and so answers at its own moment, follows from the public phase alone."""
    phases: dict[type, bool] = {}
    for table in played.tables:
        for seat in sorted(table.awaiting):
            asked = seat in table.asked
            phase = type(table.state.phase)
            assert phases.setdefault(phase, asked) == asked, f"after event {table.seq} {phase.__name__} tells a hand"


def times_what_time_does(played: Played, _plug: Plug) -> None:
    """What TABLE is offered has an option that says when; so no table waits for ever."""
    limits = played.game.INFO.limits
    for table in played.tables:
        for offer in table.offers[TABLE]:
            assert offer.action in limits, f"nobody says when TABLE does {offer}"
            assert getattr(played.options, limits[offer.action]), f"TABLE is offered {offer}, and no time is set"


def interrupts_once(played: Played, _plug: Plug) -> None:
    """What interrupted is not on offer again: its offer keeps its date, and must not admit it twice."""
    for table, batch in zip(played.tables, played.batches, strict=True):
        if batch.cause is not None and type(batch.cause.action) in played.game.INFO.interrupts:
            again = [offer for offer in table.offers[batch.cause.seat] if offer.admits(batch.cause.action)]
            assert not again, f"at event {table.seq} {batch.cause.action} is on offer again"


CHECKS: Final[dict[str, Check]] = {
    check.__name__: check
    for check in (
        ends_for_good,
        keeps_the_invariants,
        replays_to_equal_events,
        survives_the_wire,
        offers_what_is_seen,
        admits_what_it_lists,
        builds_the_same_views_at_once,
        changes_nothing_in_place,
        looks_alike_to_everybody,
        is_told,
        names_what_it_offers,
        numbers_every_action,
        numbers_without_gaps,
        answers_by_phase,
        times_what_time_does,
        interrupts_once,
    )
}
