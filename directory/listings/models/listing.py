"""A product's listing, the moves it may make, and the launches it has had."""

from collections.abc import Collection
from typing import ClassVar, Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models.functions import Collate, Lower

from core.models import Row, merged_row
from directory import limits
from directory.errors import ListingNotFoundError


class ListingQuerySet(models.QuerySet["Listing"]):
    def live(self) -> Self:
        return self.filter(status=Listing.Status.LIVE)

    def public(self) -> Self:
        return self.filter(status__in=[Listing.Status.LIVE, Listing.Status.SCHEDULED])

    def owned_by(self, user_id: int) -> Self:
        shared = Listing.co_owners.through.objects.filter(user_id=user_id)
        owned_with_others = list(shared.values_list("listing_id", flat=True))
        return self.filter(models.Q(owner_id=user_id) | models.Q(pk__in=owned_with_others))

    def owned_among(self, user_id: int, listing_ids: Collection[int]) -> Self:
        """Those of a few listings that a person owns, alone or with others, in one statement."""
        shared = Listing.co_owners.through.objects.filter(user_id=user_id, listing_id=models.OuterRef("pk"))
        return self.filter(models.Q(owner_id=user_id) | models.Exists(shared), pk__in=listing_ids)

    def locked_own(self, user_id: int, listing_id: int) -> "Listing":
        """One that a person owns, alone or with others, held to be changed. Raises ListingNotFoundError."""
        rows = self.select_for_update().owned_among(user_id, [listing_id])
        return ListingNotFoundError.unless(rows.first(), "listing")

    def for_owner(self, user_id: int) -> Self:
        """With this owner's last draft of each, if there is one, and until when its owner has to prove it again."""
        drafts = Listing.objects.filter(pk=models.OuterRef("pk"), drafts__owner=user_id)
        newest = drafts.order_by("-drafts__created_at").values("drafts")[:1]
        own = models.Q(claims__status="verified", claims__user=models.F("owner"))
        proved = Listing.objects.filter(own, pk=models.OuterRef("pk")).values("pk")
        since = proved.annotate(at=models.Max("claims__proved_at")).values("at")
        contest = models.Q(claims__status="contested", claims__contested_at__gt=models.Subquery(since))
        contests = Listing.objects.filter(contest, pk=models.OuterRef("pk"))
        until = contests.order_by("claims__contest_ends_at").values("claims__contest_ends_at")[:1]
        return self.annotate(newest_draft=models.Subquery(newest), prove_again_by=models.Subquery(until))


