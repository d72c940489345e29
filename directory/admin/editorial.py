"""Blog, interview questions, updates."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone

from core.cache import changed
from directory.models import BlogPost, InterviewQuestion, ListingUpdate, Milestone


@admin.register(BlogPost)
class BlogPostAdmin(admin.ModelAdmin):
    """Articles; one without a date of publication is a draft."""

    list_display = ("title", "site", "author", "published_at", "updated_at")
    list_filter = ("site", ("published_at", admin.EmptyFieldListFilter))
    list_select_related = ("site",)
    search_fields = ("title", "slug", "markdown")
    prepopulated_fields = {"slug": ("title",)}
    autocomplete_fields = ("listings",)
    exclude = ("updated_at",)
    date_hierarchy = "published_at"

    def save_model(self, request: HttpRequest, obj: BlogPost, form: Any, change: Any) -> None:
        """Note the change."""
        obj.updated_at = timezone.now()
        super().save_model(request, obj, form, change)
        changed("blog")


@admin.register(InterviewQuestion)
class InterviewQuestionAdmin(admin.ModelAdmin):
    """What founders are asked."""

    list_display = ("question", "order", "is_active")
    list_editable = ("order", "is_active")
    list_filter = ("is_active",)
    search_fields = ("question",)
    ordering = ("order", "id")

    def save_model(self, request: HttpRequest, obj: InterviewQuestion, form: Any, change: Any) -> None:
        """What is read of questions changes too."""
        super().save_model(request, obj, form, change)
        changed("interview")


@admin.register(ListingUpdate)
class ListingUpdateAdmin(admin.ModelAdmin):
    """News of products."""

    list_display = ("title", "listing", "posted_at")
    list_select_related = ("listing",)
    search_fields = ("title", "listing__name")
    autocomplete_fields = ("listing",)


@admin.register(Milestone)
class MilestoneAdmin(admin.ModelAdmin):
    """Dated steps."""

    list_display = ("title", "listing", "date")
    list_select_related = ("listing",)
    search_fields = ("title", "listing__name")
    autocomplete_fields = ("listing",)
