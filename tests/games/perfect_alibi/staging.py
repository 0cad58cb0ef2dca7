"""Games of Perfect Alibi staged for tests: cards, chips and assistants lie where a test wants them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from whodunit.core.errors import Illegal
from whodunit.core.offer import Offer
from whodunit.core.redact import redact
from whodunit.core.rng import Result, StackedRng
from whodunit.core.types import TABLE, Action, Event, Game, Outcome, Seat
from whodunit.games import get
from whodunit.games.perfect_alibi.facts import ASSISTANTS, HAND, LETTERS, OPEN_CARDS, PACK, Assistant, Card
from whodunit.games.perfect_alibi.model import (
    Announce,
    Answer,
    Ask,
    AskFreely,
    AskLast,
    Beginning,
    Chip,
    Options,
    Show,
    State,
    TakeChip,
)

ALIBI: Final[Game] = get("perfect_alibi")
EVERYBODY: Final = -2
"""Stands for all viewers, the TABLE among them, where a test asks who knows."""

BY_LETTER: Final[dict[str, Assistant]] = {letter: assistant for assistant, letter in LETTERS.items()}


class Deal(NamedTuple):
    """Where everything hidden lies; `said` are the numbers given so far."""

    missing: Card
    hands: tuple[tuple[Card, ...], ...]
    rivals: tuple[Assistant, ...] = ()
    said: tuple[int, ...] = ()


def cards_of(words: str) -> tuple[Card, ...]:
    return tuple(sorted(msgspec.convert(words.split(), list[Card]), key=PACK.index))


def stack(deal: Deal) -> dict[str, Result]:
    """Return the draws with which setup() deals exactly these cards and tiles."""
    pack = [card for card in PACK if card != deal.missing]
    dealt = [card for hand in deal.hands for card in hand]
    left = [card for card in pack if card not in dealt]
    if sorted([*dealt, *left]) != sorted(pack):
        raise ValueError(f"these cards do not make up the pack: {deal}")
    tiles = [*deal.rivals, *(tile for tile in ASSISTANTS if tile not in deal.rivals)]
    return {
        "missing": PACK.index(deal.missing),
        "deck": tuple(pack.index(card) for card in (*dealt, *left)),
        **({"rivals": tuple(ASSISTANTS.index(tile) for tile in tiles)} if deal.rivals else {}),
    }


def deal_of(hands: Sequence[str], missing: str = "", opened: str = "", rivals: str = "") -> Deal:
    """Read a deal from words; what is left open is filled up from the rest of the pack, from its end."""
    named = [list(cards_of(words)) for words in (missing, *hands, opened)]
    rest = [card for card in PACK if not any(card in cards for cards in named)]
    sizes = [1, *(HAND[len(hands)] for _ in hands), OPEN_CARDS[len(hands)]]
    for cards, size in zip(named, sizes, strict=True):
        if len(cards) > size:
            raise ValueError(f"{cards} are too many")
        while len(cards) < size:
            cards.append(rest.pop())
    hidden, *dealt, _ = named
    tiles = tuple(BY_LETTER[letter] for letter in rivals)
    return Deal(hidden[0], tuple(tuple(sorted(hand, key=PACK.index)) for hand in dealt), tiles)


def chip(colour: str, kind: str) -> Chip:
    """Read a chip: "wheel", "clock", or with a + for the arrows."""
    return msgspec.convert({"colour": colour, "symbol": kind.removesuffix("+"), "arrows": kind.endswith("+")}, Chip)


class Staged:
    """A game under way: the state, what every seat and the TABLE see of it, and everything that has happened."""

    def __init__(self, seats: int, options: Options, draws: Mapping[str, Result]) -> None:
        self.seats = seats
        self.events: list[Any] = []
        self.state: Any = None
        self.views: dict[Seat, Any] = dict.fromkeys((*range(seats), TABLE))
        self.draws: dict[str, Result] = {}
        self.last: list[Any] = []
        self._happen(ALIBI.setup(seats, options, StackedRng(b"staged", 1, draws)))

    def play(self, seat: Seat, action: Action, **draws: Result) -> "Staged":
        """Do this if the seat's own view offers it; draws are stacked by their label, with _ for a space."""
        offers = tuple(ALIBI.legal(self.views[seat], seat))
        if not any(offer.admits(action) for offer in offers):
            raise Illegal(seat, action, offers)
        stacked = {label.replace("_", " "): result for label, result in draws.items()}
        self._happen(ALIBI.decide(self.state, seat, action, StackedRng(b"staged", len(self.events) + 1, stacked)))
        return self

    def change(self, **changes: Any) -> "Staged":
        """Set the table as no opening gives it, for everybody alike."""
        self.state = replace(self.state, **changes)
        self.views = {viewer: replace(view, **changes) for viewer, view in self.views.items()}
        return self

    def ask(self, *elements: str, answerer: Seat = 1) -> "Staged":
        """Let the player on turn ask this by a chip of his choice, as if the row had the right one."""
        kind = "wheel" if elements[0].isalpha() else "clock"
        colours = self.state.colours
        asker = self.state.on_turn
        self.change(row=(chip(colours[answerer], kind), *self.state.row[1:]))
        self.play(asker, TakeChip(1, answerer))
        return self.play(asker, Ask(elements))  # type: ignore[arg-type]

    def free(self, *elements: str, answerer: Seat = 1) -> "Staged":
        return self.play(self.state.on_turn, AskFreely(answerer, elements))  # type: ignore[arg-type]

    def last_question(self, *elements: str, answerer: Seat = 1) -> "Staged":
        return self.play(self.state.on_turn, AskLast(answerer, elements))  # type: ignore[arg-type]

    def answer(self, number: int, **draws: Result) -> "Staged":
        (seat,) = self.awaiting()
        kind = Answer if self.state.options.answer_mode == "enforced" else Announce
        return self.play(seat, kind(number), **draws)

    def show(self, card: str) -> "Staged":
        (seat,) = self.awaiting()
        return self.play(seat, Show(card))  # type: ignore[arg-type]

    def numbers(self, seat: Seat = 1) -> list[int]:
        """Return the numbers that the seat can answer."""
        (offer,) = (offer for offer in self.offers(seat) if offer.action in (Answer, Announce))
        return list(offer.choices["number"])  # type: ignore[arg-type]

    def choices(self, seat: Seat, action: type[Action], field: str) -> list[Any]:
        """Return everything that the seat's offers of this action leave to choose in one field."""
        return [value for offer in self.offers(seat) if offer.action is action for value in offer.choices[field]]

    def may(self, seat: Seat) -> set[type[Action]]:
        return {offer.action for offer in self.offers(seat)}

    def _happen(self, events: Iterable[Event]) -> None:
        self.last = list(events)
        self.events.extend(self.last)
        for event in self.last:
            self.state = ALIBI.evolve(self.state, event)
            for viewer, view in self.views.items():
                self.views[viewer] = ALIBI.evolve(view, redact(event, viewer))

    def offers(self, seat: Seat) -> list[Offer]:
        return list(ALIBI.legal(self.views[seat], seat))

    def seen(self, viewer: Seat) -> list[Any]:
        """Return everything that has happened, as this viewer sees it."""
        return [redact(event, viewer) for event in self.events]

    def told(self, viewer: Seat) -> list[Any]:
        """Return what the last action led to, as this viewer sees it."""
        return [redact(event, viewer) for event in self.last]

    def kinds(self) -> list[str]:
        """Return what the last action led to, by name."""
        return [type(event).__name__ for event in self.last]

    def who_knows(self, kind: type[Event], field: str) -> set[Seat]:
        """Return who sees this field of the last event of this kind."""
        event = [event for event in self.events if isinstance(event, kind)][-1]
        return {viewer for viewer in self.views if getattr(redact(event, viewer), field) is not None}

    def view(self, viewer: Seat) -> State:
        view: State = self.views[viewer]
        return view

    def awaiting(self) -> frozenset[Seat]:
        (answer,) = {ALIBI.awaiting(view) for view in (self.state, *self.views.values())}  # the same to everybody
        return answer

    def outcome(self) -> Outcome | None:
        outcomes = [ALIBI.outcome(view) for view in (self.state, *self.views.values())]
        assert all(outcome == outcomes[0] for outcome in outcomes)
        return outcomes[0]


