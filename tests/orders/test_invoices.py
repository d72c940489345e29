"""Invoices and credit notes: numbers without a gap, sums to the cent, documents that stay as they were."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client, override_settings
from django.utils import timezone

from directory.models import Listing
from orders import invoices, refunding
from orders.models import Invoice, InvoiceCounter, Order, OrderLine
from tests.conftest import Api, People
from tests.factories.orders import make_order
from tests.orders.paying import buy, pay, work


@pytest.fixture
def paid(api: Api, draft: Listing) -> Order:
    order = buy(
        api, {"product": "launch", "listing_id": draft.pk}, {"product": "ai_review", "listing_id": draft.pk}
    )
    return pay(order)


def give_back(order: Order, people: People, **what: Any) -> Invoice:
    payment = order.payments.get()
    row = refunding.refund(
        payment_id=str(payment.pk), reason="As agreed", staff_id=people.staff.pk, at=timezone.now(), **what
    )
    work()
    return Invoice.objects.get(refund=row)


def test_credit_notes_add_up_to_the_invoice(paid: Order, people: People) -> None:
    invoice = paid.invoices.get()
    second = paid.lines.get(product="ai_review")
    notes = [
        give_back(paid, people, line_id=second.pk),
        give_back(paid, people, amount_cents=1001),
        give_back(paid, people),
    ]

    assert (notes[0].net_cents, notes[0].vat_cents) == (-second.net_cents, -second.vat_cents)
    for column in ("net_cents", "vat_cents", "total_cents"):
        assert sum(getattr(note, column) for note in notes) == -getattr(invoice, column)
    assert [note.number[-6:] for note in notes] == ["000001", "000002", "000003"]
    assert notes[0].document["corrects"]["number"] == invoice.number
    assert notes[0].document["lines"][0]["name"] == second.name


def test_documents_stay_as_they_were(paid: Order) -> None:
    invoice = paid.invoices.get()
    before = invoice.document
    OrderLine.objects.update(name="Another name")
    with override_settings(SELLER_NAME="Somebody else"):
        assert invoices.issue_invoice(order=paid, at=timezone.now()).document == before
    with pytest.raises(DatabaseError, match="never changes"), transaction.atomic():
        Invoice.objects.update(total_cents=0, net_cents=0, vat_cents=0)


def test_what_is_rolled_back_leaves_no_gap(site: Any, people: People) -> None:
    at = timezone.now()
    first, second = (make_order(site, owner=people.owner, test_money=False) for _ in range(2))
    with transaction.atomic():
        invoices.issue_invoice(order=first, at=at)
        transaction.set_rollback(True)
    kept = invoices.issue_invoice(order=second, at=at)

    assert kept.number == f"INV-{at.year}-000001"


@pytest.mark.django_db(transaction=True)
def test_invoices_issued_at_once_have_numbers_without_a_gap(
    german_seller: None, site: Any, people: People
) -> None:
    at = timezone.now()
    orders = [make_order(site, owner=people.owner, test_money=False) for _ in range(12)]

    def issue(order: Order) -> int:
        try:
            with transaction.atomic():
                return invoices.issue_invoice(order=order, at=at).sequence
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        drawn = sorted(pool.map(issue, orders))

    assert drawn == list(range(1, 13))
    assert InvoiceCounter.objects.get(series="INV").last == 12


@pytest.mark.parametrize(
    ("scope", "status"), [("account:read", 200), ("orders:write", 200), ("listings:write", 403)]
)
def test_a_program_gets_the_invoice_that_it_is_given(api: Api, paid: Order, scope: str, status: int) -> None:
    url = api("all").get(f"/api/v1/orders/{paid.number}").json()["invoice_url"]
    path = url.split("/", 3)[3]

    answer = api(scope).get(f"/{path}")

    shown = "orders/document.html" in [template.name for template in answer.templates]
    assert (answer.status_code, shown) == (status, status == 200)


def test_a_wrong_credential_and_somebody_elses_get_no_invoice(api: Api, paid: Order, people: People) -> None:
    path = f"/account/orders/{paid.number}/invoices/{paid.invoices.get().number}"

    assert api("all", user=people.stranger).get(path).status_code == 404
    assert Client(headers={"Authorization": "Bearer plk_wrong"}).get(path).status_code == 401
    assert Client().get(path).status_code == 302
