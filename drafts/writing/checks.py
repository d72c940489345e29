"""Whether a value follows from its quotes, field by field."""

import re
from collections.abc import Callable
from urllib.parse import unquote

from core.fetch import split_url
from drafts.limits import FAQ_ANSWER, FAQ_QUESTION, LIST_FIELDS, LIST_ITEM, TEXT_FIELDS
from drafts.writing.addresses import addresses_in
from drafts.writing.countries import cities_in, countries_in
from drafts.writing.cues import money
from drafts.writing.cues.emails import EMAIL, emails_in
from drafts.writing.cues.people import FOUNDER_WORD
from drafts.writing.cues.stages import STAGE
from drafts.writing.cues.years import states_year
from drafts.writing.gazetteer import countries_of_town
from drafts.writing.port import FaqDraft, FounderDraft, Value
from drafts.writing.profiles import platform_of
from drafts.writing.roles import is_placeholder
from drafts.writing.support import says, says_numbers
from drafts.writing.text import CJK, folded, plain, squashed

_ASIAN_TOWN = re.compile(r"[시군市区都府県县]$")
_VAT_COUNTRY = re.compile(r"^(?:CHE|[A-Z]{2}U?)[\s-]?[A-Z0-9]")
_HANGUL, _HANGUL_NAME = re.compile(r"[가-힣]"), re.compile(r"[가-힣]{2,4}")
_SURNAMES_KO = frozenset(
    "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국어은편용"
)
_MODELS: dict[str, Callable[[str], bool]] = {
    "free": lambda text: bool(money.FREE.search(text)) or money.is_nothing(text),
    "open_source": lambda text: bool(money.OPEN_SOURCE.search(text)),
    "subscription": lambda text: bool(money.PERIOD.search(text)),
    "freemium": lambda text: (
        bool(money.FREE.search(text)) or any(money.is_nothing(t) for t in text.split("\n"))
    ),
    "one_time": lambda text: bool(
        money.ONE_TIME.search(text)
        or ((money.BUY.search(text) or money.CART.search(text)) and money.MONEY.search(text))
    ),
    "paid": lambda text: bool(money.MONEY.search(text)),
    "contact_sales": lambda text: bool(money.CONTACT_SALES.search(text)),
    "usage": lambda text: bool(money.USAGE.search(text)),
    "commission": lambda text: bool(money.COMMISSION.search(text)),
    "free_trial": lambda text: bool(money.TRIAL.search(text)),
}
PRICING_MODELS = tuple(_MODELS)
"""The words that a drafted pricing model may be."""


def _name(value: str, text: str) -> bool:
    return squashed(value) in squashed(text)


def _written(value: str, text: str) -> bool:
    return says(value, text, text)


def _pricing_model(value: str, text: str) -> bool:
    check = _MODELS.get(value)
    return check is not None and check(text)


def _pricing_summary(value: str, text: str) -> bool:
    symbols = set(re.findall(r"[$€£¥₩₽₹]", value))
    return says_numbers(value, text) and symbols <= set(text) and says(value, text, text)


def _country(value: str, text: str) -> bool:
    if not re.fullmatch(r"[A-Z]{2}", value):
        return False
    if any(code == value for code, _ in countries_in(text)):
        return True
    if text.strip().upper() == value or any(a.country == value for a in addresses_in(text)):
        return True
    return bool(_VAT_COUNTRY.match(text.strip())) and text.strip().startswith(
        "CHE" if value == "CH" else value
    )


def _city(value: str, text: str) -> bool:
    """A town that the gazetteer knows, or that a code of digits marks as a post town."""
    if not all(squashed(word) in squashed(text) for word in value.split()):
        return False
    post = rf"\d[\d A-Z-]{{2,8}},?\s+{re.escape(value)}|{re.escape(value)},?\s+(?:[A-Z]{{2,3}}\s+)?\w*\d"
    is_known = bool(countries_of_town(value) or cities_in(value) or _ASIAN_TOWN.search(value))
    return is_known or bool(re.search(post, plain(text)))


