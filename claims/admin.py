"""Staff's door to claims: what every check saw, and the contested ones, which staff decide with a reason."""

from datetime import timedelta
from operator import attrgetter
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db import transaction
from django.db.models import F, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.models import User
from accounts.staff import pages, rights
from accounts.staff.audit import Acting, acting
from accounts.staff.lists import ReadOnlyAdmin, ReadOnlyInline, column, list_filter
from claims.models import Claim, ClaimCheck
from claims.ownership import owning
from claims.selectors import sides_of
from core.api.errors import ApiError
from core.email_addresses import AddressField
from directory.back_office.widgets import reason_in
from directory.models import Listing

INBOX = {
    "staff": "Contested: staff decide",
    "owner": "Contested: the owner has time",
    "late": "Staff decide, for over 48 hours",
}
LATE_HOURS = 48


def _of_inbox(claims: QuerySet[Claim], chosen: str) -> QuerySet[Claim]:
    contested = claims.filter(status=Claim.Status.CONTESTED)
    late = timezone.now() - timedelta(hours=LATE_HOURS)
    return {
        "staff": contested.filter(for_staff_since__isnull=False),
        "owner": contested.filter(for_staff_since=None),
        "late": contested.filter(for_staff_since__lt=late),
    }.get(chosen, claims)


Inbox = list_filter("inbox", "inbox", INBOX.items, _of_inbox)


class CheckInline(ReadOnlyInline):
    model = ClaimCheck
    fk_name = "claim"
    fields = ("at", "result", "detail", "seen", "raw")
    ordering = ("-at", "-id")


ASK = "ask"
ACTS = {
    owning.KEEP: "kept with its owner",
    owning.GIVE: "given to the claimant",
    owning.SHARE: "shared by both",
}


class ReasonOfAll(ActionForm):
    reason = forms.CharField(max_length=500, required=False, label="Reason, which who proved it reads")


class DecisionForm(forms.Form):
    """Why; both sides read it."""

    reason = pages.text_box("Reason", 500, "Both read it in an e-mail.", rows=3, required=False)


class MoveForm(forms.Form):
    email = AddressField(label="E-mail of the new owner", widget=forms.EmailInput(attrs={"class": "input"}))
    reason = pages.text_box("Reason", 240, "Both read it.")

    def clean_email(self) -> User:
        user = User.objects.with_address(self.cleaned_data["email"])
        if user is None:
            raise forms.ValidationError("Nobody has an account with that address.")
        return user


