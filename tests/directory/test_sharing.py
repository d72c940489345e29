"""What a page tells those who link to it: its address, its card image, its structured data."""

import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from PIL import Image

from directory.models import Listing, Site
from directory.shown.sharing.text import Face, reads_from_the_right, runs
from tests.directory.outline import page
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
    """The tags of a page's head, and its structured data."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.meta: dict[str, str] = {}
        self.data: list[Any] = []
        self._is_data = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self._is_data = found.get("type") == "application/ld+json"
        if tag == "meta":
            self.meta[found.get("property") or found.get("name", "")] = found.get("content", "")

    def handle_data(self, data: str) -> None:
        if self._is_data and data.strip():
            self.data.append(json.loads(data))


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


@pytest.mark.parametrize(("name", "span"), [("Tidewell", (690, 1199)), ("دفتر المرفأ", (0, 509))])
def test_the_card_of_a_product_bears_its_picture_over_the_edge(
    site: Site, client: Client, settings: Any, tmp_path: Path, name: str, span: tuple[int, int]
) -> None:
    settings.MEDIA_ROOT = tmp_path
    (tmp_path / "pictures").mkdir()
    Image.new("RGB", (800, 500), (200, 30, 30)).save(tmp_path / "pictures" / "a.png")
    listing = make_listing("tidewell", name=name)
    Listing.objects.filter(pk=listing.pk).update(
        site_picture={"file": "pictures/a.png", "width": 800, "height": 500}
    )
    image = Head(page(client, "/listings/tidewell")).meta["og:image"].removeprefix("http://127.0.0.1:8000")
    shown = Image.open(io.BytesIO(client.get(image).content)).convert("RGB")

    red = [x for x in range(1200) if shown.getpixel((x, 300)) == (200, 30, 30)]
    assert [abs(end - wanted) < 4 for end, wanted in zip((min(red), max(red)), span, strict=True)] == [
        True
    ] * 2
    (tmp_path / "pictures" / "a.png").unlink()
    cache.clear()
    assert client.get(image).status_code == 200


def test_no_card_of_what_is_not_public(full: Any, client: Client) -> None:
    make_listing("hidden", status="suspended")

    for address in ("listings/hidden", "listings/none", "weeks/never", "none/x", "boards/none"):
        assert client.get(f"/share/{address}/000000000000.png").status_code == 404


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


LONG = (
    "Le rangement de vos photos de chantier, sans y penser, pour chaque artisan qui en prend mille par mois"
)


@pytest.mark.parametrize("width", range(300, 900, 50))
def test_what_has_no_room_on_a_card_is_cut_after_a_whole_word(width: int) -> None:
    *_, last = Face(38).lines(LONG, width=width, most=2)
    assert last == LONG or last.endswith("…")
    assert set(re.findall(r"\w+", last)) <= set(re.findall(r"\w+", LONG))
    assert not re.search(r"\W…$", last)  # nor after the comma before it


def test_what_a_card_tells_of_a_page_ends_with_a_whole_word(site: Site, client: Client) -> None:
    make_listing("long", short_description=f"{LONG}. {LONG}.")
    told = Head(page(client, "/listings/long")).meta["og:description"]
    assert told.endswith("…")
    assert set(re.findall(r"\w+", told)) <= set(re.findall(r"\w+", LONG))
