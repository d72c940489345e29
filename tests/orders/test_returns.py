"""Returns by quarter and their files: whatever was sold and given back, each adds up to the documents to the cent."""

import csv
import re
from collections import defaultdict
from datetime import date
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from directory.models import Listing, Site
from orders import refund_outcomes, refunding
from orders.correcting import WORDS, Buyer, correct_buyer
from orders.errors import OrderCannotMoveError
from orders.ledger.returns import Quarter, returns_of
from orders.models import Order, Payment
from orders.payments import Kind, PaymentEvent
from orders.vat import NO_NUMBER, NumberCheck
from tests.conftest import Api, People
from tests.factories.staff import fresh, staff_client
from tests.orders.ledger import YEAR, Year
from tests.orders.paying import begin, buy, choose, work

PAGE = "/admin/orders/invoice/returns/"
FRENCH = "FR40303265045"


def table(client: Any, quarter: object, kind: str) -> list[dict[str, str]]:
    text = client.get(f"{PAGE}{quarter}/{kind}/").getvalue().decode("utf-8-sig")
    return list(csv.DictReader(StringIO(text)))


def sum_of(rows: Any, *columns: str) -> tuple[Decimal, ...]:
    return tuple(sum((Decimal(row[column]) for row in rows), Decimal(0)) for column in columns)


def cents(*amounts: Decimal) -> tuple[int, ...]:
    return tuple(int(amount * 100) for amount in amounts)


def test_a_year_of_10_000_orders_adds_up_to_its_documents_in_every_file(site: Site) -> None:
    year = Year(site, orders=10_000)
    year.save()
    finance = staff_client("finance")
    quarters = [Quarter(year=YEAR, number=number) for number in (1, 2, 3, 4)]
    seen: dict[str, list[int]] = defaultdict(list)

    for quarter in quarters:
        own = [
            row
            for row in year.rows
            if quarter.first.isoformat() <= row.document["issued_on"] <= quarter.last.isoformat()
        ]
        net, vat = sum(row.net_cents for row in own), sum(row.vat_cents for row in own)
        returns = returns_of(quarter)
        assert returns.agrees
        assert returns.documents == len(own)
        ledger, figures = table(finance, quarter, "ledger"), table(finance, quarter, "figures")
        assert cents(*sum_of(ledger, "net", "vat", "gross")) == (net, vat, net + vat)
        assert cents(*sum_of(figures, "net", "vat", "gross")) == (net, vat, net + vat)
        by_part, taxed, stated = expected(own, quarter)
        assert summed(figures, ("part", "country", "corrects_period"), ("net", "vat")) == by_part
        assert summed(table(finance, quarter, "oss"), *OSS_COLUMNS) == taxed
        assert summed(table(finance, quarter, "recapitulative"), *REVERSE_COLUMNS) == stated
        for row in ledger:
            series, _, sequence = row["number"].split("-")
            seen[series].append(int(sequence))
    page = finance.get(PAGE, {"quarter": str(quarters[-1])}).content.decode()
    assert page.count("none missing") == 3
    bookings = finance.get(f"{PAGE}{quarters[0]}/datev/").getvalue().decode("cp1252").split("\r\n")
    assert bookings[0].startswith('"EXTF";700;21;"Buchungsstapel";13;')
    total = returns_of(quarters[0]).totals["EUR"]
    assert sum(map(booked, bookings[2:-1])) == total.total_cents
    assert {name: sorted(drawn) for name, drawn in seen.items()} == {
        name: list(range(1, last + 1)) for name, last in year.numbers.items()
    }


PARTS = {"domestic": "domestic", "assumed": "domestic", "destination": "oss"}
OSS_COLUMNS = (
    ("member_state_of_consumption", "vat_rate", "corrects_period"),
    ("taxable_amount", "vat_amount"),
)
REVERSE_COLUMNS = (("vat_number", "corrects_period"), ("net",))
Table = dict[tuple[str, ...], tuple[int, ...]]


def summed(rows: list[dict[str, str]], keys: tuple[str, ...], columns: tuple[str, ...]) -> Table:
    """The lines of a file by what they are told apart by, in cents; each stands there once."""
    sums = {tuple(row[key] for key in keys): cents(*(Decimal(row[name]) for name in columns)) for row in rows}
    assert len(sums) == len(rows)
    return {key: amounts for key, amounts in sums.items() if any(amounts)}


