"""What people say of a product and ask its makers. One review a person and product, by constraint."""

from typing import ClassVar, Self

from django.apps import apps
from django.conf import settings
from django.db import models
from django.db.models import Exists, F, OuterRef, Q

from core.models import Row, merged_row
from directory.reviews import limits

USER = settings.AUTH_USER_MODEL


class ReviewQuerySet(models.QuerySet["Review"]):
    def public(self) -> Self:
        """Those that anybody may see: published, of people who may sign in and have no part in the product."""
        founders = apps.get_model("directory", "ListingFounder").objects
        co_owners = apps.get_model("directory", "Listing").co_owners.through.objects
        mine = {"listing": OuterRef("listing"), "user": OuterRef("author")}
        return self.filter(
            ~Exists(co_owners.filter(**mine)),
            ~Exists(founders.filter(listing=OuterRef("listing"), founder__user=OuterRef("author"))),
            Q(listing__owner=None) | ~Q(listing__owner=F("author")),
            status=Review.Status.PUBLISHED,
            author__is_active=True,
            author__suspended_at=None,
        )

    def counted(self) -> Self:
        return self.public().exclude(how=Review.How.WORKS_WITH)


class Review(models.Model):
    class How(models.TextChoices):
        USES = "uses", "I use it"
        TRIED = "tried", "I tried it"
        WORKS_WITH = "works_with", "I work with them"

    class Status(models.TextChoices):
        WAITING = "waiting"
        PUBLISHED = "published"
        REFUSED = "refused"

    listing = models.ForeignKey(
        "directory.Listing", on_delete=models.CASCADE, related_name="reviews", db_index=False
    )
    author = models.ForeignKey(USER, on_delete=models.CASCADE, related_name="reviews")
    stars = models.PositiveSmallIntegerField()
    how = models.CharField(max_length=10, choices=How.choices)
    text = models.TextField(max_length=limits.TEXT)
    created_at = models.DateTimeField()
    edited_at = models.DateTimeField(null=True, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.WAITING)
    waits_for = models.CharField(
        max_length=limits.WAITS_FOR, blank=True, default="", db_default="", help_text="Why staff look at it."
    )
    waits_since = models.DateTimeField(null=True, blank=True)
    network = models.CharField(max_length=32, blank=True, default="", db_default="", editable=False)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(USER, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    reason = models.CharField(max_length=300, blank=True, default="", db_default="")
    reply = models.TextField(max_length=limits.REPLY, blank=True, default="", db_default="")
    replied_at = models.DateTimeField(null=True, blank=True)
    replied_by = models.ForeignKey(USER, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    merged_from = merged_row("directory.Listing")

    objects = ReviewQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["listing", "author"], name="review_once"),
            models.CheckConstraint(
                name="review_stars", condition=Q(stars__gte=limits.STARS_MIN, stars__lte=limits.STARS_MAX)
            ),
            models.CheckConstraint(
                name="review_waits_since",
                condition=Q(status="waiting", waits_since__isnull=False)
                | ~Q(status="waiting") & Q(waits_since=None),
            ),
            models.CheckConstraint(
                name="review_refused_says_why", condition=~Q(status="refused") | ~Q(reason="")
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["listing", "-created_at", "-id"],
                name="review_newest",
                condition=Q(status="published"),
            ),
            models.Index(fields=["waits_since"], name="review_waiting", condition=Q(status="waiting")),
            models.Index(fields=["network", "created_at"], name="review_network", condition=~Q(network="")),
        ]

    def __str__(self) -> str:
        return f"review {self.pk} of {self.listing}"

    @property
    def place(self) -> str:
        return f"review-{self.pk}"


class ReviewVersion(Row):
    review = models.ForeignKey(Review, on_delete=models.CASCADE, related_name="versions")
    stars = models.PositiveSmallIntegerField()
    how = models.CharField(max_length=10)
    text = models.TextField(max_length=limits.TEXT)
    until = models.DateTimeField()


class QuestionQuerySet(models.QuerySet["Question"]):
    def public(self) -> Self:
        """Those that anybody may see: answered, of people who may sign in."""
        return self.filter(status=Question.Status.ANSWERED, author__is_active=True, author__suspended_at=None)


class Question(models.Model):
    """What somebody asks the makers of a product; public once they have answered."""

    class Status(models.TextChoices):
        OPEN = "open"
        ANSWERED = "answered"
        DISMISSED = "dismissed"
        REMOVED = "removed"

    listing = models.ForeignKey(
        "directory.Listing", on_delete=models.CASCADE, related_name="questions", db_index=False
    )
    author = models.ForeignKey(USER, on_delete=models.CASCADE, related_name="questions", db_index=False)
    text = models.CharField(max_length=limits.QUESTION)
    created_at = models.DateTimeField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    answer = models.TextField(max_length=limits.ANSWER, blank=True, default="", db_default="")
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(USER, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    network = models.CharField(max_length=32, blank=True, default="", db_default="", editable=False)
    reason = models.CharField(
        max_length=300, blank=True, default="", db_default="", help_text="Why staff took it off."
    )
    merged_from = merged_row("directory.Listing")

    objects = QuestionQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="question_answered",
                condition=~Q(status="answered") | ~Q(answer="") & Q(answered_at__isnull=False),
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["listing", "status", "-created_at", "-id"], name="question_newest"),
            models.Index(fields=["author", "created_at"], name="question_of_person"),
            models.Index(fields=["answered_by", "-answered_at"], name="question_answers"),
            models.Index(
                fields=["-answered_at"], name="question_answered_newest", condition=Q(status="answered")
            ),
        ]

    def __str__(self) -> str:
        return f"question {self.pk} about {self.listing}"

    @property
    def place(self) -> str:
        return f"question-{self.pk}"
