"""Launch weeks."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from core.api.errors import NotFoundError
from core.api.pagination import Page
from directory import weeks
from directory.launches.calendar import launched
from directory.launches.pages.visiting import standing_in
from directory.launches.race import race_week
from directory.models import FeaturedCount, Site
from directory.reading import marks_of, page_number, week_clock
from directory.search.cards import summaries
from directory.shown.pages.sharing import share_of_week
from directory.sites.lookup import current_site

ROWS_A_PAGE, PLACES = 30, 3


def _page(items: Sequence[Any], *, number: int) -> Page:
    first = (number - 1) * ROWS_A_PAGE
    shown = items[first : first + ROWS_A_PAGE]
    return Page(items=shown, page=number, per_page=ROWS_A_PAGE, total=len(items))


def _winners(found: Mapping[str, Any], *, site: Site) -> list[dict[str, Any]]:
    """The first three of the week before a running one, while none of its own have won."""
    if found["status"] != "current":
        return []
    first = launched(site=site, week=found["previous"]).values_list("listing", flat=True)[:PLACES]
    return summaries(listing_ids=list(first))


@require_safe
def week(request: HttpRequest, week: str) -> HttpResponse:
    """`/weeks/<monday>` and `/weeks/this`; every other day and word leads to its Monday."""
    now = timezone.now()
    try:
        monday = weeks.parse(week, at=now)
    except ValueError as error:
        raise NotFoundError("There is no such week.") from error
    if week != "this" and week != monday.isoformat():
        return HttpResponseRedirect(f"/weeks/{monday}")
    site = current_site(request)
    result = race_week(site=site, week=monday, at=now)
    page = _page(result["items"], number=page_number(request))
    context = {
        "week": result,
        "share": share_of_week(result, site=site),
        "page": page,
        "total": result.get("total", len(result["items"])),
        "monday": monday,
        "days": weeks.span(monday),
        "before": {
            item["listing"]["slug"]: item["previous_rank"] for item in page.items if item["previous_rank"]
        },
        "last_week": _winners(result, site=site),
        "featured": standing_in(request, FeaturedCount.Kind.WEEK),
        "clock": week_clock(at=now),
        "marks": marks_of(request, [item["listing"] for item in page.items]),
        "medals": {award["listing"]["slug"]: award for award in result["awards"]},
    }
    return render(request, "directory/week.html", context)
