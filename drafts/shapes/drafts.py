from collections.abc import Sequence
from typing import Any

from django.conf import settings
from rest_framework import serializers

from core.api.schema import ProblemOut
from core.api.serializers import OpenWord, Shape
from directory.listings.next_actions import next_actions as next_actions_of_listing
from directory.listings.shapes.own import FieldChangeOut, NextActionOut
from directory.wording import in_a_row
from drafts import limits
from drafts.facts import completeness
from drafts.models import Draft, DraftField
from drafts.selectors import DraftView, suggested_in
from drafts.shapes.parts import (
    CompetitorOut,
    CrawledPageOut,
    DraftCrawlOut,
    DraftFaqOut,
    DraftFieldOut,
    DraftFieldsOut,
    DraftFounderOut,
    DraftMilestoneOut,
    DraftProgressOut,
    DraftWriterOut,
    DuplicateListingOut,
    EvidenceOut,
    InviteOut,
    MissingFieldOut,
    SeoOut,
)

POLL_AFTER_SECONDS = 2
TO_FILL = "Fill in what a listing still needs; see missing."
CLAIM = {"operation": "claim_listing", "method": "POST", "path": "/api/v1/claims"}
RUNNING = {Draft.Status.CRAWLING, Draft.Status.DRAFTING}


def is_moving(draft: Draft) -> bool:
    """Whether the draft, some of its fields or a comparison is being written."""
    return draft.status in RUNNING or bool(draft.redrafting) or reads_competitor(draft)


def reads_competitor(draft: Draft) -> bool:
    return draft.competitor.get("status") == "reading"


def next_actions(draft: Draft, *, is_ready: bool, taking: Sequence[str] = ()) -> list[dict[str, str]]:
    """What the owner, or the owner's agent, can do now; `taking` are fields whose suggestions complete the draft."""
    here = f"/api/v1/drafts/{draft.pk}"
    get = {"operation": "get_draft", "method": "GET", "path": here}
    edit = {"operation": "update_draft", "method": "PATCH", "path": here}
    if draft.status in RUNNING:
        return [{**get, "why": f"The draft is being written; ask again in {POLL_AFTER_SECONDS} seconds."}]
    if draft.status == Draft.Status.FAILED:
        again = {"operation": "submit_listing", "method": "POST", "path": "/api/v1/drafts"}
        return [
            {
                **again,
                "why": "The site could not be drafted; submit its address again once the cause is mended.",
            },
            {**edit, "why": "Or give the values yourself: with the first one the draft is ready."},
        ]
    if draft.redrafting:
        names = ", ".join(draft.redrafting)
        why = f"Looking for another suggestion: {names}. Ask again in {POLL_AFTER_SECONDS} seconds."
        rest = _at_rest(draft, is_ready=is_ready, taking=taking)
        return [{**get, "why": why}, *rest]
    rest = _at_rest(draft, is_ready=is_ready, taking=taking)
    if reads_competitor(draft):
        why = f"The competitor's site is being read. Ask again in {POLL_AFTER_SECONDS} seconds."
        return [{**get, "why": why}, *rest]
    return rest


def _at_rest(draft: Draft, *, is_ready: bool, taking: Sequence[str]) -> list[dict[str, str]]:
    here = f"/api/v1/drafts/{draft.pk}"
    edit = {"operation": "update_draft", "method": "PATCH", "path": here}
    if draft.listing_id is not None:
        listing = f"/api/v1/me/listings/{draft.listing_id}"
        return [
            {**edit, "why": "Edits of this draft update its listing too."},
            {
                "operation": "get_my_listing",
                "method": "GET",
                "path": listing,
                "why": "See the listing and how to launch it.",
            },
        ]
    if draft.lost_listing is not None:
        why = f"Somebody else has the listing of this draft, {draft.lost_listing.slug}. If it is yours, prove it."
        return [CLAIM | {"why": why}]
    if not is_ready:
        why = f"Take a suggestion for {in_a_row(taking)}: no more is needed." if taking else TO_FILL
        return [{**edit, "why": why}, *_claim(draft)]
    submit = {"operation": "submit_draft", "method": "POST", "path": f"{here}/submit"}
    return [
        {**submit, "why": "Save the draft as a listing; nothing is published yet."},
        {**edit, "why": "Correct or complete the draft first."},
        *_claim(draft),
    ]


