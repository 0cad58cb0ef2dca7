"""What every event of Perfect Alibi proves to a seat: by what the book lets it know, not by what a field holds."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import log2
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias, cast

from msgspec import Struct
from msgspec.structs import replace

from whodunit.core.judging import Reply, Showing, Weighing, gained
from whodunit.core.notes import Assistance, Proof, Sheet
from whodunit.core.redact import entitled
from whodunit.core.resampling import resampled
from whodunit.core.rng import Rng
from whodunit.core.types import Attention, Event, Frozen, Message, Param, Seat, Term, Undone, Who
from whodunit.deduce import Claim, Evidence, Explanation, Position, Posterior, count, has, lacks, notebook, shows
from whodunit.deduce.asking import Outlook, outlook
from whodunit.deduce.evidence import AnyEvidence
from whodunit.games.perfect_alibi.answers import Comes, Hands, Inquiry, mask_of
from whodunit.games.perfect_alibi.facts import ASSISTANTS, PACK, Assistant, Card
from whodunit.games.perfect_alibi.model import (
    Accuse,
    AnswerConfirmed,
    AnswerCorrected,
    Answered,
    AnyEvent,
    Ask,
    Asked,
    AskFreely,
    AskLast,
    AssistantChanged,
    AssistantPicked,
    CardDrawn,
    CardShown,
    CardsOpened,
    ChipTaken,
    DrawCard,
    HandDealt,
    LetShow,
    MissingSeen,
    Name,
    Opened,
    Options,
    ReplacementTaken,
    Revealed,
    RivalDealt,
    RowLaid,
    Slam,
    State,
)
from whodunit.games.perfect_alibi.rules import bounds, hearing, lies, matching, seeing
from whodunit.games.perfect_alibi.tell import tell
from whodunit.games.perfect_alibi.unredact import unredact

MISSING: Final = "missing"
OPEN: Final = "open"
BOX: Final = "box"
"""Where the rival tiles are that nobody got."""
HAND: Final = "hand"
"""The source of what a player knows from his own cards and his own rival tile."""
Holder: TypeAlias = Seat | str
Thing: TypeAlias = str
"""A card, or a rival tile."""


def rival(assistant: Assistant) -> Thing:
    """Name the rival tile that shows an assistant."""
    return f"rival-{assistant}"


TILES: Final = tuple(rival(assistant) for assistant in ASSISTANTS)


class World(Frozen, Struct, frozen=True, gc=False):
    """One way everything hidden may be."""

    missing: Card
    hands: tuple[tuple[Card, ...], ...]
    rivals: tuple[Assistant, ...] = ()
    said: tuple[int, ...] = ()
    """By question, the number given: one that was not heard may have been either of two lies."""


class Told(Struct, frozen=True, gc=False):
    """A question with what this viewer knows of its answer."""

    asked: Asked
    seq: int
    """The event that the evidence of its answer is from; 0: unanswered, or this viewer learned nothing by it."""
    answered: bool = False
    said: int | None = None
    due: bool | None = None
    """Of an answer that was not heard: whether it was 2 or more; None: that cannot be told."""
    sure: bool = False
    """Whether it has been confirmed or corrected."""


class Setting(Struct, frozen=True, gc=False):
    """Who holds which assistant, and whom the chip in use asks: what a question hangs on besides its elements."""

    seq: int
    """The event that made it so."""
    assistants: tuple[Assistant | None, ...]
    answerer: Seat | None = None


class Belief(Frozen, Struct, frozen=True):
    """What one viewer may conclude from what it has seen so far."""

    seat: Seat
    attention: Attention
    seq: int = 0
    """How many events it has learned."""
    seats: int = 0
    options: Options = Options()
    sizes: tuple[int, ...] = ()
    open: tuple[Card, ...] = ()
    opened: int = 0
    """The event that laid them open."""
    own: tuple[Card, ...] = ()
    tile: Assistant | None = None
    sights: tuple[tuple[Seat, Seat, Card], ...] = ()
    """Who has seen which card in whose hand, as far as this viewer saw it too."""
    log: tuple[Told, ...] = ()
    settings: tuple[Setting, ...] = ()
    """How the table stands, last; before that, how it stood before what may still be taken back."""
    position: Position[Thing, Holder] | None = None
    """None until the table is laid."""
    sound: Position[Thing, Holder] | None = None
    """The position without the answers that cannot all be right, if there are such."""
    clashing: tuple[Any, ...] = ()
    """The log entries that cannot all be right."""
    showing: Showing = "even"
    """What it takes for granted of whoever chooses a card to show."""

    def learn(self, event: Any) -> "Belief":
        """Return the belief after one more event, as this viewer saw it."""
        return _learn(replace(self, seq=self.seq + 1), event)

    @property
    def logic(self) -> Posterior[Thing, Holder]:
        """What is possible if all answers are as they should be, no other behaviour assumed."""
        return _laid(self.position).logic

    @property
    def likely(self) -> Posterior[Thing, Holder]:
        """What is likely, under what `assumes` says; answers that clash are left aside."""
        return _laid(self.sound or self.position).posterior

    def worlds(self) -> Iterator[World]:
        """Yield every world this viewer cannot rule out."""
        for masks in self.logic.worlds():
            hands, missing, tiles = self._named(masks)
            for said in product(*self._numbers(hands, tiles)):
                yield World(missing, hands, tiles, said)

    def sample(self, rng: Rng, label: str, number: int) -> list[World]:
        """Draw worlds, independently, each as likely as it is."""
        found = []
        words = rng.words(f"{label}: said")
        for masks in self.likely.sample(rng, label, number):
            hands, missing, tiles = self._named(masks)
            numbers = self._numbers(hands, tiles)
            said = tuple(some[0] if len(some) == 1 else some[next(words) % len(some)] for some in numbers)
            found.append(World(missing, hands, tiles, said))
        return found

    def _named(self, masks: tuple[int, ...]) -> tuple[tuple[tuple[Card, ...], ...], Card, tuple[Assistant, ...]]:
        deal = _laid(self.position).deal
        things = [deal.named(mask) for mask in masks]
        tiles: tuple[Assistant, ...] = ()
        if self.options.rival:
            tiles = tuple(ASSISTANTS[TILES.index(things[seat][-1])] for seat in range(self.seats))
        hands = tuple(some[:size] for some, size in zip(things, self.sizes, strict=False))  # tiles come last
        return cast("tuple[tuple[Card, ...], ...]", hands), cast("Card", things[self.seats][0]), tiles

    def _numbers(self, hands: Sequence[Sequence[Card]], tiles: Sequence[Assistant]) -> list[tuple[int, ...]]:
        """Return by question what may have been said: what was heard, else all that fits what was seen."""
        return [
            (told.said,) if told.said is not None else _unheard(self, told, hands, tiles)
            for told in self.log
            if told.answered
        ]

    def answer(self, world: World) -> tuple[Hashable, ...]:
        """Return what the case is about in this world: the missing alibi, and where every other one is."""
        where = {card: seat for seat, hand in enumerate(world.hands) for card in hand}
        return (world.missing, *(where.get(card) for card in PACK))

    def solution(self) -> dict[Card, float]:
        """Return the probability of every card that may be the missing alibi."""
        likely = self.likely
        masses = {card: likely.mass(card, MISSING) for card in PACK}
        return {card: mass / likely.total for card, mass in masses.items() if mass}

    def chance(self, guess: Slam | Name | AskLast | Accuse) -> float:
        """Return how likely this is to be right; of a last question, how likely the best card is even without it."""
        match guess:
            case Accuse(accused=accused, questions=questions):
                return self.treachery(accused, questions)
            case AskLast():
                return max(self.solution().values())
            case _:
                return self.solution().get(guess.card, 0.0)

    def treachery(self, accused: Seat, questions: Sequence[int]) -> float:
        """Return 1 if one of these answers is certainly wrong, 0 if none need be, else a share of the blame."""
        if self.sound is None:
            return 0.0
        clash = self.clash()
        blamed = [told for told in self.log if told.seq in clash]
        if not blamed:
            return 0.0
        named = [told for told in blamed if told.asked.answerer == accused and told.asked.question in questions]
        return len(named) / len(blamed)

    def forget(self, rng: Rng) -> "Belief":
        """Return the belief without one of the things it was told, drawn at random."""
        known = _laid(self.position)
        told = [item for item in known.evidence if isinstance(item.source, int)]
        return _settled(replace(self, position=notebook.forget(known, told, rng)))

    def entropy(self, by: Weighing = "likely") -> float:
        """Return how many bits are missing to know the missing alibi; answers that clash are left aside."""
        if self.position is None:
            return 0.0
        if by == "likely":
            shares = self.solution()
        else:
            logic = (self.sound or self.position).logic
            shares = {card: mass / logic.total for card in PACK if (mass := logic.mass(card, MISSING))}
        return 0.0 - sum(share * log2(share) for share in shares.values())  # a minus alone would give -0.0

    def certain(self) -> tuple[tuple[str, str], ...]:
        """Return the entry of the missing alibi, if it is certain: never while answers clash."""
        if self.position is None or self.sound is not None:
            return ()
        return tuple((card, MISSING) for card in self.position.logic.hand(MISSING) if card in PACK)

    def hands(self, seat: Seat) -> Hands:
        """Return every hand that the seat may have with every card that may be missing: for all questions to it."""
        return Hands(_laid(self.sound or self.position), seat, MISSING)

    def inquiry(self, asked: Asked) -> Inquiry:
        """Return a question of this viewer's own, as it will get to see its answer if everybody counts rightly."""
        least, most = self.sayable(asked)
        return Inquiry(
            elements=asked.elements,
            tile=rival(asked.holding[asked.seat]) if self.options.rival else None,
            least=least,
            most=most,
            due=asked.holding[asked.answerer] != "Psychiatrist",
            comes=_comes(self, asked),
            first=mask_of(_shown_first(self, asked)),
        )

    def replies(self, action: Any, by: Seat | None = None) -> tuple[Reply, ...]:
        """Return every way in which a question may be answered as this viewer would see it, if all count rightly.

        With the Cook, where that is left to its holder, the number alone answers; then to draw or to let a card be
        chosen is answered by the card. Who only looks does not listen to what others ask.
        """
        asker = self.seat if by is None else by
        if self.attention == "sight" and asker != self.seat:
            return ()
        match action:
            case Ask() | AskFreely() | AskLast():
                asked = self._asked(action, asker)
                return () if asked is None else self.answers(asked)
            case DrawCard() | LetShow() if self.log:
                asked = self.log[-1].asked
                comes: Comes = "drawn" if isinstance(action, DrawCard) else "shown"
                return tuple(_cards(self, asked, comes, _whole(self), None))
            case _:
                return ()

    def answers(self, asked: Asked) -> tuple[Reply, ...]:
        """Return every way in which a question may be answered, as this viewer would see it."""
        return tuple(_numbered(replace(self, log=(*self.log[: asked.question - 1], Told(asked, 0))), asked))

    def gain(self, action: Any, by: Seat | None = None) -> float:
        """Return how many bits about the missing alibi the answer may be expected to tell this viewer."""
        return gained(self.entropy(), self.replies(action, by))

    def _asked(self, action: Ask | AskFreely | AskLast, asker: Seat) -> Asked | None:
        """Return the question that an action begins as things stand, or None before everybody has an assistant."""
        if self.position is None or None in self.settings[-1].assistants:
            return None
        answerer = self.settings[-1].answerer if isinstance(action, Ask) else action.answerer
        return None if answerer is None else self.asking(action, asker, answerer)

    def asking(
        self,
        action: Ask | AskFreely | AskLast,
        asker: Seat,
        answerer: Seat,
        holding: tuple[Any, ...] | None = None,
    ) -> Asked:
        """Return the question that an action begins, with the assistants held now or with others."""
        return Asked(
            question=1 + sum(told.answered for told in self.log),
            seat=asker,
            answerer=answerer,
            elements=action.elements,
            holding=cast(Any, self.settings[-1].assistants if holding is None else holding),
            way="chip" if isinstance(action, Ask) else "journalist" if isinstance(action, AskFreely) else "last",
        )

    unredact = unredact
    resample = resampled

    def sayable(self, asked: Asked) -> tuple[int, int]:
        """Return the least and the greatest number that anybody could give as an answer."""
        if self.options.lie_bounds == "literal":
            return 0, self.sizes[asked.answerer] + 1
        return bounds(self.seats, self.open, asked.elements)

    def explain(self, thing: Thing, holder: Holder, *, held: bool = True) -> Explanation[Thing, Holder] | None:
        """Return why this is certain, or None if it is not."""
        return _laid(self.position).explain(Claim(thing, holder, held))

    def clash(self) -> tuple[Any, ...]:
        """Return the log entries that cannot all be right; none, if they can."""
        return self.clashing

    def sheet(self, level: Assistance) -> Sheet:
        """Return the notes that write themselves at this level: what was seen, what follows, how likely the rest is."""
        if level == "paper" or self.position is None:
            return Sheet(self.seq)
        if self.sound is not None:
            return Sheet(self.seq, clash=tuple(source for source in self.clash() if isinstance(source, int)))
        deal, seen = self.position.deal, notebook.seen_in(self.position, TILES)
        sheet = notebook.sheet(self.position, deal.elements, deal.holders, seen, level, self.seq)
        if sheet.worlds is None:
            return sheet
        solutions = sum(self.logic.mass(card, MISSING) > 0 for card in PACK)
        return replace(sheet, solutions=solutions, bits=self.entropy(), assumes=self.assumes())

    def proof(self, row: str, column: str, seen: Sequence[Event]) -> Proof | None:
        """Return why an entry of the sheet is certain, or None if it is not."""
        if self.position is None:
            return None
        deal = self.position.deal
        entry = notebook.entry(deal.elements, deal.holders, row, column)
        return None if entry is None else notebook.proof(self.position, *entry, seen, tell)

    def assumes(self) -> tuple[Message, ...]:
        """Say what the probabilities assume about the players."""
        by_hand = (Message("assumes.counts_rightly"),) if self.options.answer_mode == "by_hand" else ()
        lying = (Message("assumes.even_lie"),) if self.options.rival else ()
        shows = "assumes.even_choice" if self.showing == "even" else "assumes.seen_first"
        return (Message(shows), *lying, *by_hand)


