"""Section 4.1 of the rules: players and setup."""

import pytest

from tests.games.clue.staging import ACCUSE, CLUE, ROLL, at_of, deal_of, stack, stage
from whodunit.core.errors import BadOptions
from whodunit.core.rng import Result, Rng, StackedRng
from whodunit.core.types import TABLE
from whodunit.games.clue.facts import PACK, ROOMS, STARTS, SUSPECTS, WEAPONS, Card, Suspect
from whodunit.games.clue.model import (
    Beginning,
    Dealing,
    EnvelopeFilled,
    HandDealt,
    Opened,
    Options,
    SideCardsLaid,
    State,
    Trio,
    TurnBegan,
    WeaponsPlaced,
)

pytestmark = pytest.mark.rules

HANDS: tuple[tuple[Card, ...], ...] = (
    ("Mustard", "White", "LeadPipe", "Lounge", "Library", "Kitchen"),
    ("Green", "Peacock", "Rope", "Wrench", "Study", "Hall"),
    ("Plum", "Candlestick", "Revolver", "BilliardRoom", "Conservatory", "Ballroom"),
)
ENVELOPE = "Scarlet Knife DiningRoom"


def test_the_opening_is_told_in_this_order() -> None:
    """CLUE-6, CLUE-7: nobody knows the envelope, and each hand is known to its holder alone."""
    draws = stack(deal_of(ENVELOPE, [" ".join(hand) for hand in HANDS]))
    weapons = {"weapons": (8, 7, 6, 5, 4, 3, 2, 1, 0)}

    assert CLUE.setup(3, Options(), StackedRng(b"", 1, draws | weapons)) == [
        Opened(game="clue", rules=1, seats=3, options=Options(), tokens=("Scarlet", "Mustard", "White"), starter=0),
        WeaponsPlaced(rooms=("Kitchen", "Ballroom", "Conservatory", "DiningRoom", "BilliardRoom", "Library")),
        EnvelopeFilled(trio=Trio("Scarlet", "Knife", "DiningRoom"), known_to=frozenset()),
        HandDealt(seat=0, size=6, cards=HANDS[0], known_to=frozenset({0})),
        HandDealt(seat=1, size=6, cards=HANDS[1], known_to=frozenset({1})),
        HandDealt(seat=2, size=6, cards=HANDS[2], known_to=frozenset({2})),
        TurnBegan(seat=0),
    ]


def test_the_table_stands_as_the_opening_laid_it() -> None:
    """CLUE-3, CLUE-9: all six tokens on their starts, nobody marked, nobody out, Scarlet's owner on turn."""
    game = stage([" ".join(hand) for hand in HANDS], ENVELOPE, weapon_rooms=ROOMS[:6])

    assert game.state == State(
        options=Options(weapon_rooms=ROOMS[:6]),
        tokens=("Scarlet", "Mustard", "White"),
        turn=1,
        on_turn=0,
        phase=Beginning(),
        places=tuple(STARTS[suspect] for suspect in SUSPECTS),
        weapons=ROOMS[:6],
        envelope=Trio("Scarlet", "Knife", "DiningRoom"),
        sizes=(6, 6, 6),
        hands=HANDS,
        side=(),
        looked=((), (), ()),
        summoned=(None, None, None),
        out=(False, False, False),
    )
    assert game.offers(0) == [ROLL, ACCUSE]
    assert game.awaiting() == {0}
    assert game.outcome() is None


def test_while_the_table_is_laid_nobody_is_waited_for() -> None:
    """CLUE-7: until the first turn begins there is nothing to do."""
    opened, *_ = stage().events
    laying = CLUE.evolve(None, opened)

    assert laying == State(
        options=Options(),
        tokens=("Scarlet", "Mustard", "White"),
        turn=0,
        on_turn=0,
        phase=Dealing(),
        places=tuple(STARTS[suspect] for suspect in SUSPECTS),
        weapons=(),
        envelope=None,
        sizes=(0, 0, 0),
        hands=(None, None, None),
        side=(),
        looked=((), (), ()),
        summoned=(None, None, None),
        out=(False, False, False),
    )
    assert [CLUE.legal(laying, seat) for seat in range(3)] == [(), (), ()]
    assert CLUE.awaiting(laying) == frozenset()
    assert CLUE.outcome(laying) is None
    with pytest.raises(ValueError, match="once"):
        CLUE.evolve(laying, opened)


