"""Public pages: what they show, what they escape, what they hide, and how many queries they take."""

import re
import xml.etree.ElementTree as ET
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client

from directory.engagement.visits import fold_visits
from directory.models import Site
from tests.conftest import People
from tests.directory.conftest import QUOTE
from tests.directory.outline import page
from tests.factories.listings import AT, make_listing

BYTES_A_PAGE = 60_000


pytestmark = pytest.mark.usefixtures("launch_time")
MISSING = [
    "/listings/nothing",
    "/listings/No%20Slug",
    "/weeks/2026-13-01",
    "/weeks/never",
    "/categories/none",
    "/founders/x",
    "/blog/x",
    "/leaderboards/none",
    "/leaderboards/community-weekly?week=x",
    "/sitemaps/none-0.xml",
    *(f"/{name}/a%00b" for name in ("listings", "categories", "founders", "blog", "weeks", "leaderboards")),
    *(f"/listings/a%00b/{name}" for name in ("sources", "alternatives", "badges")),
]
ODD_SEARCHES = [
    "q=%00",
    "q=" + "a" * 500,
    "q=%3Cscript%3E",
    "page=abc",
    "page=-1",
    "page=99999",
    "sort=x&status=y",
    "country=%00",
    "category=%27%3B--",
    "q=%F0%9F%98%80",
    "q=%27%22%5C%26%7C!()*:",
]


def test_what_is_not_there_is_a_404_page(full: Any, client: Client) -> None:
    for address in MISSING:
        assert "There is nothing at this address" in page(client, address, 404)


def test_home_ranks_the_week_and_keeps_paid_places_apart(full: Any, client: Client) -> None:
    text = page(client, "/")
    box = text[text.index("paid-box") :]

    assert text.index(">Tidewell</a>") < text.index(">Ledgerlark</a>")
    assert "Companies pay for these places. Ranked by money contributed, never by votes." in box
    assert '<span class="paid">Paid</span>' in box
    assert 'rel="sponsored"' in box
    assert "€1,850" in box
    assert '<p class="muted small">16–22 November 2026</p>' in text
    assert "9–15 November 2026&nbsp;· final" in text
    assert "Voting closes in" in text
    assert "4 days 15 h" in text


def test_the_billboard_says_that_it_is_paid_in_title_heading_and_words(full: Any, client: Client) -> None:
    text = page(client, "/leaderboards/billboard")

    assert "<title>PAID: Billboard" in text
    assert '<h1><span class="paid">Paid</span>' in " ".join(text.split()).replace("> <", "><")
    assert "This board is paid." in text
    assert 'rel="sponsored"' in text


def test_a_running_week_has_votes_a_past_one_has_results_a_coming_one_has_neither(
    full: Any, people: People, client: Client
) -> None:
    client.force_login(people.stranger)
    running, past, coming = (page(client, f"/weeks/{week}") for week in ("this", "2026-11-09", "2026-11-23"))

    this_week = '<a href="/weeks/this" aria-current="page">This week</a>'
    assert [this_week in text for text in (running, past, coming)] == [True, False, False]
    assert "16–22 November 2026</p> <h1>This week’s race</h1>" in " ".join(running.split())
    assert "We are checking; the result comes within minutes." in past
    assert 'action="/listings/tidewell/vote"' in running
    assert 'action="/listings/wrenly/vote"' not in past
    assert ">, final</span>" in past
    assert "Rank " not in coming.split("<main")[1]
    assert "<h1>Next week’s race opens Monday</h1>" in coming
    assert "1&nbsp;product is booked." in coming
    assert "Votes and places start at 00:00 UTC." in coming
    assert "Not launched yet" not in coming
    assert coming.count('value="remind"') == coming.count('<li class="row"') > 0

    empty = page(client, "/weeks/2029-10-08")
    assert "This week opens on Monday 8 October 2029." in empty


@pytest.mark.parametrize(
    ("asked", "target"),
    [
        ("2026-11-18", "/weeks/2026-11-16"),
        ("next", "/weeks/2026-11-23"),
        ("last", "/weeks/2026-11-09"),
    ],
)
def test_any_day_of_a_week_leads_to_its_monday(site: Site, client: Client, asked: str, target: str) -> None:
    response = client.get(f"/weeks/{asked}")

    assert (response.status_code, response["Location"]) == (302, target)


