"""The Idempotency-Key's form."""

import pytest

from core.api.idempotency import IdempotencyKeyInvalidError, fingerprint, read_key


@pytest.mark.parametrize(
    ("header", "key"),
    [("abc", "abc"), ('"abc"', "abc"), (r'"a\"b"', 'a"b'), ("  abc  ", "abc"), ("a" * 255, "a" * 255)],
)
def test_a_bare_key_and_a_quoted_one_are_the_same(header: str, key: str) -> None:
    assert read_key(header) == key


@pytest.mark.parametrize("header", ["", '""', "a" * 256, "a b", "é", '"abc', "a\tb"])
def test_refuses_what_is_not_visible_ascii(header: str) -> None:
    with pytest.raises(IdempotencyKeyInvalidError):
        read_key(header)


def test_the_fingerprint_ignores_the_order_of_keys_only() -> None:
    one = fingerprint(method="POST", path="/a", body={"x": 1, "y": [1, 2]})

    assert one == fingerprint(method="POST", path="/a", body={"y": [1, 2], "x": 1})
    assert one != fingerprint(method="POST", path="/a", body={"x": 1, "y": [2, 1]})
    assert one != fingerprint(method="POST", path="/b", body={"x": 1, "y": [1, 2]})
