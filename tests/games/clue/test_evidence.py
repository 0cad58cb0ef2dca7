"""What an event proves to whom, in numbers of worlds and in plain facts."""

from fractions import Fraction
from math import comb
from typing import Any

import pytest

from tests.games.clue.staging import Staged, entered, stage
from whodunit.core.notes import Proof, Reason
from whodunit.core.redact import redact
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Attention, Message, Seat, Term, Undone, Who
from whodunit.games.clue.evidence import ENVELOPE, HAND, Belief, belief, imagine, side
from whodunit.games.clue.facts import PACK, ROOMS, SUSPECTS, WEAPONS
from whodunit.games.clue.model import (
    Accuse,
    CannotShow,
    CardShown,
    CouldNotShow,
    DiceThrown,
    EndTurn,
    EnvelopeSeen,
    HandDealt,
    LookAside,
    Show,
    Suggest,
    Suggested,
    Trio,
    TurnBegan,
)

pytestmark = pytest.mark.rules

GREEN = Suggest("Green", "Wrench", "Lounge")
TRIO = ("Green", "Wrench", "Lounge")
HANDS = ("Plum Knife Hall Library Kitchen Ballroom", "Green Wrench", "Lounge")


def of(game: Staged, viewer: Seat, attention: Attention = "logic") -> Belief:
    known = belief(viewer, attention)
    for event in game.events:
        known = known.learn(redact(event, viewer))
    return known


def evidence(known: Belief) -> list[Any]:
    """What has been learned beyond the rules of the deal and the own hand."""
    assert known.position is not None
    return [item for item in known.position.evidence if item.source not in (None, HAND)]


def says(game: Staged, viewer: Seat, attention: Attention = "logic") -> list[tuple[Any, ...]]:
    return [(i.holder, i.elements, i.weights, i.source) for i in evidence(of(game, viewer, attention))]


def asked(hands: tuple[str, ...] = HANDS, **staging: Any) -> Staged:
    return entered("Lounge", list(hands), **staging).play(0, GREEN)


def test_a_spectator_knows_the_shape_of_the_deal_and_a_player_his_hand() -> None:
    """CLUE-6, CLUE-7, CLUE-8: 324 trios, and every deal of the rest."""
    game = stage(list(HANDS))
    deals = comb(18, 6) * comb(12, 6)

    assert of(game, TABLE).logic.total == 324 * deals
    mine = of(game, 0).logic
    assert mine.total == 5 * 5 * 5 * comb(12, 6)
    assert mine.hand(0) == ("Plum", "Knife", "Hall", "Library", "Ballroom", "Kitchen")
    assert mine.marginal("Green", ENVELOPE) == Fraction(1, 5)
    assert of(game, TABLE).logic.marginal("Hall", ENVELOPE) == Fraction(1, 9)


def test_nothing_is_concluded_before_the_cards_are_dealt() -> None:
    with pytest.raises(ValueError, match="before the cards are dealt"):
        _ = belief(0).learn(stage().events[0]).logic


def test_who_cannot_show_lacks_all_three_and_everybody_knows() -> None:
    """CLUE-42."""
    game = asked(("", "Plum Knife Rope Hall Library Kitchen", "Lounge"), envelope="White Revolver Study").play(
        1, CannotShow()
    )
    seq = len(game.events)

    for viewer in (0, 1, 2, TABLE):
        assert says(game, viewer) == [(1, TRIO, (1, 0, 0, 0), seq)]
    assert says(game, 0, "sight") == []


def test_a_card_shown_is_seen_by_the_suggester_and_one_of_three_to_the_rest() -> None:
    """CLUE-41: the shower could choose, so the suggester's evidence weighs an even choice."""
    game = asked().play(1, Show("Wrench"))
    seq = len(game.events) - 1

    for viewer in (2, TABLE):
        assert says(game, viewer) == [(1, TRIO, (0, 1, 1, 1), seq)]
        assert says(game, viewer, "sight") == []
    assert says(game, 1) == []
    assert of(game, 1).shown == ((0, "Wrench"),)
    (seen,) = evidence(of(game, 0))
    assert (seen.holder, seen.given, seen.elements) == (1, "Wrench", ("Green", "Lounge"))
    assert seen.weights == (1, Fraction(1, 2), Fraction(1, 3))
    assert says(game, 0, "sight") == [(1, ("Wrench",), (0, 1), seq)]
    assert of(game, 0).likely.marginal("Wrench", 1) == 1
    assert of(game, 0).likely.marginal("Green", 1) < of(game, 0).logic.marginal("Green", 1)


