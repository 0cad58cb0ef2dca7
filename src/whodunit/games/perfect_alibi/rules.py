"""The rules of Perfect Alibi; the numbers in the comments are those of docs/rules/perfect_alibi.md."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final, TypeVar, cast, get_args

from msgspec.structs import replace

from whodunit.core.errors import BadOptions
from whodunit.core.info import Info
from whodunit.core.offer import Offer, One, Some
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Action, Outcome, Seat
from whodunit.games.perfect_alibi.facts import (
    ASSISTANTS,
    CHIPS_OF_A_COLOUR,
    COLOURS,
    HAND,
    LOCATIONS,
    OF,
    OPEN_CARDS,
    PACK,
    PARTS,
    ROW,
    TIMES,
    Assistant,
    Card,
    Colour,
    Element,
    Symbol,
)
from whodunit.games.perfect_alibi.model import (
    Accuse,
    Announce,
    Answer,
    AnswerConfirmed,
    AnswerCorrected,
    Answered,
    AnswerFoundWrong,
    Answering,
    AnyAction,
    AnyEvent,
    Ask,
    Asked,
    AskFreely,
    Asking,
    AskLast,
    AssistantChanged,
    AssistantPicked,
    Beginning,
    CardDrawn,
    CardHidden,
    CardShown,
    CardsOpened,
    ChangeAssistant,
    Changing,
    Chip,
    ChipReplaced,
    ChipTaken,
    Choosing,
    Confirm,
    ConfirmationAsked,
    CookLeft,
    Correct,
    Correcting,
    Dealing,
    DrawCard,
    Due,
    GameEnded,
    GoOn,
    HandDealt,
    Hurry,
    LetShow,
    MissingSeen,
    Name,
    Naming,
    Opened,
    Options,
    Over,
    Pausing,
    Phase,
    PickAssistant,
    Picking,
    Question,
    ReplacementTaken,
    Replacing,
    Revealed,
    RivalDealt,
    RowLaid,
    RunOut,
    Show,
    Showing,
    ShowLate,
    Slam,
    Slammed,
    State,
    TakeChip,
    TakeReplacement,
    TimeRanOut,
    TreacheryClaimed,
    TurnBegan,
    TurnHurried,
    TurnPhase,
)

INFO: Final = Info(
    id="perfect_alibi",
    rules=2,
    seats=(3, 5),
    options=Options,
    action=AnyAction,
    event=AnyEvent,
    state=State,
    colour="#1d3a5c",
    place=2,
    final=(Slam, Name, AskLast, Accuse),
    undoable=(PickAssistant, TakeChip, ChangeAssistant, Ask, AskFreely),
    answers=(Answer, Announce, Show, Correct, ShowLate),
    orders=("seen", "least"),
    showings=("even", "seen_first"),
    interrupts=(Slam, Confirm, Accuse),
    interrupt_delay=("bot_slam_delay_least_s", "bot_slam_delay_most_s"),  # ALIBI-R28
    limits={RunOut: "guess_limit_s", Hurry: "turn_limit_s", GoOn: "slam_window_s", Announce: "answer_limit_s"},
)

# --- Setting up --------------------------------------------------------------------------------------------------


def setup(seats: int, options: Options, rng: Rng) -> Sequence[AnyEvent]:
    """Lay the table: ALIBI-5 to ALIBI-12."""
    _check(seats, options)
    colours = options.colours or COLOURS[:seats]
    missing = PACK[rng.below("missing", len(PACK))]
    deck = rng.shuffled("deck", [card for card in PACK if card != missing])
    size = HAND[seats]
    hands = [deck[seat * size : (seat + 1) * size] for seat in range(seats)]
    tiles = rng.shuffled("rivals", ASSISTANTS)[:seats] if options.rival else ()
    stack = list(_chips(colours, options))
    row = tuple(stack.pop(rng.below(f"chip {place}", len(stack))) for place in range(1, ROW + 1))
    return [
        Opened(game="perfect_alibi", rules=INFO.rules, seats=seats, options=options, colours=colours),
        CardHidden(card=missing),
        *(
            HandDealt(seat=seat, size=size, cards=_in_order(hand), known_to=frozenset({seat}))
            for seat, hand in enumerate(hands)
        ),
        *([CardsOpened(cards=_in_order(deck[-OPEN_CARDS[seats] :]))] if OPEN_CARDS[seats] else []),
        *(RivalDealt(seat=seat, tile=tile, known_to=frozenset({seat})) for seat, tile in enumerate(tiles)),
        RowLaid(chips=row, first=colours.index(row[0].colour)),  # ALIBI-12
    ]


def _check(seats: int, options: Options) -> None:
    """Refuse what no single option shows to be wrong."""
    if options.rival and options.max_elements > 3:
        raise BadOptions("with rival a question has at most 3 elements (ALIBI-26)")
    if options.unforgiving and options.answer_mode != "by_hand":
        raise BadOptions("unforgiving needs answer_mode 'by_hand': no other answer can be wrong (ALIBI-75)")
    colours = COLOURS[:seats] if options.colours is None else options.colours
    if len(colours) != seats or len(set(colours)) != seats:
        raise BadOptions(f"colours must name {seats} different colours (ALIBI-1)")
    kinds = options.wheel_chips, options.clock_chips, options.wheel_arrow_chips, options.clock_arrow_chips
    if sum(kinds) != CHIPS_OF_A_COLOUR:
        raise BadOptions(f"a colour has {CHIPS_OF_A_COLOUR} chips, not {sum(kinds)} (ALIBI-3)")
    if options.bot_slam_delay_least_s > options.bot_slam_delay_most_s:
        raise BadOptions("bot_slam_delay_least_s is more than bot_slam_delay_most_s")


@lru_cache(maxsize=64)
def _chips(colours: tuple[Colour, ...], options: Options) -> tuple[Chip, ...]:
    """Return all chips in play (ALIBI-3)."""
    kinds: tuple[tuple[Symbol, bool, int], ...] = (
        ("wheel", False, options.wheel_chips),
        ("clock", False, options.clock_chips),
        ("wheel", True, options.wheel_arrow_chips),
        ("clock", True, options.clock_arrow_chips),
    )
    return tuple(
        Chip(colour, symbol, arrows) for colour in colours for symbol, arrows, number in kinds for _ in range(number)
    )


def _in_order(cards: Sequence[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=PACK.index))


F = TypeVar("F", bound=Callable[..., Any])


def shared(make: F) -> F:
    """Make what all views are told alike once: it is one value for all of them.

    They fold an event one after another, so only the latest is remembered, and it is found by what it was made of, the
    very same things: to go through a stack of chips for its hash took longer than to write it anew.
    """
    latest: tuple[Any, Any, Any, Any] = (None, None, None, None)

    def made(event: object, before: object, beside: object) -> Any:
        nonlocal latest
        last_event, last_before, last_beside, result = latest
        if event is not last_event or before is not last_before or beside is not last_beside:
            result = make(event, before, beside)
            latest = event, before, beside, result
        return result

    return cast(F, made)


# --- What happened -----------------------------------------------------------------------------------------------

# Phases that say no more than their name are made once.
_PICKING: Final = Picking()
_BEGINNING: Final = Beginning()
_NAMING: Final = Naming()
_PAUSING: Final = Pausing()


def evolve(state: State | None, event: AnyEvent) -> State:
    """Fold one event into the table; a redacted event leaves None where it hides something."""
    if state is None:
        assert isinstance(event, Opened)
        return _opened(event)
    if type(state.phase) is Correcting:
        return _evolved_meanwhile(state, event, state.phase)
    return _FOLDS[type(event)](state, event)


def _evolved_meanwhile(state: State, event: AnyEvent, phase: Correcting) -> State:
    """Fold an event while an answer is being corrected: the game goes on underneath."""
    match event:
        case AnswerFoundWrong() | AnswerCorrected():
            return _FOLDS[type(event)](state, event)
        case CardShown(question=number) | CardDrawn(question=number) if phase.due[0] == _card_due(phase, number):
            return replace(state, phase=_after_correction(phase))
        case _:
            after = _FOLDS[type(event)](replace(state, phase=phase.then), event)
            if isinstance(after.phase, Over):
                return after
            assert isinstance(after.phase, TurnPhase)
            return replace(after, phase=Correcting(phase.due, after.phase))


def _card_due(phase: Correcting, question: int) -> Due:
    return Due(question, phase.due[0].seat, "card")


def _after_correction(phase: Correcting) -> Correcting | TurnPhase:
    return Correcting(phase.due[1:], phase.then) if phase.due[1:] else phase.then


def _opened(event: Opened) -> State:
    return State(
        options=event.options,
        colours=event.colours,
        phase=Dealing(),
        sizes=(0,) * event.seats,
        hands=(None,) * event.seats,
        rivals=(None,) * event.seats if event.options.rival else (),
        assistants=(None,) * event.seats,
        pool=ASSISTANTS,
        stack=_chips(event.colours, event.options),
        challengeable=((),) * event.seats,
        out=(False,) * event.seats,
    )


def _opened_again(_state: State, _event: Opened) -> State:
    raise ValueError("a game is opened once")


def _missing_known(state: State, event: CardHidden) -> State:
    return state if event.card is None else replace(state, missing=event.card)


def _missing_seen(state: State, event: MissingSeen) -> State:
    missing = state.missing if event.card is None else event.card
    return replace(state, missing=missing, informed=(*state.informed, event.seat))


def _hand_dealt(state: State, event: HandDealt) -> State:
    sizes = _put(state.sizes, event.seat, event.size)
    return replace(state, sizes=sizes, hands=_put(state.hands, event.seat, event.cards))


def _cards_opened(state: State, event: CardsOpened) -> State:
    return replace(state, open=event.cards)


def _rival_dealt(state: State, event: RivalDealt) -> State:
    return replace(state, rivals=_put(state.rivals, event.seat, event.tile))


def _row_laid(state: State, event: RowLaid) -> State:
    stack = state.stack
    for chip in event.chips:
        stack = _without(stack, chip)
    return replace(state, row=event.chips, stack=stack, on_turn=event.first, phase=_PICKING)


def _assistant_picked(state: State, event: AssistantPicked) -> State:
    on_turn = (event.seat - 1) % len(state.out)  # ALIBI-13
    return replace(_taking(state, event.seat, event.assistant), on_turn=on_turn)


def _taking(state: State, seat: Seat, assistant: Assistant) -> State:
    pool = _without(state.pool, assistant)
    return replace(state, assistants=_put(state.assistants, seat, assistant), pool=pool)


def _turn_began(state: State, event: TurnBegan) -> State:
    return replace(state, turn=state.turn + 1, on_turn=event.seat, phase=_BEGINNING)


def _chip_taken(state: State, event: ChipTaken) -> State:
    phase = (Changing if event.chip.arrows else Asking)(event.answerer)
    return replace(state, taken=event.place, phase=phase)


def _assistant_changed(state: State, event: AssistantChanged) -> State:
    assert isinstance(state.phase, Changing)
    answerer = state.phase.answerer
    assistants = _put(state.assistants, event.seat, event.took)
    pool = state.pool if event.taken_from is not None else _without(state.pool, event.took)
    pool = tuple(sorted([*pool, event.gave], key=ASSISTANTS.index))
    if event.taken_from is None:
        return replace(state, assistants=assistants, pool=pool, phase=Asking(answerer))
    return replace(state, assistants=_put(assistants, answerer, None), pool=pool, phase=Replacing(answerer))


def _replacement_taken(state: State, event: ReplacementTaken) -> State:
    return replace(_taking(state, event.seat, event.assistant), phase=Asking(event.seat))


def _question_asked(state: State, event: Asked) -> State:
    asked = _question(event, None, None)
    phase = Answering(event.answerer, event.way == "last")
    # The asker is on turn already, unless this is a case that was cut from a game and tells no turns.
    return replace(state, log=state.log + (asked,), on_turn=event.seat, phase=phase)  # noqa: RUF005  (the log is long)


@shared
def _question(event: Asked, _before: None, _beside: None) -> Question:
    return Question(event.seat, event.answerer, event.elements, event.holding)


@shared
def _with_answer(event: Answered, question: Question, _beside: None) -> Question:
    return replace(question, answered=True, said=event.said)


def _answered(state: State, event: Answered) -> State:
    log, challengeable, phase = state.log, state.challengeable, state.phase
    asked = _with_answer(event, log[-1], None)
    if state.options.answer_mode == "by_hand":  # ALIBI-R27: what the house counts cannot be wrong
        challengeable = _put(challengeable, event.seat, (*challengeable[event.seat], event.question))
    if event.due:  # with the Cook the draw may follow at once
        assert isinstance(phase, Answering)
        phase = (Choosing if asked.assistant == "Cook" else Showing)(phase.answerer, phase.last)
    else:
        phase = _answered_phase(state)
    return replace(state, log=log[:-1] + (asked,), challengeable=challengeable, phase=phase)  # noqa: RUF005  (it is long)


def _answered_phase(state: State) -> TurnPhase:
    """Return what follows when the question is done with: a card to be named, a pause, or at once the next turn."""
    phase = state.phase
    assert isinstance(phase, _QUESTIONED)
    if phase.last and not state.out[state.on_turn]:
        return _NAMING  # ALIBI-57, 60
    return _PAUSING if state.options.slam_window_s else phase


def _card_seen(state: State, event: CardShown | CardDrawn) -> State:
    if not event.question:  # it was left out, as where a case is cut from a game
        return state
    return replace(state, phase=_answered_phase(state))


def _cook_left(state: State, _event: CookLeft) -> State:
    assert isinstance(state.phase, Choosing)
    return replace(state, phase=Showing(state.phase.answerer, state.phase.last))


def _chip_replaced(state: State, event: ChipReplaced) -> State:
    row, discard = _replaced(event, state.row, state.discard)
    stack = _drawn_from(event, state.stack, None)
    if event.reshuffled:
        stack, discard = _sorted(state, discard), ()
    return replace(state, row=row, stack=stack, discard=discard, taken=None)


@shared
def _replaced(
    event: ChipReplaced, row: tuple[Chip, ...], discard: tuple[Chip, ...]
) -> tuple[tuple[Chip, ...], tuple[Chip, ...]]:
    place = event.place - 1
    return _put(row, place, event.chip), discard + (row[place],)  # noqa: RUF005  (quicker)


@shared
def _drawn_from(event: ChipReplaced, stack: tuple[Chip, ...], _beside: None) -> tuple[Chip, ...]:
    place = stack.index(event.chip)
    return stack[:place] + stack[place + 1 :]


def _sorted(state: State, chips: tuple[Chip, ...]) -> tuple[Chip, ...]:
    """Return chips in one order, whatever the order of their use: that of the stack is nobody's."""
    return tuple(sorted(chips, key=_places(state.colours, state.options).__getitem__))


