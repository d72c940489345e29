"""Whether the name under which a VAT number is registered is like the one that a buyer gave."""

import re
import unicodedata

COMPANIES = """
ab ag and aps as bv bvba cv doo et eurl gmbh inc kft kg lda limited llc ltd mbh nv oe og ohg oy oyj plc sa sarl sas sasu
sca scs sl slu snc spa spol sprl srl sro ug und vof
"""
FORMS = frozenset(COMPANIES.split())


def is_unlike(registered: str, *given: str) -> bool:
    """Whether no word of the names given is one of the registered name; no name at all is unlike nothing."""
    existing, typed = _words(registered), [word for name in given for word in _words(name)]
    if not existing or not typed or set(existing) & set(typed):
        return False
    whole = "".join(existing)
    return not any(joined in whole or whole in joined for name in given if (joined := "".join(_words(name))))


def _words(name: str) -> list[str]:
    """Its words without accents, case, single letters and the form of the company."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c)).casefold()
    return [
        word for word in re.findall(r"\w+", plain.replace(".", "")) if len(word) > 1 and word not in FORMS
    ]
