"""What goes over the socket. A page asks, the server replies to each ask and tells what happens in between.

Everything is JSON with a `type`. docs/protocol.md says it in words; schema and TypeScript are made from these structs.
Where the model has a class of the same name, the class here has another one (RoomFrame, ReclaimSeat). On the wire it
keeps its short name: in its tag, and in the schema by WIRE_NAMES.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import UNSET, Meta, Raw, Struct

from whodunit.core.frames import EventFrame
from whodunit.core.notes import Assistance
from whodunit.core.offer import Choice
from whodunit.core.types import Message, Outcome, Seat, StandingOrder
from whodunit.room.entries import Language, Phrase, SharedDeal
from whodunit.room.pace import Allowance, Pace, Untimed

VERSION: Final = 1

TableId: TypeAlias = Annotated[str, Meta(min_length=1, max_length=32)]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=120)]
"""As typed; the server cleans it to 1 to 24 visible characters or refuses it."""
Salt: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
"""A page's own share of the game's chance: 16 random bytes."""
Day: TypeAlias = Annotated[str, Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
"""A day by UTC, such as 2026-11-18."""
DuelId: TypeAlias = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22}$")]
"""What a duel's link says: 16 random bytes."""
Difficulty: TypeAlias = Literal["clear", "normal", "hard"]
"""How hard an exercise for the ear is. This and the bound of its floor are what may be sent; a game checks the rest."""
Level: TypeAlias = Literal["random", "rookie", "detective", "mastermind"]
CaseId: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
"""A case to solve; of a day: `2026-11-18.clue`."""
SheetWord: TypeAlias = Annotated[str, Meta(min_length=1, max_length=80)]
"""What a row or a column of a sheet is called."""


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


# --- What a page asks ----------------------------------------------------------------------------------------------


class Ask(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag=_snake):
    n: int
    """The page's own number for this ask; the reply bears it."""


class WatchLobby(Ask, frozen=True):
    """From now on tell me the open tables and mine."""


class LeaveLobby(Ask, frozen=True):
    pass


class CreateTable(Ask, frozen=True):
    """Lay a table and sit down at its first chair; replies `Made`."""

    game: str
    options: dict[str, Any]
    chairs: Annotated[tuple[Level | None, ...], Meta(min_length=2, max_length=8)]
    """By seat: a bot of this level, or free. The first is the maker's own and must be free."""
    public: bool
    assistance: Assistance
    name: Name
    salt: Salt
    pace: Pace | None = None
    """How fast it plays; null: brisk if I play alone against bots and nobody can watch, else normal."""
    allowance: Allowance = Untimed()
    """How much time there is for moves."""
    start: bool = False
    """Begin at once; every other chair must have a bot."""


class FirstCase(Ask, frozen=True):
    """Lay a game's guided first case for me alone, against bots and on a staged deal, and begin it; replies `Made`."""

    game: str
    name: Name


class WatchTable(Ask, frozen=True):
    """From now on tell me this table: first `room` and `table` with all events behind `after`, then what is new."""

    table: TableId
    after: int = 0


class LeaveTable(Ask, frozen=True):
    """Tell me no more of this table; the seat stays mine."""

    table: TableId


class SitDown(Ask, frozen=True):
    table: TableId
    seat: Seat
    name: Name
    salt: Salt


class StandUp(Ask, frozen=True):
    """Give my seat up: before the start it is free again, afterwards a bot plays on until I return."""

    table: TableId


class SetChair(Ask, frozen=True):
    """Before the start, by the host: put a bot into a chair, or free it (also from a person)."""

    table: TableId
    seat: Seat
    level: Level | None


class Start(Ask, frozen=True):
    """By the host; free chairs become bots of this level."""

    table: TableId
    fill: Level = "detective"


class HandOver(Ask, frozen=True):
    """Let a bot play my seat, with what the seat knows."""

    table: TableId
    level: Level = "detective"


class ReclaimSeat(Ask, frozen=True, tag="take_back"):
    """I play my seat again."""

    table: TableId


class CallStandIn(Ask, frozen=True):
    """Let a bot play for somebody who has been away too long."""

    table: TableId
    seat: Seat


class Pause(Ask, frozen=True):
    """I wish for a pause, or no longer; the game pauses when everybody wishes it who plays."""

    table: TableId
    wish: bool = True


