"""The inferences that a person draws about a deal: what each needs, and what it settles.

A tally says how many of some elements a holder may have. A line tells tallies, and so do the rules.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from whodunit.cases.posed import GIVEN, Known
from whodunit.deduce.explain import Log, irreducible
from whodunit.deduce.reduce import Knowledge, Table, propagate

Kind: TypeAlias = Literal["read", "line", "place", "kind", "hand", "group", "together"]
"""How something is inferred.

read: a line says it by itself. line: a line, together with marks. place: nobody else is left who can have it.
kind: a holder has exactly one of some kind by the rules. hand: a hand is counted. group: some elements are counted
through over all holders. together: whatever needs more than that at once.
"""
Masks: TypeAlias = Sequence[int]
"""By holder, elements as bits."""


class Change(NamedTuple):
    """What is settled about one holder: elements that it has not, and elements that it has."""

    holder: int
    gone: int
    come: int


class Cell(NamedTuple):
    """One mark: that a holder has an element, or that it has it not."""

    holder: int
    bit: int
    held: bool


class Tally(NamedTuple):
    """How many elements of the mask a holder may have, as bits: bit n stands for n of them.

    With a `given` element, `on` counts where the holder has it, and `off` where it has not.
    """

    line: int
    """GIVEN, if no line is needed for it."""
    kind: Kind
    holder: int
    mask: int
    on: int
    given: int = 0
    off: int = 0


Again: TypeAlias = Callable[[Masks, Masks, frozenset[int]], tuple[Change, ...]]
"""What is settled by what each holder may have and must have, and with which lines."""


class Found(NamedTuple):
    """An inference that can be drawn now."""

    kind: Kind
    lines: tuple[int, ...]
    size: int
    """On how many marks it rests, where that decides which inference comes first."""
    changes: tuple[Change, ...]
    again: Again | None = None
    """What the same inference settles if less is known; None, if it is not drawn by a rule of its own."""
    where: tuple[tuple[int, int], ...] = ()
    """Where the marks lie on which it may rest: by holder, the elements; where it is looked first stands first."""
    rests: tuple[Cell, ...] = ()
    """The marks on which it rests, if it is not drawn by a rule of its own."""
    target: Cell | None = None
    """What would not follow without any one of these."""


class Facts:
    """The evidence of a case, by line."""

    __slots__ = ("atoms", "base", "capacities", "groups", "hands", "judges", "known", "lines", "may", "must", "tallies")

    def __init__(self, position: Known) -> None:
        log: Log[Any, Any] = Log(position.deal, position.engine, position.evidence)
        self.base: Knowledge = _by_rules(log.rules)
        """What the rules say."""
        self.known: dict[int, Knowledge] = {_line(source): alone for source, alone in log.alone.items()}
        """What each line says by itself, and what is given."""
        self.lines = tuple(sorted(line for line in self.known if line != GIVEN))
        self.capacities = position.deal.capacities
        self.may, self.must = _given(self.base, self.known.get(GIVEN))
        given = [self.base, *([self.known[GIVEN]] if GIVEN in self.known else [])]
        self.atoms = _by_holder(given, "atoms")
        self.judges = _by_holder(given, "judges")
        self.tallies = (*_of_rules(self.base), *_of_lines(self.known))
        self.hands = tuple(_hands(self.base))
        self.groups = _groups(self.tallies, len(self.capacities))

    def joined(self, lines: Sequence[int], may: Masks, must: Masks) -> Knowledge:
        """Return what the rules and these lines say of who has what, where these are the marks."""
        atoms, judges = self.atoms, self.judges
        for line in lines:
            alone = self.known[line]
            atoms = tuple(map(tuple.__add__, atoms, alone.atoms))
            judges = tuple(map(tuple.__add__, judges, alone.judges))
        return Knowledge(self.capacities, tuple(may), tuple(must), atoms, judges)

    def is_open(self, line: int, may: Masks, must: Masks) -> bool:
        """Say whether the line can still tell more than these marks."""
        if any(self.known[line].judges):
            return True
        return any(tally.line == line and _is_open(tally, may, must) for tally in self.tallies)


class Board:
    """Marks: by holder, what it may have and what it must have. What somebody has is with nobody else."""

    __slots__ = ("may", "must")

    def __init__(self, may: Masks, must: Masks) -> None:
        self.may = list(may)
        self.must = list(must)

    def settle(self, changes: Sequence[Change]) -> None:
        """Add marks."""
        for holder, gone, come in changes:
            self.may[holder] &= ~gone
            self.must[holder] |= come
            if come:
                for other in range(len(self.may)):
                    if other != holder:
                        self.may[other] &= ~come

    def new(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """Return what of this is not marked yet."""
        left = (Change(holder, gone & self.may[holder], come & ~self.must[holder]) for holder, gone, come in changes)
        return tuple(change for change in left if change.gone or change.come)

    def has(self, cell: Cell) -> bool:
        """Say whether this is marked."""
        return bool(cell.bit & (self.must[cell.holder] if cell.held else ~self.may[cell.holder]))


def readings(facts: Facts, board: Board) -> Iterator[Found]:
    """Yield what lines say by themselves."""
    for line in facts.lines:
        said = _said(facts.known[line])
        if changes := board.new(said):
            yield Found("read", (line,), 0, changes, _always(said), ())


def _always(changes: tuple[Change, ...]) -> Again:
    return lambda _may, _must, _lines: changes


def places(board: Board) -> Iterator[Found]:
    """Yield what is with somebody because nobody else is left for it."""
    changes = _places(board.may, board.must)
    for holder, _, come in changes:
        for bit in bits(come):
            where = tuple((other, bit) for other in range(len(board.may)) if other != holder)
            yield Found("place", (), len(where), (Change(holder, 0, bit),), _places_again, where)


def _places(may: Masks, must: Masks) -> tuple[Change, ...]:
    once = twice = 0
    for mask in may:
        twice |= once & mask
        once |= mask
    alone = ~twice
    return tuple(Change(holder, 0, come) for holder, mask in enumerate(may) if (come := mask & alone & ~must[holder]))


def _places_again(may: Masks, must: Masks, _lines: frozenset[int]) -> tuple[Change, ...]:
    return _places(may, must)


def singles(facts: Facts, board: Board) -> Iterator[Found]:
    """Yield what a line says together with marks of its holder, and likewise the rules; no hand is counted."""
    for tally in facts.tallies:
        if tally.kind == "hand":
            continue
        if change := _single(tally, board.may[tally.holder], board.must[tally.holder]):
            lines = () if tally.line == GIVEN else (tally.line,)
            where = ((tally.holder, tally.mask | tally.given),)
            size = _size(tally, board.may[tally.holder], board.must[tally.holder])
            yield Found(tally.kind, lines, size, (change,), _single_again(tally), where)


def _single_again(tally: Tally) -> Again:
    def again(may: Masks, must: Masks, _lines: frozenset[int]) -> tuple[Change, ...]:
        change = _single(tally, may[tally.holder], must[tally.holder])
        return (change,) if change else ()

    return again


def _single(tally: Tally, may: int, must: int) -> Change | None:
    """Return what a tally settles with the marks of its holder."""
    low, high = (tally.mask & must).bit_count(), (tally.mask & may).bit_count()
    within = (2 << high) - (1 << low)
    gone = come = 0
    numbers = tally.on
    if tally.given:
        numbers, gone, come = _conditional(tally, may, must, within)
    numbers &= within
    free = tally.mask & may & ~must
    if free and numbers:
        if numbers.bit_length() - 1 == low:
            gone |= free
        elif (numbers & -numbers).bit_length() - 1 == high:
            come |= free
    return Change(tally.holder, gone, come) if gone or come else None


def _conditional(tally: Tally, may: int, must: int, within: int) -> tuple[int, int, int]:
    """Return which numbers are left, and whether the element on which they depend must be gone or there."""
    if tally.given & must:
        return tally.on, 0, 0
    if not tally.given & may:
        return tally.off, 0, 0
    gone = 0 if tally.on & within else tally.given
    come = 0 if tally.off & within else tally.given
    return tally.on | tally.off, gone, come


def _size(tally: Tally, may: int, must: int) -> int:
    """Return on how many marks it rests what a tally settles; no fewer could do it in the same way."""
    least = tally.mask.bit_count() + 1
    total, best = least - 1, least
    held, gone = (tally.mask & must).bit_count(), (tally.mask & ~may).bit_count()
    known = bool(tally.given & must) - bool(tally.given and not tally.given & may)
    tables = [(tally.on | tally.off, 0)] if not known else [(tally.on if known > 0 else tally.off, 1)]
    if tally.given and not known:
        tables = [(tally.on, 0), (tally.off, 0), *tables]
    for numbers, more in tables:
        for low in range(held + 1):
            for away in range(gone + 1):
                left = numbers & (2 << total - away) - (1 << low)
                if _tells(left, low, total - away) or (tally.given and not left):
                    best = min(best, low + away + more)
                    break
    return best


def _tells(numbers: int, low: int, high: int) -> bool:
    return low < high and numbers in (1 << low, 1 << high)


class Hand(NamedTuple):
    """How many of some elements a holder has by the rules: of all that are dealt, or of one kind."""

    holder: int
    mask: int
    number: int


def hands(facts: Facts, board: Board) -> Iterator[Found]:
    """Yield what follows if a hand is counted: by itself, or together with what one line says of it."""
    for hand in facts.hands:
        holder = hand.holder
        may, must = board.may[holder], board.must[holder]
        if not hand.mask & may & ~must:
            continue
        if change := _hand(hand, may, must):
            yield Found("hand", (), 0, (change,), _hand_again(hand), ((holder, hand.mask),))
        for tally in facts.tallies:
            if tally.holder != holder or tally.mask & ~hand.mask:
                continue
            if change := _counted(tally, hand, may, must):
                lines = () if tally.line == GIVEN else (tally.line,)
                where = ((holder, hand.mask | tally.given),)
                yield Found("hand", lines, 0, (change,), _counted_again(tally, hand), where)


def _hand_again(hand: Hand) -> Again:
    def again(may: Masks, must: Masks, _lines: frozenset[int]) -> tuple[Change, ...]:
        change = _hand(hand, may[hand.holder], must[hand.holder])
        return (change,) if change else ()

    return again


def _hand(hand: Hand, may: int, must: int) -> Change | None:
    free = hand.mask & may & ~must
    if not free:
        return None
    if (hand.mask & must).bit_count() == hand.number:
        return Change(hand.holder, free, 0)
    return Change(hand.holder, 0, free) if (hand.mask & may).bit_count() == hand.number else None


def _counted_again(tally: Tally, hand: Hand) -> Again:
    def again(may: Masks, must: Masks, _lines: frozenset[int]) -> tuple[Change, ...]:
        change = _counted(tally, hand, may[hand.holder], must[hand.holder])
        return (change,) if change else ()

    return again


def _counted(tally: Tally, hand: Hand, may: int, must: int) -> Change | None:
    """Return what a tally settles with the marks of its holder and the size of the hand."""
    free = hand.mask & may & ~must
    part = tally.mask & free
    need, fresh = hand.number - (hand.mask & must).bit_count(), part.bit_count()
    others = free.bit_count() - fresh
    held = (tally.mask & must).bit_count()
    within = (2 << held + min(fresh, need)) - (1 << held + max(0, need - others))
    gone = come = 0
    numbers = tally.on
    if tally.given:
        numbers, gone, come = _conditional(tally, may, must, within)
    numbers &= within
    if numbers:
        least, most = (numbers & -numbers).bit_length() - 1 - held, numbers.bit_length() - 1 - held
        gone |= (part if most == 0 else 0) | (free & ~part if least == need else 0)
        come |= (part if least == fresh else 0) | (free & ~part if need - most == others else 0)
    return Change(tally.holder, gone, come) if gone or come else None


class Group(NamedTuple):
    """Elements that are counted through over all holders, and by holder the tallies that say something of them."""

    mask: int
    tallies: tuple[tuple[Tally, ...], ...]


def groups(facts: Facts, board: Board) -> Iterator[Found]:
    """Yield what follows if elements of which tallies speak are counted through over all holders."""
    every = frozenset(facts.lines)
    for group in facts.groups:
        if not any(group.mask & may & ~must for may, must in zip(board.may, board.must, strict=True)):
            continue
        again = _grouped_again(facts, group)
        lines = sorted({tally.line for tallies in group.tallies for tally in tallies} - {GIVEN})
        holders = range(len(facts.capacities))
        where = tuple((holder, among) for among in (group.mask, ~group.mask) for holder in holders)
        for change in board.new(again(board.may, board.must, every)):
            yield Found("group", tuple(lines), 0, (change,), again, where)


def _grouped_again(facts: Facts, group: Group) -> Again:
    capacities, total = facts.capacities, group.mask.bit_count()

    def again(may: Masks, must: Masks, lines: frozenset[int]) -> tuple[Change, ...]:
        bounds = [
            _bounds(group.mask, capacity, may[holder], must[holder], tallies, lines)
            for holder, (capacity, tallies) in enumerate(zip(capacities, group.tallies, strict=True))
        ]
        all_low, all_high = sum(low for low, _ in bounds), sum(high for _, high in bounds)
        found = []
        for holder, (low, high) in enumerate(bounds):
            free = may[holder] & ~must[holder]
            if not free:
                continue
            least, most = max(low, total - (all_high - high)), min(high, total - (all_low - low))
            part, rest = free & group.mask, free & ~group.mask
            held = (must[holder] & group.mask).bit_count()
            need = capacities[holder] - must[holder].bit_count()
            gone = (part if most == held else 0) | (rest if least - held == need else 0)
            come = (part if least - held == part.bit_count() else 0) | (
                rest if need - (most - held) == rest.bit_count() else 0
            )
            if gone or come:
                found.append(Change(holder, gone, come))
        return tuple(found)

    return again


def _bounds(
    mask: int, capacity: int, may: int, must: int, tallies: Sequence[Tally], lines: frozenset[int]
) -> tuple[int, int]:
    """Return how many elements of the mask a holder has at least and at most."""
    here, there = (must & mask).bit_count(), (may & mask).bit_count()
    low = max(here, capacity - (may & ~mask).bit_count())
    high = min(there, capacity - (must & ~mask).bit_count())
    covered = sum_low = sum_high = 0
    for tally in tallies:
        if tally.line != GIVEN and tally.line not in lines:
            continue
        numbers = tally.on if not tally.given or tally.given & must else tally.off
        if tally.given & may & ~must:
            numbers |= tally.on
        numbers &= (2 << (tally.mask & may).bit_count()) - (1 << (tally.mask & must).bit_count())
        if not numbers:
            continue
        least, most = (numbers & -numbers).bit_length() - 1, numbers.bit_length() - 1
        beyond, beside = tally.mask & ~mask, mask & ~tally.mask
        low = max(low, least - (may & beyond).bit_count() + (must & beside).bit_count())
        high = min(high, most - (must & beyond).bit_count() + (may & beside).bit_count())
        if not beyond and not tally.mask & covered:  # parts of the group that do not overlap can be summed up
            covered |= tally.mask
            sum_low, sum_high = sum_low + least, sum_high + most
    rest = mask & ~covered
    return max(low, sum_low + (must & rest).bit_count()), min(high, sum_high + (may & rest).bit_count())


def needed(
    found: Found,
    again: Again,
    wanted: Sequence[Cell],
    may: Masks,
    must: Masks,
    start: "Start",
    age: Callable[[Cell], int],
) -> tuple[tuple[int, ...], tuple[Cell, ...]]:
    """Return lines and marks from which the inference settles what is wanted, none of them to spare.

    Older marks are preferred; what the rules say is no mark.
    """
    marks = sorted(marked(found.where, may, must, start), key=age)

    def settles(lines: frozenset[int], cells: Sequence[Cell]) -> bool:
        found_again = again(*drawn(start, cells), lines)
        return all(
            any(
                change.holder == cell.holder and cell.bit & (change.come if cell.held else change.gone)
                for change in found_again
            )
            for cell in wanted
        )

    lines = frozenset(found.lines)
    if len(lines) > 1:
        lines = frozenset(irreducible(found.lines, lambda chosen: settles(frozenset(chosen), marks)))
    rests = irreducible(marks, lambda chosen: settles(lines, chosen))
    return tuple(sorted(lines)), tuple(sorted(rests))


Start: TypeAlias = tuple[Masks, Masks]
"""What the rules say of who may have and must have what."""


def drawn(start: Start, cells: Sequence[Cell]) -> tuple[list[int], list[int]]:
    """Return the masks in which only these marks stand."""
    may, must = list(start[0]), list(start[1])
    for holder, bit, held in cells:
        if held:
            must[holder] |= bit
        else:
            may[holder] &= ~bit
    return may, must


def marked(where: Sequence[tuple[int, int]], may: Masks, must: Masks, start: Start) -> Iterator[Cell]:
    """Yield the marks among these, but for those that the rules make."""
    for holder, among in where:
        for mask, held in ((start[0][holder] & ~may[holder], False), (must[holder] & ~start[1][holder], True)):
            yield from (Cell(holder, bit, held) for bit in bits(mask & among))


def bits(mask: int) -> Iterator[int]:
    """Yield the elements of a mask one by one."""
    while mask:
        yield mask & -mask
        mask &= mask - 1


def cells_of(change: Change) -> Iterator[Cell]:
    """Yield what is settled as marks."""
    yield from (Cell(change.holder, bit, False) for bit in bits(change.gone))
    yield from (Cell(change.holder, bit, True) for bit in bits(change.come))


ONE: Final = 1 << 1
"""The number one, as a tally has it."""


def _of_rules(base: Knowledge) -> Iterator[Tally]:
    """Yield the tallies of the rules: exactly one is a kind, and so is what is left where all but one is counted."""
    everything = (1 << sum(base.capacities)) - 1
    for holder, atoms in enumerate(base.atoms):
        if base.capacities[holder] == 1:
            yield Tally(GIVEN, "kind", holder, everything, ONE)
        for atom in atoms:
            on = _numbers(atom.on)
            yield Tally(GIVEN, "kind" if on == ONE else "hand", holder, atom.mask, on, atom.given, _numbers(atom.off))
            if not atom.given and on == 1 << base.capacities[holder] - 1 != ONE:
                yield Tally(GIVEN, "kind", holder, everything & ~atom.mask, ONE)


def _hands(base: Knowledge) -> Iterator[Hand]:
    everything = (1 << sum(base.capacities)) - 1
    for holder, capacity in enumerate(base.capacities):
        yield Hand(holder, everything, capacity)
        for atom in base.atoms[holder]:
            on = _numbers(atom.on)
            if not atom.given and on.bit_count() == 1:
                yield Hand(holder, atom.mask, on.bit_length() - 1)


def _of_lines(known: dict[int, Knowledge]) -> Iterator[Tally]:
    for line in sorted(known):
        for holder, atoms in enumerate(known[line].atoms):
            for atom in atoms:
                yield Tally(line, "line", holder, atom.mask, _numbers(atom.on), atom.given, _numbers(atom.off))


def _groups(tallies: Sequence[Tally], holders: int) -> tuple[Group, ...]:
    masks = sorted({tally.mask for tally in tallies}, key=lambda mask: (mask.bit_count(), mask))
    order = sorted(tallies, key=lambda tally: (-tally.mask.bit_count(), tally.line))
    return tuple(
        Group(
            mask,
            tuple(
                tuple(tally for tally in order if tally.holder == holder and tally.mask & mask)
                for holder in range(holders)
            ),
        )
        for mask in masks
    )


def _by_rules(base: Knowledge) -> Knowledge:
    """Return the rules with what follows from them by themselves."""
    allowed, required = list(base.allowed), list(base.required)
    propagate(base.capacities, allowed, required, base.atoms)
    return base._replace(allowed=tuple(allowed), required=tuple(required))


def _given(base: Knowledge, given: Knowledge | None) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the marks that stand from the start: of a hand that is seen whole it is seen what is not in it, too."""
    board = Board(base.allowed, base.required)
    if given is not None:
        board.settle(_said(given))
    for holder, capacity in enumerate(base.capacities):
        if board.must[holder].bit_count() == capacity:
            board.may[holder] = board.must[holder]
    return tuple(board.may), tuple(board.must)