@pytest.mark.parametrize(("seats", "sizes"), [
    (2, (9, 9)),
    (3, (6, 6, 6)),
    (4, (5, 5, 4, 4)),
    (5, (4, 4, 4, 3, 3)),
    (6, (3, 3, 3, 3, 3, 3)),
])  # fmt: skip
@pytest.mark.parametrize("first", [0, 1])
def test_the_cards_are_dealt_singly_until_none_is_left(seats: int, sizes: tuple[int, ...], first: int) -> None:
    """CLUE-1, CLUE-7, CLUE-8, CLUE-T21: hands and envelope make up the pack; sizes counted from the first player."""
    game = stage([""] * seats, starter=first)
    state = game.state

    assert state.sizes[first:] + state.sizes[:first] == sizes
    assert tuple(len(hand) for hand in state.hands) == state.sizes
    assert sorted([*state.envelope.cards, *(card for hand in state.hands for card in hand)]) == sorted(PACK)
    assert state.on_turn == first


@pytest.mark.parametrize("seats", [0, 1, 7])
def test_one_or_seven_players_make_no_game(seats: int) -> None:
    """CLUE-1, ruling A1: two to six players."""
    with pytest.raises(BadOptions, match=f"2 to 6 players, not for {seats}"):
        CLUE.INFO.parse(seats, {})
    with pytest.raises(BadOptions, match=f"2 to 6 players, not for {seats}"):
        CLUE.setup(seats, Options(), Rng(b"", 1))


def test_the_first_card_goes_to_the_player_who_moves_first() -> None:
    """CLUE-7, CLUE-8, ruling A4: singly and clockwise from the starting player."""
    rest = [card for card in PACK if card not in ("White", "Rope", "Study")]
    draws: dict[str, Result] = {
        "envelope suspect": 2,
        "envelope weapon": 0,
        "envelope room": 0,
        "deck": tuple(range(18)),
    }

    events = CLUE.setup(4, Options(starter=2), StackedRng(b"", 1, draws))
    hands = {event.seat: event for event in events if isinstance(event, HandDealt)}

    assert hands[2].cards == tuple(rest[0::4])
    assert hands[3].cards == tuple(rest[1::4])
    assert hands[0].cards == tuple(rest[2::4])
    assert hands[1].cards == tuple(rest[3::4])
    assert [hands[seat].size for seat in range(4)] == [4, 4, 5, 5]
    assert events[-1] == TurnBegan(seat=2)


def test_each_draw_covers_its_whole_range() -> None:
    """CLUE-5, CLUE-6, CLUE-7, ruling A3: each kind is drawn from all its cards, the deck from the other 18."""
    rng = Rng(b"any", 1)

    CLUE.setup(4, Options(), rng)

    assert sorted((draw.label, draw.kind, draw.range) for draw in rng.draws) == [
        ("deck", "shuffled", 18),
        ("envelope room", "below", 9),
        ("envelope suspect", "below", 6),
        ("envelope weapon", "below", 6),
        ("weapons", "shuffled", 9),
    ]


def test_weapons_begin_in_six_different_rooms() -> None:
    """CLUE-5, ruling A3: drawn, or where the players want them, and then nothing is drawn."""
    for number in range(1, 6):
        (placed,) = (e for e in CLUE.setup(3, Options(), Rng(b"x", number)) if isinstance(e, WeaponsPlaced))
        assert len(placed.rooms) == len(set(placed.rooms)) == len(WEAPONS)
        assert set(placed.rooms) <= set(ROOMS)

    wanted = ("Hall", "Study", "Kitchen", "Library", "Lounge", "Ballroom")
    game = stage(weapon_rooms=wanted)
    assert game.state.weapons == wanted
    assert game.weapon("Rope") == "Hall"
    assert game.weapon("Revolver") == "Ballroom"


