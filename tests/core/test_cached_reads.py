"""Cached answers: the same as those that are made in everything but their price and age."""

import time
from typing import Any

import pytest
import time_machine
from django.conf import settings as configured
from django.core.cache import cache
from django.core.signals import request_finished
from django.db import connection, transaction
from django.test import RequestFactory, override_settings
from django.test.utils import CaptureQueriesContext

from core.api import caching, throttling
from core.api.caching import AnswerCache, CachedAnswer
from core.api.routes import all_routes
from core.api.throttling import Limiter
from core.cache import FailSoftRedisCache
from core.middleware import operation_of
from directory.models import Listing, Site
from directory.search import public_data
from tests.conftest import Api
from tests.factories.listings import AT, make_listing

PATH = "/api/v1/listings/tidewell"
LIST = "/api/v1/listings?per_page=1"
OWN = {"X-Request-Id", "RateLimit", "Age"}
SHORT = "core.middleware.CachedReads"
LONG = "django.middleware.security.SecurityMiddleware"
WITHOUT = [LONG if name == SHORT else name for name in configured.MIDDLEWARE]


def common(answer: Any) -> dict[str, str]:
    """The headers that do not tell one call from another."""
    return {name: value for name, value in answer.items() if name not in OWN}


@pytest.mark.parametrize("path", ["/api/v1/me", "/api/v1/me/listings", "/api/v1/me/listings/1"])
def test_a_call_with_a_credential_says_the_same_by_both_ways(api: Api, site: Site, path: str) -> None:
    with override_settings(MIDDLEWARE=WITHOUT):
        whole = api("all").get(path)
    answer = api("all").get(path)

    assert (answer.status_code, common(answer)) == (whole.status_code, common(whole))
    assert answer.json().keys() == whole.json().keys()


@pytest.mark.parametrize("path", [PATH, LIST, "/api/v1/categories", "/api/v1/leaderboards/community-weekly"])
@pytest.mark.parametrize("scheme", ["http", "https"])
@time_machine.travel(AT, tick=False)  # a board says the second that it is of
def test_the_short_way_says_what_the_long_way_says(api: Api, site: Site, path: str, scheme: str) -> None:
    make_listing("tidewell")
    make_listing("brindle")
    extra = {"secure": scheme == "https"}
    with override_settings(MIDDLEWARE=WITHOUT, SECURE_HSTS_SECONDS=60):
        whole = api().client.get(path, **extra)
    with override_settings(SECURE_HSTS_SECONDS=60):
        cached, there = (
            api().client.get(path, headers=held, **extra) for held in ({}, {"If-None-Match": whole["ETag"]})
        )
        caching.ANSWERS.clear()
        made = api().client.get(path, **extra)

    assert (whole.status_code, cached.status_code, there.status_code) == (200, 200, 304)
    assert cached.content == made.content == whole.content
    assert common(cached) == common(made) == common(whole)
    assert whole.has_header("Strict-Transport-Security") == (scheme == "https")
    assert cached["X-Request-Id"] != made["X-Request-Id"]
    kept_back = {"Content-Type", "Link", "Vary"}  # a small body is not compressed, so it does not vary
    assert {name: value for name, value in common(there).items() if name != "Vary"} == {
        name: "0" if name == "Content-Length" else value
        for name, value in common(whole).items()
        if name not in kept_back
    }


def test_each_call_counts_although_the_answer_is_cached(api: Api, site: Site) -> None:
    make_listing("tidewell")

    left = [int(api().get(PATH)["RateLimit"].partition("r=")[2].partition(";")[0]) for _ in range(3)]

    assert left == [1199, 1198, 1197]


def test_redis_holds_no_answers(api: Api, site: Site) -> None:
    make_listing("tidewell")
    redis = throttling.limiter().shared.storage.get_connection()
    for number in range(50):
        api().get(f"/api/v1/listings?per_page=100&q=tidewell{number}&junk={number}")

    windows = [key for key in redis.keys("*") if not key.endswith(b"stamp:listings")]
    assert len(windows) == 1
    assert sum(redis.memory_usage(key) for key in redis.keys("*")) < 1000


