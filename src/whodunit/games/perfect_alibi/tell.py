"""One log line for each event of Perfect Alibi, in no language yet; texts/ has the words."""

from typing import assert_never

from whodunit.core.types import Message, Param, Term, Who
from whodunit.games.perfect_alibi.model import (
    Accuse,
    Announce,
    Answer,
    AnswerConfirmed,
    AnswerCorrected,
    Answered,
    AnswerFoundWrong,
    AnyAction,
    AnyEvent,
    Ask,
    Asked,
    AskFreely,
    AskLast,
    AssistantChanged,
    AssistantPicked,
    CardDrawn,
    CardHidden,
    CardShown,
    CardsOpened,
    ChangeAssistant,
    Chip,
    ChipReplaced,
    ChipTaken,
    Confirm,
    ConfirmationAsked,
    CookLeft,
    Correct,
    GameEnded,
    HandDealt,
    MissingSeen,
    Name,
    Opened,
    PickAssistant,
    ReplacementTaken,
    Revealed,
    RivalDealt,
    RowLaid,
    Show,
    ShowLate,
    Slam,
    Slammed,
    TakeChip,
    TakeReplacement,
    TimeRanOut,
    TreacheryClaimed,
    TurnBegan,
    TurnHurried,
)


def tell(event: AnyEvent) -> Message:
    """Say what happened, as far as this event shows it."""
    match event:  # what is told most often first
        case TurnBegan(seat=seat):
            return Message("turn_began", {"seat": Who(seat)})
        case Asked():
            return _asked(event)
        case Answered(seat=seat, said=said):
            return _number("answered", {"seat": Who(seat)}, said)
        case ChipTaken(seat=seat, chip=chip, answerer=answerer):
            key = f"chip_taken.{chip.symbol}{'.arrows' if chip.arrows else ''}"
            return Message(key, {"seat": Who(seat), "answerer": Who(answerer), "colour": Term(chip.colour)})
        case ChipReplaced(place=place, chip=chip, reshuffled=reshuffled):
            key = "chip_replaced.reshuffled" if reshuffled else "chip_replaced"
            return Message(key, {"place": place, **_chip(chip)})
        case CardShown(seat=seat, to=to, card=card):
            return _told("card_shown", {"seat": Who(seat), "to": Who(to)}, card)
        case AssistantChanged(seat=seat, gave=gave, took=took, taken_from=whose):
            changed: dict[str, Param] = {"seat": Who(seat), "gave": Term(gave), "took": Term(took)}
            if whose is None:
                return Message("assistant_changed.pool", changed)
            return Message("assistant_changed.player", {**changed, "whose": Who(whose)})
        case ReplacementTaken(seat=seat, assistant=assistant):
            return Message("replacement_taken", {"seat": Who(seat), "assistant": Term(assistant)})
        case CardDrawn(seat=seat, answerer=answerer, card=card):
            return _told("card_drawn", {"seat": Who(seat), "answerer": Who(answerer)}, card)
        case Opened(colours=colours):
            return Message("opened", {"colours": tuple(map(Term, colours))})
        case CardHidden(card=card):
            return _told("card_hidden", {}, card)
        case HandDealt(seat=seat, size=size, cards=cards):
            return _told("hand_dealt", {"seat": Who(seat), "size": size}, cards)
        case CardsOpened(cards=cards):
            return Message("cards_opened", {"cards": tuple(map(Term, cards))})
        case RivalDealt(seat=seat, tile=tile):
            return _told("rival_dealt", {"seat": Who(seat)}, tile)
        case RowLaid(chips=chips, first=first):
            laid = {f"{name}{place}": said for place, chip in enumerate(chips, 1) for name, said in _chip(chip).items()}
            return Message("row_laid", {"seat": Who(first), **laid})
        case AssistantPicked(seat=seat, assistant=assistant):
            return Message("assistant_picked", {"seat": Who(seat), "assistant": Term(assistant)})
        case CookLeft(seat=seat):
            return Message("cook_left", {"seat": Who(seat)})
        case _:
            return _tell_the_end(event)


