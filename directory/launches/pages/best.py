"""The best of a year, of everything or of one category."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from directory import weeks
from directory.categories.tree import category_in_tree, category_tree
from directory.launches.best import FEWEST, best_of, lists_beside, years
from directory.launches.pages.visiting import featured_in
from directory.listings.profile import covers
from directory.models import FeaturedCount
from directory.reading import marks_of
from directory.sites.lookup import current_site

LISTS_BESIDE = 5


@require_safe
def this_year(request: HttpRequest, category: str = "") -> HttpResponse:
    """`/best` and `/best/<category>`: lead to the list of the year that runs."""
    address = f"/best/{weeks.week_of(timezone.now()).year}"
    return redirect(f"{address}/{category}" if category else address)


@require_safe
def best(request: HttpRequest, year: int, category: str = "") -> HttpResponse:
    """`/best/<year>` and `/best/<year>/<category>`: the first twenty by the votes of their launch weeks."""
    site, now = current_site(request), timezone.now()
    if category:
        chosen, tree = category_in_tree(site=site, slug=category)
    else:
        chosen, tree = None, category_tree(site=site, include_empty=False)
    result = best_of(site=site, year=year, category=chosen, at=now)
    cards = [card for _, card, _ in result["rows"]]
    context = {
        "best": result,
        "category": chosen,
        "fewest": FEWEST,
        "years": [other for other in years(site=site, at=now) if other != year],
        "beside": lists_beside(tree, chosen=category, most=LISTS_BESIDE),
        "covers": covers(site=site, slugs=[card["slug"] for card in cards]),
        "featured": featured_in(request, FeaturedCount.Kind.CATEGORY, category=category) if category else [],
        "marks": marks_of(request, cards),
    }
    return render(request, "directory/best.html", context)
