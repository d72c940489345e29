"""Consent, connected apps and the pages for programs in a real browser, under their policies."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.utils import timezone

from accounts import services
from accounts.models import User
from directory.sites.catalogue import ensure_default_site
from tests.browser.conftest import picture
from tests.factories.oauth import Agent


class Callback(BaseHTTPRequestHandler):
    """Says hello to whoever comes back."""

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<title>Back in the app</title><link rel=icon href='data:,'>")


@pytest.fixture
def callback() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Callback)
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/callback"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("button", "told"), [("Allow", "code"), ("Don’t allow", "error")])
def test_either_answer_reaches_the_app(
    visit: Any, ines: User, callback: str, button: str, told: str, scheme: Any
) -> None:
    agent = Agent(ines, redirect_uri=callback, person_signed_in=False)
    window = visit(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    window.sign_in(ines)

    window.go(agent.address(scope="account:read listings:write"))
    picture(window.page, f"consent-{scheme}-390")
    sizes = [
        window.page.get_by_role("button", name=name, exact=True).bounding_box()
        for name in ("Don’t allow", "Allow")
    ]
    window.page.get_by_role("button", name=button, exact=True).click()
    window.page.wait_for_url(f"{callback}?**")

    assert window.page.title() == "Back in the app"
    answer = dict(parse_qsl(urlsplit(window.page.url).query))
    assert told in answer
    assert (answer["state"], answer["iss"]) == ("st4te", window.url)
    assert [(size["width"], size["height"]) for size in sizes] == [
        (sizes[0]["width"], sizes[0]["height"])
    ] * 2
    assert window.messages == []


def test_apps_are_listed_and_disconnected_without_scripts(visit: Any, ines: User, callback: str) -> None:
    agent = Agent(ines, redirect_uri=callback)
    agent.tokens()
    window = visit(viewport={"width": 1280, "height": 900}, java_script_enabled=False)
    window.sign_in(ines)

    window.go("/account/apps")
    picture(window.page, "connected-apps-1280")
    window.page.get_by_role("link", name="Disconnect Test agent").click()
    window.page.get_by_role("button", name="Disconnect it now").click()

    window.page.get_by_text("“Test agent” can no longer act for you.").wait_for()
    window.page.get_by_text("No app acts for you.").wait_for()


@pytest.mark.parametrize("path", ["/docs/mcp", "/docs/mcp/update_draft"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_pages_about_mcp_fit(visit: Any, ines: User, path: str, width: int) -> None:
    window = visit(viewport={"width": width, "height": 900})

    window.go(path)
    picture(window.page, f"{path[1:].replace('/', '-')}-{width}")

    assert window.page.evaluate("document.documentElement.scrollWidth") == width
    assert window.messages == []
    assert window.foreign == []


def test_an_operation_is_tried_out_with_a_key(visit: Any, ines: User) -> None:
    ensure_default_site()
    _, key = services.create_api_key(user=ines, name="Trying out", at=timezone.now())
    window = visit(viewport={"width": 390, "height": 900})

    window.go("/docs/operations/get_account#try")
    window.page.get_by_label("Your API key").fill(key)
    window.page.get_by_role("button", name="Send GET").click()
    window.page.get_by_text("200 OK").wait_for()
    assert ines.email in window.page.get_by_label("The answer").inner_text()

    window.go("/docs/try")
    window.page.get_by_label("q", exact=True).fill("nothing is called so")
    window.page.get_by_role("button", name="Send GET").click()
    window.page.get_by_text("200 OK").wait_for()
    assert '"items": []' in window.page.get_by_label("The answer").inner_text()
    assert window.messages == []
    assert window.foreign == []
