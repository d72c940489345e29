"""The best of a year: by the votes of launch weeks and nothing else, from five products on."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from directory.models import Founder, Launch, Listing, ListingStats, Question, Site
from directory.weeks import WEEK, week_of
from tests.conftest import People
from tests.factories.listings import AT, make_category, make_listing
from tests.factories.reviews import make_question


@pytest.fixture
def year(site: Site) -> Iterator[None]:
    """Six products in three weeks of this year, one of the last, and one that was taken off."""
    finance = make_category("finance", name="Finance")
    make_category("payroll", name="Payroll", parent=finance)
    for number in range(6):
        filed = ("payroll",) if number else ("invoicing",)
        make_listing(f"product-{number}", at=AT - number % 3 * WEEK, votes=10 * number, categories=filed)
    make_listing("former", at=AT - 52 * WEEK, votes=900)
    gone = make_listing("gone", at=AT - WEEK, votes=800)
    Listing.objects.filter(pk=gone.pk).update(status=Listing.Status.ARCHIVED)
    gone.stats.delete()
    cache.clear()
    with time_machine.travel(AT, tick=False):
        yield


def places(client: Client, path: str) -> list[tuple[str, str]]:
    page = client.get(path).content.decode()
    rows = re.findall(
        r'<li class="row ranked" id="([^"]+)">.*?<span class="vote final">(\d+)<', page, re.DOTALL
    )
    return [(slug, votes) for slug, votes in rows]


def test_a_year_and_a_category_rank_by_the_votes_of_launch_weeks(year: None, client: Client) -> None:
    by_votes = [(f"product-{number}", str(10 * number)) for number in (5, 4, 3, 2, 1)]
    whole = client.get("/best/2026").content.decode()

    assert places(client, "/best/2026") == by_votes  # no vote, no place
    assert "6 products that launched this year" in whole
    assert "final on 4 January 2027" in whole
    assert places(client, "/best/2026/finance") == by_votes  # filed in a category below it
    assert "5 products that launched this year" in client.get("/best/2026/finance").content.decode()
    assert client.get("/best")["Location"] == "/best/2026"
    assert client.get("/best/payroll")["Location"] == "/best/2026/payroll"


def test_below_five_products_there_is_no_list(year: None, client: Client) -> None:
    for path in ("/best/2026/invoicing", "/best/2025"):
        page = client.get(path).content.decode()
        assert "No list yet" in page
        assert 'content="noindex"' in page
    assert client.get("/best/2024").status_code == 404
    assert client.get("/best/2026/no-such").status_code == 404
    sitemap = client.get("/sitemaps/pages-0.xml").content.decode()
    assert re.findall(r"/best/[^<]+", sitemap) == ["/best/2026", "/best/2025"]


def test_the_home_page_leads_to_the_lists_of_the_year_with_the_first_of_each(
    year: None, client: Client
) -> None:
    def lists() -> list[tuple[str, str]]:
        page = client.get("/").content.decode().split('class="best-lists"')[-1].split("</ul>")[0]
        return re.findall(
            r'href="(/best/2026/[^"]+)"><span class="hidden-words">Best of 2026: </span>([^<]+)<', page
        )

    for number in range(5):
        make_listing(f"quiet-{number}", votes=0, categories=("invoicing",))
    assert lists() == [("/best/2026/finance", "Finance")]  # the only one with five products and a vote
    assert "5 products, 150 votes" in client.get("/").content.decode()
    Listing.objects.filter(slug="product-5").update(status=Listing.Status.SUSPENDED)
    assert lists() == [("/best/2026/finance", "Finance")]  # counted within the hour


def test_home_begins_with_the_list_of_the_largest_and_shows_no_product_in_two(
    site: Site, client: Client
) -> None:
    filed = {"fullest": [8, 7, 6, 5, 4], "middle": [30, 20], "largest": [60, 9, 9, 9], "quiet": [0, 0, 0, 0]}
    for slug, votes in filed.items():
        for number, cast in enumerate(votes):
            make_listing(f"{slug}-{number}", votes=cast, categories=(slug,))
    make_listing("everywhere", votes=90, categories=("largest", "fullest", "middle", "quiet"))
    for number in range(2):
        make_listing(f"in-two-{number}", votes=50 - number, categories=("fullest", "middle"))
    with time_machine.travel(AT, tick=False):
        page = client.get("/").content.decode().split('class="best-lists"')[1].split("</section>")[0]

    lists = [
        (re.findall(r'"/best/2026/([^"]+)"', box)[0], re.findall(r'"/listings/([^"]+)"', box))
        for box in page.split('<li class="box">')[1:]
    ]
    assert lists == [
        ("fullest", ["everywhere", "in-two-0", "in-two-1"]),  # of lists with the same first, the fullest
        ("largest", ["largest-0", "largest-1", "largest-2"]),
        ("middle", ["middle-0", "middle-1"]),
    ]  # and all that has votes of the last stands in a list already


def test_a_list_is_counted_again_within_the_hour_and_never_shows_what_was_taken_off(
    year: None, client: Client
) -> None:
    assert places(client, "/best/2026")[0] == ("product-5", "50")
    Launch.objects.filter(listing__slug="product-0").update(votes=70)
    Listing.objects.filter(slug="product-5").update(status=Listing.Status.SUSPENDED)

    assert places(client, "/best/2026")[0] == ("product-4", "40")
    cache.clear()
    assert places(client, "/best/2026")[0] == ("product-0", "70")


def test_a_second_launch_of_a_product_takes_no_second_place_and_more_rows_cost_no_statement(
    year: None, client: Client
) -> None:
    again = Listing.objects.get(slug="product-5")
    before = AT - 10 * WEEK
    Launch.objects.create(
        site=again.site,
        listing=again,
        week=week_of(before),
        kind="free",
        votes=45,
        launched_at=before,
        booked_at=before,
    )
    client.get("/best/2026/payroll")
    with CaptureQueriesContext(connection) as few:
        assert [slug for slug, _ in places(client, "/best/2026/payroll")][:2] == ["product-5", "product-4"]
    for number in range(30):
        make_listing(f"more-{number}", votes=number + 100, categories=("payroll",))
    cache.clear()
    client.get("/best/2026/payroll")
    with CaptureQueriesContext(connection) as many:
        assert len(places(client, "/best/2026/payroll")) == 20

    assert len(many) <= len(few)


def test_the_best_reviewed_have_ten_reviews_that_count_and_more_of_them_decide_a_tie(
    site: Site, client: Client
) -> None:
    make_category("billing", parent=make_category("money"))
    reviews = {
        "anchor": (10, 48),
        "brindle": (20, 96),
        "corvid": (9, 45),
        "dunlin": (10, 50),
        "gone": (10, 50),
    }
    for slug, (count, stars) in reviews.items():
        listing = make_listing(
            slug,
            status="suspended" if slug == "gone" else "live",
            categories=("other",) if slug == "dunlin" else ("billing",),
        )
        ListingStats.objects.filter(pk=listing.pk).update(reviews=count, stars=stars)

    def listed(path: str) -> list[str]:
        return re.findall(r'<li class="row ranked" id="([^"]+)">', client.get(path).content.decode())

    assert listed("/best/reviewed") == ["dunlin", "brindle", "anchor"]
    assert listed("/best/reviewed/money") == ["brindle", "anchor"]
    assert "★ 4.8<" in client.get("/best/reviewed").content.decode()
    assert client.get("/best/reviewed/empty").status_code == 404
    make_category("empty")
    assert "No list yet" in client.get("/best/reviewed/empty").content.decode()


def test_the_home_page_shows_the_newest_answers_one_of_each_maker(
    site: Site, people: People, client: Client
) -> None:
    noor, omar = people.owner, people.staff
    tidewell, gone = make_listing("tidewell"), make_listing("gone", status="suspended")
    asked = [
        ("Old?", tidewell, noor, 1),
        ("New?", tidewell, noor, 3),
        ("Second?", tidewell, omar, 2),
        ("Gone?", gone, omar, 5),
        ("Nobody?", tidewell, people.stranger, 6),
    ]
    for maker, name in ((noor, "Noor"), (omar, "Omar")):
        maker.name = name
        maker.save(update_fields=["name"])
    for text, listing, maker, day in asked:
        at = AT + timedelta(days=day)
        make_question(listing, people.stranger, text=text, answer="Yes.", answered_by=maker, answered_at=at)
    make_question(tidewell, people.stranger, text="Open?")

    Founder.objects.create(slug="noor", user=noor, name="Noor", photo="founders/noor.webp", created_at=AT)

    page = client.get("/").content.decode()
    assert 'src="/media/founders/noor.webp"' in page
    assert re.findall(r"<q>([^<]+)</q>", page) == ["New?", "Second?"]
    newest = Question.objects.get(text="New?")
    assert f'href="/listings/tidewell/questions#question-{newest.pk}"' in page