def test_the_boards_begin_with_this_weeks_votes(site: Site, client: Client) -> None:
    assert client.get("/leaderboards").headers["Location"] == "/leaderboards/community-weekly"
    tab = 'aria-current="page">This week</a>'
    assert tab in page(client, "/leaderboards/community-weekly")
    assert tab not in page(client, "/leaderboards/community-weekly?week=2026-11-09")


def test_a_listing_shows_the_sentence_behind_a_statement_and_what_is_blank(full: Any, client: Client) -> None:
    text = page(client, "/listings/tidewell")

    assert 'popovertarget="source-tagline"' in text
    assert "<mark>Cash &amp; carry, &lt;b&gt;weekly&lt;/b&gt;</mark>" in text
    assert "https://tidewell.example/pricing#:~:text=Cash" in text
    assert "Not found on its website" in text
    assert "No page we read states it." in text
    assert "Not measured yet" in text
    assert "<strong>Bold</strong>" in text
    assert "&lt;i&gt;plain&lt;/i&gt;" in text


def test_a_badge_is_copied_in_the_shape_colours_and_size_that_were_chosen(full: Any, client: Client) -> None:
    text = unescape(page(client, "/listings/tidewell/badges?shape=pill"))

    assert '<li><a href="/listings/tidewell">Tidewell</a></li>' in text
    assert {'href="?shape=pill&mode=dark"', 'href="?shape=pill&size=l"'} <= set(
        re.findall(r'href="\?[^"]*"', text)
    )
    assert "mode=dark" in page(client, "/listings/tidewell/badges?shape=pill&mode=dark").split("<output")[1]


def test_an_update_says_its_day(full: Any, client: Client) -> None:
    text = page(client, "/listings/tidewell")

    assert f'<time datetime="{AT:%Y-%m-%dT%H:%M:%SZ}">{AT.day} {AT:%b %Y}</time>' in text


def test_the_sources_page_marks_what_the_owner_states(full: Any, client: Client) -> None:
    text = page(client, "/listings/tidewell/sources")

    assert "&lt;b&gt;weekly&lt;/b&gt;" in text
    assert "Stated by the owner" in text


def test_hostile_texts_and_addresses_stay_text(site: Site, client: Client) -> None:
    make_listing(
        "hostile",
        name="<script>alert(1)</script>",
        tagline='"><img src=x onerror=alert(1)>',
        url="javascript:alert(1)",
        description="<img src=x onerror=alert(1)> [x](javascript:alert(1)) <a href='data:text/html,x'>y</a>",
        socials={"x": "javascript:alert(1)"},
        demo_video_url="data:text/html,x",
        logo_url="https://tracker.example/pixel.png",
        evidence={"tagline": [{**QUOTE, "link": "javascript:alert(1)"}]},
    )
    text = page(client, "/listings/hostile")

    assert "<script>alert" not in text
    assert "<img" not in text
    assert 'href="javascript:' not in text
    assert 'href="data:' not in text
    assert "tracker.example" not in text


def test_a_post_is_cleaned(full: Any, client: Client) -> None:
    article = page(client, "/blog/hello").split('<div class="prose">')[1].split("</article>")[0]

    assert "<script" not in article
    assert "<img" not in article
    assert "javascript:" not in article.replace("[x](javascript:alert(1))", "")
    assert "<h2>Top</h2>" in article


def test_a_listing_that_is_not_public_is_there_for_its_owner_alone(people: People, client: Client) -> None:
    for status in ("draft", "awaiting_badge", "rejected", "suspended", "archived"):
        slug, at = status.replace("_", "-"), AT if status == "archived" else None
        make_listing(slug, owner=people.owner, status=status, launched_at=at)
        addresses = [f"/listings/{slug}", f"/listings/{slug}/sources"]
        hidden = [410 if at else 404] * 2  # what was public is told to be gone
        client.logout()
        assert [client.get(address).status_code for address in addresses] == hidden
        client.force_login(people.stranger)
        assert [client.get(address).status_code for address in addresses] == hidden

        client.force_login(people.owner)
        text = page(client, f"/listings/{slug}")
        assert "Only you see this page." in text
        assert '<meta name="robots" content="noindex">' in text
        assert f"/listings/{slug}/vote" not in text


