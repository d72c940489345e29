"""The sites of an installation and the settings staff edit, with their history."""

from typing import ClassVar

from django.conf import settings
from django.contrib.sites.models import Site as DjangoSite
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models


class Site(models.Model):
    """One launch site. Public reads see its listings only."""

    django_site = models.OneToOneField(DjangoSite, on_delete=models.PROTECT, related_name="launch_site")
    key = models.SlugField(max_length=40, unique=True)
    name = models.CharField(max_length=120)
    purpose = models.CharField(max_length=300)
    is_default = models.BooleanField(default=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["is_default"], condition=models.Q(is_default=True), name="site_one_default"
            )
        ]

    def __str__(self) -> str:
        return self.name


class SiteSettings(models.Model):
    """What staff decide for a site. A change is a new row, so the history stays; the newest row counts."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="settings")
    DECIDED: ClassVar = (
        "free_queue_weeks",
        "free_slots_per_week",
        "paid_slots_per_week",
        "launch_grace_hours",
        "weeks_shown",
    )

    free_queue_weeks = models.PositiveSmallIntegerField(
        default=2, validators=[MaxValueValidator(52)], help_text="How many weeks out the free queue begins."
    )
    free_slots_per_week = models.PositiveIntegerField(
        default=200,
        validators=[MaxValueValidator(10_000)],
        help_text="How many free launches a week takes. Places that are booked stay.",
    )
    paid_slots_per_week = models.PositiveIntegerField(
        default=50,
        validators=[MaxValueValidator(10_000)],
        help_text="How many paid launches a week takes. Places that are booked stay.",
    )
    launch_grace_hours = models.PositiveSmallIntegerField(
        default=24,
        db_default=24,
        validators=[MaxValueValidator(7 * 24)],
        help_text="How long a free launch keeps its week while its homepage cannot be opened.",
    )
    weeks_shown = models.PositiveSmallIntegerField(
        default=12,
        db_default=12,
        validators=[MinValueValidator(1), MaxValueValidator(52)],
        help_text="How many coming weeks are shown with their free places and can be bought.",
    )
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    changed_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "site settings"
        indexes: ClassVar = [models.Index(fields=["site", "-changed_at", "-id"], name="site_settings_newest")]

    def __str__(self) -> str:
        return f"{self.site} from {self.changed_at:%Y-%m-%d}"
