"""Edits of listings: what they were and are, word by word, and the two answers that staff give."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone

from accounts.staff.lists import StaffAdmin
from directory.admin.reasons import ReasonForm, reason_in
from directory.diffs import as_text, word_diff
from directory.models import ListingRevision
from directory.services import reviewing

LIST = "admin:directory_listingrevision_changelist"
PAGE = "admin:directory_listingrevision_change"


@admin.register(ListingRevision)
class ListingRevisionAdmin(StaffAdmin):
    """Edits with their before and after. A page shows one; deciding it leads on to the oldest that waits."""

    change_form_template = "directory/admin/review.html"
    list_display = ("listing", "changed", "by", "at", "review")
    list_filter = ("review",)
    list_select_related = ("listing", "by")
    search_fields = ("listing__name", "listing__slug")
    fields = readonly_fields = ("listing", "by", "at", "review", "reviewed_by", "reviewed_at", "review_note")
    actions = ["accept", "put_back"]
    action_form = ReasonForm
    ordering = ("-at", "-id")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Edits come from owners."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """One edit; a POST decides it."""
        revision = self.get_object(request, object_id)
        if revision is None:
            return super().change_view(request, object_id, form_url, extra_context)
        if request.method == "POST" and self.has_change_permission(request, revision):
            return self._decide(request, revision)
        context = {"changes": [_change(revision, name) for name in revision.changed]}
        return super().change_view(request, object_id, form_url, context)

    def _decide(self, request: HttpRequest, revision: ListingRevision) -> HttpResponse:
        if "put_back" in request.POST:
            self.put_back(request, ListingRevision.objects.filter(pk=revision.pk))
        else:
            self.accept(request, ListingRevision.objects.filter(pk=revision.pk))
        waiting = ListingRevision.objects.filter(review=ListingRevision.Review.PENDING)
        oldest = waiting.order_by("at", "pk").first()
        if oldest is None:
            messages.success(request, "All edits are reviewed.")
        return HttpResponseRedirect(reverse(PAGE, args=[oldest.pk]) if oldest else reverse(LIST))

    @admin.action(description="Accept")
    def accept(self, request: HttpRequest, revisions: QuerySet[ListingRevision]) -> None:
        ids = list(revisions.values_list("pk", flat=True))
        done = reviewing.accept(revision_ids=ids, reviewer_id=request.user.pk or 0, at=timezone.now())
        self.message_user(request, f"{done} edits accepted.")

    @admin.action(description="Put the previous text back")
    def put_back(self, request: HttpRequest, revisions: QuerySet[ListingRevision]) -> None:
        ids = list(revisions.values_list("pk", flat=True))
        done = reviewing.put_back(
            revision_ids=ids, reviewer_id=request.user.pk or 0, at=timezone.now(), reason=reason_in(request)
        )
        kept = len(ids) - done
        rest = (
            f" {kept} stay: put back or edited again already, or the listing would lack a name or a text."
            if kept
            else ""
        )
        self.message_user(request, f"{done} edits put back.{rest}")


def _change(revision: ListingRevision, name: str) -> dict[str, Any]:
    before, after = word_diff(as_text(revision.before.get(name)), as_text(revision.after.get(name)))
    return {"name": name.replace("_", " ").capitalize(), "before": before, "after": after}
