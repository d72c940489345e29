"""Find anything: a person by address, an order by number, a listing by website or name, a category, a page."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib.admin import AdminSite
from django.db.models.functions import Collate, Lower
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from accounts.models import User
from accounts.staff import pages, rights
from config.staff.menu import MENU, Item
from core.domains import domain_meant
from directory.models import Category, Listing, Site
from orders.models import Order
from orders.selectors import orders
from orders.selectors.documents import documents_named, orders_of_payment

EACH, LONGEST = 5, 200


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
