"""Every page of the service, found by its addresses: one that only reads refuses other methods as HTTP says."""

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RoutePattern

VALUES = {"int": "1", "uuid": "0b8f6ad4-6f3c-4d9c-9a57-2f6f0a1f2b11"}
OTHER = ("post", "put", "patch", "delete")
READS = {"GET", "HEAD", "OPTIONS"}
TOKEN = "a" * 32


def addresses(patterns: Iterable[URLPattern | URLResolver], before: str = "/") -> Iterator[str]:
    """One of each pattern; those of the back office, which asks who it is first, left out."""
    for entry in patterns:
        if not isinstance(entry.pattern, RoutePattern) or str(entry.pattern) == "admin/":
            continue
        path = before + str(entry.pattern)
        for name, converter in entry.pattern.converters.items():
            kind = type(converter).__name__.removesuffix("Converter").lower()
            for route in (f"<{kind}:{name}>", f"<str:{name}>", f"<{name}>"):
                path = path.replace(route, VALUES.get(kind, "x"))
        if isinstance(entry, URLResolver):
            yield from addresses(entry.url_patterns, path)
        else:
            yield path


def allowed(answer: Any) -> set[str]:
    """What it says is allowed; of an answer that is no refusal of the method, that one."""
    methods = answer["Allow"].split(", ") if answer.status_code == 405 else [answer.request["REQUEST_METHOD"]]
    return set(methods)


@pytest.mark.django_db
def test_a_page_that_only_reads_refuses_other_methods_with_and_without_our_cookie() -> None:
    """allauth's own are left to it: they are for people alone."""
    paths = {path for path in addresses(get_resolver().url_patterns) if not path.startswith("/accounts/")}
    own, stranger = (Client(enforce_csrf_checks=True, raise_request_exception=False) for _ in range(2))
    own.cookies[settings.CSRF_COOKIE_NAME] = TOKEN

    asked = {path: own.post(path, headers={"X-CSRFToken": TOKEN}) for path in paths}
    reading = [path for path, answer in asked.items() if READS.issuperset(allowed(answer))]
    answers = {(path, name): getattr(stranger, name)(path) for path in reading for name in OTHER}

    wrong = {key: answer.status_code for key, answer in answers.items() if answer.status_code != 405}
    assert {"/", "/docs/start", "/listings/x", "/leaderboards", "/drafts", "/account/orders"} <= set(reading)
    assert wrong == {}
    assert all(READS.issuperset(allowed(answer)) for answer in answers.values())
