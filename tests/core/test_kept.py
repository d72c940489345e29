"""Public answers that are given before anything else is done: the same in everything but their price."""

from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import resolve

from core import kept, throttling
from core.routes import all_routes, route_at
from core.throttling import Limiter
from directory.models import Listing, Site
from directory.services import public_data
from tests.conftest import Api
from tests.factories.listings import make_listing

PATH = "/api/v1/listings/tidewell"
LIST = "/api/v1/listings?per_page=1"
OWN = {"X-Request-Id", "RateLimit"}


@pytest.fixture(autouse=True)
def _learns_anew() -> None:
    kept.KNOWN.clear()


def told(answer: Any) -> dict[str, str]:
    """The headers that do not tell one call from another."""
    return {name: value for name, value in answer.items() if name not in OWN}


@pytest.mark.parametrize("path", [PATH, LIST, "/api/v1/categories", "/api/v1/leaderboards/community-weekly"])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_kept_answer_is_the_first_one_again(api: Api, site: Site, path: str, scheme: str) -> None:
    make_listing("tidewell")
    make_listing("brindle")
    extra = {"secure": scheme == "https"}
    caller = api().client

    first, again = (caller.get(path, **extra) for _ in range(2))

    assert (first.status_code, again.status_code) == (200, 200)
    assert (again.content, told(again)) == (first.content, told(first))
    assert first["X-Request-Id"] != again["X-Request-Id"]
    left = [int(one["RateLimit"].partition("r=")[2].partition(";")[0]) for one in (first, again)]
    assert left[0] - left[1] == 1


@pytest.mark.parametrize("path", [PATH, LIST])
def test_304_is_the_same_from_either_place(api: Api, site: Site, path: str) -> None:
    make_listing("tidewell")
    make_listing("brindle")
    etag = api().get(path)["ETag"]
    early = api().get(path, If_None_Match=etag)
    kept.KNOWN.clear()
    late = api().get(path, If_None_Match=etag)

    assert (early.status_code, late.status_code, early.content) == (304, 304, b"")
    assert told(early) == told(late)
    assert early["Content-Length"] == "0"


def test_304_needs_no_kept_body(api: Api, site: Site, django_assert_num_queries: Any) -> None:
    make_listing()
    etag = api().get(PATH)["ETag"]
    redis = throttling.limiter().shared.storage.get_connection()
    assert redis.delete(*redis.keys("kept:*")) == 1

    with django_assert_num_queries(0):
        assert api().get(PATH, If_None_Match=etag).status_code == 304


