"""What may be told where: over real TLS on loopback, and never to a machine of ours."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ipaddress import ip_address
from pathlib import Path
from socket import AF_INET, AF_INET6, AddressFamily
from typing import Any

import pytest
from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult

from whodunit.core.errors import Refusal
from whodunit.server import webhooks as couriers
from whodunit.server.webhooks import Courier, is_public

PEM = Path(__file__).with_name("hooks.pem")
"""A key that opens nothing, and a certificate for it: made for these tests."""


class Names(AbstractResolver):
    """Looks names up in a book, and keeps in mind how often it was asked."""

    def __init__(self, *answers: str) -> None:
        self.answers = answers
        self.asked = 0

    async def resolve(
        self,
        host: str,
        port: int = 0,
        family: AddressFamily = AF_INET,  # noqa: ARG002  (as in aiohttp)
    ) -> list[ResolveResult]:
        answer = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        kind = AF_INET6 if ":" in answer else AF_INET
        return [ResolveResult(hostname=host, host=answer, port=port, family=kind, proto=0, flags=0)]

    async def close(self) -> None:
        """Do nothing."""


class Mailbox:
    """A receiver: what it was sent, and what it answers."""

    def __init__(self, *statuses: int) -> None:
        self.statuses = [*statuses] or [204]
        self.letters: list[tuple[str, dict[str, Any]]] = []
        self.headers: dict[str, str] = {}
        self.port = 0

    @property
    def url(self) -> str:
        return f"https://hooks.test:{self.port}/T0/secret"

    async def take(self, request: web.Request) -> web.StreamResponse:
        self.letters.append((request.path, await request.json()))
        self.headers = dict(request.headers)
        status = self.statuses[min(len(self.letters), len(self.statuses)) - 1]
        return web.Response(status=status, headers={"Location": self.url} if status in {302, 307} else None)


@asynccontextmanager
async def receiving(mailbox: Mailbox) -> AsyncIterator[ssl.SSLContext]:
    """Let the mailbox receive over TLS; gives whom to trust."""
    own = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    own.load_cert_chain(PEM)
    app = web.Application()
    app.add_routes([web.post("/{rest:.*}", mailbox.take)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=own).start()
    mailbox.port = runner.addresses[0][1]
    try:
        yield ssl.create_default_context(cafile=str(PEM))
    finally:
        await runner.cleanup()


@asynccontextmanager
async def courier_to(mailbox: Mailbox, **changes: Any) -> AsyncIterator[Courier]:
    """Give a courier that finds the mailbox under any name, and may go to this machine."""
    async with receiving(mailbox) as tls:
        settings: dict[str, Any] = {"resolver": Names("127.0.0.1"), "permits": lambda _: True, "tls": tls}
        courier = Courier(**settings | {"port": mailbox.port} | changes)
        try:
            yield courier
        finally:
            await courier.close()


def test_words_arrive_as_slack_takes_them_and_for_discord_as_discord_does() -> None:
    async def scene() -> None:
        mailbox = Mailbox()
        async with courier_to(mailbox) as courier:
            assert await courier.send(mailbox.url, "Your turn") == "delivered"
            assert (
                await courier.send(f"https://discord.com:{mailbox.port}/api/webhooks/1/x", "Your turn") == "delivered"
            )
            await courier.send(f"https://discord.com:{mailbox.port}/api/webhooks/1/x/slack", "Your turn")

        bodies = [body for _, body in mailbox.letters]
        assert bodies == [{"text": "Your turn"}, {"content": "Your turn"}, {"text": "Your turn"}]
        assert mailbox.headers["Content-Type"] == "application/json"
        assert not {"Cookie", "Origin", "Referer", "Authorization"} & mailbox.headers.keys()

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("status", "fate"),
    [(200, "delivered"), (204, "delivered"), (404, "refused"), (410, "refused"), (429, "failed"), (500, "failed")],
)
def test_what_is_answered_says_whether_it_is_worth_another_try(status: int, fate: str) -> None:
    async def scene() -> None:
        mailbox = Mailbox(status)
        async with courier_to(mailbox) as courier:
            assert await courier.send(mailbox.url, "Your turn") == fate
            assert len(mailbox.letters) == 1

    asyncio.run(scene())


@pytest.mark.parametrize("status", [302, 307])
def test_redirects_are_not_followed(status: int) -> None:
    async def scene() -> None:
        mailbox = Mailbox(status, 204)
        async with courier_to(mailbox) as courier:
            assert await courier.send(mailbox.url, "Your turn") == "refused"
        assert len(mailbox.letters) == 1

    asyncio.run(scene())


@pytest.mark.parametrize("name", ["hooks.test", "127.0.0.1"])
def test_without_the_tests_own_switch_nothing_reaches_this_machine(name: str) -> None:
    async def scene() -> None:
        mailbox = Mailbox()
        async with courier_to(mailbox, permits=is_public) as courier:
            url = f"https://{name}:{mailbox.port}/"
            assert await courier.send(url, "Your turn") == "refused"
        assert mailbox.letters == []

    asyncio.run(scene())


def test_a_name_that_changes_its_mind_leads_nowhere_else() -> None:
    """A second look-up would lead to this machine; there is none between judgement and connection."""

    async def scene() -> None:
        mailbox = Mailbox()
        judged: list[str] = []

        def permits(address: Any) -> bool:
            judged.append(str(address))
            return is_public(address)

        names = Names("169.254.169.254", "127.0.0.1")
        async with courier_to(mailbox, resolver=names, permits=permits) as courier:
            assert await courier.send(mailbox.url, "Your turn") == "refused"
            assert (judged, names.asked) == (["169.254.169.254"], 1)
            assert await courier.send(mailbox.url, "Your turn") == "refused"  # what it says now is judged anew
            assert judged == ["169.254.169.254", "127.0.0.1"]
        assert mailbox.letters == []

    asyncio.run(scene())


def test_a_stranger_with_another_certificate_is_told_nothing() -> None:
    async def scene() -> None:
        mailbox = Mailbox()
        async with courier_to(mailbox, tls=ssl.create_default_context()) as courier:
            assert await courier.send(mailbox.url, "Your turn") == "failed"
        async with courier_to(mailbox) as courier:
            assert await courier.send(f"https://elsewhere.test:{mailbox.port}/", "Your turn") == "failed"
        assert mailbox.letters == []

    asyncio.run(scene())


def test_whoever_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async def silent(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            waiting.append(writer)

        waiting: list[asyncio.StreamWriter] = []
        server = await asyncio.start_server(silent, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        courier = Courier(Names("127.0.0.1"), lambda _: True, port=port)
        assert await courier.send(f"https://hooks.test:{port}/", "Your turn") == "failed"
        assert len(waiting) == 1
        await courier.close()
        for writer in waiting:
            writer.close()
        server.close()
        await server.wait_closed()

    monkeypatch.setattr(couriers, "PATIENCE_S", 0.2)
    asyncio.run(scene())


class Slow(Mailbox):
    """A receiver that answers when it is let, but at one path at once; it knows who waits."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.arrived = asyncio.Semaphore(0)
        self.waiting: list[str] = []

    async def take(self, request: web.Request) -> web.StreamResponse:
        if request.path != "/honest":
            self.waiting.append(request.path)
            self.arrived.release()
            await self.gate.wait()
        return await super().take(request)


