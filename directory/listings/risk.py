"""Which edits staff look at first, and whether a quote of the website carries what an edit says. Pure."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from core.domains import domain_of
from directory.listings.diffs import as_text, word_diff

LINK, NAME, NEW_ACCOUNT, PAID = FLAGS = ("link", "name", "new_account", "paid")
ADDRESS = re.compile(r"https?://[^\s<>\"')\]]+", re.IGNORECASE)
WORD = re.compile(r"\w+")


def flags_of(
    changes: Sequence[Mapping[str, Any]], *, domain: str, is_paid: bool, is_new_account: bool
) -> list[str]:
    """Why an edit comes first: another website or a link away from it, a name, a new account, a paid listing."""
    fields = {change["field"] for change in changes}
    result = {
        LINK: "url" in fields or any(_leads_away(change, domain=domain) for change in changes),
        NAME: "name" in fields,
        NEW_ACCOUNT: is_new_account,
        PAID: is_paid,
    }
    return [flag for flag in FLAGS if result[flag]]


def _leads_away(change: Mapping[str, Any], *, domain: str) -> bool:
    before, after = (set(ADDRESS.findall(as_text(change[side]))) for side in ("before", "after"))
    return any(domain_of(address) != domain for address in after - before)


def is_carried(*, before: str, after: str, quotes: Collection[str]) -> bool:
    """Whether every word that an edit brought stands in what was quoted from the website."""
    brought = "".join(text for kind, text in word_diff(before, after)[1] if kind == "ins")
    existing = set(WORD.findall(" ".join(quotes).casefold()))
    words = set(WORD.findall(brought.casefold()))
    return bool(words) and words <= existing