@lru_cache(maxsize=64)
def _places(colours: tuple[Colour, ...], options: Options) -> dict[Chip, int]:
    """Return where the last of each kind of chip stands among all in play."""
    return {chip: place for place, chip in enumerate(_chips(colours, options))}


def _guess_made(state: State, event: Slammed | TreacheryClaimed) -> State:
    return state if event.right else replace(state, out=_put(state.out, event.seat, True))


def _time_ran_out(state: State, event: TimeRanOut) -> State:
    return replace(state, out=_put(state.out, event.seat, True))


def _nothing_moved(state: State, _event: TurnHurried | AnswerConfirmed) -> State:
    return state


def _confirmation_asked(state: State, event: ConfirmationAsked) -> State:
    if state.options.answer_mode == "enforced":
        return state  # under rules 1 the house was asked too, and changed nothing
    left = _without(state.challengeable[event.answerer], event.question)
    return replace(state, challengeable=_put(state.challengeable, event.answerer, left))


def _answer_found_wrong(state: State, event: AnswerFoundWrong) -> State:
    due, phase = Due(event.question, event.seat, "number"), state.phase
    if isinstance(phase, Correcting):
        return replace(state, phase=Correcting((*phase.due, due), phase.then))
    assert isinstance(phase, TurnPhase)
    return replace(state, phase=Correcting((due,), phase))


