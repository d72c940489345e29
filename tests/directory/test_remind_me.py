"""Who waits for a launch gets one mail on its day."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from accounts.services import create_user
from core import jobs
from core.models import Job
from directory.engagement import coming
from directory.models import LaunchReminder, Listing, MailChoice, Site
from tests.conftest import People, signed_in
from tests.factories.listings import AT, go_live, make_listing

LAUNCH = AT + timedelta(days=7)


@pytest.fixture
def listing(site: Site, people: People) -> Listing:
    return make_listing("brindle", plan="paid", status="scheduled", at=LAUNCH)


@time_machine.travel(AT, tick=False)
def test_one_press_brings_one_mail_on_the_day_and_one_click_ends_them(
    listing: Listing, people: People, client: Client, mailoutbox: list[Any]
) -> None:
    assert client.post("/listings/brindle/remind").status_code == 302
    assert not LaunchReminder.objects.exists()
    client.force_login(people.stranger)
    for path in (f"/weeks/{listing.launch_week}", "/listings/brindle"):
        assert "Remind me" in client.get(path).content.decode()
    for _ in range(2):
        assert client.post("/listings/brindle/remind", {"do": "remind"}).status_code == 302
    assert "Reminded" in client.get("/listings/brindle").content.decode()
    for user, do in ((people.staff, "forget"), (people.owner, "stop")):
        other = signed_in(user)
        other.post("/listings/brindle/remind", {"do": "remind"})
        if do == "forget":
            other.post("/listings/brindle/remind", {"do": do})
        else:
            MailChoice.objects.filter(user=user).update(of_coming=False)
            MailChoice.objects.get_or_create(user=user, defaults={"of_coming": False, "changed_at": AT})

    for _ in range(2):
        go_live(listing_id=listing.pk, at=LAUNCH)
        jobs.run_due()
        jobs.run_due()

    (mail,) = mailoutbox
    assert (mail.to, mail.subject) == ([people.stranger.email], "Brindle launched today")
    assert "http://127.0.0.1:8000/listings/brindle" in mail.body
    assert not LaunchReminder.objects.exists()
    link = mail.extra_headers["List-Unsubscribe"].strip("<>")
    assert link in mail.body
    assert Client(enforce_csrf_checks=True).post("/" + link.split("/", 3)[3]).status_code == 200
    assert MailChoice.objects.get(user=people.stranger).of_coming is False
    assert client.post("/listings/brindle/remind", {"do": "remind"}).status_code == 404


def test_workers_that_die_on_the_way_double_and_lose_nothing(
    listing: Listing, mailoutbox: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("directory.limits.MAILED_AT_ONCE", 2)
    readers = [create_user(email=f"reader{number}@people.example") for number in range(5)]
    for reader in readers:
        coming.remind(user_id=reader.pk, listing_id=listing.pk, at=AT)
    go_live(listing_id=listing.pk, at=LAUNCH)
    claimed = jobs.claim(job_id=Job.objects.get(kind="directory.tell_waiting").pk)
    assert claimed is not None
    others = iter([True])

    def die() -> None:
        if not next(others, False):
            raise jobs.LeaseLostError

    monkeypatch.setattr(claimed[1], "guard", die)
    with pytest.raises(jobs.LeaseLostError):
        coming.tell_waiting(listing_id=listing.pk, lease=claimed[1])
    assert LaunchReminder.objects.count() == 3
    monkeypatch.undo()
    for _ in range(2):
        coming.tell_waiting(listing_id=listing.pk, lease=claimed[1])
    jobs.run_due()

    assert sorted(mail.to[0] for mail in mailoutbox) == [reader.email for reader in readers]
