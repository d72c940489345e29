"""Staff's door to rankings: revenue and contributions are entered, results are only read."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from accounts.staff.files import Import, Line, Row, compared, refused
from accounts.staff.lists import ReadOnlyAdmin, StaffAdmin
from leaderboards.boards.revenue import Revenue
from leaderboards.errors import RatingFileError
from leaderboards.models import Award, Contribution, DomainRating, Programme, RevenueReport, WeekClose
from leaderboards.ratings import Rating, rating_of, store_ratings


@admin.register(Award)
class AwardAdmin(ReadOnlyAdmin):
    list_display = ("week", "rank", "listing", "votes", "site")
    list_filter = ("site", "rank")
    list_select_related = ("listing", "site")
    search_fields = ("listing__slug__exact",)
    search_placeholder = "A listing's address, whole"
    ordering = ("-week", "rank")


@admin.register(WeekClose)
class WeekCloseAdmin(ReadOnlyAdmin):
    list_display = ("week", "site", "listings", "votes", "closed_at", "corrected_at")
    list_filter = ("site",)
    list_select_related = ("site",)


@admin.register(Contribution)
class ContributionAdmin(ReadOnlyAdmin):
    list_display = ("paid_at", "listing", "amount_cents", "currency", "is_test", "reference")
    list_select_related = ("listing",)
    search_fields = ("listing__slug__exact", "reference__exact")
    search_placeholder = "A listing's address or a reference, whole"


def _plan(rows: Sequence[Row]) -> list[Line]:
    """What a file of ratings would do: a domain has one of each source and day."""
    today, rows_read = timezone.now().date(), list[Line | tuple[Row, Rating]]()
    first: dict[tuple[str, str, date], int] = {}
    for row in rows:
        values = {**row.values, "domain_rating": row.values.get("domain_rating") or row.values.get("value")}
        try:
            rating = rating_of(values, where=f"Row {row.line}", today=today)
        except RatingFileError as error:
            rows_read.append(refused(row, row.values["domain"], error.detail))
            continue
        above = first.setdefault((rating.domain, rating.source, rating.date), row.line)
        reason = f"domain: row {above} has {rating.domain} of this source and day already."
        rows_read.append((row, rating) if above == row.line else refused(row, rating.domain, reason))
    ratings = [item[1] for item in rows_read if isinstance(item, tuple)]
    stored = DomainRating.objects.filter(domain__in={rating.domain for rating in ratings})
    there = {(row.domain, row.source, row.date): row.value for row in stored}
    return [_line(*item, there) if isinstance(item, tuple) else item for item in rows_read]


def _line(row: Row, rating: Rating, there: Mapping[tuple[str, str, date], int]) -> Line:
    value = there.get((rating.domain, rating.source, rating.date))
    name = f"{rating.domain}, {rating.source}, {rating.date}"
    before = None if value is None else {"value": value}
    return compared(row, name=name, before=before, after={"value": rating.value}, key=rating)


def _write(lines: Sequence[Line], _staff_id: int, at: datetime) -> None:
    store_ratings(ratings=[line.key for line in lines], at=at)


@admin.register(DomainRating)
class DomainRatingAdmin(ReadOnlyAdmin):
    page_name = "Domain ratings"
    list_display = ("domain", "value", "source", "date")
    search_fields = ("domain__exact",)
    search_placeholder = "A domain, whole"
    ordering = ("-id",)
    importing = Import(
        what="domain ratings",
        act="ratings.edit",
        needs=("domain",),
        takes=("value", "domain_rating", "date", "source"),
        says="A domain has one rating of each source and day; the newest is shown on its listings.",
        most=2000,
        plan=_plan,
        write=_write,
    )


@admin.register(RevenueReport)
class RevenueReportAdmin(StaffAdmin):
    list_display = ("listing", "amount_cents", "currency", "is_verified", "method", "as_of")
    list_filter = ("is_verified",)
    list_select_related = ("listing",)
    search_fields = ("listing__slug__exact",)
    search_placeholder = "A listing's address, whole"
    autocomplete_fields = ("listing",)
    exclude = ("entered_by", "entered_at")

    def save_model(self, request: HttpRequest, obj: RevenueReport, form: Any, change: Any) -> None:
        obj.entered_by_id, obj.entered_at = request.user.pk, timezone.now()
        super().save_model(request, obj, form, change)
        Revenue().refresh(site=obj.listing.site, at=obj.entered_at)

    def delete_model(self, request: HttpRequest, obj: RevenueReport) -> None:
        super().delete_model(request, obj)
        Revenue().refresh(site=obj.listing.site, at=timezone.now())

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[RevenueReport]) -> None:
        sites = {report.listing.site for report in queryset.select_related("listing__site")}
        super().delete_queryset(request, queryset)
        for site in sites:
            Revenue().refresh(site=site, at=timezone.now())


@admin.register(Programme)
class ProgrammeAdmin(StaffAdmin):
    """Contests that owners enter; once voting has begun, what decides it stays."""

    page_name = "Programmes"
    list_display = ("title", "site", "entry_from", "entry_until", "votes_from", "votes_until", "closed_at")
    list_filter = ("site",)
    list_select_related = ("site",)
    search_fields = ("slug__exact",)
    search_placeholder = "A programme's address, whole"
    ordering = ("-votes_until", "-id")
    prepopulated_fields = {"slug": ("title",)}
    autocomplete_fields = ("categories",)
    fields = (
        "site",
        "title",
        "slug",
        "description",
        ("entry_from", "entry_until"),
        ("votes_from", "votes_until"),
        ("launched_from", "launched_until"),
        "categories",
        "places",
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Programme | None = None) -> tuple[str, ...]:
        """Nobody moves the goal once votes count."""
        begins = obj.votes_from if obj else None
        is_decided = begins is not None and timezone.now() >= begins
        return (
            ("site", "slug", "entry_from", "entry_until", "votes_from", "votes_until", "places")
            if is_decided
            else ()
        )

    def get_prepopulated_fields(self, request: HttpRequest, obj: Programme | None = None) -> dict[str, Any]:
        """The address follows the title while the programme is new."""
        return {} if obj else {"slug": ("title",)}

    def has_delete_permission(self, request: HttpRequest, obj: Programme | None = None) -> bool:
        is_empty = obj is None or not obj.entries.exists()
        return is_empty and super().has_delete_permission(request, obj)
