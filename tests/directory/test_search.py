"""Search by words and filters, on listings of a few words each."""

import pytest
from django.contrib.sites.models import Site as DjangoSite
from django.db import connection
from django.test.utils import CaptureQueriesContext

from directory.models import Listing, ListingStats, Site
from directory.search.query.browsing import browse_ids
from directory.search.query.finding import SearchResult, search_listings
from directory.search.tiers import refresh_tiers
from tests.factories.listings import AT, make_category, make_listing

pytestmark = pytest.mark.django_db


def found(site: Site, **asked: object) -> list[str]:
    """The slugs of the first page."""
    return slugs(search_listings(site=site, **{"page": 1, "per_page": 20, **asked}))


def slugs(result: SearchResult) -> list[str]:
    known = dict(Listing.objects.values_list("pk", "slug"))
    return [known[pk] for pk in result.page.items]


@pytest.fixture
def directory(site: Site) -> Site:
    """Five live listings, an upcoming one, and one that nobody may see."""
    finance = make_category("finance")
    make_category("invoicing", parent=finance)
    make_listing(
        "tidewell",
        tagline="Invoices for small studios",
        description="Track the hours of a project and **bill** them.",
        keywords=["freelancers", "payments"],
        country="PT",
        stage="Growing",
        pricing_model="Free trial",
        votes=3,
    )
    make_listing(
        "ledgerlamp", tagline="Bookkeeping without fear", categories=("finance",), votes=9, country="DE"
    )
    make_listing(
        "note-house", name="Note House", tagline="Notes that stay yours", categories=("notes",), votes=5
    )
    make_listing(
        "cafe-manager", name="Café Manager", tagline="Run a small bar", categories=("notes",), votes=1
    )
    make_listing(
        "sternwarte", name="Sternwarte", tagline="Telescopes for schools", categories=("notes",), votes=7
    )
    make_listing("comingup", status="scheduled", tagline="Invoices soon", categories=("notes",))
    make_listing("hidden", status="suspended", tagline="Invoices hidden", categories=("notes",))
    return site


@pytest.mark.parametrize(
    ("q", "expected", "fields"),
    [
        ("tidewell", "tidewell", ["name"]),
        ("TIDEWELL", "tidewell", ["name"]),
        ("  tidewell  ", "tidewell", ["name"]),
        ("ｔｉｄｅｗｅｌｌ", "tidewell", ["name"]),
        ("tide", "tidewell", ["name"]),
        ("freelancers", "tidewell", ["keywords"]),
        ("hours", "tidewell", ["description"]),
        ("small studios", "tidewell", ["tagline"]),
        ("invoicing", "tidewell", ["tagline"]),
        ("tracking", "tidewell", ["description"]),
        ("cafe", "cafe-manager", ["name"]),
        ("CAFÉ manager", "cafe-manager", ["name"]),
        ("notehouse", "note-house", ["name"]),
        ("the telescope", "sternwarte", ["tagline"]),
    ],
)
def test_finds_words_in_every_field(directory: Site, q: str, expected: str, fields: list[str]) -> None:
    result = search_listings(site=directory, q=q, page=1, per_page=20)

    assert slugs(result)[0] == expected
    assert result.match[result.page.items[0]]["fields"] == fields
    assert result.corrected_query is None


@pytest.mark.parametrize(
    ("q", "expected", "corrected"),
    [
        ("tidwell", "tidewell", "tidewell"),
        ("tidewello", "tidewell", "tidewell"),
        ("tdiewell", "tidewell", "tidewell"),
        ("tidevell", "tidewell", "tidewell"),
        ("tidevel", "tidewell", "tidewell"),
        ("tidevol", "tidewell", None),
        ("ledgrelmap", "ledgerlamp", "ledgerlamp"),
        ("ledgerlmp bookeeping", "ledgerlamp", "ledgerlamp bookkeeping"),
        ("small stduios", "tidewell", "small studios"),
        ("Sternwrate", "sternwarte", "sternwarte"),
        ("freelancrs", "tidewell", "freelancers"),
    ],
)
def test_forgives_misspellings_and_says_what_it_looked_for(
    directory: Site, q: str, expected: str, corrected: str | None
) -> None:
    result = search_listings(site=directory, q=q, page=1, per_page=20)

    if corrected is None:
        assert slugs(result) == []
        return
    assert slugs(result)[0] == expected
    assert result.corrected_query == corrected
    assert result.match[result.page.items[0]]["corrected_query"] == corrected


@pytest.fixture
def spelt_in_many_ways(site: Site) -> Site:
    """What some join, others part and others hyphenate."""
    make_listing("wilt", tagline="A to\u2011do list that lets old tasks wilt")
    make_listing("day", tagline="What to do today")
    make_listing(
        "leavers", name="Leavers List", tagline="Who left, and what there is to do for them", votes=90
    )
    make_listing("crew", description="A time sheet for every crew. Follow-ups included.")
    make_listing("hello", tagline="E-mail as a team")
    make_listing("postbox", tagline="Email for clubs", votes=3)
    return site


