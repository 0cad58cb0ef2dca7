"""Games of Clue staged for tests: the cards lie where a test wants them, the dice fall as it says."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from whodunit.core.errors import Illegal
from whodunit.core.offer import Offer, One
from whodunit.core.redact import redact
from whodunit.core.rng import Result, StackedRng
from whodunit.core.types import TABLE, Action, Event, Game, Outcome, Seat
from whodunit.games import get
from whodunit.games.clue.facts import (
    DOOR_SQUARES,
    PACK,
    ROOMS,
    SUSPECTS,
    WEAPONS,
    WIDTH,
    Card,
    Place,
    Room,
    Square,
    Suspect,
    Weapon,
)
from whodunit.games.clue.model import (
    Accuse,
    CannotShow,
    EndTurn,
    LookAside,
    Move,
    NoMove,
    Options,
    Roll,
    Show,
    State,
    StayAndSuggest,
    Suggest,
    TakePassage,
    Trio,
)

CLUE: Final[Game] = get("clue")

At: TypeAlias = tuple[int, int] | str
"""A place as the rules write it: (row, column) or the name of a room."""

# --- The deal ----------------------------------------------------------------------------------------------------


class Deal(NamedTuple):
    """Where every card lies."""

    envelope: Trio
    hands: tuple[tuple[Card, ...], ...]
    side: tuple[Card, ...] = ()


def stack(deal: Deal, *, starter: Seat = 0) -> dict[str, Result]:
    """Return the draws with which setup() deals exactly these cards."""
    pack = [card for card in PACK if card not in deal.envelope]
    order = _order(len(deal.hands), len(deal.side), starter)
    sizes = [order.count(seat) for seat in range(len(deal.hands))]
    if [len(hand) for hand in deal.hands] != sizes:
        raise ValueError(f"with the first card to seat {starter} the hands must be of {sizes} cards: {deal}")
    hands = [iter(hand) for hand in deal.hands]
    deck = [*deal.side, *(next(hands[seat]) for seat in order)]
    if sorted(deck) != sorted(pack):
        raise ValueError(f"these cards do not make up the pack: {deal}")
    return {
        "envelope suspect": SUSPECTS.index(deal.envelope.suspect),
        "envelope weapon": WEAPONS.index(deal.envelope.weapon),
        "envelope room": ROOMS.index(deal.envelope.room),
        "deck": tuple(pack.index(card) for card in deck),
    }


def _order(seats: int, side: int, starter: Seat) -> list[Seat]:
    """Return to whom each card goes: singly, clockwise, the first to the starter (CLUE-7, CLUE-8)."""
    return [(starter + turn) % seats for turn in range(len(PACK) - 3 - side)]


def deal_of(envelope: str, hands: Sequence[str], side: str = "", *, side_size: int = 0, starter: Seat = 0) -> Deal:
    """Read a deal from words; what is left open is filled up from the rest of the pack, in its order."""
    trio = trio_of(envelope)
    named = [tuple(msgspec.convert(words.split(), list[Card])) for words in (*hands, side)]
    rest = [card for card in PACK if card not in trio and not any(card in cards for cards in named)]
    order = _order(len(hands), side_size, starter)
    sizes = [*(order.count(seat) for seat in range(len(hands))), side_size]
    filled = []
    for cards, size in zip(named, sizes, strict=True):
        missing = size - len(cards)
        filled.append((*cards, *rest[:missing]))
        del rest[:missing]
    return Deal(trio, tuple(filled[:-1]), filled[-1])


def trio_of(words: str) -> Trio:
    suspect, weapon, room = words.split()
    return msgspec.convert({"suspect": suspect, "weapon": weapon, "room": room}, Trio)


# --- The board ---------------------------------------------------------------------------------------------------


def place_of(at: At) -> Place:
    if isinstance(at, str):
        return next(room for room in ROOMS if room == at)
    row, column = at
    return row * WIDTH + column


def at_of(place: Place) -> At:
    return place if isinstance(place, str) else divmod(place, WIDTH)


def path_of(*squares: tuple[int, int]) -> tuple[Square, ...]:
    return tuple(row * WIDTH + column for row, column in squares)


# --- The offers --------------------------------------------------------------------------------------------------

ROLL: Final = Offer(Roll)
PASSAGE: Final = Offer(TakePassage)
NO_MOVE: Final = Offer(NoMove)
CANNOT_SHOW: Final = Offer(CannotShow)
ACCUSE: Final = Offer(Accuse, {"suspect": One(SUSPECTS), "weapon": One(WEAPONS), "room": One(ROOMS)})
END_TURN: Final = Offer(EndTurn)


def suggest_in(room: Room) -> Offer:
    return Offer(Suggest, {"suspect": One(SUSPECTS), "weapon": One(WEAPONS), "room": One((room,))})


def stay_in(room: Room) -> Offer:
    return Offer(StayAndSuggest, {"suspect": One(SUSPECTS), "weapon": One(WEAPONS), "room": One((room,))})


def show(*cards: Card) -> Offer:
    return Offer(Show, {"card": One(cards)})


def look_at(*positions: int) -> Offer:
    return Offer(LookAside, {"position": One(positions)})


# --- The game ----------------------------------------------------------------------------------------------------

ENVELOPE: Final = "White Rope Study"
NO_HANDS: Final = ("", "", "")


class Staged:
    """A game under way: the state, what every seat and the TABLE see of it, and everything that has happened."""

    def __init__(self, seats: int, options: Options, draws: Mapping[str, Result]) -> None:
        self.events: list[Any] = []
        self.state: Any = None
        self.views: dict[Seat, Any] = dict.fromkeys((*range(seats), TABLE))
        self.draws: dict[str, Result] = {}
        self.last: list[Any] = []
        self._happen(CLUE.setup(seats, options, StackedRng(b"staged", 1, draws)))

    def play(self, seat: Seat, action: Action) -> "Staged":
        """Do this if the seat's own view offers it."""
        offers = tuple(CLUE.legal(self.views[seat], seat))
        if not any(offer.admits(action) for offer in offers):
            raise Illegal(seat, action, offers)
        draws, self.draws = self.draws, {}
        self._happen(CLUE.decide(self.state, seat, action, StackedRng(b"staged", len(self.events) + 1, draws)))
        return self

    def throw(self, seat: Seat, *dice: int) -> "Staged":
        """Throw exactly these dice."""
        self.draws = {f"die {number}": die - 1 for number, die in enumerate(dice, 1)}
        return self.play(seat, Roll())

    def go(self, seat: Seat, to: At) -> "Staged":
        return self.play(seat, Move(place_of(to)))

    def walk(self, seat: Seat, throw: int, to: At) -> "Staged":
        return self.throw(seat, throw).go(seat, to)

    def pass_by(self, seat: Seat) -> "Staged":
        """Throw a 1, take the first step there is, and end the turn without a word."""
        self.throw(seat, 1)
        (offer,) = self.offers(seat)
        return self.play(seat, offer.at(0)).play(seat, EndTurn())

    def nobody_shows(self) -> "Staged":
        """Let all who are asked say that they hold nothing."""
        while self.awaiting() != {self.state.on_turn}:
            (asked,) = self.awaiting()
            self.play(asked, CannotShow())
        return self

    def change(self, **changes: Any) -> "Staged":
        """Set the table as no opening gives it, for everybody alike."""
        self.state = replace(self.state, **changes)
        self.views = {viewer: replace(view, **changes) for viewer, view in self.views.items()}
        return self

    def _happen(self, events: Iterable[Event]) -> None:
        self.last = list(events)
        self.events.extend(self.last)
        for event in self.last:
            self.state = CLUE.evolve(self.state, event)
            for viewer, view in self.views.items():
                self.views[viewer] = CLUE.evolve(view, redact(event, viewer))

    def offers(self, seat: Seat) -> list[Offer]:
        return list(CLUE.legal(self.views[seat], seat))

    def ends(self) -> set[At]:
        """Return where the walk of the player on turn may end."""
        (offer,) = self.offers(self.state.on_turn)
        assert offer.action is Move
        ends = offer.choices["to"]
        assert isinstance(ends, One)
        assert len(set(ends.of)) == len(ends.of)
        return {at_of(end) for end in ends.of}  # type: ignore[arg-type]  # a Move's values are places

    def seen(self, viewer: Seat) -> list[Any]:
        """Return everything that has happened, as this viewer sees it."""
        return [redact(event, viewer) for event in self.events]

    def told(self, viewer: Seat) -> list[Any]:
        """Return what the last action led to, as this viewer sees it."""
        return [redact(event, viewer) for event in self.last]

    def view(self, viewer: Seat) -> State:
        view: State = self.views[viewer]
        return view

    def awaiting(self) -> frozenset[Seat]:
        (answer,) = {CLUE.awaiting(view) for view in (self.state, *self.views.values())}  # the same to everybody
        return answer

    def outcome(self) -> Outcome | None:
        outcomes = [CLUE.outcome(view) for view in (self.state, *self.views.values())]
        assert all(outcome == outcomes[0] for outcome in outcomes)
        return outcomes[0]

    def place(self, suspect: Suspect) -> At:
        return at_of(self.state.places[SUSPECTS.index(suspect)])

    def weapon(self, weapon: Weapon) -> At:
        return at_of(self.state.weapons[WEAPONS.index(weapon)])


