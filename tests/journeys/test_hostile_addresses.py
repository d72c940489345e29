"""Hostile addresses through the API: each is refused or ends in `failed`; nothing inside is ever dialled."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import pytest

from core import jobs
from directory.models import Site
from tests.conftest import Caller
from tests.core.test_fetch_hostile import BROKEN, PRIVATE
from tests.servers.dns import DnsServer
from tests.servers.website import Website, html, plain, redirect

API = "/api/v1/drafts"
REDIRECTS = [
    "http://127.0.0.1/",
    "http://[::1]/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://[::ffff:169.254.169.254]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://10.0.0.1/",
    "//localhost/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/_FLUSHALL",
    "https://inside.com/",
]
ANSWERS: list[tuple[str | tuple[str, ...], ...]] = [
    ("127.0.0.1",),
    ("169.254.169.254",),
    (("93.184.216.34", "10.0.0.1"),),
    ("93.184.216.34", "127.0.0.1"),
    ("93.184.216.34", "93.184.216.34", "192.168.0.1"),
    ("127.0.0.1", "93.184.216.34"),
]


@dataclass
class Canary:
    """Hears of every connection this process begins; those to addresses it does not know do not happen."""

    known: set[tuple[str, int]]
    is_listening: bool = True
    dialled: list[str] = field(default_factory=list)

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        """See one event of the interpreter."""
        if event != "socket.connect" or not self.is_listening:
            return
        address = arguments[1]
        if isinstance(address, tuple) and address[:2] not in self.known:
            self.dialled.append(address[0])
            raise ConnectionRefusedError


@pytest.fixture
def canary(settings: Any, website: Website, dns_server: DnsServer) -> Iterator[Canary]:
    redis = urlsplit(settings.REDIS_URL)
    listening = Canary({website.address, dns_server.address, (redis.hostname or "", redis.port or 6379)})
    sys.addaudithook(listening)
    yield listening
    listening.is_listening = False


def drafted(caller: Caller, urls: list[str]) -> list[tuple[str, str]]:
    """Submit addresses, let the worker run, and give status and error code of each draft."""
    submitted = [caller.post(API, {"url": url}).json()["id"] for url in urls]
    jobs.run_due()
    drafts = [caller.get(f"{API}/{identifier}").json() for identifier in submitted]
    return [(draft["status"], draft["error"]["code"]) for draft in drafts]


def test_every_notation_of_an_inside_address_is_refused_at_once(
    api: Callable[..., Caller], site: Site, canary: Canary
) -> None:
    caller = api("listings:write")
    answers = {url: caller.post(API, {"url": url}) for url in [*PRIVATE, *BROKEN]}

    assert len(answers) >= 60
    assert {url: found.status_code for url, found in answers.items() if found.status_code != 400} == {}
    assert {found.json()["code"] for found in answers.values()} == {"invalid_url", "url_not_public"}
    assert (jobs.run_due(), canary.dialled) == (0, [])


def test_no_redirect_leads_inside(
    api: Callable[..., Caller],
    site: Site,
    website: Website,
    dns_server: DnsServer,
    canary: Canary,
    settings: Any,
) -> None:
    hosts = [f"redirects{number}.test" for number in range(2 * len(REDIRECTS))]
    settings.CRAWL_RESOLVE, settings.DNS_SERVERS = website.at(*hosts), [dns_server.address]
    dns_server.answer("inside.com", "A", "127.0.0.1")
    targets = dict(zip(hosts, [*REDIRECTS, *REDIRECTS], strict=True))
    website.pages = {"/robots.txt": plain("")}
    for number, target in enumerate(REDIRECTS):
        website.pages[f"/{number}"] = redirect(target)
        website.pages[f"/{number + len(REDIRECTS)}"] = html(
            f'<meta http-equiv="refresh" content="0;url={target}">'
        )

    ended = drafted(api("all"), [f"https://{host}/{number}" for number, host in enumerate(targets)])

    assert {status for status, _ in ended} == {"failed"}
    assert canary.dialled == []


def test_no_answer_of_the_dns_leads_inside(
    api: Callable[..., Caller], site: Site, dns_server: DnsServer, canary: Canary, settings: Any
) -> None:
    settings.CRAWL_RESOLVE, settings.DNS_SERVERS = {}, [dns_server.address]
    for number, turns in enumerate(ANSWERS):
        dns_server.answer(f"rebind{number}.com", "A", *turns)

    ended = drafted(api("all"), [f"https://rebind{number}.com/" for number in range(len(ANSWERS))])

    assert {status for status, _ in ended} == {"failed"}
    assert set(canary.dialled) <= {"93.184.216.34"}