def belief(seat: Seat, attention: Attention = "logic", showing: Showing = "even") -> Belief:
    """Return what a viewer knows before anything was seen."""
    return Belief(seat, attention, showing=showing)


# --- What an event tells -----------------------------------------------------------------------------------------


def _learn(now: Belief, event: AnyEvent) -> Belief:
    match event:
        case Asked(question=number):  # of one that was taken back the number is used again
            return replace(now, log=(*now.log[: number - 1], Told(event, 0)))
        case Answered():
            return _answered(now, event)
        case CardShown():
            return _card_shown(now, event)
        case CardDrawn(seat=seat, answerer=answerer, card=card) if now.seat in (seat, answerer):
            now = replace(now, sights=(*now.sights, (seat, answerer, entitled(card))))
            return now if now.seat == answerer else _knowing(now, has(answerer, [entitled(card)], now.seq))
        case AnswerConfirmed(question=number):
            return _settled(_with_told(now, number, replace(now.log[number - 1], sure=True)))
        case AnswerCorrected():
            return _corrected(now, event)
        case MissingSeen(seat=seat, card=card) if seat == now.seat:
            return _knowing(now, has(MISSING, [entitled(card)], now.seq))
        case ChipTaken(answerer=answerer):
            return _set(now, answerer=answerer)
        case AssistantPicked(seat=seat, assistant=assistant) | ReplacementTaken(seat=seat, assistant=assistant):
            return _set(now, {seat: assistant})
        case AssistantChanged(seat=seat, took=took, taken_from=whose):
            return _set(now, {seat: took} | ({} if whose is None else {whose: None}))
        case Undone(back_to=back_to):
            # What may be taken back has told nobody anything (see INFO.undoable), but it has changed the table.
            return replace(now, settings=tuple(setting for setting in now.settings if setting.seq <= back_to))
        case Opened(seats=seats, options=options):
            return replace(now, seats=seats, options=options, settings=(Setting(now.seq, (None,) * seats),))
        case HandDealt(seat=seat, size=size, cards=cards):
            own = entitled(cards) if seat == now.seat else now.own
            return replace(now, sizes=(*now.sizes, size), own=own)
        case CardsOpened(cards=cards):
            return replace(now, open=cards, opened=now.seq)
        case RivalDealt(seat=seat, tile=tile) if seat == now.seat:
            return replace(now, tile=entitled(tile))
        case RowLaid():
            return replace(now, position=_position(now))
        case Revealed():
            return _revealed(now, event)
        case _:
            return now


