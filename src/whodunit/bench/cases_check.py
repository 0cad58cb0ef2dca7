"""A second opinion on cases to solve: which answers fit what is posed, found without the deduction that made them.

It reads the events anew. Cards of Clue and Perfect Alibi become clauses for a solver; deals of Crime Hotel, which are
few, are tried one by one.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import Final, Protocol, TypeAlias

from pysat.card import CardEnc, EncType  # type: ignore[import-untyped]
from pysat.solvers import Solver  # type: ignore[import-untyped]

from whodunit.cases.posed import Posed
from whodunit.core.cutting import Entry
from whodunit.games.clue import facts as clue_facts
from whodunit.games.clue import model as clue
from whodunit.games.crime_hotel import facts as hotel_facts
from whodunit.games.crime_hotel import model as hotel
from whodunit.games.perfect_alibi import facts as alibi_facts
from whodunit.games.perfect_alibi import model as alibi

Answer: TypeAlias = tuple[Entry, ...]
Where: TypeAlias = Mapping[str, str]
"""By row of the sheet, its column: what is hidden, and where it is."""


class Reading(Protocol):
    """What is posed, read by somebody else."""

    def answers(self, form: Sequence[Sequence[Entry]]) -> Iterator[Answer]:
        """Yield every answer that fits, once."""

    def fits(self, where: Where) -> bool:
        """Say whether it may be so."""


def answers(posed: Posed, most: int = 2) -> list[Answer]:
    """Return the answers that fit what is posed, at most so many."""
    return [*islice(READERS[posed.game](posed).answers(posed.question.form), most)]


def fits(posed: Posed, where: Where) -> bool:
    """Say whether what is posed leaves room for this truth."""
    return READERS[posed.game](posed).fits(where)


class Clauses:
    """One boolean for every row and column of the sheet that go together: of each row exactly one is true."""

    def __init__(self, kinds: Sequence[tuple[Sequence[str], Mapping[str, int]]]) -> None:
        """Deal things of several kinds, so many of each kind to each column."""
        self.solver = Solver("cadical153")
        self.variables: dict[Entry, int] = {}
        self.top = 0
        for rows, sizes in kinds:
            for row in rows:
                for column in sizes:
                    self.variables[row, column] = self.new()
                places = [self.variables[row, column] for column in sizes]
                self.add(*places)
                for one, other in combinations(places, 2):
                    self.add(-one, -other)
            for column, size in sizes.items():
                self.counted([(row, column) for row in rows], [size])

    def new(self) -> int:
        self.top += 1
        return self.top

    def add(self, *clause: int) -> None:
        self.solver.add_clause(list(clause))

    def at(self, row: str, column: object) -> int:
        return self.variables[row, str(column)]

    def hold(self, rows: Sequence[str], column: object) -> None:
        """Let all of these be there."""
        for row in rows:
            self.add(self.at(row, column))

    def counted(self, entries: Sequence[Entry], numbers: Sequence[int], *unless: int) -> None:
        """Let one of these numbers of the entries be true, unless one of the literals is."""
        literals = [self.variables[entry] for entry in entries]
        chosen = [self.new() for _ in numbers]
        self.add(*chosen, *unless)
        for number, choice in zip(numbers, chosen, strict=True):
            if number > len(literals):
                self.add(-choice)
                continue
            coded = CardEnc.equals(lits=literals, bound=number, top_id=self.top, encoding=EncType.seqcounter)
            self.top = max(self.top, coded.nv)
            for clause in coded.clauses:
                self.add(*clause, -choice)

    def answers(self, form: Sequence[Sequence[Entry]]) -> Iterator[Answer]:
        while self.solver.solve():
            model = {number for number in self.solver.get_model() if number > 0}
            answer = tuple(next(entry for entry in group if self.variables.get(entry) in model) for group in form)
            yield answer
            self.add(*(-self.variables[entry] for entry in answer))

    def fits(self, where: Where) -> bool:
        known = [self.variables.get(entry) for entry in where.items()]
        return None not in known and bool(self.solver.solve(assumptions=known))


def read_clue(posed: Posed) -> Clauses:
    """Read a case of Clue."""
    sizes = {str(event.seat): event.size for event in posed.given if isinstance(event, clue.HandDealt)}
    clauses = Clauses([(clue_facts.PACK, {**sizes, "envelope": 3})])
    for kind in (clue_facts.SUSPECTS, clue_facts.WEAPONS, clue_facts.ROOMS):
        clauses.counted([(card, "envelope") for card in kind], [1])
    for event in posed.given:
        match event:
            case clue.HandDealt(seat=seat, cards=hand):
                clauses.hold(hand or (), seat)
            case clue.CardShown(seat=seat, card=shown):
                clauses.hold((str(shown),), seat)
    for line in posed.lines:
        named: Sequence[str] = ()
        for event in line:
            match event:
                case clue.Suggested(trio=trio):
                    named = trio.cards
                case clue.CouldNotShow(seat=seat):
                    for card in named:
                        clauses.add(-clauses.at(card, seat))
                case clue.CardShown(seat=seat, card=None):
                    clauses.add(*(clauses.at(card, seat) for card in named))
                case clue.CardShown(seat=seat, card=shown):
                    clauses.hold((str(shown),), seat)
    return clauses


def read_alibi(posed: Posed) -> Clauses:
    """Read a case of Perfect Alibi, in which everybody answers as the rules demand."""
    sizes = {str(event.seat): event.size for event in posed.given if isinstance(event, alibi.HandDealt)}
    open_ones = [card for event in posed.given if isinstance(event, alibi.CardsOpened) for card in event.cards]
    has_rivals = any(isinstance(event, alibi.RivalDealt) for event in posed.given)
    tiles = [f"rival-{assistant}" for assistant in alibi_facts.ASSISTANTS]
    kinds: list[tuple[Sequence[str], dict[str, int]]] = [
        (alibi_facts.PACK, {**sizes, "missing": 1, **({"open": len(open_ones)} if open_ones else {})})
    ]
    if has_rivals:
        box = {"box": len(tiles) - len(sizes)} if len(tiles) > len(sizes) else {}
        kinds.append((tiles, {**dict.fromkeys(sizes, 1), **box}))
    clauses = Clauses(kinds)
    clauses.hold(open_ones, "open")
    for event in posed.given:
        match event:
            case alibi.HandDealt(seat=seat, cards=hand):
                clauses.hold(hand or (), seat)
            case alibi.RivalDealt(seat=seat, tile=tile) if tile is not None:
                clauses.hold((f"rival-{tile}",), seat)
            case _:
                _card_seen(clauses, event)
    hidden = len(alibi_facts.PACK) - len(open_ones)
    for asked, answered, *rest in posed.lines:
        assert isinstance(asked, alibi.Asked)
        assert isinstance(answered, alibi.Answered)
        for event in rest:
            _card_seen(clauses, event)
        said = _may_have_said(asked, answered)
        if said is None:
            continue
        cards = [card for card in alibi_facts.PACK if set(card.split("-")) & set(asked.elements)]
        fitting = [card for card in cards if card not in open_ones]
        entries = [(card, str(asked.answerer)) for card in cards]
        size = sizes[str(asked.answerer)]
        least, most = max(0, size - hidden + len(fitting)), min(size, len(fitting))  # ALIBI-65
        true = [number for number in range(size + 1) if said(number)]
        if not has_rivals:
            clauses.counted(entries, true)
            continue
        lying = clauses.at(f"rival-{asked.holding[asked.seat]}", asked.answerer)
        clauses.counted(entries, true, lying)
        lied = [
            number
            for number in range(size + 1)
            if any(said(lie) for lie in (number - 1, number + 1) if least <= lie <= most)
        ]
        clauses.counted(entries, lied, -lying)
    return clauses


def _may_have_said(asked: alibi.Asked, answered: alibi.Answered) -> Callable[[int], bool] | None:
    """Return which numbers may have been said; None, if that can be any."""
    if answered.said is not None:
        return lambda number: number == answered.said
    if asked.holding[asked.answerer] == "Psychiatrist":
        return None  # ALIBI-48: no card would be shown in any case
    return lambda number: (number >= 2) == answered.due


def _card_seen(clauses: Clauses, event: object) -> None:
    match event:
        case alibi.CardShown(seat=seat, card=card) if card is not None:
            clauses.hold((card,), seat)
        case alibi.CardDrawn(answerer=answerer, card=card) if card is not None:
            clauses.hold((card,), answerer)


class Deals:
    """The deals of a case of Crime Hotel, one by one: no hand has changed but by the cards that were played."""

    def __init__(self, posed: Posed) -> None:
        sizes: dict[str, int] = {"hidden": 1}
        self.known: dict[int, str] = {}
        self.never: set[tuple[int, str]] = set()
        """A floor, and who has no card of it left."""
        for event in (*posed.given, *(event for line in posed.lines for event in line)):
            match event:
                case hotel.HandDealt(seat=seat, size=size, cards=cards):
                    sizes[str(seat)] = size
                    self.known |= dict.fromkeys(cards or (), str(seat))
                case hotel.RoomsLit(cards=cards):
                    self.known |= dict.fromkeys(cards, "open")
                case hotel.CardPlayed(seat=seat, card=card, lacks=floor):
                    self.known[card] = str(seat)
                    if floor is not None:
                        self.never.add((floor, str(seat)))
                case hotel.Looked(target=target, cards=cards):
                    self.known |= dict.fromkeys(cards or (), str(target))
        self.dark = [card for card in hotel_facts.CARDS if card not in self.known]
        held = [*self.known.values()]
        self.left = {column: size - held.count(column) for column, size in sizes.items()}

    def deals(self, place: int = 0) -> Iterator[dict[int, str]]:
        """Yield where every card that nobody has shown may be."""
        if place == len(self.dark):
            yield {}
            return
        card = self.dark[place]
        for column, room in self.left.items():
            if room and (card // 10, column) not in self.never:
                self.left[column] -= 1
                for rest in self.deals(place + 1):
                    yield {card: column, **rest}
                self.left[column] += 1

    def answers(self, form: Sequence[Sequence[Entry]]) -> Iterator[Answer]:
        found: set[Answer] = set()
        for deal in self.deals():
            where = {**self.known, **deal}
            answer = tuple(next(entry for entry in group if where[int(entry[0])] == entry[1]) for group in form)
            if answer not in found:
                found.add(answer)
                yield answer

    def fits(self, where: Where) -> bool:
        return any(
            all({**self.known, **deal}[int(row)] == column for row, column in where.items()) for deal in self.deals()
        )


READERS: Final[Mapping[str, Callable[[Posed], Reading]]] = {
    "clue": read_clue,
    "perfect_alibi": read_alibi,
    "crime_hotel": Deals,
}
