"""Drafts: what was read on a website, what was written from it, and what its owner made of it."""

import uuid
from datetime import datetime
from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Case, Exists, F, OuterRef, Q, Value, When
from django.db.models.expressions import Combinable

from core.api.errors import NotFoundError
from directory.models import Listing
from drafts import limits

OPEN = Q(listing=None) & ~Q(status="failed")


class DraftQuerySet(models.QuerySet["Draft"]):
    def owned_by(self, user_id: int) -> Self:
        return self.filter(owner_id=user_id)

    def own(self, user_id: int, draft_id: uuid.UUID) -> "Draft":
        """A person's draft. Raises NotFoundError, also for somebody else's."""
        row = self.owned_by(user_id).select_related("listing").filter(pk=draft_id).first()
        return NotFoundError.unless(row, "draft").without_lost_listing()

    def locked_of(self, user_id: int, draft_id: uuid.UUID) -> "Draft":
        """The same, for whoever changes it."""
        return self.select_for_update(of=("self",)).own(user_id, draft_id)

    def whose_listing_is_theirs(self) -> Self:
        """Those whose owner has their listing, alone or with others."""
        shared = Listing.co_owners.through.objects.filter(
            listing_id=OuterRef("listing_id"), user_id=OuterRef("owner_id")
        )
        return self.filter(Q(listing__owner=F("owner")) | Exists(shared))

    def open(self) -> Self:
        """Those that still may become a listing."""
        return self.filter(OPEN)


