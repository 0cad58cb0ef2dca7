"""Played by ear, from the front page to the end: by roles and names, by keys, and by what is said aloud.

Every deduction here is made from what was heard or read out, never from what the server told the page.
"""

import re
from typing import Final

from tests.browser import alibi, clue, hotel
from tests.browser.conftest import Visit
from tests.browser.ears import Listener
from tests.browser.house import House, Step, loaded
from tests.browser.states_hotel import SHORT, SHORT_HANDS
from tests.games.clue.staging import deal_of, stack
from tests.games.crime_hotel.staging import deck_of
from tests.games.perfect_alibi.staging import deal_of as alibis_of
from whodunit.games.clue.facts import PACK
from whodunit.games.clue.model import EndTurn, Move, Roll, Suggest
from whodunit.games.perfect_alibi.facts import COLOURS, LOCATIONS
from whodunit.games.perfect_alibi.model import Ask, Options, PickAssistant, State, TakeChip
from whodunit.games.perfect_alibi.rules import _chips

MANSION: Final = deal_of(
    "White Rope DiningRoom",
    [
        "Scarlet Knife Lounge Hall Library Plum",
        "Mustard LeadPipe Kitchen Ballroom Study Revolver",
        "Green Peacock Wrench Candlestick Conservatory BilliardRoom",
    ],
)
SHIP: Final = alibis_of(
    ["Bar-3 Library-3 SunDeck-3 Bar-6 Bar-9", "Library-6 SunDeck-6 Restaurant-9 Library-9 Restaurant-12", ""],
    missing="Restaurant-3",
)
"""Ada has all alibis for 3 o'clock but one."""
ROW: Final = ("green clock", "blue clock", "yellow clock", "green wheel")


def test_clue(house: House, visit: Visit) -> None:
    house.draws = loaded({**stack(MANSION), **clue.SIX})
    words, term = clue.WORDS, clue.term
    ada = Listener(visit())
    table = ada.lays(house, "clue", ["Benno", "Chloe"], {"dice_count": 2})

    ada.hears(words["now.call.Beginning"])
    hand = ada.items("region", words["ui.hand"])
    assert sorted(hand) == sorted(map(term, MANSION.hands[0]))
    ada.press("Throw the dice")
    ada.hears("throws 12")
    ada.hears(re.compile("^You threw 12"))
    ada.press(f"Enter {words['form.into.Lounge']}", ada.finds("region", re.compile("^You threw 12")))
    choosing = ada.finds("region", "Your suggestion")
    for card in ("Mustard", "Rope"):
        ada.press(re.compile(f"^{re.escape(term(card))}"), choosing)
    ada.press("Suggest this")
    ada.hears(f"Benno shows Ada this card: {term('Mustard')}.")
    ada.press("Put it back")

    # Benno asks; Chloe has none, and Ada may choose.
    ada.waits()
    for step in (Step(1, Roll()), Step(1, Move("DiningRoom")), Step(1, Suggest("Scarlet", "Knife", "DiningRoom"))):
        house.act(table, step)
    ada.hears("Chloe cannot show a card.")
    ada.hears(words["now.call.asked"])
    ada.press(re.compile(f"^{term('Knife')}"), ada.finds("region", re.compile("^Which card")))
    ada.press(words["now.show"].format(card=words["form.the.Knife"], name="Benno"))
    ada.hears(f"Ada shows Benno this card: {term('Knife')}.")
    ada.waits()
    for step in (Step(2, Roll()), Step(2, Move("Ballroom")), Step(2, EndTurn())):
        house.act(table, step)

    # The question has brought Ada to where she can ask what nobody can answer.
    ada.hears(words["now.call.Beginning"])
    ada.press(words["now.stay"].format(room=words["form.in.DiningRoom"]))
    choosing = ada.finds("region", "Your suggestion")
    asked = ("White", "Rope", "DiningRoom")
    for card in asked[:2]:
        ada.press(re.compile(f"^{re.escape(term(card))}"), choosing)
    ada.press("Suggest this")
    for name in ("Benno", "Chloe"):
        ada.hears(f"{name} cannot show a card.")
    assert not {term(card) for card in asked}.intersection(ada.items("region", words["ui.hand"]))
    ada.press(words["action.Accuse.open"])
    accusing = ada.finds("region", "Your accusation")
    for card in asked:
        ada.press(re.compile(f"^{re.escape(term(card))}"), accusing)
    ada.press("Accuse")
    ada.press(f"Yes, I accuse {term('White')}", ada.finds("dialog", words["now.accuse.sure"]))

    ada.hears("and is right.")
    ada.hears("You solved the case")
    assert ada.items("list", words["ui.held"].format(name="Benno")) == [
        term(card) for card in PACK if card in MANSION.hands[1]
    ]
    assert ada.moving == []


