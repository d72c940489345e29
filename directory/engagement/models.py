"""What visitors do: votes, follows, views, and the counters made of them."""

from datetime import datetime
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from core.models import Row, merged_row
from directory import limits


class ShownWhileLive(models.Model):
    """Rows that are shown only while their `listing` is live: `public_data.refresh` keeps `is_live` in every area."""

    is_live = models.BooleanField(default=True, db_default=True, help_text="Kept by public_data.refresh.")

    class Meta:
        abstract = True


class ListingStats(Row):
    """A listing's counters, and the keys that lists are sorted by. Votes move in the vote's own transaction."""

    listing = models.OneToOneField(
        "directory.Listing", on_delete=models.CASCADE, primary_key=True, related_name="stats"
    )
    # no index of its own: every vote would write to it
    site = models.ForeignKey("directory.Site", on_delete=models.CASCADE, related_name="+", db_index=False)
    is_live = models.BooleanField(default=False)
    votes = models.PositiveIntegerField(default=0)
    followers = models.PositiveIntegerField(default=0)
    views = models.PositiveBigIntegerField(default=0)
    reviews = models.PositiveIntegerField(default=0, db_default=0, help_text="Those that count.")
    stars = models.PositiveIntegerField(default=0, db_default=0, help_text="Of these reviews together.")
    hot = models.FloatField(
        default=0, help_text="Votes of the last days, decayed; refreshed by a periodic job."
    )

    class Meta:
        verbose_name_plural = "listing stats"
        indexes: ClassVar = [
            models.Index(
                fields=["site", f"-{column}", "listing"],
                name=f"stats_by_{column}",
                condition=models.Q(is_live=True),
            )
            for column in ("votes", "followers", "views", "hot")
        ] + [
            models.Index(
                fields=["site", "listing"],
                name="stats_reviewed",
                condition=Q(is_live=True, reviews__gte=limits.REVIEWS_FOR_BEST),
            )
        ]


class VoteQuerySet(models.QuerySet["Vote"]):
    def counted(self, *, at: datetime | None = None) -> "VoteQuerySet":
        """Those that count now, or counted at a moment: neither voided nor held, or released."""
        if at is None:
            return self.filter(voided_at=None).filter(Q(held_at=None) | ~Q(released_at=None))
        return self.filter(Q(voided_at=None) | Q(voided_at__gt=at)).filter(
            Q(held_at=None) | Q(held_at__gt=at) | Q(released_at__lt=at)
        )


class Vote(models.Model):
    """One person's vote for one listing. `week` is the launch week it counts in.

    A vote that is taken back after its week stays, voided: the week's result can be recomputed from the votes.
    A vote that is held counts from when staff release it. `network` is a keyed digest of where it came from.
    """

    TAKEN_BACK = "Taken back by the voter."

    listing = models.ForeignKey(
        "directory.Listing", on_delete=models.CASCADE, related_name="vote_rows", db_index=False
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="votes")
    week = models.DateField()
    created_at = models.DateTimeField()
    voided_at = models.DateTimeField(null=True, blank=True)
    void_reason = models.CharField(max_length=limits.VOTE_REASON, blank=True)
    network = models.CharField(max_length=32, blank=True, default="", db_default="", editable=False)
    held_at = models.DateTimeField(null=True, blank=True)
    held_for = models.CharField(max_length=limits.VOTE_REASON, blank=True, default="", db_default="")
    released_at = models.DateTimeField(null=True, blank=True)
    merged_from = merged_row("directory.Listing", help_text="The duplicate that it was cast for.")

    objects = VoteQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["listing", "user"], name="vote_once")]
        indexes: ClassVar = [
            models.Index(fields=["created_at", "listing"], name="vote_recent"),
            models.Index(fields=["week", "listing"], name="vote_week"),
            models.Index(fields=["held_at"], name="vote_held", condition=models.Q(held_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} for {self.listing_id}"

    @property
    def is_on_hold(self) -> bool:
        return self.held_at is not None and self.released_at is None and self.voided_at is None

    @property
    def is_counted(self) -> bool:
        return self.voided_at is None and not self.is_on_hold

    def count_again(self, *, at: datetime) -> None:
        """Void no longer; what was closed while it was counts without it, as if it had been held."""
        if self.held_at is None:
            self.held_at, self.released_at = self.voided_at, at
        self.voided_at, self.void_reason = None, ""
        self.save(update_fields=["voided_at", "void_reason", "held_at", "released_at"])


class Follow(Row):
    listing = models.ForeignKey("directory.Listing", on_delete=models.CASCADE, related_name="follow_rows")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="follows")
    created_at = models.DateTimeField()
    merged_from = merged_row("directory.Listing")

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["listing", "user"], name="follow_once")]


