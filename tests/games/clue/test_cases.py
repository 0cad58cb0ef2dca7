"""Section 6 of the rules: every worked case, CLUE-T1 to CLUE-T30, in its order."""

import pytest

from tests.games.clue.staging import (
    ACCUSE,
    CANNOT_SHOW,
    END_TURN,
    NO_MOVE,
    PASSAGE,
    ROLL,
    At,
    Staged,
    ends,
    entered,
    refused,
    show,
    stage,
    stay_in,
    suggest_in,
)
from whodunit.core.types import TABLE, Outcome
from whodunit.games.clue.facts import PACK, Room, Suspect
from whodunit.games.clue.model import (
    Accuse,
    CannotShow,
    CardShown,
    CouldNotShow,
    EndTurn,
    LookAside,
    NoMove,
    Roll,
    Show,
    SideCardSeen,
    StayAndSuggest,
    Suggest,
    TakePassage,
    TurnBegan,
)

pytestmark = pytest.mark.rules

WRONG = Accuse("Plum", "Rope", "Hall")


def rooms_of(places: set[At]) -> set[At]:
    return {place for place in places if isinstance(place, str)}


def squares_of(places: set[At]) -> set[At]:
    return places - rooms_of(places)


def test_scarlet_walks_to_the_lounge_in_two_moves() -> None:
    """CLUE-T1, CLUE-21, CLUE-26, CLUE-27: the distance is 8."""
    game = stage(["", ""]).throw(0, 6)
    assert game.ends() == {(1, 15), (2, 16), (3, 15), (4, 16), (5, 15), (6, 16)}

    game.go(0, (6, 16)).play(0, EndTurn()).pass_by(1).throw(0, 2)

    assert "Lounge" in game.ends()
    assert "Lounge" not in ends((6, 16), 1)
    for first in range(1, 7):
        for stop in ends((0, 16), first):
            assert all("Lounge" not in ends(stop, second) for second in range(1, min(7, 8 - first)))


def test_the_lounge_suggestion() -> None:
    """CLUE-T2, CLUE-33, CLUE-34, CLUE-36, CLUE-38: tokens come before any answer, and stay."""
    game = entered("Lounge", ["", "", "", "Wrench"])
    assert game.place("Green") == (24, 9)
    assert refused(game, 0, Suggest("Green", "Wrench", "Hall"))

    game.play(0, Suggest("Green", "Wrench", "Lounge"))
    assert (game.place("Green"), game.weapon("Wrench")) == ("Lounge", "Lounge")
    assert game.state.summoned == (None, None, None, "Lounge")

    (asked,) = game.awaiting()
    game.play(asked, game.offers(asked)[0].at(0))
    assert (game.place("Green"), game.weapon("Wrench")) == ("Lounge", "Lounge")


def test_needs_four_throws_six() -> None:
    """CLUE-T3, CLUE-26, CLUE-27, CLUE-29: two steps are lost."""
    assert "DiningRoom" in ends("Lounge", 6)
    assert "DiningRoom" in ends("Lounge", 4)
    assert "DiningRoom" not in ends("Lounge", 3)
    game = stage(places={"Scarlet": "Lounge"}).walk(0, 6, "DiningRoom")
    assert game.place("Scarlet") == "DiningRoom"
    assert len(game.last[0].path) == 3  # the fourth step is through the door


def test_own_cards_in_a_suggestion_that_is_disproved() -> None:
    """CLUE-T4, CLUE-39, CLUE-41: the card shown can only be the Wrench."""
    game = entered("Lounge", ["Lounge Green", "", "Wrench"]).play(0, Suggest("Green", "Wrench", "Lounge"))
    assert game.offers(1) == [CANNOT_SHOW]

    assert game.play(1, CannotShow()).offers(2) == [show("Wrench")]
    assert game.play(2, Show("Wrench")).told(0)[0].card == "Wrench"


