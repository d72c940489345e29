"""The PDF of a document: PDF/A-3, with the structured invoice inside (Factur-X). It says what the page says.

A text that Geist has no letters for is drawn half bold in Noto beside Geist of the same weight, so that a name is of
one piece. Fonts are loaded for the letters that a document has: those of Japanese take seconds.
"""

import unicodedata
from datetime import date
from io import BytesIO
from typing import Any

from django.conf import settings

from directory.shown.sharing.text import FONTS, GEIST, runs
from orders.documents import einvoice
from orders.models import Invoice
from orders.wording import percent, price

MARGIN, WIDTH = 20, 170
INK, FAINT, LINE = (28, 27, 26), (110, 106, 100), (214, 209, 200)
COLUMNS = (78, 20, 24, 22, 26)
HEADS = ("What", "Number", "Each", "Off", "Before VAT")
REGULAR, STRONG = "Geist", "GeistStrong"
# made by `fonttools varLib.instancer config/static/fonts/geist-latin.woff2 wght=600`, most of a page's cost otherwise
SEMIBOLD = settings.BASE_DIR / "orders" / "documents" / "geist-600.woff2"


def pdf(invoice: Invoice) -> bytes:
    """The file: the page, and the same in CII inside."""
    from facturx import generate_from_binary  # noqa: PLC0415  (only where files are made)

    drawn: bytes = generate_from_binary(
        draw(invoice),
        einvoice.cii(invoice),
        flavor="factur-x",
        level="en16931",
        check_xsd=False,
        check_schematron=False,
        pdf_metadata={
            "title": f"{invoice.get_kind_display()} {invoice.number}",
            "author": invoice.document["seller"]["name"],
            "subject": f"Order {invoice.document['order']}",
            "keywords": "",
        },
    )
    return drawn


def draw(invoice: Invoice) -> bytes:
    page = _Page(invoice)
    for part in (page.head, page.parties, page.changes, page.lines, page.totals, page.notes):
        part()
    out = BytesIO()
    page.sheet.output(out)
    return out.getvalue()


