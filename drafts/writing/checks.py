"""Whether a value that a model gives follows from its quotes, field by field: asked what it is, not how it is found."""

import re

from drafts.languages import Shape
from drafts.limits import FAQ_ANSWER, FAQ_QUESTION
from drafts.writing.countries import cities_in, city_country, countries_in
from drafts.writing.cues import money
from drafts.writing.cues.people import FOUNDER_WORD, names_person
from drafts.writing.founding import NOT_FOUNDING, year_cues
from drafts.writing.port import FaqDraft, FounderDraft
from drafts.writing.roles import is_placeholder
from drafts.writing.support import says
from drafts.writing.text import CJK, plain, sentences, squashed

_NO_PRICE = Shape(r"{no_price}")
_MAY_BE_FREE = Shape(
    r"\W*(?:\w+\W+){0,2}(?:{product}|{plan})",
    r"\W*(?:{after_free}|{forever}|{free})",
    r"\W*$",
    r"\s*[.,;:!?)·|•–—\n-]",
)
_IS_FREE = Shape(r"(?:{product}|{plan}|{forever}|{is})\W*(?:\w+\W+){0,2}$")
_NEAR = 160
_ADDRESSES = {
    "JP": "[都道府県]",
    "KR": r"[가-힣](?:시|도|군)(?:\s|$)",
    "CN": r"[省市][\u4e00-\u9fff]+[区路街號号]",
    "TW": "[市縣]",
}
_PROVIDED: dict[str, tuple[Shape, ...]] = {
    "subscription": (money.PERIOD,),
    "one_time": (money.ONE_TIME, money.BUY, money.CART),
    "usage": (money.USAGE,),
    "commission": (Shape(r"{commission}", r"\d\s?%"),),
    "contact_sales": (money.CONTACT_SALES,),
    "free_trial": (money.TRIAL,),
    "open_source": (money.OPEN_SOURCE,),
}
_WITH_SUM = frozenset({"subscription", "one_time", "paid"})
PRICING_MODELS = (*_PROVIDED, "free", "freemium", "paid")
"""The words that a drafted pricing model may be."""


def is_price(text: str) -> bool:
    """Whether some sum of a text may be what the product costs, not what somebody saves, earns or raised."""
    priced_parts = [part for part in re.split(r"[\n;]|(?<=[.!?])\s", text) if money.MONEY.search(part)]
    return not priced_parts or not all(_NO_PRICE.search(part) for part in priced_parts)


def is_free(text: str) -> bool:
    """Whether the word for free belongs to a product or plan, or stands alone; not to a thing of another kind."""
    return any(map(money.is_nothing, text.split("\n"))) or any(
        _belongs(text, result) for result in money.FREE.finditer(text)
    )


def _belongs(text: str, sum_match: re.Match[str]) -> bool:
    after = text[sum_match.end() :]
    return (
        bool(CJK.search(sum_match.group()))
        or _MAY_BE_FREE.match(after) is not None
        or _IS_FREE.search(text[: sum_match.start()]) is not None
    )


def is_priced(model: str, text: str) -> bool:
    is_bare = re.fullmatch(r"[\d.,\s]+(?:\n[A-Z]{3})?", text.strip())
    if model in _WITH_SUM and not is_bare and not is_price(text):
        return False
    if model in {"free", "freemium"}:
        return is_free(text)
    return model == "paid" or any(shape.search(text) for shape in _PROVIDED.get(model, ()))


def is_country(code: str, text: str) -> bool:
    """Whether a text names a country, its code, a tax number of it or a town of it."""
    return bool(
        any(result == code for result, _ in countries_in(text))
        or text.strip().upper() == code
        or re.match(rf"{'CHE' if code == 'CH' else code}U?[\s-]?[A-Z0-9][\w. -]{{4,}}", text.strip())
        or any(city_country(town) == code for town in cities_in(text))
        or (code in _ADDRESSES and re.search(r"\d", text) and re.search(_ADDRESSES[code], text))
    )


def is_founded_in(value: str, text: str) -> bool:
    if re.fullmatch(r"\d{4}(?:-\d\d(?:-\d\d)?)?", text.strip()):
        return text.strip().startswith(value)
    stated = (line for line in sentences(" ".join(text.split())) if not NOT_FOUNDING.search(line))
    return any(cue.year == value for line in stated for cue in year_cues(line))


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


def _founded(name: str, text: str) -> bool:
    """Whether a founding word stands near one part of a name in what a site says."""
    at = next((text.find(part) for part in (name, *name.split()) if part in text), -1)
    return at >= 0 and bool(FOUNDER_WORD.search(text[max(0, at - _NEAR) : at + len(name) + _NEAR]))


def founder_follows(founder: FounderDraft, quotes: list[str], everything: str) -> bool:
    """Whether quotes name a person and call that person a founder."""
    text = plain(" ".join(quotes))
    source = squashed(text)
    return (
        names_person(founder.name, everything)
        and not is_placeholder(founder.name)
        and all(squashed(words) in source for words in (*founder.name.split(), founder.title or ""))
        and _founded(founder.name, text)
    )
