"""The mail log: what was sent to whom, whether it arrived, and sending it again."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.staff import pages
from accounts.staff.acting import acting
from accounts.staff.lists import ReadOnlyAdmin, staff_action
from config.staff import queues
from core import mail
from core.models import Mail

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
            self.record(request, "closed", on=row, act="mail.resend")
        Mail.objects.filter(pk__in=[row.pk for row in closed]).update(closed_at=now)
        queues.forget()
        self.message_user(request, f"{len(closed)} closed.")
