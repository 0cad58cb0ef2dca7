"""The vocabulary of the house: seats, actions, events, and what a game must provide."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Protocol, Self, TypeAlias, TypeVar

from msgspec import Meta, Struct

if TYPE_CHECKING:
    from whodunit.core.info import Info, Options
    from whodunit.core.judging import Choice, Reply, Weighing
    from whodunit.core.notes import Assistance, Proof, Sheet
    from whodunit.core.observing import Observed
    from whodunit.core.offer import Offer
    from whodunit.core.rng import Draw, Rng

T = TypeVar("T")
if TYPE_CHECKING:
    import typing_extensions  # no dependency: every type checker brings what it must know of it

    S = typing_extensions.TypeVar("S", default=Any)
else:
    S = TypeVar("S")
# S: the type of a game's state, and of its views; Any where the game is known by its id alone.

# Values that come into being with every move are made with gc=False: frozen, they can form no cycle.

Seat: TypeAlias = Annotated[int, Meta(extra={"seat": True})]
"""A player's place at the table, counted from 0 clockwise."""
BySeat: TypeAlias = Annotated[tuple[T, ...], Meta(extra={"by": "seat"})]
"""A tuple with a place for every seat."""

TABLE: Final[Seat] = -1
"""The viewer who sees what is public (all spectators), and the actor for what only time decides."""
NOBODY: Final[frozenset[Seat]] = frozenset()
"""The one to keep in mind: Python makes every empty set anew, and there are many tables."""

Secret = Annotated[T | None, Meta(extra={"secret": True})]
"""An event's field that only the seats in `known_to` see; for everybody else it is None."""


Attention: TypeAlias = Literal["sight", "logic", "motives"]
"""How closely a player listens: to what it sees alone, to all that can be proved, or also to the others' motives."""


StandingOrder: TypeAlias = Literal["seen", "least"]
"""What an asked seat shows if its player chooses nothing: what the asker has seen, or what tells least."""


class Frozen:
    """A value that never changes, and nothing in it does: a copy of it, deep or not, is itself."""

    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _memo: object) -> Self:
        return self


class Blob(Frozen, Struct, frozen=True):
    """A public field of bytes, such as a sound; stored apart from its event under an unguessable id."""

    id: str
    media: str
    data: bytes = b""


class Action(Frozen, Struct, frozen=True, tag=True, forbid_unknown_fields=True, gc=False):
    """A wish, in the imperative; untrusted until an offer admits it."""


