"""Launch weeks on sale: how many paid places they have, and who has them."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, F, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from accounts.staff.lists import StaffAdmin
from core.cache import changed
from directory.models import Launch, SiteSettings
from orders.models import LaunchWeek, SlotHold


def _number_of(rows: QuerySet[Any]) -> Coalesce:
    """How many rows there are of the same site and week."""
    same = rows.filter(site=OuterRef("site"), week=OuterRef("week")).order_by().values("site")
    counted = Subquery(same.annotate(number=Count("pk")).values("number"), output_field=IntegerField())
    return Coalesce(counted, 0)


@admin.register(LaunchWeek)
class LaunchWeekAdmin(StaffAdmin):
    """One row a week and site; they appear by themselves as weeks come on sale."""

    list_display = ("week", "site", "places", "left", "launches", "being_paid")
    list_filter = ("site",)
    list_select_related = ("site",)
    fields = ("site", "week", "capacity", "who")
    readonly_fields = ("site", "week", "who")
    ordering = ("-week", "site")

    def get_queryset(self, request: HttpRequest) -> QuerySet[LaunchWeek]:
        """With what takes places."""
        newest = SiteSettings.objects.filter(site=OuterRef("site")).order_by("-changed_at", "-id")
        counting = SlotHold.objects.filter(
            Q(state=SlotHold.State.TAKEN) | Q(state=SlotHold.State.HELD, held_until__gt=timezone.now())
        )
        rows = super().get_queryset(request)
        return rows.annotate(
            n_places=Coalesce("capacity", Subquery(newest.values("paid_slots_per_week")[:1]), 0),
            n_launches=_number_of(Launch.objects.exclude(kind=Launch.Kind.FREE)),
            n_held=_number_of(counting),
            n_left=F("n_places") - F("n_launches") - F("n_held"),
        )

    def has_add_permission(self, request: HttpRequest) -> bool:
        """They appear by themselves."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False

    def save_model(self, request: HttpRequest, obj: LaunchWeek, form: Any, change: Any) -> None:
        """What is on sale is another. Nobody who has a place loses it."""
        super().save_model(request, obj, form, change)
        changed("products")

    @admin.display(description="paid places", ordering="n_places")
    def places(self, row: Any) -> int:
        """Its own, or the site's."""
        return int(row.n_places)

    @admin.display(description="left", ordering="n_left")
    def left(self, row: Any) -> int:
        """Those that can be bought."""
        return max(0, int(row.n_left))

    @admin.display(description="launches", ordering="n_launches")
    def launches(self, row: Any) -> int:
        """Those that are booked."""
        return int(row.n_launches)

    @admin.display(description="being paid or placed", ordering="n_held")
    def being_paid(self, row: Any) -> int:
        """Those that orders keep."""
        return int(row.n_held)

    @admin.display(description="who is in it")
    def who(self, row: LaunchWeek) -> SafeString:
        """Listings that launch then, and orders that keep a place."""
        booked = Launch.objects.filter(site=row.site, week=row.week).select_related("listing")
        kept = SlotHold.objects.filter(site=row.site, week=row.week).exclude(state=SlotHold.State.RELEASED)
        rows = [(launch.listing.name, launch.kind) for launch in booked.order_by("booked_at", "pk")]
        rows += [
            (hold.line.order.number, hold.state) for hold in kept.select_related("line__order").order_by("pk")
        ]
        return format_html_join("", "<div>{}: {}</div>", rows) or SafeString("Nobody yet.")
