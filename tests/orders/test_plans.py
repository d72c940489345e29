"""What a plan holds of categories: what is over it waits, is told, and is filed by itself when it is paid for."""

from typing import Any

import pytest

from core.api import caching
from directory.models import Listing
from drafts.models import Draft
from orders.models import Order
from tests.conftest import Api, People
from tests.drafts.conftest import blank_draft
from tests.factories.listings import make_category
from tests.orders.paying import buy, lines, pay
from tests.orders.test_fulfilment import give_back

NAMES = ["Invoicing", "Accounting", "CRM", "Payroll"]
SLUGS = ["invoicing", "accounting", "crm", "payroll"]
HINT = (
    "A free listing has one category. Accounting, CRM and Payroll wait, and are filed once a launch is paid for "
    "or when bought as extra categories."
)


@pytest.fixture
def draft(people: People, site: Any) -> Draft:
    """A ready draft that names four categories."""
    for name, slug in zip(NAMES, SLUGS, strict=True):
        make_category(slug, name=name)
    made = blank_draft(owner=people.owner, site=site)
    for name, value in {"name": "Tidewell", "tagline": "Invoices", "categories": NAMES}.items():
        made.field_rows.filter(name=name).update(value=value, state="manual")
    return made


def submit(api: Api, draft: Draft) -> dict[str, Any]:
    answer = api("all").post(f"/api/v1/drafts/{draft.pk}/submit")
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def filed(api: Api, listing_id: int) -> list[str]:
    caching.ANSWERS.clear()
    listing = api("all").get(f"/api/v1/me/listings/{listing_id}").json()
    return [row["slug"] for row in listing["categories"]]


def hints(api: Api, draft: Draft) -> list[tuple[bool, str]]:
    missing = api("all").get(f"/api/v1/drafts/{draft.pk}").json()["missing"]
    return [(entry["required"], entry["hint"]) for entry in missing if entry["field"] == "categories"]


def test_what_waits_is_told_and_filed_when_the_launch_is_paid(api: Api, draft: Draft, people: People) -> None:
    assert hints(api, draft) == [(False, HINT)]
    saved = submit(api, draft)
    listing_id = saved["listing_id"]
    waits = [change for change in saved["changes"] if change["field"] == "categories_waiting"]
    assert waits == [{"field": "categories_waiting", "before": [], "after": SLUGS[1:]}]
    assert [act["why"] for act in saved["next_actions"] if act["operation"] == "quote_order"] == [HINT]
    assert (filed(api, listing_id), submit(api, draft)["changes"]) == (SLUGS[:1], [])

    order = pay(buy(api, {"product": "launch", "listing_id": listing_id}))

    assert (filed(api, listing_id), hints(api, draft)) == (SLUGS, [])
    notes = order.events.filter(kind="fulfilled").values_list("text", flat=True)
    assert list(notes) == ["Launch: done. It is filed under Accounting, CRM and Payroll now, too."]
    assert api().get("/api/v1/categories/payroll").json()["listings"]["total"] == 1

    give_back(order, people)
    assert (filed(api, listing_id), hints(api, draft)) == (SLUGS[:1], [(False, HINT)])


@pytest.mark.parametrize("product", ["launch", "launch_bundle"])
def test_what_was_bought_by_itself_adds_to_either_plan(
    api: Api, draft: Draft, people: People, product: str
) -> None:
    make_category("banking")
    listing_id = submit(api, draft)["listing_id"]
    extra = {"product": "extra_categories", "listing_id": listing_id, "categories": ["crm", "banking"]}
    bought = pay(buy(api, extra))
    assert filed(api, listing_id) == ["invoicing", "crm", "banking"]
    assert [hint for _, hint in hints(api, draft)] == [
        "A free listing has one category. Accounting and Payroll wait, and are filed once a launch is paid for "
        "or when bought as extra categories."
    ]

    launch = pay(buy(api, {"product": product, "listing_id": listing_id}))
    assert sorted(filed(api, listing_id)) == sorted([*SLUGS, "banking"])

    give_back(bought, people)
    assert sorted(filed(api, listing_id)) == sorted(SLUGS)
    give_back(launch, people)
    assert filed(api, listing_id) == SLUGS[:1]


def test_nobody_pays_for_a_category_that_the_launch_beside_it_holds(api: Api, draft: Draft) -> None:
    listing_id = submit(api, draft)["listing_id"]
    make_category("banking")
    make_category("treasury")
    extra = {"product": "extra_categories", "listing_id": listing_id, "categories": ["accounting", "banking"]}
    order: Order = pay(buy(api, {"product": "launch", "listing_id": listing_id}, extra))

    assert lines(order) == [("launch", "done"), ("extra_categories", "done")]
    assert filed(api, listing_id) == [*SLUGS, "banking"]
    one_more = {"product": "extra_categories", "listing_id": listing_id, "categories": ["treasury"]}
    pay(buy(api, one_more))
    assert filed(api, listing_id) == [*SLUGS, "banking", "treasury"]


def test_a_draft_names_at_most_four(api: Api, draft: Draft) -> None:
    make_category("banking", name="Banking")
    caller = api("all")
    answer = caller.patch(f"/api/v1/drafts/{draft.pk}", {"fields": {"categories": [*NAMES, "Banking"]}})
    shown, hint = answer.json(), "Choose up to 4 categories; this has 5. Remove 1."
    assert (answer.status_code, shown["ready_to_submit"]) == (200, False)
    assert [entry for entry in shown["missing"] if entry["required"]] == [
        {"field": "categories", "required": True, "hint": hint}
    ]

    refused = caller.post(f"/api/v1/drafts/{draft.pk}/submit")

    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_request")
    assert refused.json()["errors"] == [
        {"code": "category_limit", "pointer": "/fields/categories", "message": hint, "limit": 4}
    ]
    assert Listing.objects.count() == 0


def test_the_shop_says_what_a_plan_holds(api: Api) -> None:
    items = {item["code"]: item["description"] for item in api().get("/api/v1/products").json()["items"]}
    assert "Categories of the draft that wait are filed, up to 4 in all." in items["launch"]
    assert "one on the free plan, four on the paid plan" in items["extra_categories"]
