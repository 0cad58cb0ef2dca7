"""Material and setup: section 3.1 and 3.2."""

from collections import Counter
from typing import Any

import pytest

from tests.games.perfect_alibi.staging import ALIBI, Deal, Staged, dealt, refused, stack
from whodunit.core.errors import BadOptions
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Seat
from whodunit.games.perfect_alibi.facts import (
    ASSISTANTS,
    ELEMENTS,
    LETTERS,
    LOCATIONS,
    PACK,
    PARTS,
    TIMES,
    WITH,
    passenger,
)
from whodunit.games.perfect_alibi.model import (
    AssistantPicked,
    Beginning,
    CardHidden,
    CardsOpened,
    Chip,
    HandDealt,
    Opened,
    PickAssistant,
    Picking,
    RivalDealt,
    RowLaid,
    Slam,
    TurnBegan,
)

pytestmark = pytest.mark.rules

NONE = {3: ("",) * 3, 4: ("",) * 4, 5: ("",) * 5}


def pick_all(game: Staged) -> list[Seat]:
    """Let everybody pick the first assistant of the pool; return in what order they did."""
    order = []
    while isinstance(game.state.phase, Picking):
        (seat,) = game.awaiting()
        game.play(seat, PickAssistant(game.state.pool[0]))
        order.append(seat)
    return order


@pytest.mark.parametrize("seats", [2, 6])
def test_three_to_five_play(seats: int) -> None:
    """ALIBI-1."""
    with pytest.raises(BadOptions, match=f"perfect_alibi is for 3 to 5 players, not for {seats}"):
        ALIBI.INFO.parse(seats, {})


def test_every_pair_of_time_and_location_is_one_card() -> None:
    """ALIBI-2."""
    assert len(set(PACK)) == 16
    assert set(PARTS.values()) == {(location, time) for location in LOCATIONS for time in TIMES}
    assert all(len(WITH[element]) == 4 for element in ELEMENTS)
    assert WITH["Bar"] == ("Bar-3", "Bar-6", "Bar-9", "Bar-12")
    assert TIMES == ("3", "6", "9", "12")
    assert LOCATIONS == ("Bar", "Restaurant", "SunDeck", "Library")


def test_passengers_are_at_every_time_in_another_place() -> None:
    """Section 8: decoration."""
    for time in TIMES:
        assert {passenger(card) for card in WITH[time]} == {"Albert", "Beatrice", "Conrad", "Dora"}
    for location in LOCATIONS:
        assert len({passenger(card) for card in WITH[location]}) == 4


@pytest.mark.parametrize(("seats", "number"), [(3, 18), (4, 24), (5, 30)])
def test_six_chips_of_every_colour_in_play(seats: int, number: int) -> None:
    """ALIBI-3: two wheels, two clocks, and one of each with arrows."""
    game = dealt(NONE[seats])
    chips = Counter([*game.state.row, *game.state.stack])

    assert chips.total() == number
    assert {chip.colour for chip in chips} == set(("yellow", "blue", "green", "red", "white")[:seats])
    for colour in game.state.colours:
        assert chips[Chip(colour, "wheel", False)] == chips[Chip(colour, "clock", False)] == 2
        assert chips[Chip(colour, "wheel", True)] == chips[Chip(colour, "clock", True)] == 1


def test_each_assistant_exists_once_and_starts_in_the_pool() -> None:
    """ALIBI-4, ALIBI-9."""
    assert ASSISTANTS == ("Journalist", "Captain", "Psychiatrist", "Priest", "Cook")
    assert "".join(LETTERS[assistant] for assistant in ASSISTANTS) == "ABCDE"
    assert dealt().state.pool == ASSISTANTS
    assert dealt().state.assistants == (None, None, None)


@pytest.mark.parametrize(("seats", "size", "opened"), [(3, 5, 0), (4, 3, 3), (5, 3, 0)])
def test_the_deal(seats: int, size: int, opened: int) -> None:
    """ALIBI-5, ALIBI-6, ALIBI-7, ALIBI-P11."""
    game = dealt(NONE[seats])
    state = game.state

    assert state.sizes == (size,) * seats
    assert [len(hand) for hand in state.hands] == [size] * seats
    assert len(state.open) == opened
    assert sorted([state.missing, *state.open, *(card for hand in state.hands for card in hand)]) == sorted(PACK)


def test_who_knows_the_deal() -> None:
    """ALIBI-5, ALIBI-6, ALIBI-7: the missing card nobody, a hand its owner, sizes and open cards everybody."""
    game = dealt(NONE[4])

    for viewer in (0, 1, 2, 3, TABLE):
        view = game.view(viewer)
        assert view.missing is None
        assert view.sizes == (3, 3, 3, 3)
        assert [seat for seat, hand in enumerate(view.hands) if hand is not None] == ([] if viewer < 0 else [viewer])
        assert view.open == game.state.open
        assert len(view.open) == 3


def test_the_deal_is_the_draw() -> None:
    """ALIBI-5, ALIBI-6: hands in the order dealt, each sorted; what is left over lies open."""
    deal = Deal("Bar-3", (PACK[1:4], PACK[4:7], PACK[7:10], PACK[10:13]))
    events = Staged(4, ALIBI.INFO.parse(4, {}), stack(deal)).events
    hands = [event for event in events if isinstance(event, HandDealt)]

    assert [event.cards for event in hands] == list(deal.hands)
    assert [(event.seat, event.size, event.known_to) for event in hands] == [(s, 3, frozenset({s})) for s in range(4)]
    assert [event.cards for event in events if isinstance(event, CardsOpened)] == [PACK[13:]]
    assert [(event.card, event.known_to) for event in events if isinstance(event, CardHidden)] == [
        ("Bar-3", frozenset())
    ]


