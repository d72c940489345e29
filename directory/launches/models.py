"""Places of launches by the hour, and places that were paid for: from a moment to another, with what came of them."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from core.models import Row


class FeaturedPlace(Row):
    """One stay in the marked places. A stay that was cut short ends when it was; one that never began has no row."""

    listing = models.ForeignKey(
        "directory.Listing", on_delete=models.CASCADE, related_name="featured_places", db_index=False
    )
    order_line = models.BigIntegerField(
        null=True,
        blank=True,
        help_text="The line of an order that it was bought with; empty when staff gave it.",
    )
    begins_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    with_launch = models.BooleanField(
        default=False, db_default=False, help_text="It begins when its listing goes live, whenever that is."
    )

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="featured_place_ends_after_it_begins", condition=Q(ends_at__gt=F("begins_at"))
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["listing", "begins_at"], name="featured_place_of_listing"),
            models.Index(fields=["order_line"], name="featured_place_of_line"),
            models.Index(fields=["ends_at"], name="featured_place_running"),
        ]


class FeaturedCount(Row):
    """How many visitors saw a place on a day (UTC), or went on from there on: each counted once a day and kind."""

    class Kind(models.TextChoices):
        HOME = "home", "Home page"
        WEEK = "week", "Launch week"
        CATEGORY = "category", "Category"
        VISIT = "visit", "Visits to its page"
        CLICK = "click", "Visits to its website"

    IMPRESSIONS: ClassVar = (Kind.HOME, Kind.WEEK, Kind.CATEGORY)

    place = models.ForeignKey(FeaturedPlace, on_delete=models.CASCADE, related_name="counts", db_index=False)
    day = models.DateField()
    kind = models.CharField(max_length=10, choices=Kind.choices)
    number = models.PositiveBigIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["place", "day", "kind"], name="featured_count_once_a_day")
        ]


class LaunchHour(Row):
    """The place that a launch had at a full hour, and the votes that counted for it then. None without votes."""

    launch = models.ForeignKey(
        "directory.Launch", on_delete=models.CASCADE, related_name="hours", db_index=False
    )
    at = models.DateTimeField()
    rank = models.PositiveIntegerField()
    votes = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["launch", "at"], name="launch_hour_once", include=["rank", "votes"]
            )
        ]
        indexes: ClassVar = [models.Index(fields=["at"], name="launch_hour_at")]
