"""A co-founder's link that two follow at once, or that is followed when the listing has another owner."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core.mail import EmailMultiAlternatives
from django.db import connection
from django.test import Client

from core import jobs
from directory.models import Listing, ListingFounder
from drafts.models import Draft
from tests.conftest import People
from tests.drafts.conftest import blank_draft
from tests.drafts.inviting import API, PROFILE, Api, invite, link
from tests.factories.listings import make_category


@pytest.fixture
def draft(people: People, site: Any) -> Draft:
    return blank_draft(owner=people.owner, site=site)


@pytest.fixture
def mailed(api: Api, draft: Draft, mailoutbox: list[EmailMultiAlternatives]) -> str:
    """The path of a link that was mailed."""
    assert invite(api, draft).status_code == 201
    jobs.run_due()
    return link(mailoutbox[-1])


@pytest.mark.django_db(transaction=True)
def test_a_link_that_two_send_at_once_works_once(draft: Draft, mailed: str) -> None:
    def send(name: str) -> int:
        try:
            return int(Client().post(mailed, {**PROFILE, "name": name}).status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        codes = sorted(pool.map(send, ["Mira Vale", "Eve Cole"]))

    draft.refresh_from_db()
    assert (codes[-1], len(draft.founders)) == (400, 1)


def test_where_another_owns_the_listing_by_now_the_founder_is_in_the_draft_alone(
    api: Api, draft: Draft, mailed: str, people: People
) -> None:
    make_category("invoicing", name="Invoicing")
    values = {"name": "Tidewell", "tagline": "Invoices", "categories": ["Invoicing"]}
    api("all").patch(f"{API}/{draft.pk}", {"fields": values})
    listing_id = api("all").post(f"{API}/{draft.pk}/submit").json()["listing_id"]
    Listing.objects.filter(pk=listing_id).update(owner=people.stranger)

    page = Client().post(mailed, PROFILE)

    draft.refresh_from_db()
    assert page.status_code < 400
    assert [person["name"] for person in draft.founders] == ["Mira Vale"]
    assert not ListingFounder.objects.exists()