class Draft(models.Model):
    """A product's website on its way to a listing. All spellings of one site share its `site_key`."""

    class Status(models.TextChoices):
        CRAWLING = "crawling"
        DRAFTING = "drafting"
        READY = "ready"
        FAILED = "failed"

    MOVES: ClassVar[dict[str, set[str]]] = {
        Status.CRAWLING: {Status.DRAFTING, Status.FAILED},
        Status.DRAFTING: {Status.READY, Status.FAILED, Status.CRAWLING},
        Status.READY: set(),
        Status.FAILED: {Status.CRAWLING, Status.READY},
    }
    lost_listing: Listing | None = None
    # where a row names a file beside columns of files
    FILE_NAMES: ClassVar = (
        "logo->>'file'",
        "logo->'former'->>'file'",
        "jsonb_array_elements(media)->>'file'",
    )

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    site = models.ForeignKey("directory.Site", on_delete=models.PROTECT, related_name="drafts")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="drafts")
    url = models.CharField(max_length=limits.URL, help_text="The address that was submitted.")
    home_url = models.CharField(max_length=limits.URL, blank=True, help_text="Where the crawl arrived.")
    site_key = models.CharField(max_length=300)
    domain = models.CharField(max_length=253)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.CRAWLING)
    stage = models.CharField(max_length=40, default="queued")
    pages_read = models.PositiveSmallIntegerField(default=0)
    percent = models.PositiveSmallIntegerField(default=0)
    robots = models.CharField(max_length=8, blank=True, help_text="Empty until robots.txt was asked for.")
    warnings = models.JSONField(default=list, blank=True)
    error = models.JSONField(null=True, blank=True)
    request_id = models.CharField(
        max_length=64,
        blank=True,
        default="",
        db_default="",
        help_text="Of the request that asked for the draft.",
    )
    tries = models.PositiveSmallIntegerField(default=1)
    revision = models.PositiveIntegerField(default=0)
    redrafts = models.PositiveSmallIntegerField(default=0, help_text="Redrafts on the day of `redrafts_on`.")
    redrafts_on = models.DateField(null=True, blank=True)
    category_ideas = models.JSONField(  # not read since fields have suggestions; a later release drops it
        null=True,
        blank=True,
        help_text="Names of the categories that the website is likest, the likest first.",
    )
    logo = models.JSONField(
        null=True, blank=True, help_text="The address it was fetched from, our file, or why there is none."
    )
    site_picture_url = models.CharField(
        max_length=limits.URL,
        blank=True,
        default="",
        db_default="",
        help_text="What its home page names as og:image.",
    )
    site_picture = models.FileField(
        upload_to="drafts", blank=True, default="", db_default="", help_text="Ours of it, for the editor."
    )
    media = models.JSONField(
        default=list,
        db_default=Value([], models.JSONField()),
        blank=True,
        help_text="Its owner's pictures, which its listing gets.",
    )
    redrafting = models.JSONField(
        null=True, blank=True, help_text="Names of the fields that are being written again."
    )

    undo = models.JSONField(
        null=True, blank=True, help_text="What takes its last change back, and which revision that made."
    )

    faqs = models.JSONField(default=list, blank=True)
    founders = models.JSONField(default=list, blank=True)
    ai_faqs = models.JSONField(null=True, blank=True, help_text="What restore brings back.")
    ai_founders = models.JSONField(null=True, blank=True, help_text="What restore brings back.")
    story = models.JSONField(default=dict, blank=True)
    milestones = models.JSONField(default=list, blank=True)
    seo = models.JSONField(default=dict, blank=True)
    competitor = models.JSONField(default=dict, blank=True)
    completeness = models.PositiveSmallIntegerField(default=0)

    writer_name = models.CharField(max_length=40, blank=True)
    writer_model = models.CharField(max_length=80, blank=True)
    writer_note = models.CharField(max_length=500, blank=True)
    writer_refused = models.JSONField(
        default=list,
        db_default=Value([], models.JSONField()),
        blank=True,
        help_text="What a model proposed and the check refused: field, value and why.",
    )
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    cost_micros = models.PositiveBigIntegerField(default=0, help_text="Millionths of the currency unit.")

    listing = models.ForeignKey(
        "directory.Listing", on_delete=models.SET_NULL, null=True, blank=True, related_name="drafts"
    )
    duplicate_of = models.ForeignKey(
        "directory.Listing", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    objects = DraftQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["site", "owner", "site_key"], name="draft_one_open_per_site", condition=OPEN
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["owner", "-created_at", "-id"], name="draft_newest"),
            models.Index(fields=["listing"], name="draft_of_listing"),
            models.Index(fields=["-created_at", "-id"], name="draft_newest_of_all"),
            models.Index(fields=["status", "-created_at", "-id"], name="draft_newest_in_status"),
            models.Index(fields=["domain"], name="draft_domain"),
            models.Index(fields=["-created_at"], name="draft_ready", condition=Q(status="ready")),
            models.Index(
                fields=["created_at"],
                name="draft_unfinished",
                condition=Q(status__in=["crawling", "drafting"]),
            ),
            models.Index(fields=["created_at"], name="draft_failed", condition=Q(status="failed")),
        ]

    def __str__(self) -> str:
        return self.url

    @property
    def blank_reason(self) -> str:
        """Why a value could be missing that no writer looked for: a website that was not read says nothing."""
        if not self.error:
            return "not_on_site"
        return "robots_blocked" if self.robots == "blocked" else "fetch_failed"

    @property
    def not_ready(self) -> str:
        """What a draft waits for that is not ready."""
        if self.status == self.Status.FAILED:
            return "The website couldn’t be read. Give a first value by hand, or submit its address again."
        return f"The draft is {self.get_status_display().lower()}. Wait until it’s ready."

    def without_lost_listing(self) -> Self:
        """As it is for its owner: a listing that somebody else has by now is its own no more, but `lost_listing`."""
        listing = self.listing
        if listing and listing.owner_id != self.owner_id:
            self.listing = Listing.objects.owned_among(self.owner_id, [listing.pk]).first()
            self.lost_listing = None if self.listing else listing
        return self

    def blank_fields(self) -> "list[DraftField]":
        """A row for each fact, of which nothing is known yet."""
        return [DraftField(draft=self, name=name, updated_at=self.updated_at) for name in limits.FIELDS]

    def can_become(self, status: str) -> bool:
        return status in self.MOVES[self.status]


class DraftField(models.Model):
    """One value of a draft, with what the website says for it."""

    class State(models.TextChoices):
        AI = "ai"
        NOT_FOUND = "not_found"
        EDITED = "edited"
        MANUAL = "manual"
        OVERRIDE = "override"
        DELETED = "deleted"

    class Group(models.TextChoices):
        FIELDS = "fields"
        COMPANY_SOCIALS = "company_socials"
        FOUNDER_SOCIALS = "founder_socials"

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="field_rows")
    group = models.CharField(max_length=16, choices=Group.choices, default=Group.FIELDS)
    name = models.CharField(max_length=40)
    value = models.JSONField(null=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.NOT_FOUND)
    evidence = models.JSONField(default=list)
    is_locked = models.BooleanField(default=False)
    ai_value = models.JSONField(null=True)
    ai_evidence = models.JSONField(default=list)
    confidence = models.FloatField(
        null=True, blank=True, help_text="How sure the writer is of `ai_value`, from 0 to 1."
    )
    suggestions = models.JSONField(
        default=list,
        db_default=Value([], models.JSONField()),
        blank=True,
        help_text="What the writer thinks possible beside its value, or in its place: the likeliest first.",
    )
    reason = models.CharField(max_length=300, blank=True)
    updated_at = models.DateTimeField()
    updated_by = models.CharField(max_length=8, default="ai")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["draft", "group", "name"], name="draft_field_once")
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.state}"

    @property
    def sureness(self) -> float | None:
        """How sure the writer is of the value that stands; of what a person gave it says nothing."""
        is_theirs = self.state == self.State.AI or (self.is_locked and self.value == self.ai_value)
        return self.confidence if is_theirs and self.value is not None else None

    @property
    def others(self) -> list[dict[str, Any]]:
        """The suggestions that do not stand as the value."""
        return [entry for entry in self.suggestions if entry["value"] != self.value]


