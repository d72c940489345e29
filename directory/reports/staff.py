"""What readers say is wrong, the oldest first, and what staff say came of it."""

from operator import attrgetter
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse

from accounts.models import User
from accounts.staff import pages, rights
from accounts.staff.audit import Acting, acting
from accounts.staff.lists import CHANGED_ONLY, StaffAdmin, staff_action
from directory import limits
from directory.back_office.widgets import reason_in
from directory.errors import DecidedError
from directory.models import Report
from directory.reports import reporting
from directory.wording import decided_by, words_of


class ResolutionForm(forms.Form):
    """What came of it; who left an address gets it as a mail."""

    resolution = pages.text_box("What came of it, and why", limits.STAFF_REASON, rows=2)

    def __init__(self, *args: Any, report: Report, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["resolution"].help_text = (
            f"{report.answered_at} reads this in a mail."
            if report.answered_at
            else "Who reported it left no address: only staff read this."
        )


class AnswerForm(ActionForm):
    """What came of all of them; who left an address reads it."""

    reason = forms.CharField(
        max_length=limits.STAFF_REASON, required=False, label="What came of them, which their senders read"
    )


@admin.register(Report)
class ReportAdmin(StaffAdmin):
    page_name = "Reports"
    forbidden = CHANGED_ONLY
    nothing = "No reports."
    has_form = False
    list_display = ("listing", "reason", "about", "text", "created_at", "status")
    list_filter = ("reason",)
    list_select_related = ("listing",)
    search_fields = ("listing__slug__exact",)
    search_placeholder = "A listing's address"
    tabs = (("Open", "status__exact=open"), ("Closed", "status__exact=closed"), ("All", ""))
    ordering = ("pk",)
    actions = ["close_all"]
    action_form = AnswerForm

    @admin.display(description="about")
    def about(self, report: Report) -> str:
        if report.review_id or report.question_id:
            return "a review" if report.review_id else "a question"
        return words_of(report.fact) if report.fact else "all of it"

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        rights.require(request.user, "reports.close" if request.method == "POST" else "reports.see")
        rows = Report.objects.filter(pk=pages.key_of(object_id))
        rows = rows.select_related("listing__owner", "reporter", "closed_by", "review", "question")
        report = get_object_or_404(rows)
        form = ResolutionForm(request.POST or None, report=report)
        if request.method == "POST" and form.is_valid():
            return self._close(request, report, resolution=form.cleaned_data["resolution"])
        listing = report.listing
        return pages.show(
            request,
            self.admin_site,
            "directory/admin/report.html",
            title=f"Report on {listing.name}",
            report=report,
            listing=listing,
            about=self.about(report),
            stated=getattr(listing, report.fact, "") if report.fact else "",
            quotes=listing.evidence.get(report.fact, []),
            others=list(
                Report.objects.filter(listing=listing).exclude(pk=report.pk).order_by("-created_at")[:5]
            ),
            form=form,
            may_close=rights.may(request.user, "reports.close"),
            may_suspend=rights.may(request.user, "listings.suspend"),
            may_ban=rights.may(request.user, "people.ban"),
        )

    def _close(self, request: HttpRequest, report: Report, *, resolution: str) -> HttpResponse:
        staff: Any = request.user
        with acting(request, "reports.close") as act:
            if report.status == Report.Status.CLOSED:
                raise DecidedError(decided_by(report.closed_by, "closed this", report.closed_at, at=act.at))
            reporting.close_report(report_id=report.pk, staff=staff, resolution=resolution, at=act.at)
            act.record("closed a report on", on=report.listing, reason=resolution)
            act.say("Closed.")
        following = Report.objects.filter(status=Report.Status.OPEN).order_by("created_at", "pk").first()
        if following is not None:
            return HttpResponseRedirect(reverse("admin:directory_report_change", args=[following.pk]))
        return HttpResponseRedirect(f"{reverse('admin:directory_report_changelist')}?status__exact=open")

    @staff_action(act="reports.close", description="Close with this answer")
    def close_all(self, request: HttpRequest, reports: QuerySet[Report]) -> None:
        staff, resolution = cast(User, request.user), reason_in(request)
        if not resolution:
            self.message_user(request, "Say what came of them. Nothing was changed.", messages.ERROR)
            return

        def close(row: Report, act: Acting) -> None:
            reporting.close_report(report_id=row.pk, staff=staff, resolution=resolution, at=act.at)

        rows = reports.filter(status=Report.Status.OPEN).select_related("listing")
        how = {"right": "reports.close", "reason": resolution}
        closed = self.each(request, rows, close, "closed a report on", on=attrgetter("listing"), **how)
        self.tell(
            request,
            closed,
            "closed; who left an address reads your answer",
            only="Only open ones are closed.",
        )
