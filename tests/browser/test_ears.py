"""Played by ear, from the front page to the end: by roles and names, by keys, and by what is said aloud.

Every deduction here is made from what was heard or read out, never from what the server told the page. A case of a day
is solved by ear in test_today.py.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Final

import pytest
from playwright.sync_api import Locator, expect

from tests.browser import alibi, clue, hotel
from tests.browser.conftest import Visit
from tests.browser.ears import Listener
from tests.browser.house import House, Step, loaded
from tests.browser.porch import Porch
from tests.browser.states_hotel import SHORT, SHORT_HANDS
from tests.browser.test_review import closed
from tests.games.clue.staging import deal_of, stack
from tests.games.crime_hotel.staging import deck_of
from tests.games.perfect_alibi.staging import deal_of as alibis_of
from whodunit import games
from whodunit.games.clue.facts import PACK
from whodunit.games.clue.model import EndTurn, Move, Roll, Suggest
from whodunit.games.perfect_alibi.facts import COLOURS, LOCATIONS
from whodunit.games.perfect_alibi.model import Ask, Options, PickAssistant, State, TakeChip
from whodunit.games.perfect_alibi.rules import _chips
from whodunit.room.pace import Pace

MANSION: Final = deal_of(
    "White Rope DiningRoom",
    [
        "Scarlet Knife Lounge Hall Library Plum",
        "Mustard LeadPipe Kitchen Ballroom Study Revolver",
        "Green Peacock Wrench Candlestick Conservatory BilliardRoom",
    ],
)
NEAR: Final = deal_of(
    "White Rope Library",
    [
        "Scarlet Knife Lounge Hall DiningRoom Plum",
        "Mustard LeadPipe Kitchen Ballroom Study Revolver",
        "Green Peacock Wrench Candlestick Conservatory BilliardRoom",
    ],
)
"""The rooms that are near in the beginning are Ada's own."""
SHIP: Final = alibis_of(
    ["Bar-3 Library-3 SunDeck-3 Bar-6 Bar-9", "Library-6 SunDeck-6 Restaurant-9 Library-9 Restaurant-12", ""],
    missing="Restaurant-3",
)
"""Ada has all alibis for 3 o'clock but one."""
LISTENED: Final = (
    *((game, pace) for game in ("clue", "perfect_alibi", "crime_hotel") for pace in ("brisk", "at_once")),
    ("arosa", "at_once"),
)
"""Games that are listened to as a whole; a brisk one of Mord im Arosa waits until somebody has heard what fell."""
DEEDS: Final = 40
"""How often somebody moves in such a game, if it takes so long."""
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


@pytest.fixture
def slow(own_port: int) -> Iterator[House]:
    """A house in which bots take their time, as they do for people."""
    with House(haste=1.0, port=own_port) as house:
        house.draws = loaded({**stack(NEAR), **clue.SIX})
        yield house


class Beaten(Exception):
    """A bot has solved the case first: what bots ask is drawn for each table."""


