"""Followers are told of updates: together once a day unless they choose otherwise, each of each update once."""

from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from accounts.models import User
from accounts.services import create_user
from core import jobs
from core.models import Job
from directory.engagement import follower_mail, voting
from directory.models import Follow, Listing, ListingUpdate, MailChoice, Site, UpdateNotice
from directory.moderation.status import moderate
from tests.conftest import People
from tests.factories.listings import AT, make_listing
from tests.waiting import begin_blocked

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
NEXT_MORNING = datetime(2026, 11, 21, 6, 0, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def listing(site: Site, people: People) -> Listing:
    return make_listing("tidewell", owner=people.owner)


def follow(user: User, *listings: Listing, choice: str = "") -> User:
    for one in listings:
        voting.follow(user=user, listing_id=one.pk, at=AT)
    if choice:
        follower_mail.choose(user_id=user.pk, updates=choice, at=AT)
    return user


def post(listing: Listing, title: str = "News", body: str = "Plain.", at: datetime = NOON) -> int:
    """What post_listing_update does about followers, with the work that follows from it."""
    with transaction.atomic():
        update = ListingUpdate.objects.create(listing=listing, title=title, body=body, posted_at=at)
        told = follower_mail.announce(update=update)
    lease = claimed("directory.tell_followers", key=str(update.pk))
    follower_mail.tell_followers(update_id=update.pk, lease=lease, at=at)
    return told


def claimed(kind: str, *, key: str) -> jobs.Lease:
    """The lease of a worker that has just begun the job."""
    found = jobs.claim(job_id=Job.objects.get(kind=kind, key=key).pk)
    assert found is not None
    return found[1]


def send_mail() -> None:
    jobs.run_due(queues=["mail"])


def digests(at: datetime) -> None:
    jobs.add("directory.send_digests", key=f"{at}-{Job.objects.count()}")
    lease = claimed(
        "directory.send_digests",
        key=Job.objects.filter(kind="directory.send_digests").latest("created_at").key,
    )
    follower_mail.send_digests(lease=lease, at=at)
    Job.objects.filter(kind="directory.send_digests").delete()
    send_mail()


def test_a_digest_comes_once_a_day_with_all_news_and_never_empty(
    listing: Listing, people: People, mailoutbox: list[Any]
) -> None:
    other = make_listing("brindle")
    follow(people.stranger, listing, other)
    assert post(listing, "One", "<b>Bold</b> & co") == 1
    post(other, "Two", "x" * 5000, at=NOON + timedelta(hours=1))

    for hours in range(0, 72, 6):
        digests(NOON + timedelta(hours=hours))

    (mail,) = mailoutbox
    assert (mail.to, mail.subject) == (["stranger@people.example"], "2 updates of products you follow")
    assert "Tidewell: One\n\n<b>Bold</b> & co\n\nhttp" in mail.body
    assert "x" * 600 + "…" in mail.body
    assert "x" * 601 not in mail.body
    html = mail.alternatives[0][0]
    assert "&lt;b&gt;Bold&lt;/b&gt; &amp; co" in html
    assert f"/listings/tidewell#update-{ListingUpdate.objects.get(title='One').pk}" in html


def test_who_wants_each_at_once_gets_it_and_no_digest_and_who_wants_none_gets_none(
    listing: Listing, people: People, mailoutbox: list[Any]
) -> None:
    follow(people.stranger, listing, choice="at_once")
    follow(people.owner, listing, choice="off")
    assert post(listing, "Dark mode", "y" * 4999) == 1
    send_mail()

    assert [(mail.to, mail.subject) for mail in mailoutbox] == [
        (["stranger@people.example"], "Tidewell: Dark mode")
    ]
    assert "y" * 4999 in mailoutbox[0].body
    digests(NEXT_MORNING)
    assert len(mailoutbox) == 1


def test_line_breaks_and_length_of_a_title_stay_out_of_the_headers(
    listing: Listing, people: People, mailoutbox: list[Any]
) -> None:
    follow(people.stranger, listing, choice="at_once")
    post(listing, "News\r\nBcc: evil@c.example " + "z" * 160)
    send_mail()

    (mail,) = mailoutbox
    assert (mail.bcc, len(mail.subject), "\n" in mail.subject) == ([], 195, False)


def test_workers_that_die_on_the_way_double_and_lose_nothing(
    listing: Listing, mailoutbox: list[Any], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("directory.limits.MAILED_AT_ONCE", 2)
    readers = [create_user(email=f"reader{number}@people.example") for number in range(5)]
    for number, reader in enumerate(readers):
        follow(reader, listing, choice="at_once" if number % 2 else "")
    update = ListingUpdate.objects.create(listing=listing, title="News", body="B", posted_at=NOON)
    follower_mail.announce(update=update)
    lease = claimed("directory.tell_followers", key=str(update.pk))
    others = iter([True, False])

    def die() -> None:
        if not next(others):
            raise jobs.LeaseLostError

    monkeypatch.setattr(lease, "guard", die)
    with pytest.raises(jobs.LeaseLostError):
        follower_mail.tell_followers(update_id=update.pk, lease=lease, at=NOON)
    assert UpdateNotice.objects.count() == 2
    monkeypatch.undo()
    for _ in range(3):
        follower_mail.tell_followers(update_id=update.pk, lease=lease, at=NOON)
    for _ in range(2):
        digests(NEXT_MORNING)

    assert sorted(mail.to[0] for mail in mailoutbox) == [reader.email for reader in readers]
    assert set(UpdateNotice.objects.values_list("is_mailed", flat=True)) == {True}


@pytest.mark.django_db(transaction=True)
def test_two_workers_with_one_digest_send_it_once() -> None:
    listing = make_listing("tidewell")
    reader = follow(create_user(email="reader@people.example"), listing)
    update = ListingUpdate.objects.create(listing=listing, title="News", body="B", posted_at=NOON)
    UpdateNotice.objects.create(update=update, user=reader, created_at=NOON)

    def send() -> None:
        follower_mail.send_digest(user_id=reader.pk, before=NEXT_MORNING, at=NEXT_MORNING)

    with transaction.atomic():
        send()
        other = begin_blocked(send)
    other.join(30)

    assert Job.objects.filter(kind="core.send_mail").count() == 1


@pytest.mark.parametrize("change", ["suspended", "unfollowed", "off", "closed"])
def test_what_is_no_longer_to_be_told_is_not(
    listing: Listing, people: People, mailoutbox: list[Any], change: str
) -> None:
    follow(people.stranger, listing)
    post(listing)
    if change == "suspended":
        moderate(listing_id=listing.pk, to="suspended", staff_id=1, at=NOON, reason="Spam.")
    elif change == "unfollowed":
        voting.unfollow(user=people.stranger, listing_id=listing.pk)
    elif change == "off":
        follower_mail.choose(user_id=people.stranger.pk, updates="off", at=NOON)
    else:
        User.objects.filter(pk=people.stranger.pk).update(suspended_at=NOON)

    for days in range(2):
        digests(NEXT_MORNING + days * DAY)

    assert [mail for mail in mailoutbox if mail.to == [people.stranger.email]] == []
    assert UpdateNotice.objects.get().is_mailed is False


def test_updates_of_a_listing_that_is_not_live_and_older_ones_are_nobodys_news(
    listing: Listing, people: People, mailoutbox: list[Any]
) -> None:
    Follow.objects.create(listing=listing, user=people.stranger, created_at=NOON)
    assert post(listing, at=NOON - DAY) == 0
    moderate(listing_id=listing.pk, to="suspended", staff_id=1, at=NOON, reason="Spam.")
    post(listing, at=NOON + DAY)

    assert UpdateNotice.objects.count() == 0


def unsubscribe_link(mail: EmailMessage) -> str:
    headers: Any = mail.extra_headers  # type: ignore[attr-defined]
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    return str(headers["List-Unsubscribe"].strip("<>"))


def test_one_click_ends_it_without_signing_in(
    listing: Listing, people: People, mailoutbox: list[Any], settings: Any
) -> None:
    follow(people.stranger, listing)
    post(listing)
    digests(NEXT_MORNING)
    link = unsubscribe_link(mailoutbox[0])
    assert link.startswith(f"{settings.SITE_URL}/mail/stop/")
    assert link in mailoutbox[0].body
    path = link.removeprefix(settings.SITE_URL)
    program = Client(enforce_csrf_checks=True)

    shown = program.get(path)
    assert (shown.status_code, "Stop these e-mails?" in shown.content.decode()) == (200, True)
    assert (shown["Cache-Control"], shown["Referrer-Policy"]) == ("private, no-store", "same-origin")
    assert not MailChoice.objects.exists()

    for _ in range(2):
        done = program.post(path, {"List-Unsubscribe": "One-Click"})
        assert (done.status_code, "No more of these e-mails" in done.content.decode()) == (200, True)
    assert MailChoice.objects.get().updates == "off"
    assert Follow.objects.exists()
    assert post(listing, at=NOON + DAY) == 0


@pytest.mark.parametrize("token", ["1", "1.x", "1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "a.b.c"])
def test_a_link_that_we_never_made_does_nothing(
    people: People, site: Site, client: Client, token: str
) -> None:
    assert client.post(f"/mail/stop/{token}").status_code == 404
    assert not MailChoice.objects.exists()


def test_the_preferences_are_a_page_of_the_account(
    listing: Listing, people: People, client: Client, site: Site
) -> None:
    assert client.get("/account/mail").status_code == 302
    follow(people.stranger, listing)
    client.force_login(people.stranger)

    page = client.get("/account/mail").content.decode()
    assert 'value="digest" checked' in " ".join(page.split())
    assert '<a href="/listings/tidewell">Tidewell</a>' in client.get("/account/votes").content.decode()
    assert client.post("/account/mail", {"updates": "daily"}).status_code == 400
    assert not MailChoice.objects.exists()
    client.post("/account/mail", {"updates": "at_once"})
    assert MailChoice.objects.get(user=people.stranger).updates == "at_once"
    assert 'value="at_once" checked' in " ".join(client.get("/account/mail").content.decode().split())
