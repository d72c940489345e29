"""A product's website on loopback, reachable under its own name, and the drafts written from it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from core import jobs
from directory.models import Site
from drafts import limits
from drafts.models import Draft, DraftField
from tests.conftest import Caller
from tests.factories.listings import make_category
from tests.servers.website import Website, html, plain

HOME = """<title>Tidewell – Invoices that chase themselves</title>
<meta name="description" content="Tidewell sends your invoices and reminds late payers politely.">
<meta property="og:site_name" content="Tidewell">
<header><a href="/pricing">Pricing</a> <a href="/about">About</a> <a href="/secret/plans">Plans</a></header>
<h1>Invoices that chase themselves</h1>
<p>Tidewell is invoicing software for small studios. It reminds late payers politely.</p>
<footer><a href="mailto:hello@tidewell.test">hello@tidewell.test</a> %s</footer>"""
PRICING = "<title>Pricing</title><h1>Pricing</h1><h2>Studio</h2><p>€12 per month for unlimited invoices.</p>"
ABOUT = "<title>About</title><h1>About us</h1><p>Tidewell was founded in 2021 in Ghent, Belgium.</p>"


@pytest.fixture
def tidewell(settings: Any) -> Iterator[Website]:
    """An honest site with a price, a year, and a corner that robots.txt closes."""
    with Website() as website:
        website.pages |= {
            "/": html(HOME % ""),
            "/pricing": html(PRICING),
            "/about": html(ABOUT),
            "/secret/plans": html("<p>€99 per month from 2030</p>"),
            "/robots.txt": plain("User-agent: *\nDisallow: /secret/"),
        }
        settings.CRAWL_RESOLVE = website.at("tidewell.test", "www.tidewell.test")
        yield website


@pytest.fixture
def ready(api: Callable[..., Caller], site: Site, tidewell: Website) -> dict[str, Any]:
    """A draft that is ready, as get_draft shows it."""
    make_category("invoicing", name="Invoicing", terms=["invoicing software", "invoices"])
    draft = api("all").post("/api/v1/drafts", {"url": "https://tidewell.test/"}).json()
    jobs.run_due()
    found: dict[str, Any] = api("all").get(f"/api/v1/drafts/{draft['id']}").json()
    assert found["status"] == "ready", found["error"]
    return found


def blank_draft(*, owner: User, site: Site, host: str = "tidewell.test") -> Draft:
    """A draft that is ready and holds nothing."""
    now = timezone.now()
    draft = Draft.objects.create(
        site=site,
        owner=owner,
        url=f"https://{host}/",
        home_url=f"https://{host}/",
        site_key=host,
        domain=host,
        status=Draft.Status.READY,
        created_at=now,
        updated_at=now,
    )
    DraftField.objects.bulk_create(
        DraftField(draft=draft, name=name, updated_at=now) for name in limits.FIELDS
    )
    return draft
