"""The best reviewed products, of everything or of one category."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from directory import limits
from directory.categories.tree import category_in_tree
from directory.listings.profile import covers
from directory.reading import marks_of
from directory.reviews.selectors import best_reviewed
from directory.sites.lookup import current_site


@require_safe
def reviewed(request: HttpRequest, category: str = "") -> HttpResponse:
    """`/best/reviewed` and `/best/reviewed/<category>`: the first twenty by the average of their reviews."""
    site = current_site(request)
    chosen = category_in_tree(site=site, slug=category)[0] if category else None
    cards = best_reviewed(site=site, category=chosen)
    context = {
        "cards": cards,
        "category": chosen,
        "fewest": limits.REVIEWS_FOR_BEST,
        "covers": covers(site=site, slugs=[card["slug"] for card in cards]),
        "marks": marks_of(request, cards),
    }
    return render(request, "directory/best_reviewed.html", context)
