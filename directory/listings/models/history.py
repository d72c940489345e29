"""What changed on a listing, by whom, what staff said to it, and what it takes to undo their larger acts."""

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q

from core.models import Row
from directory import limits


class ListingRevision(models.Model):
    class Review(models.TextChoices):
        PENDING = "pending"
        ACCEPTED = "accepted"
        REVERTED = "reverted"

    listing = models.ForeignKey("directory.Listing", on_delete=models.CASCADE, related_name="revisions")
    changed = ArrayField(models.CharField(max_length=40))
    before = models.JSONField()
    after = models.JSONField()
    sources_before = models.JSONField(
        null=True, editable=False, help_text="The quotes and blanks of the changed facts before the edit."
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()
    review = models.CharField(max_length=10, choices=Review.choices, default=Review.PENDING)
    reviewed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    reviewed_at = models.DateTimeField(null=True, blank=True)
    review_note = models.CharField(
        max_length=limits.STAFF_REASON, blank=True, default="", db_default="", help_text="The owner reads it."
    )

    flags = ArrayField(
        models.CharField(max_length=20),
        default=list,
        db_default=[],
        editable=False,
        help_text="Why staff look at it first.",
    )
    look_first = models.BooleanField(default=False, db_default=False, editable=False)
    put_back = models.JSONField(
        null=True, editable=False, help_text="The facts of it that staff put back, with what stands again."
    )

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["-look_first", "at", "id"],
                name="revision_queue",
                condition=models.Q(review="pending"),
            ),
            models.Index(fields=["by", "-at"], name="revision_author"),
            models.Index(
                fields=["reviewed_by", "-reviewed_at"],
                name="revision_reviewer",
                condition=models.Q(reviewed_at__isnull=False),
            ),
            models.Index(fields=["listing", "-at", "-id"], name="revision_newest"),
            models.Index(fields=["at"], name="revision_pending", condition=models.Q(review="pending")),
        ]

    def __str__(self) -> str:
        return f"{self.listing_id}: {', '.join(self.changed)}"


class UnpublishedEdit(Row):
    """What a person typed in the editor of a listing and has not published: theirs alone, on all their devices.

    `revision` counts its saves, so that one from a page that knows of fewer overwrites nothing.
    """

    listing = models.ForeignKey("directory.Listing", on_delete=models.CASCADE, related_name="unpublished")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    typed = models.JSONField(default=dict)
    former = models.JSONField(default=dict, help_text="What Undo brings back.")
    revision = models.PositiveIntegerField(default=0)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["listing", "user"], name="unpublished_edit_of_a_person")
        ]
        indexes: ClassVar = [models.Index(fields=["at"], name="unpublished_edit_at")]


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
