"""Conditional and cached reads of public operations."""

from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.db import transaction

from core.api import caching
from core.api.caching import SLOT_SECONDS
from directory.engagement import tally as engagement
from directory.engagement import visits, voting
from directory.models import Listing, Site
from directory.search import public_data
from tests.conftest import Api, People
from tests.factories.listings import AT, make_listing

PATH = "/api/v1/listings/tidewell"


def test_a_caller_that_holds_the_answer_gets_304_without_a_body(api: Api, site: Site) -> None:
    make_listing()
    first = api().get(PATH)

    again = api().get(PATH, If_None_Match=first["ETag"])

    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    assert (again["ETag"], again["Cache-Control"]) == (first["ETag"], first["Cache-Control"])
    assert first["Cache-Control"] == "public, max-age=30, stale-while-revalidate=30"


def test_a_weak_tag_in_a_list_matches_and_another_tag_does_not(api: Api, site: Site) -> None:
    make_listing()
    etag = api().get(PATH)["ETag"]

    assert api().get(PATH, If_None_Match=f'"x", W/{etag}').status_code == 304
    assert api().get(PATH, If_None_Match='"x"').status_code == 200


def test_a_star_matches_whatever_there_is_and_nothing_else(api: Api, site: Site) -> None:
    make_listing()

    made, cached = api().get(PATH, If_None_Match="*"), api().get(PATH, If_None_Match="*")
    whole = api().get(PATH)

    assert (made.status_code, made.content) == (cached.status_code, cached.content) == (304, b"")
    assert made["ETag"] == cached["ETag"] == whole["ETag"]
    assert (whole.status_code, whole.json()["slug"]) == (200, "tidewell")
    assert api().get("/api/v1/listings/nobody", If_None_Match="*").status_code == 404


def test_the_second_caller_costs_no_query(api: Api, site: Site, django_assert_num_queries: Any) -> None:
    make_listing()
    first = api().get(PATH)

    with django_assert_num_queries(0):
        second = api().get(PATH)

    assert second.content == first.content


def test_a_cached_page_has_its_link_header(api: Api, site: Site) -> None:
    for number in range(3):
        make_listing(f"listing-{number}")
    path = "/api/v1/listings?per_page=1&page=2"
    first = api().get(path)
    second = api().get(path)

    assert first["Link"] == second["Link"]
    assert first["Link"].count("rel=") == 2


def test_a_change_is_seen_as_soon_as_it_is_committed(
    api: Api, site: Site, django_capture_on_commit_callbacks: Any
) -> None:
    listing = make_listing(name="Before")
    before = api().get(PATH)
    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        Listing.objects.filter(pk=listing.pk).update(name="After")
        public_data.refresh(listing_ids=[listing.pk])

    after = api().get(PATH, If_None_Match=before["ETag"])

    assert (after.status_code, after.json()["name"]) == (200, "After")


def test_a_week_that_begins_is_seen_without_any_change(
    api: Api, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caching, "SLOT_SECONDS", SLOT_SECONDS)
    with time_machine.travel(datetime(2026, 11, 22, 23, 59, 50, tzinfo=UTC), tick=False):
        sunday = api().get("/api/v1/launches/weeks/this")
    with time_machine.travel(datetime(2026, 11, 23, 0, 0, 1, tzinfo=UTC), tick=False):
        monday = api().get("/api/v1/launches/weeks/this", If_None_Match=sunday["ETag"])

    assert (sunday.json()["week"], monday.json()["week"]) == ("2026-11-16", "2026-11-23")


def test_hosts_and_queries_have_answers_of_their_own(api: Api, site: Site) -> None:
    make_listing()
    first = api().get("/api/v1/listings")

    assert api().get("/api/v1/listings?page=2")["ETag"] != first["ETag"]
    assert not api().get("/api/v1/listings", Host="localhost").has_header("Age")
    assert api().get("/api/v1/listings").has_header("Age")


def test_a_vote_throws_no_answer_away_and_is_seen_within_half_a_minute(
    api: Api,
    site: Site,
    people: People,
    django_assert_num_queries: Any,
    django_capture_on_commit_callbacks: Any,
) -> None:
    listing = make_listing()
    with time_machine.travel(AT, tick=False) as clock:
        before = api().get(PATH)
        with django_capture_on_commit_callbacks(execute=True):
            voting.cast_vote(user=people.stranger, listing_id=listing.pk, at=AT)
            voting.follow(user=people.stranger, listing_id=listing.pk, at=AT)
            visits.count_view(listing_id=listing.pk, visitor="user:1", at=AT)
            visits.fold_visits()
            engagement.refresh_trends(at=AT)
        clock.shift(29)
        with django_assert_num_queries(0):
            same = api().get(PATH, If_None_Match=before["ETag"])
        clock.shift(1)
        after = api().get(PATH, If_None_Match=before["ETag"])
        again = api().get(PATH, If_None_Match=after["ETag"])

    assert (same.status_code, same["Age"]) == (304, "29")
    assert (before.json()["votes"], after.status_code, after.json()["votes"]) == (0, 200, 1)
    assert (after.json()["followers"], after.json()["views"]) == (1, 1)
    assert after["ETag"] != before["ETag"]
    assert again.status_code == 304


def test_an_etag_is_of_what_is_said_whenever_it_was_made(api: Api, site: Site) -> None:
    make_listing()
    with time_machine.travel(AT, tick=False) as clock:
        before = api().get(PATH)
        clock.shift(3600)
        after = api().get(PATH, If_None_Match=before["ETag"])

    assert (after.status_code, after["ETag"], after.has_header("Age")) == (304, before["ETag"], False)


def test_what_needs_a_credential_is_never_kept(api: Api, site: Site) -> None:
    answer = api("account:read").get("/api/v1/me")

    assert answer["Cache-Control"] == "private, no-store"
    assert not answer.has_header("ETag")


def test_a_refusal_is_never_kept(api: Api, site: Site) -> None:
    assert api().get("/api/v1/listings/nobody")["Cache-Control"] == "no-store"
    assert api().get("/api/v1/listings?page=0")["Cache-Control"] == "no-store"
