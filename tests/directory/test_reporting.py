"""Readers report what is wrong on a listing; staff close it, and who was signed in is told."""

import pytest
from django.test import Client

from core.errors import InvalidRequestError
from core.models import Job
from directory.models import Listing, Report
from directory.services.reporting import close_report
from tests.conftest import People
from tests.factories.listings import AT, make_listing

WRONG = {"reason": "wrong", "fact": "country", "text": "They are in Norway: https://tidewell.example/about"}


@pytest.fixture
def listing(people: People) -> Listing:
    return make_listing("tidewell", owner=people.owner, country="DK")


def test_anybody_reports_and_a_mistake_keeps_what_was_typed(listing: Listing, client: Client) -> None:
    assert 'href="/listings/tidewell/report"' in client.get("/listings/tidewell").content.decode()
    form = client.get("/listings/tidewell/report?fact=country").content.decode()
    assert '<option value="country" selected>' in form

    for typed in (
        {**WRONG, "reason": ""},
        {**WRONG, "fact": "owner_id"},
        {**WRONG, "text": ""},
        {**WRONG, "text": "x" * 1001},
    ):
        answer = client.post("/listings/tidewell/report", typed)
        assert (answer.status_code, Report.objects.count()) == (400, 0)
        assert typed["text"] in answer.content.decode()
    answer = client.post("/listings/tidewell/report", WRONG, follow=True)

    assert "Thank you. A person of the site looks at it." in answer.content.decode()
    kept = Report.objects.values("listing__slug", "reason", "fact", "text", "reporter", "status").get()
    assert kept == {**WRONG, "listing__slug": "tidewell", "reporter": None, "status": "open"}


def test_reports_are_counted_by_network_and_only_public_listings_have_a_form(
    listing: Listing, client: Client
) -> None:
    make_listing("saved", status="draft")
    assert client.get("/listings/saved/report").status_code == 404

    answers = [
        client.post("/listings/tidewell/report", {"reason": "spam", "text": str(n)}) for n in range(11)
    ]

    assert [answer.status_code for answer in answers] == [302] * 10 + [429]
    assert Report.objects.count() == 10


def test_staff_close_a_report_with_a_word_that_its_sender_gets(
    listing: Listing, client: Client, people: People
) -> None:
    client.force_login(people.stranger)
    for _ in range(2):
        client.post("/listings/tidewell/report", WRONG)
    report = Report.objects.get()

    with pytest.raises(InvalidRequestError):
        close_report(report_id=report.pk, staff=people.staff, resolution=" ", at=AT)
    for _ in range(2):
        close_report(report_id=report.pk, staff=people.staff, resolution="Norway it is; mended.", at=AT)

    report.refresh_from_db()
    assert (report.status, report.closed_by, report.closed_at) == ("closed", people.staff, AT)
    mail = Job.objects.get(kind="core.send_mail").payload
    assert (mail["to"], "Norway it is; mended." in mail["text"]) == ("stranger@people.example", True)
