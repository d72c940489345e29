"""What a model's fact has to show beyond lines that state it, since a true line can speak of somebody else."""

import re
from collections.abc import Callable, Sequence

from core.domains import host_of, registrable
from drafts.crawl.extract_parts import Segment, SiteText
from drafts.languages import Shape
from drafts.writing.addresses import addresses_in
from drafts.writing.cues.emails import FREE_MAIL
from drafts.writing.cues.money import MONEY
from drafts.writing.evidence import may_speak
from drafts.writing.sense import is_nothing
from drafts.writing.support import site_language
from drafts.writing.text import CJK, folded, has_words, squashed
from drafts.writing.wording import periods

Lines = Sequence[Segment]
may_state = may_speak
_PLACED = Shape("{based}", "{made}", "{address}", "{seat_of}", "{organisation}", "{founded}")
_PLACE_PAGES = frozenset({"legal", "contact"})
_MAIL_PAGES = frozenset({"home", "contact", "legal", "about"})
_ADDRESS = re.compile(r"[\w.+-]+@([\w-]+(?:\.[\w-]+)+)|\b(?:https?://)?www\.([\w-]+(?:\.[\w-]+)+)")
_PLACE_KEYS = re.compile(r"address|country|locality|region|location|geo", re.IGNORECASE)
_IDENTIFIER = re.compile(r"\w_\w|\S@\S|https?:")
_ASKING = frozenset({"subscription", "paid", "one_time", "usage", "commission"})


def is_in_place(site: SiteText, name: str, value: str, lines: Lines, *, product: str) -> bool:
    """Whether a value stands where such a value belongs; beside others' addresses, only where the product is named."""
    check = _CHECKS.get(name)
    if name in {"country", "city"}:
        lines = [line for line in lines if has_words(line.text, product) or not _is_of_others(site, line)]
    if name == "contact_email" and any(has_words(line.text, product) for line in lines):
        return True
    return check is None or check(site, value, lines)


def is_identifier(text: str) -> bool:
    """Whether a text is an address or a name of machines rather than language."""
    return not CJK.search(text) and bool(_IDENTIFIER.search(text))


def _is_repeated(site: SiteText, name: str, _lines: Lines) -> bool:
    title = folded(site.pages[0].title)
    return len(name) <= 60 and (has_words(title, name) or squashed(name) in squashed(host_of(site.home_url)))


def _is_country(site: SiteText, _code: str, lines: Lines) -> bool:
    return any(_places(site, line) for line in lines)


def _is_city(site: SiteText, city: str, lines: Lines) -> bool:
    return any(_places(site, line) for line in lines if has_words(line.text, city))


def _is_of_others(site: SiteText, line: Segment) -> bool:
    """Whether the address of somebody else stands in a line."""
    own = {registrable(host_of(site.home_url)), *FREE_MAIL}
    hosts = (match[1] or match[2] for match in _ADDRESS.finditer(line.text.lower()))
    return any(registrable(host) not in own for host in hosts)


def _places(site: SiteText, line: Segment) -> bool:
    """Whether a line says where a company is."""
    if line.kind != "text":
        return bool(_PLACE_KEYS.search(line.key))
    return (
        bool(_PLACED.search(line.text))
        or "contact" in line.all_roles
        or site.pages[line.page - 1].kind in _PLACE_PAGES
        or any(True for _ in addresses_in(line.text))
        or "address" in line.text
    )


def _is_own_mail(site: SiteText, value: str, lines: Lines) -> bool:
    domain = value.rpartition("@")[2].lower()
    if registrable(domain) == registrable(host_of(site.home_url)):
        return True
    return domain in FREE_MAIL and bool({site.pages[line.page - 1].kind for line in lines} & _MAIL_PAGES)


def _is_priced(site: SiteText, model: str, lines: Lines) -> bool:
    """Whether a model of prices rests on a price; on legal pages sums of nothing are no price."""
    text = "\n".join(line.text for line in lines)
    if model in _ASKING:
        is_on_its_page = any(site.pages[line.page - 1].kind == "pricing" for line in lines)
        return is_on_its_page or bool(MONEY.search(text)) or bool(periods(text, site_language(site)))
    return not all("legal" in line.roles and is_nothing(line.text) for line in lines)


_CHECKS: dict[str, Callable[[SiteText, str, Lines], bool]] = {
    "name": _is_repeated,
    "country": _is_country,
    "city": _is_city,
    "contact_email": _is_own_mail,
    "pricing_model": _is_priced,
}