def expected(documents: list[Any], quarter: Quarter) -> tuple[Table, Table, Table]:
    """The same from the documents, one by one: by part, for the one-stop shop, for the recapitulative statement."""
    by_part, taxed, stated = ({}, {}, {})  # type: tuple[Any, Any, Any]

    def add(table: Any, key: tuple[str, ...], *amounts: int) -> None:
        table[key] = tuple(map(sum, zip(table.get(key, [0] * len(amounts)), amounts, strict=True)))

    for row in documents:
        vat, moved = row.document["vat"], row.document.get("moves", {}).get("net_cents", 0)
        first = row
        while first.corrects:
            first = first.corrects
        sold = Quarter.of(date.fromisoformat(first.document["issued_on"]))
        of, country = "" if sold == quarter else str(sold), vat["country"]
        treatment, net = vat["treatment"], row.net_cents - moved
        part = "elsewhere" if country == "GB" else PARTS.get(treatment, treatment)
        add(by_part, (part, country, of), net, row.vat_cents)
        if part == "oss":
            add(taxed, ({"GR": "EL"}.get(country, country), vat["rate"], of), net, row.vat_cents)
        if moved:
            add(by_part, ("reverse_charge", country, of), moved, 0)
        if moved or treatment == "reverse_charge":
            add(stated, (row.document["buyer"]["vat_number"], of), moved or net)
    return tuple(
        {key: sums for key, sums in table.items() if any(sums)} for table in (by_part, taxed, stated)
    )  # type: ignore[return-value]


def booked(line: str) -> int:
    """What a booking adds to the debtor's account, in cents."""
    cells = line.split(";")
    assert len(cells) == 125
    if cells[6] != "10000":
        return 0
    return int(cells[0].replace(",", "")) * (1 if cells[1] == '"S"' else -1)


def test_the_page_of_a_quarter_takes_as_many_statements_however_much_was_sold(site: Site) -> None:
    finance = staff_client("finance")

    def count() -> int:
        finance.get(PAGE, {"quarter": f"{YEAR}-Q2"})
        with CaptureQueriesContext(connection) as captured:
            assert finance.get(PAGE, {"quarter": f"{YEAR}-Q2"}).status_code == 200
        return len(captured)

    before = count()
    Year(site, orders=300).save()
    assert count() == before


@pytest.fixture
def sold(api: Api, live: Listing, settings: Any) -> Order:
    """To a French consumer, for real money, in the last quarter of a year by the seller's clock."""
    settings.SELLER_VAT_NUMBER = "DE136695976"
    order = buy(api, {"product": "ai_review", "listing_id": live.pk}, billing_country="FR")
    payment = begin(order)
    Payment.objects.filter(pk=payment.pk).update(test_money=False)
    choose(payment, "pay")
    order.refresh_from_db()
    return order


def test_vat_that_goes_back_alone_makes_the_sale_a_reverse_charge_of_the_same_quarter(
    sold: Order, people: People
) -> None:
    number = NumberCheck(number=FRENCH, country="FR", status="valid", checked_at=timezone.now())
    about = {"order_id": sold.pk, "number": number, "reason": "Valid", "staff_id": people.staff.pk}
    refunding.give_vat_back(**about, at=timezone.now())
    work()
    finance = staff_client("finance")
    quarter = Quarter.of(sold.invoices.get(kind="invoice").issued_on)
    net, vat = sold.net_cents, sold.vat_cents

    (oss,) = table(finance, quarter, "oss")
    (recapitulative,) = table(finance, quarter, "recapitulative")
    assert (oss["taxable_amount"], oss["vat_amount"], oss["vat_rate"]) == ("0.00", "0.00", "20.00")
    assert (oss["member_state_of_consumption"], oss["vat_identification_number"]) == ("FR", "DE136695976")
    assert recapitulative["vat_number"] == FRENCH
    assert cents(Decimal(recapitulative["net"])) == (net,)

    refunding.refund(
        payment_id=str(sold.payments.get().pk), reason="All", staff_id=people.staff.pk, at=timezone.now()
    )
    work()
    last = sold.invoices.filter(kind="credit_note").latest("pk")
    assert (last.net_cents, last.vat_cents, last.vat_treatment) == (-net, 0, "reverse_charge")
    assert (last.document["vat"]["rate"], "Reverse charge" in last.document["notes"][0]) == ("0.00", True)
    assert vat > 0
    assert all(
        Decimal(row[column]) == 0
        for kind, column in (("oss", "taxable_amount"), ("recapitulative", "net"), ("figures", "gross"))
        for row in table(finance, quarter, kind)
    )


