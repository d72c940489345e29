"""Where people have events sent to: which of it works, fails, or is switched off. Secrets are nowhere."""

from django.contrib import admin
from django.http import HttpRequest
from django.utils.safestring import SafeString

from accounts.staff import pages
from accounts.staff.lists import ReadOnlyAdmin
from core.models import Endpoint


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