class Resume(Ask, frozen=True):
    """Let a paused game go on."""

    table: TableId


class SetPace(Ask, frozen=True):
    """I wish for another pace; the table plays at it, from the next question on, when everybody wishes for it."""

    table: TableId
    pace: Pace


class Rematch(Ask, frozen=True):
    """Lay the same table again for the same people, with the next of them to begin; replies `Made`."""

    table: TableId
    salt: Salt


class Act(Ask, frozen=True):
    """Do what an offer of `since` admits. Sent again after a lost reply it is refused as stale and does no harm."""

    table: TableId
    since: int
    action: Raw


class Undo(Ask, frozen=True):
    table: TableId


class Select(Ask, frozen=True):
    """Choose the answer that will be given when its moment comes."""

    table: TableId
    since: int
    action: Raw


class SetOrder(Ask, frozen=True):
    """By what my seat answers when I choose nothing, from the next question on; null: as the house does."""

    table: TableId
    order: StandingOrder | None


class SetHook(Ask, frozen=True):
    """Tell me at this address when it is my turn and I am not looking; null: nowhere. A first word goes there now."""

    table: TableId
    url: Annotated[str, Meta(min_length=1, max_length=500)] | None
    language: Language = "en"
    """What to tell it in."""


class Looking(Ask, frozen=True):
    """Whether I have this table before my eyes on this page; it counts as long as the page watches it."""

    table: TableId
    looking: bool


class Look(Ask, frozen=True):
    """Replies `Looked`: the table as it stood after event `seq`, as I saw it.

    When the case is closed also through another seat's eyes, TABLE's (-1), or `all` for everything.
    """

    table: TableId
    seq: int
    eyes: Seat | Literal["all"] | None = None


class Agree(Ask, frozen=True):
    """Let whoever watches see all hands, `room.late_ms` late, if everybody who plays does; or no longer."""

    table: TableId
    agreed: bool


class Peek(Ask, frozen=True):
    """Replies `Looked`: everything as it stood `room.late_ms` ago; for who watches, where all players have agreed."""

    table: TableId


class GiveNotes(Ask, frozen=True, tag="notes"):
    """Replies a `Sheet` of the table's level, now or as of an event.

    With eyes, when the case is closed: any seat's, or TABLE's (-1), of the highest level.
    """

    table: TableId
    seq: int | None = None
    eyes: Seat | None = None


class GiveProof(Ask, frozen=True, tag="why"):
    """Replies a `Proof` for a mark of the sheet; with eyes as `notes`."""

    table: TableId
    row: str
    column: str
    seq: int | None = None
    eyes: Seat | None = None


class GiveHint(Ask, frozen=True):
    """Replies a `Hint`: the newest thing that my notes are certain of without having seen it, as plainly as wanted."""

    table: TableId
    grade: Literal["nudge", "fact"]
    """Where to look, or also what follows there; `why` proves it."""
    known: Annotated[tuple[tuple[str, str], ...], Meta(max_length=1000)] = ()
    """Entries, by row and column, that I need no hint for."""


class GiveAdvice(Ask, frozen=True):
    """Replies an `Advised`: in my first case, what I had better do now, by what I have been told and nothing else."""

    table: TableId


class SinceAway(Ask, frozen=True):
    """Replies a `Digest` of what happened while nobody held my seat."""

    table: TableId


class Mark(Ask, frozen=True):
    """Set my own mark in a cell of my notes, or with an empty mark remove it."""

    table: TableId
    cell: Annotated[str, Meta(min_length=1, max_length=80)]
    mark: Annotated[str, Meta(max_length=16)]


class Jot(Ask, frozen=True):
    """Keep this as the free text of my notes."""

    table: TableId
    text: Annotated[str, Meta(max_length=4000)]


class HeardClips(Ask, frozen=True, tag="heard"):
    """My page has played me every clip up to event `seq`; that only grows."""

    table: TableId
    seq: int


class Practise(Ask, frozen=True):
    """Let something fall for my ear alone; with a floor, something that comes to lie there. Replies `Practice`."""

    game: str
    difficulty: Difficulty
    floor: Annotated[int, Meta(ge=0, lt=8)] | None = None


