"""Answers of the drafts area."""

from typing import Any

from rest_framework import serializers

from core.schema import FieldErrorOut
from core.serializers import AnyValue, Shape
from directory.serializers.own import NextActionOut
from drafts import completeness, limits
from drafts.models import Draft, DraftField
from drafts.selectors import DraftView
from drafts.serializers.actions import POLL_AFTER_SECONDS, is_moving, next_actions

REWRITING = "rewriting"


class EvidenceOut(Shape):
    """A quote that stands literally on the website."""

    quote = serializers.CharField()
    url = serializers.CharField()
    link = serializers.CharField(help_text="Opens the page at the quote (text fragment).")
    page_title = serializers.CharField(required=False, allow_null=True)
    source = serializers.CharField(help_text="text, meta, json_ld, alt or robots; more may come.")  # type: ignore[assignment]
    start = serializers.IntegerField(required=False, allow_null=True)
    end = serializers.IntegerField(required=False, allow_null=True)
    page_sha256 = serializers.CharField()
    fetched_at = serializers.DateTimeField(allow_null=True)

    @classmethod
    def render(cls, value: dict[str, Any]) -> dict[str, Any]:
        """All parts, unknown ones null: a quote from a tag has no place in the text."""
        return {"page_title": None, "start": None, "end": None, **value}


class DraftFieldOut(Shape):
    """One value of a draft and whose it is."""

    value = AnyValue()
    state = serializers.CharField(
        help_text="ai, not_found, edited, manual, override or deleted; more may come."
    )
    evidence = EvidenceOut(many=True)
    locked = serializers.BooleanField()
    ai_value = AnyValue(required=False)
    reason = serializers.CharField(allow_null=True, required=False)
    updated_at = serializers.DateTimeField()
    updated_by = serializers.CharField()

    @classmethod
    def render(cls, value: DraftField) -> dict[str, Any]:
        """From a row."""
        return {
            "value": value.value,
            "state": value.state,
            "evidence": [EvidenceOut.render(quote) for quote in value.evidence],
            "locked": value.is_locked,
            "ai_value": value.ai_value,
            "reason": value.reason or None,
            "updated_at": value.updated_at,
            "updated_by": value.updated_by,
        }


class DraftFieldsOut(Shape):
    """Every key of update_draft's fields."""

    def get_fields(self) -> dict[str, serializers.Field]:
        """One field for each key."""
        return {name: DraftFieldOut() for name in limits.FIELDS}


class DraftProgressOut(Shape):
    """How far the drafting is."""

    stage = serializers.CharField()
    pages_read = serializers.IntegerField()
    percent = serializers.IntegerField()


class DraftFaqOut(Shape):
    """A drafted question."""

    question = serializers.CharField()
    answer = serializers.CharField()
    state = serializers.CharField()
    evidence = EvidenceOut(many=True)


class DraftFounderOut(Shape):
    """A drafted founder."""

    name = serializers.CharField()
    title = serializers.CharField(allow_null=True, required=False)
    bio = serializers.CharField(allow_null=True, required=False)
    state = serializers.CharField()
    evidence = EvidenceOut(many=True)


class DraftMilestoneOut(Shape):
    """A milestone the owner gave."""

    date = serializers.DateField()
    title = serializers.CharField()
    description = serializers.CharField(allow_null=True, required=False)
    url = serializers.CharField(allow_null=True, required=False)


class SeoOut(Shape):
    """What search engines show."""

    title = serializers.CharField(allow_null=True, required=False)
    meta = serializers.CharField(allow_null=True, required=False)


class ComparedFactOut(Shape):
    """One fact of the draft beside the competitor's, with the quotes that carry the latter."""

    attribute = serializers.CharField()
    ours = AnyValue()
    theirs = AnyValue()
    evidence = EvidenceOut(many=True)


class CompetitorOut(Shape):
    """The comparison with one competitor."""

    url = serializers.CharField(allow_null=True)
    status = serializers.CharField(help_text="none, reading, ready or failed; more may come.")
    reason = serializers.CharField(required=False, help_text="Why it failed.")
    comparison = ComparedFactOut(many=True)


