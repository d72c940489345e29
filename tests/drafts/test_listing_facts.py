"""No edit of a draft leaves its listing without a name, a text and a category, or takes what the listing has."""

from typing import Any

import pytest

from directory.models import Listing, ListingCategory, ListingRevision
from directory.moderation import reviewing
from drafts.models import Draft
from tests.conftest import People
from tests.drafts.updating import API, Api, drafted, everything, send
from tests.factories.listings import AT, make_category, make_listing


@pytest.fixture
def draft(people: People, site: Any) -> Draft:
    """A ready draft that may become a listing."""
    made = drafted(people, site)
    made.field_rows.filter(name="categories").update(value=["Invoicing"], state="manual")
    return made


def submitted(api: Api, draft: Draft) -> Listing:
    answer = api("listings:write").post(f"{API}/{draft.pk}/submit")
    assert answer.status_code == 200, answer.json()
    return Listing.objects.get(pk=answer.json()["listing_id"])


def stored(listing: Listing) -> Any:
    return (
        Listing.objects.filter(pk=listing.pk).values().get(),
        list(listing.filed.values_list("category__slug", flat=True)),
        ListingRevision.objects.count(),
    )


@pytest.mark.parametrize("status", ["draft", "awaiting_badge", "live"])
@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({"fields": {"name": None}}, ["/fields/name"]),
        ({"fields": {"tagline": ""}}, ["/fields/tagline"]),
        ({"fields": {"categories": []}}, ["/fields/categories"]),
        ({"restore": ["categories"]}, ["/restore/0"]),
        (
            {"fields": {"name": None, "categories": None, "tagline": None, "short_description": None}},
            ["/fields/name", "/fields/tagline", "/fields/categories"],
        ),
    ],
)
def test_what_every_listing_needs_cannot_be_taken_away(
    api: Api, draft: Draft, status: str, body: Any, pointers: list[str]
) -> None:
    listing = submitted(api, draft)
    Listing.objects.update(status=status, launched_at=AT, launch_week="2026-11-16")
    before = everything(draft), stored(listing)

    answer = send(api, draft, {**body, "seo": {"title": "Other"}})

    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
    assert [error["pointer"] for error in answer.json()["errors"]] == pointers
    assert (everything(draft), stored(listing)) == before


def test_a_text_that_was_written_on_the_listing_counts(api: Api, draft: Draft) -> None:
    listing = submitted(api, draft)
    Listing.objects.update(short_description="Written there.")

    assert send(api, draft, {"fields": {"tagline": None}}).status_code == 200
    listing.refresh_from_db()
    assert (listing.tagline, listing.short_description) == ("", "Written there.")


def test_the_text_that_was_sent_is_the_one_that_is_named(api: Api, draft: Draft) -> None:
    listing = submitted(api, draft)
    send(api, draft, {"fields": {"short_description": "Invoices that chase themselves.", "tagline": None}})
    before = stored(listing)

    answer = send(api, draft, {"fields": {"short_description": None}})

    assert (answer.status_code, [error["pointer"] for error in answer.json()["errors"]]) == (
        400,
        ["/fields/short_description"],
    )
    assert stored(listing) == before


def test_an_edit_that_gave_the_only_text_is_not_put_back_by_staff(api: Api, draft: Draft) -> None:
    listing = submitted(api, draft)
    send(api, draft, {"fields": {"short_description": "Reminds late payers."}})
    send(api, draft, {"fields": {"tagline": None}})
    first = ListingRevision.objects.order_by("pk").first()
    assert first is not None

    done = reviewing.put_back(revision_ids=[first.pk], reviewer_id=draft.owner_id, at=AT)

    listing.refresh_from_db()
    assert (done, listing.short_description) == (0, "Reminds late payers.")
    assert ListingRevision.objects.get(pk=first.pk).review == "pending"


@pytest.mark.parametrize(("plan", "filed"), [("free", 1), ("paid", 4)])
def test_a_free_listing_has_one_category_and_a_paid_one_up_to_four(
    api: Api, draft: Draft, plan: str, filed: int
) -> None:
    names = [make_category(f"kind-{number}").name for number in range(4)]
    listing = submitted(api, draft)
    Listing.objects.update(plan=plan)

    send(api, draft, {"fields": {"categories": names}})

    found = ListingCategory.objects.filter(listing=listing).order_by("position")
    assert list(found.values_list("category__name", flat=True)) == names[:filed]


def test_a_free_listing_is_made_in_one_category(api: Api, draft: Draft) -> None:
    send(api, draft, {"fields": {"categories": ["Time tracking", "Invoicing"]}})

    listing = submitted(api, draft)

    assert list(listing.filed.values_list("category__slug", flat=True)) == ["time-tracking"]


def own_listing(people: People, **fields: Any) -> Listing:
    return make_listing(
        "tidewell-books",
        **{
            "owner": people.owner,
            "url": "http://www.tidewell.test",
            "host": "tidewell.test",
            "domain": "tidewell.test",
            "city": "Rome",
            "tags": ["books"],
            **fields,
        },
    )


@pytest.mark.parametrize("status", ["draft", "awaiting_badge", "live", "archived", "suspended"])
def test_a_draft_of_an_address_that_one_has_a_listing_of_goes_into_that_one(
    api: Api, draft: Draft, people: People, status: str
) -> None:
    mine = own_listing(people, status=status)

    answer = api("listings:write").post(f"{API}/{draft.pk}/submit").json()

    assert (answer["listing_id"], answer["created"], answer["status"]) == (mine.pk, False, status)
    assert {change["field"] for change in answer["changes"]} >= {"name", "tagline", "features"}
    revision = ListingRevision.objects.get()
    assert (revision.review, revision.before["name"]) == ("pending", "Tidewell books")
    mine.refresh_from_db()
    assert (mine.name, mine.city, mine.tags) == ("Tidewell", "Rome", ["books"])
    assert (Listing.objects.count(), mine.slug) == (1, "tidewell-books")

    again = api("listings:write").post(f"{API}/{draft.pk}/submit").json()
    assert (again["listing_id"], again["created"], again["changes"]) == (mine.pk, False, [])


@pytest.mark.parametrize(
    "other", [{"status": "rejected"}, {"owner": None}, {"url": "https://tidewell.test/other"}]
)
def test_otherwise_a_listing_is_made(api: Api, draft: Draft, people: People, other: Any) -> None:
    there = own_listing(people, **other)

    answer = api("listings:write").post(f"{API}/{draft.pk}/submit").json()

    assert (answer["created"], answer["status"], Listing.objects.count()) == (True, "draft", 2)
    assert answer["listing_id"] != there.pk
    there.refresh_from_db()
    assert there.name == "Tidewell books"
