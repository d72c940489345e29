"""Staff's door to the queue: every job, and the dead ones that wait for somebody to look at them."""

import uuid
from typing import Any

from django.contrib import admin
from django.contrib.sites import admin as hosts_there  # noqa: F401
from django.contrib.sites.models import Site as HostName
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from oauth2_provider import admin as registered_there  # noqa: F401
from oauth2_provider.models import (
    get_access_token_model,
    get_application_model,
    get_grant_model,
    get_id_token_model,
    get_refresh_token_model,
)

from accounts.staff import pages
from accounts.staff.lists import ReadOnlyAdmin, StaffAdmin
from config.staff import audit_admin, mail_admin, person, queues
from core import jobs
from core.models import Endpoint, Job

__all__ = ["audit_admin", "mail_admin", "person"]

WORDS = {"ran again": "run again", "forgot": "forgotten"}

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
        self._done(request, revived, "ran again")

    @admin.action(description="Forget")
    def forget(self, request: HttpRequest, chosen: QuerySet[Job]) -> None:
        """Delete dead jobs; others are left alone."""
        forgotten = [job for job in chosen if jobs.forget(job_id=job.pk)]
        self._done(request, forgotten, "forgot")

    def _done(self, request: HttpRequest, done: list[Job], act: str) -> None:
        for job in done:
            self.record(request, act, on=job)
        queues.forget()
        self.message_user(request, f"{len(done)} {'job' if len(done) == 1 else 'jobs'} {WORDS[act]}.")


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
