"""The actions, the events and the state of Perfect Alibi."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from whodunit.core.describing import NUMBERED
from whodunit.core.info import Options as Base
from whodunit.core.info import house_rule, variant
from whodunit.core.types import Action, BySeat, Event, Seat, Secret
from whodunit.games.perfect_alibi.facts import Assistant, Card, Colour, Element, Symbol

Chips: TypeAlias = Annotated[int, Meta(ge=0, le=6)]
Seconds: TypeAlias = Annotated[int, Meta(ge=1)]


class Options(Base, frozen=True):
    """The constants of section 7; lower case, same meaning, same defaults."""

    rival: Annotated[bool, variant("ALIBI-62")] = False
    unforgiving: Annotated[bool, variant("ALIBI-70")] = False
    answer_mode: Annotated[Literal["enforced", "by_hand"], variant("ALIBI-75")] = "enforced"
    max_elements: Annotated[Annotated[int, Meta(ge=1, le=4)], house_rule("ALIBI-R4")] = 3
    cook_optional: Annotated[bool, house_rule("ALIBI-R8")] = False
    lie_bounds: Annotated[Literal["possible", "literal"], house_rule("ALIBI-R14")] = "possible"
    last_question_protected: Annotated[bool, house_rule("ALIBI-R12")] = False
    colours: Annotated[tuple[Colour, ...] | None, house_rule("ALIBI-1")] = None
    """The colour of each seat; None = the first ones in the order of section 7."""
    wheel_chips: Annotated[Chips, house_rule("ALIBI-3")] = 2
    """How many of a colour's six chips show what; together they are six."""
    clock_chips: Annotated[Chips, house_rule("ALIBI-3")] = 2
    wheel_arrow_chips: Annotated[Chips, house_rule("ALIBI-3")] = 1
    clock_arrow_chips: Annotated[Chips, house_rule("ALIBI-3")] = 1
    bot_error_rate: Annotated[Annotated[int, Meta(ge=0, le=100)], house_rule("ALIBI-R17")] = 0
    """In how many of a hundred answers a bot miscounts; by hand only."""
    bot_slam_delay_least_s: Annotated[Annotated[int, Meta(ge=0, le=60)], house_rule("ALIBI-R28")] = 4
    bot_slam_delay_most_s: Annotated[Annotated[int, Meta(ge=0, le=60)], house_rule("ALIBI-R28")] = 9
    slam_window_s: Annotated[Annotated[int, Meta(ge=0, le=60)], house_rule("ALIBI-51")] = 0
    answer_limit_s: Annotated[Annotated[int, Meta(ge=5, le=3600)], house_rule("ALIBI-75")] = 60
    """How long a number typed by hand is waited for."""
    turn_limit_s: Annotated[Seconds | None, house_rule("ALIBI-R24")] = None
    guess_limit_s: Annotated[Seconds | None, house_rule("ALIBI-R24")] = None


class Chip(Struct, frozen=True, gc=False, cache_hash=True):
    colour: Colour
    symbol: Symbol
    arrows: bool


class Question(Struct, frozen=True, gc=False, cache_hash=True):
    """One entry of the log; whoever did not hear the answer has None for what was said."""

    asker: Seat
    answerer: Seat
    elements: tuple[Element, ...]
    holding: BySeat[Assistant]
    """Who held which assistant when it was asked."""
    answered: bool = False
    said: int | None = None

    @property
    def assistant(self) -> Assistant:
        """The asker's, for the gray box of the note sheet."""
        return self.holding[self.asker]


# --- Actions -----------------------------------------------------------------------------------------------------


class PickAssistant(Action, frozen=True):
    """Pick one before the first turn (ALIBI-13)."""

    assistant: Assistant


class TakeChip(Action, frozen=True):
    """Take the chip at a place of the row, 1 to 4, and so choose whom to ask (ALIBI-17, 18)."""

    place: int
    answerer: Seat


class ChangeAssistant(Action, frozen=True):
    """Put down one's own and take this one, from the pool or from the answerer (ALIBI-36)."""

    assistant: Assistant


class TakeReplacement(Action, frozen=True):
    """Take one from the pool for the one that was taken (ALIBI-37)."""

    assistant: Assistant


class Ask(Action, frozen=True):
    """Ask about what the chip shows (ALIBI-20)."""

    elements: tuple[Element, ...]


class AskFreely(Action, frozen=True):
    """Ask without a chip, by the Journalist (ALIBI-42)."""

    answerer: Seat
    elements: tuple[Element, ...]


class AskLast(Action, frozen=True):
    """Call one last question (ALIBI-58)."""

    answerer: Seat
    elements: tuple[Element, ...]


class Answer(Action, frozen=True):
    """Give the number that the rules leave: the true count, or a lie where one is due."""

    number: int


class Announce(Action, frozen=True):
    """Give a number counted by hand (ALIBI-75)."""

    number: int


class Show(Action, frozen=True):
    card: Card


class DrawCard(Action, frozen=True):
    """Use the Cook where that is left to its holder (ALIBI-R8)."""