def _answer_corrected(state: State, event: AnswerCorrected) -> State:
    phase, number = state.phase, event.question
    assert isinstance(phase, Correcting)
    log = _put(state.log, number - 1, replace(state.log[number - 1], said=event.said))
    if event.due:
        due = Due(number, event.seat, "card"), *phase.due[1:]
        return replace(state, log=log, phase=Correcting(due, phase.then))
    return replace(state, log=log, phase=_after_correction(phase))


def _revealed(state: State, event: Revealed) -> State:
    said = (*event.said, *(None,) * (len(state.log) - len(event.said)))
    log = tuple([replace(asked, said=number) for asked, number in zip(state.log, said, strict=True)])
    return replace(state, missing=event.missing, hands=event.hands, rivals=event.rivals, log=log)


def _game_ended(state: State, event: GameEnded) -> State:
    return replace(state, phase=Over(event.winner, event.how))


# A table, not a `match`: every seat folds every event, and trying 28 classes one after another cost more than folding.
_FOLDS: Final[Mapping[type[AnyEvent], Callable[[State, Any], State]]] = {
    Opened: _opened_again,
    CardHidden: _missing_known,
    HandDealt: _hand_dealt,
    CardsOpened: _cards_opened,
    RivalDealt: _rival_dealt,
    RowLaid: _row_laid,
    AssistantPicked: _assistant_picked,
    TurnBegan: _turn_began,
    ChipTaken: _chip_taken,
    AssistantChanged: _assistant_changed,
    ReplacementTaken: _replacement_taken,
    Asked: _question_asked,
    Answered: _answered,
    CardShown: _card_seen,
    CardDrawn: _card_seen,
    CookLeft: _cook_left,
    ChipReplaced: _chip_replaced,
    Slammed: _guess_made,
    MissingSeen: _missing_seen,
    TimeRanOut: _time_ran_out,
    TurnHurried: _nothing_moved,
    ConfirmationAsked: _confirmation_asked,
    AnswerConfirmed: _nothing_moved,
    AnswerFoundWrong: _answer_found_wrong,
    AnswerCorrected: _answer_corrected,
    TreacheryClaimed: _guess_made,
    Revealed: _revealed,
    GameEnded: _game_ended,
}
assert _FOLDS.keys() == set(get_args(AnyEvent)), "no event may be forgotten"


