"""First cases in a house in memory, whose clock says how long a learner waits.

`python -m tests.server.first_cases` prints how long each first case is for whoever follows the guide.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, Final

from tests.lessons import ENOUGH, Play, advice_of, begin, path_of
from tests.lessons import follow as played
from tests.server.sites import Page, Parlour, settle
from whodunit import games
from whodunit.core.wire import blobs_of

STEP_MS: Final = 100
LONGEST: Final = 5000
"""So many steps are waited for before a case is given up."""


async def first_case(parlour: Parlour, game: str = "clue") -> tuple[str, Page]:
    """Begin a first case, and return its table and the learner's page."""
    table = (await while_it_takes(parlour, parlour.page("ada").ask("first_case", game=game, name="Ada")))["table"]
    return table, await parlour.watching("ada", table)


async def while_it_takes(parlour: Parlour, ask: Coroutine[Any, Any, Any]) -> Any:
    """Let time pass until an ask is answered: a fall is waited for."""
    task = asyncio.create_task(ask)
    await settle()
    while not task.done():
        await parlour.pass_time(STEP_MS)
    return await task


async def follow(parlour: Parlour, table: str, ada: Page) -> int:
    """Do what the guide advises until the game is over; returns for how many milliseconds others were waited for.

    Where the guide leaves it to the ear, what a careful player hears is done. Sounds take no time here beyond what the
    house holds them back for: how long one listens is one's own.
    """
    game = ada.told.room["game"]
    lesson = games.lesson(game)
    heard = advice_of(game, lesson) if lesson.answer is None else {}
    begun, acted = parlour.clock.now(), 0
    for _ in range(LONGEST):
        if ada.told.over:
            return parlour.clock.now() - begun
        seq, offers = ada.told.seq, ada.told.table["offers"]
        if offers and seq > acted:
            advised = await ada.ask("give_advice", table=table)
            assert advised["seq"] == seq
            deed = advised["action"] or heard.get(seq)
            if since := [offer["since"] for offer in offers if deed and offer["action"] == deed["type"]]:
                acted = seq
                await while_it_takes(parlour, ada.ask("act", table=table, since=since[0], action=deed))
                continue
        await parlour.pass_time(STEP_MS)
        if lesson.answer is None:
            await ada.ask("heard", table=table, seq=ada.told.seq)
    raise AssertionError(f"the guide leads nowhere: {ada.told.seq}, {offers}")


def listening(game: str, play: Play) -> int:
    """Return for how many milliseconds there is something to be heard, one fall after another."""
    sounds = games.get(game).INFO.sounds
    return 0 if sounds is None else round(1000 * sounds.clip_s * sum(len(blobs_of(event)) for event in play.told))


async def waited_for(game: str) -> int:
    """Return for how many milliseconds nobody waits for the learner; while something falls, everybody listens."""
    async with Parlour() as parlour:
        return await follow(parlour, *await first_case(parlour, game))


def main() -> None:
    print(f"{'':14}{'decisions':>10}{'of others':>10}{'waited s':>9}{'to hear s':>10}  steps")
    for game in games.ids():
        if not path_of(game).exists():
            continue
        lesson = games.lesson(game)
        play = played(begin(game, lesson), lesson, ENOUGH)
        said = [" + ".join(said.texts) for _, said in play.said]
        waited, falls = asyncio.run(waited_for(game)) / 1000, listening(game, play) / 1000
        counts = f"{game:14}{len(play.deeds):>10}{play.others:>10}{waited:>9.1f}{falls:>10.1f}"
        print(f"{counts}  {len(said)} of {len(lesson.steps)}: {', '.join(said)}")


if __name__ == "__main__":
    main()
