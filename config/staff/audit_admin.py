"""The audit log as a list: only read, by whom, on what, which act."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from accounts.models import StaffAct, User
from accounts.staff import rights
from accounts.staff.lists import ReadOnlyAdmin, column, list_filter

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
