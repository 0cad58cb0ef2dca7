"""Whoever does not look is told when it is their turn: that, the game and where, once, and nothing else."""

import asyncio
from typing import Any

import pytest

from tests.server.client import Refused
from tests.server.sites import FakeClock, Page, Parlour, beyond, dice, opened, plays, settle, terms_of
from tests.server.test_webhooks import Mailbox, courier_to
from whodunit.infra.memory import MemoryBus, MemoryStore
from whodunit.server.feeds import GRACE_MS
from whodunit.server.notices import SPACING_MS, TRIES_MS
from whodunit.server.webhooks import Courier, Fate

URL = "https://hooks.slack.com/services/T0/B0/secret"
OPTIONS = {"starter": 0}
SOON = GRACE_MS + SPACING_MS


class Pigeon(Courier):
    """Carries everything into a list."""

    def __init__(self, *fates: Fate) -> None:
        super().__init__()
        self.sent: list[tuple[str, str]] = []
        self.fates = [*fates]

    async def send(self, url: str, words: str, *, trial: bool = False) -> Fate:  # noqa: ARG002  (a Courier's)
        self.sent.append((url, words))
        return self.fates.pop(0) if self.fates else "delivered"

    def calls(self) -> list[str]:
        """Return what was sent beside the first words."""
        return [words for _, words in self.sent if "your turn at Clue. " in words]


async def hooked(parlour: Parlour, *people: str, **terms: Any) -> tuple[str, list[Page]]:
    """Begin a game in which the second player wants to be told, and looks at nothing."""
    table, pages = await parlour.table(*people, options=OPTIONS, **terms)
    await pages[1].ask("set_hook", table=table, url=URL)
    await settle()
    return table, pages


def waited(page: Page) -> bool:
    return page.told.room["me"] in page.told.table["awaiting"]


async def pass_turn(parlour: Parlour, table: str, ada: Page, bob: Page) -> None:
    """Let Ada play until it is Bob's turn."""
    while not (waited(bob) and any(offer["action"] == "Roll" for offer in bob.told.table["offers"])):
        if waited(ada):
            await parlour.play([ada], table, until=beyond(ada.told.seq))
        else:
            await parlour.pass_time(1000)
        await settle()


def test_a_player_who_does_not_look_is_told_once_whose_turn_it_is_and_where() -> None:
    async def scene() -> None:
        pigeon = Pigeon()
        async with Parlour(courier=pigeon) as parlour:
            table, (ada, bob) = await hooked(parlour, "ada", "bob")
            assert bob.told.room["hook"] == {"host": "hooks.slack.com", "failed": False}
            assert ada.told.room["hook"] is None
            assert len(pigeon.sent) == 1  # the first words

            await pass_turn(parlour, table, ada, bob)
            assert pigeon.calls() == []
            await parlour.pass_time(SOON)
            await parlour.pass_time(10 * SOON)

            link = f"https://house.test/t/{table}"
            assert pigeon.sent[1:] == [(URL, f"Whodunit: it is your turn at Clue. {link}")]
            parlour.notices.sweep()
            await parlour.pass_time(SOON)
            assert len(pigeon.calls()) == 1

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", "Whodunit: Du bist am Zug bei Cluedo."),
        ("fr", "Whodunit\u00a0: c\u2019est à toi de jouer à Cluedo."),
        ("nb", "Whodunit: Det er din tur i Cluedo."),
    ],
)
def test_it_is_told_in_the_players_language(language: str, words: str) -> None:
    async def scene() -> None:
        pigeon = Pigeon()
        async with Parlour(courier=pigeon) as parlour:
            table, (ada, bob) = await hooked(parlour, "ada", "bob")
            await bob.ask("set_hook", table=table, url=URL, language=language)
            await pass_turn(parlour, table, ada, bob)
            await parlour.pass_time(SOON)

            assert pigeon.sent[-1][1].startswith(words)

    asyncio.run(scene())


