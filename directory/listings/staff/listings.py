"""Listings: the list, the page of one with everything that staff need to know of it, and the rows that hang on it."""

import functools
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.forms import Field
from django.forms.models import BaseInlineFormSet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.text import slugify

from accounts.models import User
from accounts.staff import pages, rights
from accounts.staff.audit import Acting
from accounts.staff.lists import StaffAdmin, StaffInline, list_filter, staff_action
from core.domains import domain_meant, domain_of, host_of
from directory import limits
from directory.back_office.checks import CheckedAdmin, checked
from directory.back_office.widgets import ReasonForm, reason_in
from directory.engagement import holding
from directory.launches.badge_watch import WARNINGS_MAX
from directory.listings import back_office as staff
from directory.listings import editing, timeline
from directory.listings.staff import listing_form
from directory.listings.staff.importing import LISTINGS
from directory.models import (
    Alternative,
    BadgeCheck,
    Listing,
    ListingCategory,
    ListingFounder,
    Milestone,
    Site,
)
from directory.moderation import status as moderation
from directory.moderation.staff.acts import ListingActs
from directory.search import public_data


class FiledFormSet(BaseInlineFormSet):
    """What was paid for is taken away by those who may give it."""

    may_give = False

    def clean(self) -> None:
        """No bought place goes with the others."""
        super().clean()
        if not self.may_give and any(form.instance.is_bought for form in self.deleted_forms):
            raise ValidationError(f"This category was paid for. {rights.refusal('listings.give')}")


class FiledInline(StaffInline):
    model = ListingCategory
    formset = FiledFormSet
    extra = 0
    max_num = 1 + 2 * limits.EXTRA_CATEGORIES

    def get_formset(self, request: HttpRequest, obj: Any = None, **options: Any) -> Any:
        made: Any = super().get_formset(request, obj, validate_max=True, **options)
        made.may_give = rights.may(request.user, "listings.give")
        return made

    autocomplete_fields = ("category",)


class FoundedInline(StaffInline):
    model = ListingFounder
    extra = 0
    autocomplete_fields = ("founder",)


class AlternativeInline(StaffInline):
    """What to look at besides; with the owner's approval it stands first."""

    model = Alternative
    fk_name = "listing"
    extra = 0
    autocomplete_fields = ("alternative",)
    exclude = ("at",)


class MilestoneInline(StaffInline):
    """Dated steps; what is given here is the order of their dates."""

    model = Milestone
    extra = 0
    formfield_overrides = {models.URLField: {"assume_scheme": "https"}}
    ordering = ("-date", "-pk")


TAB = "tab"
MAY = (
    "listings.check",
    "listings.edit",
    "listings.give",
    "listings.move",
    "listings.rename",
    "listings.share",
    "listings.suspend",
    "people.ban",
    "votes.void",
)
BLANKS = {
    "not_on_site": "No page we read states it.",
    "robots_blocked": "The pages were closed to us by robots.txt.",
    "fetch_failed": "The pages could not be opened.",
    "conflicting": "The pages contradict each other.",
    "unconfirmed": "A page may say it; nobody has confirmed it.",
    "removed_by_owner": "It was taken out.",
}
INLINES: dict[str, tuple[type, ...]] = {
    "facts": (FiledInline,),
    "links": (AlternativeInline,),
    "story": (FoundedInline, MilestoneInline),
}


def _lost_badge(listings: QuerySet[Listing], chosen: str) -> QuerySet[Listing]:
    """Free listings whose owners were warned twice and have not put the badge back."""
    if chosen != "lost":
        return listings
    read = BadgeCheck.objects.filter(was_read=True, at__gt=F("listing__launched_at"))
    last_seen = read.filter(listing=OuterRef("listing"), found=True).order_by("-at").values("at")[:1]
    misses = read.filter(found=False).annotate(seen_at=Subquery(last_seen))
    misses = misses.filter(Q(seen_at=None) | Q(at__gt=F("seen_at")))
    lost = misses.values("listing").annotate(number=Count("pk")).filter(number__gt=WARNINGS_MAX)
    return listings.filter(status="live", plan="free", pk__in=lost.values("listing"))


BadgeFilter = list_filter("badge", "badge", {"lost": "Lost after the launch"}.items, _lost_badge)


def _moves(description: str, *, to: str = "") -> Callable[..., None]:
    """An action that gives listings a status, or puts them back where they were."""
    move = functools.partial(moderation.moderate, to=to) if to else moderation.put_back
    summary, says = (
        (f"made {to}", "put live" if to == Listing.Status.LIVE else to) if to else ("restored", "put back")
    )

    @staff_action(act="listings.suspend", description=description)
    def moved_by_staff(self: StaffAdmin, request: HttpRequest, listings: QuerySet[Listing]) -> None:
        if not (reason := reason_in(request)):
            text = "Give a reason; the owner reads it. Nothing was changed."
            self.message_user(request, text, messages.ERROR)
            return

        def do(row: Listing, act: Acting) -> None:
            moderation.refuse_same(row, to=to)
            move(listing_id=row.pk, staff_id=act.staff_id, at=act.at, reason=reason)

        moved = self.each(request, listings, do, summary, right="listings.suspend", reason=reason)
        self.tell(request, moved, says)

    return moved_by_staff


