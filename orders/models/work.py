"""Work that follows a payment and is not done at once."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from orders import limits


class StaffTask(models.Model):
    BLOCKED, REFUND = "blocked", "refund"
    WISHES: ClassVar = (BLOCKED, REFUND)  # buyers who ask for their money

    line = models.ForeignKey("orders.OrderLine", on_delete=models.PROTECT, related_name="tasks")
    kind = models.CharField(
        max_length=limits.PRODUCT, help_text="The code of the part whose work it is, or one of WISHES."
    )
    detail = models.TextField(blank=True)
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    result = models.CharField(
        max_length=limits.NOTE, blank=True, help_text="What was done; the buyer reads it."
    )

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["line", "kind"], name="staff_task_once")]
        indexes: ClassVar = [
            models.Index(fields=["opened_at"], name="staff_task_open", condition=Q(closed_at=None))
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.line_id}"


class AiReview(models.Model):
    """A private review of a listing for its owner: what is said rests on quotes of its website."""

    line = models.OneToOneField("orders.OrderLine", on_delete=models.PROTECT, related_name="review")
    listing = models.ForeignKey("directory.Listing", on_delete=models.SET_NULL, null=True, related_name="+")
    findings = models.JSONField(help_text="[{title, text, evidence: [Evidence]}]")
    writer = models.CharField(max_length=80)
    written_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"review for {self.line_id}"