def _put(values: tuple[Any, ...], index: int, value: object) -> tuple[Any, ...]:
    changed = list(values)
    changed[index] = value
    return tuple(changed)


@lru_cache(maxsize=1024)
def _without(values: tuple[Any, ...], value: object) -> tuple[Any, ...]:
    left = list(values)
    left.remove(value)
    return tuple(left)


# --- Counting and lying ------------------------------------------------------------------------------------------


def matching(cards: Sequence[Card], elements: Sequence[Element]) -> tuple[Card, ...]:
    """Return the cards that show one of the elements."""
    return tuple([card for card in cards if PARTS[card][0] in elements or PARTS[card][1] in elements])


fitting = lru_cache(maxsize=4096)(matching)
"""For hands, of which the same are asked again and again."""


@lru_cache(maxsize=4096)
def bounds(seats: int, open_cards: tuple[Card, ...], elements: tuple[Element, ...]) -> tuple[int, int]:
    """Return the least and the greatest number that is possible in the eyes of all, L and M (ALIBI-65)."""
    hand = HAND[seats]
    hidden = [card for card in PACK if card not in open_cards]
    fitting = len(matching(hidden, elements))
    return max(0, hand - len(hidden) + fitting), min(hand, fitting)


def sayable(view: State, question: Question) -> tuple[int, int]:
    """Return the least and the greatest number that anybody could give as an answer."""
    if view.options.lie_bounds == "literal":
        return 0, view.sizes[question.answerer] + 1
    return bounds(len(view.out), view.open, question.elements)


def lies(true: int, least: int, most: int) -> tuple[int, ...]:
    """Return the permitted lies (ALIBI-64, 65)."""
    return tuple(number for number in (true - 1, true + 1) if least <= number <= most)


def right_answers(view: State, question: Question) -> tuple[int, ...]:
    """Return what the answerer may rightly say: the true count, or the permitted lies (ALIBI-63, 73)."""
    true = len(fitting(view.hands[question.answerer] or (), question.elements))
    if view.rivals and view.rivals[question.answerer] == question.assistant:
        return lies(true, *sayable(view, question))
    return (true,)


# --- What may be done --------------------------------------------------------------------------------------------

_QUESTIONED: Final = (Answering, Showing, Choosing)  # a tuple, as a union would be made anew with every question
_SLAM: Final = Offer(Slam, {"card": One(PACK)})
_ONLY_SLAM: Final = (_SLAM,)
_NAME: Final = (Offer(Name, {"card": One(PACK)}),)
_RUN_OUT: Final = Offer(RunOut)
_GO_ON: Final = Offer(GoOn)
_DRAWN_FOR: Final = (TakeChip, ChangeAssistant, Ask, DrawCard)
"""What is done by lot for a player whose time is over."""
_DRAW: Final = (Offer(DrawCard), Offer(LetShow))