def test_a_refund_counts_when_it_is_made_and_says_which_quarter_it_corrects(site: Site) -> None:
    year = Year(site, orders=400)
    year.save()
    finance = staff_client("finance")

    rows = table(finance, f"{YEAR}-Q3", "oss")
    corrections = [row for row in rows if row["corrects_period"]]
    assert {row["corrects_period"] for row in corrections} <= {f"{YEAR}-Q1", f"{YEAR}-Q2"}
    assert corrections
    assert [row["corrects_period"] for row in rows] == sorted(row["corrects_period"] for row in rows)
    ledger = table(finance, f"{YEAR}-Q3", "ledger")
    notes = [row for row in ledger if row["kind"] == "credit_note"]
    assert {row["refund_of"][:3] for row in notes} == {"INV"}
    assert {row["buyer"] for row in ledger} == {"Ö=1+1", "'=cmd"}


def test_returns_are_for_finance_alone_and_each_file_is_on_record(site: Site) -> None:
    finance, moderator = staff_client("finance"), staff_client("moderator")

    assert finance.get(PAGE).status_code == 200
    assert moderator.get(PAGE).status_code == moderator.get(f"{PAGE}2025-Q1/oss/").status_code == 404
    assert (
        finance.get(f"{PAGE}2025-Q5/oss/").status_code == finance.get(f"{PAGE}2025-Q1/x/").status_code == 404
    )
    with override_settings(
        DATEV_CONSULTANT="1001", DATEV_CLIENT="7", DATEV_ACCOUNTS="debtor=12000, oss=4320"
    ):
        head = finance.get(f"{PAGE}2025-Q1/datev/").getvalue().decode("cp1252").split("\r\n")[0].split(";")
    assert head[10:16] == ["1001", "7", "20250101", "4", "20250101", "20250331"]
    log = finance.get("/admin/accounts/staffact/").content.decode()
    assert "exported DATEV of 2025-Q1" in log


def amounts(finance: Any, quarter: object) -> tuple[dict[str, str], dict[str, tuple[str, str]]]:
    """What each business is stated with, and each country of consumers; nothing is left out."""
    stated = table(finance, quarter, "recapitulative")
    taxed = table(finance, quarter, "oss")
    return (
        {row["vat_number"]: row["net"] for row in stated if Decimal(row["net"])},
        {
            row["member_state_of_consumption"]: (row["taxable_amount"], row["vat_amount"])
            for row in taxed
            if Decimal(row["taxable_amount"]) or Decimal(row["vat_amount"])
        },
    )


def test_a_corrected_number_takes_the_reverse_charge_with_it(sold: Order, people: People) -> None:
    finance, other = fresh(staff_client("finance")), "FR23334175221"
    quarter = Quarter.of(sold.invoices.get().issued_on)
    staff = {"staff_id": people.staff.pk, "at": timezone.now()}

    def number(text: str, status: str = "valid") -> NumberCheck:
        return NumberCheck(number=text, country="FR", status=status, checked_at=timezone.now())

    def correct(to: NumberCheck) -> None:
        order = Order.objects.get(pk=sold.pk)
        buyer = Buyer(**{name: getattr(order, name) for name in WORDS if name != "vat_number"})
        about: dict[str, Any] = {"order_id": sold.pk, "buyer": buyer, "reason": "Misspelt", "by": "staff:1"}
        correct_buyer(**about, number=to, at=timezone.now())

    refunding.give_vat_back(order_id=sold.pk, number=number(FRENCH), reason="Valid", **staff)
    work()
    assert amounts(finance, quarter) == ({FRENCH: "19.00"}, {})
    for wrong in (NO_NUMBER, number(other, "invalid"), number(other, "unavailable")):
        with pytest.raises(OrderCannotMoveError, match="needs a number that VIES confirms"):
            correct(wrong)
    correct(number(other))
    assert amounts(finance, quarter) == ({other: "19.00"}, {})
    correct(number(FRENCH))
    correct(number(other))
    assert amounts(finance, quarter) == ({other: "19.00"}, {})
    lines = finance.get(f"{PAGE}{quarter}/datev/").getvalue().decode("cp1252").split("\r\n")[2:-1]
    moved = [line.split(";") for line in lines if other in line or FRENCH in line][-2:]
    assert [(cells[0], cells[1], cells[39]) for cells in moved] == [
        ("19,00", '"H"', f'"{FRENCH}"'),
        ("19,00", '"S"', f'"{other}"'),
    ]
    payment = str(sold.payments.get().pk)
    refunding.refund(payment_id=payment, amount_cents=500, reason="Part", **staff)
    work()
    assert amounts(finance, quarter) == ({other: "14.00"}, {})
    refunding.refund(payment_id=payment, reason="All", **staff)
    work()
    assert amounts(finance, quarter) == ({}, {})
    assert returns_of(quarter).agrees


