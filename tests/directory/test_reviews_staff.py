"""Staff's queue of reviews, and what readers report."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import StaffAct
from config.staff import queues
from directory.models import Listing, Question, Report, Review, Site
from directory.reviews.writing import delete_review
from tests.conftest import People
from tests.factories.listings import AT, make_listing
from tests.factories.reviews import TEXT, make_question, make_review, reader
from tests.factories.staff import staff_client

LIST = "/admin/directory/review/?status__exact=waiting"


@pytest.fixture
def listing(site: Site, people: People) -> Listing:
    return make_listing("brindle", owner=people.owner)


def page_of(review: Review) -> str:
    return f"/admin/directory/review/{review.pk}/change/"


def test_the_queue_counts_shows_and_leads_to_the_next(listing: Listing) -> None:
    noor = reader("noor")
    make_review(make_listing("saltmarsh"), noor, stars=2, network="abcdef123")
    near = reader("near")
    make_review(make_listing("oarlock"), near, stars=1, network="abcdef123")
    first = make_review(listing, noor, status="waiting", network="abcdef123")
    second = make_review(listing, reader("karel"), status="waiting")
    client = staff_client("moderator")

    queues.forget()
    start = " ".join(client.get("/admin/").content.decode().split())
    assert ("Reviews to read" in start, queues.counts()["reviews"].number) == (True, 2)
    assert client.get(LIST).content.decode().count("First review of this account") == 2
    page = client.get(page_of(first)).content.decode()
    for text in (TEXT, "Noor", "19 Oct 2026", "abcdef", "Saltmarsh: 2 of 5", "Near of Oarlock: 1 of 5"):
        assert text in page, text

    answer = client.post(page_of(first), {"act": "publish", "reason": ""})
    assert (answer.status_code, answer["Location"]) == (302, page_of(second))
    answer = client.post(page_of(second), {"act": "refuse", "reason": ""})
    assert Review.objects.get(pk=second.pk).status == "waiting"
    client.post(page_of(second), {"act": "refuse", "reason": "An advertisement."})

    assert set(Review.objects.filter(listing=listing).values_list("status", "reason")) == {
        ("published", ""),
        ("refused", "An advertisement."),
    }
    assert list(StaffAct.objects.order_by("pk").values_list("said", "reason")) == [
        ("published a review of", ""),
        ("refused a review of", "An advertisement."),
    ]


def test_lists_decide_several_at_once(listing: Listing) -> None:
    rows = [make_review(listing, reader(f"r{n}"), status="waiting") for n in range(3)]
    client = staff_client("moderator")
    chosen: dict[str, Any] = {"_selected_action": [row.pk for row in rows[:2]], "index": "0"}

    client.post("/admin/directory/review/", {**chosen, "action": "refuse", "reason": ""})
    assert Review.objects.filter(status="waiting").count() == 3
    client.post("/admin/directory/review/", {**chosen, "action": "refuse", "reason": "Spam."})
    client.post(
        "/admin/directory/review/", {"_selected_action": [rows[2].pk], "index": "0", "action": "publish"}
    )

    assert [Review.objects.get(pk=row.pk).status for row in rows] == ["refused", "refused", "published"]


def test_what_its_writer_withdrew_meanwhile_is_not_published(listing: Listing) -> None:
    noor = reader("noor")
    review = make_review(listing, noor, status="waiting")
    delete_review(user=noor, listing_id=listing.pk, at=AT)

    page = staff_client("moderator").post(page_of(review), {"act": "publish", "reason": ""}, follow=True)

    assert "Its writer has withdrawn it" in page.content.decode()
    assert list(Review.objects.values_list("status", "listing__stats__reviews")) == [("refused", 0)]


def test_an_editor_reads_and_only_a_moderator_decides(listing: Listing) -> None:
    row = make_review(listing, reader("noor"), status="waiting")
    editor = staff_client("editor")

    assert editor.get(page_of(row)).status_code == 200
    assert editor.post(page_of(row), {"act": "publish"}).status_code == 403
    assert staff_client("finance").get(page_of(row)).status_code in {403, 404}
    assert Review.objects.get().status == "waiting"


def test_anybody_reports_a_review_or_question_and_staff_see_it_beside_the_report(listing: Listing) -> None:
    review = make_review(listing, reader("noor"))
    question = make_question(listing, reader("karel"), answer="Yes.")
    hidden = make_review(listing, reader("joana"), status="waiting")
    visitor = Client()
    address = "/listings/brindle/report"
    form = visitor.get(f"{address}?review={review.pk}").content.decode()
    assert (TEXT in form, "Not genuine" in form, "Which statement?" in form) == (True, True, False)

    assert visitor.get(f"{address}?review={hidden.pk}").status_code == 404
    assert visitor.post(f"{address}?review={review.pk}", {"reason": "outdated"}).status_code == 400
    visitor.post(f"{address}?review={review.pk}", {"reason": "not_genuine", "text": "The maker’s cousin."})
    visitor.post(f"{address}?question={question.pk}", {"reason": "rude"})

    assert list(Report.objects.order_by("pk").values_list("reason", "review", "question")) == [
        ("not_genuine", review.pk, None),
        ("rude", None, question.pk),
    ]
    client, report = staff_client("moderator"), Report.objects.get(review=review)
    seen = client.get(f"/admin/directory/report/{report.pk}/change/").content.decode()
    assert (TEXT in seen, page_of(review) in seen) == (True, True)
    client.post(f"/admin/directory/question/{question.pk}/change/", {"act": "remove", "reason": "Rude."})
    assert Question.objects.get().status == "removed"
