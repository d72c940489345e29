"""The quotes that a draft has stand on the listing beside what they carry, and the rest says who states it."""

import re
from typing import Any

import pytest
from django.test import Client

from directory.models import Founder, Listing, ListingFounder
from tests.conftest import People
from tests.factories.listings import AT, make_listing


def quote(text: str) -> dict[str, Any]:
    return {
        "quote": text,
        "url": "https://tidewell.example/",
        "link": "https://tidewell.example/#:~:text=x",
        "source": "text",
        "fetched_at": "2026-11-18T09:00:00Z",
    }


EVIDENCE = {
    "description": [
        quote("See how much cash you will have every week."),
        quote("Share a read-only forecast."),
    ],
    "features": [quote("26 weeks ahead, refreshed nightly from your bank feed.")],
    "founders": [quote("Freja Holm, co-founder and CEO")],
    "faqs": [quote("Does Tidewell move money?")],
    "socials": [quote("https://github.example/tidewell")],
}


@pytest.fixture
def listing(people: People) -> Listing:
    listing = make_listing(
        "tidewell",
        owner=people.owner,
        description="It shows how much cash you have each week.\n\n## Sharing\n\nA forecast is shared read-only.",
        features=["Forecast for 26 weeks, from the bank feed", "Sets aside VAT"],
        stage="growing",
        country="DK",
        pricing_model="one_time",
        faqs=[
            {"question": "Does Tidewell move money?", "answer": "No."},
            {"question": "Is it free?", "answer": "Yes."},
        ],
        socials={"github": "https://github.example/tidewell", "x": "https://x.example/tidewell"},
        evidence=EVIDENCE,
        not_found=[{"field": "city", "reason": "not_on_site"}],
    )
    for place, name in enumerate(("Freja Holm", "Tobias Okafor")):
        founder = Founder.objects.create(slug=f"f{place}", name=name, created_at=AT)
        ListingFounder.objects.create(listing=listing, founder=founder, position=place)
    return listing


def test_each_part_of_a_listing_has_its_own_quotes(listing: Listing, client: Client) -> None:
    text = client.get("/listings/tidewell").content.decode()

    marks = set(re.findall(r'popovertarget="source-([\w-]+)"', text))
    assert marks == {"description-1", "description-2", "features-1", "founders-1", "faqs-1", "link-2"}
    assert 'id="source-description-2"' in text.split("A forecast is shared read-only.")[1][:800]
    beside = client.get("/listings/tidewell/sources").content.decode()
    assert "or that it was drafted from the website as a whole." in beside


def test_there_are_quotes_to_show_where_something_is_quoted(listing: Listing, client: Client) -> None:
    shows = ["Show quotes" in client.get("/listings/tidewell").content.decode()]
    Listing.objects.filter(pk=listing.pk).update(evidence={})
    shows.append("Show quotes" in client.get("/listings/tidewell").content.decode())

    assert shows == [True, False]


def test_a_quote_mark_stands_behind_the_last_sentence_that_it_proves(
    listing: Listing, client: Client
) -> None:
    proved, open_ended = "It shows how much cash you have each week.", "Nobody else sets aside tax."
    Listing.objects.filter(pk=listing.pk).update(description=f"{proved} {open_ended}")
    text = client.get("/listings/tidewell").content.decode()

    assert proved in text.split('id="source-description-1"')[0]
    assert open_ended in text.split('id="source-description-1"')[1]


def test_sources_word_values_and_count_who_states_them(listing: Listing, client: Client) -> None:
    text = client.get("/listings/tidewell/sources").content.decode()
    shown = {
        name: client.get(f"/listings/tidewell/sources?show={name}").content.decode()
        for name in ("owner", "website")
    }

    counts = dict(re.findall(r">([\w ]+) <span class=\"count\">(\d+)</span>", text))
    assert counts == {
        "All": "15",
        "Quoted from the website": "6",
        "Drafted without a quote": "1",
        "Stated by the owner": "8",
        "Not found": "1",
    }
    for name, words in (("owner", "Stated by the owner"), ("website", "Quoted from the website")):
        assert shown[name].count('<div class="statement">') == int(counts[words])
    assert "one_time" not in text
    assert all(
        words in text for words in ("Denmark", "One-time payment", "Growing", "Drafted from its website")
    )
    assert "## Sharing" not in text


def test_where_nobody_owns_it_nothing_is_stated_by_an_owner(site: Any, client: Client) -> None:
    make_listing("orphan", stage="mvp")

    text = client.get("/listings/orphan/sources").content.decode()

    assert "Stated by the site team" in text
    assert "by the owner" not in text
