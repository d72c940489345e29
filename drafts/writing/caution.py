"""What a model's suggestion has to show beyond a quote, since a true quote can be out of place."""

import re
from collections.abc import Callable

from core.domains import host_of, registrable
from drafts.crawl.extract_parts import SiteText
from drafts.crawl.report import PageKind
from drafts.languages import Shape
from drafts.writing.addresses import addresses_in
from drafts.writing.cues.emails import FREE_MAIL
from drafts.writing.cues.money import MONEY
from drafts.writing.port import Evidence, FieldDraft, Written
from drafts.writing.support import says
from drafts.writing.text import CJK, folded, has_words, squashed

_PLACED = Shape("{based}", "{made}", "{address}", "{seat_of}", "{organisation}")
_PLACE_PAGES = frozenset({"legal", "contact"})
_MAIL_PAGES = frozenset({"home", "contact", "legal", "about"})


def careful(site: SiteText, suggested: Written) -> dict[str, FieldDraft]:
    """The suggested fields that also stand where such a value belongs."""
    return {name: draft for name, draft in suggested.fields.items() if _is_in_place(site, name, draft)}


def _is_in_place(site: SiteText, name: str, draft: FieldDraft) -> bool:
    check = _CHECKS.get(name)
    return draft.value is not None and (check is None or check(site, name, draft))


def _names_something(_site: SiteText, _name: str, draft: FieldDraft) -> bool:
    quotes = "\n".join(evidence.quote for evidence in draft.evidence)
    return all(says(item, quotes, quotes) for item in draft.value or ())


def _is_told_twice(site: SiteText, _name: str, draft: FieldDraft) -> bool:
    name = str(draft.value)
    title = folded(site.pages[0].title)
    return len(name) <= 60 and (has_words(title, name) or squashed(name) in squashed(host_of(site.home_url)))


def _is_placed(site: SiteText, name: str, draft: FieldDraft) -> bool:
    return any(_places(site, name, str(draft.value), quote) for quote in draft.evidence)


def _places(site: SiteText, name: str, value: str, evidence: Evidence) -> bool:
    if name == "city" and not has_words(evidence.quote, value):
        return False
    return (
        bool(_PLACED.search(evidence.quote))
        or bool(_kinds(site, (evidence,)) & _PLACE_PAGES)
        or any(True for _ in addresses_in(evidence.quote))
        or "address" in evidence.quote
    )


def _kinds(site: SiteText, evidence: tuple[Evidence, ...]) -> set[PageKind]:
    """The kinds of the pages that some quotes stand on."""
    return {page.kind for page in site.pages if page.url in {quote.url for quote in evidence}}


def _is_own_mail(site: SiteText, _name: str, draft: FieldDraft) -> bool:
    domain = str(draft.value).rpartition("@")[2].lower()
    if registrable(domain) == registrable(host_of(site.home_url)):
        return True
    return domain in FREE_MAIL and bool(_kinds(site, draft.evidence) & _MAIL_PAGES)


def _is_price(site: SiteText, name: str, draft: FieldDraft) -> bool:
    quotes = "\n".join(evidence.quote for evidence in draft.evidence)
    if name == "pricing_summary" or draft.value in _ASKING:
        return bool(MONEY.search(quotes))
    return bool(_kinds(site, draft.evidence) & {"home", "pricing", "features"})


def _is_text(_site: SiteText, name: str, draft: FieldDraft) -> bool:
    """Whether this is language rather than a fragment: enough of it, more than one word, no address or identifier."""
    texts = [draft.value] if isinstance(draft.value, str) else list(draft.value or ())
    return all(len(text) >= _LEAST[name] and _is_worded(text) for text in texts)


def _is_worded(text: str) -> bool:
    return bool(CJK.search(text)) or (" " in text and not _IDENTIFIER.search(text))


_ASKING = frozenset({"subscription", "paid", "one_time", "usage", "commission"})
_LEAST = {"description": 60, "short_description": 25, "tagline": 8, "features": 4, "usps": 4}
_IDENTIFIER = re.compile(r"\w_\w|\S@\S|https?:")
_CHECKS: dict[str, Callable[[SiteText, str, FieldDraft], bool]] = {
    "categories": _names_something,
    "name": _is_told_twice,
    "country": _is_placed,
    "city": _is_placed,
    "contact_email": _is_own_mail,
    "pricing_summary": _is_price,
    "pricing_model": _is_price,
    **dict.fromkeys(_LEAST, _is_text),
}
