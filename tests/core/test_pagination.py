"""What a page number may look like, and which page is the last."""

import pytest
from django.template.loader import render_to_string
from django.test import RequestFactory
from rest_framework.request import Request

from core.api.pagination import Page, PageIn, envelope


@pytest.mark.parametrize("text", ["1.0", "1_0", "+1", " 1", "١", "1e0", "0x1", "true"])
def test_a_page_is_written_in_digits_alone(text: str) -> None:
    asked = PageIn(data={"page": text})

    assert not asked.is_valid()
    assert [error.code for error in asked.errors["page"]] == ["invalid"]


def test_a_page_far_beyond_the_bound_names_the_bound() -> None:
    asked = PageIn(data={"page": "100000000000", "per_page": "0"})

    assert not asked.is_valid()
    assert {name: error[0].code for name, error in asked.errors.items()} == {
        "page": "max_value",
        "per_page": "min_value",
    }


@pytest.mark.parametrize(
    ("number", "shown", "is_estimate", "has_next"),
    [
        (500, 20, False, False),
        (500, 20, True, True),
        (501, 20, True, True),
        (517, 3, True, False),
        (499, 3, True, False),
        (1000, 20, True, False),
    ],
)
def test_a_list_whose_total_is_an_estimate_goes_on_while_its_pages_are_full(
    *, number: int, shown: int, is_estimate: bool, has_next: bool
) -> None:
    items = ["a listing"] * shown
    page = Page(items=items, page=number, per_page=20, total=10_000, total_is_estimate=is_estimate)

    body = envelope(page, request=Request(RequestFactory().get("/api/v1/listings")), items=items)

    assert (body["next"] is not None) == has_next
    pager = render_to_string("parts/pager.html", {"page": page, "request": RequestFactory().get("/search")})
    assert ('rel="next"' in pager, f"Page {number} of" in pager) == (has_next, not is_estimate)