@pytest.mark.parametrize(
    ("q", "expected", "corrected"),
    [
        ("todo", {"wilt", "day", "leavers"}, None),
        ("to-do", {"wilt", "day", "leavers"}, None),
        ("to do", {"wilt", "day", "leavers"}, None),
        ("to do list", {"wilt", "leavers"}, None),
        ("todo tasks", {"wilt"}, None),
        ("timesheets", {"crew"}, "time sheets"),
        ("followup", {"crew"}, None),
        ("email", {"hello", "postbox"}, None),
        ("e-mail", {"hello", "postbox"}, None),
        ("e mail clubs", {"postbox"}, None),
    ],
)
def test_joined_and_parted_words_find_each_other(
    spelt_in_many_ways: Site, q: str, expected: set[str], corrected: str | None
) -> None:
    result = search_listings(site=spelt_in_many_ways, q=q, page=1, per_page=20)

    assert (set(slugs(result)), result.corrected_query) == (expected, corrected)


@pytest.mark.parametrize("q", ["", "   ", "!!", "…&|'", "\\"])
def test_without_words_it_is_browsing_by_votes(directory: Site, q: str) -> None:
    result = search_listings(site=directory, q=q, page=1, per_page=20)

    assert slugs(result) == ["ledgerlamp", "sternwarte", "note-house", "tidewell", "cafe-manager"]
    assert (result.page.total, result.match) == (5, {})


@pytest.mark.parametrize(
    "q",
    [
        "tidewell' | '1l:ledgerlamp",
        "tidewell & !ledgerlamp",
        "tidewell:*",
        "#c1",
        "1l#t0",
        "tidewell'); drop table directory_listing;--",
        "tidewell \x00",
        "%s %(q)s {0}",
        "a" * 200,
        "ﷺ" * 20,
        "\U0001f680 rocket",
    ],
)
def test_typed_text_never_reaches_the_query_language(directory: Site, q: str) -> None:
    result = search_listings(site=directory, q=q, page=1, per_page=20)

    assert set(slugs(result)) <= {"tidewell", "ledgerlamp"}
    assert result.page.total <= 2
    assert Listing.objects.count() == 7


def test_an_exact_name_comes_first_whatever_its_votes(site: Site) -> None:
    make_listing("well-known", name="Ledger Pro", tagline="Ledger ledger ledger", votes=900)
    make_listing("exact", name="Ledger", tagline="Something else")

    assert found(site, q="ledger") == ["exact", "well-known"]


def test_name_weighs_more_than_tagline_and_tagline_more_than_keywords_and_description(site: Site) -> None:
    texts = {"tagline": "Something", "description": "Something"}
    make_listing("in-description", name="Aaa", **{**texts, "description": "A heron"}, votes=9)
    make_listing("in-keywords", name="Bbb", **texts, keywords=["heron"], votes=6)
    make_listing("in-tagline", name="Ccc", **{**texts, "tagline": "A heron"}, votes=3)
    make_listing("in-name", name="Great Heron", **texts)

    assert found(site, q="heron") == ["in-name", "in-tagline", "in-keywords", "in-description"]


def test_votes_decide_between_equal_texts_and_the_id_between_equal_votes(site: Site) -> None:
    for slug, votes in (("one", 0), ("two", 50), ("three", 0)):
        make_listing(slug, name="Heron", tagline="Same", votes=votes)
    refresh_tiers(site_id=site.pk)

    assert found(site, q="heron") == ["two", "one", "three"]


def test_every_word_is_needed_unless_nothing_has_all_of_them(directory: Site) -> None:
    assert found(directory, q="telescopes notes") == ["sternwarte"]
    assert found(directory, q="notes stay telescopes") == ["note-house"]
    make_listing("quiet-notes", tagline="Notes that stay under telescopes")
    assert found(directory, q="notes stay telescopes") == ["quiet-notes"]
    assert found(directory, q="small bar") == ["cafe-manager"]
    assert found(directory, q="bookkeeping zzyzzx") == ["ledgerlamp"]
    assert found(directory, q="zzyzzx qqwwrr") == []


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"category": "finance"}, ["ledgerlamp", "tidewell"]),
        ({"category": "invoicing"}, ["tidewell"]),
        ({"category": "unknown"}, []),
        ({"country": "pt"}, ["tidewell"]),
        ({"country": "FR"}, []),
        ({"stage": "growing"}, ["tidewell"]),
        ({"pricing_model": "free trial"}, ["tidewell"]),
        ({"pricing_model": "Free-Trial"}, ["tidewell"]),
        ({"domain": "tidewell.example"}, ["tidewell"]),
        ({"domain": "https://www.tidewell.example/"}, ["tidewell"]),
        ({"domain": "unknown.example"}, []),
        ({"status": "upcoming"}, ["comingup"]),
        ({"category": "finance", "country": "DE"}, ["ledgerlamp"]),
        ({"category": "finance", "country": "DE", "stage": "growing"}, []),
        ({"q": "invoices", "category": "finance"}, ["tidewell"]),
        ({"q": "invoices", "category": "notes"}, []),
        ({"q": "invoices", "category": "unknown"}, []),
        ({"q": "invoices", "status": "upcoming"}, ["comingup"]),
        ({"q": "invoices", "country": "PT", "stage": "growing", "domain": "tidewell.example"}, ["tidewell"]),
        ({"q": "tide", "country": "DE"}, []),
    ],
)
def test_filters_narrow_with_and_without_words(
    directory: Site, filters: dict[str, str], expected: list[str]
) -> None:
    result = search_listings(site=directory, **filters, page=1, per_page=20)

    assert (slugs(result), result.page.total) == (expected, len(expected))


