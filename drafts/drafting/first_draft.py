"""The main job: read a website, write a draft from it, keep only what the website says."""

import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from core import events, jobs
from core.api.errors import ApiError
from core.api.handler import problem
from core.clock import database_now
from core.fetch import Fetcher, InvalidUrlError, canonical_url
from directory.errors import DuplicateListingError
from directory.models import Category
from drafts import languages, limits, machinery
from drafts.crawl.report import Budget, CrawledPage, CrawlFailedError, CrawlProgress, CrawlReport
from drafts.drafting import model_answers
from drafts.facts import completeness
from drafts.facts.storing import clean, keep_written, plain
from drafts.models import Draft, DraftPage
from drafts.pictures import logos, photos, site_pictures
from drafts.processor import within
from drafts.requests.submitting import recognise
from drafts.requests.turns import Turn, single_crawl, turn
from drafts.writing.countries import cities_in, countries_in
from drafts.writing.port import CategoryHint, Written

Status = Draft.Status
CRAWLING_SECONDS, READING_SECONDS, WRITING_SECONDS = 30.0, 30.0, 30.0
"""Of the processor. The most costly pages that are known take 6 of the second and 10 of the third."""
LARGE = 300_000  # bytes of markup; from here on a site can cost seconds of the processor
LARGE_GIVES_WAY = timedelta(seconds=30)
WAIT_FOR_OTHERS_SECONDS = 2.0
TOO_LONG = (
    "We did not get through the site in the time that one draft has. Submit it again later, or give a smaller part of"
    " it."
)
CLOSED_BY_ROBOTS = {"robots_blocked", "robots_unreachable"}
CRAWLED = ("status", "stage", "percent", "home_url", "robots", "warnings", "pages_read", "updated_at")
WRITER = ("writer_name", "writer_model", "writer_note", "writer_refused")
WRITTEN = (
    *("status", "stage", "percent", "faqs", "founders", "ai_faqs", "ai_founders", *WRITER, "warnings"),
    *("completeness", "logo", "site_picture_url", "site_picture", "revision", "updated_at"),
)


class SiteNotDraftedError(ApiError):
    """A website that gave no draft; the draft carries the reason."""

    title = "The website could not be drafted from"


