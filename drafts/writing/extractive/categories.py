"""Categories, tags, keywords and the stage, where the site's own words name them."""

import re
from collections.abc import Iterator, Sequence

from drafts.crawl.extract_parts import SiteText
from drafts.limits import DRAFTED_KEYWORDS, DRAFTED_TAGS, LIST_ITEM
from drafts.writing.cues.stages import STAGE
from drafts.writing.likeness import Hit, Likeness, Place, vocabulary
from drafts.writing.port import CategoryHint, Evidence, FieldDraft, Value
from drafts.writing.quoting import cut
from drafts.writing.reading import Reading
from drafts.writing.roles import is_placeholder, speaks
from drafts.writing.text import CJK, folded, has_words, sentences, tidy

SURE, AHEAD = 0.65, 1.1
"""The score from which a category is set, and how far it must be ahead of the next. See benchmarks/categories.py."""
OFFERED = 3
_ASIDE = frozenset({"nav", "footer", "legal", "blog", "review", "person", "faq"})
_TITLE, _DESCRIPTION, _FIRST_HEAD, _HEAD, _TEXT, _REST, _OTHER = 3.0, 2.5, 2.5, 0.8, 1.0, 0.35, 0.5
_INTRODUCED = 2.0
_READ, _FIRST, _LETTERS, _LABEL = 120, 6, 400, 14
_PAGES = 5
_TAG_WEIGHT = 1.0


def likest(site: SiteText, hints: tuple[CategoryHint, ...], *, names: Sequence[str]) -> list[Likeness]:
    """The categories that the site's own words are like, the likest first."""
    return vocabulary(hints).rank(_places(site, names)) if hints and site.pages else []


def offered(site: SiteText, hints: tuple[CategoryHint, ...], *, name: Value | None) -> list[str]:
    """The names of the three likest categories: what a person chooses from."""
    names = (name,) if isinstance(name, str) else ()
    return [one.hint.name for one in likest(site, hints, names=names)[:OFFERED]]


def named_like(text: str, hints: tuple[CategoryHint, ...]) -> list[str]:
    """The names of the three categories that are likest to what somebody types to find one."""
    return [one.hint.name for one in vocabulary(hints).rank([Place(text, _TITLE)])[:OFFERED]]


def draft_categories(reading: Reading, hints: tuple[CategoryHint, ...]) -> tuple[FieldDraft, FieldDraft]:
    """The likest category when it is sure, and as tags the words of the site that speak for the likest."""
    ranked = likest(reading.site, hints, names=reading.own.names)
    second = ranked[1].score if len(ranked) > 1 else 0
    chosen = [one for one in ranked[:1] if one.score >= SURE and one.score >= second * AHEAD]
    speaking = [hit for one in chosen for hit in one.hits[:2]]
    drafted = _write(reading, speaking, values=[one.hint.name for one in chosen])
    return drafted, _tags(reading, ranked[:OFFERED])


def _tags(reading: Reading, ranked: list[Likeness]) -> FieldDraft:
    hits = [hit for one in ranked for hit in one.hits if hit.weight >= _TAG_WEIGHT and len(hit.words) > 1]
    hits.sort(key=lambda hit: -hit.value)
    found = {folded(hit.words): hit for hit in reversed(hits) if not reading.own.resembles(hit.words)}
    chosen = sorted(found.values(), key=lambda hit: -hit.value)[:DRAFTED_TAGS]
    return _write(reading, chosen, values=[tidy(hit.words).lower() for hit in chosen])


def _write(reading: Reading, hits: list[Hit], *, values: list[str]) -> FieldDraft:
    """The values with the sentences in which the words stand that say so."""
    evidence = [
        cut(reading.site, hit.place.segment, _sentence(hit.place, hit.words))
        for hit in hits
        if hit.place.segment is not None
    ]
    kept = tuple(dict.fromkeys(e for e in evidence if e is not None))
    return FieldDraft(value=tuple(values), evidence=kept) if kept and values else reading.blank


def _sentence(place: Place, words: str) -> str:
    return next((s for s in sentences(place.text) if folded(words) in folded(s)), place.text)[:300]


def _places(site: SiteText, names: Sequence[str]) -> Iterator[Place]:
    yield from _marked_places(site)
    read, is_introduced = 0, False
    for segment in site.pages[0].texts:
        if not speaks(segment) or segment.all_roles & _ASIDE or _is_label(segment.text, segment.level):
            continue
        read += 1
        if read > _READ:
            return
        weight = _REST if read > _FIRST else _TEXT
        if segment.level:
            weight = _FIRST_HEAD if segment.level == 1 else _HEAD
        elif not is_introduced and any(has_words(segment.text[:_LETTERS], name) for name in names):
            weight, is_introduced = _INTRODUCED, True
        yield Place(segment.text[:_LETTERS], weight, segment)


def _is_label(text: str, level: int) -> bool:
    """Whether a text is an entry of a menu rather than something said."""
    lines = text.split("\n")
    return not level and not CJK.search(text) and len(text) / len(lines) < _LABEL


def _marked_places(site: SiteText) -> Iterator[Place]:
    """The titles of the first pages, and how the home page's markup describes it."""
    weights = {"title": _TITLE, "description": _DESCRIPTION, "og:description": 1.0, "keywords": 1.0}
    seen: set[str] = set()
    for page in site.pages[: _PAGES + 1]:
        for segment in page.marked:
            weight = weights.get(segment.key, 1.0 if segment.key.endswith("applicationCategory") else 0)
            if page is not site.pages[0]:
                weight = _OTHER if segment.key == "title" else 0
            text = segment.text[:_LETTERS]
            if (
                weight
                and text not in seen
                and "instruction" not in segment.roles
                and not is_placeholder(text)
            ):
                seen.add(text)
                yield Place(text, weight, segment)


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
