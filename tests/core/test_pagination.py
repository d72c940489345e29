"""What a page number may look like."""

import pytest

from core.api.pagination import PageIn


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
