"""Staff's door to rankings: revenue and contributions are entered, results are only read."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from accounts.staff.lists import StaffAdmin
from leaderboards import services
from leaderboards.boards import BoardName
from leaderboards.models import Award, Contribution, DomainRating, RevenueReport, WeekClose


class ReadOnlyAdmin(StaffAdmin):
    """What is computed is not edited by hand."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False


@admin.register(Award)
class AwardAdmin(ReadOnlyAdmin):
    """Awards given."""

    list_display = ("week", "rank", "listing", "votes", "site")
    list_filter = ("site", "rank")
    list_select_related = ("listing", "site")
    search_fields = ("listing__name", "listing__slug")
    date_hierarchy = "week"


@admin.register(WeekClose)
class WeekCloseAdmin(ReadOnlyAdmin):
    """Closed weeks."""

    list_display = ("week", "site", "listings", "votes", "closed_at", "digest")
    list_filter = ("site",)
    list_select_related = ("site",)


@admin.register(Contribution)
class ContributionAdmin(ReadOnlyAdmin):
    """Money for the billboard, as orders recorded it."""

    list_display = ("paid_at", "listing", "amount_cents", "currency", "is_test", "reference")
    list_select_related = ("listing",)
    search_fields = ("listing__name", "reference")


@admin.register(DomainRating)
class DomainRatingAdmin(ReadOnlyAdmin):
    """Ratings, as they were imported."""

    list_display = ("domain", "value", "source", "date")
    list_filter = ("source",)
    search_fields = ("domain",)


@admin.register(RevenueReport)
class RevenueReportAdmin(StaffAdmin):
    """Monthly revenue, verified or told."""

    list_display = ("listing", "amount_cents", "currency", "is_verified", "method", "as_of")
    list_filter = ("is_verified",)
    list_select_related = ("listing",)
    search_fields = ("listing__name", "listing__slug")
    autocomplete_fields = ("listing",)
    exclude = ("entered_by", "entered_at")

    def save_model(self, request: HttpRequest, obj: RevenueReport, form: Any, change: Any) -> None:
        """Note who entered it, and rank the board anew."""
        obj.entered_by_id, obj.entered_at = request.user.pk, timezone.now()
        super().save_model(request, obj, form, change)
        services.refresh_board(site=obj.listing.site, board=BoardName.REVENUE, at=obj.entered_at)

    def delete_model(self, request: HttpRequest, obj: RevenueReport) -> None:
        """The board follows."""
        super().delete_model(request, obj)
        services.refresh_board(site=obj.listing.site, board=BoardName.REVENUE, at=timezone.now())

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[RevenueReport]) -> None:
        """The boards follow."""
        sites = {report.listing.site for report in queryset.select_related("listing__site")}
        super().delete_queryset(request, queryset)
        for site in sites:
            services.refresh_board(site=site, board=BoardName.REVENUE, at=timezone.now())
