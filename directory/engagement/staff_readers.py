"""Who asked for mail beside an account's own: the winners of each week, and launches to come. Nothing is edited."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString

from accounts.staff import pages
from accounts.staff.lists import ReadOnlyAdmin, staff_action
from directory.engagement import winners
from directory.models import LaunchReminder, WinnersReader


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
        number = 0
        for reader in readers:
            self.record(request, "forgot", on=reader, act="people.erase")
            winners.forget(reader)
            number += 1
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