def test_own_cards_in_a_suggestion_that_nobody_disproves() -> None:
    """CLUE-T4, CLUE-39, CLUE-45: Scarlet can conclude that the Wrench is in the envelope, the others cannot."""
    game = entered("Lounge", ["Lounge Green", "", ""], "White Wrench Study")
    game.play(0, Suggest("Green", "Wrench", "Lounge")).nobody_shows()

    passed = {event.seat for event in game.seen(0) if isinstance(event, CouldNotShow)}
    assert passed == {1, 2}
    own = game.view(0).hands[0] or ()
    assert "Wrench" not in own  # nor in the hands of 1 and 2, who passed: only the envelope is left
    assert {"Lounge", "Green"} < set(own)
    for viewer in (1, 2, TABLE):
        assert game.view(viewer).hands[0] is None  # it might as well be in hers
        assert game.view(viewer).envelope is None


def test_one_card_of_several() -> None:
    """CLUE-T5, CLUE-41: showing none, both, or a card not named is illegal."""
    game = entered("Lounge", ["Lounge", "Green Wrench Plum", ""]).play(0, Suggest("Green", "Wrench", "Lounge"))

    assert game.offers(1) == [show("Green", "Wrench")]
    assert refused(game, 1, CannotShow())
    assert refused(game, 1, Show("Plum"))
    assert not refused(game, 1, Show("Green"))
    assert refused(game, 1, Show("Wrench"))


def test_passing_on() -> None:
    """CLUE-T6, CLUE-40, CLUE-42, CLUE-43, CLUE-44: the third is not asked."""
    game = entered("Lounge", ["Green", "", "Lounge", "Wrench"]).play(0, Suggest("Green", "Wrench", "Lounge"))

    game.play(1, CannotShow())
    assert game.told(TABLE) == [CouldNotShow(seat=1)]
    game.play(2, Show("Lounge"))
    assert game.told(0) == [CardShown(seat=2, to=0, card="Lounge", known_to=frozenset({0, 2})), TurnBegan(seat=1)]
    assert game.told(3) == [CardShown(seat=2, to=0, card=None, known_to=frozenset({0, 2})), TurnBegan(seat=1)]
    assert game.offers(3) == []


def test_nobody_can() -> None:
    """CLUE-T7, CLUE-45, CLUE-47: two public passes, then the end of the turn or any accusation."""
    game = entered("Lounge", ["Green Wrench Lounge", "", ""]).play(0, Suggest("Green", "Wrench", "Lounge"))

    game.play(1, CannotShow()).play(2, CannotShow())

    assert game.seen(TABLE)[-2:] == [CouldNotShow(seat=1), CouldNotShow(seat=2)]
    assert game.offers(0) == [ACCUSE, END_TURN]


def test_wrong_accusation_on_a_door_square() -> None:
    """CLUE-T8, CLUE-51, CLUE-52, CLUE-53: Plum goes into the Study, and the door is free again."""
    hands = ["Scarlet", "", "", "", "", "Knife"]
    game = stage(hands, places={"Plum": (4, 6), "Scarlet": (5, 6)}, on_turn=5)

    game.play(5, WRONG)

    assert game.place("Plum") == "Study"
    assert game.state.out == (False, False, False, False, False, True)
    assert (4, 6) in game.throw(0, 1).ends()
    game.go(0, (4, 6)).play(0, EndTurn()).change(on_turn=0)
    game.walk(0, 1, "Study").play(0, Suggest("Scarlet", "Knife", "Study"))
    for seat in (1, 2, 3, 4):
        game.play(seat, CannotShow())
    assert game.offers(5) == [show("Knife")]


def test_right_accusation_from_afar() -> None:
    """CLUE-T9, CLUE-47, CLUE-50: from a corridor."""
    game = stage(places={"Scarlet": (16, 16)}).play(0, Accuse("White", "Rope", "Study"))

    assert game.outcome() == Outcome(winners=(0,), how="solved")


