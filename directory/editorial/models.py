"""What the site and its makers publish: blog posts, updates, milestones, interviews."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from core.models import Row
from directory import limits


class BlogPost(models.Model):
    site = models.ForeignKey("directory.Site", on_delete=models.CASCADE, related_name="posts")
    slug = models.SlugField(max_length=limits.SLUG)
    title = models.CharField(max_length=200)
    excerpt = models.CharField(max_length=400, blank=True)
    author = models.CharField(max_length=160, blank=True)
    markdown = models.TextField()
    cover = models.ImageField(upload_to="blog", blank=True)
    faqs = models.JSONField(default=list, blank=True)
    listings = models.ManyToManyField("directory.Listing", blank=True, related_name="posts")
    published_at = models.DateTimeField(null=True, blank=True)
    updated_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["site", "slug"], name="post_slug_once_per_site")
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["site", "-published_at", "-id"],
                name="post_newest",
                condition=models.Q(published_at__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return self.title


class SitePage(models.Model):
    """A standing page whose text the site's owner sets, in Markdown; without a row the text that we ship is shown."""

    class Name(models.TextChoices):
        """Which page; its address is `/<name>`."""

        PRIVACY = "privacy"
        TERMS = "terms"
        CONTACT = "contact"

    site = models.ForeignKey("directory.Site", on_delete=models.CASCADE, related_name="pages")
    name = models.CharField(max_length=20, choices=Name.choices)
    markdown = models.TextField(max_length=limits.SITE_PAGE, help_text="Begin with a heading: # Privacy")
    updated_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["site", "name"], name="site_page_once_per_site")
        ]

    def __str__(self) -> str:
        return f"/{self.name}"


class ListingUpdate(models.Model):
    listing = models.ForeignKey("directory.Listing", on_delete=models.CASCADE, related_name="updates")
    title = models.CharField(max_length=limits.UPDATE_TITLE)
    body = models.TextField(max_length=limits.UPDATE_BODY)
    posted_at = models.DateTimeField()
    followers_notified = models.PositiveIntegerField(default=0)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["listing", "-posted_at", "-id"], name="update_newest"),
            models.Index(fields=["-posted_at", "-id"], name="update_feed"),
        ]

    def __str__(self) -> str:
        return self.title


class Milestone(models.Model):
    listing = models.ForeignKey("directory.Listing", on_delete=models.CASCADE, related_name="milestones")
    date = models.DateField()
    title = models.CharField(max_length=limits.MILESTONE_TITLE)
    description = models.TextField(max_length=limits.MILESTONE_DESCRIPTION, blank=True)
    url = models.URLField(max_length=limits.MILESTONE_URL, blank=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["listing", "-date", "-id"], name="milestone_newest")]

    def __str__(self) -> str:
        return self.title


class InterviewQuestion(models.Model):
    question = models.CharField(max_length=300)
    help = models.CharField(max_length=500, blank=True)
    order = models.PositiveSmallIntegerField(default=0)
    is_active = models.BooleanField(default=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["order", "id"], name="question_order")]

    def __str__(self) -> str:
        return self.question


class InterviewAnswer(Row):
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="interview_answers"
    )
    question = models.ForeignKey(InterviewQuestion, on_delete=models.CASCADE, related_name="answers")
    answer = models.TextField(max_length=limits.INTERVIEW_ANSWER)
    updated_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "question"], name="interview_answer_once")
        ]
