"""Lists that belong to no area: jobs, hosts, endpoints, the mail log and the audit log."""

import uuid
from typing import Any

from django.contrib import admin, messages
from django.contrib.sites import admin as hosts_there  # noqa: F401
from django.contrib.sites.models import Site as HostName
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from oauth2_provider import admin as registered_there  # noqa: F401
from oauth2_provider.models import (
    get_access_token_model,
    get_application_model,
    get_grant_model,
    get_id_token_model,
    get_refresh_token_model,
)

from accounts.models import StaffAct, User
from accounts.staff import pages, rights
from accounts.staff.audit import Acting, acting
from accounts.staff.lists import ReadOnlyAdmin, StaffAdmin, column, list_filter, staff_action
from config.staff import person, queues
from core import jobs, mail
from core.models import Endpoint, Job, Mail

__all__ = ["person"]

# Two libraries' own lists, imported above so that they are there before us. Tokens and grants are nobody's work
# here; what a person connected is on their page.
admin.site.unregister(
    [
        get_access_token_model(),
        get_application_model(),
        get_grant_model(),
        get_id_token_model(),
        get_refresh_token_model(),
    ]
)
admin.site.unregister(HostName)


@admin.register(HostName)
class HostNameAdmin(StaffAdmin):
    list_display = ("domain", "name")
    search_fields = ("domain__startswith", "name__istartswith")
    search_placeholder = "How a host or its name begins"
    ordering = ("domain",)


