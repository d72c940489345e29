"""The demo data: a directory that looks alive, loaded once, the same at the second run."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.models import Count, Exists, F, OuterRef, Q
from django.test import Client
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker

from accounts.models import User
from config.demo.content import read
from directory import weeks
from directory.listings.profile import covers
from directory.models import (
    BlogPost,
    Category,
    CategoryCount,
    Founder,
    InterviewQuestion,
    Launch,
    LaunchHour,
    Listing,
    ListingStats,
    ListingUpdate,
    Milestone,
    Question,
    Review,
    Site,
    SiteCount,
    Vote,
)
from directory.reviews.limits import AVERAGE_FROM
from directory.reviews.rating import Rating
from directory.search.query.finding import search_listings
from directory.search.rebuilding import drift
from leaderboards.models import Award, Programme
from tests.conftest import Api
from tests.contract.interface import PUBLIC
from tests.contract.test_examples import EXAMPLES, Example

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def loaded(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Demo data for all tests of this module."""
    with django_db_blocker.unblock(), transaction.atomic():
        call_command("load_demo", stdout=StringIO())
        yield
        transaction.set_rollback(True)


def everything() -> dict[str, object]:
    """How many rows each table of ours has, and what the listings are."""
    tables = [
        name for name in connection.introspection.table_names() if name.startswith(("dir", "lead", "acc"))
    ]
    with connection.cursor() as cursor:
        found: dict[str, object] = {}
        for table in sorted(tables):
            cursor.execute(f"SELECT count(*), sum(hashtext(t::text)::bigint) FROM {table} AS t")
            found[table] = cursor.fetchone()
    return found


def test_there_is_enough_of_everything() -> None:
    main = Site.objects.get(is_default=True)
    count = SiteCount.objects.get(site=main)

    assert count.live >= 300
    assert count.upcoming >= 10
    assert Site.objects.count() == 2
    assert Listing.objects.live().exclude(site=main).count() >= 20
    assert Listing.objects.live().filter(site=main, owner=None).count() >= 50
    assert Founder.objects.filter(founded__listing__status="live").distinct().count() >= 200
    assert BlogPost.objects.filter(published_at__isnull=False).count() >= 20
    assert InterviewQuestion.objects.filter(is_active=True).count() >= 10
    assert Award.objects.filter(rank=1).count() >= 50
    assert ListingUpdate.objects.count() >= 100
    assert Milestone.objects.count() >= 100
    assert Listing.objects.exclude(story={}).count() >= 30
    assert Listing.objects.exclude(faqs=[]).count() >= 200
    assert not Listing.objects.filter(evidence={}).exists()


def test_filled_categories_have_filled_subcategories() -> None:
    main = Site.objects.get(is_default=True)
    filled = CategoryCount.objects.filter(site=main, total_listings__gt=0).values_list(
        "category_id", flat=True
    )

    children = Counter(Category.objects.filter(pk__in=filled).values_list("parent_id", flat=True))
    assert children[None] >= 18
    roots = Category.objects.filter(pk__in=filled, parent=None)
    assert all(children[root.pk] >= min(4, root.children.count()) for root in roots)


def test_most_products_have_a_logo_that_is_served(client: Client) -> None:
    names = set(Listing.objects.values_list("logo", flat=True))

    assert 0.8 < Listing.objects.exclude(logo="").count() / Listing.objects.count() < 0.95
    assert len(names) > 40
    assert {client.get(f"/media/{name}").status_code for name in names if name} == {200}


def test_counters_are_the_votes_that_were_cast() -> None:
    counted = Listing.objects.annotate(cast=Count("vote_rows")).exclude(cast=F("stats__votes"))
    own = Vote.objects.filter(user=F("listing__owner"))
    launches = Launch.objects.filter(launched_at__isnull=False).annotate(
        cast=Count("listing__vote_rows", filter=Q(listing__vote_rows__week=F("week")))
    )

    assert not counted.exists()
    assert not own.exists()
    assert not launches.exclude(cast=F("votes")).exists()
    assert ListingStats.objects.filter(hot__gt=0).count() >= 20


def test_reviews_of_the_first_look_are_counted_and_nobodys_own() -> None:
    rated = ListingStats.objects.filter(reviews__gt=0)

    assert Review.objects.count() == Review.objects.public().count() > 250
    assert sum(rated.values_list("reviews", flat=True)) == Review.objects.counted().count() > 250
    replies = Review.objects.exclude(reply="").values_list("reply", flat=True)
    assert len(set(replies)) == len(replies) > 30
    assert Question.objects.filter(status="answered").count() == Question.objects.count() > 30


def test_no_two_products_have_a_sentence_of_their_reviews_in_common() -> None:
    products: dict[str, set[int]] = {}
    for listing, name, text in Review.objects.values_list("listing", "listing__name", "text"):
        for sentence in re.split(r"(?<=[.?!])\s+", text.replace(name, "it")):
            products.setdefault(sentence, set()).add(listing)

    assert {text for text, those in products.items() if len(those) > 1 and len(text.split()) >= 6} == set()