class DraftPage(models.Model):
    """One address of a draft's crawl. `text` is what quotes are checked against."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="pages")
    position = models.PositiveSmallIntegerField()
    url = models.CharField(max_length=limits.URL)
    status = models.PositiveSmallIntegerField(null=True)
    size = models.PositiveIntegerField(default=0)
    kind = models.CharField(max_length=12, default="other")
    title = models.CharField(max_length=500, blank=True)
    html = models.TextField(blank=True)
    text = models.TextField(blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    skipped = models.CharField(max_length=8, blank=True)
    detail = models.CharField(max_length=500, blank=True)
    fetched_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["draft", "position"], name="draft_page_once")
        ]

    def __str__(self) -> str:
        return self.url


class FounderPhoto(models.Model):
    """A picture that the markup of a website ties to a founder's name: offered, and taken by a press alone."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="photos")
    name = models.CharField(max_length=limits.FOUNDER_NAME)
    url = models.CharField(max_length=limits.URL)
    page_url = models.CharField(max_length=limits.URL, help_text="Where it stands.")
    taken_at = models.DateTimeField(null=True, blank=True)
    file = models.FileField(upload_to="founders", blank=True, help_text="Ours.")
    problem = models.CharField(max_length=300, blank=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["draft", "name"], name="founder_photo_once")]

    def __str__(self) -> str:
        return f"{self.name} of {self.draft_id}"

    @property
    def is_awaited(self) -> bool:
        return self.taken_at is not None and not self.file and not self.problem


class InviteQuerySet(models.QuerySet["Invite"]):
    def with_status_at(self, *, at: datetime | Combinable) -> Self:
        """With what each is worth at a moment: `stands` is `expired` for one that nobody used in time."""
        late = Q(status="sent", expires_at__lte=at)
        return self.annotate(stands=Case(When(late, then=Value("expired")), default="status")).order_by(
            "-sent_at", "-pk"
        )


class Invite(models.Model):
    """An e-mailed invitation to a co-founder. Only the token's SHA-256 is kept."""

    class Status(models.TextChoices):
        SENT = "sent"
        ACCEPTED = "accepted"
        EXPIRED = "expired"

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="invites")
    email = models.EmailField(max_length=limits.INVITE_EMAIL)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.SENT)
    digest = models.CharField(max_length=64, unique=True)
    sent_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    profile = models.JSONField(null=True, blank=True)

    objects = InviteQuerySet.as_manager()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["draft", "-sent_at", "-id"], name="invite_newest")]

    def __str__(self) -> str:
        return f"{self.status} {self.sent_at:%Y-%m-%d}"

    def has_expired(self, *, at: datetime) -> bool:
        return self.status == self.Status.EXPIRED or (
            self.status == self.Status.SENT and self.expires_at <= at
        )

    def closed_reason(self, *, at: datetime) -> str:
        """Why the link no longer works, in words; empty while it does."""
        if self.status == self.Status.ACCEPTED:
            return "This invitation was used already. Each link works once."
        if self.has_expired(at=at):
            return f"This invitation expired on {self.expires_at:%-d %B %Y}. Ask for another."
        return ""


class ModelAnswer(models.Model):
    """An answer of a model to one exact question, so that the same pages are not paid for twice."""

    key = models.CharField(max_length=64, unique=True)
    model = models.CharField(max_length=80)
    text = models.TextField()
    created_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.model} {self.created_at:%Y-%m-%d}"


class ModelUse(models.Model):
    """What a person's drafts used of the model on one day (UTC)."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    day = models.DateField(db_index=True)
    calls = models.PositiveIntegerField(default=0)
    tokens = models.PositiveBigIntegerField(default=0)
    cost_micros = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "day"], name="model_use_once_a_day")
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.tokens}"