def test_every_draw_of_the_deal_is_possible() -> None:
    """ALIBI-5: any of the sixteen."""
    games = [ALIBI.setup(3, ALIBI.INFO.parse(3, {}), Rng(b"deal", number)) for number in range(200)]
    hidden = {event.card for events in games for event in events if isinstance(event, CardHidden)}

    assert hidden == set(PACK)


def test_note_sheets_are_the_players_own() -> None:
    """ALIBI-8: a sheet is made from what its owner saw."""
    game = dealt()
    belief = ALIBI.belief(0)
    for event in game.seen(0):
        belief = belief.learn(event)

    own = {cell.row for cell in belief.sheet("facts").cells if (cell.column, cell.mark) == ("0", "yes")}
    assert own == set(game.state.hands[0])


def test_four_chips_lie_in_the_order_drawn() -> None:
    """ALIBI-10: drawn one by one from what is left; the stack's size and content are no secret."""
    game = dealt(draws={"chip 1": 0, "chip 2": 0, "chip 3": 15, "chip 4": 14})
    laid = next(event for event in game.events if isinstance(event, RowLaid))
    wheel = Chip("yellow", "wheel", False)

    assert laid.chips == (wheel, wheel, Chip("green", "clock", True), Chip("green", "wheel", True))
    assert game.state.row == laid.chips
    assert len(game.state.stack) == 14
    assert game.view(TABLE).stack == game.state.stack
    assert wheel not in game.state.stack


def test_rival_tiles_are_dealt_face_down() -> None:
    """ALIBI-11, ALIBI-62: each player knows his own; left-overs nobody."""
    game = dealt(rivals="EBD")

    assert game.state.rivals == ("Cook", "Captain", "Priest")
    for viewer in (0, 1, 2, TABLE):
        tiles = game.view(viewer).rivals
        assert tiles == tuple(tile if seat == viewer else None for seat, tile in enumerate(game.state.rivals))
    kinds = [type(event) for event in game.events]
    assert kinds.index(RivalDealt) < kinds.index(RowLaid)
    assert dealt().state.rivals == ()
    assert RivalDealt not in {type(event) for event in dealt().events}


@pytest.mark.parametrize(("place", "first"), [(0, 0), (6, 1), (12, 2)])
def test_the_first_chip_names_the_first_picker(place: int, first: Seat) -> None:
    """ALIBI-12."""
    game = dealt(draws={"chip 1": place})

    assert game.awaiting() == {first}
    assert game.last[-1].first == first
    assert isinstance(game.state.phase, Picking)


@pytest.mark.parametrize(
    ("seats", "chip", "order", "turns"),
    [(5, 12, [2, 1, 0, 4, 3], [3, 4, 0, 1, 2]), (3, 0, [0, 2, 1], [1, 2, 0])],
)
def test_picking_goes_round_the_other_way(seats: int, chip: int, order: list[Seat], turns: list[Seat]) -> None:
    """ALIBI-13, ALIBI-14, ALIBI-E1, ALIBI-E2: the last to pick begins."""
    game = dealt(NONE[seats], draws={"chip 1": chip})

    assert pick_all(game) == order
    assert game.kinds() == ["AssistantPicked", "TurnBegan"]
    assert isinstance(game.state.phase, Beginning)
    assert game.state.turn == 1
    assert game.awaiting() == {turns[0]}
    assert game.state.on_turn == turns[0] == (order[0] + 1) % seats


@pytest.mark.parametrize(("seats", "left"), [(3, 2), (4, 1), (5, 0)])
def test_unpicked_assistants_stay_in_the_pool(seats: int, left: int) -> None:
    """ALIBI-13, ALIBI-41."""
    game = dealt(NONE[seats])
    pick_all(game)

    assert len(game.state.pool) == left
    assert None not in game.state.assistants


def test_only_what_lies_in_the_pool_can_be_picked() -> None:
    """ALIBI-13."""
    game = dealt(draws={"chip 1": 0})
    game.play(0, PickAssistant("Cook"))

    assert game.last == [AssistantPicked(seat=0, assistant="Cook")]
    assert game.awaiting() == {2}
    assert refused(game, 2, PickAssistant("Cook"))
    assert refused(game, 1, PickAssistant("Priest"))
    assert game.state.assistants == ("Cook", None, None)


def test_nobody_slams_before_the_first_turn() -> None:
    """ALIBI-50: from the first turn on."""
    game = dealt()

    assert all(refused(game, seat, Slam("Bar-3")) for seat in range(3))
    pick_all(game)
    assert [type(event) for event in game.last] == [AssistantPicked, TurnBegan]
    game.play(2, Slam(game.state.missing))
    assert game.outcome() is not None


def test_the_opening_names_the_game() -> None:
    opened = dealt().events[0]

    assert opened == Opened(
        game="perfect_alibi", rules=2, seats=3, options=ALIBI.INFO.parse(3, {}), colours=("yellow", "blue", "green")
    )


def test_other_colours_and_other_chips() -> None:
    """ALIBI-1, ALIBI-3: each seat has the colour it was given."""
    options: dict[str, Any] = {"colours": ("white", "red", "blue"), "wheel_chips": 0, "clock_chips": 6}
    game = dealt(**options, wheel_arrow_chips=0, clock_arrow_chips=0, draws={"chip 1": 0})

    assert game.state.colours == ("white", "red", "blue")
    assert set(game.state.row) | set(game.state.stack) == {Chip(c, "clock", False) for c in options["colours"]}
    assert game.awaiting() == {0}
