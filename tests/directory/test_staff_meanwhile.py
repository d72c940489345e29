"""Two members of staff at once: who comes second changes nothing, and reads who was faster."""

import html
import re
from typing import Any

import pytest
from django.test import Client

from accounts.models import StaffAct
from directory.models import Listing, Question, Report, Review, Site
from tests.conftest import People
from tests.factories.listings import AT, make_listing
from tests.factories.reviews import make_question, make_review, reader
from tests.factories.staff import staff_client


@pytest.fixture
def listing(site: Site, people: People) -> Listing:
    return make_listing("brindle", owner=people.owner)


@pytest.fixture
def both(site: Site) -> tuple[Client, Client]:
    return staff_client("moderator", name="mo"), staff_client("moderator", name="ed")


def post(client: Client, row: Any, **sent: str) -> str:
    place = f"/admin/directory/{row._meta.model_name}/{row.pk}/change/"
    return html.unescape(client.post(place, sent, follow=True).content.decode())


def reasons() -> list[str]:
    return list(StaffAct.objects.order_by("pk").values_list("reason", flat=True))


def test_a_report_is_closed_once(listing: Listing, both: tuple[Client, Client]) -> None:
    report = Report.objects.create(listing=listing, reason="spam", created_at=AT)
    first, second = both

    assert "Closed." in post(first, report, resolution="It is mended.")
    page = post(second, report, resolution="It is fine.")

    assert re.search(r"Mo closed this \d+ s ago\. Nothing was changed\.", page)
    assert Report.objects.get().resolution == "It is mended."
    assert reasons() == ["It is mended."]


def test_a_review_is_decided_as_it_was_seen(listing: Listing, both: tuple[Client, Client]) -> None:
    review = make_review(listing, reader("noor"), status="waiting")
    first, second = both
    seen = second.get(f"/admin/directory/review/{review.pk}/change/").context["seen"]
    assert (
        f'name="seen" value="{seen}"'
        in second.get(f"/admin/directory/review/{review.pk}/change/").content.decode()
    )

    assert "Refused." in post(first, review, act="refuse", reason="An advertisement.", seen=seen)
    page = post(second, review, act="publish", seen=seen)
    assert re.search(r"Mo refused this \d+ s ago\. Nothing was changed\.", page)
    assert Review.objects.get().status == "refused"

    text = "Another text than the one on the page of this colleague."
    Review.objects.update(status="waiting", waits_since=AT, text=text)
    page = post(second, review, act="publish", seen=seen)
    assert "Its writer has changed it since. Read it again. Nothing was changed." in page
    assert (Review.objects.get().status, reasons()) == ("waiting", ["An advertisement."])


def test_a_question_is_taken_off_once(listing: Listing, both: tuple[Client, Client]) -> None:
    question = make_question(listing, reader("noor"))
    first, second = both

    assert "off the site." in post(first, question, reason="Rude.")
    assert "It is off the site already. Nothing was changed." in post(second, question, reason="Spam.")
    assert (Question.objects.get().reason, reasons()) == ("Rude.", ["Rude."])


def test_a_listing_that_is_suspended_already_keeps_its_reason(
    listing: Listing, both: tuple[Client, Client]
) -> None:
    first, second = both
    place, other = f"/admin/directory/listing/{listing.pk}/suspend/", make_listing("corvid")
    sent = {"kind": "spam", "text": ""}

    assert "Brindle is suspended." in first.post(place, sent, follow=True).content.decode()
    page = second.post(place, {**sent, "kind": "illegal"}, follow=True).content.decode()
    assert "It is suspended already. Nothing was changed." in page
    chosen = {"action": "suspend", "reason": "Fake.", "_selected_action": [listing.pk, other.pk]}
    page = second.post("/admin/directory/listing/", chosen, follow=True).content.decode()

    assert "Brindle: It is suspended already." in page
    assert "1 listing suspended. 1 stays as it is." in page
    assert len(reasons()) == 2
    assert "illegal" not in " ".join(listing.moves.values_list("reason", flat=True))


def test_pictures_that_are_gone_are_not_removed_again(listing: Listing, both: tuple[Client, Client]) -> None:
    place = f"/admin/directory/listing/{listing.pk}/clear/"

    page = both[0].post(place, {"reason": "Stolen."}, follow=True).content.decode()

    assert "It has no pictures. Nothing was changed." in page
    assert reasons() == []