def _said(known: Knowledge) -> tuple[Change, ...]:
    everything = (1 << sum(known.capacities)) - 1
    said = zip(known.allowed, known.required, strict=True)
    return tuple(Change(holder, everything & ~may, must) for holder, (may, must) in enumerate(said))


def _is_open(tally: Tally, may: Masks, must: Masks) -> bool:
    mask, given = tally.mask, tally.given & may[tally.holder] & ~must[tally.holder]
    if not (mask | given) & may[tally.holder] & ~must[tally.holder]:
        return False
    low, high = (mask & must[tally.holder]).bit_count(), (mask & may[tally.holder]).bit_count()
    within = (2 << high) - (1 << low)
    on, off = tally.on & within, tally.off & within
    if given:
        return on != within or off != within
    return (off if tally.given and not tally.given & must[tally.holder] else on) != within


def _by_holder(known: Sequence[Knowledge], what: Literal["atoms", "judges"]) -> tuple[tuple[Any, ...], ...]:
    every = [getattr(one, what) for one in known]
    return tuple(sum(parts, ()) for parts in zip(*every, strict=True))


def _numbers(table: Table) -> int:
    return sum(1 << number for number, weight in enumerate(table) if weight)


def _line(source: Hashable) -> int:
    assert isinstance(source, int), "sources are renumbered"
    return source
