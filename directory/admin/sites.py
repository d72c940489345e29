"""Sites, their settings with history, and categories."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone

from core.cache import changed
from directory.admin.public import PublicAdmin
from directory.models import Category, Site, SiteSettings
from directory.services import public_data


@admin.register(Site)
class SiteAdmin(admin.ModelAdmin):
    """The sites of this installation."""

    list_display = ("name", "key", "django_site", "is_default")
    search_fields = ("name", "key")
    list_select_related = ("django_site",)


@admin.register(SiteSettings)
class SiteSettingsAdmin(admin.ModelAdmin):
    """Settings are changed by adding a row, so that the history stays."""

    list_display = (
        "site",
        "free_queue_weeks",
        "free_slots_per_week",
        "paid_slots_per_week",
        "launch_grace_hours",
        "changed_by",
        "changed_at",
    )
    list_filter = ("site",)
    list_select_related = ("site", "changed_by")
    exclude = ("changed_by", "changed_at")
    ordering = ("-changed_at", "-id")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A change is a new row."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: SiteSettings, form: Any, change: Any) -> None:
        """Note who changed it and when."""
        obj.changed_by_id, obj.changed_at = request.user.pk, timezone.now()
        super().save_model(request, obj, form, change)
        changed("listings")


@admin.register(Category)
class CategoryAdmin(PublicAdmin):
    stamps = ("categories", "listings")
    list_display = ("name", "slug", "parent", "position")
    list_filter = (("parent", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("parent",)
    search_fields = ("name", "slug", "description")
    autocomplete_fields = ("parent",)
    ordering = ("position", "id")

    def save_model(self, request: HttpRequest, obj: Category, form: Any, change: Any) -> None:
        """Listings carry their categories' names and places, so they follow; there may be many."""
        super().save_model(request, obj, form, change)
        if change and {"name", "slug", "parent"} & set(form.changed_data):
            public_data.plan_category_refresh(category_id=obj.pk, at=timezone.now())
