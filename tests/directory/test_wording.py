"""Values are worded once: no page of a listing shows a code of the interface."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from directory.limits import STAGES
from directory.listings.editing import update_my_listing
from directory.models import Listing, ListingRevision
from directory.wording import MODELS, worded, words_of
from tests.conftest import People
from tests.factories.listings import make_listing

RAW = [*(code for code in MODELS if "_" in code), *(stage for stage in STAGES if "-" in stage)]
SEEN = re.compile(r"<(script|style|select)\b.*?</\1>|<[^>]+>", re.DOTALL)


def words_on(page: str) -> str:
    return SEEN.sub(" ", page)


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("pricing_model", "one_time", "One-time payment"),
        ("pricing_model", "Pay what you like, per-seat", "Pay what you like, per-seat"),
        ("stage", "mvp", "Early version"),
        ("stage", "early-access", "Early access"),
        ("country", "KR", "South Korea"),
        ("country", None, None),
        ("city", "KR", "KR"),
    ],
)
def test_a_value_reads_as_people_say_it(name: str, value: Any, text: Any) -> None:
    assert worded(name, value) == text


def test_names_of_facts_read_as_their_inputs_do() -> None:
    assert [words_of(name) for name in ("pricing_summary", "faqs", "a_new_one")] == [
        "Price",
        "Questions",
        "A new one",
    ]


@pytest.fixture
def told(people: People, site: Any) -> Listing:
    """A listing that has said every raw value once, and another beside it."""
    at = timezone.now()
    make_listing(
        "other", categories=("halls",), pricing_model="free_trial", stage="open-beta", country="AT", at=at
    )
    raw = {"pricing_model": "one_time", "stage": "private-beta", "country": "KR"}
    listing = make_listing("tidewell", owner=people.owner, categories=("halls",), at=at, **raw)
    for model in (code for code in MODELS if code != "one_time"):
        changes = {"fields": {"pricing_model": model}}
        update_my_listing(owner_id=people.owner.pk, listing_id=listing.pk, changes=changes, at=at)
    changes = {"fields": {"pricing_model": "one_time"}}
    update_my_listing(owner_id=people.owner.pk, listing_id=listing.pk, changes=changes, at=at)
    assert ListingRevision.objects.count() == len(MODELS)
    return listing


def test_no_page_shows_a_code(told: Listing, people: People, client: Client) -> None:
    client.force_login(people.owner)
    own = f"/account/listings/{told.pk}"
    pages = [
        *("/", "/weeks/this", "/search?q=other", "/categories/halls"),
        *("/listings/tidewell", "/listings/tidewell/sources", "/listings/tidewell/alternatives"),
        *("/compare?a=tidewell&b=other", "/listings/tidewell.md", "/listings/tidewell/sources.md"),
        *("/account", "/account/listings", own, f"{own}/edit", f"{own}/versions"),
    ]
    found = {}
    for path in pages:
        response = client.get(path)
        assert response.status_code == 200, path
        text = words_on(response.content.decode())
        codes = [code for code in [*RAW, "KR"] if re.search(rf"(?<![\w/-]){re.escape(code)}(?![\w-])", text)]
        found |= {path: codes} if codes else {}

    assert found == {}


def test_a_change_is_shown_in_words_before_it_is_published(
    told: Listing, people: People, client: Client
) -> None:
    client.force_login(people.owner)
    changed = {"country": "AT", "pricing_model": "contact_sales"}
    text = client.post(f"/account/listings/{told.pk}/edit", changed).content.decode()

    for before, after in (("South Korea", "Austria"), ("One-time payment", "Price on request")):
        diff = text[text.index("<del>") :]
        assert before.split()[0] in diff
        assert after.split()[0] in diff
    assert "contact_sales</ins>" not in text
