"""Who may review, what waits for staff, and that nobody gets by either at the same moment."""

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client

from accounts import networks
from accounts.models import SeenNetwork, User
from accounts.networks import network_digest
from core.api.errors import ApiError
from directory.engagement import voting
from directory.errors import CannotReviewError
from directory.models import Founder, Listing, ListingFounder, ListingStats, Review, Site
from directory.reviews import limits, rating
from drafts.models import Draft, Invite
from tests.conftest import People
from tests.factories.listings import AT, make_listing
from tests.factories.reviews import ELSEWHERE, HERE, TEXT, make_review, reader, regular, review

BESIDE = "198.51.100.200"
WRITE = "/listings/brindle/reviews/write"


@pytest.fixture
def listing(site: Site, people: People) -> Listing:
    return make_listing("brindle", owner=people.owner)


@pytest.fixture
def other(site: Site) -> Listing:
    return make_listing("saltmarsh")


def _founder(listing: Listing, user: User) -> None:
    founder = Founder.objects.create(slug="ines", user=user, name="Inês", created_at=AT)
    ListingFounder.objects.create(listing=listing, founder=founder)


def _invited(listing: Listing, user: User) -> None:
    draft = Draft.objects.create(
        owner=listing.owner,
        site=listing.site,
        listing=listing,
        url="u",
        domain="d",
        site_key="brindle",
        created_at=AT,
        updated_at=AT,
    )
    Invite.objects.create(draft=draft, email=user.email.upper(), digest="x", sent_at=AT, expires_at=AT)


def _unconfirmed(listing: Listing, user: User) -> None:
    EmailAddress.objects.filter(user=user).update(verified=False)


def _fresh(listing: Listing, user: User) -> None:
    User.objects.filter(pk=user.pk).update(date_joined=AT - timedelta(days=7) + timedelta(seconds=1))


OUTSIDERS: list[tuple[Callable[[Listing, User], Any], str, str]] = [
    (lambda listing, user: Listing.objects.filter(pk=listing.pk).update(owner=user), "", "your own product"),
    (lambda listing, user: listing.co_owners.add(user), "", "your own product"),
    (_founder, "", "one of its founders"),
    (_invited, "", "invited you"),
    (_unconfirmed, "", "Confirm your e-mail address"),
    (_fresh, "", "Your account is new"),
    (lambda listing, user: None, "people.example", "at people.example"),
    (lambda listing, user: None, "mail.people.example", "at people.example"),
    (lambda listing, user: None, "brindle.example", "at brindle.example"),
]


@pytest.mark.parametrize(
    ("make", "domain", "why"),
    OUTSIDERS,
    ids=[
        "owner",
        "co-owner",
        "founder",
        "invited",
        "unconfirmed",
        "fresh",
        "owner's domain",
        "below it",
        "the product's domain",
    ],
)
def test_who_is_not_genuine_writes_nothing(
    listing: Listing, make: Callable[[Listing, User], Any], domain: str, why: str
) -> None:
    user = reader("somebody", domain=domain)
    make(listing, user)
    user, client = User.objects.get(pk=user.pk), Client()
    client.force_login(user)

    with pytest.raises(CannotReviewError):
        review(user, listing)
    with time_machine.travel(AT, tick=False):
        answer = client.post(WRITE, {"stars": "5", "how": "uses", "text": TEXT, "unpaid": "on"})

    assert (answer.status_code, Review.objects.count()) == (403, 0)
    assert why.replace("’", "&#x27;") in answer.content.decode().replace("’", "&#x27;")


def test_seven_days_and_a_shared_mail_service_are_no_reason(listing: Listing, people: People) -> None:
    User.objects.filter(pk=people.owner.pk).update(email="owner@gmail.com")

    row = review(reader("somebody", domain="gmail.com", age=timedelta(days=7)), listing)

    assert (row.status, row.waits_for) == ("waiting", "First review of this account")


@pytest.mark.parametrize("trace", ["page", "vote"])
def test_who_shares_a_network_with_the_makers_waits(
    listing: Listing, other: Listing, people: People, trace: str
) -> None:
    noor, karel = regular("noor", elsewhere=other), regular("karel", elsewhere=other)
    if trace == "vote":
        voting.cast_vote(user=people.owner, listing_id=other.pk, at=AT, address=HERE)
    else:
        client = Client(REMOTE_ADDR=HERE)
        client.force_login(people.owner)
        client.get("/account")

    near, far = review(noor, listing, address=BESIDE), review(karel, listing, address=ELSEWHERE)

    assert (near.status, near.waits_for) == ("waiting", "Shares a network with the makers")
    assert far.status == "published"


def test_an_edit_of_a_review_that_waits_names_each_reason_once(
    listing: Listing, other: Listing, people: People
) -> None:
    voting.cast_vote(user=people.owner, listing_id=other.pk, at=AT, address=HERE)
    newcomer = reader("somebody", domain="far.example", age=timedelta(days=30))

    for text in (TEXT, f"{TEXT} Really."):
        row = review(newcomer, listing, text=text, address=BESIDE)

    assert row.waits_for == "First review of this account; Shares a network with the makers"


