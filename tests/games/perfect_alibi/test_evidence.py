"""What an event proves to whom; notes, proofs, clashes; and what bots make of it."""

from fractions import Fraction
from math import comb
from typing import Any

import pytest

from tests.games.perfect_alibi.staging import ALIBI, Staged, refused, stage
from whodunit.core.notes import Cell
from whodunit.core.redact import redact
from whodunit.core.rng import Rng
from whodunit.core.types import TABLE, Attention, Message, Seat, StandingOrder
from whodunit.games import perfect_alibi
from whodunit.games.perfect_alibi.evidence import BOX, HAND, MISSING, OPEN, Belief, belief, rival
from whodunit.games.perfect_alibi.facts import PACK, WITH
from whodunit.games.perfect_alibi.model import (
    Accuse,
    Announce,
    Answer,
    AskLast,
    Confirm,
    Correct,
    Name,
    Show,
    ShowLate,
    Slam,
)

pytestmark = pytest.mark.rules

BLUE = "Bar-3 Bar-6 Library-9 Library-12 SunDeck-3"
HANDS = ("Restaurant-3 Restaurant-6 Restaurant-9 Restaurant-12 SunDeck-6", BLUE, "")


def of(game: Staged, viewer: Seat, attention: Attention = "logic") -> Belief:
    known = belief(viewer, attention)
    for event in game.events:
        known = known.learn(redact(event, viewer))
    return known


def says(game: Staged, viewer: Seat, attention: Attention = "logic") -> list[tuple[Any, ...]]:
    known = of(game, viewer, attention)
    assert known.position is not None
    told = [item for item in known.position.evidence if isinstance(item.source, int) and item.holder != OPEN]
    return [(i.holder, i.elements, i.weights, i.source, i.given, i.otherwise) for i in told]  # type: ignore[union-attr]


def three(assistants: str = "ABD", **more: Any) -> Staged:
    return stage(HANDS, "Bar-12", assistants=assistants, **more)


BAR = WITH["Bar"]


def test_the_deal_as_spectators_and_players_know_it() -> None:
    """ALIBI-5, ALIBI-6, ALIBI-7, ALIBI-11."""
    assert of(three(), TABLE).logic.total == 16 * comb(15, 5) * comb(10, 5)
    mine = of(three(), 0)
    assert mine.logic.total == 11 * comb(10, 5)
    assert mine.solution() == {card: pytest.approx(1 / 11) for card in PACK if card not in mine.own}
    four = stage(("",) * 4, assistants="ABDE")
    assert of(four, TABLE).logic.total == 13 * comb(12, 3) * comb(9, 3) * comb(6, 3)
    assert all(of(four, 0).logic.marginal(card, OPEN) == 1 for card in four.state.open)
    rivals = of(three(rivals="ABC"), 0).logic
    assert rivals.total == 11 * comb(10, 5) * 4 * 3
    assert rivals.marginal(rival("Journalist"), 0) == 1
    assert rivals.marginal(rival("Cook"), BOX) == Fraction(1, 2)
    assert BOX not in of(stage(("",) * 5, assistants="ABCDE", rivals="ABCDE"), 0).logic.marginals("Bar-3")


def test_nothing_is_concluded_before_the_table_is_laid() -> None:
    with pytest.raises(ValueError, match="before the table is laid"):
        _ = belief(0).logic
    assert belief(0).sheet("logic").cells == ()


def test_a_public_number_is_evidence_for_all_but_who_gave_it() -> None:
    """ALIBI-30: a rookie listens only to answers to its own questions."""
    game = three("ACD").ask("Bar").answer(2)
    seq = len(game.events) - 2
    item = (1, BAR, (0, 0, 1, 0, 0), seq, None, ())

    for viewer in (0, 2, TABLE):
        assert says(game, viewer) == [item]
    assert says(game, 1) == []
    assert says(game, 0, "sight") == [item]
    assert says(game, 2, "sight") == []
    assert of(game, 0).logic.hand(1) == ()


def test_a_card_shown_is_evidence_for_asker_and_captain() -> None:
    """ALIBI-32, ALIBI-44: chosen evenly among the matching ones."""
    game = three("ADB").ask("Bar").answer(2).show("Bar-3")
    seq = len(game.events) - 2
    shown = (1, BAR[1:], (1, Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)), seq, "Bar-3", (0, 0, 0, 0))

    assert says(game, 0)[1] == shown
    assert says(game, 2)[1] == shown
    assert len(says(game, TABLE)) == 1
    assert says(game, 2, "sight") == [(1, ("Bar-3",), (0, 1), seq, None, ())]
    assert of(game, 1).sights == ((0, 1, "Bar-3"), (2, 1, "Bar-3"))
    assert of(three("ADE").ask("Bar").answer(2).show("Bar-3"), 2).likely.marginal("Bar-3", 1) != 1


