"""Which card an asked seat shows if its player chooses none: of use to every game in which cards are shown."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Protocol, TypeVar

from whodunit.core.types import Seat, StandingOrder


class Showing(Protocol):
    """An answer that shows a card; where there are standing orders (`INFO.orders`), pages look for this field too."""

    @property
    def card(self) -> object:
        """What is shown."""


S = TypeVar("S", bound=Showing)


def discreet(
    answers: Sequence[S], asker: Seat, known: Collection[tuple[Seat, object]], order: StandingOrder | None
) -> Sequence[S]:
    """Return of answers that show a card those that tell least, as far as the order goes.

    What the asker has seen tells nothing; `known` is who has seen which card. Then, by order, what most others have
    seen: whoever guesses which card it was learns nothing either.
    """
    if again := [answer for answer in answers if (asker, answer.card) in known]:
        return again
    if order != "least":
        return answers
    seen = Counter(card for _, card in known)
    most = max(seen[answer.card] for answer in answers)
    return [answer for answer in answers if seen[answer.card] == most]