def test_a_wrong_accusation_excludes_its_trio_for_all_and_shows_the_envelope_to_one() -> None:
    """CLUE-49, CLUE-51."""
    game = stage(list(HANDS)).play(0, Accuse("White", "Rope", "Lounge"))
    seq = len(game.events) - 2

    for viewer in (1, 2, TABLE):
        assert says(game, viewer) == [(ENVELOPE, ("White", "Rope", "Lounge"), (1, 1, 1, 0), seq)]
        assert says(game, viewer, "sight") == []
    assert of(game, 0).solution() == {Trio("White", "Rope", "Study"): 1.0}
    assert of(game, 0, "sight").solution() == {Trio("White", "Rope", "Study"): 1.0}


def test_an_opened_envelope_is_known_to_all() -> None:
    """CLUE-50."""
    game = stage(list(HANDS)).play(0, Accuse("White", "Rope", "Study"))

    for viewer in (0, 1, TABLE):
        assert of(game, viewer).entropy() == 0
        assert of(game, viewer).chance(Accuse("White", "Rope", "Study")) == 1
        assert of(game, viewer).chance(Accuse("White", "Rope", "Hall")) == 0


def test_a_side_card_is_seen_by_the_one_who_looked() -> None:
    """CLUE-V5."""
    game = asked(("Plum", ""), side="Green Wrench Lounge Hall", two_player_side_cards=4).play(1, CannotShow())
    game.play(0, LookAside(3))

    assert says(game, 0)[-1] == (side(3), ("Lounge",), (0, 1), len(game.events))
    assert len(says(game, 1)) == len(says(game, TABLE)) == 1
    assert of(game, 0).logic.holders("Lounge") == ("side 3",)
    assert of(game, 1).logic.total == of(game, 1).learn(EndTurn()).logic.total
    world = of(game, 0).sample(Rng(b"", 1), "w", 1)[0]
    assert len(world.side) == 4
    assert world.side[2] == "Lounge"


def test_the_rookie_concludes_one_thing_from_passes() -> None:
    """What it named itself, does not hold, and nobody could disprove, is the solution; the rest it does not hear."""
    game = entered("Lounge", ["Lounge Green", "", ""], "White Wrench Study").play(0, GREEN)
    assert says(game.play(1, CannotShow()), 0, "sight") == []
    game.play(2, CannotShow())

    assert says(game, 0, "sight") == [(ENVELOPE, ("Wrench",), (0, 1), len(game.events))]
    assert says(game, 1, "sight") == []


def test_the_rookie_concludes_nothing_where_side_cards_lie() -> None:
    """CLUE-V5: what nobody could disprove may lie beside the board."""
    game = asked(("Plum", ""), side="Green Wrench Lounge Hall", two_player_side_cards=4).play(1, CannotShow())

    assert says(game, 0, "sight") == []


def test_motives_weigh_what_was_named_and_what_was_let_pass() -> None:
    game = asked(("Green Wrench Lounge", "Plum", "")).play(1, CannotShow())
    answered = len(game.events)
    game.play(2, CannotShow()).play(0, EndTurn())
    ended = len(game.events)
    assert says(game, 1, "motives")[-1][3] == ended - 1
    game.throw(1, 1)

    for viewer in (1, 2, TABLE):
        first, *_, last = says(game, viewer, "motives")
        assert first == (0, ("Green", "Wrench"), (4, 1, 1), answered)
        assert last == (0, TRIO, (1, 50, 50, 50), ended)
    assert [item[0] for item in says(game, 0, "motives")] == [1, 2]
    assert [item[0] for item in says(game, 1)] == [1, 2]
    logic, motives = of(game, 1), of(game, 1, "motives")
    assert logic.logic.total == motives.logic.total
    assert motives.likely.marginal("Lounge", 0) > logic.likely.marginal("Lounge", 0)


