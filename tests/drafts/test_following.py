"""A draft and its listing say the same: edits of the listing reach the draft, and so does what staff put back."""

from typing import Any

import pytest

from core import jobs
from directory.models import Listing, ListingRevision
from directory.moderation import reviewing, staff_rights
from drafts.models import Draft
from tests.conftest import People
from tests.drafts.updating import AI, API, FAQ, FOUNDER, MILESTONE, QUOTE, Api, drafted, send
from tests.factories.listings import AT


@pytest.fixture
def draft(people: People, site: Any) -> Draft:
    made = drafted(people, site)
    made.field_rows.filter(name="categories").update(value=["Invoicing"], state="manual")
    return made


@pytest.fixture
def listing(api: Api, draft: Draft) -> Listing:
    answer = api("listings:write").post(f"{API}/{draft.pk}/submit")
    return Listing.objects.get(pk=answer.json()["listing_id"])


def shown(api: Api, draft: Draft) -> Any:
    return api("all").get(f"{API}/{draft.pk}").json()


def test_an_edit_of_the_listing_reaches_the_draft_and_stays_when_it_is_submitted_again(
    api: Api, draft: Draft, listing: Listing
) -> None:
    caller, here = api("all"), f"/api/v1/me/listings/{listing.pk}"
    caller.patch(
        here,
        {
            "fields": {"tagline": "Paid on time", "founded_year": 2019, "features": [], "seo_title": "T"},
            "socials": {"github": "https://github.com/tidewell"},
            "faqs": [FAQ],
        },
    )
    caller.put(f"{here}/story", {"title": "Late payers"})
    caller.post(f"{here}/milestones", MILESTONE)

    found = shown(api, draft)
    fields = found["fields"]
    assert (fields["tagline"]["value"], fields["tagline"]["state"]) == ("Paid on time", "edited")
    assert (fields["founded_year"]["value"], fields["features"]["state"]) == ("2019", "deleted")
    assert found["company_socials"]["github"]["value"] == "https://github.com/tidewell"
    assert [(faq["question"], faq["state"]) for faq in found["faqs"]] == [(FAQ["question"], "manual")]
    assert (found["story"], found["milestones"]) == ({"title": "Late payers"}, [MILESTONE])
    assert found["seo"]["title"] == "T"
    before = Listing.objects.values().get()
    assert caller.post(f"{API}/{draft.pk}/submit").json()["changes"] == []
    changed = {name for name, value in Listing.objects.values().get().items() if before[name] != value}
    assert changed <= {"updated_at", "last_crawled_at"}


def test_a_listing_that_staff_gave_another_website_keeps_it(
    api: Api, people: People, draft: Draft, listing: Listing
) -> None:
    """The former one may be another listing's by now, and an address is live once."""
    moved = {"slug": listing.slug, "url": "https://moved.example/", "reason": "It moved."}
    staff_rights.rename(listing_id=listing.pk, **moved, staff_id=people.staff.pk, at=AT)
    send(api, draft, {"fields": {"tagline": "Paid on time"}})
    api("all").post(f"{API}/{draft.pk}/submit")
    listing.refresh_from_db()

    assert (listing.tagline, listing.url, listing.host) == ("Paid on time", moved["url"], "moved.example")


def test_what_staff_put_back_is_the_former_text_on_listing_and_draft_and_the_owner_is_told(
    api: Api, draft: Draft, listing: Listing, people: People, mailoutbox: list[Any]
) -> None:
    send(
        api,
        draft,
        {
            "fields": {"tagline": "Buy cheap pills now", "categories": ["Time tracking"], "city": "Rome"},
            "founders": [FOUNDER],
            "milestones": [MILESTONE],
        },
    )
    edit = ListingRevision.objects.get()
    assert set(edit.changed) == {"tagline", "categories", "city", "founders", "milestones"}
    send(api, draft, {"fields": {"city": "Milan"}})

    done = reviewing.put_back(
        revision_ids=[edit.pk], reviewer_id=people.staff.pk, at=AT, reason="Not about the product."
    )

    listing.refresh_from_db()
    assert (done, listing.tagline, listing.evidence["tagline"]) == (1, AI["tagline"], [QUOTE])
    assert (listing.city, list(listing.filed.values_list("category__slug", flat=True))) == (
        "Milan",
        ["invoicing"],
    )
    assert (listing.founded_by.count(), listing.milestones.count()) == (0, 0)
    found = shown(api, draft)
    tagline = found["fields"]["tagline"]
    assert (tagline["value"], tagline["state"], tagline["updated_by"]) == (AI["tagline"], "ai", "staff")
    assert (found["fields"]["city"]["value"], found["fields"]["categories"]["value"]) == (
        "Milan",
        ["Invoicing"],
    )
    assert (found["founders"], found["milestones"]) == ([], [])
    own = api("all").get(f"/api/v1/me/listings/{listing.pk}").json()
    assert [version["review"] for version in own["versions"]] == ["pending", "reverted"]
    jobs.run_due()
    (mail,) = mailoutbox
    assert mail.to == [people.owner.email]
    assert "Buy cheap pills now" in mail.body
    assert "Not about the product." in mail.body


def test_edits_are_put_back_one_by_one_in_any_order(
    api: Api, draft: Draft, listing: Listing, people: People
) -> None:
    for tagline in ("Second", "Third"):
        send(api, draft, {"fields": {"tagline": tagline}})
    second, third = ListingRevision.objects.order_by("pk")

    def put_back(revision: ListingRevision) -> tuple[int, str]:
        done = reviewing.put_back(revision_ids=[revision.pk], reviewer_id=people.staff.pk, at=AT)
        return done, Listing.objects.get().tagline

    assert put_back(second) == (0, "Third")
    assert put_back(third) == (1, "Second")
    assert put_back(third) == (0, "Second")
    assert put_back(second) == (1, AI["tagline"])
    send(api, draft, {"fields": {"tagline": "Fourth"}})
    assert reviewing.accept(revision_ids=[second.pk], reviewer_id=people.staff.pk, at=AT) == 0