def _claim(draft: Draft) -> list[dict[str, str]]:
    """The way to a listing of this website that is there already and that nobody has proved to be theirs."""
    twin = draft.duplicate_of
    if twin is None or twin.claimed_by_method or twin.owner_id == draft.owner_id:
        return []
    why = (
        f"The website is listed already as {twin.slug}. If it is yours, prove it and take that listing over."
    )
    return [CLAIM | {"why": why}]


STATUSES = ("crawling", "drafting", "ready", "failed")
REWRITING = "rewriting"


class DraftProblemOut(ProblemOut):
    """Why the website could not be drafted from (RFC 9457)."""

    request_id = serializers.CharField(
        allow_null=True, help_text="Of the request that asked for the draft; null where it is not known."
    )


class DraftOut(Shape):
    """A draft with every field, its evidence, and what is missing."""

    sends = ("Retry-After",)

    id = serializers.UUIDField(help_text="The draft's id.")
    url = serializers.URLField(help_text="The website it is written from.")
    status = OpenWord(values=STATUSES, help_text="Where it stands.")
    progress = DraftProgressOut()
    fields = DraftFieldsOut()  # type: ignore[assignment]
    faqs = DraftFaqOut(many=True, help_text="Questions and answers.")
    founders = DraftFounderOut(many=True, help_text="Founders, the primary one first.")
    company_socials = serializers.DictField(
        child=DraftFieldOut(), help_text="The company's links by platform."
    )
    founder_socials = serializers.DictField(
        child=DraftFieldOut(), help_text="The primary founder's links by platform."
    )
    story = serializers.DictField(child=serializers.CharField(), help_text="The story by section.")
    milestones = DraftMilestoneOut(many=True, help_text="Milestones you gave.")
    seo = SeoOut()
    competitor = CompetitorOut()
    invites = InviteOut(many=True, help_text="Co-founders you invited.")
    completeness = serializers.IntegerField(help_text="0 to 100.")
    missing = MissingFieldOut(many=True, help_text="What is blank or no listing can hold.")
    ready_to_submit = serializers.BooleanField(help_text="submit_draft can save it as a listing.")
    crawl = DraftCrawlOut()
    writer = DraftWriterOut(help_text="Who writes it.")
    error = DraftProblemOut(
        allow_null=True,
        help_text="Why the website could not be read; it stays told once you fill it in by hand.",
    )
    listing_id = serializers.IntegerField(allow_null=True, help_text="The listing made from it; null before.")
    duplicate_of = DuplicateListingOut(
        allow_null=True, help_text="A live listing of the same website; null without one."
    )
    created_at = serializers.DateTimeField(help_text="When it was submitted.")
    updated_at = serializers.DateTimeField(help_text="When it last changed.")
    poll_after_seconds = serializers.IntegerField(
        allow_null=True, help_text="When to ask again; null once nothing is being written."
    )
    next_actions = NextActionOut(many=True, help_text="What you can do now, the most useful first.")

    @classmethod
    def render(cls, value: DraftView) -> dict[str, Any]:
        draft = value.draft
        groups: dict[str, dict[str, Any]] = {group: {} for group in DraftField.Group.values}
        for row in value.fields:
            groups[row.group][row.name] = row
        own = groups[DraftField.Group.FIELDS]
        values = {name: row.value for name, row in own.items()}
        suggested = suggested_in(own.values())
        is_whole = draft.status == Draft.Status.READY and completeness.is_submittable(values)
        is_ready = is_whole and not value.gone and draft.lost_listing is None
        taking = [] if value.gone else completeness.completed_by_taking(values, suggested)
        return cls.of(
            draft,
            progress=DraftProgressOut.of(draft, stage=REWRITING if draft.redrafting else draft.stage),
            fields={name: DraftFieldOut.render(own[name]) for name in limits.FIELDS if name in own},
            faqs=[_quoted(faq) for faq in draft.faqs],
            founders=[{"title": None, "bio": None, **_quoted(founder)} for founder in draft.founders],
            **{
                group: {name: DraftFieldOut.render(row) for name, row in sorted(groups[group].items())}
                for group in (DraftField.Group.COMPANY_SOCIALS.value, DraftField.Group.FOUNDER_SOCIALS.value)
            },
            milestones=[{"description": None, "url": None, **item} for item in draft.milestones],
            seo={"title": draft.seo.get("title"), "meta": draft.seo.get("meta")},
            competitor=_competitor(draft),
            invites=[InviteOut.render(invite) for invite in value.invites],
            missing=completeness.missing(
                values, suggested=suggested, waiting=value.waiting, gone=value.gone, logo=draft.logo
            ),
            ready_to_submit=is_ready,
            crawl=DraftCrawlOut.of(draft, pages=[CrawledPageOut.render(page) for page in value.pages]),
            writer=_writer(draft),
            error=draft.error and {"request_id": None, **draft.error},
            duplicate_of=_duplicate(draft),
            poll_after_seconds=POLL_AFTER_SECONDS if is_moving(draft) else None,
            next_actions=next_actions(draft, is_ready=is_ready, taking=taking),
        )

    @classmethod
    def headers(cls, value: DraftView) -> dict[str, str]:
        """When to ask again, while something is being written."""
        return {"Retry-After": str(POLL_AFTER_SECONDS)} if is_moving(value.draft) else {}