def test_each_player_owns_one_token_and_sits_where_it_starts() -> None:
    """CLUE-2, CLUE-4, ruling A2: seats run clockwise, leaving out the tokens nobody owns."""
    game = stage(["", "", ""], tokens=("Mustard", "Green", "Plum"))

    assert game.state.tokens == ("Mustard", "Green", "Plum")
    game.walk(0, 1, (7, 22))
    assert game.place("Mustard") == (7, 22)
    assert game.place("Scarlet") == (0, 16)


@pytest.mark.parametrize("tokens", [
    ("Scarlet", "Scarlet", "Plum"),
    ("Plum", "Scarlet", "White"),
    ("Scarlet", "White"),
    ("Scarlet", "White", "Green", "Plum"),
])  # fmt: skip
def test_no_two_players_share_a_token_and_none_goes_without(tokens: tuple[Suspect, ...]) -> None:
    """CLUE-2, CLUE-4: three players own three different tokens, clockwise."""
    with pytest.raises(BadOptions, match=r"tokens must name 3 different suspects clockwise.*CLUE-4"):
        CLUE.setup(3, Options(tokens=tokens), Rng(b"", 1))


def test_all_six_tokens_are_on_the_board_for_two_players() -> None:
    """CLUE-3: whatever the number of players."""
    assert [at_of(place) for place in stage(["", ""]).state.places] == [
        (0, 16), (7, 23), (24, 14), (24, 9), (18, 0), (5, 0),
    ]  # fmt: skip


@pytest.mark.parametrize(("tokens", "first"), [
    (("Scarlet", "Green"), "Scarlet"),
    (("Mustard", "Plum"), "Mustard"),
    (("Green", "Peacock"), "Green"),
])  # fmt: skip
def test_scarlet_moves_first_or_else_the_first_owned_token(tokens: tuple[Suspect, ...], first: Suspect) -> None:
    """CLUE-9, ruling A2: the first owned token in the order of CLUE-4."""
    game = stage(["", ""], tokens=tokens)

    assert game.state.tokens[game.state.on_turn] == first
    assert game.offers(1) == []


@pytest.mark.parametrize("starter", [0, 1, 2, 3])
def test_in_a_series_the_start_moves_one_seat_to_the_left(starter: int) -> None:
    """CLUE-8, CLUE-10, ruling A21: seats and tokens stay; sizes are counted from the new starting player."""
    game = stage([""] * 4, tokens=("Scarlet", "White", "Green", "Plum"), starter=starter)

    assert game.state.tokens == ("Scarlet", "White", "Green", "Plum")
    assert game.state.on_turn == starter
    assert game.events[0].starter == starter
    assert [game.state.sizes[(starter + turn) % 4] for turn in range(4)] == [5, 5, 4, 4]
    assert game.awaiting() == {starter}


def test_a_later_first_player_keeps_the_turn_order() -> None:
    """CLUE-10, CLUE-12: after the starting player it is the turn of the seat to the left."""
    game = stage([""] * 4, starter=3).pass_by(3)

    assert game.state.on_turn == 0


def test_side_cards_are_laid_before_the_deal() -> None:
    """CLUE-V5: the top four of the 18 mixed cards, known to nobody; the other 14 are dealt."""
    draws: dict[str, Result] = {
        "envelope suspect": 2,
        "envelope weapon": 0,
        "envelope room": 0,
        "deck": tuple(range(18)),
    }
    rest = [card for card in PACK if card not in ("White", "Rope", "Study")]

    events = CLUE.setup(2, Options(two_player_side_cards=4), StackedRng(b"", 1, draws))

    assert events[3:-1] == [
        SideCardsLaid(count=4, cards=tuple(rest[:4]), known_to=frozenset()),
        HandDealt(seat=0, size=7, cards=tuple(rest[4::2]), known_to=frozenset({0})),
        HandDealt(seat=1, size=7, cards=tuple(rest[5::2]), known_to=frozenset({1})),
    ]


def test_without_the_variant_there_is_no_side_row() -> None:
    """CLUE-V5 is off unless configured: two players hold nine cards each."""
    game = stage(["", ""])

    assert not [event for event in game.events if isinstance(event, SideCardsLaid)]
    assert game.state.sizes == (9, 9)
    assert game.view(TABLE).side == ()