class Say(Ask, frozen=True):
    """Say something at this table; while a game runs, whoever has no seat there says it to those who watch."""

    table: TableId
    text: Annotated[str, Meta(min_length=1, max_length=1200)]
    """As typed; the server cleans it to 1 to 300 visible characters or refuses it."""
    name: Annotated[str, Meta(max_length=120)] = ""
    """Of somebody who has no seat; may be empty."""


class SayPhrase(Ask, frozen=True):
    """Say something that everybody reads in their own language."""

    table: TableId
    phrase: Phrase
    name: Annotated[str, Meta(max_length=120)] = ""


class Mute(Ask, frozen=True):
    """Tell me no more of what this speaker says, or again."""

    table: TableId
    speaker: int
    muted: bool


class CheckSeal(Ask, frozen=True):
    """Replies `Checked`: whether a closed case's chance and moves are what they say."""

    table: TableId


class ReadReview(Ask, frozen=True):
    """Replies a part of a closed case's review when it is ready: a `SeatReview` (TABLE: -1), or of all the `Whole`."""

    table: TableId
    viewer: Seat | Literal["whole"]


class Retry(Ask, frozen=True):
    """Replies a `Verdict`: what the review would say, had the seat done this where event `seq` came of what it did.

    Null, where such a decision is not graded. Only of a closed case.
    """

    table: TableId
    seat: Seat
    seq: int
    action: Raw


# Cases to solve. Each ask but the first two replies the `Case` as it stands then; who names another number of turned
# lines than there are, because another page of theirs was quicker, is refused as `stale` and told the `Case`, too.


class ReadToday(Ask, frozen=True):
    """Replies `Today`: the day's cases, and how I stand with them."""


class ReadArchive(Ask, frozen=True):
    """Replies an `Archive`: the days before this one that have cases, or the last ones."""

    before: Day | None = None


class OpenCase(Ask, frozen=True):
    """Show me a case as far as I have turned it; the first time, that begins it, with its first line."""

    case: CaseId


class TurnLine(Ask, frozen=True):
    """Turn the next line."""

    case: CaseId
    turned: int


class ClaimCase(Ask, frozen=True):
    """Say that this is the answer: of each group of the question's form one entry."""

    case: CaseId
    turned: int
    claim: Annotated[tuple[tuple[SheetWord, SheetWord], ...], Meta(min_length=1, max_length=16)]


class CheckMark(Ask, frozen=True):
    """Ask whether this follows by now; that costs a hint."""

    case: CaseId
    turned: int
    row: SheetWord
    column: SheetWord
    held: bool
    """Whether it is said to be there, or not to be."""


class GiveUp(Ask, frozen=True):
    """End it unsolved, and show me how."""

    case: CaseId
    turned: int


# Deals that several people play, each alone.


class ReadChallenge(Ask, frozen=True):
    """Replies `Challenge`: the one of a day, or of today."""

    day: Day | None = None


class BeginChallenge(Ask, frozen=True):
    """Let me play today's challenge; replies `Made`. There is one try: asked again, it leads back to that table."""

    day: Day
    name: Name


class MakeDuel(Ask, frozen=True):
    """Let whoever has the link play the deal of this game, which I played alone and is over; replies `DuelMade`.

    Whoever has finished it too may then see how I played, and my name.
    """

    table: TableId


class ReadDuel(Ask, frozen=True):
    """Replies `Duel`: what I may know of it."""

    duel: DuelId


class BeginDuel(Ask, frozen=True):
    """Let me play the deal of a duel; replies `Made`, the same whenever it is asked."""

    duel: DuelId
    name: Name


class OpenNetwork(Ask, frozen=True):
    """Let the local network reach this site, or end that; only from this machine. Replies `Addresses`."""

    open: bool


AnyAsk: TypeAlias = (
    WatchLobby
    | LeaveLobby
    | CreateTable
    | FirstCase
    | WatchTable
    | LeaveTable
    | SitDown
    | StandUp
    | SetChair
    | Start
    | HandOver
    | ReclaimSeat
    | CallStandIn
    | Pause
    | Resume
    | SetPace
    | Rematch
    | Act
    | Undo
    | Select
    | SetOrder
    | SetHook
    | Looking
    | Look
    | Agree
    | Peek
    | GiveNotes
    | GiveProof
    | GiveHint
    | GiveAdvice
    | SinceAway
    | Mark
    | Jot
    | HeardClips
    | Practise
    | Say
    | SayPhrase
    | Mute
    | CheckSeal
    | ReadReview
    | Retry
    | ReadToday
    | ReadArchive
    | OpenCase
    | TurnLine
    | ClaimCase
    | CheckMark
    | GiveUp
    | ReadChallenge
    | BeginChallenge
    | MakeDuel
    | ReadDuel
    | BeginDuel
    | OpenNetwork
)

