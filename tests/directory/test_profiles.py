"""The page of a maker, and the account's page for name, words and links."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from directory.listings.contents import name_founders
from directory.models import (
    Founder,
    InterviewAnswer,
    InterviewQuestion,
    Launch,
    Listing,
    ListingFounder,
    ListingStats,
    ListingUpdate,
    Site,
)
from tests.conftest import Api, People, signed_in
from tests.factories.listings import AT, make_listing
from tests.factories.reviews import make_question, make_review, reader

PAGE, DAY = "/account/profile", timedelta(days=1)
VALUES = {
    "name": "Inês Carvalho",
    "title": "Design and product",
    "bio": "Ran the floor of a café.",
    "website": "https://ines.example.com/",
    "linkedin": "https://www.linkedin.com/in/ines",
}


@pytest.fixture
def listing(site: Site, people: People) -> Listing:
    return make_listing("brindle", owner=people.owner, claimed_by_method="dns", host="brindle.example")


@pytest.fixture
def ines(listing: Listing, people: People) -> Founder:
    rui = Founder.objects.create(slug="rui-tavares", name="Rui Tavares", created_at=AT)
    row = Founder.objects.create(
        slug="ines-c",
        user=people.owner,
        name="Ines C",
        socials={"medium": "https://m.example/i"},
        created_at=AT,
    )
    for position, founder in enumerate((row, rui)):
        ListingFounder.objects.create(listing=listing, founder=founder, position=position)
    return row


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def facts(page: str) -> str:
    return words(page.split('<dl class="facts">')[1].split("</dl>", maxsplit=1)[0])


def browser(user: User) -> Client:
    return signed_in(user)


def test_a_maker_says_who_they_are_in_one_place(ines: Founder, people: People, api: Api) -> None:
    client = browser(people.owner)

    assert client.post(PAGE, VALUES).status_code == 302
    ines.refresh_from_db()
    people.owner.refresh_from_db()
    assert (ines.name, ines.slug, ines.title, people.owner.name) == (
        "Inês Carvalho",
        "ines-c",
        "Design and product",
        "Inês Carvalho",
    )
    assert ines.socials == {
        "medium": "https://m.example/i",
        "website": "https://ines.example.com/",
        "linkedin": "https://www.linkedin.com/in/ines",
    }
    page = Client().get("/founders/ines-c").content.decode()
    for text in ("Inês Carvalho", "Ran the floor", "Design and product", "https://ines.example.com/"):
        assert text in page
    assert api().get("/api/v1/listings/brindle").json()["founders"][0]["name"] == "Inês Carvalho"


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": "In\u202eês"},
        {"name": "x" * 161},
        {"bio": "x" * 3001},
        {"website": "javascript:alert(1)"},
        {"website": "https://127.0.0.1/"},
    ],
    ids=str,
)
def test_a_wrong_value_changes_nothing_and_is_named(
    ines: Founder, people: People, wrong: dict[str, str]
) -> None:
    answer = browser(people.owner).post(PAGE, VALUES | wrong)

    assert (answer.status_code, Founder.objects.get(pk=ines.pk).name) == (400, "Ines C")
    assert 'role="alert"' in answer.content.decode()


def test_a_listing_that_names_them_as_before_still_means_them(
    ines: Founder, listing: Listing, people: People
) -> None:
    browser(people.owner).post(PAGE, VALUES)

    name_founders(listing, [{"name": "Ines C", "title": "CEO"}, {"name": "Rui Tavares"}], at=AT)

    assert list(listing.founded_by.order_by("position").values_list("founder__slug", "title")) == [
        ("ines-c", "CEO"),
        ("rui-tavares", ""),
    ]


def test_whoever_makes_nothing_here_has_a_name_alone(site: Site) -> None:
    noor = reader("noor")
    client = browser(noor)

    page = client.get(PAGE).content.decode()
    assert ('name="name"' in page, 'name="bio"' in page) == (True, False)
    client.post(PAGE, {"name": "Noor Haddad", "bio": "Ignored"})
    noor.refresh_from_db()
    assert (noor.name, Founder.objects.count()) == ("Noor Haddad", 0)


def test_the_page_has_products_company_awards_and_answers(
    ines: Founder, listing: Listing, people: People, django_assert_max_num_queries: Any
) -> None:
    question = InterviewQuestion.objects.create(question="What did nobody tell you?")
    InterviewAnswer.objects.create(
        user=people.owner, question=question, answer="At Brindle, who closes.", updated_at=AT
    )
    make_question(listing, reader("noor"), answer="Yes, since October.", answered_by=people.owner)
    later = InterviewQuestion.objects.create(question="And now?", order=9)
    InterviewAnswer.objects.create(user=people.owner, question=later, answer="On.", updated_at=AT)
    Founder.objects.filter(pk=ines.pk).update(socials={"x": "https://x.com/ines_c"})
    with django_assert_max_num_queries(15):
        page = Client().get("/founders/ines-c").content.decode()

    assert f'On <a href="/listings/{listing.slug}#interview">Brindle</a>' in page
    assert page.split('id="interview"')[1].count(f"{AT:%-d %B %Y}") == 1  # of two answers of one day
    assert "@ines_c on X<" in page
    for text in (
        "Brindle",
        "Rui Tavares",
        "brindle.example",
        "At Brindle, who closes.",
        "Yes, since October.",
    ):
        assert text in page, text
    assert "Edit your profile" not in page
    assert "Edit your profile" in browser(people.owner).get("/founders/ines-c").content.decode()


def test_the_page_tells_what_the_maker_did_of_late_newest_first_and_only_what_is_public(
    ines: Founder, listing: Listing, people: People
) -> None:
    owner, others = people.owner, make_listing("hourfold", owner=people.stranger)
    Launch.objects.filter(listing=listing).update(launched_at=AT, votes=18)
    ListingStats.objects.filter(pk=listing.pk).update(votes=21)
    ListingUpdate.objects.create(listing=listing, title="Swaps", body="By phone.", posted_at=AT + 1 * DAY)
    noor, milan = reader("noor"), reader("milan")
    make_question(listing, noor, answer="In October.", answered_by=owner, answered_at=AT + 2 * DAY)
    reply = {"reply": "Thank you, Noor.", "replied_by": owner, "replied_at": AT + 3 * DAY}
    make_review(listing, noor, stars=4, **reply)
    make_review(listing, milan, status="refused", **{**reply, "reply": "Not public."})
    make_review(others, noor, **{**reply, "reply": "Another maker's.", "replied_by": people.stranger})

    page = Client().get("/founders/ines-c").content.decode()

    texts = ("Thank you, Noor.", "In October.", "By phone.", "18 votes in that week, 21 to date")
    places = [page.find(text) for text in texts]
    expected = [
        "Best place 1st of 2, 16 Nov 2026",
        f"Launched {AT:%-d %b %Y}",
        "Votes 21",
        "Answers 2 to readers",
        "Verified brindle.example by DNS",
    ]
    assert facts(page) == " ".join(expected)
    assert 'class="figures"' not in page  # of one product a figure in the size of a headline says nothing
    assert "of 5 stars" not in page
    assert places == sorted(places)
    assert places[0] > page.index("<h2>Lately</h2>")
    assert "Not public." not in page
    assert "Another maker" not in page


def test_of_replies_to_reviews_the_two_latest_are_told_and_all_are_counted(
    ines: Founder, listing: Listing, people: People
) -> None:
    for day in range(1, 5):
        reply = {"reply": f"Reply {day}.", "replied_by": people.owner, "replied_at": AT + day * DAY}
        make_review(listing, reader(f"reader-{day}"), **reply)

    page = Client().get("/founders/ines-c").content.decode()

    assert re.findall(r"Reply \d\.", page) == ["Reply 4.", "Reply 3."]
    assert "Answers 4 to readers" in facts(page)


def test_many_products_of_a_maker_come_in_an_order_to_choose_and_the_later_ones_folded(
    ines: Founder, people: People
) -> None:
    for number in range(1, 11):
        made = make_listing(f"made-{number}", owner=people.stranger, launched_at=AT + number * DAY)
        ListingFounder.objects.create(listing=made, founder=ines, position=0)
        ListingStats.objects.filter(pk=made.pk).update(votes=number % 7)

    newest, most = (
        Client().get(f"/founders/ines-c{order}").content.decode() for order in ("", "?order=votes")
    )

    by_number, by_votes = (
        list(dict.fromkeys(re.findall(r'<a [^>]*href="/listings/made-(\d+)"', page)))
        for page in (newest, most)
    )
    assert by_number == [str(number) for number in range(10, 0, -1)]
    assert by_votes == ["6", "5", "4", "10", "3", "9", "2", "8", "1", "7"]
    assert newest.index("3 more products") < newest.index('/listings/made-1"')
    assert 'href="?order=votes"' in newest