def test_a_network_is_noted_once_a_day_and_only_its_digest(people: People) -> None:
    client = Client(REMOTE_ADDR=HERE)
    client.force_login(people.owner)
    for _ in range(2):
        client.get("/account")
    networks.see(user_id=people.owner.pk, network=network_digest(BESIDE), at=AT)

    assert list(SeenNetwork.objects.values_list("user", "network", "seen_at")) == [
        (people.owner.pk, network_digest(HERE), AT)
    ]


@pytest.mark.parametrize(
    ("alike", "words"),
    [
        (
            lambda n: {"address": (HERE, BESIDE)[n % 2]},
            "3 reviews of this product within a day from one network",
        ),
        (
            lambda n: {"domain": "ring.example"},
            "3 reviews of this product within a day from the mail domain ring.example",
        ),
    ],
    ids=["network", "mail domain"],
)
def test_a_burst_is_held_with_those_that_were_public(
    listing: Listing, other: Listing, alike: Callable[[int], dict[str, str]], words: str
) -> None:
    for number in range(limits.BURST_ALIKE):
        about = alike(number)
        user = regular(f"r{number}", elsewhere=other, domain=about.pop("domain", ""))
        review(user, listing, at=AT + timedelta(hours=number), **about)
        if number == 1:
            assert ListingStats.objects.get(pk=listing.pk).reviews == 2

    rows = Review.objects.filter(listing=listing)
    assert set(rows.values_list("status", "waits_for")) == {("waiting", words)}
    assert ListingStats.objects.get(pk=listing.pk).reviews == 0

    writer = rows.order_by("pk")[0].author
    later = review(writer, listing, text=f"{TEXT} Really.", at=AT + timedelta(days=4))
    assert (later.status, later.waits_for) == ("waiting", words)


def test_reviews_days_apart_or_with_nothing_in_common_are_no_burst(listing: Listing, other: Listing) -> None:
    for number in range(limits.BURST_ALIKE + 1):
        review(
            regular(f"r{number}", elsewhere=other),
            listing,
            address=HERE,
            at=AT + number * timedelta(hours=13),
        )
        review(regular(f"s{number}", elsewhere=other), listing, address=f"203.0.{number}.1")

    assert Review.objects.filter(listing=listing, status="waiting").count() == 0


def test_one_network_that_reviews_many_products_is_held_from_the_sixth_on(other: Listing) -> None:
    rows = [
        review(regular(f"r{n}", elsewhere=other), make_listing(f"product-{n}"), address=HERE)
        for n in range(limits.BURST_OF_NETWORK + 1)
    ]

    assert [row.status for row in rows] == ["published"] * 5 + ["waiting"] * 2
    assert rows[-1].waits_for == "7 reviews of one network within a day"


def test_whoever_becomes_a_founder_or_owner_of_what_they_reviewed_no_longer_counts(listing: Listing) -> None:
    founder, owner = reader("founder"), reader("owner2")
    for user in (founder, owner):
        make_review(listing, user)
    _founder(listing, founder)
    listing.co_owners.add(owner)
    assert ListingStats.objects.get(pk=listing.pk).reviews == 2

    rating.recount_all()

    assert ListingStats.objects.get(pk=listing.pk).reviews == 0
    assert TEXT not in Client().get("/listings/brindle").content.decode()


def at_once(*acts: Callable[[], Any]) -> list[Exception]:
    """Do all of it at the same moment, each on its own connection; gives what was refused."""
    barrier, refused = threading.Barrier(len(acts)), []

    def run(act: Callable[[], Any]) -> None:
        try:
            barrier.wait()
            act()
        except ApiError as error:
            refused.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[act]) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return refused


@pytest.mark.django_db(transaction=True)
def test_parallel_requests_of_one_person_make_one_review(listing: Listing, other: Listing) -> None:
    noor = regular("noor", elsewhere=other)

    refused = at_once(*(lambda stars=stars: review(noor, listing, stars=stars) for stars in (1, 2, 3, 4)))

    row = Review.objects.get(listing=listing)
    assert (refused, row.versions.count()) == ([], 3)
    stats = ListingStats.objects.get(pk=listing.pk)
    assert (stats.reviews, stats.stars) == (1, row.stars)


@pytest.mark.django_db(transaction=True)
def test_a_burst_that_comes_at_one_moment_is_held_whole(listing: Listing, other: Listing) -> None:
    ring = [regular(f"r{number}", elsewhere=other) for number in range(5)]

    refused = at_once(*(lambda user=user: review(user, listing, address=HERE) for user in ring))

    assert refused == []
    assert list(Review.objects.filter(listing=listing).values_list("status", flat=True)) == ["waiting"] * 5
    assert ListingStats.objects.get(pk=listing.pk).reviews == 0
