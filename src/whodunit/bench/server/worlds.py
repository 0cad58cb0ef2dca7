"""Tables in two worlds that nobody but the asked player can tell apart: there is a choice of answers, or only one.

Both worlds of a pair show the asker, and whoever looks on, the same frames until the answer comes: the same hand, dice,
chips and moves, and then the same question. Only what the others hold differs.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

from msgspec import Struct

from whodunit import bots
from whodunit.core.notes import Assistance
from whodunit.core.rng import Result, Rng, StackedRng, Stream
from whodunit.core.types import Action, Seat
from whodunit.games.clue import facts as clue
from whodunit.games.clue.model import Move, Roll, Suggest
from whodunit.games.perfect_alibi import facts as alibi
from whodunit.games.perfect_alibi.model import Ask, PickAssistant, TakeChip
from whodunit.games.perfect_alibi.rules import bounds, fitting, lies
from whodunit.host.host import Host
from whodunit.host.live import Live
from whodunit.room import manners
from whodunit.room.entries import Entered, Laid, Sat
from whodunit.room.pace import Pace
from whodunit.table.seal import Seal

Kind: TypeAlias = Literal["clue person", "clue bot", "alibi person", "clue brisk", "clue at_once"]
"""The game, and who is asked; or at which pace bots are asked by the one person among them."""
KINDS: tuple[Kind, ...] = get_args(Kind)
ALONE: Mapping[Kind, Pace] = {"clue brisk": "brisk", "clue at_once": "at_once"}
ASKER, ASKED, THIRD = range(3)
PLAYERS = 3
NAMES = ("Ann", "Ben", "Cleo")
BOT = "detective"
ROOM: clue.Room = "Lounge"
"""Two sixes lead there from the first token's start."""
HOLDING: dict[Seat, alibi.Assistant] = {ASKER: "Captain", ASKED: "Psychiatrist", THIRD: "Cook"}
"""Who picks which assistant."""


class World(Struct, frozen=True):
    """A table as it is dealt, what was done there, and what is asked next."""

    game: str
    options: dict[str, Any]
    levels: tuple[str | None, ...]
    stack: Mapping[str, Result]
    """How the draws fall, by label."""
    past: tuple[tuple[Seat, Action], ...]
    question: Action
    choice: bool
    """What is not to be found out: whether the asked player can choose."""


def world(kind: Kind, number: int) -> World:
    """Return a world: those numbered 2n and 2n + 1 are a pair, and in the second there is a choice."""
    pair, choice = number // 2, number % 2 == 1
    made = _clue if kind.startswith("clue") else _alibi
    asked_bots = {ASKED, THIRD} if kind in ALONE else {ASKED} if kind.endswith("bot") else set()
    levels = tuple(BOT if seat in asked_bots else None for seat in range(PLAYERS))
    return made(levels, Stream(f"{kind} {pair}".encode()), Stream(f"{kind} {number}".encode()), choice=choice)


def _clue(levels: tuple[str | None, ...], public: Stream, secret: Stream, *, choice: bool) -> World:
    suspect = clue.SUSPECTS[public.below("suspect", len(clue.SUSPECTS))]
    weapon = clue.WEAPONS[public.below("weapon", len(clue.WEAPONS))]
    trio = {suspect, weapon, ROOM}
    mine = public.shuffled("hand", [card for card in clue.PACK if card not in trio])[: _hand_size()]
    while True:
        hidden = [
            of[secret.below("envelope", len(of))]
            for kinds in (clue.SUSPECTS, clue.WEAPONS, clue.ROOMS)
            for of in [[card for card in kinds if card not in mine]]
        ]
        others = secret.shuffled("others", [card for card in clue.PACK if card not in {*mine, *hidden}])
        theirs = others[: _hand_size()]
        if (len(trio & {*theirs}) > 1) == choice:
            break
    deck = [card for row in zip(mine, theirs, others[_hand_size() :], strict=True) for card in row]
    packed = [card for card in clue.PACK if card not in hidden]
    stack: dict[str, Result] = {
        "weapons": public.shuffled("weapons", range(len(clue.ROOMS))),
        "envelope suspect": clue.SUSPECTS.index(hidden[0]),
        "envelope weapon": clue.WEAPONS.index(hidden[1]),
        "envelope room": clue.ROOMS.index(hidden[2]),
        "deck": tuple(packed.index(card) for card in deck),
        "die 1": 5,
        "die 2": 5,
    }
    past = ((ASKER, Roll()), (ASKER, Move(to=ROOM)))
    question = Suggest(suspect=suspect, weapon=weapon, room=ROOM)
    # Whoever may still accuse when the answer has come ends the turn by hand: so no bot goes on with the next one.
    options = {"dice_count": 2, "starter": ASKER, "accuse_after_disproof": True}
    return World("clue", options, levels, stack, past, question, choice)