def stage(
    hands: Sequence[str] = NO_HANDS,
    envelope: str = ENVELOPE,
    *,
    side: str = "",
    places: Mapping[Suspect, At] | None = None,
    weapons: Mapping[Weapon, Room] | None = None,
    on_turn: Seat | None = None,
    summoned: Mapping[Seat, Room] | None = None,
    out: Sequence[Seat] = (),
    **options: object,
) -> Staged:
    """Open a game with these cards and options, then set the table as it stood some turns later."""
    given: Options = CLUE.INFO.parse(len(hands), options)
    starter = given.starter or 0
    deal = deal_of(envelope, hands, side, side_size=given.two_player_side_cards, starter=starter)
    game = Staged(len(hands), given, stack(deal, starter=starter))
    if on_turn is not None:
        game.change(on_turn=on_turn)
    if places is not None:
        standing = dict(zip(SUSPECTS, map(at_of, game.state.places), strict=True)) | dict(places)
        game.change(places=tuple(place_of(standing[suspect]) for suspect in SUSPECTS))
    if weapons is not None:
        lying = dict(zip(WEAPONS, game.state.weapons, strict=True)) | dict(weapons)
        game.change(weapons=tuple(lying[weapon] for weapon in WEAPONS))
    if summoned is not None:
        game.change(summoned=tuple(summoned.get(seat) for seat in range(len(hands))))
    if out:
        game.change(out=tuple(seat in out for seat in range(len(hands))))
    return game


def entered(room: Room, hands: Sequence[str] = NO_HANDS, envelope: str = ENVELOPE, **staging: Any) -> Staged:
    """Stage a game in which Scarlet, in seat 0, has just walked into this room from the first of its doors."""
    places = {"Scarlet": at_of(DOOR_SQUARES[room][0]), **staging.pop("places", {})}
    return stage(hands, envelope, places=places, **staging).walk(0, 1, room)


def refused(game: Staged, seat: Seat, action: Action) -> bool:
    """Say whether the game refuses this and nothing at all has changed by asking."""
    before = game.state, dict(game.views), list(game.events)
    try:
        game.play(seat, action)
    except Illegal:
        return before == (game.state, game.views, game.events)
    return False


def ends(start: At, throw: int, *others: tuple[int, int], **options: Any) -> set[At]:
    """Return where a walk from here may end if the other tokens stand on these squares, or else in nobody's way."""
    standing: list[At] = [start, *others, *["Hall"] * (5 - len(others))]
    game = stage(places=dict(zip(SUSPECTS, standing, strict=True)), **options)
    dice = (throw,) if game.state.options.dice_count == 1 else (throw // 2, throw - throw // 2)
    return game.throw(0, *dice).ends()
