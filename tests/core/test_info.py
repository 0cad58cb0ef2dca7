"""Options: typed, refused with a reason, and described for a lobby."""

from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from whodunit.core.errors import BadOptions
from whodunit.core.info import Info, Option, Options, house_rule, one_of, variant
from whodunit.core.types import Action, Event, Seat


class Rules(Options, frozen=True):
    dealer: Annotated[Annotated[int, one_of(4)] | None, house_rule("TOY-5")] = None
    limit: Annotated[Annotated[int, Meta(ge=1, le=9)] | None, house_rule("TOY-9")] = None
    dice: Annotated[Literal[1, 2], variant("TOY-V1")] = 1
    loud: Annotated[bool, variant("TOY-V2")] = False
    colours: Annotated[tuple[Literal["red", "blue"], ...], house_rule("TOY-3")] = ()


class State(Struct, frozen=True):
    turn: int
    on_turn: Seat
    options: Options
    phase: Struct


INFO = Info(id="toy", rules=1, seats=(2, 4), options=Rules, action=Action, event=Event, state=State)


def test_options_that_fit_are_taken() -> None:
    assert INFO.parse(2, {"dice": 2, "colours": ["red"], "limit": None}) == Rules(dice=2, colours=("red",))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"size": 3}, "toy has no option 'size'; it has: dice, loud, dealer, limit, colours"),
        ({"dice": 3}, "dice"),
        ({"dice": "2"}, "dice"),
        ({"loud": 1}, r"Expected `bool`, got `int` - at `\$.loud`"),
        ({"dealer": 4}, r"Expected `int` <= 3 - at `\$.dealer`"),
        ({"limit": 0}, r"Expected `int` >= 1 - at `\$.limit`"),
        ({"colours": ["green"]}, "colours"),
    ],
)
def test_options_that_do_not_fit_are_refused_by_name(options: dict[str, object], told: str) -> None:
    with pytest.raises(BadOptions, match=told):
        INFO.parse(2, options)


@pytest.mark.parametrize("seats", [1, 5, -1, True, "3", 2.0])
def test_a_wrong_number_of_seats_is_refused(seats: int) -> None:
    with pytest.raises(BadOptions, match="toy is for 2 to 4 players, not for"):
        INFO.parse(seats, {})


def test_what_is_for_bots_is_refused_where_people_sit() -> None:
    quick = msgspec.structs.replace(INFO, without_people={"dice": (2,)})

    assert quick.parse(2, {"dice": 2}) == Rules(dice=2)
    assert quick.parse(2, {"dice": 1, "loud": True}, people=True) == Rules(loud=True)
    with pytest.raises(BadOptions, match="toy: dice 2 is not for people"):
        quick.parse(2, {"dice": 2}, people=True)
    assert quick.describe()[0].values == (1, 2)
    assert quick.describe(people=True)[0].values == (1,)
    assert quick.describe(people=True)[1:] == INFO.describe()[1:]


def test_a_lobby_shows_variants_first() -> None:
    assert INFO.describe() == (
        Option("dice", "choice", 1, "TOY-V1", True, values=(1, 2)),
        Option("loud", "switch", False, "TOY-V2", True),
        Option("dealer", "seat", None, "TOY-5", False, values=(0, 1, 2, 3), optional=True),
        Option("limit", "number", None, "TOY-9", False, least=1, most=9, optional=True),
        Option("colours", "list", (), "TOY-3", False, values=("blue", "red")),
    )


def test_an_option_that_is_neither_variant_nor_house_rule_is_a_bug() -> None:
    class Careless(Options, frozen=True):
        size: int = 1

    info = Info(id="toy", rules=1, seats=(2, 4), options=Careless, action=Action, event=Event, state=State)
    with pytest.raises(TypeError, match="the option size is marked neither"):
        info.describe()