@admin.register(Listing)
class ListingAdmin(ListingActs, CheckedAdmin):
    forbidden = ("delete",)  # they are rejected or archived: results, orders and links stay true
    form = listing_form.ListingForm
    change_form_template = "directory/admin/listing.html"
    page_name = "Listings"
    list_display = ("name", "status", "plan", "launch_week", "owner", "site", "updated_at")
    list_filter = ("status", "plan", BadgeFilter, "site")
    list_select_related = ("owner", "site")
    search_fields = ("slug",)
    search_placeholder = "Beginning of its address, its website, or its owner's e-mail"
    autocomplete_fields = ("owner",)
    actions = ["suspend", "reject", "archive", "put_live", "put_back"]
    action_form = ReasonForm
    ordering = ("-id",)
    exported = ("slug", "url", *listing_form.OVERVIEW[1:])
    importing = LISTINGS

    def get_urls(self) -> list[Any]:
        return [*self.act_urls(), *super().get_urls()]

    def matching(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """By what an index answers: an owner's address, a website, the beginning of a slug."""
        if "@" in term:
            person = User.objects.with_address(term)
            return rows.filter(owner=person.pk if person else 0)
        if "." in term:
            sites = list(Site.objects.values_list("pk", flat=True))
            return rows.filter(site__in=sites, domain=domain_meant(term))
        return rows.filter(slug__startswith=slugify(term) or "-")

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        fields = listing_form.TABS[self._tab(request)][1] if obj else listing_form.ADDED
        return [(None, {"fields": [*fields, "seen"]})]

    def get_inlines(self, request: HttpRequest, obj: Any) -> Any:
        return INLINES.get(self._tab(request), ()) if obj else ()

    @staticmethod
    def _tab(request: HttpRequest) -> str:
        tab = request.GET.get(TAB, "")
        return tab if tab in listing_form.TABS else ""

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        """Whoever makes a listing gives it to a colleague's choice of owner, never to themself."""
        if db_field.name == "owner":
            options["queryset"] = User.objects.exclude(pk=request.user.pk or 0)
        return super().formfield_for_foreignkey(db_field, request, **options)

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        special: Field | None = listing_form.special_field(db_field.name)
        if special is None:
            return super().formfield_for_dbfield(db_field, request, **options)
        return checked(special, db_field)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """One listing: what is open of it, why it is not live, what happened."""
        rows = Listing.objects.select_related("site", "owner", "stats")
        listing = rows.filter(pk=pages.key_of(object_id)).first()
        if listing is None or not self.has_view_permission(request, listing):
            return super().change_view(request, object_id, form_url, extra_context)
        tab, now = self._tab(request), timezone.now()
        context: dict[str, Any] = {
            "listing": listing,
            "tab": tab,
            "tabs": [
                (name, f"?{TAB}={key}" if key else "?", key == tab)
                for key, (name, _) in listing_form.TABS.items()
            ],
            "may": {name.replace(".", "_"): rights.may(request.user, name) for name in MAY},
            "blanks": {entry["field"]: BLANKS.get(entry["reason"], "") for entry in listing.not_found},
            "has_form": bool(listing_form.TABS[tab][1]),
            **self._of_tab(request, listing, tab, at=now),
        }
        return super().change_view(request, object_id, form_url, {**context, **(extra_context or {})})

    @staticmethod
    def _of_tab(request: HttpRequest, listing: Listing, tab: str, *, at: datetime) -> dict[str, Any]:
        if tab == "votes":
            return {
                "votes": staff.newest_votes(listing),
                "vote_counts": staff.vote_counts(listing),
                "burst": next(iter(holding.bursts(listing_id=listing.pk)), None),
            }
        if tab == "sites":
            return {"company": staff.same_company(listing), "co_owners": listing.co_owners.order_by("pk")}
        if tab:
            return {}
        kind = request.GET.get("kind", "")
        before = request.GET.get("before", "")
        try:
            moment = parse_datetime(before)
        except ValueError:
            moment = None
        return {
            "beside": staff.beside(listing, at=at),
            "kind": kind if kind in timeline.KINDS else "",
            "kinds": [("", "All"), *timeline.KINDS.items()],
            "timeline": timeline.timeline(
                listing_id=listing.pk,
                kind=kind if kind in timeline.KINDS else "",
                before=moment if moment and moment.tzinfo else None,
            ),
        }

    def response_change(self, request: HttpRequest, obj: Listing) -> HttpResponse:
        answer = super().response_change(request, obj)
        here = reverse("admin:directory_listing_change", args=[obj.pk])
        if self._tab(request) and answer.get("Location", "").partition("?")[0] == here:
            answer["Location"] = f"{here}?{TAB}={self._tab(request)}"
        return answer

    def save_model(self, request: HttpRequest, obj: Listing, form: Any, change: Any) -> None:
        """Only what was typed is written."""
        form.edit = editing.StaffEdit(listing_ids=[obj.pk]) if change else None
        obj.updated_at = timezone.now()
        obj.created_at = obj.created_at or obj.updated_at
        if not change:
            obj.domain, obj.host = domain_of(obj.url), host_of(obj.url)
            super().save_model(request, obj, form, change)
            return
        obj.save(update_fields=[*(set(form.cleaned_data) - {"seen"}), "updated_at"])

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: Any) -> None:
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

    suspend = _moves("Suspend", to=Listing.Status.SUSPENDED)
    reject = _moves("Reject", to=Listing.Status.REJECTED)
    archive = _moves("Archive", to=Listing.Status.ARCHIVED)
    put_live = _moves("Put live", to=Listing.Status.LIVE)
    put_back = _moves("Put back where it was")
