"""What changed on a listing, by whom, and what staff said to it."""

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

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