def _set(
    now: Belief, held: Mapping[Seat, Assistant | None] = MappingProxyType({}), answerer: Seat | None = None
) -> Belief:
    """Return the belief after assistants changed hands, or a chip was taken."""
    last = now.settings[-1]
    assistants = tuple(held.get(seat, assistant) for seat, assistant in enumerate(last.assistants))
    setting = Setting(now.seq, assistants, last.answerer if answerer is None else answerer)
    return replace(now, settings=(*now.settings, setting))


def _rules(now: Belief) -> list[AnyEvidence[Thing, Holder]]:
    """Return what the deal itself tells this viewer."""
    known: list[AnyEvidence[Thing, Holder]] = []
    if now.options.rival:
        known += [count(seat, PACK, size, None) for seat, size in enumerate(now.sizes)]
        known += [count(MISSING, PACK, 1, None)]
        known += [lacks(BOX, PACK, None)] if now.seats < len(TILES) else []
    if now.open:
        known += [has(OPEN, now.open, now.opened)]
    if now.own:
        tile = [rival(now.tile)] if now.tile is not None else []
        known += [has(now.seat, [*now.own, *tile], HAND)]
    return known


def _position(now: Belief) -> Position[Thing, Holder]:
    tile = int(now.options.rival)
    holders: dict[Holder, int] = {seat: size + tile for seat, size in enumerate(now.sizes)}
    holders[MISSING] = 1
    if now.open:
        holders[OPEN] = len(now.open)
    if tile and now.seats < len(TILES):
        holders[BOX] = len(TILES) - now.seats
    return Position((*PACK, *TILES) if tile else PACK, holders, _rules(now))


