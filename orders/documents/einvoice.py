"""A document as EN 16931 has it, by its terms (BT) and groups (BG); as UBL, and as CII.

Where both parties have an address in Peppol's network the UBL is one of Peppol BIS Billing 3; that of a consumer, whom
no network reaches, keeps to EN 16931 alone.

Amounts of a credit note are what it credits. VAT that goes back alone credits the line with its VAT and charges it
again without, which is what happened. The library (factur-x) writes both syntaxes of the same terms.
"""

from decimal import Decimal
from typing import Any

from lxml import etree

from directory.countries import country_names
from orders.models import Invoice
from orders.vat import SCHEMES
from orders.vat_numbers import PREFIXES

Terms = dict[str, Any]
PEPPOL = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0"
PROCESS = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"
CBC = "{urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2}"
STANDARD, REVERSE, OUTSIDE, EXEMPT = "S", "AE", "O", "E"
REASONS = {
    REVERSE: ("VATEX-EU-AE", "Reverse charge"),
    OUTSIDE: ("VATEX-EU-O", "Not subject to VAT"),
    EXEMPT: (None, "Exempt from VAT"),
}
PIECE, MUTUAL = "C62", "ZZZ"
BY_MAIL = "EM"  # a scheme of EN 16931, and none of Peppol's


def ubl(invoice: Invoice) -> bytes:
    """UBL 2.1, as Peppol BIS Billing 3 asks for it where the network reaches the buyer."""
    from facturx import generate_ubl_xml  # noqa: PLC0415  (only where files are made)

    terms = terms_of(invoice)
    root = etree.fromstring(generate_ubl_xml(terms, level="en16931", check_xsd=False, check_schematron=False))
    if "BT-23" in terms:
        root.find(f"{CBC}CustomizationID").text = PEPPOL  # type: ignore[union-attr]
    for version in root.findall(f"{CBC}UBLVersionID"):
        root.remove(version)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8")


def cii(invoice: Invoice) -> bytes:
    """UN/CEFACT's Cross Industry Invoice in the profile EN 16931, which a PDF holds as Factur-X."""
    from facturx import generate_cii_xml  # noqa: PLC0415

    written: bytes = generate_cii_xml(
        terms_of(invoice), level="en16931", check_xsd=False, check_schematron=False
    )
    return written


def terms_of(invoice: Invoice) -> Terms:
    document, sign = invoice.document, -1 if invoice.kind == Invoice.Kind.CREDIT_NOTE else 1
    groups = _groups(invoice, sign)
    lines = _lines(invoice, sign)
    net, vat = sign * invoice.net_cents, sign * invoice.vat_cents
    is_outside = all(group["BT-118"] == OUTSIDE for group in groups)
    parties = (_seller(document, is_outside=is_outside), _buyer(document, invoice, is_outside=is_outside))
    terms: Terms = {
        "BT-1": invoice.number,
        "BT-2": invoice.issued_on,
        "BT-3": "381" if sign < 0 else "380",
        "BT-5": invoice.currency,
        "BT-13": document["order"],
        "BG-1": [{"BT-22": note} for note in [" ".join(_notes(invoice))] if note],
        "BG-4": parties[0],
        "BG-7": parties[1],
        "BT-72": document.get("supplied_on") or document["issued_on"],
        "BT-81": MUTUAL,
        "BT-82": "Paid online",
        "BT-106": _amount(net),
        "BT-109": _amount(net),
        "BT-110": _amount(vat),
        "BT-112": _amount(net + vat),
        "BT-113": _amount(net + vat),
        "BT-115": _amount(0),
        "BG-23": groups,
        "BG-25": lines,
    }
    if all(party["einvoicing_addr_schemeid"] != BY_MAIL for party in parties):
        terms["BT-23"] = PROCESS
    if corrected := document.get("corrects"):
        terms["BG-3"] = [{"BT-25": corrected["number"], "BT-26": corrected["issued_on"]}]
    return terms


def category_of(document: dict[str, Any]) -> str:
    """The code of the VAT category by which a document was made."""
    by_treatment = {"reverse_charge": REVERSE, "outside_scope": OUTSIDE}
    category = by_treatment.get(document["vat"]["treatment"], STANDARD)
    return EXEMPT if category == STANDARD and not Decimal(document["vat"]["rate"]) else category


def _is_vat_alone(invoice: Invoice) -> bool:
    return bool(invoice.vat_cents) and not invoice.net_cents


def _taxed(invoice: Invoice) -> int:
    """The net amount whose VAT goes back alone."""
    rate = Decimal(invoice.document["vat"]["rate"])
    moves = invoice.document.get("moves")
    cents = moves["net_cents"] if moves else (Decimal(-invoice.vat_cents) * 100 / rate).quantize(Decimal(1))
    return abs(int(cents))


def _other_category(invoice: Invoice) -> str:
    return REVERSE if invoice.document.get("moves") else EXEMPT


def _groups(invoice: Invoice, sign: int) -> list[Terms]:
    rate = Decimal(invoice.document["vat"]["rate"])
    if _is_vat_alone(invoice):
        turned = 1 if sign * invoice.vat_cents > 0 else -1
        taxed = turned * _taxed(invoice)
        own = _group(STANDARD, rate, net=taxed, vat=sign * invoice.vat_cents)
        return [own, _group(_other_category(invoice), Decimal(0), net=-taxed, vat=0)]
    category = category_of(invoice.document)
    return [_group(category, rate, net=sign * invoice.net_cents, vat=sign * invoice.vat_cents)]


