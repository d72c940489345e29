"""Votes: those at risk by the burst they came in, and all of them as a table."""

from collections import defaultdict
from typing import Any

from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString

from accounts.staff import audit, pages, rights
from accounts.staff.audit import Acting, acting
from accounts.staff.lists import ReadOnlyAdmin, column, list_filter, staff_action
from directory.back_office.widgets import ReasonForm as ReasonOfAll
from directory.back_office.widgets import reason_in
from directory.engagement import holding, voiding, winners
from directory.models import LaunchReminder, Listing, Undo, Vote, WeekReminder, WinnersReader
from directory.moderation.staff.forms import ReasonForm

RISKS = "admin:directory_vote_risks"


DECISIONS = {"held": "Held, to be looked at", "released": "Released", "voided": "Voided"}


def _decided(votes: QuerySet[Vote], chosen: str) -> QuerySet[Vote]:
    waiting = Q(held_at__isnull=False, released_at=None, voided_at=None)
    released, voided = Q(released_at__isnull=False), Q(voided_at__isnull=False)
    return votes.filter({"held": waiting, "released": released, "voided": voided}.get(chosen, Q()))


DecisionFilter = list_filter("decision", "decision", DECISIONS.items, _decided)


@admin.register(Vote)
class VoteAdmin(ReadOnlyAdmin):
    """Votes, which staff can void with a reason or release when they were held; the rows stay."""

    page_name = "Votes"
    list_display = ("listing", "user", "joined", "created_at", "decision", "why")
    exported = ("week", "held_for", "released_at", "voided_at", "void_reason")
    list_filter = (DecisionFilter,)
    list_select_related = ("listing", "user")
    search_fields = ("listing__slug__exact", "user__email")
    search_placeholder = "A listing's address, or a voter's e-mail"
    actions = ["void", "release", "ban_voters"]
    action_form = ReasonOfAll
    ordering = ("-created_at", "-listing_id")
    why = column("why", lambda vote: vote.void_reason or vote.held_for)
    joined = column("account since", lambda vote: vote.user.date_joined, ordering="user__date_joined")

    @pages.page("risks/", "directory_vote_risks", "votes.see")
    def risks(self, request: HttpRequest) -> HttpResponse:
        result = holding.bursts()
        return pages.show(
            request,
            self.admin_site,
            "directory/admin/risks.html",
            title="Votes at risk",
            bursts=result[: holding.LISTED],
            is_more=len(result) > holding.LISTED,
        )

    @pages.page("risks/<int:listing_id>/", "directory_vote_burst", "votes.see", "votes.void")
    def burst(self, request: HttpRequest, listing_id: int) -> HttpResponse:
        """One burst: tick, then void with a reason, or let them count."""
        listing = get_object_or_404(Listing, pk=listing_id)
        votes = holding.votes_of(listing_id)
        existing = {str(vote.pk) for vote in votes}
        chosen = [int(pk) for pk in request.POST.getlist("vote") if pk in existing]
        form = ReasonForm(request.POST or None) if request.POST.get("act") == "void" else ReasonForm()
        if request.method == "POST":
            if not chosen:
                messages.error(request, "Tick the votes first. Nothing was changed.")
            elif request.POST.get("act") == "release":
                return self._release(request, listing, chosen)
            elif form.is_valid():
                return self._void(request, listing, chosen, reason=form.cleaned_data["reason"])
        burst = next(iter(holding.bursts(listing_id=listing_id)), None)
        now = timezone.now()
        return pages.show(
            request,
            self.admin_site,
            "directory/admin/burst.html",
            title=f"Votes for {listing.name}",
            listing=listing,
            votes=votes,
            burst=burst,
            effect=holding.effect_of(burst, at=now) if burst else None,
            form=form,
            may_void=rights.may(request.user, "votes.void"),
        )

    def _void(self, request: HttpRequest, listing: Listing, ids: list[int], *, reason: str) -> HttpResponse:
        with acting(request, self.edit_act) as act:
            self._void_those(act, listing, ids, reason=reason)
            act.say(f"{len(ids)} votes for {listing.name} are void. The owner is told, the voters are not.")
        return HttpResponseRedirect(reverse(RISKS))

    @staticmethod
    def _void_those(act: Acting, listing: Listing, ids: list[int], *, reason: str) -> None:
        undo = voiding.void_burst(listing_id=listing.pk, vote_ids=ids, reason=reason, at=act.at)
        after, undo_at = {"votes": len(ids)}, reverse("admin:directory_vote_undo", args=[undo.pk])
        number = f"{len(ids)} vote{'' if len(ids) == 1 else 's'}"
        act.record(f"voided {number} for", on=listing, after=after, reason=reason, undo=undo_at)

    def _release(self, request: HttpRequest, listing: Listing, ids: list[int]) -> HttpResponse:
        with acting(request, self.edit_act) as act:
            done = holding.release_votes(vote_ids=ids, at=act.at)
            act.record(f"let {done} held votes count for", on=listing)
            act.say(f"{done} votes for {listing.name} count now.")
        return HttpResponseRedirect(reverse(RISKS))

    @pages.page("undo/<int:undo_id>/", "directory_vote_undo", "votes.see", "votes.void")
    def undo(self, request: HttpRequest, undo_id: int) -> HttpResponse:
        """Take a voiding back until the week is final."""
        undo = get_object_or_404(Undo.objects.select_related("listing"), pk=undo_id, kind=Undo.Kind.VOID)
        if request.method == "POST":
            with acting(request, self.edit_act) as act:
                line = audit.taken_back(request, of=act.right)
                done = voiding.undo_void(undo_id=undo.pk, at=act.at)
                if undo.listing:
                    act.record(f"took back the voiding of {done} votes for", on=undo.listing, undoes_id=line)
                act.say(f"Undone: {done} votes are what they were.")
        return HttpResponseRedirect(reverse(RISKS))

    @admin.display(description="decision")
    def decision(self, vote: Vote) -> Any:
        if vote.voided_at:
            return pages.chip("voided", "bad", title=f"{vote.voided_at:%a %d %b %Y %H:%M} UTC")
        if vote.held_at and not vote.released_at:
            return pages.chip("held", "warn", title=f"{vote.held_at:%a %d %b %Y %H:%M} UTC")
        return pages.chip("counts", "good")

    @admin.action(description="Void")
    def void(self, request: HttpRequest, votes: QuerySet[Vote]) -> None:
        """With a reason, which the owner of each listing reads; until the week is final it can be undone."""
        if not (reason := reason_in(request)):
            self.message_user(
                request, "Give a reason; the owner reads it. Nothing was changed.", messages.ERROR
            )
            return
        act, ids = Acting(request, self.edit_act), defaultdict[int, list[int]](list)
        for listing_id, pk in votes.filter(voided_at=None).values_list("listing", "pk"):
            ids[listing_id].append(pk)
        for listing in Listing.objects.filter(pk__in=ids).order_by("pk"):
            self._void_those(act, listing, ids[listing.pk], reason=reason)
        self.tell(request, sum(map(len, ids.values())), "voided", only="Those that are void stay so.")

    @admin.action(description="Release: let held votes count")
    def release(self, request: HttpRequest, votes: QuerySet[Vote]) -> None:
        held = votes.filter(voided_at=None, held_at__isnull=False, released_at=None)
        ids = list(held.values_list("pk", flat=True))
        done = holding.release_votes(vote_ids=ids, at=timezone.now())
        for listing in Listing.objects.filter(vote_rows__in=ids).distinct():
            Acting(request, self.edit_act).record("let held votes count for", on=listing)
        self.tell(request, done, "released", only="Only held votes are released.")

    @staff_action(act="people.ban", description="Ban the voters…")
    def ban_voters(self, request: HttpRequest, votes: QuerySet[Vote]) -> HttpResponse:
        people = sorted({pk for pk in votes.values_list("user", flat=True) if pk})
        if not people:
            self.message_user(
                request, "The accounts behind these votes are gone. Nothing was changed.", messages.ERROR
            )
            return HttpResponseRedirect(request.get_full_path())
        return HttpResponseRedirect(
            f"{reverse('admin:accounts_user_ban')}?people={','.join(map(str, people))}"
        )