class InviteOut(Shape):
    """An invitation."""

    email = serializers.CharField()
    status = serializers.CharField(help_text="sent, accepted or expired; more may come.")
    sent_at = serializers.DateTimeField()

    @classmethod
    def render(cls, value: Any) -> dict[str, Any]:
        """From a row."""
        return {
            "email": value.email,
            "status": getattr(value, "stands", value.status),
            "sent_at": value.sent_at,
        }


class MissingFieldOut(Shape):
    """A blank field."""

    field = serializers.CharField()
    required = serializers.BooleanField()  # type: ignore[assignment]
    hint = serializers.CharField()


class CrawledPageOut(Shape):
    """One address of the crawl."""

    url = serializers.CharField()
    status = serializers.IntegerField(allow_null=True)
    bytes = serializers.IntegerField()
    skipped = serializers.CharField(required=False, allow_null=True)
    reason = serializers.CharField(required=False, allow_null=True)


class DraftCrawlOut(Shape):
    """What was read, what was not, and why."""

    robots = serializers.CharField(
        allow_null=True, help_text="allowed, partly or blocked; null until robots.txt was asked for."
    )
    pages = CrawledPageOut(many=True)
    warnings = serializers.ListField(child=serializers.CharField(), required=False)


class DraftWriterOut(Shape):
    """Who wrote the draft."""

    name = serializers.CharField()
    model = serializers.CharField(allow_null=True, required=False)
    tokens = serializers.IntegerField(allow_null=True, required=False)
    note = serializers.CharField(allow_null=True, required=False)


class DuplicateListingOut(Shape):
    """A live listing of the same site."""

    slug = serializers.CharField()
    claimable = serializers.BooleanField()