# --- What the server tells ------------------------------------------------------------------------------------------


class Tell(Struct, frozen=True, kw_only=True, tag_field="type", tag=_snake):
    pass


class Welcome(Tell, frozen=True):
    """The first frame on every socket."""

    version: int
    games: tuple[str, ...]
    """The games that can be played here."""
    levels: tuple[str, ...]
    local: bool
    """Whether this page runs on the server's own machine, and may open the site to the network."""
    address: str
    """The address under which others reach this site."""
    shared: bool
    """Whether others can reach that address."""
    haste: float = 1.0
    """What every pause here is multiplied by: 0 in tests, and on a site that others reach 1."""


class Done(Tell, frozen=True):
    """The ask is granted; what it was asked for, if anything."""

    n: int
    value: Any = None
    """`Made`, `Looked`, `Sheet`, `Proof`, `Hint`, `Advised`, `Digest`, `Checked`, `SeatReview`, `Whole`, `Verdict`,
    `Today`, `Archive`, `Case`, `Challenge`, `DuelMade`, `Duel`, `Practice` or `Addresses`, as the ask says."""


class Refused(Tell, frozen=True):
    """The ask is refused, and nothing has changed."""

    n: int
    reason: str
    """A key of the shell's texts under `refused.`"""
    detail: str = ""
    """More, in English, for whoever writes a client."""
    now: Any = UNSET
    """With `stale` and `case_over`, of a case to solve: the `Case` as it stands; left out with all else."""


class Made(Struct, frozen=True):
    table: str


class Looked(Struct, frozen=True, omit_defaults=True):
    seq: int
    view: Any
    offers: "tuple[OfferNow, ...]" = ()
    """Of a closed case, with a seat's eyes: what was on offer to it then, dated by `seq`; else left out."""


class Advised(Struct, frozen=True):
    """What a learner had better do."""

    seq: int
    """After which event."""
    action: Any | None
    """None: there is nothing to do, or nothing to advise."""
    line: Message | None
    """The same in words; None: there is nothing to choose."""


class Digest(Struct, frozen=True):
    """What happened from event `after` on, while nobody held the seat."""

    after: int
    events: tuple[EventFrame, ...]
    stood_in: tuple[int, ...]
    """The events of the seat's stand-in."""


class StatementFrame(Struct, frozen=True):
    """One finding about a closed case."""

    ok: bool | None
    """None: not comparable."""
    about: Literal["commitment", "draws", "events", "bot"]
    count: int
    """How many draws, actions or moves were looked at."""
    seat: Seat | None
    """Whose bot it is about."""
    text: str
    """The same in English, with what is wrong if something is."""


class Checked(Struct, frozen=True):
    statements: tuple[StatementFrame, ...]


# Cases to solve.

CaseState: TypeAlias = Literal["new", "begun", "solved", "missed"]


class CaseCard(Struct, frozen=True):
    """A case in a list, and how I stand with it."""

    case: str
    game: str
    weekday: int
    """From Monday as 1; the later, the harder."""
    heard: bool
    """Whether it is for the best ear: nothing can be proved in it."""
    seats: int
    state: CaseState
    turned: int
    total: int
    guesses: int
    """How many claims of mine were not proved."""
    hints: int
    par: int | None
    """The line at which the answer can be proved; null, until mine is over, and where nothing is proved."""
    solved_here: int
    """How many people have solved it in this house."""


class Today(Struct, frozen=True):
    """The cases of the day."""

    day: str
    now: int
    """The house's time, in milliseconds since 1970."""
    next_at: int
    """When the next day begins."""
    cards: tuple[CaseCard, ...]
    streak: int
    """On how many days in a row, up to today or yesterday, I have solved a case of the day on that very day."""
    best_streak: int
    making: bool
    """Whether a case of the day is still being made: ask again in some seconds."""
    fault: bool
    """Whether one cannot be made, or is damaged, so that it is missing."""


