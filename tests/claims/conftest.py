"""A listing whose website, name server and mailbox stand on loopback."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from claims.models import Claim
from claims.proving import reproving
from core import jobs
from directory.models import Listing, Site
from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.servers.dns import DnsServer
from tests.servers.website import Website, html, plain

HOST = "acme.test"
FILE = "/.well-known/plverify.txt"
Start = Callable[..., dict[str, Any]]
Publish = Callable[[dict[str, Any]], None]


def listing_at(url: str, slug: str = "acme", **fields: Any) -> Listing:
    """A live listing of a website."""
    host = url.split("/")[2]
    return make_listing(slug, url=url, host=host.removeprefix("www."), domain=host, **fields)


@pytest.fixture
def outside(settings: Any, dns_server: DnsServer, website: Website) -> None:
    """The names of the tests lead to loopback, and nothing else leads anywhere."""
    settings.CRAWL_RESOLVE = website.at(HOST, f"www.{HOST}", f"app.{HOST}")
    settings.DNS_SERVERS = [dns_server.address]


@pytest.fixture
def listing(site: Site, outside: None) -> Listing:
    """A live listing that nobody owns."""
    return listing_at(f"https://{HOST}/")


@pytest.fixture
def start(api: Api, listing: Listing) -> Start:
    """Begin a claim and give the answer's body."""

    def begin(method: str = "dns", *, user: Any = None, slug: str = "acme", **body: Any) -> dict[str, Any]:
        answer = api("all", user=user).post("/api/v1/claims", {"slug": slug, "method": method, **body})
        assert answer.status_code == 201, answer.content
        found: dict[str, Any] = answer.json()
        return found

    return begin


@pytest.fixture
def publish(website: Website, dns_server: DnsServer) -> Publish:
    """Do what the instructions of a claim say."""

    def do(claim: dict[str, Any]) -> None:
        told = claim["instructions"]
        if claim["method"] == "dns":
            dns_server.answer(told["record"]["name"], "TXT", told["record"]["value"])
        elif claim["method"] == "meta":
            website.pages["/"] = html(f"<html><head><title>A</title>{told['meta']['html']}</head></html>")
        else:
            website.pages[told["file"]["path"]] = plain(told["file"]["content"] + "\n")

    return do


def verify(api: Api, claim: dict[str, Any], *, user: Any = None) -> dict[str, Any]:
    """The answer's body to one check."""
    answer = api("all", user=user).post(f"/api/v1/claims/{claim['claim_id']}/verify")
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def status_of(claim: dict[str, Any]) -> str:
    """Where a claim stands now."""
    return str(Claim.objects.get(pk=claim["claim_id"]).status)


def mails(outbox: list[Any]) -> list[tuple[str, str]]:
    """Who got which mail, as jobs send them."""
    jobs.run_due(queues={"mail"})
    return [(message.to[0], message.subject) for message in outbox]


@pytest.fixture
def proved(api: Api, people: People, start: Start, publish: Publish) -> dict[str, Any]:
    """The owner's verified claim."""
    claim = start("file")
    publish(claim)
    return verify(api, claim)


@pytest.fixture
def contested(
    api: Api, people: People, proved: dict[str, Any], start: Start, website: Website
) -> dict[str, Any]:
    """The stranger's claim against it, by the same method."""
    claim = start("file", user=people.stranger)
    website.pages["/plverify.txt"] = plain(claim["instructions"]["file"]["content"])
    return verify(api, claim, user=people.stranger)


def seven_days_later() -> None:
    """The contest is over, and the sweep comes by."""
    Claim.objects.filter(status="contested").update(contest_ends_at=timezone.now() - timedelta(seconds=1))
    reproving.plan(at=timezone.now())
    jobs.run_due(queues={"crawl"})


def owner_of(listing: Listing) -> Any:
    listing.refresh_from_db()
    return listing.owner
