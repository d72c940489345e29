"""Two sides of an edit in words: whole, in order, and in a time that follows their length."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from directory.listings.differences import as_text, is_carried, word_diff

WORDS = st.lists(st.sampled_from(["a", "b", "c\n", "dd", ""]), max_size=120).map(" ".join)


@given(before=WORDS, after=WORDS)
def test_the_pieces_are_the_texts(before: str, after: str) -> None:
    first, second = word_diff(before, after)

    assert ("".join(text for _, text in first), "".join(text for _, text in second)) == (before, after)
    assert [text.replace(" ", "") for kind, text in first if kind == "same"] == [
        text.replace(" ", "") for kind, text in second if kind == "same"
    ]
    assert {kind for kind, _ in first} <= {"same", "del"}
    assert {kind for kind, _ in second} <= {"same", "ins"}


def test_only_what_changed_is_marked() -> None:
    first, second = word_diff("for teams of three to thirty people", "for teams of two to sixty people")

    assert [text for kind, text in first if kind == "del"] == ["three ", "thirty "]
    assert [text for kind, text in second if kind == "ins"] == ["two ", "sixty "]


def test_a_comma_more_does_not_change_the_word_before_it() -> None:
    first, second = word_diff("for theatres and halls", "for theatres, and halls")

    assert [text for kind, text in first if kind == "del"] == []
    assert [text for kind, text in second if kind == "ins"] == [", "]


@pytest.mark.parametrize("word", ["a ", "ab "])
def test_a_text_of_one_word_ten_thousand_times_costs_no_more_than_its_size(word: str) -> None:
    began = time.process_time()
    word_diff("x " + word * 6_000 + "x", word * 6_000)

    assert time.process_time() - began < 0.5


def test_values_are_told_in_the_order_of_people() -> None:
    step = {"url": "https://a.example/", "date": "2026-02-28", "title": "First", "description": None}

    assert as_text([step]) == "28 February 2026, First, https://a.example/"
    assert as_text({"problem": "P", "title": "T", "story": ""}) == "Title: T\nThe problem: P"
    assert (as_text(None), as_text(2019), as_text(["One", "Two"])) == ("", "2019", "One\nTwo")


def test_a_website_carries_the_words_that_an_edit_brought_and_no_edit_that_brought_none() -> None:
    quotes = ["Invoices that chase themselves, politely."]

    assert is_carried(before="Invoices", after="Invoices, politely", quotes=quotes)
    assert not is_carried(before="Invoices", after="Invoices, quickly", quotes=quotes)
    assert not is_carried(before="Invoices, politely", after="Invoices", quotes=quotes)