def _founded_year(value: str, text: str) -> bool:
    if not re.fullmatch(r"1[89]\d\d|20[0-4]\d", value):
        return False
    if re.fullmatch(r"\d{4}(?:-\d\d(?:-\d\d)?)?", text.strip()):
        return text.strip().startswith(value)
    return states_year(text, value)


def _contact_email(value: str, text: str) -> bool:
    if not EMAIL.fullmatch(value):
        return False
    told = unquote(text).lower()
    return value.lower() in told or value.lower() in {address for _, address in emails_in(text)}


def _link(value: str, text: str) -> bool:
    parts = split_url(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return False
    last = parts.path.rstrip("/").rsplit("/", 1)[-1]
    return bool(last) and unquote(last).casefold() in unquote(text).casefold()


def _stage(value: str, text: str) -> bool:
    return bool(re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", value)) and bool(STAGE.search(text))


_TEXT_CHECKS: dict[str, Callable[[str, str], bool]] = {
    "name": _name,
    "tagline": _written,
    "short_description": _written,
    "description": _written,
    "stage": _stage,
    "pricing_model": _pricing_model,
    "pricing_summary": _pricing_summary,
    "country": _country,
    "city": _city,
    "founded_year": _founded_year,
    "contact_email": _contact_email,
    "demo_video_url": _link,
    "logo_url": _link,
}


def follows(field: str, value: Value, quotes: list[str]) -> Value | None:
    """What of a value follows from its quotes: all of it, some items of a list, or nothing."""
    text = "\n".join(quotes)
    if isinstance(value, str):
        fits = value and len(value) <= TEXT_FIELDS.get(field, 0) and not is_placeholder(value)
        check = _TEXT_CHECKS.get(field)
        return value if fits and check is not None and check(value, text) else None
    kept = tuple(item for item in value if _item_follows(field, item, text))
    return kept[: LIST_FIELDS.get(field, 0)] or None


def _item_follows(field: str, item: str, text: str) -> bool:
    if not item or len(item) > LIST_ITEM or is_placeholder(item):
        return False
    if field == "categories":
        return bool(text)
    if field in {"tags", "keywords"}:
        return folded(item) in folded(text)
    return says(item, text, text)


def faq_follows(faq: FaqDraft, quotes: list[str], page_text: str) -> bool:
    """Whether a question was asked on the site and its answer was given there."""
    if not 2 < len(faq.question) <= FAQ_QUESTION or not 1 < len(faq.answer) <= FAQ_ANSWER:
        return False
    if is_placeholder(faq.question) or is_placeholder(faq.answer):
        return False
    asked = any(squashed(faq.question) in squashed(quote) for quote in quotes)
    known = squashed(page_text)
    told = all(squashed(line) in known for line in faq.answer.split("\n") if line.strip())
    return asked and (told or says(faq.answer, "\n".join(quotes), page_text))


def is_like_name(name: str, everything: str) -> bool:
    """Whether words look like a person's name: some word is never written small; Korean ones begin with a surname."""
    if _HANGUL.search(name):
        return name[0] in _SURNAMES_KO and _HANGUL_NAME.fullmatch(name) is not None
    words = [word for word in re.findall(r"[^\W\d_]+", name) if len(word) > 1]
    if not any(word[0].isupper() for word in words):
        return bool(CJK.search(name))
    return any(not re.search(rf"(?<!\w){re.escape(word.lower())}(?!\w)", everything) for word in words)


def founder_follows(founder: FounderDraft, quotes: list[str], everything: str) -> bool:
    """Whether quotes name a person and call that person a founder."""
    text = plain(" ".join(quotes))
    if not is_like_name(founder.name, everything):
        return False
    if is_placeholder(founder.name) or not all(
        squashed(word) in squashed(text) for word in founder.name.split()
    ):
        return False
    if founder.title and squashed(founder.title) not in squashed(text):
        return False
    return bool(FOUNDER_WORD.search(text))


def social_follows(platform: str, url: str, quotes: list[str]) -> bool:
    """Whether a link leads to a profile on its platform and stands in a quote."""
    found = platform_of(url)
    if found is None or found[0] != platform or is_placeholder(url):
        return False
    handle = found[1].rsplit("/", 1)[-1]
    return any(handle.casefold() in unquote(quote).casefold() for quote in quotes)
