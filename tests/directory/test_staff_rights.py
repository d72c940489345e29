"""What of a listing is worth money or power: no form gives it, each is an act of its own, and never for oneself."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import StaffAct, User
from core import jobs
from directory.launches import featuring
from directory.models import Category, FormerSlug, Listing, ListingCategory, Site
from tests.conftest import People
from tests.directory.test_admin import form_of
from tests.factories.listings import make_category, make_listing
from tests.factories.staff import fresh, make_staff, staff_client

UNTIL = datetime(2027, 11, 1, 12, 0, tzinfo=UTC)
PAID = {
    "plan": "paid",
    "featured_until": "2027-11-01T12:00",
    "sections": ["story", "media"],
    "reason": "A prize of the spring fair.",
}
POWERS = ("plan", "featured_until", "unlocked_sections", "owner_id", "slug", "url")


def page_of(listing: Listing, part: str = "change") -> str:
    return f"/admin/directory/listing/{listing.pk}/{part}/"


def powers(listing: Listing) -> list[Any]:
    row = Listing.objects.values_list(*POWERS).get(pk=listing.pk)
    return [*row, *listing.co_owners.values_list("email", flat=True)]


@pytest.mark.parametrize("role", ["editor", "moderator", "administrator"])
@pytest.mark.parametrize("tab", ["", "facts", "links", "story", "sites"])
def test_save_changes_nothing_that_is_worth_money_or_power(
    site: Site, people: People, role: str, tab: str
) -> None:
    listing, client = make_listing(owner=people.owner), staff_client(role)
    before, me = powers(listing), User.objects.get(email=f"{role}@staff.example")
    address = f"{page_of(listing)}?tab={tab}"
    more = {
        "plan": "paid",
        "featured_until_0": "2027-11-01",
        "featured_until_1": "12:00",
        "featured_until": "2027-11-01T12:00",
        "unlocked_sections": "story\nmedia",
        "owner": str(me.pk),
        "co_owners": str(me.pk),
        "slug": "mine",
        "url": "https://mine.example/",
    }

    client.post(address, form_of(client.get(address)) | more)

    assert powers(listing) == before


def test_an_editor_takes_no_bought_category_away_and_gives_none(site: Site, people: People) -> None:
    listing, editor = make_listing(owner=people.owner), staff_client("editor")
    bought = ListingCategory.objects.create(
        listing=listing, category=make_category("crm"), position=1, is_bought=True
    )
    address = f"{page_of(listing)}?tab=facts"
    form = form_of(editor.get(address))

    refused = editor.post(address, form | {"filed-1-DELETE": "on"})
    editor.post(address, form | {"filed-0-is_bought": "on"})

    assert (
        "This category was paid for. Plans and paid places are given by finance" in refused.content.decode()
    )
    assert list(ListingCategory.objects.order_by("position").values_list("category", "is_bought")) == [
        (Category.objects.get(slug="invoicing").pk, False),
        (bought.category_id, True),
    ]


def test_paid_places_are_given_by_finance_with_a_reason_and_a_line(site: Site, people: People) -> None:
    listing = make_listing(owner=people.owner)
    for role in ("editor", "moderator"):
        client = fresh(staff_client(role))
        assert client.get(page_of(listing, "give")).status_code == 404
        assert client.post(page_of(listing, "give"), PAID).status_code == 403
    finance = fresh(staff_client("finance"))
    finance.post(page_of(listing, "give"), PAID | {"reason": " "})
    assert powers(listing)[:3] == ["free", None, []]

    sent = finance.post(page_of(listing, "give"), PAID)

    assert sent.status_code == 302
    assert powers(listing)[:3] == ["paid", UNTIL, ["story", "media"]]
    line = StaffAct.objects.get()
    assert (line.act, line.reason, line.role) == ("listings.give", PAID["reason"], "finance")
    assert line.before == {"plan": "free", "featured_until": None, "unlocked_sections": []}
    assert line.after == {
        "plan": "paid",
        "featured_until": UNTIL.isoformat(),
        "unlocked_sections": ["story", "media"],
    }


def test_nobody_gives_to_themself(site: Site, people: People) -> None:
    for role, act, given in (
        ("finance", "give", PAID),
        ("moderator", "co_owners", {"emails": people.stranger.email, "reason": "x"}),
        ("moderator", "address", {"slug": "mine", "url": "https://mine.example/", "reason": "x"}),
    ):
        client = fresh(staff_client(role, name=f"{role}-{act}".replace("_", "-")))
        me = User.objects.get(pk=client.session["_auth_user_id"])
        own = make_listing(f"own-{act}".replace("_", "-"), owner=me)
        before = powers(own)
        answer = client.post(page_of(own, act), given, follow=True)
        assert "It is yours. A colleague has to do that; nothing was changed." in answer.content.decode()
        assert powers(own) == before

    others = make_listing("others", owner=people.owner)
    boss = fresh(staff_client("administrator"))
    for address, given in (
        (page_of(others, "co_owners"), {"emails": "administrator@staff.example", "reason": "x"}),
        (f"/admin/claims/claim/move/{others.pk}/", {"email": "administrator@staff.example", "reason": "x"}),
    ):
        answer = boss.post(address, given, follow=True)
        assert "A colleague has to do that" in answer.content.decode()
    assert powers(others) == ["free", None, [], people.owner.pk, "others", others.url]
    assert not StaffAct.objects.exists()


def test_co_owners_are_chosen_by_moderators_and_the_owner_reads_it(
    site: Site, people: People, mailoutbox: list[Any]
) -> None:
    listing, moderator = make_listing(owner=people.owner), fresh(staff_client("moderator"))
    unknown = moderator.post(
        page_of(listing, "co_owners"), {"emails": "who@nowhere.example", "reason": "x"}
    ).content.decode()
    assert "Nobody has an account with the address who@nowhere.example." in unknown

    moderator.post(
        page_of(listing, "co_owners"), {"emails": people.stranger.email, "reason": "Their agency."}
    )
    jobs.run_due()

    assert list(listing.co_owners.all()) == [people.stranger]
    assert [(mail.to, "Reason: Their agency." in mail.body) for mail in mailoutbox] == [
        ([people.owner.email], True)
    ]
    assert StaffAct.objects.get().after == {"co_owners": [people.stranger.pk]}


def test_an_address_is_changed_by_moderators_and_the_former_leads_on(
    site: Site, people: People, client: Client
) -> None:
    listing, moderator = make_listing(owner=people.owner), staff_client("moderator")
    make_listing("taken")
    refused = moderator.post(
        page_of(listing, "address"), {"slug": "taken", "url": listing.url, "reason": "x"}, follow=True
    )
    assert "Another listing has that address. Nothing was changed." in refused.content.decode()

    new = {"slug": "tidewell-2", "url": "https://new.tidewell.example/", "reason": "They moved."}
    moderator.post(page_of(listing, "address"), new)

    listing.refresh_from_db()
    assert (listing.slug, listing.url, listing.host) == (new["slug"], new["url"], "new.tidewell.example")
    assert FormerSlug.objects.get().slug == "tidewell"
    assert client.get("/listings/tidewell").headers["Location"] == "/listings/tidewell-2"


def test_a_new_listing_is_given_to_nobody_by_an_editor_and_never_to_oneself(
    site: Site, people: People
) -> None:
    make_staff("editor")
    for role, owner, expected in (
        ("editor", people.owner, None),
        ("moderator", people.owner, people.owner.pk),
    ):
        client = staff_client(role)
        made = {
            "site": site.pk,
            "slug": f"by-{role}",
            "name": "By hand",
            "url": f"https://{role}.example/",
            "owner": owner.pk,
        }
        form = form_of(client.get("/admin/directory/listing/add/"))
        assert client.post("/admin/directory/listing/add/", form | made).status_code == 302
        assert Listing.objects.get(slug=f"by-{role}").owner_id == expected
    me = User.objects.get(email="moderator@staff.example")
    refused = client.post("/admin/directory/listing/add/", form | made | {"slug": "mine", "owner": me.pk})
    assert refused.status_code == 200
    assert not Listing.objects.filter(slug="mine").exists()


def test_a_change_of_plan_leaves_the_days_that_wait_for_a_launch(site: Site, people: People) -> None:
    listing = make_listing(owner=people.owner, status="draft", launched_at=None)
    begins = datetime(2026, 1, 5, 12, 3, 17, tzinfo=UTC)
    listing.featured_places.create(begins_at=begins, ends_at=begins + timedelta(days=7), with_launch=True)
    featuring.keep_end(listing, at=begins + timedelta(days=30))
    finance = fresh(staff_client("finance"))
    minute = "2026-01-12T12:03"
    assert f'value="{minute}"' in finance.get(page_of(listing, "give")).content.decode()

    sent = {"plan": "paid", "featured_until": minute, "reason": "A prize."}
    assert finance.post(page_of(listing, "give"), sent).status_code == 302

    assert powers(listing)[:2] == ["paid", begins + timedelta(days=7)]
    assert listing.featured_places.count() == 1
