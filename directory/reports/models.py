"""What readers say is wrong on a listing."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from directory import limits


class Report(models.Model):
    """One reader's word that something on a listing is wrong. Staff close it and say what came of it."""

    class Reason(models.TextChoices):
        WRONG = "wrong", "Something stated here is wrong"
        OUTDATED = "outdated", "It was right once and has changed"
        GONE = "gone", "The product or its website is gone"
        NOT_THEIRS = "not_theirs", "Somebody else’s product, name or picture"
        SPAM = "spam", "Spam, or nothing that belongs here"
        ILLEGAL = "illegal", "It breaks the law"
        NOT_GENUINE = "not_genuine", "Not genuine: paid for, traded, or by the makers"
        RUDE = "rude", "Insulting, hateful, or about a person"

    class Status(models.TextChoices):
        OPEN = "open"
        CLOSED = "closed"

    listing = models.ForeignKey("directory.Listing", on_delete=models.CASCADE, related_name="reports")
    reason = models.CharField(max_length=12, choices=Reason.choices)
    fact = models.CharField(max_length=40, blank=True, help_text="The fact it is about, if one was named.")
    text = models.CharField(max_length=limits.REPORT_TEXT, blank=True)
    review = models.ForeignKey(
        "directory.Review", on_delete=models.SET_NULL, null=True, blank=True, related_name="reports"
    )
    question = models.ForeignKey(
        "directory.Question", on_delete=models.SET_NULL, null=True, blank=True, related_name="reports"
    )
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="reports"
    )
    name = models.CharField(
        max_length=limits.REPORTER_NAME,
        blank=True,
        default="",
        db_default="",
        help_text="As its sender signed it.",
    )
    email = models.EmailField(
        max_length=limits.CONTACT_EMAIL,
        blank=True,
        default="",
        db_default="",
        help_text="Where its sender hears of it.",
    )
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.OPEN)
    resolution = models.CharField(max_length=limits.STAFF_REASON, blank=True)
    created_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="report_closed_says_why",
                condition=models.Q(status="open", closed_at=None)
                | models.Q(status="closed", closed_at__isnull=False) & ~models.Q(resolution=""),
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["created_at", "id"], name="report_open", condition=models.Q(status="open"))
        ]

    def __str__(self) -> str:
        return f"{self.listing_id}: {self.get_reason_display()}"

    @property
    def number(self) -> str:
        return f"R-{self.pk}"

    @property
    def answered_at(self) -> str:
        """The address at which its sender reads what came of it; nothing when there is none."""
        if self.email:
            return self.email
        return self.reporter.email if self.reporter and self.reporter.is_active else ""