def test_a_card_drawn_is_certain_for_the_cook_alone() -> None:
    """ALIBI-45, ALIBI-49."""
    game = three("EDB").ask("Bar").answer(2, drawn_card=3)

    assert of(game, 0).logic.marginal("Library-9", 1) == 1
    assert says(game, 0)[1][:3] == (1, ("Library-9",), (0, 1))
    assert len(says(game, 2)) == len(says(game, TABLE)) == 1
    assert of(game, 1).sights == ((0, 1, "Library-9"),)


def test_what_bystanders_conclude_from_the_priest() -> None:
    """ALIBI-48: at least 2 if a card is shown, at most 1 if none is, nothing with the Psychiatrist."""
    shown = three("DAE").ask("Bar").answer(2)
    assert says(shown, 2)[0][2] == (0, 0, 1, 1, 1)
    assert says(shown, 0)[0][2] == (0, 0, 1, 0, 0)
    none = three("DAE").ask("Restaurant").answer(0)
    assert says(none, 2)[0][2] == (1, 1, 0, 0, 0)
    assert says(three("DCE").ask("Bar").answer(2), 2) == []
    assert says(three("DCE").ask("Bar").answer(2), 0)[0][2] == (0, 0, 1, 0, 0)


def test_a_number_may_be_a_lie_where_the_rival_asks() -> None:
    """ALIBI-63 to 65: truth without the tile, a permitted lie with it."""
    game = three("BAD", rivals="ABC").ask("Bar").answer(3)
    half = Fraction(1, 2)
    (item,) = says(game, 2)

    assert item[1] == BAR
    assert item[4] == rival("Captain")
    assert item[2] == (0, 0, half, 0, 1)  # with four bar cards only 3 can be said
    assert item[5] == (0, 0, 0, 1, 0)
    few = three("BAD", rivals="ABC").ask("Restaurant").answer(1)
    assert says(few, 2)[0][2] == (1, 0, half, 0, 0)
    literal = three("BAD", rivals="ABC", lie_bounds="literal").ask("Bar").answer(3)
    assert says(literal, 2)[0][2] == (0, 0, half, 0, half)


def test_what_bystanders_conclude_from_a_lie_to_the_priest() -> None:
    """ALIBI-48, ALIBI-64."""
    game = three("DAE", rivals="ADC").ask("Bar").answer(3)
    half = Fraction(1, 2)

    assert says(game, 2)[0][2] == (0, half, half, 1, 1)
    assert says(game, 2)[0][5] == (0, 0, 1, 1, 1)
    worlds = of(game, 2).sample(Rng(b"said", 1), "w", 60)
    assert {world.said for world in worlds} >= {(2,), (3,)}
    assert all(world.said in {(2,), (3,), (4,), (5,)} for world in worlds)
    assert {world.said for world in of(game, 0).sample(Rng(b"said", 1), "w", 60)} == {(3,)}


def test_who_looked_at_the_missing_alibi_knows_it() -> None:
    """ALIBI-52, ALIBI-54: the others learn nothing."""
    game = three().play(2, Slam("Bar-9"))

    assert of(game, 2).solution() == {"Bar-12": 1.0}
    assert of(game, 0).logic.total == of(three(), 0).logic.total
    assert of(game, 2).chance(Slam("Bar-12")) == of(game, 2).chance(Name("Bar-12")) == 1
    assert of(game, 2).chance(Slam("Bar-9")) == 0
    assert of(game, 2).chance(AskLast(1, ("Bar",))) == 1
    assert of(game, 2).entropy() == 0
    assert of(three(), 0).entropy() == pytest.approx(3.459, abs=0.001)


def test_at_the_end_everything_is_known() -> None:
    """ALIBI-53."""
    game = three("DAE", rivals="ADC").ask("Bar").answer(3).play(2, Slam("Bar-12"))
    (world,) = of(game, TABLE).worlds()

    assert (world.missing, world.hands, world.rivals, world.said) == (
        "Bar-12",
        game.state.hands,
        game.state.rivals,
        (3,),
    )


# --- Answers by hand ---------------------------------------------------------------------------------------------

