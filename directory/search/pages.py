import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from core.methods import require_safe
from directory import limits
from directory.categories.tree import category_in_tree, category_tree
from directory.data.categories import category_tree as shipped_categories
from directory.engagement import topic_mail
from directory.launches.pages.visiting import featured_in
from directory.listings.profile import covers
from directory.models import FeaturedCount, Listing, Site
from directory.reading import PER_PAGE, marks_of, page_number
from directory.search.cards import most_voted, page_summaries
from directory.search.narrowing import NONE, Narrowed, narrowed
from directory.search.query.finding import search_listings
from directory.search.query.vocabulary import respelt, typed_words
from directory.search.words import HYPHENS, hyphenated, words_of
from directory.shown.pages.sharing import share_of_category
from directory.sites.lookup import current_site

SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
TOKEN = re.compile(rf"([^\W_]+(?:[{HYPHENS}][^\W_]+)*)")
MARKS = re.compile(r"[*_`#>|]+")
STEM, READ, LISTED = 5, 5000, 160
FIELDS = ("keywords", "tags", "features", "short_description", "description")
Piece = tuple[str, bool]
SORTS = {
    "relevance": "Best match",
    "votes": "Most voted",
    "newest": "Newest",
    "trending": "Trending",
    "most_followed": "Most followed",
}
SUGGESTED, SUGGESTIONS_CACHED, POPULAR = 6, 60, 3
FACETS = {"category": "Category", "pricing_model": "Pricing", "country": "Country", "stage": "Stage"}
CHOICES, NEAREST, WORD, BEGINNING = 10, 6, 4, 6
STATUSES = {"live": "Live", "upcoming": "Upcoming"}


@require_safe
def categories(request: HttpRequest) -> HttpResponse:
    tree = category_tree(site=current_site(request), include_empty=True)
    return render(request, "directory/categories.html", {"tree": tree})


@require_safe
def category(request: HttpRequest, slug: str) -> HttpResponse:
    site = current_site(request)
    chosen_slug, tree = category_in_tree(site=site, slug=slug)
    sorts = {name: words for name, words in SORTS.items() if name != "relevance"}
    sort = request.GET.get("sort", "votes")
    sort = sort if sort in sorts else "votes"
    titles = {name: title for name, title in FACETS.items() if name != "category"}
    chosen = _chosen(request, titles)
    result = narrowed(
        site=site,
        q="",
        chosen=chosen,
        tree=tree,
        status="live",
        sort=sort,
        page=page_number(request),
        per_page=PER_PAGE,
        within=slug,
        about=chosen_slug["total_listings_count"],
    )
    context = {
        **_narrowed(request, result, chosen=chosen, titles=titles),
        "category": chosen_slug,
        "featured": featured_in(request, FeaturedCount.Kind.CATEGORY, category=slug)
        if result.page.page == 1
        else [],
        "share": share_of_category(chosen_slug, site=site),
        "sort": sort,
        "sorts": sorts.items(),
        "is_followed": topic_mail.is_followed(
            kind=topic_mail.CATEGORY, slug=slug, user_id=request.user.pk, site=site
        ),
    }
    return render(request, "directory/category.html", context)


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """`/search`: words, facets and an order, all in the address."""
    q = request.GET.get("q", "")[: limits.QUERY].replace("\0", "").strip()
    status, sort = request.GET.get("status", "live"), request.GET.get("sort", "relevance")
    chosen = _chosen(request, FACETS)
    site = current_site(request)
    tree = category_tree(site=site, include_empty=True)
    result = narrowed(
        site=site,
        q=q,
        chosen=chosen,
        tree=tree,
        status=status if status in STATUSES else "live",
        sort=sort if sort in SORTS else "relevance",
        page=page_number(request),
        per_page=PER_PAGE,
    )
    slugs = [card["slug"] for card in result.page.items]
    names = dict(_names(tree))
    popular = [] if result.page.items or chosen else most_voted(site=site, limit=POPULAR)
    context = {
        **_narrowed(request, result, chosen=chosen, titles=FACETS),
        "popular": popular,
        "marks": marks_of(request, popular or result.page.items),
        "q": q,
        "status": status if status in STATUSES else "live",
        "sort": sort if sort in SORTS else "relevance",
        "sorts": SORTS.items(),
        "corrected": result.corrected,
        "why": reasons(result.matches, site=site, slugs=slugs, words=result.corrected or q),
        "names": names,
        "nearest": [] if result.page.items else _nearest(q, tree=tree),
        "meant": "" if result.page.items or chosen or status == "upcoming" else _meant(q, site=site),
    }
    return render(request, "directory/search.html", context)


def _narrowed(
    request: HttpRequest, result: Narrowed, *, chosen: Mapping[str, Sequence[str]], titles: Mapping[str, str]
) -> dict[str, Any]:
    """The rows with their pictures, the facets beside them and what of these is applied."""
    slugs = [card["slug"] for card in result.page.items]
    return {
        "covers": covers(site=current_site(request), slugs=slugs),
        "page": result.page,
        "cards": result.page.items,
        "marks": marks_of(request, result.page.items),
        "facets": [
            (name, title, result.facets[name]) for name, title in titles.items() if result.facets[name]
        ],
        "applied": [(name, value) for name, values in chosen.items() for value in values],
        "without": [(titles[name], name, count) for name, count in result.without.items() if count],
    }