class ArchiveDay(Struct, frozen=True):
    day: str
    cards: tuple[CaseCard, ...]


class Archive(Struct, frozen=True):
    days: tuple[ArchiveDay, ...]
    """The last one first, 31 at most."""
    fault: bool
    """Whether a case is missing that is kept: what is stored of it is damaged."""


class QuestionFrame(Struct, frozen=True):
    """What a case asks."""

    kind: str
    """The game's texts ask it in words under `case.ask.<kind>`."""
    form: tuple[tuple[tuple[str, str], ...], ...]
    """Groups of entries, each a row and a column of the sheet: of each group exactly one is true."""
    subject: str | None
    """The row that it is about, where the kind alone does not say it."""


class HandFrame(Struct, frozen=True):
    """What one holder has in a deal."""

    column: str
    cards: tuple[str, ...]
    """By their rows."""


class RulingFrame(Struct, frozen=True, tag_field="kind"):
    pass


class ProvedFrame(RulingFrame, frozen=True, tag="proved"):
    """It follows from the lines that are turned."""


class UnprovedFrame(RulingFrame, frozen=True, tag="unproved"):
    """It does not follow yet: here is a deal that fits all these lines, and in which it is not so."""

    deal: tuple[HandFrame, ...]


class ImpossibleFrame(RulingFrame, frozen=True, tag="impossible"):
    """Then these lines cannot all be true; 0 is what is given."""

    lines: tuple[int, ...]


class HeardRuling(RulingFrame, frozen=True, tag="heard"):
    """Nothing can be proved by ear: how likely it is, and what the best listener would say, in millionths."""

    chance: int
    listener: tuple[str, str]
    listener_chance: int


AnyRuling: TypeAlias = ProvedFrame | UnprovedFrame | ImpossibleFrame | HeardRuling


class ClaimFrame(Struct, frozen=True):
    """What I have claimed, after how many lines, and what was said of it."""

    turned: int
    claim: tuple[tuple[str, str], ...]
    ruling: AnyRuling


class CheckedMarkFrame(Struct, frozen=True):
    """A mark that I have had checked."""

    turned: int
    row: str
    column: str
    held: bool
    ruling: ProvedFrame | UnprovedFrame | ImpossibleFrame


class StepMarkFrame(Struct, frozen=True):
    """That something is with somebody, or not."""

    row: str
    column: str
    held: bool


class StepFrame(Struct, frozen=True):
    """One inference of a proof."""

    kind: str
    """Said in words under `case.step.<kind>`."""
    lines: tuple[int, ...]
    """What it uses, besides what is given."""
    rests: tuple[StepMarkFrame, ...]
    """The marks that it rests on."""
    settles: tuple[StepMarkFrame, ...]
    """The marks that are new."""
    cases: bool
    """Whether several possibilities must be gone through."""


class CaseResult(Struct, frozen=True):
    """How my case has ended, and how it could be solved."""

    solved: bool
    at: int
    """After how many lines."""
    par: int
    guesses: int
    hints: int
    answer: tuple[tuple[str, str], ...]
    steps: tuple[StepFrame, ...]
    """The proof; empty where nothing can be proved."""
    lines: tuple[tuple[EventFrame, ...], ...]
    """All of them."""
    solved_here: int


class CaseFrame(Struct, frozen=True):
    """A case to solve, as far as I have turned it: nothing in this depends on what I have not turned, until the end."""

    case: str
    game: str
    weekday: int
    question: QuestionFrame
    seats: int
    seat: Seat
    """Through whose eyes it is seen."""
    state: CaseState
    turned: int
    total: int
    given: tuple[EventFrame, ...]
    """What is known from the start: numbered from 1, and the lines after that. No event has a time."""
    lines: tuple[tuple[EventFrame, ...], ...]
    """Those that are turned; each is one batch."""
    rows: tuple[str, ...]
    """The things of the sheet."""
    columns: tuple[str, ...]
    """Who may have them, or where they may be: seats are numbers."""
    groups: tuple[tuple[str, ...], ...]
    """The rows, as they belong together."""
    view: Any
    """How the table looks by all that is told here, as in a `table` frame."""
    tries: tuple[ClaimFrame, ...]
    hints: tuple[CheckedMarkFrame, ...]
    started_at: int
    ended_at: int | None
    result: CaseResult | None
    """Null, until it is over for me."""


