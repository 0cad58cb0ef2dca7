"""What a viewer has seen of a game of Perfect Alibi, with its secrets as a world of the viewer's belief has them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from whodunit.core.resampling import ONLY_LOOKS
from whodunit.core.rng import Rng
from whodunit.core.types import Seat
from whodunit.games.perfect_alibi.facts import PACK, Card
from whodunit.games.perfect_alibi.model import (
    AnswerCorrected,
    Answered,
    AnswerFoundWrong,
    AnyEvent,
    Asked,
    CardDrawn,
    CardHidden,
    CardShown,
    HandDealt,
    MissingSeen,
    RivalDealt,
    Slammed,
)
from whodunit.games.perfect_alibi.rules import lies, matching, seeing

if TYPE_CHECKING:
    from whodunit.games.perfect_alibi.evidence import Belief, World


def unredact(belief: "Belief", world: "World", seen: Sequence[Any], rng: Rng) -> tuple[AnyEvent, ...]:
    """Return the events with all that the viewer was not told.

    What nobody told it and no world says is drawn: cards shown and drawn, wrong numbers, and wrong slams.
    """
    if belief.attention == "sight":
        raise ValueError(ONLY_LOOKS)
    wrong = {event.question for event in seen if type(event) is AnswerFoundWrong}
    lived = _Lived(belief, world, rng, wrong)
    return tuple([lived.told(event, place) for place, event in enumerate(seen)])


class _Lived:
    """The game as far as it has gone in this world."""

    def __init__(self, belief: "Belief", world: "World", rng: Rng, wrong: set[int]) -> None:
        self.belief = belief
        self.world = world
        self.rng = rng
        self.wrong = wrong
        """The answers that were found wrong, by question."""
        self.asked: dict[int, Asked] = {}
        """By question; of one that was taken back the number is used again."""
        self.sights: set[tuple[Seat, Seat, Card]] = set()
        """Who has seen which card in whose hand."""

    def told(self, event: Any, place: int) -> AnyEvent:
        """Return the event in full, and keep in mind what later ones hang on."""
        world = self.world
        match event:
            case Asked(question=number):
                self.asked[number] = event
            case CardHidden(card=None) | MissingSeen(card=None):
                return replace(event, card=world.missing)
            case HandDealt(seat=seat, cards=None):
                return replace(event, cards=world.hands[seat])
            case RivalDealt(seat=seat, tile=None):
                return replace(event, tile=world.rivals[seat])
            case Answered(question=number, said=None):
                numbers = self._wrong(event) if number in self.wrong else []
                return replace(event, said=self._one_of(numbers or [world.said[number - 1]], place))
            case AnswerCorrected(question=number, said=None):
                return replace(event, said=world.said[number - 1])
            case CardShown(question=number, seat=holder, to=to) if number:
                event = event if event.card else replace(event, card=self._one_of(self._showable(event), place))
                seers = seeing(to, holder, self.asked[number].holding)
                self.sights.update((seer, holder, event.card) for seer in seers)
            case CardDrawn(seat=seat, answerer=holder):
                event = event if event.card else replace(event, card=self._one_of(world.hands[holder], place))
                self.sights.add((seat, holder, event.card))
            case Slammed(card=None):
                return replace(event, card=self._one_of(self._slammable(event), place))
            case _:
                pass
        return event  # type: ignore[no-any-return]  # one of AnyEvent

    def _one_of(self, values: Sequence[Any], place: int) -> Any:
        return values[self.rng.below(f"unseen {place}", len(values))]

    def _wrong(self, event: Answered) -> list[int]:
        """Return the wrong numbers that could be announced where this one was (ALIBI-69, 76)."""
        asked, options = self.asked[event.question], self.belief.options
        true = len(matching(self.world.hands[event.seat], asked.elements))
        least, most = self.belief.sayable(asked)
        lying = bool(self.world.rivals) and self.world.rivals[event.seat] == asked.holding[asked.seat]
        right = lies(true, least, most) if lying else (true,)
        shows = asked.holding[event.seat] != "Psychiatrist"
        card = not shows or true > 0 or (asked.holding[asked.seat] == "Cook" and not options.cook_optional)
        return [
            number
            for number in range(least, most + 1)
            if number not in right and (number < 2 or card) and (shows and number > 1) == event.due
        ]

    def _showable(self, event: CardShown) -> list[Card]:
        """Return the cards of which one was shown, each as likely as any other, as the belief takes it."""
        held = [*matching(self.world.hands[event.seat], self.asked[event.question].elements)]
        if not held:
            raise ValueError(f"in this world seat {event.seat} had no card to show: something was forgotten")
        if self.belief.showing == "seen_first":
            return [card for card in held if (event.to, event.seat, card) in self.sights] or held
        return held

    def _slammable(self, event: Slammed) -> list[Card]:
        """Return the wrong cards that the slammer did not know to be wrong."""
        known = {card for seer, _, card in self.sights if seer == event.seat}
        known.update(self.world.hands[event.seat], self.belief.open, [self.world.missing])
        wrong = [card for card in PACK if card not in known]
        return wrong or [card for card in PACK if card != self.world.missing]
