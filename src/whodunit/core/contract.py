"""What a game must bring, what it may leave out, and what stands in for that."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from types import MappingProxyType, ModuleType
from typing import Any, Final, cast

from whodunit.core.info import Info
from whodunit.core.judging import Choice, Measure, Prospect, Reply, three_best
from whodunit.core.rng import Rng
from whodunit.core.telling import Teller
from whodunit.core.types import NOBODY, Action, Game, GameModule, Message, Param, Seat, StandingOrder, Term

CONSIDERED: Final = 24
"""So many actions of each offer are worth thinking about, where the game's own sense does not say which."""
GUESSED: Final = 1000
"""So many final guesses are looked through for one that is certain."""
GRADED: Final = 400
"""Where more than so many questions are on offer, a game's own `choice` must say which of them are worth weighing."""
BLUNDER: Final = Measure(loss=0.5, share=0.45)
"""When a question is a blunder, in bits, where a game does not say so itself."""


class Incomplete(TypeError):
    """A module lacks something without which it is no game."""


def complete(module: ModuleType) -> Game:
    """Return the module as a game, with the default of whatever it may leave out, or say what it lacks."""
    # A file `tell.py` is a part of the package too, and no function.
    given = {name: part for name, part in vars(module).items() if not isinstance(part, ModuleType)}
    if not isinstance(given.get("INFO"), Info):
        raise Incomplete(f"{module.__name__} has no INFO: {_purpose('INFO')}")
    lines = given.get("TELL")
    made: Mapping[str, Callable[..., Any]] = {} if lines is None else {"tell": Teller(lines)}
    if missing := [name for name in REQUIRED if name not in given and name not in made]:
        told = "; ".join(f"{name}: {_purpose(name)}" for name in missing)
        raise Incomplete(f"{module.__name__} lacks {len(missing)} of its functions. {told}")
    left_out = {name: default for name, default in DEFAULTS.items() if name not in given}
    if not left_out and not made:
        return cast(Game, module)
    whole = ModuleType(module.__name__, module.__doc__)
    vars(whole).update(
        {name: partial(default, cast(Game, whole)) for name, default in left_out.items()} | {**made} | given
    )
    return cast(Game, whole)


def _purpose(name: str) -> str:
    """Return the first sentence of what the contract says about a part of a game."""
    part = getattr(Game, name)
    text: str | None = (part.fget if isinstance(part, property) else part).__doc__
    assert text is not None, f"the contract says what {name} is for"
    return text.partition("\n")[0]


# --- Defaults ------------------------------------------------------------------------------------------------------


def _informed(_game: Game, _view: Any, /) -> frozenset[Seat]:
    """Nobody is shown the solution before the end."""
    return NOBODY


def _plan(_game: Game, *_: Any) -> None:
    """Nobody plans: `worth` goes by rules of thumb."""


def _urge(_game: Game, *_: Any) -> Sequence[Action]:
    """Nobody interrupts."""
    return ()


def _habit(
    game: Game, view: Any, seat: Seat, _confided: Iterable[Any], rng: Rng, _order: StandingOrder | None = None, /
) -> Action:
    """Answer by an even choice among all answers on offer."""
    offers = [offer for offer in game.legal(view, seat) if offer.action in game.INFO.answers]
    index = rng.below("habit", sum(offer.count for offer in offers))
    for offer in offers:
        if index < offer.count:
            return offer.at(index)
        index -= offer.count
    raise ValueError(f"seat {seat} is asked and has no answer")


def _consider(game: Game, view: Any, seat: Seat, belief: Any, rng: Rng, /) -> Sequence[Action]:
    """Think about every action of a small offer and some of a large one; of final guesses only those that are certain.

    Where nothing but final guesses is on offer, think about those: one of them must be made.
    """
    offers = [offer for offer in game.legal(view, seat) if offer.action not in game.INFO.interrupts]
    stakes = [offer for offer in offers if offer.action in game.INFO.final]
    worthy: list[Action] = []
    for offer in offers:
        if offer in stakes:
            worthy += [guess for guess in islice(offer.actions(), GUESSED) if belief.chance(guess) == 1]
        elif offer.count <= CONSIDERED:
            worthy += offer.actions()
        else:
            places = {rng.below(f"{offer.action.__name__} {nth}", offer.count) for nth in range(CONSIDERED)}
            worthy += [offer.at(place) for place in sorted(places)]
    return worthy or [guess for offer in stakes for guess in islice(offer.actions(), GUESSED)]


def _worth(_game: Game, *_: Any) -> float:
    """Nothing is worth anything but what it tells."""
    return 0.0


def _choice(game: Game, view: Any, seat: Seat, belief: Any, action: Action, /) -> Choice | None:
    """Weigh questions by what they may be expected to tell; nothing else is graded."""
    info = game.INFO
    others = (*info.answers, *info.final, *info.interrupts)
    offers = [offer for offer in game.legal(view, seat) if offer.action not in others]
    if type(action) in others or sum(offer.count for offer in offers) > GRADED:
        return None
    prospects = [
        Prospect(question, gain, gain)
        for offer in offers
        for question in offer.actions()
        for gain in (belief.gain(question),)
    ]
    taken = next((prospect for prospect in prospects if prospect.action == action), None)
    if taken is None:
        return None
    gains = [prospect.gain for prospect in prospects]
    return Choice(
        kind="question",
        unit="bits",
        taken=taken,
        best=three_best(prospects, taken),
        spread=max(gains) - min(gains),
        typical=sum(gains) / len(gains),
        offered=max(gains),
        measure=BLUNDER,
        replies=belief.replies(action),
        assumes=belief.assumes(),
    )


def _ahead(_game: Game, *_: Any) -> tuple[Reply, ...]:
    """Nothing is looked forward to."""
    return ()


def _tell_action(game: Game, action: Action, /) -> Message:
    """Say the action by its line in the table TELL; without one, name it, and list what it names."""
    if isinstance(game.tell, Teller) and type(action) in game.tell.lines:
        return game.tell(action)
    return Message(f"action.{type(action).__name__}", {name: _param(getattr(action, name)) for name in _fields(action)})


def _observed(_game: Game, *_: Any) -> None:
    """Nothing can be seen as numbers."""


def _space(_game: Game, *_: Any) -> None:
    """Nobody says which actions there are, so they have no numbers."""


def _fields(action: Action) -> tuple[str, ...]:
    return action.__struct_fields__


def _param(value: Any) -> Param:
    if isinstance(value, tuple):
        return tuple(Term(str(part)) for part in value)
    return value if isinstance(value, int) else Term(str(value))


DEFAULTS: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType(
    {
        "informed": _informed,
        "plan": _plan,
        "urge": _urge,
        "habit": _habit,
        "consider": _consider,
        "worth": _worth,
        "choice": _choice,
        "ahead": _ahead,
        "tell_action": _tell_action,
        "observed": _observed,
        "space": _space,
    }
)
"""What a game may leave out, and what happens then."""
REQUIRED: Final = (
    *(name for name, part in vars(GameModule).items() if callable(part) and not name.startswith("_")),
    "tell",
)
"""What every game brings besides INFO; instead of `tell` it may bring a table TELL."""