def _hand_size() -> int:
    return (len(clue.PACK) - 3) // PLAYERS


def _alibi(levels: tuple[str | None, ...], public: Stream, secret: Stream, *, choice: bool) -> World:
    """Deal so that the asked player's rival is the asker, who is then lied to; or somebody else."""
    elements = tuple(sorted(public.shuffled("asked", alibi.LOCATIONS)[:2], key=alibi.LOCATIONS.index))
    size = alibi.HAND[PLAYERS]
    mine = public.shuffled("hand", alibi.PACK)[:size]
    least, most = bounds(PLAYERS, (), elements)
    while True:
        others = secret.shuffled("others", [card for card in alibi.PACK if card not in mine])
        if len(lies(len(fitting(others[:size], elements)), least, most)) > 1:
            break
    hidden = others[-1]
    packed = [card for card in alibi.PACK if card != hidden]
    deck = (*mine, *others[:-1])
    free = [tile for tile in alibi.ASSISTANTS if tile not in {HOLDING[ASKER], HOLDING[THIRD]}]
    theirs = HOLDING[ASKER] if choice else free[secret.below("rival", len(free))]
    rivals = [HOLDING[THIRD], theirs, *(tile for tile in alibi.ASSISTANTS if tile not in {HOLDING[THIRD], theirs})]
    stack: dict[str, Result] = {
        "missing": alibi.PACK.index(hidden),
        "deck": tuple(packed.index(card) for card in deck),
        "rivals": tuple(alibi.ASSISTANTS.index(tile) for tile in rivals),
        # The third player's chip comes first, so the asker picks last and begins; the second one asks whom it should.
        "chip 1": ASKED_CHIPS[THIRD],
        "chip 2": ASKED_CHIPS[ASKED],
        "chip 3": 0,
        "chip 4": 0,
    }
    picks = [(seat, PickAssistant(assistant=HOLDING[seat])) for seat in (THIRD, ASKED, ASKER)]
    past = (*picks, (ASKER, TakeChip(place=2, answerer=ASKED)))
    return World("perfect_alibi", {"rival": True}, levels, stack, past, Ask(elements=elements), choice)


ASKED_CHIPS = {seat: alibi.CHIPS_OF_A_COLOUR * seat for seat in range(PLAYERS)}
"""By seat: where in the stack of all chips its first one lies, a wheel without arrows."""

# --- Laid ------------------------------------------------------------------------------------------------------------


def world_id(number: int) -> str:
    return f"world{number}"


def group_of(place: int, groups: int) -> int:
    """Return who plays in one of several worlds: always the same in both of a pair, so that nobody is of one class."""
    return place // 2 % groups


class Decks:
    """The draws of all tables that were dealt as a world wants it, and of all others as they fall."""

    def __init__(self) -> None:
        self._stacks: dict[bytes, Mapping[str, Result]] = {}

    def __call__(self, seed: bytes, seq: int) -> Rng:
        stack = self._stacks.get(seed)
        return Rng(seed, seq) if stack is None else StackedRng(seed, seq, stack)

    async def lay(
        self,
        host: Host,
        number: int,
        dealt: World,
        people: Sequence[str],
        guests: Sequence[str] = (),
        pace: Pace = "normal",
        assistance: Assistance = "logic",
    ) -> Live:
        """Lay a table in a world, with these people at it and these looking on, and play until the question."""
        id = world_id(number)
        seal = Seal.from_seed(f"{id} {dealt.question}")
        salts = tuple("" if level else f"{seat:032x}" for seat, level in enumerate(dealt.levels))
        laid = Laid(
            at=host.clock.now(),
            game=dealt.game,
            options=dealt.options,
            levels=dealt.levels,
            public=False,
            assistance=assistance,
            pace=pace,
            code=f"CODE {id}",
            keys=tuple(f"key {id} {seat}" for seat in range(PLAYERS)),
            seal=seal,
        )
        self._stacks[seal.seed(salts)] = dealt.stack
        seated = [seat for seat, level in enumerate(dealt.levels) if level is None]
        sat = [Sat(at=laid.at, seat=seat, person=people[seat], name=NAMES[seat], salt=salts[seat]) for seat in seated]
        entered = [Entered(at=laid.at, person=person) for person in guests]
        live = await host.lay(id, laid, *sat, *entered)
        rules = live.game.INFO.rules
        await host.moves.begin(live, lambda room: manners.start(room, people[ASKER], BOT, rules, bots.VERSION, laid.at))
        for seat, action in dealt.past:
            await host.moves.act(live, seat, since(live, seat, action), action)
        return live


def since(live: Live, seat: Seat, action: Action) -> int:
    """Return since when an action is on offer."""
    assert live.table is not None
    return next(offer.since for offer in live.table.offers[seat] if offer.admits(action))