def _answered(now: Belief, event: Answered) -> Belief:
    now = replace(now, settings=now.settings[-1:])  # nobody takes back what was asked once it is answered
    told = replace(now.log[event.question - 1], answered=True)
    asked = told.asked
    if now.seat in (asked.seat, asked.answerer) or asked.holding[asked.seat] != "Priest":
        told = replace(told, said=entitled(event.said))
    elif asked.holding[asked.answerer] != "Psychiatrist":
        told = replace(told, due=event.due)  # ALIBI-48
    return _with_answer(now, event.question, told)


def _with_answer(now: Belief, question: int, told: Told) -> Belief:
    """Take in what is known of an answer; a player learns nothing from his own, and a rookie from his own questions."""
    asked = told.asked
    unheard = told.said is None and told.due is None
    if unheard or asked.answerer == now.seat or (now.attention == "sight" and asked.seat != now.seat):
        return _with_told(now, question, told)
    evidence = _number(now, asked, _accepted(told))
    return _knowing(_with_told(now, question, replace(told, seq=now.seq)), evidence)


def _with_told(now: Belief, question: int, told: Told) -> Belief:
    return replace(now, log=(*now.log[: question - 1], told, *now.log[question:]))


def _accepted(told: Told) -> Callable[[int], bool]:
    """Return what numbers the answer may have been, as far as this viewer knows."""
    if told.said is not None:
        return lambda number: number == told.said
    if told.due is not None:
        return lambda number: (number >= 2) == told.due
    return lambda _: True


