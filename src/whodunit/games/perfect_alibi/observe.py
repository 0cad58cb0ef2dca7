"""What a seat of Perfect Alibi sees, as numbers. Of the questions so far only the last is told: a belief knows all."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from operator import attrgetter
from typing import Any, Final, get_args

from msgspec.structs import replace

from whodunit.core.observing import AnyOf, Count, Field, Flag, Number, Observed, OneOf, Part, Round, nth, one
from whodunit.core.types import Seat
from whodunit.games.perfect_alibi.facts import (
    ASSISTANTS,
    CHIPS_OF_A_COLOUR,
    COLOURS,
    ELEMENTS,
    PACK,
    ROW,
    Colour,
    Symbol,
)
from whodunit.games.perfect_alibi.model import (
    Chip,
    Correcting,
    Dealing,
    Options,
    Over,
    Phase,
    Question,
    State,
    TurnPhase,
)

_PHASES: Final = tuple(kind.__name__ for kind in (Dealing, *get_args(TurnPhase), Over))
_ENDS: Final = ("solved", "last_left", "treachery")


def observed(seats: int, options: Options, seat: Seat) -> Observed:
    """Return the numbers that a seat sees."""
    table = Round(seats, seat)
    owned = options.colours or COLOURS[:seats]
    colours = [owned[owner] for owner in table.order]
    kinds = [
        Chip(colour, symbol, arrows) for colour in colours for symbol in ("wheel", "clock") for arrows in (False, True)
    ]
    held = partial(OneOf, values=ASSISTANTS)
    return Observed(
        (
            one(OneOf("eyes", range(seats)), lambda _: None if seat < 0 else seat),
            one(Count("turn"), attrgetter("turn")),
            one(table.who("on turn"), attrgetter("on_turn")),
            Part(_phase_fields(table), attrgetter("phase"), _phase),
            one(OneOf("missing", PACK), attrgetter("missing")),
            one(AnyOf("open", PACK), attrgetter("open")),
            table.each("cards", partial(Number, most=len(PACK)), "sizes"),
            *table.apart("hand", partial(AnyOf, values=PACK), "hands"),
            *(table.apart("rival", held, "rivals") if options.rival else ()),
            *table.apart("assistant", held, "assistants"),
            one(AnyOf("pool", ASSISTANTS), attrgetter("pool")),
            *(Part(_chip_fields(f"row {place}", colours), nth("row", place - 1), _chip) for place in range(1, ROW + 1)),
            *(
                Part(_pile_fields(pile, kinds), attrgetter(pile), partial(_pile, kinds))
                for pile in ("stack", "discard")
            ),
            one(OneOf("taken", range(1, ROW + 1)), attrgetter("taken")),
            Part(_question_fields(table), _last, partial(_question, table)),
            Part(
                tuple(Count(table.name("challengeable", other)) for other in table.order),
                attrgetter("challengeable"),
                lambda questions: [len(questions[other]) for other in table.order],
            ),
            table.each("out", Flag),
            Part(
                tuple(Number(table.name("informed", other), seats) for other in table.order),
                attrgetter("informed"),
                lambda informed: [informed.index(other) + 1 if other in informed else 0 for other in table.order],
            ),
        ),
        current=_current,
    )


def _current(view: State) -> State:
    """Leave out what was asked before the last question, and in which order chips lie and were used."""
    phase = view.phase
    if isinstance(phase, Correcting):
        phase = replace(phase, due=phase.due[:1])
    return replace(
        view,
        phase=phase,
        stack=tuple(sorted(view.stack, key=str)),
        discard=tuple(sorted(view.discard, key=str)),
        log=view.log[-1:],
        challengeable=tuple(tuple(range(len(questions))) for questions in view.challengeable),
    )


def _phase_fields(table: Round) -> tuple[Field, ...]:
    return (
        OneOf("phase", _PHASES),
        table.who("phase.answerer"),
        Flag("phase.last"),
        table.who("phase.winner"),
        OneOf("phase.how", _ENDS),
        Flag("due"),
        Count("due.question"),
        table.who("due.seat"),
        OneOf("due.what", ("number", "card")),
    )


def _phase(phase: Phase) -> tuple[Any, ...]:
    due: tuple[Any, ...] = False, None, None, None
    if isinstance(phase, Correcting):
        first, phase = phase.due[0], phase.then
        due = True, first.question, first.seat, first.what
    told = [getattr(phase, name, None) for name in ("answerer", "last", "winner", "how")]
    return type(phase).__name__, *told, *due


def _chip_fields(name: str, colours: Sequence[Colour]) -> tuple[Field, ...]:
    return OneOf(f"{name}.colour", colours), OneOf(f"{name}.symbol", get_args(Symbol)), Flag(f"{name}.arrows")


def _chip(chip: Chip | None) -> tuple[Any, ...]:
    return (None, None, None) if chip is None else (chip.colour, chip.symbol, chip.arrows)


def _pile_fields(pile: str, kinds: Sequence[Chip]) -> tuple[Field, ...]:
    return tuple(
        Number(f"{pile}.{kind.colour} {kind.symbol}{' with arrows' if kind.arrows else ''}", CHIPS_OF_A_COLOUR)
        for kind in kinds
    )


def _pile(kinds: Sequence[Chip], chips: tuple[Chip, ...]) -> list[int]:
    counts = Counter(chips)
    return [counts[kind] for kind in kinds]


def _question_fields(table: Round) -> tuple[Field, ...]:
    return (
        table.who("question.asker"),
        table.who("question.answerer"),
        AnyOf("question", ELEMENTS),
        *(OneOf(table.name("question.holding", other), ASSISTANTS) for other in table.order),
        Flag("question.answered"),
        Flag("question.heard"),
        Number("question.said", len(PACK)),
    )


def _last(view: State) -> Question | None:
    return view.log[-1] if view.log else None


def _question(table: Round, question: Question | None) -> tuple[Any, ...]:
    if question is None:
        return None, None, None, *(None for _ in table.order), None, None, None
    return (
        question.asker,
        question.answerer,
        question.elements,
        *(question.holding[other] for other in table.order),
        question.answered,
        question.said is not None,
        question.said,
    )
