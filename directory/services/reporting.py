"""Readers report what is wrong on a listing; staff decide what comes of it."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from core import mail
from core.links import on_site
from directory.facts import FACTS
from directory.models import Listing, Report
from directory.selectors.sites import addresses_of_listing
from directory.services.moderation import refuse_without_reason

REPORTABLE = (*FACTS, "founders", "faqs", "socials", "media", "milestones", "story")


@transaction.atomic
def report_listing(
    *, listing: Listing, reason: str, fact: str, text: str, reporter: User | None, at: datetime
) -> Report:
    """Keep what a reader says is wrong. The same words by the same person are the report that is there."""
    said = {"listing": listing, "reason": reason, "fact": fact, "text": text, "reporter": reporter}
    same = Report.objects.filter(status=Report.Status.OPEN, **said).first() if reporter else None
    return same or Report.objects.create(**said, created_at=at)


@transaction.atomic
def close_report(*, report_id: int, staff: User, resolution: str, at: datetime) -> Report:
    """Staff say what came of a report; who sent it signed in is told. A second call changes nothing.

    Raises InvalidRequestError without a word of what was done.
    """
    report = Report.objects.select_for_update(of=("self",)).select_related("listing").get(pk=report_id)
    if report.status == Report.Status.CLOSED:
        return report
    refuse_without_reason(resolution)
    report.status, report.resolution = Report.Status.CLOSED, resolution.strip()
    report.closed_at, report.closed_by = at, staff
    report.save(update_fields=["status", "resolution", "closed_at", "closed_by"])
    if report.reporter and report.reporter.is_active:
        with addresses_of_listing(report.listing):
            mail.send(
                template="directory/mail/report_closed",
                to=report.reporter.email,
                key=f"report-closed-{report.pk}",
                context={"report": report, "page_url": on_site(f"/listings/{report.listing.slug}")},
                envelope=mail.Envelope(person_id=report.reporter_id, thing=report.listing),
            )
    return report
