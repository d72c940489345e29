"""The frame of every list and form of the back office: rights by the table, no counts, saved views, an audit line."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, cast
from urllib.parse import parse_qsl

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.views.main import PAGE_VAR, ChangeList
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import models, transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.http import urlencode
from django.utils.text import capfirst

from accounts.staff import audit, files, finding, pages, rights
from accounts.staff.audit import Acting, acting
from core.api.errors import ApiError
from core.methods import require_safe

PER_PAGE, PAGES = 100, 100
SUGGESTED_PAGES = 5
NAMED = 20  # so many of the rows that a field holds are written into a line of the audit log


class UncountedList(ChangeList):
    """A page of a list without knowing how many there are. It stops at page 100."""

    def get_ordering_field(self, field_name: Any) -> Any:
        """What sorts a column of the list: nothing where its head offers no order, whatever an address says."""
        return super().get_ordering_field(field_name) if field_name in (self.sortable_by or ()) else None

    def get_results(self, request: HttpRequest) -> None:
        """One statement: the rows of this page."""
        self.page_num = min(max(self.page_num, 1), PAGES)
        start = (self.page_num - 1) * self.list_per_page
        self.result_list = self.queryset[start : start + self.list_per_page]
        self.result_count = len(self.result_list)
        self.full_result_count, self.show_full_result_count = None, False
        self.show_admin_actions = True
        self.can_show_all = self.multi_page = False
        self.paginator = None

    @property
    def previous_page(self) -> str:
        return self.get_query_string({PAGE_VAR: self.page_num - 1}) if self.page_num > 1 else ""

    @property
    def next_page(self) -> str:
        """The query of the page after this, if this one is full."""
        is_more = self.result_count == self.list_per_page and self.page_num < PAGES
        return self.get_query_string({PAGE_VAR: self.page_num + 1}) if is_more else ""

    @property
    def is_cut(self) -> bool:
        """Whether there may be more that no page shows."""
        return self.page_num == PAGES and self.result_count == self.list_per_page


class BoundedPaginator(Paginator):
    """For the suggestions of a field: looks as far ahead as somebody would scroll."""

    @cached_property
    def count(self) -> int:
        rows: Any = self.object_list
        return int(rows[: self.per_page * SUGGESTED_PAGES].count())


def staff_action(*, act: str, description: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An action of a list that needs one act of the table; without this it needs the act of changing its rows."""

    def declared(function: Callable[..., Any]) -> Callable[..., Any]:
        function.act = act  # type: ignore[attr-defined]
        return admin.action(description=description)(function)

    return declared


def column(title: str, read: Callable[[Any], Any], *, ordering: str | None = None) -> Callable[..., Any]:
    """A column of a list: its head, what of a row stands in it, and the column of the table that sorts it."""

    @admin.display(description=title, ordering=ordering)
    def cell(_: Any, row: Any) -> Any:
        return read(row)

    return cell


Options = Callable[[], Iterable[tuple[str, str]]]


def list_filter(title: str, name: str, options: Options, fitting: Callable[[Any, str], Any]) -> type[Any]:
    """A filter beside a list: its values with their words, and the rows that fit the chosen one."""

    class Filter(admin.SimpleListFilter):
        parameter_name = name

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
            return list(options())

        def queryset(self, request: HttpRequest, queryset: models.QuerySet[Any]) -> models.QuerySet[Any]:
            chosen = self.value()
            return fitting(queryset, chosen) if chosen else queryset

    Filter.title = title
    return Filter


READ_ONLY, ADDED_ONLY, CHANGED_ONLY = ("add", "change", "delete"), ("change", "delete"), ("add", "delete")


class Limited(admin.options.BaseModelAdmin):
    """`forbidden` is what nobody may do to these rows by a form, whatever their role: services alone do."""

    forbidden: ClassVar[tuple[str, ...]] = ()

    def has_add_permission(self, request: HttpRequest, *of: Any) -> bool:
        return "add" not in self.forbidden and super().has_add_permission(request, *of)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return "change" not in self.forbidden and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return "delete" not in self.forbidden and super().has_delete_permission(request, obj)


class ReadOnlyInline(Limited, admin.TabularInline):
    forbidden = READ_ONLY
    extra = 0
    can_delete = False
    show_change_link = False


class StaffInline(admin.TabularInline):
    """Rows below a form: what is worth money or power is written by those whose act that is."""

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return [*super().get_readonly_fields(request, obj), *rights.locked_fields(request.user, self.model)]


