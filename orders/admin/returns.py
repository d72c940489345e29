"""VAT returns by quarter: what the documents come to, and the files to take to an accountant."""

from collections.abc import Iterator
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.staff import pages
from accounts.staff.audit import acting
from orders.ledger import datev, files
from orders.ledger import returns as parts
from orders.ledger.files import entries
from orders.ledger.returns import Quarter, last_quarters, numbers_of, returns_of
from orders.seller import day_of, local, zone

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


class ReturnsPages(pages.Pages):
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
        return files.ledger(entries(**days))
    if kind == "datev":
        return datev.bookings(entries(**days), **days, at=local(at))
    by_kind = {"oss": files.union_scheme, "recapitulative": files.recapitulative, "figures": files.figures}
    return by_kind[kind](returns_of(quarter))