def dealt(hands: Sequence[str] = ("", "", ""), missing: str = "", opened: str = "", **options: Any) -> Staged:
    """Open a game with these cards; the players have not picked assistants yet."""
    rivals = options.pop("rivals", "")
    draws = options.pop("draws", {})
    given: Options = ALIBI.INFO.parse(len(hands), {**({"rival": True} if rivals else {}), **options})
    return Staged(len(hands), given, {**stack(deal_of(hands, missing, opened, rivals)), **draws})


def stage(
    hands: Sequence[str] = ("", "", ""),
    missing: str = "",
    *,
    opened: str = "",
    assistants: str = "",
    on_turn: Seat = 0,
    row: Sequence[Chip] | None = None,
    out: Sequence[Seat] = (),
    **options: Any,
) -> Staged:
    """Open a game with these cards, and set the table as it stood at the beginning of somebody's turn.

    `assistants` and `rivals` are letters by seat, A to E: Journalist, Captain, Psychiatrist, Priest, Cook.
    """
    game = dealt(hands, missing, opened, **options)
    seats = len(hands)
    letters = assistants or "ACDEB"[:seats]
    held = tuple(BY_LETTER[letter] for letter in letters)
    pool = tuple(assistant for assistant in ASSISTANTS if assistant not in held)
    game.change(assistants=held, pool=pool, on_turn=on_turn, phase=Beginning(), turn=1)
    if row is not None:
        game.change(row=tuple(row))
    if out:
        game.change(out=tuple(seat in out for seat in range(seats)))
    return game


def refused(game: Staged, seat: Seat, action: Action) -> bool:
    """Say whether the game refuses this and nothing at all has changed by asking."""
    before = game.state, dict(game.views), list(game.events)
    try:
        game.play(seat, action)
    except Illegal:
        return before == (game.state, game.views, game.events)
    return False
