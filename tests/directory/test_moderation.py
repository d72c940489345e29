"""Staff's moves: each is recorded with its reason, and what was taken out can be put back where it was."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client

from core import jobs
from core.api.errors import InvalidRequestError
from directory import weeks
from directory.errors import DuplicateListingError, ListingCannotMoveError
from directory.models import Launch, Listing, Site
from directory.moderation.status import moderate, put_back
from tests.conftest import People
from tests.factories.listings import AT, make_listing

STATUSES = ("draft", "awaiting_badge", "scheduled", "live", "archived")
WEEK = date(2026, 11, 23)


def history(listing: Listing) -> list[tuple[str, str, str, str]]:
    return list(listing.moves.order_by("pk").values_list("from_status", "to_status", "by", "reason"))


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("out", ["rejected", "suspended"])
def test_what_was_taken_out_is_put_back_where_it_was(
    site: Site, people: People, status: str, out: str
) -> None:
    week = WEEK if status in {"awaiting_badge", "scheduled"} else None
    fields: dict[str, Any] = {"launch_week": week} if week else {}
    listing = make_listing(status=status, owner=people.owner, **fields)
    before = (status, listing.launch_week, listing.launched_at, Launch.objects.count())

    moderate(listing_id=listing.pk, to=out, staff_id=7, at=AT, reason="Spam.")
    listing.refresh_from_db()
    assert (listing.status, listing.status_reason) == (out, "Spam.")
    put_back(listing_id=listing.pk, staff_id=8, at=AT + timedelta(hours=1), reason="A mistake of ours.")

    listing.refresh_from_db()
    assert (listing.status, listing.launch_week, listing.launched_at, Launch.objects.count()) == before
    assert history(listing) == [
        (status, out, "staff:7", "Spam."),
        (out, status, "staff:8", "A mistake of ours."),
    ]


def test_what_was_suspended_and_then_rejected_is_put_back_where_it_was_at_first(site: Site) -> None:
    listing = make_listing(status="live")
    for to in ("suspended", "rejected"):
        moderate(listing_id=listing.pk, to=to, staff_id=7, at=AT, reason="Checked.")

    assert put_back(listing_id=listing.pk, staff_id=7, at=AT, reason="Checked.").status == "live"


@pytest.mark.parametrize("status", STATUSES)
def test_what_was_never_taken_out_is_not_put_back(site: Site, status: str) -> None:
    listing = make_listing(status=status)

    with pytest.raises(ListingCannotMoveError):
        put_back(listing_id=listing.pk, staff_id=7, at=AT, reason="Checked.")

    assert history(listing) == []


@pytest.mark.parametrize("status", ["draft", "scheduled"])
def test_what_staff_put_live_launches_in_the_running_week(site: Site, status: str) -> None:
    listing = make_listing(status=status, **({"launch_week": WEEK} if status == "scheduled" else {}))
    running = weeks.week_of(AT)
    assert running < WEEK

    if status == "scheduled":
        moderate(listing_id=listing.pk, to="suspended", staff_id=7, at=AT, reason="Checked.")
    moderate(listing_id=listing.pk, to="live", staff_id=7, at=AT, reason="Checked.")

    listing.refresh_from_db()
    assert (listing.status, listing.launch_week, listing.launched_at) == ("live", running, AT)
    assert list(Launch.objects.values_list("week", "launched_at", "is_hidden")) == [(running, AT, False)]


def test_staff_do_not_put_live_what_cannot_be_live(site: Site) -> None:
    empty = make_listing("empty", status="draft", tagline="")
    known = make_listing("known")
    twin = make_listing("twin", status="draft", url=known.url, host=known.host)

    with pytest.raises(ListingCannotMoveError, match="Left: tagline"):
        moderate(listing_id=empty.pk, to="live", staff_id=7, at=AT, reason="Checked.")
    with pytest.raises(DuplicateListingError, match="Known is live at this address already"):
        moderate(listing_id=twin.pk, to="live", staff_id=7, at=AT, reason="Checked.")

    assert set(Listing.objects.exclude(pk=known.pk).values_list("status", "launched_at")) == {("draft", None)}
    assert history(empty) == history(twin) == []


def test_the_back_office_puts_back_and_says_what_it_could_not(
    site: Site, people: People, client: Client
) -> None:
    spam, fine = make_listing("spam"), make_listing("fine")
    moderate(listing_id=spam.pk, to="rejected", staff_id=7, at=AT, reason="Checked.")
    client.force_login(people.staff)

    page = client.post(
        "/admin/directory/listing/",
        {"action": "put_back", "reason": "Looked at again.", "_selected_action": [spam.pk, fine.pk]},
        follow=True,
    ).content.decode()

    assert "1 listing put back. 1 stays as it is." in page
    assert "Fine: A listing that is live has nowhere to go back to." in page
    spam.refresh_from_db()
    assert spam.status == "live"


@pytest.mark.parametrize("reason", ["", "  ", "x" * 301])
def test_a_decision_needs_a_reason_that_is_kept_whole(site: Site, reason: str) -> None:
    live, gone = make_listing("live"), make_listing("gone", status="suspended")

    for listing, to in ((live, "suspended"), (live, "rejected"), (gone, "live")):
        with pytest.raises(InvalidRequestError, match="Give a reason"):
            moderate(listing_id=listing.pk, to=to, staff_id=7, at=AT, reason=reason)

    assert set(Listing.objects.values_list("slug", "status")) == {("live", "live"), ("gone", "suspended")}
    assert history(live) == history(gone) == []


@pytest.mark.parametrize("out", ["suspended", "rejected"])
def test_the_owner_is_told_why_and_everybody_that_it_was_removed(
    site: Site, people: People, client: Client, mailoutbox: list[Any], out: str
) -> None:
    listing = make_listing(owner=people.owner)
    make_listing("never", owner=people.owner, status="draft")
    Listing.objects.filter(slug="never").update(status=out)
    moderate(listing_id=listing.pk, to=out, staff_id=7, at=AT, reason="It sells nothing.")

    page = client.get("/listings/tidewell")
    assert (page.status_code, "This listing was removed" in page.content.decode()) == (410, True)
    assert b"It sells nothing" not in page.content
    assert client.get("/listings/never").status_code == 404
    assert client.get("/api/v1/listings/tidewell").status_code == 404
    client.force_login(people.owner)
    assert client.get("/listings/tidewell").status_code == 200
    assert b"It sells nothing." in client.get(f"/account/listings/{listing.pk}").content
    put_back(listing_id=listing.pk, staff_id=7, at=AT + timedelta(hours=1), reason="It does.")
    jobs.run_due()

    assert [(mail.to, "It sells nothing." in mail.body, "It does." in mail.body) for mail in mailoutbox] == [
        (["owner@people.example"], True, False),
        (["owner@people.example"], False, True),
    ]
    client.logout()
    assert client.get("/listings/tidewell").status_code == 200