class Event(Frozen, Struct, frozen=True, tag=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A fact, in the past participle. That it happened is public; its Secret fields are for `known_to` alone."""

    known_to: frozenset[Seat] = frozenset()


class Undone(Event, frozen=True):
    """The last action was taken back: the game stands again as it stood at `back_to`."""

    back_to: int


class Opening(Protocol):
    """What the house reads of the first event of every game; a game calls it Opened."""

    @property
    def game(self) -> str:
        """The game's id."""

    @property
    def rules(self) -> int:
        """The version of its rules."""

    @property
    def seats(self) -> int:
        """How many play."""

    @property
    def options(self) -> "Options":
        """The options it is played with: they reach `legal` through the view."""


class GameState(Protocol):
    """What the house reads of a game's state, and of every view: public things, the same for everybody."""

    @property
    def turn(self) -> int:
        """The number of the turn. A bot imagines to the end of a turn, and dares a final guess once in many turns."""

    @property
    def on_turn(self) -> Seat:
        """Whose turn it is."""

    @property
    def options(self) -> "Options":
        """The options it is played with, as the opening has them: pace and clocks look there for their seconds."""

    @property
    def phase(self) -> Struct:
        """What the table waits for, as one type of a tagged union: which one it is, is never a secret."""


class Cause(Frozen, Struct, frozen=True, omit_defaults=True):
    """Who did what: the action behind a batch of events."""

    seat: Seat
    action: Action
    bot: bool = False
    """Whether a bot did it, its own seat's or standing in: nobody takes back what a bot did for them.

    Never set for an answer, which nobody takes back and the house gives for bots and people alike.
    """


class Batch(Frozen, Struct, frozen=True):
    """What one append stores: the events of one action, why they happened, and what was drawn for them."""

    seq: int
    """The number of the batch's first event, counted from 1."""
    events: tuple[Event, ...]
    cause: Cause | None = None
    draws: "tuple[Draw, ...]" = ()
    at: int = 0
    """The server's clock in milliseconds; games outside a server have none and keep 0."""

    @property
    def last(self) -> int:
        """The number of the batch's last event."""
        return self.seq + len(self.events) - 1


class Outcome(Frozen, Struct, frozen=True):
    """How a game ended: the winners (none, one or several), why, and the points where a game has them."""

    winners: tuple[Seat, ...]
    """In the order of their seats."""
    how: str
    """A word of the game for what ended it, the same in every language."""
    points: tuple[int, ...] | None = None
    """By seat; None in a game without points."""


class Who(Frozen, Struct, frozen=True, tag="who"):
    """A parameter of a message that stands for the player in a seat."""

    seat: Seat


class Term(Frozen, Struct, frozen=True, tag="term"):
    """A parameter of a message that stands for a word of the game: a card, a room, a token."""

    word: str


Param: TypeAlias = int | str | Who | Term | tuple[Term, ...]


class Message(Frozen, Struct, frozen=True):
    """One sentence for people in no language yet: a key into the game's texts, and what to fill in."""

    key: str
    params: Mapping[str, Param] = {}


class Update(Frozen, Struct, frozen=True):
    """What one viewer gets after an append: the new events as they see them, their view, their offers."""

    seq: int
    """The number of the last event there has been."""
    events: tuple[Event, ...]
    """What is new since the update before, with None for what the viewer may not see."""
    view: Any
    """The game as the viewer knows it."""
    offers: "tuple[Offer, ...]"
    """What the viewer may do now."""
    awaiting: frozenset[Seat]
    """Who holds up the table; TABLE where only time does."""
    outcome: Outcome | None = None
    """How the game ended, or None while it runs."""


class Player(ABC):
    """Whoever decides for a seat, fed nothing but that seat's updates; a bot of one's own needs only `act`."""

    update: Update
    """What the seat was told last: what is new, what it knows, what it may do."""

    def __init__(self, game: "Game", seat: Seat, seed: bytes) -> None:
        """Sit down; who draws from this seed alone plays the same game again."""
        self.game = game
        self.seat = seat
        self.seed = seed

    def see(self, update: Update) -> None:
        """Take in what the seat has just been told; if this is not overridden, only the last update is kept."""
        self.update = update

    @abstractmethod
    def act(self) -> Action:
        """Choose one action that the last update offers."""

    def interrupt(self) -> Action | None:
        """Return an action to do at once though nobody waits for it, or None; asking it moves none of its draws on."""
        return None

    def explain(self) -> "tuple[Message, ...]":
        """Say in a message or two why it did what it did last."""
        return ()


class Belief(Protocol):
    """What a seat may conclude from what it has seen; knowledge is a fold over events, as the view is."""

    @property
    def seat(self) -> Seat:
        """Whose belief it is; TABLE for that of a spectator."""

    def learn(self, event: Any, /) -> "Belief":
        """Return the belief after one more event as this seat saw it."""

    def worlds(self) -> Iterable[Any]:
        """Return the worlds this seat cannot rule out."""

    def sample(self, rng: "Rng", label: str, number: int, /) -> Sequence[Any]:
        """Draw worlds, independently, each as likely as it is."""

    def answer(self, world: Any, /) -> tuple[Hashable, ...]:
        """Return what the game is about in this world, part by part."""

    def chance(self, guess: Any, /) -> float:
        """Return how likely a final guess is to be right."""

    def forget(self, rng: "Rng", /) -> "Belief":
        """Return the belief without one of the things it was told, drawn at random."""

    def assumes(self) -> tuple[Message, ...]:
        """Say what its probabilities assume about the players."""

    def sheet(self, level: "Assistance", /) -> "Sheet":
        """Return the notes that write themselves at this level."""

    def proof(self, row: str, column: str, seen: Sequence[Event], /) -> "Proof | None":
        """Return why an entry of the sheet is certain, told by the events seen, or None if it is not."""

    def entropy(self, by: "Weighing" = "likely", /) -> float:
        """Return how many bits are missing to know the solution; 0 in a game without one, and before the deal."""

    def certain(self) -> tuple[tuple[str, str], ...]:
        """Return the entries of the sheet that say what the solution is, if that is certain by logic; else nothing."""

    def replies(self, action: Any, by: Seat | None = None, /) -> "tuple[Reply, ...]":
        """Return every way in which an action may be answered as this viewer would see it, with its chance.

        `by` is who does it, if another than the viewer. The chances sum to one. Nothing, if it asks for no answer, or
        if what is to be seen of it hangs on more than this belief knows.
        """

    def gain(self, action: Any, by: Seat | None = None, /) -> float:
        """Return how many bits about the solution the answer to an action may be expected to tell this viewer."""

    def unredact(self, world: Any, seen: Sequence[Event], rng: "Rng", /) -> tuple[Event, ...]:
        """Return the events that this viewer has seen with their secrets, as a world of this belief has them.

        What others chose unseen and no world says is drawn, as `assumes` says that people choose.
        """

    def resample(self, rng: "Rng", seen: Sequence[Event], /) -> tuple[Event, ...]:
        """Return a whole game of which this viewer would have seen just this; `core/resampling.py` makes it."""


class GameModule(Protocol):
    """What every game brings: a module of pure functions; State, Action and Event are its own types, named in INFO.

    Besides, it brings `tell` of Game, or a table TELL instead (`core/telling.py`).
    """

    @property
    def INFO(self) -> "Info":  # noqa: N802  (a module's constant)
        """Describe the game: its id, seats, options and types."""

    def setup(self, seats: int, options: Any, rng: "Rng", /) -> Sequence[Event]:
        """Return the opening events; the first is Opened(game, rules, seats, options)."""

    def evolve(self, state: Any, event: Any, /) -> Any:
        """Return the state after the event; total, also on redacted events; the first state is None."""

    def legal(self, view: Any, seat: Seat, /) -> "Sequence[Offer]":
        """Return what the seat may do now; depends on nothing but what the seat saw."""

    def awaiting(self, view: Any, /) -> frozenset[Seat]:
        """Return who holds up the table; TABLE where only time does."""

    def decide(self, state: Any, seat: Seat, action: Any, rng: "Rng", /) -> Sequence[Event]:
        """Return what happens when the seat does this; the action has been admitted by an offer."""

    def outcome(self, view: Any, /) -> Outcome | None:
        """Return how the game ended, or None while it runs."""

    def belief(self, seat: Seat, attention: Attention = "logic", /) -> Belief:
        """Return what a viewer knows before anything was seen, and how closely it will listen.

        Where INFO lists several `showings`, one of them is its third argument.
        """

    def imagine(self, view: Any, world: Any, /) -> Any:
        """Return the state that the view would be if this world were the true one."""


class Game(GameModule, Protocol):
    """A game as the house uses it; what its module leaves out is filled in by `core/contract.py`."""

    def informed(self, view: Any, /) -> frozenset[Seat]:
        """Return who is out and has been shown the solution, so that a word of theirs could end the game."""

    def tell(self, event: Any, /) -> Message:
        """Return the one log line of an event, redacted or not."""

    def consider(self, view: Any, seat: Seat, belief: Any, rng: "Rng", /) -> Sequence[Action]:
        """Return a short list of actions on offer that are worth thinking about."""

    def urge(self, view: Any, seat: Seat, belief: Any, /) -> Sequence[Action]:
        """Return the interrupts on offer that are worth doing at once; none in a game without interrupts."""

    def habit(
        self, view: Any, seat: Seat, confided: Iterable[Any], rng: "Rng", order: StandingOrder | None = None, /
    ) -> Action:
        """Return the answer that an asked seat gives if it chooses none, by its standing order if it has one.

        It goes by what was `confided` to the seat: the events whose secret fields it has seen, oldest first.
        """

    def plan(self, view: Any, seat: Seat, belief: Any, worlds: Sequence[Any], foresight: int, /) -> Any:
        """Return what the seat may look forward to in these worlds, so many steps ahead: for `worth` to go by.

        None where that decides nothing.
        """

    def worth(self, state: Any, seat: Seat, plan: Any = None, /) -> float:
        """Return how good an imagined state is for a seat, in bits of information: by a plan, or by rules of thumb."""

    def choice(self, view: Any, seat: Seat, belief: Any, action: Any, /) -> "Choice | None":
        """Return what an action on offer promises beside all else on offer; None where that is not graded.

        A final guess is not graded here: a review knows how to weigh one against waiting (`ahead`).
        """

    def ahead(self, view: Any, seat: Seat, belief: Any, /) -> "tuple[Reply, ...]":
        """Return what may come of the best question that the seat can look forward to; nothing if there is none."""

    def tell_action(self, action: Any, /) -> Message:
        """Return an action in words; what the sentence has no place for is listed behind it."""

    def observed(self, seats: int, options: Any, seat: Seat, /) -> "Observed | None":
        """Return which numbers a seat sees, and how they are read off its view; None where the game has none."""

    def space(self, seats: int, options: Any, turns: int, /) -> "Sequence[Offer] | None":
        """Return the widest offers: every action that there could ever be in so many turns; None if nobody says.

        No two of them admit the same action. For TABLE's actions there are offers, too.
        """