def legal(view: State, seat: Seat) -> Sequence[Offer]:
    """Return what the seat may do now, from what it can see."""
    phase = view.phase
    if seat == TABLE:
        return _by_time(view, phase)
    if type(phase) is Correcting:
        offers = _of_turn(view, seat, phase.then)
        return (_correction(view, phase.due[0]), *offers) if phase.due[0].seat == seat else offers
    return () if type(phase) is Over or type(phase) is Dealing else _of_turn(view, seat, phase)


def _of_turn(view: State, seat: Seat, phase: Phase) -> tuple[Offer, ...]:
    in_turn = _IN_TURN[type(phase)](view, seat) if seat == _awaited(view, phase) else ()
    if type(phase) is Picking:  # ALIBI-R25
        return in_turn
    slam = _may_slam(view, seat, phase)
    if view.options.answer_mode == "enforced":
        return in_turn + _ONLY_SLAM if slam else in_turn  # no answer is ever doubted
    return in_turn + _interrupts(view.challengeable, seat, slam=slam, unforgiving=view.options.unforgiving)


def _turn_phase(state: State) -> Phase:
    return state.phase.then if type(state.phase) is Correcting else state.phase


def _by_time(view: State, phase: Phase) -> tuple[Offer, ...]:
    """Return what only time decides; while an answer is being corrected no time runs."""
    match phase:
        case Pausing():
            return (_GO_ON,)
        case Naming() if view.options.guess_limit_s is not None:
            return (_RUN_OUT,)
        case Beginning() | Changing() | Asking() | Choosing() if view.options.turn_limit_s is not None:
            return (_hurry(view.on_turn),)
        case _:
            return ()


@cache
def _hurry(seat: Seat) -> Offer:
    return Offer(Hurry, {"seat": One((seat,))})


@lru_cache(maxsize=4096)
def _one_of(action: type[Action], field: str, values: tuple[Any, ...]) -> tuple[Offer]:
    return (Offer(action, {field: One(values)}),)


def _held(view: State, seat: Seat) -> Assistant:
    assistant = view.assistants[seat]
    assert assistant is not None
    return assistant


def _beginning(view: State, seat: Seat) -> tuple[Offer, ...]:
    first, second, third, fourth = view.row
    owners = first.colour, second.colour, third.colour, fourth.colour
    return _ways_to_ask(owners, view.colours, seat, view.assistants[seat] == "Journalist", view.options.max_elements)


@lru_cache(maxsize=4096)
def _ways_to_ask(
    owners: tuple[Colour, ...],
    colours: tuple[Colour, ...],
    seat: Seat,
    journalist: bool,  # noqa: FBT001  (a cache key)
    most: int,
) -> tuple[Offer, ...]:
    freely = _free_questions(AskFreely, seat, len(colours), most) if journalist else ()
    return (*_chip_offers(owners, colours, seat), *freely, *_free_questions(AskLast, seat, len(colours), most))


def _chip_offers(owners: tuple[Colour, ...], colours: tuple[Colour, ...], seat: Seat) -> tuple[Offer, ...]:
    """Offer the chips of every other player, or all four if all are one's own (ALIBI-17, 18)."""
    places: dict[Seat, list[int]] = {}
    for place, owner in enumerate(owners, 1):
        places.setdefault(colours.index(owner), []).append(place)
    if set(places) == {seat}:
        others = tuple(other for other in range(len(colours)) if other != seat)
        return (_take_chip(tuple(places[seat]), others),)
    return tuple(_take_chip(tuple(places[other]), (other,)) for other in sorted(places) if other != seat)


@cache
def _take_chip(places: tuple[int, ...], answerers: tuple[Seat, ...]) -> Offer:
    """There are few of these, and thousands of rows in which they are on offer."""
    return Offer(TakeChip, {"place": One(places), "answerer": One(answerers)})


@cache
def _free_questions(action: type[AskFreely | AskLast], seat: Seat, seats: int, most: int) -> tuple[Offer, ...]:
    others = One(tuple(other for other in range(seats) if other != seat))
    return tuple(
        Offer(action, {"answerer": others, "elements": Some(elements, 1, most)}) for elements in (LOCATIONS, TIMES)
    )


def _change(view: State, _seat: Seat) -> tuple[Offer]:
    phase = _turn_phase(view)
    assert isinstance(phase, Changing)
    return _one_of(ChangeAssistant, "assistant", (*view.pool, _held(view, phase.answerer)))


def _ask(view: State, _seat: Seat) -> tuple[Offer]:
    assert view.taken is not None
    return _questions(view.row[view.taken - 1].symbol, view.options.max_elements)


@cache
def _questions(symbol: Symbol, most: int) -> tuple[Offer]:
    return (Offer(Ask, {"elements": Some(OF[symbol], 1, most)}),)


def _answer(view: State, question: Question) -> tuple[Offer]:
    if view.options.answer_mode == "enforced":
        return _one_of(Answer, "number", right_answers(view, question))
    least, most = sayable(view, question)
    if not _needs_no_card(view, question) and not _showable(view, question):
        most = min(most, 1)  # ALIBI-76: he would notice, so it is not even taken
    return _one_of(Announce, "number", tuple(range(least, most + 1)))


def _needs_no_card(view: State, question: Question) -> bool:
    """Say whether any number can be announced without a matching card (ALIBI-76)."""
    if question.holding[question.answerer] == "Psychiatrist":
        return True
    return question.assistant == "Cook" and not view.options.cook_optional


