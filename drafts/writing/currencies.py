"""Signs, codes and letters of all currencies: by Unicode, and by CLDR (`benchmarks/make_currencies.py`)."""

import re
import sys
import unicodedata
from pathlib import Path

_TABLE = Path(__file__).with_name("data") / "currencies.tsv"
_ROWS = [line.split("\t") for line in _TABLE.read_text(encoding="utf-8").splitlines()]
_LAST = 0xFFFF
_COMMON = ("VNĐ", "Kč", "Ft", "kr", "lei", "zł")
"""Letters that are told in any case."""

SIGNS = "".join(c for c in map(chr, range(min(sys.maxunicode, _LAST))) if unicodedata.category(c) == "Sc")
CODES = "(?-i:" + "|".join(row[0] for row in _ROWS) + ")|EUR|USD|GBP|CHF|RMB|NTD"
LETTERS = "|".join(
    [*_COMMON, "(?-i:" + "|".join(re.escape(entry) for row in _ROWS for entry in row[1:]) + ")"]
)
BEFORE = r"Rs\.?|Fr\.|(?-i:Rp\.?|RM)"
"""Letters that stand before a sum."""
