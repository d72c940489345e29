"""Staff's door to claims: what every check saw, and the contested ones, which staff decide with a reason."""

from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import F, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.staff import pages
from accounts.staff.lists import StaffAdmin
from claims.models import Claim, ClaimCheck
from claims.services import owning
from core.errors import ApiError

INBOX = {
    "staff": "Contested: staff decide",
    "owner": "Contested: the owner has time",
    "late": "Staff decide, for over 48 hours",
}
LATE_HOURS = 48


class Inbox(admin.SimpleListFilter):
    """The contested claims, by whose turn it is."""

    title, parameter_name = "inbox", "inbox"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Whose turn it is."""
        return list(INBOX.items())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Claim]) -> QuerySet[Claim]:
        """Those of the choice."""
        contested = queryset.filter(status=Claim.Status.CONTESTED)
        late = timezone.now() - timedelta(hours=LATE_HOURS)
        return {
            "staff": contested.filter(for_staff_since__isnull=False),
            "owner": contested.filter(for_staff_since=None),
            "late": contested.filter(for_staff_since__lt=late),
        }.get(self.value() or "", queryset)


class CheckInline(admin.TabularInline):
    """Every check, with what came back as it was."""

    model = ClaimCheck
    fk_name = "claim"
    fields = ("at", "result", "detail", "seen", "raw")
    extra = 0
    ordering = ("-at", "-id")
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class DecisionForm(forms.Form):
    """What becomes of a claim, and why."""

    outcome = forms.ChoiceField(
        choices=[
            (owning.GIVE, "Give: the claimant owns the listing"),
            (owning.KEEP, "Keep: it stays with its owner"),
            (owning.SHARE, "Share: both may edit it, such as a company and its agency"),
        ],
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(
        max_length=500, widget=forms.Textarea(attrs={"rows": 3}), help_text="Both read it in a mail."
    )


@admin.register(Claim)
class ClaimAdmin(StaffAdmin):
    """Claims, looked at; contested ones are decided."""

    list_display = (
        "listing",
        "user",
        "method",
        "status",
        "act",
        "last_result",
        "for_staff_since",
        "created_at",
    )
    list_filter = (Inbox, "status", "method")
    list_select_related = ("listing", "user", "last_check")
    search_fields = ("listing__slug", "listing__domain", "user__email")
    ordering = (F("for_staff_since").asc(nulls_last=True), "-created_at", "-id")
    exclude = ("link", "checking_until")
    inlines = (CheckInline,)
    actions = ["revoke"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody: whose a listing is follows from proofs and decisions."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody: who claimed what stays known."""
        return False

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Taking a proof back changes a claim, though its row is only looked at."""
        return super().get_actions(request) if request.user.has_perm("claims.change_claim") else {}

    @admin.display(description="last check")
    def last_result(self, claim: Claim) -> str:
        """What came of it."""
        return claim.last_check.result if claim.last_check else ""

    @admin.display(description="")
    def act(self, claim: Claim) -> SafeString:
        """The way to the decision."""
        if claim.status != Claim.Status.CONTESTED:
            return SafeString("")
        return format_html('<a href="{}">Decide</a>', reverse("admin:claims_claim_decide", args=[claim.pk]))

    @admin.action(description="Take the proof back")
    def revoke(self, request: HttpRequest, claims: QuerySet[Claim]) -> None:
        """Verified and lapsed claims no longer count; the listing keeps its owner."""
        for claim in claims:
            reason = "The site team took it back."
            try:
                owning.revoke(
                    claim_id=claim.pk, reason=reason, staff_id=request.user.pk or 0, at=timezone.now()
                )
            except ApiError as error:
                self.message_user(request, f"{claim}: {error.detail}", messages.ERROR)

    def get_urls(self) -> list[Any]:
        """With the page on which a claim is decided."""
        decide = pages.staff_page(self.admin_site, self.decide, see="claims.see", do="claims.decide")
        return [path("<int:claim_id>/decide/", decide, name="claims_claim_decide"), *super().get_urls()]

    def decide(self, request: HttpRequest, claim_id: int) -> HttpResponse:
        """Both sides with their proofs, and the decision with its reason."""
        found = get_object_or_404(
            Claim.objects.select_related("listing__owner", "user", "last_check"), pk=claim_id
        )
        may_decide = request.user.has_perm("claims.change_claim")
        form = DecisionForm(request.POST or None)
        if request.method == "POST" and may_decide and form.is_valid():
            try:
                owning.decide(
                    claim_id=claim_id, staff_id=request.user.pk or 0, at=timezone.now(), **form.cleaned_data
                )
            except ApiError as error:
                self.message_user(request, f"{error.detail} It is {found.status}.", messages.ERROR)
            else:
                self.message_user(request, "Decided. Both are told by mail.")
            return HttpResponseRedirect(reverse("admin:claims_claim_changelist"))
        context = {
            **self.admin_site.each_context(request),
            "title": f"Whose is {found.listing.name}?",
            "claim": found,
            "own": owning.standing_claim(found.listing),
            "form": form,
            "may_decide": may_decide and found.status == Claim.Status.CONTESTED,
        }
        return render(request, "claims/admin/decide.html", context)
