"""The back office's menu, by job and by right; and finding anything: people, orders, listings, categories, pages."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.contrib.admin import AdminSite
from django.db.models.functions import Collate, Lower
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from accounts.models import User
from accounts.staff import pages, rights
from config.staff import queues
from core.domains import domain_meant
from core.tables import rows_of
from directory.models import Category, Listing, Site
from orders.models import Order
from orders.selectors import orders
from orders.selectors.documents import documents_named, orders_of_payment

EACH, LONGEST = 5, 200


@dataclass(frozen=True)
class Item:
    """One line of the menu. `queue` names the rows of `queues` that its number comes from, a space between two."""

    name: str
    icon: str
    page: str  # the name of its address in the back office
    act: str
    query: str = ""
    queue: str = ""
    key: str = ""  # G and this letter go there
    words: str = ""  # what else it is called by who looks for it

    @cached_property
    def path(self) -> str:
        return reverse(f"admin:{self.page}")

    @cached_property
    def url(self) -> str:
        return f"{self.path}?{self.query}" if self.query else self.path


_ROWS = [(row.pop("group"), Item(**row)) for row in rows_of(__file__, "menu.csv")]
MENU = {
    group: [item for of, item in _ROWS if of == group] for group, _ in _ROWS
}  # by the title of each group


def menu(request: HttpRequest) -> list[tuple[str, list[dict[str, Any]]]]:
    """The groups and items that this member of staff has, with what waits."""
    waiting = queues.counts()
    groups: list[tuple[str, list[dict[str, Any]]]] = []
    for title, items in MENU.items():
        entries = [_entry(request, item, waiting) for item in items if rights.may(request.user, item.act)]
        if entries:
            groups.append((title, entries))
    current = [item for _, entries in groups for item in entries if item["is_under"]]
    if current:  # the most particular one: two lists may share an address and differ in their query
        max(current, key=lambda item: (item["is_exact"], len(item["path"])))["is_current"] = True
    return groups


def _entry(request: HttpRequest, item: Item, waiting: dict[str, queues.Waiting]) -> dict[str, Any]:
    result = queues.together(waiting[key] for key in item.queue.split() if key in waiting)
    is_home = item.page == "index"
    return {
        "name": item.name,
        "icon": item.icon,
        "key": item.key,
        "path": item.path,
        "url": item.url,
        "waits": result.number_text if result.number else "",
        "is_hot": item.queue == "jobs",
        "is_under": request.path == item.path if is_home else request.path.startswith(item.path),
        "is_exact": bool(item.query) and item.query in request.META.get("QUERY_STRING", ""),
    }


@dataclass(frozen=True)
class Match:
    kind: str
    name: str
    more: str
    url: str


def find_page(request: HttpRequest, *, site: AdminSite) -> HttpResponse:
    """What fits `q`. A number or an address that names one thing leads there at once."""
    query = " ".join(request.GET.get("q", "").split())[:LONGEST]
    result = find(query, user=request.user) if query else []
    if request.headers.get("X-Part"):
        return render(request, "staff/matches.html", {"matches": result, "query": query})
    if len(result) == 1:
        return HttpResponseRedirect(result[0].url)
    return pages.show(request, site, "staff/find.html", title="Find", matches=result, query=query)


def find(query: str, *, user: Any) -> list[Match]:
    """At most five of each kind that the person may see; one statement a kind, each on an index."""
    kinds = (
        ("orders.see", _orders),
        ("orders.see", _documents),
        ("people.see", _people),
        ("listings.see", _listings),
        ("categories.see", _categories),
    )
    rows = [row for act, finder in kinds if rights.may(user, act) for row in finder(query)]
    return [*rows, *_pages(query, user=user)]


def _orders(query: str) -> Iterator[Match]:
    """By number, by the payer's e-mail address, or by what a provider calls the payment."""
    rows = Order.objects.none()
    if number := orders.plain_number(query):
        rows = Order.objects.filter(number=number)
    elif "@" in query:
        rows = Order.objects.alias(payer=Lower("billing_email")).filter(payer=query.lower())
    elif keys := orders_of_payment(query):
        rows = Order.objects.filter(pk__in=keys)
    for order in rows.order_by("-created_at", "-pk")[:EACH]:
        url = reverse("admin:orders_order_change", args=[order.pk])
        yield Match("Order", order.number, order.status, url)


def _documents(query: str) -> Iterator[Match]:
    """By number, VAT number, or how the name or address of whoever it is for begins."""
    if orders.plain_number(query) or "@" in query:
        return  # the order leads to them
    for row in documents_named(query).order_by("-issued_on", "-pk")[:EACH]:
        more = f"{row.buyer_name}, {row.issued_on:%-d %B %Y}"
        yield Match(
            row.get_kind_display(), row.number, more, reverse("admin:orders_invoice_change", args=[row.pk])
        )


def _people(query: str) -> Iterator[Match]:
    column = "email" if "@" in query else "name"
    for user in _beginning(User.objects.all(), column, query):
        url = reverse("admin:accounts_user_change", args=[user.pk])
        yield Match("Person", user.get_short_name(), user.email, url)


def _listings(query: str) -> Iterator[Match]:
    if "@" in query:
        return
    is_host = "." in query and " " not in query
    names = dict(Site.objects.values_list("pk", "name"))
    rows = Listing.objects.filter(site__in=names, domain=domain_meant(query) or "-")
    for row in rows.order_by("pk")[:EACH] if is_host else _beginning(Listing.objects.all(), "name", query):
        url = reverse("admin:directory_listing_change", args=[row.pk])
        site = f", {names[row.site_id]}" if len(names) > 1 else ""
        yield Match("Listing", row.name, f"{row.domain}, {row.get_status_display().lower()}{site}", url)


def _categories(query: str) -> Iterator[Match]:
    for row in Category.objects.filter(name__istartswith=query).order_by("name", "pk")[:EACH]:
        yield Match("Category", row.name, "", reverse("admin:directory_category_change", args=[row.pk]))


def _pages(query: str, *, user: Any) -> Iterator[Match]:
    items = [item for group in MENU.values() for item in group if rights.may(user, item.act)]
    fitting = [item for item in items if _is_called(item, query.lower())]
    for item in fitting[:EACH]:
        yield Match("Page", item.name, "", item.url)


def _is_called(item: Item, query: str) -> bool:
    return any(name.startswith(query) for name in (item.name.lower(), *item.words.split(", ")))


def _beginning(rows: Any, column: str, query: str) -> Any:
    """The first of them in the order of the index on the column in small letters."""
    small = rows.annotate(small=Collate(Lower(column), "C"))
    return small.filter(small__startswith=query.lower()).order_by("small", "pk")[:EACH]