SOFT: dict[str, Any] = {"answer_mode": "by_hand"}
HARD: dict[str, Any] = {"answer_mode": "by_hand", "unforgiving": True}


def contradicted(**options: Any) -> Staged:
    """Seat 1 has said 0 to the bar and 0 to all other places: five cards must be somewhere."""
    game = three("ACD", **options).ask("Bar").answer(0).change(on_turn=0)
    return game.ask("Restaurant", "SunDeck", "Library").answer(1).change(on_turn=0)


def test_answers_that_cannot_all_be_right_are_reported() -> None:
    """ALIBI-73: as a clash, never as an error; what is certain otherwise stays usable."""
    game = contradicted(**SOFT)
    known = of(game, 0)
    first, second = (number for number, event in enumerate(game.events, 1) if type(event).__name__ == "Answered")

    assert known.clash() == (first, second)
    assert known.sheet("logic").clash == (first, second)
    assert known.sheet("logic").cells == ()
    assert known.likely.total
    assert known.sample(Rng(b"", 1), "w", 3)
    assert of(three("ACD", **SOFT).ask("Bar").answer(0), 0).clash() == ()
    assert of(game, 1).clash() == ()  # he knows his own cards


def test_a_correction_takes_the_place_of_the_answer() -> None:
    """ALIBI-69: and a confirmed answer is doubted no more."""
    game = contradicted(**SOFT).play(2, Confirm(1))
    game.play(1, Correct(2))
    known = of(game, 0)

    assert known.log[0].said == 2
    assert known.log[0].sure
    assert says(game, 0)[-1][1:4] == (BAR, (0, 0, 1, 0, 0), len(game.events))
    assert known.clash() != ()  # 2 and 1 are not five either
    game.play(2, Confirm(2)).play(1, Correct(3))
    assert of(game, 0).clash() == ()
    assert says(game, 0)[0][2] == (0, 0, 1, 0, 0)


def test_a_correction_that_was_not_heard() -> None:
    """ALIBI-69: it is at least 2 if a card is shown now, and at most 1 if none ever was."""
    low = three("DAE", **SOFT).ask("Bar").answer(1).play(2, Confirm(1)).play(1, Correct(2))
    assert says(low, 2)[-1][2] == (0, 0, 1, 1, 1)
    low.play(1, ShowLate("Bar-3"))
    high = three("DAE", **SOFT).ask("Bar").answer(3).show("Bar-3").play(2, Confirm(1)).play(1, Correct(2))
    assert says(high, 2) == []
    still = three("DAE", **SOFT).ask("Restaurant").answer(1).play(2, Confirm(1)).play(1, Correct(0))
    assert says(still, 2)[-1][2] == (1, 1, 0, 0, 0)
    confirmed = three("DAE", **SOFT).ask("Restaurant").answer(0).play(2, Confirm(1))
    assert of(confirmed, 2).log[0].sure


def blamed() -> Staged:
    """Seat 1 tells the Priest 2 of one bar card; seat 2 hears no number but sees a card shown, then hears 4 of 4."""
    hands = (
        "Restaurant-3 Restaurant-6 Restaurant-9 Restaurant-12 SunDeck-6",
        "Bar-3 Library-9 Library-12 SunDeck-3 SunDeck-9",
        "",
    )
    game = stage(hands, "Bar-12", assistants="DAE", **SOFT).ask("Bar").answer(2).show("Bar-3").change(on_turn=2)
    return game.ask("Restaurant", "SunDeck", "Library").answer(4)


def test_a_correction_that_was_not_heard_ends_the_clash() -> None:
    """ALIBI-69: the notes go on at once, without the answer that was wrong."""
    game = blamed()
    assert of(game, 2).clash() != ()
    known = of(game.play(2, Confirm(1)).play(1, Correct(1)), 2)

    assert known.log[0].said is None
    assert known.sound is None
    assert known.clash() == ()
    assert known.sheet("logic").cells


def test_a_confirmed_answer_is_not_left_aside_any_longer() -> None:
    """ALIBI-69: what remains of the clash is to blame."""
    game = blamed()
    four = next(told.seq for told in of(game, 2).log if told.said == 4)

    def laid_aside() -> bool:
        sound = of(game, 2).sound
        assert sound is not None
        return all(item.source != four for item in sound.evidence)

    assert laid_aside()
    game.play(0, Confirm(2))
    assert not laid_aside()


