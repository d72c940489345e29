"""list_blog_posts: what is published, newest first or by words."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine

from directory.models import BlogPost, Site
from tests.conftest import Api
from tests.factories.listings import AT

PATH = "/api/v1/blog"


def post(site: Site, slug: str, *, days: int | None = 1, **fields: str) -> BlogPost:
    at = None if days is None else AT - timedelta(days=days)
    values = {"title": slug.replace("-", " ").capitalize(), "markdown": "Text.", **fields}
    return BlogPost.objects.create(site=site, slug=slug, published_at=at, updated_at=AT, **values)


def slugs(api: Api, query: str = "") -> list[str]:
    with time_machine.travel(AT, tick=False):
        return [item["slug"] for item in api().get(PATH + query).json()["items"]]


def test_newest_stand_first_and_drafts_and_future_posts_are_not_there(api: Api, site: Site) -> None:
    post(site, "older", days=9)
    post(site, "newer", days=2)
    post(site, "draft", days=None)
    post(site, "tomorrow", days=-1)

    assert slugs(api) == ["newer", "older"]


def test_an_item_is_a_card(api: Api, site: Site) -> None:
    post(site, "a-post", excerpt="Short.", markdown="a" * 3000)
    with time_machine.travel(AT, tick=False):
        (item,) = api().get(PATH).json()["items"]

    assert {**item, "page_url": ""} == {
        "slug": "a-post",
        "title": "A post",
        "excerpt": "Short.",
        "author": None,
        "published_at": "2026-11-17T09:00:00Z",
        "updated_at": "2026-11-18T09:00:00Z",
        "reading_minutes": 2,
        "cover_url": None,
        "page_url": "",
    }
    assert item["page_url"].endswith("/blog/a-post")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?q=launching", ["in-title", "in-text"]),
        ("?q=badge", ["in-text"]),
        ("?q=title", ["in-title"]),
        ("?q=nothing", []),
        ("?q=...", ["in-text", "in-title"]),
        ("?q=launch%20%26%20!badge", ["in-text"]),
        ("?q=':*%20|%20(", ["in-text", "in-title"]),
    ],
)
def test_words_are_matched_by_their_stems_titles_first_and_never_read_as_operators(
    api: Api, site: Site, query: str, found: Any
) -> None:
    post(site, "in-text", days=1, markdown="Launch with a badge.")
    post(site, "in-title", days=5, title="Launches and their title")

    assert slugs(api, query) == found


def test_pages_have_a_total(api: Api, site: Site) -> None:
    for number in range(3):
        post(site, f"post-{number}", days=number + 1)
    with time_machine.travel(AT, tick=False):
        body = api().get(f"{PATH}?per_page=2&page=2").json()

    assert ([item["slug"] for item in body["items"]], body["total"]) == (["post-2"], 3)