class Addresses(Struct, frozen=True):
    address: str
    shared: bool


class ResultFrame(Struct, frozen=True):
    """How somebody did at a deal that others play, too."""

    place: int | None
    """Among all who did; None: they let a bot play, or came too late. Luck never counts for it."""
    name: str
    me: bool
    won: bool
    left: bool
    """Whether a bot played for them."""
    late: bool
    """Whether the day of the challenge was over before they were."""
    turns: int
    """Their own."""
    chance: int | None
    """In thousandths, how likely their notes called the truth at their last guess or the end; None: none is named."""
    points: int | None
    luck: float | None
    """In bits, what they were told beyond what could be expected; None: it is not known yet."""
    skill: float | None
    """How much of what was on offer their questions could be expected to tell, from 0 to 1; None: as luck, or none."""
    table: str
    """Where it was: to look at."""


class ChallengeFrame(Struct, frozen=True):
    """The challenge of a day, as far as I may know it."""

    day: str
    left_ms: int | None
    """How long the day lasts; None: it is over."""
    game: str
    levels: tuple[str | None, ...]
    """By seat: the bot there; None: whoever plays."""
    assistance: Assistance
    state: Literal["new", "begun", "done"]
    table: str | None
    """Where I play or have played it."""
    results: tuple[ResultFrame, ...]
    """Everybody's, best first; none, until I have finished it or the day is over."""


class DuelMade(Struct, frozen=True):
    duel: str


class Boast(Struct, frozen=True):
    """What whoever made a duel lets everybody know."""

    name: str
    won: bool
    turns: int


DuelState: TypeAlias = Literal["mine", "new", "begun", "done", "outdated"]


class DuelFrame(Struct, frozen=True):
    """A duel, as far as I may know it."""

    duel: str
    game: str
    levels: tuple[str | None, ...]
    """By seat: the bot there; None: whoever plays."""
    assistance: Assistance
    state: DuelState
    """Whether I made it, and how far I am; outdated: rules or bots have changed, and nobody can begin any more."""
    table: str | None
    """Where I play or have played it."""
    maker: Boast | None
    """None: whoever made it wanted to be forgotten."""
    results: tuple[ResultFrame, ...]
    """Everybody's, best first; none, until I have finished it."""


class Sitter(Struct, frozen=True):
    """Who sits at a listed table."""

    name: str
    kind: Literal["open", "person", "bot"]


class Listed(Struct, frozen=True):
    """A table in a list."""

    table: str
    game: str
    stage: Literal["gathering", "playing", "over"]
    assistance: Assistance
    chairs: tuple[Sitter, ...]
    at: int
    """When something last happened here; of a game that is over, when it ended."""
    me: Seat | None = None
    my_turn: bool = False
    outcome: Outcome | None = None
    """How it ended; None also of a game that was given up."""
    closes_ms: int | None = None
    """As in the room."""


class Shelved(Struct, frozen=True):
    """A table of mine that is kept and cannot be opened: its game is not installed."""

    table: str
    game: str


class LobbyFrame(Tell, frozen=True, tag="lobby"):
    open: tuple[Listed, ...]
    mine: tuple[Listed, ...]
    shelved: tuple[Shelved, ...] = ()


class Time(Struct, frozen=True):
    """How much time a person has for moves."""

    left_ms: int
    running: bool


class ChairFrame(Struct, frozen=True):
    """A chair as everybody sees it, and what I may do about it."""

    seat: Seat
    kind: Literal["open", "person", "bot"]
    name: str = ""
    level: str | None = None
    away_ms: int | None = None
    """For how long nobody has held this seat; None while somebody does."""
    stand_in: str | None = None
    """The level of the bot that plays for the person."""
    lapsed: bool = False
    """Whether it makes but one move, because the person ran out of time."""
    time: Time | None = None
    """None: no time is counted, or it is a bot's."""
    wants_pause: bool = False
    wants_pace: Pace | None = None
    """Which pace the person wishes for, until everybody does."""
    agrees: bool = False
    """Whether the person lets whoever watches see all hands, late."""
    called: bool = False
    """Whether the chair is kept for the person at the table of a rematch, and they have not come yet."""
    may: tuple[Literal["sit", "set", "call_stand_in"], ...] = ()