@admin.register(Claim)
class ClaimAdmin(ReadOnlyAdmin):
    """Whose a listing is follows from proofs and decisions, and who claimed what stays on record."""

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
    search_fields = ("listing__slug__exact", "user__email")
    search_placeholder = "A listing's address, or a person's e-mail"
    ordering = (F("for_staff_since").asc(nulls_last=True), "-created_at", "-id")
    exclude = ("link", "checking_until")
    inlines = (CheckInline,)
    actions = ["revoke"]
    action_form = ReasonOfAll
    last_result = column("last check", lambda claim: claim.last_check.result if claim.last_check else "")

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Taking a proof back changes a claim, though its row is only looked at."""
        return super().get_actions(request) if rights.may(request.user, "claims.decide") else {}

    @admin.display(description="")
    def act(self, claim: Claim) -> SafeString:
        if claim.status != Claim.Status.CONTESTED:
            return SafeString("")
        return format_html('<a href="{}">Decide</a>', reverse("admin:claims_claim_decide", args=[claim.pk]))

    @admin.action(description="Take the proof back")
    def revoke(self, request: HttpRequest, claims: QuerySet[Claim]) -> None:
        """Verified and lapsed claims no longer count; the listing keeps its owner. Who proved it reads why."""
        if not (reason := reason_in(request)):
            self.message_user(request, "Give a reason. Nothing was changed.", messages.ERROR)
            return

        def revoke(row: Claim, act: Acting) -> None:
            owning.revoke(claim_id=row.pk, reason=reason, staff_id=act.staff_id, at=act.at)

        rows = claims.select_related("listing")
        on = attrgetter("listing")
        done = self.each(request, rows, revoke, "took back a proof of", on=on, reason=reason)
        self.tell(request, done, "taken back", noun="proof")

    @pages.page("<int:claim_id>/decide/", "claims_claim_decide", "claims.see", "claims.decide")
    def decide(self, request: HttpRequest, claim_id: int) -> HttpResponse:
        claim = get_object_or_404(
            Claim.objects.select_related("listing__owner", "listing__stats", "user", "last_check"),
            pk=claim_id,
        )
        form = DecisionForm(request.POST or None)
        outcome = request.POST.get("outcome", "")
        if request.method == "POST" and outcome in {*owning.OUTCOMES, ASK} and form.is_valid():
            reason = form.cleaned_data["reason"].strip()
            if reason or outcome == ASK:
                return self._decided(request, claim, outcome=outcome, reason=reason)
            form.add_error("reason", "Say why; both read it.")
        return pages.show(
            request,
            self.admin_site,
            "claims/admin/decide.html",
            title=f"Whose is {claim.listing.name}?",
            claim=claim,
            sides=sides_of(claim),
            form=form,
            may_decide=rights.may(request.user, "claims.decide") and claim.status == Claim.Status.CONTESTED,
        )

    def _decided(self, request: HttpRequest, claim: Claim, *, outcome: str, reason: str) -> HttpResponse:
        before, after = {"claim": claim.status}, {"outcome": outcome}
        act = Acting(request, "claims.decide")
        who: dict[str, Any] = {"claim_id": claim.pk, "at": act.at}
        try:
            with transaction.atomic():
                if outcome == ASK:
                    owning.ask_again(**who)
                    line, says = "asked both again about", "Both have seven days more, and an e-mail."
                else:
                    owning.decide(**who, staff_id=act.staff_id, outcome=outcome, reason=reason)
                    line, says = f"decided a claim ({ACTS[outcome]}) of", "Decided. Both are told by e-mail."
                act.record(line, on=claim.listing, before=before, after=after, reason=reason)
                act.say(says)
        except ApiError as error:
            text = f"{error.detail} It is {claim.get_status_display().lower()}."
            self.message_user(request, text, messages.ERROR)
        return HttpResponseRedirect(f"{reverse('admin:claims_claim_changelist')}?inbox=staff")

    @pages.page("move/<int:listing_id>/", "claims_listing_move", "listings.move")
    def move(self, request: HttpRequest, listing_id: int) -> HttpResponse:
        listing = get_object_or_404(Listing.objects.select_related("owner"), pk=listing_id)
        back = reverse("admin:directory_listing_change", args=[listing.pk])
        form = MoveForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            heir, reason = form.cleaned_data["email"], form.cleaned_data["reason"]
            with acting(request, "listings.move", form=form, field="email") as act:
                owning.give_to(
                    listing_id=listing.pk, owner_id=heir.pk, reason=reason, staff_id=act.staff_id, at=act.at
                )
                before, after = {"owner": listing.owner_id}, {"owner": heir.pk}
                act.record("moved to another account:", on=listing, before=before, after=after, reason=reason)
                act.say(f"{listing.name} belongs to {heir.email} now. Both are told.")
                return HttpResponseRedirect(back)
        owner = listing.owner.email if listing.owner else "nobody"
        return pages.Question(
            title=f"Move {listing.name} to another account",
            says=[
                f"It belongs to {owner}. The listing, its votes, followers, launches and plan move.",
                "Orders and invoices stay with who bought them. What the former owner proved no longer stands.",
                "To take it back, move it again.",
            ],
            button="Move",
            back=back,
            form=form,
        ).ask(request, self.admin_site)