def test_treachery_is_claimed_of_who_alone_can_be_to_blame() -> None:
    """ALIBI-70, ALIBI-71."""
    game = contradicted(**HARD)
    known = of(game, 0)

    assert known.treachery(1, (1, 2)) == 1
    assert known.treachery(1, (1,)) == Fraction(1, 2)
    assert known.treachery(2, (1, 2)) == 0
    assert known.chance(Accuse(1, (1, 2))) == 1
    actions = perfect_alibi.urge(game.view(0), 0, known)
    assert Accuse(1, (1, 2)) in actions
    assert of(three(**HARD), 0).treachery(1, ()) == 0
    soft = contradicted(**SOFT)
    assert Confirm(1) in perfect_alibi.urge(soft.view(0), 0, of(soft, 0))


# --- Notes -------------------------------------------------------------------------------------------------------


def test_notes_by_level() -> None:
    """ALIBI-8: what was seen, what follows, how likely the rest is."""
    game = three("ABD", rivals="ACD").ask("Bar").answer(2).show("Bar-3")
    known = of(game, 0)
    facts = {(cell.row, cell.column): cell.mark for cell in known.sheet("facts").cells}

    assert known.sheet("paper").cells == ()
    assert facts["Bar-3", "1"] == "yes"
    assert facts["Bar-3", "2"] == facts["Bar-3", MISSING] == "no"
    assert facts["SunDeck-6", "0"] == "yes"
    assert facts["Bar-6", "0"] == "no"
    assert facts[rival("Journalist"), "0"] == "yes"
    assert ("Bar-6", "1") not in facts
    likely = known.sheet("probabilities")
    assert likely.solutions == 10
    assert likely.worlds == str(known.logic.total)
    assert [message.key for message in likely.assumes] == ["assumes.even_choice", "assumes.even_lie"]
    keys = [message.key for message in of(three(**SOFT), 0).assumes()]
    assert keys == ["assumes.even_choice", "assumes.counts_rightly"]


def test_notes_tell_what_was_seen_from_what_follows() -> None:
    """ALIBI-8: and only the last level says how much is left to know."""
    game = three("ACD").ask("Bar").answer(2).change(on_turn=0).ask("Bar", answerer=2).answer(1)
    known = of(game, 0)
    logic = known.sheet("logic")
    cells = {(cell.row, cell.column): (cell.mark, cell.source) for cell in logic.cells}

    assert cells["Restaurant-3", "0"] == ("yes", "seen")
    assert cells["SunDeck-3", MISSING] == ("no", "follows")  # three of four bars are held
    assert cells["Bar-3", "1"] == (None, None)
    assert (logic.solutions, logic.worlds, logic.bits, logic.assumes) == (None, None, None, ())
    assert known.sheet("probabilities").bits == known.entropy() > 0
    zero = of(three("ACD").ask("Restaurant").answer(0), 2)
    assert Cell("Restaurant-3", "1", "no", "seen") in zero.sheet("facts").cells


def test_before_the_table_is_laid_there_is_no_proof() -> None:
    assert belief(0).proof("Bar-3", "missing", ()) is None


def test_no_bit_is_missing_where_the_case_is_certain() -> None:
    bits = of(three().play(0, Slam("Bar-12")), 0).sheet("probabilities").bits

    assert str(bits) == "0.0"  # not -0.0


def test_a_proof_names_the_log_lines_it_rests_on() -> None:
    game = three("ACD").ask("Bar").answer(2).change(on_turn=0).ask("Bar", answerer=2).answer(1)
    known = of(game, 0)
    proof = known.proof("Restaurant-3", "0", game.seen(0))

    assert proof is not None
    assert [step.message for step in proof.reasons] == [Message("why.hand")]
    assert known.proof("Bar-3", "1", game.seen(0)) is None
    assert known.proof("Bar-3", "nobody", game.seen(0)) is None
    assert known.proof("Attic", "1", game.seen(0)) is None
    zero = three("ACD").ask("Restaurant").answer(0)
    out = of(zero, 2).proof("Restaurant-3", "1", zero.seen(2))
    assert out is not None
    assert [step.message.key for step in out.reasons] == ["answered.heard"]


def test_what_is_forgotten_was_told_and_never_the_own_hand() -> None:
    game = three("ACD").ask("Bar").answer(2)
    known = of(game, 0, "sight")
    forgotten = known.forget(Rng(b"", 1))

    assert known.position != forgotten.position
    assert forgotten.position is not None
    assert [item.source for item in forgotten.position.evidence] == [HAND]
    assert forgotten.forget(Rng(b"", 1)) == forgotten