class MailChoice(Row):
    """How a person wants the updates of products that they follow; who has no row has a digest."""

    class Updates(models.TextChoices):
        DIGEST = "digest", "Once a day, all together"
        AT_ONCE = "at_once", "Each one at once"
        OFF = "off", "Not at all"

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="mail_choice"
    )
    updates = models.CharField(max_length=8, choices=Updates.choices, default=Updates.DIGEST)
    of_products = models.BooleanField(
        default=True, db_default=True, help_text="Reviews and questions of the person's own products."
    )
    of_launches = models.BooleanField(
        default=True, db_default=True, help_text="What comes of the person's own launches."
    )
    of_coming = models.BooleanField(
        default=True, db_default=True, help_text="Launches that the person asked to be reminded of."
    )
    of_topics = models.BooleanField(
        default=True,
        db_default=True,
        help_text="Launches by makers and in categories that the person follows.",
    )
    of_answers = models.BooleanField(
        default=True, db_default=True, help_text="What makers answer to the person's questions and reviews."
    )
    changed_at = models.DateTimeField()


class TopicFollow(Row):
    """Somebody who hears of what launches by a maker, or in a category and below it, on one site."""

    site = models.ForeignKey("directory.Site", on_delete=models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="topics", db_index=False
    )
    founder = models.ForeignKey(
        "directory.Founder", on_delete=models.CASCADE, null=True, related_name="follow_rows"
    )
    category = models.ForeignKey("directory.Category", on_delete=models.CASCADE, null=True, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "site", "founder"], name="topic_founder_once"),
            models.UniqueConstraint(fields=["user", "site", "category"], name="topic_category_once"),
            models.CheckConstraint(
                condition=Q(founder=None, category__isnull=False) | Q(founder__isnull=False, category=None),
                name="topic_is_one",
            ),
        ]

    @property
    def name(self) -> str:
        topic = self.founder or self.category
        return topic.name if topic else ""

    @property
    def path(self) -> str:
        if self.founder:
            return f"/founders/{self.founder.slug}"
        return f"/categories/{self.category.slug}" if self.category else ""


class LaunchReminder(models.Model):
    """Somebody who wants to hear when a product launches. It goes in the transaction that queues the mail."""

    listing = models.ForeignKey(
        "directory.Listing", on_delete=models.CASCADE, related_name="reminders", db_index=False
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reminders")
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["listing", "user"], name="launch_reminder_once")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} for {self.listing_id}"


class WeekReminder(models.Model):
    """Somebody who wants to read on its Monday what launches in a week. It goes as its mail is queued."""

    site = models.ForeignKey("directory.Site", on_delete=models.CASCADE, related_name="+", db_index=False)
    week = models.DateField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["site", "week", "user"], name="week_reminder_once")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} for {self.week}"


class WinnersReader(models.Model):
    """An address, with or without an account, that asked for the winners of each week; confirmed by its own mail."""

    site = models.ForeignKey("directory.Site", on_delete=models.CASCADE, related_name="+", db_index=False)
    email = models.EmailField(db_collation="C", help_text="In its one form.")
    created_at = models.DateTimeField(help_text="When it was last asked.")
    confirmed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["email", "site"], name="winners_reader_once")
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["site", "id"], name="winners_reader_mailed", condition=Q(confirmed_at__isnull=False)
            ),
            models.Index(fields=["created_at"], name="winners_reader_asked", condition=Q(confirmed_at=None)),
        ]

    def __str__(self) -> str:
        return f"reader {self.pk}"


class UpdateNotice(Row):
    """One update that one follower is to be told of. It is closed in the transaction that queues its mail."""

    update = models.ForeignKey("directory.ListingUpdate", on_delete=models.CASCADE, related_name="notices")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices", db_index=False
    )
    created_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True, help_text="Mailed, or no longer wanted.")
    is_mailed = models.BooleanField(default=False, db_default=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "update"], name="update_notice_once")
        ]
        indexes: ClassVar = [
            models.Index(fields=["user"], name="update_notice_open", condition=Q(closed_at=None))
        ]


class VisitCount(Row):
    """How many people opened a listing's page in an hour, or went on to its website: each once a day and kind.

    Hours that are long past are one row a day.
    """

    listing = models.ForeignKey(
        "directory.Listing", on_delete=models.CASCADE, related_name="visit_counts", db_index=False
    )
    at = models.DateTimeField(help_text="When the hour, or the day, began.")
    is_day = models.BooleanField(default=False, db_default=False)
    visits = models.PositiveIntegerField(default=0, db_default=0)
    clicks = models.PositiveIntegerField(default=0, db_default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["listing", "at", "is_day"], name="visit_count_once")
        ]
        indexes: ClassVar = [
            models.Index(fields=["at"], name="visit_count_hours", condition=models.Q(is_day=False))
        ]


class VisitSource(Row):
    """How many visits of a launch’s week came from a website: its host alone, and only of those that sent several."""

    DIRECT, OTHERS = "Direct", "Others"  # no host has a capital letter
    FEWEST: ClassVar = 10  # visits of a week, below which a website is one of the others

    listing = models.ForeignKey(
        "directory.Listing", on_delete=models.CASCADE, related_name="visit_sources", db_index=False
    )
    week = models.DateField()
    host = models.CharField(max_length=limits.DOMAIN)
    visits = models.PositiveIntegerField(default=0, db_default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["listing", "week", "host"], name="visit_source_once")
        ]
        indexes: ClassVar = [models.Index(fields=["week", "visits"], name="visit_source_week")]


class CounterFold(Row):
    """The last batch of a buffer that was moved into rows, by which no batch is moved twice."""

    buffer = models.CharField(max_length=20, primary_key=True)
    batch = models.CharField(max_length=32, default="", db_default="")
