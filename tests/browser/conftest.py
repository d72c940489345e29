"""A real browser on the pages of a running server."""

import os
import shutil
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

from accounts import services as accounts
from accounts.models import User
from core import jobs
from directory.models import BlogPost, Founder, Listing, ListingFounder, ListingUpdate
from directory.services.catalogue import ensure_default_site
from directory.services.editing import update_my_listing
from directory.weeks import WEEK, week_of
from drafts.services import submit_listing
from leaderboards.models import Award, Standing
from tests.factories.listings import make_category, make_listing
from tests.servers.website import Website, html, plain

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or ""
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
SCREENS = Path(__file__).resolve().parents[2] / "var" / "screens"
PASSWORD = "correct horse battery"
QUOTE = {
    "quote": "Forecasts for half a year.",
    "url": "https://tidewell.example/product",
    "link": "https://tidewell.example/product#:~:text=Forecasts",
    "source": "text",
    "fetched_at": "2026-11-18T09:00:00Z",
}
HOME = """<title>Brindle – Rotas for small cafés</title>
<meta name="description" content="Brindle plans shifts for small cafés.">
<meta property="og:site_name" content="Brindle">
<header><a href="/pricing">Pricing</a> <a href="/secret/plans">Plans</a></header>
<h1>Rotas for small cafés</h1><p>Brindle is shift planning for small cafés. It plans the week.</p>%s"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything below this folder needs the browser."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Playwright keeps an event loop in this thread, and Django must not take that for an async view."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    if not CHROMIUM:
        pytest.fail(
            "No chromium was found. Install Debian's (apt-get install chromium), or name one in CHROMIUM."
        )
    started = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    yield started
    started.close()


class Visitor:
    """A browser window on our server that remembers whatever it should not have seen."""

    def __init__(self, browser: Browser, url: str, **options: Any) -> None:
        self.url = url
        self.context: BrowserContext = browser.new_context(base_url=url, **options)
        self.context.set_default_timeout(15_000)
        self.messages: list[str] = []
        self.foreign: list[str] = []
        self.page: Page = self.context.new_page()
        self.page.on("console", lambda message: self.messages.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.messages.append(f"error: {error}"))
        self.page.on("request", self._note)

    def _note(self, request: Any) -> None:
        if not request.url.startswith((self.url, "data:", "blob:")):
            self.foreign.append(request.url)

    def sign_in(self, user: User) -> None:
        """Without the form, for tests that are about something else."""
        session = SessionStore()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session["account_authentication_methods"] = [{"method": "password", "at": time.time()}]
        session["account_authentication_methods_user"] = str(user.pk)
        session.save()
        self.context.add_cookies([{"name": "sessionid", "value": session.session_key or "", "url": self.url}])

    def go(self, path: str, **options: Any) -> Any:
        return self.page.goto(path, wait_until="load", **options)

    def close(self) -> None:
        self.context.close()


@pytest.fixture
def visit(browser: Browser, live_server: Any, settings: Any) -> Iterator[Any]:
    """`visit(viewport=…, color_scheme=…)` opens a window; all are closed at the end."""
    settings.SITE_URL = live_server.url
    opened: list[Visitor] = []

    def open_window(**options: Any) -> Visitor:
        opened.append(Visitor(browser, live_server.url, **options))
        return opened[-1]

    yield open_window
    for visitor in opened:
        visitor.close()


@pytest.fixture
def brindle(settings: Any) -> Iterator[Website]:
    """A product's website on loopback."""
    with Website() as website:
        website.pages |= {
            "/": html(HOME % ""),
            "/pricing": html("<title>Pricing</title><h1>Pricing</h1><p>€4 per person and month.</p>"),
            "/robots.txt": plain("User-agent: *\nDisallow: /secret/"),
        }
        settings.CRAWL_RESOLVE = website.at("brindle.test", "www.brindle.test")
        yield website


@pytest.fixture
def ines(transactional_db: None) -> User:
    """Somebody with an account."""
    return accounts.create_user(email="ines@brindle.example", password=PASSWORD)


@pytest.fixture
def stocked(transactional_db: None, visit: Any, ines: User, brindle: Website) -> dict[str, Any]:
    """A small directory with something of everything. Gives the addresses of all kinds of pages."""
    site, now = ensure_default_site(), timezone.now()
    make_category("shift-planning", name="Shift planning", terms=["shift planning"])
    listing = _full_listing(owner=ines, at=now)
    for number in range(9):
        make_listing(f"product-{number}", at=now - timedelta(minutes=number), votes=9 - number, country="DK")
    make_listing("coming", status="scheduled", at=now + WEEK)
    past = make_listing("past", at=now - WEEK, votes=3)
    Award.objects.create(site=site, listing=past, week=week_of(now) - WEEK, rank=1, votes=3, given_at=now)
    for board in ("billboard", "domain-rating", "revenue"):
        for rank, row in enumerate((listing, past), start=1):
            Standing.objects.create(
                site=site,
                board=board,
                listing=row,
                rank=rank,
                previous_rank=3 - rank,
                value=185000 // rank if board != "domain-rating" else 43,
                unit="EUR" if board != "domain-rating" else "",
                is_verified=rank == 1 if board == "revenue" else None,
                as_of=now.date(),
                refreshed_at=now,
            )
    BlogPost.objects.create(
        site=site,
        slug="hello",
        title="Hello",
        excerpt="Short.",
        markdown=POST,
        published_at=now,
        updated_at=now,
    )
    draft = submit_listing(owner=ines, site=site, url="https://brindle.test/", at=now)
    jobs.run_due()
    draft.refresh_from_db()
    assert draft.status == "ready", draft.error
    own = make_listing("waiting", owner=ines, status="awaiting_badge", at=now + WEEK)
    for city in ("Aarhus", "Odense"):
        changes = {"fields": {"city": city}}
        update_my_listing(owner_id=ines.pk, listing_id=own.pk, changes=changes, at=now)
    return {"draft": f"/drafts/{draft.pk}", "own": f"/account/listings/{own.pk}"}


POST = "Some **bold** text.\n\n## More\n\n- a\n- b\n\n> quoted\n\n```\ncode\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |"


def _full_listing(*, owner: User, at: Any) -> Listing:
    listing = make_listing(
        "tidewell",
        owner=owner,
        at=at,
        votes=12,
        description="**Bold** and [a link](https://example.com)\n\n- one",
        short_description="It keeps things in order.",
        pricing_model="freemium",
        pricing_summary="From €9",
        features=["Forecasts", "Warnings"],
        usps=["Calm"],
        city="Aarhus",
        country="DK",
        claimed_by_method="dns",
        claim_checked_at=at,
        faqs=[{"question": "Free?", "answer": "Yes."}, {"question": "Safe?", "answer": "Yes."}],
        socials={"linkedin": "https://linkedin.com/company/tidewell"},
        evidence={"tagline": [QUOTE], "description": [QUOTE], "features": [QUOTE], "country": [QUOTE]},
        not_found=[{"field": "founded_year", "reason": "not_on_site"}],
        awards=[{"code": "launch_of_the_week_2", "week": "2026-08-03"}],
        domain_rating=43,
    )
    founder = Founder.objects.create(slug="freja-holm", name="Freja Holm", bio="Makes things.", created_at=at)
    ListingFounder.objects.create(listing=listing, founder=founder, title="CEO")
    ListingUpdate.objects.create(listing=listing, title="News", body="Plain.", posted_at=at)
    return listing
