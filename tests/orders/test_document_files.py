"""Files of documents: a PDF with its structured twin inside, UBL by the schemas, attached, asked for, handed over."""

import uuid
from datetime import UTC, datetime
from typing import Any

import pytest
from django.conf import settings
from django.core import mail
from django.test import Client
from django.utils import timezone
from facturx import get_xml_from_pdf, xml_check_xsd
from fontTools.ttLib import TTFont
from lxml import etree
from pypdf import PdfReader

from config.staff import queues
from core import jobs
from directory.models import Listing
from orders import billing, links, refunding
from orders.documents import files, pdf
from orders.models import DocumentFile, Invoice, Order, Payment
from orders.promos import Caller
from orders.vat import NO_NUMBER, NumberCheck
from tests.conftest import Api, People
from tests.factories.staff import staff_client
from tests.orders.paying import begin, buy, choose, work
from tests.servers.access_point import access_point

BELGIAN = NumberCheck(
    number="BE0403170701", country="BE", status="valid", checked_at=datetime(2026, 11, 1, tzinfo=UTC)
)


@pytest.fixture(autouse=True)
def belgian_seller(german_seller: None, settings: Any) -> None:
    settings.SELLER_COUNTRY, settings.SELLER_VAT_NUMBER = "BE", "BE0428759497"
    settings.SELLER_ADDRESS, settings.SELLER_EMAIL = "Rue Neuve 1, 1000 Brussels", "billing@seller.example"


def sell(
    api: Api, listing: Listing, people: People, *, name: str, country: str, number: NumberCheck = NO_NUMBER
) -> Order:
    """For money that counts, as far as the books know."""
    order = buy(api, {"product": "ai_review", "listing_id": listing.pk})
    details = billing.Billing(
        email="kunde@buyer.example",
        name=name,
        company="",
        address="Straße 5 / Οδός 5",
        postcode="1000",
        city="Bruxelles",
        country=country,
        promo_code="",
    )
    buyer = Caller(user_id=people.owner.pk, network="test")
    billing.fill_in(order_id=order.pk, billing=details, number=number, buyer=buyer, at=timezone.now())
    payment = begin(order)
    Payment.objects.filter(pk=payment.pk).update(test_money=False)
    choose(payment, "pay")
    work()
    order.refresh_from_db()
    return order


def test_half_bold_has_every_letter_that_the_pages_font_has() -> None:
    regular = settings.BASE_DIR / "config" / "static" / "fonts" / "geist-latin.woff2"

    assert TTFont(pdf.SEMIBOLD).getBestCmap() == TTFont(regular).getBestCmap()


def text_of(content: bytes, tmp_path: Any) -> str:
    path = tmp_path / "document.pdf"
    path.write_bytes(content)
    return "\n".join(page.extract_text() for page in PdfReader(path).pages)


def test_a_paid_order_mails_its_invoice_as_pdf_with_the_structured_one_inside(
    api: Api, live: Listing, people: People, settings: Any, tmp_path: Any
) -> None:
    settings.INVOICE_FILES = True
    order = sell(api, live, people, name="Größe Müller Ελληνική Εταιρεία", country="GR")
    invoice = order.invoices.get()

    (message,) = [one for one in mail.outbox if one.to == ["kunde@buyer.example"]]
    ((name, content, kind),) = message.attachments
    assert (name, kind) == (f"{invoice.number}.pdf", "application/pdf")
    assert isinstance(content, bytes)
    text = text_of(content, tmp_path)
    for word in (
        invoice.number,
        "Größe Müller",
        "Ελληνική Εταιρεία",
        "by the clock of Europe/Brussels",
        "BE0428759497",
    ):
        assert word in text, word
    inside, xml = get_xml_from_pdf(content, check_xsd=True, check_schematron=False)
    assert inside == "factur-x.xml"
    assert f"{order.total_cents / 100:.2f}".encode() in xml
    ubl = files.stored(invoice, "xml") or b""
    assert xml_check_xsd(ubl, flavor="ubl-2.1-invoice") is True
    assert DocumentFile.objects.filter(document=invoice, handed_at=None, waits_since=None).count() == 2

    path = f"/account/orders/{order.number}/invoices/{invoice.number}"
    bearer = api("account:read")
    answer = bearer.get(path)
    assert (answer["Content-Type"], answer.content) == ("application/pdf", files.stored(invoice, "pdf"))
    assert bearer.get(f"{path}.xml").content == ubl
    public = f"{links.checkout_url(order).split('/', 3)[3]}/documents/{invoice.number}"
    assert Client().get(f"/{public}.pdf").content == answer.content
    assert Client().get(f"/{public}.doc").status_code == Client().get(f"/{public}.pdf.pdf").status_code == 404
    assert api("all", user=people.stranger).get(f"{path}.pdf").status_code == 404


def test_a_file_that_nobody_made_yet_is_made_for_whoever_asks(
    api: Api, live: Listing, people: People
) -> None:
    order = sell(api, live, people, name="Jane", country="US")
    invoice = order.invoices.get()
    path = f"/account/orders/{order.number}/invoices/{invoice.number}.pdf"

    first = api("all").get(path)
    assert (first.status_code, first["Retry-After"], DocumentFile.objects.count()) == (200, "5", 0)
    assert "The file is being made" in first.content.decode()
    work()
    content = api("all").get(path).content
    assert content.startswith(b"%PDF-")
    again = DocumentFile.objects.get(document=invoice, format="pdf").made_at
    files.make(document_id=invoice.pk, at=timezone.now())
    assert DocumentFile.objects.get(document=invoice, format="pdf").made_at == again


