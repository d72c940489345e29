"""Public pages as Markdown."""

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from directory.models import Site
from tests.conftest import People
from tests.factories.listings import make_category, make_listing

MARKDOWN = {"Accept": "text/markdown, text/html;q=0.5"}


@pytest.fixture(autouse=True)
def listing(site: Site, people: People) -> None:
    make_category("invoicing")
    make_listing(
        "tidewell",
        owner=people.owner,
        description="**Bold** words\n\n- one\n- <script>alert(1)</script>",
        features=["Forecasts *daily*"],
    )


@pytest.mark.parametrize(
    "path",
    [
        "/index",
        "/listings/tidewell",
        "/weeks/this",
        "/categories/invoicing",
        "/leaderboards/billboard",
        "/awards",
        "/blog",
        "/search",
        "/docs",
    ],
)
def test_a_public_page_has_a_twin_that_says_the_same(client: Client, path: str) -> None:
    page = "/" if path == "/index" else path
    with time_machine.travel(timezone.now(), tick=False):  # pages say the minute
        twin, asked = client.get(f"{path}.md"), client.get(page, headers=MARKDOWN)

    assert twin["Content-Type"] == asked["Content-Type"] == "text/markdown; charset=utf-8"
    assert twin.content == asked.content
    text = twin.content.decode()
    assert text.startswith("# ") or "\n# " in text
    assert "<div" not in text
    assert text.endswith(f"Source: http://127.0.0.1:8000{page}\n")
    html = client.get(page)
    assert html["Content-Type"].startswith("text/html")
    assert "Accept" in html["Vary"]


def test_the_twin_of_a_listing_has_its_words_and_whole_addresses(client: Client) -> None:
    text = client.get("/listings/tidewell.md").content.decode()

    assert "**Bold** words" in text
    assert "Forecasts \\*daily\\*" in text
    assert "(http://127.0.0.1:8000/categories/invoicing)" in text
    assert "/accounts/login" not in text
    assert "](/" not in text
    assert "\\<script" in text
    assert "<script" not in text.replace("\\<script", "")


def test_a_paid_board_says_so_in_markdown_too(client: Client) -> None:
    assert "paid" in client.get("/leaderboards/billboard.md").content.decode().lower().partition("\n")[0]


def test_what_is_private_or_missing_has_no_twin(client: Client, people: People) -> None:
    client.force_login(people.owner)

    assert client.get("/account.md").status_code == 404
    assert client.get("/account", headers=MARKDOWN)["Content-Type"].startswith("text/html")
    assert client.get("/listings/none.md").status_code == 404
    assert client.get("/api/v1/site", headers=MARKDOWN)["Content-Type"].startswith("application/")