@asynccontextmanager
async def courier_anywhere(slow: Slow) -> AsyncIterator[Courier]:
    """Give a courier to whom the receiver may go by any name."""
    async with courier_to(slow) as courier:
        assert courier._tls is not None
        courier._tls.check_hostname = False
        yield courier


@pytest.mark.parametrize("trial", [True, False])
def test_slow_receivers_hold_up_nobody_elses_notice(trial: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        slow = Slow()
        async with courier_anywhere(slow) as courier:
            hosts = range(couriers.PLACES + 1 if trial else couriers.PLACES - 1)
            urls = [f"https://slow{host}.test:{slow.port}/{host}" for host in hosts for _ in range(3)]
            held = [asyncio.create_task(courier.send(url, "Hello", trial=trial)) for url in urls]
            for _ in range(min(len(hosts), couriers.PLACES)):
                await slow.arrived.acquire()
            assert len({*slow.waiting}) == len(slow.waiting)  # one to each host

            assert await courier.send(f"https://honest.test:{slow.port}/honest", "Your turn") == "delivered"
            assert not any(task.done() for task in held)
            slow.gate.set()
            assert {*await asyncio.gather(*held)} == {"delivered"}

    monkeypatch.setattr(couriers, "PLACES", 3)
    monkeypatch.setattr(couriers, "PATIENCE_S", 60.0)
    asyncio.run(scene())


def test_patience_begins_when_there_is_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        slow = Slow()
        async with courier_anywhere(slow) as courier:
            held = asyncio.create_task(courier.send(f"https://slow.test:{slow.port}/", "Your turn"))
            await slow.arrived.acquire()
            assert await courier.send(f"https://honest.test:{slow.port}/honest", "Your turn") == "delivered"
            assert await held == "failed"
            slow.gate.set()

    monkeypatch.setattr(couriers, "PLACES", 1)
    monkeypatch.setattr(couriers, "PATIENCE_S", 2.0)
    asyncio.run(scene())


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.slack.com/services/T0",
        "https://hooks.slack.com:8443/services/T0",
        "https://ada:secret@hooks.slack.com/services/T0",
        "https://hooks.slack.com:port/",
        "https:///services",
        "https://[::1",
        "ftp://hooks.slack.com/",
        "hooks.slack.com/services/T0",
        "https://höks.test/",
        "https://hooks.test/" + "x" * 500,
    ],
)
def test_an_odd_address_is_refused_before_anything_is_sent(url: str) -> None:
    with pytest.raises(Refusal) as refused:
        Courier().checked(url)

    assert refused.value.reason == "bad_hook"


def test_a_good_address_is_kept_as_it_is() -> None:
    assert Courier().checked(" https://hooks.slack.com/services/T0/B0/x?y=1#z ") == (
        "https://hooks.slack.com/services/T0/B0/x?y=1"
    )


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "0.0.0.0",  # noqa: S104  (refused)
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "169.254.169.254",
        "192.0.2.1",
        "198.18.0.1",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:169.254.169.254",
        "64:ff9b::7f00:1",
        "64:ff9b::a00:1",
        "64:ff9b:1::a00:1",
        "64:ff9b:1::101:101",
        "64:ff9b:1:a00:1:100::",
        "2002:7f00:1::",
        "2002:a00:1::",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "fe80::1",
        "fec0::1",
        "fc00::1",
        "fd12:3456::1",
        "ff02::1",
        "ff0e::1",
        "2001:db8::1",
    ],
)
def test_addresses_of_ours_of_neighbours_and_of_many_are_refused(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "162.159.128.233", "2606:4700:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"]
)
def test_addresses_of_the_open_internet_will_do(address: str) -> None:
    assert is_public(ip_address(address))
