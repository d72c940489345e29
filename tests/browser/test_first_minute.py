"""The first minute: a stranger books a launch in seven clicks and two typed fields, by mouse or by keyboard."""

import re
from typing import Any

import pytest
from django.core import mail

from core import jobs
from directory.models import Listing
from tests.factories.listings import make_category
from tests.servers.brindle import HOME
from tests.servers.website import Website, html

LOOKS = [
    pytest.param(
        {"java_script_enabled": scripts, "viewport": {"width": width, "height": 900}}, id=f"{width}-{name}"
    )
    for width in (375, 1280)
    for scripts, name in ((True, "scripts"), (False, "none"))
]
WHO = "mira@brindle.example"


@pytest.fixture
def brindle_fits(brindle: Website, site: Any) -> Website:
    """A website whose words fit one category clearly."""
    make_category("shift-planning", name="Shift planning", terms=["rotas", "shift planning", "small cafés"])
    brindle.pages["/"] = html(HOME % "<p>Rotas and shift planning for small cafés.</p>")
    return brindle


def mailed_link() -> str:
    jobs.run_due()
    found = re.search(r"https?://\S+/accounts/login/code/confirm/\S+", str(mail.outbox[-1].body))
    assert found is not None
    return found[0]


class Hands:
    """Somebody who clicks and types, and counts it."""

    def __init__(self, page: Any) -> None:
        self.page, self.clicks, self.typed = page, 0, 0

    def click(self, target: Any) -> None:
        target.click()
        self.clicks += 1

    def type(self, target: Any, text: str) -> None:
        target.fill(text)
        self.typed += 1


@pytest.mark.parametrize("look", LOOKS)
def test_a_stranger_books_a_launch_in_seven_clicks_and_two_fields(
    visit: Any, brindle_fits: Website, look: dict[str, Any]
) -> None:
    visitor = visit(**look)
    page, hands = visitor.page, Hands(visitor.page)
    visitor.go("/")
    hands.type(page.get_by_label("Made something? Paste its address."), "brindle.test")
    hands.click(page.get_by_role("button", name="Write my page"))

    hands.type(page.get_by_label("E-mail address").first, WHO)
    hands.click(page.get_by_role("button", name="E-mail me a code"))
    page.goto(mailed_link())
    hands.clicks += 1  # in the mail
    hands.click(page.get_by_role("button", name="Sign in", exact=True))

    page.get_by_role("heading", name="Reading brindle.test").wait_for()
    jobs.run_due()
    page.get_by_role("heading", name="Check the draft of Brindle").wait_for()
    assert page.locator("input[name=categories][type=hidden]").input_value() == "Shift planning"
    hands.click(page.get_by_role("button", name="Submit"))
    hands.click(page.get_by_role("button", name="Launch free"))

    page.get_by_text("has a place in the week of").first.wait_for()
    assert Listing.objects.get().status == "awaiting_badge"
    assert (hands.clicks <= 7, hands.typed) == (True, 2), (hands.clicks, hands.typed)


class Keys:
    """Somebody without a mouse, who counts the tabs."""

    def __init__(self, page: Any) -> None:
        self.page, self.tabs = page, 0

    def focused(self) -> str:
        words = "(node => (node.getAttribute('aria-label') || node.innerText || node.name || '').trim())"
        return str(self.page.evaluate(f"{words}(document.activeElement)"))

    def tab_to(self, words: str) -> None:
        """Press Tab until what has the focus says this, and fail past thirty."""
        while words != self.focused():
            assert self.tabs < 30, f"{words} is not within thirty tabs; the focus is on {self.focused()}"
            self.page.keyboard.press("Tab")
            self.tabs += 1

    def type(self, words: str) -> None:
        """Type into the field that the page itself gives the focus, a moment after it is there, and press Enter."""
        self.page.locator("input:focus").wait_for()
        self.page.keyboard.type(f"{words}\n")

    def press(self, words: str) -> None:
        self.tab_to(words)
        self.page.keyboard.press("Enter")
        if words.startswith("Skip"):
            self.page.wait_for_url(re.compile("#"))


@pytest.mark.parametrize("look", LOOKS)
def test_the_whole_way_takes_fewer_than_thirty_tabs(
    visit: Any, brindle_fits: Website, look: dict[str, Any]
) -> None:
    visitor = visit(**look)
    page, keys = visitor.page, Keys(visitor.page)
    visitor.go("/submit")
    keys.type("brindle.test")
    page.wait_for_url("**/accounts/login/**")
    keys.type(WHO)
    page.wait_for_url("**/accounts/login/code/confirm/**")
    jobs.run_due()
    keys.type(str(mail.outbox[-1].subject).rpartition(" ")[2])
    page.get_by_role("heading", name="Reading brindle.test").wait_for()
    jobs.run_due()
    page.get_by_role("heading", name="Check the draft of Brindle").wait_for()

    assert page.locator("input[name=categories][type=hidden]").input_value() == "Shift planning"
    keys.press("Skip to Submit")
    keys.press("Submit")
    page.get_by_role("button", name="Launch free").wait_for()
    keys.press("Skip to the launch")
    keys.press("Launch free")

    page.get_by_text("has a place in the week of").first.wait_for()
    assert Listing.objects.get().status == "awaiting_badge"
    assert keys.tabs < 30