def _showable(view: State, question: Question) -> tuple[Card, ...]:
    return fitting(view.hands[question.answerer] or (), question.elements)


# By what the table waits for. A table, as of the folds: it is asked for at every decision.
_IN_TURN: Final[Mapping[type[Phase], Callable[[State, Seat], tuple[Offer, ...]]]] = {
    Picking: lambda view, _: _one_of(PickAssistant, "assistant", view.pool),
    Beginning: _beginning,
    Changing: _change,
    Replacing: lambda view, _: _one_of(TakeReplacement, "assistant", view.pool),
    Asking: _ask,
    Answering: lambda view, _: _answer(view, view.log[-1]),
    Choosing: lambda _view, _: _DRAW,
    Showing: lambda view, _: _one_of(Show, "card", _showable(view, view.log[-1])),
    Naming: lambda _view, _: _NAME,
    Pausing: lambda _view, _: (),
}
assert _IN_TURN.keys() == set(get_args(TurnPhase)), "no phase of a turn may be forgotten"


def _correction(view: State, due: Due) -> Offer:
    question = view.log[due.question - 1]
    if due.what == "number":
        return _one_of(Correct, "number", right_answers(view, question))[0]
    return _one_of(ShowLate, "card", _showable(view, question))[0]


@lru_cache(maxsize=4096)
def _interrupts(
    challengeable: tuple[tuple[int, ...], ...], seat: Seat, *, slam: bool, unforgiving: bool
) -> tuple[Offer, ...]:
    """Return the slam, and which answers may be doubted: by accusing who gave them only where one may also slam."""
    offers: list[Offer] = [_SLAM] if slam else []
    for answerer, questions in enumerate(challengeable):
        if not questions or answerer == seat:
            continue
        if not unforgiving:
            offers.extend(map(_confirm, questions))  # one by one: none is touched by what comes of another
        elif slam:
            offers.append(_accuse(answerer, questions))
    return tuple(offers)


def _may_slam(view: State, seat: Seat, phase: Phase) -> bool:
    if view.out[seat]:
        return False  # ALIBI-55
    if seat == view.on_turn:
        return type(phase) is not Naming  # ALIBI-60
    if not view.options.last_question_protected:
        return True
    return not (isinstance(phase, Naming) or (isinstance(phase, _QUESTIONED) and phase.last))  # ALIBI-61


@lru_cache(maxsize=4096)
def _confirm(question: int) -> Offer:
    return Offer(Confirm, {"question": One((question,))})


@lru_cache(maxsize=4096)
def _accuse(accused: Seat, questions: tuple[int, ...]) -> Offer:
    return Offer(Accuse, {"accused": One((accused,)), "questions": Some(questions, 1, len(questions))})


# --- What happens ------------------------------------------------------------------------------------------------


def decide(state: State, seat: Seat, action: AnyAction, rng: Rng) -> Sequence[AnyEvent]:
    """Turn an admitted action into what happens."""
    return _DEEDS[type(action)](state, seat, action, rng)


def _chip_chosen(state: State, seat: Seat, action: TakeChip, _rng: Rng) -> list[AnyEvent]:
    place = action.place
    return [ChipTaken(seat=seat, place=place, chip=state.row[place - 1], answerer=action.answerer)]


def _ask_by_chip(state: State, seat: Seat, action: Ask, _rng: Rng) -> list[AnyEvent]:
    phase = _turn_phase(state)
    assert isinstance(phase, Asking)
    return [_asked(state, seat, phase.answerer, action.elements, "chip")]


def _ask_freely(state: State, seat: Seat, action: AskFreely, _rng: Rng) -> list[AnyEvent]:
    return [_asked(state, seat, action.answerer, action.elements, "journalist")]


def _ask_last(state: State, seat: Seat, action: AskLast, _rng: Rng) -> list[AnyEvent]:
    return [_asked(state, seat, action.answerer, action.elements, "last")]


def _show(state: State, _seat: Seat, action: Show, rng: Rng) -> list[AnyEvent]:
    return [_shown(state, len(state.log), action.card), *_question_over(state, rng)]


def _draw_card(state: State, _seat: Seat, _action: DrawCard, rng: Rng) -> list[AnyEvent]:
    return [_drawn(state, len(state.log), rng), *_question_over(state, rng)]


def _let_show(_state: State, seat: Seat, _action: LetShow, _rng: Rng) -> list[AnyEvent]:
    return [CookLeft(seat=seat)]


def _pick(state: State, seat: Seat, action: PickAssistant, _rng: Rng) -> list[AnyEvent]:
    first = [TurnBegan(seat=seat)] if state.assistants.count(None) == 1 else []  # ALIBI-14: the last to pick begins
    return [AssistantPicked(seat=seat, assistant=action.assistant), *first]


def _change_assistant(state: State, seat: Seat, action: ChangeAssistant, _rng: Rng) -> list[AnyEvent]:
    phase, took = _turn_phase(state), action.assistant
    assert isinstance(phase, Changing)
    whose = None if took in state.pool else phase.answerer
    return [AssistantChanged(seat=seat, gave=_held(state, seat), took=took, taken_from=whose)]


def _take_replacement(state: State, seat: Seat, action: TakeReplacement, rng: Rng) -> list[AnyEvent]:
    over = _next_turn(state, state.out, rng) if state.out[state.on_turn] else []  # ALIBI-57
    return [ReplacementTaken(seat=seat, assistant=action.assistant), *over]


