"""Finding anything: what leads at once to its page, what only some roles see, one indexed statement a kind."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from directory.models import Listing, Site
from tests.conftest import People
from tests.factories.listings import make_category, make_listing
from tests.factories.staff import staff_client


def found(client: Client, query: str) -> list[tuple[str, str]]:
    answer = client.get("/admin/find/", {"q": query}, headers={"X-Part": "1"})
    return [(row.kind, row.name) for row in answer.context["matches"]]


@pytest.fixture
def stocked(site: Site, people: People) -> Listing:
    make_category("tidy", name="Tidy desks")
    for number in range(7):
        make_listing(f"other-{number}", name=f"Other {number}")
    return make_listing(
        "tidewell", name="Tidewell", url="https://www.tidewell.example/", domain="tidewell.example"
    )


def test_each_kind_is_found_by_what_staff_have_at_hand(stocked: Listing, people: People) -> None:
    boss = staff_client("administrator", name="boss")

    assert found(boss, "  TIDEWELL ") == [("Listing", "Tidewell")]
    assert found(boss, "www.tidewell.example") == [("Listing", "Tidewell")]
    assert found(boss, "tid") == [("Listing", "Tidewell"), ("Category", "Tidy desks")]
    assert found(boss, "Owner@people.example") == [("Person", "owner")]
    assert len(found(boss, "oth")) == 5
    assert found(boss, "edi") == [("Page", "Edits")]
    assert found(boss, "PL-00000000") == found(boss, "100%_") == found(boss, "") == []
    one = boss.get("/admin/find/", {"q": "tidewell"})
    assert one["Location"] == f"/admin/directory/listing/{stocked.pk}/change/"
    assert "Nothing begins with" in boss.get("/admin/find/", {"q": "<b>"}).content.decode()


def test_a_role_finds_what_it_may_see(stocked: Listing) -> None:
    finance = staff_client("finance")

    assert found(finance, "tid") == [("Listing", "Tidewell")]
    assert found(finance, "edits") == []
    assert staff_client("").get("/admin/find/", {"q": "tid"}).status_code == 404


@pytest.mark.parametrize(
    ("query", "indexes"),
    [
        (
            "tid",
            {"listing_name_begins", "user_name_begins", "invoice_buyer_begins", "invoice_address_begins"},
        ),
        ("a@b", {"user_email_begins"}),
    ],
)
def test_beginnings_are_looked_up_in_their_index(stocked: Listing, query: str, indexes: set[str]) -> None:
    boss = staff_client("administrator")
    with CaptureQueriesContext(connection) as statements:
        found(boss, query)
    asked = [one["sql"] for one in statements if " LIKE '" in one["sql"] and "category" not in one["sql"]]

    with connection.cursor() as cursor:
        # of tables this small the planner would read the order's own index instead, by what it last counted
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_indexscan = off")
        plans: list[Any] = []
        for statement in asked:
            cursor.execute(f"EXPLAIN {statement}")
            plans += [line for (line,) in cursor.fetchall()]

    assert {name for name in indexes if any(name in line for line in plans)} == indexes
    assert len(asked) == len(indexes)
    assert User.objects.count() > 0