def test_a_question_taken_back_leaves_nothing_behind() -> None:
    """ALIBI-20: its number is used again."""
    game = three("ACD").ask("Bar")
    known = of(game, 2)
    again = three("ACD").ask("Library").answer(2)
    for event in again.last:
        known = known.learn(redact(event, 2))

    assert len(known.log) == 1


# --- Habits ------------------------------------------------------------------------------------------------------


def habits(game: Staged, seat: Seat, order: StandingOrder | None = None) -> set[Any]:
    events = game.seen(seat)
    return {perfect_alibi.habit(game.view(seat), seat, events, Rng(b"habit", n), order) for n in range(60)}


def test_by_habit_a_card_that_the_asker_has_seen_is_shown_again() -> None:
    """ALIBI-34."""
    game = three().ask("Bar").answer(2)
    assert habits(game, 1) == {Show("Bar-3"), Show("Bar-6")}
    game.show("Bar-6").change(on_turn=0).ask("Bar").answer(2)
    assert habits(game, 1) == {Show("Bar-6")}
    drawn = three("EDB").ask("Bar").answer(2, drawn_card=0).change(on_turn=0, assistants=("Captain", "Priest", "Cook"))
    assert habits(drawn.ask("Bar").answer(2), 1) == {Show("Bar-3")}


def test_by_order_what_most_others_have_seen_is_shown() -> None:
    """ALIBI-34."""
    game = three().ask("Bar").answer(2).show("Bar-6")
    game.change(on_turn=2).ask("Bar").answer(2)

    assert habits(game, 1) == habits(game, 1, "seen") == {Show("Bar-3"), Show("Bar-6")}
    assert habits(game, 1, "least") == {Show("Bar-6")}


def test_by_habit_a_right_number_is_given() -> None:
    """ALIBI-64, ALIBI-75: only an expired clock answers for a person, and then rightly."""
    assert habits(three().ask("Bar"), 1) == {Answer(2)}
    assert habits(three(rivals="BAC").ask("Bar"), 1) == {Answer(1), Answer(3)}
    assert habits(three(**SOFT).ask("Bar"), 1) == {Announce(2)}
    assert habits(three(**SOFT, rivals="BAC").ask("Bar"), 1) == {Announce(1), Announce(3)}
    wrong = three(**SOFT).ask("Bar").answer(1).play(2, Confirm(1))
    assert habits(wrong, 1) == {Correct(2)}
    assert habits(wrong.play(1, Correct(2)), 1) == {ShowLate("Bar-3"), ShowLate("Bar-6")}


def test_secrets_reach_only_those_who_may_know() -> None:
    """ALIBI-E24: no viewer is sent a card, number or tile that is not his to know, until the game is over."""
    game = three("DAB", rivals="ADC").ask("Bar").answer(3).show("Bar-3").play(2, Slam("Bar-9"))
    for viewer in (0, 1, 2, TABLE):
        text = "".join(map(repr, game.seen(viewer)))
        own = set() if viewer < 0 else set(game.state.hands[viewer])
        shown = {"Bar-3"} if viewer in (0, 1, 2) else set()
        marked = {"Bar-9", "Bar-12"} if viewer == 2 else set()
        named = {card for card in PACK if f"'{card}'" in text}
        assert named == own | shown | marked
        assert ("said=3" in text) == (viewer in (0, 1))
    assert refused(game, 2, Slam("Bar-12"))


def test_bots_miscount_as_often_as_the_house_says() -> None:
    """BOT_ERROR_RATE: only by hand, from their own seed, and never what could not be shown."""
    for rate, least, most in ((0, 0, 0), (30, 35, 85), (100, 200, 200)):
        game = three(**SOFT, bot_error_rate=rate).ask("Bar")
        answers = [perfect_alibi.consider(game.view(1), 1, of(game, 1), Rng(b"errs", n))[-1] for n in range(200)]
        wrong = sum(answer != Announce(2) for answer in answers)
        assert least <= wrong <= most
        assert all(answer.number in (0, 1, 2, 3, 4) for answer in answers)  # type: ignore[attr-defined]


def test_who_is_out_shows_any_card() -> None:
    """ALIBI-55: as if he had never looked."""
    game = three().play(1, Slam("Bar-9")).ask("Bar").answer(2)
    chosen = {perfect_alibi.consider(game.view(1), 1, of(game, 1), Rng(b"out", n))[0] for n in range(40)}

    assert chosen == {Show("Bar-3"), Show("Bar-6")}
    assert ALIBI.INFO.id == "perfect_alibi"