def _run_out(state: State, _seat: Seat, _action: RunOut, rng: Rng) -> list[AnyEvent]:
    return [TimeRanOut(seat=state.on_turn), *_out(state, state.on_turn, rng)]


def _go_on(state: State, _seat: Seat, _action: GoOn, rng: Rng) -> list[AnyEvent]:
    return _next_turn(state, state.out, rng)


def _show_late(state: State, _seat: Seat, action: ShowLate, _rng: Rng) -> list[AnyEvent]:
    assert isinstance(state.phase, Correcting)
    return [_shown(state, state.phase.due[0].question, action.card)]


def _asked(state: State, seat: Seat, answerer: Seat, elements: tuple[Element, ...], way: Any) -> Asked:
    holding: tuple[Any, ...] = state.assistants  # everybody's: ALIBI-37 comes before the question
    assert None not in holding
    return Asked(question=len(state.log) + 1, seat=seat, answerer=answerer, elements=elements, holding=holding, way=way)


@cache
def _everybody(seats: int) -> frozenset[Seat]:
    return frozenset(range(TABLE, seats))


@cache
def _both(seat: Seat, other: Seat) -> frozenset[Seat]:
    return frozenset({seat, other})


def hearing(asker: Seat, answerer: Seat, holding: tuple[Assistant, ...]) -> frozenset[Seat]:
    """Return who hears the number (ALIBI-30, 47)."""
    return _both(asker, answerer) if holding[asker] == "Priest" else _everybody(len(holding))


def _said(state: State, seat: Seat, action: Answer | Announce, rng: Rng) -> list[AnyEvent]:
    asked, count, number = state.log[-1], len(state.log), action.number
    due = _is_card_due(asked, number)
    answered = Answered(
        question=count, seat=seat, said=number, due=due, known_to=hearing(asked.asker, asked.answerer, asked.holding)
    )
    if not due:
        return [answered, *_question_over(state, rng)]
    if asked.assistant != "Cook" or (state.options.cook_optional and not state.out[asked.asker]):
        return [answered]
    return [answered, _drawn(state, count, rng), *_question_over(state, rng)]


def _is_card_due(question: Question, number: int) -> bool:
    return number >= 2 and question.holding[question.answerer] != "Psychiatrist"  # ALIBI-31, 32, 46


def _shown(state: State, number: int, card: Card) -> CardShown:
    asked = state.log[number - 1]
    return CardShown(
        question=number,
        seat=asked.answerer,
        to=asked.asker,
        card=card,
        known_to=seeing(asked.asker, asked.answerer, asked.holding),
    )


@lru_cache(maxsize=4096)
def seeing(asker: Seat, answerer: Seat, holding: tuple[Assistant, ...]) -> frozenset[Seat]:
    """Return who sees the card that is shown."""
    captain = {holding.index("Captain")} if "Captain" in holding else set()
    return _both(asker, answerer) | captain  # ALIBI-44


def _drawn(state: State, number: int, rng: Rng) -> CardDrawn:
    asked = state.log[number - 1]
    hand = state.hands[asked.answerer] or ()
    return CardDrawn(
        question=number,
        seat=asked.asker,
        answerer=asked.answerer,
        card=hand[rng.below("drawn card", len(hand))],  # ALIBI-49: from the whole hand
        known_to=_both(asked.asker, asked.answerer),
    )


def _question_over(state: State, rng: Rng) -> list[AnyEvent]:
    """Go on after the answer and its card: to the next turn, unless a card must be named first."""
    phase = _turn_phase(state)
    assert isinstance(phase, _QUESTIONED)
    if state.options.slam_window_s or (phase.last and not state.out[state.on_turn]):
        return []
    return _next_turn(state, state.out, rng)


def _next_turn(state: State, out: tuple[bool, ...], rng: Rng) -> list[AnyEvent]:
    """Discard and replace the chip in use (ALIBI-21), and go on clockwise (ALIBI-15)."""
    seat = (state.on_turn + 1) % len(out)
    while out[seat]:
        seat = (seat + 1) % len(out)
    if state.taken is None:  # ALIBI-23
        return [TurnBegan(seat=seat)]
    chip = state.stack[rng.below("chip", len(state.stack))]
    replaced = ChipReplaced(place=state.taken, chip=chip, reshuffled=len(state.stack) == 1)  # ALIBI-22
    return [replaced, TurnBegan(seat=seat)]


def _guessed(state: State, seat: Seat, action: Slam | Name, rng: Rng) -> list[AnyEvent]:
    card = action.card
    if card == state.missing:
        everybody = _everybody(len(state.out))
        return [
            Slammed(seat=seat, card=card, right=True, known_to=everybody),
            *_ended(state, GameEnded(winner=seat, how="solved")),
        ]
    return [
        Slammed(seat=seat, card=card, right=False, known_to=frozenset({seat})),  # ALIBI-54
        MissingSeen(seat=seat, card=state.missing, known_to=frozenset({seat})),
        *_out(state, seat, rng),
    ]


