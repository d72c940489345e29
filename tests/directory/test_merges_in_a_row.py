"""Merges one after the other, taken apart in their order: everything is where it was, and nothing stands in the way."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from directory.engagement import voting
from directory.errors import CannotUndoError, ListingCannotMoveError
from directory.models import Follow, Listing, Question, Review, Site, Vote
from directory.moderation.merging import merge, undo_merge
from directory.moderation.staff_rights import rename
from directory.moderation.status import moderate
from tests.conftest import People
from tests.factories.listings import AT, make_listing
from tests.factories.reviews import make_question, make_review, reader

HOUR = timedelta(hours=1)
MOVED: tuple[Any, ...] = (Vote, Follow, Review, Question)


@pytest.fixture
def three(site: Site) -> list[Listing]:
    return [make_listing(slug) for slug in ("first", "second", "third")]


def like(listing: Listing, *, name: str = "vera", at: Any = AT) -> None:
    """Somebody votes for a listing, follows and reviews it and asks its makers."""
    person = reader(name)
    voting.cast_vote(user=person, listing_id=listing.pk, at=at)
    voting.follow(user=person, listing_id=listing.pk, at=at)
    make_review(listing, person)
    make_question(listing, person)


def joined(listing: Listing, into: Listing, *, hours: int) -> int:
    return merge(listing_id=listing.pk, into_id=into.pk, staff_id=7, at=AT + hours * HOUR).pk


def apart(undo_id: int, *, hours: int = 9) -> None:
    undo_merge(undo_id=undo_id, staff_id=7, at=AT + hours * HOUR)


def places() -> list[list[str]]:
    return [list(rows.objects.order_by("pk").values_list("listing__slug", flat=True)) for rows in MOVED]


def counted() -> dict[str, tuple[int, int, int]]:
    rows = Listing.objects.values_list("slug", "stats__votes", "stats__followers", "stats__reviews")
    return {slug: tuple(numbers) for slug, *numbers in rows}  # type: ignore[misc]


def test_what_came_by_two_merges_goes_back_by_two(three: list[Listing], client: Client) -> None:
    first, second, third = three
    like(first)
    like(second, name="wim")
    before = counted()
    one, two = joined(first, second, hours=1), joined(second, third, hours=2)
    assert places() == [["third", "third"]] * len(MOVED)
    assert client.get("/listings/first")["Location"] == "/listings/third"

    with pytest.raises(CannotUndoError, match="Second was merged since"):
        apart(one)
    apart(two)
    assert places() == [["second", "second"]] * len(MOVED)
    apart(one)

    assert places() == [["first", "second"]] * len(MOVED)
    assert counted() == before
    assert {client.get(f"/listings/{slug}").status_code for slug in ("first", "second", "third")} == {200}


def test_one_that_is_part_of_another_is_merged_no_second_time(three: list[Listing], client: Client) -> None:
    first, second, third = three
    joined(first, second, hours=1)

    with pytest.raises(ListingCannotMoveError, match="First is part of Second already"):
        joined(first, third, hours=2)

    assert client.get("/listings/first")["Location"] == "/listings/second"


def test_an_address_that_led_elsewhere_before_leads_to_what_its_listing_is_part_of(
    three: list[Listing], people: People, client: Client
) -> None:
    first, second, third = three
    renaming = {"staff_id": people.staff.pk, "reason": "Their wish.", "at": AT}
    rename(listing_id=second.pk, slug="second-two", url=second.url, **renaming)
    Listing.objects.filter(pk=first.pk).update(slug="second")

    joined(first, third, hours=1)

    assert client.get("/listings/second")["Location"] == "/listings/third"


def test_what_people_did_again_on_the_listing_stays_when_its_merge_is_undone(three: list[Listing]) -> None:
    first, second, _ = three
    like(first)
    undo = joined(first, second, hours=1)
    moderate(listing_id=first.pk, to="live", staff_id=7, at=AT + 2 * HOUR, reason="It is another product.")
    vera = Vote.objects.get().user
    voting.cast_vote(user=vera, listing_id=first.pk, at=AT + 3 * HOUR)
    voting.follow(user=vera, listing_id=first.pk, at=AT + 3 * HOUR)

    apart(undo)

    assert places() == [["second", "first"], ["second", "first"], ["first"], ["first"]]
    assert counted()["first"][:2] == counted()["second"][:2] == (1, 1)
