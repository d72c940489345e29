"""Staff read what waits, the longest first: the text beside the account, its network and its other reviews."""

from collections.abc import Callable
from datetime import datetime
from operator import attrgetter
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse

from accounts.staff import pages, rights
from accounts.staff.audit import Acting, acting
from accounts.staff.lists import CHANGED_ONLY, StaffAdmin, column, staff_action
from directory import limits
from directory.back_office.widgets import reason_in
from directory.errors import DecidedError
from directory.models import Question, Review
from directory.moderation.reviewing import digest
from directory.reviews import deciding
from directory.wording import decided_by

OTHERS = 5
DECIDE = "reviews.decide"


class ReasonForm(forms.Form):
    """Why staff refuse it; its writer reads it."""

    reason = pages.text_box("Reason, which its writer reads", limits.STAFF_REASON, rows=2, required=False)


class ReasonOfAll(ActionForm):
    reason = forms.CharField(
        max_length=limits.STAFF_REASON, required=False, label="Reason, which their writers read"
    )


class TextAdmin(StaffAdmin):
    """Texts of people: nobody adds or edits them here, and they stay."""

    has_form = False
    forbidden = CHANGED_ONLY
    list_select_related = ("listing", "author")
    search_fields = ("listing__slug__exact", "author__email")
    search_placeholder = "A listing's address, or a writer's e-mail"
    action_form = ReasonOfAll
    ordering = ("pk",)
    beginning = column("text", lambda row: row.text[:120] or "Withdrawn")
    joined = column("account since", lambda row: row.author.date_joined, ordering="author__date_joined")

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        rights.require(request.user, DECIDE if request.method == "POST" else "reviews.see")
        rows: Any = self.model._default_manager.select_related("listing__owner", "author")  # noqa: SLF001
        row = get_object_or_404(rows.filter(pk=pages.key_of(object_id)))
        form = ReasonForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            return self.decide(request, row, reason=form.cleaned_data["reason"])
        context = {
            "row": row,
            "form": form,
            "seen": seen_of(row),
            "may_decide": rights.may(request.user, DECIDE),
            "may_see_people": rights.may(request.user, "people.see"),
            "others": _others(row),
            "near": _near(row),
            "reports": list(row.reports.filter(status="open").order_by("pk")[:OTHERS]),
            **self.besides(row),
        }
        title = f"{self.noun} {row.listing.name}"
        return pages.show(request, self.admin_site, "directory/admin/text.html", title=title, **context)

    noun = ""

    def besides(self, row: Any) -> dict[str, Any]:
        return {}

    def decide(self, request: HttpRequest, row: Any, *, reason: str) -> HttpResponse:
        raise NotImplementedError


def _others(row: Any) -> list[Review]:
    rows = Review.objects.filter(author=row.author_id).select_related("listing")
    rows = rows.exclude(listing=row.listing_id) if isinstance(row, Review) else rows
    return list(rows.order_by("-created_at", "-pk")[:OTHERS])


def _near(row: Any) -> list[Review]:
    if not row.network:
        return []
    rows = Review.objects.filter(network=row.network).exclude(author=row.author_id)
    return list(rows.select_related("listing", "author").order_by("-created_at", "-pk")[:OTHERS])


def seen_of(row: Any) -> str:
    """What staff look at, in a few letters: whoever decides something else decides nothing."""
    return digest([row.status, row.text])


def _meanwhile(row: Review, *, at: datetime) -> str:
    if row.status == Review.Status.WAITING:
        return "Its writer has changed it since. Read it again."
    did = "published this" if row.status == Review.Status.PUBLISHED else "refused this"
    return decided_by(row.decided_by, did, row.decided_at, at=at)


