"""The editor of a listing keeps what its owner types for the owner alone until it is published."""

from typing import Any

import pytest
from django.test import Client

from directory.models import Category, Listing, ListingRevision, Site
from drafts.models import Draft
from tests.conftest import Api, People, signed_in
from tests.drafts.conftest import blank_draft
from tests.factories.listings import make_category, make_listing
from tests.forms import fields_of

QUOTE = {
    "quote": "In Ghent",
    "url": "https://tidewell.example/",
    "link": "https://tidewell.example/",
    "page_title": None,
    "source": "text",
    "page_sha256": "0" * 64,
    "fetched_at": "2026-11-18T09:00:00Z",
}


@pytest.fixture
def listing(people: People, site: Site) -> Listing:
    return make_listing(owner=people.owner, city="Ghent", evidence={"city": [QUOTE]})


def path(listing: Listing) -> str:
    return f"/account/listings/{listing.pk}/edit"


def form_of(owner: Client, listing: Listing) -> dict[str, str]:
    return fields_of(owner.get(path(listing)).content.decode())


def send(owner: Client, listing: Listing, typed: dict[str, str], **options: Any) -> Any:
    return owner.post(path(listing), form_of(owner, listing) | typed, **options)


def test_what_is_saved_waits_for_its_owner_alone(owner: Client, listing: Listing, people: People) -> None:
    part = send(owner, listing, {"city": "Rome", "do": "save"}, headers={"X-Part": "1"})
    assert (part.status_code, "Not public yet: City." in part.content.decode()) == (200, True)
    send(owner, listing, {"tagline": "x" * 201, "do": "save"})

    again = form_of(owner, listing)
    assert (again["city"], again["tagline"]) == ("Rome", "x" * 201)
    assert "Not public yet" in owner.get(path(listing)).content.decode()
    listing.refresh_from_db()
    assert (listing.city, ListingRevision.objects.count()) == ("Ghent", 0)
    listing.co_owners.add(people.stranger)
    other = signed_in(people.stranger)
    assert form_of(other, listing)["city"] == "Ghent"


def test_what_needs_a_fix_is_saved_and_told_everywhere_until_it_is_published(
    owner: Client, listing: Listing
) -> None:
    wrong = {"name": "", "founded_year": "20x1", "contact_email": "foo", "do": "save"}
    part = send(owner, listing, wrong, headers={"X-Part": "1"})
    again = form_of(owner, listing)
    assert (part.status_code, [again[name] for name in wrong if name != "do"]) == (200, ["", "20x1", "foo"])
    page = " ".join(owner.get(path(listing)).content.decode().split())
    told = (
        "Three fields need a fix before you can publish",
        "Founding year: Enter a year from 1800 to 2100, such as 2023.",
        "Contact address: Enter an e-mail address, such as hello@example.com.",
        "<b>3 to fix</b>",
        '<span class="small wrong">2 to fix</span>',
        ">Fix 3 fields</a>",
    )
    assert [words for words in told if words not in page] == []
    assert "Not saved" not in page + part.content.decode()

    review = send(owner, listing, {})
    assert (review.status_code, "Saved for you alone: three fields" in review.content.decode()) == (400, True)


def device_of(people: People) -> Client:
    return signed_in(people.owner)


def test_what_is_saved_is_there_on_another_device_until_it_is_published(
    owner: Client, listing: Listing, people: People
) -> None:
    send(owner, listing, {"city": "Rome", "do": "save"})
    phone = device_of(people)
    assert form_of(phone, listing)["city"] == "Rome"
    send(phone, listing, {"do": "publish"})

    assert Listing.objects.get().city == "Rome"
    assert "Not public yet: " not in owner.get(path(listing)).content.decode()


def test_two_devices_lose_nothing_of_each_other(owner: Client, listing: Listing, people: People) -> None:
    phone = device_of(people)
    desk, begun = form_of(owner, listing), form_of(phone, listing)
    owner.post(path(listing), desk | {"city": "Rome", "do": "save"})

    late = begun | {"headline": "Paid on time", "do": "save"}
    part = phone.post(path(listing), late, headers={"X-Part": "1"})
    assert (part.status_code, "on another device" in part.content.decode()) == (400, True)
    assert 'name="edits"' not in part.content.decode()
    assert (
        "Nothing was taken back"
        in phone.post(path(listing), begun | {"undo": "1"}, follow=True).content.decode()
    )
    shown = phone.post(path(listing), late | {"do": "publish"})
    assert "Check your 2 changes" in shown.content.decode()
    both = form_of(owner, listing)
    assert (both["city"], both["headline"], Listing.objects.get().city) == ("Rome", "Paid on time", "Ghent")

    other = phone.post(path(listing), begun | {"city": "Milan", "do": "save"})
    assert (other.status_code, form_of(owner, listing)["city"]) == (409, "Rome")
    assert "Rome" in other.content.decode().split('class="box tight clash"')[1].split("</div>")[0]
    typed = fields_of(other.content.decode())
    phone.post(path(listing), typed | {"stored": "city"})
    assert form_of(phone, listing)["city"] == "Rome"
    phone.post(path(listing), typed | {"do": "save"})
    assert form_of(owner, listing)["city"] == "Milan"