class LetShow(Action, frozen=True):
    """Do without the Cook (ALIBI-R8)."""


class Name(Action, frozen=True):
    """Name the missing alibi after one last question (ALIBI-60)."""

    card: Card


class Slam(Action, frozen=True):
    """Mark a card and slam the table (ALIBI-50)."""

    card: Card


class Confirm(Action, frozen=True):
    """Ask for an earlier answer, counted by hand, to be checked, by its number in the log from 1 (ALIBI-69)."""

    question: int


class Correct(Action, frozen=True):
    """Give the right number instead of a wrong one (ALIBI-69)."""

    number: int


class ShowLate(Action, frozen=True):
    """Show the card that became due by a correction (ALIBI-R27)."""

    card: Card


class Accuse(Action, frozen=True):
    """Accuse a player of treachery in one or more answers (ALIBI-70)."""

    accused: Seat
    questions: tuple[int, ...]


class RunOut(Action, frozen=True):
    """The time of whoever must name a card is over; only the TABLE can say so (ALIBI-R24)."""


class Hurry(Action, frozen=True):
    """The time of the player on turn is over, and what he asks is drawn; only the TABLE can say so (ALIBI-R24)."""

    seat: Seat


class GoOn(Action, frozen=True):
    """The pause after an answer is over; only the TABLE can say so (SLAM_WINDOW_S)."""


AnyAction: TypeAlias = (
    PickAssistant
    | TakeChip
    | ChangeAssistant
    | TakeReplacement
    | Ask
    | AskFreely
    | AskLast
    | Answer
    | Announce
    | Show
    | DrawCard
    | LetShow
    | Name
    | Slam
    | Confirm
    | Correct
    | ShowLate
    | Accuse
    | RunOut
    | Hurry
    | GoOn
)

# --- Events ------------------------------------------------------------------------------------------------------


class Opened(Event, frozen=True):
    game: Literal["perfect_alibi"]
    rules: int
    seats: int
    options: Options
    colours: tuple[Colour, ...]


class CardHidden(Event, frozen=True):
    card: Secret[Card]


class HandDealt(Event, frozen=True):
    seat: Seat
    size: int
    cards: Secret[tuple[Card, ...]]


class CardsOpened(Event, frozen=True):
    cards: tuple[Card, ...]


class RivalDealt(Event, frozen=True):
    seat: Seat
    tile: Secret[Assistant]


class RowLaid(Event, frozen=True):
    chips: tuple[Chip, ...]
    first: Seat
    """Who picks an assistant first."""


class AssistantPicked(Event, frozen=True):
    seat: Seat
    assistant: Assistant


class TurnBegan(Event, frozen=True):
    seat: Seat


class ChipTaken(Event, frozen=True):
    seat: Seat
    place: int
    chip: Chip
    answerer: Seat


class AssistantChanged(Event, frozen=True):
    seat: Seat
    gave: Assistant
    took: Assistant
    taken_from: Seat | None
    """Whose it was; None: it lay in the pool."""


class ReplacementTaken(Event, frozen=True):
    seat: Seat
    assistant: Assistant


class Asked(Event, frozen=True):
    question: int
    seat: Seat
    answerer: Seat
    elements: tuple[Element, ...]
    holding: tuple[Assistant, ...]
    """By seat, who holds which assistant now."""
    way: Literal["chip", "journalist", "last"]


class Answered(Event, frozen=True):
    question: int
    seat: Seat
    said: Secret[int]
    """Heard by everybody, or if the asker has the Priest by asker and answerer alone."""
    due: bool
    """Whether a card is due now."""


class CardShown(Event, frozen=True):
    question: int
    seat: Seat
    to: Seat
    card: Secret[Card]


class CardDrawn(Event, frozen=True):
    """The Cook's holder has drawn from the answerer's hand, looked and given back (ALIBI-49)."""

    question: int
    seat: Seat
    answerer: Seat
    card: Secret[Card]


class CookLeft(Event, frozen=True):
    """The Cook's holder lets the answerer choose the card (ALIBI-R8)."""

    seat: Seat


class ChipReplaced(Event, frozen=True):
    place: int
    chip: Chip
    reshuffled: bool
    """Whether the stack was empty and the discarded chips are the new one (ALIBI-22)."""


class Slammed(Event, frozen=True):
    seat: Seat
    card: Secret[Card]
    right: bool


class MissingSeen(Event, frozen=True):
    """The slammer alone has looked (ALIBI-52)."""

    seat: Seat
    card: Secret[Card]


class TimeRanOut(Event, frozen=True):
    seat: Seat


class TurnHurried(Event, frozen=True):
    """The player has taken too long: what follows of his turn is drawn, for there is no passing (ALIBI-16)."""

    seat: Seat


class ConfirmationAsked(Event, frozen=True):
    seat: Seat
    question: int
    answerer: Seat


class AnswerConfirmed(Event, frozen=True):
    seat: Seat
    question: int


class AnswerFoundWrong(Event, frozen=True):
    seat: Seat
    question: int


class AnswerCorrected(Event, frozen=True):
    seat: Seat
    question: int
    said: Secret[int]
    due: bool
    """Whether a card that was not shown then is due now."""


