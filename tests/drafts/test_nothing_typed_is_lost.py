"""What an owner gave stays: while a draft is written, while a field is written again, and when it is a listing."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from core import jobs
from core.models import Job
from directory.launches.queueing import back_to_draft
from directory.models import Launch, Listing, Site
from drafts import limits
from drafts.drafting import redrafting
from drafts.models import Draft, DraftField
from tests.conftest import Api, People, signed_in
from tests.drafts.conftest import blank_draft
from tests.factories.listings import make_category, make_listing
from tests.servers.website import Website, html

API = "/api/v1/drafts"
ANN = {"name": "Ann Bee", "title": "CEO", "bio": "Bookkeeper."}


@pytest.fixture
def draft(people: People, site: Site) -> Draft:
    """A draft that has what a listing needs and nothing else."""
    make_category("invoicing", name="Invoicing")
    return fresh_draft(people=people, site=site)


def fresh_draft(*, people: People, site: Site) -> Draft:
    draft = blank_draft(owner=people.owner, site=site)
    for name, value in {"name": "Tidewell", "tagline": "Invoices", "categories": ["Invoicing"]}.items():
        draft.field_rows.filter(name=name).update(value=value, state="manual")
    return draft


def submit(api: Api, draft: Draft) -> Listing:
    answer = api("all").post(f"{API}/{draft.pk}/submit")
    assert answer.status_code == 200, answer.json()
    return Listing.objects.get(pk=answer.json()["listing_id"])


def test_founders_typed_while_the_website_is_read_stay(api: Api, site: Site, tidewell: Website) -> None:
    tidewell.pages["/about"] = html(
        "<h1>About</h1><p>Tidewell was founded in 2021 by Maria Vos in Ghent.</p>"
    )
    path = f"{API}/{api('all').post(API, {'url': 'https://tidewell.test/'}).json()['id']}"
    assert api("all").patch(path, {"founders": [ANN]}).status_code == 200

    jobs.run_due()

    shown = api("all").get(path).json()
    assert shown["status"] == "ready"
    assert [(person["name"], person["state"]) for person in shown["founders"]] == [("Ann Bee", "manual")]


def test_a_value_typed_while_it_is_written_again_stays(
    api: Api, ready: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"{API}/{ready['id']}"
    api("all").patch(path, {"fields": {"tagline": "Before", "city": "Rome"}})
    api("all").patch(path, {"regenerate": ["tagline", "city"]})
    write = redrafting.write

    def typed_meanwhile(*args: Any, **named: Any) -> Any:
        api("all").patch(path, {"fields": {"tagline": "Typed meanwhile"}})
        return write(*args, **named)

    monkeypatch.setattr(redrafting, "write", typed_meanwhile)
    jobs.run_due()

    fields = api("all").get(path).json()["fields"]
    assert (fields["tagline"]["value"], fields["tagline"]["state"]) == ("Typed meanwhile", "edited")
    assert (fields["city"]["value"], fields["city"]["state"]) == ("Ghent", "ai")


def test_redrafts_of_yesterday_do_not_count_today(api: Api, ready: dict[str, Any]) -> None:
    rows, today = Draft.objects.filter(pk=ready["id"]), timezone.now().date()
    path, body = f"{API}/{ready['id']}", {"regenerate": ["tagline"]}
    rows.update(redrafts=limits.REDRAFTS_A_DAY, redrafts_on=today)
    assert api("all").patch(path, body).json()["code"] == "regenerate_limit"

    rows.update(redrafts_on=today - timedelta(days=1))
    assert api("all").patch(path, body).status_code == 200

    assert rows.values_list("redrafts", "redrafts_on").get() == (1, today)


def test_trying_again_beside_another_open_draft_of_the_site_changes_nothing(
    api: Api, people: People, site: Site, tidewell: Website
) -> None:
    home = tidewell.pages["/"]
    tidewell.pages["/"] = html("gone", status=404)
    first = api("all").post(API, {"url": "https://tidewell.test/"}).json()["id"]
    jobs.run_due()
    tidewell.pages["/"] = home
    second = api("all").post(API, {"url": "https://tidewell.test/"}).json()["id"]
    before = sorted(Job.objects.values_list("pk", "state", "attempt"))
    browser = signed_in(people.owner)

    page = browser.post(f"/drafts/{first}/again", follow=True).content.decode()

    assert second in page
    assert dict(Draft.objects.values_list("pk", "status")) == {
        Draft.objects.get(pk=first).pk: "failed",
        Draft.objects.get(pk=second).pk: "crawling",
    }
    assert sorted(Job.objects.values_list("pk", "state", "attempt")) == before


def test_only_the_first_founder_has_the_links_of_the_site_and_our_own_reasons_stay_ours(
    api: Api, draft: Draft
) -> None:
    link = "https://x.com/annbee"
    api("all").patch(
        f"{API}/{draft.pk}", {"founders": [ANN, {"name": "Bo Cee"}], "founder_socials": {"x": link}}
    )
    draft.field_rows.filter(name="city").update(reason="too_long")
    draft.field_rows.filter(name="country").update(reason="conflicting")

    listing = submit(api, draft)

    founders = listing.founded_by.order_by("position").values_list("founder__name", "founder__socials")
    assert list(founders) == [("Ann Bee", {"x": link}), ("Bo Cee", {})]
    reasons = {row["field"]: row["reason"] for row in listing.not_found}
    assert (reasons["city"], reasons["country"]) == ("not_on_site", "conflicting")


def test_what_its_owner_removed_is_removed_from_the_listing(api: Api, draft: Draft) -> None:
    api("all").patch(f"{API}/{draft.pk}", {"fields": {"city": "Ghent"}})
    assert submit(api, draft).city == "Ghent"
    api("all").patch(f"{API}/{draft.pk}", {"fields": {"city": None}})
    assert draft.field_rows.get(name="city").state == DraftField.State.DELETED
    Listing.objects.update(city="Ghent")  # as an older version that is put back does

    listing = submit(api, draft)

    assert listing.city == ""
    assert {row["field"]: row["reason"] for row in listing.not_found}["city"] == "removed_by_owner"


def test_what_a_draft_never_knew_stays_on_its_listing_when_it_is_submitted_again(
    api: Api, draft: Draft
) -> None:
    listing = submit(api, draft)
    Listing.objects.update(city="Ghent", country="BE")  # as staff do, of which the draft hears nothing
    draft.field_rows.filter(name="tagline").update(value="Paid on time")

    listing = submit(api, draft)

    assert (listing.tagline, listing.city, listing.country) == ("Paid on time", "Ghent", "BE")


def test_a_new_draft_of_the_same_website_blanks_nothing_on_the_listing(
    api: Api, draft: Draft, people: People, site: Site
) -> None:
    listing = submit(api, draft)
    Listing.objects.update(city="Ghent", country="BE", tagline="Former")
    draft.delete()

    again = submit(api, fresh_draft(people=people, site=site))

    assert (again.pk, again.tagline, again.city, again.country) == (listing.pk, "Invoices", "Ghent", "BE")


def test_a_paid_week_stays_booked_when_its_listing_goes_back_to_draft(people: People, site: Site) -> None:
    paid, free = (
        make_listing(owner=people.owner, slug=slug, status="scheduled") for slug in ("paid", "free")
    )
    Launch.objects.filter(listing=paid).update(kind=Launch.Kind.PAID)
    Launch.objects.filter(listing=free).update(kind=Launch.Kind.FREE)
    week = Launch.objects.get(listing=paid).week

    for listing in (paid, free):
        back_to_draft(listing, reason="Its category is gone.", at=timezone.now())

    assert list(Launch.objects.values_list("listing__slug", "week")) == [("paid", week)]
    assert set(Listing.objects.values_list("status", flat=True)) == {"draft"}
