"""Readers report what is wrong on a listing; staff close it, and who was signed in is told."""

import re
from typing import Any

import pytest
from django.test import Client

from core import jobs
from core.api.errors import InvalidRequestError
from core.api.links import on_site
from core.mail_text import JOINER
from core.models import Job
from directory.models import Listing, Report, Site
from directory.moderation.status import moderate
from directory.reports.reporting import close_report
from tests.conftest import People
from tests.factories.listings import AT, make_listing
from tests.factories.staff import staff_client

WRONG = {"reason": "wrong", "fact": "country", "text": "They are in Norway: https://tidewell.example/about"}


@pytest.fixture(autouse=True)
def somebody_reads_answers(settings: Any) -> None:
    settings.MAIL_REPLY_TO = "desk@launch.example"


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

    assert "Thank you. Someone on our team will look." in answer.content.decode()
    kept = Report.objects.values(
        "listing__slug", "reason", "fact", "text", "reporter", "status", "email"
    ).get()
    assert kept == {**WRONG, "listing__slug": "tidewell", "reporter": None, "status": "open", "email": ""}


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
    mails = [job.payload for job in Job.objects.filter(kind="core.send_mail").order_by("created_at")]
    assert [(mail["to"], "Norway it is; mended." in mail["text"]) for mail in mails] == [
        ("stranger@people.example", False),
        ("stranger@people.example", True),
    ]


ADA = {"name": "Ada", "email": "ada@reader.example"}


def subjects(outbox: list[Any], to: str) -> list[str]:
    return [mail.subject for mail in outbox if mail.to == [to]]


def test_who_leaves_an_address_gets_a_receipt_and_the_decision_with_its_reason(
    listing: Listing, client: Client, people: People, mailoutbox: list[Any]
) -> None:
    wrong = client.post("/listings/tidewell/report", {**WRONG, "email": "ada@"})
    assert (wrong.status_code, Report.objects.count()) == (400, 0)
    for _ in range(2):
        sent = client.post("/listings/tidewell/report", {**WRONG, **ADA}, follow=True).content.decode()
    report = Report.objects.get()
    assert f"We e-mail you what came of it. Your report is R-{report.pk}." in sent
    close_report(report_id=report.pk, staff=people.staff, resolution="Norway it is; mended.", at=AT)
    jobs.run_due()

    receipt, decision = (mail for mail in mailoutbox if mail.to == [ADA["email"]])
    assert receipt.subject == "We have your report about Tidewell"
    assert f"Thank you, Ada. We have your report R-{report.pk}" in receipt.body
    assert f"\n\n> {WRONG['text']}\n\n" in receipt.body.replace(JOINER, "")
    assert "Norway it is; mended." in decision.body
    assert "Think we’re wrong? Just reply and say why" in " ".join(decision.body.split())


def test_words_that_somebody_has_mailed_to_a_stranger_are_a_quotation_without_a_link(
    listing: Listing, client: Client
) -> None:
    text = "x\n\nYour account is locked: https://evil.example/login or www.evil.com\n\nThe site team"
    client.post("/listings/tidewell/report", {"reason": "wrong", "text": text, **ADA, "name": "evil.com"})

    html = Job.objects.get(kind="core.send_mail").payload["html"]
    assert re.findall('href="([^"]*)"', html) == [on_site("/listings/tidewell"), on_site("/")]
    (quotation,) = re.findall("<blockquote>(.*?)</blockquote>", html, re.DOTALL)
    assert text.replace("\n", "<br>") == quotation.replace(JOINER, "")
    assert "evil.com" not in html


def test_an_address_that_somebody_types_gets_three_receipts_a_day(
    listing: Listing, client: Client, mailoutbox: list[Any]
) -> None:
    for number in range(5):
        typed = {"reason": "spam", "text": str(number), "email": f"ada+{number}@reader.example"}
        assert client.post("/listings/tidewell/report", typed).status_code == 302
    jobs.run_due()

    assert (Report.objects.count(), len(mailoutbox)) == (5, 3)