class TreacheryClaimed(Event, frozen=True):
    seat: Seat
    accused: Seat
    questions: tuple[int, ...]
    right: bool


class Revealed(Event, frozen=True):
    missing: Card
    hands: tuple[tuple[Card, ...], ...]
    rivals: tuple[Assistant, ...]
    said: tuple[int, ...]
    """By question, the last number given; the one that is still being asked has none."""


class GameEnded(Event, frozen=True):
    winner: Seat
    how: Literal["solved", "last_left", "treachery"]


AnyEvent: TypeAlias = (
    Opened
    | CardHidden
    | HandDealt
    | CardsOpened
    | RivalDealt
    | RowLaid
    | AssistantPicked
    | TurnBegan
    | ChipTaken
    | AssistantChanged
    | ReplacementTaken
    | Asked
    | Answered
    | CardShown
    | CardDrawn
    | CookLeft
    | ChipReplaced
    | Slammed
    | MissingSeen
    | TimeRanOut
    | TurnHurried
    | ConfirmationAsked
    | AnswerConfirmed
    | AnswerFoundWrong
    | AnswerCorrected
    | TreacheryClaimed
    | Revealed
    | GameEnded
)

# --- Phases and state --------------------------------------------------------------------------------------------


class Dealing(Struct, frozen=True, tag=True, gc=False):
    """The table is being laid."""


class Picking(Struct, frozen=True, tag=True, gc=False):
    """The players pick their assistants, counter-clockwise."""


class Beginning(Struct, frozen=True, tag=True, gc=False):
    """The player on turn takes a chip, uses the Journalist, or calls one last question."""


class Changing(Struct, frozen=True, tag=True, gc=False):
    """The chip shows arrows: the player on turn changes his assistant."""

    answerer: Seat


class Replacing(Struct, frozen=True, tag=True, gc=False):
    """The answerer has lost his assistant and takes another."""

    answerer: Seat


class Asking(Struct, frozen=True, tag=True, gc=False):
    """The player on turn asks the answerer about what his chip shows."""

    answerer: Seat


class Answering(Struct, frozen=True, tag=True, gc=False):
    """The last question of the log is being answered; what the answerer holds makes no difference here."""

    answerer: Seat
    last: bool
    """Whether it is one last question."""


class Choosing(Struct, frozen=True, tag=True, gc=False):
    """The Cook's holder chooses whether to draw (ALIBI-R8)."""

    answerer: Seat
    last: bool


class Showing(Struct, frozen=True, tag=True, gc=False):
    """The answerer shows a card."""

    answerer: Seat
    last: bool


class Naming(Struct, frozen=True, tag=True, gc=False):
    """The last question is answered: its caller must name the missing alibi."""


class Pausing(Struct, frozen=True, tag=True, gc=False):
    """The question is done with; before the next turn there is time to slam (SLAM_WINDOW_S)."""


TurnPhase: TypeAlias = (
    Picking | Beginning | Changing | Replacing | Asking | Answering | Choosing | Showing | Naming | Pausing
)


class Due(Struct, frozen=True, gc=False):
    """What is owed for an answer that was found wrong: the right number, then perhaps a card."""

    question: int
    seat: Seat
    what: Literal["number", "card"]


class Correcting(Struct, frozen=True, tag=True, gc=False):
    """An answer is being corrected; the others may go on meanwhile with what they could do before."""

    due: tuple[Due, ...]
    then: TurnPhase


class Over(Struct, frozen=True, tag=True, gc=False):
    winner: Seat
    how: str


Phase: TypeAlias = Dealing | TurnPhase | Correcting | Over


class State(Struct, frozen=True, kw_only=True, gc=False):
    """The table; as a view it is the same with None for whatever that viewer does not know."""

    options: Options
    colours: BySeat[Colour]
    turn: int = 0
    on_turn: Seat = 0
    phase: Phase
    missing: Card | None = None
    open: tuple[Card, ...] = ()
    sizes: BySeat[int]
    """How many cards."""
    hands: BySeat[tuple[Card, ...] | None]
    rivals: BySeat[Assistant | None] = ()
    """Whose asking makes the player lie; empty without the Rival variant."""
    assistants: BySeat[Assistant | None]
    """None only before the first pick, and between loss and replacement."""
    pool: tuple[Assistant, ...]
    row: Annotated[tuple[Chip, ...], NUMBERED] = ()
    stack: tuple[Chip, ...] = ()
    """What is in it is no secret, its order is nobody's: a chip is drawn when it is turned up."""
    discard: tuple[Chip, ...] = ()
    taken: int | None = None
    """The place of the chip in use, 1 to 4."""
    log: tuple[Question, ...] = ()
    challengeable: BySeat[tuple[int, ...]]
    """By answerer, the questions whose answer may be asked to be confirmed, or called treachery: only by hand."""
    out: BySeat[bool]
    """Who has guessed or accused wrongly."""
    informed: tuple[Seat, ...] = ()
    """Who has looked at the missing card, in that order."""
