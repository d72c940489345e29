from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone

from directory.back_office.checks import CheckedAdmin, PublicAdmin
from directory.models import BlogPost, InterviewQuestion, ListingUpdate, Milestone, SitePage


@admin.register(BlogPost)
class BlogPostAdmin(PublicAdmin):
    """Articles; one without a date of publication is a draft."""

    stamps = ("blog",)
    list_display = ("title", "site", "author", "published_at", "updated_at")
    list_filter = ("site", ("published_at", admin.EmptyFieldListFilter))
    list_select_related = ("site",)
    search_fields = ("slug__startswith", "title__istartswith")
    search_placeholder = "How a title or an address begins"
    prepopulated_fields = {"slug": ("title",)}
    autocomplete_fields = ("listings",)
    exclude = ("updated_at",)
    ordering = ("-id",)

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        result = super().formfield_for_dbfield(db_field, request, **options)
        if db_field.name == "excerpt":
            result.required = True
        return result

    def save_model(self, request: HttpRequest, obj: BlogPost, form: Any, change: Any) -> None:
        obj.updated_at = timezone.now()
        super().save_model(request, obj, form, change)


@admin.register(SitePage)
class SitePageAdmin(CheckedAdmin):
    """Privacy, terms, contact: the texts that the owner of the site answers for."""

    list_display = ("name", "site", "updated_at")
    list_filter = ("site",)
    list_select_related = ("site",)
    exclude = ("updated_at",)

    def save_model(self, request: HttpRequest, obj: SitePage, form: Any, change: Any) -> None:
        obj.updated_at = timezone.now()
        super().save_model(request, obj, form, change)


@admin.register(InterviewQuestion)
class InterviewQuestionAdmin(PublicAdmin):
    stamps = ("interview",)
    list_display = ("question", "order", "is_active")
    list_editable = ("order", "is_active")
    list_filter = ("is_active",)
    search_fields = ("question__istartswith",)
    search_placeholder = "How a question begins"
    ordering = ("order", "id")


@admin.register(ListingUpdate)
class ListingUpdateAdmin(PublicAdmin):
    stamps = ("listings",)
    exclude = ("followers_notified",)
    list_display = ("title", "listing", "posted_at")
    list_select_related = ("listing",)
    search_fields = ("listing__slug__exact",)
    search_placeholder = "A listing's address"
    ordering = ("-id",)
    autocomplete_fields = ("listing",)


@admin.register(Milestone)
class MilestoneAdmin(PublicAdmin):
    stamps = ("listings",)
    list_display = ("title", "listing", "date")
    list_select_related = ("listing",)
    search_fields = ("listing__slug__exact",)
    search_placeholder = "A listing's address"
    ordering = ("-id",)
    autocomplete_fields = ("listing",)
