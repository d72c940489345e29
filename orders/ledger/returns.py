"""What the documents of a quarter come to, as VAT is returned: by group of treatment, country, rate and customer.

A document counts in the quarter of its own date. What corrects a document of a former quarter says of which one.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Self

from django.db.models import BigIntegerField, Count, DateField, F, Max, QuerySet, Sum, TextField, Value
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce, ExtractQuarter, ExtractYear

from orders.models import Invoice
from orders.pricing import Sums
from orders.vat import EU
from orders.vat_numbers import PREFIXES

FORM = re.compile(r"(20\d\d)-?Q([1-4])", re.ASCII)


@dataclass(frozen=True, kw_only=True, order=True)
class Quarter:
    year: int
    number: int

    @classmethod
    def read(cls, text: str) -> Self | None:
        """A quarter as it is written; nothing for what is none."""
        match = FORM.fullmatch(text)
        return cls(year=int(match[1]), number=int(match[2])) if match else None

    @classmethod
    def of(cls, day: date) -> Self:
        return cls(year=day.year, number=(day.month + 2) // 3)

    def __str__(self) -> str:
        return f"{self.year}-Q{self.number}"

    @property
    def first(self) -> date:
        return date(self.year, 3 * self.number - 2, 1)

    @property
    def before(self) -> "Quarter":
        return Quarter.of(self.first - timedelta(days=1))

    @property
    def last(self) -> date:
        after = date(self.year + 1, 1, 1) if self.number == 4 else date(self.year, 3 * self.number + 1, 1)
        return after - timedelta(days=1)


def last_quarters(today: date, *, number: int) -> list[Quarter]:
    """So many of them, the present one first."""
    rows = [Quarter.of(today)]
    while len(rows) < number:
        rows.append(rows[-1].before)
    return rows


DOMESTIC, OSS, REVERSE, ELSEWHERE, OUTSIDE = "domestic", "oss", "reverse_charge", "elsewhere", "outside_scope"


@dataclass(frozen=True, kw_only=True, order=True)
class Key:
    """What sums are told apart by; `of` is the quarter whose documents they correct, empty for its own."""

    part: str
    country: str
    rate: Decimal
    customer: str
    currency: str
    of: str


@dataclass(frozen=True, kw_only=True)
class Row:
    key: Key
    sums: Sums


@dataclass(frozen=True, kw_only=True)
class Returns:
    """All lines of a quarter, and what its documents come to by themselves, by currency."""

    quarter: Quarter
    rows: list[Row]
    documents: int
    totals: dict[str, Sums] = field(default_factory=dict)

    def part(self, name: str) -> list[Row]:
        """The lines of one part, in their order."""
        return [row for row in self.rows if row.key.part == name]

    @property
    def agrees(self) -> bool:
        """Whether the lines add up to the documents, to the cent."""
        sums: dict[str, Sums] = defaultdict(Sums)
        for row in self.rows:
            sums[row.key.currency] += row.sums
        return all(sums[name] == total for name, total in self.totals.items())


def documents_of(first: date, last: date) -> QuerySet[Invoice]:
    """Those that bear a date within these days; test money is on no books."""
    moves = KeyTextTransform("moves", F("document"))
    moved = KeyTextTransform("net_cents", moves)
    replaced = Cast(KeyTextTransform("origin_on", F("document")), DateField())
    return Invoice.objects.filter(test_money=False, issued_on__range=(first, last)).annotate(
        origin_on=Coalesce(replaced, "corrects__corrects__issued_on", "corrects__issued_on", "issued_on"),
        moved_cents=Coalesce(Cast(moved, BigIntegerField()), 0),
        moved_from=Coalesce(
            Cast(KeyTextTransform("from_number", moves), TextField()), Value("", output_field=TextField())
        ),
    )


def returns_of(quarter: Quarter) -> Returns:
    """The returns of a quarter: two statements, however many documents there are."""
    documents = documents_of(quarter.first, quarter.last)
    groups = documents.values(
        "vat_treatment",
        "vat_country",
        "vat_rate",
        "buyer_vat_number",
        "currency",
        left_by=F("moved_from"),
        of_year=ExtractYear("origin_on"),
        of_quarter=ExtractQuarter("origin_on"),
    ).annotate(net=Sum("net_cents"), vat=Sum("vat_cents"), moved=Sum("moved_cents"))
    rows: dict[Key, Sums] = defaultdict(Sums)
    for group in groups.order_by():
        for key, sums in _lines(group, quarter):
            rows[key] += sums
    own = documents.values("currency").annotate(
        net=Sum("net_cents"), vat=Sum("vat_cents"), number=Count("pk")
    )
    totals = list(own.order_by("currency"))
    return Returns(
        quarter=quarter,
        rows=[Row(key=key, sums=sums) for key, sums in sorted(rows.items(), key=lambda row: row[0])],
        documents=sum(row["number"] for row in totals),
        totals={row["currency"]: Sums(net_cents=row["net"], vat_cents=row["vat"]) for row in totals},
    )


def numbers_of(year: int) -> list[tuple[str, int, int]]:
    """Each series of a year, the last number that was drawn in it, and how many of those before are missing."""
    rows = Invoice.objects.filter(year=year, test_money=False).values("series")
    drawn = rows.annotate(last=Max("sequence"), number=Count("pk")).order_by("series")
    return [(row["series"], row["last"], row["last"] - row["number"]) for row in drawn]


def _lines(group: Mapping[str, Any], quarter: Quarter) -> Iterable[tuple[Key, Sums]]:
    """The lines that a group adds to: what became a reverse charge leaves its part, or another number, for its own."""
    part = part_of(group["vat_treatment"], group["vat_country"])
    origin = Quarter(year=group["of_year"], number=group["of_quarter"])
    common = {"currency": group["currency"], "of": "" if origin == quarter else str(origin)}
    own = part, Decimal(group["vat_rate"] or 0), group["buyer_vat_number"]
    to = REVERSE, Decimal(0), group["buyer_vat_number"]
    sums = [(own, group["net"], group["vat"])]
    if group["moved"]:
        sums += [(to, group["moved"], 0), (_left_by(own, group["left_by"]), -group["moved"], 0)]
    for (name, rate, number), net, vat in sums:
        customer = number if name == REVERSE else ""
        key = Key(part=name, country=group["vat_country"], rate=rate, customer=customer, **common)
        yield key, Sums(net_cents=net, vat_cents=vat)


def _left_by(own: tuple[str, Decimal, str], number: str) -> tuple[str, Decimal, str]:
    return (REVERSE, Decimal(0), number) if number else own


def part_of(treatment: str, country: str) -> str:
    if treatment == "destination":
        return OSS if country in EU else ELSEWHERE
    if treatment in (REVERSE, OUTSIDE):
        return treatment
    return DOMESTIC


def vies_country(country: str) -> str:
    """A country as VAT numbers begin: Greece is EL."""
    return PREFIXES.get(country, country)
