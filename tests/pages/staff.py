"""The addresses of the back office, each with a row of its list where it names one."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.urls import URLPattern, URLResolver, reverse

from directory.models import Listing

LEFT_OUT = ("_export", "logout", "jsi18n", "app_list", "autocomplete", "view_on_site", "password_change_done")


def staff_addresses() -> list[str]:
    """Lists, forms, histories, confirmations and the pages beside them."""
    lists = {(m._meta.app_label, m._meta.model_name): m for m in admin.site._registry}
    return sorted(set(_addresses(admin.site.get_urls(), lists, model=None)))


def _addresses(patterns: list[Any], lists: Any, *, model: type[Model] | None) -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            place = tuple(str(pattern.pattern).strip("/").split("/"))
            yield from _addresses(pattern.url_patterns, lists, model=lists.get(place, model))
        elif (
            pattern.name
            and not pattern.name.endswith(LEFT_OUT)
            and (found := _filled(pattern, model)) is not None
        ):
            yield reverse(f"admin:{pattern.name}", kwargs=found)


def _filled(pattern: URLPattern, model: type[Model] | None) -> dict[str, Any] | None:
    """The values of an address: the newest row of its list, or of the listings; None where there is no row."""
    found = {}
    for name in pattern.pattern.converters:
        of = Listing if name == "listing_id" else model
        row = of._base_manager.order_by("-pk").first() if of else None
        if row is None:
            return None
        found[name] = row.pk
    return found