class Answer(Struct, frozen=True):
    """I am asked: what will be answered, and when. Nobody else is told either."""

    since: int
    left_ms: int | None
    """How long it takes until the answer is given; None: it is given when I have chosen."""
    selected: Any
    """The action that will be played; None: it is typed, and nothing has been yet."""
    chosen: bool
    """Whether I have chosen it myself."""
    kept: bool = True
    """Whether what I have chosen is stored; until then it is only noted, and a house that is killed forgets it."""


class HookFrame(Struct, frozen=True):
    """Where I am told that it is my turn."""

    host: str
    """Whose machine it is; the rest of the address is never told again, not even to me."""
    failed: bool
    """Whether the last notice did not arrive."""


class RoomFrame(Tell, frozen=True, tag="room"):
    """Everything round the game that this viewer may know, whole, whenever it changes."""

    table: str
    game: str
    options: dict[str, Any]
    public: bool
    assistance: Assistance
    pace: Pace
    """How fast it plays: where others can watch, never faster than people would."""
    paces: tuple[Pace, ...]
    """Which I may wish for; none, if I do not play."""
    allowance: Allowance
    stage: Literal["gathering", "playing", "over"]
    me: Seat | None
    host: Seat | None
    chairs: tuple[ChairFrame, ...]
    may: tuple[Literal["start", "stand_up", "hand_over", "take_back", "pause", "resume", "rematch"], ...]
    code: str | None
    """What opens the table to friends; shown to whoever sits at it."""
    seat_key: str | None
    """What opens my own seat on another device; shown to me alone."""
    commitment: str
    """What the house has promised about the game's chance."""
    answer: Answer | None = None
    orders: tuple[StandingOrder, ...] = ()
    """The standing orders that a seat can give for its answers."""
    order: StandingOrder | None = None
    """Mine; nobody else is told."""
    hook: HookFrame | None = None
    """As my order."""
    open_hands: bool = False
    """Whether everybody who plays has agreed that whoever watches sees all hands, late."""
    late_ms: int = 0
    """How late that is."""
    limit_ms: int | None = None
    """How long it takes until time acts for whoever is waited for; None: no time runs."""
    closes_ms: int | None = None
    """Nothing has happened for a month: how long until the game is closed and everything can be seen, unless somebody
    who plays opens the table or moves; None: it is not going to be closed."""
    paused: bool = False
    """Whether nobody may move until somebody lets the game go on."""
    marks: dict[str, str] = {}
    jotting: str = ""
    away_from: int | None = None
    """The event after which nobody held my seat, until `since_away` was asked for."""
    rematch: str | None = None
    heard: int = 0
    """The event up to which I have been played every clip."""
    lesson: bool = False
    """Whether this is a guided first case: staged, so nothing about its deal was promised."""
    deal: SharedDeal | None = None
    """Whether others play the same deal; then too nothing was promised about it, and nobody else comes here."""
    duel: str | None = None
    """The duel that I have made of it."""


class AnswerFrame(Tell, frozen=True, tag="asked"):
    """`room.answer` has changed, and nothing else in the room."""

    table: str
    answer: Answer | None


class LineFrame(Struct, frozen=True):
    """Something that was said."""

    at: int
    """The server's clock in milliseconds."""
    speaker: int
    """Who: the same number for all that one person says here."""
    seat: Seat | None
    name: str
    text: str
    phrase: Phrase | None
    """Of what every language has: its key; `text` is empty then."""
    apart: bool
    """Said among those who watch, while others play."""


class Silenced(Struct, frozen=True):
    speaker: int
    name: str


class Chat(Tell, frozen=True):
    """What was said at a table, as far as I am to hear it."""

    table: str
    whole: bool
    """Whether this is everything; else these lines follow those told before."""
    lines: tuple[LineFrame, ...]
    me: int | None
    """Which speaker I am; None: I have said nothing yet."""
    muted: tuple[Silenced, ...]


class OfferNow(Struct, frozen=True):
    """What I may do: an action's type with its open choices. Answer with the same `since`."""

    action: str
    choices: Mapping[str, Choice]
    since: int


class Clip(Struct, frozen=True):
    """A clip that was not to be fetched by anybody before this frame."""

    id: str
    left_ms: int
    """How long it takes until it is released; 0: now."""