def test_a_parameter_that_is_not_declared_changes_nothing(
    api: Api, site: Site, django_assert_num_queries: Any
) -> None:
    make_listing("tidewell")
    make_listing("brindle")
    plain = api().get("/api/v1/listings?per_page=1&page=1")

    with django_assert_num_queries(0):
        more = [
            api().get("/api/v1/listings?junk=1&per_page=1&page=1"),
            api().get("/api/v1/listings?page=1&junk=2&per_page=1&x[]=%00"),
        ]
    caching.ANSWERS.clear()
    more.append(api().get("/api/v1/listings?junk=1&per_page=1&page=1"))

    assert {one.content for one in more} == {plain.content}
    assert {one["Link"] for one in more} == {plain["Link"]}
    assert "junk" not in plain.json()["next"]


def test_the_order_of_the_parameters_changes_nothing(api: Api, site: Site) -> None:
    make_listing("tidewell")
    make_listing("brindle")

    first = api().get("/api/v1/listings?sort=newest&per_page=1")
    caching.ANSWERS.clear()
    second = api().get("/api/v1/listings?per_page=1&sort=newest")

    assert first.json()["next"].endswith("/api/v1/listings?per_page=1&sort=newest&page=2")
    assert (second.content, second["Link"]) == (first.content, first["Link"])


