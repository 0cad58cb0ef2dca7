"""Actions by number: one spelling for every action, masks for what is on offer."""

import pickle

import pytest

from whodunit import games, new_game
from whodunit.core.offer import Offer, One, Order, Some
from whodunit.core.types import Action
from whodunit.env import ActionSpace, Wait
from whodunit.games.arosa.model import Arrange
from whodunit.games.clue.model import Accuse, Move, Roll, Suggest
from whodunit.games.perfect_alibi.model import Accuse as Claim
from whodunit.games.perfect_alibi.model import Ask, Confirm

TABLES = [(id, seats) for id in games.ids() for seats in games.get(id).INFO.seats]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_every_index_is_one_action_that_has_this_index(game: str, seats: int) -> None:
    space = ActionSpace(game, seats, {})
    whole = [index for index in range(space.size) if index not in space.spelled]
    actions = [space.at(index) for index in whole]

    assert None not in actions
    assert len({*actions}) == len(actions)
    assert [space.index(action) for action in actions if action is not None] == whole
    assert len({space.name(index) for index in range(space.size)}) == space.size


def test_an_index_follows_from_the_fields_by_mixed_radix() -> None:
    space = ActionSpace("clue", 3, {})
    first = space.index(Accuse("Scarlet", "Rope", "Study"))

    assert space.index(Accuse("Scarlet", "Rope", "Kitchen")) == first + 8
    assert space.index(Accuse("Scarlet", "LeadPipe", "Study")) == first + 9
    assert space.index(Accuse("Plum", "Revolver", "Kitchen")) == first + 323
    assert space.name(first) == "Accuse(suspect=Scarlet, weapon=Rope, room=Study)"


def test_a_mask_admits_what_the_offers_admit() -> None:
    space = ActionSpace("clue", 3, {})
    game = new_game("clue", 3, 7)
    offers = game.legal(0)
    wanted = {space.index(action) for offer in offers for action in offer.actions()}

    for _ in range(2):  # made, and remembered
        assert {*space.mask(offers).nonzero()[0].tolist()} == wanted
    again = [Offer(offer.action, dict(offer.choices)) for offer in offers]
    assert (space.mask(again) == space.mask(offers)).all()


def test_a_mask_is_ones_own() -> None:
    space = ActionSpace("clue", 3, {})
    offers = [Offer(Roll)]
    space.mask(offers)[:] = True

    assert space.mask(offers).sum() == 1


def test_remembered_offers_never_stand_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whodunit.env.space.KEPT", 2)
    space = ActionSpace("clue", 3, {})
    for place in range(50):  # dropped at once, so that ids come again
        assert space.mask([Offer(Move, {"to": One((space.at(1 + place).to,))})]).nonzero()[0].tolist() == [1 + place]  # type: ignore[union-attr]


def test_an_order_is_spelled_place_by_place() -> None:
    space = ActionSpace("arosa", 3, {})
    offers = [Offer(Arrange, {"order": Order((0, 1, 2))})]
    spelling = space.spelling(Arrange((2, 0, 1)))

    assert [space.name(index) for index in spelling] == [
        "Arrange(order: 2)",
        "Arrange(order: 0)",
        "Arrange(order: 1)",
        "Arrange(order: no more)",
    ]
    assert space.mask(offers).sum() == 3
    assert space.mask(offers, spelling[:1]).nonzero()[0].tolist() == sorted({*spelling[1:3]})
    assert space.at(spelling[0]) is None
    assert space.at(spelling[3], spelling[:3]) == Arrange((2, 0, 1))


def test_what_is_no_choice_any_more_is_said_along() -> None:
    space = ActionSpace("arosa", 3, {})
    offers = [Offer(Arrange, {"order": Order((0, 1, 2))})]
    first, second, *_ = space.spelling(Arrange((2, 0, 1)))

    assert space.said(offers, first) == (first,)
    assert space.said(offers, second, (first,)) == Arrange((2, 0, 1))


