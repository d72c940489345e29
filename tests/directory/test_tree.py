"""The tree of categories stays one, whatever staff merge, move and take apart, and in whatever order."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from directory.categories import filing
from directory.categories.categorising import merge_category, move_category, undo_merge_category
from directory.errors import CannotUndoError, CategoryCannotMoveError
from directory.models import Category, Listing, ListingRevision, Site
from directory.moderation import reviewing
from directory.sites.catalogue import load_categories
from tests.conftest import Api, People
from tests.factories.listings import AT, make_category, make_listing

LATER = AT + timedelta(hours=1)


@pytest.fixture
def branch(site: Site) -> tuple[Category, Category, Category]:
    """Three below each other."""
    top = make_category("top")
    middle = make_category("middle", parent=top)
    return top, middle, make_category("low", parent=middle)


def merged(category: Category, into: Category, *, at: Any = AT) -> int:
    return merge_category(category_id=category.pk, into_id=into.pk, at=at).pk


def tree(api: Api) -> dict[str, str]:
    """Every category that can be come to from the top, with the one above it."""

    def walked(nodes: list[dict[str, Any]], above: str) -> dict[str, str]:
        result = {node["slug"]: above for node in nodes}
        for node in nodes:
            result |= walked(node["children"], node["slug"])
        return result

    return walked(api().get("/api/v1/categories").json()["items"], "")


def filed(listing: Listing) -> list[str]:
    return list(listing.filed.order_by("position").values_list("category__slug", flat=True))


def test_none_is_merged_into_what_is_further_below_it(
    branch: tuple[Category, Category, Category], api: Api
) -> None:
    top, _, low = branch

    with pytest.raises(CategoryCannotMoveError):
        merged(top, low)

    assert tree(api) == {"top": "", "middle": "top", "low": "middle"}


def test_the_form_hangs_none_under_itself(
    branch: tuple[Category, Category, Category], api: Api, staff: Client
) -> None:
    top, _, low = branch
    address = f"/admin/directory/category/{top.pk}/change/"
    form = {"slug": "top", "name": "Top", "position": 0, "terms": "", "attributes": "[]", "faqs": "[]"}

    for parent in (top, low):
        answer = staff.post(address, form | {"parent": parent.pk})
        assert (answer.status_code, "under itself" in answer.content.decode()) == (200, True)

    assert tree(api) == {"top": "", "middle": "top", "low": "middle"}


def test_one_that_is_back_hangs_under_what_its_parent_became(
    branch: tuple[Category, Category, Category], api: Api
) -> None:
    top, middle, _ = branch
    other, third = make_category("other"), make_category("third")
    undo = merged(middle, third)
    merged(top, other, at=LATER)

    undo_merge_category(undo_id=undo, at=LATER)

    assert tree(api) == {"other": "", "third": "", "middle": "other", "low": "middle"}


def test_a_merge_is_not_undone_where_that_would_make_a_circle(
    branch: tuple[Category, Category, Category], api: Api
) -> None:
    top, middle, low = branch
    undo = merged(middle, make_category("other"))
    move_category(category_id=top.pk, parent_id=low.pk, at=LATER)

    with pytest.raises(CannotUndoError, match="Middle would be under itself"):
        undo_merge_category(undo_id=undo, at=LATER)

    assert tree(api) == {"other": "", "low": "other", "top": "low"}


def test_an_address_that_led_elsewhere_before_leads_to_what_its_category_is_part_of(
    site: Site, staff: Client, client: Client
) -> None:
    former = make_category("crm", name="CRM")
    form = {"name": "CRM", "position": 0, "parent": "", "terms": "", "attributes": "[]", "faqs": "[]"}
    staff.post(f"/admin/directory/category/{former.pk}/change/", form | {"slug": "crm-tools"})
    fresh = make_category("crm", name="CRM again")

    merged(fresh, make_category("sales"))

    assert client.get("/categories/crm")["Location"] == "/categories/sales"


def test_a_new_one_of_the_data_file_hangs_under_what_its_parent_became(site: Site, api: Api) -> None:
    load_categories()
    child = Category.objects.exclude(parent=None).select_related("parent").order_by("pk")[0]
    parent, other = child.parent, Category.objects.filter(parent=None).order_by("-pk")[0]
    child.delete()
    assert parent is not None
    merged(parent, other)

    load_categories()

    assert tree(api)[child.slug] == other.slug


def test_listings_go_back_by_two_merges_in_a_row(site: Site) -> None:
    first, second, third = (make_category(slug) for slug in ("first", "second", "third"))
    listing = make_listing(categories=("first",))
    one, two = merged(first, second), merged(second, third, at=LATER)
    assert filed(listing) == ["third"]

    undo_merge_category(undo_id=two, at=LATER)
    assert filed(listing) == ["second"]
    undo_merge_category(undo_id=one, at=LATER)

    assert filed(listing) == ["first"]


def test_what_waits_for_a_plan_is_what_it_became_by_two_merges(site: Site) -> None:
    first, second, third = (make_category(slug) for slug in ("first", "second", "third"))
    listing = make_listing(categories=())
    filing.file(listing, [make_category("invoicing").slug, "first"])
    merged(first, second)
    merged(second, third, at=LATER)

    assert [category.slug for category in filing.waiting(listing)] == ["third"]
    listing.plan = Listing.Plan.PAID
    filing.refile(listing)

    assert filed(listing) == ["invoicing", "third"]


def test_an_edit_of_categories_is_put_back_to_what_they_became(site: Site, people: People) -> None:
    crm, mailing = make_category("crm"), make_category("mailing")
    listing = make_listing(owner=people.owner, categories=("sales",))
    sides = {"before": {"categories": ["crm"]}, "after": {"categories": ["sales"]}}
    edit = ListingRevision.objects.create(
        listing=listing, changed=["categories"], by=people.owner, at=AT, **sides
    )
    merged(crm, mailing)

    reviewing.put_back_edit(revision_id=edit.pk, reviewer_id=people.staff.pk, at=LATER)

    assert filed(listing) == ["mailing"]


def test_words_go_back_with_one_merge_of_two_and_what_staff_typed_since_stays(site: Site) -> None:
    first, second, whole = (make_category(slug, name=slug.title()) for slug in ("first", "second", "whole"))
    for category, word in ((first, "one"), (second, "two"), (whole, "all")):
        Category.objects.filter(pk=category.pk).update(terms=[word])
    one, two = merged(first, whole), merged(second, whole, at=LATER)
    whole.refresh_from_db()
    whole.terms = [*whole.terms, "typed since"]
    whole.save(update_fields=["terms"])

    undo_merge_category(undo_id=one, at=LATER)
    whole.refresh_from_db()
    assert whole.terms == ["all", "two", "second", "typed since"]
    undo_merge_category(undo_id=two, at=LATER)
    whole.refresh_from_db()

    assert whole.terms == ["all", "typed since"]