class StaffAdmin(Limited, admin.ModelAdmin):
    """What every list of the back office stands on. Which acts it needs is told by the table of rights."""

    paginator = BoundedPaginator
    list_per_page = PER_PAGE
    list_max_show_all = 0
    show_full_result_count = False
    page_name: ClassVar[str] = ""  # what staff call the list; its rows' name unless told
    nothing: ClassVar[str] = "Nothing here."
    search_placeholder: ClassVar[str] = "Search"
    beside: ClassVar[tuple[type[pages.Pages], ...]] = ()  # pages that belong to it
    tabs: ClassVar[tuple[tuple[str, str], ...]] = ()  # saved views: what they are called, and their query
    exported: ClassVar[tuple[str, ...]] = ()  # columns that the list's file has beside those of the list
    importing: ClassVar[files.Import | None] = None
    has_form: ClassVar[bool] = True  # no: the page of a row is one of our own, and no form writes its columns
    instead: ClassVar[str] = ""  # what is done where rows that hang on it keep it from being deleted
    unlogged: ClassVar[frozenset[str]] = frozenset()  # fields whose values stay out of the audit log

    @staticmethod
    def search_as(term: str, /) -> str:
        """What is typed as it is stored."""
        return term

    @property
    def page_title(self) -> str:
        return self.page_name or capfirst(str(self.opts.verbose_name_plural))

    @property
    def edit_act(self) -> str:
        """The act of changing a row; lists that are missing in the table are for superusers."""
        return rights.MODELS.get(self.opts.label_lower, ("", ""))[1] or "staff.edit"

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """What is worth money or power is written by those whose act that is."""
        if not self.has_form:
            return [field.name for field in self.opts.fields]
        return [*super().get_readonly_fields(request, obj), *rights.locked_fields(request.user, self.model)]

    def get_changelist(self, request: HttpRequest, **options: Any) -> type[ChangeList]:
        return UncountedList

    def get_urls(self) -> list[Any]:
        """With its own pages, and the list as a file, to take along and where it may be to bring back."""
        name = f"{self.opts.app_label}_{self.opts.model_name}"
        sheets = [
            path("export/", require_safe(self.admin_site.admin_view(self.export)), name=f"{name}_export")
        ]
        if self.importing:
            page = pages.staff_page(self.admin_site, self.bring, see=self.importing.act)
            sheets.append(path("import/", page, name=f"{name}_import"))
        beside = [each for kind in self.beside for each in kind(self.admin_site).urls()]
        return [*beside, *pages.paths_of(self, self.admin_site), *sheets, *super().get_urls()]

    def bring(self, request: HttpRequest) -> HttpResponse:
        back = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
        return files.import_page(
            request, site=self.admin_site, kind=cast(files.Import, self.importing), back=back
        )

    def get_search_results(
        self, request: HttpRequest, queryset: models.QuerySet[Any], search_term: str
    ) -> tuple[models.QuerySet[Any], bool]:
        """By columns that have an index; `search_fields` names them with how they are compared."""
        term = search_term.strip()
        return (self.matching(queryset, self.search_as(term)) if term else queryset), False

    def matching(self, rows: models.QuerySet[Any], term: str) -> models.QuerySet[Any]:
        return rows.filter(finding.named(self.model, self.search_fields, term))

    def get_sortable_by(self, request: HttpRequest) -> list[Any]:
        """Columns with an index: any other would have all rows sorted for one page."""
        existing = finding.sortable(self.model)
        names = [str(name) for name in self.get_list_display(request)]
        return [
            name
            for name in names
            if getattr(getattr(self, name, None), "admin_order_field", None) in existing or name in existing
        ]

    def export(self, request: HttpRequest) -> StreamingHttpResponse:
        """The rows that the filters leave, as CSV. Whose list it is not, finds nothing here."""
        if not self.has_view_permission(request):
            raise Http404
        rights.require(request.user, "lists.export")
        result = self.get_changelist_instance(request)
        with acting(request, "lists.export") as act:
            act.record(f"exported {self.page_title}")
        name = f"{self.opts.model_name}-{timezone.now():%Y-%m-%d}.csv"
        return StreamingHttpResponse(
            files.lines_of(result),
            content_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"},
        )

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        result = super().get_actions(request)
        return {
            name: action for name, action in result.items() if rights.may(request.user, self._act_of(action))
        }

    def _act_of(self, action: Any) -> str:
        return str(getattr(action[0], "act", self.edit_act))

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """What stands in the way by kind and number: names of rows between tables tell nobody anything."""
        *others, protected = super().get_deleted_objects(objs, request)
        kinds = Counter(str(line).partition(":")[0] for line in protected)
        return *others, [
            *(f"{kind}: {number}" for kind, number in kinds.items()),
            *([self.instead] if kinds and self.instead else []),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """The list; an action that is somebody else's is refused by name."""
        action = next(filter(None, request.POST.getlist("action")), "")
        existing = self.get_action(action) if action else None
        if existing is not None:
            rights.require(request.user, self._act_of(existing))
        tabs = [(name, f"?{query}", self._is_open(request, query)) for name, query in self.tabs]
        may_import = self.importing is not None and rights.may(request.user, self.importing.act)
        is_narrowed = self._is_narrowed(request) and not any(is_open for _, _, is_open in tabs)
        context = {
            "tabs": tabs,
            "may_import": may_import,
            "is_narrowed": is_narrowed,
            **(extra_context or {}),
        }
        return super().changelist_view(request, context)

    @staticmethod
    def _is_narrowed(request: HttpRequest) -> bool:
        return bool(request.GET.keys() - {PAGE_VAR, "q", "o"})

    @staticmethod
    def _is_open(request: HttpRequest, query: str) -> bool:
        filters = {name: value for name, value in request.GET.items() if name not in {PAGE_VAR, "q", "o"}}
        return filters == dict(parse_qsl(query))

    def response_action(self, request: HttpRequest, queryset: Any, *options: Any) -> HttpResponse | None:
        """One transaction for the chosen rows, which are those of the page: never all that there are."""
        sent: Any = request.POST.copy()
        sent["select_across"] = "0"
        request.POST = sent
        with transaction.atomic():
            return super().response_action(request, queryset, *options)

    def construct_change_message(
        self,
        request: HttpRequest,
        form: Any,
        formsets: Any,
        add: Any = False,  # noqa: FBT002
    ) -> Any:
        """What a form changed, before and after; of the rows below it, how many."""
        before = (
            {} if add else {name: self._logged(name, form.initial.get(name)) for name in form.changed_data}
        )
        after = {name: self._logged(name, form.cleaned_data.get(name)) for name in form.changed_data}
        for formset in formsets or []:
            rows = len(formset.new_objects) + len(formset.changed_objects) + len(formset.deleted_objects)
            if rows:
                after[f"rows of {formset.prefix}".replace("_", " ")] = f"{rows} changed"
        return {"before": before, "after": after}

    def _logged(self, name: str, value: Any) -> Any:
        if name in self.unlogged:
            return "…"
        if isinstance(value, models.Model):
            return value.pk
        if isinstance(value, models.QuerySet) or (isinstance(value, list) and _are_rows(value)):
            return [row.pk for row in value[:NAMED]]
        return value if isinstance(value, str | int | float | bool | list | dict | None) else str(value)

    def log_addition(self, request: HttpRequest, obj: models.Model, message: Any) -> Any:
        return Acting(request, self.edit_act).record(f"added {self._noun}", on=obj, **message)

    def log_change(self, request: HttpRequest, obj: models.Model, message: Any) -> Any:
        """A line of the audit log, unless nothing was changed."""
        fields = ", ".join(str(name).replace("_", " ") for name in message["after"])
        text = f"changed {fields} of {self._noun}"
        return Acting(request, self.edit_act).record(text, on=obj, **message) if fields else None

    def log_deletions(self, request: HttpRequest, queryset: Iterable[models.Model]) -> Any:
        act = Acting(request, self.edit_act)
        return [act.record(f"deleted {self._noun}", on=row) for row in queryset]

    @property
    def _noun(self) -> str:
        return str(self.opts.verbose_name)

    def each(
        self,
        request: HttpRequest,
        rows: Iterable[Any],
        do: Callable[[Any, Acting], Any],
        summary: str,
        *,
        on: Callable[[Any], models.Model] = lambda row: row,
        right: str = "",
        **change: Any,
    ) -> int:
        """Do one service for each row, together with its line; says what is refused. Returns how many were done."""
        act, done = Acting(request, right or self.edit_act), 0
        for row in rows:
            try:
                with transaction.atomic():
                    act.record(summary, on=on(row), **change)
                    do(row, act)
                done += 1
            except ApiError as refusal:
                self.message_user(request, f"{on(row)}: {refusal.detail}", messages.ERROR)
        return done

    def tell(self, request: HttpRequest, done: int, did: str, *, noun: str = "", only: str = "") -> None:
        """Say how many of the chosen rows an action changed, and that others stay; `only` says which these are."""
        rest = len(request.POST.getlist(ACTION_CHECKBOX_NAME)) - done
        stays = f" {rest} {'stays as it is' if rest == 1 else 'stay as they are'}."
        text = f"{done} {noun or self._noun}{'' if done == 1 else 's'} {did}.{stays if rest > 0 else ''}"
        if not done:
            text = audit.UNCHANGED
        level = messages.SUCCESS if done else messages.WARNING
        self.message_user(request, f"{text} {only if rest > 0 else ''}".strip(), level)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """What staff did to one row: the audit log, narrowed to it."""
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        query = urlencode({"kind": self.opts.label_lower, "key": object_id})
        return HttpResponseRedirect(f"{reverse('admin:accounts_staffact_changelist')}?{query}")


class ReadOnlyAdmin(StaffAdmin):
    """What services alone write."""

    forbidden = READ_ONLY


def _are_rows(values: list[Any]) -> bool:
    return bool(values) and all(isinstance(value, models.Model) for value in values)
