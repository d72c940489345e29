"""What staff's larger acts leave behind: what it takes to undo them, and the addresses that moved."""

from typing import ClassVar

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q

from core.models import Row
from directory import limits


class Undo(Row):
    """One act that changed many rows, with what is needed to take it back."""

    class Kind(models.TextChoices):
        BAN = "ban"
        MERGE = "merge"
        CATEGORY = "category"
        VOID = "void"
        PICTURE = "picture"

    kind = models.CharField(max_length=10, choices=Kind.choices)
    listing = models.ForeignKey("directory.Listing", on_delete=models.CASCADE, null=True, related_name="+")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        related_name="+",
        help_text="Who was banned.",
    )
    details = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True)


class FormerSlug(Row):
    """An address that leads elsewhere now: of a listing or of a category that was merged into another."""

    site = models.ForeignKey("directory.Site", on_delete=models.CASCADE, null=True, related_name="+")
    slug = models.SlugField(max_length=limits.SLUG, db_index=False)
    listing = models.ForeignKey("directory.Listing", on_delete=models.CASCADE, null=True, related_name="+")
    category = models.ForeignKey("directory.Category", on_delete=models.CASCADE, null=True, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["slug", "site"], name="former_slug_of_listing", condition=Q(listing__isnull=False)
            ),
            models.UniqueConstraint(
                fields=["slug"], name="former_slug_of_category", condition=Q(category__isnull=False)
            ),
            models.CheckConstraint(
                name="former_slug_leads_somewhere",
                condition=Q(listing__isnull=False, site__isnull=False, category=None)
                | Q(listing=None, site=None, category__isnull=False),
            ),
        ]
