"""Whether lines of a website carry a sentence: its language, its words, its numbers, and what turns it round."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import islice

from core.normal_forms import normalize
from drafts import languages
from drafts.caching import cached
from drafts.crawl.extract_parts import PageText, SiteText
from drafts.languages import Shape
from drafts.writing.text import CJK, folded, plain, sentences, squashed
from drafts.writing.wording import NUMBER, Words, number_words, parted, periods, words_of

LEAST_SHARE, DOUBTFUL = 0.67, (0.4, 0.85)
SHORT = 4  # words; of so few one may stand elsewhere on the site
_DENIED_SHARE = 0.5
_STEM, _SURE, _SAMPLE, _ENOUGH = 5, 2, 300, 200
_SPACELESS = frozenset({"ja", "ko", "zh"})
_WORD = re.compile(r"[^\W\d_]{2,}")
_SUPERLATIVE = Shape(r"{superlative}", r"#1\b")
_PARTS = re.compile(r"[,;:、，；]\s?|\s[–—-]\s")
_UNIT_REACH = 14
LANGUAGE = "It is not in the language of the website."
WORDS = "The lines it names do not say this."
NUMBERS = "A number of it does not stand in the lines it names."
DENIED = "The lines it names deny this."
ADDED_DENIAL = "It denies what the lines it names do not deny."
TO_COME = "The lines it names announce this for later."
PERIOD = "A number of it stands with another unit in the lines it names."
PRAISE = "It praises more than the lines it names do."


@cache
def _stops() -> dict[str, frozenset[str]]:
    """The smallest words of each language that writes them."""
    return {name: frozenset(languages.listed(line)) for name, line in languages.lines("stop")}


_ALPHABETS = {
    "ru": "[а-яё]",
    "el": "[α-ω]",
    "he": "[\u0590-\u05ff]",
    "ar": "[\u0600-\u06ff]",
    "hi": "[\u0900-\u0dff]",
    "th": "[\u0e00-\u0e7f]",
}
"""Letters that tell a language, or languages near to it, from those of other sites."""


@cached(4096)
def language_of(text: str) -> str:
    """A guess at a text's language by its script and its smallest words; empty when neither tells."""
    counts = _counts(text)
    best = max(counts, key=lambda language: counts[language])
    return best if counts[best] >= _SURE else ""


def _counts(text: str) -> dict[str, int]:
    """How much speaks for each language: of scripts that are written alone, the script."""
    if CJK.search(text):
        name = "ko" if re.search(r"[가-힣]", text) else "ja" if re.search(r"[\u3040-\u30ff]", text) else "zh"
        return {name: _SURE}
    letters = {name: len(re.findall(signs, text.casefold())) for name, signs in _ALPHABETS.items()}
    if name := next((name for name, count in letters.items() if count > len(text) / 4), ""):
        return {name: _SURE}
    words = {*_WORD.findall(folded(text)), *re.findall(r"\b\w\b", folded(text))}
    return {language: sum(word in stops for word in words) for language, stops in _stops().items()}


def is_foreign(text: str, language: str) -> bool:
    """Whether a text is in another language than this one, as far as one can tell."""
    counts = _counts(text)
    best = max(counts, key=lambda name: counts[name])
    if language in _SPACELESS:
        return best not in _SPACELESS and len(_WORD.findall(text)) > _SURE
    if counts[best] < _SURE + (best != "en") or (best != "en" and language not in _stops()):
        return False
    return counts[best] >= 2 * counts.get(language, 0)


def stems(text: str) -> set[str]:
    """The beginnings of the words that carry a text; for scripts without spaces, pairs of characters."""
    low = "".join(c for c in normalize("NFKD", folded(text)) if not unicodedata.combining(c))
    stops = _stops().get(language_of(text), frozenset())
    values: set[str] = set()
    for word in _WORD.findall(low):
        if CJK.search(word):
            values.update(word[i : i + 2] for i in range(max(1, len(word) - 1)))
        elif word not in stops and len(word) > 2:
            values.add(word[:_STEM])
    return values


def site_language(site: SiteText) -> str:
    """The language of a site: what its pages say they are in, unless their words say something else."""
    named = Counter(page.lang.lower()[:2] for page in site.pages if page.lang)
    stated = site.pages[0].lang.lower()[:2] or max(named, key=lambda name: named[name], default="")
    votes: Counter[str] = Counter()
    for segment in islice((s for page in site.pages for s in page.texts), _SAMPLE):
        votes[language_of(segment.text)] += len(segment.text)
    del votes[""]
    guessed = max(votes, key=lambda name: votes[name], default="")
    is_written = stated in _stops() or stated in _SPACELESS
    is_wrong = not stated or (is_written and votes[stated] * 3 < votes[guessed])
    return guessed if guessed and is_wrong else stated or "en"


def speaks_other(page: PageText, language: str) -> bool:
    """Whether a page is written in another language than the site's: it may translate a page of the site."""
    votes: Counter[str] = Counter()
    for segment in page.texts[:_SAMPLE]:
        votes[language_of(segment.text)] += len(segment.text)
    del votes[""]
    guessed = max(votes, key=lambda name: votes[name], default="")
    return guessed not in {"", language} and votes[guessed] >= max(_ENOUGH, 3 * votes[language])


