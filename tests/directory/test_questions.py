"""Questions to the makers: five a day, public once answered, dismissed without a trace."""

import re
import threading
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client

from accounts.models import User
from core.models import Job
from directory.errors import AnsweredError, CannotAskError
from directory.mail_kinds import OF_PRODUCTS
from directory.models import Listing, MailChoice, Question, Site
from directory.reviews import answering, deciding
from tests.conftest import People, signed_in
from tests.factories.listings import AT, make_listing
from tests.factories.reviews import make_question, make_review, reader

PAGE, TEXT = "/listings/brindle/questions", "Does it know the rest rules of Spain?"


@pytest.fixture
def listing(site: Site, people: People) -> Listing:
    return make_listing("brindle", owner=people.owner)


def browser(user: User) -> Client:
    return signed_in(user)


def ask(user: User, listing: Listing, text: str = TEXT, at: Any = AT) -> Question:
    return answering.ask(user=user, listing_id=listing.pk, text=text, at=at)


def subjects(to: User) -> list[str]:
    rows = Job.objects.filter(kind="core.send_mail", payload__to=to.email).order_by("pk")
    return [row.payload["subject"] for row in rows]


def test_a_question_is_public_once_it_is_answered_and_who_asked_hears_of_it(
    listing: Listing, people: People
) -> None:
    noor = reader("noor")
    sent = browser(noor).post(PAGE, {"text": f"{TEXT} <b>?</b>"}, follow=True).content.decode()
    assert "Sent to the makers." in sent
    question = Question.objects.get()
    assert (question.status, "rest rules" in Client().get(PAGE).content.decode()) == ("open", False)
    assert "rest rules" not in Client().get("/questions").content.decode()
    assert subjects(people.owner) == ["A question about Brindle"]
    maker = browser(people.owner)
    assert "A question about Brindle" in maker.get("/account").content.decode()
    address = f"/account/listings/{listing.pk}/questions/{question.pk}"

    assert maker.post(address, {"text": ""}).status_code == 400
    for answer in ("Yes.", "Yes, since October."):
        maker.post(address, {"text": answer})

    question.refresh_from_db()
    assert (question.status, question.answer, question.answered_by) == (
        "answered",
        "Yes, since October.",
        people.owner,
    )
    for path in (PAGE, "/listings/brindle"):
        page = Client().get(path).content.decode()
        assert ("rest rules of Spain? &lt;b&gt;" in page, "Yes, since October." in page) == (True, True)
    assert subjects(noor) == ["Brindle answered your question"]
    html = Job.objects.get(kind="core.send_mail", payload__to=noor.email).payload["html"]
    (button,) = re.findall(r'<p class="act"><a href="([^"]+)">', html)
    assert button.endswith(PAGE)
    assert html.count(button) == 1


def test_all_answers_stand_on_one_page_newest_first_while_their_products_are_live(listing: Listing) -> None:
    others = [make_listing(f"product-{number}") for number in range(11)]
    noor = reader("noor")
    for number, other in enumerate([*others, listing]):
        make_question(
            other, noor, text=f"Question {number}?", answer="Yes.", answered_at=AT + timedelta(hours=number)
        )
    first = Client().get("/questions").content.decode()
    second = Client().get("/questions?page=2").content.decode()

    assert re.findall(r">Question (\d+)", first) == [str(number) for number in range(11, 1, -1)]
    assert 'href="/listings/brindle">Brindle<' in first
    assert re.findall(r">Question (\d+)", second) == ["1", "0"]

    Listing.objects.filter(pk=listing.pk).update(status=Listing.Status.SUSPENDED)
    assert "Question 11?" not in Client().get("/questions").content.decode()


def test_the_makers_dismiss_a_question_and_nobody_else_decides(listing: Listing, people: People) -> None:
    question = ask(reader("noor"), listing)
    address = f"/account/listings/{listing.pk}/questions/{question.pk}"

    assert browser(people.stranger).post(address, {"do": "dismiss"}).status_code == 404
    question.refresh_from_db()
    assert question.status == "open"
    for _ in range(2):
        browser(people.owner).post(address, {"do": "dismiss"})

    question.refresh_from_db()
    assert question.status == "dismissed"
    answered = make_question(listing, reader("karel"), answer="Yes.")
    with pytest.raises(AnsweredError):
        answering.dismiss(owner_id=people.owner.pk, listing_id=listing.pk, question_id=answered.pk)


@pytest.mark.parametrize("text", ["", "x" * 9, "x" * 501, "What of \x00 this?"])
def test_a_wrong_question_is_not_sent_and_stands_there_again(listing: Listing, text: str) -> None:
    answer = browser(reader("noor")).post(PAGE, {"text": text})

    assert (answer.status_code, Question.objects.count()) == (400, 0)


@pytest.mark.parametrize("length", [10, 500])
def test_the_bounds_themselves_pass(listing: Listing, length: int) -> None:
    assert browser(reader("noor")).post(PAGE, {"text": "ü" * length}).status_code == 302
    assert len(Question.objects.get().text) == length