@admin.register(WinnersReader)
class WinnersReaderAdmin(ReadOnlyAdmin):
    """Addresses that asked for the winners. They can be forgotten for somebody who writes to us instead."""

    list_display_links = None
    ordering = ("-pk",)
    page_name = "Winners by mail"
    nothing = "Nobody asked for the winners."
    list_display = ("email", "site", "stands", "created_at")
    list_select_related = ("site",)
    search_fields = ("email__exact",)
    search_placeholder = "A whole e-mail address"
    tabs = (
        ("All", ""),
        ("Confirmed", "confirmed_at__isnull=False"),
        ("Not confirmed", "confirmed_at__isnull=True"),
    )
    actions = ["forget"]

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        return lookup == "confirmed_at__isnull" or super().lookup_allowed(lookup, value, request)

    @admin.display(description="state")
    def stands(self, row: WinnersReader) -> SafeString:
        if row.confirmed_at is None:
            return pages.chip("Not confirmed", "warn", title="Forgotten after three days")
        return pages.chip("Confirmed", "good", title=f"{row.confirmed_at:%a %d %b %Y %H:%M} UTC")

    @staff_action(act="people.erase", description="Forget: no more mail, and the address is deleted")
    def forget(self, request: HttpRequest, readers: QuerySet[WinnersReader]) -> None:
        number = self.each(
            request, readers, lambda row, _: winners.forget(row), "forgot", right="people.erase"
        )
        self.message_user(request, f"{number} address{'' if number == 1 else 'es'} forgotten.")


@admin.register(LaunchReminder)
class LaunchReminderAdmin(ReadOnlyAdmin):
    list_display_links = None
    ordering = ("-pk",)
    page_name = "Launch reminders"
    nothing = "Nobody waits for a launch."
    list_display = ("listing", "user", "created_at")
    list_select_related = ("listing", "user")
    search_fields = ("listing__slug__exact", "user__email")
    search_placeholder = "A listing’s address, or a person’s e-mail"


@admin.register(WeekReminder)
class WeekReminderAdmin(ReadOnlyAdmin):
    """Who waits for a week. One that went by mistake is forgotten for somebody who writes to us instead."""

    list_display_links = None
    ordering = ("-pk",)
    page_name = "Week reminders"
    nothing = "Nobody waits for a week."
    list_display = ("week", "user", "site", "created_at")
    list_select_related = ("user", "site")
    search_fields = ("user__email",)
    search_placeholder = "A person’s e-mail"
    actions = ["forget"]

    @staff_action(act="people.erase", description="Forget: no mail on that Monday")
    def forget(self, request: HttpRequest, reminders: QuerySet[WeekReminder]) -> None:
        number = self.each(request, reminders, lambda row, _: row.delete(), "forgot", right="people.erase")
        self.message_user(request, f"{number} reminder{'' if number == 1 else 's'} forgotten.")
