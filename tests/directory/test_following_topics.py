"""Who follows makers and categories gets one mail on a Monday with what launched by them and in them."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from accounts.models import User
from accounts.services import create_user
from core import jobs
from core.models import Job, Mail
from directory.engagement import topic_mail
from directory.models import Category, Founder, ListingFounder, MailChoice, Site, TopicFollow
from tests.conftest import People
from tests.factories.listings import AT, make_category, make_listing

MONDAY = datetime(2026, 11, 23, tzinfo=UTC)
MORNING = MONDAY + timedelta(hours=6)


@pytest.fixture
def inga(site: Site) -> Founder:
    """Made Tidewell, which is filed in Invoicing, below Money."""
    make_category("invoicing", parent=make_category("money"))
    founder = Founder.objects.create(slug="inga", name="Inga Holm", created_at=AT)
    ListingFounder.objects.create(listing=make_listing("tidewell"), founder=founder)
    return founder


def send(at: datetime) -> None:
    """What the clock does at that moment, and the mail that follows from it."""
    topic_mail.plan(at=at)
    for _ in range(2):
        jobs.run_due(queues=["mail"])


@time_machine.travel(AT, tick=False)
def test_the_button_on_the_page_of_a_maker_and_a_category(
    inga: Founder, people: People, client: Client, django_assert_max_num_queries: Any
) -> None:
    for path in ("/founders/inga", "/categories/money"):
        assert f'href="/accounts/login/?next={path}"' in client.get(path).content.decode()
        assert client.post(f"{path}/follow")["Location"] == f"/accounts/login/?next={path}"
    client.force_login(people.stranger)
    for path in ("/founders/inga", "/categories/money", "/categories/invoicing"):
        assert client.post(f"{path}/follow", {"do": "follow"})["Location"] == path
        assert client.post(f"{path}/follow", {"do": "follow"}, headers={"X-Part": "1"}).status_code == 200
        with django_assert_max_num_queries(14):  # of them two of the session
            assert "Following<" in client.get(path).content.decode()
    assert TopicFollow.objects.count() == 3
    client.post("/categories/invoicing/follow", {"do": "unfollow"})

    listed = client.get("/account/votes").content.decode()
    assert 'href="/founders/inga">Inga Holm' in listed
    assert ('action="/categories/money/follow"' in listed, "/categories/invoicing" in listed) == (True, False)


def test_one_mail_comes_on_monday_and_one_click_ends_them(
    inga: Founder, site: Site, people: People, mailoutbox: list[Any]
) -> None:
    for kind, slug in (("founder", "inga"), ("category", "money")):
        topic_mail.follow(kind=kind, slug=slug, user=people.stranger, site=site, at=AT)
    make_listing("late", at=MORNING)
    make_listing("own", owner=people.stranger)
    make_listing("shared").co_owners.add(people.stranger)
    make_listing("gone", status="suspended")
    make_listing("elsewhere", categories=("other",))

    for at in (MORNING - timedelta(minutes=1), MORNING, MORNING + timedelta(hours=1), MORNING + timedelta(3)):
        send(at)

    (mail,) = mailoutbox
    assert (mail.to, mail.subject) == ([people.stranger.email], "Tidewell has launched")
    assert "Tidewell (Inga Holm, Money)" in mail.body
    assert "http://127.0.0.1:8000/listings/tidewell" in mail.body
    assert "late" not in mail.body
    link = mail.extra_headers["List-Unsubscribe"].strip("<>")
    assert Client(enforce_csrf_checks=True).post("/" + link.split("/", 3)[3]).status_code == 200
    send(MORNING + timedelta(days=7))
    assert len(mailoutbox) == 1
    topic_mail.follow(kind="founder", slug="inga", user=people.stranger, site=site, at=AT)
    assert MailChoice.objects.get().of_topics is True


def test_what_is_not_there_is_not_followed_and_a_person_follows_so_many(
    inga: Founder, people: People, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    Founder.objects.create(slug="nobody", name="Without a product", created_at=AT)
    monkeypatch.setattr("directory.limits.TOPICS_FOLLOWED", 1)
    client.force_login(people.stranger)
    paths = ("/founders/nobody", "/categories/none", "/categories/money", "/founders/inga")
    answers = [client.post(f"{path}/follow").status_code for path in paths]

    assert (answers, TopicFollow.objects.get().path) == ([404, 404, 302, 302], "/categories/money")


def test_a_merged_category_is_followed_on_and_workers_that_die_double_and_lose_nothing(
    inga: Founder, site: Site, mailoutbox: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("directory.limits.MAILED_AT_ONCE", 2)
    former = make_category("billing")
    readers = [create_user(email=f"reader{number}@people.example") for number in range(6)]
    for number, reader in enumerate(readers):
        slug = "billing" if number % 2 else "invoicing"
        topic_mail.follow(kind="category", slug=slug, user=reader, site=site, at=AT)
    Category.objects.filter(pk=former.pk).update(merged_into=Category.objects.get(slug="invoicing"))
    User.objects.filter(pk=readers[5].pk).update(suspended_at=AT)
    assert topic_mail.plan(at=MORNING) == 1
    claimed = jobs.claim(job_id=Job.objects.get(kind="directory.tell_topics").pk)
    assert claimed is not None
    others = iter([True])

    def die() -> None:
        if not next(others, False):
            raise jobs.LeaseLostError

    monkeypatch.setattr(claimed[1], "guard", die)
    with pytest.raises(jobs.LeaseLostError):
        topic_mail.tell(site_id=site.pk, week=MONDAY.date(), lease=claimed[1])
    assert Mail.objects.count() == 2
    monkeypatch.undo()
    for _ in range(2):
        topic_mail.tell(site_id=site.pk, week=MONDAY.date(), lease=claimed[1])
    jobs.run_due()

    assert sorted(mail.to[0] for mail in mailoutbox) == [reader.email for reader in readers[:5]]