@admin.register(Review)
class ReviewAdmin(TextAdmin):
    page_name = "Reviews"
    nothing = "No reviews."
    noun = "Review of"
    list_display = ("listing", "author", "joined", "stars", "beginning", "waits_for", "created_at", "status")
    list_filter = ("stars", "how")
    tabs = (
        ("Waiting", "status__exact=waiting"),
        ("Published", "status__exact=published"),
        ("Refused", "status__exact=refused"),
        ("All", ""),
    )
    actions = ("publish", "refuse")

    def besides(self, row: Review) -> dict[str, Any]:
        return {"versions": list(row.versions.order_by("-until")[:OTHERS])}

    def decide(self, request: HttpRequest, row: Review, *, reason: str) -> HttpResponse:
        """Publish, refuse, or take the reply off; then the next that waits."""
        name = request.POST.get("act", "")
        with acting(request, DECIDE) as act:
            self._act(act, row, name, reason=reason)
            rows = Review.objects.filter(status=Review.Status.WAITING).order_by("waits_since", "pk")
            if name != "remove_reply" and (following := rows.first()):
                return HttpResponseRedirect(reverse("admin:directory_review_change", args=[following.pk]))
            return HttpResponseRedirect(f"{reverse('admin:directory_review_changelist')}?{self.tabs[0][1]}")
        return HttpResponseRedirect(request.get_full_path())

    @staticmethod
    def _act(act: Acting, row: Review, name: str, *, reason: str) -> None:
        staff: Any = act.request.user
        if name != "remove_reply" and act.request.POST.get("seen", seen_of(row)) != seen_of(row):
            raise DecidedError(_meanwhile(row, at=act.at))
        if name == "publish":
            deciding.publish_review(review_id=row.pk, staff=staff, at=act.at)
            act.record("published a review of", on=row.listing)
            act.say("Published.")
        elif name == "refuse":
            deciding.refuse_review(review_id=row.pk, staff=staff, reason=reason, at=act.at)
            act.record("refused a review of", on=row.listing, reason=reason)
            act.say("Refused. Its writer reads why.")
        elif name == "remove_reply":
            deciding.remove_reply(review_id=row.pk, reason=reason)
            act.record("took the reply off a review of", on=row.listing, reason=reason)
            act.say("The reply is off.")

    @staff_action(act=DECIDE, description="Publish")
    def publish(self, request: HttpRequest, reviews: QuerySet[Review]) -> None:
        rows = reviews.exclude(status=Review.Status.PUBLISHED).exclude(text="")
        done = self._each(request, rows, deciding.publish_review, "published a review of")
        self.tell(request, done, "published", only="Those that are public or withdrawn stay.")

    @staff_action(act=DECIDE, description="Refuse with this reason")
    def refuse(self, request: HttpRequest, reviews: QuerySet[Review]) -> None:
        if not (reason := reason_in(request)):
            self.message_user(request, "Give a reason. Nothing was changed.", messages.ERROR)
            return
        rows, refuse = reviews.exclude(status=Review.Status.REFUSED), deciding.refuse_review
        done = self._each(request, rows, refuse, "refused a review of", reason=reason)
        self.tell(request, done, "refused; their writers read why", only="Those that are refused stay so.")

    def _each(
        self, request: HttpRequest, rows: QuerySet[Review], do: Callable[..., Any], summary: str, **why: str
    ) -> int:
        def decide(row: Review, act: Acting) -> None:
            do(review_id=row.pk, staff=request.user, at=act.at, **why)

        rows, on = rows.select_related("listing"), attrgetter("listing")
        return self.each(request, rows, decide, summary, on=on, right=DECIDE, **why)


@admin.register(Question)
class QuestionAdmin(TextAdmin):
    """Questions to makers; a reported one is taken off with its answer."""

    page_name = "Questions"
    nothing = "No questions."
    noun = "Question about"
    list_display = ("listing", "author", "joined", "beginning", "created_at", "status")
    tabs = (
        ("Answered", "status__exact=answered"),
        ("Open", "status__exact=open"),
        ("Taken off", "status__exact=removed"),
        ("All", ""),
    )

    def decide(self, request: HttpRequest, row: Question, *, reason: str) -> HttpResponse:
        with acting(request, DECIDE) as act:
            if row.status == Question.Status.REMOVED:
                raise DecidedError("It is off the site already.")
            deciding.remove_question(question_id=row.pk, reason=reason)
            act.record("took a question off", on=row.listing, reason=reason)
            act.say("It’s off the site.")
        return HttpResponseRedirect(reverse("admin:directory_question_change", args=[row.pk]))