def test_motives_weigh_nothing_that_was_shown_accused_or_taken_back() -> None:
    shown = asked().play(1, Show("Green")).throw(1, 1)
    accused = asked(("Green Wrench Lounge", "Plum", "")).nobody_shows().play(0, Accuse("Plum", "Knife", "Hall"))
    ended = asked(("Green Wrench Lounge", "Plum", "")).nobody_shows().play(0, EndTurn())
    back = of(ended, TABLE, "motives").learn(Undone(back_to=1)).learn(DiceThrown(seat=0, dice=(1,)))

    assert [item[0] for item in says(shown, TABLE, "motives")] == [0, 1]
    assert [item[0] for item in says(accused.throw(1, 1), TABLE, "motives")] == [0, 1, 2, ENVELOPE]
    assert [item.holder for item in evidence(back)] == [0, 1, 2]
    assert says(asked(), TABLE, "motives") == []


def test_motives_weigh_nothing_let_pass_where_side_cards_lie() -> None:
    """CLUE-V5: what nobody could disprove may lie beside the board."""
    game = asked(("Plum", ""), side="Green Wrench Lounge Hall", two_player_side_cards=4).play(1, CannotShow())
    game.play(0, LookAside(1)).play(0, EndTurn()).throw(1, 1)

    assert [item[0] for item in says(game, 1, "motives")] == [0, 1]


def test_later_suggestions_are_weighed_otherwise() -> None:
    known = of(stage(list(HANDS)), 1, "motives")
    shown = asked().play(1, Show("Green")).events
    for _ in range(12):
        known = known.learn(redact(shown[-3], 1)).learn(redact(shown[-2], 1))

    weights = [item.weights for item in evidence(known)]
    assert weights == [(4, 1, 1)] * 2 + [(1, 1, 4)] * 3 + [(1, 4, 16)] * 3


def test_nobody_asks_again_about_what_he_was_shown() -> None:
    """Seat 0 asks about Green twice: what seat 1 showed the first time was the Wrench or the Lounge."""
    shown = asked().play(1, Show("Wrench"))

    def after(known: Belief, *cards: Any) -> Belief:
        return known.learn(Suggested(seat=0, trio=Trio(*cards))).learn(CardShown(seat=2, to=0, card=None))

    again = after(of(shown, TABLE, "motives"), "Green", "Knife", "Hall")
    seen = evidence(again)[-3]
    assert (seen.holder, seen.elements, seen.weights) == (1, ("Wrench", "Lounge"), (1, 50, 50))
    logic = after(of(shown, TABLE), "Green", "Knife", "Hall")
    assert again.logic.total == logic.logic.total
    assert again.likely.marginal("Lounge", 1) > logic.likely.marginal("Lounge", 1)

    seen = evidence(after(again, "Plum", "Wrench", "Hall"))[-3]
    assert (seen.holder, seen.elements, seen.weights) == (1, ("Lounge",), (1, 50))


def test_taking_back_teaches_nothing_but_is_counted() -> None:
    known = of(asked(), 1)
    back = known.learn(Undone(back_to=1))

    assert back.seq == known.seq + 1
    assert back.position is known.position


def test_a_turn_that_was_taken_back_is_still_the_suggesters() -> None:
    known = of(stage(["Lounge Green", "", ""], "White Wrench Study"), 0, "sight").learn(TurnBegan(seat=1))
    known = known.learn(Undone(back_to=1)).learn(Suggested(seat=0, trio=Trio("Green", "Wrench", "Lounge")))
    known = known.learn(CouldNotShow(seat=1)).learn(CouldNotShow(seat=2))

    assert [item.elements for item in evidence(known)] == [("Wrench",)]


@pytest.mark.parametrize(
    "event",
    [
        HandDealt(seat=0, size=6, cards=None),
        CardShown(seat=1, to=0, card=None),
        EnvelopeSeen(seat=0, trio=None),
        CardShown(seat=0, to=1, card=None),
    ],
)
def test_who_is_entitled_must_be_told(event: Any) -> None:
    """The book decides who knows, not whether a field happens to be empty."""
    with pytest.raises(ValueError, match="entitled to know"):
        of(asked(), 0).learn(event)


