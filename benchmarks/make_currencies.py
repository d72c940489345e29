"""Write the drafts' table of currencies anew from CLDR. Needs babel, which nothing else does: `uv run --with babel`."""

import argparse
from pathlib import Path

FILE = Path(__file__).resolve().parent.parent / "drafts" / "writing" / "data" / "currencies.tsv"
WORDS = {"ALL", "BAM", "COP", "CUP", "CVE", "GEL", "MAD", "MOP", "PEN", "PHP", "SOS", "TOP", "TRY"}
"""Codes that mean something else beside a number, as in `TOP 10` and `PHP 8.2`."""
LETTERS = 3


def _is_told(letters: str) -> bool:
    """Whether letters are no word of another kind: long with a capital, or of another alphabet than ours."""
    return (len(letters) >= LETTERS and not letters.islower()) if letters.isascii() else len(letters) > 1


def main() -> None:
    """One line a currency of today: its code and the letters that countries write for it."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    from babel import Locale, localedata  # noqa: PLC0415
    from babel.core import get_global  # noqa: PLC0415

    rows = [entry for entries in get_global("territory_currencies").values() for entry in entries]
    current = sorted({code for code, _, until, is_tender in rows if until is None and is_tender} - WORDS)
    known = [Locale.parse(name).currency_symbols for name in localedata.locale_identifiers()]
    lines = []
    for code in current:
        signs = {symbols.get(code, "").strip(".\u00a0\u200e\u200f") for symbols in known}
        letters = sorted(s for s in signs - {code} if s.isalpha() and _is_told(s))
        lines.append("\t".join([code, *letters]))
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