class TableFrame(Tell, frozen=True, kw_only=True, tag="table"):
    """The events behind number `after` and where they have led, as this viewer may see it.

    What all viewers are told alike comes first, then what some are, then what is one viewer's own: so frames are put
    together from pieces that are encoded once.
    """

    table: str
    after: int
    seq: int
    awaiting: tuple[Seat, ...]
    outcome: Outcome | None = None
    informed: tuple[Seat, ...] = ()
    """Who is out and knows the solution: they cannot say anything before the end."""
    closed: bool = False
    """Whether everything may be seen: the game is over."""
    clips: tuple[Clip, ...] = ()
    """The clips that come with this frame, and older ones that are not yet released; every other one is."""
    events: tuple[EventFrame, ...]
    view: Any
    offers: tuple[OfferNow, ...]
    may_undo: bool


Farewell: TypeAlias = Literal["restarting", "too_slow", "too_many", "forgotten"]
"""Why: a site that starts anew, a page that reads too slowly or asks too fast, a player who wished to be forgotten."""


class Goodbye(Tell, frozen=True):
    """The last frame before the server closes the socket."""

    reason: Farewell


AnyTell: TypeAlias = Welcome | Done | Refused | LobbyFrame | RoomFrame | AnswerFrame | Chat | TableFrame | Goodbye

# --- What is posted -------------------------------------------------------------------------------------------------


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/join: the code of an invitation, from a link's fragment or typed; answers `Joined`."""

    code: Annotated[str, Meta(min_length=1, max_length=32)]


class TakeSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/seat: the secret of a seat, from its link's fragment; answers `Joined`."""

    key: Annotated[str, Meta(min_length=1, max_length=64)]


class Forget(Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/forget: take everything about me out of what is stored; answers 204 and takes the cookie back."""

    sure: Literal[True]


class Joined(Struct, frozen=True):
    table: str


# --- What is read ---------------------------------------------------------------------------------------------------


class Door(Struct, frozen=True):
    """GET /api/doors/<language>: a list of these, one for each game that can be played, in that language."""

    id: str
    name: str
    facts: str
    """For how many, and for how long."""
    text: str
    """What it is about, in a sentence; empty where the game says nothing."""
    colour: str
    """Of its door and its bar, as "#rrggbb"; cream letters are readable on it."""
    seats: tuple[int, int]
    lesson: bool
    """Whether there is a guided first case."""
    rules: bool
    """Whether its package brings rules for people to read."""
    art: str | None
    """Where its package's own picture of the door is."""


class Plain(Struct, frozen=True):
    """GET /api/games/<game>/plain: what the plain table must know of a game beyond its frames and its texts."""

    answers: tuple[str, ...]
    """The actions of a seat that is asked."""
    final: tuple[str, ...]
    """The actions that stake the game on one guess: the page asks whether it is meant."""
    interrupts: tuple[str, ...]
    """The actions that are on offer without being waited for."""
    by_seat: tuple[str, ...]
    """The fields of the view that have an entry for every seat."""
    hidden: tuple[str, ...]
    """The fields of the view that nobody knows from the beginning: what is to be found out."""
    rows: tuple[str, ...]
    """The things of the note sheet."""
    columns: tuple[str, ...]
    """What the sheet has besides the seats: where a thing may be that nobody holds."""


WIRE_NAMES: Final = {
    ReclaimSeat: "TakeBack",
    GiveNotes: "Notes",
    GiveProof: "Why",
    HeardClips: "Heard",
    EventFrame: "Told",
    StatementFrame: "Statement",
    ResultFrame: "Result",
    ChallengeFrame: "Challenge",
    DuelFrame: "Duel",
    LobbyFrame: "Lobby",
    ChairFrame: "Chair",
    HookFrame: "Hook",
    RoomFrame: "Room",
    AnswerFrame: "Asked",
    LineFrame: "Line",
    TableFrame: "Table",
    QuestionFrame: "Question",
    HandFrame: "Hand",
    ProvedFrame: "Proved",
    UnprovedFrame: "Unproved",
    ImpossibleFrame: "Impossible",
    ClaimFrame: "Claim",
    CheckedMarkFrame: "CheckedMark",
    StepMarkFrame: "StepMark",
    StepFrame: "ProofStep",
    CaseFrame: "Case",
}
"""What the schema calls a struct that has another name here; clients are written for these names, so they stay."""
