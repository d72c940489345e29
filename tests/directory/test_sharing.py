"""What a page tells those who link to it: its address, its card image, its structured data."""

import io
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from PIL import Image

from directory.models import Site
from directory.sharing.text import Face, reads_from_the_right, runs
from tests.directory.outline import page
from tests.directory.test_pages import PAGES
from tests.factories.listings import make_listing

pytestmark = pytest.mark.usefixtures("launch_time")

SHARED = [
    "/",
    "/weeks/2026-11-09",
    "/listings/tidewell",
    "/listings/sundial",
    "/categories/invoicing",
    "/founders/freja-holm",
    "/blog/hello",
    "/awards",
    "/leaderboards/community-weekly",
    "/leaderboards/billboard",
]
NAMES = [
    "Tidewell",
    "The Greater Manchester Allotment Swap and Seed Library",
    "Pneumonoultramicroscopicsilicovolcanoconiosis" * 3,
    "潮見ノート",
    "دفتر المرفأ",
    "דף הנמל",
    "Rocket 🚀 Desk 👩‍💻",
    "हिन्दी डेस्क",
    "가나다 노트",
    "<script>alert(1)</script>",
]


class Head(HTMLParser):
    """The tags of a page's head, and its words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.meta: dict[str, str] = {}
        self.canonical: list[str] = []
        self.data: list[Any] = []
        self.words: list[str] = []
        self.links: list[str] = []
        self._in = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self._in = "data" if found.get("type") == "application/ld+json" else tag
        self.links += [found[name] for name in ("href", "src", "action") if name in found]
        if tag == "meta":
            self.meta[found.get("property") or found.get("name", "")] = found.get("content", "")
        if tag == "link" and found.get("rel") == "canonical":
            self.canonical.append(found["href"])

    def handle_data(self, data: str) -> None:
        if self._in == "data" and data.strip():
            self.data.append(json.loads(data))
        elif self._in != "script":
            self.words.append(data)


def facts(data: Any) -> list[str]:
    """Every text of structured data that is no address and no word of schema.org."""
    if isinstance(data, dict):
        plain = {
            name: value for name, value in data.items() if name not in {"@context", "@type", "urlTemplate"}
        }
        return [fact for value in plain.values() for fact in facts(value)]
    if isinstance(data, list):
        return [fact for value in data for fact in facts(value)]
    return [data] if isinstance(data, str) and "://" not in data else []


def folded(text: str) -> str:
    return " ".join(text.split())


def test_every_page_names_one_address_of_its_own(full: Any, client: Client) -> None:
    found = {address: Head(page(client, address)).canonical for address in PAGES}

    own = {address: [f"http://127.0.0.1:8000{address.partition('?')[0]}"] for address in PAGES}
    own["/weeks/this"] = ["http://127.0.0.1:8000/weeks/2026-11-16"]
    own |= {
        address: [f"http://127.0.0.1:8000{address}"] for address in PAGES if address.startswith("/compare?")
    }
    own |= {address: [] for address in ("/search", "/search?q=tidewell")}
    assert found == own


def test_a_shared_page_has_a_card_with_an_image_of_what_it_says(full: Any, client: Client) -> None:
    for address in SHARED:
        meta = Head(page(client, address)).meta
        image = meta["og:image"].removeprefix("http://127.0.0.1:8000")
        answer = client.get(image)
        assert Image.open(io.BytesIO(answer.content)).size == (1200, 630), address
        assert "immutable" in answer["Cache-Control"]
        assert meta["og:title"], address
        assert meta["og:description"] == meta["description"], address
        assert meta["twitter:card"] == "summary_large_image"
        assert meta["og:image:alt"]

        former = re.sub(r"[0-9a-f]{12}\.png$", "000000000000.png", image)
        assert client.get(former)["Location"] == image
    assert Head(page(client, "/leaderboards/billboard")).meta["og:title"].startswith("PAID: ")
    assert "PAID" in Head(page(client, "/leaderboards/billboard")).meta["og:image:alt"]


def test_no_card_of_what_is_not_public(full: Any, client: Client) -> None:
    make_listing("hidden", status="suspended")

    for address in ("listings/hidden", "listings/none", "weeks/never", "none/x", "boards/none"):
        assert client.get(f"/share/{address}/000000000000.png").status_code == 404


def test_structured_data_hold_what_the_page_shows_and_nothing_else(full: Any, client: Client) -> None:
    kinds = set()
    for address in SHARED:
        head = Head(page(client, address))
        words = folded(" ".join([*head.words, *head.meta.values()]))
        kinds |= {data["@type"] for data in head.data}
        hidden = [fact for fact in facts(head.data) if folded(fact) not in words and "T" not in fact]
        assert hidden in ([], ["required name=words"], ["0", "EUR"]), address
    assert kinds == {"WebSite", "BreadcrumbList", "Product", "FAQPage", "Person", "BlogPosting"}


@pytest.mark.parametrize("name", NAMES)
def test_any_name_stays_text_and_gets_its_image(site: Site, client: Client, name: str) -> None:
    make_listing("odd", name=name, tagline=name * 3)
    text = page(client, "/listings/odd")
    head = Head(text)
    image = head.meta["og:image"].removeprefix("http://127.0.0.1:8000")

    assert "<script>alert" not in text
    assert next(data for data in head.data if data["@type"] == "Product")["name"] == name
    assert client.get(image)["Content-Type"] == "image/png"


@pytest.mark.parametrize("name", NAMES)
def test_lines_fit_their_width_and_every_letter_has_a_font(name: str) -> None:
    face = Face(56, 600)
    lines = face.lines(name, width=784, most=2)

    assert 1 <= len(lines) <= 2
    assert all(face.width(line) <= 784 for line in lines)
    assert "".join(run for _, run in runs(name)) == name
    assert reads_from_the_right(name) == (name in {"دفتر المرفأ", "דף הנמל"})