class Alone:
    """Somebody who plays Clue against bots by ear: asks for what is nobody's until a room goes with it."""

    ASKED: Final = ("White", "Rope")
    CALLS: Final = tuple(clue.WORDS[f"now.call.{what}"] for what in ("Beginning", "Concluding", "asked"))

    def __init__(self, ear: Listener) -> None:
        self.ear = ear
        self.name = ear.items("region", "Players")[0].split()[0]
        self.mine = ear.items("region", clue.WORDS["ui.hand"])
        self.seen: list[str] = []
        self.open = False
        """Whether a card lies open before me."""
        assert not {clue.term(card) for card in self.ASKED}.intersection(self.mine)

    def called(self) -> None:
        """Wait until it is said that it is my turn, and answer whoever asks me before."""
        calls = [*map(re.escape, self.CALLS), r"(?!You )\w+ solved the case"]
        while (heard := self.hears(re.compile("|".join(f"^{call}$" for call in calls)))) == self.CALLS[-1]:
            self.ear.press(re.compile("^(Show .* to |I have none of them$)"))
        if heard not in self.CALLS:
            raise Beaten

    def hears(self, words: str | re.Pattern[str]) -> str:
        """Hear something out: nothing of what was said before it was cut off."""
        heard = self.ear.hears(words)
        assert self.ear.drowned() == []
        return heard

    def turn(self) -> bool:
        """Take a turn, wait for the next, and say whether the game was won before."""
        ear, words = self.ear, clue.WORDS
        if self.open:
            ear.press(words["now.seen.back"])
        room = self.goes()
        choosing = ear.finds("region", "Your suggestion")
        for card in self.ASKED:
            ear.press(re.compile(f"^{re.escape(clue.term(card))}"), choosing)
        ear.press("Suggest this")
        answer = self.hears(re.compile(f"shows {self.name} this card: |^{self.CALLS[1]}$"))
        self.open = answer != self.CALLS[1]
        if answer == self.CALLS[1] and room not in self.mine:
            self.accuses(room)
            return True
        if answer == self.CALLS[1]:
            ear.press("End my turn")
        else:
            self.seen.append(answer.rpartition(": ")[2].rstrip("."))
        self.called()
        return False

    def goes(self) -> str:
        """Go into a room of which I know nothing, if there is one within reach, and return which."""
        self.ear.press("Throw the dice")
        self.hears("throws 12")
        walking = self.ear.finds("region", re.compile("^You threw 12"))
        ways = walking.get_by_role("button", name=re.compile("^Enter ")).all_inner_texts()
        way = min(ways, key=lambda way: way.removeprefix("Enter the ") in (*self.mine, *self.seen))
        self.ear.press(way, walking)
        return way.removeprefix("Enter the ")

    def accuses(self, room: str) -> None:
        self.ear.press(clue.WORDS["action.Accuse.open"])
        accusing = self.ear.finds("region", "Your accusation")
        for card in (*map(clue.term, self.ASKED), room):
            self.ear.press(re.compile(f"^{re.escape(card)}"), accusing)
        self.ear.press("Accuse")
        self.ear.press(re.compile("^Yes, I accuse"), self.ear.finds("dialog", clue.WORDS["now.accuse.sure"]))
        self.hears("and is right.")


@pytest.mark.timeout(300)
def test_the_pace_of_a_game_alone(slow: House, porch: Porch) -> None:
    won = False
    for _ in range(4):
        ear = Listener(porch.come(slow.address))
        with suppress(Beaten):
            play_alone(ear)
            won = True
        porch.leave(ear.visitor)
        if won:
            break
    assert won, "bots solved four cases first"


def play_alone(ear: Listener) -> None:
    """Change the pace while a game goes on, and win it; then whatever happened has been said once, in its order."""
    ear.opens("/")
    ear.press("Play now against bots", ear.finds("article", "Clue"))
    sheet = ear.finds("dialog", "Clue against bots")
    for group, choice in (("How many bots?", "2"), ("How strong?", "rookie")):
        ear.press(choice, ear.finds("group", group), role="radio", key=" ")
    paces = ear.finds("group", "How fast do they play?")
    for pace, meaning in (("at once", "in the blink of an eye"), ("brisk", "they wait for you")):
        ear.press(pace, paces, role="radio", key=" ")
        expect(ear.finds("radio", pace, paces)).to_have_accessible_description(re.compile(meaning))
    ear.chooses(sheet, "clue", {"dice_count": 2})
    ear.press("Start the game", sheet)
    ear.hears(Alone.CALLS[0])

    player = Alone(ear)
    assert not player.turn()
    ear.press("Menu")
    menu = ear.finds("dialog", "Menu")
    ear.press("at once", menu)
    news = ear.hears("The pace is now: at once")
    ear.press("Close", menu)
    assert any(player.turn() for _ in range(9))
    ear.hears("You solved the case")

    # And nothing else was, but that I am called and what was agreed.
    said = [words for how, words in ear.everything() if how == "waits" and words not in (*Alone.CALLS, news)]
    assert logged(ear).endswith(" ".join(said))
    assert said[0].endswith("throws 12.")
    assert not [words for how, words in ear.everything() if how == "cuts in"]
    assert ear.moving == []


def logged(ear: Listener) -> str:
    """Return what the log says, from its beginning, without the numbers and sums of its entries."""
    entries = ear.finds("region", "Log").get_by_role("listitem").all()
    told = [" ".join(" ".join(entry.get_by_role("button").all_text_contents()).split()) for entry in reversed(entries)]
    plain = [re.sub("^No. [0-9]+ ?| ?Nobody could show a card.$", "", entry) for entry in told]
    return re.sub(r"It is \w+'s turn\. ?", "", " ".join(plain)).strip()