def _chosen(request: HttpRequest, names: Iterable[str]) -> dict[str, list[str]]:
    """What is ticked of each facet; a country in capitals, as codes are."""
    values_by_name = {}
    for name in names:
        values = [value[: limits.SLUG].replace("\0", "").strip() for value in request.GET.getlist(name)]
        values = [value.upper() if name == "country" and value != NONE else value for value in values]
        if remaining := [value for value in dict.fromkeys(values) if value][:CHOICES]:
            values_by_name[name] = remaining
    return values_by_name


def _names(tree: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    for node in tree:
        yield node["slug"], node["name"]
        yield from _names(node["children"])


@cache
def _beginnings() -> dict[str, frozenset[str]]:
    """How the words by which websites show that they belong to a category begin."""
    return {
        category.slug: frozenset(word[:BEGINNING] for term in category.terms for word in words_of(term))
        for category in shipped_categories()
    }


def _nearest(q: str, *, tree: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Categories whose names come near the words; then those to which the words belong."""
    flat, typed = dict(_names(tree)), [word for word in words_of(q) if len(word) >= WORD]
    words = {word for slug in flat for word in slug.split("-") if len(word) >= WORD}
    meant = {near for word in typed for near in get_close_matches(word, words, n=2, cutoff=0.7)}
    begun = {word[:BEGINNING] for word in typed if len(word) >= BEGINNING}
    fits = {
        slug: (len(meant.intersection(slug.split("-"))), len(begun & _beginnings().get(slug, frozenset())))
        for slug in flat
    }
    best = sorted(
        (slug for slug in flat if any(fits[slug])), key=lambda slug: (*(-n for n in fits[slug]), slug)
    )
    return [{"slug": slug, "name": flat[slug]} for slug in best[:NEAREST]]


def _meant(q: str, *, site: Site) -> str:
    """Another spelling of the words that finds something; empty when there is none."""
    text = respelt(typed_words(words_of(q)), site_id=site.pk) or ""
    return text if text and search_listings(site=site, q=text, page=1, per_page=1).page.total else ""


@require_safe
def suggestions(request: HttpRequest) -> HttpResponse:
    """`/search/suggestions`: a few products for what is being typed, as a part of a page; the same for everybody."""
    q = request.GET.get("q", "")[: limits.QUERY].replace("\0", "").strip()
    result = search_listings(site=current_site(request), q=q, page=1, per_page=SUGGESTED) if q else None
    context = {
        "q": q,
        "cards": page_summaries(result.page, besides={}) if result else [],
        "page": result and result.page,
    }
    response = render(request, "directory/parts/suggestions.html", context)
    response["Cache-Control"] = f"public, max-age={SUGGESTIONS_CACHED}"
    return response


@require_safe
def listings(request: HttpRequest) -> HttpResponse:
    """`/listings`: looking through everything is a search without words; words and filters go along."""
    params = request.GET.copy()
    params.setdefault("sort", "relevance" if params.get("q") else "newest")
    return HttpResponseRedirect(f"/search?{params.urlencode()}")


def reasons(
    matches: Mapping[str, Mapping[str, Any]], *, site: Site, slugs: Sequence[str], words: str
) -> dict[str, tuple[str, list[Piece]]]:
    """For each listing whose name and tagline do not show it: the field and its pieces, those that match marked."""
    stems = {word[:STEM] for word in words_of(words) if len(word) > 1}
    unclear = [
        slug
        for slug in slugs
        if stems and not {"name", "tagline"}.intersection(matches.get(slug, {}).get("fields", ("name",)))
    ]
    rows = Listing.objects.filter(site=site, slug__in=unclear).values("slug", *FIELDS)
    result = {row["slug"]: _reason(row, stems) for row in rows}
    return {slug: reason for slug, reason in result.items() if reason}


def _reason(row: Mapping[str, Any], stems: Collection[str]) -> tuple[str, list[Piece]] | None:
    for field in FIELDS:
        value = row[field]
        texts = value if isinstance(value, list) else SENTENCE.split(MARKS.sub("", value[:READ]))
        for text in texts:
            if any(_is_match(token, stems) for token in TOKEN.findall(text)):
                return field, _pieces(text.strip(), stems)
    return None


def _is_match(token: str, stems: Collection[str]) -> bool:
    return any(word[:STEM] in stems for word in (*words_of(token), *hyphenated(token)))


def _pieces(text: str, stems: Collection[str]) -> list[Piece]:
    pieces = [(part, _is_match(part, stems)) for part in TOKEN.split(text) if part]
    first = next(number for number, (_, is_match) in enumerate(pieces) if is_match)
    start = max(0, first - 16) if len(text) > LISTED else 0
    cut = pieces[start : start + 40]
    return [*([("… ", False)] if start else []), *cut, *([(" …", False)] if start + 40 < len(pieces) else [])]
