"""What whoever watches over the site is told, and what a proxy in front of it may say."""

import asyncio
import re
from collections import defaultdict

import pytest
from aiohttp import ClientSession
from prometheus_client.parser import text_string_to_metric_families

from tests.server.sites import Open, opened, terms_of
from whodunit.core.errors import BadOptions, NotStored
from whodunit.infra.memory import MemoryStore
from whodunit.server.network import household, networks, sender

SERIES = {
    "counter": {
        "whodunit_moves_total",
        "whodunit_thoughts_total",
        "whodunit_thought_seconds_total",
        "whodunit_workers_busy_seconds_total",
        "process_cpu_seconds_total",
    },
    "gauge": {
        "whodunit_info version",
        "whodunit_tables stage",
        "whodunit_tables_led",
        "whodunit_timers",
        "whodunit_sockets",
        "whodunit_frames_waiting",
        "whodunit_appends_waiting",
        "whodunit_workers",
        "whodunit_thoughts_waiting",
        "process_resident_memory_bytes",
    },
    "histogram": {"whodunit_move_seconds_bucket le", "whodunit_move_seconds_sum", "whodunit_move_seconds_count"},
}
"""What dashboards out there are made of."""
BOUNDS = ["0.001", "0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1.0", "5.0", "+Inf"]


def numbers(text: str) -> dict[str, float]:
    """Read what Prometheus would: each series by its name and what its labels say."""
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {" ".join((sample.name, *sample.labels.values())): sample.value for sample in samples}


def test_metrics_count_what_happens_and_name_nothing() -> None:
    async def scene() -> None:
        async with opened() as house:
            cookie = house.cookie()
            page = await house.page(cookie)
            terms = terms_of(chairs=[None, "random", "random"], options={"starter": 0}, start=True)
            table = (await page.ask("create_table", **terms))["table"]
            await page.ask("watch_table", table=table)
            before = numbers(await (await house.get("/metrics")).text())
            (offer,) = (each for each in page.told.table["offers"] if each["action"] == "Roll")
            await page.ask("act", table=table, since=offer["since"], action={"type": "Roll"})
            await page.until(lambda told: told.seq > 1)
            text = await (await house.get("/metrics")).text()
            after = numbers(text)

            assert after["whodunit_moves_total"] > before["whodunit_moves_total"]
            assert after["whodunit_move_seconds_count"] == before["whodunit_move_seconds_count"] + 1
            assert after["whodunit_move_seconds_bucket +Inf"] == after["whodunit_move_seconds_count"]
            assert after["whodunit_tables playing"] == after["whodunit_tables_led"] == 1
            assert after["whodunit_sockets"] == 1
            assert after["process_resident_memory_bytes"] > 1e6
            for secret in (table, cookie.partition(".")[0], "Ada", "clue", "Roll"):
                assert secret not in text

    asyncio.run(scene())


def test_metrics_keep_their_names_kinds_and_labels() -> None:
    async def scene() -> str:
        async with opened() as house:
            response = await house.get("/metrics")
            assert response.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
            return await response.text()

    text = asyncio.run(scene())
    found = defaultdict[str, set[str]](set)
    for family in text_string_to_metric_families(text):
        found[family.type] |= {" ".join((sample.name, *sample.labels)) for sample in family.samples}
    assert {kind: {name for name in found[kind] if name in known} for kind, known in SERIES.items()} == SERIES
    ours = {name for names in found.values() for name in names if name.startswith("whodunit_")}
    assert ours <= set[str]().union(*SERIES.values())
    assert re.findall(r'whodunit_move_seconds_bucket{le="(.*)"}', text) == BOUNDS
    stages = re.findall(r'whodunit_tables{stage="(.*)"}', text)
    assert stages == ["gathering", "playing", "over"]


def test_two_sites_of_one_process_count_apart() -> None:
    async def scene() -> None:
        async with opened() as one, opened() as other:
            await one.page(one.cookie())

            async def sockets(house: Open) -> float:
                return numbers(await (await house.get("/metrics")).text())["whodunit_sockets"]

            assert (await sockets(one), await sockets(other)) == (1, 0)

    asyncio.run(scene())


def test_metrics_are_for_this_machine_and_for_whom_the_house_names() -> None:
    async def scene() -> None:
        async with opened() as house:
            through = {"X-Forwarded-For": "192.0.2.7"}
            assert (await house.get("/metrics")).status == 200
            assert (await house.get("/metrics", **through)).status == 404  # a proxy asks for somebody else
            house.site._proxies = networks(["127.0.0.1"])
            assert (await house.get("/metrics", **through)).status == 404
            house.site._monitors = networks(["192.0.2.0/24"])
            assert (await house.get("/metrics", **through)).status == 200
            assert (await house.get("/health", **through)).status == 200

    asyncio.run(scene())


