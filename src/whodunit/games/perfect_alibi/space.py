"""Every action that there could ever be in Perfect Alibi."""

from typing import Final

from whodunit.core.offer import Offer, One, Some
from whodunit.games.perfect_alibi.facts import ASSISTANTS, HAND, LOCATIONS, PACK, ROW, TIMES
from whodunit.games.perfect_alibi.model import (
    Accuse,
    Announce,
    Answer,
    Ask,
    AskFreely,
    AskLast,
    ChangeAssistant,
    Confirm,
    Correct,
    DrawCard,
    GoOn,
    Hurry,
    LetShow,
    Name,
    Options,
    PickAssistant,
    RunOut,
    Show,
    ShowLate,
    Slam,
    TakeChip,
    TakeReplacement,
)

_CARD: Final = {"card": One(PACK)}
_ASSISTANT: Final = {"assistant": One(ASSISTANTS)}


def space(seats: int, options: Options, turns: int) -> tuple[Offer, ...]:
    """Return the widest offers; a turn has at most one question, so there are as many as turns."""
    somebody = One(tuple(range(seats)))
    elements = [Some(elements, 1, options.max_elements) for elements in (LOCATIONS, TIMES)]
    number = {"number": One(tuple(range(HAND[seats] + 2)))}  # ALIBI-R14: a lie may be one more than the hand has cards
    questions = tuple(range(1, turns + 1))
    offers = [
        Offer(PickAssistant, _ASSISTANT),
        Offer(TakeChip, {"place": One(tuple(range(1, ROW + 1))), "answerer": somebody}),
        Offer(ChangeAssistant, _ASSISTANT),
        Offer(TakeReplacement, _ASSISTANT),
        *(Offer(Ask, {"elements": several}) for several in elements),
        *(
            Offer(way, {"answerer": somebody, "elements": several})
            for way in (AskFreely, AskLast)
            for several in elements
        ),
        Offer(Show, _CARD),
        Offer(Name, _CARD),
        Offer(Slam, _CARD),
    ]
    if options.cook_optional:
        offers += [Offer(DrawCard), Offer(LetShow)]
    if options.answer_mode == "enforced":
        offers.append(Offer(Answer, number))
    else:
        offers += [Offer(Announce, number), Offer(Correct, number), Offer(ShowLate, _CARD)]
        if options.unforgiving:
            offers.append(Offer(Accuse, {"accused": somebody, "questions": Some(questions, 1, turns)}))
        else:
            offers.append(Offer(Confirm, {"question": One(questions)}))
    if options.guess_limit_s is not None:
        offers.append(Offer(RunOut))
    if options.turn_limit_s is not None:
        offers.append(Offer(Hurry, {"seat": somebody}))
    if options.slam_window_s:
        offers.append(Offer(GoOn))
    return tuple(offers)