@pytest.mark.parametrize(
    "event", [CardShown(seat=1, to=2, card="Rope"), EnvelopeSeen(seat=1, trio=Trio("White", "Rope", "Hall"))]
)
def test_who_is_not_entitled_does_not_look(event: Any) -> None:
    """Even a field that was wrongly left open proves nothing to somebody whom the book does not let know."""
    known = of(asked(), 0)

    assert evidence(known.learn(event)) == evidence(known.learn(redact(event, 0)))


def test_worlds_are_named_and_samples_are_among_them() -> None:
    game = asked().play(1, Show("Wrench"))
    known = of(game, 2)
    worlds = known.sample(Rng(b"seed", 1), "worlds", 20)

    for world in worlds:
        cards = (*world.envelope.cards, *(card for hand in world.hands for card in hand))
        assert sorted(cards) == sorted(PACK)
        assert world.hands[2] == known.logic.hand(2)
        assert set(world.hands[1]) & set(TRIO)
        assert known.answer(world) == world.envelope.cards
    assert worlds == known.sample(Rng(b"seed", 1), "worlds", 20)
    assert worlds != known.sample(Rng(b"seed", 2), "worlds", 20)


def test_an_imagined_state_has_no_gaps() -> None:
    game = asked()
    world = of(game, 1).sample(Rng(b"", 1), "w", 1)[0]
    state = imagine(game.view(1), world)

    assert (state.envelope, state.hands, state.side) == (world.envelope, world.hands, ())
    assert state.hands[1] == game.state.hands[1]
    assert state.phase == game.state.phase


def test_the_solution_sums_to_one() -> None:
    known = of(asked().play(1, Show("Wrench")), 0)
    solution = known.solution()

    assert sum(solution.values()) == pytest.approx(1)
    assert set(solution) <= {Trio(s, w, r) for s in SUSPECTS for w in WEAPONS for r in ROOMS}
    assert 0 < known.entropy() < 9


def test_a_certain_fact_is_explained_by_log_lines() -> None:
    game = entered("Lounge", ["Lounge Green", "Plum", "White"], "Scarlet Wrench Study").play(0, GREEN).nobody_shows()
    known = of(game, 0)
    proof = known.proof("Wrench", ENVELOPE, game.seen(0))

    assert proof is not None
    assert [reason.message for reason in proof.reasons] == [
        Message("why.hand"),
        Message("could_not_show", {"seat": Who(1)}),
        Message("could_not_show", {"seat": Who(2)}),
    ]
    assert [reason.seq is None for reason in proof.reasons] == [True, False, False]
    assert known.explain("Rope", ENVELOPE) is None
    out = known.explain("Rope", ENVELOPE, held=False)
    assert out is not None
    assert known.clash() == ()
    shown = asked().play(1, Show("Wrench"))
    seen = of(shown, 0).proof("Wrench", "1", shown.seen(0))
    told = Message("card_shown.seen", {"seat": Who(1), "to": Who(0), "card": Term("Wrench")})
    assert seen == Proof(1, (Reason(told, len(shown.events) - 1),))  # the turn goes on after it


def test_what_is_forgotten_was_told_and_never_the_own_hand() -> None:
    game = asked().play(1, Show("Wrench"))
    known = of(game, 0, "sight")
    forgotten = known.forget(Rng(b"", 1))

    assert evidence(forgotten) == []
    assert forgotten.logic.hand(0) == known.logic.hand(0)
    assert forgotten.forget(Rng(b"", 1)) == forgotten


def test_no_side_card_is_forgotten_that_lies_open_before_one() -> None:
    """CLUE-V5."""
    game = asked(("Plum", ""), side="Green Wrench Lounge Hall", two_player_side_cards=4).play(1, CannotShow())
    known = of(game.play(0, LookAside(3)), 0, "sight")

    assert [item.holder for item in evidence(known)] == [side(3)]
    assert known.forget(Rng(b"", 1)) == known


def test_a_belief_says_what_it_assumes() -> None:
    assert belief(0).assumes() == (Message("assumes.even_choice"),)
    assert [message.key for message in belief(0, "motives").assumes()] == [
        "assumes.even_choice",
        "assumes.accuses_when_sure",
        "assumes.asks_unknown",
        "assumes.asks_once",
    ]