def _number(now: Belief, asked: Asked, accepted: Callable[[int], bool]) -> Evidence[Thing, Holder]:
    """Weigh an answer by how many cards fit: as the truth, or where the rival asks as one of the permitted lies."""
    cards = matching([card for card in PACK if card not in now.open], asked.elements)
    numbers = range(len(cards) + 1)
    truth = tuple(int(accepted(number)) for number in numbers)
    if not now.options.rival:
        return Evidence(asked.answerer, cards, truth, now.seq)
    least, most = now.sayable(asked)
    lying: list[Fraction | int] = []
    for number in numbers:
        permitted = lies(number, least, most)
        fitting = sum(map(accepted, permitted))
        lying.append(Fraction(fitting, len(permitted)) if fitting else 0)
    tile = rival(asked.holding[asked.seat])
    return Evidence(asked.answerer, cards, tuple(lying), now.seq, given=tile, otherwise=truth)


def _unheard(now: Belief, told: Told, hands: Sequence[Sequence[Card]], tiles: Sequence[Assistant]) -> tuple[int, ...]:
    """Return what the answerer may have said where these are the hands and the rivals."""
    asked, accepted = told.asked, _accepted(told)
    true = len(matching(hands[asked.answerer], asked.elements))
    if not tiles or tiles[asked.answerer] != asked.holding[asked.seat]:
        return (true,)
    permitted = lies(true, *now.sayable(asked))
    # Whoever was not listening believes in worlds in which no lie fits what all could see.
    return tuple(number for number in permitted if accepted(number)) or permitted


