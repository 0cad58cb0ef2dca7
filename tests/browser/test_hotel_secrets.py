"""What changes hands or is looked at in Crime Hotel nobody else's page says: two deals, and not one byte differs."""

from typing import Final

from tests.browser.house import House, Step, loaded
from tests.browser.porch import Porch
from tests.browser.test_worlds import StillClock
from tests.browser.visitor import Visitor
from tests.games.crime_hotel.staging import blindly, deck_of
from whodunit.core.rng import Result
from whodunit.games.crime_hotel.facts import Card
from whodunit.games.crime_hotel.model import AnyAction, Exchange, Guess, Look, Play, TakeDesk

BENNO: Final = "12 18 22 25 31 38"


def world(ada: str, chloe: str, murderer: Card, given: Card, drawn: Card, seen: Card) -> tuple[dict[str, Result], Card]:
    """Return what is drawn, from Ada's hand twice, and what Chloe gives."""
    before = [int(card) for card in ada.split() if card != "21"]
    after = sorted({*before, given} - {drawn, 39})
    return {
        "deck 1": deck_of((ada, BENNO, chloe, "11 15 24 28 29 35"), murderer, 6),
        "exchange 1.1": blindly([drawn], before),
        "look 1.1": blindly([seen], after),
    }, given


ONE: Final = world("13 17 21 33 34 39", "14 16 23 27 32 36", 37, given=14, drawn=33, seen=13)
OTHER: Final = world("16 17 21 32 34 39", "13 14 23 27 33 37", 36, given=13, drawn=32, seen=17)
"""Benno's cards and all that is played are the same; the murderer, other hands and what passes between them differ."""


def script(given: Card) -> list[tuple[int, AnyAction]]:
    """Chloe exchanges with Ada, then Dag looks at Ada's cards; at the end Benno is to guess."""
    return [
        *((3, Play(29)), (0, Play(21)), (1, Play(22)), (2, Play(23)), (3, Guess("column 4"))),
        *((2, Exchange(0, (given,))), (1, TakeDesk("BONUS")), (0, Guess("column 8"))),
        *((3, Play(28)), (0, Play(39)), (1, Play(25)), (2, Play(27)), (0, Guess("room 24"))),
        *((3, Look(0)), (2, TakeDesk("DUPLICATE"))),
    ]


def told(visitor: Visitor) -> list[bytes]:
    """What came over the line; when notes are asked for depends on how busy the machine is."""
    return [frame for frame in visitor.told.frames if b'"type":"done"' not in frame]


def played(porch: Porch, draws: dict[str, Result], given: Card, port: int) -> tuple[list[object], str]:
    """Play in one world; return what Benno's page and a spectator's were told and say, and Ada's log at the end."""
    with House(StillClock(), port=port) as house:
        house.draws = loaded(draws, seed=b"world")
        table = house.lay(
            ["Ada", "Benno", "Chloe", "Dag"],
            id="world",
            game="crime_hotel",
            options={"first_car": 3},
            assistance="probabilities",
            public=True,
        )
        # One after the other: who comes second is told that the others are away, and who is first is not.
        benno = porch.come(house.address, table.cookies[1]).goto(table.path)
        benno.sees("Waiting for Dag to play a card")
        anna = porch.come(house.address, house.person("anna")).goto(table.path)
        anna.sees("Waiting for Dag to play a card")
        for seat, action in script(given):
            house.act(table.id, Step(seat, action))
        benno.sees("Put your meeple on a guess")
        # The notes take some thought; they end with how many rooms are left.
        benno.page.locator("section.notes footer").wait_for()
        for visitor in (benno, anna):
            visitor.quiet(250)
        said = [told(benno), told(anna), benno.text().splitlines(), anna.text().splitlines()]
        ada = porch.come(house.address, table.cookies[0]).goto(table.path)
        ada.sees("Waiting for Benno to guess")
        log = ada.page.locator("section.log").inner_text()
        assert ada.wrong == benno.wrong == anna.wrong == []
        for visitor in (ada, benno, anna):
            porch.leave(visitor)
        return list(said), log


def test_what_passes_between_two_hands_is_seen_by_these_two_alone(porch: Porch, own_port: int) -> None:
    one, ada_in_one = played(porch, *ONE, own_port)
    other, ada_in_other = played(porch, *OTHER, own_port)

    for this, that in zip(one, other, strict=True):
        assert this == that
    # It would be found: to whom it is meant the worlds differ.
    assert "exchange 1 of their cards: 14 for 33." in ada_in_one
    assert "looks at 1 of Ada's cards: 13." in ada_in_one
    assert "exchange 1 of their cards: 13 for 32." in ada_in_other
    assert "looks at 1 of Ada's cards: 17." in ada_in_other
