"""Deals that several people play: days that pass, games played to their end, and every ask of the protocol once."""

from collections.abc import Callable
from itertools import count
from typing import Any, Final

import pytest

from tests.example import EXAMPLE
from tests.server.sites import MIDNIGHT, SALT, FakeClock, Page, Parlour, chosen, dice, settle, terms_of
from whodunit.server import challenges, people
from whodunit.server.tries import day_of, ends

TODAY: Final = day_of(MIDNIGHT)
QUESTIONS: Final = 12
"""So many events pass before anybody guesses."""
NOBODYS_DUEL: Final = "x" * 22


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every day's challenge be a small game, and call tables by numbers."""
    numbers = count(1)
    monkeypatch.setattr(challenges, "GAMES", (EXAMPLE,) * 7)
    monkeypatch.setattr(challenges, "BOTS", 2)
    monkeypatch.setattr(challenges, "LEVEL", "rookie")
    monkeypatch.setattr(people, "table_id", lambda: f"table{next(numbers)}")


async def begun(parlour: Parlour, person: str, day: str = TODAY) -> tuple[str, Page]:
    """Let somebody begin the challenge; return the table and their page."""
    page = parlour.page(person)
    table = (await page.ask("begin_challenge", day=day, name=person.title()))["table"]
    await page.ask("watch_table", table=table)
    return table, page


async def play_out(parlour: Parlour, table: str, page: Page, seed: int = 0) -> None:
    """Play on for a while, then guess whenever that is on offer; let the result be kept."""
    rng, until, moved, idle = dice(seed), page.told.seq + QUESTIONS, 0, 0
    while not page.told.over:
        if not page.told.on_turn or page.told.seq <= moved:
            await parlour.pass_time((parlour.clock.next or parlour.clock.now()) - parlour.clock.now())
            idle += 1
            assert idle < 5000, "nobody moves"
            continue
        offers, moved = page.told.table["offers"], page.told.seq
        guesses = [offer for offer in offers if offer["action"] == "Accuse"] if moved > until else []
        others = [offer for offer in offers if offer["action"] != "Accuse"]
        await page.ask("act", table=table, **chosen(guesses or others or offers, rng))
        await settle()
    for _ in range(40):
        await settle()


async def finished(parlour: Parlour, person: str, seed: int = 0) -> tuple[str, Page]:
    """Let somebody play the challenge to its end."""
    table, page = await begun(parlour, person)
    await play_out(parlour, table, page, seed)
    return table, page


def tomorrow(clock: FakeClock) -> int:
    """Return how long the day still lasts."""
    return ends(day_of(clock.now())) - clock.now()


Fields = Callable[[str], dict[str, Any]]


def _of_table(**more: Any) -> Fields:
    return lambda table: {"table": table, **more}


def _anywhere(**more: Any) -> Fields:
    return lambda _: more


ASKS: Final[dict[str, Fields]] = {
    "watch_lobby": _anywhere(),
    "leave_lobby": _anywhere(),
    "create_table": _anywhere(**terms_of(chairs=[None, "random"], game=EXAMPLE)),
    "first_case": _anywhere(game="clue", name="Eve"),
    "watch_table": _of_table(after=0),
    "leave_table": _of_table(),
    "sit_down": _of_table(seat=0, name="Eve", salt=SALT),
    "stand_up": _of_table(),
    "set_chair": _of_table(seat=1, level="random"),
    "start": _of_table(),
    "hand_over": _of_table(),
    "take_back": _of_table(),
    "call_stand_in": _of_table(seat=0),
    "pause": _of_table(),
    "resume": _of_table(),
    "set_pace": _of_table(pace="normal"),
    "rematch": _of_table(salt=SALT),
    "act": _of_table(since=1, action={"type": "Accuse"}),
    "undo": _of_table(),
    "select": _of_table(since=1, action={"type": "Accuse"}),
    "set_order": _of_table(order=None),
    "set_hook": _of_table(url=None),
    "looking": _of_table(looking=True),
    "look": _of_table(seq=1, eyes="all"),
    "agree": _of_table(agreed=True),
    "peek": _of_table(),
    "notes": _of_table(eyes=0),
    "why": _of_table(row="x", column="1", eyes=0),
    "give_hint": _of_table(grade="fact"),
    "give_advice": _of_table(),
    "since_away": _of_table(),
    "mark": _of_table(cell="x", mark="y"),
    "jot": _of_table(text="hm"),
    "heard": _of_table(seq=1),
    "practise": _anywhere(game="clue", difficulty="normal"),
    "say": _of_table(text="hello"),
    "say_phrase": _of_table(phrase="hello"),
    "mute": _of_table(speaker=0, muted=True),
    "check_seal": _of_table(),
    "read_review": _of_table(viewer="whole"),
    "retry": _of_table(seat=0, seq=5, action={"type": "Accuse"}),
    "read_today": _anywhere(),
    "read_archive": _anywhere(),
    "open_case": _anywhere(case="2026-11-18.clue"),
    "turn_line": _anywhere(case="2026-11-18.clue", turned=1),
    "claim_case": _anywhere(case="2026-11-18.clue", turned=1, claim=[["Plum", "0"]]),
    "check_mark": _anywhere(case="2026-11-18.clue", turned=1, row="Plum", column="0", held=True),
    "give_up": _anywhere(case="2026-11-18.clue", turned=1),
    "read_challenge": _anywhere(day=TODAY),
    "begin_challenge": _anywhere(day="2001-01-01", name="Eve"),
    "make_duel": _of_table(),
    "read_duel": _anywhere(duel=NOBODYS_DUEL),
    "begin_duel": _anywhere(duel=NOBODYS_DUEL, name="Eve"),
    "open_network": _anywhere(open=False),
}
"""By ask of the protocol: what somebody sends who wants to know something of another's table."""
OF_TABLES: Final = tuple(kind for kind, fields in ASKS.items() if "table" in fields("x"))
