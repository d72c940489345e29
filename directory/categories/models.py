from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from core.models import Row
from directory import limits


class CategoryManager(models.Manager["Category"]):
    """The categories of the tree, without those that were merged into others."""

    def get_queryset(self) -> models.QuerySet["Category"]:
        return super().get_queryset().filter(merged_into=None)


class Category(models.Model):
    """A node of the tree; roots have no parent. `terms` are the words by which a website shows it belongs here."""

    slug = models.SlugField(max_length=limits.SLUG, unique=True)
    name = models.CharField(max_length=120)
    description = models.TextField(blank=True)
    parent = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="children"
    )
    position = models.PositiveSmallIntegerField(default=0)
    faqs = models.JSONField(default=list, blank=True)
    terms = ArrayField(models.CharField(max_length=80), default=list, blank=True)
    attributes = models.JSONField(default=list, blank=True)
    merged_into = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, editable=False, related_name="+"
    )

    objects = CategoryManager()
    everything: ClassVar[models.Manager["Category"]] = models.Manager()

    class Meta:
        verbose_name_plural = "categories"
        indexes: ClassVar = [models.Index(fields=["parent", "position", "id"], name="category_tree")]

    def __str__(self) -> str:
        return self.name


class CategoryCount(Row):
    """How many live listings a category has on a site, kept by the services that move listings."""

    site = models.ForeignKey("directory.Site", on_delete=models.CASCADE, related_name="+")
    category = models.ForeignKey(Category, on_delete=models.CASCADE, related_name="counts")
    listings = models.PositiveIntegerField(default=0, help_text="Live listings filed here.")
    total_listings = models.PositiveIntegerField(
        default=0, help_text="Live listings here and below, each once."
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["site", "category"], name="category_count_once")
        ]