def test_whoever_looks_is_told_nothing_and_an_open_page_behind_others_is_not_looking() -> None:
    async def scene() -> None:
        pigeon = Pigeon()
        async with Parlour(courier=pigeon) as parlour:
            table, (ada, bob) = await hooked(parlour, "ada", "bob")
            await bob.ask("looking", table=table, looking=True)
            await pass_turn(parlour, table, ada, bob)
            await parlour.pass_time(SOON)
            await bob.ask("looking", table=table, looking=False)  # who has seen it is not told again
            await parlour.pass_time(SOON)
            bob.close()
            await parlour.pass_time(SOON)
            parlour.notices.sweep()
            await parlour.pass_time(SOON)
            assert pigeon.calls() == []

            bob = await parlour.watching("bob", table)
            await parlour.play([bob], table, until=lambda told: not told.on_turn)
            await pass_turn(parlour, table, ada, bob)
            await parlour.pass_time(SOON)
            assert len(pigeon.calls()) == 1

    asyncio.run(scene())


def test_whoever_looks_again_within_the_grace_is_told_nothing() -> None:
    async def scene() -> None:
        pigeon = Pigeon()
        async with Parlour(courier=pigeon) as parlour:
            table, (ada, bob) = await hooked(parlour, "ada", "bob")
            await pass_turn(parlour, table, ada, bob)
            await parlour.pass_time(GRACE_MS // 2)
            await bob.ask("looking", table=table, looking=True)
            await parlour.pass_time(SOON)

            assert pigeon.calls() == []

    asyncio.run(scene())


def test_the_spectators_look_is_nobodys() -> None:
    async def scene() -> None:
        pigeon = Pigeon()
        async with Parlour(courier=pigeon) as parlour:
            table, (ada, bob) = await hooked(parlour, "ada", "bob")
            eve = await parlour.watching("eve", table)
            await eve.ask("looking", table=table, looking=True)
            with pytest.raises(Refused, match="no_seat"):
                await eve.ask("set_hook", table=table, url=URL)
            await pass_turn(parlour, table, ada, bob)
            await parlour.pass_time(SOON)

            assert len(pigeon.calls()) == 1

    asyncio.run(scene())


def test_what_fails_is_tried_again_a_few_times_and_the_player_sees_that_it_failed() -> None:
    async def scene() -> None:
        pigeon = Pigeon("delivered", *["failed"] * 10)  # type: ignore[arg-type]
        async with Parlour(courier=pigeon) as parlour:
            table, (ada, bob) = await hooked(parlour, "ada", "bob")
            await pass_turn(parlour, table, ada, bob)
            await parlour.pass_time(SOON + sum(TRIES_MS))
            await parlour.pass_time(10 * SOON)

            assert len(pigeon.calls()) == len(TRIES_MS)
            assert bob.told.room["hook"]["failed"]

    asyncio.run(scene())


def test_what_is_refused_is_not_tried_again() -> None:
    async def scene() -> None:
        pigeon = Pigeon("delivered", "refused")
        async with Parlour(courier=pigeon) as parlour:
            table, (ada, bob) = await hooked(parlour, "ada", "bob")
            await pass_turn(parlour, table, ada, bob)
            await parlour.pass_time(SOON + sum(TRIES_MS))

            assert len(pigeon.calls()) == 1
            assert bob.told.room["hook"]["failed"]

    asyncio.run(scene())


def test_an_address_that_takes_no_first_word_is_not_kept() -> None:
    async def scene() -> None:
        pigeon = Pigeon("failed")
        async with Parlour(courier=pigeon) as parlour:
            table, (_, bob) = await parlour.table("ada", "bob", options=OPTIONS)
            with pytest.raises(Refused, match="hook_failed"):
                await bob.ask("set_hook", table=table, url=URL)
            with pytest.raises(Refused, match="bad_hook"):
                await bob.ask("set_hook", table=table, url="http://hooks.slack.com/")
            assert bob.told.room["hook"] is None
            for _ in range(2):
                await bob.ask("set_hook", table=table, url=URL)
            with pytest.raises(Refused, match="too_fast"):
                await bob.ask("set_hook", table=table, url=URL)

    asyncio.run(scene())


def test_whoever_wants_no_more_of_it_is_told_nothing() -> None:
    async def scene() -> None:
        pigeon = Pigeon()
        async with Parlour(courier=pigeon) as parlour:
            table, (ada, bob) = await hooked(parlour, "ada", "bob")
            await bob.ask("set_hook", table=table, url=None)
            await pass_turn(parlour, table, ada, bob)
            await parlour.pass_time(SOON)

            assert (pigeon.calls(), bob.told.room["hook"]) == ([], None)

    asyncio.run(scene())


def test_a_house_that_was_shut_tells_it_afterwards_and_a_second_node_does_not_tell_it_twice() -> None:
    async def scene() -> None:
        store, shut = MemoryStore(), Pigeon()
        async with Parlour(store, courier=shut) as parlour:
            table, (ada, bob) = await hooked(parlour, "ada", "bob")
            await pass_turn(parlour, table, ada, bob)
            assert shut.calls() == []
            clock = parlour.clock
        later = Pigeon()
        async with Parlour(store, MemoryBus(), clock, courier=later) as again:
            await again.watching("ada", table)
            again.notices.sweep()
            await again.pass_time(SOON)
            assert len(later.calls()) == 1
        third = Pigeon()
        async with Parlour(store, MemoryBus(), clock, courier=third) as once_more:
            await once_more.watching("ada", table)
            once_more.notices.sweep()
            await once_more.pass_time(SOON)
            assert third.calls() == []

    asyncio.run(scene())


def test_nobody_else_is_told_of_it_and_nothing_of_the_game_is_in_it() -> None:
    async def scene() -> None:
        pigeon = Pigeon()
        async with Parlour(courier=pigeon) as parlour:
            table, (ada, bob) = await hooked(parlour, "ada", "bob")
            eve = await parlour.watching("eve", table)
            told = len(ada.told.frames), len(eve.told.frames)
            await bob.ask("set_hook", table=table, url=f"{URL}2")
            assert (len(ada.told.frames), len(eve.told.frames)) == told
            await pass_turn(parlour, table, ada, bob)
            await parlour.pass_time(SOON)

            assert not any(b"slack" in frame or b"secret" in frame for page in (ada, eve) for frame in page.told.frames)
            assert not any(b"secret" in frame for frame in bob.told.frames)
            assert {words.split(" ")[0] for _, words in pigeon.sent} == {"Whodunit:"}
            cards = [card for hand in bob.told.table["view"]["hands"] or () for card in hand or ()]
            assert not any(card in words for _, words in pigeon.sent for card in cards)

    asyncio.run(scene())


def test_over_a_real_socket_and_real_tls() -> None:
    async def scene() -> None:
        mailbox = Mailbox(204, 503, 204)
        async with courier_to(mailbox) as courier, opened(courier=courier) as house:
            ada, bob = await house.page(), await house.page()
            terms = terms_of(chairs=[None, None], options=OPTIONS, public=True)
            table = (await ada.ask("create_table", **terms))["table"]
            await bob.ask("sit_down", table=table, seat=1, name="Bob", salt="0" * 32)
            for page in (ada, bob):
                await page.ask("watch_table", table=table)
            await bob.ask("set_hook", table=table, url=mailbox.url)
            await ada.ask("start", table=table)
            await ada.until(lambda told: told.on_turn)
            await bob.ask("looking", table=table, looking=False)
            playing = asyncio.create_task(plays(ada, table, dice(0)))  # until it is Bob's turn
            # The first words, one that fails, one that arrives.
            while len(mailbox.letters) < 3:  # noqa: ASYNC110  (a real receiver takes a while)
                await asyncio.sleep(0.01)
            playing.cancel()

            assert [path for path, _ in mailbox.letters] == ["/T0/secret"] * 3
            assert mailbox.letters[2][1] == {"text": f"Whodunit: it is your turn at Clue. {house.address}/t/{table}"}

    asyncio.run(scene())


def test_at_a_table_of_days_a_turn_is_told_also_if_the_house_is_shut_before() -> None:
    async def scene() -> None:
        store, clock, pigeon = MemoryStore(), FakeClock(), Pigeon()
        days = {"type": "days", "days": 3}
        async with Parlour(store, clock=clock, courier=Pigeon()) as parlour:
            table, (ada, bob) = await hooked(parlour, "ada", "bob", allowance=days)
            bob.close()
            spare = await parlour.watching("eve", table)
            while not (waits := (await parlour.host.get(table)).table) or 1 not in waits.awaiting or waits.asked:
                await (
                    parlour.play([ada], table, until=beyond(ada.told.seq)) if waited(ada) else parlour.pass_time(500)
                )
            for page in (ada, spare):
                page.close()
        async with Parlour(store, clock=clock, courier=pigeon) as parlour:
            for _ in range(5):
                await parlour.wakeups.wake_due()
                await parlour.pass_time(SOON)
            assert len(pigeon.calls()) == 1
            parlour.feeds.sweep()
            await parlour.wakeups.wake_due()
            assert not parlour.host.tables  # nobody is owed anything

    asyncio.run(scene())