class DraftErrorOut(Shape):
    """Why the website could not be drafted from: a problem object (RFC 9457)."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField()
    instance = serializers.CharField()
    request_id = serializers.CharField(required=False, help_text="Of the request that asked for the draft.")
    errors = FieldErrorOut(many=True)  # type: ignore[assignment]


class DraftOut(Shape):
    """A draft with every field, its evidence, and what is missing."""

    id = serializers.UUIDField()
    url = serializers.CharField()
    status = serializers.CharField(help_text="crawling, drafting, ready or failed; more may come.")
    progress = DraftProgressOut()
    fields = DraftFieldsOut()  # type: ignore[assignment]
    faqs = DraftFaqOut(many=True)
    founders = DraftFounderOut(many=True)
    company_socials = serializers.DictField(child=DraftFieldOut())
    founder_socials = serializers.DictField(child=DraftFieldOut())
    story = serializers.DictField(child=serializers.CharField())
    milestones = DraftMilestoneOut(many=True)
    seo = SeoOut()
    competitor = CompetitorOut()
    invites = InviteOut(many=True)
    completeness = serializers.IntegerField()
    missing = MissingFieldOut(many=True)
    ready_to_submit = serializers.BooleanField()
    crawl = DraftCrawlOut()
    writer = DraftWriterOut(allow_null=True)
    error = DraftErrorOut(allow_null=True, required=False)
    listing_id = serializers.IntegerField(allow_null=True, required=False)
    duplicate_of = DuplicateListingOut(allow_null=True, required=False)
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    poll_after_seconds = serializers.IntegerField(required=False, allow_null=True)
    next_actions = NextActionOut(many=True)

    @classmethod
    def render(cls, value: DraftView) -> dict[str, Any]:
        """From a DraftView."""
        draft = value.draft
        groups: dict[str, dict[str, Any]] = {group: {} for group in DraftField.Group.values}
        for row in value.fields:
            groups[row.group][row.name] = row
        own = groups[DraftField.Group.FIELDS]
        values = {name: row.value for name, row in own.items()}
        is_ready = draft.status == Draft.Status.READY and completeness.is_submittable(values)
        return {
            "id": draft.pk,
            "url": draft.url,
            "status": draft.status,
            "progress": {
                "stage": REWRITING if draft.redrafting else draft.stage,
                "pages_read": draft.pages_read,
                "percent": draft.percent,
            },
            "fields": {name: DraftFieldOut.render(own[name]) for name in limits.FIELDS if name in own},
            "faqs": [_quoted(faq) for faq in draft.faqs],
            "founders": [_quoted(founder) for founder in draft.founders],
            **{
                group: {name: DraftFieldOut.render(row) for name, row in sorted(groups[group].items())}
                for group in (DraftField.Group.COMPANY_SOCIALS.value, DraftField.Group.FOUNDER_SOCIALS.value)
            },
            "story": draft.story,
            "milestones": draft.milestones,
            "seo": {"title": draft.seo.get("title"), "meta": draft.seo.get("meta")},
            "competitor": {"url": None, "status": "none", "comparison": [], **draft.competitor},
            "invites": [InviteOut.render(invite) for invite in value.invites],
            "completeness": draft.completeness,
            "missing": completeness.missing(values),
            "ready_to_submit": is_ready,
            "crawl": _crawl(value),
            "writer": _writer(draft),
            "error": draft.error,
            "listing_id": draft.listing_id,
            "duplicate_of": _duplicate(draft),
            "created_at": draft.created_at,
            "updated_at": draft.updated_at,
            "poll_after_seconds": POLL_AFTER_SECONDS if is_moving(draft) else None,
            "next_actions": next_actions(draft, is_ready=is_ready),
        }

    @classmethod
    def headers(cls, value: DraftView) -> dict[str, str]:
        """When to ask again, while something is being written."""
        return {"Retry-After": str(POLL_AFTER_SECONDS)} if is_moving(value.draft) else {}


def _quoted(entry: dict[str, Any]) -> dict[str, Any]:
    return {**entry, "evidence": [EvidenceOut.render(quote) for quote in entry["evidence"]]}


def _crawl(view: DraftView) -> dict[str, Any]:
    pages = []
    for page in view.pages:
        entry = {"url": page.url, "status": page.status, "bytes": page.size}
        pages.append({**entry, "skipped": page.skipped or None, "reason": page.detail or None})
    return {"robots": view.draft.robots or None, "pages": pages, "warnings": view.draft.warnings}


def _writer(draft: Draft) -> dict[str, Any] | None:
    if not draft.writer_name:
        return None
    tokens = draft.tokens_in + draft.tokens_out
    return {
        "name": draft.writer_name,
        "model": draft.writer_model or None,
        "tokens": tokens or None,
        "note": draft.writer_note or None,
    }


def _duplicate(draft: Draft) -> dict[str, Any] | None:
    if draft.duplicate_of is None:
        return None
    return {"slug": draft.duplicate_of.slug, "claimable": draft.duplicate_of.owner_id is None}


class DraftItemOut(Shape):
    """A draft in a list."""

    id = serializers.UUIDField()
    url = serializers.CharField()
    status = serializers.CharField()
    completeness = serializers.IntegerField()
    name = serializers.CharField(allow_null=True, required=False)
    listing_id = serializers.IntegerField(allow_null=True, required=False)
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()

    @classmethod
    def render(cls, value: Any) -> dict[str, Any]:
        """From a draft with its name."""
        return {
            "id": value.pk,
            "url": value.url,
            "status": value.status,
            "completeness": value.completeness,
            "name": value.name,
            "listing_id": value.listing_id,
            "created_at": value.created_at,
            "updated_at": value.updated_at,
        }


class FieldChangeOut(Shape):
    """One field before and after."""

    field = serializers.CharField()
    before = AnyValue()
    after = AnyValue()


class SubmittedDraftOut(Shape):
    """The saved listing of a draft."""

    listing_id = serializers.IntegerField(min_value=1)
    slug = serializers.CharField()
    status = serializers.CharField()
    created = serializers.BooleanField()
    changes = FieldChangeOut(many=True)
    next_actions = NextActionOut(many=True)

    @classmethod
    def render(cls, value: Any) -> dict[str, Any]:
        """From what was saved."""
        listing = value.listing
        here = f"/api/v1/me/listings/{listing.pk}"
        actions = [
            {"operation": "get_my_listing", "method": "GET", "path": here, "why": "See the saved listing."}
        ]
        if listing.status == listing.Status.DRAFT:
            free = {"operation": "choose_free_listing", "method": "POST", "path": f"{here}/free"}
            actions.insert(
                0, {**free, "why": "Launch it free in a coming week, with our badge on the homepage."}
            )
        return {
            "listing_id": listing.pk,
            "slug": listing.slug,
            "status": listing.status,
            "created": value.created,
            "changes": value.changes,
            "next_actions": actions,
        }
