"""The people behind listings."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from core.models import Row
from directory import limits


class Founder(models.Model):
    slug = models.SlugField(max_length=limits.SLUG, unique=True)
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="founder"
    )
    name = models.CharField(max_length=limits.FOUNDER_NAME)
    title = models.CharField(max_length=limits.FOUNDER_TITLE, blank=True)
    bio = models.TextField(max_length=limits.FOUNDER_BIO, blank=True)
    country = models.CharField(max_length=limits.COUNTRY, blank=True)
    photo = models.ImageField(upload_to="founders", blank=True)
    photo_source = models.CharField(
        max_length=limits.URL, blank=True, default="", db_default="", help_text="The page it was taken from."
    )
    socials = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["name", "id"], name="founder_name")]

    def __str__(self) -> str:
        return self.name


class ListingFounder(Row):
    """A founder's part in a listing; the first is the primary one."""

    listing = models.ForeignKey("directory.Listing", on_delete=models.CASCADE, related_name="founded_by")
    founder = models.ForeignKey(Founder, on_delete=models.CASCADE, related_name="founded")
    title = models.CharField(max_length=limits.FOUNDER_TITLE, blank=True)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["listing", "founder"], name="listing_founder_once")
        ]
        indexes: ClassVar = [models.Index(fields=["founder", "listing"], name="listing_founder_listings")]