def test_asks_redis_once(api: Api, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    make_listing()
    etag = api().get(PATH)["ETag"]
    caller, scripts, asked = api(), throttling.limiter().shared.scripts, []
    run = scripts.run
    monkeypatch.setattr(scripts, "run", lambda *args, **kwargs: asked.append(1) or run(*args, **kwargs))
    monkeypatch.setattr(cache, "get", None)

    assert caller.get(PATH).status_code == 200
    assert caller.get(PATH, If_None_Match=etag).status_code == 304
    assert len(asked) == 2


def test_a_head_request_has_the_headers_alone(api: Api, site: Site) -> None:
    make_listing()
    get = api().get(PATH)

    head = api().client.head(PATH)

    assert (head.status_code, head.content) == (200, b"")
    assert told(head) == told(get)


def test_one_call_too_many_is_refused_although_the_answer_is_kept(
    api: Api, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(throttling.POLICIES, "read", throttling.Policy(name="read", limit=2, seconds=60))
    make_listing()

    found = [api().get(PATH, If_None_Match='"other"') for _ in range(4)]

    assert [one.status_code for one in found] == [200, 200, 429, 429]
    assert [one["RateLimit"].split(";")[1] for one in found] == ["r=1", "r=0", "r=0", "r=0"]
    assert found[2].json()["policy"] == "read"


def test_a_credential_is_looked_at_first(api: Api, site: Site) -> None:
    make_listing()
    public = api().get(PATH)

    wrong = api().get(PATH, Authorization="Bearer plk_wrong")
    right = api("account:read").get(PATH)

    assert (wrong.status_code, wrong["WWW-Authenticate"][:6]) == (401, "Bearer")
    assert (right.status_code, right.content) == (200, public.content)
    assert right["RateLimit"].split(";")[1] == "r=1199"


def test_what_is_refused_is_refused_although_the_answer_is_kept(api: Api, site: Site) -> None:
    make_listing()
    api().get(PATH)

    assert api().get(PATH, Accept="text/html").status_code == 406
    assert api().get(PATH, Host="elsewhere.example").status_code == 400
    assert api().post(PATH, {}).status_code == 405
    assert api().get("/api/v1/listings?per_page=0").status_code == 400
    assert api().get("/api/v1/listings?per_page=0").status_code == 400


def test_a_redirect_to_https_comes_before_what_is_kept(api: Api, site: Site) -> None:
    make_listing()
    api().client.get(PATH, secure=True)
    with override_settings(SECURE_SSL_REDIRECT=True):
        moved = [api().client.get(PATH) for _ in range(2)]
        there = api().client.get(PATH, secure=True)

    assert [one.status_code for one in moved] == [301, 301]
    assert there.status_code == 200


def test_a_name_given_twice_counts_as_its_last_value(api: Api, site: Site) -> None:
    make_listing("tidewell")
    make_listing("brindle")

    few, many = api().get(f"{LIST}&per_page=2"), api().get("/api/v1/listings?per_page=2&per_page=1")

    assert (len(few.json()["items"]), len(many.json()["items"])) == (2, 1)


def test_is_made_anew_after_a_change(api: Api, site: Site, django_capture_on_commit_callbacks: Any) -> None:
    listing = make_listing(name="Before")
    caller = api()
    caller.get(PATH)
    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        Listing.objects.filter(pk=listing.pk).update(name="After")
        public_data.refresh(listing_ids=[listing.pk])

    assert [caller.get(PATH).json()["name"] for _ in range(2)] == ["After", "After"]


def test_readers_get_answers_while_redis_is_away(
    api: Api, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_listing()
    api().get(PATH)
    alone = Limiter(url="redis://127.0.0.1:1/0")
    monkeypatch.setattr(throttling, "limiter", lambda: alone)

    with CaptureQueriesContext(connection) as statements:
        found = [api().get(PATH, If_None_Match="*") for _ in range(2)]

    assert [one.status_code for one in found] == [200, 200]
    assert [one["Cache-Control"] for one in found] == ["no-cache", "no-cache"]
    assert [one["RateLimit"].split(";")[1] for one in found] == ["r=1199", "r=1198"]
    assert len(statements) >= 2


def test_finds_what_django_finds(site: Site) -> None:
    for route in all_routes():
        path = "/api/v1" + route.path.replace("{", "an ").replace("}", "")
        view, _, parts = resolve(path)

        found = route_at(path, method=route.method)

        assert found is not None
        assert (found[0].spec.name, found[0].view, found[1]) == (route.spec.name, view, parts)


@pytest.mark.parametrize(
    "path", ["/api/v1/listings/a/b/c", "/api/v1/listings/", "/api/v1/listings/\n/x", "/listings", "/api/v1"]
)
def test_finds_nothing_where_nothing_is(path: str) -> None:
    assert route_at(path, method="GET") is None


def test_finds_nothing_for_a_method_that_is_not_offered() -> None:
    assert route_at(PATH, method="DELETE") is None


@pytest.mark.parametrize(
    "path", ["/api/v1/listings/nobody", "/api/v1/listings?page=0", "/api/v1/listings/Not-It"]
)
def test_a_refusal_is_the_same_from_either_place(api: Api, site: Site, path: str) -> None:
    make_listing()
    whole = api().get(path)
    api().get(PATH), api().get(LIST)
    short = api().get(path)

    assert kept.KNOWN
    assert (short.status_code, told(short)) == (whole.status_code, told(whole))
    assert {**short.json(), "request_id": ""} == {**whole.json(), "request_id": ""}
