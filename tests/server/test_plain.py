"""What the plain table is told of a game: which actions are what, what is by seat, what is hidden, the sheet's rows."""

import asyncio

import msgspec

from tests.browser.frames import NOW_SAMPLE, SAMPLE, now_sample, sample, written
from tests.server.sites import opened
from whodunit.server.plain import described
from whodunit.server.protocol import Plain

CLUE = Plain(
    answers=("Show", "CannotShow"),
    final=("Accuse",),
    interrupts=(),
    by_seat=("tokens", "sizes", "hands", "looked", "summoned", "out"),
    hidden=("envelope",),
    rows=(
        *("Scarlet", "Mustard", "White", "Green", "Peacock", "Plum"),
        *("Rope", "LeadPipe", "Knife", "Wrench", "Candlestick", "Revolver"),
        *("Study", "Hall", "Lounge", "Library", "BilliardRoom", "DiningRoom", "Conservatory", "Ballroom", "Kitchen"),
    ),
    columns=("envelope",),
)


def test_a_list_is_by_seat_where_it_grows_with_the_table() -> None:
    # Six tokens and six weapons have places, and six is also the largest table.
    assert described("clue") == CLUE


def test_interrupts_and_guesses_are_told_apart_from_moves() -> None:
    alibi = described("perfect_alibi")

    assert "Slam" in {*alibi.interrupts} & {*alibi.final}
    assert {*alibi.answers}.isdisjoint(alibi.interrupts)
    assert (alibi.hidden, alibi.columns) == (("missing",), ("missing",))
    assert "open" not in alibi.by_seat


def test_the_page_is_told_over_http() -> None:
    async def scene() -> None:
        async with opened() as house:
            answer = await house.get("/api/games/clue/plain")
            assert msgspec.json.decode(await answer.read(), type=Plain) == CLUE
            assert answer.headers["Content-Type"].startswith("application/json")
            assert (await house.get("/api/games/clue/plain")).status == 200
            for unknown in ("nothing", "whodunit.games.clue", "..%2fclue"):
                assert (await house.get(f"/api/games/{unknown}/plain")).status == 404

    asyncio.run(scene())


def test_the_pages_are_tested_with_what_our_games_say_today() -> None:
    for stored, moments in ((SAMPLE, sample()), (NOW_SAMPLE, now_sample())):
        assert stored.read_bytes() == written(moments), "python -m tests.browser.frames writes it anew"