def test_search_keeps_words_filters_and_order_in_the_address(full: Any, client: Client) -> None:
    text = page(client, "/search?q=tidewell&category=invoicing&sort=votes")

    assert "Results for “tidewell”" in text
    assert 'value="invoicing" checked' in text
    assert 'value="votes" selected' in text
    assert "/search?q=tidewell&amp;sort=votes" in text or "?q=tidewell&amp;sort=votes" in text


def test_looking_through_all_listings_keeps_words_and_filters(client: Client) -> None:
    found = {path: client.get(path)["Location"] for path in ("/listings", "/listings?q=a%26b&category=tools")}

    assert found == {
        "/listings": "/search?sort=newest",
        "/listings?q=a%26b&category=tools": "/search?q=a%26b&category=tools&sort=relevance",
    }


def test_search_takes_anything(full: Any, client: Client) -> None:
    for query in ODD_SEARCHES:
        assert "<script>" not in page(client, f"/search?{query}")


def test_pages_with_nothing_to_show_offer_what_many_voted_for(site: Site, client: Client) -> None:
    for number, category in enumerate(("invoicing", "invoicing", "calendars")):
        make_listing(f"voted-{number}", votes=9 - number, categories=(category,))
    make_listing("unvoted", categories=("calendars",))

    nothing = page(client, "/search?q=nothingfits")
    assert 'id="search-sort"' not in nothing
    assert re.findall('<li class="row" id="([a-z0-9-]+)"', nothing) == ["voted-0", "voted-1", "voted-2"]
    assert "Most voted here" not in page(client, "/search?q=voted")

    pairs = re.findall('/compare\\?a=([a-z0-9-]+)&amp;b=([a-z0-9-]+)"', page(client, "/compare"))
    assert pairs == [("voted-0", "voted-1")]
    assert "side by side</h2>" not in page(client, "/compare?a=voted-0")


def test_a_search_without_result_says_what_next(full: Any, client: Client) -> None:
    assert "Nothing fits" in page(client, "/search?q=zzzzqqqq")


def test_the_sitemap_names_public_pages_only(full: Any, people: People, client: Client) -> None:
    make_listing("secret", owner=people.owner, status="draft")
    space = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    index = ET.fromstring(client.get("/sitemap.xml").content)
    files = [entry.text or "" for entry in index.iter(f"{space}loc")]
    found = [
        entry.text or ""
        for file in files
        for entry in ET.fromstring(client.get("/" + file.split("/", 3)[3]).content).iter(f"{space}loc")
    ]
    paths = {"/" + address.split("/", 3)[3] for address in found}

    assert {"/", "/listings/tidewell", "/listings/sundial", "/categories/invoicing", "/blog/hello"} <= paths
    assert "/founders/freja-holm" in paths
    assert "/listings/secret" not in paths
    assert (
        f"Sitemap: {files[0].rsplit('/sitemaps', 1)[0]}/sitemap.xml"
        in client.get("/robots.txt").content.decode()
    )


def test_a_page_seen_is_counted_once_it_is_folded(full: Any, client: Client) -> None:
    client.get("/listings/tidewell")
    client.get("/listings/tidewell")
    client.head("/listings/tidewell")

    fold_visits()
    full.stats.refresh_from_db()
    assert full.stats.views == 1


def test_other_pages_of_a_list_are_links_that_keep_the_query(site: Site, client: Client) -> None:
    for number in range(21):
        make_listing(f"product-{number}", at=AT - timedelta(minutes=number))

    first, second = (page(client, f"/search?sort=newest&page={number}") for number in (1, 2))

    assert "Page 1 of 2" in first
    assert 'href="?sort=newest&amp;page=2"' in first
    assert "Product-0" not in second


def test_a_long_week_is_paged_and_keeps_its_ranks(site: Site, client: Client) -> None:
    for number in range(31):
        make_listing(f"product-{number}", at=AT - timedelta(minutes=number), votes=40 - number)

    first, second = (page(client, f"/weeks/this?page={number}") for number in (1, 2))

    assert 'id="product-29"' in first
    assert 'id="product-30"' not in first
    assert 'href="?page=2"' in first
    assert 'id="product-30"' in second
    assert '<span class="hidden-words">Rank </span>31' in second
    assert len(first.encode()) < BYTES_A_PAGE