def _tell_the_end(
    event: Slammed
    | MissingSeen
    | TimeRanOut
    | TurnHurried
    | ConfirmationAsked
    | AnswerConfirmed
    | AnswerFoundWrong
    | AnswerCorrected
    | TreacheryClaimed
    | Revealed
    | GameEnded,
) -> Message:
    match event:
        case Slammed(seat=seat, card=card, right=right):
            return _told("slammed.right" if right else "slammed.wrong", {"seat": Who(seat)}, card)
        case MissingSeen(seat=seat, card=card):
            return _told("missing_seen", {"seat": Who(seat)}, card)
        case TimeRanOut(seat=seat):
            return Message("time_ran_out", {"seat": Who(seat)})
        case TurnHurried(seat=seat):
            return Message("turn_hurried", {"seat": Who(seat)})
        case ConfirmationAsked(seat=seat, question=number, answerer=answerer):
            asked: dict[str, Param] = {"seat": Who(seat), "answerer": Who(answerer), "question": number}
            return Message("confirmation_asked", asked)
        case AnswerConfirmed(seat=seat, question=number):
            return Message("answer_confirmed", {"seat": Who(seat), "question": number})
        case AnswerFoundWrong(seat=seat, question=number):
            return Message("answer_found_wrong", {"seat": Who(seat), "question": number})
        case AnswerCorrected(seat=seat, question=number, said=said):
            return _number("answer_corrected", {"seat": Who(seat), "question": number}, said)
        case TreacheryClaimed(seat=seat, accused=accused, questions=questions, right=right):
            named = ", ".join(map(str, questions))
            key = "treachery_claimed.right" if right else "treachery_claimed.wrong"
            return Message(key, {"seat": Who(seat), "accused": Who(accused), "questions": named})
        case Revealed(missing=missing):
            return Message("revealed", {"card": Term(missing)})
        case GameEnded(winner=winner, how=how):
            return Message(f"game_ended.{how}", {"seat": Who(winner)})
        case _:
            assert_never(event)


def tell_action(action: AnyAction) -> Message:
    """Say what somebody does, or could have done."""
    match action:
        case TakeChip(place=place, answerer=answerer):
            return Message("deed.TakeChip", {"place": place, "answerer": Who(answerer)})
        case Ask(elements=elements):
            return Message("deed.Ask", {"elements": tuple(map(Term, elements))})
        case AskFreely(answerer=answerer, elements=elements) | AskLast(answerer=answerer, elements=elements):
            asked: dict[str, Param] = {"answerer": Who(answerer), "elements": tuple(map(Term, elements))}
            return Message(f"deed.{type(action).__name__}", asked)
        case Slam(card=card) | Name(card=card) | Show(card=card) | ShowLate(card=card):
            return Message(f"deed.{type(action).__name__}", {"card": Term(card)})
        case PickAssistant(assistant=one) | ChangeAssistant(assistant=one) | TakeReplacement(assistant=one):
            return Message(f"deed.{type(action).__name__}", {"assistant": Term(one)})
        case Answer(number=number) | Announce(number=number) | Correct(number=number):
            return Message(f"deed.{type(action).__name__}", {"number": number})
        case Confirm(question=question):
            return Message("deed.Confirm", {"question": question})
        case Accuse(accused=accused, questions=questions):
            return Message("deed.Accuse", {"accused": Who(accused), "questions": ", ".join(map(str, questions))})
        case _:  # the button says all of it, or nobody does it but time
            return Message(f"action.{type(action).__name__}")


def _chip(chip: Chip) -> dict[str, Param]:
    """Name a chip that lies open: that it has arrows is a part of what one sees."""
    symbol = f"{chip.symbol} with arrows" if chip.arrows else chip.symbol
    return {"colour": Term(chip.colour), "symbol": Term(symbol)}


def _asked(event: Asked) -> Message:
    params: dict[str, Param] = {
        "seat": Who(event.seat),
        "answerer": Who(event.answerer),
        "elements": tuple(map(Term, event.elements)),
        "assistant": Term(event.holding[event.seat]),
    }
    return Message(f"asked.{event.way}", params)


def _told(key: str, public: dict[str, Param], secret: tuple[str, ...] | str | None) -> Message:
    """Say the part that everybody knows, or all of it to those who saw the cards."""
    match secret:
        case None:
            return Message(key, public)
        case str():
            return Message(f"{key}.seen", public | {"card": Term(secret)})
        case _:
            return Message(f"{key}.seen", public | {"cards": tuple(map(Term, secret))})


def _number(key: str, public: dict[str, Param], said: int | None) -> Message:
    return Message(key, public) if said is None else Message(f"{key}.heard", public | {"said": said})