def test_asks_redis_once(api: Api, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    make_listing()
    etag = api().get(PATH)["ETag"]
    caller, scripts, trips = api(), throttling.limiter().shared.scripts, []
    run = scripts.run
    monkeypatch.setattr(scripts, "run", lambda *args, **kwargs: trips.append(1) or run(*args, **kwargs))
    monkeypatch.setattr(cache, "get", None)

    assert caller.get(PATH).status_code == 200
    assert caller.get(PATH, If_None_Match=etag).status_code == 304
    assert len(trips) == 2


def test_a_head_request_has_the_headers_alone(api: Api, site: Site) -> None:
    make_listing()
    get = api().get(PATH)

    head = api().client.head(PATH)

    assert (head.status_code, head.content) == (200, b"")
    assert common(head) == common(get)


def test_one_call_too_many_is_refused_although_the_answer_is_cached(
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


def test_what_is_refused_is_refused_although_the_answer_is_cached(api: Api, site: Site) -> None:
    make_listing()
    api().get(PATH)

    assert api().get(PATH, Accept="text/html").status_code == 406
    assert api().get(PATH, Host="elsewhere.example").status_code == 400
    assert api().post(PATH, {}).status_code == 405
    assert api().get("/api/v1/listings?per_page=0").status_code == 400
    assert api().get("/api/v1/listings?per_page=0").status_code == 400


def test_bytes_that_are_no_text_do_not_get_the_answer_for_what_stands_for_them(api: Api, site: Site) -> None:
    make_listing()

    assert api().get("/api/v1/listings?q=%EF%BF%BD").status_code == 200
    assert api().get("/api/v1/listings?q=%FF").status_code == 400
    assert api().get("/api/v1/listings?q=%EF%BF%BD").status_code == 200


def test_a_redirect_to_https_comes_before_what_is_cached(api: Api, site: Site) -> None:
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


def away(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = Limiter(url="redis://127.0.0.1:1/0")
    monkeypatch.setattr(throttling, "limiter", lambda: alone)


def test_readers_get_new_answers_while_redis_is_away(
    api: Api, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_listing()
    api().get(PATH)
    away(monkeypatch)

    with CaptureQueriesContext(connection) as statements:
        found = [api().get(PATH) for _ in range(2)]

    assert [one.status_code for one in found] == [200, 200]
    assert [one["Cache-Control"] for one in found] == ["no-cache", "no-cache"]
    assert [one["RateLimit"].split(";")[1] for one in found] == ["r=1199", "r=1198"]
    assert len(statements) >= 2
    assert api().get(PATH, If_None_Match=found[0]["ETag"]).status_code == 304


def test_a_change_while_redis_is_away_is_seen_after_half_a_minute_at_the_latest(
    api: Api, site: Site, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    with time_machine.travel(AT, tick=False) as clock:
        listing = make_listing(name="Before")
        before = api().get(PATH)
        with monkeypatch.context() as outage:
            outage.setattr(FailSoftRedisCache, "_away_until", time.monotonic() + 60)
            with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
                Listing.objects.filter(pk=listing.pk).update(name="After")
                public_data.refresh(listing_ids=[listing.pk])
        clock.shift(29)
        late = api().get(PATH)
        clock.shift(1)
        after = api().get(PATH, If_None_Match=before["ETag"])

    assert (late.json()["name"], late["Age"]) == ("Before", "29")
    assert (after.status_code, after.json()["name"], after.has_header("Age")) == (200, "After", False)


def test_finds_the_operation_of_every_address() -> None:
    for route in all_routes():
        path = "/api/v1" + route.path.replace("{", "an ").replace("}", "")

        request = RequestFactory().generic(route.method, path)

        assert operation_of(request) == route.spec
        assert getattr(request.resolver_match, "func", None) == route.view


@pytest.mark.parametrize(
    ("path", "method"),
    [
        ("/api/v1/listings/a/b/c", "GET"),
        ("/api/v1/listings/", "GET"),
        ("/listings", "GET"),
        ("/api/v1", "GET"),
        (PATH, "DELETE"),
    ],
)
def test_finds_nothing_where_nothing_is_offered(path: str, method: str) -> None:
    assert operation_of(RequestFactory().generic(method, path)) is None


@pytest.mark.parametrize(
    "path", ["/api/v1/listings/nobody", "/api/v1/listings?page=0", "/api/v1/listings/Not-It"]
)
def test_a_refusal_is_the_same_from_either_place(api: Api, site: Site, path: str) -> None:
    make_listing()
    with override_settings(MIDDLEWARE=WITHOUT):
        whole = api().get(path)
    short = api().get(path)

    assert (short.status_code, common(short)) == (whole.status_code, common(whole))
    assert {**short.json(), "request_id": ""} == {**whole.json(), "request_id": ""}


def test_a_fault_is_a_refusal_that_tells_nothing_from_either_place(
    api: Api, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(**_: Any) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("directory.listings.profile.get_listing", broken)
    with override_settings(MIDDLEWARE=WITHOUT):
        whole = api().get(PATH)
    short = api().get(PATH)

    assert (short.status_code, short.json()["code"]) == (500, "internal_error")
    assert (common(short), "secret" in short.text) == (common(whole), False)


def test_connections_are_looked_at_after_what_may_have_used_one_alone(api: Api, site: Site) -> None:
    """To have Django look at them costs a tenth of an answer that comes from the cache."""
    ends: list[Any] = []
    make_listing("tidewell")

    def looked(**_: Any) -> None:
        ends.append(made[-1])

    made = ["made"]
    request_finished.connect(looked)
    try:
        tag = api().get(PATH)["ETag"]
        made.append("cached")
        statuses = [api().client.get(PATH, headers=held).status_code for held in ({}, {"If-None-Match": tag})]
        made.append("with a key")
        statuses.append(api("all").get(PATH).status_code)
    finally:
        request_finished.disconnect(looked)

    assert (statuses, ends) == ([200, 304, 200], ["made", "with a key"])


def answer(body: bytes, *, made_at: float = 0) -> CachedAnswer:
    return CachedAnswer(version=b"1", made_at=made_at, body=body, etag="", links="")


def test_the_cache_stays_within_its_bytes_and_forgets_what_was_not_asked_for() -> None:
    answers = AnswerCache(max_bytes=4 * (caching.ENTRY_BYTES + 100))
    for name in "abcd":
        answers.put(name, answer(b"x" * 100))
    answers.get("a")
    answers.put("e", answer(b"x" * 100))
    answers.put("e", answer(b"y" * 100))

    assert [bool(answers.get(name)) for name in "abcde"] == [True, False, True, True, True]
    assert answers.bytes == answers.max_bytes

    answers.put("huge", answer(b"x" * answers.max_bytes))
    assert (answers.get("huge"), answers.bytes) == (None, 0)


def test_the_cache_does_not_hold_on_to_what_is_too_old_to_be_given() -> None:
    answers = AnswerCache(max_bytes=10**6)
    for second in range(100):
        answers.put(second, answer(b"", made_at=second))

    assert answers.bytes == 31 * caching.ENTRY_BYTES
