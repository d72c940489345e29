"""Listings, their moves and edits, founders, votes."""

import functools
from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest
from django.utils import timezone

from accounts.staff.lists import StaffAdmin
from core.errors import InvalidRequestError
from directory.admin.checks import CheckedAdmin
from directory.admin.public import PublicAdmin
from directory.admin.reasons import ReasonForm, reason_in
from directory.errors import DuplicateListingError, ListingCannotMoveError
from directory.models import (
    Alternative,
    BadgeCheck,
    Founder,
    Launch,
    Listing,
    ListingCategory,
    ListingFounder,
    ListingMove,
    Vote,
)
from directory.services import holding, moderation, public_data, reviewing, voting
from directory.services.badge_watch import WARNINGS_MAX


class ReadOnlyInline(admin.TabularInline):
    """Rows that are only looked at."""

    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class FiledInline(admin.TabularInline):
    model = ListingCategory
    extra = 0
    autocomplete_fields = ("category",)


class FoundedInline(admin.TabularInline):
    model = ListingFounder
    extra = 0
    autocomplete_fields = ("founder",)


class AlternativeInline(admin.TabularInline):
    """What to look at besides; with the owner's approval it stands first."""

    model = Alternative
    fk_name = "listing"
    extra = 0
    autocomplete_fields = ("alternative",)
    exclude = ("at",)


class MoveInline(ReadOnlyInline):
    model = ListingMove
    ordering = ("-at",)


class LaunchInline(ReadOnlyInline):
    model = Launch
    fields = ("week", "kind", "votes", "booked_at", "launched_at")


class BadgeCheckInline(ReadOnlyInline):
    """What was seen on its homepage."""

    model = BadgeCheck
    ordering = ("-at",)


class BadgeFilter(admin.SimpleListFilter):
    """Free listings whose owners were warned twice and have not put the badge back."""

    title = "badge"
    parameter_name = "badge"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """What there is to choose."""
        return [("lost", "Lost after the launch")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Listing]) -> QuerySet[Listing]:
        """The listings of the choice."""
        if self.value() != "lost":
            return queryset
        read = BadgeCheck.objects.filter(was_read=True, at__gt=F("listing__launched_at"))
        last_seen = read.filter(listing=OuterRef("listing"), found=True).order_by("-at").values("at")[:1]
        misses = read.filter(found=False).annotate(seen_at=Subquery(last_seen))
        misses = misses.filter(Q(seen_at=None) | Q(at__gt=F("seen_at")))
        lost = misses.values("listing").annotate(number=Count("pk")).filter(number__gt=WARNINGS_MAX)
        return queryset.filter(status="live", plan="free", pk__in=lost.values("listing"))