def test_every_kind_of_document_is_valid_by_the_schemas(api: Api, live: Listing, people: People) -> None:
    order = sell(api, live, people, name="Jean", country="FR")
    number = NumberCheck(number="FR40303265045", country="FR", status="valid", checked_at=timezone.now())
    about = {"order_id": order.pk, "number": number, "reason": "Valid", "staff_id": people.staff.pk}
    refunding.give_vat_back(**about, at=timezone.now())
    work()
    refunding.refund(
        payment_id=str(order.payments.get().pk), reason="All", staff_id=people.staff.pk, at=timezone.now()
    )
    work()

    documents = list(Invoice.objects.order_by("pk"))
    assert [row.kind for row in documents] == ["invoice", "credit_note", "credit_note"]
    for row in documents:
        files.make(document_id=row.pk, at=timezone.now())
        ubl = files.stored(row, "xml") or b""
        flavour = "invoice" if row.kind == "invoice" else "creditnote"
        assert xml_check_xsd(ubl, flavor=f"ubl-2.1-{flavour}") is True
        name, _ = get_xml_from_pdf(files.stored(row, "pdf"), check_xsd=True, check_schematron=False)
        assert name == "factur-x.xml"
    vat = etree.fromstring(files.stored(documents[1], "xml") or b"")
    codes = vat.xpath("//*[local-name()='TaxSubtotal']//*[local-name()='ID']/text()")
    assert codes == ["S", "VAT", "AE", "VAT"]


def test_a_domestic_business_of_belgium_is_invoiced_over_the_network(
    api: Api, live: Listing, people: People, settings: Any
) -> None:
    order = sell(api, live, people, name="Brasserie", country="BE", number=BELGIAN)
    invoice = order.invoices.get()
    queues.forget()
    finance = staff_client("finance")

    assert "Invoice to send by Peppol" in finance.get("/admin/").content.decode()
    rows = finance.get("/admin/orders/invoice/", {"network": "waits"}).context["cl"].result_list
    assert [row.pk for row in rows] == [invoice.pk]
    assert (
        "To be sent by Peppol" in finance.get(f"/admin/orders/invoice/{invoice.pk}/change/").content.decode()
    )
    assert b"0208" in (files.stored(invoice, "xml") or b"")
    with access_point() as network:
        settings.PEPPOL_URL, settings.PEPPOL_TOKEN, network.status = network.url, "secret", 503
        files.make(document_id=invoice.pk, at=timezone.now())
        work()
        assert (len(network.taken), files.waiting().count()) == (1, 1)
        network.status = 200
        for _ in range(2):
            files.hand_over(document_id=invoice.pk, at=timezone.now())
    (_, (headers, body)) = network.taken
    assert (headers["Authorization"], headers["Idempotency-Key"]) == ("Bearer secret", invoice.number)
    assert body == files.stored(invoice, "xml")
    row = DocumentFile.objects.get(document=invoice, format="xml")
    assert (row.handed_as, row.handed_at is not None, files.waiting().count()) == ("message-2", True, 0)


def test_what_waited_before_there_was_an_access_point_is_handed_over_once_there_is(
    api: Api, live: Listing, people: People, settings: Any
) -> None:
    sell(api, live, people, name="Brasserie", country="BE", number=BELGIAN)
    assert files.waiting().count() == 1
    with access_point() as network:
        settings.PEPPOL_URL = network.url
        for _ in range(2):
            jobs.add("orders.hand_over_waiting", key=str(uuid.uuid4()))
            work()

    assert (len(network.taken), files.waiting().count()) == (1, 0)


@pytest.mark.parametrize(("token", "status", "remain"), [("secret", 200, 0), ("wrong", 401, 1)])
def test_what_was_refused_for_want_of_a_token_goes_by_itself_once_there_is_one(  # noqa: PLR0917
    api: Api, live: Listing, people: People, settings: Any, token: str, status: int, remain: int
) -> None:
    with access_point() as network:
        settings.PEPPOL_URL, settings.PEPPOL_TOKEN, network.status = network.url, "", 401
        sell(api, live, people, name="Brasserie", country="BE", number=BELGIAN)
        tries = []
        for _ in range(3):
            jobs.add("orders.hand_over_waiting", key=str(uuid.uuid4()))
            work()
            tries.append(len(network.taken))
            settings.PEPPOL_TOKEN, network.status = token, status

    assert (tries, files.waiting().count()) == ([1, 2, 2], remain)


def test_staff_read_why_the_access_point_has_not_taken_it(
    api: Api, live: Listing, people: People, settings: Any
) -> None:
    with access_point() as network:
        settings.PEPPOL_URL, network.status = network.url, 422
        order = sell(api, live, people, name="Brasserie", country="BE", number=BELGIAN)
    invoice = order.invoices.get()
    page = staff_client("finance").get(f"/admin/orders/invoice/{invoice.pk}/change/").content.decode()

    assert f"“The access point refused {invoice.number}: 422.”" in page
    assert "and is not asked again" in page
    assert "PEPPOL_URL" not in page


def test_staff_say_that_they_sent_it_by_themselves(api: Api, live: Listing, people: People) -> None:
    order = sell(api, live, people, name="Brasserie", country="BE", number=BELGIAN)
    invoice = order.invoices.get()
    url = f"/admin/orders/invoice/{invoice.pk}/sent/"

    assert staff_client("moderator").post(url).status_code == 403
    assert files.waiting().count() == 1
    assert staff_client("finance").post(url).status_code == 302
    assert DocumentFile.objects.get(document=invoice, format="xml").handed_as == "by hand"


def test_consumers_and_other_countries_wait_for_nothing(api: Api, live: Listing, people: People) -> None:
    sell(api, live, people, name="Jan", country="BE")
    sell(api, live, people, name="Jean", country="FR")

    assert files.waiting().count() == DocumentFile.objects.count() == 0