def says_numbers(text: str, source: str, language: str = "") -> bool:
    """Whether each number of a text stands in its source, however its thousands are set apart."""
    existing = {re.sub(r"\D", "", number) for line in source.split("\n") for number in NUMBER.findall(line)}
    parts = set(re.findall(r"\d+", plain(source))) | set(number_words(source, language))
    numbers = [number for line in text.split("\n") for number in NUMBER.findall(line)]
    return (
        all(re.sub(r"\D", "", n) in existing or set(re.findall(r"\d+", plain(n))) <= parts for n in numbers)
        and set(number_words(text, language)) <= parts | existing
    )


def says(text: str, source: str) -> bool:
    """Whether lines carry each sentence of a text."""
    support = Support(language=language_of(source) or "en")
    return all(not support.fault(sentence, [source]) for sentence in sentences(text))


@dataclass(kw_only=True)
class Support:
    """Judges sentences of one website. `everywhere` are the words of all its pages."""

    language: str
    everywhere: Words = field(default_factory=lambda: Words(frozenset()))
    own_words: frozenset[str] = frozenset()  # words that need no line: the product's name

    def fault(self, sentence: str, lines: Sequence[str]) -> str:
        """Why these lines do not carry a sentence; empty when they do."""
        return "" if self._is_quoted(sentence, lines) else _Reading(self, sentence, lines).fault()

    def is_doubtful(self, sentence: str, lines: Sequence[str]) -> bool:
        """Whether its words alone cannot decide if these lines carry a sentence."""
        if self._is_quoted(sentence, lines):
            return False
        return DOUBTFUL[0] <= _Reading(self, sentence, lines).share <= DOUBTFUL[1]

    @staticmethod
    def _is_quoted(sentence: str, lines: Sequence[str]) -> bool:
        return squashed(sentence) in squashed("\n".join(lines))


class _Reading:
    def __init__(self, support: Support, sentence: str, lines: Sequence[str]) -> None:
        self.support, self.sentence, self.lines = support, sentence, lines
        self.source = "\n".join(lines)
        self.language = support.language

    def fault(self) -> str:
        if is_foreign(self.sentence, self.language):
            return LANGUAGE
        if not says_numbers(self.sentence, self.source, self.language):
            return NUMBERS
        if any(
            each.group() not in folded(self.source) for each in _SUPERLATIVE.finditer(folded(self.sentence))
        ):
            return PRAISE
        return self._of_units() or self._of_turns() or self._of_words()

    @cached_property
    def cited(self) -> Words:
        return Words(words_of(self.source, self.language))

    @cached_property
    def needed(self) -> frozenset[str]:
        return words_of(self.sentence, self.language) - self.support.own_words

    @cached_property
    def missing(self) -> list[str]:
        return [word for word in self.needed if word not in self.cited]

    @cached_property
    def new(self) -> list[str]:
        return [word for word in self.missing if word not in self.support.everywhere]

    @property
    def share(self) -> float:
        """How much of the sentence its lines carry; a word that stands nowhere counts twice."""
        return 1 - (len(self.missing) + len(self.new)) / len(self.needed) if self.needed else 1.0

    def _of_words(self) -> str:
        is_near = 1 < len(self.needed) <= SHORT and len(self.missing) == 1 and not self.new
        return "" if self.share > LEAST_SHARE or is_near else WORDS

    def _of_turns(self) -> str:
        """Whether the sentence denies, or speaks of now, as its lines do."""
        for kind, dropped, added in (("negation", DENIED, ADDED_DENIAL), ("soon", TO_COME, "")):
            free, bound = parted(self.source, kind, self.language)
            if not bound and not added:
                continue
            only_free, only_bound = Words(free), Words(bound)
            parted_words, turned = parted(self.sentence, kind, self.language)
            for part in _PARTS.split(self.sentence):
                affirmed = words_of(part, self.language) & parted_words
                denied = [w for w in affirmed if w in only_bound and w not in only_free]
                if len(denied) > 1 and len(denied) >= _DENIED_SHARE * sum(w in self.cited for w in affirmed):
                    return dropped
            if added and turned and not bound and any(w in only_free for w in turned):
                return added
        return ""

    def _of_units(self) -> str:
        """Whether numbers stand with the same stretch of time as in the lines."""
        for number, kind in timed(self.sentence, self.language):
            stated = {k for line in self.lines for n, k in timed(line, self.language) if n == number}
            if stated and kind not in stated:
                return PERIOD
        return ""


def timed(text: str, language: str) -> list[tuple[str, str]]:
    """The numbers of a text that a stretch of time follows closely, with it."""
    line = " ".join(text.split())
    stretches = periods(line, language)
    spans = [(n.end(), re.sub(r"\D", "", n.group())) for n in NUMBER.finditer(line)]
    rows = []
    for end, number in [*spans, *number_words_at(line, language)]:
        near = [kind for at, kind in stretches if end <= at <= end + _UNIT_REACH]
        rows += [(number, kind) for kind in near[:1]]
    return rows


def number_words_at(line: str, language: str) -> list[tuple[int, str]]:
    low = folded(line) if len(folded(line)) == len(line) else line.lower()
    rows = [list(languages.listed(row)) for row in languages.of({language, "en"}, "numbers")]
    values = {word: str(at) for row in rows for at, word in enumerate(row, start=2)}
    return [(word.end(), values[word.group()]) for word in _WORD.finditer(low) if word.group() in values]