@admin.register(Listing)
class ListingAdmin(CheckedAdmin):
    """Listings of every site."""

    list_display = ("name", "status", "plan", "launch_week", "owner", "site", "updated_at")
    list_filter = ("status", "plan", BadgeFilter, "site")
    list_select_related = ("owner", "site")
    search_fields = ("name", "slug", "domain", "owner__email")
    autocomplete_fields = ("owner", "co_owners")
    readonly_fields = (
        "status",
        "launched_at",
        "created_at",
        "updated_at",
        "awards",
        "domain_rating_detail",
        "evidence",
        "not_found",
    )
    inlines = (FiledInline, FoundedInline, AlternativeInline, LaunchInline, MoveInline, BadgeCheckInline)
    actions = ["suspend", "reject", "archive", "put_live", "put_back"]
    action_form = ReasonForm
    ordering = ("-updated_at", "-id")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """They are rejected or archived: results, orders and links stay true."""
        return False

    def save_model(self, request: HttpRequest, obj: Listing, form: Any, change: Any) -> None:
        form.edit = reviewing.StaffEdit(listing_id=obj.pk) if change else None
        obj.updated_at = timezone.now()
        obj.created_at = obj.created_at or obj.updated_at
        super().save_model(request, obj, form, change)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: Any) -> None:
        """Note when an alternative was named."""
        if formset.model is Alternative:
            for added in formset.forms:
                added.instance.at = added.instance.at or timezone.now()
        super().save_formset(request, form, formset, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: Any) -> None:
        """Public data follows what staff change, and so does the draft; both sides are kept."""
        super().save_related(request, form, formsets, change)
        if form.edit is None:
            public_data.refresh(listing_ids=[form.instance.pk])
        else:
            form.edit.close(staff_id=request.user.pk or 0, at=timezone.now())

    def _move(self, request: HttpRequest, listings: QuerySet[Listing], to: str) -> None:
        moved = self._each(request, listings, functools.partial(moderation.moderate, to=to))
        self.message_user(request, f"{moved} listings are now {to}.")

    def _each(self, request: HttpRequest, listings: QuerySet[Listing], change: Callable[..., Listing]) -> int:
        moved = 0
        for listing in listings:
            try:
                change(
                    listing_id=listing.pk,
                    staff_id=request.user.pk or 0,
                    at=timezone.now(),
                    reason=reason_in(request),
                )
                moved += 1
            except (ListingCannotMoveError, DuplicateListingError, InvalidRequestError) as error:
                self.message_user(request, f"{listing.name}: {error.detail}", messages.ERROR)
        return moved

    @admin.action(description="Suspend")
    def suspend(self, request: HttpRequest, listings: QuerySet[Listing]) -> None:
        """Take them off the site for now."""
        self._move(request, listings, Listing.Status.SUSPENDED)

    @admin.action(description="Reject")
    def reject(self, request: HttpRequest, listings: QuerySet[Listing]) -> None:
        self._move(request, listings, Listing.Status.REJECTED)

    @admin.action(description="Archive")
    def archive(self, request: HttpRequest, listings: QuerySet[Listing]) -> None:
        self._move(request, listings, Listing.Status.ARCHIVED)

    @admin.action(description="Put live")
    def put_live(self, request: HttpRequest, listings: QuerySet[Listing]) -> None:
        self._move(request, listings, Listing.Status.LIVE)

    @admin.action(description="Put back where it was")
    def put_back(self, request: HttpRequest, listings: QuerySet[Listing]) -> None:
        """Take a rejection or suspension back."""
        moved = self._each(request, listings, moderation.put_back)
        self.message_user(request, f"{moved} listings are back where they were.")


@admin.register(Founder)
class FounderAdmin(PublicAdmin):
    stamps = ("listings",)
    list_display = ("name", "title", "country", "slug")
    list_filter = ("country",)
    search_fields = ("name", "slug")
    autocomplete_fields = ("user",)


class StandingFilter(admin.SimpleListFilter):
    """Whether votes wait for a decision."""

    title = "decision"
    parameter_name = "decision"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """What there is to choose."""
        return [("held", "Held, to be looked at"), ("released", "Released"), ("voided", "Voided")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Vote]) -> QuerySet[Vote]:
        """The votes of the choice."""
        chosen: dict[str, dict[str, Any]] = {
            "held": {"held_at__isnull": False, "released_at": None, "voided_at": None},
            "released": {"released_at__isnull": False},
            "voided": {"voided_at__isnull": False},
        }
        return queryset.filter(**chosen.get(self.value() or "", {}))


@admin.register(Vote)
class VoteAdmin(StaffAdmin):
    """Votes, which staff can void with a reason or release when they were held; the rows stay."""

    list_display = (
        "listing",
        "user",
        "joined",
        "week",
        "created_at",
        "held_for",
        "released_at",
        "voided_at",
        "void_reason",
    )
    list_filter = (StandingFilter, "week")
    list_select_related = ("listing", "user")
    search_fields = ("listing__slug", "user__email")
    actions = ["void", "release"]

    @admin.display(description="account since", ordering="user__date_joined")
    def joined(self, vote: Vote) -> Any:
        """When the voter's account was made."""
        return vote.user.date_joined

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Votes come from people on the site."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Votes are voided, not edited."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Votes are voided, not deleted."""
        return False

    @admin.action(description="Void", permissions=["view"])
    def void(self, request: HttpRequest, votes: QuerySet[Vote]) -> None:
        """Take them out of the count."""
        ids = list(votes.values_list("pk", flat=True))
        done = voting.void_votes(vote_ids=ids, reason=f"voided by staff:{request.user.pk}", at=timezone.now())
        self.message_user(request, f"{done} votes voided.")

    @admin.action(description="Release: let held votes count", permissions=["view"])
    def release(self, request: HttpRequest, votes: QuerySet[Vote]) -> None:
        """Put them into the count."""
        ids = list(votes.values_list("pk", flat=True))
        done = holding.release_votes(vote_ids=ids, at=timezone.now())
        self.message_user(request, f"{done} votes released.")
