"""A person's own lists: of one status, of what came since a time; what is made says where it stands."""

from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from django.utils import timezone

from claims.models import Claim
from directory.models import Listing, Site
from drafts.models import Draft
from orders.models import Order
from tests.conftest import Api, People
from tests.contract import world
from tests.factories.listings import make_listing
from tests.factories.orders import make_order

OLD, NEW = datetime(2026, 11, 2, 9, tzinfo=UTC), datetime(2026, 11, 9, 9, tzinfo=UTC)
LISTS = {
    "/drafts": (Draft, "ready", "failed"),
    "/me/listings": (Listing, "live", "draft"),
    "/claims": (Claim, "pending", "expired"),
    "/orders": (Order, "pending", "expired"),
}


def add_rows(path: str, *, site: Site, people: People) -> None:
    """An old row in the one status and a new one in the other."""
    _, first, second = LISTS[path]
    for number, (status, at) in enumerate([(first, OLD), (second, NEW)]):
        make_row(path, number, status=status, at=at, site=site, people=people)


def make_row(path: str, number: int, *, status: str, at: datetime, site: Site, people: People) -> None:
    common: dict[str, Any] = {"status": status, "created_at": at}
    ends = timezone.now() + timedelta(days=7)
    if path == "/drafts":
        host = f"s{number}.example"
        url = f"https://{host}/"
        Draft.objects.create(
            site=site, owner=people.owner, url=url, site_key=host, domain=host, updated_at=at, **common
        )
    elif path == "/me/listings":
        listing = make_listing(f"product-{number}", site=site, owner=people.owner, status=status, at=at)
        Listing.objects.filter(pk=listing.pk).update(created_at=at)
    elif path == "/claims":
        listing = make_listing(f"claimed-{number}", site=site, at=at)
        Claim.objects.create(listing=listing, user=people.owner, method="dns", expires_at=ends, **common)
    else:
        order = make_order(site, owner=people.owner)
        Order.objects.filter(pk=order.pk).update(**common)


@pytest.mark.parametrize("path", LISTS)
def test_a_list_can_be_of_one_status_and_of_what_came_since(
    path: str, api: Api, site: Site, people: People
) -> None:
    add_rows(path, site=site, people=people)
    caller = api("account:read")
    _, first, second = LISTS[path]

    def statuses(query: str) -> list[str]:
        answer = caller.get(f"/api/v1{path}?{query}")
        assert answer.status_code == 200, answer.content
        return [item["status"] for item in answer.json()["items"]]

    assert statuses("") == [second, first]
    assert statuses(f"status={first}") == [first]
    assert statuses("since=2026-11-09T09:00:00Z") == [second]
    assert statuses(f"since=2026-11-09T09:00:01Z&status={second}") == []


@pytest.mark.parametrize("path", LISTS)
def test_a_status_that_is_none_and_a_time_that_is_none_are_refused(path: str, api: Api) -> None:
    answer = api("account:read").get(f"/api/v1{path}?status=nonsense&since=yesterday")

    assert answer.status_code == 400
    assert [error["parameter"] for error in answer.json()["errors"]] == ["since", "status"]


@pytest.mark.parametrize(
    "time",
    [
        "2026-11-09",
        "2026-11-09T09:00:00",
        "2026-11-09 09:00:00Z",
        "20261109T090000Z",
        "2026-W46-1",
        "2026-11-09T09:00Z",
        "2026-11-09T09:00:00+0100",
        "2026-11-31T09:00:00Z",
        "0001-01-01T00:00:00+01:00",
        "9999-12-31T23:59:59-01:00",
    ],
)
def test_since_is_an_rfc_3339_time_and_nothing_else(api: Api, time: str) -> None:
    answer = api("account:read").get(f"/api/v1/drafts?since={quote(time)}")

    assert answer.status_code == 400
    assert [(error["parameter"], error["message"]) for error in answer.json()["errors"]] == [
        ("since", "This must be an RFC 3339 time, such as 2026-11-23T00:00:00Z.")
    ]


@pytest.mark.parametrize("time", ["2026-11-09T10:00:00+01:00", "2026-11-09t09:00:00.000z"])
def test_since_takes_every_form_of_rfc_3339(api: Api, site: Site, people: People, time: str) -> None:
    add_rows("/drafts", site=site, people=people)

    answer = api("account:read").get(f"/api/v1/drafts?since={quote(time)}")

    assert [item["status"] for item in answer.json()["items"]] == ["failed"]


def test_a_new_draft_and_a_new_order_say_where_they_stand(api: Api, site: Site, people: People) -> None:
    world.build_draft(site, owner=people.owner)
    caller = api("all")

    made = [
        caller.post("/api/v1/drafts", {"url": "https://tidewell.com/"}),
        caller.post("/api/v1/orders/checkout", {"items": [{"product": "launch", "listing_id": 981}]}),
    ]

    assert [answer.status_code for answer in made] == [201, 201]
    for answer in made:
        there = caller.get(urlsplit(answer["Location"]).path)
        assert there.status_code == 200
    assert made[0]["Location"].endswith(f"/api/v1/drafts/{made[0].json()['id']}")
