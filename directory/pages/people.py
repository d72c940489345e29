"""The founders of listings."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from directory import limits
from directory.pages.sharing import share_of_founder
from directory.reading import PER_PAGE, marks_of, page_number
from directory.selectors.people import get_founder, list_founders
from directory.selectors.sites import current_site


@require_safe
def founders(request: HttpRequest) -> HttpResponse:
    """`/founders`."""
    q = request.GET.get("q", "")[: limits.FOUNDER_QUERY].replace("\0", "").strip()
    page = list_founders(site=current_site(request), q=q, page=page_number(request), per_page=PER_PAGE)
    return render(request, "directory/founders.html", {"page": page, "q": q})


@require_safe
def founder(request: HttpRequest, slug: str) -> HttpResponse:
    """`/founders/<slug>`."""
    site = current_site(request)
    found = get_founder(site=site, slug=slug)
    context = {
        "founder": found,
        "share": share_of_founder(found, site=site),
        "marks": marks_of(request, found["companies"]),
    }
    return render(request, "directory/founder.html", context)