class BeatsFilter(admin.SimpleListFilter):
    """Periodic work that succeeded is hundreds of lines a day that say nothing."""

    title = "beats that succeeded"
    parameter_name = "beats"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("with", "With them")]

    def choices(self, changelist: Any) -> Any:
        """Without them is how the list begins."""
        first, *others = super().choices(changelist)
        yield {**first, "display": "Without them"}
        yield from others

    def queryset(self, request: HttpRequest, queryset: QuerySet[Job]) -> QuerySet[Job]:
        if self.value() == "with":
            return queryset
        return queryset.exclude(state=Job.State.DONE, kind__in=[kind.name for kind in jobs.periodic()])


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    """Jobs. The dead-letter list is the filter `dead`. Payloads stay hidden, as mails hold links that sign in."""

    list_display = ("kind", "key", "state", "attempt", "run_after", "finished_at", "last_error", "again")
    list_filter = (BeatsFilter, "state", "kind", "queue")
    search_fields = ("kind", "key")  # `matching` says how
    search_placeholder = "A kind of job, or a job's key, whole"
    ordering = ("-finished_at",)
    exclude = ("payload", "token")
    actions = ["run_again", "forget"]

    def matching(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """By kind, or by key among the kinds there are, which is one index."""
        return rows.filter(Q(kind=term) | Q(kind__in=list(jobs.KINDS), key=term))

    def get_list_display(self, request: HttpRequest) -> Any:
        """Without the buttons for whoever may only look."""
        columns = super().get_list_display(request)
        return (
            columns if rights.may(request.user, "jobs.run") else [name for name in columns if name != "again"]
        )

    @admin.display(description="act")
    def again(self, job: Job) -> SafeString | str:
        """The button of a dead one, which stands in the form of the list."""
        if job.state != Job.State.DEAD:
            return ""
        url = reverse("admin:core_job_again", args=[job.pk])
        return format_html('<button class="button little" formaction="{}">Run again</button>', url)

    @pages.page("<uuid:job_id>/again/", "core_job_again", see="jobs.see", do="jobs.run")
    def run_job_again(self, request: HttpRequest, job_id: uuid.UUID) -> HttpResponse:
        if request.method == "POST":
            with transaction.atomic():
                self.run_again(request, Job.objects.filter(pk=job_id))
        following = request.POST.get("next", "")
        dead = f"{reverse('admin:core_job_changelist')}?state__exact=dead"
        return HttpResponseRedirect(following if following.startswith("/admin/") else dead)

    @admin.action(description="Run again")
    def run_again(self, request: HttpRequest, chosen: QuerySet[Job]) -> None:
        """Put dead jobs back into the queue; others are left alone."""
        now = timezone.now()
        revived = [job for job in chosen if jobs.revive(job_id=job.pk, at=now)]
        self._done(request, revived, "ran again", "run again")

    @admin.action(description="Forget")
    def forget(self, request: HttpRequest, chosen: QuerySet[Job]) -> None:
        """Delete dead jobs; others are left alone."""
        forgotten = [job for job in chosen if jobs.forget(job_id=job.pk)]
        self._done(request, forgotten, "forgot", "forgotten")

    def _done(self, request: HttpRequest, done: list[Job], act: str, did: str) -> None:
        for job in done:
            Acting(request, self.edit_act).record(act, on=job)
        queues.forget()
        self.tell(request, len(done), did, only=f"Only dead jobs are {did}.")


@admin.register(Endpoint)
class EndpointAdmin(ReadOnlyAdmin):
    page_name = "Webhooks"
    nothing = "No webhooks match."
    search_placeholder = "Its owner’s e-mail address"
    search_fields = ("user__email",)
    list_display = ("url", "user", "stands", "failing_since", "off_at", "created_at")
    list_display_links = None
    list_select_related = ("user",)
    tabs = (("All", ""), ("Failing", "failing_since__isnull=False"), ("Switched off", "off_at__isnull=False"))
    ordering = ("-pk",)
    fields = ("url", "user", "types", "failing_since", "off_at", "off_reason", "created_at")

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        return lookup in {"failing_since__isnull", "off_at__isnull"} or super().lookup_allowed(
            lookup, value, request
        )

    @admin.display(description="state")
    def stands(self, row: Endpoint) -> SafeString:
        if row.off_at is not None:
            return pages.chip("Off", "warn", title=row.get_off_reason_display())
        if row.failing_since is not None:
            return pages.chip("Failing", "bad", title=f"{row.failing_since:%a %d %b %Y %H:%M} UTC")
        return pages.chip("On", "good")


PEOPLE = 50


def _people() -> list[tuple[str, str]]:
    return [(str(user.pk), user.get_short_name()) for user in User.objects.filter(is_staff=True)[:PEOPLE]]


def _things() -> list[tuple[str, str]]:
    return [
        (thing, thing.capitalize()) for thing in dict.fromkeys(act.partition(".")[0] for act in rights.ACTS)
    ]


def _of_person(rows: QuerySet[StaffAct], chosen: str) -> QuerySet[StaffAct]:
    return rows.filter(by=int(chosen)) if chosen.isdecimal() else rows


def _about(rows: QuerySet[StaffAct], chosen: str) -> QuerySet[StaffAct]:
    return rows.filter(act__in=[act for act in rights.ACTS if act.startswith(f"{chosen}.")])


ByFilter = list_filter("person", "by", _people, _of_person)
AboutFilter = list_filter("about", "about", _things, _about)


@admin.register(StaffAct)
class StaffActAdmin(ReadOnlyAdmin):
    """What staff did. Whoever may not see all of it sees their own acts."""

    page_name = "Audit log"
    nothing = "Nothing matches."
    search_placeholder = "Number of an order, slug or name of the thing, exactly"
    search_fields = ("label__exact", "key__exact")
    list_display = ("at", "who", "what", "thing", "values", "reason", "address")
    list_display_links = None
    list_filter = (ByFilter, AboutFilter)
    list_select_related = ("by",)
    ordering = ("-at", "-id")
    actions = None
    who = column("who", lambda row: f"{row.by.get_short_name()} ({row.role})", ordering="by")
    what = column("did", lambda row: row.said)
    thing = column("to", lambda row: row.label)

    def get_queryset(self, request: HttpRequest) -> QuerySet[StaffAct]:
        rows = super().get_queryset(request)
        return rows if rights.may(request.user, "audit.all") else rows.filter(by=request.user.pk)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Also by thing, as links to the log of one listing or order do."""
        return lookup in {"kind", "key"} or super().lookup_allowed(lookup, value, request)

    @admin.display(description="values")
    def values(self, row: StaffAct) -> SafeString:
        names = dict.fromkeys([*row.before, *row.after])
        pairs = (
            (name.replace("_", " "), row.before.get(name, ""), row.after.get(name, "")) for name in names
        )
        rows = ((name, str(before)[:200], str(after)[:200]) for name, before, after in pairs)
        return format_html_join("", "<div>{}: <del>{}</del> <ins>{}</ins></div>", rows)


LOOKS = {Mail.State.SENT: "good", Mail.State.BOUNCED: "bad", Mail.State.FAILED: "bad"}


@admin.register(Mail)
class MailAdmin(ReadOnlyAdmin):
    """Mails of the last 90 days, without their text."""

    page_name = "Mail"
    nothing = "No mails match."
    search_placeholder = "How the address begins"
    search_fields = ("address__startswith",)
    search_as = staticmethod(str.lower)
    list_display = ("queued_at", "address", "title", "stands", "tries", "answer", "again")
    list_display_links = None
    list_filter = ("state",)
    tabs = (
        ("All", ""),
        ("Bounced", queues.BOUNCED),
        ("Waiting", "state__exact=queued"),
        ("Failed", "state__exact=failed"),
    )
    ordering = ("-queued_at", "-id")
    exclude = ("key",)
    actions = ["close"]

    @admin.display(description="state", ordering="state")
    def stands(self, row: Mail) -> SafeString:
        at = row.settled_at or row.queued_at
        return pages.chip(
            row.get_state_display(), LOOKS.get(Mail.State(row.state), ""), title=f"{at:%a %d %b %Y %H:%M} UTC"
        )

    @admin.display(description="act")
    def again(self, row: Mail) -> SafeString | str:
        if row.state == Mail.State.QUEUED:
            return ""
        if not row.is_repeatable:
            return "works once"
        url = reverse("admin:core_mail_again", args=[row.pk])
        return format_html('<button class="button little" formaction="{}">Send again</button>', url)

    @pages.page("<int:mail_id>/again/", "core_mail_again", see="mail.see", do="mail.resend")
    def send_again(self, request: HttpRequest, mail_id: int) -> HttpResponse:
        row = get_object_or_404(Mail, pk=mail_id)
        following = request.POST.get("next", "")
        to = following if following.startswith("/admin/") else reverse("admin:core_mail_changelist")
        if request.method != "POST":
            return HttpResponseRedirect(to)
        try:
            with acting(request, "mail.resend") as act:
                mail.send_again(mail_id=row.pk, at=act.at)
                act.record("sent again", on=row)
        except mail.CannotSendAgainError as refusal:
            messages.error(request, f"{refusal} Nothing was sent.")
        else:
            queues.forget()
            messages.success(request, f"“{row.title}” is on its way to {row.address} again.")
        return HttpResponseRedirect(to)

    @staff_action(act="mail.resend", description="Close: nothing to do")
    def close(self, request: HttpRequest, chosen: QuerySet[Mail]) -> None:
        now = timezone.now()
        closed = list(chosen.filter(state=Mail.State.BOUNCED, closed_at=None))
        for row in closed:
            Acting(request, "mail.resend").record("closed", on=row)
        Mail.objects.filter(pk__in=[row.pk for row in closed]).update(closed_at=now)
        queues.forget()
        self.tell(request, len(closed), "closed", only="Only bounced mails are closed.")
