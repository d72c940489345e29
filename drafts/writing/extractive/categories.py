"""Categories, tags, keywords and the stage, where the site's own words name them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from drafts.crawl.extract_parts import Segment
from drafts.limits import DRAFTED_CATEGORIES, DRAFTED_KEYWORDS, DRAFTED_TAGS, LIST_ITEM
from drafts.writing.cues.stages import STAGE
from drafts.writing.port import CategoryHint, Evidence, FieldDraft
from drafts.writing.quoting import cut
from drafts.writing.reading import Reading
from drafts.writing.roles import is_placeholder, speaks
from drafts.writing.support import language_of
from drafts.writing.text import folded, has_words, sentences, squashed, tidy

_ABBREVIATION = 3
_ASIDE = frozenset({"nav", "footer", "legal", "blog", "review", "person", "faq"})


@dataclass(frozen=True)
class Match:
    """One category with the words that speak for it."""

    hint: CategoryHint
    term: str
    score: float
    segment: Segment
    quote: str


def draft_categories(reading: Reading, hints: tuple[CategoryHint, ...]) -> tuple[FieldDraft, FieldDraft]:
    """At most three categories, and as tags the further words that were found."""
    matches = sorted(_matches(reading, hints), key=lambda m: -m.score)
    best: dict[str, Match] = {}
    for match in matches:
        best.setdefault(match.hint.slug, match)
    chosen = [m for m in best.values() if m.score >= 2][:DRAFTED_CATEGORIES]
    if chosen:
        chosen = [m for m in chosen if m.score >= chosen[0].score * 0.4]
    return _write(reading, chosen, [m.hint.name for m in chosen]), _tags(reading, matches)


def _tags(reading: Reading, matches: list[Match]) -> FieldDraft:
    found: dict[str, Match] = {}
    for match in matches:
        if match.score >= 2:
            found.setdefault(squashed(match.term), match)
    chosen = list(found.values())[:DRAFTED_TAGS]
    return _write(reading, chosen, [m.term.lower() for m in chosen])


def _write(reading: Reading, matches: list[Match], values: list[str]) -> FieldDraft:
    evidence = [cut(reading.site, m.segment, m.quote) for m in matches]
    if not values or any(e is None for e in evidence):
        return reading.blank
    return FieldDraft(
        value=tuple(dict.fromkeys(values)), evidence=tuple(dict.fromkeys(e for e in evidence if e))
    )


def _matches(reading: Reading, hints: tuple[CategoryHint, ...]) -> Iterator[Match]:
    places = list(_places(reading))
    everything = "\n".join(
        folded(text) for _, _, text in places
    )  # few terms stand anywhere: look there first
    for hint in hints:
        terms = dict.fromkeys(t for t in (hint.name, *hint.terms) if len(t) > 1 and folded(t) in everything)
        for term in terms:
            first: Match | None = None
            score = 0.0
            for weight, segment, text in places:
                if has_words(text, term) and _is_meant(text, term):
                    score += weight
                    first = first or Match(hint, term, 0, segment, text)
            if first is not None:
                bonus = 0.5 * (len(term.split()) - 1)
                yield Match(hint, term, score + bonus, first.segment, first.quote)


def _is_meant(text: str, term: str) -> bool:
    """Whether a text means an abbreviation of few letters, which may be a word of another language: CRM, but no mes."""
    is_short = len(term) <= _ABBREVIATION and term.isascii()
    return not is_short or term.upper() in text or language_of(text) == "en"


def _places(reading: Reading) -> Iterator[tuple[float, Segment, str]]:
    yield from _marked_places(reading)
    for segment in reading.home.texts:
        if not speaks(segment) or segment.all_roles & _ASIDE:
            continue
        weight = 3.0 if segment.level == 1 else 1.0 if segment.level else 0.5
        for sentence in sentences(segment.text)[:4]:
            if not reading.own.rival_in(sentence):
                yield weight, segment, sentence[:300]


def _marked_places(reading: Reading) -> Iterator[tuple[float, Segment, str]]:
    for segment in reading.home.marked:
        if "instruction" in segment.roles or is_placeholder(segment.text):
            continue
        if segment.key == "title":
            yield 3, segment, segment.text
        elif segment.key in {"description", "og:description"} or segment.key.endswith("applicationCategory"):
            yield 2, segment, segment.text[:300]


def draft_keywords(reading: Reading) -> FieldDraft:
    """The keywords that the home page's markup lists."""
    for segment in reading.home.marked:
        if segment.key != "keywords" or segment.kind != "meta" or "instruction" in segment.roles:
            continue
        words = [tidy(w) for w in re.split(r"[,;、，]", segment.text)]
        chosen = [
            w for w in dict.fromkeys(words) if 2 <= len(w) <= min(60, LIST_ITEM) and not is_placeholder(w)
        ]
        chosen = [w for w in chosen if not reading.own.rival_in(w)][:DRAFTED_KEYWORDS]
        evidence: list[Evidence] = [e for w in chosen if (e := cut(reading.site, segment, w)) is not None]
        if chosen and evidence:
            return FieldDraft(value=tuple(chosen), evidence=tuple(evidence))
    return reading.blank


def draft_stage(reading: Reading) -> FieldDraft:
    """Only a stage that the site states about the product: a beta, an early access."""
    for sentence in reading.telling:
        segment = sentence.segment
        if segment.page != 1 or len(sentence.text) > 160 or not STAGE.search(sentence.text):
            continue
        if (
            reading.own.named_in(sentence.text)
            or segment.all_roles & {"hero", "header"}
            or segment.level == 1
        ):
            return FieldDraft(value="mvp", evidence=reading.quote((segment, sentence.text)))
    return reading.blank
