"""Sites, their settings with history, and categories."""

from typing import Any

from django.contrib import admin
from django.db.models import F, QuerySet, Window
from django.db.models.functions import Lag
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe

from accounts.staff.lists import ADDED_ONLY, ReadOnlyInline, StaffAdmin
from core.cache import changed
from directory.models import Site, SiteSettings
from directory.sites.lookup import rules_of


class SettingsInline(ReadOnlyInline):
    """The settings of a site since it began, newest first: changed on their own page, which begins with today's."""

    model = SiteSettings
    fields = readonly_fields = (*SiteSettings.DECIDED, "changed_by", "changed_at")
    ordering = ("-changed_at", "-id")

    def get_queryset(self, request: HttpRequest) -> QuerySet[SiteSettings]:
        return super().get_queryset(request).select_related("changed_by")


@admin.register(Site)
class SiteAdmin(StaffAdmin):
    list_display = ("name", "key", "django_site", "is_default")
    search_fields = ("key__startswith", "name__istartswith")
    search_placeholder = "How a name begins"
    list_select_related = ("django_site",)
    inlines = (SettingsInline,)


@admin.register(SiteSettings)
class SiteSettingsAdmin(StaffAdmin):
    """Settings are changed by adding a row, so that the list is their history: who changed what, and when."""

    forbidden = ADDED_ONLY
    list_display = ("site", "changed_at", "changed_by", "changes")
    list_filter = ("site",)
    list_select_related = ("site", "changed_by")
    exclude = ("changed_by", "changed_at")
    ordering = ("-changed_at", "-id")

    def get_queryset(self, request: HttpRequest) -> QuerySet[SiteSettings]:
        former = {
            f"former_{name}": Window(Lag(name), partition_by=F("site"), order_by=("changed_at", "id"))
            for name in SiteSettings.DECIDED
        }
        return super().get_queryset(request).annotate(**former)

    @admin.display(description="What changed")
    def changes(self, row: Any) -> SafeString:
        """Each setting that is not what it was, before and after; all of them in a site's first row."""
        values = [(name, getattr(row, f"former_{name}"), getattr(row, name)) for name in SiteSettings.DECIDED]
        rows = [
            (words_of(name), "" if before is None else f"{before} → ", after)
            for name, before, after in values
            if before != after
        ]
        return format_html_join(mark_safe("<br>"), "{}: {}{}", rows) or mark_safe("nothing")

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """What holds now, for the site that is chosen by `?site=`, or else the first one."""
        site_id = request.GET.get("site", "")
        sites = Site.objects.order_by("-is_default", "pk")
        site = sites.filter(pk=site_id).first() if site_id.isdecimal() else sites.first()
        rules = rules_of(site.pk if site else 0)
        return {"site": site, **{name: getattr(rules, name) for name in SiteSettings.DECIDED}}

    def save_model(self, request: HttpRequest, obj: SiteSettings, form: Any, change: Any) -> None:
        obj.changed_by_id, obj.changed_at = request.user.pk, timezone.now()
        super().save_model(request, obj, form, change)
        changed("listings")
        changed("products")


def words_of(name: str) -> str:
    return name.replace("_", " ").capitalize()