class _Page:
    def __init__(self, invoice: Invoice) -> None:
        from fpdf import FPDF  # noqa: PLC0415
        from fpdf.enums import DocumentCompliance  # noqa: PLC0415

        self.invoice, self.document = invoice, invoice.document
        self.sheet: Any = FPDF(enforce_compliance=DocumentCompliance.PDFA_3B)
        self.sheet.set_margins(MARGIN, MARGIN)
        self.sheet.set_auto_page_break(True, margin=MARGIN)
        self.sheet.set_title(f"{invoice.get_kind_display()} {invoice.number}")
        self.sheet.set_lang("en")
        self._fonts()
        self.sheet.add_page()

    def _fonts(self) -> None:
        """Geist in two weights, and of the others what the document's letters are in."""
        file = settings.BASE_DIR / "config" / "static" / "fonts" / GEIST
        self.sheet.add_font(REGULAR, fname=file)
        self.sheet.add_font(STRONG, fname=SEMIBOLD)
        others = sorted({name for text in _texts(self.document) for name, _ in runs(text)} - {GEIST})
        for name in others:
            self.sheet.add_font(name, fname=FONTS / f"{name}.woff2")
        if others:
            self.sheet.set_fallback_fonts(others, exact_match=False)
            self.sheet.set_text_shaping(use_shaping_engine=True)

    def _write(
        self, text: str, width: float, *, size: float = 9.5, strong: bool = False, **more: Any
    ) -> None:
        plain = _drawable(text)
        is_strong = strong or any(name != GEIST for name, _ in runs(plain))
        self.sheet.set_font(STRONG if is_strong else REGULAR, size=size)
        self.sheet.set_text_color(*more.pop("colour", INK))
        self.sheet.multi_cell(
            width,
            size * 0.52,
            plain,
            align=more.pop("align", "L"),
            **{"new_x": "LMARGIN", "new_y": "NEXT"} | more,
        )

    def _rule(self) -> None:
        self.sheet.set_draw_color(*LINE)
        y = self.sheet.get_y() + 1.5
        self.sheet.line(MARGIN, y, MARGIN + WIDTH, y)
        self.sheet.set_y(y + 1.5)

    def head(self) -> None:
        if self.invoice.test_money:
            self._write("Test money: not an invoice", WIDTH, strong=True, size=11)
            self.sheet.ln(2)
        top = self.sheet.get_y()
        self._write(self.invoice.get_kind_display(), WIDTH / 2, size=20, strong=True)
        below = self.sheet.get_y()
        self.sheet.set_xy(MARGIN + WIDTH / 2, top + 2)
        self._write(self.invoice.number, WIDTH / 2, size=11, align="R")
        self.sheet.set_y(below + 3)
        zone = self.document.get("time_zone")
        clock = f" (by the clock of {zone})" if zone else ""
        facts = [("Date", f"{self.invoice.issued_on:%-d %B %Y}{clock}")]
        if self.document.get("supplied_on"):
            facts.append(("Paid on", _day(self.document["supplied_on"])))
        facts.append(("Order", self.document["order"]))
        if corrected := self.document.get("corrects"):
            facts.append(("Corrects", f"{corrected['number']} of {_day(corrected['issued_on'])}"))
        for name, value in facts:
            self._write(name, 28, colour=FAINT, new_x="RIGHT", new_y="TOP")
            self._write(value, WIDTH - 28)
        self.sheet.ln(5)

    def parties(self) -> None:
        top, bottom = self.sheet.get_y(), 0.0
        for place, (title, party) in enumerate((("From", "seller"), ("To", "buyer"))):
            self.sheet.set_y(top)
            for number, text in enumerate([title, *_party(self.document[party])]):
                self.sheet.set_x(MARGIN + place * WIDTH / 2)
                self._write(text, WIDTH / 2 - 6, strong=number == 1, colour=FAINT if number == 0 else INK)
            bottom = max(bottom, self.sheet.get_y())
        self.sheet.set_y(bottom + 6)

    def changes(self) -> None:
        """What is to be read in the place of what an invoice said."""
        for row in self.document.get("changes", ()):
            before, after = row["before"] or "nothing", row["after"] or "nothing"
            self._write(f"{row['what']}: it said {before}; right is {after}", WIDTH)
        if self.document.get("changes"):
            self.sheet.ln(4)

    def lines(self) -> None:
        self._row(HEADS, colour=FAINT)
        self._rule()
        currency = self.invoice.currency
        for line in self.document["lines"]:
            off = line["discount_cents"]
            cells = (
                *(line["name"], str(line["quantity"]), price(line["unit_cents"], currency)),
                *(price(-off, currency) if off else "none", price(line["net_cents"], currency)),
            )
            self._row(cells)
            if line.get("detail"):
                detail = line["detail"]
                self._write(detail[:1].upper() + detail[1:], COLUMNS[0] + 30, size=8.5, colour=FAINT)
            self._rule()

    def _row(self, cells: tuple[str, ...], *, colour: tuple[int, int, int] = INK) -> None:
        if self.sheet.get_y() > 250:
            self.sheet.add_page()
        top, bottom, x = self.sheet.get_y(), 0.0, MARGIN
        for place, (text, width) in enumerate(zip(cells, COLUMNS, strict=True)):
            self.sheet.set_xy(x, top)
            self._write(text, width, align="R" if place else "L", colour=colour)
            bottom, x = max(bottom, self.sheet.get_y()), x + width
        self.sheet.set_y(bottom)

    def totals(self) -> None:
        invoice, document = self.invoice, self.document
        self.sheet.ln(3)
        if document.get("promo"):
            off = price(-document["discount_cents"], invoice.currency)
            self._sum(f"Code {document['promo']}, taken off above", off)
        self._sum("Before VAT", price(invoice.net_cents, invoice.currency))
        vat = f"VAT {percent(document['vat']['rate'])}  {document['vat']['reason']}"
        self._sum(vat, price(invoice.vat_cents, invoice.currency))
        word = "Total, paid" if invoice.kind == Invoice.Kind.INVOICE else "Total"
        self._sum(word, price(invoice.total_cents, invoice.currency), strong=True)

    def _sum(self, name: str, value: str, *, strong: bool = False) -> None:
        top = self.sheet.get_y()
        self.sheet.set_x(MARGIN + 40)
        self._write(name, WIDTH - 70, strong=strong)
        below = self.sheet.get_y()
        self.sheet.set_xy(MARGIN + WIDTH - 30, top)
        self._write(value, 30, align="R", strong=strong)
        self.sheet.set_y(max(below, self.sheet.get_y()) + 1)

    def notes(self) -> None:
        self.sheet.ln(5)
        for note in self.document["notes"]:
            self._write(note, WIDTH)


def _party(party: dict[str, Any]) -> list[str]:
    number = f"VAT number {party['vat_number']}" if party["vat_number"] else ""
    rows = (
        *(party["name"] or "Name not given", party.get("attention", ""), party["address"], party["country"]),
        *(number, party.get("registration", ""), party["email"]),
    )
    return [row for row in rows if row]


def _texts(document: dict[str, Any]) -> list[str]:
    """Every text that is drawn and that somebody typed."""
    rows = [
        *_party(document["seller"]),
        *_party(document["buyer"]),
        *document["notes"],
        document["vat"]["reason"],
    ]
    rows += [text for line in document["lines"] for text in (line["name"], line.get("detail", ""))]
    rows += [text or "" for row in document.get("changes", ()) for text in (row["before"], row["after"])]
    return [_drawable(row) for row in rows]


def _drawable(text: str) -> str:
    """Letters that no font has, without their accents if that helps."""
    return "".join(map(_letter, text))


def _letter(letter: str) -> str:
    if letter < "\u0300" or unicodedata.combining(letter):
        return letter
    if "\u1f00" <= letter <= "\u1fff":  # Greek of former times
        return unicodedata.normalize("NFD", letter)[0]
    return letter


def _day(text: str) -> str:
    return f"{date.fromisoformat(text):%-d %B %Y}"