@dataclass(frozen=True, kw_only=True)
class Progress:
    """Writes how far a crawl is, and keeps the job's lease."""

    draft_id: uuid.UUID
    lease: jobs.Lease
    mine: Turn

    def __call__(self, step: CrawlProgress) -> None:
        self.lease.renew()
        self.mine.go_on()
        planned = max(step.pages_planned, step.pages_read, 1)
        Draft.objects.filter(pk=self.draft_id).update(
            stage="reading",
            pages_read=step.pages_read,
            percent=min(70, 5 + 65 * step.pages_read // planned),
            updated_at=timezone.now(),
        )


def prepare() -> None:
    """Load what reads and writes, and the words of all languages, before the processes are made that all need them."""
    machinery.load()
    languages.compile_all()
    cities_in("")
    countries_in("")


def write_from_website(*, draft_id: str, lease: jobs.Lease) -> None:
    """Crawl and write one draft. Runs again from the last step that was kept. Raises OutOfTimeError."""
    draft = Draft.objects.filter(pk=draft_id).first()
    if draft is None or draft.status in {Status.READY, Status.FAILED}:
        return
    try:
        with turn(owner_id=draft.owner_id, domain=draft.domain, holder=f"draft {draft.pk}") as mine:
            if draft.status != Status.DRAFTING:
                _crawl(draft, lease=lease, mine=mine)
            with single_large_read(draft):
                _write(draft, site=_read(draft, lease=lease), lease=lease)
    except CrawlFailedError as error:
        fail(draft_id=draft_id, code=error.code, detail=error.detail, lease=lease, page=error.page)
    except DuplicateListingError as error:
        fail(draft_id=draft_id, code=error.code, detail=error.detail, lease=lease)


def _crawl(draft: Draft, *, lease: jobs.Lease, mine: Turn) -> None:
    Draft.objects.filter(pk=draft.pk).update(stage="robots", percent=2, updated_at=timezone.now())
    progress = Progress(draft_id=draft.pk, lease=lease, mine=mine)
    with Fetcher() as fetcher:
        result = crawled(url=draft.url, fetcher=fetcher, on_page=progress)
    report = storable(result)
    with transaction.atomic():
        lease.guard()
        keep_pages(draft, report.pages)
        draft.status, draft.stage, draft.percent = Status.DRAFTING, "writing", 75
        draft.home_url, draft.robots = report.home_url, report.robots
        draft.warnings = list(report.warnings)
        draft.pages_read = len(report.read)
        draft.updated_at = timezone.now()
        draft.save(update_fields=CRAWLED)


def crawled(
    *, url: str, fetcher: Fetcher, on_page: Callable[[CrawlProgress], None], budget: Budget | None = None
) -> CrawlReport:
    """The crawl of a site, bounded in what it takes of the processor too. Raises OutOfTimeError."""
    return within(
        CRAWLING_SECONDS,
        lambda: machinery.crawl(url=url, fetcher=fetcher, on_page=on_page, budget=budget or Budget()),
    )


def site_of(report: CrawlReport) -> "machinery.SiteText":
    """The words of a crawl. Raises OutOfTimeError for more than we read."""
    return within(READING_SECONDS, lambda: machinery.read_site(report))


def _read(draft: Draft, *, lease: jobs.Lease) -> "machinery.SiteText":
    """The site's words, kept with its pages, and which site it is."""
    lease.renew()
    site = site_of(stored_report(draft))
    with transaction.atomic():
        lease.guard()
        recognise(draft, home_url=draft.home_url, canonical=_canonical(site))
        draft.save(update_fields=["site_key", "domain", "duplicate_of"])
        keep_texts(draft, site=site)
    return site


def keep_texts(draft: Draft, *, site: "machinery.SiteText") -> None:
    texts = {page.url: clean(page.text) for page in site.pages}
    rows = [row for row in draft.pages.defer("html") if row.url in texts]
    for row in rows:
        row.text = texts[row.url]
    DraftPage.objects.bulk_update(rows, ["text"])


def _canonical(site: "machinery.SiteText") -> str:
    """The address that the home page names as its own, if it can be one."""
    try:
        return canonical_url(site.pages[0].meta.get("canonical", "")) if site.pages else ""
    except InvalidUrlError:
        return ""


def storable(report: CrawlReport) -> CrawlReport:
    """The crawl as the database will give it back, so that a second attempt reads the same."""
    return replace(report, pages=tuple(map(_storable_page, report.pages)))


def _storable_page(page: CrawledPage) -> CrawledPage:
    return replace(
        page,
        url=page.url[: limits.URL],
        html=clean(page.html),
        title=clean(page.title)[:500],
        detail=page.detail[:500],
    )


@contextmanager
def single_large_read(draft: Draft) -> Iterator[None]:
    """One large site at a time per person is read and written, behind other people's drafts.

    What the largest sites cost, others would wait for: the shortest work first, with an end to the waiting.
    """
    if draft.pages.filter(skipped="").aggregate(bytes=Sum("size", default=0))["bytes"] < LARGE:
        yield
        return
    oldest = database_now() - LARGE_GIVES_WAY
    others = Draft.objects.filter(status=Status.CRAWLING, created_at__gt=oldest).exclude(owner=draft.owner_id)
    if draft.created_at > oldest and others.exists():
        raise jobs.NotNowError(seconds=WAIT_FOR_OTHERS_SECONDS)
    with single_crawl(f"large:{draft.owner_id}", owner=f"draft {draft.pk}"):
        yield


def keep_pages(draft: Draft, pages: Sequence[CrawledPage]) -> None:
    """Put the pages of a crawl into the place of those there were."""
    draft.pages.all().delete()
    DraftPage.objects.bulk_create(
        DraftPage(draft=draft, position=position, **vars(page) | {"skipped": page.skipped or ""})
        for position, page in enumerate(pages)
    )


def stored_report(draft: Draft) -> CrawlReport:
    rows = draft.pages.order_by("position").values(*(part.name for part in fields(CrawledPage)))
    pages = tuple(CrawledPage(**row | {"skipped": row["skipped"] or None}) for row in rows)
    return CrawlReport(
        start_url=draft.url,
        home_url=draft.home_url,
        robots=draft.robots,  # type: ignore[arg-type]
        pages=pages,
        warnings=tuple(draft.warnings),
    )


def category_hints() -> tuple[CategoryHint, ...]:
    rows = Category.objects.order_by("position", "pk").values_list("slug", "name", "terms", "parent__slug")
    return tuple(
        CategoryHint(slug=slug, name=name, terms=tuple(terms), parent=parent)
        for slug, name, terms, parent in rows
    )


def write(
    site: "machinery.SiteText",
    *,
    draft: Draft,
    only: frozenset[str] | None = None,
    avoid: Mapping[str, str] | None = None,
) -> Written:
    """Write the named fields, or all, and keep what survives the check. Hold no transaction meanwhile.

    Without a key, or when the day's share of the model is used up, the rules write alone. Raises OutOfTimeError.
    """
    rules = machinery.ExtractiveWriter(categories=category_hints())
    if not model_answers.is_configured():
        return within(WRITING_SECONDS, partial(rules.write, site, fields=only))
    if not model_answers.is_within_caps(owner_id=draft.owner_id, at=timezone.now()):
        written = within(WRITING_SECONDS, partial(rules.write, site, fields=only))
        return replace(written, note=model_answers.CAP_NOTE)
    model = model_answers.RememberingModel(
        model_answers.configured_model(),
        owner_id=draft.owner_id,
        draft_id=draft.pk,
        pages=tuple(page.sha256 for page in site.pages),
    )
    writer = machinery.OpenAIWriter(
        model=model,
        rules=rules,
        seconds=settings.AI_TIMEOUT,
        input_tokens=settings.AI_INPUT_TOKENS,
        avoid=avoid or {},
        asks_again=settings.AI_ASKS_AGAIN,
    )
    return within(WRITING_SECONDS, lambda: writer.write(site, fields=only))


def note_writer(draft: Draft, written: Written) -> None:
    """Who wrote, with what, what went wrong, and what the check did not let pass."""
    draft.writer_name, draft.writer_note = written.writer, written.note[:500]
    draft.writer_model = written.usage.model[:80]
    draft.writer_refused = [
        {"field": entry.field, "value": plain(entry.value), "why": entry.why} for entry in written.refused
    ]


def _write(draft: Draft, *, site: "machinery.SiteText", lease: jobs.Lease) -> None:
    lease.renew()
    written = write(site, draft=draft)
    founders = [*draft.founders, *map(vars, written.founders)]
    ties = photos.tied(draft, founders=founders)
    now = timezone.now()
    with transaction.atomic():
        lease.guard()
        locked = Draft.objects.select_for_update().get(pk=draft.pk)
        values = keep_written(locked, written=written, at=now)
        locked.status, locked.stage, locked.percent = Status.READY, "ready", 100
        note_writer(locked, written)
        locked.warnings = list(dict.fromkeys([*locked.warnings, *written.warnings]))
        logos.follow(locked, url=values.get("logo_url"), at=now)
        locked.completeness = completeness.percent(values, logo=locked.logo)
        site_pictures.name(locked, site=site, at=now)
        locked.revision += 1
        locked.updated_at = now
        locked.save(update_fields=WRITTEN)
        photos.offer(locked, ties)
        events.emit("draft.ready", user_id=locked.owner_id, thing=locked.pk)


@transaction.atomic
def fail(
    *, draft_id: str, code: str, detail: str, lease: jobs.Lease | None = None, page: CrawledPage | None = None
) -> None:
    """End a draft with a reason a person understands, and the home page that was asked for. It can be tried again."""
    if lease is not None:
        lease.guard()
    draft = Draft.objects.select_for_update().filter(pk=draft_id).first()
    if draft is None or not draft.can_become(Status.FAILED):
        return
    error = SiteNotDraftedError(detail)
    body = problem(error, instance=f"/api/v1/drafts/{draft.pk}", request_id=draft.request_id)
    body["code"], body["type"] = code, body["type"].rpartition("#")[0] + f"#{code}"
    if not draft.request_id:
        del body["request_id"]
    if code in CLOSED_BY_ROBOTS:
        draft.robots = "blocked"
    elif page is not None:
        draft.robots = "allowed"
        unused = replace(page, skipped=page.skipped or "error", detail=page.detail or detail)
        unused = replace(unused, html="", fetched_at=None)
        keep_pages(draft, [_storable_page(unused)])
    draft.status, draft.stage, draft.error, draft.updated_at = Status.FAILED, "failed", body, timezone.now()
    draft.save(update_fields=["status", "stage", "error", "robots", "updated_at"])
    draft.field_rows.filter(state="not_found", reason="").update(reason=draft.blank_reason)
    events.emit("draft.failed", user_id=draft.owner_id, thing=draft.pk)


def give_up(*, draft_id: str, **_: str) -> None:
    """The job has failed for good through a fault of ours."""
    fail(
        draft_id=draft_id,
        code="internal_error",
        detail="Something on our side failed each time we tried to draft this site. It is logged; try again.",
    )
