"""Staff rename a category, merge or delete it while drafts wait with its name."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from directory.categories.categorising import merge_category
from directory.models import Category, Listing, Site
from drafts.models import Draft, DraftField
from tests.config.test_staff_imports import CATEGORIES, check, take
from tests.conftest import Api, People, signed_in
from tests.drafts.conftest import blank_draft
from tests.factories.listings import make_category
from tests.factories.staff import staff_client

FACTS = {"name": "Tidewell", "tagline": "Money in order", "categories": ["Ledgers", "Paper"]}


@pytest.fixture
def draft(api: Api, people: People, site: Site) -> Draft:
    for slug in ("ledgers", "paper", "books"):
        make_category(slug)
    draft = blank_draft(owner=people.owner, site=site)
    assert api("all").patch(f"/api/v1/drafts/{draft.pk}", {"fields": FACTS}).status_code == 200
    offered = [{"value": [name], "evidence": [], "confidence": 0.6} for name in ("Ledgers", "Books")]
    DraftField.objects.filter(draft=draft, name="categories").update(suggestions=offered)
    return draft


def rename(editor: Client, slug: str, name: str) -> None:
    row = {"name": name, "slug": slug, "position": "0", "terms": "", "attributes": "[]", "faqs": "[]"}
    url = f"/admin/directory/category/{Category.objects.get(slug=slug).pk}/change/"
    assert editor.post(url, row).status_code == 302


def fields_of(draft: Draft) -> tuple[Any, Any]:
    row = DraftField.objects.get(draft=draft, name="categories")
    return row.value, [entry["value"] for entry in row.suggestions]


@pytest.mark.parametrize("by", ["form", "file"])
def test_a_draft_follows_a_category_to_its_new_name(api: Api, draft: Draft, by: str) -> None:
    editor = staff_client("editor")
    if by == "form":
        rename(editor, "ledgers", "Accounts")
    else:
        take(editor, CATEGORIES, check(editor, CATEGORIES, "slug,name\nledgers,Accounts\n"))

    assert fields_of(draft) == (["Accounts", "Paper"], [["Accounts"], ["Books"]])
    assert api("all").post(f"/api/v1/drafts/{draft.pk}/submit").status_code == 200
    assert Listing.objects.get().filed.get(position=0).category.slug == "ledgers"


@pytest.mark.parametrize(
    ("rows", "names", "offered"),
    [
        ("ledgers,Paper\npaper,Ledgers", ["Paper", "Ledgers"], "Paper"),
        ("ledgers,Paper\npaper,Sheets", ["Paper", "Sheets"], "Paper"),
        ("paper,Sheets\nledgers,Paper", ["Paper", "Sheets"], "Paper"),
        ("ledgers,Accounts\nships,Ledgers", ["Accounts", "Paper"], "Accounts"),
    ],
)
def test_a_file_gives_a_name_on_and_drafts_stay_in_their_categories(
    api: Api, draft: Draft, rows: str, names: list[str], offered: str
) -> None:
    editor = staff_client("editor")
    take(editor, CATEGORIES, check(editor, CATEGORIES, f"slug,name\n{rows}\n"))

    assert fields_of(draft) == (names, [[offered], ["Books"]])
    assert api("all").post(f"/api/v1/drafts/{draft.pk}/submit").status_code == 200
    assert Listing.objects.get().filed.get(position=0).category.slug == "ledgers"


def test_drafts_are_looked_through_once_for_a_file(draft: Draft) -> None:
    editor, counts = staff_client("editor"), []
    for number in (2, 12):
        slugs = [make_category(f"c{number}-{row}").slug for row in range(number)]
        checked = check(
            editor, CATEGORIES, "\n".join(["slug,name", *(f"{slug},New {slug}" for slug in slugs)])
        )
        with CaptureQueriesContext(connection) as seen:
            take(editor, CATEGORIES, checked)
        counts.append(len(seen))

    assert counts[1] - counts[0] <= 10  # the job of each that brings its listings in line


def test_a_thousand_drafts_follow_for_as_many_statements_as_a_few(draft: Draft) -> None:
    """The request of whoever renames waits for them."""
    editor, counts = staff_client("editor"), []
    row = DraftField.objects.get(draft=draft, name="categories")
    values = Draft.objects.values().get(pk=draft.pk)
    for number, name in ((3, "Accounts"), (1200, "Books of all")):
        drafts = Draft.objects.bulk_create(
            Draft(**{**values, "id": uuid4(), "site_key": f"{number}-{index}.test"})
            for index in range(number)
        )
        row.refresh_from_db()
        copied = {"name": row.name, "value": row.value, "updated_at": row.updated_at}
        DraftField.objects.bulk_create(DraftField(draft=each, **copied) for each in drafts)
        with CaptureQueriesContext(connection) as seen:
            rename(editor, "ledgers", name)
        counts.append(len(seen))

    assert DraftField.objects.filter(name="categories", value=["Books of all", "Paper"]).count() == 1204
    assert counts[0] == counts[1]


def test_a_draft_follows_a_category_into_another(api: Api, draft: Draft) -> None:
    ledgers, paper = (Category.objects.get(slug=slug).pk for slug in ("ledgers", "paper"))
    merge_category(category_id=ledgers, into_id=paper, at=timezone.now())

    assert fields_of(draft) == (["Paper"], [["Paper"], ["Books"]])
    assert api("all").post(f"/api/v1/drafts/{draft.pk}/submit").status_code == 200


def test_a_name_that_another_category_has_stays(draft: Draft) -> None:
    make_category("ledgers-of-ships", name="Ledgers")
    rename(staff_client("editor"), "ledgers", "Accounts")

    assert fields_of(draft)[0] == ["Ledgers", "Paper"]


def test_a_draft_names_the_category_that_is_gone(api: Api, draft: Draft) -> None:
    Category.objects.filter(slug="paper").delete()

    answer = api("all").post(f"/api/v1/drafts/{draft.pk}/submit")
    (error,) = answer.json()["errors"]
    assert (answer.status_code, error["code"]) == (400, "category_unknown")
    assert (error["pointer"], error["message"]) == ("/fields/categories/1", "No category “Paper”.")
    assert not Listing.objects.exists()


@pytest.mark.parametrize(
    ("fields", "code", "pointers"),
    [({}, "invalid_request", []), ({"name": None}, "draft_not_ready", ["/fields/name"])],
)
def test_a_category_that_is_gone_hides_nothing_else(
    api: Api, draft: Draft, fields: dict[str, Any], code: str, pointers: list[str]
) -> None:
    changes = {"fields": {"founded_year": "long ago", **fields}}
    assert api("all").patch(f"/api/v1/drafts/{draft.pk}", changes).status_code == 200
    Category.objects.filter(slug="paper").delete()

    problem = api("all").post(f"/api/v1/drafts/{draft.pk}/submit").json()

    told = [(error["pointer"], error["code"]) for error in problem["errors"]]
    lacking = [(pointer, "required") for pointer in pointers]
    gone, year = ("/fields/categories/1", "category_unknown"), ("/fields/founded_year", "year")
    assert (problem["code"], told) == (code, [*lacking, gone, year])


def test_the_page_says_of_a_category_that_is_gone_beside_the_field(people: People, draft: Draft) -> None:
    Category.objects.filter(slug="paper").delete()

    page = signed_in(people.owner).post(f"/drafts/{draft.pk}/edit", {"make": "listing"})

    assert (page.status_code, Listing.objects.exists()) == (400, False)
    assert "No category “Paper”." in page.content.decode().split('id="input-categories')[1]


def test_a_draft_tells_at_once_of_a_category_that_is_gone(api: Api, people: People, draft: Draft) -> None:
    path, editor = f"/api/v1/drafts/{draft.pk}", f"/drafts/{draft.pk}"
    assert api("all").get(path).json()["ready_to_submit"]
    assert "No category" not in signed_in(people.owner).get(editor).content.decode()
    Category.objects.filter(slug="paper").delete()

    seen = api("all").get(path).json()
    page = signed_in(people.owner).get(editor).content.decode()
    mended = api("all").patch(path, {"fields": {"categories": ["Ledgers"]}}).json()

    told = {"field": "categories", "required": True, "hint": "No category “Paper”."}
    assert (seen["ready_to_submit"], told in seen["missing"]) == (False, True)
    assert "submit_draft" not in {row["operation"] for row in seen["next_actions"]}
    assert "No category “Paper”." in page.split('id="input-categories')[1]
    assert (mended["ready_to_submit"], told in mended["missing"]) == (True, False)