class Listing(models.Model):
    """A product on one site. `url` is its own website; `domain` is the registrable domain of it."""

    class Status(models.TextChoices):
        DRAFT = "draft"
        AWAITING_BADGE = "awaiting_badge"
        SCHEDULED = "scheduled"
        LIVE = "live"
        REJECTED = "rejected"
        SUSPENDED = "suspended"
        ARCHIVED = "archived"

    class Plan(models.TextChoices):
        FREE = "free"
        PAID = "paid"

    OFF_SITE: ClassVar[tuple[str, ...]] = (Status.REJECTED, Status.SUSPENDED, Status.ARCHIVED)
    MOVES: ClassVar[dict[str, set[str]]] = {
        Status.DRAFT: {
            Status.AWAITING_BADGE,
            Status.SCHEDULED,
            Status.LIVE,
            Status.REJECTED,
            Status.SUSPENDED,
        },
        Status.AWAITING_BADGE: {
            Status.SCHEDULED,
            Status.LIVE,
            Status.DRAFT,
            Status.REJECTED,
            Status.SUSPENDED,
        },
        Status.SCHEDULED: {
            Status.LIVE,
            Status.AWAITING_BADGE,
            Status.DRAFT,
            Status.REJECTED,
            Status.SUSPENDED,
        },
        Status.LIVE: {Status.ARCHIVED, Status.REJECTED, Status.SUSPENDED},
        # staff may take either back, and the listing is where it was before
        Status.REJECTED: set(Status.values) - {Status.REJECTED},
        Status.SUSPENDED: set(Status.values) - {Status.SUSPENDED},
        Status.ARCHIVED: {Status.LIVE, Status.REJECTED, Status.SUSPENDED},
    }

    site = models.ForeignKey("directory.Site", on_delete=models.PROTECT, related_name="listings")
    slug = models.SlugField(max_length=limits.SLUG)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="listings"
    )
    co_owners = models.ManyToManyField(
        settings.AUTH_USER_MODEL,
        related_name="+",
        blank=True,
        help_text="Who else may edit it, such as an agency; staff decide that about a contested claim.",
    )
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.DRAFT)
    status_reason = models.CharField(max_length=300, blank=True)
    plan = models.CharField(max_length=8, choices=Plan.choices, default=Plan.FREE)

    name = models.CharField(max_length=limits.NAME)
    tagline = models.CharField(max_length=limits.DRAFT_TEXT, blank=True)
    short_description = models.CharField(max_length=limits.DRAFT_TEXT, blank=True)
    description = models.TextField(blank=True)
    url = models.URLField(max_length=limits.URL)
    domain = models.CharField(max_length=limits.DOMAIN)
    host = models.CharField(max_length=limits.DOMAIN)
    logo_url = models.URLField(
        max_length=limits.DRAFT_TEXT, blank=True, help_text="Where the website has its logo."
    )
    logo = models.ImageField(upload_to="logos", blank=True, help_text="Our own copy of it.")
    stage = models.CharField(max_length=limits.DRAFT_TEXT, blank=True)
    pricing_model = models.CharField(max_length=limits.DRAFT_TEXT, blank=True)
    pricing_summary = models.CharField(max_length=limits.DRAFT_TEXT, blank=True)
    country = models.CharField(max_length=limits.COUNTRY, blank=True)
    city = models.CharField(max_length=limits.DRAFT_TEXT, blank=True)
    founded_year = models.PositiveSmallIntegerField(null=True, blank=True)
    contact_email = models.EmailField(max_length=limits.CONTACT_EMAIL, blank=True)
    demo_video_url = models.URLField(max_length=limits.DEMO_VIDEO_URL, blank=True)
    features = ArrayField(models.CharField(max_length=limits.LIST_ITEM), default=list, blank=True)
    usps = ArrayField(models.CharField(max_length=limits.LIST_ITEM), default=list, blank=True)
    keywords = ArrayField(models.CharField(max_length=limits.LIST_ITEM), default=list, blank=True)
    tags = ArrayField(models.CharField(max_length=limits.LIST_ITEM), default=list, blank=True)
    faqs = models.JSONField(default=list, blank=True)
    socials = models.JSONField(default=dict, blank=True)
    headline = models.CharField(max_length=limits.HEADLINE, blank=True)
    summary = models.TextField(blank=True)
    seo_title = models.CharField(max_length=limits.SEO_TITLE, blank=True)
    seo_description = models.CharField(max_length=limits.SEO_DESCRIPTION, blank=True)
    story = models.JSONField(default=dict, blank=True)
    media = models.JSONField(default=list, blank=True)
    site_picture = models.JSONField(
        null=True,
        blank=True,
        editable=False,
        help_text="The picture that its website gives of itself: where from, our copy, why none, or that it is down.",
    )
    evidence = models.JSONField(default=dict, blank=True, help_text="Quotes from the website, by field.")
    not_found = models.JSONField(
        default=list, blank=True, help_text="Facts the website does not state, with reasons."
    )
    beyond_plan = ArrayField(
        models.BigIntegerField(),
        default=list,
        db_default=[],
        blank=True,
        editable=False,
        help_text="Categories that its draft names and its plan does not hold; those bought by themselves among them.",
    )

    categories = models.ManyToManyField(
        "directory.Category",
        through="directory.ListingCategory",
        through_fields=("listing", "category"),
        related_name="listings",
    )
    unlocked_sections = ArrayField(models.CharField(max_length=20), default=list, blank=True)
    featured_until = models.DateTimeField(null=True, blank=True)
    awards = models.JSONField(
        default=list, blank=True, help_text="Awards won, newest first, as lists show them."
    )
    domain_rating = models.PositiveSmallIntegerField(null=True, blank=True)
    domain_rating_detail = models.JSONField(
        null=True, blank=True, help_text="Value, source, date and series."
    )

    launch_week = models.DateField(null=True, blank=True)
    missed_weeks = models.PositiveSmallIntegerField(default=0)
    badge_waived = models.BooleanField(
        default=False, db_default=False, help_text="Staff let it launch free without the badge."
    )
    launched_at = models.DateTimeField(null=True, blank=True)
    claimed_by_method = models.CharField(max_length=10, blank=True)
    claim_checked_at = models.DateTimeField(null=True, blank=True)
    last_crawled_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    objects = ListingQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["site", "slug"], name="listing_slug_once_per_site"),
            models.CheckConstraint(
                name="listing_live_has_launched",
                condition=~models.Q(status="live") | models.Q(launched_at__isnull=False),
            ),
            models.CheckConstraint(
                name="listing_queued_has_week",
                condition=~models.Q(status__in=["awaiting_badge", "scheduled"])
                | models.Q(launch_week__isnull=False),
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["site", "domain"], name="listing_domain"),
            models.Index(fields=["site", "host"], name="listing_host"),
            models.Index(fields=["status", "-id"], name="listing_in_status"),
            models.Index(fields=["-id"], name="listing_paid", condition=models.Q(plan="paid")),
            models.Index(Collate(Lower("name"), "C"), name="listing_name_begins"),
            models.Index(fields=["owner", "-created_at", "-id"], name="listing_owner"),
            models.Index(
                fields=["site", "-launched_at", "-id"],
                name="listing_newest",
                condition=models.Q(status="live"),
            ),
            models.Index(
                fields=["status", "launch_week"],
                name="listing_queue",
                condition=models.Q(status__in=["awaiting_badge", "scheduled"]),
            ),
            models.Index(fields=["id"], name="listing_awarded", condition=~models.Q(awards=[])),
            GinIndex(fields=["tags"], name="listing_tags"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_live(self) -> bool:
        return self.status == self.Status.LIVE

    @property
    def needs_badge(self) -> bool:
        """Whether its homepage has to carry our badge: on the free plan, unless staff waived it."""
        return self.plan == self.Plan.FREE and not self.badge_waived

    def can_become(self, status: str) -> bool:
        return status in self.MOVES[self.status]


class ListingCategory(Row):
    """A listing's place in the tree; the first is its primary category."""

    listing = models.ForeignKey(Listing, on_delete=models.CASCADE, related_name="filed")
    category = models.ForeignKey("directory.Category", on_delete=models.PROTECT, related_name="filed")
    position = models.PositiveSmallIntegerField(default=0)
    is_bought = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Paid for by itself: a draft's own choice does not take it away.",
    )
    merged_from = merged_row("directory.Category")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["listing", "category"], name="listing_category_once"),
            models.UniqueConstraint(fields=["listing", "position"], name="listing_category_position_once"),
        ]
        indexes: ClassVar = [models.Index(fields=["category", "listing"], name="listing_category_filed")]


