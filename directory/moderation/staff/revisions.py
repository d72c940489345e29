"""Edits of listings: a queue worked by keyboard or buttons, each edit word by word, and the answers staff give."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from accounts.staff import pages, rights
from accounts.staff.audit import Acting, acting
from accounts.staff.lists import CHANGED_ONLY, StaffAdmin, column
from directory import limits
from directory.back_office.widgets import ReasonForm, reason_in
from directory.listings import contents, reviewed_parts
from directory.listings.versions import FLAGS
from directory.models import ListingRevision
from directory.moderation import edits, reviewing
from directory.wording import words_of

QUEUE = "admin:directory_listingrevision_queue"
PAGE = "admin:directory_listingrevision_change"
PILLS = {
    "": "All",
    "link": "Website and links",
    "name": "Names",
    "new_account": "New accounts",
    "paid": "Paid",
}
FACT_PREFIX = "put_back:"  # and the name of a fact


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a button of the review page does, and how that is told."""

    decide: Callable[[], ListingRevision]
    line: str
    says: str


@admin.register(ListingRevision)
class ListingRevisionAdmin(StaffAdmin):
    page_name = "Edits"
    has_form = False
    list_display = ("listing", "changed_facts", "by", "at", "review")
    list_filter = ("review",)
    list_select_related = ("listing", "by")
    search_fields = ("listing__slug__exact",)
    search_placeholder = "A listing's address"
    tabs = (("Waiting", "review__exact=pending"), ("Accepted", "review__exact=accepted"), ("All", ""))
    actions = ["accept", "put_back"]
    forbidden = CHANGED_ONLY
    action_form = ReasonForm
    ordering = ("-id",)
    changed_facts = column("changed", lambda row: ", ".join(map(words_of, row.changed)))

    @pages.page("queue/", "directory_listingrevision_queue", "edits.see")
    def queue(self, request: HttpRequest) -> HttpResponse:
        return self._review(request, None)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """One edit in the queue; a POST decides it."""
        rights.require(request.user, "edits.decide" if request.method == "POST" else "edits.see")
        rows = ListingRevision.objects.filter(pk=pages.key_of(object_id))
        revision = get_object_or_404(rows.select_related("listing__stats", "by", "reviewed_by"))
        if request.method == "POST":
            return self._decide(request, revision)
        return self._review(request, revision)

    def _review(self, request: HttpRequest, revision: ListingRevision | None) -> HttpResponse:
        only = request.GET.get("only", "")
        rows = edits.waiting(only=only if only in FLAGS else "")
        revision = revision or next(iter(rows), None)
        context: dict[str, Any] = {
            "rows": rows[: edits.LISTED],
            "is_more": len(rows) > edits.LISTED,
            "only": only,
            "pills": PILLS.items(),
            "mine": edits.just_decided(user_id=request.user.pk or 0, at=timezone.now()),
            "may_decide": rights.may(request.user, "edits.decide"),
            "may_suspend": rights.may(request.user, "listings.suspend"),
            "reason_limit": limits.STAFF_REASON,
        }
        if revision is None:
            context["decided"] = edits.last_decided()
        else:
            listing = revision.listing
            now = {**contents.stated(listing, names=revision.changed), **reviewed_parts.news_now(revision)}
            waits = revision.review == ListingRevision.Review.PENDING
            context |= {
                "edit": revision,
                "listing": listing,
                "waits": waits,
                "changes": edits.changes_of(revision, now=now, digest=reviewing.digest),
                "was": {**now, **revision.before},
                "author": edits.author_of(revision),
                **_beside(rows, revision),
            }
        return pages.show(request, self.admin_site, "directory/admin/review.html", title="Edits", **context)

    def _decide(self, request: HttpRequest, revision: ListingRevision) -> HttpResponse:
        only = request.POST.get("only", "")
        after = _beside(edits.waiting(only=only if only in FLAGS else ""), revision)["next"]
        answer = self._answer(request, revision)
        if answer is None:
            return HttpResponseRedirect(_page(revision, only=only))
        with acting(request, self.edit_act) as act:
            decided = answer.decide()
            before, now, reason = revision.before, revision.after, decided.review_note
            act.record(answer.line, on=revision.listing, before=before, after=now, reason=reason)
            act.say(answer.says)
            is_done = decided.review != ListingRevision.Review.PENDING
            return HttpResponseRedirect(_page(after if is_done else decided, only=only))
        return HttpResponseRedirect(_page(revision, only=only))

    @staticmethod
    def _answer(request: HttpRequest, revision: ListingRevision) -> Answer | None:
        act, name = request.POST.get("act", ""), revision.listing.name
        who: dict[str, Any] = {
            "revision_id": revision.pk,
            "reviewer_id": request.user.pk or 0,
            "at": timezone.now(),
        }
        if act == "accept":
            says = f"Accepted the edit of {name}."
            return Answer(decide=lambda: reviewing.accept_edit(**who), line="accepted an edit of", says=says)
        if act == "undo":
            says = f"Undone. The edit of {name} waits again."
            return Answer(
                decide=lambda: reviewing.undo_review(**who), line="undid a review of an edit of", says=says
            )
        who |= {
            "reason": reason_in(request),
            "seen": request.POST.get("review", ListingRevision.Review.PENDING),
        }
        if act == "put_back":
            says = f"Put back. The former text of {name} is live again."
            return Answer(
                decide=lambda: reviewing.put_back_edit(**who), line="put back an edit of", says=says
            )
        fact = act.removeprefix(FACT_PREFIX)
        if fact not in revision.changed:
            return None
        label, seen = words_of(fact), {fact: request.POST.get(f"seen-{fact}", "")}
        says = f"Put back. The former {label.lower()} of {name} is live again."
        return Answer(
            decide=lambda: reviewing.put_back_edit(**who, only=seen),
            line=f"put back the {label.lower()} of",
            says=says,
        )

    @admin.action(description="Accept")
    def accept(self, request: HttpRequest, revisions: QuerySet[ListingRevision]) -> None:
        ids, now = list(revisions.values_list("pk", flat=True)), timezone.now()
        done = reviewing.accept(revision_ids=ids, reviewer_id=request.user.pk or 0, at=now)
        self._record_each(request, ids, "accepted an edit of", at=now)
        self.tell(request, done, "accepted", noun="edit", only="A colleague decided that meanwhile.")

    @admin.action(description="Put the previous text back")
    def put_back(self, request: HttpRequest, revisions: QuerySet[ListingRevision]) -> None:
        ids, now = list(revisions.values_list("pk", flat=True)), timezone.now()
        done = reviewing.put_back(
            revision_ids=ids,
            reviewer_id=request.user.pk or 0,
            at=now,
            reason=reason_in(request),
            seen=self._seen(request),
        )
        self._record_each(request, ids, "put back an edit of", at=now)
        why = "A colleague decided that, it was edited again, or the listing would lack a name or a text."
        self.tell(request, done, "put back", noun="edit", only=why)

    @staticmethod
    def _seen(request: HttpRequest) -> str:
        """In which state the chosen rows were shown; among all of them only those that wait are put back."""
        review = request.GET.get("review__exact", "")
        return review if review == ListingRevision.Review.ACCEPTED else ListingRevision.Review.PENDING

    def _record_each(self, request: HttpRequest, ids: list[int], text: str, *, at: datetime) -> None:
        """A line for each that was decided at this moment; their state has changed, so a filter may hide them."""
        done = ListingRevision.objects.filter(pk__in=ids, reviewed_by=request.user.pk, reviewed_at=at)
        for revision in done.select_related("listing"):
            Acting(request, self.edit_act).record(text, on=revision.listing)


def _beside(rows: list[ListingRevision], revision: ListingRevision) -> dict[str, Any]:
    """The edits before and after one in the queue, and its place."""
    place = next((number for number, row in enumerate(rows) if row.pk == revision.pk), None)
    if place is None:
        return {"place": None, "previous": None, "next": next(iter(rows), None)}
    others = rows[place + 1 :] or [row for row in rows if row.pk != revision.pk]
    return {
        "place": place + 1,
        "previous": rows[place - 1] if place else None,
        "next": next(iter(others), None),
    }


def _page(revision: ListingRevision | None, *, only: str) -> str:
    address = reverse(PAGE, args=[revision.pk]) if revision else reverse(QUEUE)
    return f"{address}?{urlencode({'only': only})}" if only in FLAGS else address
