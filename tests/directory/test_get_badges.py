"""get_badges and the images: code to copy, 45 looks, text that cannot break out."""

from html.parser import HTMLParser
from itertools import product
from typing import Any
from xml.etree import ElementTree

import pytest

from directory.launches.badge_check import find_badge
from directory.launches.badges import CODES, MODES, SHAPES, SIZES, Badge, BadgeStyle, svg
from directory.models import Listing, Site
from tests.conftest import Api
from tests.factories.listings import AT, make_listing

PATH = "/api/v1/listings/tidewell/badges"
IMAGE = "/badges/tidewell/listed.svg"
SVG = "{http://www.w3.org/2000/svg}"
STYLES = [
    BadgeStyle(shape=shape, mode=mode, size=size) for shape, mode, size in product(SHAPES, MODES, SIZES)
]
DRAWN = ("svg", "title", "style", "rect", "g", "path", "circle", "text")
HOSTILE = "</title><script>alert('&\"\u202e\x08')</script>]]> " + "W\u0416\u6f22" * 160
AWARD = {"id": 1, "code": "launch_of_the_week_2", "title": "Launch of the Week #2", "rank": 2, "votes": 3}


class Tags(HTMLParser):
    """The tags of a snippet with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_there_are_forty_five_looks() -> None:
    assert (len(STYLES), len(CODES)) == (45, 6)


def test_what_is_earned_depends_on_awards_and_a_proven_claim(api: Api, site: Site) -> None:
    make_listing(awards=[{**AWARD, "week": "2026-11-09"}], claimed_by_method="dns", claim_checked_at=AT)
    body = api().get(PATH).json()

    assert (body["listing"], body["shape"], body["mode"], body["size"]) == (
        "tidewell",
        "standard",
        "auto",
        "m",
    )
    assert {item["code"]: item["earned"] for item in body["items"]} == {
        "listed": True,
        "launch_of_the_week_1": False,
        "launch_of_the_week_2": True,
        "launch_of_the_week_3": False,
        "verified": True,
        "live": True,
    }
    assert body["items"][2]["title"] == "Tidewell: Launch of the Week #2, 9 Nov 2026 on Launch Directory"


def test_code_and_image_agree_in_every_look_and_the_badge_check_accepts_the_code(
    api: Api, site: Site
) -> None:
    make_listing()
    reader = api()

    for style in STYLES:
        query = f"shape={style.shape}&mode={style.mode}&size={style.size}"
        (item, *_) = reader.get(f"{PATH}?{query}").json()["items"]
        (_, anchor), (_, image) = Tags(item["html"]).found
        drawn = ElementTree.fromstring(reader.client.get(str(image["src"])).content)
        assert (anchor["href"], image["src"]) == (item["link_url"], item["svg_url"])
        assert (image["width"], image["height"]) == (str(item["width"]), str(item["height"]))
        assert (drawn.get("width"), drawn.get("height")) == (image["width"], image["height"])
        assert item["markdown"] == f"[![{item['title']}]({item['svg_url']})]({item['link_url']})"
        finding = find_badge(html=item["html"], base_url="https://tidewell.example/", slug="tidewell")
        assert finding.result == "found"


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("style", STYLES, ids=lambda style: f"{style.shape}-{style.mode}-{style.size}")
def test_every_image_is_small_real_text_with_a_title(style: BadgeStyle, code: str) -> None:
    drawing = svg(Badge(code=code, caption="&" * 120, main='"' * 120, title=HOSTILE), style=style)
    drawn = ElementTree.fromstring(drawing)
    title = drawn.findtext(f"{SVG}title") or ""

    assert len(drawing.encode()) <= 4096
    assert drawn.get("role") == "img"
    assert title.startswith("</title><script>alert('&\"")
    assert {node.tag for node in drawn.iter()} <= {SVG + name for name in DRAWN}
    assert ("prefers-color-scheme" in drawing) == (style.mode == "auto")


def test_a_name_cannot_break_out_of_an_image(api: Api, site: Site) -> None:
    make_listing(name=HOSTILE[:500])
    answer = api().client.get(IMAGE)
    title = ElementTree.fromstring(answer.content).findtext(f"{SVG}title") or ""

    assert len(answer.content) <= 4096
    assert title.startswith("</title><script>alert('&\"")
    assert title.endswith("…: listed on Launch Directory")


def test_an_image_is_kept_shortly_and_opened_nowhere_else(api: Api, site: Site) -> None:
    make_listing()
    answer = api().client.get(IMAGE)
    again = api().client.get(IMAGE, headers={"If-None-Match": answer["ETag"]})

    assert answer["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert answer["Cache-Control"] == "public, max-age=300, stale-while-revalidate=300"
    assert answer["Content-Security-Policy"] == "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert not answer.cookies
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", answer["ETag"])


def test_an_image_changes_with_what_it_says(api: Api, site: Site) -> None:
    listing = make_listing()
    before = api().client.get(IMAGE)["ETag"]
    Listing.objects.filter(pk=listing.pk).update(name="Renamed")

    assert api().client.get(IMAGE)["ETag"] != before


@pytest.mark.parametrize(
    "path",
    [
        "/badges/nobody/listed.svg",
        "/badges/No!/listed.svg",
        "/badges/tidewell/anything.svg",
        "/badges/waiting/verified.svg",
        "/badges/draft/verified.svg",
        "/badges/gone/listed.svg",
    ],
)
def test_a_badge_that_is_not_there_is_a_plain_image_that_nobody_keeps(
    api: Api, site: Site, path: str
) -> None:
    make_listing()
    make_listing("draft", status="draft", name="Secret")
    make_listing("waiting", status="awaiting_badge", name="Secret")
    make_listing("gone", status="suspended", name="Secret")
    answer = api().client.get(path)
    drawn = ElementTree.fromstring(answer.content)

    assert (answer.status_code, answer["Cache-Control"]) == (404, "no-store")
    assert answer["Content-Type"].startswith("image/svg+xml")
    assert not answer.has_header("ETag")
    assert drawn.findtext(f"{SVG}title") == site.name


@pytest.mark.parametrize("status", ["live", "scheduled"])
def test_every_address_leads_to_an_image_and_what_is_not_earned_claims_nothing(
    api: Api, site: Site, status: str
) -> None:
    make_listing(status=status)
    items = api().get(f"{PATH}?shape=pill&mode=dark&size=s").json()["items"]
    titles = {}

    for item in items:
        answer = api().client.get(item["svg_url"])
        drawn = ElementTree.fromstring(answer.content)
        titles[item["code"]] = drawn.findtext(f"{SVG}title")
        assert (answer.status_code, answer.has_header("ETag")) == (200, True), item["code"]
        assert (drawn.get("width"), drawn.get("height")) == (str(item["width"]), str(item["height"]))
    assert {code: title for code, title in titles.items() if title != site.name} == {
        "listed": items[0]["title"],
        "live": items[0]["title"],
    }


@pytest.mark.parametrize("status", ["draft", "awaiting_badge"])
def test_the_badge_of_a_listing_that_is_to_launch_is_drawn_without_its_name(
    api: Api, site: Site, status: str
) -> None:
    make_listing(status=status, name="Secret")
    answer = api().client.get(IMAGE)

    assert answer.status_code == 200
    assert "Secret" not in answer.content.decode()
    assert api().get(PATH).status_code == 404


def test_an_unknown_look_is_the_usual_one(api: Api, site: Site) -> None:
    make_listing()

    assert (
        api().client.get(f"{IMAGE}?shape=star&mode=pink&size=xxl").content == api().client.get(IMAGE).content
    )


@pytest.mark.parametrize(
    ("name", "letters", "pressed"),
    [
        ("Plinth", "15", None),
        ("Launch Directory", "11.6", None),
        ("A site with rather a long name", "10.8", "108"),
    ],
)
def test_text_that_does_not_fit_gets_smaller_then_pressed_together(
    api: Api, site: Site, settings: Any, name: str, letters: str, pressed: str | None
) -> None:
    settings.SITE_NAME = name
    make_listing()
    drawn = ElementTree.fromstring(api().client.get(f"{IMAGE}?shape=square").content)
    _, line = drawn.iter(f"{SVG}text")

    assert (line.text, line.get("font-size"), line.get("textLength")) == (name, letters, pressed)


@pytest.mark.parametrize("status", ["draft", "awaiting_badge", "archived", "suspended", "rejected"])
def test_code_is_for_live_and_upcoming_listings(api: Api, site: Site, status: int) -> None:
    make_listing(status=status, launched_at=AT)

    assert api().get(PATH).status_code == 404


def test_an_upcoming_listing_says_that_it_will_launch(api: Api, site: Site) -> None:
    make_listing(status="scheduled")
    (item, *_) = api().get(PATH).json()["items"]

    assert (item["title"], item["earned"]) == ("Tidewell: launching on Launch Directory", True)


def test_markdown_cannot_be_broken_out_of(api: Api, site: Site) -> None:
    make_listing(name="A](https://evil.example) [B\\")
    (item, *_) = api().get(PATH).json()["items"]

    assert item["markdown"].startswith("[![A\\](https://evil.example) \\[B\\\\: listed on")