def test_a_choice_of_many_questions_is_spelled_behind_the_seat() -> None:
    space = ActionSpace("perfect_alibi", 3, {"answer_mode": "by_hand", "unforgiving": True}, turns=40)
    offers = [
        Offer(Claim, {"accused": One((1,)), "questions": Some((2, 5, 9), 1, 3)}),
        Offer(Claim, {"accused": One((2,)), "questions": Some((3,), 1, 1)}),
    ]
    claim = Claim(1, (2, 9))
    names = [space.name(index) for index in space.spelling(claim)]

    assert names == [
        "Accuse(accused=1, ...)",
        "Accuse(questions: 2)",
        "Accuse(questions: 9)",
        "Accuse(questions: no more)",
    ]
    assert space.mask(offers).sum() == 2
    said = space.spelling(claim)[:2]
    more = [space.name(index) for index in space.mask(offers, said).nonzero()[0].tolist()]
    assert more == ["Accuse(questions: 5)", "Accuse(questions: 9)", "Accuse(questions: no more)"]


def test_few_choices_of_several_are_numbered_whole() -> None:
    space = ActionSpace("perfect_alibi", 3, {})

    assert len(space.spelled) == 0
    assert space.at(space.index(Ask(("Bar", "SunDeck")))) == Ask(("Bar", "SunDeck"))


def test_what_grows_with_the_game_has_indices_for_so_many_turns() -> None:
    by_hand = {"answer_mode": "by_hand"}
    space = ActionSpace("perfect_alibi", 3, by_hand, turns=40)

    assert space.at(space.index(Confirm(40))) == Confirm(40)
    with pytest.raises(ValueError, match=r"Confirm\(question=41\) is no action of this space, .* at most 40 turns"):
        space.index(Confirm(41))
    with pytest.raises(ValueError, match="actions that this space has not"):
        space.mask([Offer(Confirm, {"question": One((41,))})])
    with pytest.raises(ValueError, match="0 turns"):
        ActionSpace("perfect_alibi", 3, by_hand, turns=0)


def test_waiting_is_the_last_index_and_never_on_offer() -> None:
    space = ActionSpace("perfect_alibi", 3, {})

    assert space.at(space.size - 1) == Wait()
    assert space.index(Wait()) == space.wait == space.size - 1
    assert not space.mask(new_game("perfect_alibi", 3, 1).legal(0))[space.wait]


def test_what_is_no_action_is_refused() -> None:
    space = ActionSpace("clue", 3, {})

    with pytest.raises(ValueError, match="is no action of this space, which is of clue with 3 seats"):
        space.index(Suggest("Scarlet", "Rope", "Attic"))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="does not begin with Roll"):
        space.index(Roll(), (space.index(Roll()),))
    for index in (-1, space.size):
        with pytest.raises(IndexError, match=f"{index} is no action"):
            space.at(index)


def test_a_game_that_does_not_say_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games.get("clue"), "space", lambda *_: None)
    with pytest.raises(LookupError, match="clue does not say which actions there could ever be: it brings no `space`"):
        ActionSpace("clue", 3, {})


def test_widest_offers_that_overlap_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Pick(Action, frozen=True):
        number: int

    widest = [Offer(Pick, {"number": One((1, 2))}), Offer(Pick, {"number": One((2, 3))})]
    monkeypatch.setattr(games.get("clue"), "space", lambda *_: widest)
    with pytest.raises(ValueError, match="two of the widest offers of clue admit the same Pick"):
        ActionSpace("clue", 3, {})


def test_a_space_is_pickled_as_what_it_was_made_of() -> None:
    space = ActionSpace("arosa", 4, {}, turns=30)
    again = pickle.loads(pickle.dumps(space))  # noqa: S301  (our own)

    assert repr(again) == repr(space)
    assert again.size == space.size