@pytest.mark.parametrize(("room", "partner"), [
    ("Study", "Kitchen"), ("Kitchen", "Study"), ("Lounge", "Conservatory"), ("Conservatory", "Lounge"),
])  # fmt: skip
def test_passage(room: Room, partner: Room) -> None:
    """CLUE-T10, CLUE-31: without a throw, and a suggestion may follow; from the Hall there is none."""
    game = stage(places={"Scarlet": room}).play(0, TakePassage())

    assert game.place("Scarlet") == partner
    assert game.offers(0)[0] == suggest_in(partner)
    assert refused(stage(places={"Scarlet": "Hall"}), 0, TakePassage())


def summoned_mustard() -> Staged:
    """White, in the Ballroom, has named Mustard; it is Mustard's turn."""
    game = stage(["Mustard", "Knife", "Plum Wrench Ballroom"], places={"White": (16, 9)}, on_turn=2)
    game.walk(2, 1, "Ballroom").play(2, Suggest("Mustard", "Wrench", "Ballroom")).play(0, Show("Mustard"))
    return game.pass_by(0)


def test_summoned() -> None:
    """CLUE-T11, CLUE-15, CLUE-34, CLUE-35: throw, or stay and suggest; and that only once."""
    game = summoned_mustard()
    assert game.offers(1) == [ROLL, stay_in("Ballroom"), ACCUSE]
    assert refused(game, 1, EndTurn())

    game.play(1, StayAndSuggest("Plum", "Knife", "Ballroom"))
    assert refused(game, 1, EndTurn())
    game.play(2, Show("Plum")).pass_by(2).pass_by(0)

    assert game.place("Mustard") == "Ballroom"
    assert game.offers(1) == [ROLL, ACCUSE]
    assert refused(game, 1, StayAndSuggest("Plum", "Knife", "Ballroom"))


def test_blocked_door() -> None:
    """CLUE-T12, CLUE-20, CLUE-28: the Lounge is shut, the Hall and the Dining Room are not."""
    assert rooms_of(ends((6, 16), 6, (6, 17))) == {"Hall", "DiningRoom"}


def test_from_the_lounge() -> None:
    """CLUE-T13, CLUE-29: throws 1, 2 and 3."""
    assert ends("Lounge", 1) == {(6, 17)}
    assert ends("Lounge", 2) == {(6, 16), (6, 18), (7, 17)}
    assert ends("Lounge", 3) == {(5, 16), (6, 15), (6, 19), (7, 16), (7, 18), (8, 17)}


def test_from_the_study() -> None:
    """CLUE-T14, CLUE-29: throw 3, no room; throw 4 adds the Hall."""
    assert ends("Study", 3) == {(3, 7), (4, 4), (4, 8), (5, 5), (5, 7), (6, 6)}
    assert rooms_of(ends("Study", 4)) == {"Hall"}


def test_from_the_hall() -> None:
    """CLUE-T15, CLUE-30, CLUE-V1: never the Hall itself."""
    assert ends("Hall", 1) == {(4, 8), (7, 11), (7, 12)}
    assert rooms_of(ends("Hall", 6)) == {"Study"}
    assert rooms_of(ends("Hall", 7, dice_count=2)) == {"Library", "Study"}
    assert rooms_of(ends("Hall", 8, dice_count=2)) == {"DiningRoom", "Library", "Lounge", "Study"}


def test_trapped_in_the_library() -> None:
    """CLUE-T16, CLUE-25, CLUE-28: no move, no suggestion, accusing allowed."""
    game = stage(places={"Scarlet": "Library", "Plum": (8, 7), "Green": (11, 3)})
    assert game.offers(0) == [NO_MOVE, ACCUSE]
    assert game.play(0, NoMove()).offers(0) == [ACCUSE, END_TURN]

    assert ends("Library", 2, (8, 7)) == {(11, 2), (11, 4)}


def test_longest_possible_path() -> None:
    """CLUE-T17, CLUE-22: out of the Billiard Room, and no farther."""
    assert ends("BilliardRoom", 4, (15, 6), (11, 2)) == {(11, 1)}


