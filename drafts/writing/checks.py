"""Whether a value follows from its quotes, field by field.

The check shares no expression with the rules that find values. They look for a value by the words around it; here a
value is asked what it is: whether a name is a person's, whether a town is one, what is free, what a sum is paid for.
"""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from urllib.parse import unquote

from drafts.crawl.pages import bare
from drafts.languages import Shape
from drafts.limits import FAQ_ANSWER, FAQ_QUESTION, TEXT_FIELDS
from drafts.writing.countries import cities_in, city_country, countries_in, countries_of_town
from drafts.writing.currencies import BEFORE, CODES, LETTERS, SIGNS
from drafts.writing.port import FaqDraft, FounderDraft
from drafts.writing.roles import is_placeholder
from drafts.writing.support import says
from drafts.writing.text import CJK, folded, plain, sentences, squashed

NAMES = Path(__file__).with_name("data") / "names.txt"
_SUM = Shape(
    rf"(?:[{SIGNS}]|\b(?:{CODES}|{BEFORE}))\s?[\d.,]+|"
    rf"\d[\d.,'’\s]*?(?:,?[-–]{{1,2}})?\s?(?:[{SIGNS}]|(?:{CODES}|{LETTERS})\b|{{currency}})"
)
_SCALE = Shape(r"\s?(?:[kmb]\b|{millions})")
_NO_PRICE = Shape(r"{no_price}")
_TIME = Shape(r"{time}", r"{periodic}")
_FREE = Shape(r"{free}")
_MAY_BE_FREE = Shape(
    r"\W*(?:\w+\W+){0,2}(?:{product}|{plan})",
    r"\W*(?:{after_free}|{forever}|{free})",
    r"\W*$",
    r"\s*[.,;:!?)·|•–—\n-]",
)
_IS_FREE = Shape(r"(?:{product}|{plan}|{forever}|{is})\W*(?:\w+\W+){0,2}$")
_FOUNDER = Shape(
    *("{founder}", "{founders}", "{proprietor}", "{owner}", "{founded}", "{begun}", "{made}", "{did_found}"),
    *("{founded_it}", "{i_made}", "{i_founded}"),
)
_FOUNDING = Shape(r"{founded}", r"{begun}", r"{since}", r"{from_year}", r"{year_of}")
_MARK = re.compile(r"©|\(c\)|\bcopyright\b|\bv(?:ersion)?\s?\d", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:1[89]\d\d|20[0-4]\d)(?!\d)")
_WORDS = re.compile(r"[^\W\d_]+(?:[ '’.-][^\W\d_]+){0,3}")
_NEAR = 160
_ADDRESSES = {
    "JP": "[都道府県]",
    "KR": r"[가-힣](?:시|도|군)(?:\s|$)",
    "CN": r"[省市][\u4e00-\u9fff]+[区路街號号]",
    "TW": "[市縣]",
}
_HANGUL_NAME = re.compile(r"[가-힣]{2,4}")
_PROVIDED = {
    "subscription": (_TIME,),
    "one_time": (Shape(r"{once}", r"{at_once}", r"{buy}", r"{cart}"),),
    "usage": (Shape(r"{deed}", r"{by_use}"),),
    "commission": (Shape(r"{commission}", r"\d\s?%"),),
    "contact_sales": (Shape(r"{contact_sales}"),),
    "free_trial": (Shape(r"{trial}", r"{try}", r"{first}", r"{days}"),),
    "open_source": (
        Shape(r"{open_source}", r"{licence}", r"\b(?:A?L?GPL|MIT|BSD|MPL|EUPL|ISC|Apache|GNU|CC0)\b"),
    ),
}
_WITH_SUM = frozenset({"subscription", "one_time", "paid"})
PRICING_MODELS = (*_PROVIDED, "free", "freemium", "paid")
"""The words that a drafted pricing model may be."""


def sums(text: str) -> list[str]:
    """The sums of money of a text that somebody could pay: no millions."""
    return [result.group() for result in _SUM.finditer(text) if not _SCALE.match(text[result.end() :])]


def is_nothing(text: str) -> bool:
    """Whether a text names a sum, and each is zero."""
    result = sums(text)
    return bool(result) and not any(re.search(r"[1-9]", each) for each in result)


def is_price(text: str) -> bool:
    """Whether some sum of a text may be what the product costs, not what somebody saves, earns or raised."""
    priced_parts = [part for part in re.split(r"[\n;]|(?<=[.!?])\s", text) if sums(part)]
    return not priced_parts or not all(_NO_PRICE.search(part) for part in priced_parts)


def is_free(text: str) -> bool:
    """Whether the word for free belongs to a product or plan, or stands alone; not to a thing of another kind."""
    return any(map(is_nothing, text.split("\n"))) or any(
        _belongs(text, result) for result in _FREE.finditer(text)
    )


def _belongs(text: str, sum_match: re.Match[str]) -> bool:
    after = text[sum_match.end() :]
    return (
        bool(CJK.search(sum_match.group()))
        or _MAY_BE_FREE.match(after) is not None
        or _IS_FREE.search(text[: sum_match.start()]) is not None
    )


def is_priced(model: str, text: str) -> bool:
    """Whether a pricing model follows from what the quotes say."""
    is_bare = re.fullmatch(r"[\d.,\s]+(?:\n[A-Z]{3})?", text.strip())
    if model in _WITH_SUM and not is_bare and not is_price(text):
        return False
    if model in {"free", "freemium"}:
        return is_free(text)
    return model == "paid" or any(shape.search(text) for shape in _PROVIDED.get(model, ()))


