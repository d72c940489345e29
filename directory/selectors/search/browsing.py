"""Lists without words: a site's listings in one of the orders, ids first."""

from django.db.models import QuerySet

from core.pagination import Page, paginate
from directory.models import Category, Listing, Site

ORDERS = {
    "votes": ("-stats__votes", "pk"),
    "newest": ("-launched_at", "-pk"),
    "trending": ("-stats__hot", "pk"),
    "most_viewed": ("-stats__views", "pk"),
    "most_followed": ("-stats__followers", "pk"),
    "soonest": ("launch_week", "pk"),
}
STATUSES = {"live": Listing.Status.LIVE, "upcoming": Listing.Status.SCHEDULED}


def browse_ids(
    *, site: Site, sort: str, category_id: int | None = None, status: str = "live", page: int, per_page: int
) -> Page:
    """One page of listing ids. `sort` is votes, newest, trending, most_viewed, most_followed or soonest."""
    rows = Listing.objects.filter(site=site, status=STATUSES[status])
    if category_id is not None:
        rows = in_category(rows, category_id=category_id)
    return paginate(rows.order_by(*ORDERS[sort]).values_list("pk", flat=True), page=page, per_page=per_page)


def in_category(rows: QuerySet[Listing], *, category_id: int) -> QuerySet[Listing]:
    """Those that are filed in a category or below it."""
    parents = dict(Category.objects.values_list("pk", "parent_id"))
    below = {category_id}
    while fresh := {pk for pk, parent in parents.items() if parent in below} - below:
        below |= fresh
    return rows.filter(filed__category_id__in=below).distinct()
