"""Anybody gets the winners: asked first, once a week, forgotten with one press, and no address in a link."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import StaffAct
from config import retention
from core import jobs
from core.models import Job, Mail
from directory.models import Listing, Site, WinnersReader
from directory.moderation.status import moderate
from leaderboards import closing
from leaderboards.models import WeekClose
from tests.factories.listings import make_listing
from tests.factories.staff import fresh, staff_client
from tests.leaderboards.conftest import NEXT_MONDAY, WEDNESDAY

READER = "noor@reader.example"
SOON = timedelta(minutes=10)


def ask(client: Client, email: str = READER) -> Any:
    answer = client.post("/winners", {"email": email})
    jobs.run_due()
    return answer


def link_in(mail: Any) -> str:
    found = re.search(r"http://127\.0\.0\.1:8000(/\S+/confirm/\S+)", mail.body)
    assert found
    assert "noor" not in found[1]
    return found[1]


@pytest.fixture
def week(site: Site, vote: Callable[..., Any]) -> None:
    for slug, number in (("anchor", 3), ("brindle", 2)):
        vote(make_listing(slug, at=WEDNESDAY), number)


def close() -> None:
    closing.close_due_weeks(at=NEXT_MONDAY + SOON)
    jobs.run_due()
    jobs.run_due()


def test_the_winners_come_once_to_who_confirmed_and_nothing_is_left_of_who_stops(
    week: None, client: Client, mailoutbox: list[Any]
) -> None:
    with time_machine.travel(WEDNESDAY, tick=False):
        assert "Look in your inbox" in ask(client, " Noor@Reader.example ").content.decode()
        assert client.post("/winners", {"email": "nobody"}).status_code == 400
        ask(client, "other@reader.example")
        path = link_in(mailoutbox[0])
        assert "Get the winners by e-mail?" in client.get(path).content.decode()
        assert WinnersReader.objects.exclude(confirmed_at=None).count() == 0
        for _ in range(2):
            assert "You’re on the list" in client.post(path).content.decode()
        ask(client)  # whoever is on the list hears nothing of it
    assert [mail.to[0] for mail in mailoutbox] == [READER, "other@reader.example"]

    close()
    claimed = Job.objects.create(
        kind="leaderboards.mail_winners",
        key="again",
        queue="mail",
        run_after=timezone.now(),
        created_at=timezone.now(),
    )
    found = jobs.claim(job_id=claimed.pk)
    assert found is not None
    closing.mail_winners(close_id=WeekClose.objects.get().pk, lease=found[1])
    jobs.run_due()

    (sent,) = mailoutbox[2:]
    assert (sent.to, sent.subject) == ([READER], "Anchor won the week of 16 November")
    assert "1. Anchor, 3 votes" in sent.body
    assert "http://127.0.0.1:8000/weeks/2026-11-16" in sent.body
    stop_from(sent)
    assert client.post(path).status_code == 404


def stop_from(sent: Any) -> None:
    """One click ends it, twice if need be, and nothing of the address is left."""
    stop = sent.extra_headers["List-Unsubscribe"].strip("<>").removeprefix("http://127.0.0.1:8000")
    assert stop in sent.alternatives[0][0]
    program = Client(enforce_csrf_checks=True)
    assert "Stop these e-mails?" in program.get(stop).content.decode()
    for _ in range(2):
        done = program.post(stop, {"List-Unsubscribe": "One-Click"})
        assert (done.status_code, "No more of these e-mails" in done.content.decode()) == (200, True)
    assert list(WinnersReader.objects.values_list("email", flat=True)) == ["other@reader.example"]
    assert not Mail.objects.filter(address=READER).exists()
    assert not Job.objects.filter(payload__to=READER).exists()
    assert program.get("/winners/confirm/1.x").status_code == 404


def test_too_many_from_one_network_or_to_one_address_are_refused_and_unanswered_ones_go(
    site: Site, mailoutbox: list[Any]
) -> None:
    def client(number: int) -> Client:
        return Client(REMOTE_ADDR=f"198.51.{number}.7")

    answers = [ask(client(number)).status_code for number in range(4)]
    assert (answers, len(mailoutbox)) == ([200, 200, 200, 429], 3)
    answers = [ask(client(100), f"reader{number}@r{number}.example").status_code for number in range(11)]
    assert (answers[-2:], WinnersReader.objects.count()) == ([200, 429], 11)

    retention.forget_old(at=timezone.now() + timedelta(days=3, hours=1))
    assert WinnersReader.objects.count() == 0


def test_a_week_without_votes_and_who_confirmed_after_it_bring_no_mail(
    site: Site, mailoutbox: list[Any]
) -> None:
    make_listing("lonely", at=WEDNESDAY)
    WinnersReader.objects.create(site=site, email=READER, created_at=WEDNESDAY, confirmed_at=WEDNESDAY)
    close()

    assert mailoutbox == []


def test_staff_read_the_addresses_and_forget_one_whose_person_writes_to_us(site: Site) -> None:
    for number in range(2):
        WinnersReader.objects.create(site=site, email=f"r{number}@reader.example", created_at=WEDNESDAY)
    wanted = WinnersReader.objects.get(email="r0@reader.example")
    forget = {"action": "forget", "_selected_action": [wanted.pk]}
    place = "/admin/directory/winnersreader/"
    moderator, boss = staff_client("moderator"), fresh(staff_client("administrator"))
    assert "r1@reader.example" in moderator.get(place).content.decode()
    for client, left in ((moderator, 2), (boss, 1)):
        client.post(place, forget)
        assert WinnersReader.objects.count() == left
    assert StaffAct.objects.filter(act="people.erase", key=str(wanted.pk)).count() == 1


def test_who_is_off_the_site_is_in_no_mail(week: None, site: Site, mailoutbox: list[Any]) -> None:
    WinnersReader.objects.create(site=site, email=READER, created_at=WEDNESDAY, confirmed_at=WEDNESDAY)
    anchor = Listing.objects.get(slug="anchor")
    moderate(listing_id=anchor.pk, to="suspended", staff_id=1, at=WEDNESDAY, reason="Bought votes.")
    close()

    sent = next(mail for mail in mailoutbox if mail.to == [READER])
    assert ("Brindle" in sent.subject, "Anchor" in sent.subject + sent.body) == (True, False)
