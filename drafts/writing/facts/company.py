"""What a site states of its product and company in so many words: name, prices, place, year and addresses."""

import re
from urllib.parse import unquote

from core.domains import host_of, is_free_mail, registrable
from drafts.crawl.extract_parts import Segment, SiteText
from drafts.languages import Shape
from drafts.writing.addresses import addresses_in
from drafts.writing.checks import PRICING_MODELS, is_country, is_founded_in, is_priced
from drafts.writing.cues.money import MONEY, is_nothing
from drafts.writing.extractive.contacts import draft_contact_email, emails_in
from drafts.writing.extractive.media import draft_demo_video, draft_logo
from drafts.writing.extractive.prices import draft_prices
from drafts.writing.facts.base import DraftedFact, Lines, Rule
from drafts.writing.founding import draft_founded_year
from drafts.writing.places import draft_places
from drafts.writing.support import site_language
from drafts.writing.text import folded, has_words, squashed
from drafts.writing.wording import periods

_PLACED = Shape("{based}", "{made}", "{address}", "{seat_of}", "{organisation}", "{founded}")
_PLACE_PAGES = frozenset({"legal", "contact"})
_PLACE_KEYS = re.compile(r"address|country|locality|region|location|geo", re.IGNORECASE)
_MAIL_PAGES = frozenset({"home", "contact", "legal", "about"})
_ADDRESS = re.compile(r"[\w.+-]+@([\w-]+(?:\.[\w-]+)+)|\b(?:https?://)?www\.([\w-]+(?:\.[\w-]+)+)")
_PRICES: Rule = ("pricing_model", "pricing_summary"), draft_prices
_ASKING = frozenset({"subscription", "paid", "one_time", "usage", "commission"})


class Name(DraftedFact):
    code, position = "name", 1
    request = "the product's name"

    def rule(self) -> Rule | None:
        return None

    def follows(self, value: str, text: str) -> bool:
        return squashed(value) in squashed(text)

    def stands(self, site: SiteText, value: str, lines: Lines, *, product: str) -> bool:
        title = folded(site.pages[0].title)
        return len(value) <= 60 and (
            has_words(title, value) or squashed(value) in squashed(host_of(site.home_url))
        )


class PricingModel(DraftedFact):
    code, position = "pricing_model", 10
    request = f"one of: {', '.join(PRICING_MODELS)}"
    together = _PRICES

    def follows(self, value: str, text: str) -> bool:
        return value in PRICING_MODELS and is_priced(value, text)

    def stands(self, site: SiteText, value: str, lines: Lines, *, product: str) -> bool:
        """Whether it rests on a price; on legal pages sums of nothing are no price."""
        text = "\n".join(line.text for line in lines)
        if value in _ASKING:
            is_on_its_page = any(site.pages[line.page - 1].kind == "pricing" for line in lines)
            return is_on_its_page or bool(MONEY.search(text)) or bool(periods(text, site_language(site)))
        return not all("legal" in line.roles and is_nothing(line.text) for line in lines)


class PricingSummary(DraftedFact):
    """Its answer is read price by price, by `pricing.fault`."""

    code, position = "pricing_summary", 11
    request = "the product's own prices in one line: each with its plan, currency and period"
    together = _PRICES


class Country(DraftedFact):
    """Beside others' addresses, only what names the product speaks of its company."""

    code, position = "country", 12
    request = "ISO 3166-1 alpha-2 code of the country in which the company says it is"
    together = ("country", "city"), draft_places

    def follows(self, value: str, text: str) -> bool:
        return bool(re.fullmatch(r"[A-Z]{2}", value)) and is_country(value, text)

    def stands(self, site: SiteText, value: str, lines: Lines, *, product: str) -> bool:
        own = (line for line in lines if has_words(line.text, product) or not _is_of_others(site, line))
        return any(_places(site, line) for line in own if self._names(value, line))

    def _names(self, value: str, line: Segment) -> bool:
        return True


class City(Country):
    code, position = "city", 13
    request = "the city in which the company says it is"

    def follows(self, value: str, text: str) -> bool:
        return all(squashed(word) in squashed(text) for word in value.split())

    def _names(self, value: str, line: Segment) -> bool:
        return has_words(line.text, value)


def _is_of_others(site: SiteText, line: Segment) -> bool:
    """Whether the address of somebody else stands in a line."""
    own = registrable(host_of(site.home_url))
    hosts = (match[1] or match[2] for match in _ADDRESS.finditer(line.text.lower()))
    return any(registrable(host) != own and not is_free_mail(host) for host in hosts)


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


class FoundedYear(DraftedFact):
    code, position = "founded_year", 14
    request = "the year in which the company says it was founded, four digits"
    draft = staticmethod(draft_founded_year)

    def follows(self, value: str, text: str) -> bool:
        return is_founded_in(value, text)


class ContactEmail(DraftedFact):
    code, position = "contact_email", 15
    request = "the address for the public to write to"
    draft = staticmethod(draft_contact_email)

    def follows(self, value: str, text: str) -> bool:
        return value.lower() in {mail for _, mail in emails_in(unquote(text))}

    def stands(self, site: SiteText, value: str, lines: Lines, *, product: str) -> bool:
        domain = value.rpartition("@")[2].lower()
        if any(has_words(line.text, product) for line in lines):
            return True
        if registrable(domain) == registrable(host_of(site.home_url)):
            return True
        return is_free_mail(domain) and bool({site.pages[line.page - 1].kind for line in lines} & _MAIL_PAGES)


class DemoVideo(DraftedFact):
    code = "demo_video_url"
    draft = staticmethod(draft_demo_video)


class Logo(DraftedFact):
    code = "logo_url"
    draft = staticmethod(draft_logo)
