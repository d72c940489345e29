"""Money as people type it: one reading or a clear refusal, in cents."""

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from orders.amounts import AmountField, PercentField, hundredths, is_large_change


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("5,90", 590),
        ("5.90", 590),
        ("5,9", 590),
        ("5", 500),
        (" 0 ", 0),
        ("1.234,50", 123_450),
        ("1,234.50", 123_450),
        ("1 234,50", 123_450),
        ("1\u202f234,50", 123_450),
        ("1’234.50", 123_450),
        ("1234567.89", 123_456_789),
        ("1.234.567", 123_456_700),
        ("12 345", 1_234_500),
    ],
)
def test_an_amount_is_read_in_its_own_form(text: str, cents: int) -> None:
    assert hundredths(text) == cents


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1.234", "two ways"),
        ("1,234", "two ways"),
        ("5.999", "two ways"),
        ("5,901,", "no amount"),
        ("1.234.56", "no amount"),
        ("1,234,50", "no amount"),
        ("1.2345,00", "no amount"),
        ("1.234.50,00", "no amount"),
        ("-5", "no amount"),
        ("5e3", "no amount"),
        ("٥", "no amount"),
        ("€5", "no amount"),
        ("five", "no amount"),
        ("1" * 25, "no amount"),
    ],
)
def test_what_is_unclear_or_no_amount_is_refused(text: str, words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        hundredths(text)


@given(
    cents=st.integers(0, 99_999_999), mark=st.sampled_from([(".", ","), (",", "."), (" ", ","), ("'", ".")])
)
def test_what_a_person_writes_with_groups_is_what_it_says(cents: int, mark: tuple[str, str]) -> None:
    group, point = mark
    text = f"{cents // 100:,}".replace(",", group) + f"{point}{cents % 100:02d}"

    assert hundredths(text) == cents


def test_fields_give_cents_and_percentages_within_their_bounds() -> None:
    assert AmountField().clean("5,90") == 590
    assert AmountField(required=False).clean("") is None
    assert f"{PercentField().clean('25,5')}" == "25.5"
    assert AmountField().prepare_value(123_405) == "1234.05"
    for field, text in (
        (AmountField(least=1), "0"),
        (AmountField(most=100), "1,01"),
        (PercentField(), "100.01"),
    ):
        with pytest.raises(ValidationError, match="Between"):
            field.clean(text)


@pytest.mark.parametrize(
    ("before", "after"), [(590, 59_000), (590, 0), (None, 0), (100, 151), (100, 49), (0, 1)]
)
def test_nothing_and_more_than_half_up_or_down_are_large(before: int | None, after: int) -> None:
    assert is_large_change(before, after)


@pytest.mark.parametrize(("before", "after"), [(None, 500), (100, 150), (100, 50), (100, 100)])
def test_half_up_or_down_and_a_first_price_are_not(before: int | None, after: int) -> None:
    assert not is_large_change(before, after)
