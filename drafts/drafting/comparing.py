"""Read a competitor's website and set its facts beside the draft's, each with its quotes."""

from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from core import jobs
from core.domains import domain_of
from core.fetch import Fetcher
from drafts import machinery
from drafts.crawl.report import Budget, CrawlFailedError
from drafts.drafting.first_draft import WRITING_SECONDS, category_hints, crawled, site_of
from drafts.facts import storing
from drafts.facts.states import has_value
from drafts.models import Draft, DraftField
from drafts.processor import within
from drafts.requests.turns import turn
from drafts.writing.port import Written

ATTRIBUTES = (
    *("name", "tagline", "pricing_model", "pricing_summary", "features", "categories", "country", "city"),
    "founded_year",
)
BUDGET = Budget(pages=6, requests=9, site_seconds=30.0)
FAULT = "Something on our side failed each time we tried to read this site. It is logged; try again later."


def read_competitor(*, draft_id: str, url: str, lease: jobs.Lease) -> None:
    """Crawl the site as politely as any other, and keep what its own words say."""
    draft = _requested_draft(draft_id=draft_id, url=url)
    if draft is None:
        return
    its_turn = turn(owner_id=draft.owner_id, domain=domain_of(url), holder=f"rival of {draft_id}")
    try:
        with its_turn as mine, Fetcher() as fetcher:
            report = crawled(url=url, fetcher=fetcher, on_page=mine.go_on, budget=BUDGET)
    except CrawlFailedError as error:
        fail(draft_id=draft_id, url=url, reason=error.detail, lease=lease)
        return
    site, rules = site_of(report), machinery.ExtractiveWriter(categories=category_hints())
    theirs = within(WRITING_SECONDS, partial(rules.write, site, fields=ATTRIBUTES))
    lease.renew()
    with transaction.atomic():
        own = DraftField.objects.filter(draft_id=draft_id, group=DraftField.Group.FIELDS)
        comparison = compare(dict(own.values_list("name", "value")), theirs)
        _keep(draft_id=draft_id, url=url, lease=lease, changes={"status": "ready", "comparison": comparison})


def compare(ours: dict[str, Any], theirs: Written) -> list[dict[str, Any]]:
    """One row for each fact that either side states. What the other site does not say stays null."""
    rows = []
    for name in ATTRIBUTES:
        result = theirs.fields.get(name)
        value = storing.plain(result.value) if result else None
        if has_value(ours.get(name)) or has_value(value):
            quotes = storing.evidence(result.evidence) if result and has_value(value) else []
            rows.append({"attribute": name, "ours": ours.get(name), "theirs": value, "evidence": quotes})
    return rows


def _requested_draft(*, draft_id: str, url: str) -> Draft | None:
    """The draft, while this competitor is the one its owner wants."""
    draft = Draft.objects.filter(pk=draft_id).first()
    return draft if draft is not None and draft.competitor.get("url") == url else None


@transaction.atomic
def _keep(*, draft_id: str, url: str, lease: jobs.Lease | None, changes: dict[str, Any]) -> None:
    if lease is not None:
        lease.guard()
    draft = Draft.objects.select_for_update().filter(pk=draft_id).first()
    if draft is None or draft.competitor.get("url") != url:
        return
    draft.competitor = {"url": url, "comparison": [], **changes}
    draft.updated_at = timezone.now()
    draft.save(update_fields=["competitor", "updated_at"])


def fail(*, draft_id: str, url: str, reason: str, lease: jobs.Lease | None = None) -> None:
    _keep(draft_id=draft_id, url=url, lease=lease, changes={"status": "failed", "reason": reason})


def give_up(*, draft_id: str, url: str, **_: str) -> None:
    """The job has failed for good through a fault of ours."""
    fail(draft_id=draft_id, url=url, reason=FAULT)