def test_boxed_in_on_a_square() -> None:
    """CLUE-T18, CLUE-22, CLUE-25: nothing is thrown, the token stays."""
    game = stage(places={"Scarlet": (17, 23), "Plum": (17, 22)})
    assert refused(game, 0, Roll())
    assert ACCUSE in game.offers(0)

    game.play(0, NoMove())

    assert game.place("Scarlet") == (17, 23)
    assert game.offers(0) == [ACCUSE, END_TURN]


@pytest.mark.parametrize(("seat", "token", "counts"), [
    (0, "Scarlet", [1, 2, 2, 4, 4, 6]),
    (1, "Mustard", [1, 3, 3, 6, 6, 9]),
    (2, "White", [1, 1, 1, 1, 2, 2]),
    (3, "Green", [1, 1, 1, 1, 2, 2]),
    (4, "Peacock", [1, 2, 2, 4, 4, 7]),
    (5, "Plum", [1, 2, 2, 4, 4, 6]),
])  # fmt: skip
def test_first_throws(seat: int, token: Suspect, counts: list[int]) -> None:
    """CLUE-T19, CLUE-3, CLUE-21: all tokens on their starts; no room on a first throw."""
    reached = [stage([""] * 6, on_turn=seat).throw(seat, throw).ends() for throw in range(1, 7)]

    assert stage([""] * 6).state.tokens[seat] == token
    assert [len(places) for places in reached] == counts
    assert not any(map(rooms_of, reached))


def test_from_a_dead_end() -> None:
    """CLUE-T20, CLUE-19, CLUE-26: squares and rooms from (0,7) with a 6."""
    assert ends((0, 7), 6) == {
        (1, 8), (2, 7), (3, 8), (4, 5), (4, 7), (5, 6), (5, 8), (6, 7), "Hall", "Study",
    }  # fmt: skip


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_deal(seats: int) -> None:
    """CLUE-T21, CLUE-7, CLUE-8: hands and envelope are the pack, disjoint."""
    state = stage([""] * seats).state
    dealt = [*state.envelope.cards, *(card for hand in state.hands for card in hand)]

    assert len(dealt) == 21
    assert set(dealt) == set(PACK)
    assert list(state.sizes) == [len(hand) for hand in state.hands] == sorted(state.sizes, reverse=True)
    assert state.sizes[0] - state.sizes[-1] in (0, 1)


def test_named_again() -> None:
    """CLUE-T22, CLUE-34: the mark stays; but whoever walked in himself gets none and must throw."""
    hands = ["", "", "", "Mustard Wrench Ballroom"]
    brought = stage(hands, places={"Green": (16, 9), "Mustard": "Ballroom"}, on_turn=3, summoned={1: "Ballroom"})
    walked = stage(hands, places={"Green": (16, 9), "Mustard": "Ballroom"}, on_turn=3)
    for game in (brought, walked):
        game.walk(3, 1, "Ballroom").play(3, Suggest("Mustard", "Wrench", "Ballroom")).nobody_shows()
        game.play(3, EndTurn()).pass_by(0)

    assert brought.offers(1) == [ROLL, stay_in("Ballroom"), ACCUSE]
    assert walked.offers(1) == [ROLL, ACCUSE]


def test_start_square() -> None:
    """CLUE-T23, CLUE-19: returning to (7,23) is not possible."""
    assert stage(on_turn=1).throw(1, 2).ends() == {(6, 22), (7, 21), (8, 22)}


def test_corner_room_shut() -> None:
    """CLUE-T24, CLUE-14, CLUE-25, CLUE-28: the passage is the only movement choice; accusing first is allowed."""
    assert stage(places={"Scarlet": "Study", "Green": (4, 6)}).offers(0) == [PASSAGE, ACCUSE]


