"""What owners put right on the account pages: posted updates, whether a listing is on the site, interview answers."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from core import jobs
from directory.editorial.updates import post_listing_update
from directory.engagement import voting
from directory.listings.claiming import hand_over
from directory.models import (
    Founder,
    InterviewAnswer,
    InterviewQuestion,
    Listing,
    ListingFounder,
    ListingUpdate,
)
from directory.moderation.status import moderate
from tests.conftest import People, signed_in
from tests.factories.listings import make_listing

pytestmark = pytest.mark.django_db


@pytest.fixture
def now() -> datetime:
    return timezone.now()


@pytest.fixture
def listing(people: People, site: Any, now: datetime) -> Listing:
    return make_listing("tidewell", owner=people.owner, at=now, votes=3)


@pytest.fixture
def owner(people: People, client: Client) -> Client:
    client.force_login(people.owner)
    return client


@pytest.fixture
def posted(people: People, listing: Listing, now: datetime) -> ListingUpdate:
    voting.follow(user=people.stranger, listing_id=listing.pk, at=now)
    return post_listing_update(
        owner_id=people.owner.pk, listing_id=listing.pk, title="Fisrt", body="It is here.", at=timezone.now()
    )


def words(client: Client, path: str) -> str:
    return " ".join(client.get(path).content.decode().split())


def test_an_update_is_corrected_where_it_stands(
    posted: ListingUpdate, listing: Listing, owner: Client
) -> None:
    pages = f"/account/listings/{listing.pk}/updates"
    assert f'href="{pages}/{posted.pk}"' in words(owner, pages)

    empty = owner.post(f"{pages}/{posted.pk}", {"title": "First", "body": ""})
    assert (empty.status_code, 'value="First"' in empty.content.decode()) == (400, True)
    owner.post(f"{pages}/{posted.pk}", {"title": "First", "body": "It is here."})

    assert "First" in words(Client(), "/listings/tidewell")
    assert "Fisrt" not in words(Client(), "/feeds/listings/tidewell/updates.atom")


def test_a_removed_update_is_told_to_nobody(posted: ListingUpdate, listing: Listing, owner: Client) -> None:
    owner.post(f"/account/listings/{listing.pk}/updates/{posted.pk}/remove")
    jobs.run_due()

    assert "Fisrt" not in words(Client(), "/listings/tidewell")
    assert [message for message in mail.outbox if "Fisrt" in message.body] == []


def test_updates_belong_to_their_owner(
    posted: ListingUpdate, listing: Listing, people: People, client: Client, owner: Client
) -> None:
    other = make_listing("other", owner=people.owner)
    for path in (f"/account/listings/{other.pk}/updates/{posted.pk}",):
        assert owner.get(path).status_code == owner.post(f"{path}/remove").status_code == 404
    client.force_login(people.stranger)
    path = f"/account/listings/{listing.pk}/updates/{posted.pk}"
    assert [client.get(path).status_code, client.post(path).status_code] == [404, 404]
    assert client.post(f"{path}/remove").status_code == 404
    assert ListingUpdate.objects.get().title == "Fisrt"


def test_an_owner_takes_a_listing_off_and_puts_it_back(listing: Listing, owner: Client) -> None:
    off = f"/account/listings/{listing.pk}/off"
    assert "You can publish it again whenever you like." in words(owner, off)
    owner.post(off, {"do": "off"})

    gone = Client().get("/listings/tidewell")
    assert (gone.status_code, "removed" in gone.content.decode()) == (410, True)
    assert "Tidewell" not in words(Client(), "/weeks/this")
    assert "Publish again" in words(owner, f"/account/listings/{listing.pk}")

    owner.post(off, {"do": "back"})
    listing.refresh_from_db()
    assert (listing.status, Client().get("/listings/tidewell").status_code) == ("live", 200)
    assert listing.stats.votes == 3
    assert listing.moves.count() == 2


def test_what_staff_archived_its_owner_does_not_put_back(
    listing: Listing, people: People, owner: Client, now: datetime
) -> None:
    moderate(listing_id=listing.pk, to="archived", staff_id=people.staff.pk, at=now, reason="Closed down.")
    off = f"/account/listings/{listing.pk}/off"
    assert "only the site team can take it down" in words(owner, off)

    answer = owner.post(off, {"do": "back"}, follow=True)
    assert "The site team took this listing off" in answer.content.decode()
    listing.refresh_from_db()
    assert listing.status == "archived"


@pytest.mark.parametrize(("taken_off_by", "status"), [("staff", "archived"), ("owner", "live")])
def test_who_comes_to_own_it_puts_back_what_owners_took_off_alone(
    listing: Listing, people: People, owner: Client, now: datetime, taken_off_by: str, status: str
) -> None:
    off = f"/account/listings/{listing.pk}/off"
    if taken_off_by == "owner":
        owner.post(off, {"do": "off"})
    else:
        moderate(listing_id=listing.pk, to="archived", staff_id=people.staff.pk, at=now, reason="Copied.")
    listing.refresh_from_db()
    by, later = f"user:{people.stranger.pk}", now + timedelta(days=1)
    hand_over(listing, owner=people.stranger, by=by, reason="Claim 7 was verified.", at=later)

    signed_in(people.stranger).post(off, {"do": "back"})

    listing.refresh_from_db()
    assert listing.status == status


def test_only_a_live_listing_and_only_its_owner_takes_off(
    listing: Listing, people: People, client: Client, now: datetime
) -> None:
    saved = make_listing("saved", owner=people.owner, status="draft")
    client.force_login(people.owner)
    answer = client.post(f"/account/listings/{saved.pk}/off", {"do": "off"}, follow=True)
    assert "Write to the site team" in answer.content.decode()

    listing.co_owners.add(people.stranger)
    client.force_login(people.stranger)
    assert "Only the owner can unpublish a listing." in words(client, f"/account/listings/{listing.pk}/off")
    assert client.post(f"/account/listings/{listing.pk}/off", {"do": "off"}).status_code == 404
    listing.refresh_from_db()
    assert listing.status == "live"


def test_answers_of_the_interview_stand_on_the_listing_escaped(
    listing: Listing, people: People, now: datetime
) -> None:
    asked, gone = (
        InterviewQuestion.objects.create(question=text, order=number, is_active=is_active)
        for number, (text, is_active) in enumerate((("Why did you begin?", True), ("Old one?", False)))
    )
    for question in (asked, gone):
        InterviewAnswer.objects.create(
            user=people.owner, question=question, answer="<b>Rain</b> on slates.", updated_at=now
        )

    text = words(Client(), "/listings/tidewell")
    assert "Why did you begin?" in text
    assert "&lt;b&gt;Rain&lt;/b&gt; on slates." in text
    assert "Old one?" not in text


@pytest.mark.parametrize("role", ["owner", "founder"])
def test_of_somebody_with_several_products_a_listing_has_the_answers_that_name_it(
    listing: Listing, people: People, now: datetime, role: str
) -> None:
    texts = (f"{listing.name} began in a shed.", "Other answers.")
    for number, text in enumerate(texts):
        question = InterviewQuestion.objects.create(question=f"Why {number}?", order=number)
        InterviewAnswer.objects.create(user=people.owner, question=question, answer=text, updated_at=now)
    alone = words(Client(), "/listings/tidewell")
    other = make_listing("hourfold", owner=people.owner if role == "owner" else people.stranger, at=now)
    founder = Founder.objects.create(slug="ines", name="Inês", user=people.owner, created_at=now)
    ListingFounder.objects.create(listing=other, founder=founder)

    several = words(Client(), "/listings/tidewell")
    assert [text in alone for text in texts] == [True, True]
    assert [text in several for text in texts] == [True, False]
    assert 'id="interview"' not in words(Client(), "/listings/hourfold")


def test_with_pictures_and_without_a_listing_says_what_it_does_before_its_features(
    site: Any, now: datetime
) -> None:
    facts = {"short_description": "Forecasts cash.", "description": "A long text.", "features": ["Eats CSV"]}
    make_listing("plain", at=now, **facts)
    make_listing("pictured", at=now, site_picture={"file": "pictures/a.webp"}, **facts)

    for slug in ("plain", "pictured"):
        page = words(Client(), f"/listings/{slug}")
        places = [page.rindex(text) for text in ("Forecasts cash.", "A long text.", "Eats CSV")]
        assert places == sorted(places)
        before = page.split('id="overview"')[1].split("A long text.")[0]
        assert ("<img" in before) == (slug == "pictured")


@pytest.mark.parametrize(
    "path", ["/search?q=pictured", "/categories/invoicing", "/leaderboards/community-all-time"]
)
def test_lists_show_the_picture_of_what_has_one(site: Any, now: datetime, path: str) -> None:
    make_listing("plain", at=now, name="Pictured plainly")
    make_listing("pictured", at=now, site_picture={"file": "pictures/a.webp"})

    rows = words(Client(), path).split('<li class="row')[1:]

    assert {row.split('id="')[1].split('"')[0]: 'class="thumb"' in row for row in rows} == {
        "plain": False,
        "pictured": True,
    }


@pytest.mark.parametrize("path", ["/search", "/founders"])
def test_a_new_site_does_not_say_that_a_search_failed(site: Any, path: str) -> None:
    empty, searched = words(Client(), path), words(Client(), f"{path}?q=zzqqx")

    assert ("Nothing here yet" in empty or "Nobody here yet" in empty) is True
    assert [text in empty for text in ("Nothing fits", "Nobody found")] == [False, False]
    assert "Nothing fits" in searched or "Nobody found" in searched
