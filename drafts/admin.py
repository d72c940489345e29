"""Staff's door to drafts: what was read, what it says, who wrote, what it cost, and what went wrong."""

from typing import Any

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from accounts.staff import pages
from accounts.staff.audit import Acting
from accounts.staff.lists import ReadOnlyAdmin, ReadOnlyInline, column
from core.api.errors import ApiError
from directory.models import Listing
from drafts.drafting import rereading
from drafts.models import Draft, DraftField, DraftPage, Invite, ModelUse
from drafts.requests import submitting


class FieldInline(ReadOnlyInline):
    model = DraftField
    fields = ("group", "name", "state", "value", "quotes", "reason", "updated_by")
    readonly_fields = ("quotes",)
    ordering = ("group", "name")

    @admin.display(description="evidence")
    def quotes(self, row: DraftField) -> SafeString:
        return format_html_join(
            "",
            "<p>“{}”<br>{}</p>",
            ((quote.get("quote", ""), quote.get("url", "")) for quote in row.evidence),
        )


class PageInline(ReadOnlyInline):
    """What was read, what was not, and why."""

    model = DraftPage
    fields = ("position", "url", "status", "size", "kind", "skipped", "detail", "fetched_at")
    ordering = ("position",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[DraftPage]:
        """Without the pages' contents, which may be megabytes."""
        return super().get_queryset(request).defer("html", "text")


class InviteInline(ReadOnlyInline):
    model = Invite
    fields = ("email", "status", "sent_at", "expires_at", "accepted_at")
    ordering = ("-sent_at",)


@admin.register(Draft)
class DraftAdmin(ReadOnlyAdmin):
    """Drafts, looked at and, where they failed, tried again."""

    list_display = (
        "url",
        "status",
        "failure",
        "owner",
        "writer_name",
        "tokens",
        "cost",
        "tries",
        "created_at",
    )
    list_filter = ("status", "robots", "writer_name", "site")
    list_select_related = ("owner",)
    search_fields = ("domain__exact", "owner__email", "id__exact")
    search_placeholder = "A website's domain, a person's e-mail, or the draft's id"
    ordering = ("-created_at", "-id")
    tokens = column("tokens", lambda draft: draft.tokens_in + draft.tokens_out)
    cost = column("cost", lambda draft: f"{draft.cost_micros / 1_000_000:.4f}")
    inlines = (PageInline, FieldInline, InviteInline)
    actions = ["try_again"]

    @pages.page("read/<int:listing_id>/", "drafts_listing_read", "listings.check")
    def read_again(self, request: HttpRequest, listing_id: int) -> HttpResponse:
        """Have the website of a listing read again, and go back to its page."""
        listing = get_object_or_404(Listing, pk=listing_id)
        if request.method == "POST":
            try:
                with transaction.atomic():
                    rereading.read_website_again(listing_id=listing.pk, at=timezone.now())
                    Acting(request, "listings.check").record("had the website read of", on=listing)
            except ApiError as error:
                self.message_user(request, error.detail, messages.ERROR)
            else:
                self.message_user(request, f"{listing.url} is being read. What it lacked is filled in.")
        return HttpResponseRedirect(reverse("admin:directory_listing_change", args=[listing.pk]))

    @admin.display(description="failure")
    def failure(self, draft: Draft) -> SafeString:
        if not draft.error:
            return SafeString("")
        return format_html(
            '<span title="{}">{}</span>', draft.error.get("detail", ""), draft.error.get("code", "")
        )

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Trying again changes a draft, though its values are only looked at."""
        return super().get_actions(request) if request.user.has_perm("drafts.change_draft") else {}

    @admin.action(description="Try again")
    def try_again(self, request: HttpRequest, drafts: QuerySet[Draft]) -> None:

        def again(draft: Draft, act: Acting) -> None:
            submitting.try_again(owner_id=draft.owner_id, draft_id=draft.pk, at=act.at)

        started = self.each(request, drafts, again, "had the website read again for")
        self.tell(request, started, "tried again")


@admin.register(ModelUse)
class ModelUseAdmin(ReadOnlyAdmin):
    list_display = ("day", "owner", "calls", "tokens", "cost_micros")
    list_select_related = ("owner",)
    search_fields = ("owner__email",)
    search_placeholder = "A person's e-mail"
    ordering = ("-day", "-tokens")
