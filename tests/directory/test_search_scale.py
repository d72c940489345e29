"""Queries that find thousands: tiers, totals that are estimates, other orders, deep pages."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.db import connection, transaction
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker

from benchmarks.listings.data.demo import demo_listings, handmade_count
from benchmarks.listings.loading import Loader
from config.demo.people import ensure_sites
from core.api.pagination import Page
from directory.models import Listing, ListingStats, Site
from directory.search.lexemes import recount_terms
from directory.search.query.browsing import browse_ids
from directory.search.query.finding import search_listings
from directory.search.tiers import refresh_tiers
from directory.sites.catalogue import load_categories
from tests.factories.listings import make_listing

LISTINGS = 11_000
# words that a third of the listings have, and always together
TOGETHER = "Zebra giraffe okapi quagga"
# and these a thousand
PAIR = "Quincunx lattices"


@pytest.fixture(scope="module")
def large(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Site]:
    """A site with more listings than totals are exact for."""
    with django_db_blocker.unblock(), transaction.atomic():
        at = timezone.now()
        load_categories()
        sites = ensure_sites(at=at)
        loader = Loader(sites=sites, at=at)
        demos = list(demo_listings(count=handmade_count() + LISTINGS))[handmade_count() :]
        demos[::3] = [replace(one, description=f"{one.description} {TOGETHER}") for one in demos[::3]]
        demos[1:3_000:3] = [replace(one, description=f"{one.description} {PAIR}") for one in demos[1:3_000:3]]
        loader.add_more(demos, told=lambda _: None)
        loader.finish()
        refresh_tiers(site_id=sites["main"].pk)
        recount_terms(site_id=sites["main"].pk)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # as a database does by itself, but never for what is not committed
        yield sites["main"]
        transaction.set_rollback(True)


@pytest.mark.django_db
def test_total_is_an_estimate_beyond_the_exact_range(large: Site) -> None:
    page = search_listings(site=large, page=1, per_page=20).page

    assert (page.total, page.total_is_estimate, page.total_pages) == (10_000, True, 500)


@pytest.mark.django_db
@pytest.mark.parametrize("sort", ["votes", "newest", "trending", "most_viewed", "most_followed"])
def test_deep_pages_neither_repeat_nor_skip(large: Site, sort: str) -> None:
    pages = [browse_ids(site=large, sort=sort, page=page, per_page=100).items for page in range(1, 112)]
    seen = [pk for items in pages for pk in items]

    live = ListingStats.objects.filter(site=large, is_live=True).count()
    assert (len(seen), len(set(seen))) == (live, live)


def walked(site: Site, *, q: str, sort: str) -> list[Page]:
    """All pages, each as the one before leads to it."""
    pages: list[Page] = []
    while not pages or pages[-1].page < pages[-1].total_pages:
        pages.append(search_listings(site=site, q=q, sort=sort, page=len(pages) + 1, per_page=100).page)
    return pages


@pytest.mark.django_db
@pytest.mark.parametrize("sort", ["relevance", "votes", "newest"])
def test_pages_of_a_word_that_thousands_have_neither_repeat_nor_skip(large: Site, sort: str) -> None:
    pages = walked(large, q="without", sort=sort)
    seen = [pk for page in pages for pk in page.items]

    assert len(seen) > 3000
    assert len(seen) == len(set(seen)) == pages[-1].total


@pytest.mark.django_db
@pytest.mark.parametrize("q", ["zebra giraffe", TOGETHER])
@pytest.mark.parametrize("sort", ["relevance", "newest"])
def test_words_that_go_together_are_all_shown(large: Site, q: str, sort: str) -> None:
    seen = [pk for page in walked(large, q=q, sort=sort) for pk in page.items]

    assert 3000 < len(seen) <= 3700
    assert len(seen) == len(set(seen))
    assert set(seen) == having_all(large)


@pytest.mark.django_db
@pytest.mark.parametrize("q", ["zebra giraffe", TOGETHER])
def test_thousands_of_hits_are_estimated_until_a_page_is_far_behind(large: Site, q: str) -> None:
    first, last, far = (
        search_listings(site=large, q=q, page=page, per_page=100).page for page in (1, 10, 11)
    )

    assert first.total_is_estimate
    assert first.total == last.total == pytest.approx(far.total, rel=0.25)
    assert far.total == len(having_all(large))


@pytest.mark.django_db
def test_nearly_a_thousand_hits_are_counted(large: Site) -> None:
    page = search_listings(site=large, q=PAIR.lower(), page=1, per_page=20).page

    assert 900 < page.total < 1_000
    assert (page.total, page.total_is_estimate) == (len(having_all(large, words=PAIR)), False)


def having_all(site: Site, *, words: str = TOGETHER) -> set[int]:
    rows = Listing.objects.live().filter(site=site, description__endswith=words)
    return set(rows.values_list("pk", flat=True))


@pytest.mark.django_db
def test_what_most_people_voted_for_comes_first_among_thousands(large: Site) -> None:
    items = search_listings(site=large, q="without", page=1, per_page=20).page.items
    votes = dict(ListingStats.objects.filter(pk__in=items).values_list("pk", "votes"))
    every = sorted(
        ListingStats.objects.filter(site=large, is_live=True).values_list("votes", flat=True), reverse=True
    )

    assert min(votes.values()) >= every[3999]


@pytest.mark.django_db
def test_an_exact_name_comes_first_among_thousands(large: Site) -> None:
    named = make_listing("without", name="Without", tagline="Nothing else")

    assert search_listings(site=large, q="without", page=1, per_page=5).page.items[0] == named.pk


@pytest.mark.django_db
def test_walking_an_order_and_gathering_hits_give_the_same_page(large: Site) -> None:
    wide = search_listings(site=large, country="US", sort="votes", page=1, per_page=50).page
    narrow = search_listings(
        site=large, country="US", stage="growing", sort="votes", page=1, per_page=50
    ).page
    ordered = ListingStats.objects.filter(site=large, is_live=True, listing__country="US").order_by(
        "-votes", "listing_id"
    )

    assert list(wide.items) == list(ordered.values_list("pk", flat=True)[:50])
    assert list(narrow.items) == list(
        ordered.filter(listing__stage="growing").values_list("pk", flat=True)[:50]
    )
    assert (wide.total, narrow.total) == (
        ordered.count(),
        ordered.filter(listing__stage="growing").count(),
    )
