"""Staff's door to the queue: every job, and the dead ones that wait for somebody to look at them."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from accounts.staff.lists import StaffAdmin
from config.staff import audit_admin
from core import jobs
from core.models import Job

__all__ = ["audit_admin"]


@admin.register(Job)
class JobAdmin(StaffAdmin):
    """Jobs. The dead-letter list is the filter `dead`. Payloads stay hidden, as mails hold links that sign in."""

    list_display = ("kind", "key", "state", "attempt", "run_after", "finished_at", "last_error")
    list_filter = ("state", "kind", "queue")
    search_fields = ("kind", "key", "last_error")
    ordering = ("-created_at", "-id")
    exclude = ("payload", "token")
    actions = ["run_again", "forget"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False

    @admin.action(description="Run again")
    def run_again(self, request: HttpRequest, chosen: QuerySet[Job]) -> None:
        """Put dead jobs back into the queue; others are left alone."""
        now = timezone.now()
        revived = sum(jobs.revive(job_id=job.pk, at=now) for job in chosen)
        self.message_user(request, f"{revived} jobs run again.")

    @admin.action(description="Forget")
    def forget(self, request: HttpRequest, chosen: QuerySet[Job]) -> None:
        """Delete dead jobs; others are left alone."""
        forgotten = sum(jobs.forget(job_id=job.pk) for job in chosen)
        self.message_user(request, f"{forgotten} jobs forgotten.")