def test_perfect_alibi(house: House, visit: Visit) -> None:
    stacked = [f"{chip.colour} {chip.symbol}" for chip in _chips(COLOURS[:3], Options()) if not chip.arrows]
    house.draws = loaded({**alibi.laid(SHIP, ROW), "chip": stacked.index("yellow clock")})
    words, term = alibi.WORDS, alibi.term
    ada = Listener(visit())
    table = ada.lays(house, "perfect_alibi", ["Benno", "Chloe"], {})

    def others(seat: int, *about: str) -> None:
        """Let somebody ask Ada about times."""
        state: State = house.live(table).table.state  # type: ignore[union-attr]
        place = next(i for i, chip in enumerate(state.row, 1) if (chip.colour, chip.symbol) == ("yellow", "clock"))
        house.act(table, Step(seat, TakeChip(place, 0)))
        house.act(table, Step(seat, Ask(about)))  # type: ignore[arg-type]

    def asks(name: str) -> None:
        """Ask somebody about 3 o'clock, and hear that there is none."""
        ada.press(re.compile(f"^{name} times"), ada.finds("region", words["ui.chips"]))
        ada.press("3 o'clock", ada.finds("group", words["ui.ask.times"]))
        ada.finds("heading", words["now.ask.times"].format(name=name, list="3"))
        ada.press(f"Ask {name}")
        ada.hears(f"{name} answers: 0.")

    for seat, assistant in ((2, "Cook"), (1, "Psychiatrist")):
        house.act(table, Step(seat, PickAssistant(assistant)))  # type: ignore[arg-type]
    ada.hears(words["now.call.Picking"])
    ada.press(re.compile(f"^{term('Captain')}"))
    ada.hears(words["now.call.Beginning"])
    hand = ada.items("region", words["ui.hand"])
    assert sorted(hand) == sorted(map(term, SHIP.hands[0]))
    asks("Benno")

    ada.waits()
    others(1, "3")
    ada.hears(words["now.call.asked"])
    ada.press(words["now.say"].format(number=3))
    ada.hears("Ada answers: 3.")
    ada.hears(words["now.call.Showing"])
    which = ada.finds("region", words["ui.asked.which"])
    ada.press(re.compile(f"^{re.escape(term('Bar-3'))}"), which)
    ada.press(words["now.show"].format(name="Benno", card=term("Bar-3")))
    ada.hears(f"Ada shows Benno this card: {term('Bar-3')}.")
    ada.waits()
    others(2, "12")
    ada.hears(words["now.call.asked"])
    ada.press(words["now.say"].format(number=0))
    ada.hears("Ada answers: 0.")
    ada.hears(words["now.call.Beginning"])
    asks("Chloe")

    # Nobody else has an alibi for 3 o'clock: what is not in her own hand is missing.
    (missing,) = [card for card in (f"{place}-3" for place in LOCATIONS) if term(card) not in hand]
    ada.press(words["action.Slam.open"])
    grid = ada.finds("grid", words["ui.mark.Slam"])
    ada.press(re.compile(f"^{re.escape(term(missing))}"), grid)
    ada.press(re.compile("^Slam: "))
    ada.hears("and is right.")
    ada.hears("You win")
    assert ada.moving == []


def test_crime_hotel(house: House, visit: Visit) -> None:
    house.draws = loaded({"car": 3, "deck 1": deck_of(SHORT_HANDS, 37, 2)})
    words = hotel.WORDS
    ada = Listener(visit())
    table = ada.lays(house, "crime_hotel", ["Benno", "Chloe", "Dag"], {"investigations": 1, "rounds": 1})
    ada.hears(words["now.wait.Playing"].format(name="Dag"))
    lit = set(re.findall(r"\b\d\d\b", ada.reads("figure", re.compile("^The hotel. Lit rooms"))))
    hand = ada.items("list", words["ui.hand"])
    assert hand == SHORT_HANDS[0].split()

    ada.waits()
    house.act(table, SHORT[0])
    ada.hears("Dag plays 29.")
    ada.hears(words["now.call.Playing"])
    cards = ada.finds("group", words["ui.hand"])
    assert ada.finds("button", re.compile("^13, floor 1: .*was led"), cards).is_disabled()
    ada.press("21, floor 2", cards)
    ada.press("Play 21")
    ada.waits()
    for step in SHORT[2:7]:
        house.act(table, step)
    played = {ada.hears(re.compile(f"^{name} .*plays")).rstrip(".")[-2:] for name in ("Benno", "Chloe")}
    bet = re.search("room (..)", ada.hears("Benno guesses"))
    assert bet
    ada.hears(words["now.call.Guessing"])

    # Where it is still dark for her; what Benno bets on is among it.
    rooms = {f"{floor}{column}" for floor in "123" for column in "123456789"}
    dark = rooms - lit - played - {"29", *hand}
    assert bet[1] in dark
    ada.press(words["now.list"])
    ada.press(re.compile(f"^Column {bet[1][1]}"), ada.finds("dialog", words["now.list"]))
    ada.press(f"Guess column {bet[1][1]}")
    ada.hears(f"Ada guesses column {bet[1][1]}.")
    ada.waits()
    for step in SHORT[-3:]:
        house.act(table, step)
    ada.hears(words["now.call.Revealing"])
    ada.press("Lay 13 open")

    ada.hears("The murderer was in room 37.")
    ada.hears("Benno has the most points and wins.")
    ada.hears("Benno wins")
    pad = ada.reads("region", words["ui.pad"])
    assert re.search(r"Total.*\b5\b.*\b10\b", pad, re.DOTALL)
    assert ada.moving == []
