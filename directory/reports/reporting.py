"""Readers report what is wrong on a listing; staff decide what comes of it, and both sides read why."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from accounts.models import User
from core import mail
from core.api import throttling
from core.api.errors import FieldError, InvalidRequestError, RateLimitedError
from core.api.links import on_site
from directory import limits
from directory.facts import FACTS
from directory.models import Listing, Question, Report, Review
from directory.sites.lookup import addresses_of_listing

REPORTABLE = (*FACTS, "founders", "faqs", "socials", "media", "milestones", "story")


@dataclass(frozen=True, kw_only=True)
class Sender:
    """Who reports: an account, or what somebody signed with; all of it may be missing."""

    account: User | None = None
    name: str = ""
    email: str = ""


@dataclass(frozen=True, kw_only=True)
class Subject:
    """What is reported: a listing, a fact on it, or a review or question there."""

    listing: Listing
    fact: str = ""
    review: Review | None = None
    question: Question | None = None


@transaction.atomic
def report_listing(*, subject: Subject, reason: str, text: str, sender: Sender, at: datetime) -> Report:
    """Store what a reader says is wrong, and confirm it to who left an address.

    The same words by the same person are the report that is there.
    """
    values = {"reason": reason, "text": text, **vars(subject)}
    who = {"reporter": sender.account, "name": sender.name, "email": sender.email}
    if sender.account or sender.email:
        same = Report.objects.filter(status=Report.Status.OPEN, **values, **who).first()
        if same:
            return same
    report = Report.objects.create(**values, **who, created_at=at)
    if report.answered_at and _may_be_mailed(report):
        _write(report, template="report_received", key=f"report-received-{report.pk}")
    return report


def _may_be_mailed(report: Report) -> bool:
    """Whether a receipt goes out: an address that anybody can type gets few a day."""
    if not report.email:
        return True
    local, _, domain = report.email.lower().rpartition("@")
    try:
        throttling.enforce("report_receipt", caller=f"mail:{local.partition('+')[0]}@{domain}")
    except RateLimitedError:
        return False
    return True


@transaction.atomic
def close_report(*, report_id: int, staff: User, resolution: str, at: datetime) -> Report:
    """Staff say what came of a report; who left an address is told. A second call changes nothing.

    Raises InvalidRequestError without a word of what was done.
    """
    rows = Report.objects.select_for_update(of=("self",)).select_related("listing", "reporter")
    report = rows.get(pk=report_id)
    if report.status == Report.Status.CLOSED:
        return report
    refuse_without_reason(resolution)
    _close(report, staff_id=staff.pk, resolution=resolution.strip(), at=at)
    return report


def close_reports_on(listing: Listing, *, staff_id: int, decision: str, at: datetime) -> int:
    """A decision about a listing answers all open reports on it. Gives how many."""
    rows = Report.objects.select_for_update(of=("self",)).filter(listing=listing, status=Report.Status.OPEN)
    reports = list(rows.select_related("listing", "reporter").order_by("pk"))
    for report in reports:
        _close(report, staff_id=staff_id, resolution=decision[: limits.STAFF_REASON], at=at)
    return len(reports)


def _close(report: Report, *, staff_id: int, resolution: str, at: datetime) -> None:
    report.status, report.resolution = Report.Status.CLOSED, resolution
    report.closed_at, report.closed_by_id = at, staff_id
    report.save(update_fields=["status", "resolution", "closed_at", "closed_by"])
    if report.answered_at:
        _write(report, template="report_closed", key=f"report-closed-{report.pk}")


def _write(report: Report, *, template: str, key: str) -> None:
    with addresses_of_listing(report.listing):
        mail.send(
            template=f"directory/mail/{template}",
            to=report.answered_at,
            key=key,
            context={"report": report, "page_url": on_site(f"/listings/{report.listing.slug}")},
            envelope=mail.Envelope(person_id=report.reporter_id, thing=report.listing),
        )


def refuse_without_reason(reason: str) -> None:
    """Raise InvalidRequestError where no reason is given, or one too long to be kept whole."""
    if not 0 < len(reason.strip()) <= limits.STAFF_REASON:
        message = f"Give a reason of at most {limits.STAFF_REASON} characters; the owner reads it."
        error = FieldError(code="required", pointer="/reason", message=message, limit=limits.STAFF_REASON)
        raise InvalidRequestError(message, errors=[error])