def test_a_node_is_healthy_while_its_database_answers() -> None:
    class Gone(MemoryStore):
        async def opened_by(self, key: str) -> str | None:
            if gone.is_set():
                raise NotStored("the database does not answer")
            return await super().opened_by(key)

    gone = asyncio.Event()

    async def scene() -> None:
        async with opened(store=Gone()) as house:
            assert await (await house.get("/health")).text() == "ok\n"
            gone.set()
            assert (await house.get("/health")).status == 503
            gone.clear()
            house.site.host.tasks.closing = True
            assert (await house.get("/health")).status == 503
            house.site.host.tasks.closing = False

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("remote", "forwarded", "proxies", "who"),
    [
        ("192.0.2.1", [], [], "192.0.2.1"),
        ("192.0.2.1", ["198.51.100.9"], [], "192.0.2.1"),  # anybody can write a header
        ("127.0.0.1", ["198.51.100.9"], ["127.0.0.1"], "198.51.100.9"),
        ("10.0.0.2", ["203.0.113.5, 198.51.100.9, 10.0.0.3"], ["10.0.0.0/8"], "198.51.100.9"),
        ("10.0.0.2", ["203.0.113.5", "198.51.100.9", "10.0.0.3"], ["10.0.0.0/8"], "198.51.100.9"),  # several lines
        ("10.0.0.2", ["10.0.0.4"], ["10.0.0.0/8"], "10.0.0.4"),
        ("10.0.0.2", [""], ["10.0.0.0/8"], "10.0.0.2"),
        ("10.0.0.2", ["nonsense"], ["10.0.0.0/8"], "nonsense"),
        ("::1", ["2001:db8::7"], ["::1"], "2001:db8::7"),
    ],
)
def test_who_sent_a_request_is_said_by_proxies_that_are_known(
    remote: str, forwarded: list[str], proxies: list[str], who: str
) -> None:
    assert sender(remote, forwarded, networks(proxies)) == who


def test_a_network_that_is_none_is_refused() -> None:
    with pytest.raises(BadOptions, match=r"10\.0\.0\.0/8 is wanted"):
        networks(["everybody"])


def test_behind_a_proxy_everybody_has_tries_of_their_own() -> None:
    async def scene() -> None:
        async with opened() as house:
            house.site._proxies = networks(["127.0.0.1"])
            cookie = house.cookie()

            async def tried(who: str) -> int:
                return (await house.post("/api/join", {"code": "ABCDEFGH"}, cookie, **{"X-Forwarded-For": who})).status

            first = [await tried("192.0.2.7") for _ in range(25)]
            assert first[-1] == 429
            assert await tried("192.0.2.8") == 409

    asyncio.run(scene())


def test_the_last_line_about_the_way_counts_and_not_the_first_that_anybody_can_write() -> None:
    async def scene() -> None:
        async with opened() as house:
            house.site._proxies, house.site._monitors = networks(["127.0.0.1"]), networks(["192.0.2.9"])
            forged = [("X-Forwarded-For", "192.0.2.9"), ("X-Forwarded-For", "203.0.113.7")]
            async with ClientSession() as session, session.get(f"{house.address}/metrics", headers=forged) as response:
                assert response.status == 404
            assert (await house.get("/metrics", **{"X-Forwarded-For": "192.0.2.9"})).status == 200

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3::7", "2001:db8:1:2::/64"),
        ("fe80::7%eth0", "fe80::/64"),
        ("nonsense", "nonsense"),
    ],
)
def test_who_shares_a_line_is_counted_as_one(address: str, counted: str) -> None:
    assert household(address) == counted


def test_another_address_of_the_same_line_brings_no_new_tries() -> None:
    async def scene() -> None:
        async with opened() as house:
            house.site._proxies = networks(["127.0.0.1"])
            cookie = house.cookie()

            async def tried(who: str) -> int:
                return (await house.post("/api/join", {"code": "ABCDEFGH"}, cookie, **{"X-Forwarded-For": who})).status

            assert [await tried(f"2001:db8::{number:x}") for number in range(25)][-1] == 429
            assert await tried("2001:db8:0:1::1") == 409

    asyncio.run(scene())


def test_files_of_cases_are_handed_out_at_leisure() -> None:
    async def scene() -> None:
        async with opened() as house:
            house.site._proxies = networks(["127.0.0.1"])
            cookie = house.cookie()
            page = await house.page(cookie)
            table = (await page.ask("create_table", **terms_of()))["table"]

            async def tried(who: str) -> int:
                return (await house.get(f"/t/{table}/case", cookie, **{"X-Forwarded-For": who})).status

            assert [await tried("192.0.2.7") for _ in range(25)][-1] == 429
            assert await tried("192.0.2.8") == 409

    asyncio.run(scene())
