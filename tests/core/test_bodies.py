"""Hostile and honest JSON bodies."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest

from core.api.bodies import MAX_BYTES, parse
from core.api.errors import ApiError, FieldError, InvalidJsonError, InvalidRequestError, needs_fix
from tests.waiting import spent


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
        (b'{"a":1e999}', InvalidJsonError, "larger"),
        (b'{"a":-1e999}', InvalidJsonError, "larger"),
        (b'{"a":1e-' + b"9" * 5000 + b"}", InvalidJsonError, "digits"),
        (b'"\\', InvalidJsonError, "not JSON"),
    ],
)
def test_refuses_what_is_not_a_reasonable_json_body(raw: bytes, error: type[ApiError], says: str) -> None:
    with pytest.raises(error) as caught:
        parse(raw)

    assert says in caught.value.detail


def test_says_where_properties_are_given_twice() -> None:
    with pytest.raises(InvalidJsonError) as caught:
        parse(
            b'{"fields": {"name": "a", "name": "b"}, "faqs": [{}, {"q/a": 1, "q/a": 2}], "url": 1, "url": 2}'
        )

    assert [error.pointer for error in caught.value.errors] == ["/fields/name", "/faqs/1/q~1a", "/url"]


def test_brackets_inside_strings_do_not_count_as_depth() -> None:
    assert parse(b'{"a": "' + b"[" * 1000 + b'"}') == {"a": "[" * 1000}


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b'{"\\ud800": 1}', [("surrogate", "/\ufffd", None)]),
        (b'{"a": ["x", "\\udfff"]}', [("surrogate", "/a/1", None)]),
        (b'{"a/b": {"\\uD83D": "\\uDE00"}}', [("surrogate", "/a~1b/\ufffd", None)] * 2),
        (b'"\\udc00"', [("surrogate", "", None)]),
        (b'{"id": 9007199254740992}', [("max_value", "/id", 2**53 - 1)]),
        (b'{"id": -9007199254740992}', [("min_value", "/id", 1 - 2**53)]),
        (b"[99999999999999999999]", [("max_value", "/0", 2**53 - 1)]),
        (b"[1e20]", [("max_value", "/0", 2**53 - 1)]),
        (b"[-1.5E+17]", [("min_value", "/0", 1 - 2**53)]),
    ],
)
def test_refuses_what_programs_read_differently(
    raw: bytes, expected: list[tuple[str, str, int | None]]
) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        parse(raw)

    assert [(error.code, error.pointer, error.limit) for error in caught.value.errors] == expected


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (b'{"id": 9007199254740991}', {"id": 2**53 - 1}),
        (b'"\\ud83d\\ude00"', "\U0001f600"),
        (b"[4.62e2, 462.0, 46200e-2, -0.0, 0e9]", [462, 462, 462, 0, 0]),
        (b"[462.5, 1e-1, 462.00000000000000001]", [462.5, 0.1, 462.0]),
        (b'"\\\\ud800"', "\\ud800"),
        (
            b'{"a": 12345678901234567.5, "b": "12345678901234567890"}',
            {"a": 1.2345678901234568e16, "b": "12345678901234567890"},
        ),
    ],
)
def test_takes_what_only_looks_like_it(raw: bytes, value: object) -> None:
    assert parse(raw) == value


def test_a_refusal_says_in_its_sentence_which_values_it_is_about() -> None:
    errors = [
        FieldError(code="required", pointer=f"/fields/{name}", message="Fill this in.") for name in "abcde"
    ]

    assert needs_fix(errors[:1]) == "One value needs a fix: /fields/a."
    assert needs_fix(errors[:2] * 2) == "2 values need a fix: /fields/a, /fields/b."
    assert needs_fix(errors) == "5 values need a fix: /fields/a, /fields/b, /fields/c and 2 more."
    assert (
        needs_fix([FieldError(code="max_bytes", pointer="", message="Long.")])
        == "One value needs a fix: the body."
    )


def test_a_refusal_names_a_hundred_values_at_most() -> None:
    with pytest.raises(InvalidRequestError) as caught:
        parse(b"[" + b",".join([b'"\\ud800"'] * 5000) + b"]")

    assert [error.pointer for error in caught.value.errors] == [f"/{index}" for index in range(100)]


def _twice(size: int) -> bytes:
    return b"{" + b",".join(b'"k%d":1' % number for number in range(size)) + b',"k%d":2}' % (size - 1)


HOSTILE: dict[str, Callable[[int], bytes]] = {
    "a key given twice at the end": _twice,
    "a string that never ends, full of quotes": lambda size: b'"' + b'\\"' * size,
    "strings that never end": lambda size: b'"\\' * size,
    "half pairs": lambda size: b"[" + b",".join([b'"\\ud800"'] * size) + b"]",
    "names that are half pairs": lambda size: (
        b"{" + b",".join(b'"\\ud800%d":1' % n for n in range(size)) + b"}"
    ),
    "long integers": lambda size: b"[" + b",".join([b"9" * 60] * size) + b"]",
    "brackets": lambda size: b"[" + b"[]," * size + b"[]]",
    "digits": lambda size: b"[" + b"1" * size + b"]",
}


def read(raw: bytes) -> None:
    with suppress(ApiError):
        parse(raw, max_bytes=len(raw))


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE.keys())
def test_no_body_costs_more_than_its_size(make: Callable[[int], bytes]) -> None:
    small, large = make(4_000), make(64_000)
    bound = (
        16 * 5 * max(spent(partial(read, small)), 0.0005)
    )  # the square of the size would be 256 times as much

    assert spent(partial(read, large), enough=bound) < bound