def test_five_a_day_and_the_same_one_twice_is_one(listing: Listing) -> None:
    noor = reader("noor")
    for number in range(5):
        for _ in range(2):
            ask(noor, listing, f"{TEXT} {number}", at=AT + timedelta(hours=number))
    with pytest.raises(CannotAskError):
        ask(noor, listing, "And another one?", at=AT + timedelta(hours=23))
    with time_machine.travel(AT + timedelta(hours=23), tick=False):
        answer = browser(noor).post(PAGE, {"text": "And another one?"})
    assert (answer.status_code, Question.objects.count()) == (400, 5)
    assert "5 questions within a day" in answer.content.decode()
    assert "And another one?" in answer.content.decode()

    ask(noor, listing, "And another one?", at=AT + timedelta(hours=24))
    assert Question.objects.count() == 6


@pytest.mark.parametrize(("factor", "limit"), [(2, 10), (0.01, 1)])
def test_the_factor_multiplies_the_questions_of_a_day(
    listing: Listing, settings: Any, factor: float, limit: int
) -> None:
    settings.RATE_LIMIT_FACTOR = factor
    client = browser(reader("noor"))

    answers = [client.post(PAGE, {"text": f"{TEXT} {number}"}) for number in range(limit + 1)]

    assert [answer.status_code for answer in answers] == [302] * limit + [400]
    assert f"asked {limit} question" in answers[-1].content.decode()
    assert Question.objects.count() == limit


def test_neither_the_makers_nor_visitors_ask_and_nobody_asks_nobody(listing: Listing, people: People) -> None:
    with pytest.raises(CannotAskError):
        ask(people.owner, listing)
    with pytest.raises(CannotAskError):
        ask(people.stranger, make_listing("unclaimed"))
    answer = Client().post(PAGE, {"text": TEXT})

    assert (answer.status_code, answer["Location"]) == (302, f"/accounts/login/?next={PAGE}")
    assert Question.objects.count() == 0
    assert 'name="text"' not in browser(people.owner).get("/listings/brindle").content.decode()


def test_a_question_that_staff_take_off_is_gone_with_its_answer(listing: Listing, people: People) -> None:
    question = make_question(listing, reader("noor"), answer="Yes.", answered_by=people.owner)

    deciding.remove_question(question_id=question.pk, reason="An insult.")

    assert "rest rules" not in Client().get(PAGE).content.decode()
    with pytest.raises(AnsweredError):
        answering.answer(
            owner_id=people.owner.pk, listing_id=listing.pk, question_id=question.pk, text="Yes!", at=AT
        )


def test_makers_stop_such_mail_by_its_link_and_by_their_page(listing: Listing, people: People) -> None:
    address = OF_PRODUCTS.stop_url(people.owner.pk).partition("/mail/")[2]
    assert Client().get("/mail/stop/products/forged").status_code == 404
    Client().post(f"/mail/{address}")
    ask(reader("noor"), listing)
    assert (subjects(people.owner), MailChoice.objects.get().of_products) == ([], False)

    browser(people.owner).post("/account/mail", {"updates": "digest", "of_products": "on"})
    ask(reader("karel"), listing)
    assert subjects(people.owner) == ["A question about Brindle"]


def test_everybody_who_owns_it_reads_questions_reviews_and_what_became_of_a_reply(
    listing: Listing, people: People
) -> None:
    listing.co_owners.add(people.stranger, people.staff, people.owner)
    OF_PRODUCTS.choose(user_id=people.staff.pk, is_on=False, at=AT)
    question = ask(reader("noor"), listing)
    row = make_review(listing, reader("karel"), status="waiting")
    for act in (deciding.publish_review, deciding.refuse_review, deciding.publish_review):
        reason = {"reason": "x"} if act is deciding.refuse_review else {}
        act(review_id=row.pk, staff=people.staff, at=AT, **reason)
    answering.reply(owner_id=people.stranger.pk, listing_id=listing.pk, review_id=row.pk, text="Hm.", at=AT)
    answering.answer(
        owner_id=people.stranger.pk, listing_id=listing.pk, question_id=question.pk, text="Yes.", at=AT
    )
    deciding.remove_reply(review_id=row.pk, reason="Rude.")

    both = [sorted(subjects(person)) for person in (people.owner, people.stranger)]
    assert (len(both[0]), len(set(both[0])), both[0] == both[1]) == (3, 3, True)
    assert len(subjects(people.staff)) == 1  # what staff decided is told to all


@pytest.mark.django_db(transaction=True)
def test_parallel_questions_are_five_a_day_as_well(listing: Listing) -> None:
    noor, refused = reader("noor"), []
    barrier = threading.Barrier(8)

    def one(number: int) -> None:
        try:
            barrier.wait()
            ask(noor, listing, f"{TEXT} {number}")
        except CannotAskError as error:
            refused.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=one, args=[number]) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (Question.objects.count(), len(refused)) == (5, 3)
