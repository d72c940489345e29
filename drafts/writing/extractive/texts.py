"""Tagline, short description and description: the site's own words, quoted."""

import re
from collections.abc import Iterator
from itertools import pairwise

from drafts.crawl.extract_parts import PageText, Segment, words
from drafts.limits import EVIDENCE_PER_VALUE, EVIDENCE_QUOTE, SHORT_DESCRIPTION_DRAFTED, TEXT_FIELDS
from drafts.writing.countries import cities_in, countries_in
from drafts.writing.cues.headings import opens_chapter
from drafts.writing.cues.money import MONEY
from drafts.writing.extractive.names import TITLE_PARTS, clean
from drafts.writing.port import Evidence, FieldDraft
from drafts.writing.quoting import cut
from drafts.writing.reading import Reading
from drafts.writing.roles import is_placeholder, speaks
from drafts.writing.support import stems
from drafts.writing.text import CJK, sentence_spans, sentences, shorten, squashed, tidy, tokens

_WELCOME = re.compile(
    r"^(?:welcome|willkommen|bienvenue|bienvenid|benvenut|bem-vindo|welkom|witamy|v[ií]tejte|добро "
    r"пожаловать|ようこそ|欢迎|환영)|"
    r"^(?:hi|hello|hey|hallo|hola|bonjour|salut|ciao|ol[áa]|hoi|cześć|ahoj)\b[\s,.!👋—–-]*(?:there\W+)?"
    r"(?:i.m|i am|we.re|my name|ich bin|wir sind|je suis|nous sommes|soy|somos|sou|sono|siamo|ik ben|jestem|jsem)\b",
    re.IGNORECASE,
)
_SECTION_WORDS = re.compile(
    r"^(?:features?|pricing|about(?: us)?|contact(?: us)?|home|faq|overview|introduction|"
    r"documentation|blog|news|download|"
    r"get(?:ting)? started|installation|menu|products?|services?|team|404|not found|table of contents)$",
    re.IGNORECASE,
)
_ARTICLES = words("the das die der le la les el los il lo gli de het an une ein eine una um uma een app")
_TAGLINE_LIMIT = 160
_SHORT = 40
_PARAGRAPHS = 4
_OPENING = 12
_WORDS, _HEADS = 3, 2
_SHARED, _TELLING_WORDS, _SPARSE = 3, 3, 40
_LONG, _CELL, _NEAR, _FEW = 80, 100, 3, 3
_TELLING, _PIECES = 2.5, 2
_TEXT_TAGS = words("p div section dd main article body header")
_BESIDE = frozenset(
    {"nav", "footer", "legal", "button", "form", "faq", "cta", "table", "review", "blog", "person", "contact"}
)
_CONTACT = re.compile(r"https?:|www\.|\+?\d[\d ()/-]{7,}\d|@\w")
_YEAR = re.compile(r"\b(?:1[6-9]|20)\d\d\b")
_ASIDE = frozenset(
    {"stats", "others", "steps", "audience", "donation", "event", "price", "sample", "caption", "docs"}
)
_RELEASE = re.compile(r"\bversion \d|\breleased (?:on|in)\b|\bv\d+\.\d", re.IGNORECASE)
_EMPTY_WORDS = re.compile(
    r"\b(?:built (?:on|with)|based on|powered by|fork of|maintained by|created by)\b|cookie|javascript|"
    r"\S@\S|\.(?:exe|dmg|msi|zip|apk|deb|rpm)\b|"
    r"subscribe|newsletter|©|all rights reserved|log ?in|sign ?up|\btax(?:es)? included|calculated at checkout|"
    r"add to (?:cart|bag|basket)|free shipping|zzgl\. versand|versandkosten|frais de port|gastos de env[íi]o",
    re.IGNORECASE,
)


def draft_tagline(reading: Reading) -> FieldDraft:
    """The main heading of the home page, else the rest of its title, else its social title."""
    for segment, text in _tagline_candidates(reading):
        value = tidy(text)
        if not _is_tagline(reading, value):
            continue
        evidence = cut(reading.site, segment, text)
        if evidence is not None:
            return FieldDraft(value=value[: TEXT_FIELDS["tagline"]], evidence=(evidence,))
    return reading.blank


def _tagline_candidates(reading: Reading) -> Iterator[tuple[Segment, str]]:
    home = reading.home
    spoken = [s for s in home.texts if speaks(s)]
    tops = [(s, s.text) for s in spoken if s.level == 1 and "nav" not in s.roles]
    yield from tops[: 1 if len(tops) > _HEADS else 2]
    yield from ((s, s.text) for s in _first_heading(spoken))
    for before, segment in pairwise(home.texts):
        if before.level == 1 and segment.level == 2 and not segment.link and speaks(segment):
            yield segment, segment.text
    yield from _marked_taglines(reading)
    yield from ((s, _clause(s.text)) for s in spoken if _is_subtitle(s))
    paragraphs = paragraphs_of(home)
    named = [s for s in paragraphs if reading.own.named_in(s.text)]
    for segment in [*paragraphs[:1], *named, *paragraphs]:
        yield segment, _clause(sentences(segment.text)[0])


