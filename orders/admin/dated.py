"""Dated rows about VAT that staff enter: they are added and withdrawn, never changed."""

from typing import Any

from django.contrib import admin, messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.staff import audit, pages
from accounts.staff.lists import ADDED_ONLY, StaffAdmin
from orders.admin.price_page import tabs


class DatedRowsAdmin(StaffAdmin):
    """Rows with `valid_from`, `valid_until` and `withdrawn_at`, beside prices and rates."""

    forbidden = ADDED_ONLY
    withdrawn = ""  # what the audit log says
    before = ""  # what holds once a row is withdrawn

    def rules(self, row: Any) -> str:
        raise NotImplementedError

    @property
    def _list(self) -> str:
        return f"admin:orders_{self.opts.model_name}_changelist"

    def get_urls(self) -> list[URLPattern]:
        """With the page that asks before one is withdrawn."""
        name = f"orders_{self.opts.model_name}_withdraw"
        page = pages.staff_page(self.admin_site, self.ask, see="vat.see", do="vat.edit")
        return [path("<int:row_id>/withdraw/", page, name=name), *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return super().changelist_view(request, {"tabs": tabs(self.page_name), **(extra_context or {})})

    @admin.display(description="")
    def withdraw(self, row: Any) -> SafeString | str:
        if row.withdrawn_at is not None:
            return pages.chip("withdrawn")
        url = reverse(f"admin:orders_{self.opts.model_name}_withdraw", args=[row.pk])
        return format_html('<a class="button little" href="{}">Withdraw…</a>', url)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        obj.entered_by_id, obj.entered_at = request.user.pk, timezone.now()
        super().save_model(request, obj, form, change)

    def ask(self, request: HttpRequest, row_id: int) -> HttpResponse:
        """What was paid stays; checkout works the rest out anew when it is paid."""
        row, back = get_object_or_404(self.model, pk=row_id, withdrawn_at=None), reverse(self._list)
        if request.method == "POST":
            with transaction.atomic():
                self.model.objects.filter(pk=row.pk).update(withdrawn_at=timezone.now())
                change = audit.Change(
                    before={f"{self.opts.verbose_name}": f"{row}", "rules": self.rules(row)}
                )
                by, at = audit.actor(request), timezone.now()
                audit.record(by, "vat.edit", self.withdrawn, at=at, on=row, change=change)
            messages.success(request, "Withdrawn. Another row for the same day can be entered.")
            return HttpResponseRedirect(back)
        question = pages.Question(
            title=f"Withdraw {row}: {self.rules(row)}?",
            says=[
                self.before,
                "What was paid and its documents stay. Orders not paid yet are worked out anew at checkout.",
            ],
            button="Withdraw this row",
            back=back,
            is_final=True,
        )
        return pages.confirm(request, self.admin_site, question)