def _out(state: State, seat: Seat, rng: Rng) -> list[AnyEvent]:
    """Go on without the seat, which is out now."""
    out = _put(state.out, seat, True)
    if out.count(False) == 1:
        return _ended(state, GameEnded(winner=out.index(False), how="last_left"))  # ALIBI-56
    if seat != state.on_turn:
        return []
    match _turn_phase(state):
        case Answering() | Showing() | Replacing() | Pausing():
            return []  # ALIBI-57: what others are owed is still done
        case Choosing():
            over = [] if state.options.slam_window_s else _next_turn(state, out, rng)
            return [_drawn(state, len(state.log), rng), *over]
        case _:
            return _next_turn(state, out, rng)


def _hurried(state: State, _seat: Seat, _action: Hurry, rng: Rng) -> list[AnyEvent]:
    """Draw what the player on turn does up to his question: he loses neither turn nor game (ALIBI-R24)."""
    turn, seat = state.turn, state.on_turn
    events: list[AnyEvent] = [TurnHurried(seat=seat)]
    while state.turn == turn and isinstance(state.phase, Beginning | Changing | Asking | Choosing):
        label = f"hurried, {type(state.phase).__name__}"
        offers = [offer for offer in _IN_TURN[type(state.phase)](state, seat) if offer.action in _DRAWN_FOR]
        action: Any = offers[rng.below(f"{label}: offer", len(offers))].sample(rng, label)
        for event in decide(state, seat, action, rng):
            state = evolve(state, event)
            events.append(event)
    return events


def _ended(state: State, how: GameEnded) -> list[AnyEvent]:
    assert state.missing is not None
    hands = tuple(hand for hand in state.hands if hand is not None)
    tiles = tuple(tile for tile in state.rivals if tile is not None)
    said = tuple(asked.said for asked in state.log if asked.said is not None)
    return [Revealed(missing=state.missing, hands=hands, rivals=tiles, said=said), how]  # ALIBI-R10


def _confirmed(state: State, seat: Seat, action: Confirm, _rng: Rng) -> list[AnyEvent]:
    number = action.question
    asked = state.log[number - 1]
    answerer = asked.answerer
    is_right = asked.said in right_answers(state, asked)
    found = (AnswerConfirmed if is_right else AnswerFoundWrong)(seat=answerer, question=number)
    return [ConfirmationAsked(seat=seat, question=number, answerer=answerer), found]


def _corrected(state: State, seat: Seat, action: Correct, rng: Rng) -> list[AnyEvent]:
    assert isinstance(state.phase, Correcting)
    number, said = state.phase.due[0].question, action.number
    asked = state.log[number - 1]
    assert asked.said is not None
    due = _is_card_due(asked, said) and not _is_card_due(asked, asked.said)
    corrected = AnswerCorrected(
        seat=seat, question=number, said=said, due=due, known_to=hearing(asked.asker, asked.answerer, asked.holding)
    )
    return [corrected, _drawn(state, number, rng)] if due and asked.assistant == "Cook" else [corrected]


def _accused(state: State, seat: Seat, action: Accuse, rng: Rng) -> list[AnyEvent]:
    asked = [state.log[number - 1] for number in action.questions]
    is_right = any(question.said not in right_answers(state, question) for question in asked)
    claimed = TreacheryClaimed(seat=seat, accused=action.accused, questions=action.questions, right=is_right)
    if is_right:
        return [claimed, *_ended(state, GameEnded(winner=seat, how="treachery"))]  # ALIBI-71
    return [claimed, *_out(state, seat, rng)]  # ALIBI-72


# A table, as of the folds.
_DEEDS: Final[Mapping[type[AnyAction], Callable[[State, Seat, Any, Rng], list[AnyEvent]]]] = {
    PickAssistant: _pick,
    TakeChip: _chip_chosen,
    ChangeAssistant: _change_assistant,
    TakeReplacement: _take_replacement,
    Ask: _ask_by_chip,
    AskFreely: _ask_freely,
    AskLast: _ask_last,
    Answer: _said,
    Announce: _said,
    Show: _show,
    DrawCard: _draw_card,
    LetShow: _let_show,
    Name: _guessed,
    Slam: _guessed,
    Confirm: _confirmed,
    Correct: _corrected,
    ShowLate: _show_late,
    Accuse: _accused,
    RunOut: _run_out,
    Hurry: _hurried,
    GoOn: _go_on,
}
assert _DEEDS.keys() == set(get_args(AnyAction)), "no action may be forgotten"


# --- Who is waited for, and how it ended -------------------------------------------------------------------------

_NOBODY: Final[frozenset[Seat]] = frozenset()
_ALONE: Final = tuple(frozenset({seat}) for seat in (*range(INFO.seats[1]), TABLE))


def awaiting(view: State) -> frozenset[Seat]:
    """Return the one seat that the table waits for; TABLE while it waits for slams alone."""
    phase = view.phase
    if type(phase) is Correcting:
        return _ALONE[phase.due[0].seat]
    return _NOBODY if type(phase) is Over or type(phase) is Dealing else _ALONE[_awaited(view, phase)]


def _awaited(view: State, phase: Phase) -> Seat:
    if type(phase) is Answering or type(phase) is Showing or type(phase) is Replacing:
        return phase.answerer
    return TABLE if type(phase) is Pausing else view.on_turn


def informed(view: State) -> frozenset[Seat]:
    """Return who has looked at the missing card: not everybody who is out has (ALIBI-54, 72)."""
    return frozenset(view.informed)


def outcome(view: State) -> Outcome | None:
    """Return the result once there is one."""
    phase = view.phase
    return Outcome(winners=(phase.winner,), how=phase.how) if type(phase) is Over else None