def test_shut_in_by_a_summons() -> None:
    """CLUE-T25, CLUE-25, CLUE-35: stay and suggest, or no move; throwing is not offered."""
    doors: dict[Suspect, At] = {"Green": (8, 17), "Plum": (12, 15)}
    game = stage(places={"Mustard": "DiningRoom", **doors}, on_turn=1, summoned={1: "DiningRoom"})

    assert game.offers(1) == [stay_in("DiningRoom"), NO_MOVE, ACCUSE]


def test_same_room_again() -> None:
    """CLUE-T26, CLUE-30, CLUE-37: on the next turn, by any throw; never in the turn of leaving."""
    assert all("Lounge" not in ends("Lounge", throw) for throw in range(1, 7))
    for throw in range(1, 7):
        game = stage(["", ""], places={"Scarlet": "Lounge"}).walk(0, 1, (6, 17)).play(0, EndTurn()).pass_by(1)
        assert game.walk(0, throw, "Lounge").offers(0) == [suggest_in("Lounge"), ACCUSE, END_TURN]


def test_wrong_accusation_away_from_doors() -> None:
    """CLUE-T27, CLUE-20, CLUE-52, CLUE-53: Plum blocks his square until a suggestion names him."""
    game = stage([""] * 6, places={"Plum": (5, 5), "Scarlet": (5, 6)}, on_turn=5).play(5, WRONG)
    assert game.place("Plum") == (5, 5)
    assert (5, 5) not in game.throw(0, 1).ends()

    game.go(0, (4, 6)).play(0, EndTurn())
    game.change(on_turn=0).walk(0, 1, "Study").play(0, Suggest("Plum", "Rope", "Study"))

    assert game.place("Plum") == "Study"


def test_series() -> None:
    """CLUE-T28, CLUE-8, CLUE-9, CLUE-10: Scarlet starts, then White, then Green; sizes counted from there."""
    owners = ("Scarlet", "White", "Green", "Plum")
    games = [stage([""] * 4, tokens=owners, starter=starter) for starter in (None, 1, 2)]

    assert [owners[game.state.on_turn] for game in games] == ["Scarlet", "White", "Green"]
    assert [game.state.sizes for game in games] == [(5, 5, 4, 4), (4, 5, 5, 4), (4, 4, 5, 5)]


def test_free_doorway() -> None:
    """CLUE-T29, CLUE-V7: Lounge to Dining Room needs 3 instead of 4; on a door square one must throw."""
    assert "DiningRoom" in ends("Lounge", 3, room_entry_cost=0)
    assert "DiningRoom" not in ends("Lounge", 2, room_entry_cost=0)
    assert stage(places={"Scarlet": (6, 17)}, room_entry_cost=0).offers(0) == [ROLL, ACCUSE]
    assert all("Lounge" in ends((6, 17), throw, room_entry_cost=0) for throw in range(1, 7))


def test_side_cards() -> None:
    """CLUE-T30, CLUE-V5: four looks, then none; the opponent knows the positions, never the faces."""
    hands = ["Green Candlestick Lounge Conservatory", ""]
    game = stage(hands, places={"Scarlet": "Conservatory"}, two_player_side_cards=4)
    state = game.state
    everything = [*state.envelope.cards, *state.side, *state.hands[0], *state.hands[1]]
    assert (len(state.side), state.sizes, sorted(everything)) == (4, (7, 7), sorted(PACK))

    for position in (2, 4, 1, 3):
        game.play(0, TakePassage())
        game.play(0, Suggest("Green", "Candlestick", game.state.places[0])).play(1, CannotShow())
        game.play(0, LookAside(position)).play(0, EndTurn()).pass_by(1)
    game.play(0, TakePassage()).play(0, Suggest("Green", "Candlestick", "Lounge")).play(1, CannotShow())

    assert game.offers(0) == [ACCUSE, END_TURN]
    assert game.view(0).side == state.side
    looks = [event for event in game.seen(1) if isinstance(event, SideCardSeen)]
    assert [(event.position, event.card) for event in looks] == [(2, None), (4, None), (1, None), (3, None)]
    assert game.view(1).side == (None,) * 4
    assert game.view(1).looked == ((1, 2, 3, 4), ())
