"""get_blog_post: a post in full."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine

from directory.models import BlogPost, Site
from tests.conftest import Api
from tests.factories.listings import AT, make_listing

PATH = "/api/v1/blog/hello"


def post(site: Site, **fields: Any) -> BlogPost:
    values = {
        "title": "Hello",
        "markdown": "# Hi\n\n<b>there</b>",
        "published_at": AT,
        "updated_at": AT,
        **fields,
    }
    return BlogPost.objects.create(site=site, slug="hello", **values)


def test_it_has_its_markdown_as_written_and_the_public_listings_it_is_about(api: Api, site: Site) -> None:
    found = post(site, faqs=[{"question": "Why?", "answer": "Because."}])
    found.listings.add(
        make_listing("one"), make_listing("soon", status="scheduled"), make_listing("draft", status="draft")
    )
    with time_machine.travel(AT, tick=False):
        body = api().get(PATH).json()

    assert body["markdown"] == "# Hi\n\n<b>there</b>"
    assert body["faqs"] == [{"question": "Why?", "answer": "Because."}]
    assert body["listings"] == ["one", "soon"]


def test_a_post_about_nothing_lists_nothing(api: Api, site: Site) -> None:
    post(site)
    with time_machine.travel(AT, tick=False):
        assert api().get(PATH).json()["listings"] == []


@pytest.mark.parametrize("published_at", [None, AT + timedelta(seconds=1)])
def test_what_is_not_out_yet_is_not_there(api: Api, site: Site, published_at: Any) -> None:
    post(site, published_at=published_at)

    with time_machine.travel(AT, tick=False):
        assert api().get(PATH).status_code == 404