def test_whoever_is_signed_in_is_asked_for_neither(listing: Listing, client: Client, people: People) -> None:
    assert 'name="email"' in client.get("/listings/tidewell/report").content.decode()
    client.force_login(people.stranger)
    assert 'name="email"' not in client.get("/listings/tidewell/report").content.decode()

    client.post("/listings/tidewell/report", {**WRONG, **ADA})

    assert Report.objects.values_list("reporter", "name", "email").get() == (people.stranger.pk, "", "")


def test_a_decision_about_the_listing_answers_its_reports_and_both_sides_read_why(
    listing: Listing, client: Client, people: People, mailoutbox: list[Any]
) -> None:
    other = make_listing("brindle")
    client.post("/listings/tidewell/report", {"reason": "illegal", "text": "Forged pills.", **ADA})
    client.post("/listings/tidewell/report", {"reason": "spam"})
    client.post("/listings/brindle/report", {"reason": "spam"})

    moderate(
        listing_id=listing.pk,
        to="suspended",
        staff_id=people.staff.pk,
        at=AT,
        reason="It sells forged pills.",
    )
    jobs.run_due()

    answer = "We took it off the site. It sells forged pills."
    rows = Report.objects.order_by("pk").values_list("status", "resolution", "closed_by")
    assert list(rows) == [("closed", answer, people.staff.pk)] * 2 + [("open", "", None)]
    assert other.reports.count() == 1
    assert subjects(mailoutbox, ADA["email"]) == [
        "We have your report about Tidewell",
        "Your report about Tidewell",
    ]
    (reasons,) = (mail for mail in mailoutbox if mail.to == [people.owner.email])
    for says in (
        "Reason: It sells forged pills.",
        "Based on: the terms of this site, http",
        "A person decided this",
        "somebody will look again, free of charge",
        "out-of-court disputes, or to a court",
    ):
        assert says in " ".join(reasons.body.split())


def test_reports_are_closed_in_bulk_and_the_page_says_who_reads_it(
    listing: Listing, client: Client, site: Site, mailoutbox: list[Any]
) -> None:
    client.post("/listings/tidewell/report", {**WRONG, **ADA})
    client.post("/listings/tidewell/report", {"reason": "spam"})
    first, second = Report.objects.order_by("pk")
    moderator = staff_client("moderator")
    pages = [
        moderator.get(f"/admin/directory/report/{row.pk}/change/").content.decode() for row in (first, second)
    ]
    assert ["ada@reader.example reads this in a mail." in page for page in pages] == [True, False]
    assert "left no address: only staff read this." in pages[1]
    chosen = {"action": "close_all", "_selected_action": [str(first.pk), str(second.pk)]}

    empty = moderator.post("/admin/directory/report/", chosen | {"reason": " "}, follow=True)
    assert empty.content.decode().count("Say what came of them. Nothing was changed.") == 1
    assert Report.objects.filter(status="open").count() == 2
    moderator.post("/admin/directory/report/", chosen | {"reason": "Both are mended."})
    jobs.run_due()

    assert list(Report.objects.values_list("status", "resolution")) == [("closed", "Both are mended.")] * 2
    assert "Both are mended." in mailoutbox[-1].body


def test_pictures_that_staff_remove_are_accounted_for_to_their_owner(
    listing: Listing, people: People, mailoutbox: list[Any]
) -> None:
    Listing.objects.update(media=[{"type": "image", "file": "pictures/1/a.jpg", "alt": "A"}])
    moderator = staff_client("moderator")
    moderator.post(f"/admin/directory/listing/{listing.pk}/clear/", {"reason": "They show other people."})
    jobs.run_due()

    (mail,) = mailoutbox
    assert (Listing.objects.get().media, mail.to) == ([], [people.owner.email])
    assert "Reason: They show other people." in mail.body
