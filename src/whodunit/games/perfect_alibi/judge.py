"""How good a question is beside all others on offer: the chip that leads to it, its elements, the card to see."""

from collections.abc import Iterator
from statistics import fmean
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from whodunit.core.judging import EVEN, Choice, Measure, Prospect, Reply, three_best
from whodunit.core.types import Action, Message, Seat
from whodunit.games.perfect_alibi.answers import Comes, Hands, Inquiry
from whodunit.games.perfect_alibi.evidence import Belief
from whodunit.games.perfect_alibi.facts import OF, Assistant, Element, Symbol
from whodunit.games.perfect_alibi.model import (
    AnyAction,
    Ask,
    AskFreely,
    Asking,
    Beginning,
    Correcting,
    DrawCard,
    LetShow,
    Naming,
    State,
    TakeChip,
)
from whodunit.games.perfect_alibi.rules import legal
from whodunit.games.perfect_alibi.sense import THE_CASE, sets

STROKE: Final = 1.4
"""So much above the average on offer a masterstroke is: good players find fewer than one in five games."""
QUESTION: Final = Measure(loss=0.5, share=0.65, stroke=STROKE)
QUESTION_AMONG_LIARS: Final = Measure(loss=0.3, share=0.7, stroke=STROKE)
"""Where answers may be lies there is less to be had, so less is much."""
CHIP: Final = Measure(loss=0.5, share=0.52, stroke=STROKE)
"""A chip is worth its best question: so most are worth nearly as much as the best, and a share says more."""
CHIP_AMONG_LIARS: Final = Measure(loss=0.5, share=0.48, stroke=STROKE)


class _Worth(NamedTuple):
    """What a question brings, in bits about the case."""

    value: float
    """With a share of what it tells about the deal, which may tell more about the case later."""
    gain: float
    """About the case alone, and at once."""


_Holding: TypeAlias = tuple[Assistant | None, ...]
_ALIKE: Final = ((TakeChip, AskFreely), (Ask,), (DrawCard, LetShow))
"""What is on offer together."""


def choice(view: State, seat: Seat, belief: Belief, action: AnyAction) -> Choice | None:
    """Return what a chip, a question or the Cook's card promises beside all else on offer.

    Assistants are not graded: what one is worth in later turns no count says. Nor is anything, once nothing is missing.
    """
    if belief.position is None or not belief.entropy():
        return None
    asker = _Asker(view, seat, belief)
    prospects = asker.prospects(action)
    taken = next((prospect for prospect in prospects if prospect.action == action), None)
    if taken is None:
        return None
    if belief.showing != "even":
        # Nobody is to blame for the hope to be shown something new: what was done is weighed so, if that is kinder.
        hope = _Asker(view, seat, replace(belief, showing="even")).value(action)
        hoped = replace(taken, value=max(taken.value, hope))
        prospects = [hoped if prospect is taken else prospect for prospect in prospects]
        taken = hoped
    values = [prospect.value for prospect in prospects]
    is_chip = isinstance(action, TakeChip)
    chip, question = (CHIP_AMONG_LIARS, QUESTION_AMONG_LIARS) if view.options.rival else (CHIP, QUESTION)
    return Choice(
        kind="chip" if is_chip else "card" if isinstance(action, DrawCard | LetShow) else "question",
        unit="bits",
        taken=taken,
        best=three_best(prospects, taken),
        spread=max(values) - min(values),
        typical=fmean(values),
        offered=asker.offered,
        measure=chip if is_chip else question,
        replies=belief.replies(action),
        assumes=(*belief.assumes(), *([Message("assumes.best_question")] if is_chip else [])),
    )


def ahead(view: State, seat: Seat, belief: Belief) -> tuple[Reply, ...]:
    """Return what may come of the question that makes the seat surest, by the chips that lie there now."""
    phase = _phase(view)
    if isinstance(phase, Naming) or view.out[seat] or view.assistants[seat] is None or belief.position is None:
        return ()
    if not (isinstance(phase, Asking) and view.on_turn == seat):
        view = replace(view, phase=Beginning(), on_turn=seat)
    return _Asker(view, seat, belief).surest()


