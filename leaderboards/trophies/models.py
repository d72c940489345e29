"""Programmes that listings enter, and the look that was bought for a cabinet."""

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from core.models import Row
from directory.models import Category
from leaderboards import limits


class Programme(models.Model):
    """A contest beside the weeks: owners enter their listings, people's votes within its window decide."""

    class Status(models.TextChoices):
        ANNOUNCED = "announced", "Announced"
        OPEN = "open", "Open for entries"
        VOTING = "voting", "Voting"
        CLOSED = "closed", "Closed"

    site = models.ForeignKey("directory.Site", on_delete=models.CASCADE, related_name="programmes")
    slug = models.SlugField(max_length=limits.PROGRAMME_SLUG)
    title = models.CharField(max_length=limits.PROGRAMME_TITLE)
    description = models.TextField(max_length=limits.PROGRAMME_TEXT, help_text="Plain text.")
    entry_from = models.DateTimeField(help_text="From when owners enter (UTC).")
    entry_until = models.DateTimeField(help_text="Until when; not after voting begins.")
    votes_from = models.DateTimeField(help_text="Votes cast from here on count (UTC).")
    votes_until = models.DateTimeField(help_text="Votes cast from here on don’t count any more.")
    categories = models.ManyToManyField(
        Category, blank=True, related_name="+", help_text="Only listings of these and what is below them."
    )
    launched_from = models.DateField(
        null=True, blank=True, help_text="Only listings launched on this day or later."
    )
    launched_until = models.DateField(null=True, blank=True, help_text="Only those launched by this day.")
    places = models.PositiveSmallIntegerField(
        default=limits.AWARDED_RANKS, help_text="How many win: 1, 2 or 3."
    )
    closed_at = models.DateTimeField(null=True, editable=False)
    corrected_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["site", "slug"], name="programme_slug_once"),
            models.CheckConstraint(
                name="programme_windows_in_order",
                condition=Q(
                    entry_from__lt=F("entry_until"),
                    entry_until__lte=F("votes_from"),
                    votes_from__lt=F("votes_until"),
                ),
            ),
            models.CheckConstraint(
                name="programme_places_one_to_three", condition=Q(places__range=(1, limits.AWARDED_RANKS))
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["site", "-votes_until", "id"], name="programme_newest")]

    def __str__(self) -> str:
        return self.title

    def status(self, *, at: datetime) -> "Programme.Status":
        if at >= self.votes_until:
            return self.Status.CLOSED
        if at >= self.votes_from:
            return self.Status.VOTING
        return self.Status.OPEN if self.entry_from <= at < self.entry_until else self.Status.ANNOUNCED


class ProgrammeEntry(Row):
    """A listing in a programme. `rank` and `votes` are the result; those without were off the site at its close."""

    programme = models.ForeignKey(Programme, on_delete=models.CASCADE, related_name="entries")
    listing = models.ForeignKey(
        "directory.Listing", on_delete=models.CASCADE, related_name="programme_entries"
    )
    entered_at = models.DateTimeField()
    rank = models.PositiveIntegerField(null=True)
    votes = models.PositiveIntegerField(null=True)

    class Meta:
        verbose_name_plural = "programme entries"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["programme", "listing"], name="programme_entry_once")
        ]


class CabinetLook(Row):
    """How a listing's cabinet looks, by the newest order line that was fulfilled and not taken back."""

    class Finish(models.TextChoices):
        PAPER = "paper", "Paper"
        OAK = "oak", "Oak"
        STEEL = "steel", "Steel"
        GLASS = "glass", "Glass"

    listing = models.ForeignKey("directory.Listing", on_delete=models.CASCADE, related_name="cabinet_looks")
    reference = models.CharField(max_length=80, unique=True)
    finish = models.CharField(max_length=8, choices=Finish.choices)
    title = models.CharField(max_length=limits.CABINET_TITLE, blank=True)
    bought_at = models.DateTimeField()