def test_a_save_is_undone_and_all_is_discarded(owner: Client, listing: Listing) -> None:
    send(owner, listing, {"city": "Rome", "do": "save"})
    send(owner, listing, {"city": "Milan", "do": "save"})
    for city in ("Rome", "Milan", "Rome"):
        send(owner, listing, {"undo": "1"})
        assert form_of(owner, listing)["city"] == city

    assert "Redo<span>: City<" in owner.get(path(listing)).content.decode()
    send(owner, listing, {"do": "discard"})
    assert form_of(owner, listing)["city"] == "Ghent"
    assert "Bring back your change<span>: City<" in owner.get(path(listing)).content.decode()


def test_save_and_undo_lead_back_to_what_changed(owner: Client, listing: Listing) -> None:
    for typed in ({"city": "Rome", "do": "save"}, {"undo": "1"}):
        assert send(owner, listing, typed)["Location"] == f"{path(listing)}#field-city"
    assert send(owner, listing, {"do": "save"})["Location"] == path(listing)


def test_reviewing_is_the_main_thing_once_there_is_something_to_review(
    owner: Client, listing: Listing
) -> None:
    quiet, main = (f'<button class="button{look}" form="editor" data-review>' for look in ("", " primary"))
    save = '<button class="button primary" form="editor" name="do" value="save">'
    before = " ".join(owner.get(path(listing)).content.decode().split())
    send(owner, listing, {"city": "Rome", "do": "save"})
    after = " ".join(owner.get(path(listing)).content.decode().split())
    assert (quiet in before, main in before, quiet in after, main in after) == (True, False, False, True)
    assert save not in before + after  # one main thing at a time, and none where there is nothing to do
    shown = owner.post(path(listing), form_of(owner, listing)).content.decode()
    assert ("Check your 1 change" in shown, main in " ".join(shown.split())) == (True, False)
    bar = shown.split('id="finish"')[1]  # which has both answers beside each other
    assert [part.count(f'value="{do}"') for part in (shown, bar) for do in ("publish", "discard")] == [1] * 4


def test_published_is_what_was_saved_and_the_rest_stays_as_it_is_now(
    owner: Client, listing: Listing, api: Api
) -> None:
    send(owner, listing, {"city": "Rome", "do": "save"})
    api("listings:write").patch(f"/api/v1/me/listings/{listing.pk}", {"fields": {"headline": "Paid on time"}})

    shown = send(owner, listing, {}).content.decode()
    assert "Check your 1 change<" in shown
    send(owner, listing, {"do": "publish"})

    listing.refresh_from_db()
    assert (listing.city, listing.headline) == ("Rome", "Paid on time")
    assert "Not public yet: " not in owner.get(path(listing)).content.decode()


def test_a_saved_text_clashes_with_what_was_published_meanwhile(
    owner: Client, listing: Listing, api: Api
) -> None:
    send(owner, listing, {"city": "Rome", "do": "save"})
    api("listings:write").patch(f"/api/v1/me/listings/{listing.pk}", {"fields": {"city": "Milan"}})

    page = owner.get(path(listing))
    assert "Milan" in page.content.decode().split('class="box tight clash"')[1].split("</div>")[0]
    typed = fields_of(page.content.decode())
    owner.post(path(listing), typed | {"do": "publish"})
    listing.refresh_from_db()
    assert listing.city == "Rome"