class ListingMove(Row):
    listing = models.ForeignKey(Listing, on_delete=models.CASCADE, related_name="moves")
    from_status = models.CharField(max_length=16)
    to_status = models.CharField(max_length=16)
    by = models.CharField(max_length=120, help_text="user:<id>, staff:<id>, order:<number> or system.")
    reason = models.CharField(max_length=300)
    at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["listing", "-at", "-id"], name="listing_move_newest")]


class Launch(models.Model):
    """A listing's place in one launch week, with the votes it got in that week."""

    class Kind(models.TextChoices):
        FREE = "free"
        PAID = "paid"
        RELAUNCH = "relaunch"

    # both are the first of another index; every vote writes to each index there is
    site = models.ForeignKey("directory.Site", on_delete=models.CASCADE, related_name="+", db_index=False)
    listing = models.ForeignKey(Listing, on_delete=models.CASCADE, related_name="launches", db_index=False)
    week = models.DateField()
    kind = models.CharField(max_length=10, choices=Kind.choices)
    votes = models.PositiveIntegerField(default=0)
    booked_at = models.DateTimeField()
    launched_at = models.DateTimeField(null=True, blank=True)
    is_hidden = models.BooleanField(
        default=False, db_default=False, help_text="Its listing is not public; kept by public_data.refresh."
    )

    class Meta:
        verbose_name_plural = "launches"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["listing", "week"], name="launch_once_a_week")
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["site", "week", "-votes", "launched_at", "listing"],
                name="launch_week_rank",
                condition=models.Q(is_hidden=False),
            ),
            models.Index(fields=["site", "week", "kind"], name="launch_week"),
            models.Index(
                fields=["site", "week", "booked_at", "id"],
                include=["listing"],
                name="launch_upcoming",
                condition=models.Q(is_hidden=False, launched_at=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.listing_id} in {self.week}"


class BadgeCheck(Row):
    """One check of a homepage for our badge. One that could not read the homepage says nothing about the badge."""

    listing = models.ForeignKey(Listing, on_delete=models.CASCADE, related_name="badge_checks")
    at = models.DateTimeField()
    found = models.BooleanField()
    was_read = models.BooleanField(default=True, db_default=True)
    result = models.CharField(max_length=20)
    detail = models.CharField(max_length=500, blank=True)
    snippet = models.CharField(max_length=500, blank=True)
    next_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["listing", "-at", "-id"], name="badge_check_newest"),
            models.Index(fields=["at"], name="badge_check_at"),
        ]


class Alternative(Row):
    """A listing to look at instead of another; shown first once the owner of the latter has approved it."""

    listing = models.ForeignKey("directory.Listing", on_delete=models.CASCADE, related_name="alternatives")
    alternative = models.ForeignKey("directory.Listing", on_delete=models.CASCADE, related_name="+")
    approved = models.BooleanField(default=False)
    reason = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["listing", "alternative"], name="alternative_once"),
            models.CheckConstraint(
                name="alternative_is_another", condition=~models.Q(listing=models.F("alternative"))
            ),
        ]
