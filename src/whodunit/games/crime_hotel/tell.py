"""One log line for each event of Crime Hotel, in no language yet; texts/ has the words."""

from collections.abc import Iterable
from typing import assert_never

from whodunit.core.types import Message, Param, Term, Who
from whodunit.games.crime_hotel.facts import Card
from whodunit.games.crime_hotel.model import (
    AnyAction,
    AnyEvent,
    CardPlayed,
    DeskTaken,
    Exchange,
    Exchanged,
    GameEnded,
    Guess,
    Guessed,
    HandDealt,
    InvestigationBegan,
    LastCardLaid,
    LayLast,
    Look,
    LookDeclined,
    Looked,
    LotLeft,
    MurdererFound,
    MurdererHidden,
    Opened,
    Parked,
    Play,
    Relocate,
    Relocated,
    RoomsLit,
    RoundBegan,
    Scored,
    TakeDesk,
)


def tell(event: AnyEvent) -> Message:
    """Say what happened, as far as this event shows it."""
    match event:
        case Opened(car=car):
            return Message("opened", {"seat": Who(car)})
        case InvestigationBegan(number=number):
            return Message("investigation_began", {"number": number})
        case HandDealt(seat=seat, size=size, cards=None):
            return Message("hand_dealt", {"seat": Who(seat), "size": size})
        case HandDealt(seat=seat, size=size, cards=cards):
            return Message("hand_dealt.seen", {"seat": Who(seat), "size": size, "cards": _named(cards or ())})
        case MurdererHidden(card=None):
            return Message("murderer_hidden")
        case MurdererHidden(card=card):
            return Message("murderer_hidden.seen", {"card": _name(card or 0)})
        case RoomsLit(cards=cards):
            return Message("rooms_lit", {"cards": _named(cards)})
        case RoundBegan(number=number, seat=seat):
            return Message("round_began", {"number": number, "seat": Who(seat)})
        case CardPlayed(seat=seat, card=card, lacks=None):
            return Message("card_played", {"seat": Who(seat), "card": _name(card)})
        case CardPlayed(seat=seat, card=card, lacks=floor):
            told: dict[str, Param] = {"seat": Who(seat), "card": _name(card), "floor": Term(f"floor {floor}")}
            return Message("card_played.lacking", told)
        case Parked(lots=lots):
            return Message(f"parked.{len(lots)}", {f"lot{number}": Who(seat) for number, seat in enumerate(lots, 1)})
        case Guessed(seat=seat, place=place):
            return Message("guessed", {"seat": Who(seat), "place": Term(place)})
        case DeskTaken(seat=seat, department=department, desk=desk):
            return Message("desk_taken", {"seat": Who(seat), "department": Term(department), "desk": desk})
        case Relocated(seat=seat, origin=origin, to=to):
            return Message("relocated", {"seat": Who(seat), "origin": Term(origin), "to": Term(to)})
        case Exchanged():
            return _exchanged(event)
        case Looked():
            return _looked(event)
        case LookDeclined(seat=seat):
            return Message("look_declined", {"seat": Who(seat)})
        case LotLeft(seat=seat, back=back):
            return Message("lot_left.back" if back else "lot_left.out", {"seat": Who(seat)})
        case LastCardLaid(seat=seat, card=card):
            return Message("last_card_laid", {"seat": Who(seat), "card": _name(card)})
        case MurdererFound(card=card):
            return Message("murderer_found", {"card": _name(card)})
        case Scored(points=points):
            return _scored(points)
        case GameEnded(winners=winners, how="tie"):
            return Message("game_ended.tie", {"count": len(winners)})
        case GameEnded(winners=winners, how=how):
            return Message(f"game_ended.{how}", {"seat": Who(winners[0])})
        case _:
            assert_never(event)


def tell_action(action: AnyAction) -> Message:
    """Say what could be done, in words."""
    match action:
        case Play(card=card):
            return Message("deed.Play", {"card": _name(card)})
        case Guess(place=place):
            return Message("deed.Guess", {"place": Term(place)})
        case TakeDesk(department="RELOCATE" | "LOOK" as idle):
            return Message(f"action.TakeDesk.{idle}")
        case TakeDesk(department=department):
            return Message("deed.TakeDesk", {"department": Term(department)})
        case Relocate(origin=origin, to=to):
            return Message("deed.Relocate", {"origin": Term(origin), "to": Term(to)})
        case Exchange(partner=partner, cards=cards):
            return Message("deed.Exchange", {"partner": Who(partner), "cards": _named(cards)})
        case Look(target=target):
            return Message("deed.Look", {"target": Who(target)})
        case LayLast():
            return Message("action.LayLast")
        case _:
            assert_never(action)


def _exchanged(event: Exchanged) -> Message:
    public: dict[str, Param] = {"seat": Who(event.seat), "partner": Who(event.partner), "count": event.count}
    if event.given is None or event.drawn is None:
        return Message("exchanged", public)
    return Message("exchanged.seen", public | {"given": _named(event.given), "drawn": _named(event.drawn)})


def _looked(event: Looked) -> Message:
    public: dict[str, Param] = {"seat": Who(event.seat), "target": Who(event.target), "count": event.count}
    if event.cards is None:
        return Message("looked", public)
    return Message("looked.seen", public | {"cards": _named(event.cards)})


def _scored(points: tuple[int, ...]) -> Message:
    told: dict[str, Param] = {}
    for seat, number in enumerate(points):
        told |= {f"seat{seat}": Who(seat), f"points{seat}": number}
    return Message(f"scored.{len(points)}", told)


def _name(card: Card) -> Term:
    return Term(str(card))


def _named(cards: Iterable[Card]) -> tuple[Term, ...]:
    return tuple(map(_name, cards))