def moves(house: House, id: str, number: int) -> None:
    """Let the first seat do something: what ends its game only where there is nothing else."""
    live = house.live(id)
    info = live.game.INFO
    offer = min(live.table.offers[0], key=lambda offer: offer.action in (*info.final, *info.interrupts))  # type: ignore[union-attr]
    action = offer.at(number % offer.count)
    if offer.action in info.answers:
        house.call(house._give(live, 0, offer.since, action))
    else:
        house.act(id, Step(0, action))


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("game", "pace"), LISTENED)
def test_a_whole_game_is_heard_once(game: str, pace: Pace, own_port: int, porch: Porch) -> None:
    with House(haste=1.0, port=own_port) as house:
        house.draws = loaded({}, b"e" * 32)
        table = house.lay(["Ada"], ["rookie"] * 3, game=game, pace=pace)
        ear = Listener(porch.come(house.address, table.cookies[0]))
        ear.opens(table.path)
        calls = {words for key, words in games.texts(game).items() if key.startswith("now.call.")}
        for done in range(DEEDS):
            ear.visitor.until(lambda told: told.over or 0 in house.live(table.id).table.awaiting, "her turn")  # type: ignore[union-attr]
            if ear.visitor.told.over:
                break
            moves(house, table.id, done)
        ear.visitor.quiet(600)
        said = [words for how, words in ear.everything() if how == "waits" and words not in calls]
        assert said
        assert logged(ear).endswith(" ".join(said))
        assert ear.drowned() == []
        porch.leave(ear.visitor)


def test_a_review(house: House, visit: Visit) -> None:
    table = closed(house)
    ada = Listener(visit(table.cookies[0]))
    ada.opens(table.path)
    ada.press("Open the whole review", role="link")
    ada.hears("Review")
    slider = ada.finds("slider", "Moment of the review")

    # What cost her most, and where; the way there says the same of that moment.
    findings = ada.finds("region", "What decided it").get_by_role("listitem")
    worst = findings.filter(has_text="Most could be gained")
    lost = re.findall(r"\d\.\d", worst.inner_text())[0]
    ada.press("See this moment", worst, role="link")
    there = ada.hears(f"The best promised {lost} bits more.")
    assert f"({there.split('.')[0]})" in worst.inner_text()

    # Her curve in words, and moment by moment with the slider's own voice alone.
    (curve,) = [line for line in ada.items("region", "What was still unknown") if line.startswith("Ada: ")]
    ada.waits()
    heard = [reads(slider, "ArrowLeft"), *(reads(slider, key) for key in ["ArrowLeft"] * 9 + ["ArrowRight"] * 9)]
    assert ada.said() == ["Moment of the review"]
    changes = list(dict.fromkeys(re.findall(r"from (\d\.\d) to (\d\.\d) bits", " ".join(heard[9:]))))
    assert [changes[0][0], changes[-1][1]] == re.findall(r"\d\.\d", curve)
    assert all(one[1] == other[0] for one, other in pairwise(changes))

    # Trying again: which moment it is, what every choice is worth, and then the best one on the table itself.
    ada.press("Try it again")
    choosing = "Which of these would have been best?"
    ada.hears(choosing)
    assert ada.hears("Where to go").startswith(there.split(".")[0])
    for choice in ada.finds("region", choosing).get_by_role("listitem").all_inner_texts():
        ada.press(choice, ada.finds("region", choosing))
        if ada.hears(re.compile("^(Not yet|Yes): ")).startswith("Yes"):
            break
        best = re.findall(r"\d\.\d bits", ada.said()[-1])[1]
    assert ada.said()[-1].endswith(f"It promised {best}.")
    ada.press("Next one")
    ada.hears("Do what you would do now.")
    ada.press("Show it")
    assert ada.hears("The best: ") == f"The best: {choice}, {best}."
    ada.press("Next one")
    ada.hears("All of them found.")
    ada.press("Leave it")
    assert ada.hears(re.compile(".")) in there
    assert ada.drowned() == []


def reads(slider: Locator, key: str) -> str:
    """Press a key on a slider, and return the value that is read out."""
    slider.press(key)
    return slider.get_attribute("aria-valuetext") or ""
