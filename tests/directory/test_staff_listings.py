"""The page of a listing and the acts on it: each by the least role that may, with its line, and undone where told."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import StaffAct, User
from core import jobs
from directory.listings.editing import update_my_listing
from directory.models import (
    BadgeCheck,
    Follow,
    FormerSlug,
    Launch,
    Listing,
    ListingRevision,
    ListingStats,
    Report,
    Site,
    Undo,
    Vote,
)
from directory.weeks import WEEK, week_of
from tests.conftest import Api, People
from tests.directory.test_admin import form_of
from tests.factories.listings import make_listing
from tests.factories.staff import make_staff

REASON = {"kind": "spam", "text": "Nothing but links."}


def page_of(listing: Listing, part: str = "change") -> str:
    return f"/admin/directory/listing/{listing.pk}/{part}/"


def words(answer: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


@pytest.fixture
def clients(site: Site) -> dict[str, Client]:
    """A client for each role."""
    found = {}
    for role in ("editor", "moderator", "finance"):
        found[role] = Client()
        found[role].force_login(make_staff(role))
    return found


@pytest.fixture
def moderator(clients: dict[str, Client]) -> Client:
    return clients["moderator"]


def person(number: int) -> User:
    return User.objects.create(email=f"voter-{number}@people.example")


def vote(listing: Listing, *users: User, **fields: Any) -> list[Vote]:
    now = timezone.now()
    rows = [
        Vote.objects.create(listing=listing, user=user, week=week_of(now), created_at=now, **fields)
        for user in users
    ]
    count = 0 if fields.get("held_at") else len(rows)
    ListingStats.objects.filter(pk=listing.pk).update(votes=count)
    Launch.objects.filter(listing=listing).update(votes=count)
    return rows


def counts(*listings: Listing) -> list[tuple[int, int]]:
    found = dict(ListingStats.objects.values_list("pk", "votes"))
    weeks = dict(Launch.objects.values_list("listing", "votes"))
    return [(found[listing.pk], weeks[listing.pk]) for listing in listings]


def test_the_page_says_why_it_is_not_live_and_what_happened(
    clients: dict[str, Client], people: People
) -> None:
    now = timezone.now()
    listing = make_listing(owner=people.owner, status="awaiting_badge", at=now + WEEK, city="Ghent")
    BadgeCheck.objects.create(
        listing=listing, at=now, found=False, result="not_found", detail="No link to us."
    )
    update_my_listing(
        owner_id=people.owner.pk, listing_id=listing.pk, changes={"fields": {"city": "Rome"}}, at=now
    )

    shown = words(clients["finance"].get(page_of(listing)))

    assert "Why it is not live. The free plan needs our badge on tidewell.example." in shown
    assert "No link to us. Once it is there, it launches on Monday" in shown
    assert "City: Ghent Rome" in shown
    assert "Badge looked for: No link to us." in shown
    edits = words(clients["finance"].get(page_of(listing) + "?kind=edits"))
    assert ("City: Ghent Rome" in edits, "Badge looked for" in edits) == (True, False)
    assert clients["finance"].post(page_of(listing), {"tagline": "x"}).status_code == 403
    for tab in ("facts", "links", "story", "votes", "sites"):
        assert clients["editor"].get(f"{page_of(listing)}?tab={tab}").status_code == 200


def test_old_events_come_a_page_at_a_time(moderator: Client) -> None:
    listing, now = make_listing(), timezone.now()
    for number in range(60):
        at = now - timedelta(hours=number)
        BadgeCheck.objects.create(
            listing=listing, at=at, found=True, result="found", detail=f"Look {number}."
        )

    first = moderator.get(page_of(listing)).content.decode()
    older = re.search(r'href="(\?[^"]*before=[^"]+)#history"', first)
    assert older
    second = moderator.get(page_of(listing) + older[1].replace("&amp;", "&")).content.decode()

    assert ("Look 49." in first, "Look 50." in first) == (True, False)
    assert ("Look 49." in second, "Look 59." in second) == (False, True)


def test_questions_and_links_are_rows_with_fields(clients: dict[str, Client], api: Api) -> None:
    faqs = [{"question": "Free?", "answer": "Yes."}, {"question": "Safe?", "answer": "Yes, very."}]
    listing = make_listing(faqs=faqs, features=["Plans, and more", "Reports"])
    address = page_of(listing) + "?tab=links"
    page = clients["editor"].get(address)
    form = form_of(page) | {
        "faqs-0-question": "Free?",
        "faqs-0-answer": "For ten days.",
        "faqs-0-order": "2",
        "faqs-1-question": "Safe?",
        "faqs-1-answer": "Yes, very.",
        "faqs-1-order": "1",
        "faqs-2-question": "New?",
        "faqs-2-answer": "Since May.",
        "socials-x": "https://x.com/tidewell",
    }

    assert 'name="faqs-1-answer"' in page.content.decode()
    answer = clients["editor"].post(address, form)

    assert answer.status_code == 302, answer.context["adminform"].form.errors
    shown = api().get("/api/v1/listings/tidewell").json()
    assert [faq["question"] for faq in shown["faqs"]] == ["Safe?", "Free?", "New?"]
    assert shown["socials"] == {"x": "https://x.com/tidewell"}
    assert shown["features"] == ["Plans, and more", "Reports"]
    assert ListingRevision.objects.get().review == "accepted"


def test_two_who_save_at_once_both_keep_their_words(clients: dict[str, Client], people: People) -> None:
    listing = make_listing(owner=people.owner, tagline="First", city="Ghent")
    editor, form = clients["editor"], form_of(clients["editor"].get(page_of(listing)))
    changes = {"fields": {"tagline": "Theirs", "city": "Rome"}}
    update_my_listing(owner_id=people.owner.pk, listing_id=listing.pk, changes=changes, at=timezone.now())

    refused = editor.post(page_of(listing), form | {"tagline": "Mine"})
    listing.refresh_from_db()
    assert (listing.tagline, listing.city) == ("Theirs", "Rome")
    told = refused.context["adminform"].form.errors["tagline"][0]
    assert re.match(r"owner saved this at \d\d:\d\d: “Theirs”\.", told)
    assert set(refused.context["adminform"].form.errors) == {"tagline"}
    again = editor.post(page_of(listing), form_of(refused) | {"tagline": "Mine"})

    assert again.status_code == 302
    listing.refresh_from_db()
    assert (listing.tagline, listing.city) == ("Mine", "Rome")


def test_a_listing_is_suspended_with_a_reason_and_restored(
    clients: dict[str, Client], people: People, mailoutbox: list[Any]
) -> None:
    listing = make_listing(owner=people.owner)
    for role, (seen, sent) in {"editor": (404, 403), "finance": (404, 403)}.items():
        assert clients[role].get(page_of(listing, "suspend")).status_code == seen
        assert clients[role].post(page_of(listing, "suspend"), REASON).status_code == sent
    empty = clients["moderator"].post(page_of(listing, "suspend"), {"kind": "other", "text": " "})
    assert (empty.status_code, Listing.objects.get().status) == (200, "live")

    clients["moderator"].post(page_of(listing, "suspend"), REASON)
    assert Listing.objects.get().status == "suspended"
    shown = words(clients["moderator"].get(page_of(listing)))
    assert "It is suspended: It is spam, or doesn’t belong here. Nothing but links." in shown
    clients["moderator"].post(page_of(listing, "restore"), {"reason": "A mistake."})
    jobs.run_due()

    assert Listing.objects.get().status == "live"
    assert ["Nothing but links." in mail.body for mail in mailoutbox] == [True, False]
    lines = list(StaffAct.objects.order_by("pk").values_list("act", "said", "label"))
    assert lines == [
        ("listings.suspend", "suspended the listing", "Tidewell"),
        ("listings.suspend", "restored the listing", "Tidewell"),
    ]


def test_a_launch_gets_another_week_and_its_badge_is_waived(moderator: Client, people: People) -> None:
    now = timezone.now()
    listing = make_listing(owner=people.owner, status="awaiting_badge", at=now + WEEK)
    later = week_of(now) + 3 * WEEK

    assert moderator.post(page_of(listing, "week"), {"week": later.isoformat()}).status_code == 302
    listing.refresh_from_db()
    assert (listing.launch_week, Launch.objects.get().week) == (later, later)
    moderator.post(page_of(listing, "waive"), {"reason": "Their site takes no images."})

    listing.refresh_from_db()
    assert (listing.status, listing.badge_waived) == ("scheduled", True)
    asked = moderator.post(page_of(listing, "check"), follow=True)
    assert "Nobody waits for a badge of this listing." in words(asked)


def test_duplicates_are_merged_and_taken_apart(moderator: Client, people: People, client: Client) -> None:
    now = timezone.now()
    old = make_listing("tidewell-2", owner=people.stranger, at=now)
    new = make_listing("tidewell", owner=people.owner, at=now)
    both, one, two = (person(number) for number in range(3))
    vote(old, both, one, people.owner)
    vote(new, both, two)
    Follow.objects.create(listing=old, user=one, created_at=now)
    before = counts(old, new)

    asked = moderator.post(page_of(old, "merge"), {"into": "/listings/tidewell"})
    assert "3 votes (2 people voted for both, counted once)" in words(asked)
    compared = words(moderator.get(f"{page_of(old, 'merge')}?into=tidewell"))
    sides = ("which goes", "which stays", people.stranger.email, people.owner.email, "/listings/tidewell-2")
    assert [side for side in sides if side not in compared] == []
    assert Listing.objects.get(pk=old.pk).is_live
    moderator.post(page_of(old, "merge"), {"into": "tidewell", "sure": "tidewell"})

    assert before == [(3, 3), (2, 2)]
    assert counts(old, new) == [(2, 2), (3, 3)]
    assert Follow.objects.get().listing == new
    moved = client.get("/listings/tidewell-2")
    assert (moved.status_code, moved["Location"]) == (301, "/listings/tidewell")
    line = StaffAct.objects.get()
    assert line.undo == f"/admin/directory/listing/undo/{Undo.objects.get().pk}/"
    for _ in range(2):
        moderator.post(line.undo, {"undoes": line.pk})

    assert counts(old, new) == before
    assert Follow.objects.get().listing == old
    assert client.get("/listings/tidewell-2").status_code == 200
    assert not FormerSlug.objects.exists()
    assert StaffAct.objects.count() == 2


def test_an_account_is_banned_with_its_listings_and_opened_again(
    site: Site, people: People, client: Client
) -> None:
    rows = [make_listing(f"spam-{number}", owner=people.owner) for number in range(3)]
    gone = make_listing("gone", owner=people.owner, status="rejected")
    moderator, member = Client(), make_staff("moderator")
    member.set_password("correct horse battery")
    member.save(update_fields=["password"])
    moderator.force_login(member)
    assert moderator.get(page_of(rows[0], "ban"))["Location"].startswith("/accounts/reauthenticate/")
    session = moderator.session
    session["account_authentication_methods"] = [{"method": "password", "at": timezone.now().timestamp()}]
    session["account_authentication_methods_user"] = session["_auth_user_id"]
    session.save()
    client.force_login(people.owner)

    assert "Ban this account and its 3 listings?" in words(moderator.get(page_of(rows[0], "ban")))
    moderator.post(page_of(rows[0], "ban"), REASON)

    assert set(Listing.objects.values_list("status", flat=True)) == {"suspended", "rejected"}
    assert client.get("/account").status_code == 302
    line = StaffAct.objects.get()
    moderator.post(line.undo, {"undoes": line.pk})
    assert set(Listing.objects.exclude(pk=gone.pk).values_list("status", flat=True)) == {"live"}
    gone.refresh_from_db()
    assert gone.status == "rejected"
    people.owner.refresh_from_db()
    assert people.owner.suspended_at is None


def test_a_report_is_closed_and_the_next_one_shown(clients: dict[str, Client], people: People) -> None:
    now = timezone.now()
    listing = make_listing(city="Ghent")
    first, second = (
        Report.objects.create(
            listing=listing,
            reason="wrong",
            fact="city",
            text=f"<i>{number}</i>",
            created_at=now + timedelta(minutes=number),
        )
        for number in range(2)
    )
    address = f"/admin/directory/report/{first.pk}/change/"
    assert clients["editor"].get(address).status_code == 404
    assert clients["editor"].post(address, {"resolution": "Mended."}).status_code == 403

    shown = clients["moderator"].get(address).content.decode()
    assert ("&lt;i&gt;0&lt;/i&gt;" in shown, "Ghent" in shown) == (True, True)
    answer = clients["moderator"].post(address, {"resolution": "Mended."})

    first.refresh_from_db()
    assert (first.status, first.resolution) == ("closed", "Mended.")
    assert answer["Location"] == f"/admin/directory/report/{second.pk}/change/"


def test_a_burst_is_voided_the_owner_told_and_undone(
    clients: dict[str, Client], people: People, mailoutbox: list[Any]
) -> None:
    now = timezone.now()
    listing, rival = make_listing("quillon", owner=people.owner, at=now), make_listing("rival", at=now)
    held = vote(listing, *(person(number) for number in range(4)), held_at=now, held_for="4 of one network")
    vote(rival, person(9), person(10))
    address = f"/admin/directory/vote/risks/{listing.pk}/"
    assert clients["editor"].get(address).status_code == 404
    assert clients["editor"].post(address, {"act": "void"}).status_code == 403

    assert "Quillon" in words(clients["moderator"].get("/admin/directory/vote/risks/"))
    shown = words(clients["moderator"].get(address))
    assert "4 votes in 1 min from 0 networks" in shown
    assert "Without them it stands on rank 2 of this week, with them on 1 ." in shown
    ids = [str(row.pk) for row in held]
    none = clients["moderator"].post(address, {"act": "void", "vote": ids, "reason": ""})
    assert "This field is required." in words(none)
    clients["moderator"].post(address, {"act": "release", "vote": ids[:1]})
    clients["moderator"].post(address, {"act": "void", "vote": ids, "reason": "Accounts made for it."})
    assert counts(listing) == [(1, 1)]
    jobs.run_due()
    (mail,) = mailoutbox
    assert "3 votes for Quillon" in mail.body
    assert "Accounts made for it." in mail.body
    line = StaffAct.objects.latest("pk")
    clients["moderator"].post(line.undo, {"undoes": line.pk})

    assert Vote.objects.filter(listing=listing, voided_at__isnull=False).count() == 0
    assert counts(listing) == [(1, 1)]


def test_a_listing_costs_no_more_with_much_behind_it(
    moderator: Client, people: People, django_assert_max_num_queries: Any
) -> None:
    listing = make_listing(owner=people.owner)
    moderator.get(page_of(listing))
    with django_assert_max_num_queries(18):  # of which two are the savepoint of a test
        moderator.get(page_of(listing))
    for number in range(12):
        changes = {"fields": {"city": f"City {number}"}}
        update_my_listing(owner_id=people.owner.pk, listing_id=listing.pk, changes=changes, at=timezone.now())
        BadgeCheck.objects.create(listing=listing, at=timezone.now(), found=True, result="found")
        vote(listing, person(number))
    with django_assert_max_num_queries(18):
        moderator.get(page_of(listing))
