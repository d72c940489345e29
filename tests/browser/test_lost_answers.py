"""A request that never ends: whoever waits for its answer goes on without it."""

import re
from typing import Any

import pytest
from playwright.sync_api import Route

from accounts.models import User
from directory.models import Listing, Site
from drafts.models import DraftField
from tests.browser.conftest import Visitor
from tests.browser.test_checkout import fill_in, quoted_and_made
from tests.browser.test_editor import opened, show
from tests.browser.test_journeys import fill_in_sign_in
from tests.factories.listings import make_listing
from tests.factories.orders import make_promo

HURRIED = "const timeout = AbortSignal.timeout.bind(AbortSignal); AbortSignal.timeout = (time) => timeout(time / 40);"


@pytest.fixture
def window(visit: Any, ines: User) -> Visitor:
    opened: Visitor = visit()
    opened.page.add_init_script(HURRIED)
    opened.sign_in(ines)
    return opened


def lost(window: Visitor, path: str) -> list[Route]:
    """Hold back for ever what scripts ask for; what a press sends goes on. Gives what was held back."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        if "x-part" in route.request.headers:
            held.append(route)
        else:
            route.continue_()

    window.page.route(path, hold)
    return held


def test_what_could_not_be_saved_is_saved_by_the_next_press(window: Visitor, ines: User, site: Site) -> None:
    listing = make_listing(owner=ines)
    held = lost(window, "**/edit")
    window.go(f"/account/listings/{listing.pk}/edit")
    window.page.get_by_role("textbox", name="Tagline").fill("Rotas that are done by Monday")
    with window.page.expect_request("**/edit"):
        window.page.keyboard.press("Tab")

    window.page.get_by_role("button", name="Review and publish").last.click()
    window.page.get_by_role("button", name="Publish 1 change").click()
    window.page.get_by_text("Published: 1 change.").wait_for()
    assert held
    assert Listing.objects.get().tagline == "Rotas that are done by Monday"


def test_whoever_pays_goes_on_without_a_new_total(window: Visitor, ines: User, site: Site) -> None:
    make_promo("AUTUMN10", percent=10)
    waiting = make_listing(owner=ines, status="draft", launch_week=None)
    _, made = quoted_and_made(window.url, ines, waiting)
    held = lost(window, "**/checkout/**")
    window.go(made["checkout_url"])
    fill_in(window.page)

    window.page.get_by_role("button", name="Pay €").click()
    window.page.get_by_role("heading", level=1, name="Test money").wait_for()
    assert held


@pytest.mark.parametrize("which", [{"name": "sessionid"}, {}])
def test_whoever_was_signed_out_is_sent_to_sign_in_and_saves_what_was_typed(
    visit: Any, ines: User, stocked: dict[str, str], which: dict[str, str]
) -> None:
    window = opened(visit, ines, f"/drafts/{stocked['draft']}", way=(1280, True))
    window.context.clear_cookies(**which)
    show(window, "Price and place").get_by_role("textbox", name="City").fill("Lisbon")
    window.page.keyboard.press("Tab")
    with window.context.expect_page() as other:
        window.page.get_by_role("link", name="sign in again").click()
    fill_in_sign_in(other.value)
    other.value.get_by_role("button", name="Sign out").wait_for()

    window.page.get_by_role("button", name="Save", exact=True).last.click()
    window.page.locator("#editor-saved").get_by_text(re.compile(r"Saved \d\d:\d\d UTC")).wait_for()
    assert DraftField.objects.get(draft=stocked["draft"], name="city").value == "Lisbon"
