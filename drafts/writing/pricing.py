"""Whether lines state a price text: each sum with its plan, its currency and its stretch of time, from one place."""

import re
from collections.abc import Sequence

from drafts.crawl.extract_parts import Segment
from drafts.writing.checks import is_free, is_price
from drafts.writing.cues.money import CONTACT_SALES, FREE, MONEY, OPEN_SOURCE, PRICE_WORD
from drafts.writing.support import NUMBERS, PERIOD, WORDS, Support, says_numbers, timed
from drafts.writing.text import plain, squashed
from drafts.writing.wording import NUMBER, periods, words_of

PLAN = "A price of it stands beside another plan in the lines it names."
NO_PRICE = "The lines it names state no price of the product."
_SIGNS = re.compile(r"[$€£¥₩₽₹₺₴₦₱฿]")
_PARTS = re.compile(r"[;|/·\n](?!\s?\w{1,6}\b)|;|,\s(?=\D)|\s[–—-]\s")


def fault(text: str, lines: Sequence[Segment], support: Support) -> str:
    """Why some lines do not state a price text; empty when they do."""
    source = "\n".join(line.text for line in lines)
    language = support.language
    if not (_speaks(text, language) and _is_stated(text, source, language) and is_price(source)):
        return NO_PRICE
    if not says_numbers(text, source, language) or not set(_SIGNS.findall(text)) <= set(source):
        return NUMBERS
    if not _has_its_periods(text, lines, language):
        return PERIOD
    words = words_of(text, language) - support.own_words
    if sum(word not in support.everywhere for word in words) * 3 > len(words):
        return WORDS
    return "" if _has_its_plans(text, lines, support) else PLAN


def _speaks(text: str, language: str) -> bool:
    """Whether a text itself is one about a price, whatever its lines state."""
    cues = (NUMBER, MONEY, FREE, CONTACT_SALES, OPEN_SOURCE, PRICE_WORD)
    return any(cue.search(text) for cue in cues) or bool(periods(text, language))


def _is_stated(text: str, source: str, language: str) -> bool:
    """Whether lines speak of a price: of a sum, a stretch of time or an offer to be asked for, or of being free."""
    if MONEY.search(source) or CONTACT_SALES.search(source) or is_free(source) or periods(source, language):
        return True
    is_quoted = squashed(text) in squashed(source) and not NUMBER.search(text)
    return is_quoted and bool(FREE.search(text))


def _has_its_periods(text: str, lines: Sequence[Segment], language: str) -> bool:
    """Whether each number stands with its stretch of time in one line; a bare sum may have it in the next."""
    for number, kind in timed(text, language):
        holding = [line for line in lines if number in _numbers(line.text)]
        stated = {k for line in holding for n, k in timed(line.text, language) if n == number}
        is_bare = any(len(words_of(line.text, language)) == 0 and not stated for line in holding)
        if kind not in stated and not (
            is_bare and any(k == kind for x in lines for _, k in periods(x.text, language))
        ):
            return False
    return True


def _numbers(text: str) -> set[str]:
    return {re.sub(r"\D", "", number) for number in NUMBER.findall(plain(text))}


def _has_its_plans(text: str, lines: Sequence[Segment], support: Support) -> bool:
    """Whether the name before each sum is the nearest of the names of the text above that sum on the page."""
    rows = []
    for part in _PARTS.split(text):
        if first := NUMBER.search(part):
            names = words_of(part[: first.start()], support.language) - support.own_words
            rows.append((names, re.sub(r"\D", "", first.group())))
    shared = {word for names, _ in rows for word in names if sum(word in other for other, _ in rows) > 1}
    for names, number in rows:
        own = names - shared
        others = {word for other, _ in rows if other is not names for word in other} - shared - own
        if own and others and not _is_nearest(own, others, number, lines, support):
            return False
    return True


def _is_nearest(
    own: frozenset[str], others: set[str], number: str, lines: Sequence[Segment], support: Support
) -> bool:
    ordered = sorted(lines, key=lambda line: (line.page, line.index))
    last = ""
    answers = []
    for line in ordered:
        words = words_of(" ".join((*line.outline[-1:], line.text)), support.language)
        is_own, is_other = bool(words & own), bool(words & others)
        if is_own != is_other:
            last = "own" if is_own else "other"
        elif is_own:
            last = "both"
        if number in _numbers(line.text):
            answers.append(last)
    return not answers or any(answer != "other" for answer in answers)
