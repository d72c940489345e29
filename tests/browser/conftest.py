"""A real browser on the pages of a running server."""

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

from accounts import services as accounts
from accounts.models import User
from tests.pages.world import fill
from tests.servers.website import Website

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")  # without windows it costs a third less
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), "")
FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"),
    "--in-process-gpu",  # what draws needs no process of its own: a tenth less
    "--blink-settings=lazyLoadingImageMarginPxUnknown=1250",  # the shell knows no speed of its line
    # A frame outlives its page: a visit costs a fifth less. Of these flags the last counts, so it holds Playwright's.
    "--enable-features=CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies,RenderDocument:level/crashed-frame",
]
PICTURES = os.environ.get("PICTURES")
PASSWORD = "correct horse battery"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything below this folder needs the browser."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


def picture(page: Page, name: str) -> None:
    """Keep a picture of the whole page for a person to look at, where PICTURES names a folder."""
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"{name}.jpg", type="jpeg", full_page=True)


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
            "No chromium was found. Install chromium-headless-shell of Debian, or name one in CHROMIUM."
        )
    started = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    yield started
    started.close()


class Visitor:
    """A browser window on our server that remembers whatever it should not have seen."""

    def __init__(self, browser: Browser, url: str, **options: Any) -> None:
        self.url = url
        self.context: BrowserContext = browser.new_context(base_url=url, **options)
        self.context.set_default_timeout(60_000)
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
def ines(transactional_db: None) -> User:
    """Somebody with an account."""
    return accounts.create_user(email="ines@brindle.example", password=PASSWORD)


@pytest.fixture
def stocked(transactional_db: None, visit: Any, ines: User, brindle: Website) -> dict[str, str]:
    """A small directory with something of everything. Gives the names that `tests.pages.table` speaks of."""
    return fill(owner=ines)
