"""The rows that lists and search read: in step with their listings, counted, checked, rebuilt."""

from importlib import import_module
from io import StringIO

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection

from core import jobs
from core.models import Job
from directory.models import (
    CategoryCount,
    Listing,
    ListingCategory,
    ListingStats,
    SearchDocument,
    SearchTerm,
    Site,
    SiteCount,
)
from directory.search import public_data, tiers
from directory.search.lexemes import LAST_TIER, recount_terms
from directory.search.query.finding import search_listings
from directory.search.rebuilding import drift, recount_listings
from directory.search.tiers import refresh_tiers
from tests.factories.listings import make_category, make_listing

pytestmark = pytest.mark.django_db


def counts(site: Site) -> dict[str, tuple[int, int]]:
    """Own and total counts by category; empty ones left out."""
    rows = CategoryCount.objects.filter(site=site, total_listings__gt=0)
    return {
        slug: (own, total)
        for slug, own, total in rows.values_list("category__slug", "listings", "total_listings")
    }


def change(listing: Listing, **fields: object) -> None:
    """Edit behind the services' back, then refresh as they do."""
    Listing.objects.filter(pk=listing.pk).update(**fields)
    public_data.refresh(listing_ids=[listing.pk])


def document(listing: Listing) -> tuple[str, str]:
    """Where a search row lies and what it holds, to tell whether it was written again."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT ctid::text, words::text FROM directory_searchdocument WHERE listing_id = %s", [listing.pk]
        )
        found: tuple[str, str] = cursor.fetchone()
    return found


@pytest.fixture
def tree(site: Site) -> Site:
    """A root with two children, and another root."""
    finance = make_category("finance")
    make_category("invoicing", parent=finance)
    make_category("payroll", parent=finance)
    make_category("notes")
    return site


def test_each_listing_counts_once_in_a_category_and_in_what_lies_above(tree: Site) -> None:
    make_listing("one", categories=("invoicing", "payroll"))
    make_listing("two", categories=("finance",))
    make_listing("three", categories=("notes", "invoicing"))
    make_listing("later", status="scheduled", categories=("notes",))
    make_listing("draft", status="draft", categories=("notes",))

    assert counts(tree) == {"finance": (1, 3), "invoicing": (2, 2), "payroll": (1, 1), "notes": (1, 1)}
    assert SiteCount.objects.filter(site=tree).values_list("live", "upcoming").get() == (3, 1)


def test_counts_follow_every_move(tree: Site) -> None:
    listing = make_listing("one", categories=("invoicing",))
    change(listing, status="archived")
    assert counts(tree) == {}
    assert not SearchDocument.objects.exists()

    change(listing, status="live")
    assert counts(tree) == {"finance": (0, 1), "invoicing": (1, 1)}

    ListingCategory.objects.filter(listing=listing).update(category=make_category("notes"))
    public_data.refresh(listing_ids=[listing.pk])
    public_data.refresh(listing_ids=[listing.pk])
    assert counts(tree) == {"notes": (1, 1)}
    assert SiteCount.objects.filter(site=tree).values_list("live", "upcoming").get() == (1, 0)


def test_a_category_that_moves_takes_its_listings_along(tree: Site) -> None:
    make_listing("one", categories=("invoicing",))
    category = make_category("invoicing")
    category.parent = make_category("notes")
    category.save()
    public_data.refresh_category(category_id=category.pk)

    assert counts(tree) == {"notes": (0, 1), "invoicing": (1, 1)}
    assert search_listings(site=tree, category="notes", page=1, per_page=20).page.total == 1


def test_votes_never_touch_the_search_row(tree: Site) -> None:
    listing = make_listing("one")
    before = document(listing)
    ListingStats.objects.filter(pk=listing.pk).update(votes=40)
    public_data.refresh(listing_ids=[listing.pk])

    assert document(listing) == before


def test_an_edit_is_found_at_once_and_the_old_text_no_longer(tree: Site) -> None:
    listing = make_listing("one", tagline="Spreadsheets for bakers")
    change(listing, tagline="Calendars for butchers")

    assert search_listings(site=tree, q="butchers", page=1, per_page=20).page.items == [listing.pk]
    assert search_listings(site=tree, q="bakers", page=1, per_page=20).page.items == []
    assert search_listings(site=tree, q="butchrs", page=1, per_page=20).corrected_query == "butchers"


def test_going_live_moves_the_row_to_the_other_status(tree: Site) -> None:
    listing = make_listing("one", status="scheduled", tagline="Calendars")
    change(listing, status="live", launched_at=listing.created_at)

    asked = {"q": "calendars", "page": 1, "per_page": 20}
    assert search_listings(site=tree, **asked).page.items == [listing.pk]
    assert search_listings(site=tree, status="upcoming", **asked).page.items == []


def test_recounting_terms_counts_and_forgets(tree: Site) -> None:
    listing = make_listing("one", tagline="Calendars", description="almanac almanac")
    make_listing("two", tagline="Calendars")
    change(listing, description="")
    recount_terms(site_id=tree.pk)

    terms = dict(SearchTerm.objects.filter(site=tree).values_list("term", "documents"))
    assert terms["calendars"] == 2
    assert terms["~calendar"] == 2
    assert terms[f"#c{make_category('invoicing').pk}"] == 2
    assert "almanac" not in terms
    named = SearchTerm.objects.filter(site=tree, in_names=True).values_list("term", flat=True)
    assert sorted(named) == ["one", "two"]


def test_words_of_descriptions_are_corrected_to_once_three_listings_have_them(tree: Site) -> None:
    for number in range(3):
        make_listing(f"listing-{number}", tagline="Thing", description="Works with almanacs")
    assert search_listings(site=tree, q="almancs", page=1, per_page=20).page.total == 0
    recount_terms(site_id=tree.pk)

    assert search_listings(site=tree, q="almancs", page=1, per_page=20).page.total == 3


def test_tiers_follow_votes_once_a_site_is_large_enough(tree: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "UP_TO", (1, 5, 30))
    listings = [make_listing(f"listing-{number}") for number in range(50)]
    ListingStats.objects.filter(pk=listings[7].pk).update(votes=90)
    ListingStats.objects.filter(pk__in=[one.pk for one in listings[20:24]]).update(votes=30)
    refresh_tiers(site_id=tree.pk)

    found = dict(SearchDocument.objects.values_list("listing__slug", "tier"))
    assert {slug for slug, tier in found.items() if tier == 0} == {"listing-7"}
    assert {slug for slug, tier in found.items() if tier == 1} == {f"listing-{n}" for n in range(20, 24)}
    assert set(found.values()) == {0, 1, LAST_TIER}
    assert f"'{tree.pk}l0:listing'" in document(listings[7])[1]

    before = document(listings[3])
    ListingStats.objects.filter(pk=listings[7].pk).update(votes=0)
    refresh_tiers(site_id=tree.pk)
    assert SearchDocument.objects.get(pk=listings[7].pk).tier == LAST_TIER
    assert f"'{tree.pk}l0:" not in document(listings[7])[1]
    assert document(listings[3])[1] == before[1]
    assert drift(sample=100).is_none


@pytest.fixture
def drifted(tree: Site) -> Site:
    """Four listings, of which three were changed without a refresh."""
    make_listing("right")
    for slug, fields in (
        ("renamed", {"name": "Another name"}),
        ("withdrawn", {"status": "suspended"}),
        ("reawarded", {"awards": [{"code": "launch_of_the_week_1", "week": "2026-11-09"}]}),
    ):
        Listing.objects.filter(pk=make_listing(slug).pk).update(**fields)
    return tree


def test_drift_is_found_and_named(drifted: Site) -> None:
    found = drift(sample=100)

    assert found.looked_at == 4
    assert found.cards == ["reawarded", "renamed", "withdrawn"]
    assert found.documents == ["renamed", "withdrawn"]
    with pytest.raises(CommandError, match="renamed, withdrawn"):
        call_command("check_search", stdout=StringIO())


def test_rebuilding_puts_everything_in_step(drifted: Site) -> None:
    call_command("rebuild_search", stdout=StringIO())
    out = StringIO()
    call_command("check_search", stdout=out)

    assert out.getvalue() == "4 listings looked at, all in step.\n"
    assert counts(drifted) == {"finance": (0, 3), "invoicing": (3, 3)}
    assert SearchDocument.objects.count() == 3


def test_an_upgrade_has_a_worker_bring_the_rows_in_line(drifted: Site) -> None:
    migration = import_module("directory.migrations.0025_join_words_in_search")
    migration.add_job(apps, None)
    migration.add_job(apps, None)
    jobs.run_due()

    assert Job.objects.get(kind="directory.rebuild_search").state == Job.State.DONE
    assert drift(sample=100).is_none


def test_wrong_counts_are_put_right(tree: Site) -> None:
    make_listing("one")
    CategoryCount.objects.filter(site=tree).update(listings=9)
    SiteCount.objects.filter(site=tree).update(live=9)

    assert recount_listings() == 3
    assert recount_listings() == 0
    assert counts(tree) == {"finance": (0, 1), "invoicing": (1, 1)}


def test_a_site_without_listings_is_counted_too_and_none_is_wrong_for_want_of_a_row(tree: Site) -> None:
    SiteCount.objects.update_or_create(site=tree, defaults={"live": 9})
    assert (recount_listings(), recount_listings()) == (1, 0)
    assert SiteCount.objects.get(site=tree).live == 0

    make_listing("draft", status="draft")
    SiteCount.objects.all().delete()
    assert recount_listings() == 0
