"""The audit log as a list: only read, by whom, on what, which act."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from accounts.models import StaffAct, User
from accounts.staff import rights
from accounts.staff.lists import ReadOnlyAdmin

PEOPLE = 50


class ByFilter(admin.SimpleListFilter):
    title, parameter_name = "person", "by"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(str(user.pk), user.get_short_name()) for user in User.objects.filter(is_staff=True)[:PEOPLE]]

    def queryset(self, request: HttpRequest, queryset: QuerySet[StaffAct]) -> QuerySet[StaffAct]:
        chosen = self.value() or ""
        return queryset.filter(by=int(chosen)) if chosen.isdecimal() else queryset


class AboutFilter(admin.SimpleListFilter):
    """What it was about: the part of the act before its dot."""

    title, parameter_name = "about", "about"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Each kind of thing that acts are about."""
        things = dict.fromkeys(act.partition(".")[0] for act in rights.ACTS)
        return [(thing, thing.capitalize()) for thing in things]

    def queryset(self, request: HttpRequest, queryset: QuerySet[StaffAct]) -> QuerySet[StaffAct]:
        if not self.value():
            return queryset
        return queryset.filter(act__in=[act for act in rights.ACTS if act.startswith(f"{self.value()}.")])


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

    def get_queryset(self, request: HttpRequest) -> QuerySet[StaffAct]:
        rows = super().get_queryset(request)
        return rows if rights.may(request.user, "audit.all") else rows.filter(by=request.user.pk)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Also by thing, as links to the log of one listing or order do."""
        return lookup in {"kind", "key"} or super().lookup_allowed(lookup, value, request)

    @admin.display(description="who", ordering="by")
    def who(self, row: StaffAct) -> str:
        return f"{row.by.get_short_name()} ({row.role})"

    @admin.display(description="did")
    def what(self, row: StaffAct) -> str:
        return row.said

    @admin.display(description="to")
    def thing(self, row: StaffAct) -> str:
        return row.label

    @admin.display(description="values")
    def values(self, row: StaffAct) -> SafeString:
        names = dict.fromkeys([*row.before, *row.after])
        pairs = (
            (name.replace("_", " "), row.before.get(name, ""), row.after.get(name, "")) for name in names
        )
        rows = ((name, str(before)[:200], str(after)[:200]) for name, before, after in pairs)
        return format_html_join("", "<div>{}: <del>{}</del> <ins>{}</ins></div>", rows)
