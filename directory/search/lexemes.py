"""How words, stems, filters and tiers are written in the search index, and queries put together from them."""

import hashlib
import re
from collections.abc import Iterable, Sequence

from directory.search.words import folded

WORD, STEM = ":", "~"
FILTER_TEXT = 60
NOT_WORD = re.compile(r"[\W_]+")
# live listings are in tiers of popularity, each a part of its own; the last has all the others
LAST_TIER = 3
PARTS = {"live": [f"l{tier}" for tier in range(LAST_TIER + 1)], "upcoming": ["u0"]}
SAMPLE = "b0"


def parts_of(*, site_id: int, status: str) -> list[str]:
    """The parts of a site's live or upcoming listings: each of their lexemes begins with one."""
    return [f"{site_id}{part}" for part in PARTS[status]]


def part_of(*, site_id: int, status: str, tier: int) -> str:
    parts = parts_of(site_id=site_id, status=status)
    return parts[min(tier, len(parts) - 1)]


def sample_of(*, site_id: int) -> str:
    """The part that has a sample of a site's live listings once more."""
    return f"{site_id}{SAMPLE}"


def slugged(text: str) -> str:
    """A value as filters compare it: `Free trial` and `free-trial` are one."""
    return NOT_WORD.sub("-", folded(text)).strip("-")[:FILTER_TEXT]


def in_category(category_id: int) -> str:
    return f"#c{category_id}"


def of_country(country: str) -> str:
    return f"#y{country.lower()}"


def at_stage(stage: str) -> str:
    return f"#s{slugged(stage)}"


def with_pricing(pricing_model: str) -> str:
    return f"#p{slugged(pricing_model)}"


def of_domain(domain: str) -> str:
    """With its website on this registrable domain, or exactly this host."""
    if len(domain) <= FILTER_TEXT:
        return f"#d{domain}"
    return f"#d{hashlib.sha256(domain.encode()).hexdigest()[:FILTER_TEXT]}"  # two long ones may begin alike


def quoted(lexeme: str) -> str:
    """A lexeme as a query may hold it, whatever is in it."""
    return "'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'"


def any_of(lexemes: Iterable[str], *, part: str = "") -> str:
    return "(" + "|".join(quoted(part + lexeme) for lexeme in lexemes) + ")"


def all_of(queries: Sequence[str]) -> str:
    return "(" + "&".join(queries) + ")"
