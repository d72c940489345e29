"""No list of the back office reads a table from end to end: search and order have an index, nothing is counted."""

import re
from typing import Any

import pytest
from django.contrib import admin
from django.core.exceptions import EmptyResultSet
from django.db import connection, transaction
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.staff import rights
from accounts.staff.lists import StaffAdmin
from tests.factories.listings import make_listing
from tests.factories.staff import make_staff, staff_client

OURS = {
    model._meta.label_lower: options
    for model, options in admin.site._registry.items()
    if isinstance(options, StaffAdmin) and model._meta.label_lower in rights.MODELS
}
# Tables that grow with listings, votes and buyers; the others stay as small as what staff write.
LARGE = [
    "accounts.user",
    "claims.claim",
    "core.job",
    "core.mail",
    "directory.founder",
    "directory.launchreminder",
    "directory.listing",
    "directory.listingrevision",
    "directory.listingupdate",
    "directory.milestone",
    "directory.vote",
    "directory.weekreminder",
    "directory.winnersreader",
    "drafts.draft",
    "leaderboards.contribution",
    "leaderboards.domainrating",
    "orders.invoice",
    "orders.order",
    "orders.orderinreview",
    "orders.payment",
    "orders.providerevent",
]
TERMS = ("tidewell", "tidewell.example", "ines@people.example", "PL-0123ABCD", "core.send_mail")


def nodes(plan: Any) -> Any:
    """Every step of a plan."""
    yield plan
    for below in plan.get("Plans", ()):
        yield from nodes(below)


def plan_of(rows: Any, *off: str) -> list[dict[str, Any]]:
    """The steps for these rows with some ways switched off, as far as there is another.

    They are planned on empty copies of their tables: what other tests wrote, and when the database last counted
    it, would decide between ways that cost the same.
    """
    try:
        statement, values = rows.query.sql_with_params()
    except EmptyResultSet:
        return []
    with transaction.atomic(), connection.cursor() as cursor:
        for table in set(re.findall(r'(?:FROM|JOIN) "(\w+)"', statement)):
            cursor.execute(f'CREATE TEMPORARY TABLE "{table}" (LIKE "{table}" INCLUDING ALL)')
        for way in off:
            cursor.execute(f"SET LOCAL {way} = off")
        cursor.execute(f"EXPLAIN (FORMAT JSON) {statement}", values)
        ((found,),) = cursor.fetchall()
        transaction.set_rollback(True)
    return list(nodes(found[0]["Plan"]))


def rows_of(options: StaffAdmin, user: Any, term: str = "", order: str = "") -> tuple[Any, str]:
    """What the list reads for a term or in an order, and the table it is about."""
    asked = {"q": term, "o": order}
    request = RequestFactory().get("/", {name: text for name, text in asked.items() if text})
    request.user = user
    return options.get_changelist_instance(request).queryset, options.model._meta.db_table


def test_searches_and_calendars_are_those_of_indexes(site: Any) -> None:
    own = {name for name, one in OURS.items() if "matching" in vars(type(one))}
    loose = [
        (name, field)
        for name, one in OURS.items()
        for field in one.search_fields
        if not re.search(r"(__exact|startswith|(^|__)email)$", field)
        and name not in own | {"orders.order", "orders.orderinreview", "accounts.user"}
    ]

    assert loose == []
    assert [name for name, one in OURS.items() if one.date_hierarchy] == []
    assert [n for n, one in OURS.items() if one.search_fields and one.search_placeholder == "Search"] == []


@pytest.mark.parametrize("name", LARGE)
def test_a_large_list_is_ordered_and_searched_by_an_index(site: Any, name: str) -> None:
    boss = make_staff("administrator")
    make_listing(owner=User.objects.create(email="ines@people.example"))
    options = OURS[name]
    rows, table = rows_of(options, boss)
    steps = plan_of(rows[:100], "enable_seqscan", "enable_sort", "enable_bitmapscan")
    assert [one["Node Type"] for one in steps if one["Node Type"] in {"Seq Scan", "Sort"}] == [], name
    for term in TERMS if options.search_fields else ():
        found, _ = rows_of(options, boss, term)
        steps = plan_of(found.order_by(), "enable_seqscan")
        reads = [one for one in steps if one.get("Relation Name") == table]
        below = [one for one in steps if "Index Cond" in one]
        assert not reads or below, (name, term, steps)
        assert [
            one for one in steps if one["Node Type"] == "Seq Scan" and one["Relation Name"] == table
        ] == []


def test_an_address_sorts_by_no_column_that_its_list_does_not_offer(site: Any) -> None:
    boss, request = make_staff("administrator"), RequestFactory().get("/")
    request.user = boss
    sorted_all_the_same = []
    for name, options in OURS.items():
        shift = 1 if options.get_actions(request) else 0  # the boxes of the rows are the first column
        own = list(rows_of(options, boss)[0].query.order_by)
        for number, column in enumerate(map(str, options.get_list_display(request)), shift):
            rows, _ = rows_of(options, boss, order=str(number))
            if column not in options.get_sortable_by(request) and rows.query.order_by[0] not in own:
                sorted_all_the_same.append((name, column))

    assert sorted_all_the_same == []


def test_listings_of_the_rare_plan_have_an_index_of_their_own(site: Any) -> None:
    rows, _ = rows_of(OURS["directory.listing"], make_staff("administrator"))

    steps = plan_of(rows.filter(plan="paid")[:100], "enable_seqscan", "enable_sort", "enable_bitmapscan")

    # An index that holds those of the plan alone leaves nothing to be sifted.
    read = [one for one in steps if one.get("Relation Name") == "directory_listing"]
    assert [(one["Node Type"], "Filter" in one) for one in read] == [("Index Scan", False)]


def test_no_list_counts_its_rows(site: Any) -> None:
    boss = staff_client("administrator")
    counting = []
    for name in OURS:
        app, _, model = name.partition(".")
        with CaptureQueriesContext(connection) as asked:
            boss.get(f"/admin/{app}/{model}/")
        counting += [(name, one["sql"]) for one in asked if one["sql"].startswith("SELECT COUNT(")]

    assert counting == []
