"""Finding listings: categories, search, comparison."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_safe

from directory import limits
from directory.pages.sharing import share_of_category
from directory.reading import PER_PAGE, marks_of, page_number
from directory.search import search_listings
from directory.search.cards import page_summaries
from directory.selectors.categories import category_tree, get_category
from directory.selectors.sites import current_site

SORTS = {
    "relevance": "Best match",
    "votes": "Most voted",
    "newest": "Newest",
    "trending": "Trending",
    "most_followed": "Most followed",
}
SUGGESTED, SUGGESTIONS_KEPT = 6, 60
STATUSES = {"live": "Live", "upcoming": "Upcoming"}
PRICING = (
    "free",
    "freemium",
    "free_trial",
    "subscription",
    "one_time",
    "paid",
    "usage",
    "commission",
    "open_source",
    "contact_sales",
)


@require_safe
def categories(request: HttpRequest) -> HttpResponse:
    """`/categories`."""
    tree = category_tree(site=current_site(request), include_empty=True)
    return render(request, "directory/categories.html", {"tree": tree})


@require_safe
def category(request: HttpRequest, slug: str) -> HttpResponse:
    """`/categories/<slug>`."""
    site = current_site(request)
    found, page = get_category(site=site, slug=slug, page=page_number(request), per_page=PER_PAGE)
    context = {
        "category": found,
        "share": share_of_category(found, site=site),
        "page": page,
        "marks": marks_of(request, page.items),
    }
    return render(request, "directory/category.html", context)


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """`/search`: words, filters and an order, all in the address."""
    asked = {
        "q": request.GET.get("q", "")[: limits.QUERY].replace("\0", "").strip(),
        "category": request.GET.get("category", "")[: limits.SLUG],
        "country": request.GET.get("country", "")[: limits.COUNTRY].upper(),
        "pricing_model": request.GET.get("pricing_model", "")[: limits.PRICING_MODEL_FILTER],
        "status": request.GET.get("status", "live"),
        "sort": request.GET.get("sort", "relevance"),
    }
    asked["status"] = asked["status"] if asked["status"] in STATUSES else "live"
    asked["sort"] = asked["sort"] if asked["sort"] in SORTS else "relevance"
    wanted: dict[str, Any] = {
        name: value.replace("\0", "") or None for name, value in asked.items() if name != "q"
    }
    site = current_site(request)
    found = search_listings(site=site, q=asked["q"], page=page_number(request), per_page=PER_PAGE, **wanted)
    cards = page_summaries(found.page, besides={})
    context = {
        "asked": asked,
        "page": found.page,
        "cards": cards,
        "corrected": found.corrected_query,
        "marks": marks_of(request, cards),
        "sorts": SORTS.items(),
        "pricing": PRICING,
        "tree": category_tree(site=site, include_empty=False),
        "applied": [
            (name, value)
            for name, value in asked.items()
            if value and name in {"category", "country", "pricing_model"}
        ],
    }
    return render(request, "directory/search.html", context)


@require_safe
def suggestions(request: HttpRequest) -> HttpResponse:
    """`/search/suggestions`: a few products for what is being typed, as a part of a page; the same for everybody."""
    q = request.GET.get("q", "")[: limits.QUERY].replace("\0", "").strip()
    found = search_listings(site=current_site(request), q=q, page=1, per_page=SUGGESTED) if q else None
    context = {
        "q": q,
        "cards": page_summaries(found.page, besides={}) if found else [],
        "page": found and found.page,
    }
    response = render(request, "directory/parts/suggestions.html", context)
    response["Cache-Control"] = f"public, max-age={SUGGESTIONS_KEPT}"
    return response


@require_safe
def listings(request: HttpRequest) -> HttpResponse:
    """`/listings`: looking through everything is a search without words; words and filters go along."""
    wanted = request.GET.copy()
    wanted.setdefault("sort", "relevance" if wanted.get("q") else "newest")
    return HttpResponseRedirect(f"/search?{wanted.urlencode()}")
