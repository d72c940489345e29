"""Staff put right what is wrong after a payment: VAT alone, who an invoice is for, work whose refund came back."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import DatabaseError, transaction
from django.test import Client
from django.utils import timezone

from accounts.models import StaffAct
from directory import weeks
from directory.models import Listing
from orders import fulfil
from orders.models import Order
from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.factories.staff import fresh, staff_client
from tests.orders.conftest import Vies
from tests.orders.paying import begin, buy, lines, money, work
from tests.orders.test_payments_admin import page_of, shown
from tests.orders.test_refunds import give_back, intent, papers
from tests.orders.test_stripe_payments import COMPLETED, tell
from tests.servers.stripe_server import StripeServer

NUMBER = "FR40303265045"
BILLING = {
    "billing_name": "Ines Caldeira",
    "billing_company": "Brindel",
    "billing_address": "Rue 1",
    "billing_postcode": "75001",
    "billing_city": "Paris",
    "billing_country": "FR",
}


@pytest.fixture
def finance() -> Client:
    return fresh(staff_client("finance"))


@pytest.fixture
def paid(api: Api, people: People, stripe_server: StripeServer) -> Order:
    """EUR 49.00 to France, with its VAT of EUR 9.80: VIES was away."""
    listing = make_listing(owner=people.owner)
    order = buy(
        api, {"product": "featured", "listing_id": listing.pk}, billing_country="FR", vat_number=NUMBER
    )
    Order.objects.filter(pk=order.pk).update(**BILLING)
    tell(stripe_server, COMPLETED, stripe_server.pay(begin(order, "card").provider_reference or ""))
    order.refresh_from_db()
    return order


def test_finance_gives_the_vat_back_once_the_number_is_valid(
    paid: Order, finance: Client, vies: Vies, stripe_server: StripeServer
) -> None:
    cache.clear()
    vies.knows(NUMBER)
    url = page_of(paid, "vat")
    assert "Give the VAT back…" in shown(finance, page_of(paid))
    asked = shown(finance, url)
    assert "€9.80 goes back by stripe (card). Nothing that was bought ends." in asked
    assert "before VAT €0.00, VAT −€9.80" in asked
    assert f"{NUMBER} is registered, says VIES now" in asked
    assert "The amount left has changed" in shown(finance, url, cents="979", reason="VIES was away")
    assert len(papers(paid)) == 1
    assert "€9.80 VAT is asked back" in shown(finance, url, cents="980", reason="VIES was away")
    work()

    note = paid.invoices.get(kind="credit_note")
    assert (note.net_cents, note.vat_cents, stripe_server.left(intent(paid))) == (0, -980, 4900)
    assert "Reverse charge" in note.document["notes"][-1]
    assert (money(paid)[0], lines(paid)) == ("partially_refunded", [("featured", "done")])
    assert (paid.vat_number_status, paid.vat_check_reference) == ("valid", "WAPIAAAA1")
    assert StaffAct.objects.get().said == "gave €9.80 VAT back of"
    assert "No VAT can be given back now" in shown(finance, url)


def test_who_an_invoice_is_for_is_corrected_by_a_document_that_says_what_was(
    paid: Order, people: People, finance: Client
) -> None:
    invoice, url = paid.invoices.get(), page_of(paid, "buyer")
    before = invoice.document
    new = {name: value for name, value in BILLING.items() if name != "billing_country"}
    sent = new | {"vat_number": NUMBER, "reason": "Misspelt"}

    assert "You changed nothing" in shown(finance, url, **sent)
    assert "This isn't a VAT number" in shown(finance, url, **sent | {"vat_number": "FR1"})
    sent["billing_company"] = "Brindle SARL"
    compared = shown(finance, url, **sent)
    assert "Brindel" in compared
    assert "Issue the correcting invoice" in compared
    assert len(papers(paid)) == 1
    said = shown(finance, url, **sent, sure="True")
    assert f"TEST-COR-{invoice.year}-000001 is issued" in said

    correction = paid.invoices.get(kind="correction")
    assert (correction.net_cents, correction.vat_cents, correction.corrects) == (0, 0, invoice)
    assert correction.document["corrects"]["number"] == invoice.number
    assert correction.document["changes"] == [
        {"what": "Company", "before": "Brindel", "after": "Brindle SARL"}
    ]
    invoice.refresh_from_db()
    assert invoice.document == before
    with pytest.raises(DatabaseError, match="never changes"), transaction.atomic():
        correction.delete()
    give_back(paid, people, amount_cents=1000)
    assert paid.invoices.get(kind="credit_note").document["buyer"]["name"] == "Brindle SARL"
    page = Client().get(document_url(finance, paid, correction.number)).content.decode()
    assert "Correcting invoice" in page
    assert "Brindel" in page
    assert money(paid)[0] == "partially_refunded"


def document_url(finance: Client, order: Order, number: str) -> str:
    page = finance.get(page_of(order)).content.decode()
    address = next(part for part in page.split('"') if part.endswith(f"/documents/{number}"))
    return "/" + address.split("/", 3)[3]


@pytest.mark.parametrize("about", ["vat", "buyer"])
def test_only_who_may_puts_it_right(paid: Order, about: str) -> None:
    moderator = fresh(staff_client("moderator"))

    assert moderator.post(page_of(paid, about), {"cents": "980", "reason": "-"}).status_code == 403
    assert "Give the VAT back…" not in shown(moderator, page_of(paid))
    assert len(papers(paid)) == 1


def test_work_is_done_again_when_its_refund_came_back(
    paid: Order, people: People, finance: Client, stripe_server: StripeServer
) -> None:
    line = paid.lines.get()
    url = page_of(paid, f"lines/{line.pk}/again")
    assert "Only work that was taken back" in shown(finance, url, x="")
    give_back(paid, people)
    assert "Only work that was taken back" in shown(finance, url, x="")
    refund = stripe_server.refunds[0]
    refund["status"] = "failed"
    tell(stripe_server, "refund.failed", refund)
    assert lines(paid) == [("featured", "reversed")]

    assert "Do it again…" in shown(finance, page_of(paid))
    assert f"Do the work of {line.name} again?" in shown(finance, url)  # asks, and does nothing yet
    work()
    assert lines(paid) == [("featured", "reversed")]
    assert "The work starts again" in shown(finance, url, x="")
    work()
    listing = Listing.objects.get(pk=line.listing_id)
    assert (money(paid)[0], lines(paid)) == ("paid", [("featured", "done")])
    assert listing.featured_until is not None
    assert timedelta(days=6) < listing.featured_until - timezone.now() < timedelta(days=8)


def test_work_for_a_week_waits_for_another_week(
    api: Api, people: People, finance: Client, stripe_server: StripeServer
) -> None:
    listing = make_listing(owner=people.owner, status="draft", launch_week=None)
    week = weeks.week_of(timezone.now()) + 2 * weeks.WEEK
    order = buy(api, {"product": "launch", "listing_id": listing.pk, "week": str(week)})
    tell(stripe_server, COMPLETED, stripe_server.pay(begin(order, "card").provider_reference or ""))
    give_back(order, people)
    refund: dict[str, Any] = stripe_server.refunds[0]
    refund["status"] = "failed"
    tell(stripe_server, "refund.failed", refund)

    line = order.lines.get()
    shown(finance, page_of(order, f"lines/{line.pk}/again"), x="")
    assert lines(order) == [("launch", "blocked")]
    shown(finance, page_of(order, f"lines/{line.pk}/week"), week=str(week + weeks.WEEK))
    work()
    listing.refresh_from_db()
    assert (lines(order), listing.launch_week) == ([("launch", "done")], week + weeks.WEEK)


def test_work_of_staff_is_theirs_again_and_what_they_did_stays(
    api: Api, people: People, finance: Client, stripe_server: StripeServer
) -> None:
    order = buy(api, {"product": "done_for_you", "options": {"website": "https://tidewell.com/"}})
    tell(stripe_server, COMPLETED, stripe_server.pay(begin(order, "card").provider_reference or ""))
    line = order.lines.get()
    for rounds in range(2):
        give_back(order, people)
        refund: dict[str, Any] = stripe_server.refunds[rounds]
        refund["status"] = "failed"
        tell(stripe_server, "refund.failed", refund)
        shown(finance, page_of(order, f"lines/{line.pk}/again"), x="")
        work()
        task = line.tasks.get()
        assert lines(order) == [("done_for_you", "done" if rounds else "in_progress")]
        if task.closed_at is None:
            fulfil.close_task(task_id=task.pk, result="Done.", staff_id=people.staff.pk, at=timezone.now())
    assert task.result == "Done."
