"""Hostile and honest JSON bodies."""

import pytest

from core.errors import ApiError, InvalidJsonError, InvalidRequestError
from core.parsing import MAX_BYTES, parse


@pytest.mark.parametrize(
    ("raw", "error", "says"),
    [
        (b"", InvalidJsonError, "not JSON"),
        (b"{", InvalidJsonError, "not JSON"),
        (b"nope", InvalidJsonError, "not JSON"),
        (b"[" * 100_000, InvalidRequestError, "nested"),
        (b'{"a":' * 20_000, InvalidRequestError, "nested"),
        (b'{"a":1,"a":2}', InvalidJsonError, "given twice"),
        (b'{"a":NaN}', InvalidJsonError, "NaN"),
        (b'{"a":-Infinity}', InvalidJsonError, "Infinity"),
        (b'{"a":' + b"9" * 5000 + b"}", InvalidJsonError, "digits"),
        (b"\xef\xbb\xbf{}", InvalidJsonError, "byte-order mark"),
        ('{"a":"b"}'.encode("utf-16"), InvalidJsonError, "UTF-8"),
        (b'{"a":"\xff"}', InvalidJsonError, "UTF-8"),
        (b'"' + b"a" * MAX_BYTES + b'"', InvalidRequestError, "bytes"),
    ],
)
def test_refuses_what_is_not_a_reasonable_json_body(raw: bytes, error: type[ApiError], says: str) -> None:
    with pytest.raises(error) as caught:
        parse(raw)

    assert says in caught.value.detail


def test_brackets_inside_strings_do_not_count_as_depth() -> None:
    assert parse(b'{"a": "' + b"[" * 1000 + b'"}') == {"a": "[" * 1000}
