"""What former releases wrote into the log of a listing is read in words."""

from datetime import UTC, datetime

from django.test import Client

from directory.models import ListingMove
from tests.conftest import People
from tests.factories.listings import make_listing


def test_dates_of_an_old_log_are_read_in_words(people: People, client: Client) -> None:
    stored = "Free launch in the week of 2026-12-07."
    listing = make_listing(
        owner=people.owner, status="archived", status_reason=f"{stored} Version 2026-13-07."
    )
    ListingMove.objects.create(
        listing=listing,
        from_status="draft",
        to_status="scheduled",
        by="system",
        reason=stored,
        at=datetime(2026, 11, 23, tzinfo=UTC),
    )
    client.force_login(people.owner)

    page = client.get(f"/account/listings/{listing.pk}").content.decode()

    assert page.count("Free launch in the week of 7 December 2026.") == 2
    assert ("2026-12-07" in page, "Version 2026-13-07." in page) == (False, True)