def test_no_maker_reviews_a_rival_of_the_same_week() -> None:
    races = Launch.objects.filter(week=OuterRef("listing__launches__week"), listing__owner=OuterRef("author"))

    assert Review.objects.filter(author__founder__isnull=False).count() > 30
    assert not Review.objects.filter(Exists(races)).exists()


def test_ratings_differ_and_most_have_none() -> None:
    stats = ListingStats.objects.filter(reviews__gte=AVERAGE_FROM)
    averages = [Rating(count=row.reviews, stars=row.stars).average for row in stats]

    assert ListingStats.objects.filter(reviews=0).count() > ListingStats.objects.count() / 2
    assert len(set(stats.values_list("reviews", flat=True))) >= 6
    assert len(set(averages)) >= 12
    assert min(averages) < 3.6
    assert max(averages) > 4.6


def test_forty_products_have_a_logo_and_a_cover_of_their_own(client: Client) -> None:
    main = Site.objects.get(is_default=True)
    shown = covers(site=main, slugs=list(read("pictures.json")))
    logos = set(Listing.objects.filter(site=main, slug__in=shown).values_list("logo", flat=True))
    seen = [*(f"/media/{name}" for name in logos), *(urlsplit(cover["url"]).path for cover in shown.values())]

    assert len(shown) == len(logos) >= 40
    assert {client.get(path).status_code for path in seen} == {200}
    assert len({hashlib.sha256(b"".join(client.get(path))).digest() for path in seen}) == len(seen)
    assert all(cover["alt"] and cover["sources"] for cover in shown.values())
    assert Founder.objects.exclude(photo="").count() >= 40
    home = client.get("/").content.decode()
    week = client.get("/weeks/this").content.decode()
    assert (home.count("<picture") >= 4, week.count("<picture") >= 10) == (True, True)


def test_two_years_of_weeks_have_winners_and_a_programme_too(client: Client) -> None:
    main = Site.objects.get(is_default=True)
    won = Award.objects.filter(site=main, programme=None, rank=1)
    this = weeks.week_of(timezone.now())
    ended = Programme.objects.exclude(closed_at=None).get()

    last_year = {this - number * weeks.WEEK for number in range(1, 53)}
    assert last_year <= set(won.values_list("week", flat=True))
    assert won.filter(week__lt=this - 52 * weeks.WEEK).count() >= 20
    assert [award.rank for award in ended.awards.order_by("rank")] == [1, 2, 3]
    assert client.get("/hall-of-fame").status_code == 200


def test_places_of_the_running_race_move() -> None:
    last = weeks.week_of(timezone.now()) - weeks.WEEK
    places = LaunchHour.objects.filter(launch__week=last, launch__site__is_default=True)
    had = {launch: set[int]() for launch in places.values_list("launch", flat=True)}
    for launch, rank in places.values_list("launch", "rank"):
        had[launch].add(rank)

    assert sum(len(ranks) > 2 for ranks in had.values()) >= 5


def test_rows_are_in_step_with_the_listings() -> None:
    assert drift(sample=500).is_none


def test_nobody_can_sign_in_as_a_demo_person() -> None:
    people = User.objects.filter(email__endswith="@demo.example")

    assert people.count() >= 1000
    assert not any(person.check_password("") or person.check_password("demo") for person in people[:3])
    assert not people.filter(Q(is_staff=True) | Q(is_superuser=True)).exists()


def test_a_second_run_changes_nothing() -> None:
    before = everything()
    call_command("load_demo", stdout=StringIO())

    assert everything() == before


@pytest.mark.parametrize("options", [[], ["--listings", "10"]])
def test_says_what_is_new_and_what_is_there(options: list[str]) -> None:
    there = Listing.objects.filter(site__is_default=True).count()
    out = StringIO()
    call_command("load_demo", *options, stdout=out)

    assert out.getvalue().splitlines()[-1] == f"0 demo listings are new; {there} listings are there."
    assert Listing.objects.filter(site__is_default=True).count() == there


def test_more_listings_are_searchable_too() -> None:
    main = Site.objects.get(is_default=True)
    before = Listing.objects.filter(site=main).count()
    out = StringIO()
    call_command("load_demo", "--listings", "500", stdout=out)
    newest = Listing.objects.filter(site=main).order_by("pk").last()

    assert Listing.objects.filter(site=main).count() == 500 > before
    assert newest is not None
    found = search_listings(site=main, q=newest.name, page=1, per_page=5).page.items
    assert newest.pk in found
    assert drift(sample=100).is_none
    assert "500 of 500" in out.getvalue()
    assert f"{500 - before} demo listings are new; 500 listings are there." in out.getvalue()


READS = {row.id for row in PUBLIC}
ON_SOME_DAYS = "list_launches: Today"


@pytest.mark.parametrize("example", [one for one in EXAMPLES if one.operation in READS], ids=str)
def test_the_examples_of_public_reads_show_something_of_it(api: Api, example: Example) -> None:
    answer = api().get(example.url)

    assert answer.status_code == 200, answer.content
    assert answer.json().get("items") != [] or str(example) == ON_SOME_DAYS


@pytest.mark.parametrize("listings", ["0", "-5", "many", "1000001"])
def test_refuses_numbers_that_make_no_sense(listings: str) -> None:
    with pytest.raises(CommandError):
        call_command("load_demo", "--listings", listings, stdout=StringIO())
