"""Invoices, credit notes and corrections, found by what buyers and banks quote, and what they come to for VAT."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.staff import pages, rights
from accounts.staff.audit import acting
from accounts.staff.lists import ReadOnlyAdmin, column, list_filter
from core.methods import require_safe
from orders import links, mails
from orders.admin.correcting import Replacing
from orders.amounts import money_column
from orders.documents import files
from orders.ledger import datev
from orders.ledger import returns as parts
from orders.ledger.files import entries, figures, ledger, recapitulative, union_scheme
from orders.ledger.returns import Quarter, last_quarters, numbers_of, returns_of
from orders.models import Invoice
from orders.selectors.documents import (
    StaffDocument,
    documents_named,
    staff_document,
    state_of,
    waiting_documents,
    with_states,
)
from orders.selectors.staff import TREATMENTS
from orders.seller import day_of, local, zone
from orders.vat import EU
from orders.wording import country_name

LISTED = 12
TITLES = (
    (parts.DOMESTIC, "Domestic", "For the return of your own country."),
    (parts.OSS, "One-stop shop, union scheme", "Consumers in other member states, by country and rate."),
    (
        parts.REVERSE,
        "Recapitulative statement",
        "Businesses in other member states, by VAT number: reverse charge.",
    ),
    (parts.ELSEWHERE, "Registered elsewhere", "VAT of countries outside the EU where you are registered."),
    (parts.OUTSIDE, "Outside the scope", "Buyers outside the EU: no EU VAT."),
)
FILES = {
    "ledger": ("Ledger", "every document, one line each"),
    "oss": ("One-stop shop", "the union scheme's columns"),
    "recapitulative": ("Recapitulative statement", "by VAT number"),
    "figures": ("All figures", "by part, country and rate"),
    "datev": ("DATEV", "Buchungsstapel (EXTF)"),
}
QUARTERS = 12
# The list has ten columns, and all of them fit a desk's screen
SHORT = {
    "domestic": "seller's",
    "destination": "buyer's",
    "reverse_charge": "reversed",
    "outside_scope": "outside EU",
    "assumed": "assumed",
}


class ReturnsPages(pages.Pages):
    """VAT returns by quarter: what the documents come to, and the files to take to an accountant."""

    def urls(self) -> list[URLPattern]:
        page = pages.staff_page(self.site, require_safe(self.page), see="vat.see")
        file = pages.staff_page(self.site, require_safe(self.file), see="vat.see")
        return [
            path("returns/", page, name="orders_invoice_returns"),
            path("returns/<str:quarter>/<slug:kind>/", file, name="orders_invoice_returns_file"),
        ]

    def page(self, request: HttpRequest) -> HttpResponse:
        quarters = last_quarters(day_of(timezone.now()), number=LISTED)
        quarter = Quarter.read(request.GET.get("quarter", "")) or quarters[1]
        returns = returns_of(quarter)
        return pages.show(
            request,
            self.site,
            "orders/admin/returns.html",
            title=f"VAT returns, {quarter}",
            returns=returns,
            numbers=numbers_of(quarter.year),
            quarters=quarters,
            is_running=quarter == quarters[0],
            parts=[(title, says, returns.part(part)) for part, title, says in TITLES if returns.part(part)],
            files=FILES.items(),
            zone=zone(),
        )

    def file(self, request: HttpRequest, quarter: str, kind: str) -> Any:
        chosen = Quarter.read(quarter)
        if chosen is None or kind not in FILES:
            raise Http404
        with acting(request, "lists.export") as act:
            act.record(f"exported {FILES[kind][0]} of {chosen}")
        name = f"EXTF_Buchungsstapel_{chosen}.csv" if kind == "datev" else f"{kind}-{chosen}.csv"
        charset = "windows-1252" if kind == "datev" else "utf-8"
        return StreamingHttpResponse(
            _content(kind, chosen, at=act.at),
            content_type=f"text/csv; charset={charset}",
            headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"},
        )


def _content(kind: str, quarter: Quarter, *, at: Any) -> Iterator[bytes]:
    days = {"first": quarter.first, "last": quarter.last}
    if kind == "ledger":
        return ledger(entries(**days))
    if kind == "datev":
        return datev.bookings(entries(**days), **days, at=local(at))
    by_kind = {"oss": union_scheme, "recapitulative": recapitulative, "figures": figures}
    return by_kind[kind](returns_of(quarter))


def _quarters() -> list[tuple[str, str]]:
    return [(str(row), str(row)) for row in last_quarters(day_of(timezone.now()), number=QUARTERS)]


def _countries() -> list[tuple[str, str]]:
    states = sorted(((code, country_name(code)) for code in EU), key=lambda row: row[1])
    return [*states, ("-", "Outside the EU")]


def _in_quarter(rows: QuerySet[Any], chosen: str) -> QuerySet[Any]:
    quarter = Quarter.read(chosen)
    return rows.filter(issued_on__range=(quarter.first, quarter.last)) if quarter else rows


def _in_country(rows: QuerySet[Any], chosen: str) -> QuerySet[Any]:
    return rows.exclude(vat_country__in=EU) if chosen == "-" else rows.filter(vat_country=chosen)


def _to_be_sent(rows: QuerySet[Any], chosen: str) -> QuerySet[Any]:
    return rows.filter(pk__in=waiting_documents().values("pk")) if chosen == "waits" else rows


FILTERS = (
    "kind",
    list_filter("quarter", "quarter", _quarters, _in_quarter),
    list_filter("country", "country", _countries, _in_country),
    list_filter(
        "VAT",
        "treatment",
        lambda: [(code, words.capitalize()) for code, words in TREATMENTS.items()],
        lambda rows, chosen: rows.filter(vat_treatment=chosen),
    ),
    list_filter("network", "network", {"waits": "To be sent"}.items, _to_be_sent),
)


@admin.register(Invoice)
class InvoiceAdmin(ReadOnlyAdmin):
    page_name = "Invoices"
    beside = (ReturnsPages, Replacing)
    nothing = "No documents match."
    search_placeholder = "Number, payment reference, VAT number, e-mail, or how name or address begins"
    search_fields = ("number",)  # `matching` says how
    list_display = (
        "number",
        "day",
        "buyer",
        "country",
        "treatment",
        "net",
        "vat",
        "gross",
        "bought",
        "state",
    )
    exported = (
        "issued_on",
        "kind",
        "currency",
        "buyer_vat_number",
        "vat_rate",
        "net_cents",
        "vat_cents",
        "total_cents",
    )
    list_filter = FILTERS
    tabs = (
        ("All", ""),
        ("Invoices", "kind__exact=invoice"),
        ("Credit notes", "kind__exact=credit_note"),
        ("Corrections", "kind__exact=correction"),
        ("To be sent by Peppol", "network=waits"),
    )
    ordering = ("-issued_on", "-id")
    net = money_column("net_cents", title="net")
    vat = money_column("vat_cents", title="VAT")
    gross = money_column("total_cents", title="gross")
    day = column("date", lambda row: f"{row.issued_on:%-d %b %Y}", ordering="issued_on")
    buyer = column("buyer", lambda row: row.buyer_name or "not given")
    country = column("country", lambda row: _short(row.vat_country, country_name(row.vat_country)))
    treatment = column("whose VAT", lambda row: _treated(row.vat_treatment))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return with_states(super().get_queryset(request))

    def matching(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """By whatever somebody has at hand; each way has an index."""
        return rows.filter(pk__in=documents_named(term).values("pk"))

    def change_view(self, request: HttpRequest, object_id: str, *_args: Any, **_options: Any) -> HttpResponse:
        rights.require(request.user, "orders.see")
        if request.method not in pages.SAFE:
            return HttpResponse(status=405)
        view = _document_or_404(object_id)
        return pages.show(
            request,
            self.admin_site,
            "orders/admin/document.html",
            title=view.invoice.number,
            view=view,
            invoice=view.invoice,
            document=view.invoice.document,
            page_url=f"{links.checkout_url(view.invoice.order)}/documents/{view.invoice.number}",
            handing=files.handing_of(view.invoice) if view.waiting else None,
            has_access_point=bool(settings.PEPPOL_URL),
            may={
                "send": rights.may(request.user, "orders.send"),
                "decide": rights.may(request.user, "orders.decide"),
                "resend": rights.may(request.user, "mail.resend"),
            },
        )

    @pages.page("<int:document_id>/send/", "orders_invoice_send", "orders.see", "orders.send")
    def send(self, request: HttpRequest, document_id: int) -> HttpResponse:
        view = _document_or_404(str(document_id))
        if request.method == "POST":
            with acting(request, "orders.send") as act:
                mails.send_document(document=view.invoice, again=f"-{act.at.isoformat()}")
                act.record(f"sent {view.invoice.number} again of", on=view.invoice.order)
                act.say(f"{view.invoice.number} is on its way again.")
        return HttpResponseRedirect(reverse("admin:orders_invoice_change", args=[document_id]))

    @pages.page("<int:document_id>/sent/", "orders_invoice_sent", "orders.see", "orders.send")
    def sent(self, request: HttpRequest, document_id: int) -> HttpResponse:
        view = _document_or_404(str(document_id))
        if request.method == "POST" and view.waiting:
            with acting(request, "orders.send") as act:
                files.mark_sent(document_id=document_id, at=act.at)
                act.record(f"sent {view.invoice.number} by Peppol for", on=view.invoice.order)
                act.say(f"{view.invoice.number} is on record as sent.")
        return HttpResponseRedirect(reverse("admin:orders_invoice_change", args=[document_id]))

    @admin.display(description="order")
    def bought(self, row: Invoice) -> SafeString:
        url = reverse("admin:orders_order_change", args=[row.order_id])
        return format_html('<a href="{}">{}</a>', url, row.order.number)

    @admin.display(description="state")
    def state(self, row: Invoice) -> SafeString:
        words, style = state_of(row)
        chip = pages.chip(words, style)
        return (
            format_html("{} {}", chip, pages.chip("test", "warn", title="test money"))
            if row.test_money
            else chip
        )


def _document_or_404(object_id: str) -> StaffDocument:
    view = staff_document(pages.key_of(object_id))
    if view is None:
        raise Http404
    return view


def _treated(code: str) -> SafeString:
    return _short(SHORT.get(code, ""), TREATMENTS.get(code, ""))


def _short(text: str, words: str) -> SafeString:
    return format_html('<abbr title="{}">{}</abbr>', words, text)