def _group(category: str, rate: Decimal, *, net: int, vat: int) -> Terms:
    code, text = REASONS.get(category, (None, None))
    group = {"BT-116": _amount(net), "BT-117": _amount(vat), "BT-118": category}
    if category != OUTSIDE:
        group["BT-119"] = f"{rate:.2f}"
    if text:
        group["BT-120"] = text
    if code:
        group["BT-121"] = code
    return group


def _lines(invoice: Invoice, sign: int) -> list[Terms]:
    document = invoice.document
    rate, category = Decimal(document["vat"]["rate"]), category_of(document)
    if _is_vat_alone(invoice):
        name, taxed = document["lines"][0]["name"], _taxed(invoice)
        turned = 1 if sign * invoice.vat_cents > 0 else -1
        whole: Terms = {"name": name, "quantity": turned, "unit_cents": taxed, "net_cents": turned * taxed}
        back = {**whole, "quantity": -turned, "net_cents": -turned * taxed}
        return [_line(1, whole, STANDARD, rate), _line(2, back, _other_category(invoice), Decimal(0))]
    return [
        _line(place, _turned(line, sign), category, rate)
        for place, line in enumerate(document["lines"], start=1)
    ]


def _turned(line: Terms, sign: int) -> Terms:
    """A line in the direction of its document; what is less than nothing has a number below it."""
    unit, net = sign * line["unit_cents"], sign * line["net_cents"]
    off = sign * line["discount_cents"]
    if unit < 0:
        return {
            **line,
            "quantity": -line["quantity"],
            "unit_cents": -unit,
            "net_cents": net,
            "discount_cents": off,
        }
    return {**line, "unit_cents": unit, "net_cents": net, "discount_cents": off}


def _line(place: int, line: Terms, category: str, rate: Decimal) -> Terms:
    terms: Terms = {
        "BT-126": str(place),
        "BT-129": str(line["quantity"]),
        "BT-130": PIECE,
        "BT-131": _amount(line["net_cents"]),
        "BT-146": _amount(line["unit_cents"]),
        "BT-151": category,
        "BT-153": line["name"],
    }
    if category != OUTSIDE:
        terms["BT-152"] = f"{rate:.2f}"
    if line.get("detail"):
        terms["BT-154"] = line["detail"]
    if line.get("discount_cents"):
        terms["BG-27"] = [{"amount": _amount(line["discount_cents"]), "reason": "Code", "reason_code": "95"}]
    return terms


def _seller(document: Terms, *, is_outside: bool) -> Terms:
    seller = document["seller"]
    country = seller.get("country_code") or _code_of(seller["country"])
    party: Terms = {
        "name": seller["name"],
        "country_code": country,
        "addr_l1": seller["address"],
        "legal_identifier": seller["registration"] or seller["vat_number"] or seller["name"],
    }
    if seller["vat_number"] and not is_outside:
        # Norway's are digits first: the rules want a country's letters before them
        letters = "" if seller["vat_number"][:2].isalpha() else document["vat"]["country"]
        party["vat_identifier"] = letters + seller["vat_number"]
    return _present(
        party | _endpoint(country, seller["vat_number"], seller["email"] or "seller@invalid.example")
    )


def _buyer(document: Terms, invoice: Invoice, *, is_outside: bool) -> Terms:
    buyer = document["buyer"]
    country = buyer.get("country_code") or _code_of(buyer["country"]) or invoice.vat_country
    party: Terms = {
        "name": buyer["name"] or "Name not given",
        "country_code": country,
        "addr_l1": buyer.get("street", buyer["address"]),
        "postcode": buyer.get("postcode"),
        "city": buyer.get("city"),
    }
    if buyer["vat_number"] and not is_outside:
        party["vat_identifier"] = buyer["vat_number"]
    number = buyer["vat_number"] if country in PREFIXES else ""
    return _present(party | _endpoint(country, number, buyer["email"] or "buyer@invalid.example"))


def _endpoint(country: str, vat_number: str, email: str) -> Terms:
    """Where a party takes electronic documents: by its number where the network has a scheme for it."""
    plain = "".join(filter(str.isalnum, vat_number)).upper()
    if country in SCHEMES and plain:
        enterprise = {"BE": plain.removeprefix("BE"), "SE": plain[2:12]}  # there a part of the number for VAT
        number = enterprise.get(country, plain)
        return {"einvoicing_addr": number, "einvoicing_addr_schemeid": SCHEMES[country]}
    return {"einvoicing_addr": email, "einvoicing_addr_schemeid": BY_MAIL}


def _notes(invoice: Invoice) -> list[str]:
    document = invoice.document
    changes = [
        f"{row['what']}: it said “{row['before'] or 'nothing'}”, right is “{row['after'] or 'nothing'}”."
        for row in document.get("changes", ())
    ]
    return [*document["notes"], *changes]


def _present(party: Terms) -> Terms:
    return {name: value for name, value in party.items() if value}


def _code_of(name: str) -> str:
    return next((code for code, names in country_names().items() if names[0] == name), "")


def _amount(cents: int) -> str:
    return f"{Decimal(cents) / 100:.2f}"
