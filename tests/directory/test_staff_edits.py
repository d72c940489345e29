"""The queue of edits: what is looked at first, and what each button does, by whoever may."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from accounts.models import StaffAct, User
from core import jobs
from core.models import Job
from directory.listings.editing import update_my_listing
from directory.models import Listing, ListingRevision, Site
from tests.conftest import People, signed_in
from tests.factories.listings import make_listing
from tests.factories.staff import make_staff

QUEUE = "/admin/directory/listingrevision/queue/"


def page_of(revision: ListingRevision) -> str:
    return f"/admin/directory/listingrevision/{revision.pk}/change/"


def edit(listing: Listing, **changes: Any) -> ListingRevision:
    assert listing.owner_id
    update_my_listing(owner_id=listing.owner_id, listing_id=listing.pk, changes=changes, at=timezone.now())
    return ListingRevision.objects.latest("pk")


@pytest.fixture
def old(people: People) -> User:
    """An owner whose account is no longer new."""
    User.objects.filter(pk=people.owner.pk).update(date_joined=timezone.now() - timedelta(days=90))
    people.owner.refresh_from_db()
    return people.owner


@pytest.fixture
def editor(site: Site) -> Client:
    return signed_in(make_staff("editor", name="pim"))


def texts(client: Client, address: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", client.get(address).content.decode()).split())


def send(client: Client, revision: ListingRevision, act: str, **more: str) -> Any:
    shown = client.get(page_of(revision)).content.decode()
    seen = dict(re.findall(r'name="(seen-\w+)" value="(\w+)"', shown))
    return client.post(page_of(revision), {"act": act, **seen, **more}, follow=True)


def eleven_minutes_later(row: ListingRevision) -> None:
    """What was to be done by then is due, and what was decided is as long ago."""
    ago = timedelta(minutes=11)
    Job.objects.filter(state="queued").update(run_after=F("run_after") - ago)
    ListingRevision.objects.filter(pk=row.pk).update(reviewed_at=F("reviewed_at") - ago)


def tagline() -> str:
    return Listing.objects.values_list("tagline", flat=True).get(slug="tidewell")


def test_what_is_risky_comes_first_and_the_rest_by_age(editor: Client, old: User, people: People) -> None:
    rows = {
        "plain": edit(make_listing("plain", owner=old), fields={"city": "Ghent"}),
        "away": edit(make_listing("away", owner=old), fields={"demo_video_url": "https://elsewhere.test/a"}),
        "own": edit(make_listing("own", owner=old), fields={"demo_video_url": "https://own.example/a"}),
        "paid": edit(make_listing("paid", owner=old, plan="paid"), fields={"city": "Ghent"}),
        "fresh": edit(make_listing("fresh", owner=people.stranger), fields={"city": "Ghent"}),
    }

    flags = {name: ListingRevision.objects.get(pk=row.pk).flags for name, row in rows.items()}
    assert flags == {"plain": [], "away": ["link"], "own": [], "paid": ["paid"], "fresh": ["new_account"]}
    shown = editor.get(QUEUE).content.decode()
    order = re.findall(r'class="b5"\s+href="/admin/directory/listingrevision/(\d+)/change/"', shown)
    assert [int(pk) for pk in order] == [rows[name].pk for name in ("away", "paid", "fresh", "plain", "own")]
    assert "Look first · 3" in texts(editor, QUEUE)
    assert "Fresh" not in texts(editor, f"{QUEUE}?only=paid")


def test_a_link_that_was_there_before_makes_no_edit_risky(old: User) -> None:
    listing = make_listing("tidewell", owner=old, description="Seen at https://elsewhere.test/fair")

    reworded = edit(listing, fields={"description": "We met at https://elsewhere.test/fair"})
    added = edit(listing, fields={"description": "See https://elsewhere.test/fair, https://other.test/"})

    assert (reworded.flags, added.flags) == ([], ["link"])


def test_edits_of_a_listing_that_is_off_the_site_wait_until_it_is_back(editor: Client, old: User) -> None:
    listing = make_listing("tidewell", owner=old)
    edit(listing, fields={"city": "Ghent"})
    shown = []
    for status in ("suspended", "live"):
        Listing.objects.filter(pk=listing.pk).update(status=status)
        shown.append("Tidewell" in texts(editor, QUEUE))

    assert shown == [False, True]


def test_an_edit_is_accepted_and_the_next_one_shown(editor: Client, old: User) -> None:
    first, second = (
        edit(make_listing(slug, owner=old), fields={"city": "Ghent"}) for slug in ("tidewell", "brindle")
    )

    answer = send(editor, first, "accept")

    assert answer.redirect_chain[-1][0] == page_of(second)
    assert "Accepted the edit of Tidewell." in answer.content.decode()
    line = StaffAct.objects.get()
    assert (line.act, line.role, line.said, line.label) == (
        "edits.decide",
        "editor",
        "accepted an edit of",
        "Tidewell",
    )
    assert "All edits are reviewed" in send(editor, second, "accept").content.decode()


def test_one_fact_is_put_back_the_other_waits_and_the_owner_has_one_mail(
    editor: Client, old: User, mailoutbox: list[Any]
) -> None:
    listing = make_listing(owner=old, tagline="Calm invoices", city="Ghent")
    row = edit(listing, fields={"tagline": "Buy pills", "city": "Rome"})

    page = send(editor, row, "put_back:tagline", reason="Say what it does.")

    row.refresh_from_db()
    assert (tagline(), Listing.objects.get().city, row.review) == ("Calm invoices", "Rome", "pending")
    assert page.redirect_chain[-1][0] == page_of(row)
    jobs.run_due()
    assert mailoutbox == []
    eleven_minutes_later(row)
    jobs.run_due()
    (mail,) = mailoutbox
    assert ("Buy pills" in mail.body, "Say what it does." in mail.body, "Rome" in mail.body) == (
        True,
        True,
        False,
    )
    send(editor, row, "accept")
    row.refresh_from_db()
    assert (row.review, tagline()) == ("accepted", "Calm invoices")


def test_a_decision_is_undone_within_ten_minutes_and_nobody_is_told(
    editor: Client, old: User, mailoutbox: list[Any]
) -> None:
    row = edit(make_listing(owner=old, tagline="Calm invoices"), fields={"tagline": "Loud invoices"})
    send(editor, row, "put_back")
    assert tagline() == "Calm invoices"

    assert "Undo" in texts(editor, QUEUE)
    send(editor, row, "undo")

    row.refresh_from_db()
    assert (tagline(), row.review, row.reviewed_by) == ("Loud invoices", "pending", None)
    eleven_minutes_later(row)
    jobs.run_due()
    assert mailoutbox == []
    send(editor, row, "accept")
    eleven_minutes_later(row)
    assert "last 10 minutes" in send(editor, row, "undo").content.decode()
    row.refresh_from_db()
    assert row.review == "accepted"


def test_who_comes_second_is_told_who_was_faster(editor: Client, old: User) -> None:
    row = edit(make_listing(owner=old), fields={"city": "Rome"})
    other = signed_in(make_staff("moderator", name="asta"))
    send(editor, row, "accept")

    told = send(other, row, "accept").content.decode()

    assert re.search(r"Pim accepted this \d+ s ago\. Nothing was changed\.", told)
    assert StaffAct.objects.count() == 1


def test_a_text_that_was_edited_again_is_shown_and_replaced_only_as_it_was_seen(
    editor: Client, old: User
) -> None:
    listing = make_listing(owner=old, tagline="First")
    row = edit(listing, fields={"tagline": "Second"})
    edit(listing, fields={"tagline": "Third"})

    assert "It was edited again since" in texts(editor, page_of(row))
    stale = editor.post(page_of(row), {"act": "put_back:tagline", "seen-tagline": "0" * 16}, follow=True)
    assert (tagline(), "Nothing was changed" in stale.content.decode()) == ("Third", True)
    send(editor, row, "put_back:tagline")
    assert tagline() == "First"


def test_the_website_s_words_stand_beside_an_edit(editor: Client, old: User) -> None:
    said = [
        {"quote": "Calm invoices from €12 a month", "url": "https://tidewell.example/", "fetched_at": None}
    ]
    listing = make_listing(owner=old, tagline="From €9", evidence={"tagline": said})
    row = edit(listing, fields={"tagline": "From €12 <b>"})

    shown = editor.get(page_of(row)).content.decode()

    assert "Calm invoices from €12 a month" in shown
    assert "&lt;b&gt;" in shown
    assert "<ins>€12 <b>" not in shown


@pytest.mark.parametrize(("role", "seen", "sent"), [("finance", 404, 403), ("", 404, 403)])
def test_it_is_not_for_others(site: Site, old: User, role: str, seen: int, sent: int) -> None:
    row = edit(make_listing(owner=old), fields={"city": "Rome"})
    other = signed_in(make_staff(role))

    assert other.get(QUEUE).status_code == other.get(page_of(row)).status_code == seen
    assert other.post(page_of(row), {"act": "accept"}).status_code == sent
    row.refresh_from_db()
    assert row.review == "pending"


def test_a_long_queue_costs_no_more_than_a_short_one(
    editor: Client, old: User, django_assert_max_num_queries: Any
) -> None:
    listing = make_listing(owner=old)
    for number in range(2):
        edit(listing, fields={"city": f"City {number}"})
    editor.get(QUEUE)
    with django_assert_max_num_queries(9):
        editor.get(QUEUE)
    for number in range(12):
        edit(make_listing(f"other-{number}", owner=old), fields={"city": "Rome"})
    with django_assert_max_num_queries(9):
        editor.get(QUEUE)