def _card_shown(now: Belief, event: CardShown) -> Belief:
    if not event.question:  # it was left out, as where a case is cut from a game: the card was seen
        return _knowing(now, has(event.seat, [entitled(event.card)], now.seq))
    asked = now.log[event.question - 1].asked
    watching = [seat for seat, one in enumerate(asked.holding) if seat == event.to or one == "Captain"]  # ALIBI-44
    if now.seat != event.seat and now.seat not in watching:
        return now
    card, first = entitled(event.card), _shown_first(now, asked)
    sights = ((seat, event.seat, card) for seat in watching if seat != event.seat)
    now = replace(now, sights=(*now.sights, *sights))
    if now.seat == event.seat:
        return now
    if now.attention == "sight" or card in first:  # what was seen before tells nothing when it is shown again
        return _knowing(now, has(event.seat, [card], now.seq))
    cards = matching([card for card in PACK if card not in now.open], asked.elements)
    return _knowing(now, shows(event.seat, card, cards, now.seq))


def _shown_first(now: Belief, asked: Asked) -> list[Card]:
    """Return the cards of which the answerer shows one, if what the asker has seen is shown first.

    That is as far as this viewer knows what the asker has seen. Whoever shows another all the same chose evenly.
    """
    if now.showing == "even":
        return []
    seen = [card for seer, holder, card in now.sights if (seer, holder) == (asked.seat, asked.answerer)]
    return [*dict.fromkeys(matching(seen, asked.elements))]


def _corrected(now: Belief, event: AnswerCorrected) -> Belief:
    """Let the correction take the place of the first answer (ALIBI-69)."""
    told = now.log[event.question - 1]
    asked = told.asked
    wrong = [item for item in _laid(now.position).evidence if told.seq and item.source == told.seq]
    now = replace(now, position=_laid(now.position).without(*wrong))
    if told.said is not None:
        told = replace(told, said=entitled(event.said))
    elif asked.holding[asked.answerer] != "Psychiatrist":
        # Who had announced 2 or more showed a card then; what he says now, only those who heard it know.
        told = replace(told, due=True if event.due else None if told.due else False)
    # Also whoever hears no new number knows that the old one is gone, and with it perhaps what clashed.
    return _settled(_with_answer(now, event.question, replace(told, sure=True, seq=0)))


def _revealed(now: Belief, event: Revealed) -> Belief:
    known: list[Evidence[Thing, Holder]] = [has(MISSING, [event.missing], now.seq)]
    for seat, hand in enumerate(event.hands):
        known.append(has(seat, [*hand, *([rival(event.rivals[seat])] if event.rivals else [])], now.seq))
    log = tuple(replace(told, said=number) for told, number in zip(now.log, event.said, strict=False))
    return _knowing(replace(now, log=(*log, *now.log[len(log) :])), *known)


def _knowing(now: Belief, *evidence: Evidence[Thing, Holder]) -> Belief:
    return _settled(replace(now, position=_laid(now.position).learn(*evidence)))


def _settled(now: Belief) -> Belief:
    """Look whether answers counted by hand clash, and if so lay aside those that cannot all be right."""
    if now.options.answer_mode == "enforced":
        return now
    position = _laid(now.position)
    if position.logic.total:
        return replace(now, sound=None, clashing=())
    doubtful = {told.seq for told in now.log if told.seq and not told.sure}
    sound, clashing = position, position.clash()
    clash = clashing
    while clash:
        wrong = [source for source in clash if source in doubtful]
        if not wrong:
            raise ValueError("what was seen clashes, and no answer is to blame")
        sound = sound.without(*[item for item in sound.evidence if item.source in wrong])
        clash = () if sound.logic.total else sound.clash()
    return replace(now, sound=sound, clashing=clashing)


def _laid(position: Position[Thing, Holder] | None) -> Position[Thing, Holder]:
    if position is None:
        raise ValueError("nothing can be concluded before the table is laid")
    return position


# --- What may be seen of an answer -------------------------------------------------------------------------------


def _comes(now: Belief, asked: Asked) -> Comes | None:
    """Return which card comes if one is due; None where that is left to the Cook's holder (ALIBI-49, R8)."""
    if asked.holding[asked.seat] != "Cook":
        return "shown"
    return None if now.options.cook_optional else "drawn"


