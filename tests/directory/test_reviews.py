"""Reviews: written by people on the pages, one each, shown with their average from three on."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from accounts.models import User
from config.docs.pages import schema
from config.mcp.tools import catalogue
from core import jobs
from core.api import caching
from core.models import Job
from directory.models import Founder, Listing, ListingFounder, ListingStats, Review, ReviewVersion, Site
from directory.moderation import banning, merging
from directory.reviews import answering, deciding
from directory.reviews.writing import delete_review
from directory.search import public_data
from tests.conftest import Api, People
from tests.factories.listings import AT, make_listing
from tests.factories.reviews import HERE, TEXT, make_review, reader, regular, review

WRITE = "/listings/brindle/reviews/write"
FORM = {"stars": "4", "how": "uses", "text": TEXT, "unpaid": "on"}


@pytest.fixture(autouse=True)
def now() -> Any:
    with time_machine.travel(AT, tick=False):
        yield


@pytest.fixture
def listing(site: Site, people: People) -> Listing:
    return make_listing("brindle", owner=people.owner)


@pytest.fixture
def other(site: Site) -> Listing:
    return make_listing("saltmarsh")


def browser(user: User) -> Client:
    client = Client(REMOTE_ADDR=HERE)
    client.force_login(user)
    return client


def rated(api: Api, slug: str = "brindle") -> Any:
    caching.ANSWERS.clear()  # a change is seen once it is committed, which these tests never do
    return api().get(f"/api/v1/listings/{slug}").json()["community_rating"]


def mails(to: User) -> list[str]:
    rows = Job.objects.filter(kind="core.send_mail", payload__to=to.email).order_by("pk")
    return [row.payload["subject"] for row in rows]


def test_a_first_review_waits_and_a_later_one_is_public_at_once(
    listing: Listing, other: Listing, people: People, api: Api
) -> None:
    noor = reader("noor")
    client = browser(noor)

    first = client.post(WRITE, FORM, follow=True).content.decode()
    assert "Thanks. A person reads first reviews, usually within a day." in first
    assert "No reviews yet" in first
    waiting = Review.objects.get()
    assert (waiting.status, waiting.waits_for, waiting.waits_since) == (
        "waiting",
        "First review of this account",
        AT,
    )
    assert rated(api) == {"average": None, "count": 0}
    assert mails(people.owner) == []

    deciding.publish_review(review_id=waiting.pk, staff=people.staff, at=AT)
    assert TEXT in Client().get("/listings/brindle").content.decode()
    assert (rated(api), mails(noor)) == (
        {"average": None, "count": 1},
        ["Your review of Brindle is public"],
    )
    assert mails(people.owner) == ["A review of Brindle: 4 of 5"]

    again = client.post("/listings/saltmarsh/reviews/write", FORM, follow=True).content.decode()
    assert "Thanks. Your review is public." in again
    assert Review.objects.get(listing=other).status == "published"


@pytest.mark.parametrize(
    "wrong",
    [
        {"stars": ""},
        {"stars": "0"},
        {"stars": "6"},
        {"how": "sells"},
        {"text": "x" * 79},
        {"text": "x" * 1501},
        {"text": f"{TEXT}\x00"},
        {"unpaid": ""},
    ],
    ids=str,
)
def test_a_wrong_form_stores_nothing_and_keeps_what_was_typed(
    listing: Listing, wrong: dict[str, str]
) -> None:
    answer = browser(reader("noor")).post(WRITE, {**FORM, "text": TEXT, **wrong})

    assert (answer.status_code, Review.objects.count()) == (400, 0)
    assert 'role="alert"' in answer.content.decode()


@pytest.mark.parametrize("length", [80, 1500])
def test_the_bounds_themselves_pass(listing: Listing, length: int) -> None:
    answer = browser(reader("noor")).post(WRITE, {**FORM, "text": "ü" * length})

    assert (answer.status_code, len(Review.objects.get().text)) == (302, length)


def test_who_has_no_name_gives_one_and_no_part_of_an_address_is_ever_shown(listing: Listing) -> None:
    noor = reader("noor-secret")
    User.objects.filter(pk=noor.pk).update(name="")
    client = browser(User.objects.get(pk=noor.pk))

    assert client.post(WRITE, FORM).status_code == 400
    assert client.post(WRITE, {**FORM, "name": "noor@example.org"}).status_code == 400
    assert client.post(WRITE, {**FORM, "name": "Noor Haddad"}).status_code == 302
    Review.objects.update(status="published", waits_since=None)

    page = Client().get("/listings/brindle/reviews").content.decode()
    assert "Noor Haddad" in page
    User.objects.filter(pk=noor.pk).update(name="")
    assert "noor-secret" not in Client().get("/listings/brindle/reviews").content.decode()


def test_a_review_is_text_and_nothing_of_it_is_markup(listing: Listing, other: Listing) -> None:
    review(regular("noor", elsewhere=other), listing, text=f"<script>alert(1)</script> **bold** {TEXT}")

    for path in ("/listings/brindle", "/listings/brindle/reviews"):
        page = Client().get(path).content.decode()
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt; **bold**" in page


def test_the_average_is_there_from_three_on_and_means_what_is_shown(listing: Listing, api: Api) -> None:
    for number, stars in enumerate((5, 4)):
        make_review(listing, reader(f"r{number}"), stars=stars)
    page = Client().get("/listings/brindle").content.decode()
    assert rated(api) == {"average": None, "count": 2}
    assert (">2 reviews<" in page, "AggregateRating" in page) == (True, False)
    assert "★" not in Client().get("/search?q=brindle").content.decode()

    make_review(listing, reader("r3"), stars=4)
    friend = make_review(listing, reader("friend"), stars=1, how="works_with")
    page = Client().get("/listings/brindle").content.decode()
    assert rated(api) == {"average": 4.3, "count": 3}
    blocks = [
        json.loads(text)
        for text in re.findall(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    ]
    product = next(row for block in blocks for row in ([block] if isinstance(block, dict) else block))
    assert product["aggregateRating"] == {
        "@type": "AggregateRating",
        "ratingValue": 4.3,
        "reviewCount": 3,
        "bestRating": 5,
        "worstRating": 1,
    }
    stars = page.partition('aria-label="4.3 of 5"')[2].partition("</span>")[0]
    assert re.findall(r'<svg width="([\d.]+)"', stars) == ["1.00", "1.00", "1.00", "1.00", "0.30"]
    assert "Works with the makers, so not counted" in page
    assert f'/reviews#review-{friend.pk}">one</a> by somebody who works with the makers' in page
    assert "from 3 reviews" in page
    found = Client().get("/search?q=brindle").content.decode()
    assert "★ 4.3" in found
    assert "community_rating" not in api().get("/api/v1/listings?q=brindle").json()["items"][0]


def test_a_reviewer_who_makes_another_product_here_says_so_of_public_ones_only(
    listing: Listing, other: Listing
) -> None:
    rival = reader("rival")
    maker = Founder.objects.create(slug="rival", name="Rival", user=rival, created_at=AT)
    for made in (other, make_listing("secret", status="suspended")):
        ListingFounder.objects.create(listing=made, founder=maker)
    for author in (rival, reader("noor")):
        make_review(listing, author)

    for path in ("/listings/brindle", "/listings/brindle/reviews"):
        page = Client().get(path).content.decode()
        assert re.findall(r"Makes (.*?</a>)&nbsp;· Uses it", page) == [
            f'<a href="/listings/saltmarsh"><bdi>{other.name}</bdi></a>'
        ]


def test_the_page_of_its_reviews_has_the_products_logo(listing: Listing) -> None:
    Listing.objects.filter(pk=listing.pk).update(logo="logos/brindle.webp")
    public_data.refresh(listing_ids=[listing.pk])

    assert '/media/logos/brindle.webp"' in Client().get("/listings/brindle/reviews").content.decode()


def test_an_edit_keeps_what_it_said_before_and_the_same_again_changes_nothing(
    listing: Listing, other: Listing, api: Api
) -> None:
    noor = regular("noor", elsewhere=other)
    review(noor, listing, stars=5)
    review(noor, listing, stars=5)
    assert ReviewVersion.objects.count() == 0

    later = AT + timedelta(hours=1)
    review(noor, listing, stars=2, text=f"{TEXT} Not any more.", at=later)

    row = Review.objects.get(listing=listing)
    assert (row.stars, row.edited_at, row.created_at, row.status) == (2, later, AT, "published")
    assert list(ReviewVersion.objects.values_list("stars", "text", "until")) == [(5, TEXT, later)]
    assert rated(api)["count"] == 1
    assert ListingStats.objects.get(pk=listing.pk).stars == 2


def test_neither_an_edit_nor_a_new_start_gets_by_staff(
    listing: Listing, other: Listing, people: People
) -> None:
    noor = regular("noor", elsewhere=other)
    row = review(noor, listing)
    deciding.refuse_review(review_id=row.pk, staff=people.staff, reason="Not about it.", at=AT)

    review(noor, listing, text=f"{TEXT} Now it is.")
    row.refresh_from_db()
    assert (row.status, row.waits_for, row.reason) == ("waiting", "Refused or withdrawn before", "")
    delete_review(user=noor, listing_id=listing.pk, at=AT)
    row.refresh_from_db()
    assert (row.text, row.status, ReviewVersion.objects.count()) == ("", "refused", 0)
    again = review(noor, listing, at=AT + timedelta(days=3))

    assert (again.pk, again.status, again.waits_for) == (row.pk, "waiting", "Refused or withdrawn before")


def test_a_public_review_that_its_writer_deletes_is_gone(listing: Listing, api: Api) -> None:
    noor = reader("noor")
    make_review(listing, noor)
    client = browser(noor)

    assert "Delete your review" in client.get(WRITE).content.decode()
    assert client.post(WRITE, {"do": "delete"}).status_code == 302
    assert (Review.objects.count(), rated(api)) == (0, {"average": None, "count": 0})
    assert client.post(WRITE, {"do": "delete"}).status_code == 404


def test_staff_refuse_with_a_reason_that_its_writer_can_answer(
    listing: Listing, people: People, settings: Any
) -> None:
    settings.MAIL_REPLY_TO = "desk@launch.example"
    noor = reader("noor")
    row = make_review(listing, noor, status="waiting")

    for _ in range(2):
        deciding.refuse_review(review_id=row.pk, staff=people.staff, reason="An advertisement.", at=AT)
    jobs.run_due(queues={"mail"})

    sent = Job.objects.get(kind="core.send_mail", payload__to=noor.email).payload
    assert sent["subject"] == "Your review of Brindle wasn’t published"
    assert "Reason: An advertisement." in sent["text"]
    assert "Just reply" in sent["text"]
    page = browser(noor).get("/account/reviews").content.decode()
    assert ("An advertisement." in page, "Not public" in page) == (True, True)


def test_the_makers_reply_once_and_remove_nothing(listing: Listing, people: People) -> None:
    noor = reader("noor")
    row = make_review(listing, noor)
    client, address = browser(people.owner), f"/account/listings/{listing.pk}/reviews/{row.pk}"
    assert "A 5-star review of Brindle" in client.get("/account").content.decode()

    client.post(address, {"text": "Thank you, <b>Noor</b>."})
    assert "A 5-star review" not in client.get("/account").content.decode()
    client.post(address, {"text": "Thank you."})
    row.refresh_from_db()
    assert (row.reply, row.replied_at, row.replied_by) == ("Thank you.", AT, people.owner)
    assert "Thank you." in Client().get("/listings/brindle").content.decode()
    assert client.post(address, {"text": "x" * 1501}).status_code == 400
    assert browser(people.stranger).post(address, {"text": "Mine"}).status_code == 404
    client.post(address, {"do": "delete", "text": ""})

    row.refresh_from_db()
    assert (row.reply, row.replied_at, row.status) == ("", None, "published")
    client.post(address, {"text": "Thank you again."})
    assert mails(noor) == ["Brindle replied to your review"]


def test_who_wants_no_answers_by_mail_gets_none_and_one_link_stops_them(
    listing: Listing, people: People
) -> None:
    noor, client = reader("noor"), browser(people.owner)
    rows = [make_review(listing, noor), make_review(make_listing("third", owner=people.owner), noor)]

    for row in rows:
        client.post(f"/account/listings/{row.listing_id}/reviews/{row.pk}", {"text": "Thank you."})
        if row == rows[0]:
            (job,) = Job.objects.filter(kind="core.send_mail", payload__to=noor.email)
            link = job.payload["unsubscribe_url"]
            assert link in job.payload["text"]
            assert Client(enforce_csrf_checks=True).post("/" + link.split("/", 3)[3]).status_code == 200

    assert mails(noor) == ["Brindle replied to your review"]


def test_a_reply_that_staff_take_off_leaves_the_review(listing: Listing, people: People) -> None:
    row = make_review(listing, reader("noor"))
    answering.reply(owner_id=people.owner.pk, listing_id=listing.pk, review_id=row.pk, text="Liar!", at=AT)

    deciding.remove_reply(review_id=row.pk, reason="An insult.")

    row.refresh_from_db()
    assert (row.reply, row.status) == ("", "published")
    assert mails(people.owner) == ["Your reply under a review of Brindle was taken off"]


def test_what_a_banned_account_wrote_counts_no_more_until_the_ban_is_taken_back(
    listing: Listing, people: People, api: Api
) -> None:
    noor = reader("noor")
    make_review(listing, noor)

    undo = banning.ban(user_id=noor.pk, staff_id=people.staff.pk, reason="Spam.", at=AT)
    assert (rated(api)["count"], TEXT in Client().get("/listings/brindle").content.decode()) == (0, False)

    banning.undo_ban(undo_id=undo.pk, staff_id=people.staff.pk, at=AT)
    assert rated(api)["count"] == 1


def test_merged_listings_have_one_review_of_each_person_and_get_theirs_back(
    listing: Listing, other: Listing, people: People, api: Api
) -> None:
    both, single = reader("both"), reader("single")
    make_review(listing, both, stars=5)
    make_review(other, both, stars=1)
    make_review(other, single, stars=3)

    undo = merging.merge(listing_id=other.pk, into_id=listing.pk, staff_id=people.staff.pk, at=AT)
    merged = list(Review.objects.filter(listing=listing).order_by("stars").values_list("author", "stars"))
    assert (merged, rated(api)["count"]) == ([(single.pk, 3), (both.pk, 5)], 2)

    merging.undo_merge(undo_id=undo.pk, staff_id=people.staff.pk, at=AT)
    assert (rated(api)["count"], rated(api, "saltmarsh")["count"]) == (1, 2)


def test_a_listing_off_the_site_takes_no_review(listing: Listing) -> None:
    client = browser(reader("noor"))
    Listing.objects.update(status="suspended")

    assert client.post(WRITE, FORM).status_code == 410
    assert Client().get("/listings/brindle/reviews").status_code == 410
    assert Review.objects.count() == 0


def test_a_visitor_signs_in_first_and_no_program_has_a_way(listing: Listing, api: Api) -> None:
    answer = Client().post(WRITE, FORM)

    assert (answer.status_code, answer["Location"]) == (302, f"/accounts/login/?next={WRITE}")
    assert {name for name in catalogue() if "review" in name or "question" in name} == {
        "list_interview_questions"
    }
    assert [path for path in schema()["paths"] if "review" in path] == []


def test_all_reviews_are_paged_newest_first_in_as_many_statements_whatever_their_number(
    listing: Listing, django_assert_max_num_queries: Any
) -> None:
    for number in range(12):
        make_review(listing, reader(f"r{number}"), created_at=AT - timedelta(minutes=number))
    with django_assert_max_num_queries(12):
        first = Client().get("/listings/brindle/reviews").content.decode()
    second = Client().get("/listings/brindle/reviews?page=2").content.decode()

    assert [first.count('<article class="review"'), second.count('<article class="review"')] == [10, 2]
    assert re.findall(r"R\d+", first)[0] == "R0"
    assert ">All reviews</a>" in Client().get("/listings/brindle").content.decode()