@pytest.mark.parametrize(
    ("country", "text", "stated"), [("FR", FRENCH, {FRENCH: "49.00"}), ("DE", "DE136695976", {})]
)
def test_vat_that_went_back_alone_makes_a_reverse_charge_abroad_until_its_refund_fails(
    api: Api, live: Listing, people: People, country: str, text: str, stated: dict[str, str]
) -> None:
    order = buy(api, {"product": "featured", "listing_id": live.pk}, billing_country=country)
    payment = begin(order)
    Payment.objects.filter(pk=payment.pk).update(test_money=False)
    choose(payment, "pay")
    finance, quarter = staff_client("finance"), Quarter.of(order.invoices.get().issued_on)
    before = amounts(finance, quarter)
    number = NumberCheck(number=text, country=country, status="valid", checked_at=timezone.now())
    given = {"order_id": order.pk, "number": number, "reason": "Valid", "staff_id": people.staff.pk}
    (row,) = refunding.give_vat_back(**given, at=timezone.now())
    work()
    assert amounts(finance, quarter) == (stated, {})

    refund_outcomes.finish(
        refund_id=str(row.pk), event=PaymentEvent(kind=Kind.REFUND_FAILED), at=timezone.now()
    )
    assert amounts(finance, quarter) == before
    assert before[0] == {}


def test_vat_of_what_is_left_after_a_refund_without_a_line_leaves_nothing_in_the_one_stop_shop(
    api: Api, live: Listing, people: People
) -> None:
    items = [{"product": name, "listing_id": live.pk} for name in ("ai_review", "featured")]
    order = buy(api, *items, billing_country="FR")
    payment = begin(order)
    Payment.objects.filter(pk=payment.pk).update(test_money=False)
    choose(payment, "pay")
    finance, quarter = staff_client("finance"), Quarter.of(order.invoices.get().issued_on)
    staff = {"staff_id": people.staff.pk, "at": timezone.now()}
    number = NumberCheck(number=FRENCH, country="FR", status="valid", checked_at=timezone.now())

    refunding.refund(payment_id=str(payment.pk), amount_cents=1200, reason="Some of all", **staff)
    work()
    assert amounts(finance, quarter) == ({}, {"FR": ("58.00", "11.60")})
    refunding.give_vat_back(order_id=order.pk, number=number, reason="Valid", **staff)
    work()
    assert amounts(finance, quarter) == ({FRENCH: "58.00"}, {})
    refunding.refund(payment_id=str(payment.pk), reason="All", **staff)
    work()
    assert amounts(finance, quarter) == ({}, {})


def test_the_start_page_says_what_vat_is_left_to_pay(sold: Order, people: People) -> None:
    payment = str(sold.payments.get().pk)
    refunding.refund(
        payment_id=payment, amount_cents=1140, reason="Half", staff_id=people.staff.pk, at=timezone.now()
    )
    work()

    page = staff_client("finance").get("/admin/").content.decode()
    figures = re.findall(r"<dd[^>]*>\s*(\S+)<small>([^<]*)</small>", page)
    assert figures == [
        ("€19", "1 order"),
        ("€1.90", "after refunds"),
        ("€9.50", "net of VAT"),
        ("€0", "0 orders"),
    ]
