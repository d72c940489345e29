"""An invoice for the wrong buyer: credited and issued anew in one act from its page; what cannot be says the way."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import StaffAct
from core.models import Mail
from directory.models import Listing
from orders import correcting, refunding
from orders.correcting import Buyer, Right
from orders.ledger.returns import OSS, Quarter, Returns, returns_of
from orders.models import Invoice, Order, Payment
from orders.vat import NO_NUMBER
from tests.conftest import Api, People
from tests.factories.staff import fresh, staff_client
from tests.orders.conftest import Vies
from tests.orders.paying import begin, buy, choose, money, work
from tests.orders.test_payments_admin import shown

LIST = "/admin/orders/invoice/"
FRENCH = "FR40303265045"
OLD = {
    "billing_name": "Ines Caldeira",
    "billing_company": "Brindel",
    "billing_address": "Rue 1",
    "billing_postcode": "75001",
    "billing_city": "Paris",
}
NEW = OLD | {"billing_company": "Maison Martin", "billing_address": "12 rue des Lilas", "vat_number": ""}
RIGHT = NEW | {"country": "FR", "reason": "Another company of the group paid"}
Papers = list[tuple[str, int, int, str, str]]


@pytest.fixture
def finance() -> Client:
    return fresh(staff_client("finance"))


def sold(api: Api, draft: Listing, country: str) -> Order:
    """For real money, so that it is on the books."""
    order = buy(api, {"product": "launch", "listing_id": draft.pk}, billing_country=country)
    Order.objects.filter(pk=order.pk).update(
        **OLD, billing_country=country, billing_email="ines@brindel.example"
    )
    payment = begin(order)
    Payment.objects.filter(pk=payment.pk).update(test_money=False)
    choose(payment, "pay")
    order.refresh_from_db()
    return order


@pytest.fixture
def paid(api: Api, draft: Listing) -> Order:
    """EUR 99.00 and EUR 19.80 VAT of France."""
    return sold(api, draft, "FR")


def url_of(invoice: Invoice) -> str:
    return f"{LIST}{invoice.pk}/buyer/"


def papers(order: Order) -> Papers:
    """Kind, before VAT, VAT, whom it is for, and which document it corrects."""
    rows = order.invoices.order_by("pk").select_related("corrects")
    return [
        (
            row.kind,
            row.net_cents,
            row.vat_cents,
            row.buyer_name,
            row.corrects.number if row.corrects else "",
        )
        for row in rows
    ]


def subject_of(document: Invoice) -> str:
    return f"{document.get_kind_display()} {document.number} of order {document.order.number}"


def amounts(returns: Returns, part: str) -> list[tuple[str, int, int]]:
    return [(row.key.country, row.sums.net_cents, row.sums.vat_cents) for row in returns.part(part)]


def test_a_wrong_buyer_is_credited_and_the_right_one_invoiced_in_one_act(
    paid: Order, finance: Client
) -> None:
    first = paid.invoices.get()
    before, url = first.document, url_of(first)
    assert url in shown(finance, f"{LIST}{first.pk}/change/")
    assert "You changed nothing" in shown(finance, url, **RIGHT | OLD)
    assert "This isn't a VAT number" in shown(finance, url, **RIGHT | {"vat_number": "FR1"})
    compared = shown(finance, url, **RIGHT)
    figures = "before VAT €99.00, VAT €19.80, together €118.80 (France, 20%: VAT of France)."
    assert f"Credited: {figures}" in compared
    assert f"Invoiced anew: {figures}" in compared
    assert "Maison Martin" in compared
    assert len(papers(paid)) == 1

    done = shown(finance, url, **RIGHT, sure="True")
    credit, anew = paid.invoices.order_by("pk")[1:]
    assert f"{credit.number} and {anew.number} are issued and mailed." in done
    assert papers(paid) == [
        ("invoice", 9900, 1980, "Brindel", ""),
        ("credit_note", -9900, -1980, "Brindel", first.number),
        ("invoice", 9900, 1980, "Maison Martin", first.number),
    ]
    first.refresh_from_db()
    assert first.document == before
    assert anew.document["lines"] == first.document["lines"]
    assert anew.document["notes"][-1].endswith(": Another company of the group paid")
    assert money(paid)[0] == "paid"
    mails = Mail.objects.filter(template="orders/mail/document", address="ines@brindel.example")
    subjects = sorted(mails.values_list("subject", flat=True))
    assert subjects == sorted([subject_of(credit), subject_of(anew)])
    assert StaffAct.objects.get().said == "credited the invoice and issued it anew to the right buyer of"
    assert "replaced" in shown(finance, f"{LIST}{first.pk}/change/")


def test_the_corrected_one_is_corrected_again_and_refunds_are_of_the_last(
    paid: Order, finance: Client, people: People
) -> None:
    first = paid.invoices.get()
    shown(finance, url_of(first), **RIGHT, sure="True")
    second = paid.invoices.order_by("pk").last()
    assert second is not None
    twice = shown(finance, url_of(first), **RIGHT | {"billing_company": "Again"}, sure="True")
    assert f"{first.number} was credited already: {second.number} stands in its place." in twice
    assert len(papers(paid)) == 3
    shown(finance, url_of(second), **RIGHT | {"billing_company": "Lilas SARL"}, sure="True")
    third = paid.invoices.order_by("pk").last()
    assert third is not None
    assert papers(paid)[3:] == [
        ("credit_note", -9900, -1980, "Maison Martin", second.number),
        ("invoice", 9900, 1980, "Lilas SARL", second.number),
    ]
    assert third.document["origin_on"] == first.document["issued_on"]

    payment = paid.payments.get()
    about: dict[str, Any] = {"payment_id": str(payment.pk), "staff_id": people.staff.pk, "reason": "Agreed"}
    refunding.refund(**about, amount_cents=1188, at=timezone.now())
    work()
    assert papers(paid)[5:] == [("credit_note", -990, -198, "Lilas SARL", third.number)]
    assert money(paid)[0] == "partially_refunded"
    assert "€11.88 of it was credited already." in shown(finance, url_of(third), **RIGHT, sure="True")
    refunding.refund(**about, at=timezone.now())
    work()
    assert sum(net + vat for _, net, vat, _, _ in papers(paid)) == 0
    assert money(paid)[0] == "refunded"
    assert "All of it was refunded" in shown(finance, url_of(third), **RIGHT, sure="True")
    assert len(papers(paid)) == 7


def test_what_moves_money_or_waits_for_a_bank_is_refused_with_the_way(
    paid: Order, finance: Client, vies: Vies, people: People
) -> None:
    url = url_of(paid.invoices.get())
    vies.knows(FRENCH)
    numbered = shown(finance, url, **RIGHT | {"vat_number": FRENCH})
    assert "This buyer's VAT would be 0%, not 20%" in numbered
    assert "correct the invoice with this number, then give the VAT back." in numbered
    elsewhere = shown(finance, url, **RIGHT | {"country": "FI"}, sure="True")
    assert "This buyer's VAT would be 25.5%, not 20%" in elsewhere
    assert "Refund the order, and let the buyer order again with the right details." in elsewhere
    Order.objects.filter(pk=paid.pk).update(status="disputed")
    assert "The payment is disputed." in shown(finance, url, **RIGHT, sure="True")
    Order.objects.filter(pk=paid.pk).update(status="paid")
    refunding.give_vat_back(
        order_id=paid.pk, number=NO_NUMBER, reason="x", staff_id=people.staff.pk, at=timezone.now()
    )
    assert "A refund is under way." in shown(finance, url, **RIGHT, sure="True")
    assert len(papers(paid)) == 1
    moderator = fresh(staff_client("moderator"))
    assert moderator.post(url, RIGHT | {"sure": "True"}).status_code == 403


def test_a_country_of_the_same_rate_moves_between_returns_to_the_cent(paid: Order, finance: Client) -> None:
    first = paid.invoices.get()
    austrian = RIGHT | {"country": "AT", "billing_postcode": "1010"}
    compared = shown(finance, url_of(first), **austrian)
    assert "(France, 20%: VAT of France)." in compared
    assert "(Austria, 20%: VAT of Austria)." in compared
    assert "It said" in compared
    shown(finance, url_of(first), **austrian, sure="True")

    assert [row.vat_country for row in paid.invoices.order_by("pk")] == ["FR", "FR", "AT"]
    returns = returns_of(Quarter.of(first.issued_on))
    assert amounts(returns, OSS) == [("AT", 9900, 1980), ("FR", 0, 0)]
    assert (returns.agrees, returns.documents, returns.totals["EUR"].total_cents) == (True, 3, 11880)
    paid.refresh_from_db()
    assert (paid.billing_country, paid.vat_country, paid.vat_reason) == ("AT", "AT", "VAT of Austria.")


def test_documents_in_place_of_old_ones_correct_the_quarter_of_the_sale(paid: Order, finance: Client) -> None:
    first = paid.invoices.get()
    quarter = Quarter.of(first.issued_on)
    later = datetime(quarter.year + 1, 12, 15, 12, tzinfo=UTC)
    right = Right(buyer=Buyer(**OLD | {"billing_company": "Maison Martin"}), country="FR", number=NO_NUMBER)
    for company in ("Maison Martin", "Lilas SARL", "Martin SA"):
        right = replace(right, buyer=replace(right.buyer, billing_company=company))
        invoice = paid.invoices.filter(kind="invoice").order_by("pk").last()
        assert invoice is not None
        correcting.replace(invoice=invoice, right=right, reason="Misspelt", by="staff:1", at=later)

    returns = returns_of(Quarter(year=quarter.year + 1, number=4))
    assert [(row.key.of, row.sums.net_cents, row.sums.vat_cents) for row in returns.rows] == [
        (str(quarter), 0, 0)
    ]
    assert (returns.agrees, returns.documents) == (True, 6)