def names_person(name: str, everything: str) -> bool:
    """Whether words are a person's name: known as one, or such that the site never writes them small."""
    if _HANGUL_NAME.fullmatch(name):
        return _is_first_name(name[0]) or _is_first_name(name[:2])
    if CJK.search(name):
        return len(re.sub(r"\W", "", name)) <= 8
    words = [word for word in re.findall(r"[^\W\d_]+", name) if len(word) > 1]
    if not any(word[0].isupper() for word in words):
        return False
    never_small = [not re.search(rf"(?<!\w){re.escape(word.lower())}(?!\w)", everything) for word in words]
    return any(never_small) and (all(never_small) or has_first_name(name))


def has_first_name(name: str) -> bool:
    """Whether the names of the world know one part of a name."""
    return any(_is_first_name(word) for word in re.findall(r"[^\W\d_]{2,}", name))


def _is_first_name(word: str) -> bool:
    return f"\n{bare(word)}\n".encode() in _names()


@cache
def _names() -> bytes:
    """The file as it is; a set of its names would take ten times its size."""
    return NAMES.read_bytes()


def founded(name: str, text: str) -> bool:
    """Whether a founding word stands near one part of a name in what a site says."""
    low = plain(text)
    at = next((low.find(part) for part in (name, *name.split()) if part in low), -1)
    return at >= 0 and bool(_FOUNDER.search(low[max(0, at - _NEAR) : at + len(name) + _NEAR]))


def says_founding(text: str, year: str) -> bool:
    """Whether a sentence that names a year has a founding word, and neither a copyright mark nor a version."""
    return any(
        year in _YEAR.findall(sentence) and _FOUNDING.search(sentence) and not _MARK.search(sentence)
        for sentence in sentences(" ".join(text.split()))
    )


def towns_in(text: str) -> list[tuple[str, frozenset[str]]]:
    """The words of a text that the gazetteer knows as towns, with their countries."""
    rows = []
    for run in _WORDS.findall(text):
        parts = run.split()
        spans = {" ".join(parts[i:j]) for i in range(len(parts)) for j in range(i + 1, len(parts) + 1)}
        rows += [(s, countries_of_town(s)) for s in spans if s[0].isupper() or CJK.search(s)]
    return [(name, codes) for name, codes in rows if codes]


def is_country(code: str, text: str) -> bool:
    """Whether a text names a country, its code, a tax number of it or a town of it beside a number of the post."""
    has_post = bool(re.search(r"\d", text))
    if (
        any(result == code for result, _ in countries_in(text))
        or text.strip().upper() == code
        or re.match(rf"{'CHE' if code == 'CH' else code}U?[\s-]?[A-Z0-9][\w. -]{{4,}}", text.strip())
        or any(city_country(town) == code for town in cities_in(text))
        or (has_post and code in _ADDRESSES and re.search(_ADDRESSES[code], text))
    ):
        return True
    return any(city_country(town) == code or (has_post and code in codes) for town, codes in towns_in(text))


def is_town(name: str, text: str) -> bool:
    """Whether a text names a town that the gazetteer knows, or one that a number of the post marks."""
    if not all(squashed(word) in squashed(text) for word in name.split()):
        return False
    if countries_of_town(name) or (CJK.search(name) and name[-1] in "시군市区都府県县"):
        return True
    post = rf"\d[\d A-Z-]{{2,8}},?\s+{re.escape(name)}|{re.escape(name)},?\s+(?:[A-Z]{{2,3}}\s+)?\w*\d"
    return bool(re.search(post, plain(text))) or any(
        folded(town) in folded(name) for town, _ in towns_in(name)
    )


def is_mail(value: str, text: str) -> bool:
    """Whether an address stands in a text, with its signs or with words in their place."""
    if not re.fullmatch(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", value):
        return False
    priced_parts = plain(text).lower()
    parts = re.split(r"[@.]", value.lower())
    return value.lower() in priced_parts or bool(
        re.search(r"\b" + r".{1,14}?".join(map(re.escape, parts)) + r"\b", priced_parts)
    )


def _founded_year(value: str, text: str) -> bool:
    if not re.fullmatch(r"1[89]\d\d|20[0-4]\d", value):
        return False
    if re.fullmatch(r"\d{4}(?:-\d\d(?:-\d\d)?)?", text.strip()):
        return text.strip().startswith(value)
    return says_founding(text, value)


_CHECKS: dict[str, Callable[[str, str], bool]] = {
    "name": lambda value, text: squashed(value) in squashed(text),
    "pricing_model": lambda value, text: value in PRICING_MODELS and is_priced(value, text),
    "country": lambda value, text: bool(re.fullmatch(r"[A-Z]{2}", value)) and is_country(value, text),
    "city": is_town,
    "founded_year": _founded_year,
    "contact_email": lambda value, text: is_mail(value, unquote(text)),
}


def follows(field: str, value: str, quotes: list[str]) -> bool:
    """Whether a fact follows from its quotes."""
    fits = value and len(value) <= TEXT_FIELDS[field] and not is_placeholder(value)
    return bool(fits) and field in _CHECKS and _CHECKS[field](value, "\n".join(quotes))


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