def test_a_host_below_the_domain_finds_the_listing_and_its_neighbours(site: Site) -> None:
    make_listing("site", url="https://tidewell.example/", domain="tidewell.example", host="tidewell.example")
    make_listing(
        "app", url="https://app.tidewell.example/", domain="tidewell.example", host="app.tidewell.example"
    )
    make_listing("odd", url="https://x.odd.example/", domain="x.odd.example", host="x.odd.example")

    assert sorted(found(site, domain="app.tidewell.example")) == ["app", "site"]
    assert found(site, domain="x.odd.example") == ["odd"]


@pytest.mark.parametrize("asked", [{}, {"category": "notes"}, {"q": "note"}])
@pytest.mark.parametrize(
    ("sort", "column"),
    [("votes", "votes"), ("trending", "hot"), ("most_viewed", "views"), ("most_followed", "followers")],
)
def test_sorts_by_the_counters_as_they_are_now(
    site: Site, sort: str, column: str, asked: dict[str, str]
) -> None:
    for slug in ("one", "two", "three"):
        make_listing(slug, tagline="A note", categories=("notes",))
    ListingStats.objects.filter(listing__slug="two").update(**{column: 5})

    assert found(site, sort=sort, **asked) == ["two", "one", "three"]


@pytest.mark.parametrize("asked", [{}, {"category": "notes"}, {"q": "note"}])
def test_newest_is_the_latest_launch(site: Site, asked: dict[str, str]) -> None:
    for day, slug in ((18, "middle"), (19, "newest"), (17, "oldest")):
        make_listing(slug, tagline="A note", categories=("notes",), at=AT.replace(day=day))

    assert found(site, sort="newest", **asked) == ["newest", "middle", "oldest"]


def test_pages_neither_repeat_nor_skip_and_end(site: Site) -> None:
    for number in range(7):
        make_listing(f"listing-{number}", tagline="A note", categories=("notes",))
    for asked in ({}, {"q": "note"}, {"category": "notes"}, {"q": "note", "sort": "newest"}):
        pages = [search_listings(site=site, **asked, page=page, per_page=3) for page in (1, 2, 3, 4)]
        seen = [pk for result in pages for pk in result.page.items]
        assert [len(result.page.items) for result in pages] == [3, 3, 1, 0]
        assert len(set(seen)) == 7
        assert {result.page.total for result in pages} == {7}


def test_sites_do_not_see_each_other(directory: Site) -> None:
    other = Site.objects.create(
        django_site=DjangoSite.objects.create(domain="other.example"),
        key="other",
        name="Other",
        purpose="Other",
    )
    make_listing("elsewhere", site=other, tagline="Invoices elsewhere", categories=("invoicing",))

    assert found(other, q="invoices") == ["elsewhere"]
    assert found(other, category="finance") == ["elsewhere"]
    assert found(other) == ["elsewhere"]
    assert found(directory, q="elsewhere") == []
    assert found(other, q="tidewel") == []


@pytest.mark.parametrize(
    ("asked", "most"),
    [
        ({}, 1),
        ({"sort": "newest"}, 1),
        ({"category": "finance"}, 2),
        ({"country": "PT", "stage": "growing"}, 1),
        ({"q": "tidewell"}, 2),
        ({"q": "tidwell"}, 3),
        ({"q": "invoice", "category": "finance", "sort": "votes"}, 4),
        ({"q": "ledgerlmp bookeeping zzyzzx qwertz", "category": "finance"}, 4),
        ({"q": "zzyzzx"}, 5),
        ({"q": "stern"}, 3),
        ({"q": "studios"}, 3),
    ],
)
def test_search_takes_few_queries(directory: Site, asked: dict[str, str], most: int) -> None:
    with CaptureQueriesContext(connection) as queries:
        search_listings(site=directory, **asked, page=1, per_page=100)
    assert len(queries) <= most


def test_browsing_by_category_and_by_launch_week(directory: Site) -> None:
    finance = make_category("finance")
    page = browse_ids(site=directory, sort="votes", category_id=finance.pk, page=1, per_page=1)
    soon = browse_ids(site=directory, sort="soonest", status="upcoming", page=1, per_page=20)
    known = dict(Listing.objects.values_list("pk", "slug"))

    assert ([known[pk] for pk in page.items], page.total) == (["ledgerlamp"], 2)
    assert [known[pk] for pk in soon.items] == ["comingup"]
