"""Staff shape the tree of categories: listings and addresses follow, and a merge is taken apart again."""

import re
from typing import Any

import pytest
from django.test import Client

from accounts.models import StaffAct
from core import jobs
from directory.models import Category, ListingCategory, Site
from tests.conftest import Api
from tests.factories.listings import make_category, make_listing
from tests.factories.staff import make_staff

TREE = "/admin/directory/category/tree/"


@pytest.fixture
def staff(site: Site) -> dict[str, Client]:
    found = {}
    for role in ("editor", "moderator", "finance"):
        found[role] = Client()
        found[role].force_login(make_staff(role))
    return found


def page_of(category: Category, part: str) -> str:
    return f"/admin/directory/category/{category.pk}/{part}/"


def words(answer: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def categories(api: Api, slug: str) -> list[str]:
    return [row["slug"] for row in api().get(f"/api/v1/listings/{slug}").json()["categories"]]


@pytest.fixture
def send(django_capture_on_commit_callbacks: Any) -> Any:
    """Sends a form, and does what it leaves for after its commit and for jobs."""

    def sent(client: Client, address: str, form: dict[str, Any]) -> Any:
        with django_capture_on_commit_callbacks(execute=True):
            answer = client.post(address, form, follow=True)
        with django_capture_on_commit_callbacks(execute=True):
            jobs.run_due()
        return answer

    return sent


def test_a_category_moves_under_another_and_never_under_itself(
    staff: dict[str, Client], api: Api, send: Any
) -> None:
    money = make_category("money", name="Money")
    bills = make_category("bills", name="Bills")
    late = make_category("late-bills", name="Late bills", parent=bills)
    make_listing(categories=("late-bills",))
    assert staff["finance"].get(TREE).status_code == 404
    assert staff["moderator"].post(page_of(bills, "under"), {"under": "money"}).status_code == 403

    answer = send(staff["editor"], page_of(bills, "under"), {"under": "Money"})
    circle = staff["editor"].post(page_of(bills, "under"), {"under": "late-bills"})

    assert "Bills is under Money now." in words(answer)
    assert "Bills cannot be under itself." in words(circle)
    bills.refresh_from_db()
    assert (bills.parent, late.parent_id) == (money, bills.pk)
    (root,) = api().get("/api/v1/categories").json()["items"]
    assert (root["slug"], root["total_listings_count"]) == ("money", 1)


def test_categories_are_merged_their_addresses_lead_on_and_they_are_taken_apart(
    staff: dict[str, Client], api: Api, client: Client, send: Any
) -> None:
    bills = make_category("bills", name="Bills", terms=["bill"])
    make_category("sub", name="Sub", parent=bills)
    into = make_category("invoicing", name="Invoicing", terms=["invoice"])
    make_listing("one", categories=("bills",))
    make_listing("both", plan="paid", categories=("bills", "invoicing"))
    before = sorted(ListingCategory.objects.values_list("listing__slug", "category__slug", "position"))
    assert staff["editor"].get(page_of(bills, "merge")).status_code == 404
    assert staff["editor"].post(page_of(bills, "merge"), {"into": "invoicing"}).status_code == 403

    assert "2 listings move" in words(staff["moderator"].get(page_of(bills, "merge")))
    unknown = staff["moderator"].post(page_of(bills, "merge"), {"into": "nothing"})
    assert "No category has that name." in words(unknown)
    send(staff["moderator"], page_of(bills, "merge"), {"into": "Invoicing"})

    assert [categories(api, slug) for slug in ("one", "both")] == [["invoicing"], ["invoicing"]]
    moved = client.get("/categories/bills")
    assert (moved.status_code, moved["Location"]) == (301, "/categories/invoicing")
    assert [row["slug"] for row in api().get("/api/v1/categories").json()["items"]] == ["invoicing"]
    into.refresh_from_db()
    assert into.terms == ["invoice", "bill", "bills"]
    assert Category.objects.get(slug="sub").parent == into

    line = StaffAct.objects.get()
    send(staff["moderator"], line.undo, {"undoes": line.pk})
    after = sorted(ListingCategory.objects.values_list("listing__slug", "category__slug", "position"))
    assert after == before
    assert [categories(api, slug) for slug in ("one", "both")] == [["bills"], ["bills", "invoicing"]]
    assert client.get("/categories/bills").status_code == 200
    assert Category.objects.get(slug="sub").parent == bills


def test_many_listings_move_in_a_job(staff: dict[str, Client], monkeypatch: Any) -> None:
    monkeypatch.setattr("directory.categories.categorising.AT_ONCE", 2)
    bills = make_category("bills")
    into = make_category("invoicing")
    for number in range(5):
        make_listing(f"listing-{number}", categories=("bills",))

    staff["moderator"].post(page_of(bills, "merge"), {"into": "invoicing"})
    assert Category.objects.filter(slug="bills").exists()
    for _ in range(3):
        jobs.run_due()
    assert not Category.objects.filter(slug="bills").exists()
    assert ListingCategory.objects.filter(category=into).count() == 5


def test_words_and_questions_are_fields(staff: dict[str, Client]) -> None:
    category = make_category("bills", name="Bills")
    form = {
        "name": "Bills",
        "slug": "invoices",
        "position": "0",
        "attributes": "[]",
        "terms": "bill\ninvoice, paid",
    }
    form |= {"faqs-0-question": "What?", "faqs-0-answer": "That."}

    answer = staff["editor"].post(page_of(category, "change"), form)

    assert answer.status_code == 302, answer.context["adminform"].form.errors
    category.refresh_from_db()
    assert category.terms == ["bill", "invoice, paid"]
    assert category.faqs == [{"question": "What?", "answer": "That."}]
    assert Client().get("/categories/bills")["Location"] == "/categories/invoices"


def test_the_tree_costs_no_more_when_it_is_large(
    staff: dict[str, Client], django_assert_max_num_queries: Any
) -> None:
    staff["editor"].get(TREE)
    with django_assert_max_num_queries(8):
        staff["editor"].get(TREE)
    for number in range(20):
        make_category(f"category-{number}")
    with django_assert_max_num_queries(8):
        staff["editor"].get(TREE)
