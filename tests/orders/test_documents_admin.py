"""Invoices as a place of their own in the back office: found by what buyers quote, filtered, opened, sent again."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from core.models import Mail
from directory.models import Listing
from orders import billing, refunding
from orders.ledger.returns import Quarter
from orders.models import Invoice, Order
from orders.promos import Caller
from orders.vat import NumberCheck
from tests.conftest import Api, People
from tests.factories.staff import staff_client
from tests.orders.paying import buy, pay, work

LIST = "/admin/orders/invoice/"


@pytest.fixture
def paid(api: Api, draft: Listing, people: People) -> Order:
    """Sold to a French business by reverse charge."""
    order = buy(api, {"product": "launch", "listing_id": draft.pk})
    details = billing.Billing(
        email="Compta@Maison.example",
        name="Élodie Martin",
        company="Maison Martin",
        address="12 rue des Lilas",
        postcode="75011",
        city="Paris",
        country="FR",
        promo_code="",
    )
    number = NumberCheck(number="FR40303265045", country="FR", status="valid", checked_at=timezone.now())
    buyer = Caller(user_id=people.owner.pk, network="test")
    billing.fill_in(order_id=order.pk, billing=details, number=number, buyer=buyer, at=timezone.now())
    return pay(order)


def give_back(order: Order, people: People) -> Invoice:
    refund = refunding.refund(
        payment_id=str(order.payments.get().pk), reason="Agreed", staff_id=people.staff.pk, at=timezone.now()
    )
    work()
    return Invoice.objects.get(refund=refund)


def numbers(client: Client, **query: str) -> set[str]:
    return {row.number for row in client.get(LIST, query).context["cl"].result_list}


def found(client: Client, query: str) -> list[tuple[str, str]]:
    answer = client.get("/admin/find/", {"q": query}, headers={"X-Part": "1"})
    return [(row.kind, row.name) for row in answer.context["matches"]]


def test_a_document_is_found_by_whatever_a_buyer_or_a_bank_quotes(paid: Order, people: People) -> None:
    invoice, note = paid.invoices.get(), give_back(paid, people)
    finance = staff_client("finance")
    both = {invoice.number, note.number}
    reference = paid.payments.get().provider_reference or ""

    assert numbers(finance, q=f" {note.number.lower()} ") == {note.number}
    for term in (
        "FR 403 032 65045",
        "compta@maison.example",
        "maison mar",
        "12 rue des l",
        reference,
        paid.number,
    ):
        assert numbers(finance, q=term) == both, term
    for term in ("FR40303265046", "aison", "nobody@maison.example", "INV-1999-000001", "x", "%"):
        assert numbers(finance, q=term) == set(), term
    assert found(finance, note.number) == [("Credit note", note.number)]
    assert (
        found(finance, "compta@maison.example") == found(finance, reference)[:1] == [("Order", paid.number)]
    )
    documents = [("Credit note", note.number), ("Invoice", invoice.number)]
    assert found(finance, "Maison M") == found(finance, "FR40303265045") == documents
    assert finance.get("/admin/find/", {"q": invoice.number})["Location"] == f"{LIST}{invoice.pk}/change/"
    orders = finance.get("/admin/orders/order/", {"q": "FR40303265045"}).context["cl"].result_list
    assert [row.pk for row in orders] == [paid.pk]


def test_the_list_is_narrowed_by_quarter_country_treatment_and_kind(paid: Order, people: People) -> None:
    invoice, note = paid.invoices.get(), give_back(paid, people)
    finance = staff_client("finance")
    quarter = Quarter.of(invoice.issued_on)

    assert numbers(finance, quarter=str(quarter), country="FR", treatment="reverse_charge") == {
        invoice.number,
        note.number,
    }
    assert numbers(finance, kind__exact="credit_note") == {note.number}
    assert numbers(finance, quarter=str(quarter.before)) == numbers(finance, country="-") == set()
    assert numbers(finance, treatment="domestic") == numbers(finance, country="DE") == set()
    page = finance.get(LIST).content.decode()
    assert all(
        text in page
        for text in ("Maison Martin", "France", "reverse charge", "€99.00", "−€99.00", "credited")
    )
    assert "kind,currency" in b"".join(finance.get(f"{LIST}export/")).decode()  # type: ignore[arg-type]


def test_a_document_is_opened_and_sent_again_by_those_who_may(paid: Order, people: People) -> None:
    note = give_back(paid, people)
    url = f"{LIST}{note.pk}/change/"
    finance, moderator = staff_client("finance"), staff_client("moderator")
    mails = Mail.objects.filter(template="orders/mail/document", address="compta@maison.example")

    page = finance.get(url).content.decode()
    assert paid.invoices.get(kind="invoice").number in page
    assert "Maison Martin" in page
    assert moderator.get(url).status_code == 200
    assert staff_client("editor").get(url).status_code == 404
    assert moderator.post(f"{LIST}{note.pk}/send/").status_code == 403
    assert (mails.count(), finance.post(url).status_code, finance.get(f"{LIST}0/change/").status_code) == (
        0,
        405,
        404,
    )
    for number in (1, 2):
        assert finance.post(f"{LIST}{note.pk}/send/").status_code == 302
        assert mails.count() == number
    assert mails[0].subject == f"[Test money] Credit note {note.number} of order {paid.number}"


def test_the_list_takes_as_many_statements_however_long_it_is(paid: Order, people: People) -> None:
    finance = staff_client("finance")

    def count() -> int:
        finance.get(LIST)
        with CaptureQueriesContext(connection) as captured:
            finance.get(LIST)
        return len(captured)

    before = count()
    give_back(paid, people)
    assert count() == before <= 8


def test_the_database_keeps_the_columns_of_documents_of_former_releases(paid: Order) -> None:
    invoice: Any = paid.invoices.get()
    old = Invoice.objects.create(
        kind="correction",
        series="OLD",
        year=2025,
        sequence=1,
        number="OLD-2025-000001",
        order=paid,
        currency="EUR",
        net_cents=0,
        vat_cents=0,
        total_cents=0,
        document={"lines": []},
        issued_at="2025-12-31T23:30:00Z",
    )

    assert (str(old.issued_on), old.buyer_name, old.vat_rate) == ("2025-12-31", "", "")
    assert invoice.document["issued_on"] == invoice.issued_on.isoformat()
    assert (invoice.vat_country, invoice.buyer_vat_number) == ("FR", "FR40303265045")