class _Asker:
    """A seat that may ask, and what it could ask whom."""

    def __init__(self, view: State, seat: Seat, belief: Belief) -> None:
        self.view = view
        self.seat = seat
        self.belief = belief
        self.offered = 0.0
        """The most bits about the case that a question could tell, of those looked at."""
        self._hands: dict[Seat, Hands] = {}
        self._worths: dict[tuple[Seat, Inquiry], _Worth] = {}

    def prospects(self, action: AnyAction) -> list[Prospect]:
        """Return what all promises that is on offer beside an action; nothing, if such a one is not graded."""
        alike = next((kinds for kinds in _ALIKE if isinstance(action, kinds)), ())
        return [Prospect(other, *self._promise(other)) for other in self._offered(*alike)]

    def value(self, action: AnyAction) -> float:
        """Return what one action promises."""
        return self._promise(action).value

    def _promise(self, action: Action) -> _Worth:
        match action:
            case TakeChip():
                return _Worth(self._chip(action), 0.0)
            case AskFreely(answerer=answerer, elements=elements):
                return self._worth(answerer, elements, self.view.assistants)
            case Ask(elements=elements):
                return self._worth(_phase(self.view).answerer, elements, self.view.assistants)
            case _:
                asked = self.belief.log[-1].asked
                comes: Comes = "drawn" if isinstance(action, DrawCard) else "shown"
                return self._weighed(asked.answerer, self.belief.inquiry(asked)._replace(comes=comes, answered=True))

    def surest(self) -> tuple[Reply, ...]:
        """Return what may come of the question that makes one card likeliest; nothing, if none can be asked."""
        asked = {
            (to, about): self.belief.asking(Ask(about), self.seat, to, self.view.assistants)
            for to, about in self._every()
        }
        best, most = None, 0.0
        for question in asked.values():
            top = self._hands_of(question.answerer).promise(self.belief.inquiry(question)).top
            if top > most + EVEN:
                best, most = question, top
        return () if best is None else self.belief.answers(best)

    def _every(self) -> Iterator[tuple[Seat, tuple[Element, ...]]]:
        """Yield whom the seat could ask about what."""
        for action in self._offered(TakeChip, AskFreely, Ask):
            if isinstance(action, TakeChip):
                symbol = self.view.row[action.place - 1].symbol
                yield from (
                    (action.answerer, elements) for elements in sets(OF[symbol], self.view.options.max_elements)
                )
            elif isinstance(action, AskFreely):
                yield action.answerer, action.elements
            elif isinstance(action, Ask):
                yield _phase(self.view).answerer, action.elements

    def _offered(self, *kinds: type[Action]) -> Iterator[Action]:
        for offer in legal(self.view, self.seat):
            if offer.action in kinds:
                yield from offer.actions()

    def _chip(self, action: TakeChip) -> float:
        """Return the most that a question by this chip promises."""
        chip, answerer, held = self.view.row[action.place - 1], action.answerer, self.view.assistants
        if not chip.arrows:
            return self._best(answerer, chip.symbol, held)
        mine, theirs, pool = held[self.seat], held[answerer], self.view.pool
        taking = [self._best(answerer, chip.symbol, _put(held, self.seat, taken)) for taken in pool]
        # Who takes the answerer's own does not know what he takes instead: any of what lies there then.
        robbed = _put(held, self.seat, theirs)
        robbing = [self._best(answerer, chip.symbol, _put(robbed, answerer, one)) for one in (*pool, mine)]
        return max(*taking, fmean(robbing)) if taking else fmean(robbing)

    def _best(self, answerer: Seat, symbol: Symbol, holding: _Holding) -> float:
        most = self.view.options.max_elements
        return max(self._worth(answerer, elements, holding).value for elements in sets(OF[symbol], most))

    def _worth(self, answerer: Seat, elements: tuple[Element, ...], holding: _Holding) -> _Worth:
        asked = self.belief.asking(Ask(elements), self.seat, answerer, holding)
        inquiry = self.belief.inquiry(asked)
        worth = self._weighed(answerer, inquiry)
        if inquiry.comes is not None:
            return worth
        # The Cook's holder will choose: the question is worth what it is with the better of the two.
        both = [self._weighed(answerer, inquiry._replace(comes=card)) for card in ("drawn", "shown")]
        return _Worth(max(both).value, worth.gain)

    def _weighed(self, answerer: Seat, inquiry: Inquiry) -> _Worth:
        key = answerer, inquiry
        if key not in self._worths:
            deal, case, _ = self._hands_of(answerer).promise(inquiry)
            self._worths[key] = _Worth(case + deal / THE_CASE, case)
            self.offered = max(self.offered, case)
        return self._worths[key]

    def _hands_of(self, answerer: Seat) -> Hands:
        if answerer not in self._hands:
            self._hands[answerer] = self.belief.hands(answerer)
        return self._hands[answerer]


def _phase(view: State) -> Any:
    return view.phase.then if isinstance(view.phase, Correcting) else view.phase


def _put(held: _Holding, seat: Seat, assistant: Assistant | None) -> _Holding:
    return (*held[:seat], assistant, *held[seat + 1 :])
