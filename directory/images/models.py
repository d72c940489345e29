"""Pictures that people sent and that wait to be prepared."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from core.models import Row
from directory import limits


class Upload(Row):
    """A picture as it was sent, until a job has made ours of it: the queue of pictures, and what became of them."""

    class Use(models.TextChoices):
        GALLERY = "gallery"
        LOGO = "logo"
        DRAFT_LOGO = "draft_logo"
        DRAFT_MEDIA = "draft_media"
        PHOTO = "photo"

    class Status(models.TextChoices):
        """How far it is. Once shown, its row goes; that of a logo stays, since versions of a listing name its file."""

        PREPARING = "preparing"
        REFUSED = "refused"
        PLACED = "shown", "Shown"

    use = models.CharField(max_length=12, choices=Use.choices)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.PREPARING)
    problem = models.CharField(max_length=300, blank=True, default="", db_default="")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    listing = models.ForeignKey(
        "directory.Listing", on_delete=models.CASCADE, null=True, blank=True, related_name="uploads"
    )
    draft_id = models.UUIDField(
        null=True, blank=True, help_text="The draft whose logo or picture it is to be."
    )
    alt = models.CharField(max_length=limits.PICTURE_WORDS, blank=True, default="", db_default="")
    original = models.FileField(upload_to="originals", blank=True, help_text="As it was sent; never public.")
    file = models.FileField(upload_to="logos", blank=True, help_text="Ours.")
    created_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["by", "status", "id"], name="upload_of_person"),
            models.Index(fields=["created_at"], name="upload_created"),
            models.Index(
                fields=["draft_id"], name="upload_of_draft", condition=models.Q(draft_id__isnull=False)
            ),
        ]
