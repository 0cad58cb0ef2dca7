"""One log line for each event of Clue, and a few words for each action, in no language yet; texts/ has the words."""

from typing import assert_never

from whodunit.core.types import Message, Param, Term, Who
from whodunit.games.clue.facts import NEAREST_DOOR, STARTS, WEAPONS, Card, Place
from whodunit.games.clue.model import (
    Accuse,
    Accused,
    AnyAction,
    AnyEvent,
    CannotShow,
    CardShown,
    CouldNotShow,
    DiceThrown,
    EndTurn,
    EnvelopeFilled,
    EnvelopeOpened,
    EnvelopeSeen,
    GameEnded,
    HandDealt,
    LookAside,
    Move,
    Moved,
    NoMove,
    NotMoved,
    Opened,
    PassageTaken,
    Roll,
    Show,
    SideCardSeen,
    SideCardsLaid,
    StayAndSuggest,
    Stayed,
    Suggest,
    Suggested,
    TakePassage,
    TokenStoodAside,
    Trio,
    TurnBegan,
    WeaponsPlaced,
)


def tell(event: AnyEvent) -> Message:
    """Say what happened, as far as this event shows it."""
    match event:
        case TurnBegan(seat=seat):
            return Message("turn_began", {"seat": Who(seat)})
        case DiceThrown(seat=seat, dice=dice):
            return Message("dice_thrown", {"seat": Who(seat), "throw": sum(dice)})
        case Moved(seat=seat, to=to):
            return _went("moved", to, {"seat": Who(seat)})
        case Suggested(seat=seat, trio=trio):
            return Message("suggested", {"seat": Who(seat), **_named(trio)})
        case CouldNotShow(seat=seat):
            return Message("could_not_show", {"seat": Who(seat)})
        case CardShown(seat=seat, to=asker, card=card):
            return _told("card_shown", {"seat": Who(seat), "to": Who(asker)}, card)
        case PassageTaken(seat=seat, to=room):
            return Message("passage_taken", {"seat": Who(seat), "room": Term(room)})
        case Stayed(seat=seat):
            return Message("stayed", {"seat": Who(seat)})
        case NotMoved(seat=seat):
            return Message("not_moved", {"seat": Who(seat)})
        case SideCardSeen(seat=seat, position=position, card=card):
            return _told("side_card_seen", {"seat": Who(seat), "position": position}, card)
        case Accused(seat=seat, trio=trio, right=right):
            return Message("accused.right" if right else "accused.wrong", {"seat": Who(seat), **_named(trio)})
        case EnvelopeSeen(seat=seat, trio=trio):
            return _told("envelope_seen", {"seat": Who(seat)}, trio)
        case TokenStoodAside(seat=seat, room=room):
            return Message("token_stood_aside", {"seat": Who(seat), "room": Term(room)})
        case EnvelopeOpened(trio=trio):
            return Message("envelope_opened", _named(trio))
        case GameEnded(winner=winner, how=how):
            return Message(f"game_ended.{how}", {} if winner is None else {"seat": Who(winner)})
        case Opened():
            return Message("opened", {"tokens": tuple(map(Term, event.tokens)), "seat": Who(event.starter)})
        case WeaponsPlaced(rooms=rooms):
            return Message("weapons_placed", dict(zip(WEAPONS, map(Term, rooms), strict=True)))
        case EnvelopeFilled(trio=trio):
            return _told("envelope_filled", {}, trio)
        case HandDealt(seat=seat, size=size, cards=cards):
            return _told("hand_dealt", {"seat": Who(seat), "size": size}, cards)
        case SideCardsLaid(count=count, cards=cards):
            return _told("side_cards_laid", {"count": count}, cards)
        case _:
            assert_never(event)


def _told(key: str, public: dict[str, Param], secret: Trio | tuple[Card, ...] | Card | None) -> Message:
    """Say the part that everybody knows, or all of it to those who saw the cards."""
    match secret:
        case None:
            return Message(key, public)
        case Trio():
            return Message(f"{key}.seen", public | _named(secret))
        case str():
            return Message(f"{key}.seen", public | {"card": Term(secret)})
        case _:
            return Message(f"{key}.seen", public | {"cards": tuple(map(Term, secret))})


def _named(trio: Trio) -> dict[str, Param]:
    return {"suspect": Term(trio.suspect), "weapon": Term(trio.weapon), "room": Term(trio.room)}


def _went(key: str, place: Place, who: dict[str, Param]) -> Message:
    """Say where a walk ends by what a person knows: a room, a start, or how far it still is to the nearest door."""
    if isinstance(place, str):
        return Message(f"{key}.room", who | {"room": Term(place)})
    for suspect, start in STARTS.items():
        if place == start:
            return Message(f"{key}.start", who | {"token": Term(suspect)})
    room, steps = NEAREST_DOOR[place]
    named = who | {"room": Term(room)}
    match steps:
        case 0:
            return Message(f"{key}.door", named)
        case 1:
            return Message(f"{key}.step", named)
        case _:
            return Message(f"{key}.steps", named | {"steps": steps})


def tell_action(action: AnyAction) -> Message:
    """Say what may be done, in the same words whoever does it."""
    key = f"deed.{type(action).__name__}"
    match action:
        case Move(to=to):
            return _went(key, to, {})
        case Suggest(suspect, weapon, room) | StayAndSuggest(suspect, weapon, room) | Accuse(suspect, weapon, room):
            return Message(key, _named(Trio(suspect, weapon, room)))
        case Show(card=card):
            return Message(key, {"card": Term(card)})
        case LookAside(position=position):
            return Message(key, {"position": position})
        case Roll() | TakePassage() | NoMove() | CannotShow() | EndTurn():
            return Message(key)
        case _:
            assert_never(action)
