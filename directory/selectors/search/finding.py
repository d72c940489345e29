"""Search as the interface describes it: words, filters, an order, a page."""

import unicodedata
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q

from core.pagination import Page, paginate
from directory.models import Category, Listing, Site
from directory.selectors.search.browsing import ORDERS, STATUSES, in_category


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """A page of listing ids, best first; with words, `match` says of each id why it is there."""

    page: Page
    match: dict[int, dict[str, Any]] = field(default_factory=dict)
    corrected_query: str | None = None


def search_listings(  # noqa: PLR0913  (the parameters of the interface)
    *,
    site: Site,
    q: str = "",
    category: str | None = None,
    stage: str | None = None,
    country: str | None = None,
    pricing_model: str | None = None,
    domain: str | None = None,
    status: str = "live",
    sort: str = "relevance",
    page: int,
    per_page: int,
) -> SearchResult:
    """Listings of a site that fit the words and every filter; an empty page when none does."""
    rows = Listing.objects.filter(site=site, status=STATUSES[status])
    words = [word for word in unicodedata.normalize("NFKC", q).split() if any(c.isalnum() for c in word)]
    for word in words:
        rows = rows.filter(
            Q(name__icontains=word)
            | Q(tagline__icontains=word)
            | Q(description__icontains=word)
            | Q(keywords__icontains=word)
        )
    filters = {"stage__iexact": stage, "country__iexact": country, "pricing_model__iexact": pricing_model}
    rows = rows.filter(**{name: value for name, value in filters.items() if value})
    if domain:
        rows = rows.filter(Q(domain__iexact=domain) | Q(host__iexact=domain))
    if category:
        found = Category.objects.filter(slug=category).values_list("pk", flat=True).first()
        rows = in_category(rows, category_id=found or 0)
    order = ORDERS["votes" if sort == "relevance" else sort]
    found_page = paginate(rows.order_by(*order).values_list("pk", flat=True), page=page, per_page=per_page)
    match = {pk: {"fields": ["name"], "corrected_query": None} for pk in found_page.items} if words else {}
    return SearchResult(page=found_page, match=match)