def _numbered(now: Belief, asked: Asked) -> Iterator[Reply]:
    """Yield every number that may be said, or only whether a card is due, each with every card that may come."""
    heard_by = hearing(asked.seat, asked.answerer, asked.holding)
    shows_cards, comes, whole = asked.holding[asked.answerer] != "Psychiatrist", _comes(now, asked), _whole(now)
    ways = [Told(asked, 0)]
    if now.seat in heard_by:
        ways = [Told(asked, 0, said=number) for number in range(now.sizes[asked.answerer] + 2)]
    elif shows_cards:
        ways = [Told(asked, 0, due=due) for due in (False, True)]
    for told in ways:
        number = whole.with_more(_number(now, asked, _accepted(told)))
        if not number.chance:
            continue
        due = bool(told.due) or (shows_cards and told.said is not None and told.said > 1)
        answered = Answered(question=asked.question, seat=asked.answerer, said=told.said, due=due, known_to=heard_by)
        if due and comes is not None:
            yield from _cards(now, asked, comes, number, answered)
        else:
            yield number.reply((answered,), None)


def _cards(now: Belief, asked: Asked, comes: Comes, said: "_After", answered: Answered | None) -> Iterator[Reply]:
    """Yield every card that may come now, behind the number if that is said with it."""
    before: tuple[Event, ...] = () if answered is None else (answered,)
    asker, answerer = asked.seat, asked.answerer
    seen_by = seeing(asker, answerer, asked.holding) if comes == "shown" else frozenset({asker, answerer})  # ALIBI-44

    def event(card: Card | None) -> Event:
        if comes == "drawn":
            return CardDrawn(question=asked.question, seat=asker, answerer=answerer, card=card, known_to=seen_by)
        return CardShown(question=asked.question, seat=answerer, to=asker, card=card, known_to=seen_by)

    if now.seat not in seen_by:
        yield said.reply((*before, event(None)), _line(answered, comes, None))
        return
    closed = [card for card in PACK if card not in now.open]
    fitting, first = matching(closed, asked.elements), _shown_first(now, asked)
    for card in closed if comes == "drawn" else first or fitting:
        share = Fraction(1, now.sizes[answerer] if comes == "drawn" else len(first) or 1)
        chosen = comes == "shown" and not first
        told: Evidence[Thing, Holder] = (
            shows(answerer, card, fitting, now.seq) if chosen else has(answerer, [card], now.seq)
        )
        after = said.with_more(told, share)
        if after.chance:
            yield after.reply((*before, event(card)), _line(answered, comes, card))


class _After(NamedTuple):
    """What would be known if something were learned, and how likely that is."""

    position: Position[Thing, Holder]
    whole: Fraction
    """The weight of everything that is possible now."""
    share: Fraction
    then: Outlook

    def with_more(self, told: Evidence[Thing, Holder], share: Fraction = Fraction(1)) -> "_After":
        """Return what would be known with more, which happens in this share of the worlds in which it can."""
        position = self.position.learn(told)
        return _After(position, self.whole, self.share * share, outlook(position, MISSING))

    @property
    def chance(self) -> float:
        return float(self.share * self.then.weight / self.whole)

    def reply(self, events: tuple[Event, ...], line: Message | None) -> Reply:
        return Reply(events, self.chance, self.then.left, self.then.top, line)


def _whole(now: Belief) -> _After:
    """Return what is known now; answers that clash are left aside."""
    position = _laid(now.sound or now.position)
    deal, known = position.deal, position.posterior
    certain = {holder: known.hand(holder) for holder in deal.holders}
    if tuple(map(len, certain.values())) == deal.capacities:
        # Where nothing is left to find out, all that was said in a long game would be counted to no purpose.
        plain = [has(holder, things, None) for holder, things in certain.items()]
        position = Position(deal.elements, dict(zip(deal.holders, deal.capacities, strict=True)), plain)
    then = outlook(position, MISSING)
    return _After(position, then.weight, Fraction(1), then)


def _line(answered: Answered | None, comes: Comes, card: Card | None) -> Message | None:
    """Say number and card in one line; None where the line of the last event says it all."""
    if answered is None:
        return None
    params: dict[str, Param] = {"seat": Who(answered.seat)}
    if answered.said is None:
        return Message("reply.card", params)
    params["said"] = answered.said
    return (
        Message("answered.heard", params) if card is None else Message(f"reply.{comes}", params | {"card": Term(card)})
    )


def imagine(view: State, world: World) -> State:
    """Fill in what the view leaves open, as this world has it."""
    log = tuple(
        replace(question, said=world.said[number]) if question.answered else question
        for number, question in enumerate(view.log)
    )
    return replace(view, missing=world.missing, hands=world.hands, rivals=world.rivals, log=log)
