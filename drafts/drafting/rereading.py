"""Staff have a listing's website read again: its pages are fetched anew, and what it lacked is written from them.

What stands, stands: only facts that no page stated are asked of the website again.
"""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from core import jobs
from core.api.errors import NotFoundError
from core.fetch import Fetcher
from drafts import machinery
from drafts.crawl.report import CrawlFailedError, CrawlReport
from drafts.drafting import redrafting
from drafts.drafting.first_draft import crawled, keep_pages, keep_texts, site_of, storable
from drafts.models import Draft, DraftField
from drafts.pictures import photos, site_pictures
from drafts.requests.turns import turn

JOB = "drafts.read_again"
TOO_LONG_NOTE = "The website took too long to read again; what was read before stands."
CLOSED_NOTE = "The website could not be read again; what was read before stands. {}"


@transaction.atomic
def read_website_again(*, listing_id: int, at: datetime) -> Draft:
    """Have the website of a listing read again by a job.

    Raises NotFoundError for a listing that no website was read for.
    """
    drafts = Draft.objects.select_for_update().filter(listing=listing_id)
    draft = drafts.order_by("-created_at", "-pk").first()
    if draft is None:
        raise NotFoundError("No website was read for this listing.")
    jobs.again(JOB, key=str(draft.pk), at=at, draft_id=str(draft.pk))
    return draft


def read_again(*, draft_id: str, lease: jobs.Lease) -> None:
    """Fetch the pages of a finished draft anew, and ask for what it lacks. A website that is away changes nothing."""
    draft = Draft.objects.filter(pk=draft_id, status=Draft.Status.READY).first()
    if draft is None:
        return
    its_turn = turn(owner_id=draft.owner_id, domain=draft.domain, holder=f"draft {draft.pk}")
    try:
        with its_turn as mine, Fetcher() as fetcher:
            result = crawled(url=draft.url, fetcher=fetcher, on_page=mine.go_on)
    except CrawlFailedError as error:
        redrafting.stop(draft_id=draft_id, names=(), note=CLOSED_NOTE.format(error.detail)[:500], lease=lease)
        return
    report = storable(result)
    ties = photos.tied(draft, founders=draft.founders, report=report)
    _keep(draft_id, report=report, site=site_of(report), ties=ties, lease=lease, at=timezone.now())


@transaction.atomic
def _keep(
    draft_id: str,
    *,
    report: CrawlReport,
    site: "machinery.SiteText",
    ties: list["machinery.Tie"],
    lease: jobs.Lease,
    at: datetime,
) -> None:
    lease.guard()
    draft = Draft.objects.select_for_update().get(pk=draft_id)
    keep_pages(draft, report.pages)
    keep_texts(draft, site=site)
    lacks = draft.field_rows.filter(
        group=DraftField.Group.FIELDS, state=DraftField.State.NOT_FOUND, is_locked=False
    )
    names = list(lacks.order_by("name").values_list("name", flat=True))
    draft.robots, draft.warnings = report.robots, list(report.warnings)
    draft.pages_read, draft.updated_at = len(report.read), at
    site_pictures.name(draft, site=site, at=at)
    if draft.listing is not None:
        site_pictures.follow(draft, listing=draft.listing, at=at)
    draft.redrafting = list(dict.fromkeys([*(draft.redrafting or []), *names])) or None
    draft.save(
        update_fields=[
            *("robots", "warnings", "pages_read", "site_picture_url", "site_picture"),
            *("redrafting", "updated_at"),
        ]
    )
    photos.offer(draft, ties)
    if names:
        jobs.add(redrafting.JOB, key=f"{draft.pk}-read-{at.isoformat()}", draft_id=str(draft.pk), names=names)