def _marked_taglines(reading: Reading) -> Iterator[tuple[Segment, str]]:
    home = reading.home
    for segment in home.marked:
        if segment.key in {"title", "og:title", "twitter:title"}:
            yield from ((segment, rest) for rest in _rests(reading, segment.text))
    for segment in home.marked:
        if segment.kind == "json_ld" and segment.key.rsplit(".", 1)[-1] in {"slogan", "alternativeHeadline"}:
            yield segment, segment.text


def _first_heading(spoken: list[Segment]) -> list[Segment]:
    """The heading that opens a page without a main heading, when nothing was told before it."""
    if any(s.level == 1 for s in spoken):
        return []
    opening = [s for s in spoken[:_OPENING] if not s.roles & {"nav", "cookie", "header"}]
    first = next((s for s in opening if s.level or _length(s.text) > _TAGLINE_LIMIT // 2), None)
    is_line = first is not None and first.level and not first.link and len(tokens(first.text)) >= _WORDS
    return [first] if first is not None and is_line and not opens_chapter(first.flat) else []


def _is_subtitle(segment: Segment) -> bool:
    return "hero" in segment.roles and (segment.level == 2 or segment.tag == "p") and not segment.link


def _clause(text: str) -> str:
    """A long sentence up to the last comma that fits."""
    if len(text) <= _TAGLINE_LIMIT:
        return text
    comma = max(text.rfind(mark, 0, _TAGLINE_LIMIT) for mark in (", ", "，", "、", " – ", " — "))
    return text[:comma] if comma > 30 else shorten(text, _TAGLINE_LIMIT)


def _rests(reading: Reading, title: str) -> Iterator[str]:
    parts = TITLE_PARTS.split(title)
    rest = [part for part in parts if not reading.own.named_in(part) or len(part) > 40]
    yield from sorted((part.strip() for part in rest), key=len, reverse=True)


def _is_tagline(reading: Reading, text: str) -> bool:
    if not 6 <= len(text) <= _TAGLINE_LIMIT and not (CJK.search(text) and len(text) >= 4):
        return False
    if _WELCOME.match(text) or _SECTION_WORDS.match(text) or is_placeholder(text):
        return False
    if "instruction" in text or reading.own.rival_in(text):
        return False
    names = {squashed(name) for name in reading.own.names}
    said = tokens(text) - _ARTICLES - {word for name in reading.own.names for word in tokens(name)}
    return squashed(clean(text)) not in names and bool(said) and len(tokens(text)) >= 2


def draft_short_description(reading: Reading) -> FieldDraft:
    """The home page's meta description where it fits the page, else the first paragraph that names the product."""
    for segment in _descriptions(reading):
        text = shorten(segment.text, SHORT_DESCRIPTION_DRAFTED)
        evidence = cut(reading.site, segment, text)
        if evidence is not None:
            return FieldDraft(value=tidy(text), evidence=(evidence,))
    return reading.blank


def _descriptions(reading: Reading) -> Iterator[Segment]:
    home = reading.home
    weak: list[Segment] = []
    for key in ("description", "og:description", "twitter:description"):
        for segment in home.marked:
            if segment.key == key and _describes(reading, segment):
                if _length(segment.text) >= _SHORT and not _is_hollow(reading, segment.text):
                    yield segment
                else:
                    weak.append(segment)
    for segment in home.marked:
        if (
            segment.kind == "json_ld"
            and segment.key in {"description", "@graph.description"}
            and _describes(reading, segment)
        ):
            yield segment
    paragraphs = [s for s in paragraphs_of(home) if _length(s.text) >= _SHORT]
    paragraphs += [
        s
        for s in home.texts
        if s.tag == "p"
        and "footer" in s.roles
        and speaks(s)
        and _length(s.text) >= _SHORT
        and not _EMPTY_WORDS.search(s.text)
    ]
    paragraphs = [s for s in paragraphs if not _RELEASE.search(s.text)]
    yield from (s for s in paragraphs if "hero" in s.roles and s.tag == "p")
    yield from (s for s in paragraphs if reading.own.named_in(s.text) and not reading.own.rival_in(s.text))
    yield from weak
    yield from paragraphs


def _is_hollow(reading: Reading, text: str) -> bool:
    """Whether a description says hardly more than a name: "The official site of …"."""
    return len(stems(text) - stems(" ".join(reading.own.names))) < _TELLING_WORDS


def _length(text: str) -> int:
    return len(text) * (2 if CJK.search(text) else 1)


def _describes(reading: Reading, segment: Segment) -> bool:
    if "instruction" in segment.roles or is_placeholder(segment.text) or _length(segment.text) < 20:
        return False
    page = stems(" ".join([reading.home.title, *(s.text for s in reading.home.texts[:400])]))
    shared = stems(segment.text) & page - stems(" ".join(reading.own.names))
    if reading.own.named_in(segment.text):
        return bool(shared) or len(page) < _SPARSE
    return len(shared) >= _SHARED


def paragraphs_of(page: PageText) -> list[Segment]:
    """The running text of a page that speaks about the product, told by its length and shape rather than its tag."""
    return [s for s in page.texts if _is_prose(s) and not _EMPTY_WORDS.search(s.text)]


def _is_prose(segment: Segment) -> bool:
    least = _SHORT if segment.tag in _TEXT_TAGS else _CELL
    if (
        segment.level
        or segment.link
        or segment.tag in {"summary", "dt", "button"}
        or _length(segment.text) < least
    ):
        return False
    return speaks(segment) and not segment.all_roles & (
        _BESIDE if segment.tag != "td" else _BESIDE - {"table"}
    )


def draft_description(
    reading: Reading, features: tuple[str, ...], feature_evidence: tuple[Evidence, ...]
) -> FieldDraft:
    """The paragraphs that tell most of the product, whole and in reading order, and the features as a list."""
    told = [(_weight(reading, segment), segment) for segment in _told(reading)]
    best = sorted((each for each in told if each[0] >= _TELLING), key=lambda each: -each[0])[:_PARAGRAPHS]
    chosen = sorted((segment for _, segment in best), key=lambda s: (s.page, s.index))
    if not chosen:
        chosen = [
            s for s in _descriptions(reading) if _length(s.text) >= _LONG and not _is_beside(reading, s)
        ][:1]
    parts: list[str] = []
    evidence: list[Evidence] = []
    for segment in chosen:
        pieces = _pieces(segment.text)
        quotes = [quote for piece in pieces if (quote := cut(reading.site, segment, piece)) is not None]
        text = tidy(" ".join(pieces))
        if (
            quotes
            and len(quotes) == len(pieces)
            and not any(squashed(text) in squashed(part) for part in parts)
        ):
            parts.append(text)
            evidence += quotes
    if not parts:
        return reading.blank
    if len(features) >= _FEW:
        parts.append("\n".join(f"- {feature}" for feature in features))
        evidence += feature_evidence
    return FieldDraft(
        value="\n\n".join(parts)[: TEXT_FIELDS["description"]],
        evidence=tuple(evidence[: EVIDENCE_PER_VALUE + _PARAGRAPHS * _PIECES]),
    )


def _pieces(text: str) -> list[str]:
    """A paragraph in whole sentences, joined as far as one quote goes; nothing when one is too long to quote."""
    pieces: list[str] = []
    start = 0
    for first, end in sentence_spans(text):
        if pieces and end - start <= EVIDENCE_QUOTE:
            pieces[-1] = text[start:end]
        else:
            pieces.append(text[first:end])
            start = first
    whole = pieces[:_PIECES]
    return whole if whole and max(map(len, whole)) <= EVIDENCE_QUOTE else []


def _told(reading: Reading) -> Iterator[Segment]:
    seen: set[str] = set()
    for page in reading.site.pages:
        if page.index > 1 and page.kind not in {"features", "about"}:
            continue
        for segment in paragraphs_of(page):
            if squashed(segment.text) not in seen:
                seen.add(squashed(segment.text))
                yield segment


def _weight(reading: Reading, segment: Segment) -> float:
    """How much a paragraph tells of the product; what speaks of something else takes that away."""
    text = segment.text
    page = reading.site.pages[segment.page - 1]
    top = next((s.index for s in page.texts if s.level == 1), 0)
    sentences_in = [t for t in sentences(text) if _length(t) >= _SHORT]
    return (
        2.0 * reading.own.named_in(text)
        + 1.0 * ("hero" in segment.roles or 0 < segment.index - top <= _NEAR)
        + 1.0 * (page.index == 1)
        + 0.5 * bool(segment.under & {"feature", "why"} or page.kind in {"features", "about"})
        + 0.5 * (_length(text) >= _LONG)
        + 0.5 * bool(sentences_in and text.rstrip().endswith((".", "。", "!", "！")))
        - 1.5 * (not sentences_in or "\n" in text or text.rstrip().endswith((":", "：", "→", "?", "？")))
        - 1.5 * (text.count(",") * 4 > len(text.split()) and not CJK.search(text))
        - 3.0 * _is_beside(reading, segment)
    )


def _is_beside(reading: Reading, segment: Segment) -> bool:
    """Whether a paragraph speaks of sums, years, places, versions or others rather than of the product."""
    text = segment.text
    if reading.own.rival_in(text) or segment.all_roles & _ASIDE or MONEY.search(text) or _YEAR.search(text):
        return True
    is_placed = bool(countries_in(text) or cities_in(text)) and not reading.own.named_in(text)
    return bool(is_placed or _RELEASE.search(text) or _CONTACT.search(text))
