"""The AI review: a model's, each point with a quote that stands where it says; never empty, told when it is ready."""

import json
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from core import jobs
from core.models import Job
from drafts.models import Draft, DraftPage
from orders import fulfil, refunding
from orders.models import AiReview, StaffTask
from orders.payments import Kind, PaymentEvent
from orders.refund_outcomes import finish
from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.orders.paying import buy, lines, pay
from tests.servers.model import Behaviour, ModelServer, fails, says

PAGE = "https://tidewell.example/about"
SITE_SAYS = "Tidewell closes the books of a bakery in nine minutes."


def point(kind: str, title: str, *quotes: Any) -> dict[str, Any]:
    return {"kind": kind, "title": title, "text": "Say so.", "quotes": list(quotes)}


def finds(*points: dict[str, Any]) -> Behaviour:
    return says(json.dumps({"findings": points}))


def test_a_point_passes_only_with_quotes_that_stand_where_its_kind_says(
    api: Api, people: People, model: ModelServer, client: Client
) -> None:
    model.behave = finds(
        point("unclear", "Which things?", "keeps things in order"),
        point("better_on_site", "Nine minutes", "closes the  books of a BAKERY"),
        point("missing", "Bakeries", "Tidewell closes the books", "never said"),
        point("missing", "Own words", "keeps things in order"),
        point("unclear", "Bare"),
        point("other", "Other", "keeps things in order"),
        point("unclear", "A number", 7),
    )
    listing = make_listing(owner=people.owner)
    draft = Draft.objects.create(
        owner=people.owner,
        site=listing.site,
        url=listing.url,
        listing=listing,
        status="ready",
        created_at=timezone.now(),
        updated_at=timezone.now(),
    )
    DraftPage.objects.create(draft=draft, position=0, url=PAGE, text=SITE_SAYS)

    order = pay(buy(api, {"product": "ai_review", "listing_id": listing.pk}))

    review = AiReview.objects.get()
    assert lines(order) == [("ai_review", "done")]
    assert [(found["title"], found["evidence"]) for found in review.findings] == [
        ("Which things?", [{"quote": "keeps things in order", "url": ""}]),
        ("Nine minutes", [{"quote": "closes the  books of a BAKERY", "url": PAGE}]),
    ]
    asked = json.loads(model.requests[-1]["messages"][-1]["content"])
    assert asked["website"] == [{"url": PAGE, "text": SITE_SAYS}]
    letter = Job.objects.get(kind="core.send_mail", key=f"order-review-{order.lines.get().pk}")
    assert "The review of Tidewell is ready" in letter.payload["subject"]
    client.force_login(people.owner)
    page = client.get(f"/account/orders/{order.number}").content.decode()
    assert [
        words for words in ("What your website says better", "Nine minutes", PAGE) if words not in page
    ] == []


def asked(times: int) -> None:
    """Let the pauses between the model's answers be over."""
    for _ in range(times):
        Job.objects.filter(kind="orders.write_review", state="queued").update(run_after=timezone.now())
        jobs.run_due()


@pytest.mark.parametrize(
    "behave", [finds(), finds(point("missing", "Made up", "never said")), says("no JSON"), fails(500)]
)
def test_a_model_that_fails_is_asked_again_and_then_staff_write_it(
    api: Api, people: People, model: ModelServer, behave: Behaviour
) -> None:
    model.behave = behave
    order = pay(buy(api, {"product": "ai_review", "listing_id": make_listing(owner=people.owner).pk}))
    asked(4)

    assert len(model.requests) == 3
    assert (lines(order), AiReview.objects.count()) == ([("ai_review", "in_progress")], 0)
    task = StaffTask.objects.get()
    assert (task.kind, task.closed_at) == ("ai_review", None)
    letters = Job.objects.filter(kind="core.send_mail", payload__to=people.staff.email)
    assert any("or give the money of the line back" in letter.payload["text"] for letter in letters)


def test_a_buyer_whose_review_fails_for_good_is_told_and_offered_the_money(
    api: Api, people: People, model: ModelServer, client: Client
) -> None:
    model.behave = fails(500)
    order = pay(buy(api, {"product": "ai_review", "listing_id": make_listing(owner=people.owner).pk}))
    asked(4)

    (letter,) = [message for message in mail.outbox if "takes longer" in message.subject]
    assert (letter.to, letter.subject) == ([people.owner.email], "The review of Tidewell takes longer")
    assert f"/account/orders/{order.number}#refund" in letter.body
    client.force_login(people.owner)
    page = client.get(f"/account/orders/{order.number}").content.decode()
    assert 'id="refund"' in page
    line = order.lines.get()
    client.post(f"/account/orders/{order.number}/refund", {"line": line.pk})
    open_rows = StaffTask.objects.filter(line=line, closed_at=None).order_by("kind")
    assert [row.kind for row in open_rows] == ["ai_review", "refund"]


def test_without_a_model_what_was_paid_goes_to_staff_at_once(api: Api, people: People, settings: Any) -> None:
    order = buy(api, {"product": "ai_review", "listing_id": make_listing(owner=people.owner).pk})
    settings.OPENAI_API_KEY = ""

    pay(order)

    assert (StaffTask.objects.get().kind, AiReview.objects.count()) == ("ai_review", 0)


def test_a_review_that_was_taken_back_is_written_when_its_work_is_done_again(
    api: Api, people: People, model: ModelServer
) -> None:
    model.behave = fails(500)
    order = pay(buy(api, {"product": "ai_review", "listing_id": make_listing(owner=people.owner).pk}))
    asked(4)
    payment, at, staff_id = order.payments.get(), timezone.now(), people.staff.pk
    row = refunding.refund(payment_id=str(payment.pk), reason="-", staff_id=staff_id, at=at)
    jobs.run_due()
    finish(refund_id=str(row.pk), event=PaymentEvent(kind=Kind.REFUND_FAILED), at=at)
    fulfil.work_again(line_id=order.lines.get().pk, staff_id=staff_id, at=at)
    asked(4)
    assert (len(model.requests), StaffTask.objects.get().closed_at) == (6, None)  # staff have it once more
