"""Words as they are searched by."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domains import domain_meant
from directory.search import lexemes
from directory.search.words import (
    delete_keys,
    distance,
    edits_allowed,
    edits_between,
    hyphenated,
    is_keyed,
    words_of,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Café  ＭＡＮＡＧＥＲ", ["cafe", "manager"]),
        ("Straße Øresund Łódź", ["strasse", "oresund", "lodz"]),
        ("don't & can’t", ["don", "t", "can", "t"]),
        ("C++, node.js: v2!", ["c", "node", "js", "v2"]),
        ("東京タワー", ["東京", "京タ", "タワ", "ワー"]),
        ("쇼핑 몰", ["쇼핑", "몰"]),
        ("…?!-", []),
        ("", []),
    ],
)
def test_text_becomes_folded_words(text: str, words: list[str]) -> None:
    assert words_of(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A to-do, and its to\u2011do-list", ["todo", "todolist"]),
        ("-a- b-c_d-e", ["bc", "de"]),
        ("2026-11-22 東京-タワー", []),
        (f"{'a' * 200_000} x-y", ["xy"]),  # ends within a moment only when a word is read once
    ],
)
def test_what_hyphens_join_is_one_word(text: str, words: list[str]) -> None:
    assert hyphenated(text) == words


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("tidewell", "tidewell", 0),
        ("tidewell", "tidwell", 1),
        ("tidewell", "tiedwell", 1),
        ("tidewell", "tidevell", 1),
        ("tidewell", "tidewelll", 1),
        ("tidewell", "tdieewll", 2),
        ("tidewell", "tidevel", 2),
        ("tidewell", "sundial", 3),
    ],
)
def test_distance_counts_a_swap_of_neighbours_once(one: str, other: str, apart: int) -> None:
    assert distance(one, other, at_most=2) == apart


@pytest.mark.parametrize(
    ("word", "edits"), [("ab", 0), ("abc", 1), ("abcdefg", 1), ("abcdefgh", 2), ("12345678", 0)]
)
def test_longer_words_may_have_more_wrong_letters(word: str, edits: int) -> None:
    assert edits_allowed(word) == edits


LETTERS = st.text(alphabet=string.ascii_lowercase[:6], min_size=3, max_size=14)


@st.composite
def misspelt(draw: st.DrawFn) -> tuple[str, str]:
    """A word and one that is up to two edits away from it."""
    word = draw(LETTERS)
    changed = word
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, len(changed) - 1))
        letter = draw(st.sampled_from(string.ascii_lowercase[:6]))
        end = changed[at + 1 :]
        changed = draw(
            st.sampled_from(
                [changed[:at] + letter + changed[at:], changed[:at] + end, changed[:at] + letter + end]
                + ([changed[:at] + end[0] + changed[at] + end[1:]] if end else [])
            )
        )
    return word, changed


@given(misspelt())
def test_a_misspelling_within_its_edits_shares_a_key_with_the_word(pair: tuple[str, str]) -> None:
    word, typed = pair
    if not is_keyed(typed) or distance(word, typed, at_most=2) > edits_between(typed, word):
        return
    assert set(delete_keys(word, site_id=1)) & set(delete_keys(typed, site_id=1))


def test_sites_do_not_share_keys() -> None:
    assert not set(delete_keys("tidewell", site_id=1)) & set(delete_keys("tidewell", site_id=2))


@pytest.mark.parametrize(
    ("asked", "domain"),
    [
        ("tidewell.example", "tidewell.example"),
        ("https://www.Tidewell.example/pricing?x=1", "tidewell.example"),
        ("app.tidewell.example:8443", "tidewell.example"),
        ("shop.tidewell.co.uk", "tidewell.co.uk"),
        ("tidewell.github.io", "tidewell.github.io"),
        ("co.uk", "co.uk"),
        ("localhost", "localhost"),
        ("http://[::1", "http://[::1"),
        ("", ""),
    ],
)
def test_a_domain_is_understood_however_it_is_written(asked: str, domain: str) -> None:
    assert domain_meant(asked) == domain


@given(st.text(max_size=30))
def test_no_text_leaves_its_quotes(text: str) -> None:
    quoted = lexemes.quoted(text)
    inner = quoted[1:-1].replace("\\\\", "").replace("''", "")
    assert quoted[0] == quoted[-1] == "'"
    assert "'" not in inner
    assert "\\" not in inner
