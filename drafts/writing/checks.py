"""Whether a value follows from its quotes, field by field."""

import re
from collections.abc import Callable
from urllib.parse import unquote

from core.fetch import split_url
from drafts.languages import Shape
from drafts.limits import FAQ_ANSWER, FAQ_QUESTION, LIST_FIELDS, LIST_ITEM, TEXT_FIELDS
from drafts.writing.port import FaqDraft, FounderDraft, Value
from drafts.writing.profiles import platform_of
from drafts.writing.roles import is_placeholder
from drafts.writing.sense import (
    PRICING_MODELS,
    founded,
    is_country,
    is_mail,
    is_price,
    is_priced,
    is_town,
    names_person,
    says_founding,
)
from drafts.writing.support import says, says_numbers
from drafts.writing.text import folded, plain, squashed

_UNFINISHED = Shape(r"{unfinished}")


def _pricing_summary(value: str, text: str) -> bool:
    symbols = set(re.findall(r"[$€£¥₩₽₹]", value))
    is_theirs = is_price(text) and symbols <= set(text)
    return is_theirs and says_numbers(value, text) and says(value, text)


def _founded_year(value: str, text: str) -> bool:
    if not re.fullmatch(r"1[89]\d\d|20[0-4]\d", value):
        return False
    if re.fullmatch(r"\d{4}(?:-\d\d(?:-\d\d)?)?", text.strip()):
        return text.strip().startswith(value)
    return says_founding(text, value)


def _link(value: str, text: str) -> bool:
    parts = split_url(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return False
    last = parts.path.rstrip("/").rsplit("/", 1)[-1]
    return bool(last) and unquote(last).casefold() in unquote(text).casefold()


def _stage(value: str, text: str) -> bool:
    return bool(re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", value)) and bool(_UNFINISHED.search(text))


_TEXT_CHECKS: dict[str, Callable[[str, str], bool]] = {
    **dict.fromkeys(("tagline", "short_description", "description"), says),
    "name": lambda value, text: squashed(value) in squashed(text),
    "stage": _stage,
    "pricing_model": lambda value, text: value in PRICING_MODELS and is_priced(value, text),
    "pricing_summary": _pricing_summary,
    "country": lambda value, text: bool(re.fullmatch(r"[A-Z]{2}", value)) and is_country(value, text),
    "city": is_town,
    "founded_year": _founded_year,
    "contact_email": lambda value, text: is_mail(value, unquote(text)),
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
    items = tuple(item for item in value if _item_follows(field, item, text))
    return items[: LIST_FIELDS.get(field, 0)] or None


def _item_follows(field: str, item: str, text: str) -> bool:
    if not item or len(item) > LIST_ITEM or is_placeholder(item):
        return False
    if field == "categories":
        return bool(text)
    if field in {"tags", "keywords"}:
        return folded(item) in folded(text)
    return says(item, text)


def faq_follows(faq: FaqDraft, quotes: list[str], page_text: str) -> bool:
    """Whether a question was asked on the site and its answer was given there."""
    if not 2 < len(faq.question) <= FAQ_QUESTION or not 1 < len(faq.answer) <= FAQ_ANSWER:
        return False
    if is_placeholder(faq.question) or is_placeholder(faq.answer):
        return False
    has_question = any(squashed(faq.question) in squashed(quote) for quote in quotes)
    existing = squashed(page_text)
    source = all(squashed(line) in existing for line in faq.answer.split("\n") if line.strip())
    return has_question and (source or says(faq.answer, "\n".join(quotes)))


def founder_follows(founder: FounderDraft, quotes: list[str], everything: str) -> bool:
    """Whether quotes name a person and call that person a founder."""
    text = plain(" ".join(quotes))
    source = squashed(text)
    return (
        names_person(founder.name, everything)
        and not is_placeholder(founder.name)
        and all(squashed(words) in source for words in (*founder.name.split(), founder.title or ""))
        and founded(founder.name, text)
    )


def social_follows(platform: str, url: str, quotes: list[str]) -> bool:
    """Whether a link leads to a profile on its platform and stands in a quote."""
    result = platform_of(url)
    if result is None or result[0] != platform or is_placeholder(url):
        return False
    handle = result[1].rsplit("/", 1)[-1]
    return any(handle.casefold() in unquote(quote).casefold() for quote in quotes)