def test_name_category_people_tags_and_stage_are_changed_there(owner: Client, listing: Listing) -> None:
    make_category("payroll", name="Payroll")
    typed = {"name": "Tidewell Pay", "category_typed": "payroll", "stage": "beta", "tags": "pay\nteams"}
    people = {"founders-0-name": "Ana Vos", "founders-0-title": "Founder"}
    send(owner, listing, {**typed, **people, "do": "publish"})

    listing.refresh_from_db()
    assert (listing.name, listing.stage, listing.tags) == ("Tidewell Pay", "beta", ["pay", "teams"])
    assert [category.slug for category in Category.objects.filter(filed__listing=listing)] == ["payroll"]
    assert [row.founder.name for row in listing.founded_by.all()] == ["Ana Vos"]
    changed = ListingRevision.objects.get().changed
    assert set(changed) == {"name", "categories", "stage", "tags", "founders"}

    unknown = send(owner, listing, {"category_typed": "Pay roll", "do": "publish"})
    assert unknown.status_code == 400
    assert "Did you mean Payroll?" in unknown.content.decode()
    assert send(owner, listing, {"name": "", "do": "publish"}).status_code == 400
    assert Listing.objects.get().name == "Tidewell Pay"


def test_quotes_stand_beside_what_they_back(owner: Client, listing: Listing) -> None:
    field = owner.get(path(listing)).content.decode().split('id="field-city"')[1].split('id="field-')[0]
    assert "In Ghent" in field


def test_what_the_website_may_mean_is_taken_with_one_press(
    owner: Client, listing: Listing, people: People, site: Site
) -> None:
    draft = blank_draft(owner=people.owner, site=site)
    Draft.objects.filter(pk=draft.pk).update(listing=listing)
    offer = {"value": "From €9", "confidence": 0.6, "evidence": [QUOTE]}
    draft.field_rows.filter(name="pricing_summary").update(suggestions=[offer])
    Listing.objects.filter(pk=listing.pk).update(pricing_summary="")

    field = (
        owner.get(path(listing))
        .content.decode()
        .split('id="field-pricing_summary"')[1]
        .split('id="field-')[0]
    )
    assert "In Ghent" in field
    key = field.split('name="take"')[1].split('value="')[1].split('"')[0]
    answer = send(owner, listing, {"take": key})
    assert (answer.status_code, form_of(owner, listing)["pricing_summary"]) == (302, "From €9")
    send(owner, listing, {"do": "publish"})
    assert Listing.objects.get(pk=listing.pk).pricing_summary == "From €9"


def test_people_are_shown_with_the_photos_that_they_put_up(owner: Client, listing: Listing) -> None:
    send(owner, listing, {"founders-0-name": "Ana Vos", "do": "publish"})
    founder = listing.founded_by.get().founder
    founder.photo = "founders/ana.png"
    founder.save(update_fields=["photo"])

    row = owner.get(path(listing)).content.decode().split('id="field-founders"')[1].split("<fieldset")[0]
    assert 'src="/media/founders/ana.png"' in " ".join(row.split())


def test_all_its_categories_are_told_beside_the_main_one(owner: Client, people: People, site: Site) -> None:
    categories = ("payroll", "invoicing", "booking")
    filed = make_listing(owner=people.owner, plan="paid", categories=categories)
    page = " ".join(owner.get(path(filed)).content.decode().split())

    field = page.split('id="field-categories"')[1].split('id="field-')[0]
    assert "Main category</span>" in field
    assert "None of these" not in field
    assert "Also filed under <button" in field
    buttons = [f'value="categories.{name}"' in field for name in ("Payroll", "Invoicing", "Booking")]
    assert buttons == [False, True, True]

    send(owner, filed, {"category_also": "Invoicing\r\nBooking", "without": "categories.Invoicing"})
    assert form_of(owner, filed)["category_also"] == "Booking"
    send(owner, filed, {"category_also": "Booking", "do": "publish"})
    assert [row.category.slug for row in filed.filed.order_by("position")] == ["payroll", "booking"]


def test_a_category_that_is_none_stays_in_its_field_with_what_is_near(
    owner: Client, listing: Listing
) -> None:
    make_category("payroll", name="Payroll")
    send(owner, listing, {"category_typed": "Payrol", "do": "save"})
    page = " ".join(owner.get(path(listing)).content.decode().split())

    field = page.split('id="field-categories"')[1].split('id="field-')[0]
    assert "No category “Payrol”. Did you mean Payroll?" in field
    assert ('value="Payrol"' in field, '<details class="adding" open>' in field) == (True, True)


def test_a_link_is_one_line_and_a_group_says_how_much_of_it_is_filled(
    owner: Client, listing: Listing
) -> None:
    Listing.objects.filter(pk=listing.pk).update(features=["Dunning", "Reminders"])
    page = owner.get(path(listing)).content.decode()

    links = ("socials-facebook", "socials-instagram", "socials-medium", "demo_video_url", "milestones-0-url")
    assert [name for name in links if f'<input type="url" name="{name}"' not in page] == []
    assert 'Features<span class="small faint">1 of 3</span>' in page