def _competitor(draft: Draft) -> dict[str, Any]:
    result = {"url": None, "status": "none", "comparison": [], **draft.competitor}
    return {**result, "comparison": [_quoted(row) for row in result["comparison"]]}


def _quoted(entry: dict[str, Any]) -> dict[str, Any]:
    return {**entry, "evidence": [EvidenceOut.render(quote) for quote in entry["evidence"]]}


def _writer(draft: Draft) -> dict[str, Any]:
    """Who wrote it; before that, and of a website that could not be read, who writes here."""
    tokens = draft.tokens_in + draft.tokens_out
    return {
        "name": draft.writer_name or ("openai" if settings.OPENAI_API_KEY else "extractive"),
        "model": draft.writer_model or None,
        "tokens": tokens or None,
        "note": draft.writer_note or None,
        "refused": draft.writer_refused,
    }


def _duplicate(draft: Draft) -> dict[str, Any] | None:
    if draft.duplicate_of is None:
        return None
    return {"slug": draft.duplicate_of.slug, "claimable": not draft.duplicate_of.claimed_by_method}


class DraftItemOut(Shape):
    """A draft in a list."""

    id = serializers.UUIDField(help_text="The draft's id.")
    url = serializers.URLField(help_text="The website it is written from.")
    status = OpenWord(values=STATUSES, help_text="Where it stands.")
    completeness = serializers.IntegerField(help_text="0 to 100.")
    name = serializers.CharField(allow_null=True, help_text="The product's name; null while it is unknown.")
    listing_id = serializers.IntegerField(allow_null=True, help_text="The listing made from it; null before.")
    created_at = serializers.DateTimeField(help_text="When it was submitted.")
    updated_at = serializers.DateTimeField(help_text="When it last changed.")

    @classmethod
    def render(cls, value: Any) -> dict[str, Any]:
        return cls.of(value, listing_id=value.own_listing_id)


class SubmittedDraftOut(Shape):
    """The saved listing of a draft."""

    listing_id = serializers.IntegerField(min_value=1, help_text="The listing's id in your own operations.")
    slug = serializers.CharField(help_text="The listing's slug.")
    status = OpenWord(values=("draft", "awaiting_badge", "scheduled", "live"), help_text="Where it stands.")
    created = serializers.BooleanField(help_text="It is new; false when an earlier one was updated.")
    changes = FieldChangeOut(
        many=True,
        help_text="What changed in a listing that was there before. categories_waiting: those beyond its plan.",
    )
    next_actions = NextActionOut(many=True, help_text="What you can do now, the most useful first.")

    @classmethod
    def render(cls, value: Any) -> dict[str, Any]:
        listing = value.listing
        actions = next_actions_of_listing(listing, queue=None)
        if value.waiting:
            waits = completeness.waits([row.name for row in value.waiting])
            actions = [{**act, "why": waits} if act["operation"] == "quote_order" else act for act in actions]
        return cls.of(
            value, listing_id=listing.pk, slug=listing.slug, status=listing.status, next_actions=actions
        )
