"""How to play Perfect Alibi well: which actions are worth thinking about, and how good a situation is."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log2
from typing import Any, Final

from msgspec import Struct

from whodunit.core.offer import Offer
from whodunit.core.rng import Rng
from whodunit.core.showing import discreet
from whodunit.core.types import Action, Seat, StandingOrder
from whodunit.games.perfect_alibi.evidence import MISSING, Belief, World
from whodunit.games.perfect_alibi.facts import OF, PACK, WITH, Assistant, Card, Element
from whodunit.games.perfect_alibi.model import (
    Accuse,
    Announce,
    AnyEvent,
    Ask,
    AskFreely,
    AskLast,
    CardDrawn,
    CardShown,
    ChangeAssistant,
    Confirm,
    Correct,
    Name,
    Over,
    PickAssistant,
    Question,
    Show,
    ShowLate,
    Slam,
    State,
    TakeChip,
    TakeReplacement,
)
from whodunit.games.perfect_alibi.rules import INFO, bounds, legal, lies, right_answers

SAMPLES: Final = 96
"""In so many worlds a question is tried."""
THE_CASE: Final = 3.0
"""What a bit about the missing alibi is worth in bits about who holds what."""
WON: Final = 20.0
VALUE: Final[Mapping[Assistant, float]] = {
    "Priest": 1.0,
    "Captain": 0.9,
    "Journalist": 0.6,
    "Psychiatrist": 0.5,
    "Cook": 0.4,
}
"""What an assistant is worth for the turns to come, in bits a turn."""
DARES: Final = 0.6
"""From which chance on it is better to slam than to wait while three rivals are left."""
DISCRETION: Final = 0.5
"""What a bit that everybody hears costs a player who weighs motives, in bits of its own."""
RISK: Final = 0.1
"""By so much one last question must be better than another: who hears the answer may slam before its caller."""
HOPES: Final = 0.3
"""Who has no likelier card than this does not think of one last question."""
QUESTIONS: Final = 4
"""So many questions, the most telling ones, are worth thinking about at length."""

_BIT: Final = {card: 1 << place for place, card in enumerate(PACK)}
_MASK: Final = {element: sum(_BIT[card] for card in cards) for element, cards in WITH.items()}


def consider(view: State, seat: Seat, belief: Belief, rng: Rng) -> Sequence[Action]:
    """Return the actions on offer that are worth thinking about, never none of them where the seat is waited for."""
    offers = [offer for offer in legal(view, seat) if offer.action not in INFO.interrupts]
    due = [offer for offer in offers if offer.action in (Correct, ShowLate)]
    found: list[Action] = []
    asking: list[Offer] = []
    for offer in due or offers:
        if offer.action is Name:
            found.append(Name(_likeliest(belief)))
        elif offer.action in (TakeChip, Ask, AskFreely, AskLast):
            asking.append(offer)
        elif offer.action in (PickAssistant, ChangeAssistant, TakeReplacement):
            found += _assistants(offer, belief, rng)
        elif offer.action in (Show, ShowLate):
            found += _cards(offer, view, seat, belief, rng)
        elif offer.action is Announce:
            found += _counted(offer, view, rng)
        else:
            found += offer.actions()
    return [*found, *_questions(asking, view, seat, belief, rng)] if asking else found


def urge(view: State, seat: Seat, belief: Belief) -> Sequence[Action]:
    """Return the interrupts that are worth doing at once: a slam, a confirmation, an accusation."""
    found: list[Action] = []
    offers = legal(view, seat)
    doubted = _doubted(belief) if any(offer.action is Confirm for offer in offers) else ()
    for offer in offers:
        if offer.action is Slam:
            found += _slam(view, seat, belief)
        elif offer.action is Accuse:
            found += _accusation(offer, belief)
        elif offer.action is Confirm:
            found += [action for action in doubted if offer.admits(action)]
    return found


# --- Staking the game --------------------------------------------------------------------------------------------


def _slam(view: State, seat: Seat, belief: Belief) -> Iterator[Action]:
    """Yield the likeliest card, if it is better to slam now than to wait."""
    card = _likeliest(belief)
    rivals = _rivals(view, seat)
    threshold = _bold(rivals) if belief.attention == "motives" else _threshold(rivals)
    if belief.likely.mass(card, MISSING) / belief.likely.total >= threshold:
        yield Slam(card)


def _rivals(view: State, seat: Seat) -> int:
    return sum(not out for other, out in enumerate(view.out) if other != seat)


def _likeliest(belief: Belief) -> Card:
    likely = belief.likely
    return max(PACK, key=lambda card: likely.mass(card, MISSING))


def _threshold(rivals: int) -> float:
    """Return from which chance on it is better to slam: the fewer rivals, the less the hurry."""
    return 1 - (1 - DARES) * rivals / 3


def _bold(rivals: int) -> float:
    """Return from which chance on a slam beats waiting for the answer that makes all equally sure at once."""
    return 0.6 - 0.05 * rivals


def _accusation(offer: Offer, belief: Belief) -> Iterator[Action]:
    """Accuse whoever alone can be to blame for a clash, of all his answers: one wrong among them is enough."""
    accused, questions = offer.choices["accused"].at(0), offer.choices["questions"]
    assert isinstance(accused, int)
    named = tuple(range(1, len(belief.log) + 1))
    if belief.sound is not None and belief.treachery(accused, named) == 1:
        yield Accuse(accused, questions.of)  # type: ignore[arg-type]  # numbers


def _doubted(belief: Belief) -> Sequence[Confirm]:
    """Return what to ask for of answers that cannot be right together: looked for once, for it takes long."""
    if belief.sound is None:
        return ()
    clash = belief.clash()
    return [Confirm(told.asked.question) for told in belief.log if told.seq in clash and not told.sure]


# --- Asking ------------------------------------------------------------------------------------------------------


class _Try(Struct, frozen=True):
    """A question that could be asked, and how to come to ask it."""

    action: Action
    answerer: Seat
    elements: tuple[Element, ...]
    bonus: float = 0.0


def _questions(offers: Sequence[Offer], view: State, seat: Seat, belief: Belief, rng: Rng) -> Sequence[Action]:
    """Return the most telling questions, or the chip that leads to the best of them."""
    if belief.attention == "sight":
        return [offer.sample(rng) for offer in offers if offer.action is not AskLast]
    every = [one for offer in offers for one in _tries(offer, view, seat)]
    tries = [one for one in every if not isinstance(one.action, AskLast)]
    trial = _Trial(view, seat, belief, belief.sample(rng, "trial", SAMPLES))
    if len(tries) < len(every) and (best := _last_question(every, tries, trial, _threshold(_rivals(view, seat)))):
        return [best]
    scored = sorted(((trial.score(one), number) for number, one in enumerate(tries)), reverse=True)
    if any(offer.action is TakeChip for offer in offers):
        return [tries[scored[0][1]].action]
    most = 1 if belief.attention == "motives" else QUESTIONS  # what it tells the others is weighed already
    return [tries[number].action for _, number in scored[:most]]


def _last_question(every: Sequence[_Try], tries: Sequence[_Try], trial: "_Trial", enough: float) -> Action | None:
    """Return one last question if naming a card after it beats asking another, and then slamming or going on."""
    if trial.likeliest < HOPES or any(isinstance(one.action, AskFreely) for one in tries):
        return None
    asked = [one for one in every if isinstance(one.action, AskLast)]
    chance, number = max((trial.right(one), -number) for number, one in enumerate(asked))
    if chance - RISK <= max(trial.right(one, enough) for one in tries):
        return None
    return asked[-number].action


def _tries(offer: Offer, view: State, seat: Seat) -> Iterator[_Try]:
    if offer.action is not TakeChip:
        for action in offer.actions():
            answerer = view.phase.answerer if isinstance(action, Ask) else action.answerer  # type: ignore[union-attr, attr-defined]
            yield _Try(action, answerer, action.elements)  # type: ignore[attr-defined]
        return
    for chip_action in offer.actions():
        assert isinstance(chip_action, TakeChip)
        chip = view.row[chip_action.place - 1]
        bonus = _change_bonus(view, seat, chip_action.answerer) if chip.arrows else 0.0
        for elements in sets(OF[chip.symbol], view.options.max_elements):
            yield _Try(chip_action, chip_action.answerer, elements, bonus)


def sets(elements: Sequence[Element], most: int) -> Iterator[tuple[Element, ...]]:
    for number in range(1, 1 << len(elements)):
        if number.bit_count() <= most:
            yield tuple(element for place, element in enumerate(elements) if number >> place & 1)


def _change_bonus(view: State, seat: Seat, answerer: Seat) -> float:
    """Return what a compulsory change of assistants gains."""
    mine, theirs = view.assistants[seat], view.assistants[answerer]
    assert mine is not None
    assert theirs is not None
    return max(VALUE[one] for one in (*view.pool, theirs)) - VALUE[mine]


class _Trial:
    """Questions tried in sampled worlds: how much would the answers tell?"""

    def __init__(self, view: State, seat: Seat, belief: Belief, worlds: Sequence[World]) -> None:
        self.view = view
        self.discretion = DISCRETION if belief.attention == "motives" else 0.0
        self.mine = view.assistants[seat]
        self.missing = [world.missing for world in worlds]
        self.hands = [[sum(_BIT[card] for card in hand) for hand in world.hands] for world in worlds]
        self.tiles = [world.rivals for world in worlds]

    def score(self, one: _Try) -> float:
        """Return what the answer would tell about the deal and about the case, in bits."""
        seen: defaultdict[Any, float] = defaultdict(float)
        joint: defaultdict[Any, float] = defaultdict(float)
        heard: defaultdict[Any, float] = defaultdict(float)
        heard_joint: defaultdict[Any, float] = defaultdict(float)
        shows = self.view.assistants[one.answerer] != "Psychiatrist"
        noise = 0.0
        for place, missing in enumerate(self.missing):
            for answer, share in self._answers(one, place):
                noise -= share * log2(share)
                seen[answer] += share
                joint[answer, missing] += share
                if self.discretion:
                    sound = (answer[0] > 1 and shows) if self.mine == "Priest" else answer[0]
                    heard[sound] += share
                    heard_joint[sound, missing] += share
        total = len(self.hands)
        about_deal = _entropy(seen, total) - noise / total
        about_case = _entropy(seen, total) + self._open_case() - _entropy(joint, total)
        value = about_deal + THE_CASE * about_case + one.bonus
        if self.discretion:
            told_case = _entropy(heard, total) + self._open_case() - _entropy(heard_joint, total)
            value -= self.discretion * (_entropy(heard, total) + THE_CASE * told_case)
        return value

    @property
    def likeliest(self) -> float:
        """How likely the likeliest card is the missing one, in the sampled worlds."""
        return max(map(self.missing.count, set(self.missing))) / len(self.missing)

    def right(self, one: _Try, enough: float | None = None) -> float:
        """Return how likely the likeliest card after the answer is right; if less than `enough` will do, then so much.

        What is likeliest is learned in one half of the worlds and tried in the other, lest it fit them by chance.
        """
        answers = [dict(self._answers(one, place)) for place in range(len(self.missing))]
        value = 0.0
        for half in (0, 1):
            joint: defaultdict[Any, defaultdict[Card, float]] = defaultdict(lambda: defaultdict(float))
            for place in range(half, len(answers), 2):
                for answer, share in answers[place].items():
                    joint[answer][self.missing[place]] += share
            for place in range(1 - half, len(answers), 2):
                for answer, share in answers[place].items():
                    cards = joint[answer]
                    best = max(cards, key=lambda card: cards[card], default=None)
                    if enough is not None and (best is None or cards[best] < enough * sum(cards.values())):
                        value += share * enough
                    else:
                        value += share * (best == self.missing[place])
        return value / len(answers)

    def _answers(self, one: _Try, place: int) -> Iterator[tuple[tuple[int, int], float]]:
        """Yield what the answer may be in one of the worlds, number and card, with how likely that is."""
        mask = 0
        for element in one.elements:
            mask |= _MASK[element]
        hand, tiles = self.hands[place][one.answerer], self.tiles[place]
        fitting = hand & mask
        true = fitting.bit_count()
        lying = bool(tiles) and tiles[one.answerer] == self.mine
        numbers = lies(true, *self._sayable(one)) if lying else (true,)
        shows = self.view.assistants[one.answerer] != "Psychiatrist"
        for number in numbers:
            cards = _shown(hand if self.mine == "Cook" else fitting) if shows and number > 1 else [0]
            for card in cards:
                yield (number, card), 1 / (len(numbers) * len(cards))

    def _sayable(self, one: _Try) -> tuple[int, int]:
        if self.view.options.lie_bounds == "literal":
            return 0, self.view.sizes[one.answerer] + 1
        return bounds(len(self.view.out), self.view.open, one.elements)

    def _open_case(self) -> float:
        counts: defaultdict[Any, float] = defaultdict(float)
        for card in self.missing:
            counts[card] += 1
        return _entropy(counts, len(self.missing))


def _shown(hand: int) -> list[int]:
    """Return the cards of a mask, one bit each."""
    cards = []
    while hand:
        cards.append(hand & -hand)
        hand &= hand - 1
    return cards


def _entropy(counts: Mapping[Any, float], total: float) -> float:
    return log2(total) - sum(count * log2(count) for count in counts.values()) / total


# --- Assistants, cards, numbers ----------------------------------------------------------------------------------


def _assistants(offer: Offer, belief: Belief, rng: Rng) -> list[Action]:
    """Take the assistant that is worth most; a rookie takes any."""
    if belief.attention == "sight":
        return [offer.sample(rng)]
    return [offer.action(assistant=max(offer.choices["assistant"], key=lambda one: VALUE[one]))]


def _cards(offer: Offer, view: State, seat: Seat, belief: Belief, rng: Rng) -> list[Action]:
    """Return the cards to choose from; one that the asker has seen before tells him nothing new."""
    cards: list[Card] = list(offer.choices["card"])  # type: ignore[arg-type]
    asker = _being_answered(view, offer).asker
    seen = [card for card in cards if (asker, seat, card) in belief.sights]
    if view.out[seat]:  # ALIBI-R22: whoever has looked at the missing alibi favours nobody
        return [offer.action(card=(seen or cards)[rng.below("card", len(seen or cards))])]
    return [offer.action(card=card) for card in seen[:1] or cards]


def _counted(offer: Offer, view: State, rng: Rng) -> list[Action]:
    """Count by hand, and now and then miscount (BOT_ERROR_RATE)."""
    right = right_answers(view, view.log[-1])
    wrong = [number for number in offer.choices["number"] if number not in right]
    if wrong and rng.below("miscounts", 100) < view.options.bot_error_rate:
        return [Announce(wrong[rng.below("miscounted", len(wrong))])]  # type: ignore[arg-type]
    return [Announce(number) for number in right]


def _being_answered(view: State, offer: Offer) -> Question:
    """Return the question for which a card is due."""
    if offer.action is ShowLate:
        return view.log[view.phase.due[0].question - 1]  # type: ignore[union-attr]
    return view.log[-1]


def habit(view: State, seat: Seat, told: Iterable[AnyEvent], rng: Rng, order: StandingOrder | None = None) -> Action:
    """Show the asker a card that he has seen already, else any or by order the best known; give any right number."""
    offer = next(offer for offer in legal(view, seat) if offer.action in INFO.answers)
    if offer.action is Announce:
        right = right_answers(view, view.log[-1])
        return Announce(right[rng.below("habit", len(right))])
    answers = list(offer.actions())
    if offer.action in (Show, ShowLate):
        asker, known = _being_answered(view, offer).asker, _known(seat, told)
        shows = [action for action in answers if isinstance(action, Show | ShowLate)]
        answers = [*discreet(shows, asker, known, order)]
    return answers[rng.below("habit", len(answers))]


def _known(seat: Seat, confided: Iterable[AnyEvent]) -> set[tuple[Seat, Card | None]]:
    """Return who has seen which of the seat's cards."""
    known: set[tuple[Seat, Card | None]] = set()
    for event in confided:
        match event:
            case CardShown(seat=by, card=card) if by == seat:
                known |= {(other, card) for other in event.known_to}
            case CardDrawn(seat=by, answerer=answerer, card=card) if answerer == seat:
                known.add((by, card))
            case _:
                pass
    return known


def plan(_view: State, _seat: Seat, _belief: Belief, _worlds: Sequence[World], _foresight: int) -> None:
    """Plan nothing: what a question tells is weighed before it is asked."""


def worth(state: State, seat: Seat, _plan: None = None) -> float:
    """Return how good an imagined state is for a seat, in bits of information."""
    if isinstance(state.phase, Over):
        return WON if state.phase.winner == seat else 0.0
    assistant = state.assistants[seat]
    return 0.0 if assistant is None else VALUE[assistant]
