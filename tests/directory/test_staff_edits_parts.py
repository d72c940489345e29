"""Pictures and news are edits like others: before and after, put back, flagged; followers hear of them later."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from accounts.models import User
from core import jobs
from core.models import Job
from directory.editorial.updates import edit_update
from directory.engagement import follower_mail, voting
from directory.models import Listing, ListingRevision, ListingUpdate, Site
from directory.moderation.reviewing import put_back_edit, undo_review
from tests.conftest import Api, People, signed_in
from tests.directory.test_staff_edits import QUEUE, page_of, send, texts
from tests.factories.listings import AT, make_listing
from tests.factories.pictures import drawn, prepare, shown_files
from tests.factories.staff import staff_client

SCAM = {"title": "Win a free phone", "body": "Only today: https://scam.test/phone"}


@pytest.fixture
def old(people: People) -> User:
    """An owner whose account is no longer new."""
    User.objects.filter(pk=people.owner.pk).update(date_joined=timezone.now() - timedelta(days=90))
    people.owner.refresh_from_db()
    return people.owner


@pytest.fixture
def editor(site: Site) -> Client:
    return staff_client("editor", name="pim")


@pytest.fixture
def listing(old: User, people: People) -> Listing:
    listing = make_listing(owner=old)
    voting.follow(user=people.stranger, listing_id=listing.pk, at=AT)
    follower_mail.choose(user_id=people.stranger.pk, updates="at_once", at=AT)
    return listing


def post(api: Api, listing: Listing, **words: str) -> dict[str, Any]:
    answer = api("listings:write").post(f"/api/v1/me/listings/{listing.pk}/updates", words)
    assert answer.status_code == 201, answer.content
    return dict(answer.json())


def later(minutes: int) -> None:
    """What is to be done by then is done; what was posted or decided is as long ago."""
    ago = timedelta(minutes=minutes)
    Job.objects.filter(state="queued").update(run_after=F("run_after") - ago)
    ListingUpdate.objects.update(posted_at=F("posted_at") - ago)
    ListingRevision.objects.update(at=F("at") - ago, reviewed_at=F("reviewed_at") - ago)
    jobs.run_due()


def mailed(outbox: list[Any]) -> list[str]:
    return [mail.subject for mail in outbox if mail.to == ["stranger@people.example"]]


def test_plain_news_reach_followers_after_ten_minutes(
    api: Api, listing: Listing, mailoutbox: list[Any]
) -> None:
    told = post(api, listing, title="Dark mode", body="At last.")
    later(9)
    assert (told["followers_notified"], mailed(mailoutbox)) == (1, [])

    later(2)

    assert mailed(mailoutbox) == ["Tidewell: Dark mode"]
    edit = ListingRevision.objects.get()
    assert (edit.changed, edit.flags, edit.review) == (["updates"], [], "pending")


def test_news_with_a_link_away_wait_for_staff_and_go_with_what_they_put_back(
    api: Api, editor: Client, listing: Listing, mailoutbox: list[Any]
) -> None:
    assert post(api, listing, **SCAM)["followers_notified"] == 1
    edit = ListingRevision.objects.get()
    later(60)
    shown = texts(editor, QUEUE)
    assert edit.flags == ["link"]
    assert "link to another website" in shown
    assert "Before nothing Now Win a free phone" in shown
    assert mailed(mailoutbox) == []

    answer = send(editor, edit, "put_back")
    later(26 * 60)

    assert "Put back. The former text of Tidewell is live again." in answer.content.decode()
    assert not ListingUpdate.objects.exists()
    assert mailed(mailoutbox) == []
    assert [mail.subject for mail in mailoutbox] == ["Tidewell: we undid an edit"]
    assert "scam.test" not in Client().get("/listings/tidewell").content.decode()


def test_flagged_news_that_staff_accept_are_mailed_and_such_that_nobody_looks_at_within_a_day(
    api: Api, editor: Client, listing: Listing, mailoutbox: list[Any]
) -> None:
    post(api, listing, **SCAM)
    send(editor, ListingRevision.objects.get(), "accept")
    later(11)
    assert mailed(mailoutbox) == ["Tidewell: Win a free phone"]

    post(api, listing, title="Second", body="See https://elsewhere.test/")
    later(23 * 60)
    assert len(mailed(mailoutbox)) == 1
    later(2 * 60)

    assert mailed(mailoutbox) == ["Tidewell: Win a free phone", "Tidewell: Second"]


def test_news_put_back_come_again_by_undo_and_followers_hear_of_them_once(
    api: Api, editor: Client, listing: Listing, mailoutbox: list[Any]
) -> None:
    posted = post(api, listing, **SCAM)
    edit = ListingRevision.objects.get()
    send(editor, edit, "put_back")
    assert not ListingUpdate.objects.exists()

    send(editor, edit, "undo")
    row = ListingUpdate.objects.get()
    assert (row.pk, row.title, row.followers_notified) == (posted["id"], SCAM["title"], 1)
    send(editor, edit, "accept")
    later(60)

    assert mailed(mailoutbox) == ["Tidewell: Win a free phone"]
    assert ListingRevision.objects.get().review == "accepted"


def test_corrected_news_get_their_former_words_back(api: Api, editor: Client, listing: Listing) -> None:
    posted = post(api, listing, title="Dark mode", body="At last.")
    which = {"owner_id": listing.owner_id or 0, "listing_id": listing.pk, "update_id": posted["id"]}
    edit_update(**which, title="Dark mode", body="https://scam.test", at=timezone.now())
    edit_update(**which, title="Dark mode", body="https://scam.test", at=timezone.now())
    edit = ListingRevision.objects.latest("pk")
    assert (ListingRevision.objects.count(), edit.flags) == (2, ["link"])

    send(editor, edit, "put_back")

    assert ListingUpdate.objects.values_list("title", "body").get() == ("Dark mode", "At last.")
    versions = api("account:read").get(f"/api/v1/me/listings/{listing.pk}").json()["versions"]
    assert [(row["changed"], row["review"]) for row in versions] == [
        (["updates"], "reverted"),
        (["updates"], "pending"),
    ]


def test_a_picture_is_looked_at_put_back_and_comes_again_by_undo(
    editor: Client, listing: Listing, settings: Any, tmp_path: Path, django_capture_on_commit_callbacks: Any
) -> None:
    settings.MEDIA_ROOT = tmp_path
    Listing.objects.update(plan="paid")
    owner = signed_in(User.objects.get(pk=listing.owner_id))
    address = f"/account/listings/{listing.pk}/pictures"
    owner.post(address, {"picture": drawn(400, 300), "alt": "The board"})
    prepare()
    first = ListingRevision.objects.get()
    owner.post(address, {"picture": drawn(400, 300, colour=10), "alt": "Buy pills"})
    prepare()
    second = ListingRevision.objects.latest("pk")
    assert (first.changed, first.flags, second.changed) == (["media"], ["paid"], ["media"])
    shown = editor.get(page_of(second)).content.decode()
    assert re.findall(r'class="shot"\s+src="[^"]+"\s+alt="([^"]+)"', shown) == [
        "The board",
        "The board",
        "Buy pills",
    ]

    with django_capture_on_commit_callbacks(execute=True):
        send(editor, second, "put_back")
    assert [row["alt"] for row in Listing.objects.get().media] == ["The board"]
    with django_capture_on_commit_callbacks(execute=True):
        send(editor, second, "undo")
        send(editor, first, "put_back")

    assert [row["alt"] for row in Listing.objects.get().media] == ["Buy pills"]
    assert len(shown_files(tmp_path)) == 6


def test_undo_brings_no_picture_back_that_went_since(listing: Listing, people: People) -> None:
    gone, brought = ({"file": f"pictures/1/{name}.jpg", "alt": name} for name in ("gone", "brought"))
    Listing.objects.update(media=[brought])
    edit = ListingRevision.objects.create(
        listing=listing,
        changed=["media"],
        before={"media": [gone]},
        after={"media": [gone, brought]},
        by=people.owner,
        at=AT,
    )
    who = {"revision_id": edit.pk, "reviewer_id": people.staff.pk, "at": AT}

    put_back_edit(**who)
    assert Listing.objects.get().media == []
    undo_review(**who)

    assert Listing.objects.get().media == [brought]


def test_what_a_colleague_accepted_meanwhile_is_not_put_back_by_an_older_page(
    editor: Client, api: Api, listing: Listing
) -> None:
    post(api, listing, title="Dark mode", body="At last.")
    edit, other = ListingRevision.objects.get(), staff_client("moderator", name="mo")
    send(other, edit, "accept")
    before = ListingRevision.objects.values().get()

    for act in ("put_back", "put_back:updates", "accept"):
        answer = editor.post(page_of(edit), {"act": act, "review": "pending"}, follow=True).content.decode()
        assert re.search(r"Mo accepted this \d+ s ago. Nothing was changed.", answer), act
    chosen = {"action": "put_back", "_selected_action": [str(edit.pk)], "reason": "x"}
    for query in ("?review__exact=pending", ""):
        told = editor.post(f"/admin/directory/listingrevision/{query}", chosen, follow=True).content.decode()
        assert "Nothing was changed. A colleague decided that, it was edited again" in told
    assert ListingRevision.objects.values().get() == before
    assert ListingUpdate.objects.count() == 1

    again = send(editor, edit, "put_back", review="accepted").content.decode()
    assert "Put back." in again
    assert ListingRevision.objects.get().review == "reverted"
