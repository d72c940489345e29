"""Five boards, never mixed."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from directory.models import Site
from leaderboards.boards import BOARDS, billboard
from leaderboards.models import DomainRating, RevenueReport, Standing, WeekClose
from tests.conftest import Caller
from tests.factories.listings import make_listing

ADDRESS = "/api/v1/leaderboards"


def board(caller: Caller, name: str, query: str = "") -> dict[str, Any]:
    answer = caller.get(f"{ADDRESS}/{name}{query}")
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


def order(body: dict[str, Any]) -> list[tuple[int, str, int]]:
    return [(item["rank"], item["listing"]["slug"], item["metric"]["value"]) for item in body["items"]]


def test_the_weekly_board_ranks_the_launches_of_the_week_by_votes(
    api: Callable[..., Caller], site: Site
) -> None:
    now = timezone.now()
    make_listing("second", votes=2, at=now)
    make_listing("first", votes=5, at=now)

    body = board(api(), "community-weekly")

    assert order(body) == [(1, "first", 5), (2, "second", 2)]
    assert (body["paid"], body["disclosure"], body["items"][0]["metric"]["name"]) == (False, None, "votes")
    assert body["tie_rule"].startswith("Equal votes")


@pytest.mark.parametrize("name", list(BOARDS))
def test_an_empty_page_keeps_the_total_and_says_when(
    api: Callable[..., Caller], site: Site, name: str
) -> None:
    make_listing("only", at=timezone.now())

    body = board(api(), name, "?page=3")

    assert (body["items"], body["total"]) == ([], 1 if name.startswith("community") else 0)
    assert body["as_of"]


def test_a_closed_week_says_when_it_was_closed_on_an_empty_page_as_well(
    api: Callable[..., Caller], site: Site
) -> None:
    closed_at = datetime(2026, 3, 9, 0, 5, tzinfo=UTC)
    WeekClose.objects.create(
        site=site, week=date(2026, 3, 2), closed_at=closed_at, listings=0, votes=0, digest=""
    )

    assert board(api(), "community-weekly", "?week=2026-03-02")["as_of"] == "2026-03-09T00:05:00Z"


def test_all_time_counts_every_live_listing_and_pages_stay_dense(
    api: Callable[..., Caller], site: Site
) -> None:
    for number in range(5):
        make_listing(f"listing-{number}", votes=10 - number // 2)
    make_listing("hidden", status="suspended", votes=99)

    first, second = (board(api(), "community-all-time", f"?per_page=3&page={page}") for page in (1, 2))

    assert order(first) + order(second) == [
        (1, "listing-0", 10),
        (2, "listing-1", 10),
        (3, "listing-2", 9),
        (4, "listing-3", 9),
        (5, "listing-4", 8),
    ]
    assert (first["total"], first["next"].endswith("page=2"), second["next"]) == (5, True, None)


@pytest.mark.parametrize(
    ("path", "parameter"),
    [
        ("/votes", "board"),
        ("/billboard?week=this", "week"),
        ("/community-all-time?week=last", "week"),
        ("/community-weekly?week=soon", "week"),
        ("/community-weekly?week=2026-13-01", "week"),
        ("/revenue?page=1001", "page"),
        ("/revenue?per_page=101", "per_page"),
    ],
)
def test_refuses_what_breaks_a_rule_and_names_it(
    api: Callable[..., Caller], site: Site, path: str, parameter: str
) -> None:
    answer = api().get(f"{ADDRESS}{path}")

    assert (answer.status_code, answer.json()["errors"][0]["parameter"]) == (400, parameter)


def test_the_billboard_is_paid_and_says_so_even_when_empty(api: Callable[..., Caller], site: Site) -> None:
    body = board(api(), "billboard")

    assert (body["paid"], body["items"]) == (True, [])
    assert "never by votes" in body["disclosure"]


def test_the_billboard_counts_contributions_once_each_and_takes_refunds_off(
    api: Callable[..., Caller], site: Site
) -> None:
    rich, poor = make_listing("rich", votes=0), make_listing("poor", votes=50)
    now = timezone.now()
    for reference, listing, cents in (
        ("PL-1", rich, 5000),
        ("PL-1", rich, 5000),
        ("PL-2", poor, 9000),
        ("PL-2-refund", poor, -8000),
    ):
        billboard.record_contribution(
            listing_id=listing.pk, reference=reference, amount_cents=cents, currency="EUR", at=now
        )

    body = board(api(), "billboard")

    assert order(body) == [(1, "rich", 5000), (2, "poor", 1000)]
    metric = body["items"][0]["metric"]
    assert {key: metric[key] for key in ("value", "unit", "currency")} == {
        "value": 5000,
        "unit": "cents",
        "currency": "EUR",
    }
    assert "period" not in metric


def test_a_self_reported_figure_never_stands_above_a_verified_one(
    api: Callable[..., Caller], site: Site
) -> None:
    told, verified = make_listing("told"), make_listing("verified")
    for listing, cents, is_verified in ((told, 9_000_000, False), (verified, 100_000, True)):
        RevenueReport.objects.create(
            listing=listing,
            amount_cents=cents,
            is_verified=is_verified,
            as_of=date(2026, 10, 31),
            entered_at=timezone.now(),
        )
    BOARDS["revenue"].refresh(site=site, at=timezone.now())

    body = board(api(), "revenue")

    assert order(body) == [(1, "verified", 100_000), (2, "told", 9_000_000)]
    assert [item["metric"]["verified"] for item in body["items"]] == [True, False]
    metric = body["items"][0]["metric"]
    assert (metric["unit"], metric["currency"], metric["period"]) == ("cents", "EUR", "month")
    assert metric["as_of"] == "2026-10-31"


def test_money_without_a_currency_of_its_own_is_in_the_sites(
    api: Callable[..., Caller], site: Site, settings: Any
) -> None:
    settings.CURRENCY = "USD"
    listing = make_listing("giver")
    billboard.record_contribution(
        listing_id=listing.pk, reference="one", amount_cents=430_000, currency="", at=timezone.now()
    )

    metric = board(api(), "billboard")["items"][0]["metric"]

    assert (metric["value"], metric["unit"], metric["currency"]) == (430_000, "cents", "USD")


def test_a_week_ahead_is_a_word_nobody_knows_but_a_date_like_any_other(
    api: Callable[..., Caller], site: Site
) -> None:
    assert api().get("/api/v1/leaderboards/community-weekly?week=next").status_code == 400
    ahead = api().get("/api/v1/leaderboards/community-weekly?week=2030-01-02").json()
    assert (ahead["week"], ahead["items"], ahead["total"]) == ("2029-12-31", [], 0)


def test_a_malformed_slug_of_awards_breaks_the_pattern(api: Callable[..., Caller], site: Site) -> None:
    refused = api().get("/api/v1/awards?listing=BAD")

    assert refused.status_code == 400
    assert [(error["code"], error["parameter"]) for error in refused.json()["errors"]] == [
        ("pattern", "listing")
    ]


def rating_file(folder: Path, *lines: str) -> Path:
    path = folder / "ratings.csv"
    path.write_text("\n".join(["domain,domain_rating,date,source", *lines]))
    return path


def test_ratings_come_from_a_file_with_source_date_and_series(
    api: Callable[..., Caller], site: Site, tmp_path: Path
) -> None:
    make_listing("known")
    make_listing("unknown")
    lines = (
        "known.example,40,2026-09-01,graph",
        "known.example,90,2026-09-20,another",  # what two sources say is no series
        "https://www.Known.example/,43.4,2026-11-01,graph",
        "x.example,9,,",
    )

    call_command("import_domain_ratings", rating_file(tmp_path, *lines))

    body = board(api(), "domain-rating")
    assert order(body) == [(1, "known", 43)]
    profile = api().get("/api/v1/listings/known").json()
    assert profile["domain_rating"] == 43
    assert profile["domain_rating_detail"] == {
        "value": 43,
        "source": "graph",
        "checked_at": "2026-11-01T00:00:00Z",
        "change_30d": 3,
        "trend": [{"date": "2026-09-01", "value": 40}, {"date": "2026-11-01", "value": 43}],
    }
    unknown = api().get("/api/v1/listings/unknown").json()
    assert (unknown["domain_rating"], unknown["domain_rating_detail"]) == (None, None)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("known.example,101,,", "0 to 100"),
        ("known.example,much,,", "Line 3"),
        ("nodot,5,,", "not a domain"),
        ("known.example,5,yesterday,", "Line 3"),
    ],
)
def test_a_file_with_a_mistake_stores_nothing(site: Site, tmp_path: Path, line: str, says: str) -> None:
    with pytest.raises(CommandError, match=says):
        call_command("import_domain_ratings", rating_file(tmp_path, "good.example,50,,", line))

    assert DomainRating.objects.count() == 0


def test_the_last_rank_that_differed_is_remembered(api: Callable[..., Caller], site: Site) -> None:
    one, two = make_listing("one"), make_listing("two")
    now = timezone.now()
    billboard.record_contribution(listing_id=one.pk, reference="a", amount_cents=100, currency="EUR", at=now)
    billboard.record_contribution(listing_id=two.pk, reference="b", amount_cents=900, currency="EUR", at=now)

    assert [(item["rank"], item["previous_rank"]) for item in board(api(), "billboard")["items"]] == [
        (1, None),
        (2, 1),
    ]
    billboard.record_contribution(listing_id=one.pk, reference="c", amount_cents=50, currency="EUR", at=now)
    rows = Standing.objects.order_by("rank").values_list("rank", "previous_rank", "value")
    assert list(rows) == [(1, None, 900), (2, 1, 150)]  # another value at the same rank


@pytest.mark.parametrize("name", list(BOARDS))
def test_a_board_costs_the_same_number_of_queries_whatever_its_length(
    api: Callable[..., Caller], site: Site, django_assert_max_num_queries: DjangoAssertNumQueries, name: str
) -> None:
    now = timezone.now()
    for number in range(30):
        listing = make_listing(f"listing-{number}", votes=number, at=now)
        billboard.record_contribution(
            listing_id=listing.pk, reference=str(number), amount_cents=number + 1, currency="EUR", at=now
        )
    caller = api()
    board(caller, name, "?per_page=1")

    with django_assert_max_num_queries(4):
        board(caller, name, "?per_page=30&page=1")
