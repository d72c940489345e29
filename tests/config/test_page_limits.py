"""Pages have rate limits: of the person who is signed in, or of the network."""

from typing import Any

import pytest
from django.test import Client

from directory.models import Site
from tests.conftest import Api, People


@pytest.mark.parametrize(("path", "limit"), [("/", 1200), ("/search?q=x", 600), ("/no-such-page", 1200)])
def test_one_page_too_many_is_429_in_words(
    client: Client, site: Site, settings: Any, path: str, limit: int
) -> None:
    settings.RATE_LIMIT_FACTOR = 2 / limit
    answers = [client.get(path) for _ in range(3)]

    assert [one.status_code == 429 for one in answers] == [False, False, True]
    assert [one["RateLimit"].split(";")[1] for one in answers] == ["r=1", "r=0", "r=0"]
    assert 0 < int(answers[2]["Retry-After"]) <= 60
    assert "Too many tries" in answers[2].content.decode()
    assert answers[2].has_header("Content-Security-Policy")


def test_people_and_networks_are_counted_apart(
    client: Client, people: People, site: Site, settings: Any
) -> None:
    settings.RATE_LIMIT_FACTOR = 1 / 1200
    one, other, elsewhere = Client(), Client(), Client(REMOTE_ADDR="192.0.2.7")
    one.force_login(people.owner)
    other.force_login(people.stranger)

    assert [each.get("/").status_code for each in (client, one, other, elsewhere)] == [200] * 4
    assert [each.get("/").status_code for each in (client, one, other, elsewhere)] == [429] * 4


def test_a_search_counts_the_same_as_page_and_as_operation(client: Client, api: Api, site: Site) -> None:
    first, second = client.get("/search"), api().get("/api/v1/listings")

    assert [one["RateLimit"].split(";")[:2] for one in (first, second)] == [
        ['"search"', "r=599"],
        ['"search"', "r=598"],
    ]


def test_what_a_monitor_asks_is_not_counted(client: Client, site: Site, settings: Any) -> None:
    settings.RATE_LIMIT_FACTOR = 1 / 1200

    assert [client.get("/healthz").status_code for _ in range(3)] == [200] * 3
    assert not client.get("/readyz").has_header("RateLimit")
